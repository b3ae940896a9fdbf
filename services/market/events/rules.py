"""Which sessions are abnormal: the rules as arithmetic over arrays, before any claim is made.

Percent numbers throughout. A return across sessions the source lost or dropped is not judged but
where the source itself gives the day's move; a return across a suspension is. Windows count the
sessions held, as core/sessions.py has it. Limits come from core/limits.py and nowhere else.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from services.core.lazy import import_later
from services.core.limits import COMPETENCES
from services.core.sessions import MOST_LOST
from services.core.symbols import Symbol
from services.core.trace import SessionGap
from services.market.history import PriceHistory

if TYPE_CHECKING:
    import numpy as np
    from numpy.lib import stride_tricks

    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
    Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]
else:
    np, stride_tricks = import_later("numpy"), import_later("numpy.lib.stride_tricks")
    Floats = Bools = Any
Z, VOLUME, GAP, RUN = "abnormal.z60", "abnormal.volume20", "abnormal.gap", "abnormal.run"
INDEX_MOVE = "abnormal.index.move"
DEVIATION, HOUSE_DEVIATION = "abnormal.deviation.3d", "abnormal.deviation.house"
RESUMPTION, WITH_MARKET = "abnormal.resumption", "abnormal.with_market"
LIMIT_10, LIMIT_20, LIMIT_30 = "limit.main.10", "limit.chinext.20", "limit.bse.30"
_CHINEXT_20 = date(2020, 8, 24)


def limit_of(competence_id: str, metric: str) -> float:
    """A figure of a registered rule."""
    return COMPETENCES[competence_id].values[metric]


def limit_rule(symbol: Symbol, day: date) -> str | None:
    """The daily price limit of that board on that day; None where there is none.

    ST shares (5 %) and the first days of a listing are not told apart: no source gives them.
    """
    board = symbol.board
    if board == "star" or (board == "chinext" and day >= _CHINEXT_20):
        return LIMIT_20
    if board in {"main", "chinext", "b_share"}:
        return LIMIT_10
    return LIMIT_30 if board == "bse" else None


def deviation_rule(symbol: Symbol, day: date) -> str | None:
    """The rule on 3-session deviation: the exchanges' for A shares, ours for Hong Kong and US.

    None for indexes, and for boards whose exchange rule has another figure (20 % limit boards).
    """
    if symbol.is_index:
        return None
    if symbol.market != "CN":
        return HOUSE_DEVIATION
    return DEVIATION if limit_rule(symbol, day) == LIMIT_10 else None


class SessionSpan(NamedTuple):
    """Sessions from place `first` to `last` in one direction (`sign` 1 or -1)."""

    first: int
    last: int
    sign: int


@dataclass(frozen=True, slots=True)
class Track:
    """One symbol's bars as arrays, with what lies between each bar and the one before it.

    `returns` in percent, NaN where not judged. `lost`: how many sessions are lost or dropped
    between the bar before and this one. `suspended`: the suspension that ended with this bar, if
    there is one.
    """

    days: tuple[date, ...]
    open: Floats
    high: Floats
    low: Floats
    close: Floats
    volume: Floats
    returns: Floats
    lost: Floats
    suspended: tuple[SessionGap | None, ...]


def track_of(history: PriceHistory) -> Track:
    """The arrays of a history."""
    bars = history.bars
    days = tuple(bar.date for bar in bars)
    opened, high, low, close, volume = np.array([bar[1:] for bar in bars], dtype=np.float64).T
    lost, suspended = _between(days, history.gaps)
    returns = np.full(len(days), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        returns[1:] = (close[1:] / close[:-1] - 1) * 100
    # An additive series may reach zero or below far back: no percentage has a meaning there.
    returns[1:][(close[:-1] <= 0) | (close[1:] <= 0)] = np.nan
    given = history.facts.get("pct_change", {})
    for place in np.flatnonzero(lost):
        own = given.get(days[place])
        returns[place] = own.value if own is not None else np.nan
    return Track(days, opened, high, low, close, volume, returns, lost, tuple(suspended))


def _between(
    days: Sequence[date], gaps: Sequence[SessionGap]
) -> tuple[Floats, list[SessionGap | None]]:
    lost = np.zeros(len(days))
    suspended: list[SessionGap | None] = [None] * len(days)
    starts = np.array(days, dtype="datetime64[D]")
    for gap in gaps:
        place = int(np.searchsorted(starts, np.datetime64(gap.end), side="right"))
        if 0 < place < len(days):
            if gap.kind == "suspension":
                suspended[place] = gap
            else:
                lost[place] += gap.sessions
    return lost, [None if gone else gap for gone, gap in zip(lost, suspended, strict=True)]


# How many bars before a session its windows take: the closes of 60 returns.
WINDOWED = int(limit_of(Z, "z_window"))


def torn(track: Track, rule: str) -> "np.ndarray":
    """At which sessions too many are lost in the window of `Z` or `VOLUME`; too early ones are."""
    span = WINDOWED + 1 if rule == Z else int(limit_of(VOLUME, "volume_window"))
    found = np.ones(len(track.days), dtype=np.bool_)
    if len(track.days) > span:
        lost = stride_tricks.sliding_window_view(track.lost[1:], span).sum(axis=1)
        found[span:] = lost > MOST_LOST * (span + 1 + lost)
    return found


def limit_hits(symbol: Symbol, track: Track) -> list[int]:
    """Sessions that closed at the day's extreme with a return of the suspected limit or more."""
    return hits_at_limit(track, suspected_limits(symbol, track.days))


