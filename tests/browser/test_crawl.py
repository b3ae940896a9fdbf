"""Every page as a reader sees it: no uncited figure, no serious axe violation, nothing leaves the
machine. And the crawler itself is tested on planted figures.
"""

from typing import Any

import pytest

from services.core.catalogue import CATALOGUE
from services.language.word_lists import TURNS
from tests.pages.test_plain_words import refused

pytestmark = pytest.mark.browser
# address and how many figures it must show at least: a crawler that looks at nothing would pass.
PAGES = {
    "/": 60,
    "/?table=1": 200,
    "/screen": 150,
    "/company?symbol=000002.SZ&range=3y&bars=1": 100,
    "/company?symbol=002594.SZ&tab=fin": 40,
    "/company?symbol=002594.SZ&tab=fin&beside=000002.SZ": 60,
    "/company?symbol=600036.SH&tab=valuation": 30,
    "/company?symbol=600036.SH&tab=valuation&drawn=price": 30,
    "/company?symbol=600036.SH&tab=peers": 80,
    "/company?symbol=600036.SH&tab=news": 12,
    # The head alone; a telephone shows it without one of its ten figures.
    "/company?symbol=600036.SH&tab=score": 9,
    "/company?symbol=600036.SH&tab=reports": 9,
    "/company?symbol=000001.SH": 10,
    "/compare?s=600036.SH,000002.SZ,00700.HK&bars=1": 60,
    "/score": 0,
    "/trace": 30,
    "/sources": 0,
    "/status": 0,
    "/verify?try=changed": 0,
}
VIEWS = [(theme, size) for theme in ("light", "dark") for size in ("desktop", "phone")]
AXE = """() => axe.run().then(found => found.violations
    .filter(one => ['serious', 'critical'].includes(one.impact))
    .map(one => `${one.id}: ${one.nodes.length} × ${one.nodes[0].html.slice(0, 160)}`))"""


# Where over a page something opens, or the tour stands: what the pages above do not show.
OPENED = (
    "/screen",
    "/company?symbol=600036.SH",
    "/company?symbol=600036.SH&tab=fin&demo=3",
    "/ask?q=市盈率低于10的银行股",
    "/watch",
)


def not_plain(report: dict[str, Any]) -> dict[str, list[str]]:
    """The texts of a page that show what only makers know, with what that is."""
    return {text: wrong for text in report["said"] if (wrong := refused(text))}


@pytest.mark.parametrize(("theme", "language"), [("light", "en"), ("dark", "zh")])
@pytest.mark.parametrize("path", OPENED)
def test_what_opens_over_a_page_is_cited_plain_and_accessible(
    look: Any, axe: str, path: str, theme: str, language: str
) -> None:
    screen = look(f"{path}{'&' if '?' in path else '?'}lang={language}", theme=theme)
    screen.page.evaluate(axe + ";0")
    seen = 0

    def judge(what: str) -> None:
        report = screen.crawl()
        found = {name: report[name] for name in ("uncited", "bad") if report[name]}
        assert (found, not_plain(report)) == ({}, {}), what
        assert screen.page.evaluate(AXE) == [], what

    for mark in "vdxm":
        figure = screen.page.locator(f"[data-testid=stMain] button.yj-{mark}:visible")
        if figure.count():
            figure.first.click()
            seen += screen.page.locator(".yj-drawer:popover-open").count()
            judge(f"the drawer of {mark}")
            screen.page.keyboard.press("Escape")
    openers = screen.page.locator("[data-testid=stPopoverButton]:visible")
    for place in range(openers.count()):
        openers.nth(place).click()
        screen.settle()
        seen += screen.page.locator("[data-testid=stPopoverBody]").count()
        judge(openers.nth(place).inner_text())
        screen.page.keyboard.press("Escape")
        screen.page.wait_for_selector("[data-testid=stPopoverBody]", state="detached")
    assert seen >= 3
    assert screen.errors == []


@pytest.mark.parametrize(("theme", "size"), VIEWS)
@pytest.mark.parametrize("path", PAGES)
def test_page_is_cited_accessible_quiet_and_stays_on_the_machine(
    look: Any, axe: str, path: str, theme: str, size: str
) -> None:
    screen = look(path, theme=theme, size=size)
    report = screen.crawl()
    assert report["cited"] >= PAGES[path]
    assert report["uncited"] == []
    assert report["bad"] == []
    assert not_plain(report) == {}
    screen.page.evaluate(axe + ";0")
    assert screen.page.evaluate(AXE) == []
    assert screen.errors == []
    assert screen.outside == []
    width = screen.page.evaluate("document.documentElement.scrollWidth")
    assert width <= screen.page.viewport_size["width"], "the page scrolls sideways"


