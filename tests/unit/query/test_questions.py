"""Every question of tests/questions against the rule parser, on the names of the bundled market."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from opencc import OpenCC

from services.query.planning.metadata import read_metadata
from services.query.planning.nlir import AskBack, Nlir
from services.query.planning.plir import Session, Turn
from services.query.reading.parser import RuleParser
from tests.unit.market.bundled import bundle, names

FOLDER = Path(__file__).resolve().parents[2] / "questions"
LEAST_RIGHT = 0.97


@cache
def parser() -> RuleParser:
    market = bundle()
    return RuleParser(names(), read_metadata(), market.clock)


def questions() -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for file in sorted(FOLDER.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
    ]


def plain(found: Nlir | AskBack) -> dict[str, Any]:
    """As the questions are written: what is expected, without keys of outputs and Chinese names."""
    if isinstance(found, AskBack):
        return {"ask_back": True, "choices": list(found.choices)}
    nodes: list[dict[str, Any]] = []
    for node in found.nodes:
        one: dict[str, Any] = {"action": node.action}
        if node.ref_id:
            one["ref_id"] = node.ref_id
        one["outputs"] = [slot.name for slot in node.outputs]
        one["args"] = {slot.key: slot.value for slot in node.args}
        nodes.append(one)
    return {"nodes": nodes}


def wrong(question: dict[str, Any]) -> list[str]:
    """What differs from the expected plans, turn by turn."""
    session, failures = Session(session_id="s"), list[str]()
    for number, turn in enumerate(question["turns"], 1):
        found = parser().parse(turn["text"], session)
        got, expected = plain(found), turn["expect"]
        if expected.get("ask_back"):
            missing = set(expected.get("choices_include", ())) - set(got.get("choices", ()))
            right = got.get("ask_back") is True and not missing
        else:
            right = got == expected
        if not right:
            failures.append(f"{turn['text']!r}: expected {expected}, got {got}")
        nlir = found if isinstance(found, Nlir) else None
        back = found if isinstance(found, AskBack) else None
        asked = Turn(
            turn_id=f"turn_{number:02d}", user_query=turn["text"], nlir=nlir, ask_back=back
        )
        session = Session(session_id="s", turns=(*session.turns, asked))
    return failures


def is_asked_back(question: dict[str, Any]) -> bool:
    return any(turn["expect"].get("ask_back") for turn in question["turns"])


@cache
def failures() -> dict[str, list[str]]:
    return {one["id"]: found for one in questions() if (found := wrong(one))}


def test_the_set_is_large_enough() -> None:
    asked = questions()
    assert len(asked) >= 300
    assert sum(is_asked_back(one) for one in asked) >= 60
    assert {one["lang"] for one in asked} == {"zh", "en"}
    assert len({one["id"] for one in asked}) == len(asked)


def test_questions_are_read_exactly_right(capsys: pytest.CaptureFixture[str]) -> None:
    count = len(questions())
    right = count - len(failures())
    with capsys.disabled():
        print(f"\n{right} of {count} questions exactly right ({right / count:.1%})")
        for name, found in failures().items():
            print(f"  {name} " + "\n      ".join(found))
    assert right / count >= LEAST_RIGHT


def test_what_cannot_be_resolved_is_always_asked_back() -> None:
    expected = {one["id"] for one in questions() if is_asked_back(one)}
    assert {name: found for name, found in failures().items() if name in expected} == {}


def test_choices_can_be_asked_as_they_are() -> None:
    """A choice of an ambiguous name must not be ambiguous again."""
    empty = Session(session_id="s")
    for text in ("平安的市盈率", "000001的净利润", "招商银行市盈率", "贵州茅合的净利润", "茅台"):
        found = parser().parse(text, empty)
        assert isinstance(found, AskBack)
        assert found.choices
        for choice in found.choices:
            assert isinstance(parser().parse(choice, empty), Nlir), choice


def test_questions_in_traditional_characters_are_read_alike() -> None:
    traditional = OpenCC("s2t").convert
    different: list[str] = []
    for question in questions():
        turns = [{**turn, "text": traditional(turn["text"])} for turn in question["turns"]]
        if turns != question["turns"] and question["id"] not in failures():
            different += wrong({**question, "turns": turns})
    assert different == []