def suspected_limits(symbol: Symbol, days: Sequence[date]) -> Floats:
    """The return that looks like the limit on each of the days, oldest first; infinite where the
    board has none.
    """
    suspected = np.empty(len(days))
    change = bisect_left(days, _CHINEXT_20)  # a board's limit is one before and one after
    for part in (slice(None, change), slice(change, None)):
        rule = limit_rule(symbol, days[part][0]) if days[part] else None
        suspected[part] = limit_of(rule, "suspected_limit") if rule else np.inf
    return suspected


def hits_at_limit(track: Track, suspected: Floats) -> list[int]:
    """As `limit_hits`, of a limit for each session."""
    up = (track.returns >= suspected) & (track.close == track.high)
    down = (track.returns <= -suspected) & (track.close == track.low)
    return _places(up | down)


def z_hits(track: Track) -> list[int]:
    """Sessions whose return lies 3 or more deviations from the mean of the 60 before it.

    Not judged where too many of the window are lost, or the one before the session itself.
    """
    window = int(limit_of(Z, "z_window"))
    scores = np.full(len(track.days), np.nan)
    if len(track.days) > window + 1:
        returns = track.close[1:] / track.close[:-1] - 1
        before = stride_tricks.sliding_window_view(returns, window)[:-1]
        mean, spread = before.mean(axis=1), before.std(axis=1, ddof=1)
        spread[spread == 0] = np.nan
        scores[window + 1 :] = (returns[window:] - mean) / spread
        scores[torn(track, Z) | (track.lost > 0)] = np.nan
    return _places((np.abs(scores) >= limit_of(Z, "z_limit")) & ~np.isnan(track.returns))


def volume_hits(track: Track) -> list[int]:
    """Sessions with 3 or more times the mean volume of the 20 before, suspensions passed over."""
    window = int(limit_of(VOLUME, "volume_window"))
    multiples = np.full(len(track.days), np.nan)
    if len(track.days) > window:
        mean = stride_tricks.sliding_window_view(track.volume, window)[:-1].mean(axis=1)
        mean[mean <= 0] = np.nan
        multiples[window:] = track.volume[window:] / mean
        multiples[torn(track, VOLUME)] = np.nan
    return _places((multiples >= limit_of(VOLUME, "volume_limit")) & ~np.isnan(track.returns))


def index_moves(symbol: Symbol, track: Track) -> list[int]:
    """Sessions in which an index moved 5 % or more; none for a company, whose board has limits."""
    if not symbol.is_index:
        return []
    return _places(np.abs(track.returns) >= limit_of(INDEX_MOVE, "index_move_limit"))


def gap_hits(track: Track) -> list[int]:
    """Sessions that opened 5 % or more away from the previous close."""
    moves = np.full(len(track.days), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):
        moves[1:] = (track.open[1:] / track.close[:-1] - 1) * 100
    moves[track.lost > 0] = np.nan
    return _places((np.abs(moves) >= limit_of(GAP, "gap_limit")) & ~np.isnan(track.returns))


def resumptions(track: Track) -> list[int]:
    """The first session after each suspension."""
    return [place for place, gap in enumerate(track.suspended) if gap is not None]


def runs(track: Track) -> list[SessionSpan]:
    """Longest stretches of 3 or more sessions in one direction that add up to 20 % or more.

    A suspension or a lost session ends a run; the session after a suspension may begin one.
    """
    needed, least = int(limit_of(RUN, "run_sessions")), limit_of(RUN, "run_limit")
    signs = np.nan_to_num(np.sign(np.where(track.lost > 0, np.nan, track.returns))).astype(int)
    begins = signs[1:] != signs[:-1]
    begins |= np.array([gap is not None for gap in track.suspended[1:]], dtype=np.bool_)
    first = np.flatnonzero(np.concatenate(([True], begins)))
    last = np.append(first[1:], len(signs)) - 1
    kept = (last - first + 1 >= needed) & (first > 0) & (signs[first] != 0)
    first, last = first[kept], last[kept]
    moved = np.abs((track.close[last] / track.close[first - 1] - 1) * 100) >= least
    return [
        SessionSpan(int(one), int(other), int(signs[one]))
        for one, other in zip(first[moved], last[moved], strict=True)
    ]


def deviations(track: Track, index_returns: Floats) -> list[SessionSpan]:
    """Windows of 3 consecutive sessions whose returns differ from the index's by 20 points in sum.

    `index_returns` has one value a bar of the track. One span a window, oldest first.
    """
    window = int(limit_of(DEVIATION, "deviation_sessions"))
    if len(track.days) < window + 1:
        return []
    totals = stride_tricks.sliding_window_view(track.returns - index_returns, window).sum(axis=1)
    apart = (track.lost > 0) | np.array([gap is not None for gap in track.suspended])
    parted = stride_tricks.sliding_window_view(apart, window)[:, 1:].any(axis=1)
    hits = (np.abs(totals) >= limit_of(DEVIATION, "deviation_limit")) & ~parted
    return [
        SessionSpan(int(place), int(place) + window - 1, 1 if totals[place] > 0 else -1)
        for place in np.flatnonzero(hits)
    ]


def merge_spans(spans: Sequence[SessionSpan]) -> list[SessionSpan]:
    """Spans of one direction that share a session, joined; oldest first."""
    joined: list[SessionSpan] = []
    for span in sorted(spans, key=lambda item: (item.sign, item.first, item.last)):
        last = joined[-1] if joined else None
        if last is not None and last.sign == span.sign and span.first <= last.last:
            joined[-1] = SessionSpan(last.first, max(last.last, span.last), span.sign)
        else:
            joined.append(span)
    return sorted(joined)


def _places(mask: "np.ndarray") -> list[int]:
    return [int(place) for place in np.flatnonzero(mask)]
