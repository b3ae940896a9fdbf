"""What other tools are asked of a company or a macro series: moves, texts, series.

Their words and slots are data (data/lexicon/actions.toml). A question is one of these where its
words cover it: words of the action, names, times, figures, and words that only ask.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import cast

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.lattice import FUNCTION, Token, TypedWords
from services.market.calendar import Calendar
from services.query.planning.nlir import Action
from services.query.reading.days_said import times_in
from services.query.reading.figures_said import is_of_days, unknown_figures
from services.query.reading.tagging import Lattice
from services.query.reading.time_expressions import SaidTime

_FILE = DATA_FOLDER / "lexicon" / "actions.toml"
# What joins, points or asks: it may stand anywhere.
_EASY = frozenset({FUNCTION, "COMMA", "join", "noun", "follow", "bool", "add", "swap", "between"})
_EASY_ASKS = frozenset({"what", "yesno", "which", "list", "ones"})
_EASY_RELATIONS = frozenset({"in", "shi", "to"})
# A word of the action goes before the same word of the lexicon; every word has a price.
_WORD, _OWN, _TIME = 0.3, 0.1, 0.2


@dataclass(frozen=True, slots=True)
class ActionPart:
    """A word of a question as its action reads it: `kind` of the action's words, or of the slot."""

    start: int
    end: int
    kind: str
    sem: object
    cost: float


@dataclass(frozen=True, slots=True)
class Doing:
    """An action that can be asked for: which words must stand there, what it has a place for."""

    action: Action
    needs: tuple[frozenset[str], ...]
    takes: frozenset[str]
    asks: frozenset[str]
    words: TypedWords


@dataclass(slots=True)
class ActionWords:
    """What the words of a question say to an action, in their order."""

    doing: Doing
    parts: list[ActionPart]
    companies: list[str] = field(default_factory=list[str])
    whens: list[SaidTime] = field(default_factory=list[SaidTime])
    is_asked: bool = False

    def said(self, *kinds: str) -> list[ActionPart]:
        """The parts of those kinds."""
        return [one for one in self.parts if one.kind in kinds]

    @property
    def is_whole(self) -> bool:
        """Whether it stands without the turn before."""
        return self.is_asked and bool(self.companies)


@cache
def doings() -> tuple[Doing, ...]:
    """Every action of the file. Raises: ConfigError for a faulty one."""
    made: list[Doing] = []
    for action, table in read_data_file(_FILE).tables.items():
        words = TypedWords()
        for kind, listed in table["words"].items():
            for word in listed:
                words.add(word, kind, kind)
        for name, listed in table.get("series", {}).items():
            for word in listed:
                words.add(word, "series", name)
        needs = tuple(frozenset(one.split()) for one in table["needs"])
        takes, asks = frozenset(table["takes"]), frozenset(table.get("asks", ()))
        made.append(Doing(cast("Action", action), needs, takes, asks, words))
    return tuple(made)


def asked_of(lattice: Lattice, doing: Doing, today: date, calendar: Calendar) -> ActionWords | None:
    """What the question says to that action; None where its words do not cover the question."""
    parts = covered(lattice.text, list(_parts(lattice, doing, today, calendar)))
    if parts is None:
        return None
    told = ActionWords(doing, [one for one in parts if one.kind != FUNCTION])
    kinds = {one.kind for one in told.parts}
    told.is_asked = any(wanted <= kinds for wanted in doing.needs)
    for one in told.said("company"):
        listings = cast("tuple[str, ...]", one.sem)
        if len(listings) != 1:
            return None
        if listings[0] not in told.companies:
            told.companies.append(listings[0])
    told.whens = [cast("SaidTime", one.sem) for one in told.said("days", "periods")]
    return None if any(when.impossible for when in told.whens) else told


def _parts(lattice: Lattice, doing: Doing, today: date, calendar: Calendar) -> Iterator[ActionPart]:
    text = lattice.text
    for one in doing.words.tokens(text):
        yield ActionPart(one.start, one.end, one.cat, one.sem, _OWN)
    read = [one for one in lattice.tokens if one.is_sure]
    for one in read:
        if (part := _part_of(one, doing)) is not None:
            yield part
    slot = next((one for one in ("periods", "days") if one in doing.takes), None)
    if slot is None:
        return
    held = [(one.start, one.end) for one in read if one.cat == "ENT" and "company" in doing.takes]
    of_prices = doing.action != "feed"
    for said in times_in(text, today, calendar, held, of_prices=of_prices):
        yield ActionPart(said.start, said.end, slot, said.when, _TIME)


def _part_of(one: Token, doing: Doing) -> ActionPart | None:
    """A word of the question as that action takes it; None where it has no place for it."""
    kind, cost = FUNCTION, _WORD
    if one.cat == "ENT" and "company" in doing.takes:
        kind = "company"
    elif one.cat == "METRIC" and "figures" in doing.takes and ":" not in str(one.sem):
        plain = doing.action == "abnormal" and is_of_days(str(one.sem))
        kind = FUNCTION if plain else "figure"
    elif one.cat == "NOFIG" and "entries" in doing.takes and one.sem in unknown_figures():
        kind = "entry"
    elif one.cat == "indicator" and doing.action == "indicator":
        kind, cost = "indicator", _OWN
    elif one.cat in ("ask", "peer") and one.sem in doing.asks:
        kind, cost = str(one.sem), _OWN
    elif not _is_easy(one.cat, str(one.sem)):
        return None
    return ActionPart(one.start, one.end, kind, None if kind == FUNCTION else one.sem, cost)


def _is_easy(cat: str, sem: str) -> bool:
    if cat == "ask":
        return sem in _EASY_ASKS
    return cat in _EASY or (cat == "rel" and sem in _EASY_RELATIONS)


def covered(text: str, parts: Sequence[ActionPart]) -> list[ActionPart] | None:
    """The cheapest parts that cover the text; None where some of it is in none."""
    ends: dict[int, list[ActionPart]] = {}
    for one in parts:
        ends.setdefault(one.end, []).append(one)
    best: list[tuple[float, list[ActionPart]] | None] = [(0.0, [])]
    for at in range(1, len(text) + 1):
        found = best[at - 1] if text[at - 1].isspace() else None
        for one in ends.get(at, ()):
            before = best[one.start]
            cost = (before[0] + _WORD + one.cost) if before is not None else 0.0
            if before is not None and (found is None or cost < found[0]):
                found = (cost, [*before[1], one])
        best.append(found)
    last = best[-1]
    return last[1] if last is not None else None
