"""The words of a question and all they may mean, in atoms: what a model's reading is held to."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from typing import NamedTuple, cast

from services.core.catalogue import CATALOGUE
from services.language.dictionaries import CutWord, cut
from services.language.lattice import FUNCTION, Token
from services.language.plain_text import is_cjk
from services.query.algebra.nodes import Compare, Const, In, Metric, Node, Query, Span, walk
from services.query.algebra.scopes import CURRENCIES
from services.query.reading.atoms import (
    Atom,
    Ways,
    atoms_of_node,
    atoms_of_query,
    atoms_within,
    ways_of_word,
)
from services.query.reading.chart import OverBudgetError
from services.query.reading.coverage import JOINING, PLAIN_ASKS
from services.query.reading.entities import MARKET_CODES, NameBook
from services.query.reading.figures_said import base, is_of_days
from services.query.reading.grammar import PARTS
from services.query.reading.phrases import Amount, Time
from services.query.reading.ranking import chart_of
from services.query.reading.reader import BUDGET
from services.query.reading.tagging import Lattice
from services.query.reading.times_joined import in_year

# Said by nobody: the market that is meant where none is named, the natural order, one of each.
_DEFAULTS: frozenset[Atom] = frozenset({("scope", ("market", "CN")), ("way", "desc")})
# How words known here go together is a model's to say, where it quotes a word that may say so, and
# none that says another of its kind.
_STRUCTURE = frozenset({
    "sign", "fold", "change", "arith", "course", "rank", "own", "group", "loss",
})  # fmt: skip
# What a word of the question names; every other one that is not free says how they go together.
_NAMES = frozenset({
    "METRIC", "several", "ratio", "ENT", "SCOPE", "WHEN", "YTD", "AMT", "NUM", "COUNT", "TOP",
    "BOTTOM", "DAYS",
})  # fmt: skip
# Words of a fall, and how a bound is said behind them.
_FALLS, _TURNED = frozenset({"down", "close:fall"}), {"lt": "gt", "le": "ge"}
_OR_EQUAL = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
# Words that mean nothing by themselves need no quote.
_FREE = frozenset({FUNCTION, "COMMA", *JOINING})
# Marks and spaces are no words.
WORD = re.compile(r"\w")
# Phrases that are whole by themselves: within them a rule may turn a word round (OUT: 除了 what).
_PHRASES = frozenset({*PARTS, "WH", "EACH"})
# Of a phrase: whether the nodes in it are all it means. A word inside a longer one is part of it.
_WHOLE, _PARTLY = "whole", "partly"
_MONEY = frozenset({"LOCAL", *CURRENCIES.values()})

_SetSaid = tuple[str, tuple[str, ...], str | None]


class MeantWords(NamedTuple):
    """What a stretch of the question means in one way: a word of that kind, or a phrase."""

    start: int
    end: int
    atoms: frozenset[Atom]
    kind: str = ""


@dataclass(frozen=True)
class HeldWords:
    """The words of a question, and the atoms of the queries before it."""

    lattice: Lattice
    before: frozenset[Atom]
    book: NameBook

    @property
    def text(self) -> str:
        """The question in its plain form, of which quotes are places."""
        return self.lattice.text

    def said(self, spans: Sequence[Span]) -> frozenset[Atom]:
        """Everything the words within these spans may mean, and the phrases of them."""
        quoted = {at for start, end in spans for at in range(start, end)}
        quoted |= {at for at, char in enumerate(self.text) if not WORD.match(char)}
        return frozenset(
            atom
            for one in (*self.words, *self.phrases)
            if quoted.issuperset(range(one.start, one.end))
            for atom in one.atoms
        )

    @cached_property
    def unquoted(self) -> frozenset[Atom]:
        """What needs no quote: what the queries before say, a default, and what is asked about
        where nobody named it: of a sum of money a market value, of a day or of nothing the price.
        """
        more = set[Atom]()
        if any(cast("Amount", one.sem).unit in _MONEY for one in self.lattice.has("AMT")):
            more.add(("metric", "market_cap"))
        named = [base(str(one.sem)) for one in self.lattice.has("METRIC", "several", "ratio")]
        if all(one in CATALOGUE and is_of_days(one) for one in named):
            more |= {("metric", "close"), ("metric", "pct_change")}
        return self.before | _DEFAULTS | more | self._listed_there

    @property
    def _listed_there(self) -> set[Atom]:
        told = {str(value) for kind, value in self.before if kind == "symbol"}
        found = listings_said(self.lattice, told, self.book)
        return {("symbol", one) for there in found.values() for one in there}

    def is_said(self, word: "MeantWords", atoms: frozenset[Atom]) -> bool:
        """Whether these are all of some meaning of the word, or of a phrase it stands in: 10 of
        10-50亿. What is part of a longer function word (一 of 对比一下) needs none.
        """
        wholes = (one for one in (*self.words, *self.phrases) if one.kind != _PARTLY)
        beside = (one for one in wholes if one.start < word.end and word.start < one.end)
        return any(one.atoms <= atoms for one in beside) or any(
            one.start <= word.start < word.end <= one.end
            and one.end - one.start > word.end - word.start
            for one in self.lattice.has(FUNCTION, "held")
        )

    def is_of_named(self, word: MeantWords, nodes: Sequence[Node]) -> bool:
        """Whether it says of companies named there what is so: their market (比亚迪 A股), or their
        name where another listing was told before (农行, of four H shares) or said (H股).
        """
        named = {
            symbol
            for one in nodes
            if any(start <= word.start and word.end <= end for start, end in one.said)
            for symbol in _companies_of(one)
        }
        said = [cast("tuple[str, str]", value) for kind, value in word.atoms if kind == "scope"]
        if word.kind == "SCOPE" and named and len(said) == len(word.atoms):
            there = {("market", self.book.row(one).market) for one in named}
            return there.issuperset(said)
        told = {str(value) for kind, value in self.unquoted if kind == "symbol"} & named
        called = {str(value) for kind, value in word.atoms if kind == "symbol"}
        beside = {two for one in told for at in MARKET_CODES for two in self.book.listing(one, at)}
        return not called.isdisjoint(beside)

    def is_of_dropped(self, word: MeantWords, atoms: frozenset[Atom]) -> bool:
        """Whether it says that a figure of the query before is left out, or which: 去掉 PB 那条;
        that something of it is: 这条不要了; or that a set left out comes back: 把银行加回来.
        """
        lifted = self.lattice.has("lift")
        if not (lifted or self.lattice.has("except", "edit")):
            return False
        told = [one for one in self.words if one.kind == "METRIC" and one.atoms <= self.before]
        if word.kind == "except" and not told and self.before - atoms:
            return True
        named = {
            atom
            for one in self.words
            if one.kind == "METRIC" or (lifted and one.kind == "SCOPE")
            for atom in one.atoms
            if atom in self.before and atom not in atoms
        }
        return bool(named) and (word.kind == "except" or word.atoms <= named)

    @cached_property
    def ones(self) -> frozenset["MeantWords"]:
        """A one without a unit: which one, 看一下; it need be no number."""
        found = [one for one in self.lattice.has("AMT") if one.sem == Amount(1.0, "number")]
        return frozenset(
            word
            for word in self.words
            if any((one.start, one.end) == (word.start, word.end) for one in found)
        )

    @cached_property
    def words(self) -> tuple["MeantWords", ...]:
        """What each word may mean, each of its ways by itself."""
        kinds = {one: one.cat for one in self.lattice.has(*(t.cat for t in self.lattice.tokens))}
        cut_words = [one for one in cut(self.text) if is_cjk(one.word[0])]
        return tuple(
            MeantWords(one.start, one.end, way, kinds.get(one, _PARTLY))
            for one in self.lattice.tokens
            if one.end - one.start > 1 or not _is_within_a_word(one, cut_words, self.lattice)
            for way in self._ways_of(one)
        )

    def _ways_of(self, word: Token) -> Ways:
        """What a word may mean; 年底 and 3月 of every year named beside them or before."""
        if not isinstance(word.sem, Time) or word.sem.year_said:
            return ways_of_word(word)
        moved = [replace(word, sem=in_year(word.sem, year)) for year in self._years]
        return tuple(way for one in (word, *moved) for way in ways_of_word(one))

    @cached_property
    def _years(self) -> frozenset[int]:
        times = [cast("Time", one.sem) for one in self.lattice.has("WHEN")]
        said = {atom for one in times if one.year_said for atom in atoms_within(one)}
        return years_of(said | self.before)

    @cached_property
    def phrases(self) -> tuple["MeantWords", ...]:
        """What the phrases of the grammar mean; none of a text with too many."""
        try:
            chart = chart_of(self.lattice.text, self.lattice.tokens, BUDGET)
        except OverBudgetError:
            return ()
        edges = [
            one for cell in chart.cells.values() for kind in _PHRASES for one in cell.get(kind, ())
        ]
        return tuple(
            MeantWords(one.leaves[0].start, one.leaves[-1].end, atoms, kind)
            for one in edges
            if (atoms := frozenset(atoms_within(one.sem)))
            for kind in [_WHOLE if isinstance(one.sem, Node | Time) else _PARTLY]
        )

    def names_of_sets(self, before: Sequence[Query]) -> Mapping[tuple[str, tuple[str, ...]], str]:
        """What sets are called, by kind and members: in our words, never in a model's."""
        said = [cast("_SetSaid", one.sem) for one in self.lattice.has("SCOPE")]
        kept = [one for query in before for one in walk(query) if isinstance(one, In)]
        named = {(dim, tuple(values)): label for dim, values, label in said if label}
        return {(one.dim, one.values): one.label for one in kept if one.label} | named

    def bounded(self, node: Node) -> Node:
        """With the bound itself in or out as its words have it here: 以下."""
        if not isinstance(node, Compare):
            return node
        signs = {value for kind, value in self.said(spans_in(node)) if kind == "sign"}
        other = _OR_EQUAL.get(node.sign)
        is_other = node.sign not in signs and other in signs
        return node.but(sign=other) if is_other else node

    def as_said(self, node: Node) -> Node:
        """Below minus five as it is said: it fell by more than five."""
        if not (isinstance(node, Compare) and isinstance(node.right, Const)):
            return node
        bound, spans = node.right.value, spans_in(node)
        said = self.said(spans_in(node.right) or spans)
        fell = any(one.sem in _FALLS or one.cat == "loss" for one in self.words_within(spans))
        fell = fell or bool(self.unread_in(spans))  # shed more than 2%
        if not fell or node.sign not in _TURNED or ("number", bound) in said or bound >= 0:
            return node
        right = node.right.but(value=-bound)
        return node.but(sign=_TURNED[node.sign], right=right)

    def unread_of(self, atom: Atom, query: Node) -> tuple[Span, ...]:
        """The words nobody here knows that are quoted where the query says that."""
        return self.unread_in(spans_of(atom, query))

    def is_worded(self, atom: Atom, query: Node) -> bool:
        """Whether that is how words go together, and the words quoted for it may say so: 从最高跌到
        最低 is a drawdown, 翻了几倍 a multiple. A word that says another of its kind is said
        elsewhere in the query.
        """
        spans, (kind, _) = spans_of(atom, query), atom
        words = [one for one in self.words_within(spans) if one.cat not in _NAMES]
        others = {one for one in self.said(spans) if one[0] == kind}
        may_be = kind in _STRUCTURE or self._is_beside(atom)
        return may_be and bool(words) and others <= atoms_of_query(query)

    def _is_beside(self, atom: Atom) -> bool:
        """The year of the queries before, or the one before or after it: that year, 前一年."""
        kind, year = atom
        near = isinstance(year, int) and {year - 1, year, year + 1}
        return kind == "time" and bool(near and years_of(self.before) & near)

    def words_within(self, spans: Sequence[Span]) -> list[Token]:
        """The words within these spans that are not free."""
        return [
            one
            for one in self.lattice.tokens
            if not is_free(one) and any(a <= one.start and one.end <= b for a, b in spans)
        ]

    def unread_in(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """The words within these spans that nobody here knows."""
        return tuple(
            (start, end)
            for start, end in self.lattice.unread
            if any(first < end and start < last for first, last in spans)
        )


def years_of(atoms: Iterable[Atom]) -> frozenset[int]:
    """The years in which the times among these lie."""
    times = [value for of, value in atoms if of == "time"]
    return frozenset(
        one if isinstance(one, int) else one.year for one in times if isinstance(one, int | date)
    )


def _is_within_a_word(token: Token, found: Sequence[CutWord], lattice: Lattice) -> bool:
    """Whether it is only a character of a longer word that nobody here knows: 起 of 起止."""
    return any(
        one.start <= token.start < token.end <= one.end
        and one.end - one.start > token.end - token.start
        and any(start < one.end and one.start < end for start, end in lattice.unread)
        for one in found
    )


def _companies_of(node: Node) -> tuple[str, ...]:
    """Whom a node names: a set of companies, or the one whose figure it is."""
    if isinstance(node, In):
        return node.values if node.dim == "symbol" else ()
    of = getattr(node, "company", None) or (node.of if isinstance(node, Metric) else None)
    return (of,) if isinstance(of, str) else ()


def spans_in(node: Node) -> list[Span]:
    """What it and its parts quote."""
    return [span for one in walk(node) for span in one.said]


def spans_of(atom: Atom, query: Node) -> list[Span]:
    """What is quoted where the query says that."""
    return [span for one in walk(query) if atom in tuple(atoms_of_node(one)) for span in one.said]


def listings_said(
    lattice: Lattice, told: Iterable[str], book: NameBook
) -> dict[str, tuple[str, ...]]:
    """For each company named, or told before, its shares in a market that was said: H股."""
    said = {name for one in lattice.has("SCOPE") for name in _markets(one.sem)}
    at = [word for word, code in MARKET_CODES.items() if code in said]
    named = [cast("tuple[str, ...]", one.sem) for one in lattice.has("ENT")]
    symbols = sorted({*told, *(one[0] for one in named if len(one) == 1)})
    found = {one: tuple(two for each in at for two in book.listing(one, each)) for one in symbols}
    return {one: there for one, there in found.items() if there and there != (one,)}


def _markets(sem: object) -> tuple[str, ...]:
    """The markets that a word of a set names."""
    dim, values, _ = cast("_SetSaid", sem)
    return values if dim == "market" else ()


def is_free(token: Token) -> bool:
    """Whether it means nothing by itself, so that it needs no quote."""
    return token.cat in _FREE or (token.cat == "ask" and token.sem in PLAIN_ASKS)
