"""The frame of every page: the bar, the settings, the keyboard, and a table as one stop of Tab."""

from typing import Any

import pytest

from tests.browser.screens import wait_until

pytestmark = pytest.mark.browser
TABLE = "/financials?symbol=600036.SH"
STOPS = """table => [...table.querySelectorAll('button, a[href], input')]
    .filter(one => one.tabIndex === 0).length"""
# Figures of the page no arrow leads to from a stop of Tab.
UNREACHED = """() => {
    const figures = [...document.querySelectorAll('.yj button.yj-fig')]
        .filter(one => one.checkVisibility());
    const reached = new Set(figures.filter(one => one.tabIndex === 0)), waiting = [...reached];
    const stops = waiting.length;
    while (waiting.length) {
        const from = waiting.pop();
        for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown']) {
            from.focus();
            from.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
            const to = document.activeElement;
            if (!reached.has(to)) { reached.add(to); waiting.push(to); }
        }
    }
    const left = figures.filter(one => !reached.has(one));
    return [figures.length, stops, left.map(one => one.textContent)];
}"""
UNCOVERED = """() => {
    const item = document.activeElement, box = item.getBoundingClientRect();
    const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return item.contains(over);
}"""
COLUMN = "() => document.activeElement.closest('td').cellIndex"
ROW = "() => document.activeElement.closest('tr').rowIndex"


def _sign(screen: Any) -> str:
    """What stands beside the first figure a source gives."""
    return screen.page.locator("td .yj-v > .yj-k").first.evaluate(
        "one => getComputedStyle(one, '::before').content"
    )


def _is_seen(screen: Any, box: str) -> bool:
    """Whether nothing lies over where a box shows its first letters."""
    screen.page.wait_for_timeout(300)  # what Streamlit lays over a box it draws after the letters
    return screen.page.evaluate(
        """selector => {
            const box = document.querySelector(selector);
            const at = box.getBoundingClientRect();
            return document.elementFromPoint(at.left + 12, at.top + at.height / 2) === box;
        }""",
        box,
    )


def test_a_slash_puts_the_cursor_into_the_search_and_enter_opens_the_company(look: Any) -> None:
    screen = look("/")
    screen.page.keyboard.press("/")
    screen.page.keyboard.type("wka")
    screen.page.wait_for_selector(".yj-found a")
    assert _is_seen(screen, ".st-key-w_find input"), "what is typed lies under something"
    screen.page.keyboard.press("ArrowDown")
    assert screen.page.locator(".yj-found a.yj-on").count() == 1
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_url("**/company?symbol=000002.SZ*")


def test_enter_opens_the_first_of_the_list_though_several_fit(look: Any) -> None:
    screen = look("/screen")
    screen.page.keyboard.press("/")
    screen.page.keyboard.type("招商")
    screen.page.wait_for_selector(".yj-found a")
    first = screen.page.locator(".yj-found a").first.get_attribute("href")
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_url("**/company?symbol=600036.SH*")
    assert "600036.SH" in (first or "")


def test_enter_need_not_wait_for_the_list(look: Any) -> None:
    screen = look("/screen")
    screen.page.keyboard.press("/")
    screen.page.keyboard.type("gzmt")
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_url("**/company?symbol=600519.SH*")


@pytest.mark.parametrize(("key", "address"), [("s", "**/screen*"), ("a", "**/ask*")])
def test_g_and_a_letter_lead_to_a_page(look: Any, key: str, address: str) -> None:
    screen = look(TABLE)
    screen.page.keyboard.press("g")
    screen.page.keyboard.press(key)
    screen.page.wait_for_url(address)


def test_letters_typed_into_a_box_are_letters(look: Any) -> None:
    screen = look("/screen")
    box = screen.page.locator(".st-key-w_pb_low input")
    box.click()
    screen.page.keyboard.type("gs?/")
    assert box.input_value() == "gs?/"
    assert _is_seen(screen, ".st-key-w_pb_low input"), "what is typed lies under something"
    assert "/screen" in screen.page.url


