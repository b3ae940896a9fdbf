"""A model's answer, read as a choice: what of it holds, and why the rest does not.

Nothing here can fail a report: an item that does not hold falls by itself, with its reason.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple, cast

from pydantic import Field, JsonValue, ValidationError

from services.agents.drafting import UnreadableDraftError
from services.agents.model_views import ModelView, doubt
from services.agents.offer import OWN, VIEWS, NamedCandidate, Offer
from services.core.record import Record
from services.core.text import Text
from services.statements.candidates import StatementCandidate, salience
from services.statements.choosing import SECTIONS, Chosen, Section, section_of
from services.statements.reasons import REASONS
from services.statements.registry import read_statement
from services.statements.statement import Broken

# A section holds no more, whoever chose; an answer is not read beyond so many items.
_MOST, _MOST_ITEMS = 6, 120
_LONGEST_NAME = 12
_FIRST: Section = "results"

NOT_OFFERED = Text("编号不在所给的陈述里", "no statement of that id was offered")
SAID = Text("同一条选了两次", "chosen twice")
FULL = Text(f"一节至多 {_MOST} 条", f"a section holds at most {_MOST}")
NO_LIST = Text("一节须是编号的数组", "a section is an array of ids")
TOO_MANY = Text("项目太多，后面的没有看", "too many items: the rest was not read")
UNKNOWN_SECTION = Text("没有这一节", "no such section")
OFF = Text("看法已关闭", "views are switched off")
UNFOUNDED = Text("看法没有引用所选的陈述", "a view rests on no statement that was chosen")
SECOND = Text("一节至多一条看法", "one view a section")


class Dropped(NamedTuple):
    """An item that fell: what the model called it (told to nobody else), and why; `detail` says the
    same to the model, with the values that decided.
    """

    item: str
    why: Text
    detail: Text


class Choice(NamedTuple):
    """What stands of an answer."""

    chosen: Chosen
    views: tuple[ModelView, ...]
    dropped: tuple[Dropped, ...]

    @property
    def size(self) -> int:
        """How many statements it holds."""
        return sum(map(len, self.chosen.values()))


class _Own(Record):
    """A statement a model puts together: `claims` in the order of the kind's fields."""

    kind: Literal["level", "change", "pace", "move", "compare", "trend", "extreme", "rank"]
    claims: tuple[str, ...] = Field(min_length=1, max_length=24)

    def typed(self, claim_of: Callable[[str], str]) -> dict[str, JsonValue]:
        """The same as the kind spells it."""
        ids = [claim_of(one) for one in self.claims]
        fields = _FIELDS.get(self.kind)
        if fields is None:
            return {"kind": self.kind, "claims": cast("list[JsonValue]", ids)}
        if self.kind == "extreme":
            of_it: list[JsonValue] = [*dict.fromkeys(ids)]
            return {"kind": self.kind, "of": ids[0], "among": of_it}
        return {"kind": self.kind, **dict(zip(fields, ids, strict=False))}


_FIELDS = {
    "change": ("now", "base"), "move": ("first", "last"), "compare": ("one", "other"),
    "extreme": ("of", "among"), "rank": ("rank", "count"),
}  # fmt: skip


