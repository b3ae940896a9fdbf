"""A plain P/E is the one its market has; one whose basis was said is that one, held or not."""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import youju


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("腾讯市盈率", "市盈率(LYR)"),
        ("腾讯的滚动市盈率", "市盈率(TTM)暂缺"),
        ("腾讯静态市盈率", "市盈率(LYR)"),
        ("Tencent P/E", "P/E (LYR)"),
        ("Tencent trailing P/E", "P/E (TTM): "),
        ("港股里滚动市盈率最低的5家", "没有任何港股公司的市盈率(TTM)"),
        ("港股里市盈率最低的5家", "市盈率(LYR)"),
    ],
)
def test_the_basis_that_was_said_is_the_one_told(question: str, label: str) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert label in found.text
