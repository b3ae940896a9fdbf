"""The rules by which typed words become phrases: one line each, with what they mean together.

`FIG` keeps it small: a noun phrase is a record filled in any order, so the free order of Chinese
costs no rules. Meanings are values of the algebra; a rule that finds no sense gives None.
"""

# Meanings of phrases are of as many kinds as phrases: what stands at a place is known by its category.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# ruff: noqa: E501 — one rule a line
# fmt: off

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from services.query.algebra.nodes import Loss, Not, both
from services.query.reading import bounds_said, moves, sets_said, times_joined, worded_tests
from services.query.reading import predicates as p
from services.query.reading.chart import STEP, Grammar
from services.query.reading.figures_said import (
    base,
    gain_of,
    growth_of,
    had,
    is_of_days,
    join_figures,
    share_of,
    unit,
)
from services.query.reading.grammar_moves import add_moves, add_orders, add_relations
from services.query.reading.own_past import add_own_past
from services.query.reading.phrases import Amount, Fig
from services.query.reading.phrases_said import (
    amounts_between,
    at_edge,
    counted_years,
    return_of,
    set_of,
    short_years,
    time_in,
    until,
)
from services.query.reading.runs_said import add_runs

# What a question is made of. A dear part is one that rarely stands alone.
PARTS: Mapping[str, float] = {
    "FIG": 0.0, "COND": 0.0, "SORT": 0.0, "EXCL": 0.0, "REL": 0.0, "DAYQ": 0.0, "DROP": 0.6,
    "swap": 0.0, "COUNT": 0.0, "TOP": 0.0, "BOTTOM": 0.1, "ORD": 0.2, "DAYS": 0.2,
    "count": 0.0, "group": 0.0, "ask": 0.5, "rel": 0.5, "only": 0.2, "add": 0.3, "follow": 0.2,
    "bool": 0.4, "join": 0.6, "bigsup": 0.9, "SUPN": 0.2, "sup": 0.8, "BOUND": 1.5, "MORE": 0.2, "GROUPN": 0.0, "groupcount": 0.0, "PLACED_IN": 0.0, "INSTEAD": 0.0, "YEARS": 0.0, "YEARN": 0.0, "MONTHN": 0.0, "PLACES": 0.1, "PLACED": 0.2, "lastplace": 0.2, "firstplace": 0.2, "whichgroup": 0.0, "toolask": 0.0, "indicator": 0.0, "OCCASION": 0.0, "SESSIONS": 0.0, "HAVING": 0.0, "allof": -0.3, "noun": 1.2, "edit": 0.0, "winner": 0.0, "likewise": 0.0, "GONE": 0.0, "REBOUND": 0.0, "dir": 0.4, "TOLDTEST": 0.0, "consensus": 0.0, "rankway": 0.5, "basis": 0.0,
    "SINCEIT": 0.0, "ALIKE": 0.0, "held": 0.0, "CUT": 0.0,
}  # fmt: skip


@cache
def question_grammar() -> Grammar:
    """Every rule. Made once: rules never change."""
    g = Grammar(PARTS)
    _sets_and_times(g)
    _figures_named(g)
    _noun_phrases(g)
    _conditions(g)
    add_moves(g)
    _add_months(g)
    add_runs(g)
    add_own_past(g)
    add_orders(g)
    add_relations(g)
    return g


