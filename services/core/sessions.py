"""Windows of sessions: how many an exchange held from one bar of a symbol to another, and what of
them has no bar.

A suspended session has no bar because nothing traded; a lost one (a hole in the source, a row
known wrong) has none although something did. The one policy for lost sessions, for events, charts,
scores, reports and answers alike: a window of so many sessions is so many that are held, the lost
ones between are counted and told beside the figure, and with more than `MOST_LOST` of them there is
no figure. The move from one bar to the next is that of a session only if none is lost between.
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
# Between which bars of a window no session may be lost: any may be, the last two must follow one
# another (what is told of the last move), or all of them must (candlesticks).
Adjacency = Literal["any", "last", "all"]
# Of the sessions a window spans so many may be lost: one in five. What is called a month (20) then
# still spans at most 25 sessions and a quarter (60) at most 75; a week with two lost is none.
MOST_LOST = 0.2
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

    def list_follows(self, first: int, last: int) -> tuple[bool, ...]:
        """Of each bar after `first` up to `last` whether no session is lost before it."""
        return tuple(
            self._lost[place] == self._lost[place - 1] for place in range(first + 1, last + 1)
        )

    def tell_torn(self, first: int, last: int, adjacent: Adjacency = "any") -> Text:
        """Why nothing is said over the bars from `first` to `last`; empty where it is.

        Too many sessions are lost between, or one where the bars must follow one another.
        """
        lost = self.lacking(first, last).lost
        if adjacent == "last" and last > first and self.lacking(last - 1, last).lost:
            return _BROKEN_MOVE
        if adjacent == "all" and lost:
            return _not_in_a_row(lost)
        if lost > MOST_LOST * (last - first + 1 + lost):
            return _too_torn(last - first + 1 + lost, lost)
        return NO_TEXT

    def window(
        self, last: int, count: int, *, ends: bool = False, adjacent: Adjacency = "any"
    ) -> WindowStart:
        """The window of `count` sessions that ends with the bar at `last`.

        With `ends` only its first and last session decide: sessions of the exchange, of which the
        first must have a bar. Else that many bars as `tell_torn` allows; suspensions do not count.
        """
        if not ends:
            first = last + 1 - count
            if first < 0:
                return WindowStart(None, too_few(count, last + 1))
            why = self.tell_torn(first, last, adjacent)
            return WindowStart(None if why else first, why)
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


_BROKEN_MOVE = Text(
    "前一交易日缺日线，当日涨跌无从得出",
    "the session before has no bar, so the move of the day is not known",
)


def tell_lost(lost: int) -> Text:
    """That so many sessions of a window have no bar, told beside what is over the others."""
    return Text(
        f"含 {lost} 个缺口日", f"{lost} session{'' if lost == 1 else 's'} lost in this window"
    )


def _not_in_a_row(lost: int) -> Text:
    return Text(
        f"区间内缺 {lost} 个交易日的日线，逐日相接才能判断，不给出",
        f"{lost} of the sessions have no bar, and it is told of sessions in a row only",
    )


def _too_torn(spanned: int, lost: int) -> Text:
    share = round(MOST_LOST * 100)
    return Text(
        f"区间 {spanned} 个交易日缺 {lost} 个的日线，超过 {share}%，不给出",
        f"{lost} of the {spanned} sessions have no bar, more than {share}%: none is given",
    )


def too_few(needed: int, have: int) -> Text:
    """Why there is no figure over so many bars: how many there are."""
    return Text(
        f"至少需要 {needed} 根日线，所取区间内只有 {have} 根",
        f"needs at least {needed} daily bars; the span has {have}",
    )


def _days(first: date, last: date, to: str = " 至 ") -> str:
    return f"{first}" if first == last else f"{first}{to}{last}"
