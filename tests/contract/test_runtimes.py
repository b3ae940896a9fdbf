"""Both runtimes driven by a scripted model: what is true is released, a lie never."""

from typing import Any

import pytest

from services.agents.results import AgentRunRequest
from tests.chance import stands
from tests.contract.analyst import (
    RUNTIMES,
    Document,
    Played,
    Rehearsed,
    Runtime,
    Seen,
    Write,
    document,
    play,
    rehearse,
)
from tests.contract.told_lies import HONEST, LIES, Lie, Say
from tests.fakes.models import Asked

pytestmark = pytest.mark.thorough

both = pytest.mark.parametrize("runtime", RUNTIMES)
PLAIN = "没有新的要点。"


def honest(seen: Seen) -> Document:
    """A short answer with a figure."""
    return document(HONEST["a place"](seen), HONEST["a close"](seen))


def lying(say: Say, at: int = 0) -> Write:
    """An honest answer with one lie, in one of its four sections."""

    def write(seen: Seen) -> Document:
        texts = [HONEST["a place"](seen), PLAIN, PLAIN, PLAIN]
        texts[at % 4] = say(seen)
        summary, point, advice, risk = texts
        return document(summary, point, recommendations=[advice], risk_factors=[risk])

    return write


def own(played: Played | Rehearsed, lie: Lie) -> str:
    """What the lie said, as the gate and the reader would have it."""
    assert played.script.first is not None
    return lie.say(played.script.first)


def nowhere(played: Played | Rehearsed, lie: Lie) -> None:
    told = played.everything()
    assert own(played, lie) not in told
    assert not lie.digits or not stands(lie.digits, told), lie.digits


def rejection(asked: Asked) -> str:
    """The words in which a model was told that its answer was refused."""
    said = asked.said
    assert said.startswith("Your previous answer was rejected. Reason:\n- ")
    return said


def test_there_are_lies_enough_and_no_two_alike() -> None:
    assert len({lie.kind for lie in LIES}) == len(LIES) >= 80


@both
def test_every_honest_statement_is_released_at_once(runtime: Runtime) -> None:
    played = play(runtime, lambda seen: document(*(say(seen) for say in HONEST.values())))
    draft = played.report.runtime_draft
    assert (draft.runtime, draft.model, draft.note) == (runtime, "scripted", None)
    assert len(played.asked) == 1
    assert len(draft.key_points) == len(HONEST) - 1
    summary = played.report.final_report.summary
    assert summary == "截至2017-05-25，招商银行市盈率(TTM) 8.67倍。 [E1]"
    # The bundle has no news and no web pages, and its valuation is two months old.
    assert [one.rule for one in played.report.deductions] == ["failed_tools", "old_inputs"]


