"""Reports by rule, read as an analyst would: right words and periods, what is missing, no advice.

The figures are of the companies' own annual reports and of the bundled valuation of 2017-05-25.
"""

import re
from datetime import date
from functools import cache

import pytest

from services.agents.composing_market import MarketReport
from services.agents.results import AgentRunRequest, AgentRunResult, AnalysisInput
from services.container import build_services
from services.core.ledger import Ledger
from services.core.text import Language, Text
from services.settings import load_settings
from services.statements.proved_texts import Made, unproved
from tests.fakes import everything
from tests.unit.agents.kit import services

COMPANIES = (
    *("600036.SH", "002594.SZ", "300104.SZ", "000002.SZ", "600519.SH", "00700.HK", "AAPL", "TSLA"),
    *("600085.SH", "601766.SH", "300059.SZ", "000858.SZ", "02333.HK", "03333.HK", "02318.HK"),
)
ADVICE = re.compile(
    r"买入|卖出|加仓|减仓|建仓|清仓|止损|推荐|目标价|值得投资|看好|看空|应当?持有"
    r"|\b(?:buy|sell|hold|overweight|underweight|target price|recommend)\b",
    re.IGNORECASE,
)
TYPED = re.compile(r"\{\{|\}\}|\bNone\b|\bnan\b|\[\]|  |，，|；；|：，|。。|, ,|;;")


# Places, days, periods, codes, and names of figures that have a number in them.
ALLOWED = re.compile(
    r"\{\{c:\w+(?:\|(?:short|[1-4]))?\}\}|\d{4}-\d\d-\d\d|FY\d{4}|\d{4}(?:年报|中报|一季报|三季报)"
    r"|\(\d{5,6}\.\w\w\)|MA\(\d+\)|RSI\(14\)|(?:5、20、)?(?:20|60) 日|(?:20|60)-session"
    r"|\d{4}年|\d+月\d+日|\d+ [A-Z][a-z]+(?: \d{4})?|20 个交易日|20 sessions|5-, 20- and 60"
)


def report(symbol: str | None, language: Language = "zh", question: str = "") -> AgentRunResult:
    # A cache tells `report(x)` from `report(x, "zh")`: here they are the same.
    return _report(symbol, language, question)


@cache
def _report(symbol: str | None, language: Language, question: str) -> AgentRunResult:
    request = AgentRunRequest(
        symbol=symbol, language=language, question=question, mode="stock" if symbol else "market"
    )
    found = services().analyses.run(request, "s_test")
    assert isinstance(found, AgentRunResult)
    return found


def texts(found: AgentRunResult) -> tuple[str, ...]:
    told = found.final_report
    return (told.summary, *told.key_points, *told.recommendations, *told.risk_factors)


def unmarked(text: str) -> str:
    return re.sub(r"(?: \[E\d+\])+$", "", text)


def lines(symbol: str, language: Language = "zh") -> list[str]:
    return [unmarked(text) for text in texts(report(symbol, language))]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("symbol", COMPANIES)
def test_every_statement_by_rule_holds(symbol: str, language: Language) -> None:
    found = report(symbol, language)
    assert found.runtime_draft.runtime == "builtin"
    assert found.runtime_draft.note == (
        Text("没有配置模型，由规则撰写", "written by rule, as no model is configured")
    )  # nothing was left out as unproved


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("symbol", COMPANIES)
def test_a_report_reads_as_one(symbol: str, language: Language) -> None:
    found = report(symbol, language)
    assert found.final_report.summary
    assert found.final_report.key_points
    assert found.final_report.recommendations
    for text in texts(found):
        assert ADVICE.search(text) is None, text
        assert TYPED.search(text) is None, text
        assert unmarked(text)[-1] == ("。" if language == "zh" else "."), text
    own = [text for text in texts(found) if "「" not in text and "《" not in text]
    if language == "en":
        name = found.analysis_input.name or ""
        left = [re.sub("[一-鿿]", "", text.replace(name, "")) for text in own]
        assert [
            t for t, kept in zip(own, left, strict=True) if len(t) - len(kept) > len(name)
        ] == []


@pytest.mark.parametrize("symbol", COMPANIES)
def test_every_statement_with_a_figure_has_its_marks(symbol: str) -> None:
    found = report(symbol)
    known = {one.marker for one in found.evidence}
    for template, text in zip(found.runtime_draft.texts, texts(found), strict=True):
        marks = set(re.findall(r"\[(E\d+)\]", text))
        assert marks <= known
        assert bool(marks) == ("{{c:" in template), text


@pytest.mark.parametrize("symbol", COMPANIES)
def test_a_close_is_called_one_and_no_figure_is_typed(symbol: str) -> None:
    for language in ("zh", "en"):
        found = report(symbol, language)
        assert not any("当前价" in text or "current price" in text for text in texts(found))
        for template in found.runtime_draft.texts:
            if "异动" not in template and "abnormal" not in template:
                assert re.search(r"\d", ALLOWED.sub("", template)) is None, template


