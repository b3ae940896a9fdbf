"""Papers: every page and answer becomes one document whose figures are ids of claims it has."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from services.core.claims import Claim
from services.core.rendering import PLACE
from services.core.text import Text
from services.exports.formats import FORMATS, Format, file_name
from services.exports.paper import Bullets, CitedCell, Heading, Paper, PaperLine, Prose
from services.exports.papers import paper_of
from services.exports.view_files import view_markdown
from services.views.ask_view import ConversationView, TurnView
from services.views.table import TableRow, View
from tests.unit.reports import samples as s
from tests.unit.reports.bundled import desk, session

DAY = date(2017, 7, 26)
QUESTIONS = ("贵州茅台的净利润", "和五粮液比较")


@pytest.fixture(scope="module")
def views() -> dict[str, View]:
    one, youju = session(), desk()
    conversation = youju.begin()
    for question in QUESTIONS:
        youju.ask(question, conversation)
    asked = youju.conversation(conversation)
    return {
        "overview": youju.overview(one),
        "screen": youju.screen({"pettm": "0_10", "size": "5"}, one),
        "stock": youju.stock("00700.HK", None, None, one),
        "financials": youju.financials("002594.SZ", one),
        "trace": youju.traces(one),
        "sources": youju.sources(),
        "ask": asked,
        "turn": asked.turns[0],
    }


def _lines(paper: Paper) -> Iterator[PaperLine]:
    for block in paper.blocks:
        if isinstance(block, Prose):
            yield block.line
        if isinstance(block, Bullets):
            yield from block.lines


def _cited(paper: Paper) -> Iterator[str]:
    for line in _lines(paper):
        if line.kind == "told":
            yield from PLACE.findall(line.template)
    for table in paper.tables:
        for row in table.rows:
            for cell in row.cells.values():
                if isinstance(cell, CitedCell):
                    yield cell.claim
                elif isinstance(cell, str):
                    yield from PLACE.findall(cell)


def test_every_page_has_a_paper_of_its_kind_that_cites_only_what_it_has(
    views: dict[str, View],
) -> None:
    for name, view in views.items():
        for language in ("zh", "en"):
            paper = paper_of(view, language)
            assert paper.kind == ("ask" if name == "turn" else name)
            assert paper.title
            assert paper.run_ids == view.run_ids
            assert set(_cited(paper)) <= view.claims.keys()
            assert Paper.model_validate_json(paper.model_dump_json()) == paper


def test_every_table_of_the_page_is_in_its_paper_with_every_figure(views: dict[str, View]) -> None:
    for view in views.values():
        paper = paper_of(view, "zh")
        assert [one.key for one in paper.tables] == [one.key for one in view.tables()]
        for mine, shown in zip(paper.tables, view.tables(), strict=True):
            columns = [column.key for column in shown.columns]
            given = [row.cells.get(key) for row in shown.rows for key in columns]
            cells = [row.cells.get(key) for row in mine.rows for key in columns]
            assert [one.claim for one in cells if isinstance(one, CitedCell)] == [
                one.claim_id for one in given if isinstance(one, Claim)
            ]


def test_an_answer_begins_with_how_it_was_read_and_tells_its_figures(
    views: dict[str, View],
) -> None:
    turn = views["turn"]
    assert isinstance(turn, TurnView)
    paper = paper_of(turn, "zh")
    assert paper.title == QUESTIONS[0]
    read, told = list(_lines(paper))[:2]
    assert (read.kind, read.template[:5]) == ("label", "我理解为：")
    assert told.kind == "told"
    assert told.template == turn.template.split("\n")[0]
    assert PLACE.search(told.template)
    assert not any(table.titled for table in paper.tables)


def test_a_conversation_has_each_question_as_a_heading(views: dict[str, View]) -> None:
    view = views["ask"]
    assert isinstance(view, ConversationView)
    headings = [b.text for b in paper_of(view, "zh").blocks if isinstance(b, Heading)]
    assert [one.split("（")[0] for one in headings] == ["1. 贵州茅台的净利润", "2. 和五粮液比较"]


def test_what_a_user_types_is_no_template(views: dict[str, View]) -> None:
    turn = views["turn"]
    assert isinstance(turn, TurnView)
    place = "{{c:" + next(iter(turn.claims)) + "}}"
    put_back = replace(
        turn, question=f"问 {place}", state="put_back", template="", reason=place, choices=(place,)
    )
    text = view_markdown(replace(put_back, table=None))
    assert text.startswith("# 问 {{c:c\\_")
    assert "[^1]" not in text


def test_notes_with_days_and_counts_are_bookkeeping_and_others_are_told() -> None:
    notes = (Text("共 12 行，截至 2017-05-25", "-"), Text("不是官方收盘价", "-"))
    paper = paper_of(s.view(s.table(s.MOUTAI), notes=notes), "zh")
    assert [line.kind for line in _lines(paper)] == ["label", "told"]


def test_a_view_nobody_knows_is_a_page_with_its_tables() -> None:
    paper = paper_of(s.view(s.table(s.MOUTAI)), "en")
    assert (paper.kind, paper.title, paper.tables[0].key) == ("page", "Screen", "screen")
    assert paper.tables[0].rows[0].cells["pe_lyr"] == CitedCell(claim=s.PE.claim_id)
    assert paper.tables[0].rows[0].cells["name"] == "贵州茅台"


@pytest.mark.parametrize("one", FORMATS, ids=[one.key for one in FORMATS])
def test_the_same_view_at_the_same_time_gives_the_same_bytes(
    one: Format, views: dict[str, View]
) -> None:
    for name in ("financials", "turn"):
        first, again = (one.write(views[name], "zh", s.MADE_AT) for _ in range(2))
        assert first == again


def test_a_file_says_what_it_is_in_ascii(views: dict[str, View]) -> None:
    def named(name: str, part: str = "") -> str:
        return file_name(views[name], paper_of(views[name], "zh"), DAY, "csv", part)

    assert named("stock", "bars") == "youju-stock-00700.HK-bars-2017-07-26.csv"
    assert named("overview") == "youju-overview-2017-07-26.csv"
    assert named("turn") == "youju-ask-600519.SH-2017-07-26.csv"
    assert all(named(name).isascii() for name in views)


def test_a_title_with_a_path_in_it_makes_no_path() -> None:
    view = replace(s.view(s.table(TableRow({}))), title=Text("../../etc/passwd\n=1", "-"))
    assert file_name(view, paper_of(view, "zh"), DAY, "md") == (
        "youju-page-etc-passwd-1-2017-07-26.md"
    )
