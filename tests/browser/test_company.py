"""The candle chart under a real mouse and keyboard: every place is computed from the axes drawn."""

import re
from typing import Any

import pytest

from tests.browser.screens import wait_until

pytestmark = pytest.mark.browser
PLOT = """() => {
    const plot = document.querySelector('.js-plotly-plot'), box = plot.getBoundingClientRect();
    const trace = plot._fullData.find(one => one.meta.role === 'candles');
    const {xaxis, yaxis} = plot._fullLayout;
    const [from, to] = xaxis.range.map(Number);
    const first = Math.max(0, Math.ceil(from)), last = Math.min(trace.x.length - 1, Math.floor(to));
    const at = place => ({x: box.x + xaxis._offset + xaxis.d2p(place),
        y: box.y + yaxis._offset + yaxis.d2p((trace.open[place] + trace.close[place]) / 2)});
    const inside = Array.from({length: last - first + 1}, (_, n) => first + n);
    return {count: trace.x.length, from, to, first, last, days: trace.x,
        y: yaxis.range.map(Number), low: Math.min(...inside.map(n => trace.low[n])),
        high: Math.max(...inside.map(n => trace.high[n])), close: [...trace.close],
        open: [...trace.open], places: Object.fromEntries(inside.map(n => [n, at(n)])),
        middle: {x: box.x + xaxis._offset + xaxis._length / 2,
                 y: box.y + yaxis._offset + yaxis._length / 2}, width: xaxis._length};
}"""


def _open(look: Any, path: str, **more: str) -> Any:
    screen = look(path, **more)
    screen.page.wait_for_selector(".js-plotly-plot .main-svg")
    screen.page.wait_for_function("document.querySelector('.js-plotly-plot')?.__company")
    return screen


def _plot(screen: Any) -> Any:
    screen.page.wait_for_timeout(250)
    return screen.page.evaluate(PLOT)


def _fits(plot: Any) -> bool:
    """No candle in view is cut, and the pane is not mostly empty."""
    span = plot["high"] - plot["low"]
    low, high = plot["y"]
    return low <= plot["low"] and plot["high"] <= high and high - low < 1.2 * span


VOLUME = """place => {
    const plot = document.querySelector('.js-plotly-plot');
    const day = plot._fullData.find(one => one.meta.role === 'candles').x[place];
    const bars = plot._fullData.filter(one => one.meta.role === 'volume');
    return bars.map(one => one.y[one.x.indexOf(day)]).find(one => one !== undefined);
}"""
# Whether all of it lies within everything that cuts off what is beyond.
SEEN = """found => {
    const node = document.querySelector(found), box = node.getBoundingClientRect();
    for (let one = node.parentElement; one; one = one.parentElement) {
        if (getComputedStyle(one).overflow === 'visible') continue;
        const room = one.getBoundingClientRect();
        if (box.top < room.top - 1 || box.bottom > room.bottom + 1) return false;
        if (box.left < room.left - 1 || box.right > room.right + 1) return false;
    }
    return true;
}"""


def test_the_wheel_zooms_and_the_candles_in_view_fill_the_pane(look: Any) -> None:
    screen = _open(look, "/company?symbol=600036.SH")
    before = _plot(screen)
    assert _fits(before)
    screen.page.mouse.move(before["places"][str(before["last"] - 20)]["x"], before["middle"]["y"])
    for _ in range(4):
        screen.page.mouse.wheel(0, -240)
        screen.page.wait_for_timeout(120)
    after = _plot(screen)
    assert after["last"] - after["first"] < before["last"] - before["first"]
    assert _fits(after)
    assert after["y"] != before["y"]


def test_a_drag_never_ends_in_the_void(look: Any) -> None:
    screen = _open(look, "/company?symbol=600036.SH&range=6m")
    before = _plot(screen)
    for way in (-1, 1):
        for _ in range(6):
            middle = before["middle"]
            screen.page.mouse.move(middle["x"] + way * before["width"] * 0.45, middle["y"])
            screen.page.mouse.down()
            screen.page.mouse.move(middle["x"] - way * before["width"] * 0.45, middle["y"], steps=4)
            screen.page.mouse.up()
            screen.page.wait_for_timeout(150)
        after = _plot(screen)
        assert after["from"] >= -1 - 1e-6
        assert after["to"] <= after["count"] + 1e-6
        assert after["to"] - after["from"] == pytest.approx(before["to"] - before["from"], abs=0.5)
        assert _fits(after)


