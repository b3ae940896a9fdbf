"""An explanation read back: the query of which exactly that sentence is told, or none.

It is made as elsewhere: figures of each year by their own time, sets side by side as one, amounts
in the money of what they bound.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache, cached_property, partial
from itertools import islice
from typing import Any, cast

from services.core.catalogue import CATALOGUE
from services.core.periods import Period
from services.query.algebra import nodes as a
from services.query.algebra import words as w
from services.query.algebra.dimensions import FIGURE_KINDS, Dimensions, SenseError
from services.query.algebra.explain import explain
from services.query.algebra.scopes import currency_in, markets_of
from services.query.algebra.telling import Teller
from services.query.algebra.told_forms import Form, ending, of_groups
from services.query.algebra.types import check_query

# Phrases that are of other kinds too, as they are.
_KINDS: Mapping[str, tuple[str, ...]] = {
    "expr": ("simple", "arith"),
    "simple": ("const",),
    "one": ("compare", "set", "test"),
    "item": ("one",),
    "pred": ("one", "and", "or"),
    "marks": ("set",),
    "scope": ("marks", "pred"),
    "more and": ("and item",),
    "more or": ("item",),
    "and item": ("item", "bound"),
}
# Phrases side by side: of what, and with what between them (zh, en).
_LISTS: Mapping[str, tuple[str, tuple[str, str]]] = {
    "exprs": ("expr", ("、", ", ")),
    "folds": ("fold", ("、", ", ")),
    "ways": ("way", ("、", ", ")),
    "companies": ("company", ("、", ", ")),
    "labels": ("label", ("、", " or ")),
    "marks of a kind": ("label", ("或", " or ")),
    "more and": ("and item", ("且", " and ")),
    "more or": ("item", ("或", " or ")),
}
_MARKS: Mapping[a.Dimension, tuple[str, ...]] = {
    "market": ("CN", "HK", "US"),
    "board": ("main", "sme", "chinext", "star", "bse", "b_share", "hk", "us"),
    "exchange": ("SH", "SZ", "BJ", "NASDAQ", "NYSE", "AMEX"),
    "st": ("ST",),
}
# Each sentence has the name of a figure, or counts.
_COUNTED = (("数", "有多少"), ("number of", "how many "))
# A sentence is put back when a phrase of it can be read in more ways.
_MOST_WAYS = 200
_LONGEST, _MOST_MARKS = 1500, 2
_MONEY = frozenset({"money", "price", "per_share"})
# How a time begins and ends.
_TIMED = re.compile(
    r"(?:\d|最|历|the |history).*(?:[\d年季日报史新]|days|years|quarters|sessions|now|history)$"
)
# Figures as they are told; days; reports of quarters.
_AMOUNT = re.compile(r"(?P<value>-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?P<scale>亿|万|bn|m(?![a-z]))?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_YEAR = re.compile(r"(\d{4})年?")
_QUARTER = re.compile(r"(?:FY)?(\d{4})(?:年报|一季报|中报|三季报| Q[123])?")


@dataclass(frozen=True)
class Phrasebook:
    """What sentences are read back with. `company`: whom a name is told of; `sets`: the lists
    and industries that have a label of their own; `industries`: those of each market.
    """

    company: Callable[[str], str | None]
    sets: Sequence[a.In]
    industries: Mapping[str, Collection[str]]

    @cached_property
    def words(self) -> tuple[Mapping[str, Sequence[a.In]], Mapping[str, Sequence[a.In]]]:
        """What stands for a set, by its word in Chinese and in English."""
        found: tuple[dict[str, list[a.In]], dict[str, list[a.In]]] = ({}, {})
        marks = [a.In(dim=dim, values=(one,)) for dim, some in _MARKS.items() for one in some]
        known = sorted({one for some in self.industries.values() for one in some})
        marks += [a.In(dim="industry", values=(one,)) for one in known]
        for one in (*marks, *self.sets):
            for at, words in enumerate(found):
                words.setdefault(Teller({}, at).tell(one), []).append(one)
        return found

    def read(self, text: str, at: int) -> a.Query | a.Several | None:
        """The one query that is told so (`at`: 0 in Chinese, 1 in English); None where there is
        none, or several that do not mean the same.
        """
        parts = text.split(("；", "; ")[at])
        whole = self._one(text, at)
        if whole is not None or len(parts) == 1:
            return whole
        found = [self._one(part, at) for part in parts]
        known = tuple(one for one in found if one is not None)
        return a.Several(queries=known) if len(known) == len(parts) else None

    def _one(self, text: str, at: int) -> a.Query | None:
        if len(text) > _LONGEST or not any(one in text for one in (*_metrics(at), *_COUNTED[at])):
            return None
        language = ("zh", "en")[at]
        phrases = _Phrases(self, at, self.words[at])
        found: list[a.Query] = []
        for made in phrases.read("query", text):
            query = completed(cast("a.Query", made))
            is_told = explain(query, phrases.named, language) == text
            if is_told and is_whole(query) and self._is_classed(query) and not check_query(query):
                found.append(query)
        return found[0] if found else None

    def _is_classed(self, query: a.Query) -> bool:
        """Whether its industries are those of its market: two sources may call theirs alike."""
        among = [getattr(one, "within", None) for one in a.walk(query)]
        return all(self.is_known(one) for one in (query.scope, *among) if one is not None)

    def is_known(self, scope: a.Pred) -> bool:
        """Whether the industries of a set are those of its markets."""
        known = {one for market in markets_of(scope) for one in self.industries[market]}
        sets = (one for one in a.walk(scope) if isinstance(one, a.In) and one.dim == "industry")
        return all(known.issuperset(one.values) for one in sets)


@dataclass(slots=True)
class _Phrases:
    """Reads phrases of one sentence, each once."""

    told: Phrasebook
    at: int
    sets: Mapping[str, Sequence[a.In]]
    named: dict[str, str] = field(default_factory=dict[str, str])
    known: dict[tuple[str, str], tuple[Any, ...]] = field(
        default_factory=dict[tuple[str, str], tuple[Any, ...]]
    )

    def read(self, kind: str, text: str) -> tuple[Any, ...]:
        """Everything of that kind that may be told so."""
        key = (kind, text)
        if key not in self.known:
            self.known[key] = ()  # a phrase is no part of itself
            found = dict.fromkeys(self._find(kind, text)) if text else {}
            self.known[key] = tuple(found)[:_MOST_WAYS]
        return self.known[key]

    def _find(self, kind: str, text: str) -> Iterator[Any]:
        if (leaf := _LEAVES.get(kind)) is not None:
            yield from leaf(self, text)
        if kind in _LISTS:
            yield from self._list(*_LISTS[kind], text, kind)
        else:
            for other in _KINDS.get(kind, ()):
                yield from self.read(other, text)
        if kind == "item" and text[0] == "(" and text[-1] == ")":
            yield from (*self.read("and", text[1:-1]), *self.read("or", text[1:-1]))
        for form in ending(self.at, kind, text[-1]):
            for values in self._match(form, text):
                made = mended(form.fill(values))
                if kind not in {"marks", "scope"} or self.told.is_known(made):
                    yield made

    def _list(self, kind: str, marks: tuple[str, str], text: str, own: str) -> Iterator[Any]:
        for one in self.read(kind, text):
            yield (one,)
        # 美的集团、格力电器: a name has few such marks, a list of names begins with one.
        most = _MOST_MARKS if kind in _LEAVES else len(text)
        for at in islice(_places(marks[self.at], text), most):
            if first := self.read(kind, text[:at]):
                for more in self.read(own, text[at + len(marks[self.at]) :]):
                    yield from ((one, *more) for one in first)

    def _match(self, form: Form, text: str) -> Iterator[dict[str, Any]]:
        """What may fill the holes of a form."""
        parts = form.parts
        if not form.holes:
            yield from [{}] if text == parts[0] else []
            return
        if not (text.startswith(parts[0]) and text.endswith(parts[-1])):
            return
        end = len(text) - len(parts[-1])
        start = len(parts[0])
        at = start
        for part in parts[1:-1]:  # whether all of it is there, in order
            at = text.find(part, at)
            if at < 0:
                return
            at += len(part)
        if at > end:
            return
        yield from self._filled(form, text, 0, start, end)

    def _filled(
        self, form: Form, text: str, hole: int, start: int, end: int
    ) -> Iterator[dict[str, Any]]:
        if hole == len(form.holes):
            yield {}
            return
        name, kind = form.holes[hole]
        is_last = hole == len(form.holes) - 1
        part = form.parts[hole + 1]
        stops = (end,) if is_last else _places(part, text, start + 1, end)
        if not part and not is_last:
            stops = (one for one in stops if self._may_be(kind, text[start:one]))
        for stop in stops:
            ways = self.read(kind, text[start:stop])
            if not ways:
                continue
            behind = stop if is_last else stop + len(part)
            for more in self._filled(form, text, hole + 1, behind, end):
                yield from ({**more, name: one} for one in ways if more.get(name, one) == one)

    def _may_be(self, kind: str, text: str) -> bool:
        """Whether a phrase with no mark behind it may end there: A股 of A股银行."""
        if kind == "window":
            return _TIMED.match(text) is not None
        word = text.rpartition(_LISTS["marks of a kind"][1][self.at])[2]
        return kind != "marks" or word in self.sets

    # What is no phrase but a word.
    def amounts(self, text: str) -> Iterator[a.Const]:
        """A number with its unit."""
        if (match := _AMOUNT.match(text)) is None:
            return
        scale = Decimal(dict(w.SCALES[self.at]).get(match["scale"] or "", 1.0))
        value = float(Decimal(match["value"]) * scale)
        unit = text[match.end() :]
        if match["scale"] and not unit:
            yield a.Const(value=value, unit="money")
        for kind, word in w.UNITS.items():
            if unit == (word.zh, word.en)[self.at]:
                money = kind if kind not in w.CURRENCIES else f"money:{kind}"
                yield a.Const(value=value, unit="money" if kind == w.REPORTED else money)

    def companies(self, text: str) -> Iterator[str]:
        """Whom it names."""
        if (symbol := self.told.company(text)) is not None:
            self.named[symbol] = text
            yield symbol

    def members(self, text: str) -> Iterator[a.In]:
        """Companies named, lists, and marks that companies have."""
        yield from self.sets.get(text, ())
        for some in (*self.read("marks of a kind", text), *self.read("labels", text)):
            is_labelled = all(one.label for one in some)
            if len(some) > 1 and len({(one.dim, bool(one.label)) for one in some}) == 1:
                joined = cast("a.In", a.either(*some))
                yield joined if is_labelled else joined.but(label=None)
        for symbols in self.read("companies", text):
            yield a.In(dim="symbol", values=symbols)

    def windows(self, text: str) -> Iterator[a.When]:
        """Times whose telling is that text."""
        teller = Teller({}, self.at)
        return (one for one in self._times(text) if teller.when(one) == text)

    def ends(self, text: str, *, first: bool) -> Iterator[a.When]:
        """First or last ends of a change."""
        teller = Teller({}, self.at)
        some = (a.LATEST, a.OWN, a.ALL, *_points(text), *self._counted(text))
        return (one for one in some if teller.end(one, first=first) == text)

    def _times(self, text: str) -> Iterator[a.When]:
        yield a.ALL
        yield from _points(text)
        yield from self._counted(text)
        between, beside = (("至", " to "), ("和", " and "))[0][self.at], ("和", " and ")[self.at]
        points = [list(_points(part)) or [None] for part in text.split(between)]
        if len(points) == 2:
            first, last = points[0][0], points[1][0]
            of = first or last
            if of is not None:
                bounds = {"first": first and first.first, "last": last and last.last}
                yield a.When(kind=of.kind, **bounds)  # pyright: ignore[reportArgumentType]
        some = [one for part in text.split(beside) for one in list(_points(part))[:1]]
        if len(some) > 1:
            only = tuple(cast("Any", one.first) for one in some)
            yield a.When(kind=some[0].kind, first=only[0], last=only[-1], only=only)

    @staticmethod
    def _counted(text: str) -> Iterator[a.When]:
        for count in re.findall(r"\d+", text)[:1]:
            for unit in ("years", "quarters", "sessions"):
                yield a.When.model_validate({"kind": "lastn", "count": int(count), "unit": unit})


_LEAVES: Mapping[str, Callable[[_Phrases, str], Any]] = {
    "const": _Phrases.amounts,
    "metric": lambda phrases, text: _metrics(phrases.at).get(text, ()),
    "company": _Phrases.companies,
    "set": _Phrases.members,
    "window": _Phrases.windows,
    "start": partial(_Phrases.ends, first=True),
    "end": partial(_Phrases.ends, first=False),
    "number": lambda _, text: [int(text)] if text.isdecimal() else [],
    "label": lambda phrases, text: phrases.sets.get(text, ()),
}


def _points(text: str) -> Iterator[a.When]:
    """A year, a quarter's report, a day."""
    if match := _YEAR.fullmatch(text):
        year = int(match[1])
        yield a.When(kind="years", first=year, last=year)
    if match := _QUARTER.fullmatch(text):
        for quarter in (1, 2, 3, 4):
            period = Period(int(match[1]), quarter)
            if text in (period.label("zh"), period.label("en")):
                yield a.When(kind="quarters", first=period.end, last=period.end)
    if _DAY.fullmatch(text):
        day = date.fromisoformat(text)
        yield a.When(kind="days", first=day, last=day)