def test_a_bank_with_everything() -> None:
    told = lines("600036.SH")
    # The answer first, then the figures one looks for, then of when they are.
    assert told[0].startswith("招商银行有利有弊：营业收入、净利润连续四年增长，")
    assert "；但营业收入增速放缓，净资产收益率连续四年下降，净利率低于2012年。" in told[0]
    assert (
        "截至7月25日，最近收盘 25.53元。截至5月25日，总市值 5,526亿元、市盈率(TTM) 8.67倍"
        in told[0]
    )
    assert told[0].endswith("数据：2016年报；行情 2017-07-25；估值 2017-05-25。")
    # Revenue 209,025 m in 2016, 201,471 m in 2015, 165,863 m in 2014, 113,367 m in 2012:
    # 209025 / 201471, 201471 / 165863, (209025 / 113367) to the quarter.
    assert told[1].startswith(
        "业绩：2016年，营业收入 2,090亿元，同比增长 3.75%，增速由上年的 21.5% 放缓，"
        "自2012年（1,134亿元）起连续四年增长，年均增长 16.5%。"
    )
    assert "净资产收益率 15.4%，自2012年（22.6%）起连续四年下降" in told[1]
    # 8.67 / 13.34; and the multiples are two months older than the price, which has gone by
    # 25.53 / (5525.67 / 252.2) since.
    assert told[2].startswith(
        "估值：截至5月25日，市盈率(TTM) 8.67倍，比十家同行中位数 11.2倍低 22.8%；"
    )
    assert told[2].endswith(
        "上述倍数按5月24日的股价约 21.91元计，此后股价已上涨约 16.5%，倍数没有随之更新。"
    )
    # 25.53 / 21.6003, the mean of the last 60 closes held.
    assert told[3].startswith("股价：截至7月25日，最近收盘 25.53元，比 60 日均线 21.60元高 18.2%，")
    assert "没有取得：新闻、联网检索（原因见说明）。" in told
    lost = "来源缺若干交易日的日线，均线与指标按有日线的交易日计算，缺几日见各数字的出处。"
    assert lost in told
    assert "异动：缺日线的交易日和紧随其后的交易日未能判断，共几日见说明。" in told
    warned = report("600036.SH", "zh").warnings
    assert any(one.zh.startswith("异动：") and "日缺日线" in one.zh for one in warned)
    assert not any("来源缺若干" in line for line in lines("00700.HK"))


def test_a_company_of_another_currency_keeps_each_in_its_own() -> None:
    told = lines("00700.HK")
    # Prices in HKD, reports in CNY: revenue of 2016 151,938 m, net profit 41,095 m.
    assert "最近收盘 300.20港元" in told[0]
    assert "营业收入 1,519亿元，同比增长 47.7%" in told[1]
    assert "净利润 411亿元" in told[1]


def test_a_company_without_bars_or_reports_says_so_and_has_no_course() -> None:
    told = lines("600519.SH")
    assert "截至5月25日，推算股价约 450.39元，总市值 5,657亿元" in told[0]
    assert not any(line.startswith("股价") for line in told)
    assert "没有取得：历史行情、财报、技术指标、新闻、联网检索（原因见说明）。" in told


def test_falling_results_are_said_against_it() -> None:
    told = lines("AAPL")
    # Fiscal 2016 against 2015: 215,639 m against 233,715 m; 45,687 m against 53,394 m.
    assert "但营业收入、净利润由增转降" in told[0]
    assert "但营业收入 2,156亿美元，同比下降 7.73%，上年还增长 27.9%" in told[1]
    assert "净利润 457亿美元，同比下降 14.4%，上年还增长 35.1%" in told[1]


def test_a_loss_is_called_one() -> None:
    # Tesla: net loss 674.9 m in 2016, 888.7 m in 2015.
    told = " ".join(lines("TSLA"))
    assert "净利润 -6.75亿美元，亏损收窄，上年为 -8.89亿美元" in told
    assert "net profit was -675 m USD, a narrower loss than -889 m USD a year before" in (
        " ".join(lines("TSLA", "en")).lower().replace(" m usd", " m USD")
    )
    assert "净利润同比" not in told  # no growth over a loss


def test_a_company_whose_trading_stopped_is_told_as_such() -> None:
    told = lines("300104.SZ")
    # LeEco was suspended on 2017-04-17; its last close is of the 14th.
    assert "截至4月14日，最近收盘 30.68元" in told[0]
    assert "行情止于 2017-04-14，此后停牌。" in told
    # Nothing of it is of the last 24 hours: 5. No peers, news, web pages: 15. Price and valuation
    # of 2017-04-14 and 2017-05-25: 10.
    assert report("300104.SZ").confidence == 70.0


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("symbol", COMPANIES)
def test_every_text_of_statements_is_told_again_the_same(symbol: str, language: Language) -> None:
    found = report(symbol, language)
    made = [Made.model_validate_json(m.model_dump_json()) for m in found.runtime_draft.made]
    assert made
    assert {one.text for one in made} <= set(found.runtime_draft.texts)
    assert unproved(made, found.claims) is None


