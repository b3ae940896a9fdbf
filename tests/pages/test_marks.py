"""The five marks of figures, and the basis line they are measured by."""

from collections.abc import Callable
from datetime import date

from lxml import html

from tests.pages.conftest import Shown

Show = Callable[[str], Shown]


def _kind(figure: html.HtmlElement) -> str:
    return figure.getparent().get("class").split()[1]


def test_a_figure_is_a_button_with_one_mark_of_its_kind(show: Show) -> None:
    shown = show("financials?symbol=600036.SH")
    wanted = {"tool": "yj-v", "derived": "yj-d"}
    assert len(shown.figures()) > 40
    for figure in shown.figures():
        button = figure.getparent()
        assert button.tag == "button"
        assert button.get("aria-label")
        assert len(button.findall("i")) == 1
        assert _kind(figure) == wanted[figure.get("data-kind")]


def test_a_missing_figure_of_a_table_tells_why(show: Show) -> None:
    shown = show("financials?symbol=600036.SH")
    missing = shown.tree.xpath("//button[contains(@class, 'yj-m')]")
    assert missing
    assert all(one.get("data-reason") in one.get("aria-label") for one in missing)


def test_a_fall_is_written_with_a_minus_and_not_with_a_hyphen(show: Show) -> None:
    shown = show("stock?symbol=600036.SH")
    falls = [one.text_content() for one in shown.figures() if float(one.get("value")) < 0]
    assert falls
    # A deviation is told by its size: which way is in the change beside it.
    moves = [text for text in falls if not text.endswith("σ")]
    assert [text for text in moves if not text.startswith("−")] == []


def test_an_english_page_writes_days_as_english_does_in_sentences_and_tables(show: Show) -> None:
    tree = show("?lang=en").tree
    line = tree.xpath("//p[@class='yj-basis']")[0]
    days = {one.get("datetime"): one.text_content() for one in line.xpath(".//time")}
    assert days["2017-07-26"] == "26 Jul 2017"
    assert days["2016-07-25"] == "25 Jul 2016"
    mark = tree.xpath("//button[contains(@class, 'yj-s')]/i")[0]
    assert mark.text == "25 Jul 2016"
    cells = tree.xpath("//table[@id='t-events']//td/time")
    assert cells
    told = {one.get("datetime"): one.text_content() for one in cells}
    assert all(f"{date.fromisoformat(day):%-d %b %Y}" == text for day, text in told.items())


def test_a_page_tells_the_days_it_stands_on_and_the_older_one_apart(show: Show) -> None:
    line = show("").tree.xpath("//p[@class='yj-basis']")[0]
    assert "2017-07-26" in line.text_content()
    old = [one.text_content() for one in line.xpath(".//span[@class='yj-old']")]
    assert old == ["美股止于 2016-07-25", "估值 2017-05-25"]


def test_the_head_of_a_row_says_its_unit_and_no_cell_of_it_does(show: Show) -> None:
    tree = show("company?symbol=600036.SH&tab=fin").tree
    units = {
        row.xpath("string(th/text())"): (row.xpath("string(th/small)"), row.xpath("td//data"))
        for row in tree.xpath("//tr[td and th[@scope='row']]")
    }
    assert units["营业收入"][0] == "亿元"
    assert units["每股收益"][0] == "元/股"
    assert not any(one.findall("small") for unit, cells in units.values() if unit for one in cells)
    # Who cannot see the head hears it with each figure.
    heard = tree.xpath("//td/button[data/@data-metric='revenue']/@aria-label")
    assert heard
    assert all("亿元" in one for one in heard)
