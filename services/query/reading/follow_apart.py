"""How far what was told lies from something else: from another that was spoken of, from what its
peers come to, from the fold of a set; and its place among those.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from services.query.algebra.nodes import (
    Across,
    Arith,
    Change,
    Compare,
    Const,
    Expr,
    Folded,
    In,
    Metric,
    Order,
    Own,
    Pred,
    Query,
    Rank,
    When,
    both,
    items_of,
    walk,
)
from services.query.algebra.scopes import named_symbols
from services.query.reading.chart import Edge
from services.query.reading.errors import UnusedError
from services.query.reading.figures_compared import asked_beside, compared
from services.query.reading.figures_said import base, is_kin
from services.query.reading.figures_told import (
    companies_of,
    is_of_companies,
    of_two_sets,
    rows_as_set,
    set_told,
    time_of,
    two_years,
)
from services.query.reading.follow_groups import of_one_group
from services.query.reading.follow_peaks import two_extremes
from services.query.reading.follow_rows import fold_around, pick_row, share_of_row
from services.query.reading.lists_told import POINTING, told_list
from services.query.reading.phrases import Fig, dimensions, owned, said_as
from services.query.reading.predicates import GAPS, Gap, Relation, negated
from services.query.reading.request import Request
from services.query.reading.set_gathered import natural_order
from services.query.reading.shapes import Market, listed, whole
from services.query.reading.shapes_company import companies, needed
from services.query.reading.shapes_place import RANKED
from services.query.reading.shapes_relation import against_peers, gap_of, set_apart

_MOST_GAPS, _SIDES = 3, 2


def between(request: Request, before: Sequence[Query], market: Market) -> Query:
    """两者相差多少, 市净率差百分之几: of two companies spoken of, or of what was told."""
    figures = request.mets
    asked: list[Gap] = [GAPS[one] for one in request.asks & GAPS.keys()]
    if len(asked) != 1:
        raise UnusedError("relation")
    (how,) = asked
    if not figures and not request.ents and (told := _sides_told(before)) is not None:
        return _gaps(how, *told)
    of_each = [(symbol, one) for one in before for symbol in companies_of(one) if len(one.show) > 0]
    count = len(companies_of(before[-1]))  # 差多少, behind three: nobody knows between which
    pair = list(dict(of_each[-2:]).items()) if count == 1 else of_each[-max(count, _SIDES) :]
    if request.ents:
        pair = _one_named(request, _sized(before) if how == "div" else before[-1])
    if len(pair) != _SIDES or pair[0][0] == pair[1][0]:
        raise UnusedError("between whom")
    (symbol, one), (another, other) = pair
    sides: list[tuple[Expr, Expr]] = []
    for expr in _ask_of_both(one, other, figures):
        theirs = owned(expr, another)
        if theirs is None or getattr(expr, "company", None) or getattr(expr, "of", None) == symbol:
            raise UnusedError("between what")
        sides.append((expr, theirs))
    return _gaps(how, [symbol], sides)


# What lies between two, as relations say it.
GAPS_SAID: Mapping[str, Gap] = {one: one for one in GAPS.values()}


def _sides_told(
    before: Sequence[Query],
) -> tuple[Sequence[str] | None, Sequence[tuple[Expr, Expr]]] | None:
    """The two values that were told, and of whom; None where it is to be made of two companies."""
    if (sets := of_two_sets(before)) is not None:
        return None, [(sets.show[0], sets.show[1])]
    found = _sides_checked(before[-1]) or _beside_told(before) or _two_times(before)
    found = found or two_extremes(before)
    whose = companies_of(before[-1]) or companies_of((before[-2:] or before)[0])
    return (whose, [found]) if found is not None else None


def _one_named(request: Request, last: Query) -> list[tuple[str, Query]]:
    """腾讯是它的几倍, 和五粮液差多少: one that is named now, and the one that was spoken of."""
    now, spoken = listed(request.ents), companies_of(last)
    pair = [(one, last) for one in (*now, *spoken)]
    return pair[::-1] if "and" in request.marks else pair


def _sized(before: Sequence[Query]) -> Query:
    """How many times as big is Google, behind how both grew: by what it was that grew."""
    whose = companies_of(before[-1])
    alike = [one for one in before if companies_of(one) == whose and one.show]
    plain = [one for one in alike if not any(isinstance(expr, Change) for expr in one.show)]
    return (plain or before)[-1]


def _gaps(how: Gap, symbols: Sequence[str] | None, sides: Sequence[tuple[Expr, Expr]]) -> Query:
    """How much lies between each two, with both; `symbols` None: two figures of no company."""
    shown: list[Expr] = []
    for left, right in sides:
        shown += set_apart(how, left, right)
    if symbols is None:
        return Query(rows="one", show=tuple(shown))
    return Query(scope=companies(symbols), show=tuple(shown))


def _sides_checked(last: Query) -> tuple[Expr, Expr] | None:
    """What a yes or no set against each other: by how much, behind whether one is cheaper."""
    test = last.check
    if len(companies_of(last)) != 1:
        return None
    if test is None and len(last.show) == _SIDES and isinstance(last.show[1], Across):
        return last.show[0], last.show[1]  # beside the median of its industry
    if not isinstance(test, Compare) or isinstance(test.right, Const):
        return None
    return test.left, test.right


def _two_times(before: Sequence[Query]) -> tuple[Expr, Expr] | None:
    """The one figure told of two times, by the last answer or the last two, the later one first:
    少了多少.
    """
    told = [expr for query in before[-2:] for expr in query.show if isinstance(expr, Metric)]
    if before[-1].rows == "years" and len(before[-1].show) == 1 and (years := two_years(before)):
        ends = [When(kind="years", first=one, last=one) for one in sorted(years, reverse=True)]
        now, then = (told[-1].but(when=one) for one in ends)
        return now, then
    told.sort(key=lambda expr: str(expr.when.first or "9"), reverse=True)
    kinds = {expr.when.kind for expr in told}
    is_dated = kinds == {"years"} or ("days" in kinds and kinds <= {"days", "latest"})
    is_of_one = {companies_of(one) for one in before[-2:]} == {companies_of(before[-1])}
    if not is_of_one or [len(one.show) for one in before[-2:]] != [1, 1] or len(told) != _SIDES:
        return None
    is_told = is_dated and told[0].id == told[1].id and told[0] != told[1]
    return (told[0], told[1]) if is_told else None


def _beside_told(before: Sequence[Query]) -> tuple[Expr, Expr] | None:
    """The figure of one company told behind the fold of a set, or before it, and that fold."""
    if not before[1:]:
        return None
    told, of = (before[-2], before[-1]) if before[-2].fold else (before[-1], before[-2])
    value = value_told(told)
    is_alike = value is not None and of.show == (value[0],) and len(companies_of(of)) == 1
    return value if is_alike else None


def _ask_of_both(one: Query, other: Query, figures: Sequence[str]) -> Sequence[Expr]:
    if one.rows != "companies" or other.rows != "companies" or one.check or other.check:
        raise UnusedError("rows")
    shared = [expr for expr in one.show if expr in other.show]
    if figures:
        wanted = [
            expr for expr in shared if isinstance(expr, Metric) and [expr.id] == list(figures)
        ]
        shared = wanted or ([needed(figures[0], Fig())] if len(figures) == 1 else [])
    if not 0 < len(shared) <= _MOST_GAPS:
        raise UnusedError("which figure")
    return shared


def is_of_another(parts: Sequence[Edge]) -> bool:
    """是五粮液的几倍, and not 五粮液是它的几倍: what was spoken of is told in the one named."""
    if [(part.cat, part.sem) for part in parts[1:]] != [("ask", "mult")] or parts[0].cat != "FIG":
        return False
    named = parts[0].leaves
    return [one.cat for one in named] == ["ENT"] and named[-1].end == parts[1].leaves[0].start


def value_told(last: Query) -> tuple[Expr, Expr] | None:
    """The one fold told last: what it is of, and its value; None of that of each industry."""
    if len(last.fold) != 1 or last.fold[0].of is None or last.show or last.group:
        return None
    how, of = last.fold[0].how, last.fold[0].of
    return of, Across(how=how, of=of, within=rows_as_set(last))


def against_value(said: Relation, last: Query) -> Query:
    """现价比它高多少, behind a mean over days; 招行比它高多少, behind the median of a set: a figure
    against the one value told. Raises: UnusedError.
    """
    right = said.right or Fig()
    is_told_left = said.left == Fig()
    now = right if is_told_left else said.left
    if said.how not in GAPS_SAID or now == Fig() or Fig() not in (said.left, right):
        raise UnusedError("against what")
    found = value_told(last)
    if found is not None:
        (mine, told), symbols = found, listed(now.ents)
        names = (mine.id,) if isinstance(mine, Metric) else ()
        is_alike = now == Fig(ents=now.ents, mets=now.mets) and now.mets in ((), names)
    elif len(now.mets) == len(last.show) == 1 and (of := said_as(last.show[0])) is not None:
        symbols, told = companies_of(last), last.show[0]
        mine = needed(now.mets[0], replace(now, mets=()))
        is_alike = now == Fig(mets=now.mets, when=now.when) and is_kin(now.mets[0], base(of[0]))
    else:
        raise UnusedError("against what")
    if not is_alike or len(symbols) != 1 or mine == told:
        raise UnusedError("against what")
    left, right = (told, mine) if is_told_left else (mine, told)
    return Query(scope=companies(symbols), show=set_apart(GAPS_SAID[said.how], left, right))


def list_told(before: Sequence[Query]) -> Query | None:
    """The list of companies, or the row of one, that was told last; None behind anything else."""
    last = before[-1]
    is_list = last.rows == "companies" and not (last.group or last.fold or is_of_companies(last))
    is_some = last.take is not None or last.where is not None or last.first is not None
    return (last if last.take else told_list(before)) if is_list and is_some else None


def fold_of_the_others(request: Request, before: Sequence[Query], market: Market) -> Query:
    """And the average without those, behind those of a set above 3: of the set without them, of the
    figure that was folded before. Raises: UnusedError where no such list was told.
    """
    rows = list_told(before)
    if rows is None or rows.group or rows.less:
        raise UnusedError("without whom")
    folded = [one for one in before if one.fold and not one.group and one.scope == rows.scope]
    whole = folded[-1] if folded else rows.but(where=None, order=(), take=None)
    told = whole.fold[0].of if whole.fold else next(iter(compared(rows.where)), None)
    of = needed(request.mets[0], Fig()) if request.mets else told
    asked = request.agg is not None or request.count
    gone = both(*(one for one in items_of(rows.where) if one not in items_of(whole.where)))
    left = negated(gone) if gone is not None and not (rows.take or rows.first) else None
    if not asked or len(request.mets) > 1 or left is None:
        raise UnusedError("fold of what")
    fold = Folded(how="count") if request.count else Folded(how=request.agg or "mean", of=of)
    return Query(scope=whole.scope, where=both(whole.where, left), fold=(fold,))


def share_of_one(request: Request, last: Query) -> Query | None:
    """And Moutai, behind the share that a set has of a whole: the share that company has of it;
    None behind anything else.
    """
    share = last.show[0] if last.rows == "one" and last.show else None
    if not isinstance(share, Arith) or share.how != "percent" or len(request.ents) != 1:
        return None
    part, whole = share.left, share.right
    if not (isinstance(part, Across) and isinstance(whole, Across)):
        return None
    if part.how != "sum" or part.of != whole.of:
        return None
    shown = set_apart("percent", part.of, whole)
    return Query(scope=companies(listed(request.ents)), show=shown)


def each_placed(request: Request, told: Query, market: Market) -> Query:
    """食品饮料市值第三的是谁，它市盈率在行业里排第几: the place of each by that figure."""
    asked = {"ask.rank", "mets", "when", "peer", "scope", "direction", "mark.way"}
    if request.said - POINTING - asked:
        raise UnusedError("place of what")
    of = _figure_of(Fig(mets=tuple(request.mets), when=request.when), told)
    own, within = _peers(request.peer, request.scope, told, market)
    rank = Rank(of=of, within=within, own=own, direction=request.way)
    return _shown(told, rank, of, Across(how="count", of=of, within=within, own=own))


def place_in_list(request: Request, last: Query) -> Query:
    """招商银行排第几, behind a list by a figure: its place among all of those, in that order."""
    shown = tuple(Order(by=one) for one in last.show) if is_of_companies(last) else ()
    orders = last.order or shown or natural_order(last.where)  # of those named, by their figure
    by = orders[0].by if len(orders) == 1 else None
    is_plain = last.rows == "companies" and not (last.group or last.first or last.less)
    if request.said - POINTING - {"ask.rank", "ents"} or not is_plain or by is None:
        raise UnusedError("place in what")
    within = both(last.scope, last.where)
    rank = Rank(of=by, within=within, direction=orders[0].direction)
    among = Across(how="count", of=by, within=within)
    return Query(scope=companies(listed(request.ents)), show=(rank, by, among))


def each_against(said: Relation, told: Query, market: Market) -> Query:
    """…，它市盈率是行业中位数的几倍, how far below the median is it: each against its peers."""
    left, beside = against_peers(said, said.left)
    right = beside or Fig()
    is_of_peers = right == Fig(
        peer=right.peer, scope=right.scope, agg=right.agg, mets=right.mets, when=right.when
    )
    if said.how == "rate" or not is_of_peers or not (right.agg or right.peer):
        raise UnusedError("against what")
    if left != Fig(mets=left.mets, when=left.when) or (right.mets and right.mets != left.mets):
        raise UnusedError("against what")
    of, theirs = beside_peers(left, right, told, market)
    return _shown(told, *(gap_of(how, of, theirs) for how in (said.how, *said.also)), of, theirs)


def each_beside(request: Request, told: Query, market: Market) -> Query:
    """它们的市盈率和行业中位数比: each with that of its peers."""
    left = Fig(mets=tuple(request.mets), when=request.when)
    right = Fig(peer=request.peer, scope=request.scope, agg=request.agg)
    return _shown(told, *beside_peers(left, right, told, market))


def beside_peers(left: Fig, right: Fig, told: Query, market: Market) -> tuple[Expr, Across]:
    """A figure of each row, and what it comes to among its peers. Raises: UnusedError."""
    of = _figure_of(left, told)
    own, within = _peers(right.peer, right.scope, told, market)
    return of, Across(how=right.agg or "median", of=of, own=own, within=within)


def _shown(told: Query, *shown: Expr) -> Query:
    return told.but(show=tuple(dict.fromkeys(shown)))


def _figure_of(phrase: Fig, told: Query) -> Metric | Change:
    """The figure said, or the one the list is in the order of, or its condition is of."""
    if phrase.when is not None and not phrase.mets:
        raise UnusedError("when")
    told_of = [one.by for one in told.order if one.by is not None] or compared(told.where)
    told_of = list(told.show) if is_of_companies(told) else told_of
    told_of = [beside] if (beside := asked_beside(told)) is not None else told_of
    found = [needed(one, Fig(when=phrase.when)) for one in phrase.mets] or told_of
    of = found[0] if len(set(found)) == 1 else None
    if not isinstance(of, Metric | Change):
        raise UnusedError("which figure")
    return of


def _peers(
    peer: Own | None, scope: Pred | None, told: Query, market: Market
) -> tuple[Own | None, Pred | None]:
    """Among whom: the set that was said, the industry or the market of each; else the list's own
    set, which its industry is where the list is of one.
    """
    if scope is not None and peer is not None:
        raise UnusedError("scope")
    sets = both(*(one for one in items_of(told.scope) if isinstance(one, In)))
    if scope is not None:
        return None, whole(scope, market)
    if peer is not None and not (peer == "industry" and "industry" in dimensions(sets)):
        return peer, None
    return None, sets


def relate_row(request: Request, before: Sequence[Query], market: Market) -> Query:
    """最便宜那只比中位数低多少, 里面最大那只又占板块多少: one row of those told, with its figure
    against a fold, or as a share. Raises: UnusedError.
    """
    share = Relation("percent", Fig(), Fig(scope=request.scope, peer=request.peer))
    (said, *others) = request.relations or [share]
    last = before[-1]
    base = set_told(last) if last.rows == "one" or last.fold else last
    row = _row_asked(request, before, base, market)
    by = row.order[0].by if row.order else None
    if others or by is None or said.left != Fig() or is_of_companies(row):
        raise UnusedError("row against what")
    if said.how == "percent":
        return share_of_row(row, said.right or Fig(), market, base)
    if said.how not in GAPS_SAID or said.right is None:
        raise UnusedError("row against what")
    other = _of_another(said.right, by) or _fold_told(said.right, by, last)
    other = other or _fold(said.right, by, told_list((*before[:-1], base)), market)
    return row.but(show=set_apart(GAPS_SAID[said.how], by, other))


def _row_asked(request: Request, before: Sequence[Query], base: Query, market: Market) -> Query:
    """第二名, of those told in their order; 最便宜那只."""
    if request.place is None:
        return pick_row(Request(orders=request.orders, marks=request.marks), before, market)
    if request.rows_placed is None or not base.order or base.rows != "companies":
        raise UnusedError("place of what")
    return base.but(take=request.rows_placed)


def fold_said(said: Relation, before: Sequence[Query]) -> tuple[Relation, Query]:
    """它们的PE中位数比整个板块高还是低, behind a list: as if that median had been told before."""
    left, told = said.left, list_told(before)
    if told is None or left.agg is None or left != Fig(mets=left.mets[:1], agg=left.agg):
        return said, before[-1]
    fold = Folded(how=left.agg, of=_figure_of(replace(left, agg=None), told))
    return replace(said, left=Fig()), told.but(fold=(fold,), show=())


def against_fold(said: Relation, last: Query, market: Market) -> Query | None:
    """比全市场中位数低多少, behind the median of a set: both folds, and what lies between; None
    where it is against anything else.
    """
    right, found = said.right, value_told(last)
    if found is None or right is None or said.left != Fig() or said.how not in GAPS_SAID:
        return None
    if right.ents or not (right.agg or right.scope or right.peer):
        return None
    of, told = found
    how = right.agg or (told.how if isinstance(told, Across) else None)
    other = _fold(replace(right, agg=how), of, last, market)
    if other == told:
        raise UnusedError("against itself")
    return Query(rows="one", show=set_apart(GAPS_SAID[said.how], told, other))


def _of_another(right: Fig, by: Expr) -> Expr | None:
    """比茅台便宜多少: the same figure of that company."""
    symbols = listed(right.ents) if right == Fig(ents=right.ents) else ()
    return owned(by, symbols[0]) if len(symbols) == 1 else None


def _fold_told(right: Fig, by: Expr, last: Query) -> Expr | None:
    """比中位数低多少, of those below the median of their industry: that one."""
    if right != Fig(agg=right.agg):
        return None
    told = [one for one in walk(last) if isinstance(one, Across) and one.of == by]
    meant = dict.fromkeys(one for one in told if one.how == right.agg)
    return next(iter(meant)) if len(meant) == 1 else None


def _fold(right: Fig, of: Expr, last: Query, market: Market) -> Across:
    """The fold of a figure over the set that is named, its whole industry, or those told."""
    names = ((), (getattr(of, "id", None),))
    is_fold = right == Fig(scope=right.scope, peer=right.peer, mets=right.mets, agg=right.agg)
    if right.agg is None or not is_fold or right.mets not in names:
        raise UnusedError("against what")
    if right.peer or right.scope is not None:
        made = fold_around(right.agg, of, right, last, market)
    else:
        made = Across(how=right.agg, of=of, within=rows_as_set(last))
    if named_symbols(made.within):
        raise UnusedError("against what")
    return made


def place_of(request: Request, before: Sequence[Query], market: Market) -> Query:
    """它同行业里排第几: of the figure that was spoken of."""
    last = before[-1]
    if (group := of_one_group(request, last)) is not None:
        return group
    is_elsewhere = request.scope is not None or request.peer is not None
    if request.ents and not is_elsewhere:
        return place_in_list(request, told_list(before))
    if not request.ents and (told := list_told(before)) is not None:
        return each_placed(request, told, market)
    symbols = listed(request.ents) or companies_of(last)
    figures = list(request.mets)
    if not figures:
        figures = [one.id for one in last.show if isinstance(one, Metric) and one.of is None]
    whens = list(dict.fromkeys(one.when for one in last.show if isinstance(one, Metric)))
    if len(symbols) != 1 or len(figures) != 1 or len(whens) > 1 or last.rows != "companies":
        raise UnusedError("place of what")
    when = None if request.mets else time_of(last)  # of the time that was spoken of
    return RANKED.make(
        replace(request, ents=[symbols], mets=figures, marks=set(), when=when), market
    )
