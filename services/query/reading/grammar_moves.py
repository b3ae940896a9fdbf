"""The rules of orders, moves and relations: one line each."""

# Meanings of phrases are of as many kinds as phrases: what stands at a place is known by its category.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# ruff: noqa: E501 — one rule a line
# fmt: off

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from services.query.reading import moves, times_joined, worded_tests
from services.query.reading import predicates as p
from services.query.reading.against_told import add_against_told
from services.query.reading.chart import STEP, Grammar
from services.query.reading.figures_said import base, growth_of, unit
from services.query.reading.grammar_left_out import add_gone, add_left_out
from services.query.reading.phrases import Amount, Fig, Time, is_one_day
from services.query.reading.phrases_said import at_edge, fig_in

_RATIOS = frozenset({"multiple", "percent", "price", "per_share"})
_HIGHER = ("gt", "lt", "desc", "asc")
_PRICE_MOVES: Mapping[str, str] = {"up": "close:ret", "down": "close:fall"}


def _add_tests_of_groups(g: Grammar) -> None:
    """What holds of an industry as a whole: its fold, how many companies it has."""
    g.add("HAVING = FIG TEST", lambda f, t: p.fold_test(f, *t))
    g.add("HAVING = CMP COUNT", lambda c, n: p.count_test(c, n), 0.2)
    g.add("HAVING = COUNT postcmp", lambda n, c: p.count_test(c, n), 0.2)
    g.add("HAVING = count CMP AMT; HAVING = count CMP COUNT", lambda _, c, n: p.count_test(c, n if isinstance(n, int) else _plain_count(n)), 0.2)


def _merge_moves(one: Fig, *others: Fig) -> Fig | None:
    found: Fig | None = one
    for other in others:
        found = found.merged(other) if found is not None else None
    return found


def _in_each(phrase: Fig, *said: Any) -> Any:
    """净利润一直在涨, always above 25% between 2012 and 2016."""
    test = next(one for one in said if isinstance(one, tuple))
    each = replace(phrase, series=None).merged(Fig(series="series", when=said[-1] if isinstance(said[-1], Time) else None))
    return moves.in_each_year(each, *test) if each is not None else None


def add_moves(g: Grammar) -> None:
    """What holds year after year, growths, doublings, and sessions at which something holds."""
    g.add("YEARTEST = TEST", lambda t: t, -STEP)
    g.add("YEARTEST = move; YEARTEST = move TEST", lambda m, t=("gt", None): (*t, m), -STEP)
    g.add("YEARTEST = loss; YEARTEST = neg loss", lambda *said: moves.loss_test(*said), 0.7)
    g.add("EVERY = ask.series; EVERY = always; EVERY = inrow; EVERY = EVERY ask.series; EVERY = ask.series always", lambda *_: "series", -STEP)
    g.add("ATOM = inrow ask.series; ATOM = always ask.series", lambda *_: Fig(series="series"), 0.3)
    g.add("EACH = ask.series WH; EACH = ask.series rel.in WH; EACH = WH ask.series", lambda *a: moves.each_year(next(x for x in a if not isinstance(x, str))))
    g.add("COND = RUN FIG YEARTEST", lambda n, f, t: moves.every_year(n, f, *t))
    g.add("COND = FIG RUN YEARTEST", lambda f, n, t: moves.every_year(n, f, *t))
    for every in ("EACH", "RUN"):  # English says how long behind what holds
        g.add(f"COND = FIG YEARTEST {every}", lambda f, t, n: moves.every_year(n, f, *t), 0.1)
    g.add("COND = FIG EVERY YEARTEST; COND = FIG YEARTEST EVERY; COND = FIG EVERY YEARTEST WH; COND = FIG EVERY YEARTEST rel.in WH; COND = FIG YEARTEST EVERY WH; COND = FIG YEARTEST EVERY rel.in WH", _in_each, 0.1)
    g.add("COND = FIG move METS EACH", lambda f, m, mets, n: moves.moved_every_year(n, replace(f, mets=mets), m) if not f.mets else None, 0.1)
    g.add("COND = FIG YEARTEST", lambda f, t: moves.in_each_year(f, *t))
    g.add("COND = FIG YEARTEST ask.yesno", lambda f, t, _: moves.in_each_year(f, *t), -1.0)
    g.add("COND = WH COND", moves.in_those_years, 0.1)
    g.add("COND = FIG move", moves.moved, 0.6)
    g.add("COND = FIG gone", lambda f, m: moves.moved(f if f.mets else replace(f, mets=("close",)), m), -1.5)
    g.add("move = bool.and move", lambda _, m: m, 0.3)  # 净利润却下滑
    g.add("ONCE = ever|ask.whichyear YEARTEST; ONCE = YEARTEST ever|past", lambda *a: next(x for x in a if isinstance(x, tuple)), -0.5)
    g.add("YEARS = FIG ONCE; YEARS = FIG ONCE WH; YEARS = FIG ONCE rel.in WH", lambda f, t, *w: moves.in_some_year(f.merged(Fig(when=w[-1])) if w else f, *t))
    g.add("YEARS = FIG ask.whichyear double", lambda f, _, d: moves.moved_in_years(f, "up", "ge", moves.by_times(d)))
    g.add("COND = pmove TEST", lambda m, t: moves.moved_by(Fig(mets=("close",)), m, *t))
    g.add("COND = FIG pmove TEST", lambda f, m, t: moves.moved_by(replace(f, mets=("close",)), m, *t) if not f.mets else None)
    g.add("COND = FIG move TEST", lambda f, m, t: moves.moved_by(f, m, *t))
    for move in ("move", "pmove"):  # English says when behind what went: fell 20% this year
        g.add(f"COND = {move} TEST WH", lambda m, t, w: moves.moved_by(Fig(mets=("close",), when=w), m, *t), 0.1)
    _add_turns(g)
    _add_tests_of_groups(g)
    _add_days(g)
    g.add("FIG = FIG ask.which move ordsup|higher", lambda f, *_: _moves_of(f))


