"""Tool `xqSearchStockFeed`: one stock's quote and abnormal events; posts need a live source."""

from typing import Annotated, Literal

from services.core.claims import Claim, Figure
from services.core.errors import InputError, NoDataError
from services.core.symbols import Symbol
from services.market import events, quotes
from services.tools.arguments import DAY_FORM, DayText, TimeRange, Window, window
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.schema import argument
from services.tools.wire import Absent, Cited, unit_words

_NAME = "a stock, fund or index name of up to 60 characters, such as 贵州茅台"
_QUOTE_FIELDS = (
    "previous_close",
    "change",
    "pct_change",
    "open",
    "high",
    "low",
    "volume",
    "market_cap",
    "total_shares",
    "pe_ttm",
    "pe_lyr",
    "pb",
    "dy_l",
)
_NO_FEED = "快照不含雪球{what}：需要实时来源（live 模式）"


@tool("xqSearchStockFeed")
def stock_feed(
    context: ToolContext,
    *,
    stock_name: Annotated[
        str,
        argument(
            "与用户问题最相关的股票、基金或指数的名称（非代码）。",
            wire="stockName",
            valid=_NAME,
            max_length=60,
        ),
    ],
    stock_search_query: Annotated[
        str,
        argument(
            "当系统无法解析出明确标的信息时，用此关键词做站内检索，作为兜底。",
            wire="stockSearchQuery",
            max_length=60,
        ),
    ],
    search_stock_feed_new: Annotated[
        bool,
        argument(
            "是否查询该标的对应时间段内的最新讨论。内容更新及时但可能含噪音。",
            wire="searchStockFeedNew",
        ),
    ],
    search_stock_feed_hot: Annotated[
        bool,
        argument(
            "是否查询该标的对应时间段内的最热讨论。讨论热度高于「最新讨论」。",
            wire="searchStockFeedHot",
        ),
    ],
    search_stock_notice: Annotated[
        bool,
        argument(
            "是否查询该标的的公告（重大事项、业绩、风险、股权变动、发行、配股增发等）。",
            wire="searchStockNotice",
        ),
    ],
    search_stock_quote: Annotated[
        bool, argument("是否查询该标的的实时行情。", wire="searchStockQuote")
    ],
    search_stock_influencer: Annotated[
        bool,
        argument("是否查询针对该标的发帖较多的影响力用户信息。", wire="searchStockInfluencer"),
    ],
    time_range: Annotated[
        TimeRange,
        argument(
            "检索内容的时间范围：OneDay、OneWeek、OneMonth、OneYear、NoLimit（默认）。给出日期时以日期为准。",
            wire="timeRange",
            required=True,
        ),
    ] = "NoLimit",
    start_date: Annotated[
        DayText,
        argument(
            "开始日期 YYYY-MM-DD；不需要时间限制时传空字符串。", wire="startDate", valid=DAY_FORM
        ),
    ],
    end_date: Annotated[
        DayText,
        argument(
            "结束日期 YYYY-MM-DD；不需要时间限制时传空字符串。", wire="endDate", valid=DAY_FORM
        ),
    ],
    scope: Annotated[
        Literal["all", "pgc", "ugc"],
        argument(
            "个股讨论流的内容来源。all：全量（默认）；pgc：仅看新闻/资讯/公告；ugc：仅看球友讨论。",
            required=True,
        ),
    ] = "all",
    search_stock_abnormal: Annotated[
        bool,
        argument(
            "是否查询异动归因：timeRange 指定区间内的异动点及区间异动总结。"
            "若无异动，返回 null。默认 false。",
            wire="searchStockAbnormal",
            required=True,
        ),
    ] = False,
) -> ToolOutput:
    """雪球个股检索：某只股票、基金或指数的行情、异动、讨论、公告、大 V。

    返回 quote（metric 为 close 时只能称「最近收盘」，为 current_price 时才能称「当前价」）、
    abnormal_events（date、type、result、reason）；没有的内容为 null，原因在 reasons。
    快照模式不含讨论、公告与影响力用户；无法解析名称时不猜测，会列出候选。
    """
    days = window(time_range, start_date, end_date, context.bench.clock.now().date())
    symbol = _resolved(context, stock_name, stock_search_query)
    result: dict[str, object] = {
        "stock": {
            "symbol": symbol.xueqiu,
            "code": symbol.value,
            "name": context.bench.names.name(symbol),
            "market": symbol.market,
        },
        "start": days.start or Absent("未限定开始日期"),
        "end": days.end,
        "scope": scope,
        "quote": _quote(context, symbol) if search_stock_quote else _unasked("searchStockQuote"),
        "abnormal_events": (
            _events(context, symbol, days)
            if search_stock_abnormal
            else _unasked("searchStockAbnormal")
        ),
        "feed_new": _feed("最新讨论", "searchStockFeedNew", asked=search_stock_feed_new),
        "feed_hot": _feed("最热讨论", "searchStockFeedHot", asked=search_stock_feed_hot),
        "notices": _feed("公告", "searchStockNotice", asked=search_stock_notice),
        "influencers": _feed("影响力用户", "searchStockInfluencer", asked=search_stock_influencer),
    }
    return ToolOutput(result, symbol)


def _resolved(context: ToolContext, name: str, fallback: str) -> Symbol:
    """The stock meant; the fallback keywords only where the name says nothing."""
    names = context.bench.names
    texts = {"stockName": name.strip(), "stockSearchQuery": fallback.strip()}
    first: InputError | None = None
    for argument_name, text in texts.items():
        if not text:
            continue
        try:
            return names.resolve(text)
        except InputError as error:
            first = first or InputError(argument_name, text, error.valid, choices=error.choices)
    raise first or InputError("stockName", name, _NAME)


def _quote(context: ToolContext, symbol: Symbol) -> object:
    bench = context.bench
    try:
        quote = quotes.quote(context.ledger, symbol, bench.names, bench.calendar, bench.clock)
    except NoDataError as error:
        return Absent(error.why)
    price = quote.price
    figures: dict[str, Figure] = {name: getattr(quote, name) for name in _QUOTE_FIELDS}
    return {
        "price": price,
        "metric": price.metric if isinstance(price, Claim) else Absent(price.reason),
        "as_of": price.as_of if isinstance(price, Claim) else Absent(price.reason),
        "currency": quote.currency,
        **figures,
        "is_open": quote.is_open,
        "notes": list(quote.notes),
        "units": unit_words([("price", price), *figures.items()]),
    }


def _events(context: ToolContext, symbol: Symbol, days: Window) -> object:
    try:
        found = events.abnormal_events(context.ledger, symbol, days.start, days.end)
    except NoDataError as error:
        return Absent(error.why)
    if not found:
        return Absent(f"{days.start or '有行情以来'} 至 {days.end} 没有达到异动规则的交易日")
    return [
        {
            "date": event.end,
            "start": event.start,
            "end": event.end,
            "type": event.kind,
            "result": event.result,
            "reason": Cited(event.reason, {item.claim_id: item for item in event.claims}),
            "explained": event.explained,
            "rules": list(event.rules),
            "caveats": list(event.caveats),
        }
        for event in found
    ]


def _feed(what: str, name: str, *, asked: bool) -> Absent:
    return Absent(_NO_FEED.format(what=what)) if asked else _unasked(name)


def _unasked(name: str) -> Absent:
    return Absent(f"未要求查询（{name}=false）")
