"""选股: coverage beside a filter before it is used, columns by choice, the way on with no match."""

from collections.abc import Callable
from urllib.parse import parse_qsl, urlencode, urlsplit

import pandas as pd

from services.core.catalogue import SCREEN_FIELDS
from tests.pages.conftest import ROOT, Shown

Show = Callable[[str], Shown]
FACTS = ROOT / "data" / "snapshot" / "facts.parquet"
USED = "screen?pettm=0_15&roediluted=15_max&market_cap=200亿_max"


def heads(shown: Shown) -> list[str]:
    cells = shown.tree.xpath("//table[@id='t-screen']/thead//th[not(contains(@class,'yj-box'))]")
    return [one.text_content() for one in cells]


def test_each_filter_says_how_many_have_a_value_whether_used_or_not(show: Show) -> None:
    told = {
        field: float(one.get("value"))
        for one in show("screen").tree.xpath("//p[contains(@class,'yj-cover')]//data")
        for field in SCREEN_FIELDS
        if one.get("data-metric") == f"judged_{field}"
    }
    assert set(told) == set(SCREEN_FIELDS)
    used = show(USED)
    for field in ("pettm", "roediluted", "market_cap"):
        (again,) = used.figures(f"judged_{field}")
        assert float(again.get("value")) == told[field]
    few = show("screen").tree.xpath("//p[contains(@class,'yj-hardly')]//data/@data-metric")
    whole = float(show("screen").figures("company_count")[0].get("value"))
    assert few == [f"judged_{name}" for name in told if told[name] < 0.05 * whole]
    assert few


def test_a_column_that_hardly_anybody_has_is_shown_when_it_is_used_or_asked_for(show: Show) -> None:
    usual = heads(show("screen"))
    assert not any("涨跌幅" in head for head in usual)
    assert any("涨跌幅" in head for head in heads(show("screen?pct=1_max")))
    chosen = show("screen?cols=pct.pb")
    figures = [head for head in heads(chosen) if head not in {"名称", "行业"}]
    assert len(figures) == 2
    assert "涨跌幅" in figures[0]
    assert "市净率" in figures[1]
    assert chosen.app.query_params["cols"] == "pct.pb"


def test_an_amount_is_told_in_the_scale_its_head_says(show: Show) -> None:
    shown = show(USED)
    (head,) = [one for one in heads(shown) if one.startswith("总市值")]
    assert head.endswith("亿元")
    assert shown.tree.xpath("//table[@id='t-screen']//data[@data-metric='market_cap']/small") == []
    (box,) = [one for one in shown.app.text_input if one.key == "w_market_cap_low"]
    assert box.value == "200"
    raw = show("screen?market_cap=20000000000_max").app.text_input(key="w_market_cap_low")
    assert raw.value == "200"


def test_a_market_without_figures_is_a_list_of_names(show: Show) -> None:
    assert heads(show("screen?category=US")) == ["名称", "行业"]


def test_columns_that_were_chosen_are_kept_with_a_saved_screen(show: Show) -> None:
    shown = show("screen?cols=pb&pettm=0_15")
    shown.app.text_input(key="w_save_name").set_value("两列")
    (save,) = [one for one in shown.app.button if one.label == "保存"]
    save.click().run()
    other = show("screen")
    assert len(heads(other)) > 3
    other.app.button(key="w_load_两列").click().run()
    assert next(one for one in heads(other) if one not in {"名称", "行业"}).startswith("市净率")
    other.app.button(key="w_drop_两列").click().run()


def test_with_no_match_the_ways_on_are_the_conditions_dropped(show: Show) -> None:
    shown = show("screen?pettm=0_1&roediluted=90_max&market_cap=9000亿_max")
    assert shown.figures("match_count")[0].get("value") == "0.0"
    (line,) = shown.tree.xpath("//p[contains(@class,'yj-none-left')]")
    assert "没有公司同时满足" in line.text_content()
    assert len(line.xpath(".//a")) == 3


def test_each_company_can_be_selected_and_the_box_says_whom(show: Show) -> None:
    boxes = show(USED).tree.xpath("//tbody//input[@type='checkbox']")
    symbols = show(USED).tree.xpath("//tbody/tr//small/span[@data-nocite='code']/text()")
    assert [one.get("value") for one in boxes] == symbols
    assert boxes[0].get("aria-label") == "选择 中国平安"


LEFT_OUT = '{"node":"not","item":{"node":"in","dim":"industry","values":["银行"]}}'


def chips(shown: Shown) -> list[str]:
    return [
        one.xpath("string(span)")
        for one in shown.tree.xpath("//span[contains(@class,'yj-condition')]")
    ]


def test_a_condition_of_the_address_is_a_chip_with_ways_to_turn_and_to_drop_it(show: Show) -> None:
    shown = show("screen?" + urlencode({"pettm": "0_20", "filter": LEFT_OUT}))
    assert chips(shown) == ["市盈率(TTM) ≥ 0 且 < 20", "不含银行"]
    turn, drop = shown.tree.xpath("//span[contains(@class,'yj-condition')][2]/a")
    assert turn.get("aria-label") == "反过来：不含银行之外的"
    turned = dict(parse_qsl(urlsplit(turn.get("href")).query, keep_blank_values=True))
    assert (turned["industry"], turned["filter"], turned["pettm"]) == ("银行", "", "0_20")
    dropped = dict(parse_qsl(urlsplit(drop.get("href")).query, keep_blank_values=True))
    assert (dropped["filter"], dropped["pettm"]) == ("", "0_20")
    ways = shown.tree.xpath("//p[contains(@class,'yj-relax')]//a/span/text()")
    assert ways == ["不看市盈率(TTM)", "不看“不含银行”"]
    shown.app.button(key="w_sets_clear").click().run()
    assert chips(shown) == ["市盈率(TTM) ≥ 0 且 < 20"]


