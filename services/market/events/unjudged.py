"""Which sessions the rules could not judge, and why: counted and told beside every list of events,
so that none found is never taken for none that happened.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from services.core.sessions import MOST_LOST, SessionGap
from services.core.symbols import Symbol
from services.core.text import NO_TEXT, Text, join_texts
from services.market.calendar import Calendar
from services.market.events import rules
from services.market.events.rules import Floats, Track, np

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Unjudged:
    """Sessions of the days asked about, oldest first.

    `lost` have no bar, `after` follow such a one and the source gives no move of theirs: of these
    nothing is judged. Of the others a part is not: `early` have fewer bars before them than the
    windows take, `torn` too many lost in them, `apart` no move of the index beside.
    """

    lost: int = 0
    after: tuple[date, ...] = ()
    early: int = 0
    torn: int = 0
    apart: int = 0

    @property
    def count(self) -> int:
        """Of how many sessions nothing could be judged."""
        return self.lost + len(self.after)

    @property
    def brief(self) -> Text:
        """How many could not be judged, for a narrow place; empty where all could."""
        if not self.count:
            return NO_TEXT
        return Text(f"{self.count} 日未能判断", f"{_sessions(self.count)} not judged")

    @property
    def told(self) -> Text:
        """How many and why; empty where every session was judged by every rule."""
        partly = self._tell_partly()
        if not self.count:
            return partly
        parts: list[Text] = []
        if self.lost:
            parts.append(Text(f"{self.lost} 日缺日线", f"{self.lost} without a bar"))
        if self.after:
            days = join_texts([Text.of(str(day)) for day in self.after[-_NAMED:]], "、", ", ")
            zh, en = ("最近为 ", "the last of them ") if len(self.after) > _NAMED else ("", "")
            parts.append(
                Text(
                    f"{len(self.after)} 日的前一交易日缺日线，当日涨跌无从得出（{zh}{days.zh}）",
                    f"{len(self.after)} after a lost one, whose own move is not known "
                    f"({en}{days.en})",
                )
            )
        why = join_texts(parts, "，", ", ")
        whole = Text(
            f"{self.count} 个交易日未能判断：{why.zh}；连续几日的规则不跨缺口",
            f"{_sessions(self.count)} could not be judged: {why.en}; no rule on sessions in a row "
            "reaches over them",
        )
        return join_texts([one for one in (whole, partly) if one], "。", ". ")

    def _tell_partly(self) -> Text:
        share = round(MOST_LOST * 100)
        found = (
            (self.early, Text("之前的日线不足", "with too few bars before them")),
            (
                self.torn,
                Text(
                    f"前 20 或 60 日窗口缺日线超过 {share}%",
                    f"with more than {share}% of their 20 or 60 sessions lost",
                ),
            ),
            (self.apart, Text("没有同日指数涨跌", "without the index's move of the day")),
        )
        parts = [Text(f"{count} 日{why.zh}", f"{count} {why.en}") for count, why in found if count]
        if not parts:
            return NO_TEXT
        why = join_texts(parts, "，", ", ")
        return Text(f"未按全部规则判断：{why.zh}", f"Not judged by every rule: {why.en}")


ALL_JUDGED = Unjudged()


def _sessions(count: int) -> str:
    return f"{count} session{'' if count == 1 else 's'}"


def find_unjudged(
    symbol: Symbol,
    track: Track,
    index_returns: Floats | None,
    within: tuple[date | None, date | None],
    lost: int,
) -> Unjudged:
    """What of the days `within` could not be judged; `index_returns` is None without an index."""
    first, last = within
    days = track.days
    asked = np.array(
        [(not first or day >= first) and (not last or day <= last) for day in days], dtype=np.bool_
    )
    asked[0] = False  # the first bar of all: nothing is known of a move before it
    unknown = np.isnan(track.returns)
    judged, places = asked & ~unknown, np.arange(len(days))
    early = judged & (places <= rules.WINDOWED)
    torn = judged & ~early & (rules.torn(track, rules.Z) | rules.torn(track, rules.VOLUME))
    apart = np.zeros(len(days), dtype=np.bool_)
    if index_returns is not None and rules.deviation_rule(symbol, days[-1]):
        apart = judged & np.isnan(index_returns)
    return Unjudged(
        lost=lost,
        after=tuple(days[place] for place in np.flatnonzero(asked & unknown & (track.lost > 0))),
        early=int(early.sum()),
        torn=int(torn.sum()),
        apart=int(apart.sum()),
    )


def count_lost(
    symbol: Symbol,
    gaps: Sequence[SessionGap],
    within: tuple[date | None, date | None],
    calendar: Calendar | None,
) -> int:
    """The lost sessions of these days; without a calendar a gap that reaches in counts whole."""
    first, last = within
    total = 0
    for gap in gaps:
        start, end = max(gap.start, first or gap.start), min(gap.end, last or gap.end)
        if gap.kind == "suspension" or start > end:
            continue
        if calendar is None or (start, end) == (gap.start, gap.end):
            total += gap.sessions
        else:
            total += len(calendar.sessions(symbol.market, start, end))
    return total
