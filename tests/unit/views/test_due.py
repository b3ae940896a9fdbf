"""What is due by schedule on the bundled market: alerts of lists, reports of sessions."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime

import pytest

from services.container import Services, build_services
from services.core.clock import BEIJING, FixedClock
from services.core.identity import acting_as
from services.core.verifier import verify
from services.settings import Settings
from services.store.schedules import Every
from services.store.watchlists import Watched
from services.views import alerts, watch
from services.workbench.desk import Desk
from services.workbench.due import Done, do_due, session_due
from tests.unit.reports.bundled import services, session
from tests.unit.store.test_ownership import ANNA, BEN
from tests.waiting import job_ended

VANKE, BANK, MOUTAI = "000002.SZ", "600036.SH", "600519.SH"
JUNE, TODAY = date(2017, 6, 1), date(2017, 7, 26)


@pytest.fixture(scope="module")
def youju() -> Iterator[Services]:
    """A store of its own: what is due is everybody's."""
    made = build_services(Settings(store=":memory:"))
    yield made
    made.close()


@pytest.fixture(autouse=True)
def emptied(youju: Services) -> None:
    for name in youju.watchlists.names():
        youju.watchlists.end(name)


def test_what_happened_since_a_company_was_seen_is_found_once_and_with_its_claims(
    youju: Services,
) -> None:
    youju.watchlists.add("甲", VANKE, JUNE)
    youju.watchlists.add("乙", VANKE, date(2017, 6, 20))
    youju.watchlists.add("甲", MOUTAI, JUNE)  # the bundle has no bars of it
    held = [Watched(symbol=VANKE, added_on=JUNE, seen_on=JUNE, note="")]
    (entry,) = watch.build(services(), "甲", held, session()).entries
    wanted = [(one.start, one.end) for one in entry.events]
    lately = [end for _, end in wanted if end > date(2017, 6, 20)]
    assert do_due(youju) == Done(len(wanted) + len(lately), 0)
    assert do_due(youju) == Done(0, 0)
    view = alerts.build(youju)
    told = [one.alert.event for one in view.alerts]
    assert sorted((one.start, one.end) for one in told) == sorted(wanted)
    assert all(one.lists == ("乙", "甲") for one in view.alerts[:2])
    assert verify(list(view.claims.values()), view.trace, youju.clock.now()).ok
    (table,) = view.tables()
    assert [row.cells["end"] for row in table.rows] == [one.end.isoformat() for one in told]
    alerts.see(youju, view.alerts)
    assert alerts.build(youju).alerts == ()
    assert do_due(youju) == Done(0, 0)


def test_an_event_of_a_session_that_has_not_ended_is_not_told(youju: Services) -> None:
    """At ten in the morning of 18 July 2017 the day's bar, which the bundle has, is not a day's."""
    youju.watchlists.add("甲", VANKE, JUNE)
    morning = FixedClock(datetime(2017, 7, 18, 10, tzinfo=BEIJING))
    early = replace(youju, clock=morning)
    before = alerts.look(early)
    assert before
    assert max(one.event.end for one in youju.alerts.new()) < date(2017, 7, 18)
    assert alerts.look(youju)
    assert max(one.event.end for one in youju.alerts.new()) == date(2017, 7, 18)


def test_each_is_looked_for_in_the_name_of_whoever_has_the_list(youju: Services) -> None:
    with acting_as(ANNA):
        youju.watchlists.add("甲", VANKE, JUNE)
    assert do_due(youju).alerts
    assert alerts.build(youju).alerts == ()
    with acting_as(BEN):
        assert alerts.build(youju).alerts == ()
    with acting_as(ANNA):
        assert alerts.build(youju).alerts
        youju.watchlists.end("甲")


def test_a_report_by_schedule_is_written_once_a_session_by_its_owner(youju: Services) -> None:
    with acting_as(ANNA):
        made = Desk(youju).schedule("招商银行A股", "daily", "en")
    assert do_due(youju).reports == 1
    assert do_due(youju).reports == 0
    with acting_as(ANNA):
        (listed,) = Desk(youju).schedules()
        assert (listed.schedule_id, listed.symbol, listed.done_for) == (made, BANK, TODAY)
        assert listed.job_id is not None
        assert Desk(youju).analysis(job_ended(listed.job_id)).status == "ok"
        Desk(youju).unschedule(made)
    assert youju.jobs.list() == ()
    assert do_due(youju).reports == 0


@pytest.mark.parametrize(
    ("now", "every", "day"),
    [
        ("2017-07-26T16:00", "daily", "2017-07-26"),  # a Wednesday
        ("2017-07-26T10:00", "daily", "2017-07-25"),
        ("2017-07-26T16:00", "weekly", "2017-07-21"),  # the Friday before
        ("2017-07-28T14:59", "weekly", "2017-07-21"),
        ("2017-07-28T15:01", "weekly", "2017-07-28"),
        ("2017-07-30T12:00", "weekly", "2017-07-28"),  # a Sunday
        ("2017-10-03T12:00", "weekly", "2017-09-29"),  # the holidays of 1 to 8 October
        ("2017-10-09T12:00", "weekly", "2017-09-29"),
        ("2017-04-06T12:00", "weekly", "2017-03-31"),  # 3 and 4 April, Monday and Tuesday, too
    ],
)
def test_a_report_is_due_after_the_close_of_a_day_or_of_a_week(
    now: str, every: Every, day: str
) -> None:
    clock = FixedClock(datetime.fromisoformat(now).replace(tzinfo=BEIJING))
    assert session_due(replace(services(), clock=clock), BANK, every) == date.fromisoformat(day)
