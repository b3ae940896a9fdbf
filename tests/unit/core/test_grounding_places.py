"""Figures in places, English, names, quotations: what surrounds a figure must not contradict it."""

import pytest

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.core.rendering import place
from services.grounding.figure_senses import MADE_OF, SENSES
from services.grounding.ground import LONGEST, ground
from services.language.plain_text import spelled
from tests.unit.core.grounded import (
    BYD_PE,
    CLOSE,
    CLOSE_BEFORE,
    FALL,
    GAP,
    GROWTH,
    LOSS,
    MA20,
    MOUTAI,
    NAMES,
    PB,
    PE,
    PROFIT,
    PROFIT_2015,
    REVENUE,
    SHRUNK,
    TIMES,
    asked,
    checks,
    told,
)

PLACED = {
    "named and placed": ("贵州茅台的市盈率(TTM)为 {}（2017-05-25）。", PE),
    "no name beside it": ("贵州茅台：{}。", PE),
    "with its sign": ("比亚迪2016年营收同比{}。", GROWTH),
    "growth with a plus": ("比亚迪2016年营收同比增长{}。", GROWTH),
    "last close": ("贵州茅台最近收盘{}。", CLOSE),
    "loss": ("格力电器2016年报亏损，净利润 {}。", LOSS),
    "difference": ("贵州茅台的市盈率(TTM)高于比亚迪，相差 {}。", GAP),
    "ratio": ("贵州茅台的市盈率(TTM)高于比亚迪，前者是后者的 {}。", TIMES),
    "a digit before the place is spaced": ("贵州茅台MA20{}。", MA20),
    "in English": ("BYD's revenue was {} in 2016.", REVENUE),
}
MISPLACED = {
    "another metric": ("贵州茅台的市净率为{}。", PE, "metric"),
    "another company": ("比亚迪的市盈率为{}。", PE, "entity"),
    "a company nobody knows": ("五粮液的市盈率为{}。", PE, "entity"),
    "another year": ("比亚迪2015年净利润为{}。", PROFIT, "period"),
    "another day": ("2017年7月21日，贵州茅台收盘{}。", CLOSE, "period"),
    "the newest of an older": ("贵州茅台最近收盘{}。", CLOSE_BEFORE, "period"),
    "current price of a close": ("贵州茅台当前价{}。", CLOSE, "as_of"),
    "growth of a fall": ("格力电器2016年营收同比增长{}。", SHRUNK, "sign"),
    "fall of a growth": ("比亚迪2016年营收同比下降{}。", GROWTH, "sign"),
    "rise of a fall": ("腾讯控股2017年7月4日上涨{}。", FALL, "sign"),
    "loss of a profit": ("比亚迪2016年亏损{}。", PROFIT, "sign"),
    "a scale typed behind": ("比亚迪2016年净利润{}亿。", PROFIT, "unit"),
    "percent typed behind": ("贵州茅台市盈率{}%。", PE, "unit"),
    "a digit typed behind": ("贵州茅台市盈率{}5。", PE, "unsupported_number"),
    "a digit typed before": ("贵州茅台市盈率1{}。", PE, "unsupported_number"),
    "a numeral typed before": ("贵州茅台市盈率三{}。", PE, "unsupported_number"),
    "a minus typed before": ("贵州茅台市盈率为-{}。", PE, "sign"),
    "another currency before": ("贵州茅台最近收盘HK${}。", CLOSE, "currency"),
    "another figure's growth": ("比亚迪2016年净利润为{}，研发投入同比增长。", REVENUE, "metric"),
    "a qualifier": ("比亚迪2016年扣非净利润{}。", PROFIT, "metric"),
}


@pytest.mark.parametrize(("text", "held"), PLACED.values(), ids=PLACED.keys())
def test_a_place_stands_where_the_words_agree(text: str, held: Claim) -> None:
    answer = asked(text.format(place(held)))
    assert answer.ok, told(answer)
    assert held.claim_id in {name for one in answer.supported for name in one.claim_ids}


@pytest.mark.parametrize(("text", "held", "check"), MISPLACED.values(), ids=MISPLACED.keys())
def test_a_place_is_refused_where_the_words_contradict(text: str, held: Claim, check: str) -> None:
    answer = asked(text.format(place(held)))
    assert check in checks(answer), told(answer) or "let out"


def test_a_place_of_no_claim_is_refused_and_left_as_it_is() -> None:
    answer = asked("贵州茅台市盈率{{c:c_0000000000000000}}。", PE)
    assert checks(answer)[0] == "unknown_claim"
    assert "{{c:c_0000000000000000}}" in answer.text


def test_the_figure_beside_a_place_is_checked_all_the_same() -> None:
    text = f"贵州茅台市盈率{place(PE)}，市净率7.16倍，比亚迪市盈率88.00倍。"
    answer = asked(text)
    assert [(one.span, one.check) for one in answer.failures] == [("88.00倍", "value")]


def test_an_offset_behind_a_place_is_of_the_rendered_text() -> None:
    answer = asked(f"贵州茅台市盈率{place(PE)}，市净率9.99倍。")
    (failure,) = answer.failures
    assert answer.text[failure.start : failure.end] == "9.99倍"