def test_a_question_mark_lists_the_keys_and_escape_closes_the_list(look: Any) -> None:
    screen = look("/screen")
    screen.page.keyboard.press("?")
    drawer = screen.page.locator(".yj-drawer:popover-open")
    assert drawer.locator("kbd").count() >= 10
    screen.page.keyboard.press("Escape")
    assert drawer.count() == 0


def test_a_table_is_one_stop_and_arrows_walk_its_figures(look: Any) -> None:
    screen = look(TABLE)
    tables = screen.page.locator(".yj table").all()
    assert len(tables) >= 2
    assert [table.evaluate(STOPS) for table in tables] == [1] * len(tables)
    screen.page.locator(".yj table button.yj-fig").first.focus()
    column, row = screen.page.evaluate(COLUMN), screen.page.evaluate(ROW)
    screen.page.keyboard.press("ArrowDown")
    assert screen.page.evaluate(COLUMN) == column
    assert screen.page.evaluate(ROW) > row
    screen.page.keyboard.press("End")
    assert screen.page.evaluate(COLUMN) > column
    screen.page.keyboard.press("Enter")
    assert screen.page.locator(".yj-drawer:popover-open").count() == 1
    screen.page.keyboard.press("Escape")
    assert [table.evaluate(STOPS) for table in tables] == [1] * len(tables)


@pytest.mark.parametrize(
    ("path", "least", "most"), [("/", 100, 10), ("/screen", 150, 12), (TABLE, 80, 14)]
)
def test_every_figure_is_reached_by_arrows_from_a_few_stops(
    look: Any, path: str, least: int, most: int
) -> None:
    figures, stops, unreached = look(path).page.evaluate(UNREACHED)
    assert figures >= least
    assert 1 <= stops <= most
    assert unreached == []


def test_every_figure_is_a_target_of_24_pixels(look: Any) -> None:
    screen = look(TABLE)
    heights = screen.page.evaluate(
        "() => [...document.querySelectorAll('button.yj-fig')]"
        ".map(one => parseFloat(getComputedStyle(one, '::before').height))"
    )
    assert len(heights) > 40
    assert min(heights) >= 24


def test_digits_of_a_column_align_whatever_their_mark(look: Any) -> None:
    screen = look(TABLE)
    ends = screen.page.evaluate(
        "() => [...document.querySelector('.yj table').tBodies[0].rows]"
        ".map(row => row.cells[2]?.querySelector('data')).filter(Boolean)"
        ".map(one => Math.round(one.getBoundingClientRect().right))"
    )
    assert len(ends) > 8
    assert max(ends) - min(ends) <= 1


@pytest.mark.parametrize(("system", "wanted", "scheme"), [("light", "dark", "dark"),
                                                          ("dark", "light", "light")])  # fmt: skip
def test_the_setting_of_the_theme_holds_for_streamlit_and_for_figures(
    look: Any, system: str, wanted: str, scheme: str
) -> None:
    screen = look(f"{TABLE}&theme={wanted}", theme=system)
    screen.page.wait_for_function(
        "wanted => getComputedStyle(document.querySelector('.stApp')).colorScheme === wanted",
        arg=scheme,
    )
    screen.page.wait_for_timeout(1500)  # Streamlit's own theme comes with one reload
    screen.settle()
    ground = screen.page.evaluate(
        "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"
    )
    paper = screen.page.evaluate("""() => {
        const one = document.querySelector('.yj-scroll');
        return getComputedStyle(one).backgroundColor;
    }""")
    assert ground == paper
    assert f"theme={wanted}" in screen.page.url


def test_settings_travel_to_the_next_page(look: Any) -> None:
    screen = look("/screen?colour=green_up&density=compact")
    screen.page.get_by_role("link", name="数据源").first.click()
    screen.page.wait_for_url("**/sources*")
    screen.settle()
    assert "colour=green_up" in screen.page.url
    assert "density=compact" in screen.page.url