def _sets_and_times(g: Grammar) -> None:
    g.add("ENTS = ENT", lambda e: (e,))
    g.add("ENTS = ENTS join|COMMA|bool.or|bool.and ENT; ENTS = ENTS COMMA join|bool.and ENT", lambda *a: (*a[0], a[-1]))
    g.add("ENTS = ENTS ENT", lambda a, e: (*a, e), 0.8)
    g.add("ENTS = ENTS COUNT; ENTS = ENTS COMMA COUNT", lambda *a: a[0] if len(a[0]) == a[-1] else None)
    g.add("ENTS = ENTS THOSE", lambda e, n: e if len(e) == n else None)
    g.add("SET = SCOPE", set_of)
    g.add("SET = SET noun", lambda s, n: s if n == "noun" or p.dimensions(s) != {"market"} else None, 0.2)
    g.add("SET = noun SET", lambda n, s: s if n == "noun" or p.dimensions(s) != {"market"} else None, 0.2)
    g.add("SET = SET SET", sets_said.intersected, 0.1)
    g.add("SET = SET bool.or|rel.slash SET; SET = SET COMMA SET", lambda a, _, b: sets_said.united(a, b))
    g.add("SETS = SET join|bool.and SET; SETS = SETS join|bool.and|COMMA SET", lambda a, _, b: sets_said.united(a, b))
    g.add("SETROW = SET SET; SETROW = SETROW SET", lambda a, b: sets_said.united(a, b) if p.dimensions(a) == p.dimensions(b) == {"industry"} else None, 0.1)
    g.add("SET = as_well SET bool.and SET; SET = as_well SET COMMA bool.and SET; SET = as_well SET join SET", lambda _, a, *b: both(a, b[-1]))
    g.add("SETS = SET COMMA SETS", lambda a, _, b: sets_said.united(a, b))
    g.add("SETS = SETS noun", lambda s, _: s, 0.2)
    g.add("ALLSETS = SETS COUNT; ALLSETS = SETS COUNT noun; ALLSETS = SETS COUNT peer.industry; ALLSETS = SETS THOSE", lambda s, n, *_: s if sets_said.size(s) == n else None, -0.2)
    g.add("ALIKE = alike SET; ALIKE = alike SET COMMA", lambda _, s, *__: s)
    g.add("WH = WHEN", lambda w: w)
    g.add("WH = WHEN rel.to|COMMA|join|bool.and WHEN", lambda a, how, b: times_joined.spanned(a, b, how))
    g.add("WH = WHEN COMMA|join|bool.and WHEN", lambda a, _, b: times_joined.turned(a, b), 0.6)
    g.add("WH = WH COMMA|join|bool.and WHEN", lambda a, _, b: times_joined.spanned(a, b, "join"), 0.1)
    g.add("WH = since WHEN rel.to WHEN", lambda _, a, how, b: times_joined.spanned(a, b, how))
    g.add("WH = WHEN WHEN", _pair, 0.6)
    g.add("WH = WHEN edge", at_edge)
    g.add("WH = edge WHEN", lambda e, w: at_edge(w, e))
    g.add("WH = WHEN whole; WH = whole WHEN", lambda *a: _whole(time_in(a)))
    g.add("WH = between WH join|bool.and WH; WH = WH rel.to WH", lambda *a: times_joined.spanned(a[-3], a[-1], "to"), 0.2)
    g.add("WH = WHEN since; WH = since WHEN; WH = WHEN now; WH = since WHEN now; WH = WHEN since now", lambda *a: times_joined.since(time_in(a)), 0.1)
    g.add("WH = WHEN since edge", lambda w, _, e: at_edge(w, e))  # 15年从年初
    g.add("WH = WHEN edge now; WH = since WHEN edge now", lambda *a: _since_edge(a[-3], a[-2]), 0.1)
    g.add("WH = since WHEN edge; WH = WHEN edge since; WH = since edge WHEN", lambda *a: _since_edge(time_in(a), next(x for x in a if x in ("start", "end"))))
    g.add("WH = WH later; WH = since WH later; WH = later WH", lambda *a: times_joined.behind(time_in(a)), 0.1)
    g.add("WH = WHEN until; WH = until WHEN", lambda *a: until(time_in(a)), 0.1)
    g.add("WH = AMT rel.to WHEN", lambda a, _, b: counted_years(a, b))
    g.add("OCCASION = occasion", lambda end: (1, 0, end == "last"))
    # 逐年 12到16: only years are told one by one.
    g.add("ATOM = ask.series AMT rel.to AMT", lambda s, a, _, b: Fig(when=w, series=s) if (w := short_years(a, b)) else None)


