"""Every group of figures a file holds says its day, in every kind of file, for every kind of view.

A group is a table (a sheet, a CSV) by itself, and the prose of one answer or report.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from datetime import date
from zipfile import ZipFile

import pytest

from services.core.claims import Claim
from services.core.periods import period_words
from services.core.rendering import PLACE
from services.core.text import Language
from services.exports.csv import table_files
from services.exports.paper import Bullets, CitedCell, Heading, Paper, PaperLine, PaperTable, Prose
from services.exports.papers import paper_of
from services.exports.view_files import view_markdown, view_zip
from services.views.table import View
from tests.unit.reports.shown import SHOWN, shown, workbook

every_view = pytest.mark.parametrize("name", list(SHOWN))
languages = pytest.mark.parametrize("language", ["zh", "en"])


def ways(claim: Claim) -> set[str]:
    """How the day of a figure, or the report it is of, may be written."""
    day = claim.as_of
    told = {day.isoformat(), f"{day:%B} {day.day}", f"{day.month}月{day.day}日"}
    if claim.period:
        told |= {period_words(claim.period, "zh"), period_words(claim.period, "en")}
    if claim.period and claim.period.endswith("_Q4"):
        told |= {f"{claim.period[:4]}年", f"FY{claim.period[:4]}", "上年的", "of the year before"}
    return told


def is_told(claim: Claim, text: str) -> bool:
    return any(way in text for way in ways(claim))


def cited(cell: object, claims: Mapping[str, Claim]) -> list[Claim]:
    names = [cell.claim] if isinstance(cell, CitedCell) else []
    names += PLACE.findall(cell) if isinstance(cell, str) else []
    return [claims[name] for name in names]


def groups(paper: Paper) -> Iterator[list[PaperLine]]:
    """The lines of each answer; of anything else all there are."""
    found: list[PaperLine] = []
    for block in paper.blocks:
        if isinstance(block, Heading) and paper.kind == "ask":
            yield found
            found = []
        if isinstance(block, Prose):
            found.append(block.line)
        if isinstance(block, Bullets):
            found += block.lines
        if isinstance(block, PaperTable) and paper.kind == "ask":
            heads = " ".join([block.days, *(column.label for column in block.columns)])
            found.append(PaperLine(template=heads, kind="label"))
            found += [
                PaperLine(template=cell, kind="label")
                for row in block.rows
                for cell in row.cells.values()
                if isinstance(cell, str)
            ]
    yield found


@languages
@every_view
def test_every_table_says_the_day_of_each_of_its_figures(name: str, language: Language) -> None:
    view = shown(name)
    undated = []
    for table in paper_of(view, language).tables:
        around = " ".join([table.title, table.note, table.days])
        for row in table.rows:
            own = " ".join(cell for cell in row.cells.values() if isinstance(cell, str))
            undated += [
                (table.key, column.key, claim.metric, claim.as_of.isoformat())
                for column in table.columns
                for claim in cited(row.cells.get(column.key), view.claims)
                if not is_told(claim, f"{around} {column.label} {own}")
            ]
    assert undated == []


@languages
@every_view
def test_every_text_says_the_day_of_each_of_its_figures(name: str, language: Language) -> None:
    view = shown(name)
    undated = []
    for lines in groups(paper_of(view, language)):
        text = " ".join(line.template for line in lines)
        undated += [
            (line.template[:60], claim.metric, claim.as_of.isoformat())
            for line in lines
            for claim in cited(line.template, view.claims)
            if not is_told(claim, text)
        ]
    assert undated == []


@every_view
def test_the_days_stand_in_the_sheet_the_markdown_and_the_plain_csv(name: str) -> None:
    view = shown(name)
    paper = paper_of(view, "zh")
    markdown = view_markdown(view, "zh").replace("\\", "")
    sheets = workbook(view, "zh").worksheets
    heads = " ".join(str(sheet["A1"].value) for sheet in sheets)
    assert not [one.key for one in paper.tables if one.days and one.days not in markdown]
    assert not [one.key for one in paper.tables if one.days and one.days not in heads]
    for key, table in table_files(paper).items():
        for row, written in zip(table.rows, plain_rows(view, key), strict=True):
            days = {
                claim.as_of
                for column in table.columns
                for claim in cited(row.cells.get(column.key), view.claims)
            }
            told = {date.fromisoformat(one[:10]) for one in written[-1].split("; ") if one}
            assert days <= told, (key, written)


def plain_rows(view: View, key: str) -> list[list[str]]:
    with ZipFile(io.BytesIO(view_zip(view, "zh", "plain"))) as archive:
        text = archive.read(f"{key}.csv").decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))[1:]
