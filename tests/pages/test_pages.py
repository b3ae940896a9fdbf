"""Each page through app.py: figures are cited, the address is honoured, errors are cards."""

import re
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

import pytest

from tests.pages.conftest import Shown

Show = Callable[[str], Shown]
KINDS = {"code", "period", "label", "provenance", "user", "text", "rule"}
PAGES = {
    "": 80,
    "?table=1": 200,
    "screen": 150,
    "stock?symbol=000002.SZ&range=2y": 40,
    "company?symbol=600036.SH&bars=1": 100,
    "company?symbol=600036.SH&tab=valuation": 30,
    "company?symbol=600036.SH&tab=fin": 100,
    "company?symbol=600036.SH&tab=peers": 80,
    "company?symbol=600036.SH&tab=score": 10,
    "company?symbol=600036.SH&tab=news": 12,
    "company?symbol=600036.SH&tab=reports": 10,
    "compare?s=600036.SH,000002.SZ,00700.HK&bars=1": 60,
    "stock?symbol=00700.HK": 20,
    "stock?symbol=000001.SH": 8,
    "financials?symbol=002594.SZ": 40,
    "financials?symbol=600519.SH": 8,
}


def _uncited(shown: Shown) -> list[str]:
    """Texts with a digit that are no figure, day, control or marked text."""
    found: list[str] = []
    for node in shown.tree.iter():
        inside = {"tag": node, "texts": [node.text or ""]}
        inside["texts"] += [child.tail or "" for child in node]
        if not re.search(r"[0-9０-９]", "".join(inside["texts"])):
            continue
        line = [node, *node.iterancestors()]
        allowed = any(
            one.tag in {"button", "time"}
            or (one.tag == "data" and one.get("data-claim-id"))
            or one.get("data-nocite") in KINDS
            for one in line
        )
        if not allowed:
            found.append("".join(inside["texts"]).strip()[:80])
    return found


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize(("address", "least"), PAGES.items())
def test_every_figure_of_a_page_is_cited(
    show: Show, address: str, least: int, language: str
) -> None:
    shown = show(f"{address}{'&' if '?' in address else '?'}lang={language}")
    assert len(shown.figures()) >= least
    assert _uncited(shown) == []


@pytest.mark.parametrize("address", PAGES)
def test_a_shown_figure_is_its_value_rounded_half_up(show: Show, address: str) -> None:
    for figure in show(address).figures():
        value, scale = Decimal(figure.get("value")), Decimal(figure.get("data-scale"))
        if figure.get("data-sign") == "told":  # 跌 3.6%: the verb has the sign
            value = abs(value)
        step = Decimal(1).scaleb(-int(figure.get("data-digits")))
        wanted = (value / scale).quantize(step, rounding=ROUND_HALF_UP)
        digits = re.search(r"[+−]?[\d,]+(?:\.\d+)?", figure.text_content())
        assert digits, figure.text_content()
        shown = digits.group().replace(",", "").replace("−", "-")
        assert Decimal(shown) == wanted, figure.attrib


def test_the_inputs_of_every_derived_figure_are_on_the_page(show: Show) -> None:
    shown = show("stock?symbol=000002.SZ&range=2y")
    known = set(shown.tree.xpath("//data/@data-claim-id | //data/@data-input-id"))
    derived = [figure for figure in shown.figures() if figure.get("data-kind") == "derived"]
    assert len(derived) > 20
    for figure in derived:
        assert set((figure.get("data-inputs") or "").split()) <= known


def test_maotai_reads_as_the_source_file_says(show: Show) -> None:
    pe = show("company?symbol=600519.SH&tab=valuation").figures("pe_lyr")[0]
    shown = show("financials?symbol=600519.SH")
    assert (pe.text_content(), pe.get("data-period")) == ("33.84", "LYR_2016")
    # 5656.91亿 / 33.84 = 167.16637...亿
    profit = next(f for f in shown.figures("net_profit") if f.get("data-kind") == "derived")
    assert profit.text_content().startswith("167.17")
    assert "亿元" in profit.xpath("./ancestor::tr[1]/th[1]")[0].text_content()


