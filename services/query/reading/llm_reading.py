"""What a model made of a question, held against the question itself and against our own tables.

A reading can only choose among meanings of words the asker wrote. Both ways: what it says must be
the meaning of a word it quotes, of the query before, or a default; and every word of the question
must be quoted and said. Numbers, companies and times are never its own; a figure may be its own
reading of words nobody here knows, which is told beside the answer.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol, cast

from pydantic import Field, TypeAdapter, ValidationError

from services.core.catalogue import CATALOGUE
from services.core.record import Record
from services.language.lattice import FUNCTION, Token
from services.language.plain_text import lower, plain_question
from services.query.algebra.nodes import (
    YEAR_BEFORE,
    Arith,
    Change,
    Compare,
    Const,
    In,
    Node,
    OtherTool,
    Query,
    Span,
    Take,
    When,
    rewrite,
    walk,
)
from services.query.algebra.scopes import CURRENCIES
from services.query.planning.metadata import Metadata
from services.query.reading.atoms import (
    Atom,
    atoms_of_node,
    atoms_of_query,
    atoms_of_words,
    atoms_within,
    implied_by,
    ways_of_word,
)
from services.query.reading.chart import OverBudgetError
from services.query.reading.coverage import JOINING, PLAIN_ASKS
from services.query.reading.entities import NameBook
from services.query.reading.figures_said import HAD, base, is_of_days
from services.query.reading.grammar import PARTS
from services.query.reading.phrases import Amount, Time
from services.query.reading.ranking import chart_of
from services.query.reading.reader import BUDGET
from services.query.reading.tagging import Lattice

MOST_QUERIES = 3
# Said by nobody: the market that is meant where none is named, the natural order, one of each.
_DEFAULTS: frozenset[Atom] = frozenset({("scope", ("market", "CN")), ("way", "desc")})
# What a model may take words for that nobody here knows. Never a number, a company, a set or a
# time: those have words of their own.
_ITS_OWN = frozenset({
    "metric", "sign", "way", "fold", "change", "arith", "course", "rank", "own", "group", "not",
    "or", "loss", "tool",
})  # fmt: skip
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
# What is told of a figure, a bound, a company, a time: swapped between two nodes it is another one.
_PLACED = frozenset({"metric", "number", "symbol", "scope", "time"})
_KINDS = {"symbol": "company", "metric": "figure"}
# Words that mean nothing by themselves need no quote.
_FREE = frozenset({FUNCTION, "COMMA", *JOINING})
# Marks and spaces are no words.
_WORD = re.compile(r"\w")
_NOBODY = ("NOFIG", "CONCEPT")
# Phrases that are whole by themselves: within them a rule may turn a word round (OUT: 除了 what).
_PHRASES = frozenset({*PARTS, "WH", "EACH"})
# Of a phrase: whether the nodes in it are all it means. A word inside a longer one is part of it.
_WHOLE, _PARTLY = "whole", "partly"
_MONEY = frozenset({"LOCAL", *CURRENCIES.values()})
# Kinds of words whose meaning must be in the query that quotes them.
_KINDS_OF_WORDS = (
    "METRIC", "several", "ratio", "ENT", "SCOPE", "WHEN", "YTD", "AMT", "COUNT", "TOP", "BOTTOM",
    "DAYS", "RUN", "cmp", "postcmp", "sup", "bigsup", "dir", "agg", "except", "group",
    "best", "loss", "double", "idiom", "course", "indicator", "toolask",
)  # fmt: skip


class NotTakenError(Exception):
    """A model's reading that does not count; `why` is a key of NOTES."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class SuggestedError(Exception):
    """It reads well but for words we know no company by: `symbols` are to be confirmed."""

    def __init__(self, said: str, symbols: tuple[str, ...]) -> None:
        super().__init__(", ".join(symbols))
        self.said = said
        self.symbols = symbols


class CompanyFinder(Protocol):
    """What knows the companies by name."""

    @property
    def book(self) -> NameBook:
        """The names as they are now."""
        ...


class _Document(Record):
    understood: bool
    queries: tuple[Query | OtherTool, ...] = Field(default=(), max_length=MOST_QUERIES)


@dataclass(frozen=True, slots=True)
class Believed:
    """A reading that holds. `taken`: words nobody here knows, read as the model takes them."""

    queries: tuple[Query | OtherTool, ...]
    taken: tuple[str, ...] = ()