def _figures_named(g: Grammar) -> None:
    g.add("MET = METRIC", lambda m: m)
    g.add("MET = METRIC basis", lambda m, b: b if m in _EARNINGS else None)
    g.add("basis = METRIC swap basis; basis = ba METRIC swap basis", lambda *a: a[-1] if a[-3] in _EARNINGS else None)
    g.add("basis = swap basis", lambda _, b: b)
    g.add("MET = METRIC ask.growth", lambda m, _: m if m.endswith(":yoy") else growth_of(m))
    g.add("MET = ask.growth METRIC", lambda _, m: growth_of(m))
    g.add("MET = METRIC ask.money", lambda m, _: gain_of(m) if m.endswith(":yoy") else None)
    g.add("MET = METRIC ask.gain", lambda m, _: gain_of(m))
    g.add("MET = METRIC ask.cagr", lambda m, _: f"{m}:cagr" if growth_of(m) else None)
    g.add("MET = ask.times METRIC", lambda _, m: m if unit(m) == "multiple" else None, 0.1)
    g.add("MET = ask.ret", lambda _: "close:ret")
    g.add("MET = METRIC ask.ret", lambda m, _: return_of(m), 0.2)
    for how in ("points", "amount"):  # 涨了多少点 is a rate only where it is of no index
        g.add(f"MET = ask.{how}", lambda said: f"close:{said}", -0.3)
    g.add("MET = METRIC ask.points|ask.amount", lambda m, how: f"close:{how}" if m == "close" else gain_of(m) if how == "amount" else None)
    g.add("MET = ask.drawdown", lambda _: "close:drawdown")
    g.add("MET = course; MET = METRIC course", lambda *a: f"close:{a[-1]}" if a[0] in ("close", a[-1]) else None)
    g.add("MET = FALL; MET = ask.daily FALL", lambda *_: "close:fall", 0.2)
    g.add("MET = ask.daily ask.ret", lambda *_: "pct_change")
    g.add("MET = ask.daily METRIC", lambda _, m: m if ":" not in m and is_of_days(m) else None)
    for word, joint in (("div", "/"), ("mul", "*"), ("plus", "+"), ("minus", "-"), ("zhan", "%")):
        g.add(f"MET = MET rel.{word} MET; MET = MET rel.{word} MET ask.share", lambda a, _, b, *__, joint=joint: join_figures(a, joint, b))
    g.add("MET = MET rel.slash MET", lambda a, _, b: join_figures(a, "/", b) if unit(a) != "multiple" else None)
    g.add("MET = ratio", lambda said: said, 0.3)  # 分红率 is said of the yield too
    g.add("MET = MET rel.zhan peer.industry ask.share; MET = MET rel.zhan peer.industry", lambda m, _, whole, *__: share_of(m, whole))
    g.add("METS = MET", lambda m: (m,))
    g.add("METS = MET COMMA inpercent; METS = MET join|bool.and inpercent", lambda m, *_: (m, "close:ret") if m in ("close:points", "close:amount") else None)  # 跌了多少点，百分之几
    g.add("METS = several", lambda s: tuple(s.split()))
    g.add("METS = METS join|COMMA|bool.and MET; METS = METS COMMA join|bool.and MET", lambda *a: (*a[0], a[-1]) if a[-1] not in a[0] else None)
    for turn in ("growth", "cagr"):  # 营收和净利润增速, growth of revenue and net profit: of both
        g.add(f"METS = METS join|bool.and METRIC ask.{turn}; METS = METS COMMA join|bool.and METRIC ask.{turn}", lambda *a, turn=turn: _each_turned((*a[0], a[-2]), turn), -0.3)
        g.add(f"METS = ask.{turn} METRIC join|bool.and METRIC", lambda _, a, __, b, turn=turn: _each_turned((a, b), turn), -0.3)
    g.add("METS = METS join|bool.and METRIC; METS = METS COMMA join|bool.and METRIC", lambda *a: _each_turned((*a[0], base(a[-1])), "growth") if a[-1].endswith(":yoy") else None, -0.3)
    g.add("METS = METS rel.slash MET", lambda m, _, n: (*m, n) if n not in m and _are_multiples(*m, n) else None)
    g.add("METS = METS MET", lambda a, b: (*a, b) if b not in a else None, 1.0)


# The multiples of earnings, which one word for the earnings tells apart.
_EARNINGS = frozenset({"pe_ttm", "pe_lyr"})


def _each_turned(figures: tuple[str, ...], turn: str) -> tuple[str, ...] | None:
    """Amounts of money that grow alike; ROE和净利润增速 is the one and the other's growth."""
    grown = [growth_of(one) for one in figures]
    if len(set(figures)) < len(figures) or not all(grown) or {*map(unit, figures)} != {"money"}:
        return None
    return tuple(f"{one}:{'yoy' if turn == 'growth' else turn}" for one in figures)


def _are_multiples(*figures: str) -> bool:
    """pe/pb/ps: figures beside each other; 净利润/营收 is a share."""
    return all(unit(one) == "multiple" for one in figures)


def _whole(time: Any) -> Any:
    """去年一年: that year."""
    return time if time.is_one_year and time.periods.kind == "years" else None


def _pair(a: Any, b: Any) -> Any:
    """Two years right beside each other: only neighbours are a window."""
    made = times_joined.spanned(a, b, "join")
    return made if made and made.periods and not made.periods.only else None


def _since_edge(when: Any, edge: str) -> Any:
    at = at_edge(when, edge)
    return times_joined.since(at) if at else None


