"""What answers say is proved: of each kind a lie, or a truth that misleads, and its refusal.

The list was written before the checks ran; each case changes one thing of what was answered.
"""

from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any

import pytest

from services.core.text import Language
from services.query.answering.answers import Answered
from services.query.assertions.made import MadeAnswer
from tests.unit.query.bundled_query import youju


@cache
def answered(text: str) -> Answered:
    found = youju().query.ask(text)
    assert isinstance(found, Answered)
    return found


def made(text: str, kind: str) -> MadeAnswer:
    return next(one for one in answered(text).draft.made if one.statement.kind == kind)


def refusal(text: str, one: MadeAnswer, *more: str) -> str:
    """The code by which it is refused on the claims of that question, and of others."""
    claims = [claim for each in (text, *more) for claim in answered(each).claims]
    days = {call.known_at.date() for call in answered(text).trace.tool_calls}
    wrong = one.unproved(claims, frozenset(days))
    return wrong.code if wrong is not None else "holds"


def changed(one: MadeAnswer, **fields: Any) -> MadeAnswer:
    """With other fields of the statement, as somebody who writes the JSON would send it."""
    raw = one.model_dump(mode="json")
    return MadeAnswer.model_validate({**raw, "statement": {**raw["statement"], **fields}})


def raw(one: MadeAnswer) -> dict[str, Any]:
    return one.model_dump(mode="json")["statement"]


BANKS = "A股银行的市净率中位数"
LOWEST = "市净率最低的5只股票的ROE"
GROUPS = "各行业的市净率中位数"
TESTED = "招商银行的市盈率小于10吗"
YEARS = "腾讯近三年净利润"
SCREEN = "PE小于10的银行股"
RANKED = "A股净利润排名前二十"
WENT = "招行2016年涨了多少"
PEERS = "贵州茅台同行对比"
MOVES = "万科2015年11月到12月的异动"
TWO = "茅台、五粮液2016年报ROE谁高"
CONDITIONS = "市盈率小于20且市净率小于1的A股的ROE"
EVERY_YEAR, ONE_FELL = "招商银行净利润连续四年增长吗", "苹果净利润连续三年增长吗"
LOSS, NO_LOSS = "中远海控亏损吗", "比亚迪亏损了吗"
UNKNOWN_YEARS = "贵州茅台连续三年ROE超过20%吗"
HOLED = "招商银行最近两个月的最高价"


def _claim(text: str, metric: str, **fields: Any) -> str:
    return next(
        one.claim_id
        for one in answered(text).claims
        if one.metric == metric and all(getattr(one, key) == value for key, value in fields.items())
    )


def _median_told_as_a_mean() -> str:
    one = made(BANKS, "folds")
    query = raw(one)["query"]
    query["fold"][0]["how"] = "mean"
    return refusal(BANKS, changed(one, query=query))


def _another_set_under_the_median() -> str:
    one = made(BANKS, "folds")
    query = raw(one)["query"]
    query["scope"] = {"node": "in", "dim": "market", "values": ["CN"]}
    return refusal(BANKS, changed(one, query=query))


def _those_with_the_figure_told_as_all() -> str:
    one = made(LOWEST, "listed")
    return refusal(LOWEST, changed(one, total=raw(one)["scarcest"]["count"]))


def _the_first_told_as_the_highest() -> str:
    one = made(LOWEST, "listed")
    query = raw(one)["query"]
    query["order"][0]["direction"] = "desc"
    return refusal(LOWEST, changed(one, query=query))


def _the_third_told_as_the_lowest() -> str:
    one, beside = made(LOWEST, "listed"), made(LOWEST, "beside")
    third = raw(beside)["rows"][2]["symbol"]
    row = {"symbol": third, "figures": [{"claim": _claim(LOWEST, "pb", symbol=third)}]}
    return refusal(LOWEST, changed(one, rows=[row]))


def _a_company_with_the_figure_told_as_unranked() -> str:
    one = made(LOWEST, "unranked")
    return refusal(LOWEST, changed(one, named=[raw(made(LOWEST, "listed"))["rows"][0]["symbol"]]))


