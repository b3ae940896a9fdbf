"""The policy for hard cases, a test a row: what a text may say, and what is refused and why.

Every expected verdict is decided by hand from the claims of `grounded.py`.
"""

from datetime import date

import pytest

from services.grounding.ground import ground
from tests.unit.core.grounded import (
    BYD,
    CLOSE,
    CLOSE_BEFORE,
    LOSS,
    MOUTAI,
    PE,
    PROFIT,
    REVENUE,
    ROE,
    TENCENT_CLOSE,
    asked,
    checks,
    claim,
    told,
)

HONEST = {
    "rounding to one decimal": "贵州茅台市盈率31.5倍。",
    "rounding to two digits": "比亚迪2016年资产负债率62%。",
    "units of money scale": "贵州茅台总市值5,656.91亿元，即0.57万亿元。",
    "万 for a smaller figure": "格力电器2016年亏损12000万元。",
    "about allows one percent beyond the digit": "贵州茅台市值约5700亿元。",
    "near means just below": "贵州茅台市盈率近32倍。",
    "over means just above": "贵州茅台市值超5600亿元。",
    "余 behind the digits": "贵州茅台市值5600余亿元。",
    "range of two claims": "比亚迪和贵州茅台的市盈率在27.69-31.51倍，分别为27.69倍和31.51倍。",
    "slash list shares its unit": "比亚迪/贵州茅台市盈率分别为27.69/31.51倍。",
    "years pair by position": "2014-2016年比亚迪净利润分别为4.34、28.23、50.52亿元。",
    "metrics pair by position": "比亚迪2016年营收、净利润分别为1034.70亿元和50.52亿元。",
    "growth rises": "比亚迪2016年营收同比增长29.32%。",
    "growth falls": "格力电器2016年营收同比下降26.6%。",
    "falling said as negative growth": "格力电器2016年营收同比增速-26.6%。",
    "odd but true: 增长 with its minus": "格力电器2016年营收同比增长-26.6%。",
    "a loss by its word": "格力电器2016年亏损1.2亿元。",
    "a loss by its sign": "格力电器2016年净利润-1.2亿元。",
    "a loss narrows": "格力电器亏损由2015年的3亿元收窄至2016年的1.2亿元。",
    "增至 is a level": "比亚迪2016年净利润增至50.52亿元。",
    "是 n 倍 of a ratio": "贵州茅台的市盈率是比亚迪的1.14倍。",
    "difference has its own claim": "贵州茅台市盈率比比亚迪高3.82倍。",
    "carried over a comma": "比亚迪2016年净利润50.52亿元，同比增长78.94%。",
    "two companies, each beside its figure": "贵州茅台市盈率31.51倍，高于比亚迪的27.69倍。",
    "前者 and 后者": "贵州茅台市盈率高于比亚迪，前者为31.51倍，后者为27.69倍。",
    "median of peers": "贵州茅台市盈率31.51倍，同行中位数28.29倍，排名第5（共10家）。",
    "PE of the last report": "贵州茅台静态市盈率33.84倍。",
    "close with its day": "2017年7月21日，贵州茅台收盘445.00元。",
    "newest close needs no day": "贵州茅台最近收盘450.39元。",
    "day behind in parentheses": "贵州茅台市盈率31.51倍（2017-05-25）。",
    "period in full width": "比亚迪２０１６年营收１，０３４．７０亿元。",
    "year in Chinese digits": "比亚迪二〇一六年净利润50.52亿元。",
    "figure in Chinese": "比亚迪2016年营收一千零三十四点七亿元。",
    "percent in Chinese": "比亚迪2016年净资产收益率百分之九点八六。",
    "exponent": "比亚迪2016年营收1.0347e11元。",
    "Hong Kong dollars": "腾讯控股2017年7月4日收于269.2港元，下跌4.13%。",
    "code beside its name": "贵州茅台（600519.SH）市净率7.16倍。",
    "shares and lots": "贵州茅台总股本12.56亿股，合1256万手。",
    "points of a list": "1. 贵州茅台市盈率31.51倍\n2. 贵州茅台市净率7.16倍",
    "points in brackets": "贵州茅台：（1）市盈率31.51倍；（2）市净率7.16倍。",
    "points in circles": "贵州茅台：①市盈率31.51倍；②市净率7.16倍。",
    "marks of evidence": "贵州茅台市盈率31.51倍[E1]，市净率7.16倍[2]。",
    "names with digits": "贵州茅台是沪深300成分股，MA20为455.20元，市盈率31.51倍，T+1交易。",
    "indicator and its limit": "贵州茅台RSI(14)为83.0，高于70，处于超买区间。",
    "idioms": "一般而言，一方面估值合理，另一方面进一步看，贵州茅台市盈率31.51倍，一定程度上偏高。",
    "first quarter without a figure": "比亚迪2016年净利润50.52亿元，一季报尚未披露。",
    "no figure at all": "公司前景看好，业绩大幅改善。",
    "two companies counted": "两家公司中，贵州茅台的市盈率31.51倍比比亚迪的27.69倍更高。",
    "table by columns": "|指标|比亚迪|贵州茅台|\n|---|---|---|\n|市盈率|27.69倍|31.51倍|\n",
    "table with units in its head": "## 比亚迪\n|年度|营业收入(亿元)|净利润(亿元)|\n|---|---|---|\n"
    "|2016|1034.70|50.52|\n|2015|800.09|28.23|\n",
    "forecast named as one": "预计贵州茅台2017年净利润210亿元。",
    "last year": "比亚迪去年净利润50.52亿元。",
    "from and to": "比亚迪营收由2015年的800.09亿元增至2016年的1034.70亿元。",
    "per share": "比亚迪2016年每股收益1.88元/股。",
    "bare per share": "比亚迪2016年每股收益1.88。",
    "name behind the figure": "比亚迪2016年实现50.52亿元的净利润。",
}
LIES = {
    "no such figure": ("贵州茅台最近收盘1500元。", "value"),
    "one digit changed": ("贵州茅台市盈率81.51倍。", "value"),
    "cut, not rounded": ("贵州茅台总市值5656.8亿元，净利润未知。", "value"),
    "truncated": ("比亚迪2016年资产负债率61.80%。", "truncated"),
    "about is not anything": ("贵州茅台市值约5000亿元。", "value"),
    "about is not three percent": ("贵州茅台市值约5500亿元。", "value"),
    "about is not five percent": ("贵州茅台市盈率约33.0倍。", "value"),
    "around is not five percent": ("贵州茅台市盈率33.0倍左右。", "value"),
    "nearly is not five percent": ("贵州茅台市盈率近33.0倍。", "value"),
    "roughly is not five percent": (
        "Moutai trades at a P/E of roughly 33.0x.",
        "unsupported_number",
    ),
    "not more than is a bound": ("贵州茅台市盈率不超过31.51倍。", "bound"),
    "at least is a bound": ("贵州茅台市盈率31.51倍以上。", "bound"),
    "万 for 亿": ("比亚迪2016年净利润50.52万元。", "value"),
    "percent for points": ("比亚迪2016年资产负债率61.81个百分点。", "unit"),
    "pct for percent": ("比亚迪2016年资产负债率61.81pct。", "unit"),
    "times for percent": ("比亚迪2016年净资产收益率9.86倍。", "unit"),
    "a level told as a rise": ("比亚迪2016年资产负债率上升61.81%。", "unit"),
    "a profit told as its growth": ("比亚迪2016年净利润增长50.52亿元。", "metric"),
    "money without unit": ("比亚迪2016年净利润50.52。", "unit"),
    "decimal of a percent": ("比亚迪2016年净资产收益率0.0986。", "unit"),
    "growth for fall": ("格力电器2016年营收同比增长26.6%。", "sign"),
    "fall for growth": ("比亚迪2016年营收同比下降29.32%。", "sign"),
    "sign dropped": ("格力电器2016年净利润1.2亿元。", "sign"),
    "loss of who earned": ("比亚迪2016年亏损50.52亿元。", "sign"),
    "rise for a fall": ("腾讯控股2017年7月4日上涨4.13%。", "sign"),
    "metric swapped": ("贵州茅台市净率31.51倍。", "metric"),
    "PE of another basis": ("贵州茅台静态市盈率31.51倍。", "metric"),
    "dynamic PE is another": ("贵州茅台动态市盈率31.51倍。", "metric"),
    "扣非 is another": ("比亚迪2016年扣非净利润50.52亿元。", "metric"),
    "unknown qualifier": ("比亚迪2016年海外营收1034.70亿元。", "metric"),
    "segment": ("比亚迪2016年电池业务营收1034.70亿元。", "metric"),
    "spending carried from profit": (
        "比亚迪2016年营收1034.70亿元，研发投入50.52亿元。",
        "metric",
    ),
    "target price": ("贵州茅台目标价450.39元。", "metric"),
    "average of peers is no median": ("贵州茅台市盈率31.51倍，同行平均28.29倍。", "metric"),
    "quarter on quarter": ("比亚迪2016年净利润环比增长78.94%。", "metric"),
    "compound growth": ("比亚迪营收年均增长29.32%。", "metric"),
    "forecast as a fact": ("贵州茅台2017年净利润210亿元。", "metric"),
    "nothing named": ("贵州茅台，31.51倍。", "metric"),
    "current price of a close": ("贵州茅台当前价450.39元。", "as_of"),
    "now of a close": ("贵州茅台股价现在是450.39元。", "as_of"),
    "an older close as the newest": ("贵州茅台最近收盘445.00元。", "period"),
    "another company": ("比亚迪市盈率31.51倍。", "entity"),
    "a company nobody gave": ("五粮液市盈率31.51倍。", "entity"),
    "the other of two": ("贵州茅台市盈率27.69倍，高于比亚迪的31.51倍。", "entity"),
    "one figure of two companies": ("贵州茅台和比亚迪的市盈率31.51倍。", "ambiguous"),
    "another year": ("比亚迪2015年净利润50.52亿元。", "period"),
    "no year for an older one": ("比亚迪净利润4.34亿元。", "period"),
    "another quarter": ("比亚迪2016年三季报净利润50.52亿元。", "period"),
    "a quarter alone": ("比亚迪2016年第四季度净利润50.52亿元。", "period"),
    "invented half year": ("比亚迪今年上半年净利润50.52亿元。", "period"),
    "invented year without figure": ("贵州茅台市盈率31.51倍，2021年将提价。", "period"),
    "another day": ("2017年7月20日，贵州茅台收盘445.00元。", "period"),
    "day behind is another": ("贵州茅台市盈率31.51倍（2017-07-25）。", "period"),
    "today for an older day": ("腾讯控股今日收于269.2港元。", "period"),
    "another base year": ("比亚迪2016年营收较2014年增长29.32%。", "period"),
    "yuan in Hong Kong": ("腾讯控股2017年7月4日收于269.2元。", "currency"),
    "dollars in Shanghai": ("贵州茅台总市值5656.91亿美元。", "currency"),
    "doubled": ("比亚迪2016年营收翻番。", "unit"),
    "halved": ("比亚迪2016年营收同比腰斩。", "value"),
    "in Chinese": ("贵州茅台市盈率三十五倍。", "value"),
    "tenths": ("比亚迪2016年资产负债率三成。", "value"),
    "a tenth hidden as an idiom": ("比亚迪2016年营收下降一成。", "value"),
    "vague tens": ("比亚迪2016年净利润数十亿元。", "unsupported_number"),
    "two digit growth": ("比亚迪2016年营收两位数增长。", "unsupported_number"),
    "counted institutions": ("12家机构中有9家推荐贵州茅台。", "unsupported_number"),
    "ratio of nothing": ("多空比3:1，贵州茅台看涨。", "unsupported_number"),
    "fraction": ("三分之二的机构推荐贵州茅台。", "unsupported_number"),
    "a rank": ("贵州茅台市盈率排名第3。", "value"),
    "first in its trade": ("贵州茅台行业第一。", "unsupported_number"),
    "a figure as index": ("36. 贵州茅台市盈率偏高。", "unsupported_number"),
    "a figure as mark": ("贵州茅台净资产收益率为[36]。", "unsupported_number"),
    "a code of nobody": ("贵州茅台（600000.SH）市盈率31.51倍。", "entity"),
    "parameters of no claim": ("贵州茅台RSI(7)为83.0。", "value"),
    "spaces in thousands": ("贵州茅台收盘1 371.05元。", "value"),
    "five for three companies": (
        "五家公司均值得关注，贵州茅台市盈率31.51倍。",
        "unsupported_number",
    ),
    "the order turned": ("贵州茅台市盈率31.51倍，低于比亚迪的27.69倍。", "wording"),
    "the move turned": ("比亚迪营收由2015年的800.09亿元降至2016年的1034.70亿元。", "wording"),
    "which is higher turned": ("比亚迪的市盈率高于贵州茅台。", "wording"),
    "told as flat": ("比亚迪2016年营收与上年持平。", "wording"),
    "times the wrong way round": ("比亚迪的市盈率是贵州茅台的1.14倍。", "entity"),
    "threshold made up": ("贵州茅台RSI高于83为超买。", "value"),
    "columns do not pair": ("比亚迪、贵州茅台、腾讯市盈率分别为27.69倍和31.51倍。", "ambiguous"),
}


