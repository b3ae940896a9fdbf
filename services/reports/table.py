"""The table that pages draw and exports write: a figure cell is a Claim or a Missing, never a
number.

Text in two languages is `Words`. Prose with figures in it is a template with `{{c:ID}}` places.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from services.core.claims import Claim, Figure
from services.core.rendering import Language
from services.core.trace import Trace
from services.market.metrics import METRICS


class Words(NamedTuple):
    """The same text in Chinese and in English."""

    zh: str
    en: str

    def text(self, language: Language) -> str:
        """The text in that language."""
        return self.zh if language == "zh" else self.en


ColumnKind = Literal["figure", "text", "date", "symbol", "prose"]
Cell = Figure | Words | str | None


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `figure` cells are Claim | Missing; `date` cells ISO text; `symbol` cells an
    inside symbol; `prose` cells templates whose places name claims of the view; `text` anything
    else.

    A `text` column holds bookkeeping and names only: no market or financial figure.
    """

    key: str
    zh: str
    en: str
    kind: ColumnKind

    def label(self, language: Language) -> str:
        """The heading in that language."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Row:
    """One row: `cells` by column key, an absent key is an empty cell. `symbol` is what the row is
    about, `group` the section it stands in (估值, 盈利), null when the table has none."""

    cells: Mapping[str, Cell]
    symbol: str | None = None
    group: Words | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under columns. `key` names it in a file name or an anchor; the note says what a reader
    must know.
    """

    key: str
    zh: str
    en: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note_zh: str = ""
    note_en: str = ""

    def title(self, language: Language) -> str:
        """The title in that language."""
        return self.zh if language == "zh" else self.en

    def note(self, language: Language) -> str:
        """The note in that language; empty when there is none."""
        return self.note_zh if language == "zh" else self.note_en


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What every view has. `notes` are sentences about the data shown (adjustment, age, what is
    missing).
    """

    title: Words
    claims: Mapping[str, Claim]
    trace: Trace
    run_ids: tuple[str, ...]
    notes: tuple[Words, ...] = ()

    def tables(self) -> tuple[Table, ...]:
        """Every table of the page in reading order: what the exports write."""
        return ()


def reason_words(reason: str) -> Words:
    """Why there is no figure, in both languages: `中文 | English`, or one text for both."""
    zh, _, en = reason.partition(" | ")
    return Words(zh, en or zh)


def metric_words(metric: str) -> Words:
    """The name of a metric as shown; the metric's own id when it is not in the table."""
    found = METRICS.get(metric)
    return Words(found.zh, found.en) if found else Words(metric, metric)


def figure_column(key: str, metric: str | None = None) -> Column:
    """A figure column named after a metric (the key itself by default)."""
    words = metric_words(metric or key)
    return Column(key, words.zh, words.en, "figure")


def figure_columns(keys: Sequence[str]) -> tuple[Column, ...]:
    """Figure columns for these metrics, in this order."""
    return tuple(figure_column(key) for key in keys)
