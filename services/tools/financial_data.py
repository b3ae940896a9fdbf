"""Tool `xqStockFinancialData`: reported and derived figures of one company, by period."""

from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

from services.core.claims import Claim, Figure
from services.core.periods import FORECAST, VALID, Period
from services.core.symbols import Symbol
from services.core.units import CURRENCIES
from services.market import fundamentals
from services.market.report_sheet import RATIOS
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.schema import Whole, argument
from services.tools.wire import Scaled, notes_of, unit_words

# The nine the requirement names, then those this workbench also has.
WIRE_METRICS = (
    "dy_l",
    "pe_ttm",
    "pe_lyr",
    "roe",
    "pb",
    "net_profit",
    "revenue",
    "total_liabilities",
    "eps",
)
MORE_METRICS = (
    "total_assets",
    "equity",
    "dps",
    "bps",
    "gross_margin",
    "net_margin",
    "debt_to_assets",
    "revenue_yoy",
    "net_profit_yoy",
)


def _require_known(text: str) -> str:
    if text not in WIRE_METRICS and text not in MORE_METRICS:
        raise ValueError("unknown metric")
    return text


def _period(text: str) -> str:
    if text not in {"latest", "realtime"} and not FORECAST.fullmatch(text):
        return str(Period.parse(text))
    return text


Metric = Annotated[
    str,
    AfterValidator(_require_known),
    WithJsonSchema({"type": "string", "enum": list(WIRE_METRICS)}),
]


@tool("xqStockFinancialData")
def financial_data(
    context: ToolContext,
    *,
    symbol: Annotated[
        str,
        argument(
            "股票代码，如 SH600519。",
            valid="a stock code such as SH600519",
            min_length=1,
            max_length=60,
        ),
    ],
    metrics: Annotated[
        list[Metric],
        Field(min_length=1, max_length=20),
        argument(
            "需查询的财务指标列表：dy_l (股息率)、pe_ttm (市盈率TTM)、pe_lyr (市盈率LYR)、"
            "roe (净资产收益率)、pb (市净率)、net_profit (净利润)、revenue (营业收入)、"
            "total_liabilities (总负债)、eps (每股收益)。",
            valid="a list of one or more of " + " | ".join((*WIRE_METRICS, *MORE_METRICS)),
        ),
    ],
    period: Annotated[
        str,
        AfterValidator(_period),
        argument(
            "数据报告期/时间类型。latest：最新一期财报数据（默认）；"
            "realtime：实时数据（针对 PE/PB/股息率等）；"
            "YYYY_Q1/Q2/Q3/Q4：指定具体财报期，如 2023_q4；forecast：机构预期。",
            valid=VALID,
            required=True,
        ),
    ] = "latest",
    count: Annotated[
        int,
        Whole(1, 40),
        argument("返回的历史期数，默认 1。period=latest、count=3 表示最近 3 期。"),
    ] = 1,
) -> ToolOutput:
    """检索个股在特定时间段内的结构化财务指标（DATA_QUERY）。支持历史财报数据。

    返回 data：每期一行，金额单位亿（币种见 units），比率为 %，每股数据不换算。
    来源没有的数据为 null，原因在 reasons；notes 说明口径（累计数、ROE 口径、机构预期的样本）。
    港股财报币种可能与股价不同，不跨币种相除。
    """
    found_symbol = context.bench.names.resolve(symbol)
    found = fundamentals.financial_data(
        context.ledger,
        found_symbol,
        tuple(dict.fromkeys(metrics)),
        period=period,
        count=count,
        clock=context.bench.clock,
    )
    rows: list[dict[str, object]] = []
    written: list[tuple[str, Figure | Scaled]] = []
    for each in found.periods:
        row: dict[str, object] = {"period": each}
        for metric, figures in found.figures.items():
            if each in figures:
                row[metric] = in_yi(figures[each])
                written.append((metric, in_yi(figures[each])))
        rows.append(row)
    result: dict[str, object] = {
        "symbol": Symbol(found.symbol).xueqiu,
        "data": rows,
        "units": unit_words(written),
    }
    if said := _notes(found, period):
        result["notes"] = said
    return ToolOutput(result, found)


def _notes(found: fundamentals.FinancialData, period: str) -> list[str]:
    """What holds for the whole answer, and how the source defines a ratio or makes an estimate."""
    told = [note.zh for note in found.notes]
    told += notes_of(
        (metric, figure)
        for metric, figures in found.figures.items()
        if FORECAST.fullmatch(period) or metric in RATIOS
        for figure in figures.values()
    )
    return told


def in_yi(figure: Figure) -> Figure | Scaled:
    """Amounts of money in 亿 of their currency, as the requirement has it; the rest unchanged."""
    if isinstance(figure, Claim) and figure.unit in CURRENCIES:
        return Scaled(figure, f"{figure.unit}_yi")
    return figure
