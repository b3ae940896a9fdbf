"""Turns that go on from a question, made: each base × each edit × each way of saying it, with what
it must mean worked out on the algebra itself, not by the reader.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from services.query.algebra.nodes import (
    LATEST,
    AllOf,
    Compare,
    Const,
    Folded,
    In,
    Metric,
    Node,
    Not,
    Order,
    Pred,
    Query,
    Take,
    When,
    both,
)

Edit = Callable[[Query], Query | None]

# What is asked first, by kind, and how each edit is said.
SAID: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)


def _with(query: Query, **changed: object) -> Query:
    return query.model_copy(update=changed)


def _items(pred: Pred | None) -> tuple[Pred, ...]:
    return pred.items if isinstance(pred, AllOf) else (pred,) if pred is not None else ()


def _scoped(query: Query, dim: str, value: str) -> Query | None:
    """With another set of that kind in the place of the one it has."""
    items = _items(query.scope)
    old = [one for one in items if isinstance(one, In) and one.dim == dim]
    if len(old) != 1 or old[0].values == (value,):
        return None
    new = In(dim=dim, values=(value,))  # pyright: ignore[reportArgumentType] — a kind of set
    anew = both(*(new if one is old[0] else one for one in items))
    return _with(query, scope=anew)


def _narrowed(query: Query, *tests: Pred) -> Query:
    """Of the first so many those alone."""
    if query.take is not None:
        inner = _with(query, show=())
        return _with(query, first=inner, where=both(*tests), take=None)
    return _with(query, where=both(query.where, *tests))


def _below(metric: str, value: float) -> tuple[Pred, ...]:
    left = Metric(id=metric)
    return (
        Compare(sign="ge", left=left, right=Const(value=0, unit="multiple")),
        Compare(sign="lt", left=left, right=Const(value=value, unit="multiple")),
    )


def _without(query: Query, pred: Pred) -> Query:
    return _with(query, scope=both(query.scope, Not(item=pred)))


def _companies(query: Query, *symbols: str, keep: bool = False) -> Query | None:
    assert isinstance(query.scope, In)
    if set(symbols) & set(query.scope.values):
        return None
    values = (*query.scope.values, *symbols) if keep else symbols
    return _with(query, scope=In(dim="symbol", values=values))


def _dropped(query: Query) -> Query:
    return _with(query, scope=In(dim="symbol", values=("000651.SZ",)))


def _figures(query: Query, *ids: str) -> Query | None:
    shown = [one for one in query.show if isinstance(one, Metric)]
    if {one.id for one in shown} & set(ids) or any(
        (i in _NEWEST) != (shown[0].when == LATEST) for i in ids
    ):
        return None
    when = shown[0].when
    return _with(query, show=tuple(Metric(id=one, when=when) for one in ids))


_NEWEST = frozenset({"pb", "pe_ttm", "ps_ttm", "market_cap"})


def _year(query: Query, year: int) -> Query | None:
    when = When(kind="years", first=year, last=year)
    shown = [one for one in query.show if isinstance(one, Metric)]
    if any(one.when.kind != "years" for one in shown):
        return None
    return _with(query, show=tuple(one.model_copy(update={"when": when}) for one in shown))


def _window(query: Query, first: int, last: int) -> Query:
    return _with(query, window=When(kind="years", first=first, last=last))


def _ordered(query: Query, metric: str, direction: str, count: int | None = None) -> Query | None:
    by = Metric(id=metric)
    if any(one.by == by for one in query.order):
        return None
    order = (Order(by=by, direction=direction),)  # pyright: ignore[reportArgumentType] — one of two
    take = Take(count=count) if count else None
    if query.take is not None:
        return _with(
            query, first=_with(query, show=()), where=None, order=order, take=take or query.take
        )
    return _with(query, order=order, take=take)


def _first(query: Query, count: int) -> Query | None:
    return _with(query, take=Take(count=count)) if query.order else None


def _place(query: Query, place: int) -> Query | None:
    return _with(query, take=Take(count=1, skip=place - 1)) if query.order else None


def _reversed(query: Query) -> Query | None:
    if not query.order:
        return None
    way = "asc" if query.order[0].direction == "desc" else "desc"
    order = (query.order[0].model_copy(update={"direction": way}),)
    if query.take is None:
        return _with(query, order=order)
    return _with(query, first=_with(query, show=()), order=order, take=None, where=None)


def _counted(query: Query) -> Query | None:
    if query.take is not None:
        return None
    return _with(query, fold=(Folded(how="count"),), order=(), show=())


def _folded(query: Query, how: str, metric: str) -> Query:
    fold = (Folded(how=how, of=Metric(id=metric)),)  # pyright: ignore[reportArgumentType] — a fold
    return _with(query, fold=fold)


def _refolded(query: Query, how: str) -> Query | None:
    if query.fold[0].how == how:
        return None
    return _with(query, fold=(query.fold[0].model_copy(update={"how": how}),))


def _rebounded(query: Query, metric: str, value: float) -> Query | None:
    items = _items(query.where)
    said = [
        one
        for one in items
        if isinstance(one, Compare) and one.left == Metric(id=metric) and one.sign == "lt"
    ]
    if len(said) != 1:
        return None
    anew = said[0].model_copy(update={"right": Const(value=value, unit="multiple")})
    return _with(query, where=both(*(anew if one is said[0] else one for one in items)))


def _unbounded(query: Query, metric: str) -> Query | None:
    items = _items(query.where)
    kept = [
        one for one in items if not (isinstance(one, Compare) and one.left == Metric(id=metric))
    ]
    return _with(query, where=both(*kept)) if len(kept) < len(items) else None


def _shown(query: Query, metric: str) -> Query:
    return _with(query, show=(*query.show, Metric(id=metric)))


def _more(query: Query) -> Query | None:
    take = query.take
    assert take is not None
    return _with(query, take=Take(count=take.count, skip=take.skip + take.count))


def _is_cn(query: Query) -> bool:
    return any(isinstance(one, In) and one.values == ("CN",) for one in _items(query.scope))


def _is_bank(query: Query) -> bool:
    return any(isinstance(one, In) and one.values == ("银行",) for one in _items(query.scope))


def _hong_kong(query: Query) -> Query | None:
    if not _is_cn(query) or any(
        isinstance(one, In) and one.dim not in ("market", "industry") for one in _items(query.scope)
    ):
        return None
    if not _is_bank(query) and any(
        isinstance(one, In) and one.dim == "industry" for one in _items(query.scope)
    ):
        return None  # industries are called otherwise there
    return _scoped(query, "market", "HK")


EDITS: Mapping[str, Edit] = {
    "company": lambda q: _companies(q, "000858.SZ"),
    "year": lambda q: _year(q, 2014),
    "figure": lambda q: _figures(q, "pb"),
    "figure of a year": lambda q: _figures(q, "total_assets"),
    "add": lambda q: _companies(q, "000858.SZ", keep=True),
    "drop": _dropped,
    "window": lambda q: _window(q, 2013, 2015),
    "company of years": lambda q: _companies(q, "000858.SZ"),
    "market": lambda q: _hong_kong(q),
    "industry": lambda q: _scoped(q, "industry", "汽车") if _is_cn(q) else None,
    "narrower": lambda q: (
        _with(q, scope=both(q.scope, In(dim="exchange", values=("SH",))))
        if _is_cn(q) and (not q.take)
        else None
    ),
    "without a company": lambda q: (
        _without(q, In(dim="symbol", values=("600036.SH",))) if _is_bank(q) and _is_cn(q) else None
    ),
    "without ST": lambda q: _without(q, In(dim="st", values=("ST",))) if _is_cn(q) else None,
    "condition": lambda q: _narrowed(q, *_below("ps_ttm", 2)) if _is_cn(q) else None,
    "bound": lambda q: _rebounded(q, "pe_ttm", 8),
    "no bound": lambda q: _unbounded(q, "pe_ttm"),
    "sort": lambda q: _ordered(q, "ps_ttm", "desc") if _is_cn(q) else None,
    "first": lambda q: _first(q, 5),
    "second": lambda q: _place(q, 2),
    "best": lambda q: _ordered(q, "total_assets", "desc", 1),
    "reverse": _reversed,
    "more": lambda q: _more(q),
    "show": lambda q: _shown(q, "total_assets"),
    "count": _counted,
    "median": lambda q: _folded(q, "median", "ps_ttm") if _is_cn(q) else None,
    "mean of the first": lambda q: _folded(q, "mean", "total_assets"),
    "other fold": lambda q: _refolded(q, "mean"),
    "first groups": lambda q: _with(q, take=Take(count=5)),
    "low groups": lambda q: _with(q, order=(Order(fold=0, direction="asc"),)),
}


def turns() -> Iterator[tuple[str, str, str, Edit]]:
    """(edit, base, turn, what becomes of the base), each in Chinese and in English."""
    for name, said in SAID["edit"].items():
        for kind, language in product(said["of"].split(), ("zh", "en")):
            for base, turn in product(SAID["base"][kind][language], said.get(language, ())):
                yield name, base, turn, EDITS[name]


def alike(one: Node, other: Node) -> bool:
    """Whether they mean the same, apart from labels, the order of tests, and columns of a list."""
    return _plain(one) == _plain(other)


def _plain(node: object) -> object:
    if isinstance(node, In):
        return ("in", node.dim, frozenset(node.values))
    if isinstance(node, AllOf):
        return frozenset(_plain(one) for one in node.items)
    if isinstance(node, Query):
        is_named = isinstance(node.scope, In) and node.scope.dim == "symbol"
        held = {name: getattr(node, name) for name in type(node).model_fields if name != "said"}
        if not is_named:
            del held["show"]
        return tuple(_plain(one) for one in held.values())
    if isinstance(node, Node):
        return (
            type(node).__name__,
            *(_plain(getattr(node, name)) for name in type(node).model_fields if name != "said"),
        )
    if isinstance(node, tuple):
        return tuple(_plain(one) for one in node)
    return node