def test_traces_of_a_session_are_cited(look: Any) -> None:
    screen = look("/company?symbol=00700.HK")
    screen.page.locator("button.yj-v").first.click()
    screen.page.locator(".yj-drawer:popover-open .yj-trace").first.click()
    screen.page.wait_for_url("**/trace*")
    screen.page.wait_for_selector("#t-claims")
    report = screen.settle().crawl()
    assert report["cited"] >= 10
    assert report["uncited"] == []
    assert report["bad"] == []


def test_the_crawler_hears_what_only_makers_know(look: Any) -> None:
    screen = look("/company?symbol=00700.HK")
    assert not_plain(screen.crawl()) == {}
    screen.page.evaluate(
        "() => document.querySelector('button.yj-fig').setAttribute('aria-label', '成交量 CN:银行')"
    )
    assert not_plain(screen.crawl()) == {"成交量 CN:银行": ["an inner id"]}


@pytest.mark.parametrize(
    ("planted", "found"),
    [
        ("<p>净利润 1,500 亿</p>", "uncited"),
        ("<p data-nocite='anything'>25.6%</p>", "uncited"),
        (
            "<span><data value='12.5' data-claim-id='c_0123456789abcdef' data-scale='1' "
            "data-digits='2'>12.50</data></span>",
            "bad",
        ),
    ],
)
def test_the_crawler_finds_a_planted_figure(look: Any, planted: str, found: str) -> None:
    screen = look("/company?symbol=00700.HK")
    screen.page.evaluate(
        "html => document.querySelector('[data-testid=stMainBlockContainer]')"
        ".insertAdjacentHTML('beforeend', html)",
        planted,
    )
    assert screen.crawl()[found] != []


def test_the_crawler_finds_a_figure_whose_text_is_not_its_value(look: Any) -> None:
    screen = look("/company?symbol=00700.HK")
    assert screen.crawl()["bad"] == []
    screen.page.evaluate("document.querySelector('data[data-claim-id]').setAttribute('value', '1')")
    assert len(screen.crawl()["bad"]) == 1


def test_the_crawler_finds_a_chart_without_its_envelope(look: Any) -> None:
    screen = look("/company?symbol=00700.HK")
    screen.page.wait_for_selector(".js-plotly-plot .main-svg")
    screen.page.evaluate("document.querySelector('.js-plotly-plot')._fullData[0].meta = null")
    assert any("meta" in one for one in screen.crawl()["bad"])


def registered() -> list[object]:
    """What each metric may be called beside its figure: its registered names; and the figures
    it is told as with a word of the lexicon beside their name (市盈率 … 中位数). A close is also
    that of the day before; the change over a span stands under that of a day, its row says 区间.
    """
    names = {name: [one.zh, one.en, *one.says] for name, one in CATALOGUE.figures.items()}
    names["close"] += [*names["previous_close"], "Close before"]
    names["run_change"] += names["pct_change"]
    turned = {
        name: [
            (base, [word for word, found in TURNS.items() if found == turn])
            for base, turn in one.made_of
        ]
        for name, one in CATALOGUE.figures.items()
    }
    return [names, turned]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(
    "path",
    [path for path, least in PAGES.items() if least],
)
def test_what_stands_beside_every_figure_is_true(look: Any, path: str, language: str) -> None:
    """Its group has a visible day, a sum is never told as a source's, its name is the metric's."""
    separator = "&" if "?" in path else "?"
    report = look(f"{path}{separator}lang={language}").crawl(registered())
    told = {name: report[name] for name in ("sourcedSums", "undated", "misnamed")}
    assert {name: wrong for name, wrong in told.items() if wrong} == {}


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("one => { one.dataset.asOf = '1999-01-04'; one.dataset.periodLabel = ''; }", "undated"),
        ("one => { one.dataset.kind = 'tool'; one.dataset.field = 'sum(mv)'; }", "sourcedSums"),
        # Not the mean of the terms shown.
        (
            "one => { one.dataset.kind = 'tool'; one.dataset.field = 'mean(mv)'; "
            "one.dataset.raw = '1, 2, 3.7'; }",
            "sourcedSums",
        ),
        ("one => { one.closest('dd').parentElement.querySelector('dt').textContent = '别的'; }",
         "misnamed"),
    ],
)  # fmt: skip
def test_the_crawler_finds_what_is_not_true_beside_a_figure(
    look: Any, change: str, found: str
) -> None:
    screen = look("/company?symbol=00700.HK")
    before = screen.crawl(registered())[found]
    screen.page.locator("dd data[data-claim-id]:visible").first.evaluate(change)
    assert len(screen.crawl(registered())[found]) == len(before) + 1