def _noun_phrases(g: Grammar) -> None:
    g.add("ATOM = ENTS", lambda e: Fig(ents=e))
    g.add("group = eachof", lambda of: of)
    g.add("ATOM = eachof ENTS", lambda _, e: Fig(ents=e))  # each of Gree and Midea
    g.add("ATOM = eachof SET", lambda _, s: Fig(scope=s) if p.dimensions(s) == {"symbol"} else None)
    g.add("ATOM = ENTS rel.plus ENTS; ATOM = ENTS add ENTS", lambda a, _, b: Fig(ents=(*a, *b), agg="sum"), 0.3)
    g.add("ATOM = between ENTS; ATOM = between ENTS COMMA", lambda _, e, *__: Fig(ents=e) if len(e) > 1 else None)  # between Apple and Alphabet, whose
    g.add("ATOM = SET", lambda s: Fig(scope=s))
    g.add("ATOM = SETS|ALLSETS", lambda s: Fig(scope=s, apart=True))
    g.add("ATOM = WH", lambda w: Fig(when=w))
    g.add("ATOM = YTD", lambda w: Fig(when=w, mets=("close:ret",)), 0.3)
    g.add("ATOM = METS", lambda m: Fig(mets=m))
    g.add("ATOM = total", lambda m: Fig(mets=(m,), agg="sum"))
    g.add("ATOM = agg", lambda a: Fig(agg=a))
    g.add("ATOM = agg join|bool.and|COMMA agg", lambda a, _, b: Fig(agg=a, also=b) if a != b else None)
    g.add("ATOM = ask.dailyavg", lambda _: Fig(agg="mean"))
    g.add("whichgroup = peer.industry ask.which; whichgroup = peer.industry rel.shi ask.which; whichgroup = ask.which peer.industry", lambda *_: "industry")
    g.add("group = whichgroup noun", lambda group, n: group if n == "firms" else None)
    g.add("groupcount = count noun", lambda _, n: n if n == "industries" else None)  # 有多少个行业
    g.add("GROUPN = ask.which COUNT peer.industry", lambda _, n, __: n)
    g.add("GROUPN = NUM whichgroup.industry", lambda n, _: n)  # the five industries with the highest median ROE
    _add_peaks(g)
    g.add("ATOM = WH peak", lambda w, m: Fig(mets=(m,), when=w) if w.days else None, 0.3)
    g.add("ATOM = peer", lambda of: Fig(peer=of), 0.3)
    g.add("ATOM = ask.series|ask.daily|ask.monthly", lambda s: Fig(series=s), 0.1)
    g.add("FIG = ATOM", lambda a: a)
    g.add("FIG = FIG ATOM", lambda a, b: a.merged(b))
    g.add("FIG = FIG ATOM; FIG = FIG rel.in ATOM", lambda *a: made.over_years if (made := a[0].merged(a[-1])) else None, 0.1)
    for asked, turn in (("growth", "yoy"), ("gain", "gain"), ("cagr", "cagr")):
        g.add(f"FIG = FIG ask.{asked}", lambda f, _, turn=turn: _turned(f, turn), 0.1)
    g.add("FIG = FIG ask.ret", lambda f, _: _moved(f), 0.2)  # 股价今年涨了多少
    g.add("FIG = FIG FALL", lambda f, _: f if _is_off(f) else None)
    g.add("FIG = FIG move", lambda f, _: _moved_lately(f), 0.4)  # 这几年每股派息有没有增加
    g.add("FIG = FIG EACH_SPAN; FIG = EACH_SPAN FIG", lambda *a: _in_each(*sorted(a, key=lambda x: not isinstance(x, Fig))), 0.1)
    g.add("FIG = FIG course", lambda f, c: replace(f, mets=(f"close:{c}",)) if f.mets == ("close",) and f.when else None, 0.2)  # 收盘价今年创过几次新高
    g.add("FIG = ask.howmany FIG pmove", lambda _, f, __: None if f.mets else replace(f, mets=("close:points",)))
    g.add("FIG = FIG ask.points|ask.amount", lambda f, how: replace(f, mets=(f"close:{how}",)) if f.mets == ("close",) and f.when else None, 0.2)
    g.add("FIG = FIG AMT rel.to AMT", lambda f, a, _, c: replace(f, when=w) if f.mets and not f.when and all(one.endswith(":cagr") for one in f.mets) and (w := short_years(a, c)) else None)
    g.add("FIG = FIG AMT rel.to AMT", lambda f, a, _, c: replace(f, when=w) if f == Fig(ents=f.ents) and f.ents and (w := short_years(a, c)) else None)  # Vanke 14 through 16
    g.add("FIG = FIG join FIG rel.bi", lambda a, _, b, __: _beside(a, b), 0.2)
    g.add("ATOM = order.by WH", lambda _, w: Fig(when=w), 0.2)
    g.add("FIG = FIG rel.in ATOM", lambda a, _, b: a.merged(b))
    g.add("FIG = FIG add WH", lambda f, _, w: f.merged(Fig(when=w)) if f == Fig(ents=f.ents) and f.ents else None)  # 比亚迪也要五年
    g.add("FIG = FIG sup MET", lambda f, s, m: _highest(f, s, m), 0.3)
    g.add("FIG = sup MET", lambda s, m: _highest(Fig(), s, m), 0.3)
    g.add("FIG = sup FIG", lambda s, f: ( f.merged(Fig(agg="max" if s == "desc" else "min")) if f.ents and f.mets else None ), 0.5)


