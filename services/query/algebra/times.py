"""When a figure is of, made concrete: a node's time becomes tokens of core/expressions.py.

`y2016` the annual report, `q20160930` the report to that day, `m201609` a month of sessions,
`d20161230` the last session up to that day, `b20160101` the last one before it, `a20160101` the
first one from it on, nothing: the newest known.
"""

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from services.core.catalogue import CATALOGUE
from services.query.algebra import nodes as a
from services.query.algebra.courses import MOVES

# What bars have of each session; the move is derived from two closes.
BAR_METRICS = frozenset({"open", "high", "low", "close", "volume", "pct_change"})
_REPORTED = frozenset({"statement", "ratio"})
_QUARTER_ENDS = ((3, 31), (6, 30), (9, 30), (12, 31))
# By the end of April every mainland company has published the year before.
_PUBLISHED = (5, 1)
ALL_YEARS = 10
FIRST_DAY = date(1990, 1, 1)


class TimeError(ValueError):
    """A time that figure is not known by."""


# What a members table has of the newest session.
_COLUMNS = frozenset({"close", "pct_change"})


def is_barred(metric: str) -> bool:
    """Whether it is a figure of a session."""
    return metric in BAR_METRICS


def reads_bars(node: a.Node) -> bool:
    """Whether it looks at bars, beyond what a members table has of the newest session."""
    for one in a.walk(node):
        metric = one.id if isinstance(one, a.Metric) else None
        if isinstance(one, a.Change | a.Over | a.HistoryRank | a.Course):
            metric = one.of
        if metric is not None and is_barred(metric):
            is_newest = isinstance(one, a.Metric) and one.when.kind == "latest"
            if not (is_newest and metric in _COLUMNS):
                return True
    return False


def is_of_bars(metric: str, token: str) -> bool:
    """Whether the figure of that time comes from the bars of its company alone."""
    return token[:1] in {"d", "b", "a"} or (is_barred(metric) and metric not in _COLUMNS)


def is_reported(metric: str) -> bool:
    """Whether it is a figure of a report."""
    return metric in CATALOGUE and CATALOGUE[metric].kind in _REPORTED


def uses_reports(expr: a.Node) -> bool:
    """Whether a figure of a report is in that expression."""
    return any(map(is_reported, a.figures_in(expr)))


def is_of_sessions(node: a.Every | a.Exists) -> bool:
    """Whether a test is looked through session by session: over days, or of what sessions have."""
    if node.window.kind == "days" or node.window.unit == "sessions":
        return True
    own = [one.id for one in a.nodes_in(node.test, a.Metric) if one.when.kind == "own"]
    return bool(own) and all(map(is_barred, own))


def is_as_known(window: a.When) -> bool:
    """Whether a fold over it is of what there is; over years that were named all must be there."""
    return window.kind in {"all", "lastn"} or (window.first is None and not window.only)