def test_vanke_resumed_on_2016_07_04_with_a_suspected_limit_down(show: Show) -> None:
    shown = show("company?symbol=000002.SZ&range=3y&all_moves=1")
    # sz000002.csv: 2015-12-18 close 23.71, 2016-07-04 close 21.27; 21.27 / 23.71 - 1 = -10.291%
    item = shown.tree.xpath("//tr//li[@data-day='2016-07-04']")[0]
    assert "−10.29%" in item.text_content()
    assert "疑似跌停" in item.text_content()


def test_a_closed_market_shows_a_last_close_and_never_a_current_price(show: Show) -> None:
    shown = show("stock?symbol=000002.SZ")
    assert "最近收盘" in shown.text
    assert "当前价" not in shown.text


@pytest.mark.parametrize(
    ("typed", "choice"), [("平安", "601318.SH"), ("000001", "000001.SZ"), ("jsyh", "601939.SH")]
)
def test_an_ambiguous_name_is_asked_back_and_shows_no_company(
    show: Show, typed: str, choice: str
) -> None:
    shown = show(f"stock?symbol={typed}")
    assert "请确认是哪一个" in shown.text
    assert choice in shown.text
    assert shown.figures() == []


def test_initials_that_spell_one_a_share_open_it(show: Show) -> None:
    assert "600036.SH" in show("company?symbol=zsyh").text
    assert "600036.SH" in show("stock?symbol=zsyh").text


def test_an_unknown_symbol_says_so_and_shows_no_company(show: Show) -> None:
    shown = show("stock?symbol=NOSUCHTHING")
    assert "NOSUCHTHING" in shown.text
    assert shown.figures() == []


def test_a_screen_in_the_address_fills_the_boxes_and_is_said_in_words(show: Show) -> None:
    shown = show("screen?category=CN&pettm=0_20&netprofit=50亿_max&order_by=pettm&order=asc")
    boxes = {box.key: box.value for box in shown.app.text_input}
    assert (boxes["w_pettm_low"], boxes["w_pettm_high"]) == ("0", "20")
    assert (boxes["w_netprofit_low"], boxes["w_netprofit_high"]) == ("50", "")
    assert "市盈率(TTM) ≥ 0 且 < 20" in shown.text
    assert "净利润(年报/推算) > 50亿元" in shown.text
    multiples = [float(figure.get("value")) for figure in shown.figures("pe_ttm")]
    assert multiples == sorted(multiples)
    assert max(multiples) < 20


def test_typing_a_limit_writes_the_range_into_the_address(show: Show) -> None:
    app = show("screen").app
    app.text_input(key="w_pb_high").set_value("1").run()
    assert app.query_params["pb"] == "min_1"
    shown = Shown(app)
    assert all(float(figure.get("value")) < 1 for figure in shown.figures("pb"))


def test_a_contradictory_range_is_told_at_its_tile_and_the_others_hold(show: Show) -> None:
    shown = show("screen?pettm=20_10&roediluted=15_max")
    boxes = {box.key: box.value for box in shown.app.text_input}
    assert (boxes["w_pettm_low"], boxes["w_pettm_high"]) == ("20", "10")
    assert "下限要比上限小" in shown.text
    assert all(float(figure.get("value")) > 15 for figure in shown.figures("roe"))


def test_an_unknown_market_in_the_address_is_not_replaced_silently(show: Show) -> None:
    shown = show("screen?category=XX")
    assert "XX" in shown.text
    assert "A 股、港股、美股" in shown.text  # CN is the code of a fund in New York too
    assert "ETF" not in shown.text
    assert shown.figures() == []


def test_a_screen_can_be_saved_cleared_and_loaded_again(show: Show) -> None:
    app = show("screen?pettm=0_15&industry=银行").app
    app.text_input(key="w_save_name").set_value("便宜的银行")
    next(button for button in app.button if button.label == "保存").click().run()
    next(button for button in app.button if button.label == "清空条件").click().run()
    assert "pettm" not in app.query_params
    app.button(key="w_load_便宜的银行").click().run()
    assert app.query_params["pettm"] == "0_15"
    assert app.query_params["industry"] == "银行"