def _add_days(g: Grammar) -> None:
    """Sessions at which something holds: what holds of each of them, before or behind what asks."""
    days, up = "ask.days|ask.daylist", "move|pmove"
    g.add("HOLDS = FIG TEST", lambda f, t: moves.day_test(f, *t), -STEP)
    g.add(f"HOLDS = {up} TEST; HOLDS = FIG {up} TEST; HOLDS = FIG FALL TEST", lambda *a: moves.day_test(_phrase_in(a).merged(Fig(mets=(_PRICE_MOVES.get(a[-2], "close:fall"),))), *a[-1]), -STEP)
    g.add("HOLDS = swing|bothways TEST; HOLDS = FIG swing|bothways TEST", lambda *a: moves.either_day(_phrase_in(a), *a[-1]), -0.5)
    g.add(f"HOLDS = {up}; HOLDS = FIG {up}", lambda *a: moves.gone_days(_phrase_in(a), a[-1]), -STEP)
    g.add(f"HOLDS = FIG {up} FIG {up}; HOLDS = FIG {up} bool.and|COMMA FIG {up}", lambda f, m, *a: moves.parted_days(f, m, a[-2], a[-1]))
    g.add("ATLIMIT = limitmove; ATLIMIT = FIG limitmove", lambda *a: worded_tests.limit_days(_phrase_in(a), a[-1]), -STEP)
    g.add("HOLDS = ATLIMIT", lambda h: h, -STEP)
    g.add("COND = ATLIMIT follow.ne; COND = follow.ne ATLIMIT", lambda *a: next((x.test for x in a if isinstance(x, p.DayTest) and x.phrase == Fig()), None))
    g.add("COND = move|pmove follow.ne; COND = follow.ne move|pmove", lambda *a: made.test if (made := moves.gone_days(Fig(), next(x for x in a if x != "ne"))) else None)
    for kind, held in ((days, "HOLDS"), ("count|ask.whichday", "ATLIMIT")):
        g.add(f"DAYQ = {held} {kind}; DAYQ = {held} agg.sum {kind}", lambda h, *k: p.on_days(h, k[-1]))
        g.add(f"DAYQ = {kind} {held}; DAYQ = FIG {kind} {held}", lambda *a: p.on_days(a[-1], a[-2], _phrase_in(a)))
    g.add(f"DAYQ = ask.whichday FIG {up} bool.and|COMMA FIG {up}", lambda _, f, m, __, o, n: moves.parted_days(f, m, o, n), 0.1)
    g.add("DAYQ = lastclose TEST", lambda _, t: p.on_days(moves.day_test(Fig(mets=("close",)), *t), (1, 0, True)))
    g.add("DAYQ = OCCASION ATLIMIT; DAYQ = ATLIMIT OCCASION", lambda *a: p.on_days(*sorted(a, key=lambda x: isinstance(x, tuple))))
    g.add("COND = FIG limitmove", worded_tests.at_limit)
    g.add("COND = limitmove WH", lambda m, w: worded_tests.at_limit(Fig(when=w), m), 0.1)


def _phrase_in(said: tuple[object, ...]) -> Fig:
    """The noun phrase a rule begins with, if it does."""
    return said[0] if isinstance(said[0], Fig) else Fig()


def _add_turns(g: Grammar) -> None:
    """Doublings, losses that became profits, revenue and profit that parted, double digits."""
    g.add("COND = FIG rel.bi FIG double", lambda f, _, o, d: moves.doubled(f, o, d))
    g.add("COND = FIG double", lambda f, d: moves.doubled(f, None, d), 0.3)
    g.add("COND = double FIG", lambda d, f: moves.doubled(f, None, d), 0.4)
    g.add("COND = FIG turned", moves.turned)
    g.add("COND = parted", lambda m: moves.parted(Fig(), m))
    g.add("COND = FIG parted", moves.parted, 0.1)
    g.add("COND = FIG digits", lambda f, _: p.compare(f, "ge", Amount(10.0, "number")))