def _add_peaks(g: Grammar) -> None:
    """The highest or lowest of a time, to measure from; the highest close where it is said so."""
    g.add("PEAK = METRIC|peak", lambda m: _off(base(m)) if base(m) != "close" else None)
    g.add("PEAK = agg|sup|peak METRIC", lambda e, m: _off("close") if m == "close" and e in _HIGHEST else None)
    g.add("PEAK = METRIC METRIC", lambda h, m: _off("close") if (h, m) == ("high", "close") else None)
    g.add("PEAK = WH PEAK; PEAK = WH rel.in PEAK", lambda w, *e: e[-1].merged(Fig(when=w)) if w.days else None)
    g.add("PEAK = PEAK rel.in WH", lambda e, _, w: e.merged(Fig(when=w)) if w.days else None)
    g.add("WH = WH METRIC now; WH = away|since|rel.bi WH METRIC now", lambda *a: times_joined.behind(a[-3]) if a[-2] == "close" else None)
    g.add("FROM = away|rel.bi PEAK; FROM = away|rel.bi PEAK now", lambda _, e, *__: e)
    g.add("ATOM = FROM; ATOM = PEAK now", lambda e, *_: e, 0.1)
    g.add("ATOM = ask.ret FROM; ATOM = FALL FROM", lambda _, e: e)  # fallen from its high
    g.add("ATOM = FROM ask.diff|ask.excess", lambda e, _: e)  # 离近一年最高收盘差几个点
    g.add("ATOM = now METS", lambda _, m: _by_now(Fig(mets=m)), 0.3)
    g.add("FIG = now FIG", lambda _, f: _by_now(f), 0.3)
    for asked in ("ret", "mult", "amount", "points"):  # the highest close and its day, and how far it fell since
        g.add(f"SINCEIT = now ask.{asked}; SINCEIT = later ask.{asked}; SINCEIT = later now ask.{asked}; SINCEIT = since ask.{asked}; SINCEIT = ask.{asked} since; SINCEIT = ask.{asked} later", lambda *_: "sinceit")


def _by_now(phrase: Fig) -> Fig | None:
    """到现在市值多少 is the newest; 到现在最高价, of all there is; how far it went has no beginning."""
    if phrase.mets in (("high",), ("low",)):
        edge = phrase.mets[0]
        return replace(phrase, mets=(f"{edge}:{'max' if edge == 'high' else 'min'}",))
    is_plain = phrase.mets and not any(":" in one for one in phrase.mets)
    if not is_plain or phrase.when or phrase.agg or phrase.mets == ("pct_change",):
        return None
    return replace(phrase, when=times_joined.NOW)


def _moved_lately(phrase: Fig) -> Fig | None:
    """Of the last years of a company what it was in each and how it went: some may have risen."""
    of, when = phrase.single, phrase.when.periods if phrase.when is not None else None
    grown = growth_of(of) if of is not None and phrase.ents and when is not None else None
    is_plain = replace(phrase, when=None, ents=()) == Fig(mets=phrase.mets)
    if when is None or when.kind != "lastn" or when.unit != "years" or not is_plain or not grown:
        return None
    return replace(phrase, mets=(*phrase.mets, grown))


def _in_each(phrase: Fig, span: times_joined.EachSpan) -> Fig | None:
    """今年每个季度涨跌: of each of them."""
    time = times_joined.each_span(phrase.when, span) if phrase.when is not None else None
    return replace(phrase, when=time) if time is not None else None


def _ordered_off(phrase: Fig, sort: Any) -> Any:
    """距52周高点跌得最多的: the farthest below it."""
    if not _is_off(phrase) or sort.phrase.mets not in (("close:ret",), ("pct_change",)):
        return None
    is_below = phrase.mets == ("high:off",)
    way = sort.direction if not is_below else {"asc": "desc", "desc": "asc"}.get(sort.direction)
    return replace(sort, phrase=phrase, direction=way) if way else None


_HIGHEST = frozenset({"max", "desc", "high"})


def _off(edge: str) -> Fig | None:
    """距离52周高点."""
    return Fig(mets=(f"{edge}:off",)) if edge in ("high", "low", "close") else None


def _is_off(phrase: Fig) -> bool:
    return len(phrase.mets) == 1 and phrase.mets[0].endswith(":off")