def test_sets_are_left_out_and_conditions_joined_in_the_menu(show: Show) -> None:
    shown = show("screen?pb=min_2")
    shown.app.multiselect(key="w_sets_industries").set_value(["银行", "房地产"])
    shown.app.text_input(key="w_sets_companies").set_value("茅台，600036")
    submit(shown, "加上")
    assert chips(shown) == ["市净率(MRQ) < 2", "不含银行 或 房地产", "不含贵州茅台、招商银行"]
    (pills,) = [one for one in shown.app.button_group if one.key == "w_either_keys"]
    pills.set_value(["pb", "1"])
    submit(shown, "用“或”连起来")
    assert chips(shown) == ["不含银行 或 房地产", "市净率(MRQ) < 2 或 不含贵州茅台、招商银行"]
    assert shown.app.text_input(key="w_pb_high").value == ""


def submit(shown: Shown, label: str) -> None:
    (button,) = [one for one in shown.app.button if one.label == label]
    button.click().run()
    assert not shown.app.exception


def test_a_sentence_fills_the_conditions_and_says_what_it_read(show: Show) -> None:
    shown = show("screen?cols=pb.pettm&industry=银行")
    sentence = "除了银行，ROE不低于15%或股息率不低于4%的公司"
    shown.app.text_input(key="w_sentence").set_value(sentence).run()
    assert chips(shown) == ["不含银行", "净资产收益率(推算) ≥ 15% 或 股息率 ≥ 4%"]
    assert "读作：A股（不含银行）中" in shown.text
    assert shown.app.query_params["cols"] == "pb.pettm"
    shown.app.text_input(key="w_pb_high").set_value("2").run()
    assert "读作" not in shown.text
    shown.app.text_input(key="w_sentence").set_value("茅台的营收").run()
    assert "没有读成选股条件" in shown.text
    assert len(chips(shown)) == 3
    assert shown.app.button(key="w_said_ask").label == "在问答里问"


def test_a_filter_that_is_none_is_told_by_name_and_the_page_goes_on(show: Show) -> None:
    shown = show("screen?filter=nonsense")
    assert "条件" in shown.text
    assert shown.figures("match_count") == []
    shown.app.text_input(key="w_pb_high").set_value("2").run()
    assert chips(shown) == ["市净率(MRQ) < 2"]


def test_industries_are_told_in_the_language_of_the_page(show: Show) -> None:
    shown = show("screen?industry=非银金融&lang=en")
    chosen = shown.app.selectbox(key="w_industry")
    assert "Non-bank financials" in chosen.options
    assert chosen.value == "非银金融"
    # A quarter of the A shares are in none of them, and the list says so.
    assert any(one.get("data-metric") == "company_count" for one in shown.figures("company_count"))
    assert "no industry, so they are in none" in shown.text


def type_in(shown: Shown, **boxes: str) -> None:
    for key, text in boxes.items():
        shown.app.text_input(key=f"w_{key}").set_value(text)
    shown.app.run()


def amiss(shown: Shown) -> list[str]:
    return [one.text_content() for one in shown.tree.xpath("//p[contains(@class,'yj-amiss')]")]


def test_a_number_typed_is_of_the_unit_that_the_tile_the_chip_and_the_column_have(
    show: Show,
) -> None:
    facts = pd.read_parquet(FACTS)
    caps = facts[(facts.metric == "market_cap") & facts.symbol.str.contains(r"\.(?:SH|SZ)$")]
    held = int((caps.value > 200e8).sum())
    shown = show("screen")
    assert any(
        "总市值亿元" in one.text_content() for one in shown.tree.xpath("//div[@class='yj-field']")
    )
    type_in(shown, market_cap_low="200")
    assert shown.app.query_params["market_cap"] == "20000000000_max"
    assert float(shown.figures("match_count")[0].get("value")) == held
    (chip,) = shown.tree.xpath("//span[contains(@class,'yj-condition')]")
    assert "总市值 > 200亿元" in chip.text_content()


def test_nonsense_is_answered_at_its_tile_and_the_table_keeps_what_it_had(show: Show) -> None:
    shown = show("screen?market_cap=20000000000_max")
    before = shown.figures("match_count")[0].get("value")
    for low, said in (("abc", "请写数字"), ("-5", "不会小于 0")):
        type_in(shown, market_cap_low=low)
        (told,) = amiss(shown)
        assert said in told
        assert shown.figures("match_count")[0].get("value") == before
        assert shown.app.query_params["market_cap"] == "20000000000_max"
    type_in(shown, market_cap_low="", market_cap_high="")
    assert not amiss(shown)
    assert "market_cap" not in shown.app.query_params


def test_an_address_that_cannot_be_read_is_answered_at_the_tile_of_its_field(show: Show) -> None:
    shown = show("screen?dy_l=abc_max")
    (told,) = amiss(shown)
    assert told == "请写数字，如 3"
    assert "无法处理" not in shown.text