_ANY = TypeAdapter(dict[str, Any])
_SetSaid = tuple[str, tuple[str, ...], str | None]


class ReadingChecker:
    """Holds readings against the companies of the market and one table of figures."""

    def __init__(self, named: CompanyFinder, metadata: Metadata) -> None:
        self._named, self._metadata = named, metadata

    def believed(
        self,
        document: str,
        lattice: Lattice,
        before: Sequence[Query],
        unanswered: Sequence[Lattice] = (),
    ) -> Believed:
        """The queries of a model's document. `unanswered` are the turns put back just before: what
        they say need not be said again. Raises: NotTakenError, SuggestedError.
        """
        reading = _read(document, lattice.text)
        if not reading.understood or not reading.queries:
            raise NotTakenError("not_understood")
        if lattice.has(*_NOBODY):
            raise NotTakenError("not_understood")
        earlier = {atom for one in before for atom in atoms_of_query(one)}
        earlier |= {atom for one in unanswered for atom in atoms_of_words(one.tokens)}
        held = _Held(lattice, frozenset(earlier))
        read = rewrite(reading.queries, held.bounded)
        asked = rewrite(read, held.as_said)
        taken = {words: None for query in asked for words in self._back(query, held)}
        _forward(asked, held)
        if any(_is_misplaced(one, held) for query in asked for one in walk(query)):
            raise NotTakenError("argument")
        named = held.names_of_sets(before)
        return Believed(tuple(_named(one, named) for one in read), tuple(taken))

    def _back(self, query: Query | OtherTool, held: "_Held") -> Iterator[str]:
        """Each atom of the query by the words it is of. Yields words only the model knows.
        Raises: NotTakenError, SuggestedError.
        """
        said = held.said(_spans(query)) | held.unquoted
        if isinstance(query, OtherTool) and not all(one in held.text for one in _words(query.text)):
            raise NotTakenError("argument")
        for kind, value in sorted(atoms_of_query(query) - said, key=str):
            if kind == "symbol":
                self._suggest(str(value), query, held)
            words = [held.text[start:end] for start, end in held.unread_of((kind, value), query)]
            if not words and held.is_worded((kind, value), query):
                continue
            if kind not in _ITS_OWN or not words:
                raise NotTakenError(_KINDS.get(kind, "argument"))
            if kind == "metric":
                if value not in HAD:
                    raise NotTakenError("figure")
                entry = self._metadata.exact(CATALOGUE[str(value)].zh)
                if entry is not None and not self._metadata.may_be("".join(words), entry):
                    raise NotTakenError("figure")
            yield from words

    def _suggest(self, symbol: str, query: Query | OtherTool, held: "_Held") -> None:
        """A company for words nobody here knows is a choice to confirm. Raises: SuggestedError."""
        for one in walk(query):
            named = isinstance(one, In) and one.dim == "symbol" and symbol in one.values
            if not named and not (isinstance(one, OtherTool) and symbol in one.symbols):
                continue
            quotes = [held.text[start:end] for start, end in one.said]
            for start, end in held.unread_in(one.said):
                said, book = held.text[start:end], self._named.book
                if not any(book.mention(text, 0, len(text)).is_known for text in (said, *quotes)):
                    raise SuggestedError(said, (symbol,))


class _Meant(NamedTuple):
    """What a stretch of the question means in one way: a word of that kind, or a phrase."""

    start: int
    end: int
    atoms: frozenset[Atom]
    kind: str = ""


