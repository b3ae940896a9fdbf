"""How much lies between two that were spoken of: two companies, both sides of a yes or no."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from services.query.algebra.nodes import (
    Across,
    Compare,
    Const,
    Expr,
    Metric,
    Query,
    When,
)
from services.query.algebra.scopes import named_symbols
from services.query.reading.chart import Edge
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import base, is_kin
from services.query.reading.follow_both import of_two_sets, two_years
from services.query.reading.follow_companies import is_of_companies
from services.query.reading.follow_peaks import two_extremes
from services.query.reading.phrases import Fig, owned, said_as
from services.query.reading.predicates import GAPS, Gap, Relation
from services.query.reading.request import Request
from services.query.reading.rows_told import rows_as_set
from services.query.reading.shapes import Market, listed
from services.query.reading.shapes_company import companies, needed
from services.query.reading.shapes_relation import gap_of

_MOST_GAPS, _SIDES = 3, 2


def between(request: Request, before: Sequence[Query], market: Market) -> Query:
    """两者相差多少, 市净率差百分之几: of two companies spoken of, or of what was told."""
    del market
    figures, how = _gap_asked(request)
    if not figures and not request.ents and (told := _sides_told(before)) is not None:
        return _gaps(how, *told)
    of_each = [(symbol, one) for one in before for symbol in companies_of(one) if len(one.show) > 0]
    pair = list(dict(of_each[-2:]).items()) if len(companies_of(before[-1])) == 1 else of_each[-2:]
    if request.ents:
        pair = _one_named(request, before[-1])
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


def _gap_asked(request: Request) -> tuple[list[str], Gap]:
    """The figures it is asked of, and how. Raises: UnusedError."""
    asked: list[tuple[list[str], Gap]] = [([], GAPS[one]) for one in request.asks & GAPS.keys()]
    for one in request.relations:
        if one.right is not None or one.left != Fig(mets=one.left.mets) or one.how not in GAPS_SAID:
            raise UnusedError("relation")
        asked.append(([*request.mets, *one.left.mets], GAPS_SAID[one.how]))
    if len(asked) != 1:
        raise UnusedError("relation")
    figures, how = asked[0]
    return figures or list(request.mets), how


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


def _gaps(how: Gap, symbols: Sequence[str] | None, sides: Sequence[tuple[Expr, Expr]]) -> Query:
    """How much lies between each two, with both; `symbols` None: two figures of no company."""
    shown: list[Expr] = []
    for left, right in sides:
        shown += [gap_of(how, left, right), left, right]
    if symbols is None:
        return Query(rows="one", show=tuple(shown))
    return Query(scope=companies(symbols), show=tuple(shown))


def _sides_checked(last: Query) -> tuple[Expr, Expr] | None:
    """What a yes or no set against each other: by how much, behind whether one is cheaper."""
    test = last.check
    if len(companies_of(last)) != 1:
        return None
    if last.check is None and len(last.show) == _SIDES and isinstance(last.show[1], Across):
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
        now, then = (told[-1].model_copy(update={"when": one}) for one in ends)
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
    value = value_told(told) if told.fold else None
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


def companies_of(query: Query) -> tuple[str, ...]:
    """The companies a query names and is about."""
    return (named_symbols(query.scope) or ()) if is_of_companies(query) else ()


def is_of_another(parts: Sequence[Edge]) -> bool:
    """是五粮液的几倍, and not 五粮液是它的几倍: what was spoken of is told in the one named."""
    if [(part.cat, part.sem) for part in parts[1:]] != [("ask", "mult")] or parts[0].cat != "FIG":
        return False
    named = parts[0].leaves
    return [one.cat for one in named] == ["ENT"] and named[-1].end == parts[1].leaves[0].start


def value_told(last: Query) -> tuple[Expr, Expr] | None:
    """The one figure told last: what it is of a row, and its value."""
    if len(last.fold) == 1 and last.fold[0].of is not None and not last.show:
        of = last.fold[0].of
        return of, Across(how=last.fold[0].how, of=of, within=rows_as_set(last))
    if last.first is not None or last.less or last.group is not None or last.take is not None:
        return None
    symbols, told = named_symbols(last.scope) or (), last.show[0] if len(last.show) == 1 else None
    if len(symbols) != 1 or not isinstance(told, Metric) or told.of is not None:
        return None
    return told, told.model_copy(update={"of": symbols[0]})


def against_value(said: Relation, last: Query) -> Query:
    """现价比它高多少, behind a mean over days; 招行比它高多少, behind the median of a set: a figure
    against the one value told. Raises: UnusedError.
    """
    is_told_left = said.left == Fig() and said.right not in (None, Fig())
    now = said.right if is_told_left and said.right is not None else said.left
    if (
        said.how not in GAPS_SAID
        or now == Fig()
        or not (is_told_left or said.right in (None, Fig()))
    ):
        raise UnusedError("against what")
    found = value_told(last) if last.fold else None
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
    return Query(
        scope=companies(symbols), show=(gap_of(GAPS_SAID[said.how], left, right), left, right)
    )