@pytest.mark.parametrize("text", HONEST.values(), ids=HONEST.keys())
def test_an_honest_text_is_not_refused(text: str) -> None:
    answer = asked(text)
    assert answer.ok, told(answer)


@pytest.mark.parametrize(("text", "check"), LIES.values(), ids=LIES.keys())
def test_a_lie_does_not_get_out(text: str, check: str) -> None:
    answer = asked(text)
    assert check in checks(answer), told(answer) or "let out"


def test_the_walk_through_of_the_seed() -> None:
    close = claim("close", 1371.05, "CNY", as_of=PE.as_of)
    roe = claim("roe", 36.21, "percent", period="2025_Q4")
    text = (
        "## 600519 (贵州茅台) 速览\n\n- **最近收盘**：¥1371.05\n- **ROE (FY2025)**：36.21%\n\n"
        "> 注：当前为盘后查询，价格为最新收盘价，非实时盘口。"
    )
    assert asked(text, close, roe).ok, told(asked(text, close, roe))
    answer = asked(text.replace("1371.05", "1500"), close, roe)
    assert checks(answer) == ["value"]
    assert "1371.05" in str(answer.failures[0].reason)
    assert " | " in str(answer.failures[0].reason)


def test_one_digit_is_amber_and_not_refused() -> None:
    answer = asked("比亚迪2016年资产负债率约六成。")
    assert answer.ok
    assert [one.check for one in answer.warnings] == ["coarse"]