def _the_last_group_told_as_the_first() -> str:
    one = made(GROUPS, "groups")
    return refusal(GROUPS, changed(one, first=raw(one)["last"], last=raw(one)["first"]))


def _another_group_under_the_name() -> str:
    one = made(GROUPS, "groups")
    return refusal(GROUPS, changed(one, first={**raw(one)["first"], "mark": "银行"}))


def _a_year_left_out_of_a_run() -> str:
    """Two years that are not in a row get no direction, whatever was written."""
    one = made(YEARS, "course")
    kept = raw(one)["claims"]
    return refusal(YEARS, changed(one, claims=[kept[0], kept[2]]))


def _another_year_under_the_label() -> str:
    one = made(TWO, "figures")
    shown = raw(one)["shown"]
    shown[0]["when"] = {"kind": "years", "first": 2015, "last": 2015}
    return refusal(TWO, changed(one, shown=shown))


def _the_lower_told_as_the_higher() -> str:
    one = made(TWO, "ordered_by")
    return refusal(TWO, changed(one, rows=raw(one)["rows"][::-1]))


def _the_figure_of_another_company() -> str:
    one = made(TESTED, "tested")
    row = raw(one)["rows"][0]
    other = _claim("平安银行和浦发银行的市盈率", "pe_ttm", symbol="600000.SH")
    row["figures"][0]["claim"] = other
    return refusal(TESTED, changed(one, rows=[row]), "平安银行和浦发银行的市盈率")


def _a_figure_there_is_told_as_missing() -> str:
    text = "贵州茅台市盈率"
    lacking = {"kind": "lacking", "symbol": "600519.SH", "metric": "pe_ttm", "why": "没有 | none"}
    one = made(text, "one").model_dump(mode="json")
    return refusal(text, MadeAnswer.model_validate({**one, "statement": lacking}))


def _two_currencies_in_order() -> str:
    return _ordered("贵州茅台市值", "腾讯市值", "market_cap")


def _year_ends_far_apart_in_order() -> str:
    return _ordered("谷歌2016年净利润", "苹果2016年净利润", "net_profit")


def _a_year_beside_twelve_months() -> str:
    return _ordered("贵州茅台营收", "招商银行营收", "revenue")


def _ordered(text: str, other: str, metric: str) -> str:
    found = {one.claim_id: one for each in (text, other) for one in answered(each).claims}
    two = [one for one in found.values() if one.metric == metric][:2]
    ranked = [one.claim_id for one in sorted(two, key=lambda one: -one.value)]
    assert len({found[name].symbol for name in ranked}) == 2
    one = made(text, "one").model_dump(mode="json")
    lie = {**one, "statement": {"kind": "ordered", "claims": ranked}}
    return refusal(text, MadeAnswer.model_validate(lie), other)


def _another_day_for_the_question() -> str:
    one = made(BANKS, "folds")
    times = {**raw(one)["times"], "today": "2016-05-01"}
    return refusal(BANKS, changed(one, times=times))


def _another_condition_for_the_count() -> str:
    one = made(CONDITIONS, "listed")
    query = raw(one)["query"]
    query["where"] = query["where"]["items"][0]
    return refusal(CONDITIONS, changed(one, query=query))


def _banks_counted_told_of_the_whole_market() -> str:
    return refusal(SCREEN, changed(made(SCREEN, "screened"), industry=""))


def _those_with_a_figure_told_as_those_that_satisfy() -> str:
    one = made(SCREEN, "screened")
    return refusal(SCREEN, changed(one, matches=raw(one)["judged"][0]["count"]))


def _the_first_of_a_screen_moved_to_the_end() -> str:
    one = made(SCREEN, "led")
    rows = raw(one)["rows"]
    return refusal(SCREEN, changed(one, rows=[*rows[1:], rows[0]]))


def _a_rising_order_told_as_a_falling_one() -> str:
    return refusal(SCREEN, changed(made(SCREEN, "led"), direction="desc"))


def _a_ranked_company_told_as_unranked() -> str:
    one, led = made(RANKED, "unplaced"), made(RANKED, "led")
    return refusal(RANKED, changed(one, named=[raw(led)["rows"][0][0]]))