def _places(mark: str, text: str, start: int = 1, end: int | None = None) -> Iterator[int]:
    """Where a mark stands within; everywhere where there is none."""
    end = len(text) if end is None else end
    if not mark:
        yield from range(start, end)
        return
    at = text.find(mark, start, end)
    while at >= 0:
        yield at
        at = text.find(mark, at + 1, end)


@cache
def _metrics(at: int) -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = {}
    teller = Teller({}, at)  # each by what it is called of the newest time and of another
    for one in CATALOGUE.figures:
        if CATALOGUE[one].kind in FIGURE_KINDS:
            for label in {teller.metric(one), teller.metric(one, a.OWN)}:
                found.setdefault(label, []).append(one)
    return found


def is_whole(query: a.Query) -> bool:
    """Whether something is asked of somebody, with the unit of each number: a name or a figure
    alone goes on from a turn, and a bare number is for the reader of questions to understand.
    """
    if query.rows == "one" and all(isinstance(one, a.Metric | a.Const) for one in query.show):
        return False
    tests = (one for one in a.walk(query) if isinstance(one, a.Compare))
    if any(_lacks_unit(one.left, one.right) for one in tests):
        return False
    return bool(query.model_fields_set - {"node", "rows", "scope", "said"})


def _lacks_unit(left: a.Expr, right: a.Expr) -> bool:
    is_bare = isinstance(right, a.Const) and right.unit == "number"
    return is_bare and _dimension(left) in {*_MONEY, "percent", "pp", "multiple", "shares"}


