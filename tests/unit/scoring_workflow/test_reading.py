"""A model's answer, read: what is forgiven, and that nothing else is."""

import json

import pytest

from services.scoring.reading import ScorerAnswer, UnreadableError, read_choice, read_review
from services.scoring.sayings import sayings_of
from tests.unit.scoring_workflow.given import BANK, CHOSEN, draft, given, vetoed, written

KNOWN = sayings_of(given().card)


def read(*chosen: object) -> ScorerAnswer:
    return read_choice(json.dumps(written(7, chosen=chosen, more=1)), KNOWN)


def test_ids_that_were_not_offered_and_repeats_fall_out() -> None:
    found = read("f2", "f2", "c_0123456789abcdef", 3, None, ["f1"], "f1", "s1", "x" * 999, "f4")
    assert found == ScorerAnswer(BANK, 7.0, ("f2", "f1", "s1", "f4"))


@pytest.mark.parametrize(
    "chosen",
    [(), ("f1", "f2", "s1"), ("f1",) * 9, ("净利润大增",) * 4, ("s91", "s92", "s93", "f1")],
)
def test_fewer_than_four_grounds_are_no_score(chosen: tuple[str, ...]) -> None:
    with pytest.raises(UnreadableError, match="至少 4 个"):
        read(*chosen)


def test_a_fence_around_the_whole_is_taken_off() -> None:
    found = read_choice(f"```json\n{json.dumps(written(7.5))}\n```", KNOWN)
    assert found == ScorerAnswer(BANK, 7.5, CHOSEN)


@pytest.mark.parametrize(
    "text", ["", "null", "[]", '"7"', "{", "{}", "[" * 100_000, '{"stock_code": 1}', "x" * 30_000]
)
def test_anything_else_is_no_draft_and_no_review(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_choice(text, KNOWN)
    with pytest.raises(UnreadableError):
        read_review(text, draft(), KNOWN)


def test_a_refusal_is_told_in_our_words_and_names_what_it_is_about() -> None:
    said = json.dumps({**vetoed("mismatch", "f3", "x1", "s1"), "reason": "蓝羽毛 40.31%"})
    assert read_review(said, draft(), KNOWN).reason == "分数与所选的依据不一致：成长、营业收入"
    english = read_review(said, draft(), KNOWN, "en").reason
    assert english == "the score does not fit its grounds: Growth, Revenue"


@pytest.mark.parametrize("why", ["蓝羽毛", None, 3, ["mismatch"]])
def test_a_refusal_for_no_known_reason_is_one_all_the_same(why: object) -> None:
    found = read_review(json.dumps({**vetoed(), "why": why}), draft(), KNOWN)
    assert (found.passed, found.reason) == (False, "没有说明理由")


def test_why_it_cannot_be_read_repeats_nothing_of_it() -> None:
    with pytest.raises(UnreadableError) as raised:
        read_choice('{"stock_code": "蓝羽毛", "hold_score": "蓝羽毛"}', KNOWN)
    assert "蓝羽毛" not in str(raised.value)
