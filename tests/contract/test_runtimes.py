"""Lies in prose through both runtimes: a model writes no prose, so none reaches a reader.

Each lie is sent as an answer of its own, as an item, as a statement and as a view; what is shown,
told and kept holds nothing of it.
"""

import pytest

from tests.chance import stands
from tests.contract.analyst import (
    RUNTIMES,
    Document,
    Rehearsed,
    Runtime,
    Seen,
    document,
    picked,
    rehearse,
)
from tests.contract.told_lies import HONEST, LIES, Lie

pytestmark = pytest.mark.thorough

both = pytest.mark.parametrize("runtime", RUNTIMES)
PACKS = [LIES[at : at + 10] for at in range(0, len(LIES), 10)]


def nowhere(talk: Rehearsed, lies: list[Lie]) -> None:
    assert talk.script.first is not None
    told = talk.everything()
    for lie in lies:
        assert lie.say(talk.script.first) not in told
        if any(letter.isdigit() for letter in lie.digits):  # words may be true of another figure
            assert not stands(lie.digits, told), lie.digits


def test_there_are_lies_enough_and_no_two_alike() -> None:
    assert len({lie.kind for lie in LIES}) == len(LIES) >= 80


@both
@pytest.mark.parametrize("lies", PACKS, ids=lambda lies: str(lies[0]))
def test_no_kind_of_lie_gets_through_as_an_item_a_statement_or_a_view(
    runtime: Runtime, lies: list[Lie]
) -> None:
    def answer(seen: Seen) -> Document:
        told = [lie.say(seen) for lie in lies]
        own = [{"kind": "level", "claims": ["k1"], "text": text} for text in told]
        views = [{"section": "results", "text": text, "because": seen.ids} for text in told]
        found = picked(seen)
        return {**found, "results": [*told, *found["results"]], "own": own, "views": views}

    talk = rehearse(runtime, answer, answer)
    assert talk.draft is not None
    assert talk.draft.model == "scripted"
    assert talk.draft.views == ()
    nowhere(talk, list(lies))


@both
@pytest.mark.parametrize("lies", PACKS[::3], ids=lambda lies: str(lies[0]))
def test_prose_is_no_answer_and_the_rules_write(runtime: Runtime, lies: list[Lie]) -> None:
    def answer(seen: Seen) -> Document:
        return document("结论。", *(lie.say(seen) for lie in lies))

    talk = rehearse(runtime, answer, answer)
    assert talk.draft is not None
    assert talk.draft.runtime == "builtin"
    assert "模型的回答两次都不能用" in str(talk.draft.note)
    nowhere(talk, list(lies))


@both
def test_honest_prose_is_no_answer_either(runtime: Runtime) -> None:
    def answer(seen: Seen) -> Document:
        return document(*(say(seen) for say in HONEST.values()))

    talk = rehearse(runtime, answer, picked)
    assert talk.draft is not None
    assert talk.draft.model == "scripted"


@both
def test_the_same_talk_goes_on_after_a_refusal(runtime: Runtime) -> None:
    talk = rehearse(runtime, lambda seen: picked(seen, own=[{"kind": "x"}]), picked)
    first, second = talk.asked
    assert second.messages[-len(first.messages) - 2 :][: len(first.messages)][-1] in second.messages
    assert [one["role"] for one in second.messages[-2:]] == ["assistant", "user"]
    assert [call.error for call in talk.model_calls] == [None, None]