def _a_rise_from_another_close() -> str:
    """The change stays that of the year; its first day becomes another close that is known."""
    one = made(WENT, "went")
    other = next(
        claim.claim_id
        for claim in answered("招行近60个交易日涨跌幅").claims
        if claim.metric == "close" and claim.claim_id not in str(raw(one))
    )
    return refusal(WENT, changed(one, first=other, last=raw(one)["last"]), "招行近60个交易日涨跌幅")


def _a_place_of_another_figure() -> str:
    one, other = (one for one in answered(PEERS).draft.made[:2])
    return refusal(PEERS, changed(one, rank=raw(other)["rank"]))


def _the_median_of_another_figure() -> str:
    one, other = (one for one in answered(PEERS).draft.made[:2])
    return refusal(PEERS, changed(one, median=raw(other)["median"]))


def _a_move_of_another_day() -> str:
    return refusal(MOVES, changed(made(MOVES, "abnormal"), end="2015-12-25"))


def _a_year_more_than_is_told() -> str:
    one = made(EVERY_YEAR, "tested")
    query = raw(one)["query"]
    query["check"]["window"]["count"] = 5
    return refusal(EVERY_YEAR, changed(one, query=query))


def _in_some_year_told_as_in_every_year() -> str:
    """Apple's profit fell in one of three years: that it rose in one makes no run of them."""
    one = made(ONE_FELL, "tested")
    query = raw(one)["query"]
    query["check"] = {**query["check"], "node": "exists", "least": 1}
    return refusal(ONE_FELL, changed(one, query=query))


def _a_loss_of_a_company_whose_multiple_is_there() -> str:
    one = made(NO_LOSS, "tested")
    row = raw(one)["rows"][0]
    row["figures"][0] = {"why": "来源不给 | not given"}
    return refusal(NO_LOSS, changed(one, rows=[row]))


def _the_high_of_bars_with_holes_told_of_the_whole_span() -> str:
    return refusal(HOLED, changed(made(HOLED, "span_extreme"), whole=True))


def _the_high_of_a_shorter_span() -> str:
    one = made(HOLED, "span_extreme")
    return refusal(HOLED, changed(one, days=["2017-06-12", raw(one)["days"][1]]))


MISLEADING: tuple[tuple[Callable[[], str], str], ...] = (
    (_median_told_as_a_mean, "another_formula"),
    (_another_set_under_the_median, "another_formula"),
    (_those_with_the_figure_told_as_all, "another_formula"),
    (_the_first_told_as_the_highest, "another_formula"),
    (_the_third_told_as_the_lowest, "not_an_extreme"),
    (_a_company_with_the_figure_told_as_unranked, "not_missing"),
    (_the_last_group_told_as_the_first, "not_in_order"),
    (_another_group_under_the_name, "another_formula"),
    (_a_year_left_out_of_a_run, "another_text"),
    (_another_year_under_the_label, "metric_differs"),
    (_the_lower_told_as_the_higher, "not_in_order"),
    (_the_figure_of_another_company, "other_company"),
    (_a_figure_there_is_told_as_missing, "not_missing"),
    (_two_currencies_in_order, "unit_or_currency_differs"),
    (_year_ends_far_apart_in_order, "year_ends_differ"),
    (_a_year_beside_twelve_months, "basis_differs"),
    (_another_day_for_the_question, "stale"),
    (_another_condition_for_the_count, "another_formula"),
    (_banks_counted_told_of_the_whole_market, "other_company"),
    (_those_with_a_figure_told_as_those_that_satisfy, "metric_differs"),
    (_the_first_of_a_screen_moved_to_the_end, "not_in_order"),
    (_a_rising_order_told_as_a_falling_one, "not_in_order"),
    (_a_ranked_company_told_as_unranked, "not_missing"),
    (_a_rise_from_another_close, "not_later"),
    (_a_place_of_another_figure, "count_of_another"),
    (_the_median_of_another_figure, "metric_differs"),
    (_a_move_of_another_day, "day_differs"),
    (_a_year_more_than_is_told, "no_formula"),
    (_in_some_year_told_as_in_every_year, "another_text"),
    (_a_loss_of_a_company_whose_multiple_is_there, "not_missing"),
    (_the_high_of_bars_with_holes_told_of_the_whole_span, "not_in_its_set"),
    (_the_high_of_a_shorter_span, "another_formula"),
)


