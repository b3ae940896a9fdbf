"""What the page 问答 shows, as data: a conversation of turns, each a view of its own.

A turn has its own claims and trace, so its figures stand on nothing that another turn fetched.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from pydantic import JsonValue

from services.core.text import Language, Text
from services.query.assertions.made import MadeAnswer
from services.views.table import Table, View
from services.views.view import ChartSeries

# How a condition is edited: a company or other words, one of a list (`open` takes others too),
# several of a list, a whole number, a day, or a bound such as 大于3%.
Control = Literal["company", "words", "choice", "open", "several", "whole", "day", "bound"]
State = Literal["answered", "put_back", "unanswered"]
# What was changed of a plan: node → slot → the value as said now; None takes the slot away.
Edits = Mapping[str, Mapping[str, JsonValue]]


class Option(NamedTuple):
    """One of the values a condition may take: as it is said in a plan, and as it is shown."""

    value: str
    label: Text


@dataclass(frozen=True, slots=True)
class Condition:
    """One slot of a node. `value` is as said in the plan, None when it was not said.

    `shown` is the same in words. `most` bounds a whole number.
    """

    key: str
    label: Text
    value: JsonValue
    shown: Text
    control: Control
    options: tuple[Option, ...] = ()
    most: int | None = None

    @property
    def said(self) -> bool:
        """Whether the plan has this slot."""
        return self.value is not None


@dataclass(frozen=True, slots=True)
class PlanNode:
    """One thing done: what, about which company (`name`, null for none), under which conditions."""

    node_id: str
    doing: Text
    name: Text | None
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """What was understood: in words, as conditions to be changed, and as the two documents.

    `read_by` says who read the question: the rules, or which model.
    """

    words: Text
    nodes: tuple[PlanNode, ...]
    nlir: str
    plir: str
    read_by: Text


class TurnCompany(NamedTuple):
    """A company a turn is about."""

    symbol: str
    name: str


@dataclass(frozen=True, slots=True)
class Outside:
    """A text from outside as it was written; `url` is an address on the web or null."""

    title: str
    text: str
    url: str | None
    author: str | None
    published: str | None
    source: str | None


@dataclass(frozen=True, slots=True)
class AnswerChart:
    """Figures that are worth a picture.

    `days`: the series of one symbol over trading days, by column (open, high, low, close, volume).
    `periods`: one or more series over report periods. `companies`: each series is one metric of
    several companies, to be looked at one at a time.
    """

    kind: Literal["days", "periods", "companies"]
    series: tuple[ChartSeries, ...]


class ChipChoice(NamedTuple):
    """What a chip may be changed to: how it is called, and the JSON of the query it makes."""

    label: Text
    query: str


class Chip(NamedTuple):
    """One part of what was understood. `removed`: the query without it, where it can be left out;
    `bound`: the number in it, where another may be set.
    """

    key: str
    label: Text
    value: Text
    choices: tuple[ChipChoice, ...] = ()
    removed: str | None = None
    bound: float | None = None


WordKind = Literal["read", "plain", "unread"]


class Word(NamedTuple):
    """A run of the question: read, a word that means nothing by itself (`plain`), or not read."""

    text: str
    kind: WordKind


class Opens(NamedTuple):
    """The page an answer is: its path, the parameters, and what the button says."""

    page: str
    params: Mapping[str, str]
    label: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView(View):
    """One question and what became of it.

    `language` is that of the answer's words: of the page it was asked on. `template` has the
    figures as `{{c:ID}}`, `made` what its sentences are made of, `lacks` the lines that say why
    nothing came; `labels` are names and keywords in it whose digits are no figures. `refs` are the
    numbers of the turns it went on from. `reason` and `choices` are the question put back.
    `query` is the JSON of the query it was, empty for another action; `chips` its parts, `words`
    the question as it was read, `opens` the page the answer is.
    `holds`: every claim verifies. `failed`: nothing came because a source did not answer.
    """

    number: int
    question: str
    state: State
    language: Language
    refs: tuple[int, ...] = ()
    plan: Plan | None = None
    template: str = ""
    made: tuple[MadeAnswer, ...] = ()
    lacks: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    table: Table | None = None
    chart: AnswerChart | None = None
    items: tuple[Outside, ...] = ()
    suggestions: tuple[str, ...] = ()
    reason: str = ""
    choices: tuple[str, ...] = ()
    companies: tuple[TurnCompany, ...] = ()
    query: str = ""
    chips: tuple[Chip, ...] = ()
    words: tuple[Word, ...] = ()
    opens: Opens | None = None
    run_id: str | None = None
    holds: bool = True
    failed: bool = False

    def tables(self) -> tuple[Table, ...]:
        """The table of the answer, where it has one."""
        return () if self.table is None else (self.table,)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationView(View):
    """问答: the turns of one conversation, oldest first; none of them before the first question.

    `conversation` is empty for a new one. `named` says whether a reader gave it its title.
    """

    conversation: str
    turns: tuple[TurnView, ...]
    named: bool

    def tables(self) -> tuple[Table, ...]:
        """The tables of all answers."""
        return tuple(table for turn in self.turns for table in turn.tables())


class ListedConversation(NamedTuple):
    """A conversation in a list. `seen_at` is real time."""

    conversation: str
    title: str
    turns: int
    seen_at: datetime