def _moved(fig: Fig) -> Fig | None:
    """How far the price, or a reported figure, went in the time said between it and the word; from
    the highest of a time (距52周高点跌了多少) that is told by the figure itself.
    """
    if _is_off(fig):
        return fig
    if not fig.mets or fig.when is None or any(":" in one for one in fig.mets):
        return None
    moved = [return_of(one) for one in fig.mets]
    return replace(fig, mets=tuple(moved)) if all(moved) else None


def _turned(phrase: Fig, turn: str) -> Fig | None:
    """营收2013到2016复合增长率: the time stands between the figure and its turn."""
    of = phrase.single
    if of is None or phrase.when is None or growth_of(of) is None:
        return None
    return replace(phrase, mets=(f"{of}:{turn}",))


def _beside(one: Fig, other: Fig) -> Fig | None:
    """农行市盈率跟工行比: both companies."""
    if not one.ents or not other.ents or other != Fig(ents=other.ents):
        return None
    return replace(one, ents=(*one.ents, *other.ents))


def _highest(phrase: Fig, direction: str, metric: str) -> Fig | None:
    if ":" in metric or "day" not in had(metric):
        return None
    return phrase.merged(Fig(mets=(metric,), agg="max" if direction == "desc" else "min"))


def _conditions(g: Grammar) -> None:
    g.add("RNG = RNG between2; RNG = between RNG between2; RNG = between RNG; RNG = rel.in RNG between2", lambda *a: next(x for x in a if isinstance(x, tuple)))
    g.add("RNG = AMT rel.to AMT", lambda a, _, b: amounts_between(a, b))
    g.add("RNG = between AMT join|bool.and AMT; RNG = rel.in AMT join|bool.and AMT between2; RNG = between AMT join|bool.and AMT between2; RNG = AMT join|bool.and AMT between2", lambda *a: amounts_between(*(x for x in a if isinstance(x, Amount))))
    g.add("CMP = cmp; CMP = ask.yesno cmp", lambda *a: a[-1])
    g.add("CMP = neg cmp; CMP = except.pre cmp", lambda _, c: p.NOT_SIGN.get(c))
    g.add("TEST = CMP AMT", lambda c, a: (c, a), -STEP)  # a rule of order alone costs nothing
    g.add("TEST = CMP DAYS", lambda c, n: (c, Amount(float(n), "sessions")), -STEP)
    g.add("TEST = AMT postcmp", lambda a, c: (c, a), -STEP)
    g.add("COND = FIG TEST", lambda f, t: p.compare(f, *t))
    g.add("CMP = bool.and|as_well CMP", lambda _, c: c, 0.3)
    g.add("COND = TEST FIG", lambda t, f: p.compare(f, *t), 0.3)
    g.add("COND = AMT cmp FIG cmp AMT", lambda a, c, f, s, b: _on_both_sides(a, c, f, s, b))
    g.add("BOUND = TEST", lambda t: (*t, None))
    g.add("BOUND = AMT", lambda a: (None, a, None))
    g.add("BOUND = RNG", lambda r: (None, *r) if r else None)
    g.add("BOUND = CMP AMT CMP AMT; BOUND = CMP AMT bool.and|COMMA CMP AMT", lambda *a: _two_bounds(a[0], a[1], a[-2], a[-1]))
    g.add("COND = TEST TEST FIG; COND = TEST bool.and|COMMA TEST FIG", lambda *a: p.within_bounds(a[-1], a[0], a[-2]), 0.3)
    g.add("COND = FIG rel.in|between FIG approx AMT; COND = FIG rel.in|between FIG approx AMT postcmp", lambda f, _, o, __, a, *___: worded_tests.near(f, o, a))
    g.add("COND = FIG ask.yesno FIG TEST", lambda f, _, o, t: worded_tests.factor(f, o, *t))
    g.add("COND = FIG rel.in TEST", lambda f, _, t: p.compare(f, *t))
    g.add("COND = AMT FIG postcmp", lambda a, f, c: p.compare(f, c, a), 0.1)
    g.add("COND = idiom", lambda _: worded_tests.below_book())
    g.add("COND = FIG idiom", lambda f, _: p.limited(f, worded_tests.below_book()) if f == Fig(scope=f.scope, ents=f.ents) else None)
    g.add("COND = FIG size FIG", lambda f, c, o: ( p.versus(f, c, o) if f.mets or o.mets else p.versus(replace(f, mets=("market_cap",)), c, o) ))
    g.add("COND = size FIG", lambda c, o: p.versus(Fig(mets=("market_cap",)), c, o) if not o.mets and o.ents else None)
    g.add("COND = AMT FIG", lambda a, f: p.compare(f, "ge", a) if a.scaled and f.mets == ("market_cap",) else None, 0.6)
    g.add("COND = FIG RNG; COND = FIG between RNG; COND = FIG rel.in RNG", lambda *a: p.between(a[0], a[-1]), 0.1)
    g.add("COND = RNG FIG", lambda r, f: p.between(f, r), 0.6)
    g.add("TOLDTEST = CMP told", lambda c, _: p.told_test(Fig(), c))
    g.add("TOLDTEST = FIG CMP told", lambda f, c, _: p.told_test(f, c))
    g.add("TOLDTEST = rel.bi told higher; TOLDTEST = FIG rel.bi told higher", lambda *a: p.told_test(a[0] if isinstance(a[0], Fig) else Fig(), a[-1]))
    g.add("COND = cheap", worded_tests.cheap)
    g.add("SORT = FIG SORT", _ordered_off, 0.1)
    _add_joins(g)


