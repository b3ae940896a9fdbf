"""Pulling a market into the copy: what is asked, when again, and what is kept when it fails."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from services.core.clock import BEIJING
from services.core.errors import NoDataError, ProviderError, UnavailableError
from services.core.requests import BarsRequest, FetchRequest
from services.market.sync_plan import (
    SyncProgress,
    Task,
    annual_periods,
    good_until,
    newest_quarters,
    oldest_annual,
    report_periods,
)
from services.providers.base import Fetched
from services.providers.eastmoney.provider import EastmoneyProvider
from services.store.database import Database
from tests.fakes.eastmoney_growing import Growing, close_of
from tests.fakes.server import World
from tests.fakes.wired import kit_at
from tests.unit.market.copied import CALENDAR, FRIDAY, THURSDAY, closes, copying, dump

pytestmark = pytest.mark.thorough

MAOTAI = "600519.SH"


@pytest.fixture
def upstream() -> Growing:
    return Growing(THURSDAY)


@pytest.fixture
def world(upstream: Growing) -> Iterator[World]:
    with World(upstream) as made:
        yield made


@pytest.fixture
def database() -> Iterator[Database]:
    made = Database(":memory:")
    yield made
    made.close()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=BEIJING)


class TestPlan:
    @pytest.mark.parametrize(
        ("day", "oldest", "annual", "quarters"),
        [
            (date(2026, 11, 20), "2025_Q4", ["2025_Q4"], ["2026_Q3", "2026_Q2"]),
            (date(2027, 1, 4), "2025_Q4", ["2026_Q4", "2025_Q4"], ["2026_Q4", "2026_Q3"]),
            (date(2027, 4, 29), "2025_Q4", ["2026_Q4", "2025_Q4"], ["2027_Q1", "2026_Q4"]),
            (date(2027, 4, 30), "2026_Q4", ["2026_Q4"], ["2027_Q1", "2026_Q4"]),
            (date(2026, 3, 31), "2024_Q4", ["2025_Q4", "2024_Q4"], ["2025_Q4", "2025_Q3"]),
        ],
    )
    def test_the_periods_that_matter_on_a_day(
        self, day: date, oldest: str, annual: list[str], quarters: list[str]
    ) -> None:
        assert str(oldest_annual(day)) == oldest
        assert [str(period) for period in annual_periods(day)] == annual
        assert [str(period) for period in newest_quarters(day)] == quarters

    def test_four_annual_reports_and_the_newest_quarters_are_pulled(self) -> None:
        assert [str(period) for period in report_periods(date(2026, 11, 20))] == [
            *("2025_Q4", "2024_Q4", "2023_Q4", "2022_Q4"),
            *("2026_Q3", "2026_Q2"),
        ]

    @pytest.mark.parametrize(
        ("now", "until"),
        [
            ("2026-11-20T10:00", "2026-11-20T10:05"),
            ("2026-11-20T12:00", "2026-11-20T13:00"),
            ("2026-11-20T15:00", "2026-11-23T09:30"),
            ("2026-11-21T12:00", "2026-11-23T09:30"),
            ("2026-11-23T09:00", "2026-11-23T09:30"),
        ],
    )
    def test_prices_of_a_market_are_good_for_minutes_or_until_it_trades_again(
        self, now: str, until: str
    ) -> None:
        assert good_until(Task("CN", "universe"), CALENDAR, at(now)) == at(until)

    def test_bars_are_good_until_the_next_close_and_old_reports_for_a_month(self) -> None:
        bars = Task("CN", "bars", MAOTAI)
        assert good_until(bars, CALENDAR, FRIDAY) == at("2026-11-23T15:00")
        newest, old = Task("CN", "reports", "2025_Q4"), Task("CN", "reports", "2024_Q4")
        assert good_until(newest, CALENDAR, FRIDAY) == FRIDAY + timedelta(days=1)
        assert good_until(old, CALENDAR, FRIDAY) == FRIDAY + timedelta(days=30)


class TestRun:
    def test_a_first_run_pulls_everything_and_a_second_asks_nothing(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        made = copying(world, database, THURSDAY)
        seen: list[SyncProgress] = []
        done = made.sync.run("CN", on_progress=seen.append)
        assert done.pulled == {"universe": 1, "reports": 5, "bars": 8}
        assert (done.nothing, done.failures, done.stopped) == ({"reports": 1}, [], [])
        assert (seen[0], seen[-1]) == (
            SyncProgress("universe", 1, 1, "CN"),
            SyncProgress("bars", 8, 8, made.copy.list_ranked("CN")[-1]),
        )
        upstream.asked.clear()
        again = copying(world, database, THURSDAY).sync.run("CN")
        assert again.good_already == {"universe": 1, "reports": 6, "bars": 8}
        assert upstream.asked == []

    def test_bars_are_of_every_session_of_the_window_with_their_own_fetch(
        self, world: World, database: Database
    ) -> None:
        copying(world, database, THURSDAY).sync.run("CN")
        found = closes(database, MAOTAI)
        # 600 days before Thursday 19 November 2026 is Saturday 29 March 2025.
        assert (min(found), max(found)) == (date(2025, 3, 31), date(2026, 11, 19))
        assert found == {day: close_of(day) for day in found}
        with database.cursor() as cursor:
            (row,) = cursor.execute(
                'SELECT source, "table", fetched_at, "rows" FROM copy.parts '
                "WHERE task = 'CN:bars:600519.SH'"
            ).fetchall()
        assert row[:2] == ("eastmoney", "push2his.kline")
        assert (row[2], row[3]) == (THURSDAY, len(found) * 7)

    def test_the_largest_companies_come_first_and_a_limit_stops_there(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        made = copying(world, database, THURSDAY)
        made.sync.run("CN", ("universe",))
        made.sync.run("CN", ("bars",), limit=3)
        # 1.887e12, 1.122e12, 7.213e11 (90.5 × 7.97e9) yuan.
        assert [code for code, _ in upstream.asked_bars()] == ["600519", "300750", "688981"]

    def test_bars_without_a_list_of_companies_say_what_is_missing(
        self, world: World, database: Database
    ) -> None:
        done = copying(world, database, THURSDAY).sync.run("CN", ("bars",))
        assert [failure.task for failure in done.failures] == ["CN:bars"]

    def test_the_next_day_asks_for_what_is_new_and_five_sessions_again(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        copying(world, database, THURSDAY).sync.run("CN")
        upstream.asked.clear()
        copying(world, database, FRIDAY).sync.run("CN")
        # The last five sessions up to Thursday begin on Friday the 13th; the suspended share's
        # last traded session is ten sessions before Thursday: 5 November.
        asked = dict(upstream.asked_bars())
        assert asked.pop("600001") == "20261030"
        assert set(asked.values()) == {"20261113"}
        found = closes(database, MAOTAI)
        # 600 days before Friday 20 November 2026 is Sunday 30 March 2025.
        assert (min(found), max(found)) == (date(2025, 3, 31), date(2026, 11, 20))
        assert found == {day: close_of(day) for day in found}

    def test_after_an_ex_date_the_whole_series_is_pulled_again(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        copying(world, database, THURSDAY).sync.run("CN")
        upstream.asked.clear()
        upstream.dividends["600519"] = 28.0
        copying(world, database, FRIDAY).sync.run("CN")
        asked = [beg for code, beg in upstream.asked_bars() if code == "600519"]
        assert asked == ["20261113", "20250330"]
        found = closes(database, MAOTAI)
        last = found.pop(date(2026, 11, 20))
        assert last == close_of(date(2026, 11, 20))
        assert found == {day: close_of(day) - 28.0 for day in found}

    def test_another_source_never_continues_a_series(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        copying(world, database, THURSDAY).sync.run("CN")
        upstream.asked.clear()
        other = _Other(EastmoneyProvider(kit_at(world, FRIDAY)))
        copying(world, database, FRIDAY, other).sync.run("CN", limit=1)
        assert [beg for _, beg in upstream.asked_bars()] == ["20261113", "20250330"]
        with database.cursor() as cursor:
            sources = cursor.execute(
                "SELECT DISTINCT source FROM copy.parts WHERE task = 'CN:bars:600519.SH'"
            ).fetchall()
        assert sources == [("other",)]

    def test_a_traded_share_whose_last_bar_is_late_is_asked_again_soon(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        upstream.late = {"600519"}
        made = copying(world, database, THURSDAY)
        made.sync.run("CN")
        for symbol, soon in ((MAOTAI, True), ("600001.SH", False), ("300750.SZ", False)):
            mark = made.copy.mark(f"CN:bars:{symbol}")
            assert mark is not None
            assert (mark.good_until == THURSDAY + timedelta(minutes=10)) is soon, symbol

    def test_three_failures_in_a_row_leave_the_rest_for_the_next_run(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        upstream.fault, upstream.fault_path = "forbidden", "kline"
        done = copying(world, database, THURSDAY).sync.run("CN")
        assert [failure.task for failure in done.failures] == [
            "CN:bars:600519.SH",
            "CN:bars:300750.SZ",
            "CN:bars:688981.SH",
        ]
        assert done.stopped == ["bars"]
        assert all(isinstance(failure.error, ProviderError) for failure in done.failures)
        upstream.reset()
        assert copying(world, database, THURSDAY).sync.run("CN").pulled == {"bars": 8}

    def test_a_list_from_the_second_source_is_asked_for_again_soon(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        class Dead(EastmoneyProvider):
            """The same under a name of its own, and out of order."""

            name = "dead"

            def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
                raise UnavailableError(self.name, request.capability, "is out of order")

        kit = kit_at(world, THURSDAY)
        for first, soon in ((Dead(kit), True), (None, False)):
            sources = [*([first] if first else []), EastmoneyProvider(kit)]
            store = Database(":memory:")
            made = copying(world, store, THURSDAY, *sources)
            made.sync.refresh("CN")
            mark = made.copy.mark("CN:universe")
            store.close()
            assert mark is not None
            assert (mark.good_until == THURSDAY + timedelta(minutes=10)) is soon

    def test_an_interrupted_run_ends_as_an_undisturbed_one(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        copying(world, database, THURSDAY).sync.run("CN")
        whole = dump(database)
        broken = Database(":memory:")
        for steps in (1, 3, 5):
            sync = copying(world, broken, THURSDAY).sync
            with pytest.raises(KeyboardInterrupt):
                sync.run("CN", on_progress=_Interrupt(steps))
        copying(world, broken, THURSDAY).sync.run("CN")
        assert dump(broken) == whole
        broken.close()


class TestRefresh:
    def test_without_a_copy_the_failure_is_raised(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        upstream.fault = "broken"
        with pytest.raises(UnavailableError):
            copying(world, database, THURSDAY).sync.refresh("CN")

    def test_with_an_old_copy_it_stays_and_its_age_shows(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        copying(world, database, THURSDAY).sync.refresh("CN")
        upstream.fault = "broken"
        made = copying(world, database, FRIDAY)
        made.sync.refresh("CN")
        mark = made.copy.mark("CN:universe")
        assert mark is not None
        assert mark.done_at == THURSDAY

    def test_after_a_failure_the_source_is_left_alone_for_a_moment(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        copying(world, database, THURSDAY).sync.refresh("CN")
        upstream.fault = "broken"
        made = copying(world, database, FRIDAY)
        made.sync.refresh("CN")
        asked = len(upstream.asked)
        made.sync.refresh("CN")
        assert len(upstream.asked) == asked

    def test_a_good_copy_is_not_asked_for_again(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        made = copying(world, database, THURSDAY)
        made.sync.refresh("CN")
        upstream.asked.clear()
        made.sync.refresh("CN")
        assert upstream.asked == []

    def test_prices_are_pulled_again_five_minutes_later_and_reports_are_not(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        morning = at("2026-11-20T10:00")
        copying(world, database, morning).sync.refresh("CN")
        upstream.asked.clear()
        copying(world, database, morning + timedelta(minutes=5)).sync.refresh("CN")
        assert {asked.path.split("/")[1] for asked in upstream.asked} == {"push2"}

    def test_many_threads_cause_one_pull(
        self, world: World, upstream: Growing, database: Database
    ) -> None:
        made = copying(world, database, THURSDAY)
        barrier = threading.Barrier(16)

        def ask() -> None:
            barrier.wait()
            made.sync.refresh("CN")

        threads = [threading.Thread(target=ask) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        lists = [asked for asked in upstream.asked if "clist" in asked.path]
        assert len(lists) == 1

    def test_a_list_that_cannot_be_had_for_a_market_is_said(
        self, world: World, database: Database
    ) -> None:
        nobody = copying(world, database, THURSDAY, _Nobody())
        with pytest.raises(UnavailableError, match="no source covers"):
            nobody.sync.refresh("US")


class _Interrupt:
    """Someone presses Ctrl-C after so many steps."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def __call__(self, _progress: SyncProgress) -> None:
        self._left -= 1
        if self._left == 0:
            raise KeyboardInterrupt


class _Other:
    """The same answers under another name: a second source of bars."""

    name = "other"

    def __init__(self, inner: EastmoneyProvider) -> None:
        self._inner = inner
        self.capabilities = inner.capabilities

    def covers(self, request: FetchRequest) -> bool:
        return self._inner.covers(request)

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        parts = self._inner.fetch(request)
        if isinstance(request, BarsRequest):
            return tuple(replace(part, source="other") for part in parts)
        return parts


class _Nobody:
    """A source that covers nothing."""

    name = "nobody"
    capabilities = frozenset({"universe"})

    def covers(self, request: FetchRequest) -> bool:
        return False

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        raise NoDataError(request.capability, "nothing")
