"""The phrases an explanation is made of, as forms with holes: the teller itself tells prototypes
whose parts are holes, so that no second table says how anything is told.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from typing import Any, cast

from services.query.algebra import nodes as a
from services.query.algebra import words as w
from services.query.algebra.explain import QuerySentence
from services.query.algebra.telling import Teller
from services.query.algebra.told_prototypes import (
    AMOUNTS,
    COUNT,
    FROM,
    HOLE,
    MANY,
    SKIP,
    TIMES,
    TO,
    WHOLE,
    Prototypes,
    hole_of,
    made_of,
)


@dataclass(frozen=True, slots=True)
class Form:
    """`parts`: what stands before, between and behind the holes; `holes`: each with its kind.
    `beside`: fields of the prototype that were only there for what is told without them.
    """

    parts: tuple[str, ...]
    holes: tuple[tuple[str, str], ...]
    node: a.Node
    beside: frozenset[str]

    def fill(self, values: Mapping[str, Any]) -> a.Node:
        """The prototype with its holes filled. Whose scope is a hole for a phrase of a query has
        what that phrase says, and its own.
        """
        return _fill(self.node, values, self.beside)


def _fill(part: Any, values: Mapping[str, Any], beside: Collection[str] = ()) -> Any:
    if isinstance(part, a.Take) and (part.count == COUNT or part.skip == SKIP):
        first = values.get(FROM, 1)
        count = values.get(TO, first) - first + 1
        return part.model_copy(update={"skip": first - 1, "count": count})
    if isinstance(part, a.Node):
        if (hole := hole_of(part)) is not None:
            return values.get(hole, part)  # the figure of a second bound is told with the first
        fields = part.model_fields_set.difference(beside)
        own = {name: _fill(getattr(part, name), values) for name in fields}
        base = own.get("scope")
        if isinstance(part, a.Query) and isinstance(base, a.Query):
            if hole_of(part.scope, WHOLE["query"]):
                return base
            return base.model_copy(update={k: v for k, v in own.items() if k != "scope"})
        return type(part).model_construct(**own) if beside else part.model_copy(update=own)
    if isinstance(part, tuple):
        filled = [_fill(one, values) for one in cast("tuple[Any, ...]", part)]
        some: list[Any] = [one if isinstance(one, tuple) else (one,) for one in filled]
        return tuple(chain.from_iterable(some))
    if part == MANY:
        return values[TIMES]
    return values.get(part, part) if isinstance(part, str) else part


class _HoleTeller(Teller):
    """Tells holes as themselves."""

    __slots__ = ()

    def tell(self, node: a.Node) -> str:  # type: ignore[override]
        return hole_of(node) or super().tell(node)

    def when(self, when: a.When | None) -> str:
        return hole_of(when) or super().when(when)

    def end(self, when: a.When, *, first: bool) -> str:
        return hole_of(when) or super().end(when, first=first)

    def whom(self, scope: a.Pred) -> str:
        return hole_of(scope) or super().whom(scope)


class _HoleSentence(QuerySentence):
    """Tells the holes of phrases as themselves."""

    __slots__ = ()

    def told(self, query: a.Query) -> str:
        return hole_of(query.scope, WHOLE["query"]) or super().told(query)

    def listed(self, query: a.Query) -> str:
        return hole_of(query.scope, WHOLE["body"]) or super().listed(query)

    def rows(self, query: a.Query) -> str:
        return hole_of(query.scope, WHOLE["rows"]) or super().rows(query)

    def whom(self, query: a.Query) -> str:
        return hole_of(query.scope, WHOLE["whom"]) or super().whom(query)

    def periods(self, query: a.Query, *, each: bool = True) -> str:
        kind = WHOLE["periods" if each else "unnamed periods"]
        return hole_of(query.scope, kind) or super().periods(query, each=each)

    def way(self, one: a.Order) -> str:
        return hole_of(one) or super().way(one)

    def folds(self, query: a.Query) -> str:
        hole = hole_of(query.fold[0]) if query.fold else None
        return hole or super().folds(query)

    def fold(self, query: a.Query, at: int) -> str:
        hole = hole_of(query.fold[at]) if at < len(query.fold) else None
        return hole or super().fold(query, at)


def of_groups(query: a.Query) -> a.Query:
    """A query of groups with its conditions and orders on its own folds: the two behind them were
    only where those are told from.
    """
    if query.group is None or len(query.fold) < 3:
        return query
    *own, tested, by = query.fold
    places = {at: own.index(one) if one in own else 0 for at, one in ((-2, tested), (-1, by))}
    having = tuple(one.model_copy(update={"fold": places[one.fold]}) for one in query.having)
    order = tuple(
        one if one.by else one.model_copy(update={"fold": places[-1]}) for one in query.order
    )
    return query.model_copy(update={"fold": tuple(own), "having": having, "order": order})


@cache
def forms(at: int) -> Mapping[str, tuple[Form, ...]]:
    """The forms of each kind of phrase; `at`: 0 Chinese, 1 English."""
    return _Forms(at).made()


@cache
def ending(at: int, kind: str, last: str) -> tuple[Form, ...]:
    """The forms of a kind that may end in that character."""
    some = forms(at).get(kind, ())
    return tuple(one for one in some if not one.parts[-1] or one.parts[-1][-1] == last)


class _Forms:
    """Has prototypes told."""

    def __init__(self, at: int) -> None:
        self._teller = _HoleTeller({}, at)
        self._sentence = _HoleSentence(self._teller)
        self._of = Prototypes()
        self._made: dict[str, list[Form]] = {}

    def made(self) -> Mapping[str, tuple[Form, ...]]:
        """All of them."""
        tell, sentence = self._teller.tell, self._sentence
        for kind, made, told in (
            ("simple", self._of.figures(), tell),
            ("arith", self._of.sums(), tell),
            ("test", self._of.tests(), tell),
            ("and", [self._of.side_by_side(a.AllOf, "and")], tell),
            ("or", [self._of.side_by_side(a.AnyOf, "or")], tell),
            ("marks", self._of.marks(), self._teller.whom),
            ("scope", self._of.scopes(), self._teller.whom),
            ("way", self._of.ways(), sentence.way),
        ):
            for node in made:
                self._add(kind, node, told(node))  # pyright: ignore[reportArgumentType]
        for sign in w.SIGNS:
            test = made_of(
                a.Compare, sign=sign, left=self._of.hole("expr"), right=self._of.hole("expr")
            )
            told = tell(test)
            self._add("compare", test, told)
            self._add("bound", test, told[1:].lstrip())  # of the figure told before
        for rows, how in product(w.ROWS, (None, *w.FOLDS)):
            of = self._of.hole("expr") if how else None
            fold = made_of(a.Folded, how=how or "count", of=of)
            self._add("fold", fold, sentence.fold(made_of(a.Query, rows=rows, fold=(fold,)), 0))
        for kind, made, told in (
            ("whom", self._of.whoms(), sentence.whom),
            ("periods", self._of.periods(), sentence.periods),
            ("unnamed periods", self._of.periods(), self._unnamed),
            ("rows", self._of.rows(), sentence.rows),
            ("body", self._of.bodies(), sentence.listed),
            ("body", self._of.groups(), sentence.groups),
            ("query", self._of.wholes(), sentence.told),
        ):
            for query, beside in made:
                self._add(kind, query, told(query), beside)
        return {kind: tuple(some) for kind, some in self._made.items()}

    def _unnamed(self, query: a.Query) -> str:
        return self._sentence.periods(query, each=False)

    def _add(self, kind: str, node: a.Node, told: str, beside: str = "") -> None:
        for amount, hole in AMOUNTS.items():
            told = told.replace(amount, hole)
        told = told.replace("  ", " ")
        for text in dict.fromkeys((told, told.lstrip("，,; "))):  # of these ; show
            parts = HOLE.split(text)
            holes = tuple((one, self._of.kinds[one]) for one in parts[1::2])
            form = Form(tuple(parts[::2]), holes, node, frozenset(beside.split()))
            self._made.setdefault(kind, []).append(form)
