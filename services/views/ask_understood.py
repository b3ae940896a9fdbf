"""What was understood of a question, for the page: its query in parts that can be changed, its
words as they were read, and the page the answer is.
"""

from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import TypedDict, cast

from pydantic import JsonValue

from services.language.lattice import FUNCTION
from services.query.algebra.wire import query_json, read_query
from services.query.answering.answers import Answered
from services.query.planning.plir import Turn
from services.query.reading.clarification import language_of
from services.query.told_turns import names_in, queries_of
from services.views.ask_chips import Chips, bounded
from services.views.ask_opens import opens_of
from services.views.ask_view import Chip, Opens, State, Word, WordKind
from services.views.parts import Parts, industries

# Marks, and words that mean nothing by themselves.
_MEANINGLESS = frozenset({FUNCTION, "COMMA"})
_PLAIN: WordKind = "plain"


def ask_query(parts: Parts, turn: Turn, conversation: str, edit: Mapping[str, JsonValue]) -> State:
    """Ask a query that a chip became: the whole of it, or with another bound."""
    said = str(edit["query"])
    value = edit.get("value")
    if isinstance(value, int | float):
        said = bounded(said, str(edit["key"]), float(value))
    language = turn.language or language_of(turn.user_query)
    ref = f"{turn.turn_id}.node_1"
    found = parts.query.ask_query(read_query(said), conversation, language, ref)
    return "answered" if isinstance(found, Answered) else "put_back"


class Understood(TypedDict):
    """The parts of a turn's view that say what was understood."""

    query: str
    chips: tuple[Chip, ...]
    words: tuple[Word, ...]
    opens: Opens | None


def understood(parts: Parts, turn: Turn) -> Understood:
    """The query of a turn in its parts, its words, and the page it is."""
    queries = queries_of(turn)
    query = queries[0] if len(queries) == 1 else None
    chips: tuple[Chip, ...] = ()
    if query is not None:
        names = (names_in(query, parts.names, "zh"), names_in(query, parts.names, "en"))
        chips = Chips(query, names, lambda market: industries(parts, market)).made()
    return {
        "query": query_json(query) if query is not None else "",
        "chips": chips,
        "words": words_of(parts, turn.user_query),
        "opens": opens_of(turn, query, parts.names, lambda market: industries(parts, market)),
    }


def words_of(parts: Parts, text: str) -> tuple[Word, ...]:
    """The question in runs: what was read, what means nothing alone, what was not read."""
    lattice = parts.query.lattice(text)
    if lattice is None or not lattice.text:
        return ()
    kinds: dict[int, WordKind] = {}
    for token in lattice.tokens:
        if token.cat not in _MEANINGLESS:
            kinds |= dict.fromkeys(range(token.start, token.end), "read")
    for start, end in lattice.unread:
        kinds |= dict.fromkeys(range(start, end), "unread")
    typed = _kinds_typed(text, lattice.text, kinds)
    runs = groupby(enumerate(text), key=lambda one: typed[one[0]])
    return tuple(
        Word("".join(letter for _, letter in run), cast("WordKind", kind)) for kind, run in runs
    )


def _kinds_typed(text: str, read: str, kinds: Mapping[int, WordKind]) -> Sequence[WordKind]:
    """What became of each letter as it was typed: a text is read in plain words, 最快 as 最高."""
    found = dict[int, WordKind]()
    steps = SequenceMatcher(None, text.lower(), read.lower(), autojunk=False).get_opcodes()
    for how, start, end, first, last in steps:
        there: list[WordKind] = [kinds.get(at, _PLAIN) for at in range(first, last)]
        if how != "equal":
            worst = "unread" if "unread" in there else "read" if "read" in there else _PLAIN
            there = [worst for _ in range(start, end)]
        found |= dict(zip(range(start, end), there, strict=True))
    return [found[at] for at in range(len(text))]
