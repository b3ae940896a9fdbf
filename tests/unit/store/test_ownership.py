"""Whose a record is: every method of every store, asked by somebody else."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

import pytest
from sqlalchemy import event

from services.core.errors import InputError, NotAllowedError
from services.core.identity import LOCAL, Identity, acting, acting_as, ask_who
from services.store.alerts import Alerts, FoundEvent
from services.store.database import Database
from services.store.jobs import Jobs
from services.store.ownership import Ownership, Sharing
from services.store.runs import Runs
from services.store.schedules import Schedules
from services.store.screens import Screens
from services.store.sessions import Sessions
from services.store.tables import (
    ALERT_LOOKS,
    ALERTS,
    ANSWERS,
    HIDDEN_JOBS,
    JOB_EVENTS,
    JOB_RESULTS,
    JOBS,
    RUN_CALLS,
    RUNS,
    SCHEDULES,
    SCREENS,
    SESSION_TITLES,
    SESSIONS,
    TURNS,
    WATCHED,
    WATCHLISTS,
)
from services.store.turns import StoredAnswer, Turns
from services.store.watchlists import Watchlists
from tests.postgres import Cluster, cluster, programs
from tests.unit.store.samples import run_of

ANNA = Identity(owner="a1", name="Anna", team="research", role="analyst")
BEN = Identity(owner="b2", name="Ben", team="research", role="analyst")
CARL = Identity(owner="c3", name="Carl", team="sales", role="admin")
RITA = Identity(owner="r4", name="Rita", team="research", role="reader")
DAY = date(2017, 7, 26)
MADE = run_of(1)
OWNED = (
    *(SESSIONS, SESSION_TITLES, TURNS, ANSWERS, SCREENS, WATCHLISTS, WATCHED, RUNS, RUN_CALLS),
    *(JOBS, JOB_EVENTS, JOB_RESULTS, HIDDEN_JOBS, ALERTS, ALERT_LOOKS, SCHEDULES),
)


KINDS: Mapping[str, type] = {
    "sessions": Sessions,
    "turns": Turns,
    "screens": Screens,
    "watchlists": Watchlists,
    "alerts": Alerts,
    "schedules": Schedules,
    "jobs": Jobs,
    "runs": Runs,
    "sharing": Sharing,
}


@dataclass(frozen=True)
class Kept:
    """What one person keeps: the ids others may come to know."""

    session: str
    job: str
    run: str
    schedule: str


def keep(database: Database, number: int = 1) -> Kept:
    """One of everything, of whoever is acting."""
    made = run_of(number)
    run = made.run.run_id
    session = Sessions(database).start(f"s_{number}")
    Sessions(database).rename(session, "茅台的一问")
    Runs(database).save(made.run, made.calls, made.claims)
    Turns(database).append(session, 1, "{}")
    Turns(database).answer(session, 1, StoredAnswer(run, "{}"))
    Screens(database).save("低估值", {"category": "CN", "made": number})
    Watchlists(database).add("自选", "600519.SH", DAY, "记")
    found = {"symbol": "600519.SH", "start": DAY, "end": date(2017, 7, 27), "run_id": run}
    said = {
        "kind": "异动点",
        "result": "涨",
        "rules": ("abnormal.z",),
        "reason": "",
        "reason_en": "",
    }
    event = FoundEvent.model_validate({**found, **said})
    Alerts(database).keep("自选", [event], {"600519.SH": DAY})
    schedule = Schedules(database).add("600519.SH", "daily", "zh")
    job = Jobs(database).start(
        "score",
        session,
        subject="600519.SH",
        title="t",
        arguments={},
    )
    Jobs(database).append(job, 1, "{}")
    Jobs(database).finish(job, "ok", "{}", run)
    return Kept(session, job, run, schedule)


# Every public method of every store, as somebody else would call it who knows every id.
CALLS: Mapping[tuple[str, str], Callable[[Database, Kept], object]] = {
    ("sessions", "start"): lambda d, k: Sessions(d).start(k.session),
    ("sessions", "load"): lambda d, k: Sessions(d).load(k.session),
    ("sessions", "find"): lambda d, k: Sessions(d).find(k.session),
    ("sessions", "rename"): lambda d, k: Sessions(d).rename(k.session, "meins"),
    ("sessions", "require_own"): lambda d, k: Sessions(d).require_own(k.session),
    ("sessions", "list"): lambda d, _: Sessions(d).list(),
    ("turns", "append"): lambda d, k: Turns(d).append(k.session, 2, "{}"),
    ("turns", "answer"): lambda d, k: Turns(d).answer(k.session, 2, StoredAnswer(k.run, "{}")),
    ("turns", "list"): lambda d, k: Turns(d).list(k.session),
    ("turns", "heads"): lambda d, k: Turns(d).heads([k.session]),
    ("turns", "answers"): lambda d, k: Turns(d).answers(k.session),
    ("screens", "list"): lambda d, _: Screens(d).list(),
    ("screens", "load"): lambda d, _: Screens(d).load("低估值"),
    ("screens", "delete"): lambda d, _: Screens(d).delete("低估值"),
    ("watchlists", "names"): lambda d, _: Watchlists(d).names(),
    ("watchlists", "end"): lambda d, _: Watchlists(d).end("自选"),
    ("watchlists", "of"): lambda d, _: Watchlists(d).of("自选"),
    ("watchlists", "holding"): lambda d, _: Watchlists(d).holding("600519.SH"),
    ("watchlists", "remove"): lambda d, _: Watchlists(d).remove("自选", "600519.SH"),
    ("watchlists", "write_note"): lambda d, _: Watchlists(d).write_note("自选", "600519.SH", "x"),
    ("watchlists", "see"): lambda d, _: Watchlists(d).see("600519.SH", date(2017, 8, 1)),
    ("watchlists", "own_names"): lambda d, _: Watchlists(d).own_names(),
    ("alerts", "looked"): lambda d, _: Alerts(d).looked("自选"),
    ("alerts", "keep"): lambda d, _: Alerts(d).keep("自选", [], {"600519.SH": DAY}),
    ("alerts", "new"): lambda d, _: Alerts(d).new(),
    ("schedules", "list"): lambda d, _: Schedules(d).list(),
    ("schedules", "claim"): lambda d, k: Schedules(d).claim(k.schedule, date(2099, 1, 1)),
    ("schedules", "settle"): lambda d, k: Schedules(d).settle(k.schedule, job_id="x"),
    ("schedules", "remove"): lambda d, k: Schedules(d).remove(k.schedule),
    ("jobs", "append"): lambda d, k: Jobs(d).append(k.job, 2, "{}"),
    ("jobs", "finish"): lambda d, k: Jobs(d).finish(k.job, "ok", "{}"),
    ("jobs", "load"): lambda d, k: Jobs(d).load(k.job),
    ("jobs", "require_own"): lambda d, k: Jobs(d).require_own(k.job),
    ("jobs", "of_run"): lambda d, k: Jobs(d).of_run(k.run),
    ("jobs", "result"): lambda d, k: Jobs(d).result(k.job),
    ("jobs", "events"): lambda d, k: Jobs(d).events(k.job),
    ("jobs", "hide"): lambda d, k: Jobs(d).hide([k.job]),
    ("jobs", "restore"): lambda d, k: Jobs(d).restore([k.job]),
    ("jobs", "list"): lambda d, _: Jobs(d).list(),
    ("runs", "runs"): lambda d, _: Runs(d).runs(MADE.run.session_id),
    ("runs", "save_again"): lambda d, k: Runs(d).save_again(run_of(2).run, k.run),
    ("runs", "answered_by"): lambda d, k: Runs(d).answered_by([k.run]),
    ("runs", "load"): lambda d, k: Runs(d).load(k.run),
    ("runs", "find_call"): lambda d, _: Runs(d).find_call(MADE.calls[0].tool_call_id),
    ("sharing", "share"): lambda d, k: Sharing(d).share("job", k.job, shared=True),
    ("sharing", "of"): lambda d, k: Sharing(d).of("conversation", k.session),
}
# These make a record of one's own, whatever anybody else has.
OWN = {
    ("screens", "save"),
    ("watchlists", "begin"),
    ("watchlists", "add"),
    ("schedules", "add"),
    ("jobs", "start"),
    ("runs", "save"),
}
READS = [
    *(("sessions", "load"), ("sessions", "list"), ("turns", "list"), ("turns", "heads")),
    *(("turns", "answers"), ("jobs", "load"), ("jobs", "of_run"), ("jobs", "result")),
    *(("jobs", "events"), ("jobs", "list"), ("runs", "runs"), ("runs", "load")),
    ("runs", "answered_by"),
    ("runs", "find_call"),
]
EMPTY: tuple[object, ...] = (None, (), [], {}, False)


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    with cluster() as found:
        yield found


@pytest.fixture(
    params=[
        "file",
        pytest.param(
            "postgres",
            marks=[
                pytest.mark.thorough,
                pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
            ],
        ),
    ]
)
def database(request: pytest.FixtureRequest) -> Iterator[Database]:
    url = None
    if request.param == "postgres":
        url = request.getfixturevalue("server").new_database()
    opened = Database(":memory:", records_url=url)
    yield opened
    opened.close()


def everything_of(who: Identity, database: Database, kept: Kept) -> list[object]:
    """All that a person reads of their own."""
    with acting_as(who):
        found = [CALLS[name](database, kept) for name in READS]
        lists = Watchlists(database)
        kept_lists = [lists.names(), lists.of("自选"), Alerts(database).new()]
        return [*found, Screens(database).list(), *kept_lists, Schedules(database).list()]


def test_every_method_of_every_store_is_in_the_walk() -> None:
    methods = {
        (name, found)
        for name, kind in KINDS.items()
        for found, _ in inspect.getmembers(kind, inspect.isfunction)
        if not found.startswith("_")
    }
    assert methods == {*CALLS, *OWN}


@pytest.mark.parametrize("stranger", [BEN, CARL, RITA, LOCAL], ids=lambda one: one.name)
def test_nobody_else_reads_changes_or_lengthens_what_one_keeps(
    database: Database, stranger: Identity
) -> None:
    with acting_as(ANNA):
        kept = keep(database)
    before = everything_of(ANNA, database, kept)
    assert not [one for one in before if one in EMPTY]
    for name, call in CALLS.items():
        with acting_as(stranger):
            try:
                found = call(database, kept)
            except (InputError, NotAllowedError):
                continue
        assert found in EMPTY, (name, found)
    assert everything_of(ANNA, database, kept) == before


def test_every_statement_on_an_owned_table_asks_whose_the_row_is(database: Database) -> None:
    with acting_as(ANNA):
        kept = keep(database)
    asked: list[str] = []

    def note(_1: object, _2: object, statement: str, *_: object) -> None:
        asked.append(statement.lower())

    event.listen(database.engine, "before_cursor_execute", note)
    names = [table.name for table in OWNED]
    for name, call in CALLS.items():
        asked.clear()
        with acting_as(ANNA):
            try:
                call(database, kept)
            except InputError:
                continue
        for at, statement in enumerate(asked):
            words = statement.replace("(", " ").replace(",", " ").split()
            told = "insert" not in words and any(table in words for table in names)
            # A position is counted behind the check of the session it is in.
            behind = any("ownership" in one for one in asked[:at])
            assert not told or "ownership" in words or behind, (name, statement)


def test_what_is_shared_is_read_by_the_team_and_changed_by_nobody_else(database: Database) -> None:
    with acting_as(ANNA):
        kept = keep(database)
        sharing = Sharing(database)
        sharing.share("conversation", kept.session, shared=True)
        sharing.share("job", kept.job, shared=True)
        sharing.share("screen", "低估值", shared=True)
        sharing.share("watchlist", "自选", shared=True)
    before = everything_of(ANNA, database, kept)
    for friend in (BEN, RITA):
        with acting_as(friend):
            # The runs behind a shared conversation and job come with it; its session's own do not.
            assert [CALLS[name](database, kept) for name in READS] == before[: len(READS)]
            assert Screens(database).load("低估值 · Anna").arguments["made"] == 1
            assert [one.symbol for one in Watchlists(database).of("自选 · Anna")] == ["600519.SH"]
            told = sharing.of("job", kept.job)
            assert told == Ownership(owner_name="Anna", mine=False, shared=True)
            for name in CALLS.keys() - set(READS):
                if name[1] in {
                    "find",
                    "of",
                    "list",
                    "names",
                    "holding",
                    "see",
                    "restore",
                    "stop",
                    "save_again",
                }:
                    continue
                with pytest.raises((InputError, NotAllowedError)):
                    assert not CALLS[name](database, kept), name
                    raise InputError("name", name, "nothing happened")
    assert everything_of(ANNA, database, kept) == before
    with acting_as(CARL), pytest.raises(InputError):
        Sessions(database).load(kept.session)
    with acting_as(ANNA):
        sharing.share("conversation", kept.session, shared=False)
        sharing.share("job", kept.job, shared=False)
    with acting_as(BEN), pytest.raises(InputError):
        Runs(database).load(kept.run)


def test_two_people_give_the_same_name_to_what_is_their_own(database: Database) -> None:
    for who, number in ((ANNA, 1), (BEN, 2), (LOCAL, 3)):
        with acting_as(who):
            keep(database, number)
    for who, number in ((ANNA, 1), (BEN, 2), (LOCAL, 3)):
        with acting_as(who):
            assert [one.arguments["made"] for one in Screens(database).list()] == [number]
            assert Watchlists(database).holding("600519.SH") == ("自选",)
    with acting_as(BEN):
        Screens(database).delete("低估值")
        Watchlists(database).end("自选")
        assert (Screens(database).list(), Watchlists(database).names()) == ((), ())
        assert Screens(database).save("低估值", {"made": 4}).by is None
    with acting_as(ANNA):
        assert Screens(database).load("低估值").arguments["made"] == 1


def test_a_reader_keeps_nothing_but_the_runs_of_the_pages_looked_at(database: Database) -> None:
    with acting_as(RITA):
        Runs(database).save(MADE.run, MADE.calls, MADE.claims)
        assert Runs(database).load(MADE.run.run_id) == MADE
        for keeps in (
            lambda: Sessions(database).start(),
            lambda: Screens(database).save("x", {}),
            lambda: Watchlists(database).begin("x"),
            lambda: Jobs(database).start("score", "s", subject="", title="", arguments={}),
        ):
            with pytest.raises(NotAllowedError, match=r"读者"):
                keeps()


def test_without_a_sign_in_everybody_is_the_one_reader_and_nothing_is_written_of_it(
    database: Database,
) -> None:
    assert acting() == LOCAL
    keep(database)
    with database.open_reading() as connection:
        assert connection.exec_driver_sql("select count(*) from ownership").scalar() == 0


def test_where_people_sign_in_whoever_has_not_can_do_nothing(database: Database) -> None:
    kept = keep(database)
    ask_who(lambda: None)
    try:
        for call in CALLS.values():
            with pytest.raises(NotAllowedError, match=r"登录"):
                call(database, kept)
    finally:
        ask_who(None)
