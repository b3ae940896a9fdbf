"""Tool `get_price_history`: bars of one symbol, as seed 004 words it."""

from datetime import date, timedelta
from typing import Annotated, Literal

from services.core.claims import Figure, Missing
from services.core.errors import NoDataError
from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.core.text import Text
from services.market import history, intraday
from services.tools.arguments import MarketName, StockCode, resolve_listed
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.schema import Whole, argument
from services.tools.wire import unit_words

_FIELDS = ("open", "high", "low", "close", "volume")
_MOST_SESSIONS = 250


@tool("get_price_history")
def price_history(
    context: ToolContext,
    *,
    symbol: StockCode,
    market: MarketName,
    interval: Annotated[
        Literal["1d", "1h", "5m", "1m"], argument("K 线周期，默认 1d；快照模式只有日线。")
    ] = "1d",
    lookback: Annotated[
        int, Whole(1, 10_000, "integer"), argument("回溯天数（自然日），默认 365。")
    ] = 365,
) -> ToolOutput:
    """获取股票历史价格数据：某只股票或指数最近一段时间的开高低收与成交量。

    返回 bars（最早的在前）、source、as_of（最后一根的时间）、note（复权方式）、gaps（停牌或缺口）。
    停牌日没有数据，不补齐。1h、5m、1m 只有实时来源才有，且只有最近几个交易日；
    其 time 为该根结束的当地时间。
    快照的 A 股为加法前复权序列，不能据此计算长期收益或市盈率；快照没有分钟线。
    """
    bench = context.bench
    found_symbol = resolve_listed(bench.names, symbol, market)
    today = bench.clock.now().date()
    start = today - timedelta(days=lookback)
    if interval != "1d":
        return _intraday(context, found_symbol, interval, start, today)
    try:
        found = history.price_history(
            context.ledger, found_symbol, start, today, calendar=bench.calendar
        )
    except NoDataError as error:
        raise _longer(error, start, today) from error
    return ToolOutput(_result(context.ledger, found), found)


def _longer(error: NoDataError, start: date, today: date) -> NoDataError:
    """The same, telling a model how to look farther back."""
    advice = f"可增大 lookback（现为 {start} 至 {today}）"
    return NoDataError(error.what, error.why, advice=advice)


def _intraday(
    context: ToolContext,
    symbol: Symbol,
    interval: Literal["1h", "5m", "1m"],
    start: date,
    today: date,
) -> ToolOutput:
    if context.bench.settings.mode == "snapshot":
        raise NoDataError(
            f"get_price_history {symbol} {interval}",
            Text("快照只含日线", "the snapshot has daily bars only"),
            advice="请用 interval=1d",
        )
    sessions = context.bench.calendar.sessions(symbol.market, start, today)
    days = min(max(len(sessions), 1), _MOST_SESSIONS)
    try:
        found = intraday.intraday_history(context.ledger, symbol, interval, days, start)
    except NoDataError as error:
        raise _longer(error, start, today) from error
    bars: list[dict[str, object]] = []
    written: list[tuple[str, Figure]] = []
    for bar in found.bars:
        figures = {name: bar.figures.get(name) or _absent(found.symbol, name) for name in _FIELDS}
        bars.append({"time": bar.time, **figures})
        written += figures.items()
    result: dict[str, object] = {
        "symbol": symbol.xueqiu,
        "bars": bars,
        "source": found.call.source,
        "as_of": found.bars[-1].time,
        "gaps": [],
        "note": found.note,
        "units": unit_words(written),
    }
    return ToolOutput(result, found)


def _result(ledger: Ledger, found: history.PriceHistory) -> dict[str, object]:
    bars: list[dict[str, object]] = []
    written: list[tuple[str, Figure]] = []
    for bar in found.bars:
        figures = {name: _figure(ledger, found, bar.date, name) for name in _FIELDS}
        bars.append({"time": bar.date, **figures})
        written += figures.items()
    gaps = [{"start": gap.start, "end": gap.end, "kind": gap.kind} for gap in found.gaps]
    return {
        "symbol": Symbol(found.symbol).xueqiu,
        "bars": bars,
        "source": found.call.source,
        "as_of": found.bars[-1].date,
        "gaps": gaps,
        "note": found.note,
        "units": unit_words(written),
    }


def _figure(ledger: Ledger, found: history.PriceHistory, day: date, metric: str) -> Figure:
    if found.has(day, metric):
        return found.claim(ledger, day, metric)
    return _absent(found.symbol, metric)


def _absent(symbol: str, metric: str) -> Missing:
    return Missing(
        metric=metric, symbol=symbol, reason=Text("来源未给出", "not given by the source")
    )