ENGLISH = (
    "Kweichow Moutai trades at a P/E (TTM) of 31.5x and a P/B of 7.16x.",
    "BYD reported revenue of CNY 103.47 billion for 2016, up 29.3% year-on-year.",
    "BYD's net profit was RMB5.05bn in 2016, compared with RMB2.82bn in 2015.",
    "Gree's revenue fell 26.6% year-on-year in 2016, with a net loss of CNY 120 million.",
    "Gree's net profit was CNY (0.12) billion in 2016.",
    "Tencent fell 4.13% to close at HK$269.20 on July 4, 2017.",
    "Kweichow Moutai closed at CNY 450.39, and its RSI(14) of 83.0 is above 70, overbought.",
    "At 31.51x, Kweichow Moutai's P/E is higher than the 27.69 times of BYD.",
    "The P/E (TTM) of Kweichow Moutai and BYD is 31.51x and 27.69x respectively.",
)
ENGLISH_LIES = {
    "BYD reported revenue of CNY 103.47 million for 2016.": "value",
    "BYD's revenue fell 29.3% year-on-year in 2016.": "sign",
    "BYD's net profit doubled in 2016.": "unit",
    "Two-thirds of brokers recommend Kweichow Moutai.": "unsupported_number",
    "A dozen funds hold Kweichow Moutai.": "unsupported_number",
    "BYD's three-fold growth in revenue in 2016 impressed.": "value",
    "BYD's debt to assets was 61.81 basis points in 2016.": "unit",
    "Wuliangye's P/E is 31.51x.": "entity",
    "Norvane's P/E is 31.51x.": "entity",
    "Kweichow Moutai's P/B is 31.51x.": "metric",
    "Kweichow Moutai's target price is CNY 450.39.": "metric",
    "Kweichow Moutai now trades at CNY 450.39.": "as_of",
    "BYD's revenue rose to CNY 80.01 billion in 2016.": "period",
    "Tencent closed at CNY 269.20 on July 4, 2017.": "currency",
    "Kweichow Moutai's P/E of 31.51x is lower than the 27.69x of BYD.": "wording",
}


@pytest.mark.parametrize("text", ENGLISH)
def test_an_honest_english_text_is_not_refused(text: str) -> None:
    answer = asked(text, language="en")
    assert answer.ok, told(answer)


@pytest.mark.parametrize(("text", "check"), ENGLISH_LIES.items())
def test_an_english_lie_does_not_get_out(text: str, check: str) -> None:
    answer = asked(text, language="en")
    assert check in checks(answer), told(answer) or "let out"


def test_a_quotation_keeps_its_figures_only_word_for_word() -> None:
    post = "网友称茅台市盈率明年会到5倍，赶紧跑"
    text = "有帖子写道「茅台市盈率明年会到5倍」，而贵州茅台市盈率为31.51倍。"
    assert asked(text, quotes=(post,)).ok
    assert not asked(text).ok
    assert not asked(text.replace("5倍」", "6倍」"), quotes=(post,)).ok


def test_a_bare_figure_in_quotes_is_no_quotation() -> None:
    answer = asked("贵州茅台市盈率为「5倍」。", quotes=("PE 5倍",))
    assert not answer.ok


def test_a_false_figure_in_quotes_is_told_as_quoted() -> None:
    assert checks(asked("有人说「机构有12家唱多」。")) == ["quoted"]


def test_a_name_never_hides_a_figure() -> None:
    for name in ("5", "31", "一", "三十", "12.5"):
        answer = ground(f"贵州茅台市盈率{name}倍。", [PE], names={MOUTAI: ["贵州茅台", name]})
        assert not answer.ok, name


def test_a_name_with_numerals_is_a_name() -> None:
    names = {**NAMES, "600031.SH": ["三一重工", "三一"]}
    answer = ground("三一重工与贵州茅台不同，后者市盈率31.51倍。", [PE], names=names)
    assert answer.ok, told(answer)


def test_names_are_not_needed_for_codes() -> None:
    assert ground("600519.SH市盈率31.51倍。", [PE, BYD_PE]).ok
    assert not ground("002594.SZ市盈率31.51倍。", [PE, BYD_PE]).ok


def test_a_text_of_the_longest_length_is_read_and_one_longer_is_not() -> None:
    filler = "。" * (LONGEST - len("贵州茅台市盈率31.51倍"))
    assert asked("贵州茅台市盈率31.51倍" + filler).ok
    assert checks(asked("贵州茅台市盈率31.51倍。" + filler)) == ["too_long"]


def test_a_place_may_not_make_a_text_too_long_unseen() -> None:
    text = place(REVENUE) * 900
    assert "too_long" in checks(asked(text))


def test_every_metric_is_known_by_its_names() -> None:
    for metric in CATALOGUE.figures.values():
        if metric.id in MADE_OF:
            continue
        for name in (metric.zh, metric.en):
            sense = SENSES.get(spelled(name))
            assert sense is not None, name
            assert metric.id in sense.metrics, name


def test_every_coded_metric_has_a_chinese_name_in_the_table() -> None:
    named = {metric for sense in SENSES.values() for metric in sense.metrics}
    assert set(CATALOGUE.codes) <= named


def test_figures_given_the_wrong_way_round_are_all_told() -> None:
    answer = asked("比亚迪2016年净利润28.23亿元，2015年净利润50.52亿元。")
    assert checks(answer) == ["period", "period"]
    assert PROFIT.claim_id != PROFIT_2015.claim_id
    assert PB.claim_id not in {name for one in answer.supported for name in one.claim_ids}
