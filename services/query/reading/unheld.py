"""What nobody here has, asked beside what is held: the held is answered, the other told.

What place the unknown word has in the question is not guessed: it is read once with a held figure,
or a listed company, in its stead. Where that stand-in is one of several things to be shown, and
nothing hangs on it, the question is answered without it; else it is put back saying what hung on
it, with the query of the rest to choose.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from services.language.lattice import Token
from services.query.algebra.nodes import (
    Arith,
    Expr,
    In,
    Metric,
    Node,
    Order,
    Query,
    Unheld,
    both,
    items_of,
    walk,
)
from services.query.reading.question_words import UNLISTED
from services.query.reading.tagging import Lattice

# What a figure nobody has is read as meanwhile: of reports, of valuations, of sessions.
_FIGURES = (
    ("total_assets", "equity", "revenue", "net_profit"),
    ("ps_ttm", "market_cap", "pb"),
    ("roe", "gross_margin", "net_margin"),
    ("close", "volume", "amount"),
)
_COMPANIES = ("600519.SH", "000858.SZ", "601398.SH", "000002.SZ", "600036.SH")
_MOST_UNKNOWN = 4

# What hangs on it: nothing (it is shown), the rows, their order, a figure, a sum of companies; or
# whom alone it was asked of.
Place = Literal["shown", "condition", "order", "reckoned", "summed", "whom"]
# How a question is read; None where it makes no query.
Reads = Callable[[Lattice], Query | None]


@dataclass(frozen=True, slots=True)
class Partly:
    """A question with something nobody has: what that is, its place, the query of the rest."""

    unheld: Unheld
    place: Place
    rest: Query | None


def read_partly(lattice: Lattice, raw: str, before: Sequence[Query], read: Reads) -> Partly | None:
    """What is asked beside or by what nobody has; None where nothing can be read so, or where it
    is all that was asked. `raw`: the question as it was written.
    """
    figures = lattice.has("NOFIG")
    companies = [one for one in lattice.has("CONCEPT") if one.sem == UNLISTED]
    is_other = len(lattice.has("CONCEPT")) > len(companies) or bool(lattice.unread)
    if is_other or not 0 < len(figures) + len(companies) <= _MOST_UNKNOWN:
        return None
    beside = [one for one in lattice.has("METRIC") if not _overlaps(one, figures)]
    if figures and beside and any(_makes_another(one, lattice, raw) for one in figures):
        return None
    symbols = [one for one in _COMPANIES if one not in _said(lattice, "ENT", before)]
    given = dict(zip(companies, symbols, strict=False))
    unheld = Unheld(
        figures=tuple(dict.fromkeys(_as_written(one, lattice, raw) for one in figures)),
        companies=tuple(dict.fromkeys(_as_written(one, lattice, raw) for one in companies)),
    )
    for names in _stand_ins(lattice, figures, before):
        others = {
            **{one: replace(one, cat="METRIC", sem=name, cost=1.0) for one, name in names.items()},
            **{one: replace(one, cat="ENT", sem=(by,), cost=1.0) for one, by in given.items()},
        }
        kept = (one for one in lattice.tokens if one in others or not _overlaps(one, figures))
        tokens = tuple(others.get(one, one) for one in kept)
        query = read(Lattice(lattice.text, tokens, ()))
        if query is not None:
            found = _placed(query, frozenset({*names.values(), *given.values()}), unheld)
            tests = query.where is not None and _is_before_a_test(figures, lattice)
            return replace(found, place="condition") if found and tests else found
    return None


def _is_before_a_test(figures: Sequence[Token], lattice: Lattice) -> bool:
    """毛利也就是净利率超过20%: what is named before a bound may be bounded by it too."""
    bounds = [one.start for one in lattice.has("cmp", "postcmp", "AMT", "between")]
    return any(one.start < at for one in figures for at in bounds)


def _overlaps(token: Token, unknown: Sequence[Token]) -> bool:
    """Whether a figure is read of the same letters: 卖了多少 of 卖了多少辆."""
    return token.cat == "METRIC" and any(
        one.start < token.end and token.start < one.end for one in unknown
    )


def _makes_another(unknown: Token, lattice: Lattice, raw: str) -> bool:
    """Whether it stands right beside the name of a figure, which it makes another one: free float
    market value, non-GAAP profit. What a mark, a word that joins or a space of Chinese parts is
    named beside it.
    """
    for one in lattice.has("METRIC"):
        first, last = sorted((one, unknown), key=lambda token: token.start)
        gap = lattice.text[first.end : last.start]
        if gap.strip(" 的"):
            continue
        said = [re.escape(lattice.text[token.start : token.end]) for token in (first, last)]
        # 毛利 负债: a list without marks, whose spaces the reader does not see.
        if gap or not re.search(rf"{said[0]}\s+{said[1]}", raw, re.IGNORECASE):
            return True
    return False


def carried(query: Query, lattice: Lattice, before: Sequence[Query]) -> Query:
    """A turn that goes on of the same figures lacks the same, and so of the same companies."""
    unheld = before[-1].unheld if before else None
    if unheld is None:
        return query
    is_of_them = query.scope == before[-1].scope and not lattice.has("ENT")
    is_same = query.unheld is not None and _figures(query) == _figures(before[-1])
    kept = Unheld(
        figures=unheld.figures if is_same else (),
        companies=unheld.companies if is_of_them else (),
    )
    return query.but(unheld=kept if kept != Unheld() else None)


def _figures(query: Query) -> set[str]:
    return {one.id for each in query.show for one in walk(each) if isinstance(one, Metric)}


def _stand_ins(
    lattice: Lattice, figures: Sequence[Token], before: Sequence[Query]
) -> Iterator[Mapping[Token, str]]:
    """Held figures that nobody spoke of, one for each that is not held."""
    said = _said(lattice, "METRIC", before)
    for kind in _FIGURES if figures else ((),):
        free = [one for one in kind if one not in said]
        if len(free) >= len(figures):
            yield dict(zip(figures, free, strict=False))


def _said(lattice: Lattice, cat: str, before: Sequence[Query]) -> set[str]:
    """The figures or companies of the question and of the turns before."""
    said = {value for one in lattice.tokens if one.cat == cat for value in _strings(one.sem)}
    return said.union(*(_names(query) for query in before))


def _placed(query: Query, gone: frozenset[str], unheld: Unheld) -> Partly | None:
    """What hangs on what stood in, and the query without it; None where nothing is left."""
    if query.group is not None or query.first is not None or query.less:
        return Partly(unheld, "reckoned", None)
    show = tuple(one for one in query.show if not _holds(one, gone))
    reckoned = [one for one in query.show if _holds(one, gone) and isinstance(one, Arith)]
    terms = [part for one in reckoned for part in _held_terms(one, gone)]
    tests = items_of(query.where)
    kept = [one for one in tests if not _holds(one, gone)]
    orders = tuple(one for one in query.order if not _holds(one, gone))
    folds = tuple(one for one in query.fold if not _holds(one, gone))
    scope, is_short = _without_companies(query, gone)
    rest = query.but(
        scope=scope,
        where=both(*kept),
        order=orders,
        fold=folds,
        show=tuple(dict.fromkeys((*show, *terms))),
        check=None if query.check and _holds(query.check, gone) else query.check,
    )
    place: Place = "shown"
    if is_short:  # each of those that are held
        of_each = (one.of for one in folds if one.of is not None)
        place = "summed"
        rest = rest.but(show=(*rest.show, *of_each), fold=())
    elif reckoned or folds != query.fold or rest.check != query.check:
        place = "reckoned"
    elif orders != query.order:
        other = tuple(Order(by=one, direction=query.order[0].direction) for one in show[:1])
        place, rest = "order", rest.but(order=orders or other)
    elif rest.where != query.where:
        place = "condition"
    elif _holds(rest, gone):
        place = "reckoned"
    if rest.scope is None:
        return Partly(unheld, "whom", None) if query.scope is not None else None
    says = rest.show or rest.order or rest.where or rest.fold or rest.check
    is_whole = bool(says) and not _holds(rest, gone)
    if place == "shown":
        return Partly(unheld, place, rest) if is_whole else None
    return Partly(unheld, place, rest if is_whole and rest != query else None)


def _without_companies(query: Query, gone: frozenset[str]) -> tuple[object, bool]:
    """The set without what stood in, and whether something is reckoned of all of it."""
    scope = query.scope
    if not isinstance(scope, In) or scope.dim != "symbol" or not gone & set(scope.values):
        return scope, False
    values = tuple(one for one in scope.values if one not in gone)
    kept = scope.but(values=values) if values else None
    return kept, bool(query.fold or query.order or query.check)


def _held_terms(node: Arith, gone: frozenset[str]) -> Iterator[Expr]:
    """The figures of a sum or a ratio that are held."""
    for one in (node.left, node.right):
        if isinstance(one, Arith):
            yield from _held_terms(one, gone)
        elif not _holds(one, gone) and one.node != "const":
            yield one


def _holds(node: Node, names: frozenset[str]) -> bool:
    """Whether a figure or a company of those stands in it."""
    return bool(_names(node) & names)


def _names(node: Node) -> set[str]:
    """Every figure and company in it."""
    return {value for one in walk(node) for _, field in one for value in _strings(field)}


def _strings(field: object) -> Iterator[str]:
    if isinstance(field, str):
        yield field.partition(":")[0]
    elif isinstance(field, tuple):
        yield from (one for one in cast("tuple[object, ...]", field) if isinstance(one, str))


def _as_written(token: Token, lattice: Lattice, raw: str) -> str:
    """The word in the asker's letters, which the lattice has in small ones."""
    said = lattice.text[token.start : token.end].strip()
    # The same letters, whatever their case.
    found = re.search(re.escape(said), raw, re.IGNORECASE)
    return found.group() if found else said