def test_the_readout_follows_the_cursor_and_the_last_bar_comes_back(look: Any) -> None:
    screen = _open(look, "/company?symbol=600036.SH&range=3m")
    plot = _plot(screen)
    place = plot["last"] - 12
    screen.page.mouse.move(plot["places"][str(place)]["x"], plot["places"][str(place)]["y"])
    screen.page.wait_for_selector(".yjc-live.yjc-shown")
    said = screen.page.locator(".yjc-live").inner_text()
    assert plot["days"][place] in said
    for value in (plot["open"][place], plot["close"][place]):
        assert f"{value:.2f}" in said
    change = (plot["close"][place] / plot["close"][place - 1] - 1) * 100
    assert f"{abs(change):.2f}%" in said
    mean = sum(plot["close"][place - 19 : place + 1]) / 20
    told = re.search(r"MA20\s*([\d.]+)", said)
    assert told
    assert float(told[1]) == pytest.approx(mean, abs=0.006)
    assert f"量{screen.page.evaluate(VOLUME, place) / 1e4:,.2f}万" in "".join(said.split())
    assert "来源 内置快照 · 日线" in said
    assert screen.page.evaluate(SEEN, ".yjc-live"), "the readout is cut off by what it lies in"
    assert screen.crawl()["uncited"] == []
    screen.page.mouse.move(5, 5)
    screen.page.wait_for_selector(".yjc-live:not(.yjc-shown)", state="attached")


NAMES = """() => [...document.querySelectorAll('.js-plotly-plot .annotation')]
    .filter(one => one.textContent.endsWith('%') && one.getBoundingClientRect().width)
    .map(one => { const {left, right, top, bottom} = one.getBoundingClientRect();
        return {text: one.textContent, left, right, top, bottom}; })"""
PANE = "document.querySelector('.js-plotly-plot .nsewdrag').getBoundingClientRect()"


def test_overlays_are_named_beside_the_prices_and_never_over_one_another(look: Any) -> None:
    path = "/company?symbol=600036.SH&range=3y&interval=w&with=000001.SH,601766.SH"
    screen = _open(look, path)
    one, other = sorted(screen.page.evaluate(NAMES), key=lambda name: name["top"])
    assert {one["text"][:4], other["text"][:4]} == {"上证指数", "中国中车"}
    assert one["bottom"] <= other["top"] + 1
    pane = screen.page.evaluate(PANE)
    assert min(one["left"], other["left"]) >= pane["right"]
    assert max(one["right"], other["right"]) <= 1440
    # On a phone the chart needs the room: the names stand on the chips above it.
    phone = _open(look, path, size="phone")
    wait_until(phone.page, lambda: phone.page.evaluate(NAMES) == [])
    assert phone.page.evaluate(PANE)["width"] > 0.8 * 366
    assert phone.page.locator('[class*="st-key-w_without_"]').count() == 2


def test_the_basis_is_one_line_on_a_phone(look: Any) -> None:
    screen = look("/company?symbol=600036.SH", size="phone")
    line = screen.page.locator(".yjc-basis").bounding_box()
    assert line["height"] < 2 * 24
    wide = "[document.documentElement.scrollWidth, innerWidth]"
    assert len(set(screen.page.evaluate(wide))) == 1


def test_a_unit_stands_once_at_the_head_of_its_row(look: Any) -> None:
    screen = look("/company?symbol=600036.SH&tab=fin")
    heads = screen.page.evaluate(
        "[...document.querySelectorAll('#t-matrix tbody tr:not(.yj-group)')].map(row => ["
        " row.querySelector('th span, th').firstChild.textContent,"
        " row.querySelector('th small')?.textContent ?? '',"
        " Math.max(0, ...[...row.querySelectorAll('td .yj-u')].map(one => one.offsetWidth))])"
    )
    units = {name: unit for name, unit, _ in heads}
    assert units["营业收入"] == "亿元"
    assert units["每股股利"] == "元/股"
    assert units["净利率"] == ""
    assert max(width for _, _, width in heads) <= 1


MARK = """() => {
    const plot = document.querySelector('.js-plotly-plot'), box = plot.getBoundingClientRect();
    const marks = plot._fullData.find(one => one.meta.role === 'event');
    const candles = plot._fullData.find(one => one.meta.role === 'candles');
    const {xaxis, yaxis} = plot._fullLayout, at = marks.x.length - 1;
    const place = candles.x.indexOf(marks.x[at]);
    return {id: marks.customdata[at], day: marks.x[at], x: box.x + xaxis._offset + xaxis.d2p(place),
        y: box.y + yaxis._offset + yaxis.d2p((candles.open[place] + candles.close[place]) / 2)};
}"""


def test_an_event_in_the_chart_marks_its_row(look: Any) -> None:
    screen = _open(look, "/company?symbol=600036.SH")
    mark = screen.page.evaluate(MARK)
    screen.page.mouse.move(mark["x"], mark["y"])
    screen.page.wait_for_timeout(200)
    screen.page.mouse.click(mark["x"], mark["y"])
    row = screen.page.locator("tr.yj-on")
    assert row.get_attribute("id") == mark["id"]
    assert mark["day"] in row.inner_text()
    assert screen.page.locator(".yjc-callout").get_attribute("data-day") == mark["day"]
    assert screen.page.locator(".yj-drawer:popover-open").count() == 0
    assert f"event={mark['day']}" in screen.page.url