def test_one_changed_word_of_a_report_is_named() -> None:
    found = report("600036.SH")
    results = next(one for one in found.runtime_draft.made if one.text.startswith("业绩"))
    lie = results.model_copy(update={"text": results.text.replace("下降", "上升", 1)})
    wrong = unproved([lie], found.claims)
    assert wrong is not None
    assert wrong.code == "another_text"
    assert "上升" in wrong.why.zh


def test_a_market_of_the_snapshot_is_told_as_a_whole_and_what_did_not_come_is_named() -> None:
    zh, en = report(None), report(None, "en")
    # The bundled A shares on 2017-05-25: 3,241 companies, 42.22 trillion yuan.
    assert unmarked(zh.final_report.key_points[1]).endswith(
        "截至5月25日，公司数 3,241家、总市值合计 42.2万亿元、有数据的公司(总市值) 3,112家、"
        "市盈率(TTM)中位数 49.6倍、市净率中位数 3.52倍、"
        "亏损/未给出(有总市值者，按市盈率(LYR)) 222家。"
    )
    assert unmarked(en.final_report.key_points[1]).endswith(
        "On 25 May, companies 3,241, total market cap 42.2 tn CNY, companies with a value "
        "(Market cap) 3,112, median P/E (TTM) 49.6 x, median P/B 3.52 x and loss or not given (of "
        "those valued, by P/E (LYR)) 222."
    )
    assert unproved(zh.runtime_draft.made, zh.claims) is None
    assert zh.final_report.risk_factors == (
        "没有取得：新闻（原因见说明）。",
        "没有取得的序列：采购经理指数、CPI、PPI、货币供应、LPR、市场资金流。",
    )
    assert zh.confidence == 60.0  # one source only, no news, six series: 5 + 5 + 6 × 5
    assert {one.rule for one in zh.deductions} == {"source_diversity", "failed_tools"}


def test_a_market_of_which_nothing_came_says_so() -> None:
    asked = AnalysisInput(
        question="",
        skill_id="market_overview",
        mode="market",
        market="CN",
        language="zh",
        as_of=date(2017, 7, 26),
        price_days=250,
        filing_periods=4,
        news_days=30,
    )
    told = MarketReport(asked, (), Ledger(lambda _request: ())).sections()
    assert told.summary == "没有取得任何市场数据，原因见下方说明。"
    assert told.key_points == [told.summary]


def test_a_market_is_told_series_by_series_with_its_newest_period() -> None:
    with everything.world() as world:
        live = build_services(
            load_settings({"YOUJU_STORE": ":memory:", **everything.environment(world)})
        )
        found = live.analyses.run(AgentRunRequest(skill_id="market"), "s_test")
        live.close()
    assert isinstance(found, AgentRunResult)
    told = [unmarked(text) for text in texts(found)]
    # The figures of the fake upstream (tests/fakes/eastmoney_tables.py) for its newest periods.
    assert any("制造业PMI 50.2点，比9月高 0.40点，在荣枯线 50点之上" in line for line in told)
    assert (
        "10月，CPI环比 0.20%，比9月高 0.10个百分点；CPI同比 0.20%，比9月高 0.50个百分点。" in told
    )
    assert "11月，LPR(1年) 3.00%，与10月持平；LPR(5年以上) 3.50%，与10月持平。" in told
    assert any(line.startswith("全市场：") and "主力净流入 1.20亿元" in line for line in told)
    assert unproved(found.runtime_draft.made, found.claims) is None
    assert found.analysis_input.symbol is None
    assert {one.name for one in found.tool_calls} == {"search_news", "get_macro_data"}


def test_an_english_reader_is_told_the_english_name_and_the_code() -> None:
    told = lines("600036.SH", "en")[0]
    assert told.startswith(
        "China Merchants Bank (600036.SH), a mixed picture: revenue and net profit have risen"
    )
    assert "On 25 July, last close 25.53 CNY. On 25 May, market cap 553 bn CNY" in told


def test_a_question_over_three_years_brings_three_years() -> None:
    found = report("600036.SH", "zh", "近三年怎么样")
    assert found.analysis_input.filing_periods == 3
    prices = next(one for one in found.tool_calls if one.name == "get_price_history")
    assert '"lookback": 1097' in prices.arguments


def test_the_same_is_written_again() -> None:
    request = AgentRunRequest(symbol="002594.SZ")
    one, other = (services().analyses.run(request, "s_test") for _ in "ab")
    assert isinstance(one, AgentRunResult)
    assert isinstance(other, AgentRunResult)
    assert texts(one) == texts(other)
    assert one.confidence == other.confidence