@dataclass(frozen=True, slots=True)
class Times:
    """What the times of a question mean on that day. `sessions_back`: for a number of sessions,
    the day the window of so many up to today begins on.
    """

    today: date
    starts: tuple[tuple[int, date], ...] = ()

    @property
    def newest_year(self) -> int:
        """The newest fiscal year that every company has published."""
        late = (self.today.month, self.today.day) >= _PUBLISHED
        return self.today.year - (1 if late else 2)

    def is_last_year(self, token: str) -> bool:
        """Whether a multiple of the last fiscal year is of that one, for every company."""
        is_sure = self.newest_year == self.today.year - 1
        return is_sure and token == _report(self.newest_year)

    @property
    def newest_quarter(self) -> date:
        """The newest quarter end whose reports are published: one month after, in April four."""
        ends = [
            date(year, month, day)
            for year in (self.today.year - 1, self.today.year)
            for month, day in _QUARTER_ENDS
        ]
        return max(end for end in ends if (self.today - end).days > _delay(end))

    def token(self, metric: str, when: a.When, own: str) -> str:
        """The time of one figure. Raises: TimeError."""
        if when.kind == "own" and not (is_barred(metric) and is_period(own)):
            return own
        if when.kind == "latest":
            return ""
        if is_barred(metric):
            return f"d{self.days(when, own)[1]:%Y%m%d}"
        tokens = self.reports(when)
        if not is_reported(metric) or not tokens:
            raise TimeError(metric)
        return tokens[-1]

    def ends(self, metric: str, since: a.When, until: a.When, own: str) -> tuple[str, str]:
        """Both ends of a change. Raises: TimeError."""
        if is_barred(metric):
            if until.kind == "own" and is_period(own):
                first, end = self.days(until, own)
                return f"b{first:%Y%m%d}", f"d{end:%Y%m%d}"
            if since.kind == "before" or until.kind == "own":
                raise TimeError(metric)
            start, last = self.days(since)[0], self.days(until)[1]
            # Of all there is, the first one known; else the last one before the window.
            return f"{'a' if start == FIRST_DAY else 'b'}{start:%Y%m%d}", f"d{last:%Y%m%d}"
        last = (
            own
            if until.kind == "own"
            else (self.reports(until) or (_report(self.newest_year),))[-1]
        )
        if since.kind == "before":
            return year_before(last), last
        first = self.reports(since)
        if not first or not is_reported(metric):
            raise TimeError(metric)
        return first[0], last

    def reports(self, when: a.When) -> tuple[str, ...]:
        """The reports of a window, oldest first; none for the newest known. Raises: TimeError."""
        if when.only:
            return tuple(map(_report, when.only))
        if when.kind == "years":
            return tuple(map(_report, self._years(when)))
        if when.kind == "quarters":
            return tuple(map(_report, self._quarters(when)))
        if when.kind == "all":
            return self.reports(a.When(kind="lastn", count=ALL_YEARS))
        if when.kind == "lastn" and when.unit == "years":
            newest = self.newest_year
            return tuple(f"y{newest - back}" for back in reversed(range(when.count or 1)))
        if when.kind == "lastn" and when.unit == "quarters":
            return self.reports(
                a.When(kind="quarters", first=_back(self.newest_quarter, (when.count or 1) - 1))
            )
        if when.kind in {"latest", "own", "before"}:
            return ()
        raise TimeError(when.kind)

    def _years(self, when: a.When) -> range:
        """The fiscal years of a window. Raises: TimeError where none of them is out yet."""
        first, last = when.first, when.last
        if not isinstance(last, int):
            last = self.newest_year
        if not isinstance(first, int):
            first = last - ALL_YEARS + 1
        if first > last:
            raise TimeError(when.kind)
        return range(first, last + 1)

    def days(self, when: a.When, own: str = "") -> tuple[date, date]:
        """First and last day of a window of sessions; of a row's `own` year or quarter all its
        days. Raises: TimeError.
        """
        if when.kind == "own":
            if not is_period(own):
                raise TimeError(own)
            when = days_of(own)
        if when.kind in {"latest", "all"}:
            return (FIRST_DAY, self.today)
        if when.kind == "lastn":
            return (self._start(when), self.today)
        if when.only:
            raise TimeError("days with gaps")
        first, last = when.first, when.last
        start = date(first, 1, 1) if isinstance(first, int) else first or FIRST_DAY
        end = date(last, 12, 31) if isinstance(last, int) else last or self.today
        return (start, min(end, self.today))

    def months(self, when: a.When) -> tuple[str, ...]:
        """The months of a window of days, oldest first; of all there is those of `ALL_YEARS`.
        Raises: TimeError.
        """
        first, last = self.days(when)
        if first == FIRST_DAY:
            first = last.replace(year=last.year - ALL_YEARS, day=1)
        places = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
        return tuple(f"m{place // 12}{place % 12 + 1:02}" for place in places)

    def span(self, fold: a.Over | a.HistoryRank | a.Course, own: str = "") -> tuple[str, str]:
        """The first and last bar a fold is over, in a row of that time; of how closes moved, from
        the one before the window on, which its first session is compared with. Raises: TimeError.
        """
        first, last = self.days(fold.window, own)
        is_of_moves = isinstance(fold, a.Course) and fold.how in MOVES
        return f"{'b' if is_of_moves else 'd'}{first:%Y%m%d}", f"d{last:%Y%m%d}"

    def _start(self, when: a.When) -> date:
        count = when.count or 1
        if when.unit == "sessions":
            return dict(self.starts).get(count, self.today)
        if when.unit == "quarters":
            return _back(self.newest_quarter, count)
        return self.today.replace(year=self.today.year - count, day=min(self.today.day, 28))

    def _quarters(self, when: a.When) -> Sequence[date]:
        last = when.last if isinstance(when.last, date) else self.newest_quarter
        first = when.first if isinstance(when.first, date) else _back(last, 7)
        found: list[date] = []
        while last >= first:
            found.append(last)
            last = _back(last, 1)
        return found[::-1]


def year_before(token: str) -> str:
    """The same report a year earlier."""
    if token.startswith("y"):
        return f"y{int(token[1:]) - 1}"
    return f"{token[0]}{int(token[1:5]) - 1}{token[5:]}"


def is_period(own: str) -> bool:
    """Whether a row's own time is a year, a quarter or a month, which has many sessions."""
    return own[:1] in {"y", "q", "m"}


def bounds_of(own: str) -> tuple[date, date]:
    """The first and last day of a row's year, quarter, month or session."""
    if own.startswith("y"):
        return date(int(own[1:]), 1, 1), date(int(own[1:]), 12, 31)
    if own.startswith("m"):
        year, month = int(own[1:5]), int(own[5:])
        return date(year, month, 1), date(year, month, monthrange(year, month)[1])
    if own.startswith("d"):
        return date.fromisoformat(own[1:]), date.fromisoformat(own[1:])
    end = date.fromisoformat(own[1:])
    return date(end.year, end.month - 2, 1), end


def days_of(own: str) -> a.When:
    """The days of a row's year, quarter, month or session, as a window."""
    first, last = bounds_of(own)
    return a.When(kind="days", first=first, last=last)


def when_of(token: str) -> a.When:
    """The time of the report a token names: y2016 is the year, q20160930 the report of that end."""
    if token.startswith("y"):
        return a.When(kind="years", first=int(token[1:]), last=int(token[1:]))
    end = date.fromisoformat(token[1:])
    return a.When(kind="quarters", first=end, last=end)


def _delay(end: date) -> int:
    return {12: 120, 6: 62}.get(end.month, 31)


def _report(one: int | date) -> str:
    return f"y{one}" if isinstance(one, int) else f"q{one:%Y%m%d}"


def _back(end: date, quarters: int) -> date:
    """The quarter end so many quarters earlier."""
    place = end.year * 4 + (end.month - 1) // 3 - quarters
    month, day = _QUARTER_ENDS[place % 4]
    return date(place // 4, month, day)
