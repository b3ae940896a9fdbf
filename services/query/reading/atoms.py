"""What a query says and what a word says, both in atoms: a figure, a number, a company, a set, an
end of a time, a direction, a fold. Whoever reads a question otherwise than by grammar is held to
them both ways: no atom of the query without a word, no word without its atom.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from services.language.lattice import Token
from services.query.algebra import nodes as a
from services.query.reading.figures_said import base
from services.query.reading.phrases import Amount, Time

Atom = tuple[str, object]
# A word may be meant in one of several ways, each of them all of these atoms.
Ways = tuple[frozenset[Atom], ...]

_DOUBLES = {"x2": 2.0, "x3": 3.0, "x4": 4.0}
_TURNS: Mapping[str, Atom] = {
    "yoy": ("change", "rate"), "ret": ("change", "rate"), "fall": ("change", "rate"),
    "cagr": ("change", "cagr"), "drawdown": ("course", "drawdown"),
    "longest_rise": ("course", "longest_rise"), "longest_fall": ("course", "longest_fall"),
    "new_highs": ("course", "new_highs"), "volatility": ("course", "volatility"),
}  # fmt: skip
# What words that ask stand for in a query; each may be any one of these.
_ASKS: Mapping[str, tuple[tuple[Atom, ...], ...]] = {
    "diff": ((("arith", "sub"),), (("change", "difference"),)),
    "excess": ((("arith", "sub"),), (("change", "difference"),)),
    "mult": ((("arith", "div"),), (("change", "multiple"),)),
    "share": ((("arith", "percent"),), (("arith", "div"),)),
    "sum2": ((("fold", "sum"),), (("arith", "add"),)),
    "rank": ((("rank", "place"),),),
    "pctile": ((("rank", "percentile"),),),
    "growth": ((("change", "rate"),), (("change", "difference"),)),
    "cagr": ((("change", "cagr"),),),
    "ret": ((("metric", "close"), ("change", "rate")), (("metric", "pct_change"),)),
    "drawdown": ((("course", "drawdown"),),),
}
_RELATIONS: Mapping[str, tuple[tuple[Atom, ...], ...]] = {
    "zhan": _ASKS["share"],
    "div": ((("arith", "div"),),),
    "mul": ((("arith", "mul"),),),
    "minus": ((("arith", "sub"),),),
    "plus": ((("arith", "add"),),),
}
_COUNTING = frozenset({"NUM", "COUNT", "TOP", "BOTTOM", "DAYS", "RUN", "NYEARS", "BIGS"})
_SIGNED = frozenset({"cmp", "postcmp", "size", "higher"})
_ORDERED = frozenset({"sup", "bigsup", "ordsup", "dir"})


def atoms_of_query(meant: a.Node) -> frozenset[Atom]:
    """Everything it says that a word must have said."""
    nodes = tuple(a.walk(meant))
    owners = [getattr(one, "of" if isinstance(one, a.Metric) else "company", None) for one in nodes]
    symbols = frozenset(("symbol", one) for one in owners if one is not None)
    return frozenset(atom for one in nodes for atom in atoms_of_node(one)) | symbols


def atoms_of_node(  # noqa: C901, PLR0912, PLR0915 — one kind of node a case
    node: a.Node,
) -> Iterator[Atom]:
    """What the node says by itself, without the nodes in it."""
    match node:
        case a.Metric(id=id_):
            yield "metric", id_
        case a.Const(value=value):
            yield "number", float(value)
        case a.Arith(how=how):
            yield "arith", how
        case a.Change(how=how, of=of):
            yield "metric", of
            yield "change", how
        case a.Over(how=how, of=of):
            yield "metric", of
            yield "fold", how
        case a.Course(how=how):
            yield "course", how
        case a.HistoryRank(of=of):
            yield "metric", of
            yield "rank", "percentile"
        case a.Across(how=how, own=own):
            yield "fold", how
            yield from [("own", own)] if own else []
        case a.Rank(percentile=percentile, own=own):
            yield "rank", "percentile" if percentile else "place"
            yield from [("own", own)] if own else []
        case a.When(first=first, last=last, only=only, count=count):
            yield from (("time", one) for one in (first, last, *only) if one is not None)
            yield from [("number", float(count))] if count is not None else []
        case a.In(dim="symbol", values=values):
            yield from (("symbol", one) for one in values)
        case a.In(dim=dim, values=values):
            yield from (("scope", (dim, one)) for one in values)
        case a.Compare(sign=sign):
            yield "sign", sign
        case a.Loss():
            yield "loss", "loss"
        case a.Exists(least=least) if least > 1:
            yield "number", float(least)
        case a.AnyOf():
            yield "or", "or"
        case a.Not():
            yield "not", "not"
        case a.Order(direction=direction):
            yield "way", direction
        case a.Take(count=count, skip=skip):
            yield from [("number", float(count))] if count != 1 else []
            yield from [("number", float(skip))] if skip else []
        case a.Folded(how=how) | a.Having(sign=how):
            yield ("fold" if isinstance(node, a.Folded) else "sign"), how
        case a.Query(group=str(group)):
            yield "group", group
        case a.Tool(action=action, symbols=symbols):
            yield "tool", action
            yield from (("symbol", one) for one in symbols)
        case _:
            return


def ways_of_word(token: Token) -> Ways:
    """The atoms a word stands for, in each way it may be meant; nothing where it says none."""
    return tuple(frozenset(way) for way in _ways(token))


def _ways(token: Token) -> tuple[tuple[Atom, ...], ...]:  # noqa: C901, PLR0912 — as above
    cat, sem = token.cat, cast("Any", token.sem)
    match cat:
        case "METRIC":
            turn = _TURNS.get(str(sem).partition(":")[2])
            metric: Atom = ("metric", base(str(sem)))
            if turn is not None and turn[0] == "course":
                return ((turn,),)
            return ((metric, turn),) if turn else ((metric,),)
        case "several":
            return tuple((("metric", one),) for one in str(sem).split())
        case "ratio":
            parts = tuple(("metric", one) for one in str(sem).split("/"))
            return ((*parts, ("arith", "percent")), (*parts, ("arith", "div")))
        case "ENT":
            return ((("symbol", sem[0]),),) if len(sem) == 1 else ()
        case "SCOPE":
            dim, values, _ = cast("tuple[str, tuple[str, ...], str | None]", sem)
            if dim == "symbol":
                return (tuple(("symbol", one) for one in values),)
            return (tuple(("scope", (dim, one)) for one in values),)
        case "WHEN" | "YTD" if isinstance(sem, Time):
            return tuple(_ends(one) for one in (sem.periods, sem.days) if one and _ends(one))
        case "AMT" if isinstance(sem, Amount):
            return ((("number", float(sem.value)),),)
        case "ORD":
            place = float(sem[0])
            return ((("number", place),), (("number", place - 1),)) if place > 1 else ()
        case "double":
            return ((("number", _DOUBLES.get(str(sem), 2.0)),),)
        case "idiom":
            return ((("metric", "pb"), ("sign", "lt"), ("number", 1.0)),)
        case "loss":
            sign = "gt" if sem == "profit" else "lt"
            zero: tuple[Atom, ...] = (("metric", "net_profit"), ("sign", sign), ("number", 0.0))
            return (zero, (("loss", "loss"),))
        case "move" | "pmove":
            sign = "gt" if sem == "up" else "lt"
            moved: tuple[Atom, ...] = (("sign", sign), ("number", 0.0))
            of_price: tuple[Atom, ...] = (("metric", "close"), ("change", "rate"))
            more: Atom = ("way", "desc" if sem == "up" else "asc")
            ways = (moved, (("change", "rate"),), (("change", "difference"),), (more,))
            return (*ways, (*moved, *of_price), of_price) if cat == "pmove" else ways
        case "best":
            metric_id, _, way = str(sem).rpartition("-")
            return ((("metric", metric_id), ("way", way)), (("metric", "close"), ("way", way)))
        case "ask":
            return _ASKS.get(str(sem), ())
        case "rel":
            return _RELATIONS.get(str(sem), ())
        case "agg":
            return ((("fold", sem),), (("way", "desc" if sem == "max" else "asc"),))
        case "count":
            return ((("fold", "count"),),)
        case "group" | "whichgroup":
            return ((("group", sem),),)
        case "peer":
            return ((("own", sem),), (("scope", ("market", "CN")),))
        case "except" | "neg":
            return ((("not", "not"),),)
        case "bool" if sem == "or":
            return ((("or", "or"),),)
        case "course":
            return ((("course", sem),),)
        case "indicator":
            return ((("tool", "indicator"),),)
        case "toolask" | "tool":
            return ((("tool", sem),),)
        case _ if cat in _COUNTING:
            return ((("number", float(sem)),),)
        case _ if cat in _SIGNED:
            return ((("sign", sem),), (("way", "desc" if sem in ("gt", "ge") else "asc"),))
        case _ if cat in _ORDERED:
            return ((("way", sem),),)
        case _:
            return ()


def _ends(when: a.When) -> tuple[Atom, ...]:
    return tuple(dict.fromkeys(atoms_of_node(when)))
