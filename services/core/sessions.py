"""Windows of sessions: how many an exchange held from one bar of a symbol to another, and what of
them has no bar.

A window is counted on the exchange's calendar, never in rows. A suspended session has no bar
because nothing traded; a lost one (a hole in the source, a row known wrong) has none although
something did. What rests on every session of a window is not to be had over a lost one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Literal, NamedTuple

from services.core.record import SYMBOL_FIELD, Record
from services.core.text import NO_TEXT, Text

GapKind = Literal["suspension", "hole", "dropped"]
# As the first words of every note on a figure that say what its window lacks.
GAPPED = "区间内"


class SessionGap(Record):
    """Sessions of the exchange without a bar, first and last day.

    `suspension` of trading, `hole` in the source, or `dropped` because its row was known wrong.
    """

    symbol: str = SYMBOL_FIELD
    start: date
    end: date
    sessions: int
    kind: GapKind


@dataclass(frozen=True, slots=True)
class Lacking:
    """How many sessions between two bars have none: lost ones, and suspended ones."""

    lost: int
    suspended: int

    @property
    def told(self) -> str | None:
        """What a reader of a figure over them must know; None where nothing lacks."""
        parts = (
            f"缺 {self.lost} 个交易日的日线，首尾两日不缺" if self.lost else "",
            f"停牌 {self.suspended} 个交易日" if self.suspended else "",
        )
        return GAPPED + "，".join(part for part in parts if part) if any(parts) else None


class WindowStart(NamedTuple):
    """The place of its first bar, or why there is no such window, in Chinese and English."""

    first: int | None
    why: Text


class TradedSessions:
    """The days of one symbol that have a bar, oldest first, and the gaps between them.

    A place is the index of a bar. Gaps before the first bar and after the last do not count.
    """

    def __init__(self, days: Sequence[date], gaps: Sequence[SessionGap]) -> None:
        """Count each gap at the bar that follows it."""
        self.days = tuple(days)
        self._gaps = tuple(gaps)
        lost, suspended = [0] * len(days), [0] * len(days)
        for gap in gaps:
            place = bisect_right(self.days, gap.start)
            if 0 < place < len(days):
                (suspended if gap.kind == "suspension" else lost)[place] += gap.sessions
        self._lost = tuple(accumulate(lost))
        self._suspended = tuple(accumulate(suspended))
        self._ordinals = tuple(
            place + self._lost[place] + self._suspended[place] for place in range(len(days))
        )

    def lacking(self, first: int, last: int) -> Lacking:
        """What has no bar from the bar at `first` to the one at `last`."""
        return Lacking(
            self._lost[last] - self._lost[first], self._suspended[last] - self._suspended[first]
        )

    def count_sessions(self, first: int, last: int) -> int:
        """The sessions of the exchange from the one bar to the other, both included."""
        return self._ordinals[last] - self._ordinals[first] + 1

    def whole_from(self, place: int) -> int:
        """The first bar from which on to this one no session is lost."""
        return bisect_left(self._lost, self._lost[place])

    def find_gap_before(self, place: int) -> SessionGap | None:
        """The newest sessions lost before this bar; None where there are none."""
        lost = (gap for gap in self._gaps if gap.kind != "suspension")
        return max(
            (gap for gap in lost if gap.start < self.days[place]),
            key=lambda gap: gap.end,
            default=None,
        )

    def window(self, last: int, count: int, *, ends: bool = False) -> WindowStart:
        """The window of `count` sessions that ends with the bar at `last`.

        With `ends` only its first and last session decide: sessions of the exchange, of which the
        first must have a bar. Else that many bars, none lost between; suspensions do not count.
        """
        if not ends:
            have = last + 1 - self.whole_from(last)
            if have >= count:
                return WindowStart(last + 1 - count, NO_TEXT)
            return WindowStart(None, too_few(count, have, self.find_gap_before(last)))
        wanted = self._ordinals[last] + 1 - count
        if wanted < 0:
            return WindowStart(None, too_few(count, self._ordinals[last] + 1))
        first = bisect_left(self._ordinals, wanted)
        if self._ordinals[first] == wanted:
            return WindowStart(first, NO_TEXT)
        return WindowStart(None, self._no_base(first, count - 1))

    def _no_base(self, place: int, back: int) -> Text:
        """Why the session so many back has no bar, which lies before the bar at `place`."""
        days = self.days[place - 1], self.days[place]
        gaps = [gap for gap in self._gaps if days[0] < gap.start < days[1]]
        first, last = min(gap.start for gap in gaps), max(gap.end for gap in gaps)
        halted = all(gap.kind == "suspension" for gap in gaps)
        zh, en = ("停牌", "suspended") if halted else ("缺日线", "no bar")
        return Text(
            f"{back} 个交易日前没有收盘价（{_days(first, last)} {zh}），不给出",
            "there is no close "
            f"{back} sessions before ({_days(first, last, ' to ')}: {en}), so none is given",
        )


def too_few(needed: int, have: int, lost: SessionGap | None = None) -> Text:
    """Why there is no figure over so many bars: how many there are, since the sessions lost."""
    if lost is None:
        return Text(
            f"至少需要 {needed} 根日线，所取区间内只有 {have} 根",
            f"needs at least {needed} daily bars; the span has {have}",
        )
    return Text(
        f"{_days(lost.start, lost.end)} 缺日线，其后只有 {have} 根，至少需要 {needed} 根",
        f"no bars of {_days(lost.start, lost.end, ' to ')}: {have} since, {needed} are needed",
    )


def _days(first: date, last: date, to: str = " 至 ") -> str:
    return f"{first}" if first == last else f"{first}{to}{last}"