class Reader:
    """Reads one answer against one offer."""

    def __init__(
        self, offer: Offer, mentioned: Callable[[str], Collection[str]], symbol: str
    ) -> None:
        """`mentioned` finds the companies a text names; `symbol` is whom it is about."""
        self._offer = offer
        self._mentioned = mentioned
        self._symbol = symbol
        self._by_name = offer.told
        self._chosen: Chosen = {}
        self._views: dict[Section, ModelView] = {}
        self._dropped: list[Dropped] = []
        self._seen = 0

    def read(self, answer: JsonValue) -> Choice:
        """What holds of it. Raises: UnreadableDraftError for what is no object of sections."""
        if not isinstance(answer, dict):
            raise UnreadableDraftError("最终回答必须是一个 JSON 对象，前后不能有别的文字")
        for heading, items in _sections(answer):
            self._section(heading, items)
        views = answer.get(VIEWS)
        for view in views if isinstance(views, list) else []:
            if self._seen < _MOST_ITEMS:
                self._view(view)
        return Choice(self._chosen, tuple(self._views.values()), tuple(self._dropped))

    def _section(self, heading: str, items: JsonValue) -> None:
        if heading not in {*SECTIONS, OWN}:
            self._drop(heading, UNKNOWN_SECTION)
        elif not isinstance(items, list):
            self._drop(heading, NO_LIST)
        else:
            for item in items:
                if self._seen >= _MOST_ITEMS:
                    self._drop(heading, TOO_MANY)
                    return
                self._item(item)

    def _item(self, item: JsonValue) -> None:
        """An id of the offer, in whatever section it was put: it goes to its own."""
        self._seen += 1
        if isinstance(item, dict):
            self._own(item)
        elif isinstance(item, str) and (named := self._by_name.get(item)) is not None:
            self._take_offered(item, named)
        else:
            self._drop(item if isinstance(item, str) else "", NOT_OFFERED)

    def _take_offered(self, item: str, named: NamedCandidate) -> None:
        """It was true when it was offered; what tools brought since may be newer."""
        held = named.candidate.statement.check(self._offer.book)
        if isinstance(held, Broken):
            self._drop(item, REASONS[held.code], held.why)
        else:
            self._take(item, named.section, named.candidate._replace(held=held))

    def _own(self, item: dict[str, JsonValue]) -> None:
        book = self._offer.book
        try:
            raw = _Own.model_validate(item).typed(self._offer.claim_of)
        except ValidationError:
            raw = _with_ids(item, self._offer.claim_of)
        statement = read_statement(raw)
        if isinstance(statement, Broken):
            self._drop(OWN, REASONS[statement.code], statement.why)
            return
        held = statement.check(book)
        if isinstance(held, Broken):
            self._drop(OWN, REASONS[held.code], held.why)
            return
        one = StatementCandidate(statement, held, salience(statement, held, book))
        self._take(OWN, section_of(one) or _FIRST, one)

    def _take(self, name: str, section: Section, one: StatementCandidate) -> None:
        taken = self._chosen.setdefault(section, [])
        if any(one.statement == other.statement for other in taken):
            self._drop(name, SAID)
        elif len(taken) >= _MOST:
            self._drop(name, FULL)
        else:
            taken.append(one)

    def _view(self, view: JsonValue) -> None:
        self._seen += 1
        told = view if isinstance(view, dict) else {}
        text, section, given = told.get("text"), told.get("section"), told.get("because")
        ids = [one for one in given if isinstance(one, str)] if isinstance(given, list) else []
        named = [self._by_name[one] for one in ids if one in self._by_name]
        heading: Section | None = next((one for one in SECTIONS if one == section), None)
        if heading is None:
            self._drop(VIEWS, UNKNOWN_SECTION)
        elif why := self._doubt(text, heading, named):
            self._drop(VIEWS, why)
        else:
            because = tuple(one.candidate.statement for one in named)
            self._views[heading] = ModelView(
                section=heading, text=str(text).strip(), because=because
            )

    def _doubt(
        self, text: JsonValue, section: Section, named: Sequence[NamedCandidate]
    ) -> Text | None:
        if not self._offer.views:
            return OFF
        if section in self._views:
            return SECOND
        chosen = [one.statement for each in self._chosen.values() for one in each]
        if not any(one.candidate.statement in chosen for one in named):
            return UNFOUNDED
        told = text.strip() if isinstance(text, str) else ""
        return doubt(told, self._mentioned, self._symbol)

    def _drop(self, item: str, why: Text, detail: Text | None = None) -> None:
        # A name as ours are may be told back; anything else of a model's is not repeated.
        plain = item if len(item) <= _LONGEST_NAME and item.isascii() and item.isalnum() else "?"
        self._dropped.append(Dropped(plain, why, detail or why))


def is_own(choice: Choice, offer: Offer) -> bool:
    """Whether it differs from salience's own order: from the first of each section, as many."""
    for section in SECTIONS:
        chosen = [one.statement for one in choice.chosen.get(section, [])]
        first = [one.candidate.statement for one in offer.by_section().get(section, [])]
        if any(one not in first[: len(chosen)] for one in chosen):
            return True
    return not choice.size


def _sections(answer: dict[str, JsonValue]) -> list[tuple[str, JsonValue]]:
    """Headings and items of either shape: an array a section, or a list of sections."""
    listed = answer.get("sections")
    if not isinstance(listed, list):
        return [(name, items) for name, items in answer.items() if name != VIEWS]
    found = list[tuple[str, JsonValue]]()
    for one in listed[:_MOST_ITEMS]:
        told = one if isinstance(one, dict) else {}
        heading = told.get("heading")
        found.append((heading if isinstance(heading, str) else "", told.get("items")))
    return found


def _with_ids(item: dict[str, JsonValue], claim_of: Callable[[str], str]) -> dict[str, JsonValue]:
    """A statement as its kind spells it, with the figures' own ids."""

    def mended(value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return claim_of(value)
        return [mended(one) for one in value] if isinstance(value, list) else value

    return {name: value if name == "kind" else mended(value) for name, value in item.items()}