def test_down_and_a_minus_is_amber_and_not_refused() -> None:
    answer = asked("格力电器2016年营收同比下降-26.6%。")
    assert answer.ok, told(answer)
    assert [one.check for one in answer.warnings] == ["double_negative"]


def test_a_span_names_every_claim_that_carries_it() -> None:
    other = claim("pe_ttm", 31.51, "multiple", period="TTM_2016Q4", as_of=CLOSE_BEFORE.as_of)
    answer = asked("贵州茅台市盈率31.51倍。", other)
    (support,) = answer.supported
    assert (support.span, support.claim_ids) == ("31.51倍", (other.claim_id,))


def test_offsets_are_of_the_text_as_shown() -> None:
    answer = asked("**贵州茅台** 的 市盈率 为 ９９.9 倍。")
    (failure,) = answer.failures
    assert answer.text[failure.start : failure.end] == failure.span == "９９.9 倍"


def test_without_a_name_the_default_company_is_meant() -> None:
    assert asked("市盈率31.51倍。", default=MOUTAI).ok
    assert "entity" in checks(asked("市盈率31.51倍。", default=BYD))
    assert "ambiguous" in checks(asked("市盈率31.51倍。"))


def test_without_a_day_last_year_means_nothing() -> None:
    names = {BYD: ["比亚迪"]}
    assert ground("比亚迪去年净利润50.52亿元。", [PROFIT], names=names, now=None).failures


