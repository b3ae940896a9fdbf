"""A paper: what an export is made of, in one language and in reading order.

Every page and answer becomes one; Markdown, XLSX, the print view and evidence packs are written
from it alone. A figure in it is only ever the id of a claim, so a paper proves nothing without its
claims and their trace, and can be checked with nothing else.
"""

from typing import Annotated, Literal

from pydantic import Field

from services.core.claims import Missing
from services.core.record import Record
from services.core.text import Language
from services.query.assertions.made import MadeAnswer
from services.statements.proved_texts import Made
from services.views.report_charts import ReportChart
from services.views.table import ColumnKind

PaperKind = Literal[
    "overview",
    "screen",
    "stock",
    "financials",
    "ask",
    "report",
    "score",
    "batch",
    "trace",
    "sources",
    "page",
]


class PaperLine(Record):
    """A text: `template` is plain text with `{{c:ID}}` places, never markup.

    `told` is prose of ours or of a model: its figures are checked in the rendered text. `outside`
    is quoted as somebody wrote it, `label` is bookkeeping (ids, instants, names, what the user
    typed): neither holds a figure of ours. `marks` are evidence marks after it (`E1`). `language`
    is null for the paper's own. `known` are names and quotes in it whose digits are no figures.
    `made`: what it is made of, where statements make it; it is proved by them and not read.
    """

    template: str
    kind: Literal["told", "outside", "label"] = "told"
    marks: tuple[str, ...] = ()
    language: Language | None = None
    known: tuple[str, ...] = ()
    made: Made | MadeAnswer | None = Field(default=None, exclude_if=lambda made: made is None)


class Heading(Record):
    """A heading below the paper's title; `level` counts from 2."""

    block: Literal["heading"] = "heading"
    level: int = 2
    text: str


class Prose(Record):
    """One paragraph."""

    block: Literal["prose"] = "prose"
    line: PaperLine


class Bullets(Record):
    """A list, with a few words above it where `title` is given."""

    block: Literal["bullets"] = "bullets"
    title: str = ""
    lines: tuple[PaperLine, ...]


class PaperQuote(Record):
    """A text from outside with who wrote it when and where."""

    block: Literal["quote"] = "quote"
    title: str = ""
    about: tuple[str, ...] = ()
    text: str = ""
    url: str | None = None


class CitedCell(Record):
    """A figure: the claim that is shown."""

    claim: str


# A figure, one that is not available, a text (a template in a prose column), or nothing.
PaperCell = CitedCell | Missing | str | None


class PaperColumn(Record):
    """One column: see table.Column for the kinds."""

    key: str
    label: str
    kind: ColumnKind


class PaperRow(Record):
    """One row; an absent key is an empty cell."""

    cells: dict[str, PaperCell]
    symbol: str | None = None
    group: str | None = None


class PaperTable(Record):
    """Rows under columns; `titled` is false where the heading above names it already.

    `days` says of which days or reports the figures are, where no column does. `made`: what texts
    of its prose columns are made of, by text.
    """

    block: Literal["table"] = "table"
    key: str
    title: str
    note: str = ""
    days: str = Field(default="", exclude_if=lambda days: not days)
    columns: tuple[PaperColumn, ...]
    rows: tuple[PaperRow, ...]
    titled: bool = True
    made: dict[str, Made | MadeAnswer] = Field(default={}, exclude_if=lambda made: not made)


Block = Annotated[
    Heading | Prose | Bullets | PaperQuote | PaperTable | ReportChart, Field(discriminator="block")
]


class Paper(Record):
    """A page, an answer or a report as it is given away."""

    kind: PaperKind
    language: Language
    title: str
    run_ids: tuple[str, ...] = ()
    blocks: tuple[Block, ...]

    @property
    def tables(self) -> tuple[PaperTable, ...]:
        """Every table, in reading order."""
        return tuple(block for block in self.blocks if isinstance(block, PaperTable))

    @property
    def charts(self) -> tuple[ReportChart, ...]:
        """Every picture, in reading order."""
        return tuple(block for block in self.blocks if isinstance(block, ReportChart))
