"""No file of ours has an id of the bundle where a reader reads: its marks are said in words."""

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from services.core.formulas import FORMULAS
from services.core.sessions import Lacking
from services.core.source_marks import ADJUSTED, AGREEMENT, note_text
from services.settings import ROOT
from tests.unit.reports.bundled import services
from tests.unit.reports.remarks_in_code import list_notes
from tests.unit.reports.shown import SHOWN, files, shown

CJK = re.compile(r"[\u4e00-\u9fff]")
# "none" is a word as well.
MARKS = {*ADJUSTED, *AGREEMENT} - {"none"}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", list(SHOWN))
def test_no_mark_of_the_bundle_is_readable_in_any_file(name: str, language: Any) -> None:
    marks = {*MARKS, services().manifest.name}
    found = [
        (place, mark)
        for place, text in files(shown(name), language)
        for mark in marks
        if mark in text.replace("\\", "")
    ]
    assert found == []


def test_a_note_is_said_in_both_languages_part_by_part() -> None:
    assert note_text("仅一个来源").en == "one source only"
    both = note_text("两个来源一致；注意：别的")
    assert (both.zh, both.en) == ("两个来源一致；注意：别的", "two sources agree; 注意：别的")


def test_every_remark_of_a_formula_and_of_the_bundle_is_english_in_english() -> None:
    facts = pd.read_parquet(ROOT / "data" / "snapshot" / "facts.parquet")
    marks = [*AGREEMENT]
    notes = {str(note) for note in facts.note.dropna() if str(note).split()[0] not in marks}
    notes |= {one.accuracy for one in FORMULAS if one.accuracy}
    notes |= {told for at in ((5, 0), (0, 3), (5, 3)) if (told := Lacking(*at).told)}
    assert len(notes) > 30
    assert {note: en for note in notes if CJK.search(en := note_text(note).en)} == {}


def test_every_remark_written_in_the_code_of_a_source_is_english_in_english() -> None:
    paths = [
        *(ROOT / "services/providers").rglob("*.py"),
        *(ROOT / "services/market").rglob("*.py"),
    ]
    notes = {note for path in paths for note in list_notes(path) if CJK.search(note)}
    assert len(notes) > 50
    assert {note: en for note in notes if CJK.search(en := note_text(note).en)} == {}


def test_a_note_is_found_in_code_however_it_reaches_the_figure(tmp_path: Path) -> None:
    code = tmp_path / "source.py"
    code.write_text(
        """
_NOTES = {"甲": "表里的"}
_SOME = "常量"

def _note(row):
    words = [_NOTES["甲"]] if row["乙"] == "丙" else []
    words.append(f"到 {row} 为止")
    words += ["一句"] if row else []
    return "；".join(words)

said, other = "左边", row
facts(row, "丁", note=_note("戊"))
facts(row, note=join_notes(_SOME, said))
""",
        encoding="utf-8",
    )
    assert list_notes(code) - {"；"} == {"表里的", "到 1 为止", "一句", "常量", "左边"}


def test_a_figure_of_the_bundle_says_its_mark_in_words() -> None:
    told = "\n".join(text for _, text in files(shown("financials"), "zh"))
    assert "两个来源一致" in told
    english = "\n".join(text for _, text in files(shown("financials"), "en"))
    assert "two sources agree" in english
