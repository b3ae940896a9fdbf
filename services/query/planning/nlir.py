"""What was asked, in the asker's own words: nodes of named slots. Data only (protocol §1–3)."""

from typing import Literal

from pydantic import Field, JsonValue

from services.core.record import Record

# What a node wants done; the physical action follows from it and from its outputs (mapper.py).
Action = Literal[
    "query",
    "price_history",
    "screen",
    "abnormal",
    "feed",
    "knowledge",
    "web_search",
    "site_search",
    "user_feed",
    "visit",
    "compare",
    "macro",
    "indicator",
    "profile",
    "news",
    "billboard",
    "score",
]
SlotType = Literal["entity", "field"]


class Slot(Record):
    """One argument or output. `name` is the Chinese business name: what is mapped to a code.

    `value` is as said (`贵州茅台`, `最新`, `大于3%`); outputs have none. `type` tells a company
    from anything else.
    """

    key: str
    name: str
    value: JsonValue = None
    type: SlotType = "field"


class NlirNode(Record):
    """One thing to be done. `ref_id` (`turn_01.node_1`) is the node whose slots it took over."""

    id: str
    action: Action
    ref_id: str | None = None
    outputs: tuple[Slot, ...] = ()
    args: tuple[Slot, ...] = ()

    def arg(self, key: str) -> JsonValue:
        """The value of that argument; None when it has none."""
        return next((slot.value for slot in self.args if slot.key == key), None)


class Nlir(Record):
    """The nodes of one turn, in the order they were said."""

    nodes: tuple[NlirNode, ...] = Field(min_length=1)


class AskBack(Record):
    """A question that cannot be resolved: why, in the asker's language, and what may be meant.

    `choices` are texts that answer it: picking one is asking again with it.
    """

    reason: str
    choices: tuple[str, ...] = ()
