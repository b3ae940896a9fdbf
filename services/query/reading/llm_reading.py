"""What a model made of a question, held against the question itself and against our own tables.

A reading can only choose among meanings of words the asker wrote. Both ways: what it says must be
the meaning of a word it quotes, of the query before, or a default; and every word of the question
must be quoted and said. Numbers, companies and times are never its own; a figure may be its own
reading of words nobody here knows, which is told beside the answer.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, Protocol, cast

from pydantic import Field, TypeAdapter, ValidationError

from services.core.catalogue import CATALOGUE
from services.core.record import Record
from services.language.lattice import FUNCTION, Token, uncovered
from services.language.plain_text import lower, plain_question
from services.query.algebra.nodes import (
    YEAR_BEFORE,
    Arith,
    Change,
    In,
    Node,
    OtherTool,
    Query,
    Span,
    Take,
    Unheld,
    When,
    rewrite,
    walk,
)
from services.query.planning.metadata import Metadata
from services.query.reading.atoms import (
    Atom,
    atoms_of_node,
    atoms_of_query,
    atoms_of_words,
    implied_by,
    needs_no_word,
)
from services.query.reading.coverage import decides
from services.query.reading.entities import NameBook
from services.query.reading.figures_said import HAD
from services.query.reading.held_words import (
    WORD,
    HeldWords,
    MeantWords,
    is_free,
    spans_in,
)
from services.query.reading.remade import mapped
from services.query.reading.tagging import Lattice

# What is kept whole when two forms of a question are laid beside each other: Latin words, numbers,
# and single characters of Chinese.
_PIECE = re.compile(r"[a-z0-9'.%]+|.", re.DOTALL)


class NotQuotedError(Exception):
    """Words that are nowhere in the question; `quote` are they."""

    def __init__(self, quote: str) -> None:
        super().__init__(quote)
        self.quote = quote


class Quotes:
    """The places of quotes. `text` is the plain form, `asked` the question as it was written."""

    def __init__(self, text: str, asked: str) -> None:
        self._text, self._asked = text, lower(plain_question(asked))

    def find(self, quote: str) -> Iterator[Span]:
        """Every place of a quote in the plain form; none for words that have nothing there.
        Raises: NotQuotedError.
        """
        said = lower(plain_question(quote)).strip()
        if not said:
            raise NotQuotedError(quote)
        if found := _places(said, self._text):
            yield from found
            return
        there = _places(said, self._asked)
        if not there:
            raise NotQuotedError(quote)
        for start, end in there:
            yield from self._in_text(start, end)

    def _in_text(self, start: int, end: int) -> Iterator[Span]:
        """What stands in the plain form for a stretch of the question as written."""
        found = [
            (b0 + max(start - a0, 0), b1 - max(a1 - end, 0)) if kind == "equal" else (b0, b1)
            for kind, a0, a1, b0, b1 in self._beside
            if a0 < end and start < a1 and b0 < b1
        ]
        if found:
            yield found[0][0], found[-1][1]

    @cached_property
    def _beside(self) -> list[tuple[str, int, int, int, int]]:
        """The stretches of both forms that are the same, or stand for each other, in order."""
        forms = [[*_PIECE.findall(one)] for one in (self._asked, self._text)]
        starts = [[sum(map(len, form[:at])) for at in range(len(form) + 1)] for form in forms]
        (of_a, of_b), matched = starts, SequenceMatcher(None, *forms, autojunk=False)
        return [
            (kind, of_a[a0], of_a[a1], of_b[b0], of_b[b1])
            for kind, a0, a1, b0, b1 in matched.get_opcodes()
        ]


def _places(said: str, text: str) -> list[Span]:
    return [(one.start(), one.end()) for one in re.finditer(re.escape(said), text)]


MOST_QUERIES = 3
# What a model may take words for that nobody here knows. Never a number, a company, a set or a
# time: those have words of their own.
_ITS_OWN = frozenset({
    "metric", "sign", "way", "fold", "change", "arith", "course", "rank", "own", "group", "not",
    "or", "loss", "tool",
})  # fmt: skip
# What is told of a figure, a bound, a company, a time: swapped between two nodes it is another one.
_PLACED = frozenset({"metric", "number", "symbol", "scope", "time"})
_KINDS = {"symbol": "company", "metric": "figure"}
_NOBODY = ("NOFIG", "CONCEPT")
# Kinds of words whose meaning must be in the query that quotes them.
_KINDS_OF_WORDS = (
    "METRIC", "several", "ratio", "ENT", "SCOPE", "WHEN", "YTD", "AMT", "COUNT", "TOP", "BOTTOM",
    "DAYS", "RUN", "cmp", "postcmp", "sup", "bigsup", "dir", "agg", "except", "group",
    "best", "loss", "double", "idiom", "course", "indicator", "toolask",
)  # fmt: skip


# A word of these may not be set aside: it would be another company, set, time or number.
_NEVER_ASIDE = frozenset({
    "ENT", "SCOPE", "WHEN", "YTD", "AMT", "COUNT", "TOP", "BOTTOM", "DAYS", "RUN", "except",
})  # fmt: skip


class NotTakenError(Exception):
    """A model's reading that does not count; `why` is a key of NOTES, `about` what of it."""

    def __init__(self, why: str, about: Sequence[str] = ()) -> None:
        super().__init__(why)
        self.why, self.about = why, tuple(dict.fromkeys(about))


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