def add_orders(g: Grammar) -> None:
    """Orders, places, the first so many, and what is left out."""
    add_left_out(g)
    _add_which_of_set(g)
    g.add("SORT = FIG sup", lambda f, s: p.sorted_by(f, s))
    g.add("SORT = sup FIG", lambda s, f: p.sorted_by(f, s), 0.3)  # 市值最大的那家，净利润多少: not the highest profit
    _add_picked(g)
    g.add("SORT = FIG sup join|bool.or|COMMA|bool.and sup; SORT = FIG sup sup", lambda f, *a: _both(f, a[0], a[-1]))
    g.add("SORT = sup join|bool.and sup FIG", lambda a, _, b, f: _both(f, a, b))
    g.add("SORT = FIG dir; SORT = order.by FIG dir; SORT = order.by FIG dir order.sort; SORT = FIG dir order.sort", lambda *a: p.sorted_by(fig_in(a), next(x for x in a if x in ("asc", "desc")), is_list=True))
    g.add("SORT = order.by FIG order.sort; SORT = order.by FIG; SORT = FIG order.sort; SORT = order.sort order.by FIG; SORT = FIG ask.what order.sort", lambda *a: p.sorted_by(fig_in(a), None), 0.3)
    g.add("SORT = order.by FIG sup; SORT = order.by FIG sup order.sort", lambda *a: p.sorted_by(a[1], a[2]))
    g.add("SORT = FIG ask.which higher|ordsup; SORT = ask.which FIG higher|ordsup; SORT = ask.which higher FIG", lambda *a: _which(fig_in(a), next(x for x in a if x in _HIGHER)))
    g.add("SORT = FIG ask.which FIG higher|ordsup", lambda f, _, o, h: _which(_merge_moves(f, o), h))
    g.add("FIG = FIG rel.bi WH ask.growth|ask.ret", lambda f, _, w, __: p.grown_from(f, w), 0.1)
    g.add("FIG = FIG ask.growth|ask.ret rel.bi WH", lambda f, _, __, w: p.grown_from(f, w), 0.1)
    g.add("COND = FIG peer ordsup|order.sort TOP; COND = FIG rel.in peer ordsup|order.sort TOP; COND = FIG peer ask.rank TOP", lambda *a: p.placed_within(fig_in(a), "industry" if "industry" in a else "market", a[-1]), 0.1)
    for asked in ("which", "whichyear", "whichday", "whichquarter"):
        g.add(f"SORT = ask.{asked} higher|sup", lambda _, h, asked=asked: p.Sort(Fig(), "asc" if h in ("lt", "asc") else "desc", is_time=asked != "which"), 0.3)
    g.add("SORT = ask.which ask.growth higher|sup|ordsup", lambda _, __, h: p.Sort(Fig(), "asc" if h in ("lt", "asc") else "desc", is_growth=True))
    g.add("SORT = ask.which move higher|ordsup", lambda _, m, h: p.Sort(Fig(), "desc" if (m == "up") is (h in ("gt", "desc")) else "asc", is_growth=True), 0.3)
    g.add("SORT = ask.which agg higher|sup|ordsup", lambda _, agg, h: p.Sort(Fig(agg=agg), "asc" if h in ("lt", "asc") else "desc"))
    # 谁更便宜 sets them against each other; 便宜 alone is against the industry of each.
    g.add("SORT = ask.which cheap|cheaper; SORT = cheaper ask.which", lambda *a: p.Sort(Fig(mets=("pe_ttm",)), "asc" if "low" in a else "desc", is_price=True))
    g.add("SORT = FIG yearmove; SORT = FIG rel.in yearmove; SORT = yearmove FIG; SORT = yearmove rel.in FIG", lambda *a: _growth_sort(fig_in(a), next(x for x in a if x in ("asc", "desc"))))
    g.add("SORT = NUM sup FIG", lambda n, s, f: _top(f, s, n), 0.2)
    g.add("SORT = best", p.best)
    g.add("SORT = sup loss; SORT = loss sup", lambda *a: p.sorted_by(Fig(mets=("net_profit:lost",)), next(x for x in a if x != "loss")) if "loss" in a and "both" not in a else None, 0.1)
    g.add("SORT = BIGS FIG; SORT = FIG BIGS", lambda *a: _top(fig_in(a), "desc", next(x for x in a if isinstance(x, int))), 0.2)
    g.add("COUNT = cmp COUNT", lambda c, n: n if c == "le" else None, 0.4)  # 最多给我五家
    _add_places(g)
    g.add("MORE = more.page", lambda _: 0)
    g.add("MORE = more COUNT|NUM|TOP", lambda _, n: n)
    g.add("SUPN = NUM sup; SUPN = TOP sup; SUPN = sup COUNT; SUPN = sup NUM; SUPN = sup TOP", lambda a, b: (a, b) if isinstance(a, int) else (b, a))
    g.add("SORT = FIG TOP", lambda f, t: _top(f, None, t), 0.9)
    g.add("SORT = TOP FIG", lambda t, f: _top(f, None, t), 0.9)
    g.add("SORT = FIG order.sort TOP", lambda f, _, t: _top(f, "desc", t), 0.1)
    g.add("SORT = TOP sup FIG", lambda t, s, f: _top(f, s, t), 0.2)
    add_gone(g)
    g.add("DROP = except METRIC; DROP = except METRIC noun; DROP = except METRIC limit", lambda _, m, *__: m, 0.2)
    g.add("DROP = METRIC limit except.post|except.pre; DROP = ba METRIC limit except.post|except.pre", lambda *a: a[-3])
    g.add("DROP = lift METRIC; DROP = lift METRIC limit", lambda _, m, *__: m)
    g.add("DROP = lift noun|peer.industry; DROP = lift noun|peer.industry limit; DROP = except noun|peer.industry limit", lambda *_: "industry")
    g.add("ORD = order.sort ORD; TOP = order.sort TOP", lambda _, o: o)
    g.add("order = order.sort follow.these", lambda s, _: s, 0.2)  # sort what's left by PB
    g.add("dir = order.sort dir; dir = order.by dir", lambda _, d: d, 0.2)


