"""What a reader sees is said in plain words: no inner id, no setting, no name of an exception.

Read out of the source: the tables of texts of the pages, every `Text(zh, en)` of the services, and
the English of the data files. What is put together while a page is drawn the crawl hears.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pages.ui.drawer_texts import DRAWER
from pages.ui.texts import TEXTS
from services.core.source_marks import read_remarks

ROOT = Path(__file__).resolve().parents[2]
# What is said to a language model, and the columns by which a file is read by machine.
UNSEEN = ("services/agents/prompts.py", "services/exports/xlsx_sources.py")
PLACE = re.compile(r"\{[^{}]*\}")
# An id has a digit (tc_1f0a…), a setting two words in capitals, a field of code an underscore.
REFUSED = {
    "an inner id": re.compile(
        r"\b(?:tc|c|run|job|turn|s)_[0-9a-f]*\d[0-9a-f]*\b|\b\w+_id\b|\b(?:CN|HK|US):\S"
    ),
    "a setting": re.compile(r"\b[A-Z]{2,}(?:_[A-Z]+)+\b"),
    "an exception": re.compile(r"\b[A-Z]\w+(?:Error|Exception)\b|\bTraceback\b|\bnull\b|\bNaN\b"),
    "a word of code": re.compile(r"\bJSON\b|\bsha256\b|\bstdin\b|\b(?:NL|PL)IR\b|\.py\b"),
    "a name of code": re.compile(r"\b[a-z]+_[a-z_]+\b"),
}
# English that is a word of this project's makers, on no page.
MAKERS = re.compile(r"\b(?:claims?|trace|payload|tool call|ledger|competence)\b", re.IGNORECASE)
CJK = re.compile(r"[\u4e00-\u9fff，。；：（）]")


def refused(text: str) -> list[str]:
    """What of it only makers know."""
    return [what for what, form in REFUSED.items() if form.search(PLACE.sub("", text))]


def written(node: ast.AST) -> str:
    """The words of a literal; of anything else none."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def said_by_services() -> Iterator[tuple[str, str, str]]:
    """Where, Chinese and English of every text of the services that pages show."""
    for path in sorted((ROOT / "services").rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if where in UNSEEN or not isinstance(node, ast.Call):
                continue
            if ast.unparse(node.func) in {"Text", "Text.of"}:
                # Of a choice between two texts both: `Text("甲" if a else "乙", …)`.
                told = [" ".join(map(written, ast.walk(one))) for one in node.args]
                yield f"{where}:{node.lineno}", told[0], told[-1]


@cache
def said() -> tuple[tuple[str, str, str], ...]:
    """Every text a page can show, with where it is written."""
    return tuple(_said())


def _said() -> Iterator[tuple[str, str, str]]:
    for table in (TEXTS, DRAWER):
        yield from ((key, text.zh, text.en) for key, text in table.items())
    yield from said_by_services()
    for name, remark in read_remarks().items():
        yield "remarks.toml", name, remark


@pytest.mark.parametrize("what", REFUSED)
def test_no_text_shows_what_only_makers_know(what: str) -> None:
    found = {where: text for where, *texts in said() for text in texts if what in refused(text)}
    assert found == {}


def test_there_are_texts_to_judge_and_a_bad_one_is_found() -> None:
    assert len(said()) > 2300
    bad = {
        "an inner id": "see tc_1f0a22",
        "a setting": "set YOUJU_STORE",
        "an exception": "UnavailableError happened",
        "a word of code": "as JSON",
        "a name of code": "the field market_cap",
    }
    assert all(REFUSED[what].search(text) for what, text in bad.items())


def test_english_is_english() -> None:
    """The pages' own tables: no Chinese sign, no word of the makers, no doubled or lost space."""
    wrong = {
        key: en
        for table in (TEXTS, DRAWER)
        for key, en in ((key, text.en) for key, text in table.items())
        if MAKERS.search(PLACE.sub("", en))
        or CJK.search(PLACE.sub("", en).replace("亿", "").replace("万", ""))
        or re.search(r"\S  +\S|\s[,;:.](?:\s|$)", en)
    }
    assert wrong == {}
