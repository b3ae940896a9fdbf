"""What the page 对比 shows, as data: its companies, a line each, and a table of figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from services.core.claims import Figure
from services.core.text import NO_TEXT, Text
from services.market.history import PriceHistory
from services.views.table import Table, TableColumn, TableRow, View

LEAST, MOST = 2, 6
RANGES: Mapping[str, int] = {"3m": 92, "6m": 183, "1y": 365, "3y": 1096}
# Beyond it additive adjustment makes percentages wrong.
LONG = frozenset({"3y"})


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """Which companies, over which of RANGES, and whether their markets' indexes are drawn too."""

    symbols: tuple[str, ...]
    range: str = "1y"
    indexes: bool = False


@dataclass(frozen=True, slots=True)
class ComparedCompany:
    """One column: `symbol` as it was asked for where no company is known by it. `failed`: why it
    has no figure at all, null where it has one.
    """

    symbol: str
    name: Text
    failed: Text | None = None


@dataclass(frozen=True, slots=True)
class ChartLine:
    """One line of the chart. `end` is 100 times its last close over its first of the span."""

    symbol: str
    name: Text
    history: PriceHistory
    end: Figure
    is_index: bool = False


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One row: a figure for each entry. `best` and `last` are places in it, null where nothing is
    marked; `remark` says why. `old`: places whose figure is of a day before the row's.
    """

    metric: str
    label: Text
    group: Text
    figures: tuple[Figure, ...]
    best: int | None = None
    last: int | None = None
    remark: Text = NO_TEXT
    old: frozenset[int] = field(default_factory=frozenset[int])


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareView(View):
    """对比. `first` and `last` are the first and the last session all with bars have, null where
    there is none. `adjusted`: market → how its prices are adjusted. `report`: of which report the
    figures are, where they are of one. `lacking`: companies without bars. `monthly`: the rebased
    closes at the end of each month, which is the chart as a table.
    """

    asked: CompareRequest
    entries: tuple[ComparedCompany, ...]
    lines: tuple[ChartLine, ...]
    first: date | None
    last: date | None
    rows: tuple[ComparedRow, ...]
    adjusted: tuple[tuple[Text, Text], ...]
    report: Text | None
    lacking: tuple[Text, ...]
    monthly: Table

    def tables(self) -> tuple[Table, ...]:
        """The figures side by side, then the lines."""
        return (self.table(), self.monthly)

    def table(self) -> Table:
        """Every row with what is marked in words."""
        columns = (
            TableColumn("metric", Text("指标", "Metric"), "text"),
            *(TableColumn(one.symbol, named(one), "figure") for one in self.entries),
            TableColumn("remark", Text("说明", "Remark"), "text"),
        )
        rows = tuple(TableRow(self._cells(one), group=one.group) for one in self.rows)
        title = Text("公司对比", "Companies side by side")
        return Table("compare", title, columns, rows)

    def _cells(self, row: ComparedRow) -> dict[str, Figure | Text]:
        figures = {
            one.symbol: figure for one, figure in zip(self.entries, row.figures, strict=True)
        }
        return {"metric": row.label, **figures, "remark": _say_remark(row, self.entries)}


def named(one: ComparedCompany) -> Text:
    """Its name with its code, as the heading of a column."""
    return Text(f"{one.name.zh} {one.symbol}", f"{one.name.en} {one.symbol}")


def _say_remark(row: ComparedRow, entries: Sequence[ComparedCompany]) -> Text:
    """The remark, or which are best and last."""
    if row.best is None or row.last is None:
        return row.remark
    best, last = entries[row.best].name, entries[row.last].name
    told = Text(f"优：{best.zh}，末：{last.zh}", f"best: {best.en}, last: {last.en}")
    if not row.remark:
        return told
    return Text(f"{told.zh}；{row.remark.zh}", f"{told.en}; {row.remark.en}")
