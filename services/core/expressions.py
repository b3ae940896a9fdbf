"""The one generic formula of questions: an expression over points, read and computed again.

An expression is text in the spelling of Python, so that a reader of the working can follow it:

- `pb`, `revenue @ y2016`, `revenue @ q20160930`, `close @ d20161230` (the last one known up to that
  day), `close @ b20160101` (the last one before it), `close @ a20160101` (the first from it on):
  figures of the company the claim is about;
  `at("600519.SH", pb)`: of another.
- `+ - * /`, `percent(a, b)`, `rate(since, until)`, `cagr(since, until, years)`,
  `multiple(since, until)`, `difference(since, until)`; `mean`, `median`, `sum`, `max`, `min` and
  `count` of several.
- `mean(known(a, b, c))`: of those there are.
- `median(each(pb, industry == own(industry)))`: over companies of the members table, or of the
  claims that go in where there is none; `rank(pb, MASK, "desc")`, `percentile(…)` among them;
  `rank(a, known(a, b, c), "desc")` among these.
- `max(series(close, d20160101, d20161231))`: over the bars of a window; `below(…)`: the share of
  values under the last one; `drawdown(…)` and the other courses: how they went. Sessions the source
  lost are not in it, and end a run.
- `none`: a figure of the company that nobody gives.
- `streak(test, test, …)`: how many tests hold in a row from the first on.

Nothing is ever executed: the text is read into the closed grammar here.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, cast

from services.core.expression_text import (
    NONE,
    function_of,
    is_known,
    key_of,
    tree_of,
    word_of,
)
from services.core.quantities import (
    COURSES,
    FOLDS,
    FUNCTIONS,
    ExpressionError,
    Quantity,
    compute,
    fold_quantities,
    require_same,
)

METRIC = "expression"


class CompanyLine(Protocol):
    """One company: what it is (`market`, `industry` …) and its figures by key."""

    def attribute(self, name: str) -> str | None:
        """What it is; None where the source does not say."""
        ...

    def figure(self, key: str) -> Quantity | None:
        """The figure of that key; None where there is none."""
        ...


class Surroundings(Protocol):
    """What an expression may look at beside its own company."""

    def lines(self) -> Sequence[CompanyLine]:
        """The companies folds and ranks are over."""
        ...

    def line(self, symbol: str) -> CompanyLine | None:
        """One company by symbol."""
        ...

    def series(
        self, symbol: str, metric: str, start: str, end: str
    ) -> tuple[Sequence[Quantity], Sequence[int]]:
        """Bars from `start` (d: a day, b: the one before it), and where sessions are lost."""
        ...

    def remember(self, key: object, make: Callable[[], object]) -> object:
        """What was made under that key before, or is now."""
        ...


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an expression is evaluated: the line at hand, the one outside a fold, the rest."""

    line: CompanyLine
    outer: CompanyLine
    around: Surroundings


_Value = Quantity | str | bool | None
_Reader = Callable[[_Place], _Value]


def evaluate_expression(text: str, line: CompanyLine, around: Surroundings) -> Quantity | None:
    """The figure the expression gives of that company; None where something it needs is missing.

    Raises: ExpressionError.
    """
    found = _read(text)(_Place(line, line, around))
    if found is None:
        return None
    if isinstance(found, bool):
        return Quantity(float(found), "number")
    if isinstance(found, str):
        raise ExpressionError(f"{text} is no figure")
    return Quantity(float(found.value), found.unit or "number")


@cache
def _read(text: str) -> _Reader:
    return _reader(tree_of(text))


def _reader(node: ast.expr) -> _Reader:
    key = key_of(node)
    if key is not None:
        return lambda place: place.line.figure(key)
    for kind, read in _READERS:
        if isinstance(node, kind):
            return read(node)
    raise ExpressionError(f"{type(node).__name__} is not of the grammar")


def _name(node: ast.Name) -> _Reader:
    name = node.id
    if name == NONE:
        return lambda _: None
    return lambda place: place.line.attribute(name)


def _constant(node: ast.Constant) -> _Reader:
    value = node.value
    if isinstance(value, str | bool):
        return lambda _: value
    if isinstance(value, int | float):
        quantity = Quantity(float(value))
        return lambda _: quantity
    raise ExpressionError("a constant is a number or a word")


