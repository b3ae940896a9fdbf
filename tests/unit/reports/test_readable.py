"""No file of ours has an id of the bundle where a reader reads: its marks are said in words."""

from typing import Any

import pytest

from services.core.source_marks import ADJUSTED, AGREEMENT, note_text
from tests.unit.reports.bundled import services
from tests.unit.reports.shown import SHOWN, files, shown

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


def test_a_figure_of_the_bundle_says_its_mark_in_words() -> None:
    told = "\n".join(text for _, text in files(shown("financials"), "zh"))
    assert "两个来源一致" in told
    english = "\n".join(text for _, text in files(shown("financials"), "en"))
    assert "two sources agree" in english