class _Aside(Record):
    """Words that say nothing, as places of the text."""

    said: tuple[Span, ...] = ()


class _Document(Record):
    understood: bool
    queries: tuple[Query | OtherTool, ...] = Field(default=(), max_length=MOST_QUERIES)
    aside: _Aside = _Aside()


@dataclass(frozen=True, slots=True)
class Believed:
    """A reading that holds. `taken`: words nobody here knows, read as the model takes them;
    `aside`: words which it says mean nothing more.
    """

    queries: tuple[Query | OtherTool, ...]
    taken: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


_ANY = TypeAdapter(dict[str, Any])


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
        written: str = "",
    ) -> Believed:
        """The queries of a model's document. `unanswered` are the turns put back just before: what
        they say need not be said again. `written` is the question as typed, of which it may quote
        as well. Raises: NotTakenError, SuggestedError.
        """
        reading = _read(document, Quotes(lattice.text, written))
        if not reading.understood or not reading.queries:
            raise NotTakenError("not_understood")
        if lattice.has(*_NOBODY):
            raise NotTakenError("not_understood")
        lacking = [
            one for query in reading.queries for one in walk(query) if isinstance(one, Unheld)
        ]
        if lacking:  # what nobody has is ours to say, from our tables
            raise NotTakenError("words", [text for one in lacking for text in one.figures])
        # The multiple of Hong Kong is that of the last year, whichever was said.
        as_said = [form for one in before for form in (one, mapped(one, {"pe_lyr": "pe_ttm"}))]
        earlier = {atom for one in as_said for atom in atoms_of_query(one)}
        earlier |= {atom for one in unanswered for atom in atoms_of_words(one.tokens)}
        held = HeldWords(lattice, frozenset(earlier), self._named.book)
        read = rewrite(reading.queries, held.bounded)
        asked = rewrite(read, held.as_said)
        taken = {words: None for query in asked for words in self._back(query, held)}
        _forward(asked, held, reading.aside.said)
        placed = [one for query in asked for one in walk(query) if _is_misplaced(one, held)]
        if placed:
            quotes = [span for one in placed for span in one.said]
            raise NotTakenError("argument", [held.text[start:end] for start, end in quotes])
        named = held.names_of_sets(before)
        aside = [held.text[start:end] for start, end in reading.aside.said]
        told = tuple(dict.fromkeys(aside))
        return Believed(tuple(_named(one, named) for one in read), tuple(taken), told)

    def _back(self, query: Query | OtherTool, held: "HeldWords") -> Iterator[str]:
        """Each atom of the query by the words it is of. Yields words only the model knows.
        Raises: NotTakenError, SuggestedError.
        """
        said = held.said(spans_in(query)) | held.unquoted
        if isinstance(query, OtherTool) and not all(one in held.text for one in _words(query.text)):
            raise NotTakenError("argument")
        said |= {atom for one in walk(query) for atom in needs_no_word(one)}
        for kind, value in sorted(atoms_of_query(query) - said, key=str):
            if kind == "symbol":
                self._suggest(str(value), query, held)
            words = [held.text[start:end] for start, end in held.unread_of((kind, value), query)]
            if not words and held.is_worded((kind, value), query):
                continue
            if kind not in _ITS_OWN or not words:
                raise NotTakenError(_KINDS.get(kind, "argument"), (str(value),))
            if kind == "metric":
                if value not in HAD:
                    raise NotTakenError("figure", (str(value),))
                entry = self._metadata.exact(CATALOGUE[str(value)].zh)
                if entry is not None and not self._metadata.may_be("".join(words), entry):
                    raise NotTakenError("figure", (str(value),))
            yield from words

    def _suggest(self, symbol: str, query: Query | OtherTool, held: "HeldWords") -> None:
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


def _named(query: Query | OtherTool, named: Mapping[tuple[str, tuple[str, ...]], str]) -> Any:
    """The query with its sets called as they are here."""

    def called(node: Node) -> Node:
        if not isinstance(node, In):
            return node
        return node.but(label=named.get((node.dim, node.values)))

    return rewrite(query, called)


