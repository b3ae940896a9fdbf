"""What a query says and what a word says, both in atoms: a figure, a number, a company, a set, an
end of a time, a direction, a fold. Whoever reads a question otherwise than by grammar is held to
them both ways: no atom of the query without a word, no word without its atom.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any, cast

from services.language.lattice import Token
from services.query.algebra import nodes as a
from services.query.reading.figures_said import is_of_days
from services.query.reading.phrases import Time

Atom = tuple[str, object]
# A word may be meant in one of several ways, each of them all of these atoms.
Ways = tuple[frozenset[Atom], ...]
_Said = tuple[tuple[Atom, ...], ...]

_DOUBLES = {"x2": 2.0, "x3": 3.0, "x4": 4.0}
_TURNS: Mapping[str, Atom] = {
    "yoy": ("change", "rate"), "ret": ("change", "rate"), "fall": ("change", "rate"),
    "cagr": ("change", "cagr"), "drawdown": ("course", "drawdown"),
    "longest_rise": ("course", "longest_rise"), "longest_fall": ("course", "longest_fall"),
    "rising": ("course", "rising"), "falling": ("course", "falling"),
    "new_highs": ("course", "new_highs"), "volatility": ("course", "volatility"),
}  # fmt: skip
_JOINT = re.compile("[/%]")  # between the figures of a ratio: dps%eps
# 52周最高: over many sessions it is the highest of the highs.
_ENDS = {"high": "max", "low": "min"}
_MOST: Mapping[str, Atom] = {"desc": ("fold", "max"), "asc": ("fold", "min")}
# 今天的跌幅: of one session it is a figure of its own.
_OF_A_DAY = frozenset({"close:ret", "close:fall"})
# What words that ask stand for in a query; each may be any one of these.
_ASKS: Mapping[str, _Said] = {
    "diff": ((("arith", "sub"),), (("change", "difference"),)),
    "excess": ((("arith", "sub"),), (("change", "difference"),)),
    "mult": ((("arith", "div"),), (("change", "multiple"),)),
    "share": ((("arith", "percent"),), (("arith", "div"),), (("fold", "sum"),)),
    "sum2": ((("fold", "sum"),), (("arith", "add"),)),
    "rank": ((("rank", "place"),),),
    "pctile": ((("rank", "percentile"),),),
    "growth": ((("change", "rate"),), (("change", "difference"),)),
    "cagr": ((("change", "cagr"),),),
    "ret": (
        (("metric", "close"), ("change", "rate")),
        (("metric", "pct_change"),),
        (("arith", "sub"), ("arith", "percent")),
    ),
    "points": ((("change", "difference"),),),
    "amount": ((("change", "difference"),), (("arith", "sub"),)),
    "drawdown": ((("course", "drawdown"),),),
    "days": ((("fold", "count"),),),
}
_RELATIONS: Mapping[str, _Said] = {
    "zhan": _ASKS["share"],
    "div": ((("arith", "div"),),),
    "mul": ((("arith", "mul"),),),
    "minus": ((("arith", "sub"),),),
    "plus": ((("arith", "add"),),),
}
COUNTING = frozenset({"NUM", "COUNT", "TOP", "BOTTOM", "DAYS", "RUN", "RUNDAYS", "BIGS"})
_SIGNED = ("cmp", "postcmp", "size", "higher")
_ORDERED = ("sup", "bigsup", "bigplace", "ordsup", "dir")


def _numbers(*said: float | None) -> list[Atom]:
    return [("number", float(one)) for one in said if one is not None]


def _set(dim: str, values: Iterable[str]) -> tuple[Atom, ...]:
    return tuple(("symbol", one) if dim == "symbol" else ("scope", (dim, one)) for one in values)


def _of_time(when: a.When) -> list[Atom]:
    ends = [one for one in (when.first, when.last, *when.only) if one is not None]
    return [("time", one) for one in ends] + _numbers(when.count if when.kind == "lastn" else None)


_OF_NODE: Mapping[type, Callable[[Any], Iterable[Atom]]] = {
    a.Metric: lambda one: [("metric", one.id)],
    a.Const: lambda one: _numbers(one.value),
    a.Arith: lambda one: [("arith", one.how)],
    a.Change: lambda one: [
        ("metric", one.of),
        ("change", one.how),
        # Growth of a report is over the year before; of a price or a volume someone must say so.
        *([("time", "before")] if one.since.kind == "before" and is_of_days(one.of) else []),
    ],
    a.Over: lambda one: [("metric", one.of), ("fold", one.how)],
    a.Course: lambda one: [("course", one.how)],
    a.HistoryRank: lambda one: [("metric", one.of), ("rank", "percentile")],
    a.Across: lambda one: [("fold", one.how), *([("own", one.own)] if one.own else [])],
    a.Rank: lambda one: [
        ("rank", "percentile" if one.percentile else "place"),
        *([("way", "asc")] if one.direction == "asc" else []),
        *([("own", one.own)] if one.own else []),
    ],
    a.When: _of_time,
    a.In: lambda one: _set(one.dim, one.values),
    a.Compare: lambda one: [("sign", one.sign)],
    a.Loss: lambda _: [("loss", "loss")],
    a.Exists: lambda one: _numbers(one.least if one.least > 1 else None),
    a.AnyOf: lambda _: [("or", "or")],
    a.Not: lambda _: [("not", "not")],
    a.Order: lambda one: [("way", one.direction)],
    a.Take: lambda one: _numbers(
        one.count if one.count not in (1, a.SHOWN) else None, one.skip or None
    ),
    a.Folded: lambda one: [("fold", one.how)],
    a.Having: lambda one: [("sign", one.sign)],
    a.Query: lambda one: [("group", one.group)] if one.group else [],
    a.OtherTool: lambda one: [("tool", one.action), *_set("symbol", one.symbols)],
}


def atoms_of_query(meant: a.Node) -> frozenset[Atom]:
    """Everything it says that a word must have said."""
    return frozenset(atom for one in a.walk(meant) for atom in atoms_of_node(one))


def atoms_of_node(node: a.Node) -> tuple[Atom, ...]:
    """What the node says by itself, without the nodes in it."""
    owner = getattr(node, "of" if isinstance(node, a.Metric) else "company", None)
    of = _OF_NODE.get(type(node))
    return (*(of(node) if of else ()), *([("symbol", owner)] if owner else []))


def implied_by(node: a.Node) -> tuple[Atom, ...]:
    """What words may say of the node though it does not: a drawdown is from the highest to the
    lowest, a place from the highest down, a gap of what is higher.
    """
    match node:
        case a.When():
            return _years_within(node)
        case a.Course(how="drawdown"):
            return (("fold", "max"), ("fold", "min"))
        case a.Rank():
            return (("way", node.direction), _MOST[node.direction])
        case a.Arith(how="sub"):
            return (("sign", "gt"), ("sign", "lt"), ("way", "desc"), ("way", "asc"))
        case _:
            return ()


def _years_within(when: a.When) -> tuple[Atom, ...]:
    """2014, 2015 and 2016, of the window from the first to the last of them."""
    first, last = when.first, when.last
    if isinstance(first, int) and isinstance(last, int):
        return tuple(("time", year) for year in range(first, last + 1))
    if not isinstance(first, date) or not isinstance(last, date):
        return ()
    years = range(first.year, last.year + 1)
    ends = [(date(year, 1, 1), date(year, 12, 31)) for year in years]
    return tuple(
        ("time", day) for pair in ends if first <= pair[0] <= pair[1] <= last for day in pair
    )


def needs_no_word(node: a.Node) -> tuple[Atom, ...]:
    """What follows from the node and from what is said of it: of the first ten, that they are ten
    at most by their place; of companies that are counted, that each is one; of two industries side
    by side, that it is either; of the highest of a time, that it is of the highs.
    """
    match node:
        case a.AnyOf(items=items) if len({one.dim for one in items if isinstance(one, a.In)}) == 1:
            return (("or", "or"),) if all(isinstance(one, a.In) for one in items) else ()
        case a.Order(by=None, fold=None):  # the first time it was so
            return (("way", node.direction),)
        case a.Over(how="max", of="high") | a.Over(how="min", of="low"):
            return (("metric", node.of),)
        case a.Compare(left=a.Rank(), right=a.Const(value=value)):
            one = (("number", 1.0),) if value == 1 else ()
            return (("rank", "place"), ("sign", node.sign), *one)
        case a.Across(how="count", of=a.Const(value=1)):
            return (("number", 1.0),)
        case _:
            return ()


def atoms_within(meaning: object) -> Iterator[Atom]:
    """The atoms of every node in what a phrase means."""
    if isinstance(meaning, a.Node):
        yield from atoms_of_query(meaning)
    elif isinstance(meaning, tuple):
        for part in cast("tuple[object, ...]", meaning):
            yield from atoms_within(part)
    elif is_dataclass(meaning):
        for one in fields(meaning):
            yield from atoms_within(getattr(meaning, one.name))


def turn_of(figure: str) -> Atom | None:
    """What a turn of a figure is: growth of 净利润增速, a drawdown of 最大回撤; none of itself."""
    return _TURNS.get(figure.partition(":")[2])


def _of_figure(sem: str) -> _Said:
    figure, turn = sem.partition(":")[0], turn_of(sem)
    if turn is None:
        of = ("metric", figure)
        if figure == "market_cap":  # 沪市总市值: of a set it is their sum
            return ((of,), (of, ("fold", "sum")))
        end = ("fold", _ENDS[figure]) if figure in _ENDS else None
        return ((of,), (of, end), (end,)) if end else ((of,),)  # 高点（收盘）: the highest close
    day: _Said = ((("metric", "pct_change"),),) if sem in _OF_A_DAY else ()
    return ((turn,),) if turn[0] == "course" else ((("metric", figure), turn), *day)


def _of_ratio(sem: str) -> _Said:
    parts = tuple(("metric", one) for one in _JOINT.split(sem))
    return ((*parts, ("arith", "percent")), (*parts, ("arith", "div")))


def _of_when(sem: object) -> _Said:
    times = (sem.periods, sem.days) if isinstance(sem, Time) else ()
    return tuple(tuple(ends) for one in times if one and (ends := _of_time(one)))


def _of_place(place: float) -> _Said:
    return ((("number", place),), (("number", place - 1),)) if place > 1 else ()


def _of_loss(sem: str) -> _Said:
    sign = "gt" if sem == "profit" else "lt"
    return ((("metric", "net_profit"), ("sign", sign), ("number", 0.0)), (("loss", "loss"),))


def _of_move(sem: str) -> _Said:
    """It rose: a change above nought, a change, or the larger one first."""
    moved: tuple[Atom, ...] = (("sign", "gt" if sem == "up" else "lt"), ("number", 0.0))
    more: Atom = ("way", "desc" if sem == "up" else "asc")
    by_hand: tuple[Atom, ...] = (("arith", "sub"), ("arith", "percent"))
    return (moved, (("change", "rate"),), (("change", "difference"),), (more,), by_hand)


def _of_best(sem: str) -> _Said:
    figure, _, way = sem.rpartition("-")
    return ((("metric", figure), ("way", way)), (("metric", "close"), ("way", way)))


def _of_sign(sem: str) -> _Said:
    return ((("sign", sem),), (("way", "desc" if sem in ("gt", "ge") else "asc"),))


def _of_most(sem: str) -> tuple[Atom, ...]:
    """The lowest in 2016: first in that order, or the least of a time."""
    return (_MOST["desc" if sem == "desc" else "asc"],)


_OF_WORD: Mapping[str, Callable[[Any], _Said]] = {
    "METRIC": _of_figure,
    "several": lambda sem: tuple((("metric", one),) for one in sem.split()),
    "ratio": _of_ratio,
    "ENT": lambda sem: ((("symbol", sem[0]),),) if len(sem) == 1 else (),
    "SCOPE": lambda sem: (_set(sem[0], sem[1]),),
    "WHEN": _of_when,
    "YTD": _of_when,
    "AMT": lambda sem: (tuple(_numbers(sem.value)),),
    "ORD": lambda sem: _of_place(float(sem[0])),
    "double": lambda sem: (tuple(_numbers(_DOUBLES.get(sem, 2.0))),),
    "idiom": lambda _: ((("metric", "pb"), ("sign", "lt"), ("number", 1.0)),),
    "loss": _of_loss,
    "move": _of_move,
    "pmove": _of_move,
    "best": _of_best,
    "ask": lambda sem: _ASKS.get(sem, ()),
    "rankway": lambda sem: ((("rank", "place"), *([("way", sem)] if sem == "asc" else [])),),
    "rel": lambda sem: _RELATIONS.get(sem, ()),
    "agg": lambda sem: ((("fold", sem),), (("way", "desc" if sem == "max" else "asc"),)),
    "count": lambda _: ((("fold", "count"),),),
    "group": lambda sem: ((("group", sem),),),
    "whichgroup": lambda sem: ((("group", sem),),),
    "peer": lambda sem: ((("own", sem),), (("scope", ("market", "CN")),), (("group", sem),)),
    "noun": lambda sem: ((("group", "industry"),),) if sem == "industries" else (),
    "except": lambda _: ((("not", "not"),),),
    "neg": lambda _: ((("not", "not"),),),
    "bool": lambda sem: ((("or", "or"),),) if sem == "or" else (),
    "course": lambda sem: ((("course", sem),),),
    "indicator": lambda _: ((("tool", "indicator"),),),
    "toolask": lambda sem: ((("tool", sem),),),
    "tool": lambda sem: ((("tool", sem),),),
    **dict.fromkeys(COUNTING, lambda sem: (tuple(_numbers(sem)),)),
    **dict.fromkeys(_SIGNED, _of_sign),
    **dict.fromkeys(_ORDERED, lambda sem: ((("way", sem),), _of_most(sem))),
}


def ways_of_word(token: Token) -> Ways:
    """The atoms a word stands for, in each way it may be meant; nothing where it says none."""
    of = _OF_WORD.get(token.cat)
    return tuple(frozenset(way) for way in of(token.sem)) if of else ()


def atoms_of_words(tokens: Iterable[Token]) -> frozenset[Atom]:
    """Everything these words may mean."""
    return frozenset(atom for one in tokens for way in ways_of_word(one) for atom in way)
