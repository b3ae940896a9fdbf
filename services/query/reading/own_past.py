"""A figure against its own past: the mean of so many sessions, a new high, its place in history.

A line is a fold of closes and a new high the highest of them, so that each is a condition and a
figure like any other.
"""

# Meanings of phrases are of as many kinds as phrases: what stands at a place is known by its category.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# ruff: noqa: E501 — one rule a line
# fmt: off

from dataclasses import replace

from services.query.algebra.nodes import ALL, Compare, Metric, Over, Sign, When
from services.query.reading import moves
from services.query.reading.chart import Grammar
from services.query.reading.figures_said import base, mean_of_sessions
from services.query.reading.phrases import Amount, Fig, Time, constant, is_one_day
from services.query.reading.phrases_said import fig_in
from services.query.reading.predicates import Condition, PlacedIn, limited


def against_line(phrase: Fig, sign: Sign | None, count: int) -> Condition | None:
    """股价站上60日线: the newest close above the mean of so many."""
    if not sign or not _is_of_price(phrase):
        return None
    return limited(phrase, Compare(sign=sign, left=Metric(id="close"), right=mean_of_sessions(count)))


def off_line(phrase: Fig, count: int) -> Fig | None:
    """比60日线高多少: in per cent of it."""
    return replace(phrase, mets=(f"close:line{count}",)) if _is_of_price(phrase) else None


def _line(phrase: Fig, count: int) -> Fig | None:
    """茅台年线是多少."""
    return replace(phrase, mets=(f"close:mean{count}",)) if _is_of_price(phrase) and phrase.ents else None


def at_record(phrase: Fig, edge: str, window: When | None) -> Condition | None:
    """创一年新高: no close of that time is above the newest."""
    if not _is_of_price(phrase) or window is None or edge not in ("high", "low"):
        return None
    right = Over(how="max" if edge == "high" else "min", of="close", window=window)
    sign: Sign = "ge" if edge == "high" else "le"
    return limited(phrase, Compare(sign=sign, left=Metric(id="close"), right=right))


def placed_in_past(phrase: Fig, said: str) -> Fig | None:
    """股价在近一年什么分位; of all there is where no time was said, and 历史分位 says it."""
    if phrase.single is None or ":" in phrase.single or phrase.agg or phrase.peer:
        return None
    if phrase.scope is not None and phrase.ents:
        return None  # 茅台市盈率在A股的分位: among them, no place in its own past
    if said == "ever" and phrase.when is not None:
        return None
    return replace(phrase, mets=(f"{phrase.single}:place",))


def _placed_among(phrase: Fig) -> PlacedIn | None:
    """茅台市盈率在行业的分位, the percentile of its P/E among all A shares."""
    if phrase.peer:
        return PlacedIn(phrase, None)
    is_among = phrase.scope is not None and bool(phrase.ents) and phrase.when is None
    return PlacedIn(replace(phrase, scope=None), phrase.scope) if is_among else None


def ever_beyond(phrase: Fig, sign: Sign | None, amount: Amount) -> Condition | None:
    """破过300没, 曾经跌破200吗: the highest, or lowest, close of all there is, or of the time said."""
    is_bare = not (phrase.agg or phrase.peer or phrase.series)
    is_of_price = is_bare and phrase.mets in ((), ("close",))
    if sign is None or not is_of_price or amount.scaled or amount.unit in ("percent", "multiple"):
        return None
    time = phrase.when or Time(ALL, ALL)
    if time.days is None or is_one_day(time) or not (phrase.ents or phrase.mets):
        return None
    way = "max" if sign in ("gt", "ge") else "min"
    right, left = constant("close", amount), Over(how=way, of="close", window=time.days)
    if right is None:
        return None
    return limited(replace(phrase, when=None), Compare(sign=sign, left=left, right=right))