@pytest.mark.parametrize("at", range(0, len(LIES), 18), ids=[lie.kind for lie in LIES[::18]])
def test_a_lie_is_sent_back_once_and_the_mended_answer_released(at: int) -> None:
    lie, runtime = LIES[at], RUNTIMES[at // 18 % 2]
    played = play(runtime, lying(lie.say, at // 36), honest)
    assert len(played.asked) == 2
    assert "{{" in rejection(played.asked[1])  # how to mend it
    report = played.report.final_report
    assert report.summary == "截至2017-05-25，招商银行市盈率(TTM) 8.67倍。 [E1]"
    nowhere(played, lie)
    assert [call.error for call in played.report.trace.model_calls] == [None, None]


# Two lies a talk.
PAIRS = list(zip(LIES[::2], LIES[1::2], strict=True))


def named(pairs: list[tuple[Lie, Lie]]) -> list[Any]:
    return [
        pytest.param(runtime, *pair, id=f"{runtime}: {pair[0]}, {pair[1]}")
        for runtime in RUNTIMES
        for pair in pairs
    ]


@pytest.mark.parametrize(("runtime", "first", "second"), named(PAIRS))
def test_no_kind_of_lie_gets_through_either_runtime(
    runtime: Runtime, first: Lie, second: Lie
) -> None:
    section = LIES.index(first) // 2
    talk = rehearse(runtime, lying(first.say, section), lying(second.say, section + 1))
    assert (talk.draft is None) == ((section + 1) % 4 == 0)
    if talk.draft is not None:  # the figure that stands in the summary, beside the lie
        assert talk.script.first is not None
        assert talk.draft.summary == HONEST["a place"](talk.script.first)
        assert "没有通过核对，已略去" in (talk.draft.note or "")
    assert {one.round for one in talk.refusals} == {1, 2}
    nowhere(talk, first)
    nowhere(talk, second)
    assert "fell_back" not in talk.watch.kinds


@pytest.mark.parametrize(("runtime", "first", "second"), named(PAIRS[::12]))
def test_two_lies_end_in_a_failure_without_a_word_of_them(
    runtime: Runtime, first: Lie, second: Lie
) -> None:
    played = play(runtime, lying(first.say), lying(second.say))  # beside them stands no figure
    failure = played.failure
    assert {one.round for one in failure.refusals} == {1, 2}
    nowhere(played, first)
    nowhere(played, second)
    assert len(failure.claims) > 100  # the figures that do stand
    assert " | " in str(failure.next_step)
    steps = [one for one in played.watch.steps if one.kind == "checked"]
    assert [one.error for one in steps] == ["NotVerifiedError", "NotVerifiedError"]
    assert "fell_back" not in played.watch.kinds  # never a silent downgrade


@both
def test_the_model_is_told_the_reasons_and_nothing_else(runtime: Runtime) -> None:
    lies = {lie.kind: lie.say for lie in LIES}

    def twice(seen: Seen) -> Document:
        return document(lies["value"](seen), lies["metric for another"](seen), lies["value"](seen))

    played = play(runtime, twice, honest)
    told = rejection(played.asked[1])
    reasons = [line for line in told.splitlines() if line.startswith("- ")]
    checks = [one.split(" mismatch at «")[0] for one in reasons]
    assert checks == ["- value", "- metric", "- value"]  # each place by itself
    assert told.count("«9.67倍»") == 2  # to its author alone
    first, second = played.asked
    assert second.messages[: len(first.messages)] == first.messages  # the same talk goes on
    assert [one["role"] for one in second.messages[len(first.messages) :]] == ["assistant", "user"]


@both
def test_a_lie_of_many_figures_is_told_within_bounds(runtime: Runtime) -> None:
    def many(seen: Seen) -> Document:
        points = [f"第{n}项：市盈率(TTM)为{n}.91倍，市净率{n}.17倍。" for n in range(20, 31)]
        return document("很多数字。", *points)

    played = play(runtime, many, honest)
    assert len(rejection(played.asked[1])) < 3_000


@both
def test_a_figure_the_model_was_not_told_proves_nothing(runtime: Runtime) -> None:
    # The bar is on the ledger, but only the newest rows were told.
    def old(seen: Seen) -> Document:
        day = seen.tools["get_price_history"]["bars"][1]["time"]
        assert day > "2017-01"
        return document("2016-08-01收盘价16.83元。")

    assert play(runtime, old, old).failure


@both
def test_the_same_lie_twice_is_not_worn_down(runtime: Runtime) -> None:
    lie = next(lie for lie in LIES if lie.kind == "value")
    played = play(runtime, lying(lie.say), lying(lie.say))
    assert len(played.asked) == 2  # there is no third try
    nowhere(played, lie)


@both
def test_an_english_lie_is_refused_and_told_in_both_languages(runtime: Runtime) -> None:
    request = AgentRunRequest(symbol="600036.SH", language="en")

    def false(seen: Seen) -> Document:
        return document("As of 2017-05-25 the P/E (TTM) is 9.67x.")

    def true(seen: Seen) -> Document:
        return document(f"As of 2017-05-25 the P/E (TTM) is {seen.value('pe_ttm').place}.")

    played = play(runtime, false, true, request=request)
    assert played.report.final_report.summary == "As of 2017-05-25 the P/E (TTM) is 8.67 x. [E1]"
    assert "write every text in English" in played.asked[0].prompt
    assert "9.67x" not in played.everything()


@both
def test_marks_of_evidence_are_ours(runtime: Runtime) -> None:
    def marked(seen: Seen) -> Document:
        return document(f"市盈率(TTM) {seen.value('pe_ttm').place} [E7]。", "没有数字 [E1]。")

    report = play(runtime, marked).report.final_report
    assert report.summary == "市盈率(TTM) 8.67倍。 [E1]"
    assert report.key_points == ("没有数字。",)


@both
def test_what_was_checked_is_what_is_read(runtime: Runtime) -> None:
    def glued(seen: Seen) -> Document:
        place = seen.value("pe_ttm").place
        return document(f"截至2017-05-25，PE{place}，即 {place.replace('c:', ' c: ')}。")

    played = play(runtime, glued)
    assert played.report.final_report.summary == "截至2017-05-25，PE 8.67倍，即 8.67倍。 [E1]"
