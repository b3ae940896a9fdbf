"""What a scope names: companies one by one, or a set by its marks; and the markets it is in. Tests
that stand for a part of a set: the first of it, a range of a screen.
"""

from collections.abc import Iterator, Mapping

from services.core.boards import BOARDS
from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.groups import GROUPS
from services.core.requests import Bound
from services.core.symbols import Symbol
from services.query.algebra import nodes as a

FIELD_OF: Mapping[str, str] = {metric: field for field, metric in SCREEN_FIELDS.items()}
# What the shares of a market are traded in.
CURRENCIES: Mapping[str, str] = {"CN": "CNY", "HK": "HKD", "US": "USD"}


def kind_of(one: a.In) -> a.Dimension:
    """Its kind of set: a list that stands for a part of an industry is one of industries."""
    parts = one.label.split("、") if one.label and one.dim == "symbol" else ()
    is_part = bool(parts) and all(
        part in GROUPS and GROUPS[part].part_of_industry for part in parts
    )
    return "industry" if is_part else one.dim


def named_symbols(pred: a.Pred | None) -> tuple[str, ...] | None:
    """The companies a scope names one by one; None where it is a set by its marks."""
    if isinstance(pred, a.In) and kind_of(pred) == "symbol":
        return pred.values
    if isinstance(pred, a.AllOf):
        named = [found for one in pred.items if (found := named_symbols(one)) is not None]
        return named[0] if named else None
    if isinstance(pred, a.AnyOf):
        parts = [named_symbols(one) for one in pred.items]
        known = [part for part in parts if part is not None]
        return tuple(dict.fromkeys(sum(known, ()))) if len(known) == len(parts) else None
    return None


def symbols_in(query: a.Query) -> frozenset[str]:
    """The companies it names, as a set, of a figure or to compare with."""
    return frozenset(list_symbols(query))


def list_symbols(node: a.Node) -> Iterator[str]:
    """The companies a node names, as a set, of a figure or to compare with; some of them twice."""
    for one in a.walk(node):
        if isinstance(one, a.In) and one.dim == "symbol":
            yield from one.values
        named = one.of if isinstance(one, a.Metric) else getattr(one, "company", None)
        if isinstance(named, str):
            yield named


_BOARDS = {"hk": "HK", "us": "US"}


def markets_of(pred: a.Pred | None) -> tuple[str, ...]:
    """The markets a scope is in: said, or by exchange, board or company; else the mainland."""
    found: dict[str, None] = {}
    parts: list[a.Pred] = [pred] if pred is not None else []
    while parts:
        one = parts.pop(0)
        if isinstance(one, a.AllOf | a.AnyOf):
            parts += one.items
        elif isinstance(one, a.In):
            for value in one.values:
                if one.dim == "market":
                    found[value] = None
                elif one.dim == "symbol":
                    found[Symbol(value).market] = None
                elif one.dim == "exchange" and value in {"HK", "NASDAQ", "NYSE", "AMEX"}:
                    found["HK" if value == "HK" else "US"] = None
                elif one.dim == "board":
                    found[_BOARDS.get(value, "CN")] = None
    return tuple(found) or ("CN",)


def segments_in(pred: a.Pred | None) -> tuple[str, ...]:
    """The boards named that are a part of another: the SME board."""
    boards = [one for part in a.nodes_in(pred, a.In) if part.dim == "board" for one in part.values]
    return tuple(one for one in boards if one in BOARDS and BOARDS[one].part_of)


def currency_in(scope: a.Pred | None) -> str:
    """What the shares of a set are traded in; empty where they are of several markets, or an index,
    which is counted in points.
    """
    if any(Symbol(one).is_index for one in named_symbols(scope) or ()):
        return ""
    found = {CURRENCIES[market] for market in markets_of(scope)}
    return found.pop() if len(found) == 1 else ""


def first_of(within: a.Pred, by: a.Expr, count: int, direction: a.Direction = "desc") -> a.AllOf:
    """The so many first of a set by a figure, as a set: with a test of their place in it."""
    place = a.Rank(of=by, within=within, direction=direction)
    test = a.Compare(sign="le", left=place, right=a.Const(value=count))
    return a.AllOf(items=(*a.items_of(within), test))


def as_set(query: a.Query) -> a.Pred:
    """The companies of its rows as a set, to be folded, or looked for in it.

    Raises: ValueError where they are none of companies, or there is no telling which come first.
    """
    if query.rows != "companies" or query.group is not None or query.less:
        raise ValueError("rows")
    inner = as_set(query.first) if query.first is not None else None
    within = a.both(query.scope, inner, query.where)
    if query.take is not None and query.take.per == "industry":
        return _first_of_each(query, inner)
    take, by = query.take, query.order[0].by if len(query.order) == 1 else None
    if within is None or (take is not None and (by is None or take.per is not None)):
        raise ValueError("which")
    if take is None or by is None:
        return within
    first = first_of(within, by, take.skip + take.count, query.order[0].direction)
    place = a.Rank(of=by, within=within, direction=query.order[0].direction)
    skipped = a.Compare(sign="gt", left=place, right=a.Const(value=take.skip))
    return a.AllOf(items=(*first.items, skipped)) if take.skip else first


def _first_of_each(query: a.Query, inner: a.Pred | None) -> a.Pred:
    """The first so many of each of the industries named. Raises: ValueError where none is."""
    sets = [one for one in a.items_of(query.scope) if isinstance(one, a.In)]
    (industries, *others) = [one for one in sets if one.dim == "industry"] or (None,)
    if industries is None or others or query.take is None:
        raise ValueError("which")
    rest = [one for one in a.items_of(query.scope) if one is not industries]
    take = query.take.model_copy(update={"per": None})
    each = (
        query.model_copy(update={"scope": a.both(*rest, one), "first": None, "take": take})
        for value in industries.values
        for one in [a.In(dim="industry", values=(value,))]
    )
    found = a.either(*map(as_set, each))
    return a.both(inner, found) or found


def field_now(expr: a.Expr | None) -> str:
    """The screening field that a figure of the row is, as it is now; empty for any other."""
    if not isinstance(expr, a.Metric) or expr != a.Metric(id=expr.id):
        return ""
    return FIELD_OF.get(expr.id, "")


def bound_tests(bound: Bound) -> tuple[a.Pred, ...]:
    """The tests of a range of the wire."""
    figure = a.Metric(id=SCREEN_FIELDS[bound.field])
    sides = (("gt", bound.above), ("ge", bound.at_least), ("lt", bound.below))
    unit = CATALOGUE[figure.id].unit
    return tuple(
        a.Compare.model_validate(
            {"sign": sign, "left": figure, "right": a.Const(value=value, unit=unit)}
        )
        for sign, value in sides
        if value is not None
    )