def _beyond_in(phrase: Fig, sign: Sign | None, amount: Amount, time: Time) -> Condition | None:
    """Ever traded below 40 in 2016: the time stands behind."""
    told = phrase.merged(Fig(when=time))
    return ever_beyond(told, sign, amount) if told is not None else None


def _placed_again(phrase: Fig) -> Fig | None:
    """算高位吗，在什么分位: the place is asked once more."""
    return phrase if phrase.single is not None and phrase.single.endswith(":place") else None


def _is_of_price(phrase: Fig) -> bool:
    is_now = phrase.when is None and not (phrase.agg or phrase.peer or phrase.series)
    return is_now and phrase.mets in ((), ("close",))


def _placed_in(phrase: Fig, time: Time, said: str) -> Fig | None:
    """处于过去五年的什么分位."""
    told = phrase.merged(Fig(when=time))
    return placed_in_past(told, said) if told is not None else None


def _days(time: Time) -> When | None:
    return time.days if time.days and not is_one_day(time) else None


def add_own_past(g: Grammar) -> None:
    """One rule a line."""
    g.add("COND = FIG CMP LINE; COND = FIG LINE postcmp", lambda f, *a: against_line(f, *sorted(a, key=lambda x: isinstance(x, int))))
    g.add("COND = CMP LINE; COND = LINE postcmp", lambda *a: against_line(Fig(), *sorted(a, key=lambda x: isinstance(x, int))), 0.4)
    g.add("FIG = FIG rel.bi LINE ask.diff; FIG = FIG CMP LINE ask.what; FIG = FIG CMP LINE ask.diff; FIG = FIG rel.bi LINE ask.excess", lambda f, _, n, __: off_line(f, n))
    g.add("FIG = FIG away LINE; FIG = FIG away LINE ask.diff", lambda f, _, n, *__: off_line(f, n))
    g.add("COND = FIG record.of WH METRIC|peak", lambda f, _, w, m: at_record(f, base(m), _days(w)))
    g.add("COND = record.of WH METRIC|peak", lambda _, w, m: at_record(Fig(), base(m), _days(w)), 0.4)
    g.add("COND = FIG record.high|record.low", lambda f, m: at_record(f, m, ALL))
    g.add("COND = record.high|record.low", lambda m: at_record(Fig(), m, ALL), 0.4)
    g.add("PLACED_IN = FIG ask.hist; PLACED_IN = ask.hist FIG", lambda *a: _placed_among(fig_in(a)))
    g.add("FIG = ask.hist|ask.ever FIG", lambda a, f: placed_in_past(f, a), 0.1)
    g.add("FIG = FIG LINE; FIG = FIG rel.in LINE", lambda f, *n: _line(f, n[-1]), 1.0)
    g.add("MET = METRIC METRIC", lambda a, b: b if a == "close" and b in ("high:max", "low:min") else None, 0.1)
    g.add("FIG = FIG COMMA ask.hist|ask.ever", lambda f, *_: _placed_again(f))
    for ever in ("ever cmp", "ever ask.yesno cmp", "ask.yesno ever cmp", "everpast", "ask.yesno everpast"):
        g.add(f"COND = FIG {ever} AMT", lambda f, *a: ever_beyond(f, a[-2], a[-1]), -0.3)
        g.add(f"COND = FIG {ever} AMT WH", lambda f, *a: _beyond_in(f, *a[-3:]), -0.3)
        g.add(f"YEARS = FIG {ever} AMT", lambda f, *a: moves.in_some_year(f, a[-2], a[-1]), -0.3)
    g.add("COND = FIG CMP AMT ever; COND = FIG ask.yesno CMP AMT ever", lambda f, *a: ever_beyond(f, a[-3], a[-2]), -0.3)
    g.add("FIG = FIG between WH ask.hist", lambda f, _, w, a: _placed_in(f, w, a))
    g.add("FIG = FIG ask.hist|ask.ever; FIG = FIG between|rel.in ask.ever", lambda f, *a: placed_in_past(f, a[-1]))