def test_the_trace_shows_the_runs_of_the_session_and_verifies_them(show: Show) -> None:
    shown = show("stock?symbol=000002.SZ")
    shown.app.switch_page("pages/evidence/trace.py").run()
    shown = Shown(shown.app)
    assert "全部数字通过核验" in shown.text
    assert len(shown.figures()) >= 40
    next(button for button in shown.app.button if button.label == "重新核验").click().run()
    assert not shown.app.exception


@pytest.mark.parametrize(("language", "says"), [("zh", "A 股 · 银行"), ("en", "A shares · Banks")])
def test_the_trace_says_whom_a_figure_is_about_in_words(
    show: Show, language: str, says: str
) -> None:
    shown = show(f"?lang={language}")
    shown.app.switch_page("pages/evidence/trace.py").run()
    plain = Shown(shown.app).tree.xpath("//table[@id='t-claims']/tbody//span[@data-nocite='code']")
    told = {one.text_content() for one in plain}
    assert says in told
    assert not any(":" in one for one in told)


@pytest.mark.parametrize(
    ("symbol", "period"), [("AAPL", "2013_Q4"), ("00700.HK", "2012_Q4"), ("600036.SH", None)]
)
@pytest.mark.parametrize(
    ("language", "says"),
    [("zh", "起的每股数不可比"), ("en", "not comparable with figures per share")],
)
def test_a_figure_of_other_shares_has_a_mark_of_its_own_and_says_why(
    show: Show, symbol: str, period: str | None, language: str, says: str
) -> None:
    shown = show(f"financials?symbol={symbol}&lang={language}")
    marked = [one for one in shown.figures() if "yj-x" in one.getparent().get("class").split()]
    assert {one.get("data-period") for one in marked} == ({period} if period else set())
    for figure in marked:
        button = figure.getparent()
        assert figure.get("data-unit").endswith("/share")
        assert figure.getnext().text == "≠"
        assert says in button.get("title")


def test_sources_name_every_part_with_its_hash_and_the_keys_that_are_not_set(show: Show) -> None:
    shown = show("sources")
    assert "bars.parquet" in shown.text
    assert "TUSHARE_TOKEN" in shown.text
    assert len(shown.tree.xpath("//table[@id='t-parts']//tbody/tr")) >= 4


def test_a_page_in_english_has_no_chinese_labels(show: Show) -> None:
    shown = show("stock?symbol=000002.SZ&lang=en")
    assert "Last close" in shown.text
    assert "最近收盘" not in shown.text


def test_a_price_that_was_computed_is_never_called_a_close(show: Show) -> None:
    shown = show("stock?symbol=600519.SH")
    assert "推算股价" in shown.text
    assert "最近收盘" not in shown.text
    assert "没有它的日线" in shown.text


def test_where_the_chart_would_be_a_company_without_bars_shows_its_multiples(show: Show) -> None:
    shown = show("company?symbol=600519.SH")
    assert "没有它的日线" in shown.text
    metrics = {one.get("data-metric") for one in shown.figures()}
    assert {"pe_ttm", "pb"} <= metrics
    assert shown.tree.xpath("//th[normalize-space()='市净率(MRQ)']"), "the table of 贵不贵"
    assert shown.tree.xpath("//section[@class='yjc-none']")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("stock?symbol=不存在的公司", "没有找到这个名称或代码"),
        ("screen?page=²", "页码"),
        ("screen?page=0", "页码"),
        (f"screen?page={'9' * 5000}", "页码"),
        ("reports?symbol=unknown", "没有找到这个名称或代码"),
    ],
)
def test_an_error_card_speaks_the_language_of_the_page(show: Show, path: str, said: str) -> None:
    shown = show(path)
    assert said in shown.text
    assert "valid" not in shown.text
    assert "such as" not in shown.text


def test_a_chip_takes_its_column_away_and_the_address_keeps_the_rest(show: Show) -> None:
    shown = show("company?symbol=600036.SH&tab=peers")
    columns = len(shown.tree.xpath("//table[@id='t-peers']/thead//th"))
    shown.app.button(key="w_drop_pb").click().run()
    assert len(shown.tree.xpath("//table[@id='t-peers']/thead//th")) == columns - 1
    assert not shown.tree.xpath("//table[@id='t-peers']//data[@data-metric='pb']")
    assert not shown.app.checkbox(key="w_col_pb").value
