"""What will be done: nodes of coded slots, ready for the tools. Data only (protocol §1–3)."""

from collections.abc import Mapping
from typing import Any, Literal, cast

from pydantic import Field, JsonValue, model_validator

from services.core.model_calls import ModelCall
from services.core.record import Record
from services.core.text import Language
from services.query.planning.nlir import AskBack, Nlir, SlotType

PhysicalAction = Literal[
    "api_get_financial",
    "api_get_quote",
    "api_get_price_history",
    "api_screen",
    "api_get_abnormal",
    "api_get_feed",
    "api_search_knowledge",
    "api_web_search",
    "api_xq_search",
    "api_user_feed",
    "api_visit",
    "api_compare",
    "api_macro",
    "api_compute_indicators",
    "api_get_profile",
    "api_search_news",
    "api_get_billboard",
    "api_score",
]


class PlirSlot(Record):
    """One physical argument (has `value`) or output (has `extractor`).

    `code` is the code in `biz_metadata`. `extractor` is an RFC 9535 JSONPath on the node's answer,
    or the name of a column of it.
    """

    key: str
    name: str | None = None
    value: JsonValue = None
    code: str
    extractor: str | None = None
    type: SlotType | None = None


class PlirNode(Record):
    """One call. `ref_id` is the lineage of its semantic node."""

    id: str
    action: PhysicalAction
    ref_id: str | None = None
    outputs: tuple[PlirSlot, ...] = ()
    args: tuple[PlirSlot, ...] = ()

    def arg(self, key: str) -> JsonValue:
        """The value of that argument; None when it has none."""
        return next((slot.value for slot in self.args if slot.key == key), None)


class Plir(Record):
    """The nodes of one turn, in the order of the semantic ones."""

    nodes: tuple[PlirNode, ...] = Field(min_length=1)


class Turn(Record):
    """One question with both readings of it, or the question put back.

    `read_by` is written only where a model read it. `reading_note` is why its reading did not
    count where it was asked, `model_calls` the records of asking it. `options`: the queries, as
    JSON, that the choices of a question put back stand for where no text says them again.
    `language` is that of the page it was asked on; without one it is told in the question's own.
    `left_aside`: words of the turn before that nobody read, where this one goes on from what was
    read of it.
    """

    turn_id: str
    user_query: str
    nlir: Nlir | None = None
    plir: Plir | None = None
    ask_back: AskBack | None = None
    read_by: Literal["rule", "model"] = Field(default="rule", exclude_if=lambda by: by == "rule")
    reading_note: str | None = Field(default=None, exclude_if=lambda note: note is None)
    model_calls: tuple[ModelCall, ...] = Field(default=(), exclude_if=lambda calls: not calls)
    options: tuple[str, ...] = Field(default=(), exclude_if=lambda options: not options)
    language: Language | None = Field(default=None, exclude_if=lambda language: language is None)
    left_aside: tuple[str, ...] = Field(default=(), exclude_if=lambda words: not words)

    @model_validator(mode="before")
    @classmethod
    def _read_one_call(cls, document: Any) -> Any:
        """Turns kept before a model was asked more than once have one call."""
        kept = cast("dict[str, Any]", document)
        if not isinstance(document, dict) or "model_call" not in kept:
            return kept
        calls = {"model_calls": (call,)} if (call := kept["model_call"]) is not None else {}
        return {key: value for key, value in kept.items() if key != "model_call"} | calls


class Session(Record):
    """Turns in the order they were asked. `language`: that of the page the next is asked on."""

    session_id: str
    turns: tuple[Turn, ...] = ()
    language: Language | None = Field(default=None, exclude_if=lambda language: language is None)


def plan_wire(session_id: str, turn: Turn) -> Mapping[str, JsonValue]:
    """`{"session_id", "turn"}` as in the protocol; `{"ask_back"}` where a question is put back."""
    if turn.ask_back is not None:
        return {"ask_back": turn.ask_back.model_dump(mode="json")}
    return {"session_id": session_id, "turn": turn.model_dump(mode="json", exclude_none=True)}
