"""对比 in a browser: names at the ends of the lines apart, and chips that remove."""

from itertools import pairwise
from typing import Any

import pytest

pytestmark = pytest.mark.browser
FIVE = "600036.SH,601766.SH,000002.SZ,002594.SZ,00700.HK"
NAMES = """() => [...document.querySelectorAll('.js-plotly-plot .annotation-text')]
    .map(one => one.getBoundingClientRect()).map(box => [box.top, box.bottom, box.right])
    .sort((a, b) => a[0] - b[0])"""


def test_names_stand_apart_and_a_chip_removes_its_company(look: Any) -> None:
    screen = look(f"/compare?s={FIVE}")
    screen.page.wait_for_selector(".js-plotly-plot .annotation-text")
    names = screen.page.evaluate(NAMES)
    assert len(names) == 5
    # 15 px from line to line; the boxes of 12 px letters may touch.
    assert all(below[0] - above[0] >= 14.5 for above, below in pairwise(names))
    assert max(one[2] for one in names) <= screen.page.viewport_size["width"]
    screen.choose(".yjp-chip a[aria-label='移除 万科A']")
    assert "000002.SZ" not in screen.page.url
    heads = screen.page.locator("#t-compare thead small").all_inner_texts()
    assert heads == ["600036.SH", "601766.SH", "002594.SZ", "00700.HK"]
    assert screen.settle().errors == []


def test_on_a_phone_the_lines_have_the_width_and_end_in_their_values(look: Any) -> None:
    screen = look(f"/compare?s={FIVE}&lang=en", size="phone")
    screen.page.wait_for_function(
        """() => {
            const ends = [...document.querySelectorAll('.annotation-text')];
            return ends.length === 5 && ends.every(one => /^[\\d.]+$/.test(one.textContent.trim()));
        }"""
    )
    drag = screen.page.locator(".js-plotly-plot .nsewdrag").first.bounding_box()
    assert drag is not None
    assert drag["width"] > 250
