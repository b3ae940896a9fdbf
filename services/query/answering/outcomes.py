"""What a node of a plan brought: figures in rows, quoted texts, sentences. Data only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import JsonValue

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure
from services.core.record import Record
from services.core.text import Text
from services.query.planning.plir import PlirNode

if TYPE_CHECKING:  # a plan alone makes no statement
    from services.statements.statement import Statement


def plain(text: str) -> str:
    """Words from elsewhere as a template may carry them: in theirs no braces make a place."""
    return text.replace("{{", "｛｛").replace("}}", "｝｝")


def quote_text(text: Text) -> Text:
    """A text from elsewhere as a sentence may carry it, in which `{{c:ID}}` are figures' places."""
    return Text(plain(text.zh), plain(text.en))


@dataclass(frozen=True, slots=True)
class Asserted(Text):
    """A sentence that a statement makes; `names` are what it calls its companies."""

    statement: "Statement"
    names: Mapping[str, Text]


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """A column of figures; `key` is the key in each row. `timed`: its label says the time."""

    key: str
    label: Text
    timed: bool = False


def columns_of(
    metrics: Iterable[str], labels: Mapping[str, Text] = MappingProxyType({})
) -> tuple[AnswerColumn, ...]:
    """A column for each figure, once: called as these labels say, or as in the catalogue."""
    once = dict.fromkeys(metrics)
    return tuple(AnswerColumn(one, labels.get(one) or metric_words(one)) for one in once)


def id_of(figure: Figure | None) -> str | None:
    """The id of the claim it is; None for a figure there is none of."""
    return figure.claim_id if isinstance(figure, Claim) else None


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A line of a table: a company, a period or a day, and its figures by column."""

    label: Text
    figures: Mapping[str, Figure]
    symbol: str | None = None


class Quotation(Record):
    """A text from outside as it was written; its digits are nobody's claim."""

    title: str
    text: str = ""
    url: str | None = None
    author: str | None = None
    published: str | None = None
    source: str | None = None


class OutputValues(Record):
    """What the extractor of an output of the plan took, the values in order; the claims they are,
    or why they are null.
    """

    key: str
    values: tuple[JsonValue, ...] = ()
    claims: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one node brought. `document` is what its extractors read, figures as claims in it.

    `subject` is the company or list it is about. `single`: its figures are one row, to be told in
    a sentence. `absent` says why nothing came at all; with `nothing` its sentences do.
    `compared` are figures of all its rows, by which companies are set side by side. `unheld` says
    first what was asked beside and nobody has.
    """

    node: PlirNode
    subject: Text
    document: Mapping[str, object] = field(default_factory=dict[str, object])
    columns: tuple[AnswerColumn, ...] = ()
    rows: tuple[AnswerRow, ...] = ()
    sentences: tuple[Text, ...] = ()
    items: tuple[Quotation, ...] = ()
    notes: tuple[Text, ...] = ()
    single: bool = False
    absent: Text | None = None
    nothing: bool = False
    compared: Mapping[str, Figure] = field(default_factory=dict[str, Figure])
    unheld: Text | None = None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The claims in its rows, row by row."""
        return tuple(
            figure
            for row in self.rows
            for figure in row.figures.values()
            if isinstance(figure, Claim)
        )