def test_the_names_of_sources_stand_where_else_is_a_dot(look: Any) -> None:
    assert _sign(look(TABLE)) == '""'
    assert _sign(look(f"{TABLE}&marks=named")) == '"快照"'


@pytest.mark.parametrize(("width", "least"), [(1440, 1390), (1920, 1670)])
def test_the_page_uses_the_width_of_the_window(look: Any, width: int, least: int) -> None:
    screen = look("/screen")
    screen.page.set_viewport_size({"width": width, "height": 900})
    screen.page.wait_for_timeout(300)
    found = screen.page.locator(".yj-scroll").first.bounding_box()
    assert least <= found["width"] <= 1680


def test_a_presenters_clicker_leads_through_the_tour_and_escape_ends_it(look: Any) -> None:
    screen = look("/verify?demo=5&try=changed")
    screen.page.keyboard.press("PageDown")
    screen.page.wait_for_url("**/company*tab=score*")
    screen.page.wait_for_selector(".yj-factors", timeout=60_000)
    assert screen.page.locator(".yj-tour a.yj-go-on").count() == 0
    screen = look("/company?symbol=600036.SH&tab=fin&demo=3")
    screen.page.keyboard.press("PageDown")
    screen.page.wait_for_url("**/ask*demo=4*")
    screen.settle().page.wait_for_selector('[class*="st-key-yj_read_"]')
    screen.page.keyboard.press("Escape")
    screen.page.wait_for_selector(".yj-tour", state="detached")
    assert "demo" not in screen.page.url


def test_the_tour_is_done_by_keyboard_alone(look: Any) -> None:
    screen = look("/company?symbol=600036.SH&tab=fin&demo=3")
    drawer = screen.page.locator(".yj-drawer:popover-open")
    assert _sign(screen) == '"快照"', "the marks bear the names of the sources while it is shown"
    screen.page.keyboard.press("Enter")
    assert "净利润 ÷ 归母净资产" in drawer.inner_text()
    screen.page.keyboard.press("PageDown")
    screen.page.wait_for_url("**/ask*demo=4*")
    assert drawer.count() == 0
    chip = screen.settle().page.locator('[class*="st-key-yj_read_"] button').first
    wait_until(screen.page, lambda: chip.evaluate("one => one === document.activeElement"))
    assert "浦发银行" in chip.inner_text()
    screen.page.keyboard.press("Enter")
    body = screen.page.locator("[data-testid=stPopoverBody]")
    wait_until(screen.page, lambda: body.locator(":focus").count() == 1)
    while "浦发" not in body.locator(":focus").inner_text():
        screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("Enter")
    wait_until(screen.page, lambda: "浦发银行" not in chip.inner_text())
    screen.settle().page.keyboard.press("PageDown")
    screen.page.wait_for_url("**/verify*demo=5*")


def test_a_popover_opened_by_key_is_entered_and_left(look: Any) -> None:
    screen = look("/screen")
    button = screen.page.locator("[data-testid=stMain] [data-testid=stPopoverButton]").first
    button.focus()
    screen.page.keyboard.press("Enter")
    body = screen.page.locator("[data-testid=stPopoverBody]")
    wait_until(screen.page, lambda: body.locator(":focus").count() == 1)
    screen.page.keyboard.press("Escape")
    wait_until(screen.page, lambda: button.evaluate("one => one === document.activeElement"))