def test_a_claim_that_is_not_given_carries_nothing() -> None:
    assert not asked("比亚迪2016年净利润50.52亿元。", REVENUE, ROE).ok
    assert not asked("贵州茅台最近收盘450.39元。", TENCENT_CLOSE).ok
    assert asked("贵州茅台最近收盘450.39元。", CLOSE).ok
    assert asked("格力电器2016年净亏损1.2亿元。", LOSS).ok


@pytest.mark.parametrize(
    "text",
    [
        "RSI(14) 高于超买线，处于超买区。",
        "股价进入超卖区。",
        "均线金叉。",
        "The stock is overbought.",
        "A golden cross is there.",
    ],
)
def test_a_reading_of_an_indicator_that_is_not_there_is_refused(text: str) -> None:
    language = "zh" if "。" in text else "en"
    assert "wording" in checks(asked(f"市盈率31.51倍。{text}", PE, CLOSE, language=language))


def test_what_is_supposed_of_an_indicator_needs_no_figure() -> None:
    assert asked("市盈率31.51倍。若进入超买区，短线偏热。", PE).ok


def test_a_day_said_of_all_that_is_above_is_of_all_of_it() -> None:
    day = date(2017, 7, 25)
    rsi = claim("rsi", 62.0, "index", as_of=day)
    both = asked("最近收盘450.39元，市盈率31.51倍。以上数据昨日。", CLOSE, PE)
    assert checks(both) == ["period"]
    assert asked("最近收盘450.39元，RSI为62.0。以上数据昨日。", CLOSE, rsi).ok