def _dimension(expr: a.Expr) -> str:
    """What it measures; nothing where it makes no sense."""
    try:
        return Dimensions().of(expr)
    except SenseError:
        return ""


def mended(node: Any) -> Any:
    """A node as it is made elsewhere: sets side by side as one, a second bound with its figure."""
    if isinstance(node, a.AllOf | a.AnyOf):
        items: list[Any] = []
        for one in node.items:
            if isinstance(one, a.Compare) and one.left.said and isinstance(items[-1], a.Compare):
                one = one.but(left=items[-1].left)
            items.append(one)
        return a.both(*items) if isinstance(node, a.AllOf) else node.but(items=tuple(items))
    if isinstance(node, a.Arith) and node.how == "mul" and isinstance(node.left, a.Const):
        return node.but(left=node.right, right=node.left)
    if isinstance(node, a.Streak | a.Every | a.Exists):
        return node.but(test=a.rewrite(node.test, _of_each))
    if isinstance(node, a.Change) and (node.since, node.until) == (a.ALL, a.LATEST):
        return node.but(until=a.ALL)
    if isinstance(node, a.Change) and node.since.kind == node.until.kind == "days":
        span = a.When(kind="days", first=node.since.first, last=node.until.last)
        return node.but(since=span, until=span)
    return node