_SIGNS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}


def _binary(node: ast.BinOp) -> _Reader:
    sign = _SIGNS.get(type(node.op))
    if sign is None:
        raise ExpressionError("+ - * / only")
    left, right = _reader(node.left), _reader(node.right)
    return lambda place: compute(sign, _number(left(place)), _number(right(place)))


def _unary(node: ast.UnaryOp) -> _Reader:
    inner = _reader(node.operand)
    if isinstance(node.op, ast.Not):
        return lambda place: inner(place) is not True
    if isinstance(node.op, ast.USub):
        return lambda place: compute("*", Quantity(-1.0), _number(inner(place)))
    raise ExpressionError("not and - only")


def _bool(node: ast.BoolOp) -> _Reader:
    parts = [_reader(part) for part in node.values]
    if isinstance(node.op, ast.And):
        return lambda place: all(part(place) is True for part in parts)
    return lambda place: any(part(place) is True for part in parts)


_COMPARED: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.Eq: lambda a, b: a == b,
}


def _compare(node: ast.Compare) -> _Reader:
    if len(node.ops) != 1:
        raise ExpressionError("one comparison at a time")
    operator, right_node, left = node.ops[0], node.comparators[0], _reader(node.left)
    if isinstance(operator, ast.In):
        if not isinstance(right_node, ast.Tuple):
            raise ExpressionError("in is followed by words in brackets")
        words = frozenset(word_of(part) for part in right_node.elts)
        return lambda place: left(place) in words
    if isinstance(operator, ast.Is):
        return lambda place: left(place) is None
    compare = _COMPARED.get(type(operator))
    if compare is None:
        raise ExpressionError("< <= > >= == in only")
    right = _reader(right_node)

    def read(place: _Place) -> bool | None:
        a, b = left(place), right(place)
        if isinstance(a, Quantity) and isinstance(b, Quantity):
            require_same(a.unit, b.unit)
            return compare(a.value, b.value)
        return None if a is None or b is None else a == b

    return read


def _call(node: ast.Call) -> _Reader:
    name, args = function_of(node), node.args
    special = _SPECIAL.get(name)
    if special is not None:
        return special(node)
    if name in {*FOLDS, *COURSES, "below"} and len(args) == 1 and isinstance(args[0], ast.Call):
        over = _OVER.get(function_of(args[0]))
        if over is not None:
            return over(name, args[0])
    made = FUNCTIONS.get(name)
    if made is None:
        raise ExpressionError(f"there is no function {name}")
    parts = [_reader(part) for part in args]

    def read(place: _Place) -> Quantity | None:
        values = [_number(part(place)) for part in parts]
        known = [value for value in values if value is not None]
        return made(known) if len(known) == len(values) else None

    return read


def _own(node: ast.Call) -> _Reader:
    word = word_of(node.args[0])
    return lambda place: place.outer.attribute(word)


_READERS: tuple[tuple[type[ast.expr], Callable[..., _Reader]], ...] = (
    (ast.Name, _name),
    (ast.Constant, _constant),
    (ast.BinOp, _binary),
    (ast.UnaryOp, _unary),
    (ast.BoolOp, _bool),
    (ast.Compare, _compare),
    (ast.Call, _call),
)


def _at(node: ast.Call) -> _Reader:
    symbol, value = word_of(node.args[0]), _reader(node.args[1])

    def read(place: _Place) -> Quantity | None:
        line = place.around.line(symbol)
        return _number(value(_Place(line, line, place.around))) if line is not None else None

    return read


def _choose_values(value: _Reader, mask: _Reader, place: _Place) -> list[Quantity]:
    found: list[Quantity] = []
    for line in place.around.lines():
        inner = _Place(line, place.line, place.around)
        if mask(inner) is True and (one := _number(value(inner))) is not None:
            found.append(one)
    return found


def _over_each(name: str, node: ast.Call) -> _Reader:
    value, mask = _reader(node.args[0]), _reader(node.args[1])
    text = ast.unparse(node)
    owns = _owns(*node.args)

    def read(place: _Place) -> Quantity | None:
        own = tuple(place.line.attribute(word) for word in owns)
        if None in own:
            return None  # nobody knows what it belongs to
        made = place.around.remember(
            (name, text, own), lambda: fold_quantities(name, _choose_values(value, mask, place))
        )
        if not isinstance(made, Quantity):
            return None
        return Quantity(made.value, "count") if name == "count" else made

    return read


