"""What can be asked for by name: the figures of the catalogue, and inputs, texts and lists.

`company.finance.revenue` is `total_revenue` on the wire of the protocol (seed 002 §3).
"""

from collections.abc import Mapping
from typing import Literal

from services.core.catalogue import CATALOGUE, AskedAs, FigureEntry
from services.core.record import Record
from services.query.planning.plir import PhysicalAction

Kind = Literal["metric", "argument", "content"]


class MetadataEntry(Record):
    """One row of `biz_metadata`.

    `kind`: a figure (`metric`), an input (`argument`), or texts and lists (`content`).
    `short` stands in output keys (`var_rev`). `physical_metric` is the implied argument `metric`.
    `field`: what a market is screened by; `screener_field` is that of the contract.
    `financial_data_metric` is empty or `-` for what the tool of company figures does not give.
    """

    code: str
    name: str
    name_en: str = ""
    aliases: tuple[str, ...] = ()
    unit: str = "-"
    financial_data_metric: str = ""
    screener_field: str = ""
    field: str = ""
    meaning: str = ""
    short: str
    kind: Kind = "metric"
    action: PhysicalAction | None = None
    physical_metric: str = ""
    extractor: str = "$.data.value"


def _figure(row: FigureEntry, asked: AskedAs) -> MetadataEntry:
    return MetadataEntry(
        code=row.question_code or "",
        name=asked.name or row.zh,
        name_en=asked.name_en or row.en,
        aliases=_NAMES[row.question_code or ""],
        unit=_UNITS.get(row.unit, "-") if row.code is not None else "-",
        financial_data_metric="" if asked.tool == "-" else asked.tool or asked.metric or row.id,
        screener_field=row.screen.field if row.screen is not None and row.screen.tool else "",
        field=row.screen.field if row.screen is not None else "",
        meaning=row.meaning_en,
        short=asked.short,
        action=asked.action,
        physical_metric=asked.metric or row.id,
    )


def _names_by_code() -> Mapping[str, tuple[str, ...]]:
    """What a question may call the figure of each code: a name of two codes is left out, unless a
    figure claims it as its question."""
    rows = [row for row in CATALOGUE.figures.values() if row.asked is not None]
    owners: dict[str, tuple[str, str]] = {}
    for rank in ("questions", "says", "asks"):
        found: dict[str, dict[str, str]] = {}
        for row in rows:
            for name in (*(_labels(row) if rank == "says" else ()), *getattr(row, rank)):
                found.setdefault(name.casefold(), {})[row.question_code or ""] = name
        for key, codes in found.items():
            if len(codes) == 1:
                owners.setdefault(key, next(iter(codes.items())))
    named: dict[str, list[str]] = {row.question_code or "": [] for row in rows}
    for code, name in owners.values():
        named[code].append(name)
    return {code: tuple(names) for code, names in named.items()}


def _labels(row: FigureEntry) -> tuple[str, ...]:
    """The labels, where they may stand in a question: 最高 alone is a superlative there."""
    asked = row.asked
    return (row.zh, row.en) if asked is None or not asked.name else (asked.name,)


_NAMES = _names_by_code()
# The units of a code in its contract, by what the figure measures.
_UNITS: Mapping[str, str] = {
    **dict.fromkeys(("money", "price"), "CNY|HKD|USD"),
    **{unit: unit for unit in ("percent", "multiple", "shares")},
    "per_share": "CNY/share",
}


def _argument(code: str, name: str, short: str) -> MetadataEntry:
    return MetadataEntry(code=code, name=name, short=short, kind="argument")


def _content(
    code: str, name: str, short: str, action: PhysicalAction, extractor: str, *aliases: str
) -> MetadataEntry:
    return MetadataEntry(
        code=code,
        name=name,
        aliases=aliases,
        short=short,
        kind="content",
        action=action,
        extractor=extractor,
    )


def _macro(series: str, name: str, *aliases: str) -> MetadataEntry:
    return MetadataEntry(
        code=f"macro.{series}",
        name=name,
        aliases=aliases,
        short=series,
        kind="content",
        action="api_macro",
        physical_metric=series,
        extractor="$.data[*]",
    )


_FEED: PhysicalAction = "api_get_feed"
ENTRIES: tuple[MetadataEntry, ...] = (
    *(_figure(row, row.asked) for row in CATALOGUE.figures.values() if row.asked is not None),
    MetadataEntry(
        code="company.basic.ticker",
        name="公司名称",
        aliases=("股票", "公司", "标的", "证券代码"),
        screener_field="symbol",
        field="symbol",
        meaning="the entity slot of a query",
        short="ticker",
        kind="argument",
    ),
    MetadataEntry(
        code="company.basic.industry",
        name="所属行业",
        aliases=("行业", "板块"),
        meaning="industry label of the source that gave it",
        short="industry",
        kind="argument",
    ),
    MetadataEntry(
        code="common.date.report_period",
        name="报告期",
        aliases=("季度", "财报期", "年报", "季报", "中报"),
        meaning="latest | realtime | YYYY_Q1..Q4 | forecast",
        short="period",
        kind="argument",
    ),
    _content(
        "company.event.abnormal",
        "异动",
        "abn",
        "api_get_abnormal",
        "$.data.value",
        *("异常波动", "大涨", "大跌", "暴涨", "暴跌", "为什么涨", "为什么跌"),
    ).model_copy(
        update={
            "physical_metric": "abnormal",
            "meaning": "abnormal points and intervals with their reasons",
        }
    ),
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
    _argument("common.query.algebra", "查询式", "algebra"),
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
    _macro("money_supply", "货币供应量", "money supply", "M2", "M1", "货币供应"),
    _macro("gdp", "国内生产总值", "GDP", "经济增速", "经济增长"),
    _macro("lpr", "贷款市场报价利率", "LPR", "贷款利率"),
    _macro("social_financing", "社会融资规模", "社融", "social financing"),
    _macro("fund_flow", "大盘资金流", "资金流向", "主力资金", "主力净流入", "fund flow"),
    _content("common.text.opened", "网页内容", "page", "api_visit", "$.results[*]"),
)