@dataclass(frozen=True)
class _Held:
    """The words of a question, and the atoms of the queries before it."""

    lattice: Lattice
    before: frozenset[Atom]

    @property
    def text(self) -> str:
        return self.lattice.text

    def said(self, spans: Sequence[Span]) -> frozenset[Atom]:
        """Everything the words within these spans may mean, and the phrases of them."""
        quoted = {at for start, end in spans for at in range(start, end)}
        quoted |= {at for at, char in enumerate(self.text) if not _WORD.match(char)}
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
        return self.before | _DEFAULTS | more

    def is_said(self, word: "_Meant", atoms: frozenset[Atom]) -> bool:
        """Whether these are all of some meaning of the word, or of a phrase it stands in: 10 of
        10-50亿. What is part of a longer function word (一 of 对比一下) needs none.
        """
        wholes = (one for one in (*self.words, *self.phrases) if one.kind != _PARTLY)
        beside = (one for one in wholes if one.start < word.end and word.start < one.end)
        return any(one.atoms <= atoms for one in beside) or any(
            one.start <= word.start < word.end <= one.end
            and one.end - one.start > word.end - word.start
            for one in self.lattice.has(FUNCTION)
        )

    @cached_property
    def ones(self) -> frozenset["_Meant"]:
        """A one without a unit: which one, 看一下; it need be no number."""
        found = [one for one in self.lattice.has("AMT") if one.sem == Amount(1.0, "number")]
        return frozenset(
            word
            for word in self.words
            if any((one.start, one.end) == (word.start, word.end) for one in found)
        )

    @cached_property
    def words(self) -> tuple["_Meant", ...]:
        """What each word may mean, each of its ways by itself."""
        kinds = {one: one.cat for one in self.lattice.has(*(t.cat for t in self.lattice.tokens))}
        return tuple(
            _Meant(one.start, one.end, way, kinds.get(one, _PARTLY))
            for one in self.lattice.tokens
            for way in ways_of_word(one)
        )

    @cached_property
    def phrases(self) -> tuple["_Meant", ...]:
        """What the phrases of the grammar mean; none of a text with too many."""
        try:
            chart = chart_of(self.lattice.text, self.lattice.tokens, BUDGET)
        except OverBudgetError:
            return ()
        edges = [
            one for cell in chart.cells.values() for kind in _PHRASES for one in cell.get(kind, ())
        ]
        return tuple(
            _Meant(one.leaves[0].start, one.leaves[-1].end, atoms, kind)
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
        signs = {value for kind, value in self.said(_spans(node)) if kind == "sign"}
        other = _OR_EQUAL.get(node.sign)
        is_other = node.sign not in signs and other in signs
        return node.model_copy(update={"sign": other}) if is_other else node

    def as_said(self, node: Node) -> Node:
        """Below minus five as it is said: it fell by more than five."""
        if not (isinstance(node, Compare) and isinstance(node.right, Const)):
            return node
        bound, spans = node.right.value, _spans(node)
        said = self.said(spans)
        fell = any(one.sem in _FALLS or one.cat == "loss" for one in self.words_within(spans))
        if not fell or node.sign not in _TURNED or ("number", bound) in said or bound >= 0:
            return node
        right = node.right.model_copy(update={"value": -bound})
        return node.model_copy(update={"sign": _TURNED[node.sign], "right": right})

    def unread_of(self, atom: Atom, query: Node) -> tuple[Span, ...]:
        """The words nobody here knows that are quoted where the query says that."""
        return self.unread_in(_spans_of(atom, query))

    def is_worded(self, atom: Atom, query: Node) -> bool:
        """Whether that is how words go together, and the words quoted for it may say so: 从最高跌到
        最低 is a drawdown, 翻了几倍 a multiple. A word that says another of its kind is said
        elsewhere in the query.
        """
        spans, (kind, _) = _spans_of(atom, query), atom
        words = [one for one in self.words_within(spans) if one.cat not in _NAMES]
        others = {one for one in self.said(spans) if one[0] == kind}
        may_be = kind in _STRUCTURE or self._is_beside(atom)
        return may_be and bool(words) and others <= atoms_of_query(query)

    def _is_beside(self, atom: Atom) -> bool:
        """The year before or after one that the queries before are of: 前一年."""
        kind, year = atom
        beside = {("time", year - 1), ("time", year + 1)} if isinstance(year, int) else set[Atom]()
        return kind == "time" and bool(beside & self.before)

    def words_within(self, spans: Sequence[Span]) -> list[Token]:
        """The words within these spans that are not free."""
        return [
            one
            for one in self.lattice.tokens
            if not _is_free(one) and any(a <= one.start and one.end <= b for a, b in spans)
        ]

    def unread_in(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """The words within these spans that nobody here knows."""
        return tuple(
            (start, end)
            for start, end in self.lattice.unread
            if any(first < end and start < last for first, last in spans)
        )


def _named(query: Query | OtherTool, named: Mapping[tuple[str, tuple[str, ...]], str]) -> Any:
    """The query with its sets called as they are here."""

    def called(node: Node) -> Node:
        if not isinstance(node, In):
            return node
        return node.model_copy(update={"label": named.get((node.dim, node.values))})

    return rewrite(query, called)


def _read(document: str, text: str) -> _Document:
    """The document with quotes as places of the text. Raises: NotTakenError."""
    try:
        read = _Document.model_validate(_placed(_ANY.validate_json(document), text))
        return read.model_copy(update={"queries": rewrite(read.queries, _from_year_before)})
    except (ValidationError, RecursionError):
        raise NotTakenError("shape") from None


def _placed(part: Any, text: str) -> Any:
    if isinstance(part, list):
        return [_placed(one, text) for one in cast("list[object]", part)]
    if not isinstance(part, dict):
        return part
    made = {key: _placed(one, text) for key, one in cast("dict[str, object]", part).items()}
    if "said" in made:
        made["said"] = [place for one in _quotes(made["said"]) for place in _places(one, text)]
    return made


def _from_year_before(node: Node) -> Node:
    """A change from a year nobody said, the one before that in which it ends, is from that one."""
    if not isinstance(node, Change) or node.since.said or node.until.kind != "years":
        return node
    year = node.until.first
    if not isinstance(year, int) or node.until.last != year:
        return node
    before = When(kind="years", first=year - 1, last=year - 1)
    return node.model_copy(update={"since": YEAR_BEFORE}) if node.since == before else node


def _quotes(said: object) -> list[str]:
    """Raises: NotTakenError where quotes are no list of texts."""
    quotes = cast("list[object]", said) if isinstance(said, list) else [None]
    if not all(isinstance(one, str) for one in quotes):
        raise NotTakenError("shape")
    return cast("list[str]", quotes)


def _places(quote: str, text: str) -> Iterator[Span]:
    """Every place of a quote in the question. Raises: NotTakenError where it is in none."""
    said = lower(plain_question(quote)).strip()
    found = [one.start() for one in re.finditer(re.escape(said), text)] if said else []
    if not found:
        raise NotTakenError("argument")
    yield from ((start, start + len(said)) for start in found)


def _forward(queries: Sequence[Query | OtherTool], held: _Held) -> None:
    """Raises: NotTakenError where a word of the question is quoted by nothing, or said by none."""
    nodes = [one for query in queries for one in walk(query)]
    spans = [span for one in nodes for span in one.said]
    free = [(one.start, one.end) for one in held.lattice.tokens if _is_free(one)]
    covered = {at for start, end in (*spans, *free) for at in range(start, end)}
    if any(at not in covered and _WORD.match(char) for at, char in enumerate(held.text)):
        raise NotTakenError("words")
    atoms = frozenset(atom for one in nodes for atom in (*atoms_of_node(one), *implied_by(one)))
    counted = {("number", float(count)) for one in nodes for count in _counts_of(one)}
    asked = (one for one in held.words if one.kind in _KINDS_OF_WORDS and one not in held.ones)
    if not all(held.is_said(one, atoms | counted) for one in asked):
        raise NotTakenError("words")


def _counts_of(node: Node) -> tuple[int, ...]:
    """How many are spoken of where the node says them one by one: 三家, the gap between the two."""
    match node:
        case In():
            return (len(node.values),)
        case Take():
            return (node.count,)
        case Arith() | Change():
            return (2,)
        case _:
            return ()


def _is_misplaced(node: Node, held: _Held) -> bool:
    """Whether it says what other words mean than those it and its parts quote: of two bounds each
    other's.
    """
    spans = _spans(node)
    said = held.said(spans)
    unsaid = frozenset(atoms_of_node(node)) - said - held.unquoted
    others = {kind for kind, _ in said} & {kind for kind, _ in unsaid} & _PLACED
    return bool(others) and not held.unread_in(spans)


def _spans(node: Node) -> list[Span]:
    """What it and its parts quote."""
    return [span for one in walk(node) for span in one.said]


def _spans_of(atom: Atom, query: Node) -> list[Span]:
    """What is quoted where the query says that."""
    return [span for one in walk(query) if atom in tuple(atoms_of_node(one)) for span in one.said]


def _is_free(token: Token) -> bool:
    return token.cat in _FREE or (token.cat == "ask" and token.sem in PLAIN_ASKS)


def _words(text: str) -> list[str]:
    return [lower(plain_question(one)) for one in text.split()]


def restated(question: str, said: str, name: str) -> str:
    """The question with the words for a company replaced by a name that is sure."""
    place = question.lower().find(said.lower())
    if place < 0:
        return f"{name} {question}"
    return question[:place] + name + question[place + len(said) :]