def _of_each(node: a.Node) -> a.Node:
    """A figure of each year or session, where the newest is told alike."""
    if isinstance(node, a.Metric) and node.when == a.LATEST and node.of is None:
        return node.but(when=a.OWN)
    if isinstance(node, a.Change) and (node.since, node.until) == (a.YEAR_BEFORE, a.LATEST):
        return node.but(until=a.OWN)
    return node


def completed(query: a.Query) -> a.Query:
    """With the set that the rows are taken from, and amounts in the money of what they bound."""
    if query.first is not None:
        first = completed(query.first)
        query = query.but(first=first, scope=query.scope or first.scope)
    query = of_groups(query)
    if query.rows not in {"companies", "one"}:
        parts = ("where", "show", "order", "fold")
        query = query.model_copy(
            update={one: a.rewrite(getattr(query, one), _of_each) for one in parts}
        )
    own = currency_in(query.scope)

    def change(node: a.Node) -> a.Node:
        if isinstance(node, a.Const) and node.unit == f"money:{own}":
            return node.but(unit="money")
        if isinstance(node, a.Compare) and isinstance(node.right, a.Const):
            return node.but(right=_priced(node.left, node.right))
        return node

    return query.model_copy(
        update={
            name: a.rewrite(getattr(query, name), change)
            for name in query.model_fields_set
            if name not in {"first", "less"}
        }
    )


def _priced(left: a.Expr, right: a.Const) -> a.Const:
    is_price = right.unit == "money" and _dimension(left) in _MONEY - {"money"}
    return right.but(unit="price") if is_price else right