def _add_picked(g: Grammar) -> None:
    """The one of those told that is so: the cheapest of the five, 市值最大的那家."""
    g.add("PICK = sup|ordsup", lambda s: p.Sort(Fig(), s, is_row=True))
    g.add("PICK = dear", lambda s: p.Sort(Fig(), s, is_row=True, is_price=True), -0.4)
    g.add("PICK = bigsup", lambda s: p.Sort(Fig(), s, is_row=True, is_size=True), -0.3)
    for word, by in (("dear", "is_price"), ("bigsup", "is_size")):
        g.add(f"SORT = ask.which {word}; SORT = {word} ask.which", lambda *a, by=by: replace(p.Sort(Fig(), next(x for x in a if x != "which"), is_row=True), **{by: True}), -0.1)
    g.add("SORT = ask.which bigger; SORT = bigger ask.which", lambda *a: p.Sort(Fig(), next(x for x in a if x != "which"), is_row=True, is_size=True), 0.6)
    g.add("SORT = PICK row COUNT|NUM; SORT = PICK oneof COUNT|NUM; SORT = PICK oneof follow.these COUNT|NUM", lambda s, *a: replace(s, take=a[-1]), -0.3)
    g.add("PICK = FIG sup|ordsup", lambda f, s: replace(made, is_row=True) if (made := p.sorted_by(f, s)) else None)
    g.add("SORT = PICK row", lambda s, _: s, -0.2)
    g.add("SORT = oneof SORT", lambda _, s: s if s.is_row and s.phrase == Fig() else None, -1.2)  # English: the profit of the cheapest one


def _add_which_of_set(g: Grammar) -> None:
    """Which bank has the higher yield, A or B; which airline is cheaper; whether one is the first."""
    g.add("SORT = ask.yesno SORT; SORT = SORT ask.yesno", lambda *a: replace(s, is_asked=True) if (s := next(x for x in a if isinstance(x, p.Sort))).direction and s.phrase.mets and not (s.is_time or s.take) else None, -1.6)
    g.add("SORT = FIG ask.yesno FIG sup; SORT = FIG ask.yesno sup; SORT = ask.yesno FIG sup", lambda *a: worded_tests.first_asked(_merge_moves(*(one for one in a if isinstance(one, Fig))), a[-1]), -1.6)
    g.add("SORT = ask.which FIG higher FIG", lambda _, s, h, f: _which(f.merged(s), h) if s == Fig(scope=s.scope) and f.scope is None else None)
    g.add("SORT = whichgroup FIG higher|ordsup; SORT = whichgroup higher FIG; SORT = whichgroup higher order.by FIG", lambda group, *a: replace(s, group=group) if (s := _which(fig_in(a), next(x for x in a if x in _HIGHER))) else None, -0.3)
    for asked in ("ask.which", "whichgroup"):  # 哪个估值便宜，看市净率中位数: by the figure that is said with it
        g.add(f"SORT = {asked} several higher FIG; SORT = {asked} several higher order.by FIG", lambda which, said, h, *f: replace(s, group=None if which == "which" else which) if said == "pe_ttm pb" and (s := _which(f[-1], h)) else None)
    g.add("SORT = ask.which FIG cheap|cheaper", lambda _, s, way: _which(replace(s, mets=("pe_ttm",)), "lt" if way == "low" else "gt") if s == Fig(scope=s.scope) else None, -0.1)