def _add_joins(g: Grammar) -> None:
    """Conditions beside each other, and figures against figures."""
    g.add("COND = COND CMP AMT", bounds_said.again_within)
    g.add("COND = COND bool.and|COMMA|join CMP AMT; COND = COND COMMA bool.and CMP AMT", lambda *a: bounds_said.again_within(a[0], a[-2], a[-1]))
    g.add("COND = COND bool.or TEST", lambda c, _, t: _or_again(c, *t))
    g.add("COND = FIG CMP FIG", lambda f, c, o: p.versus(f, c, o))
    g.add("COND = FIG rel.bi FIG higher", lambda f, _, o, h: p.versus(f, h, o))
    g.add("COND = rel.bi FIG higher", lambda _, o, h: p.versus(Fig(mets=o.mets), h, o) if o.mets and o.ents else None)
    g.add("COND = FIG higher rel.bi FIG", lambda f, h, _, o: p.versus(f, h, o))
    g.add("COND = FIG higher METS rel.bi FIG", lambda f, h, m, _, o: p.versus(f.merged(Fig(mets=m)), h, o) if f.ents and not f.mets else None)  # English: has a higher PE than
    g.add("COND = FIG ask.growth higher rel.bi FIG; COND = FIG higher ask.growth rel.bi FIG", lambda f, *a: worded_tests.grown_more(f, next(x for x in a if x in ("gt", "lt")), a[-1]))
    g.add("COND = FIG CMP AMT FIG", lambda f, c, a, o: worded_tests.times_of(f, c, a, o), -0.5)
    g.add("COND = FIG CMP AMT FIG", lambda f, c, a, o: worded_tests.factor(f, o, c, a) if a.unit == "multiple" and o.ents and (f.ents or f.scope) and o.mets in ((), f.mets) else None, -0.3)
    g.add("COND = FIG CMP part FIG", lambda f, c, n, o: worded_tests.part_of(f, c, float(n), o))
    g.add("COND = FIG rel.bi FIG higher AMT; COND = FIG rel.bi FIG higher AMT postcmp", lambda f, _, o, h, a, *__: worded_tests.factor(f, o, h, a))
    g.add("COND = FIG CMP FIG AMT; COND = FIG CMP FIG AMT postcmp", lambda f, c, o, a, *_: worded_tests.factor(f, o, c, a) if a.unit != "number" else None)
    g.add("COND = loss", lambda s: worded_tests.losing(Fig(), s))
    g.add("COND = absent.pre METRIC; COND = METRIC absent.post", lambda *a: worded_tests.missing(next(x for x in a if x not in ("pre", "post"))), 0.1)
    g.add("COND = absent.given METRIC", lambda _, m: worded_tests.given(m), 0.1)
    g.add("COND = METRIC bool.and COND; COND = METRIC COMMA bool.and COND", lambda m, *a: a[-1] if m == "market_cap" and isinstance(a[-1], Loss) else None, -0.1)  # worth something, yet without a multiple
    g.add("COND = loss WH; COND = loss rel.in WH", lambda s, *w: worded_tests.losing(Fig(when=w[-1]), s), 0.1)
    g.add("COND = FIG loss", lambda f, s: worded_tests.losing(f, s))
    g.add("COND = FIG AMT ask.yesno; COND = FIG AMT COMMA ask.yesno", lambda f, a, *_: worded_tests.claimed(f, a), 0.1)
    g.add("COND = FIG ask.yesno AMT; COND = FIG COMMA ask.yesno AMT", lambda f, *a: worded_tests.claimed(f, a[-1]), 0.1)
    g.add("FIG = FIG loss ask.what", lambda f, s, _: replace(f, mets=("net_profit:lost",)) if s == "loss" and f.ents and not f.mets else None, 0.3)
    g.add("LOST = FIG loss; LOST = FIG loss WH; LOST = FIG loss rel.in WH", lambda f, s, *w: f.merged(Fig(mets=("net_profit:lost",), when=w[-1] if w else None)) if s == "loss" and f.ents and not f.mets else None)
    g.add("COND = LOST rel.bi FIG higher", lambda f, _, o, h: p.versus(f, h, o))
    g.add("COND = LOST cmp FIG", lambda f, c, o: p.versus(f, c, o))
    g.add("COND = loss TEST; COND = FIG loss TEST", lambda *a: worded_tests.lost_so_much(a[0] if isinstance(a[0], Fig) else Fig(), *a[-2:]))
    g.add("COND = FIG negative", lambda f, _: worded_tests.negative(f))
    g.add("COND = negative FIG", lambda _, f: worded_tests.negative(f), 0.1)
    g.add("COND = positive FIG; COND = FIG positive", lambda *a: p.compare(next(x for x in a if isinstance(x, Fig)), "gt", worded_tests.NOUGHT), 0.1)
    g.add("COND = neg loss", lambda _, s: Not(item=Loss()) if s == "loss" else worded_tests.losing(Fig(), "loss"), 0.1)
    g.add("COND = FIG neg loss", lambda f, _, s: worded_tests.losing(f, "profit" if s == "loss" else "loss"), 0.1)
    g.add("COND = COND bool.and|COMMA|join COND; COND = COND COMMA bool.and|join COND", lambda *a: p.together(a[0], a[-1]), 0.1)
    g.add("COND = as_well COND", lambda _, c: c, 0.3)
    g.add("COND = FIG COMMA COND; COND = FIG COND", lambda f, *a: p.grown_beside(f, a[-1]), 0.1)
    g.add("COND = FIG bool.and COND; COND = FIG COMMA bool.and COND", lambda *a: p.grown_and(a[0], a[-1]), 0.5)  # dearer than a move read as one: profit fell and revenue rose
    g.add("COND = COND bool.and FIG; COND = COND COMMA bool.and FIG", lambda *a: p.and_grown(a[0], a[-1]), 0.5)
    g.add("COND = COND COND", p.together, 0.4)
    g.add("COND = COND bool.or COND; COND = COND COMMA bool.or COND", lambda *a: p.alternative(a[0], a[-1]))
    g.add("COND = bool.or COND bool.or COND; COND = bool.or COND COMMA bool.or COND", lambda *a: p.alternative(a[1], a[-1]))
    g.add("COND = except.pre COND", lambda _, c: p.negated(c), 1.0)
    g.add("COND = neg COND", lambda _, c: p.negated(c), 0.5)


