"""Questions the rules do not understand, read by a model where one is configured.

The rules went before, and what they refuse stays refused: a model is asked only where they did not
understand. Its reading is checked by code (llm_reading.py); what the algebra can say is a query
from then on. On any failure the rules' question back stands, and the turn says so.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Literal, NamedTuple, Protocol

from pydantic import JsonValue

from services.core.clock import Clock
from services.core.errors import ProviderError
from services.core.model_calls import ModelCall
from services.market.names.names import Names
from services.query.algebra.nodes import Query
from services.query.planning.mapper import to_plir
from services.query.planning.metadata import Metadata
from services.query.planning.nlir import AskBack, Nlir
from services.query.planning.plir import Session, Turn
from services.query.reading.clarification import language_of
from services.query.reading.entities import NameBook
from services.query.reading.llm_prompts import NOTES, SYSTEM, schema, told
from services.query.reading.llm_reading import Checker, NotTakenError, SuggestedError, restated
from services.query.reading.ranking import check_sense
from services.query.reading.readers import kept_query
from services.query.reading.request import UnusedError
from services.query.reading.writing import written


class Written(NamedTuple):
    """What a model wrote, and the record of the call."""

    text: str
    call: ModelCall


class Reader(Protocol):
    """A model that is asked for one JSON document."""

    def read(
        self, system: str, user: str, shape: Mapping[str, JsonValue], deadline_s: float
    ) -> Written:
        """The document, of that schema as far as the model keeps to it. Raises: ProviderError."""
        ...


class Read(NamedTuple):
    """A question as read. `note` is why a model's reading does not count, `call` its record."""

    answer: Query | Nlir | AskBack
    by: Literal["rule", "model"] = "rule"
    note: str | None = None
    call: ModelCall | None = None


class Named(Protocol):
    """What knows the companies by name."""

    @property
    def book(self) -> NameBook:
        """The names as they are now."""
        ...


class ModelParser:
    """A model behind the rules. Safe to share between threads."""

    def __init__(
        self,
        named: Named,
        reader: Reader,
        names: Names,
        metadata: Metadata,
        clock: Clock,
        *,
        industries: Callable[[], Mapping[str, frozenset[str]]],
        deadline_s: float,
    ) -> None:
        """`industries` as the mapper takes them; `deadline_s` is what the model may take."""
        self._named, self._reader = named, reader
        self._names, self._metadata, self._clock = names, metadata, clock
        self._industries = industries
        self._deadline_s = deadline_s

    @cached_property
    def _shape(self) -> Mapping[str, JsonValue]:
        return schema(self._metadata)

    def read(self, text: str, context: Session, back: AskBack) -> Read:
        """What the model makes of a question put back as `back`, with who read it and why a
        reading was not taken. Never raises.
        """
        call = None
        try:
            user = told(text, context, self._clock.now().date())
            came = self._reader.read(SYSTEM, user, self._shape, self._deadline_s)
            call = came.call
            return Read(self._taken(came.text, text, context), "model", call=call)
        except ProviderError as error:
            kind = type(error).__name__
            note = kind if kind in NOTES else "ProviderError"
            return Read(back, note=_note(note, text), call=error.model_call)
        except NotTakenError as error:
            return Read(back, note=_note(error.why, text), call=call)
        except SuggestedError as error:
            book, language = self._named.book, language_of(text)
            sure = [book.called(symbol, language) for symbol in error.symbols[:4]]
            choices = (*(restated(text, error.said, one) for one in sure), *back.choices)
            wider = AskBack(reason=back.reason, choices=tuple(dict.fromkeys(choices))[:8])
            return Read(wider, note=_note("suggested", text), call=call)

    def _taken(self, document: str, text: str, context: Session) -> Query | Nlir:
        """The query, or the nodes of another tool, that a model's document stands for, once they
        map and make sense. Raises: NotTakenError.
        """
        book = self._named.book
        drafts = Checker(book, self._names, self._metadata).drafts(document, text, context)
        nlir = written(drafts, context, book, self._metadata)
        mapped = to_plir(
            nlir, self._names, self._metadata, self._clock, industries=self._industries()
        )
        if isinstance(mapped, AskBack):
            raise NotTakenError("argument")
        turn = Turn(turn_id="turn_01", user_query=text, nlir=nlir, plir=mapped)
        query = kept_query(turn)
        if query is None:
            return nlir
        try:
            check_sense(query)
        except UnusedError:
            raise NotTakenError("argument") from None
        return query


def _note(why: str, text: str) -> str:
    return NOTES[why][0 if language_of(text) == "zh" else 1]