def _add_places(g: Grammar) -> None:
    """The third, the third to fifth, the place within an industry."""
    g.add("SORT = order.sort|ask.rank FIG order.by FIG", lambda _, f, __, by: p.sorted_by(m, None, is_list=True) if f == Fig(scope=f.scope) and (m := by.merged(f)) else None, 0.1)  # English: sort A-share banks by P/E
    g.add("SORT = FIG ask.whichyear ask.growth sup", lambda f, _, __, s: _growth_sort(f, s))
    g.add("SORT = bigsup", lambda s: p.Sort(Fig(mets=("market_cap",)), s), 0.6)
    g.add("SORT = NUM bigsup", lambda n, s: p.Sort(Fig(mets=("market_cap",)), s, take=n), 0.6)
    g.add("SORT = bigsup COUNT", lambda s, n: p.Sort(Fig(mets=("market_cap",)), s, take=n), 0.1)
    g.add("SORT = ORD bigplace", lambda o, s: p.placed(Fig(mets=("market_cap",)), o, s), 0.6)
    g.add("SORT = FIG ORD ordsup", lambda f, o, s: p.placed(f, o, s))
    g.add("SORT = FIG ordsup ORD", lambda f, s, o: p.placed(f, o, s))
    g.add("SORT = ORD sup FIG; SORT = ORD ordsup FIG", lambda o, s, f: p.placed(f, o, s))
    g.add("SORT = FIG ORD", lambda f, o: p.placed(f, o, "desc"), 0.5)
    g.add("PLACES = ORD rel.to ORD", lambda a, _, b: (a[0], b[0]) if a[0] < b[0] and not (a[1] or b[1]) else None)
    g.add("PLACES = ORD join|bool.and|COMMA ORD; PLACES = ORD ORD", lambda a, *b: (a[0], b[-1][0]) if a[0] + 1 == b[-1][0] and not (a[1] or b[-1][1]) else None)
    g.add("SORT = PLACES sup FIG; SORT = PLACES ordsup FIG", lambda o, s, f: p.placed(f, (o[0], False), s, o[1]))
    g.add("FIG = FIG order.sort ATOM", lambda f, _, w: f.merged(w) if f.mets and w in (Fig(scope=w.scope), Fig(peer=w.peer)) else None, 0.2)
    g.add("COND = FIG ORD", lambda f, o: p.placed_within(replace(f, peer=None), f.peer, 1) if f.peer and o == (1, False) else None, 0.3)
    g.add("PLACED_IN = FIG CMP ask.share SET", lambda f, c, _, s: p.ahead_of(f, c, s))
    g.add("PLACED = ORD ordsup|sup", lambda o, s: (o[0], s) if not o[1] else None, 0.5)
    g.add("SORT = sup join|bool.and best", lambda s, _, b: replace(made, direction="both") if (made := p.best(b)) and s != made.direction else None, -0.5)
    g.add("SORT = sup ask.daily move|pmove", lambda s, _, m: p.best(f"pct_change-{'desc' if m == 'up' else 'asc'}") if s == "desc" else None, -1.0)
    g.add("SORT = sup best", lambda s, b: p.best(b) if s == "desc" else None, 0.1)
    g.add("SORT = TOP best; SORT = NUM best", lambda t, b: p.best(b, t), 0.1)
    g.add("SORT = best TOP; SORT = best NUM", lambda b, t: p.best(b, t), 0.1)


def _both(phrase: Fig, one: str, other: str) -> Any:
    made = p.sorted_by(phrase, "desc") if one != other else None
    return replace(made, direction="both") if made else None


def _moves_of(f: Fig) -> Fig | None:
    """招行和万科今年谁涨得多: how far each went; the answer says which went higher."""
    return replace(f, mets=("close:ret",)) if len(f.ents) > 1 and f.mets in ((), ("close",)) else None


def _which(phrase: Fig | None, higher: str) -> Any:
    if phrase is None or not phrase.mets:
        return None
    made = p.sorted_by(phrase, "desc" if higher in ("gt", "desc") else "asc")
    return replace(made, is_between=True) if made is not None else None


def _growth_sort(phrase: Fig, direction: Any) -> Any:
    if len(phrase.mets) != 1 or growth_of(phrase.mets[0]) is None:
        return None
    return p.sorted_by(replace(phrase, mets=(f"{phrase.mets[0]}:yoy",)), direction)


def _top(phrase: Fig, direction: Any, count: int) -> Any:
    if phrase.mets == ("close:fall",):  # 跌幅前十
        direction = direction or "desc"
    made = p.sorted_by(phrase, direction)
    return replace(made, take=count) if made else None


def _are_opposite(said: tuple[object, ...]) -> bool:
    """高于还是低于, above or below: which of the two is what is asked."""
    ways = [{"gt": 1, "ge": 1, "lt": -1, "le": -1}.get(str(one)) for one in said]
    return sorted(one for one in ways if one is not None) == [-1, 1]


def _apart(how: Any, left: Fig, right: Fig) -> Any:
    """Two figures of one row are a figure themselves (`figures_said.join_figures`)."""
    is_of_row = len(left.mets) == 1 and right == Fig(mets=right.mets) and bool(right.mets)
    return None if is_of_row else p.Relation(how, left, right)


def _plain_count(amount: Any) -> float | None:
    """超过100: a bare number."""
    return amount.value if amount.unit == "number" and not (amount.vague or amount.scaled) else None


def _of_like(how: Any, left: Fig, right: Fig) -> Any:
    """The ratio of A's profit to B's: of two companies the same figure."""
    is_other = bool(left.mets and right.ents and right.mets) and left.mets != right.mets
    return None if is_other else p.Relation(how, left, right)


def _of_told(left: Fig, right: Fig) -> Any:
    """占这四家总市值多少: of what those told come to together."""
    is_plain = right == Fig(mets=right.mets, agg=right.agg) and right.agg in (None, "sum")
    return p.Relation("percent", left, replace(right, agg="sum")) if is_plain else None


def _are_times(*phrases: Fig) -> bool:
    """两家市净率几倍: each is so many times; nobody asked for a quotient."""
    return any(unit(one) == "multiple" for phrase in phrases for one in phrase.mets)