def test_nothing_fixed_covers_the_figure_the_cursor_is_on(look: Any) -> None:
    screen = look("/screen")
    screen.page.set_viewport_size({"width": 1000, "height": 600})
    screen.page.locator("#t-screen tbody button.yj-fig").first.focus()
    for key in [*["ArrowDown"] * 14, "End", *["ArrowUp"] * 14, "Home"]:
        screen.page.keyboard.press(key)
        assert screen.page.evaluate(UNCOVERED), key


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_no_word_of_a_tile_is_broken_or_cut(look: Any, size: str) -> None:
    screen = look("/?lang=en", size=size)
    # The words of a tile, each by its first and last letter: on one line, and inside the tile.
    broken = screen.page.evaluate(
        r"""() => [...document.querySelectorAll('.yj-tile p a')].flatMap(link => {
            if (!link.checkVisibility() || !parseFloat(getComputedStyle(link).fontSize)) return [];
            const text = link.firstChild, tile = link.closest('.yj-tile').getBoundingClientRect();
            return [...text.data.matchAll(/[^\s\u00ad]+/g)].filter(word => {
                const range = document.createRange();
                // The hyphen itself stands at the end of the line before.
                range.setStart(text, word.index + (text.data[word.index - 1] === '\u00ad'));
                range.setEnd(text, word.index + word[0].length);
                const boxes = [...range.getClientRects()].filter(box => box.width);
                return boxes.length > 1 || boxes[0].right > tile.right + 0.5;
            }).map(word => word[0]);
        })"""
    )
    assert broken == []
    named = "() => document.querySelectorAll('.yj-tile p a').length"
    assert screen.page.evaluate(named) > 20


ENTRIES = "() => history.length"


def _mark(screen: Any) -> str:
    """The chosen section of the company."""
    return screen.page.locator('.st-key-w_tab button[aria-checked="true"]').inner_text()


def _back(screen: Any) -> str:
    screen.page.go_back()
    return screen.still(250).settle().page.url.removeprefix(screen.address)


@pytest.mark.parametrize("path", ["/?lang=zh", "/company", "/company?symbol=600519", "/stock"])
def test_what_an_address_is_made_to_is_no_entry_of_its_own(look: Any, path: str) -> None:
    screen = look("/sources")
    before = screen.page.evaluate(ENTRIES)
    screen.open(path)
    assert screen.page.evaluate(ENTRIES) == before + 1
    assert _back(screen) == "/sources"


def test_back_undoes_one_act_and_no_setting(look: Any) -> None:
    screen = look("/screen")
    screen.choose('[role=radio]:has-text("低→高")')
    assert screen.page.url.endswith("/screen?order=asc")
    assert _back(screen) == "/screen"
    assert (
        screen.page.locator('[role=radio]:has-text("低→高")').get_attribute("aria-checked")
        != "true"
    )
    screen.choose('[data-testid="stTopNavLink"]:has-text("公司")')
    assert "cols=" not in screen.page.url, "the columns of another page's table"
    opened = screen.page.url.removeprefix(screen.address)
    screen.choose('.st-key-w_tab button:has-text("财务")')
    screen.choose('.st-key-w_tab button:has-text("估值")')
    screen.choose(".st-key-w_settings button")
    screen.choose('[data-testid="stPopoverBody"] button:has-text("English")')
    assert _back(screen) == f"{opened}&tab=fin&lang=en"
    assert _mark(screen) == "Financials"
    assert _back(screen) == f"{opened}&lang=en"
    assert _mark(screen) == "Chart"
    assert _back(screen) == "/screen?lang=en"


@pytest.mark.parametrize(
    ("path", "told"), [("/nosuch", "/nosuch"), ("/a/万科", "/万科"), ("/x/company", None)]
)
def test_an_unknown_address_is_told_at_that_address_with_ways_on(
    look: Any, path: str, told: str | None
) -> None:
    screen = look(path)
    page = screen.page
    if told is None:  # the last part of it is known
        assert "招商银行" in page.locator(".yjc-head").inner_text()
        assert screen.errors == []
        return
    assert page.locator("h1").inner_text() == "没有这个地址"
    assert page.locator(".yjc-none h2").inner_text() == told
    assert page.locator("[role=dialog]:visible").count() == 0
    assert page.locator(".yjc-none a", has_text="万科A").count() == (told == "/万科")
    screen.choose(".yjc-none a[data-go=screen]")
    assert page.url.endswith("/screen")
    page.go_back()
    assert screen.settle().page.locator(".yjc-none h2").inner_text() == told
    assert screen.errors == []