def _add_months(g: Grammar) -> None:
    """The years, or the months, at which a price rose or fell: 哪几个月跌了; of years the words must be
    of a price too, for reports fall in years.
    """
    for asked in ("whichyear", "years", *moves.OF_SESSIONS):
        for move in ("move", "pmove"):
            gone = partial(moves.gone_in, asked, is_price=move == "pmove")
            g.add(f"YEARS = FIG ask.{asked} {move}; YEARS = FIG ask.{asked} {move} TEST", lambda f, _, *m, gone=gone: gone(f, *m), 0.1)
            g.add(f"YEARS = ask.{asked} FIG {move}; YEARS = ask.{asked} FIG {move} TEST", lambda _, f, *m, gone=gone: gone(f, *m), 0.1)
            g.add(f"YEARS = ask.{asked} FIG {move} WH; YEARS = ask.{asked} FIG {move} rel.in WH", lambda _, f, m, *w, gone=gone: gone(replace(f, when=w[-1]), m) if f.when is None else None)
            g.add(f"YEARS = ask.{asked} {move}; YEARS = ask.{asked} {move} TEST", lambda _, *m, gone=gone: gone(Fig(), *m), 0.1)
            g.add(f"YEARS = ask.{asked} follow.these {move}; YEARS = ask.{asked} follow.these {move} TEST", lambda _, __, *m, gone=gone: gone(Fig(), *m), 0.1)


def _on_both_sides(low: Any, sign: Any, phrase: Fig, other: Any, high: Any) -> Any:
    """10<PE<20."""
    turned = p.TURNED_SIGN.get(sign)
    one, two = p.compare(phrase, turned, low), p.compare(phrase, other, high)
    return (
        p.together(one, two)
        if turned == {"lt": "gt", "le": "ge"}.get(other) and one and two
        else None
    )


def _two_bounds(sign: Any, amount: Any, other: Any, more: Any) -> Any:
    """大于10小于20, as an edit of the question before."""
    if (sign, other) not in (("gt", "lt"), ("ge", "le")) or amount.value >= more.value:
        return None
    return (None, amount, more)




def _or_again(condition: Any, sign: Any, amount: Any) -> Any:
    more = bounds_said.again(condition, sign, amount)
    return p.alternative(condition, more) if more is not None else None
