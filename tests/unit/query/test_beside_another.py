"""Beside another's figure: both are of one day, and what the other has not is no test for anybody.

By hand from the snapshot: 比亚迪's newest bar is of 2017-07-20 (+0.99 %), on which the Shanghai
Composite rose 0.43 %; its own newest is -0.21 % of 2017-07-25.
"""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import youju


def asked(text: str) -> Answered:
    found = youju().query.ask(text)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


@pytest.mark.parametrize("text", ["比亚迪跑赢大盘了吗", "比亚迪涨跌幅比上证指数高多少"])
def test_the_changes_of_a_company_and_an_index_are_of_one_day(text: str) -> None:
    told = asked(text).text
    assert "2017-07-20涨跌幅 +0.99%" in told
    assert "上证指数的2017-07-20涨跌幅 +0.43%" in told
    assert "-0.21%" not in told


def test_where_both_have_the_same_day_it_is_theirs() -> None:
    told = asked("招商银行跑赢大盘了吗").text
    assert "：否。涨跌幅 -0.70%，上证指数的涨跌幅 -0.21%（2017-07-25）" in told


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("市净率高于工商银行的银行有哪些", "没有工商银行的市净率(MRQ)"),
        ("市净率高于工商银行的银行有几家", "没有工商银行的市净率(MRQ)"),
        ("A股市盈率高于上证指数市盈率的有多少家", "没有上证指数的市盈率(TTM)"),
    ],
)
def test_nobody_is_tested_by_what_another_has_not(text: str, lacks: str) -> None:
    found = asked(text)
    assert lacks in found.text
    assert "无从比较" in found.text
    assert not found.claims