def _are_two_times(*phrases: Fig) -> bool:
    """How many times 2012 was 2016: of what was told."""
    return all(phrase.when and phrase == Fig(when=phrase.when) for phrase in phrases)


def _adds_up(*phrases: Fig) -> bool:
    """Amounts of money and numbers add up; 格力市净率，加上美的 is one company more."""
    is_time = any(one == Fig(when=one.when) for one in phrases)  # 比亚迪也要五年
    return not is_time and all(unit(one) not in _RATIOS for phrase in phrases for one in phrase.mets)


def _gained(now: Fig, *against: Any) -> Any:
    """2016年比2015年增加了多少亿, 四年增加了多少亿: over the years said."""
    if not against[:-1]:
        return p.Relation("sub", now, None) if now.when and now.when.is_many_years else None
    then = against[1]
    return p.Relation("sub", now, then) if then == Fig(when=then.when) else None


def _asked_also(relation: Any, gaps: tuple[Any, ...]) -> Any:
    """高多少，倍数和百分比都说: more of the same two, none of it twice."""
    each = (relation.how, *relation.also, *gaps)
    is_apart = {*each} <= {"sub", "div", "excess"} and len({*each}) == len(each)
    return replace(relation, also=each[1:]) if is_apart else None


def _of_two(sort: Any, asked: Any) -> Any:
    """哪个低，低多少: of two companies how much lies between them."""
    if len(sort.phrase.ents) != 2 or sort.take is not None:
        return None
    return p.Relation("excess" if asked == "excess" else "sub", sort.phrase, None)


def add_relations(g: Grammar) -> None:
    """One figure against another."""
    r = p.Relation
    add_against_told(g)
    g.add("ask = ask.diff ask.excess; ask = ask.excess ask.diff", lambda *_: "excess", 0.5)
    g.add("ask = join peer.industry rel.bi; ask = join only peer.industry rel.bi", lambda *_: "peers", 0.1)
    g.add("REL = FIG join FIG rel.bi; REL = FIG ask.what join FIG rel.bi", lambda f, *a: r("rate", f, a[-2]) if a[-2] == Fig(when=a[-2].when) else None, 0.2)
    for asked, how in p.GAPS.items():
        _add_gap_between(g, asked, how)
    g.add("REL = ask.diff FIG rel.bi FIG order.by FIG", lambda _, f, __, o, ___, by: r("sub", by.merged(f), o) if by == Fig(mets=by.mets) and not f.mets else None)
    g.add("REL = FIG CMP bool.or cmp FIG; REL = FIG cmp postcmp FIG; REL = FIG higher bool.or higher rel.bi FIG", lambda f, *a: r("sub", f, a[-1]) if _are_opposite(a) and not isinstance(a[-1], str) else None, 0.2)
    g.add("REL = REL bool.and ask.what; REL = REL COMMA ask.what; REL = REL ask.what", lambda a, *_: a if a.how == "sub" else None)
    g.add("REL = FIG cmp FIG ask.what|ask.diff", lambda f, c, o, _: r("sub", f, o) if c in ("gt", "lt") and (o.ents or o.peer) else None)
    g.add("REL = FIG rel.bi FIG ask.growth; REL = FIG rel.bi FIG ask.ret", lambda f, _, o, __: r("rate", f, o), 0.1)
    g.add("REL = WH rel.bi WH; REL = WH rel.div WH", lambda w, _, o: r("rate", Fig(when=w), Fig(when=o)) if w.is_one_year and o.is_one_year else None, 0.8)
    g.add("REL = FIG ask.gain; REL = FIG rel.bi FIG ask.gain", _gained)
    g.add("REL = FIG ask.growth rel.bi FIG", lambda f, _, __, o: r("rate", f, o) if o == Fig(when=o.when) else None, 0.1)
    g.add("REL = FIG join FIG ask.diff; REL = FIG join FIG ask.what ask.diff", lambda f, _, o, *__: _of_like("sub", f, o), 0.3)
    g.add("REL = REL ask.diff; REL = REL COMMA ask.diff", lambda a, *_: a if a.how == "sub" else None)
    g.add("REL = SORT COMMA ask.diff|ask.excess; REL = SORT ask.diff|ask.excess; REL = SORT bool.and ask.diff|ask.excess; REL = SORT COMMA bool.and ask.diff|ask.excess", lambda s, *k: _of_two(s, k[-1]))
    g.add("REL = FIG ask.diff", lambda f, _: r("sub", f, None), 0.3)
    g.add("REL = FIG ask.excess", lambda f, _: r("excess", f, None), 0.4)
    g.add("REL = rel.zhan count ask.share; REL = rel.zhan FIG count ask.share", lambda _, *a: r("percent", Fig(), w) if (w := (a[0] if isinstance(a[0], Fig) else Fig()).merged(Fig(agg="count"))) else None)
    g.add("REL = rel.zhan FIG ask.share; REL = rel.zhan FIG rel.in ask.share", lambda _, f, *__: r("percent", Fig(), f), 0.2)
    g.add("REL = rel.zhan follow.these ask.what|ask.share; REL = rel.zhan follow.these FIG ask.what|ask.share", lambda _, __, *f: _of_told(Fig(), f[0] if f[1:] else Fig()), 0.1)
    g.add("REL = FIG rel.zhan follow.these ask.what|ask.share; REL = FIG rel.zhan follow.these FIG ask.what|ask.share", lambda f, _, __, *o: _of_told(f, o[0] if o[1:] else Fig()), 0.1)
    g.add("REL = rel.zhan FIG", lambda _, f: r("percent", Fig(), f) if f in (Fig(scope=f.scope), Fig(peer=f.peer)) else None, 0.4)
    g.add("REL = FIG rel.shi FIG ask.mult; REL = FIG rel.shi|rel.bi FIG rel.shi ask.mult", lambda f, _, o, *__: r("div", f, o))
    g.add("REL = FIG join FIG ask.mult; REL = FIG join FIG rel.shi ask.mult", lambda f, _, o, *__: None if _are_times(f, o) else _of_like("div", f, o))
    g.add("REL = FIG ask.mult FIG", lambda f, _, o: r("div", f, o) if (f.mets or o.ents or o.scope or _are_two_times(f, o)) and not _are_times(o) else None)
    g.add("REL = FIG ask.mult", lambda f, _: None if _are_times(f) or f == Fig(ents=f.ents[:1]) else r("div", f, None), 0.4)  # 是五粮液的几倍, 五粮液是它的几倍: 是 says which way
    g.add("REL = FIG rel.zhan FIG ask.share; REL = FIG rel.zhan FIG", lambda f, _, o, *__: _apart("percent", f, o))
    g.add("SORT = SUPN FIG", lambda n, f: _top(f, n[1], n[0]), 0.5)
    g.add("SORT = FIG SUPN", lambda f, n: _top(f, n[1], n[0]), 0.2)
    g.add("REL = FIG ask.share", lambda f, _: r("percent", f, None) if f.ents and f == Fig(f.ents, f.scope, f.when, f.mets) and p.dimensions(f.scope) & {"industry", "board", "symbol"} else None, 0.2)  # 食品饮料里茅台市值占多少
    g.add("REL = FIG rel.shi FIG ask.share", lambda f, _, o, __: r("percent", f, o))
    g.add("REL = rel.to REL", lambda _, said: said if said.left.when else None, 0.2)  # 到2016年是2012年的几成
    _add_arithmetic(g)
    _add_gaps(g)
    _add_between_prices(g)
    _add_of_two(g)


