"""Turns are kept, listed, renamed and replayed; the same numbers with the same cites."""

import threading
from pathlib import Path

import pytest

from services.container import build_services
from services.core.errors import InputError
from services.query.answering.answers import Answered
from services.query.planning.nlir import AskBack, Nlir
from services.query.sessions import Planned, QueryService, ReadingContext, TurnStores
from services.settings import load_settings
from services.store.biz_metadata import BizMetadata
from services.store.database import Database
from services.store.sessions import Sessions
from services.store.turns import StoredAnswer, Turns
from tests.prepared import prepared
from tests.unit.query.bundled_query import Scripted, metadata, node, youju

MOUTAI = Nlir(nodes=(node("query", ("净利润",), entity="贵州茅台", period="最新"),))
BACK = AskBack(reason="哪家公司？", choices=("贵州茅台 净利润",))


def _query(parser: Scripted) -> QueryService:
    services = youju()
    reading = ReadingContext(
        parser, services.names, metadata(), services.clock, services.calendar, dict
    )
    kept = TurnStores(Sessions(services.database), Turns(services.database), services.runs)
    return QueryService(reading, services.query._executor, services.runner, kept)


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
    settings = load_settings({"YOUJU_STORE": prepared(tmp_path / "kept.duckdb")})
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
    assert turns.append("s", 1, "{}")
    assert not any(turns.append("s", position, "{}") for position in (1, 3))
    assert turns.list("s") == ("{}",)
    turns.answer("s", 1, StoredAnswer("run_1", "{}"))
    with pytest.raises(InputError, match="turn"):
        turns.answer("s", 1, StoredAnswer("run_2", "{}"))
    assert turns.answers("s") == {1: StoredAnswer("run_1", "{}")}


def test_biz_metadata_is_written_anew_when_it_changed() -> None:
    table = BizMetadata(Database(":memory:"))
    table.write({"a": ("甲", "{}"), "b": ("乙", "{}")})
    table.write({"a": ("甲", '{"x":1}'), "c": ("丙", "{}")})
    assert table.read() == {"a": '{"x":1}', "c": "{}"}


def test_eight_who_ask_in_one_session_lose_no_turn_and_get_a_number_each() -> None:
    services, ready = youju(), threading.Barrier(8)
    found: list[Answered | Planned] = []

    def ask() -> None:
        ready.wait(60)
        for text in ("茅台的净利润", "那五粮液呢"):
            found.append(services.query.ask(text, "s_crowd"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = services.query.replay("s_crowd")
    assert [one.turn.turn_id for one in kept] == [f"turn_{at:02}" for at in range(1, 17)]
    assert {one.turn.turn_id: one for one in found} == {one.turn.turn_id: one for one in kept}
    assert all(isinstance(one, Answered) for one in kept)
    assert sum(one.turn.user_query == "那五粮液呢" for one in kept) == 8


def test_a_long_session_is_replayed_to_the_letter_after_a_restart(tmp_path: Path) -> None:
    settings = load_settings({"YOUJU_STORE": prepared(tmp_path / "kept.duckdb")})
    asked = ("茅台的营收", "那五粮液呢", "平安的净利润", "净利润最高的5家A股", "它们的毛利率呢")
    services = build_services(settings)
    told = [services.query.ask(text, "s_long") for text in asked]
    services.close()
    again = build_services(settings)
    try:
        kept = again.query.replay("s_long")
        assert kept == tuple(told)
        claims = [one.claims for one in kept if isinstance(one, Answered)]
        assert len(claims) == 4
        assert all(claims)
        shown = [claim for each in claims for claim in each if claim.cite.kind == "tool"]
        assert all(
            claim.cite.kind == "tool" and again.runs.find_call(claim.cite.tool_call_id)
            for claim in shown[:20]
        )
        following = again.query.plan("那五粮液的净利润呢", "s_long").turn
        assert following.turn_id == "turn_06"
    finally:
        again.close()


def test_sessions_are_listed_newest_first_without_those_nothing_was_asked_in() -> None:
    services = build_services(load_settings({"YOUJU_STORE": ":memory:"}))
    query = services.query
    for name in ("s_one", "s_two", "s_three"):
        query.plan("茅台的营收", name)
    query.plan("那五粮液呢", "s_one")
    begun = query.begin()
    assert query.knows(begun)
    assert not query.knows("s_four")
    listed = query.list()
    assert [one.session.session_id for one in listed] == ["s_one", "s_three", "s_two"]
    assert [one.turns for one in listed] == [2, 1, 1]
    assert {one.title for one in listed} == {"茅台的营收"}
    assert [one.session.session_id for one in query.list(limit=2)] == ["s_one", "s_three"]
    assert query.rename("s_two", "  白酒  对比 ").title == "白酒 对比"
    assert query.info("s_two").title == "白酒 对比"
    assert (query.info(begun).title, query.info(begun).turns) == ("", 0)
    services.close()


@pytest.mark.parametrize(
    "name",
    ["", " ", " s", "s\n", "s\x00", "s\u202e", "s\u200b", "\ud800", "x" * 65, "\t", "s\u2028"],
)
def test_an_id_nobody_could_see_is_refused_and_begins_nothing(name: str) -> None:
    query = youju().query
    for ask in (query.plan, query.ask):
        with pytest.raises(InputError, match="session_id"):
            ask("茅台的营收", name)
    assert not query.knows(name)


@pytest.mark.parametrize(
    "name", ["../../etc", "'; drop table turns; --", "会话 1", "%s{0}", "x" * 64]
)
def test_an_id_is_a_name_and_nothing_more(name: str) -> None:
    query = youju().query
    assert query.plan("茅台的营收", name).session_id == name
    assert [turn.user_query for turn in query.session(name).turns] == ["茅台的营收"]


@pytest.mark.parametrize("title", ["", "  ", "长" * 61])
def test_a_title_that_is_none_is_refused(title: str) -> None:
    youju().query.plan("茅台的营收", "s_titled")
    with pytest.raises(InputError, match="title"):
        youju().query.rename("s_titled", title)
    with pytest.raises(InputError, match="session_id"):
        youju().query.rename("s_nobody", "白酒")
