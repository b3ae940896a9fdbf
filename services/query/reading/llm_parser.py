"""A model beside the rules, where one is configured: both read a question, code compares.

What the rules refuse for good reason stays refused, and what needs no second reader (one company's
figure, another tool) is not asked. A model's reading is checked by code (llm_reading.py); one that
does not hold is told why, once. Rules and model agree: answered. One of them reads: that one. They
differ, or the rules have several readings: the model chooses between sentences; where it does not,
the reader does. On any failure the rules' reading stands, and the turn says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Protocol

from pydantic import JsonValue

from services.core.clock import Clock
from services.core.errors import ProviderError
from services.core.model_calls import ModelCall
from services.core.rendering import Language
from services.query.algebra.nodes import Metric, OtherTool, Query, Several
from services.query.algebra.scopes import named_symbols, symbols_in
from services.query.algebra.wire import query_json, read_query
from services.query.planning.metadata import Metadata
from services.query.planning.nlir import AskBack
from services.query.planning.plir import Session
from services.query.reading.clarification import language_told
from services.query.reading.conversations import kept_query, put_back
from services.query.reading.entities import NameBook
from services.query.reading.errors import UnusedError
from services.query.reading.held_words import listings_said
from services.query.reading.llm_prompts import (
    EARLIER,
    OBJECTIONS,
    choice_schema,
    choice_system,
    schema,
    system,
    told,
    told_again,
    told_choice,
)
from services.query.reading.llm_reading import (
    Believed,
    NotTakenError,
    ReadingChecker,
    SuggestedError,
    chosen_of,
    restated,
)
from services.query.reading.readers import ReadTurn
from services.query.reading.reasons import MODEL_NOTES
from services.query.reading.tagging import Lattice

_MOST_CHOICES = 8
Asked = Query | Several | OtherTool


class WrittenJson(NamedTuple):
    """What a model wrote, and the record of the call."""

    text: str
    call: ModelCall


class JsonWriter(Protocol):
    """A model that is asked for one JSON document."""

    def read(
        self, system: str, user: str, shape: Mapping[str, JsonValue], deadline_s: float
    ) -> WrittenJson:
        """The document, of that schema as far as the model keeps to it. Raises: ProviderError."""
        ...


class Rules(Protocol):
    """What the reader of the rules knows that a second reader needs."""

    @property
    def book(self) -> NameBook:
        """The names as they are now."""
        ...

    def lattice(self, text: str) -> Lattice:
        """Every word of a text as it may be read."""
        ...

    def earlier(self, context: Session) -> list[tuple[str, Sequence[Query]]]:
        """The turns a next one may go on from, oldest first, each with its queries."""
        ...

    def made_sound(self, query: Query | OtherTool) -> Query | OtherTool:
        """The query as the rules would have it. Raises: UnusedError."""
        ...

    def told(self, query: Query, language: Language) -> str:
        """The query in words."""
        ...


@dataclass(frozen=True, slots=True)
class ReadTwice:
    """A question as read by both. `note` is why the model's reading does not count, or which words
    are its own; `calls` their records; `options` the queries of the choices, as JSON.
    """

    read: ReadTurn
    by: Literal["rule", "model"] = "rule"
    note: str | None = None
    calls: tuple[ModelCall, ...] = ()
    options: tuple[str, ...] = ()


class _Asking:
    """What a model is asked about one question, within one deadline; each call is kept."""

    def __init__(self, writer: JsonWriter, deadline_s: float) -> None:
        self._writer, self._left_s = writer, deadline_s
        self._least_s = deadline_s / 4
        self.calls: tuple[ModelCall, ...] = ()

    @property
    def has_time(self) -> bool:
        """Whether it is worth asking once more."""
        return self._left_s > self._least_s

    def write(self, system: str, user: str, shape: Mapping[str, JsonValue]) -> str:
        """The document it wrote. Raises: ProviderError."""
        try:
            came = self._writer.read(system, user, shape, self._left_s)
        except ProviderError as error:
            self.calls += (error.model_call,) if error.model_call is not None else ()
            raise
        self.calls += (came.call,)
        self._left_s -= came.call.seconds
        return came.text


class ModelParser:
    """A model beside the rules. Safe to share between threads."""

    def __init__(
        self,
        rules: Rules,
        writer: JsonWriter,
        metadata: Metadata,
        clock: Clock,
        *,
        deadline_s: float,
    ) -> None:
        """`deadline_s` is what the model may take."""
        self._rules, self._writer, self._clock = rules, writer, clock
        self._checker = ReadingChecker(rules, metadata)
        self._deadline_s = deadline_s

    def may_read(self, rules: ReadTurn) -> bool:
        """Whether a second reader helps: not for a figure looked up, another tool, or a question
        put back on purpose.
        """
        if rules.query is not None:
            return not _is_plain(rules.query)
        return isinstance(rules.answer, AskBack) and (rules.is_unread or bool(rules.options))

    def read(self, text: str, context: Session, rules: ReadTurn) -> ReadTwice:
        """What both make of a question the rules read as `rules`. Never raises."""
        if rules.options:
            return ReadTwice(rules, options=tuple(query_json(one) for one in rules.options))
        language = language_told(text, context)
        asking = _Asking(self._writer, self._deadline_s)
        return replace(self._read(text, context, rules, asking, language), calls=asking.calls)

    def settle(self, text: str, context: Session, twice: ReadTwice) -> ReadTwice:
        """Of readings that are left to choose from, the one a model says is meant; all of them
        still where it says none. Never raises.
        """
        language = language_told(text, context)
        queries = [read_query(one) for one in twice.options]
        told = [self._rules.told(one, language) for one in queries]
        asking = _Asking(self._writer, self._deadline_s)
        user = told_choice(text, self._told_before(context, language), told)
        try:
            chosen = chosen_of(asking.write(choice_system(), user, choice_schema(len(told))))
        except ProviderError:
            chosen = 0
        made = replace(twice, calls=(*twice.calls, *asking.calls))
        if not 0 < chosen <= len(told):
            return replace(made, note=None, options=() if twice.read.options else made.options)
        others = "; ".join(one for at, one in enumerate(told, 1) if at != chosen)
        note = MODEL_NOTES["chosen"].format(others=others).in_language(language)
        if twice.note is not None and chosen == len(told):  # its own, with words it took for more
            note = f"{twice.note} {note}"
        read = ReadTurn(None, queries[chosen - 1], goes_on=twice.read.goes_on)
        return replace(made, read=read, by="model", note=note, options=())

    def _told_before(self, context: Session, language: Language) -> list[tuple[str, str | None]]:
        """The last turns as asked and as read; None of one that no query answers."""
        last = context.turns[-EARLIER - 1 :]
        kept = [(turn.user_query, kept_query(turn)) for turn in last]
        return [(text, self._rules.told(one, language) if one else None) for text, one in kept]

    def _read(
        self, text: str, context: Session, rules: ReadTurn, asking: _Asking, language: Language
    ) -> ReadTwice:
        try:
            found = self._heard(text, context, asking)
            is_one = len(found.queries) == 1
            meant = found.queries[0] if is_one else Several(queries=found.queries)
            words = "、".join(found.taken)
            aside = "、".join(found.aside)
            told = [MODEL_NOTES["taken"].format(words=words)] if words else []
            told += [MODEL_NOTES["aside"].format(words=aside)] if aside else []
            notes = told or [MODEL_NOTES["by_model"]]
            note = " ".join(one.in_language(language) for one in notes)
            return self._joined(rules, meant, language, note)
        except ProviderError as error:
            kind = type(error).__name__
            note = MODEL_NOTES[kind if kind in MODEL_NOTES else "ProviderError"].in_language(
                language
            )
            return ReadTwice(rules, note=note)
        except NotTakenError as error:
            # Where the rules read it, that the model could not is nothing to tell.
            note = MODEL_NOTES[error.why].in_language(language) if rules.query is None else None
            return ReadTwice(rules, note=note)
        except SuggestedError as error:
            if not isinstance(rules.answer, AskBack):
                return ReadTwice(rules)
            sure = [self._rules.book.called(one, language) for one in error.symbols]
            choices = (*(restated(text, error.said, one) for one in sure), *rules.answer.choices)
            wider = AskBack(
                reason=rules.answer.reason, choices=tuple(dict.fromkeys(choices))[:_MOST_CHOICES]
            )
            note = MODEL_NOTES["suggested"].in_language(language)
            return ReadTwice(replace(rules, answer=wider), note=note)

    def _heard(self, text: str, context: Session, asking: _Asking) -> Believed:
        """The model's reading, as it holds: at once, or when it was told why it does not.
        Raises: ProviderError, NotTakenError, SuggestedError.
        """
        turns, lattice = self._rules.earlier(context)[-EARLIER:], self._rules.lattice(text)
        before = [one for _, queries in turns for one in queries]
        left = [(one, self._rules.lattice(one.user_query)) for one in put_back(context)[-EARLIER:]]
        told_of = {name for one in before for name in symbols_in(one)}
        listings = listings_said(lattice, told_of, self._rules.book)
        today = self._clock.now().date()
        user = told(text, lattice, turns, left, listings, today)

        def weigh(document: str) -> Believed:
            unanswered = [one for _, one in left]
            found = self._checker.believed(document, lattice, before, unanswered, written=text)
            return replace(found, queries=tuple(self._sound_one(one) for one in found.queries))

        written = asking.write(system(), user, schema())
        try:
            return weigh(written)
        except NotTakenError as error:
            if error.why not in OBJECTIONS or not asking.has_time:
                raise
            again, first = told_again(user, written, error.why, error.about), error
        try:
            return weigh(asking.write(system(), again, schema()))
        except ProviderError:
            raise first from None

    def _sound_one(self, query: Query | OtherTool) -> Query | OtherTool:
        """As the rules would have it. Raises: NotTakenError."""
        try:
            return self._rules.made_sound(query)
        except UnusedError as error:
            raise NotTakenError("sense", (error.what,)) from None

    def _joined(self, rules: ReadTurn, meant: Asked, language: Language, note: str) -> ReadTwice:
        """Both readings as one: the one there is, the one both have, or both to choose from."""
        if rules.query is None:
            return ReadTwice(ReadTurn(None, meant, goes_on=rules.goes_on), "model", note)
        if not (isinstance(rules.query, Query) and isinstance(meant, Query)):
            return ReadTwice(rules)
        both = (rules.query, meant)
        texts = tuple(self._rules.told(one, language) for one in both)
        if rules.query == meant or texts[0] == texts[1]:
            return ReadTwice(rules)
        back = AskBack(reason=MODEL_NOTES["differ"].in_language(language), choices=texts)
        options = tuple(query_json(one) for one in both)
        own = note if note != MODEL_NOTES["by_model"].in_language(language) else None
        return ReadTwice(ReadTurn(back, goes_on=rules.goes_on), note=own, options=options)


def _is_plain(query: Asked) -> bool:
    """Whether it looks up figures of companies that were named, or asks another tool."""
    if isinstance(query, Several):
        return all(_is_plain(one) for one in query.queries)
    if isinstance(query, OtherTool):
        return True
    more = (query.where, query.first, query.group, query.check, query.take)
    looked_up = all(isinstance(one, Metric) for one in query.show)
    named = named_symbols(query.scope) is not None and query.rows == "companies"
    return named and looked_up and not any(more) and not (query.order or query.fold or query.less)
