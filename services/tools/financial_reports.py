"""Tool `get_financial_reports`: the last reports of one company, a row each, newest first."""

from typing import Annotated, Literal

from services.core.claims import Claim, Figure, ToolCite
from services.core.symbols import Symbol
from services.market import fundamentals
from services.market.fundamentals import FinancialData
from services.tools.arguments import MarketName, StockCode, company
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.financial_data import in_yi
from services.tools.schema import Whole, argument
from services.tools.wire import Absent, Scaled, notes_of, unit_words

METRICS = (
    "revenue",
    "revenue_yoy",
    "net_profit",
    "net_profit_yoy",
    "eps",
    "dps",
    "roe",
    "gross_margin",
    "net_margin",
    "total_assets",
    "total_liabilities",
    "debt_to_assets",
    "equity",
)
_NOTED = ("revenue", "roe", "gross_margin", "net_margin")


@tool("get_financial_reports")
def financial_reports(
    context: ToolContext,
    *,
    symbol: StockCode,
    market: MarketName,
    period_type: Annotated[
        Literal["annual", "quarterly"],
        argument("报告类型。annual：只看年报（默认）；quarterly：年报、中报与季报都算。"),
    ] = "annual",
    count: Annotated[int, Whole(1, 20, "integer"), argument("最近几期，默认 4。")] = 4,
) -> ToolOutput:
    """获取公司财报：最近几期的营收、净利润、每股收益、ROE、利润率、资产负债与归母净资产。

    返回 reports（最新一期在前，每期一行）：period、period_end（期末）、announced_on（公告日）
    与各项指标。
    季报、中报为财年年初至期末累计数；同比一律与上年同期比。金额单位亿，币种见 units，
    可能与股价币种不同，不能相除。来源没有的为 null，原因在 reasons；估算所用公式在 derived。
    """
    bench = context.bench
    found = fundamentals.report_data(
        context.ledger,
        company(bench.names, symbol, market),
        METRICS,
        kind=period_type,
        count=count,
        clock=bench.clock,
    )
    rows: list[dict[str, object]] = []
    written: list[tuple[str, Figure | Scaled]] = []
    for period in found.periods:
        cells = {metric: in_yi(found.figures[metric][period]) for metric in METRICS}
        rows.append({"period": period, **_dates(found, period), **cells})
        written += cells.items()
    result: dict[str, object] = {
        "symbol": Symbol(found.symbol).xueqiu,
        "period_type": period_type,
        "currency": found.currency,
        "reports": rows,
        "notes": _notes(found),
        "units": unit_words(written),
    }
    return ToolOutput(result, found)


def _dates(found: FinancialData, period: str) -> dict[str, object]:
    ends = [
        figure.as_of
        for row in found.figures.values()
        if isinstance(figure := row[period], Claim) and isinstance(figure.cite, ToolCite)
    ]
    return {
        "period_end": max(ends) if ends else Absent("这一期没有来源直接给出的数字"),
        "announced_on": found.announced_on(period) or Absent("来源未给出公告日"),
    }


def _notes(found: FinancialData) -> list[str]:
    told = [note.zh for note in found.notes]
    told += notes_of((name, figure) for name in _NOTED for figure in found.figures[name].values())
    return told