def _add_gap_between(g: Grammar, asked: str, how: p.Gap) -> None:
    """How far apart two are: A比B高多少; 和13年相比，16年少了多少, of what is named last."""
    r = p.Relation
    g.add(f"REL = FIG rel.bi FIG ask.{asked}; REL = FIG join FIG rel.bi ask.{asked}", lambda f, _, o, *__: r(how, f, o))
    g.add(f"REL = FIG ask.{asked} rel.bi FIG; REL = ask.{asked} FIG rel.bi FIG", lambda *w: r(how, fig_in(w), w[-1]))
    g.add(f"REL = join FIG rel.bi FIG ask.{asked}", lambda _, o, __, f, ___: r(how, f, o), -0.3)


def _add_of_two(g: Grammar) -> None:
    """The ratio, and the difference, of two that are joined."""
    r = p.Relation
    g.add("REL = FIG rel.zhan ask.share FIG", lambda f, _, __, o: r("percent", f, o))
    g.add("REL = FIG join FIG ask.share", lambda f, _, o, __: r("div", f, o), 0.4)
    g.add("REL = ask.share FIG join FIG; REL = ask.share FIG rel.to FIG", lambda _, f, __, o: _of_like("div", f, o), 0.4)
    g.add("REL = ask.diff FIG join FIG", lambda _, f, __, o: _of_like("sub", f, o), 0.4)
    g.add("REL = ask.diff WH; REL = ask.excess WH", lambda how, w: r(p.GAPS[how], Fig(when=w), None), 0.3)
    g.add("REL = ask.diff FIG", lambda _, f: r("sub", f, None) if len(f.ents) == 2 and f.mets else None, 0.4)
    g.add("REL = ask.diff FIG; REL = ask.diff FIG rel.shi follow.these", lambda _, f, *__: r("sub", Fig(), f) if f == Fig(peer=f.peer, scope=f.scope, agg=f.agg) and (f.peer or f.agg) else None, 0.3)
    g.add("REL = ask.diff FIG cmp FIG", lambda _, f, c, o: r("sub", f, o) if o.peer or o.agg or o.ents else None)


