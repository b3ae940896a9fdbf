"""Turns are kept, listed, renamed and replayed; the same numbers with the same cites."""

from pathlib import Path

import pytest

from services.container import build_services
from services.core.errors import InputError
from services.query.answers import Answered
from services.query.nlir import AskBack, Nlir
from services.query.sessions import Kept, Planned, Query, Reading
from services.settings import load_settings
from services.store.biz_metadata import BizMetadata
from services.store.database import Database
from services.store.sessions import Sessions
from services.store.turns import StoredAnswer, Turns
from tests.unit.query.bundled_query import Scripted, metadata, node, youju

MOUTAI = Nlir(nodes=(node("query", ("净利润",), entity="贵州茅台", period="最新"),))
BACK = AskBack(reason="哪家公司？", choices=("贵州茅台 净利润",))


def _query(parser: Scripted) -> Query:
    services = youju()
    reading = Reading(parser, services.names, metadata(), services.clock, dict)
    kept = Kept(Sessions(services.database), Turns(services.database), services.runs)
    return Query(reading, services.query._executor, services.runner, kept)


def test_turns_are_numbered_and_each_sees_the_ones_before() -> None:
    parser = Scripted(MOUTAI, BACK, MOUTAI)
    query = _query(parser)
    first = query.plan("茅台净利润", "s_numbered")
    second = query.plan("它呢", "s_numbered")
    third = query.plan("茅台净利润", "s_numbered")
    assert [one.turn.turn_id for one in (first, second, third)] == ["turn_01", "turn_02", "turn_03"]
    assert [len(context.turns) for context in parser.contexts] == [0, 1, 2]
    assert parser.contexts[2].turns == (first.turn, second.turn)
    assert second.ask_back == BACK
    assert second.turn.plir is None


def test_a_plan_fetches_nothing_and_an_answer_is_one_run() -> None:
    query = _query(Scripted(MOUTAI, MOUTAI))
    query.plan("茅台净利润", "s_run")
    assert youju().runs.runs("s_run") == []
    found = query.ask("茅台净利润", "s_run")
    assert isinstance(found, Answered)
    assert [run.run_id for run in youju().runs.runs("s_run")] == [found.run_id]


def test_a_replay_has_the_same_numbers_and_the_same_cites_in_another_process(
    tmp_path: Path,
) -> None:
    settings = load_settings({"YOUJU_STORE": str(tmp_path / "kept.duckdb")})
    services = build_services(settings)
    asked = services.query.ask_as(MOUTAI, "茅台净利润", "s_kept")
    services.query.rename("s_kept", " 白酒 ")
    services.close()
    again = build_services(settings)
    try:
        assert again.query.replay("s_kept") == (asked,)
        assert [(one.title, one.turns) for one in again.query.list()] == [("白酒", 1)]
    finally:
        again.close()


def test_a_question_put_back_is_no_run_and_can_be_answered() -> None:
    query = _query(Scripted(BACK, MOUTAI))
    asked = query.ask("净利润", "s_back")
    assert isinstance(asked, Planned)
    assert asked.ask_back == BACK
    assert isinstance(query.ask(BACK.choices[0], "s_back"), Answered)
    kinds = [type(one).__name__ for one in query.replay("s_back")]
    assert kinds == ["Planned", "Answered"]


def test_an_empty_question_is_asked_back_and_a_long_one_refused() -> None:
    query = _query(Scripted())
    assert query.plan("  ").ask_back is not None
    with pytest.raises(InputError, match="text"):
        query.plan("长" * 501)
    with pytest.raises(InputError, match="session_id"):
        query.plan("茅台", "x" * 65)
    with pytest.raises(InputError, match="session_id"):
        query.replay("s_nobody")


def test_a_position_is_written_once() -> None:
    turns = Turns(Database(":memory:"))
    turns.append("s", 1, "{}")
    for position in (1, 3):
        with pytest.raises(InputError, match="session"):
            turns.append("s", position, "{}")
    turns.answer("s", 1, StoredAnswer("run_1", "{}"))
    with pytest.raises(InputError, match="turn"):
        turns.answer("s", 1, StoredAnswer("run_2", "{}"))
    assert turns.answers("s") == {1: StoredAnswer("run_1", "{}")}


def test_biz_metadata_is_written_anew_when_it_changed() -> None:
    table = BizMetadata(Database(":memory:"))
    table.write({"a": ("甲", "{}"), "b": ("乙", "{}")})
    table.write({"a": ("甲", '{"x":1}'), "c": ("丙", "{}")})
    assert table.read() == {"a": '{"x":1}', "c": "{}"}
