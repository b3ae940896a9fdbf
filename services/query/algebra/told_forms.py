"""The phrases an explanation is made of, as forms with holes: the teller itself tells prototypes
whose parts are holes, so that no second table says how anything is told.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, product
from typing import Any, cast, get_args

from services.query.algebra import nodes as a
from services.query.algebra import words as w
from services.query.algebra.explain import QuerySentence
from services.query.algebra.telling import Teller

# A hole is a character nobody writes. A node that is a hole says so by a span before any text: its
# character, and which phrase of a query it stands for (0: none, it is a part of one).
_FIRST_HOLE = 0xE000
HOLE = re.compile("([\ue000-\uf8ff])")
FROM, TO, TIMES = "\uf8f0", "\uf8f1", "\uf8f2"
# Amounts of prototypes, which are holes where they are told.
COUNT, SKIP, MANY = 700, 7000, 7777
AMOUNTS = {str(SKIP + 1): FROM, str(SKIP + COUNT): TO, str(COUNT): TO, str(MANY): TIMES}
WHOLE = {"whom": 1, "periods": 2, "unnamed periods": 3, "rows": 4, "body": 5, "query": 6}


def hole_of(node: a.Node | None, phrase: int | None = None) -> str | None:
    """The character a node is a hole by."""
    if node is None or not node.said or node.said[0][0] >= 0:
        return None
    (at, of) = node.said[0]
    return chr(-at) if phrase is None or of == phrase else None


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
        return part.but(skip=first - 1, count=count)
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
    having = tuple(one.but(fold=places[one.fold]) for one in query.having)
    order = tuple(one if one.by else one.but(fold=places[-1]) for one in query.order)
    return query.but(fold=tuple(own), having=having, order=order)


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


class Prototypes:
    """Makes prototypes; `kinds` says what kind of phrase each hole is of."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {FROM: "number", TO: "number", TIMES: "number"}

    # Holes.
    def _mark(self, kind: str, phrase: int = 0) -> tuple[tuple[int, int]]:
        at = _FIRST_HOLE + len(self.kinds)
        self.kinds[chr(at)] = kind
        return ((-at, phrase),)

    def hole(self, kind: str, like: a.Node | None = None) -> Any:
        """A part of that kind, as a node of the sort the teller takes it for."""
        said = self._mark(kind)
        if like is None:
            return a.Metric(id=chr(-said[0][0]), said=said)
        return like.but(said=said)

    def _text(self, kind: str) -> str:
        return chr(-self._mark(kind)[0][0])

    def _when(self, kind: str = "window") -> a.When:
        return self.hole(kind, a.When(kind="years"))

    def _set(self, kind: str, dim: a.Dimension = "market") -> Any:
        return self.hole(kind, a.In(dim=dim, values=("CN",)))

    def _phrase(self, kind: str) -> Any:
        like = a.In(dim="market", values=("CN",))
        return like.but(said=self._mark(kind, WHOLE[kind]))

    def _pred(self) -> Any:
        return self.hole("pred", a.Loss())

    def _parts(self) -> Iterator[Any]:
        """A test that is a part of another."""
        yield self.hole("one", a.Loss())
        yield self.hole("and", a.AllOf(items=()))
        yield self.hole("or", a.AnyOf(items=()))

    def side_by_side(self, of: Any, more: str) -> Any:
        """Tests side by side, all or any of which hold."""
        loss = a.Loss()
        return made_of(of, items=(self.hole("item", loss), self.hole(f"more {more}", loss)))

    def _operands(self) -> Iterator[Any]:
        yield self.hole("simple")
        yield self.hole("arith", a.Arith(how="add", left=_ONE, right=_ONE))

    # Expressions and tests.
    def figures(self) -> Iterator[a.Node]:
        """Expressions that are no arithmetic."""
        for company in (None, self._text("company")):
            of, own = self._text("metric"), {"company": company}
            yield a.Metric(id=of, of=company)
            yield a.Metric(id=of, of=company, when=self._when())
            yield from self._changes(of, company)
            for how in w.FOLDS:
                for window in (self._when(), a.OWN):
                    yield made_of(a.Over, how=how, of=of, window=window, **own)
            yield a.HistoryRank(of=of, window=self._when(), company=company)
            for how in w.COURSES:
                yield made_of(a.Course, how=how, of=of, window=self._when(), **own)
        for among in ({"own": "industry"}, {"own": "market"}, {}, {"within": self._set("scope")}):
            for of in self._operands():
                for how in w.FOLDS:
                    yield made_of(a.Across, how=how, of=of, **among)
                for way, share in product(w.WAYS, (False, True)):
                    yield made_of(a.Rank, of=of, direction=way, percentile=share, **among)
        for grain in get_args(a.Streak.model_fields["grain"].annotation):
            yield made_of(a.Streak, grain=grain, test=self.hole("compare", _TEST))

    def _changes(self, of: str, company: str | None) -> Iterator[a.Node]:
        for how in w.CHANGES:
            change = {"node": "change", "how": how, "of": of, "company": company}
            for until in (a.LATEST, a.OWN, self._when()):
                yield made_of(a.Change, **change, since=a.YEAR_BEFORE, until=until)
            yield made_of(a.Change, **change, since=a.OWN, until=a.OWN)
            span = self._when().but(kind="lastn")
            for metric in (of, "close"):
                ends = {"since": self._when("start"), "until": self._when("end")}
                yield made_of(a.Change, **change | {"of": metric}, **ends)
                yield made_of(a.Change, **change | {"of": metric}, since=span, until=span)

    def sums(self) -> Iterator[a.Node]:
        """Arithmetic of two figures."""
        for how in (*w.ARITH, "percent"):
            for left, right in product(self._operands(), self._operands()):
                yield made_of(a.Arith, how=how, left=left, right=right)
        for left in self._operands():
            yield a.Arith(how="mul", left=left, right=self.hole("const", _ONE))

    def tests(self) -> Iterator[a.Node]:
        """Tests that are no comparison."""
        loss = (a.Loss(of=self._text("metric")), a.Loss(of="pe_lyr", when=self._when()))
        yield from loss
        yield from (a.Not(item=one) for one in loss)
        yield a.Not(item=self._set("set"))
        yield a.Not(item=self.hole("pred", _TEST))
        yield a.Every(window=self._when(), test=self.hole("compare", _TEST))
        for least, test in product((1, MANY), self._parts()):
            yield a.Exists(window=self._when(), test=test, least=least)

    def marks(self) -> Iterator[a.Node]:
        """Sets by several marks."""
        yield a.AllOf(items=(self._set("set"), self._set("marks", "symbol")))

    def scopes(self) -> Iterator[a.Node]:
        """Sets without some, or with a test."""
        within = self._set("scope")
        yield a.AllOf(items=(within, a.Not(item=self._pred())))
        yield a.AllOf(items=(within, self._pred()))
        for of, way in product(self._operands(), w.BEST):  # the so many first of that very set
            place = made_of(a.Rank, of=of, within=within, direction=way)
            first = made_of(a.Compare, sign="le", left=place, right=a.Const(value=MANY))
            yield a.AllOf(items=(within, first))

    def ways(self) -> Iterator[a.Order]:
        """Keys of an order."""
        for way in w.WAYS:
            yield made_of(a.Order, by=self.hole("expr"), direction=way)

    def _order(self) -> a.Order:
        return self.hole("ways", a.Order(by=_ONE))

    def _fold(self) -> a.Folded:
        return self.hole("fold", a.Folded(how="mean", of=_ONE))

    def _folds(self) -> a.Folded:
        return self.hole("folds", a.Folded(how="mean", of=_ONE))

    def whoms(self) -> Iterator[tuple[a.Query, str]]:
        """Companies with a condition, each with the fields beside what is told of it (so below)."""
        yield a.Query(scope=self._set("scope")), ""
        yield a.Query(scope=self._set("scope"), where=self._pred()), ""
        yield a.Query(scope=self._set("scope", "symbol"), where=self._pred()), ""
        yield a.Query(where=self._pred()), ""

    def periods(self) -> Iterator[tuple[a.Query, str]]:
        """Years, quarters, sessions of a company."""
        for rows, window in product((*w.EACH, "events"), (None, self._when(), a.ALL)):
            for where in (self._pred(), *([None] if rows != "events" else ())):
                own = {"rows": rows, "window": window, "where": where}
                yield made_of(a.Query, scope=self._phrase("whom"), **own), ""

    def rows(self) -> Iterator[tuple[a.Query, str]]:
        """Rows in their order."""
        orders = (made_of(a.Order, by=self.hole("expr"), direction=way) for way in w.WAYS)
        takes = [(a.Take(count=n), (one,)) for one in orders for n in (1, COUNT)]
        for count, skip in ((COUNT, 0), (COUNT, SKIP), (1, SKIP)):
            some = ((), (self._order(),), (a.NEWEST_FIRST,))
            takes += [(a.Take(count=count, skip=skip), one) for one in some]
        takes.append((a.Take(count=1), (a.NEWEST_FIRST,)))
        for rows in ("companies", *w.EACH, "events"):
            timed = rows != "companies"
            whoms = (self._phrase("periods" if timed else "whom"), *((None,) * (not timed)))
            unnamed = (self._phrase("unnamed periods"),) if timed else ()
            for whom in whoms:
                if whom is not None:
                    yield made_of(a.Query, rows=rows, scope=whom), "rows"
                yield made_of(a.Query, rows=rows, scope=whom, order=(self._order(),)), "rows"
                if timed:
                    yield made_of(a.Query, rows=rows, scope=whom, order=(a.NEWEST_FIRST,)), "rows"
            for (take, order), per in product(takes, (None, *w.GROUPED)):
                for whom, where in product((*whoms, *unnamed), (None, a.Loss())):
                    if a.NEWEST_FIRST in order and (per or not timed):
                        continue
                    if where and (timed or whom is None):
                        continue
                    own = {"order": order, "take": take.but(per=per)}
                    own |= {"where": where} if where else {}
                    yield made_of(a.Query, rows=rows, scope=whom, **own), "rows where"

    def bodies(self) -> Iterator[tuple[a.Query, str]]:
        """Lists, and figures of their rows."""
        shown, folds = (self.hole("exprs"),), (self._folds(),)
        for whom in (self._phrase("rows"), None):
            of = {"scope": whom}
            yield made_of(a.Query, **of), ""
            for take in ({}, {"take": a.Take()}):
                yield made_of(a.Query, **of, **take, show=shown), "take"
                yield made_of(a.Query, **of, **take, fold=folds), "take"
                yield made_of(a.Query, **of, **take, show=shown, fold=folds), "take"
            for rows in w.ROWS:
                yield made_of(a.Query, **of, rows=rows, fold=(_COUNTED,)), "rows"
            tests = [self.hole("pred", a.Loss())]
            for sign in w.SIGNS:
                left = a.Metric(id=self._text("metric"))
                at = left.but(when=self._when())
                right = self.hole("expr")
                tests += [made_of(a.Compare, sign=sign, left=x, right=right) for x in (left, at)]
            for test, show in product(tests, ((), shown)):
                yield made_of(a.Query, **of, check=test, show=show), ""
        for rows in w.EACH:
            whom = self._phrase("unnamed periods")
            yield made_of(a.Query, rows=rows, scope=whom, fold=(_COUNTED,)), "rows"
        yield a.Query(rows="one", show=shown), ""

    def groups(self) -> Iterator[tuple[a.Query, str]]:
        """Figures of groups."""
        # The fold that a condition or an order is on stands behind them all: see `of_groups`.
        some, tested, by = self._folds(), *(self._fold() for _ in range(2))
        bound = self.hole("const", _ONE)
        havings = [()] + [(made_of(a.Having, fold=-2, sign=x, right=bound),) for x in w.SIGNS]
        orders = [()] + [
            (made_of(a.Order, by=expr, fold=None if expr else -1, direction=way),)
            for way in w.WAYS
            for expr in (None, self.hole("expr"))
        ]
        takes = (None, a.Take(count=COUNT), a.Take(count=COUNT, skip=SKIP))
        for whom, group in product((self._phrase("whom"), None), ("industry", "market", "board")):
            of = {"scope": whom, "group": group}
            for having, order, take in product(havings, orders, takes):
                own = {"having": having, "order": order, "take": take, "fold": (some, tested, by)}
                yield made_of(a.Query, **of, **own), ""
            for way, take in product(w.WAYS, (takes[1], a.Take(count=1))):
                order = (made_of(a.Order, fold=0, direction=way),)
                yield made_of(a.Query, **of, order=order, take=take, fold=(by,)), ""

    def wholes(self) -> Iterator[tuple[a.Query, str]]:
        """Queries, and queries of the rows of another."""
        body = self._phrase("body")
        yield a.Query(scope=body), ""
        before = made_of(a.Query, scope=self._phrase("query"))
        for first in (before, before.but(first=before)):
            yield made_of(a.Query, scope=body, first=first), ""


def made_of(model: Any, /, **fields: Any) -> Any:
    """A node of those fields, as they are."""
    return model.model_construct(**fields)


_ONE = a.Const(value=1)
_TEST = a.Compare(sign="lt", left=_ONE, right=_ONE)
_COUNTED = a.Folded(how="count")