def _add_between_prices(g: Grammar) -> None:
    """从2015年6月高点到8月低点跌了多少: from one price to another; what is asked of them says how."""
    r = p.Relation
    g.add("POINT = PEAK", _as_price)
    g.add("POINT = WH; POINT = WH METRIC", lambda w, *m: Fig(mets=m, when=w) if m in ((), ("close",)) and is_one_day(w) else None)
    g.add("POINTS = POINT rel.to POINT; POINTS = away|since|between POINT rel.to POINT", lambda *a: _between_points(a[-3], a[-1]))
    g.add("POINTS = WHEN away|since edge rel.to POINT", lambda w, _, e, __, to: (Fig(mets=("close",), when=at_edge(w, e)), replace(to, when=w)) if not to.when and at_edge(w, e) else None)  # 15年从年初到最高点
    g.add("REL = FROM ask.mult; REL = PEAK now ask.mult", lambda e, *_: r("div", Fig(mets=("close",), when=times_joined.NOW), _as_price(e)))
    g.add("REL = POINTS", lambda s: r("excess", s[1], s[0]), 0.5)
    for said, how in (("ret", "excess"), ("mult", "div"), ("diff", "sub"), ("excess", "excess")):
        g.add(f"REL = POINTS ask.{said}; REL = ask.{said} POINTS", lambda *a, how=how: r(how, *next(x for x in a if isinstance(x, tuple))[::-1]))
    g.add("REL = POINTS FALL; REL = FALL POINTS", lambda *a: r("excess", *next(x for x in a if isinstance(x, tuple))[::-1]))


def _as_price(peak: Fig) -> Fig:
    """A highest or lowest to measure from, as the price it was."""
    return replace(peak, mets=(base(peak.mets[0]),), agg="max" if peak.mets == ("close:off",) else None)


def _between_points(one: Fig, other: Fig) -> tuple[Fig, Fig] | None:
    """Of days alone it is a span; of times both or none say theirs."""
    if not (one.mets or other.mets) or bool(one.when) != bool(other.when):
        return None
    priced = (replace(each, mets=each.mets or ("close",)) for each in (one, other))
    return next(priced), next(priced)


def _add_gaps(g: Grammar) -> None:
    """What more is asked of the same two, and how far apart the ends of several are."""
    r = p.Relation
    for said, how in (*((f"ask.{one}", how) for one, how in p.GAPS.items()), ("inpercent", "excess")):
        g.add(f"GAPS = {said}; GAPS = rel.shi {said}", lambda *_, how=how: (how,))
    g.add("GAPS = GAPS join|COMMA|bool.and GAPS", lambda a, _, b: (*a, *b))
    g.add("ask = rel.shi ask.times", lambda *_: "times")  # 市盈率是几倍: no multiple of another
    g.add("REL = REL COMMA|bool.and|join GAPS; REL = REL COMMA bool.and GAPS", lambda a, *k: _asked_also(a, k[-1]))
    g.add("END = sup; END = sup row", lambda s, *_: s)
    g.add("WIDEST = widest", lambda _: ("sub", "max", "min"))
    for asked, way in p.GAPS.items():
        g.add(f"WIDEST = END join|bool.and|rel.bi END ask.{asked}; WIDEST = END rel.shi END ask.{asked}", lambda a, _, b, __, way=way: _ends(way, a, b))
        g.add(f"WIDEST = ask.{asked} END join|bool.and|rel.bi END", lambda _, a, __, b, way=way: _ends(way, a, b))
    for asked, way in p.GAPS.items():  # 是最小的几倍, of those told
        g.add(f"REL = rel.shi|rel.bi END ask.{asked}; REL = ask.{asked} END follow.these", lambda *a, way=way: r(way, Fig(), Fig(agg="max" if "desc" in a else "min")), 0.2)
    g.add("REL = FIG WIDEST; REL = WIDEST rel.in FIG", lambda *a: _widest(fig_in(a), next(x for x in a if isinstance(x, tuple))))
    g.add("REL = WIDEST", lambda w: r(w[0], Fig(agg=w[1]), Fig(agg=w[2])), 0.1)  # of those told


def _ends(how: str, one: str, other: str) -> tuple[str, str, str] | None:
    folds = {"desc": "max", "asc": "min"}
    return (how, folds[one], folds[other]) if one != other else None


def _widest(phrase: Fig, ends: Any) -> Any:
    """银行市盈率最高和最低差多少."""
    how, one, other = ends
    is_of_several = phrase.agg is None and (phrase.scope or len(phrase.ents) > 1)
    if not is_of_several:
        return None
    return p.Relation(how, replace(phrase, agg=one), Fig(scope=phrase.scope, agg=other))


def _add_arithmetic(g: Grammar) -> None:
    """Figures by signs and their words, and summed."""
    r = p.Relation
    g.add("REL = FIG rel.div|rel.slash FIG; REL = FIG rel.div|rel.slash FIG ask.share", lambda f, _, o, *__: _apart("div", f, o) if o.mets or o.ents or o.scope or o.agg else None)
    g.add("REL = FIG rel.mul FIG", lambda f, _, o: _apart("mul", f, o))
    g.add("REL = FIG rel.minus FIG", lambda f, _, o: _apart("sub", f, o))
    g.add("REL = FIG rel.plus FIG; REL = FIG add FIG", lambda f, _, o: _apart("add", f, o) if _adds_up(f, o) else None)
    g.add("REL = FIG ask.sum2", lambda f, _: r("add", f, None) if len(f.ents) > 1 else None, 0.2)
    g.add("REL = ask.sum2 FIG", lambda _, f: r("add", f, None) if len(f.ents) > 1 else None, 0.2)
    g.add("REL = FIG join FIG ask.sum2", lambda f, _, o, __: r("add", f, o), 0.9)