def _read(document: str, quotes: Quotes) -> _Document:
    """The document with quotes as places of the text. Raises: NotTakenError."""
    try:
        written = _ANY.validate_json(document)
        aside = {"said": written["aside"]} if "aside" in written else {}
        read = _Document.model_validate(_placed({**written, "aside": aside}, quotes))
        return read.but(queries=rewrite(read.queries, _from_year_before))
    except ValidationError as error:
        raise NotTakenError("shape", [str(one["msg"]) for one in error.errors()[:3]]) from None
    except NotQuotedError as error:
        raise NotTakenError("quote", (error.quote,)) from None
    except RecursionError:
        raise NotTakenError("shape") from None


def _placed(part: Any, quotes: Quotes) -> Any:
    if isinstance(part, list):
        return [_placed(one, quotes) for one in cast("list[object]", part)]
    if not isinstance(part, dict):
        return part
    made = {key: _placed(one, quotes) for key, one in cast("dict[str, object]", part).items()}
    if "said" in made:
        made["said"] = [place for one in _texts(made["said"]) for place in quotes.find(one)]
    return made


def _from_year_before(node: Node) -> Node:
    """A change from a year nobody said, the one before that in which it ends, is from that one."""
    if not isinstance(node, Change) or node.since.said or node.until.kind != "years":
        return node
    year = node.until.first
    if not isinstance(year, int) or node.until.last != year:
        return node
    before = When(kind="years", first=year - 1, last=year - 1)
    return node.but(since=YEAR_BEFORE) if node.since == before else node


def _texts(said: object) -> list[str]:
    """Raises: NotTakenError where quotes are no list of texts."""
    texts = cast("list[object]", said) if isinstance(said, list) else [None]
    if not all(isinstance(one, str) for one in texts):
        raise NotTakenError("shape")
    return cast("list[str]", texts)


def _forward(queries: Sequence[Query | OtherTool], held: HeldWords, aside: Sequence[Span]) -> None:
    """Raises: NotTakenError where a word of the question is quoted by nothing, or said by none;
    `aside` are words that say nothing, but for those that always do.
    """
    nodes = [one for query in queries for one in walk(query)]
    spans = [span for one in nodes for span in one.said]
    quoted = [Token(FUNCTION, start, end, None, 0.0) for start, end in (*spans, *aside)]
    free = [one for one in held.lattice.tokens if is_free(one)]
    runs = [held.text[start:end] for start, end in uncovered(held.text, (*quoted, *free))]
    if left := [one for one in runs if WORD.search(one)]:
        raise NotTakenError("words", left)
    atoms = frozenset(atom for one in nodes for atom in (*atoms_of_node(one), *implied_by(one)))
    counted = {("number", float(count)) for one in nodes for count in _counts_of(one)}
    asked = (one for one in held.words if one.kind in _KINDS_OF_WORDS and one not in held.ones)
    lost = [
        one
        for one in asked
        if not held.is_said(one, atoms | counted)
        and not held.is_of_named(one, nodes)
        and not held.is_of_dropped(one, atoms)
        and not _is_aside(one, aside, held)
    ]
    asked_of = [one for one in queries if isinstance(one, Query)]
    unmet = [  # 有年报的公司: where a figure of reports decides
        one
        for one in held.lattice.has("held")
        if not any(decides(query, str(one.sem)) for query in asked_of)
    ]
    if lost or unmet:
        raise NotTakenError("words", [held.text[one.start : one.end] for one in (*lost, *unmet)])


def _is_aside(word: MeantWords, aside: Sequence[Span], held: HeldWords) -> bool:
    """Whether a model says that it means nothing, and may: what was taken back (茅台……不对), or no
    company, set, time or number.
    """
    taken_back = [one.start for one in held.lattice.has("takeback")]
    is_one = word.kind in ("AMT", "COUNT") and word.atoms == frozenset[Atom](
        {("number", 1.0)}
    )  # 给一个
    may_be = word.kind not in _NEVER_ASIDE or any(word.end <= at for at in taken_back)
    may_be = may_be or is_one
    return may_be and any(start <= word.start and word.end <= end for start, end in aside)


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


def _is_misplaced(node: Node, held: HeldWords) -> bool:
    """Whether it says what other words mean than those it and its parts quote: of two bounds each
    other's.
    """
    spans = spans_in(node)
    said = held.said(spans)
    unsaid = frozenset(atoms_of_node(node)) - said - held.unquoted
    others = {kind for kind, _ in said} & {kind for kind, _ in unsaid} & _PLACED
    return bool(others) and not held.unread_in(spans)


def _words(text: str) -> list[str]:
    return [lower(plain_question(one)) for one in text.split()]


def chosen_of(document: str) -> int:
    """Which reading a model chose, from one on; nought where none, or no number is there."""
    try:
        meant = _ANY.validate_json(document).get("meant")
    except ValidationError:
        return 0
    return meant if isinstance(meant, int) and not isinstance(meant, bool) else 0


def restated(question: str, said: str, name: str) -> str:
    """The question with the words for a company replaced by a name that is sure."""
    place = question.lower().find(said.lower())
    if place < 0:
        return f"{name} {question}"
    return question[:place] + name + question[place + len(said) :]