@pytest.mark.parametrize(("lie", "code"), MISLEADING, ids=[one.__name__ for one, _ in MISLEADING])
def test_what_misleads_is_refused(lie: Callable[[], str], code: str) -> None:
    assert lie() == code


WORDS: tuple[tuple[str, str, str], ...] = (
    (YEARS, "增长", "下降"),
    (TWO, "高于", "低于"),
    (TWO, "约", "恰"),
    (LOWEST, "最低", "最高"),
    (LOWEST, "未参与排名", "排在最后"),
    (BANKS, "中位数", "平均值"),
    (BANKS, "按有", "除有"),
    (GROUPS, "最高的行业", "最低的行业"),
    (TESTED, "：是。", "：否。"),
    (CONDITIONS, "符合条件", "不符合条件"),
    ("贵州茅台市盈率", "2017-05-25", "2017-07-25"),
    ("比亚迪毛利率", "暂缺", "为零"),
    (WENT, "上涨", "下跌"),
    (WENT, "2015-12-31", "2016-01-04"),
    (PEERS, "高于", "低于"),
    (PEERS, "由高到低", "由低到高"),
    (PEERS, "含自身", "不含自身"),
    (MOVES, "，涨：", "，跌："),
    (MOVES, "未找到可引用的原因", "受利好消息推动"),
    (SCREEN, "从低到高", "从高到低"),
    (SCREEN, "A股银行", "A股券商"),
    (SCREEN, "数据的只有", "数据的多达"),
    (RANKED, "未参与排名", "排在最后"),
    (EVERY_YEAR, "：是。", "：否。"),
    (EVERY_YEAR, "最近4年", "最近9年"),
    (ONE_FELL, "：否。", "：是。"),
    (LOSS, "：是。", "：否。"),
    (NO_LOSS, "：否。", "：是。"),
    (UNKNOWN_YEARS, "无法判断", "否"),
    (HOLED, "已有日线中的", "区间"),
)


@pytest.mark.parametrize(("text", "old", "new"), WORDS)
def test_a_word_changed_in_an_answer_is_named(text: str, old: str, new: str) -> None:
    one = next(one for one in answered(text).draft.made if old in one.text)
    lie = one.model_copy(update={"text": one.text.replace(old, new, 1)})
    assert refusal(text, one) == "holds"
    assert refusal(text, lie) == "another_text"


def test_every_sentence_of_those_answers_is_made_and_holds() -> None:
    for text in dict.fromkeys(text for text, _, _ in WORDS):
        draft = answered(text).draft
        told = [line for line in draft.template.split("\n") if "{{" in line]
        assert [one for one in told if one not in {each.text for each in draft.made}] == []
        assert {refusal(text, one) for one in draft.made} == {"holds"}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_estimates_are_compared_by_about_so_much(language: Language) -> None:
    text = TWO if language == "zh" else "Moutai or Wuliangye, who had the higher ROE in 2016?"
    (one,) = (one for one in answered(text).draft.made if one.statement.kind == "ordered_by")
    assert ("约 " if language == "zh" else "about ") in one.text.replace("约{", "约 {")


def test_companies_that_end_on_two_days_are_compared_with_their_days_and_no_gap() -> None:
    (one,) = (
        one
        for one in answered("招行和万科今年谁涨得多").draft.made
        if one.statement.kind == "ordered"
    )
    days = {claim.as_of for claim in answered("招行和万科今年谁涨得多").claims}
    assert {date(2017, 7, 25), date(2017, 7, 20)} <= days
    assert one.text == "招商银行（2017-07-25）的区间涨跌幅高于万科A（2017-07-20）。"


def test_companies_that_tie_are_named_together() -> None:
    told = made(LOWEST, "listed").text
    assert "最低的是鞍钢股份、中煤能源，" in told  # both at 0.82
