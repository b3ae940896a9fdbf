"""Every question of tests/questions as the product reads it, on the names of the bundled market."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from opencc import OpenCC

from services.query.planning.plir import Turn
from tests.unit.query.stored_questions import (
    FOLDER,
    STORED,
    all_read,
    asked,
    expected_turn,
    meaning,
    questions,
)

pytestmark = pytest.mark.xdist_group(STORED)

LEAST_RIGHT = 0.91
# Every so many questions are read in traditional characters too.
_EACH = 6


def plain(turn: Turn) -> dict[str, Any]:
    """As the questions are written: what is expected, without keys of outputs and Chinese names."""
    if turn.ask_back is not None:
        return {"ask_back": True, "choices": list(turn.ask_back.choices)}
    nodes: list[dict[str, Any]] = []
    for node in turn.nlir.nodes if turn.nlir is not None else ():
        one: dict[str, Any] = {"action": node.action}
        if node.ref_id:
            one["ref_id"] = node.ref_id
        one["outputs"] = [slot.name for slot in node.outputs]
        one["args"] = {slot.key: slot.value for slot in node.args}
        nodes.append(one)
    return {"nodes": nodes}


def is_right(turn: Turn, expected: Mapping[str, Any]) -> bool:
    """Whether it is what was expected: to the letter, or in what it means."""
    got = plain(turn)
    if expected.get("ask_back"):
        missing = set(expected.get("choices_include", ())) - set(got.get("choices", ()))
        return got.get("ask_back") is True and not missing
    if got == expected:
        return True
    nodes = expected["nodes"]
    if turn.ask_back is not None or any("algebra" in one["args"] for one in nodes):
        return False
    return meaning(expected_turn(nodes, turn.user_query)) == meaning(turn)


def wrong(question: Mapping[str, Any], turns: tuple[Turn, ...]) -> list[str]:
    """What differs from the expected plans, turn by turn."""
    return [
        f"{turn.user_query!r}: expected {said['expect']}, got {plain(turn)}"
        for said, turn in zip(question["turns"], turns, strict=True)
        if not is_right(turn, said["expect"])
    ]


@cache
def failures() -> dict[str, list[str]]:
    read = all_read()
    return {one["id"]: found for one in questions() if (found := wrong(one, read[one["id"]]))}


def not_yet() -> frozenset[str]:
    lines = (FOLDER / "not_yet.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line.split("\t")[0] for line in lines if not line.startswith("#"))


def test_the_set_is_large_enough() -> None:
    stored = questions()
    assert len(stored) >= 300
    backs = [one for one in stored if any(turn["expect"].get("ask_back") for turn in one["turns"])]
    assert len(backs) >= 60
    assert {one["lang"] for one in stored} == {"zh", "en"}
    assert len({one["id"] for one in stored}) == len(stored)


def test_questions_are_read_right(capsys: pytest.CaptureFixture[str]) -> None:
    count = len(questions())
    right = count - len(failures())
    with capsys.disabled():
        print(f"\n{right} of {count} questions right ({right / count:.1%})")
    assert right / count >= LEAST_RIGHT
    assert {name: found for name, found in failures().items() if name not in not_yet()} == {}


def test_choices_can_be_asked_as_they_are() -> None:
    """A choice of an ambiguous name must not be ambiguous again."""
    for text in ("平安的市盈率", "000001的净利润", "贵州茅合的净利润", "茅台"):
        (found,) = asked(text)
        assert found.ask_back is not None
        assert found.ask_back.choices
        for choice in found.ask_back.choices:
            assert asked(choice)[0].nlir is not None, choice


def test_questions_in_traditional_characters_are_read_alike() -> None:
    traditional = OpenCC("s2t").convert
    different: list[str] = []
    for question in questions()[::_EACH]:
        texts = [turn["text"] for turn in question["turns"]]
        said = [traditional(text) for text in texts]
        if said != texts and question["id"] not in failures():
            different += wrong(question, asked(*said))
    assert different == []
