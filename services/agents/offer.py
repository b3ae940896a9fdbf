"""What a model may choose from: statements code found true, by short names of this talk alone.

The prompt holds their sentences and the figures they stand on; the schema and the grammar allow
nothing but their names, a section each, so that heading and item cannot disagree.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import JsonValue

from services.agents.model import JsonSchema
from services.core.claims import Claim
from services.core.rendering import Language
from services.core.rendering import render as rendered
from services.statements.book import Book
from services.statements.candidates import StatementCandidate, is_of_one_peer
from services.statements.choosing import TITLES, Section, section_of
from services.statements.registry import AnyStatement
from services.statements.tongue import Tongue

# All that is told of one company, in bytes: what a small local model reads.
LARGEST = 9_000
_MOST: Mapping[Section, int] = {"results": 18, "valuation": 9, "price": 9, "watch": 5}
_MOST_FIGURES = 48
MOST_OF_SECTION = 5
_MARKS: Mapping[int, str] = {1: "+", -1: "-", 0: "·"}
VIEWS, OWN = "views", "own"
# Unusual days are told whoever chooses.
OFFERED: tuple[Section, ...] = ("results", "valuation", "price", "watch")


class NamedCandidate(NamedTuple):
    """A candidate by its name in this talk."""

    name: str
    section: Section
    candidate: StatementCandidate


class Offer:
    """The statements offered to a model. Belongs to one talk: names are given once and stay."""

    def __init__(
        self,
        language: Language,
        year: int,
        known: Sequence[StatementCandidate],
        book: Book,
        *,
        views: bool,
    ) -> None:
        """`year` is the one that days go without; `views`: free words may be said beside."""
        self._language: Language = language
        self._year = year
        self.views = views
        self.book = book
        self._names: dict[AnyStatement, str] = {}
        self._figures: dict[str, str] = {}
        self.named: tuple[NamedCandidate, ...] = ()
        # Everything the model was told of, though better may be known since.
        self.told: dict[str, NamedCandidate] = {}
        self.renew(known, book)

    def renew(self, known: Sequence[StatementCandidate], book: Book) -> tuple[NamedCandidate, ...]:
        """Take what code knows by now; those that are new to the model."""
        self.book = book
        named = [self._name(one, section) for one, section in _choose_telling(known)]
        new = tuple(one for one in named if one.name not in self.told)
        self.named = tuple(named)
        self.told |= {one.name: one for one in named}
        return new

    def _name(self, one: StatementCandidate, section: Section) -> NamedCandidate:
        name = self._names.setdefault(one.statement, f"s{len(self._names) + 1}")
        for claim in one.held.uses:
            if len(self._figures) < _MOST_FIGURES:
                self._figures.setdefault(claim.claim_id, f"k{len(self._figures) + 1}")
        return NamedCandidate(name, section, one)

    def by_section(self) -> dict[Section, list[NamedCandidate]]:
        """The statements of each section that has any, the most telling first."""
        found: dict[Section, list[NamedCandidate]] = {}
        for section in OFFERED:
            of_it = [one for one in self.named if one.section == section]
            if of_it:
                found[section] = of_it
        return found

    def claim_of(self, name: str) -> str:
        """The claim's id of a figure's name in this talk; any other text as it is."""
        ids = {short: claim_id for claim_id, short in self._figures.items()}
        return ids.get(name, name)

    def lines(self) -> str:
        """The statements by section and, as far as there is room, the figures under them."""
        told, size = list[str](), 0
        for section, named in self.by_section().items():
            told.append(f"[{section}] {TITLES[section][0 if self._language == 'zh' else 1]}")
            told += self.sentences(named)
        size = sum(len(line.encode()) + 1 for line in told)
        figures = list[str]()
        for claim in self._list_figures():
            line = f"{self._figures[claim.claim_id]} {self._figure(claim)}"
            size += len(line.encode()) + 1
            if size > LARGEST:
                break
            figures.append(line)
        head = ["数字（只用于 own）：" if self._language == "zh" else "Figures (for own only):"]
        return "\n".join([*told, *(head if figures else []), *figures])

    def sentences(self, named: Sequence[NamedCandidate]) -> list[str]:
        """A line each: its name, which side it speaks for, and what it says."""
        return [f"{one.name} {_MARKS[one.candidate.held.stance]} {self._say(one)}" for one in named]

    def _say(self, one: NamedCandidate) -> str:
        tongue = Tongue(self._language, self.book, self._year)
        said = one.candidate.statement.say(one.candidate.held, tongue)
        return rendered(said, dict(self.book.claims), self._language)

    def _list_figures(self) -> list[Claim]:
        claims = self.book.claims
        found = [claims[name] for name in self._figures if name in claims]
        return sorted(found, key=lambda one: (one.metric, one.symbol, one.as_of, one.claim_id))

    def _figure(self, claim: Claim) -> str:
        """Name, time, whose, and how much."""
        tongue = Tongue(self._language, self.book)
        when = claim.period or claim.as_of.isoformat()
        other = "" if claim.symbol == self.book.symbol else f" {claim.symbol}"
        shown = rendered(tongue.figure(claim), dict(self.book.claims), self._language)
        return f"{tongue.label(claim.metric)} {when}{other} {shown}"

    @property
    def schema(self) -> JsonSchema:
        """An object with one array a section, each of its own names; views beside them."""
        properties: dict[str, JsonValue] = {}
        for section, named in self.by_section().items():
            properties[section] = _array([one.name for one in named])
        if self.views:
            properties[VIEWS] = _views(self.by_section(), [*self.told])
        required: list[JsonValue] = [*properties]
        return JsonSchema(
            "chosen_statements",
            {
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": False,
            },
        )

    @property
    def grammar(self) -> str:
        """The same without views as a GBNF grammar that allows no white space: a small model that
        may write some writes nothing else.
        """
        rules, parts = list[str](), list[str]()
        for section, named in self.by_section().items():
            names = " | ".join(_literal(json.dumps(one.name)) for one in named)
            rules.append(f"{section} ::= {names}")
            parts.append(
                f"{_literal(json.dumps(section) + ':[')} {section} "
                f'("," {section}){{0,{MOST_OF_SECTION - 1}}} "]"'
            )
        root = ' "," '.join(parts)
        return "\n".join([f'root ::= "{{" {root} "}}"', *rules])


def _choose_telling(
    known: Sequence[StatementCandidate],
) -> list[tuple[StatementCandidate, Section]]:
    """Of one figure and kind the most telling, as many as a small model reads."""
    found: dict[object, tuple[StatementCandidate, Section]] = {}
    for one in known:
        section = section_of(one)
        if section not in OFFERED or is_of_one_peer(one) or one.held.topic == "market_cap":
            continue
        kind = one.statement.kind
        trigger = getattr(one.statement, "trigger", getattr(one.statement, "rule", ""))
        # Moves and events of several days are several thoughts of one figure.
        base = one.held.uses[1].as_of if kind == "move" else one.held.when
        if sum(other == section for _, other in found.values()) < _MOST[section]:
            found.setdefault((one.held.topic, kind, trigger, base), (one, section))
    return list(found.values())


def _array(names: Sequence[str]) -> JsonValue:
    items: list[JsonValue] = [*names]
    return {
        "type": "array",
        "items": {"type": "string", "enum": items},
        "minItems": min(1, len(items)),
        "maxItems": min(MOST_OF_SECTION, len(items)),
    }


def _views(sections: Mapping[Section, object], names: Sequence[str]) -> JsonValue:
    headings: list[JsonValue] = [*sections]
    ids: list[JsonValue] = [*names]
    return {
        "type": "array",
        "maxItems": len(headings),
        "items": {
            "type": "object",
            "properties": {
                "section": {"type": "string", "enum": headings},
                "text": {"type": "string", "maxLength": 120},
                "because": {"type": "array", "items": {"type": "string", "enum": ids}},
            },
            "required": ["section", "text", "because"],
            "additionalProperties": False,
        },
    }


def _literal(text: str) -> str:
    """The text as a literal of the grammar."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
