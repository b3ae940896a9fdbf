"""One figure against another: differences, multiples, shares, sums, growth between two years."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Literal

from services.core.catalogue import CATALOGUE
from services.query.algebra.nodes import (
    LATEST,
    Across,
    Arith,
    Change,
    Expr,
    Fold,
    Folded,
    In,
    Metric,
    Over,
    Pred,
    Query,
    When,
    both,
    items_of,
)
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import base, is_kin, is_of_days, is_of_years, joined, unit
from services.query.reading.phrases import Fig, Time, dimensions, reference
from services.query.reading.predicates import GAPS, Gap, Relation
from services.query.reading.request import Request
from services.query.reading.shapes import Market, is_of, listed, listed_there, shape, whole
from services.query.reading.shapes_company import companies, needed
from services.query.reading.shapes_group import beside_each_other


def apart(request: Request, market: Market) -> Query:
    """茅台和五粮液谁的市值大，大几倍: of two companies how much lies between them says which."""
    hows: list[Gap] = [how for said, how in GAPS.items() if said in request.asks]
    how = GAPS["mult"] if "mult" in request.asks else hows[0] if len(hows) == 1 else None
    sorts = [one for one in request.orders if one.take is None and not one.skip]
    if how is None or len(sorts) != 1 or request.mets or len(request.orders) != 1:
        raise UnusedError("apart")
    asks = request.asks - GAPS.keys()
    whole_of = Fig(ents=tuple(request.ents), when=request.when).merged(sorts[0].phrase)
    if whole_of is None or len(whole_of.ents) != 2:
        raise UnusedError("apart")
    said = Relation(how, whole_of, None)
    return related(Request(relations=[said], asks=asks), market)


def _check_sides(said: Relation, left: Fig) -> None:
    """Raises: UnusedError for the ratio to a loss, and where what stands behind 和 is another
    figure than that before it (营收和|净利润是五粮液的几倍).
    """
    right = said.right or Fig()
    if (
        right.ents
        and replace(right, mets=right.mets or left.mets, when=right.when or left.when) == left
    ):
        raise UnusedError("against itself")
    if any(one.endswith(":lost") for one in (*left.mets, *right.mets)):
        raise UnusedError("below nought")
    if said.left == Fig() and right.ents and right.mets not in ((), left.mets):
        raise UnusedError("of another figure")


def related(request: Request, market: Market) -> Query:
    """A relation with what the rest of the question says of its left side."""
    if len(request.relations) != 1:
        raise UnusedError("relations")
    said = request.relations[0]
    rest = replace(request.phrase, series=None)
    left = said.left
    rest = replace(rest, mets=() if rest.mets == left.mets else rest.mets)
    if rest != Fig():
        merged = rest.merged(left)
        if merged is None:
            raise UnusedError("relation")
        left = merged
    is_bare = not left.mets and left.when is not None and said.right is None
    if is_bare and len(left.ents) == 2 and said.how != "div":
        left = replace(left, mets=("close:ret",))  # 两只今年差了几个点: how far each went
    _check_sides(said, left)
    if left.series or (said.right is not None and said.right.series):
        raise UnusedError("series")
    if left.ents:
        left, right = _of_its_set(said, left, market) or against_peers(said, left)
        said = replace(said, right=right)
    if said.right is None:
        is_of_sets = left.apart and not (left.ents or left.peer)
        return (_of_two_sets if is_of_sets else _within_one)(said, left, market)
    right = said.right
    if said.how == "rate" and any(map(is_of_days, left.mets)):  # 股价跟2012年底比: how far it went
        said = replace(said, how="excess")
    if said.how == "rate":
        return _grown(left, right)
    return _each_of_two(said, left, right, market)


def _of_its_set(said: Relation, left: Fig, market: Market) -> tuple[Fig, Fig] | None:
    """食品饮料里茅台市值占多少: of what all of that set come to; None of other relations.

    Raises: UnusedError.
    """
    if said.how != "percent" or said.right is not None:
        return None
    sets = items_of(left.scope)
    if not sets or not all(is_of(one, within, market) for one in left.ents for within in sets):
        raise UnusedError("share of others")
    return replace(left, scope=None), Fig(scope=left.scope)


def against_peers(said: Relation, left: Fig) -> tuple[Fig, Fig | None]:
    """Both sides: 在行业里高还是低, among its industry, its market or those of an industry, is
    against the median of those.
    """
    is_among = left.peer is not None or dimensions(left.scope) == {"industry"}
    if said.right is not None or said.how != "sub" or not is_among:
        return left, said.right
    right = Fig(peer=left.peer, scope=left.scope, agg=left.agg or "median")
    return replace(left, peer=None, scope=None, agg=None), right


def _in_one_market(left: Fig, symbols: Sequence[str], market: Market) -> Fig:
    """国寿跟平安，A股市值差多少: of their shares there."""
    scope = left.scope
    if not isinstance(scope, In) or scope.dim != "market" or len(scope.values) != 1:
        return left
    there = listed_there(symbols, scope, market)
    return replace(left, ents=tuple((one,) for one in there), scope=None)


def _within_one(said: Relation, left: Fig, market: Market) -> Query:
    """Both sides in one phrase: two companies, two figures, or two ends of a time."""
    symbols = listed(left.ents)
    if len(symbols) == 1 and isinstance(left.scope, In) and said.how != "add":  # A股和H股差多少
        there = listed_there(symbols, left.scope, market)
        left = replace(left, ents=tuple((one,) for one in (*symbols, *there)), scope=None)
        symbols = listed(left.ents)
    else:
        left = _in_one_market(left, symbols, market)
        symbols = listed(left.ents)
    if said.how == "add" and len(symbols) > 1 and len(left.mets) == 1 and not left.scope:
        of = needed(left.mets[0], replace(left, ents=(), mets=()))
        return Query(scope=companies(symbols), fold=(Folded(how="sum", of=of),))
    if left.scope is not None or left.agg or left.peer:
        raise UnusedError("relation of one")
    if len(symbols) == 2 and len(left.mets) == 1:
        return _arith(said, replace(left, ents=left.ents[:1]), Fig(ents=left.ents[1:]))
    if len(left.mets) == 2 and len(symbols) == 1:
        first, second = left.mets
        return _arith(said, replace(left, mets=(first,)), Fig(mets=(second,)))
    ends = _ends(left)
    if said.how == "div" and left.mets == ("close",) and len(symbols) == 1:  # 今年股价翻了几倍
        rate = needed("close:ret", replace(left, ents=(), mets=()))
        if isinstance(rate, Change):
            times = rate.but(how="multiple")
            return Query(scope=companies(symbols), show=(times, rate))
    if said.how in ("sub", "div", "excess") and len(symbols) == 1 and len(left.mets) == 1 and ends:
        name = left.mets[0]
        if ":" in name:
            raise UnusedError("relation of growth")
        changes = tuple(
            Change(how=_CHANGES[how], of=name, since=ends[0], until=ends[1])
            for how in (said.how, *said.also)
        )
        both_ends = tuple(Metric(id=name, when=one) for one in ends)  # 各是多少，变化了多少
        return Query(scope=companies(symbols), show=(*changes, *both_ends))
    raise UnusedError("relation of one")


def _of_two_sets(said: Relation, left: Fig, market: Market) -> Query:
    """沪市和深市总市值各多少，差多少: the fold of each set and what lies between."""
    if len(left.mets) != 1:
        raise UnusedError("figures")
    of = needed(left.mets[0], replace(left, ents=(), mets=(), scope=None, agg=None))
    adds = isinstance(of, Metric) and CATALOGUE[of.id].additive
    how = left.agg or ("sum" if adds else None)
    if how is None or said.how == "rate":
        raise UnusedError("sets")
    sets = beside_each_other(whole(left.scope, market), None, [Folded(how=how, of=of)]).show
    if len(sets) != 2:
        raise UnusedError("sets")
    gaps = tuple(gap_of(one, *sets) for one in (said.how, *said.also))
    return _row(*gaps, *sets)


def sets_apart(request: Request, market: Market) -> Query:
    """沪市和深市总市值各多少，差多少; 沪市和深市市盈率中位数比: what lies between."""
    asked: list[Gap] = [GAPS[one] for one in request.asks & GAPS.keys()] or ["sub"]
    if not request.apart or len(asked) > 1:
        raise UnusedError("between whom")
    return _of_two_sets(Relation(asked[0], Fig(), None), request.phrase, market)


# What lies between two ends of a time, as a change.
_CHANGES: Mapping[str, Literal["difference", "multiple", "rate"]] = {
    "sub": "difference", "div": "multiple", "excess": "rate",
}  # fmt: skip


def _ends(phrase: Fig) -> tuple[When, When] | None:
    """The first and the last year of a time of several; up to the newest where it has no end."""
    when = phrase.when.periods if phrase.when else None
    if when is not None and when.kind == "lastn" and phrase.when is not None:
        when = _reported_within(phrase.when) if all(map(is_of_years, phrase.mets)) else None
    if when is None or when.kind != "years" or when.first is None:
        return None
    if when.last is None:
        return When(kind="years", first=when.first, last=when.first), LATEST
    if when.first == when.last:
        return None
    one = When(kind="years", first=when.first, last=when.first)
    return one, When(kind="years", first=when.last, last=when.last)


def _reported_within(time: Time) -> When | None:
    """四年增加了多少亿: from the last report before those years to the last report in them."""
    days = time.days
    if days is None or not isinstance(days.first, date) or not isinstance(days.last, date):
        return None
    return When(kind="years", first=days.first.year - 1, last=days.last.year - 1)


def _grown(left: Fig, right: Fig) -> Query:
    """2016年比2013年增长多少: one figure of one company, two years."""
    if len(left.mets) != 1 or right != Fig(when=right.when) or left.agg or left.scope:
        raise UnusedError("growth")
    until, since = left.when.periods if left.when else When(), right.when and right.when.periods
    name = base(left.mets[0])
    if until is None or since is None or not is_of_years(name) or len(left.ents) != 1:
        raise UnusedError("growth")
    if since.kind != "years" or until.first != until.last or since.first != since.last:
        raise UnusedError("growth")
    if until.kind == "quarters" and isinstance(until.first, date):
        since = _same_report(until.first, since, said=left.when is None or left.when.year_said)
    elif until.kind not in ("years", "latest"):
        raise UnusedError("growth")
    if joined(name):  # of a quotient of two figures: how far apart they are
        now, then = (needed(name, Fig(when=Time(periods=one))) for one in (until, since))
        return Query(scope=companies(listed(left.ents)), show=(gap_of("sub", now, then), now, then))
    how = "difference" if unit(name) == "percent" else "rate"  # of percentages: in points
    change = Change(how=how, of=name, since=since, until=until)
    ends = tuple(Metric(id=name, when=one) for one in (until, since))
    return Query(scope=companies(listed(left.ents)), show=(change, *ends))


def _same_report(day: date, year: When, *, said: bool) -> When:
    """第三季度和去年比: the same report of that year, or of the year before one that nobody said.

    Raises: UnusedError.
    """
    if not isinstance(year.first, int) or (said and year.first >= day.year):
        raise UnusedError("growth")
    same = day.replace(year=min(year.first, day.year - 1))  # none ends on 29 February
    return When(kind="quarters", first=same, last=same)


def _two(said: Relation, left: Fig, right: Fig, market: Market) -> Query:
    if not left.mets and right.mets:
        left = replace(left, mets=right.mets, when=left.when or right.when)
    if len(left.mets) != 1:
        raise UnusedError("figures")
    left, right = _among_named(left, right)
    is_set = left.scope is not None and not left.ents
    if is_set or (len(left.ents) > 1 and left.agg == "sum" and not (left.scope or left.peer)):
        return _sets(said, left, right, market)
    if not left.ents or left.scope is not None or left.peer:
        raise UnusedError("whose")
    if said.how == "percent" and not right.ents and (right.scope is not None or right.peer):
        return _share(left, right, market)
    right = _its_listing(left, right, market)
    if right.scope is not None and not right.agg and not right.ents:
        raise UnusedError("of the set")
    if right.mets and right.when and not left.when and left.mets != right.mets:
        left = replace(left, when=right.when)
    return _arith(said, left, right, market)


def _among_named(left: Fig, right: Fig) -> tuple[Fig, Fig]:
    """工行、建行市值最高和最低: of several that were named the extremes are of them as a set."""
    is_fold = len(left.ents) > 1 and left.agg in ("max", "min") and right.agg and not left.scope
    if not is_fold:
        return left, right
    of = companies(listed(left.ents))
    return replace(left, ents=(), scope=of), replace(right, scope=right.scope or of)


def _its_listing(left: Fig, right: Fig, market: Market) -> Fig:
    """中国平安A股市值跟H股: the share of the same company in the market that was said."""
    where = right.scope
    if len(left.ents) != 1 or not isinstance(where, In) or right.agg or right.ents:
        return right
    if where.dim != "market":
        return right
    there = listed_there(listed(left.ents), where, market)
    return replace(right, ents=tuple((one,) for one in there), scope=None)


def _each_of_two(said: Relation, left: Fig, right: Fig, market: Market) -> Query:
    """茅台营收和净利润分别是五粮液的几倍: each figure against its like."""
    if len(left.mets) < 2 or right != Fig(ents=right.ents):
        return _two(said, left, right, market)
    each = [_two(said, replace(left, mets=(one,)), right, market) for one in left.mets]
    if len({(one.scope, one.rows) for one in each}) > 1:
        raise UnusedError("figures")
    show = dict.fromkeys(shown for one in each for shown in one.show)
    return each[0].but(show=tuple(show))


def _arith(said: Relation, left: Fig, right: Fig, market: Market | None = None) -> Query:
    if said.how == "rate":
        raise UnusedError("growth")
    if not is_kin(left.mets[0], (right.mets or left.mets)[0]):
        raise UnusedError("units")
    symbols = listed(left.ents)
    if len(symbols) != 1:
        raise UnusedError("companies")
    one = needed(left.mets[0], replace(left, ents=(), mets=()))
    other = reference(right, left)
    if other is None or one == other:
        raise UnusedError("other side")
    if isinstance(other, Across) and other.within is not None and market is not None:
        other = other.but(within=whole(other.within, market))
    made = tuple(gap_of(how, one, other) for how in (said.how, *said.also))
    return Query(scope=companies(symbols), show=(*made, one, other))


def gap_of(
    how: Literal["add", "sub", "mul", "div", "percent", "excess"], one: Expr, other: Expr
) -> Arith:
    """How much lies between. 低几成 is the difference in per cent of the other."""
    if how != "excess":
        return Arith(how=how, left=one, right=other)
    return Arith(how="percent", left=Arith(how="sub", left=one, right=other), right=other)


def set_apart(
    how: Literal["add", "sub", "mul", "div", "percent", "excess"], one: Expr, other: Expr
) -> tuple[Expr, ...]:
    """How much lies between, and both."""
    return gap_of(how, one, other), one, other


def _around(right: Fig, left: Fig, market: Market) -> Pred:
    """The set a share is of: the one named, or the industry or market of them all; of a set the
    market that was said with it, else the one spoken of.
    """
    if right.scope is not None:
        return whole(right.scope, market)
    if right.peer == "market" and not left.ents:
        own = [one for one in items_of(left.scope) if isinstance(one, In) and one.dim == "market"]
        return own[0] if own else market.whole
    rows = [market.book.row(one) for one in listed(left.ents)]
    if right.peer == "market" and len({one.market for one in rows}) == 1:
        return In(dim="market", values=(rows[0].market,))
    if right.peer == "industry" and len({(one.market, one.industry) for one in rows}) == 1:
        return market.industry(rows[0].symbol)
    raise UnusedError("share of what")


def _share(left: Fig, right: Fig, market: Market) -> Query:
    """茅台市值占行业的比重: of the whole of a set."""
    if right.agg not in (None, "sum") or right.mets not in ((), left.mets) or left.agg:
        raise UnusedError("share")
    part = needed(left.mets[0], replace(left, ents=(), mets=()))
    if right.peer:
        all_of = Across(how="sum", of=part, own=right.peer)
    else:
        all_of = Across(how="sum", of=part, within=whole(right.scope, market))
    show = (Arith(how="percent", left=part, right=all_of), part)
    return Query(scope=companies(listed(left.ents)), show=show)


def _sets(said: Relation, left: Fig, right: Fig, market: Market) -> Query:
    """银行市值占A股的比重, 银行市盈率中位数比保险高多少, 万科和保利市值加起来是茅台的几倍: of sets,
    or of several companies together; a row of no company.
    """
    of = needed(left.mets[0], Fig(when=left.when))
    is_other = right.mets not in ((), left.mets) or right.when not in (None, left.when)
    if isinstance(of, Over) or said.how == "rate" or is_other:
        raise UnusedError("sets")
    folds: tuple[Fold, Fold] = ("sum", "sum")
    if said.how == "percent" and left.agg in (None, "sum") and not right.ents:
        if right.agg not in (None, "sum"):
            raise UnusedError("share")
        withins = _part_and_whole(left, right, market)
    else:
        folds, right = _folds_of(left, right, of)
        withins = _members(left, market), _members(right, market)
        if right.peer or (len(right.ents) == 1 and folds != ("sum", "sum")):
            raise UnusedError("sets")
    pairs = zip(folds, withins, strict=True)
    one, other = (Across(how=fold, of=of, within=within) for fold, within in pairs)
    return _row(*(gap_of(how, one, other) for how in (said.how, *said.also)), one, other)


def _folds_of(left: Fig, right: Fig, of: Expr) -> tuple[tuple[Fold, Fold], Fig]:
    """What is made of each side's figures, and the other side: 银行总市值是白酒的几倍 is of what
    adds up the total; 平均市净率和中位数差多少 of the same set.
    """
    if right == Fig(agg=right.agg, mets=right.mets) and right.agg and left.agg != right.agg:
        right = replace(right, scope=left.scope)
    adds = isinstance(of, Metric) and CATALOGUE[of.id].additive
    fold = left.agg or right.agg or ("sum" if adds else None)
    if fold is None:
        raise UnusedError("sets")
    return (fold, right.agg or fold), right


def _members(phrase: Fig, market: Market) -> Pred:
    """The companies of one side. Raises: UnusedError where they are no set and not summed."""
    if phrase.ents and phrase.scope is None and (len(phrase.ents) == 1 or phrase.agg == "sum"):
        return companies(listed(phrase.ents))
    if phrase.scope is None or phrase.ents:
        raise UnusedError("sets")
    return whole(phrase.scope, market)


def _part_and_whole(left: Fig, right: Fig, market: Market) -> tuple[Pred, Pred]:
    """What has a share, and the set it is a share of."""
    around = _around(right, left, market)
    if left.scope is None:
        return companies(listed(left.ents)), around
    if around == whole(replace_label(left.scope), market):
        raise UnusedError("share of itself")  # finer than the source, or the same set
    is_placed = "market" in dimensions(left.scope) or right.scope is not None
    among = left.scope if is_placed else both(around, left.scope)
    return whole(among, market), around


def replace_label(scope: Pred) -> Pred:
    """A set without what it is called: 白酒 where the source has food and drink alone."""
    return scope.but(label=None) if isinstance(scope, In) else scope


def _row(*show: Expr) -> Query:
    return Query(rows="one", show=show)


SHAPES = (
    shape("relations", "ents scope when mets agg peer", related),
    shape("orders ask.diff | orders ask.mult | orders ask.excess", "ents when", apart),
    shape(
        "scope mets ask.diff | scope mets ask.mult | scope mets agg mark.bi",
        "agg apart when ask.diff ask.excess",
        sets_apart,
    ),
)
