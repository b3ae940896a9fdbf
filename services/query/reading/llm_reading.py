"""What a model made of a question, held against the question itself and against our own tables.

A reading can only choose among names we know for words the asker wrote. What it cannot point to in
the question, or what our own code reads otherwise, is refused; numbers are never its own.
"""

import re

from pydantic import Field, JsonValue, ValidationError

from services.core.catalogue import SCREEN_FIELDS
from services.core.record import Record
from services.language.numerals import small_number
from services.language.plain_text import lower, plain_question
from services.market.names.names import Names
from services.query.planning.metadata import Entry, Metadata
from services.query.planning.nlir import Action
from services.query.planning.plir import Session
from services.query.planning.slots import Draft
from services.query.reading.entities import Mention, NameBook
from services.query.reading.llm_prompts import KEYS, MOST_NODES

_DIGITS = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_NUMERALS = re.compile(r"[零〇一二两三四五六七八九十百千]+")
# Arguments that are figures of the asker's, words of the asker's, or free of both.
_FIGURES = frozenset({*SCREEN_FIELDS, "size", "count"})
_WORDS = frozenset({"query", "user", "industry"})
_OF_COMPANY = frozenset({"query", "price_history", "abnormal", "feed", "compare"})
_WITH_FIGURES = frozenset({"query", "price_history", "screen", "compare"})


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


class _Named(Record):
    name: str = Field(max_length=80)
    said: str = Field(min_length=1, max_length=80)


class _Argument(Record):
    key: str
    value: str = Field(min_length=1, max_length=120)


class _Node(Record):
    action: Action
    company: _Named | None = None
    figures: tuple[_Named, ...] = Field(default=(), max_length=20)
    args: tuple[_Argument, ...] = Field(default=(), max_length=20)


class _Reading(Record):
    understood: bool
    nodes: tuple[_Node, ...] = Field(default=(), max_length=MOST_NODES)


class Checker:
    """Holds readings against one book of names and one table of figures."""

    def __init__(self, book: NameBook, names: Names, metadata: Metadata) -> None:
        self._book, self._names, self._metadata = book, names, metadata

    def drafts(self, document: str, question: str, context: Session) -> list[Draft]:
        """The nodes a model's document stands for. Raises: NotTakenError, SuggestedError."""
        try:
            reading = _Reading.model_validate_json(document)
        except ValidationError:
            raise NotTakenError("shape") from None
        if not reading.understood or not reading.nodes:
            raise NotTakenError("not_understood")
        asked = _Asked(question, context)
        return [self._draft(node, asked) for node in reading.nodes]

    def _draft(self, node: _Node, asked: "_Asked") -> Draft:
        if node.action not in KEYS:
            raise NotTakenError("shape")
        symbol = None
        if node.action in _OF_COMPANY:
            if node.company is None:
                raise NotTakenError("company")
            symbol = self._symbol(node.company, asked)
        elif node.company is not None:
            raise NotTakenError("company")
        if node.figures and node.action not in _WITH_FIGURES:
            raise NotTakenError("figure")
        figures = tuple(dict.fromkeys(self._figure(one, asked) for one in node.figures))
        args = self._args(node, asked)
        if node.action == "query":
            args = {**({} if "period" in args else {"period": "最新"}), **args}
        if node.action == "screen":
            args = {**({} if "category" in args else {"category": "A股"}), **args}
        return Draft(node.action, figures, args, symbol=symbol)

    def _symbol(self, company: _Named, asked: "_Asked") -> str:
        """Whom the asker's own words mean; the model's name for it must agree."""
        if not asked.says(company.said) and not asked.said_before(company.said):
            raise NotTakenError("company")
        mention, named = self._called(company.said), self._called(company.name)
        if mention.symbol is not None:
            if named.symbol is not None and not self._same(mention.symbol, named.symbol):
                raise NotTakenError("company")
            return mention.symbol
        meant = (named.symbol,) if named.symbol else named.choices if named.is_known else ()
        if mention.is_known or not meant:
            raise NotTakenError("company")
        raise SuggestedError(company.said, meant)

    def _called(self, words: str) -> Mention:
        said = lower(plain_question(words))
        return self._book.mention(said, 0, len(said))

    def _same(self, symbol: str, other: str) -> bool:
        """Whether both are listings under one name: the words of the asker then decide."""
        return self._names.name(symbol) == self._names.name(other)

    def _figure(self, figure: _Named, asked: "_Asked") -> Entry:
        entry = self._metadata.exact(figure.name)
        if entry is None or entry.kind != "metric":
            raise NotTakenError("figure")
        if not asked.says(figure.said) and not asked.said_before(figure.said):
            raise NotTakenError("figure")
        said = self._metadata.exact(figure.said)
        if said is not None and said != entry:
            raise NotTakenError("figure")
        if said is None and not self._metadata.may_be(figure.said, entry):
            raise NotTakenError("figure")
        return entry

    def _args(self, node: _Node, asked: "_Asked") -> dict[str, JsonValue]:
        found: dict[str, JsonValue] = {}
        for one in node.args:
            if one.key not in KEYS[node.action] or one.key in found:
                raise NotTakenError("argument")
            if one.key in _FIGURES and not asked.counts(one.value):
                raise NotTakenError("argument")
            if one.key in _WORDS and not all(asked.says(word) for word in one.value.split()):
                raise NotTakenError("argument")
            found[one.key] = one.value
        return found


class _Asked:
    """The words of the asker: of this question, and of the ones before it."""

    def __init__(self, question: str, context: Session) -> None:
        self._question = lower(plain_question(question))
        entities = [
            str(node.arg("entity") or "")
            for turn in context.turns
            for node in (turn.nlir.nodes if turn.nlir else ())
        ]
        figures = [
            slot.name
            for turn in context.turns
            for node in (turn.nlir.nodes if turn.nlir else ())
            for slot in node.outputs
        ]
        before = [*(turn.user_query for turn in context.turns), *entities, *figures]
        self._before = [lower(plain_question(one)) for one in before]

    def says(self, words: str) -> bool:
        """Whether these stand in the question."""
        said = lower(plain_question(words))
        return bool(said) and said in self._question

    def said_before(self, words: str) -> bool:
        """Whether these stand in an earlier question, or are what it was understood as."""
        said = lower(plain_question(words))
        return bool(said) and any(said in one for one in self._before)

    def counts(self, value: str) -> bool:
        """Whether every number in it is one of the question's."""
        said = plain_question(value)
        numbers = set(_DIGITS.findall(said))
        if not numbers and _NUMERALS.search(said):
            return self.says(value)
        return numbers <= self._numbers()

    def _numbers(self) -> set[str]:
        worded = (small_number(found) for found in _NUMERALS.findall(self._question))
        return {*_DIGITS.findall(self._question), *(str(one) for one in worded if one)}


def restated(question: str, said: str, name: str) -> str:
    """The question with the words for a company replaced by a name that is sure."""
    place = question.lower().find(said.lower())
    if place < 0:
        return f"{name} {question}"
    return question[:place] + name + question[place + len(said) :]