def _owns(*nodes: ast.expr) -> tuple[str, ...]:
    """The marks of the company outside that a fold looks at; not those of folds within it."""
    found: dict[str, None] = {}
    for node in nodes:
        if isinstance(node, ast.Call) and function_of(node) in {"each", "rank", "percentile"}:
            continue
        if isinstance(node, ast.Call) and function_of(node) == "own":
            found[word_of(node.args[0])] = None
        inner = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        found |= dict.fromkeys(_owns(*inner))
    return tuple(found)


def _over_series(name: str, node: ast.Call) -> _Reader:
    metric, start, end = (word_of(part) for part in node.args)

    def read(place: _Place) -> Quantity | None:
        symbol = place.line.attribute("symbol") or ""
        return fold_quantities(name, *place.around.series(symbol, metric, start, end[1:]))

    return read


def _over_known(name: str, node: ast.Call) -> _Reader:
    """Over those there are; of a share of history the last one must be there."""
    parts = [_reader(part) for part in node.args]

    def read(place: _Place) -> Quantity | None:
        values = [_number(part(place)) for part in parts]
        if name == "below" and values[-1] is None:
            return None
        return fold_quantities(name, [value for value in values if value is not None])

    return read


def _read_rank(node: ast.Call) -> _Reader:
    name, args = function_of(node), node.args
    value, down = _reader(args[0]), word_of(args[2]) == "desc"
    among = _known_values(args[1]) if is_known(args[1]) else _values_among(value, args)

    def read(place: _Place) -> Quantity | None:
        mine = _number(value(place))
        others = among(place) if mine is not None else None
        if mine is None or others is None:
            return None
        ahead = sum((one > mine.value) if down else (one < mine.value) for one in others)
        if name == "rank":
            return Quantity(1.0 + ahead, "rank")
        behind = sum((one < mine.value) if down else (one > mine.value) for one in others)
        return Quantity(behind / (len(others) - 1) * 100, "percent") if len(others) > 1 else None

    return read


def _known_values(node: ast.Call) -> Callable[["_Place"], list[float] | None]:
    parts = [_reader(part) for part in node.args]

    def read(place: _Place) -> list[float] | None:
        return [one.value for part in parts if (one := _number(part(place))) is not None]

    return read


def _values_among(
    value: _Reader, args: Sequence[ast.expr]
) -> Callable[["_Place"], list[float] | None]:
    """Of the companies the mask holds of; None for a company it does not hold of."""
    mask, owns = _reader(args[1]), _owns(args[1])
    text = ast.unparse(ast.Tuple(list(args), ast.Load()))

    def read(place: _Place) -> list[float] | None:
        if mask(_Place(place.line, place.line, place.around)) is not True:
            return None
        own = tuple(place.line.attribute(word) for word in owns)
        found = place.around.remember(
            ("rank", text, own), lambda: [one.value for one in _choose_values(value, mask, place)]
        )
        return cast("list[float]", found)

    return read


def _streak(node: ast.Call) -> _Reader:
    """None where the newest test cannot be made; an older one that cannot ends the run."""
    tests = [_reader(part) for part in node.args]

    def read(place: _Place) -> Quantity | None:
        held = 0
        for test in tests:
            found = test(place)
            if found is None and not held:
                return None
            if found is not True:
                break
            held += 1
        return Quantity(float(held), "number")

    return read


def _number(value: _Value) -> Quantity | None:
    if value is None or isinstance(value, Quantity):
        return value
    raise ExpressionError(f"{value!r} is no figure")


_SPECIAL: Mapping[str, Callable[[ast.Call], _Reader]] = {
    "own": _own,
    "at": _at,
    "rank": _read_rank,
    "percentile": _read_rank,
    "streak": _streak,
}
_OVER: Mapping[str, Callable[[str, ast.Call], _Reader]] = {
    "each": _over_each,
    "series": _over_series,
    "known": _over_known,
}