def test_a_row_moves_the_chart_to_its_event_and_the_address_keeps_it(look: Any) -> None:
    screen = _open(look, "/company?symbol=600036.SH")
    row = screen.page.locator("tr[data-event]").nth(1)
    day = row.get_attribute("data-event")
    row.locator("td").nth(0).click()
    plot = _plot(screen)
    assert plot["days"][plot["first"]] < day < plot["days"][plot["last"]]
    assert plot["last"] - plot["first"] <= 81
    again = _open(look, f"/company?symbol=600036.SH&event={day}")
    again.page.wait_for_selector("tr.yj-on")
    assert again.page.locator("tr.yj-on").get_attribute("data-event") == day


def test_keys_move_by_a_bar_zoom_and_return(look: Any) -> None:
    screen = _open(look, "/company?symbol=600036.SH")
    before = _plot(screen)
    screen.page.locator(".js-plotly-plot").focus()
    for key in ("ArrowLeft", "ArrowLeft"):
        screen.page.keyboard.press(key)
    said = screen.page.locator(".yjc-live").inner_text()
    assert before["days"][before["count"] - 3] in said
    screen.page.keyboard.press("+")
    nearer = _plot(screen)
    assert nearer["to"] - nearer["from"] < before["to"] - before["from"]
    screen.page.keyboard.press("0")
    assert _plot(screen)["from"] == pytest.approx(before["from"])


@pytest.mark.parametrize("old", ["stock", "financials"])
def test_an_old_address_leads_to_the_page_of_the_company(look: Any, old: str) -> None:
    screen = look(f"/{old}?symbol=600036.SH")
    screen.page.wait_for_url("**/company?*symbol=600036.SH*")
    assert ("tab=fin" in screen.page.url) == (old == "financials")
    assert "招商银行" in screen.page.locator("h1").inner_text()


@pytest.mark.parametrize("address", ["/company?symbol=600036.SH", "/company?symbol=00700.HK"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_name_price_ratios_and_actions_stand_in_one_row(
    look: Any, address: str, language: str
) -> None:
    screen = look(f"{address}&lang={language}")
    tops = screen.page.evaluate(
        "() => ['.yjc-id', '.yjc-px', '.yjc-g', '.st-key-yjc_act'].map(one => {"
        " const box = document.querySelector(one).getBoundingClientRect();"
        " return [box.top, box.bottom]; })"
    )
    assert max(top for top, _ in tops) < min(bottom for _, bottom in tops)


def test_the_chart_fills_the_screen_and_is_as_before_afterwards(look: Any) -> None:
    screen = _open(look, "/company?symbol=600036.SH")
    page, tall = screen.page, "document.querySelector('.js-plotly-plot').clientHeight"
    before = page.evaluate(tall)
    page.locator(".yjc-whole").click()
    filled = f"!!document.fullscreenElement && {tall} >= innerHeight - 1"
    wait_until(page, lambda: page.evaluate(filled) and _fits(_plot(screen)))
    page.evaluate("document.exitFullscreen()")
    left = f"!document.fullscreenElement && {tall} == {before}"
    wait_until(page, lambda: page.evaluate(left) and _fits(_plot(screen)))


def _columns(screen: Any) -> list[str]:
    """Whose columns the table of periods has, with the currency of each."""
    heads = screen.page.locator("#t-matrix thead .yjc-whose")
    return [" ".join(one.inner_text().split()) for one in heads.all()]


def test_another_company_stands_beside_and_the_address_brings_it_back(look: Any) -> None:
    screen = look("/company?symbol=600036.SH&tab=fin&lang=en")
    assert not _columns(screen)
    screen.page.get_by_role("button", name="Beside another").click()
    screen.page.locator(".st-key-w_beside_find input").fill("AAPL")
    screen.page.keyboard.press("Enter")
    screen.choose('[class*="st-key-w_beside_find_AAPL"] button')
    assert _columns(screen) == ["China Merchants Bank CNY", "Apple USD"]
    assert "two currencies (CNY, USD)" in screen.page.locator(".yjc-warn").last.inner_text()
    again = look(screen.page.url.removeprefix(screen.address))
    assert _columns(again) == _columns(screen)
    assert not again.crawl()["uncited"]
    again.choose(".st-key-w_alone button")
    assert not _columns(again)
    assert "beside=" not in again.page.url


def test_figures_are_taken_out_of_the_table_and_the_address_keeps_the_choice(look: Any) -> None:
    screen = look("/company?symbol=600036.SH&tab=fin")
    rows = screen.page.locator("#t-matrix tbody th[scope=row]")
    every = rows.all_inner_texts()
    screen.page.get_by_role("button", name="选指标").click()
    screen.choose(".st-key-w_row_total_assets label")
    left = [one for one in every if not one.startswith("总资产")]
    assert len(left) == len(every) - 1
    assert rows.all_inner_texts() == left
    assert (
        look(screen.page.url.removeprefix(screen.address))
        .page.locator("#t-matrix tbody th[scope=row]")
        .all_inner_texts()
        == left
    )
    screen.choose(".st-key-w_row_total_assets label")
    assert rows.all_inner_texts() == every
