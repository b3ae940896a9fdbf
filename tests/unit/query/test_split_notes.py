"""An answer with figures a share from before a change of shares says so, once, in its language."""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import youju


def _notes(text: str, told: str) -> list[str]:
    found = youju().query.ask(text)
    assert isinstance(found, Answered)
    assert found.verification.ok
    return [note for note in found.draft.notes if told in note]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("苹果最近八年的每股收益", "2013年报及以前的每股数与2014年报起的不可比"),
        ("腾讯控股最近八年的每股收益", "2012年报及以前的每股数与2013年报起的不可比"),
    ],
)
def test_an_answer_across_a_change_of_shares_says_so_once(text: str, says: str) -> None:
    (note,) = _notes(text, "不可比")
    assert says in note


def test_it_is_said_in_english_to_an_english_question() -> None:
    (note,) = _notes("EPS of Apple over the last eight years", "not comparable")
    assert "up to FY2013 are not comparable with those from FY2014 on" in note


@pytest.mark.parametrize("text", ["招商银行(600036.SH)最近八年的每股收益", "苹果最近八年的净利润"])
def test_nothing_is_said_where_no_figure_is_of_other_shares(text: str) -> None:
    assert not _notes(text, "不可比")
