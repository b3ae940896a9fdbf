"""What a reader sees is said in plain words: no inner id, no setting, no name of an exception.

Read out of the source: the tables of texts of the pages, and every `Text(zh, en)` of the services
whose words reach a page.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.ui.drawer_texts import DRAWER
from pages.ui.texts import TEXTS

ROOT = Path(__file__).resolve().parents[2]
SERVICES = ("views", "market", "statements", "scoring", "grounding", "workbench", "evidence_pack")
_BOTH = 2
PLACE = re.compile(r"\{[^{}]*\}")
# An id has a digit (tc_1f0a…), a setting two words in capitals, a field of code an underscore.
REFUSED = {
    "an inner id": re.compile(r"\b(?:tc|c|run|job|turn|s)_[0-9a-f]*\d[0-9a-f]*\b|\b\w+_id\b"),
    "a setting": re.compile(r"\b[A-Z]{2,}(?:_[A-Z]+)+\b"),
    "an exception": re.compile(r"\b[A-Z]\w+(?:Error|Exception)\b|\bTraceback\b|\bnull\b|\bNaN\b"),
    "a word of code": re.compile(r"\bJSON\b|\bsha256\b|\bstdin\b|\b(?:NL|PL)IR\b|\.py\b"),
    "a name of code": re.compile(r"\b[a-z]+_[a-z_]+\b"),
}
# English that is a word of this project's makers, on no page.
MAKERS = re.compile(r"\b(?:claims?|trace|payload|tool call|ledger|competence)\b", re.IGNORECASE)
CJK = re.compile(r"[\u4e00-\u9fff，。；：（）]")


def written(node: ast.expr) -> str:
    """A literal as it is shown; what is filled in is left out."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) for one in node.values if isinstance(one, ast.Constant))
    return ""


def said_by_services() -> Iterator[tuple[str, str, str]]:
    """Where, Chinese and English of every text of the services that pages show."""
    for folder in SERVICES:
        for path in sorted((ROOT / "services" / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if not isinstance(node, ast.Call) or ast.unparse(node.func) != "Text":
                    continue
                if len(node.args) == _BOTH:
                    zh, en = map(written, node.args)
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", zh, en


def said() -> Iterator[tuple[str, str, str]]:
    """Every text a page can show, with where it is written."""
    for table in (TEXTS, DRAWER):
        yield from ((key, text.zh, text.en) for key, text in table.items())
    yield from said_by_services()


@pytest.mark.parametrize("what", REFUSED)
def test_no_text_shows_what_only_makers_know(what: str) -> None:
    found = {
        where: text
        for where, *texts in said()
        for text in texts
        if REFUSED[what].search(PLACE.sub("", text))
    }
    assert found == {}


def test_there_are_texts_to_judge_and_a_bad_one_is_found() -> None:
    assert sum(1 for _ in said()) > 1500
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
