"""What the table of metric codes does not say: the physical side of each code, and more entries.

Data only. `company.finance.revenue` is `total_revenue` on the wire of the protocol (seed 002 §3).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from services.core.record import Record
from services.query.plir import PhysicalAction

Kind = Literal["metric", "argument", "content"]


class Entry(Record):
    """One row of `biz_metadata`.

    `kind`: a figure (`metric`), an input (`argument`), or texts and lists (`content`).
    `short` stands in output keys (`var_rev`). `physical_metric` is the implied argument `metric`.
    `financial_data_metric` is empty or `-` for what the tool of company figures does not give.
    """

    code: str
    name: str
    aliases: tuple[str, ...] = ()
    unit: str = "-"
    financial_data_metric: str = ""
    screener_field: str = ""
    meaning: str = ""
    short: str
    kind: Kind = "metric"
    action: PhysicalAction | None = None
    physical_metric: str = ""
    extractor: str = "$.data.value"


@dataclass(frozen=True, slots=True)
class Template:
    """The physical side of a row of the table."""

    short: str
    action: PhysicalAction | None = None
    physical_metric: str = ""
    kind: Kind = "metric"
    aliases: tuple[str, ...] = ()


_FINANCIAL: PhysicalAction = "api_get_financial"
_QUOTE: PhysicalAction = "api_get_quote"

TEMPLATES: Mapping[str, Template] = {
    "company.basic.ticker": Template("ticker", kind="argument"),
    "company.basic.industry": Template("industry", kind="argument"),
    "common.date.report_period": Template("period", kind="argument"),
    "company.finance.revenue": Template(
        "rev", _FINANCIAL, "total_revenue", aliases=("营业总收入",)
    ),
    "company.finance.net_profit": Template("profit", _FINANCIAL, aliases=("赚了多少", "赚多少钱")),
    "company.finance.total_liabilities": Template("liab", _FINANCIAL),
    "company.finance.total_assets": Template("assets", _FINANCIAL, "total_assets"),
    "company.finance.equity": Template("equity", _FINANCIAL, "equity"),
    "company.finance.eps": Template("eps", _FINANCIAL, aliases=("earnings per share",)),
    "company.finance.dps": Template("dps", _FINANCIAL, "dps", aliases=("dividend per share",)),
    "company.finance.roe": Template("roe", _FINANCIAL, aliases=("return on equity",)),
    "company.finance.gross_margin": Template("gm", _FINANCIAL, "gross_margin"),
    "company.finance.net_margin": Template("nm", _FINANCIAL, "net_margin", aliases=("净利润率",)),
    "company.finance.debt_to_assets": Template("debt", _FINANCIAL, "debt_to_assets"),
    "company.valuation.pe_ttm": Template("pe", _FINANCIAL, aliases=("P/E", "PE ratio", "本益比")),
    "company.valuation.pe_lyr": Template("pelyr", _FINANCIAL, aliases=("静态PE",)),
    "company.valuation.pb": Template("pb", _FINANCIAL, aliases=("P/B", "price to book")),
    "company.valuation.ps_ttm": Template("ps", _QUOTE, "ps_ttm", aliases=("P/S",)),
    "company.valuation.dividend_yield": Template("dy", _FINANCIAL, aliases=("分红收益率",)),
    "company.quote.market_cap": Template("cap", _QUOTE, "market_cap", aliases=("market value",)),
    "company.quote.price": Template(
        "price", _QUOTE, "price", aliases=("收盘", "多少钱", "stock price", "share price", "close")
    ),
    "company.quote.pct_change": Template("pct", _QUOTE, "pct_change", aliases=("涨跌幅度",)),
    "company.quote.volume": Template("vol", _QUOTE, "volume"),
    "company.quote.amount": Template("amt", _QUOTE, "amount", aliases=("turnover",)),
    "company.event.abnormal": Template("abn", "api_get_abnormal", "abnormal", kind="content"),
}


def _figure(code: str, name: str, short: str, metric: str, *aliases: str) -> Entry:
    """A figure of the tool of company figures that the table has no row for."""
    return Entry(
        code=code,
        name=name,
        aliases=aliases,
        financial_data_metric=metric,
        short=short,
        action=_FINANCIAL,
        physical_metric=metric,
    )


def _quoted(code: str, name: str, short: str, metric: str, *aliases: str) -> Entry:
    return Entry(
        code=code, name=name, aliases=aliases, short=short, action=_QUOTE, physical_metric=metric
    )


def _argument(code: str, name: str, short: str) -> Entry:
    return Entry(code=code, name=name, short=short, kind="argument")


def _content(
    code: str, name: str, short: str, action: PhysicalAction, extractor: str, *aliases: str
) -> Entry:
    return Entry(
        code=code,
        name=name,
        aliases=aliases,
        short=short,
        kind="content",
        action=action,
        extractor=extractor,
    )


def _macro(series: str, name: str, *aliases: str) -> Entry:
    return Entry(
        code=f"macro.{series}",
        name=name,
        aliases=aliases,
        short=series,
        kind="content",
        action="api_macro",
        physical_metric=series,
        extractor="$.data[*]",
    )


_FIN = "company.finance."
_FEED: PhysicalAction = "api_get_feed"
MORE: tuple[Entry, ...] = (
    _figure(_FIN + "bps", "每股净资产", "bps", "bps", "BPS", "book value per share"),
    _figure(
        _FIN + "revenue_yoy",
        "营收同比",
        "revyoy",
        "revenue_yoy",
        *("营收增速", "营收增长率", "营业收入增长率", "收入增速", "营业收入同比", "revenue growth"),
    ),
    _figure(
        _FIN + "net_profit_yoy",
        "净利润同比",
        "profityoy",
        "net_profit_yoy",
        *("净利润增速", "净利润增长率", "利润增速", "净利增速", "profit growth"),
    ),
    _quoted("company.quote.open", "开盘价", "open", "open", "开盘", "open price"),
    _quoted("company.quote.high", "最高价", "high", "high"),
    _quoted("company.quote.low", "最低价", "low", "low"),
    _quoted("company.quote.previous_close", "前收盘价", "prev", "previous_close", "昨收", "前收盘"),
    _quoted("company.quote.change", "涨跌额", "chg", "change"),
    _quoted("company.quote.total_shares", "总股本", "shares", "total_shares", "股本"),
    _argument("common.market.category", "市场", "category"),
    _argument("common.screen.order_by", "排序", "order_by"),
    _argument("common.screen.order", "顺序", "order"),
    _argument("common.screen.size", "数量", "size"),
    _argument("common.screen.offset", "名次", "offset"),
    _argument("common.date.count", "期数", "count"),
    _argument("common.date.time_range", "时间范围", "time_range"),
    _argument("common.date.start_date", "开始日期", "start_date"),
    _argument("common.date.end_date", "结束日期", "end_date"),
    _argument("common.search.query", "关键词", "query"),
    _argument("common.search.url", "链接", "url"),
    _argument("common.search.user", "用户", "user"),
    _argument("common.search.scope", "内容来源", "scope"),
    _argument("common.macro.series", "宏观指标", "series"),
    _argument("common.feed.wants", "内容", "wants"),
    _content(
        "company.feed.notices",
        "公告",
        "notices",
        _FEED,
        "$.notices[*]",
        *("notice", "notices", "announcements", "filings"),
    ),
    _content("company.feed.new", "最新讨论", "new", _FEED, "$.feed_new[*]", "讨论", "discussions"),
    _content("company.feed.hot", "最热讨论", "hot", _FEED, "$.feed_hot[*]", "热帖", "hot posts"),
    _content("company.feed.influencers", "大V", "users", _FEED, "$.influencers[*]", "影响力用户"),
    _content("company.feed.quote", "行情", "quote", _FEED, "$.quote", "quote"),
    _content(
        "company.quote.bars", "历史行情", "bars", "api_get_price_history", "$.data[*]", "走势"
    ),
    _content("company.peers", "同行对比", "peers", "api_compare", "$.data[*]", "同行", "peers"),
    _content("common.list", "股票列表", "list", "api_screen", "$.data[*]", "选股", "stocks"),
    _content("common.text.passages", "知识", "know", "api_search_knowledge", "$.passages[*]"),
    _content("common.text.pages", "网页", "web", "api_web_search", "$.searches[*].results[*]"),
    _content("common.text.posts", "帖子", "posts", "api_xq_search", "$.searches[*].results[*]"),
    _content("common.user.posts", "用户动态", "user", "api_user_feed", "$.posts[*]"),
    _macro("cpi", "居民消费价格指数", "CPI", "通胀", "通货膨胀", "物价", "inflation"),
    _macro("ppi", "工业生产者出厂价格指数", "PPI"),
    _macro("pmi", "采购经理指数", "PMI", "制造业PMI", "非制造业PMI"),
    _macro("money_supply", "货币供应量", "M2", "M1", "货币供应", "money supply"),
    _macro("gdp", "国内生产总值", "GDP", "经济增速", "经济增长"),
    _macro("lpr", "贷款市场报价利率", "LPR", "贷款利率"),
    _macro("social_financing", "社会融资规模", "社融", "social financing"),
    _macro("fund_flow", "大盘资金流", "资金流向", "主力资金", "主力净流入", "fund flow"),
    _content("common.text.opened", "网页内容", "page", "api_visit", "$.results[*]"),
)
