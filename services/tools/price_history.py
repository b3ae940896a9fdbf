"""Tool `get_price_history`: bars of one symbol, as seed 004 words it."""

from datetime import date, timedelta
from typing import Annotated, Literal

from services.core.claims import Figure, Missing
from services.core.errors import InputError, NoDataError
from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.market import history
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.schema import Whole, argument
from services.tools.wire import unit_words

_FIELDS = ("open", "high", "low", "close", "volume")


@tool("get_price_history")
def price_history(
    context: ToolContext,
    *,
    symbol: Annotated[
        str,
        argument(
            "股票代码", valid="a stock code such as AAPL or 600519", min_length=1, max_length=60
        ),
    ],
    market: Annotated[Literal["CN", "HK", "US"], argument("市场：CN、HK、US，须与股票代码一致。")],
    interval: Annotated[
        Literal["1d", "1h", "5m", "1m"], argument("K 线周期，默认 1d；快照模式只有日线。")
    ] = "1d",
    lookback: Annotated[
        int, Whole(1, 10_000, "integer"), argument("回溯天数（自然日），默认 365。")
    ] = 365,
) -> ToolOutput:
    """获取股票历史价格数据：某只股票或指数最近一段时间的开高低收与成交量。

    返回 bars（最早的在前）、source、as_of（最后一根的日期）与 gaps（停牌或来源缺口）。
    停牌日没有数据，不补齐。
    A 股为加法前复权序列，不能据此计算长期收益或市盈率；没有分钟线。
    """
    found_symbol = context.bench.names.resolve(symbol)
    if found_symbol.market != market:
        raise InputError("market", market, f"{found_symbol.market} for {found_symbol}")
    today = context.bench.clock.now().date()
    if interval != "1d":
        raise NoDataError(
            f"get_price_history {found_symbol} {interval}", "快照只含日线，请用 interval=1d"
        )
    start = today - timedelta(days=lookback)
    try:
        found = history.price_history(context.ledger, found_symbol, start, today)
    except NoDataError as error:
        hint = f"{error.why.split(' | ')[0]}；可增大 lookback（现为 {start} 至 {today}）"
        raise NoDataError(error.what, hint) from error
    return ToolOutput(_result(context.ledger, found), found)


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
    return Missing(metric=metric, symbol=found.symbol, reason="来源未给出")
