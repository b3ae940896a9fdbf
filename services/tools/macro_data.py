"""Tool `get_macro_data`: macro series of the mainland and the money flow of its market."""

from typing import Annotated, Literal, cast

from pydantic import Field, WithJsonSchema

from services.core.claims import Claim, Figure
from services.core.units import CURRENCIES
from services.market.macro import SERIES, MacroRow, MacroSeries, SeriesName, macro_series
from services.market.outages import Absence, ask_each, require_one
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.schema import Whole, argument
from services.tools.wire import Absent, Scaled, notes_of, unit_words

_USUAL: list[SeriesName] = ["pmi", "cpi", "ppi", "money_supply", "lpr", "fund_flow"]


@tool("get_macro_data")
def macro_data(
    context: ToolContext,
    *,
    market: Annotated[
        Literal["CN"],
        WithJsonSchema({"type": "string", "enum": ["CN"]}),
        argument("市场，默认 CN；目前只有中国内地的宏观数据。"),
    ] = "CN",
    series: Annotated[
        list[SeriesName],
        Field(min_length=1, max_length=len(SERIES)),
        argument(
            "需要的序列：pmi（采购经理指数）、money_supply（M1、M2）、cpi、ppi、gdp（年初至今累计）、"
            "lpr（贷款市场报价利率）、social_financing（社会融资规模）、"
            "fund_flow（A 股市场资金流，按日）、"
            "market_summary（A 股全市场：公司数、总市值合计、市盈率与市净率中位数、亏损家数、"
            "涨跌家数、最大的几个行业）、"
            "market_index（上证指数收盘，按日）。"
            "默认 pmi、cpi、ppi、money_supply、lpr、fund_flow。",
            valid="a list of one or more of " + " | ".join(SERIES),
        ),
    ] = _USUAL,
    count: Annotated[
        int,
        Whole(1, 260, "integer"),
        argument("每个序列最近几期，默认 6；fund_flow 与 market_index 为交易日数。"),
    ] = 6,
) -> ToolOutput:
    """获取宏观数据与市场资金流：PMI、物价、货币供应、GDP、LPR、社融，以及 A 股主力资金净流入。

    每个序列返回 rows（最早的在前，每期一行：period 与各指标）、as_of、source、units 与 notes；
    取不到的序列为 null，原因在 reasons，不影响其他序列。GDP 为年初至该季末累计数。
    北向资金净流入自 2024 年 8 月起不再披露，这里没有。快照只有 market_summary 与
    market_index，其余要实时来源。
    """
    wanted = list(dict.fromkeys(series))
    found = ask_each(
        context.ledger,
        wanted,
        lambda name: macro_series(
            context.ledger, cast("SeriesName", name), count, context.bench.clock.now().date()
        ),
    )
    require_one(found.values())
    result: dict[str, object] = {
        "market": market,
        **{name: _series(part) for name, part in found.items()},
    }
    return ToolOutput(result, found)


def _series(found: MacroSeries | Absence) -> object:
    if isinstance(found, Absence):
        return Absent(found.why)
    written: list[tuple[str, Figure | Scaled]] = [
        (metric, _in_yi(figure)) for row in found.rows for metric, figure in row.figures.items()
    ]
    newest = max(claim.as_of for row in found.rows for claim in row.figures.values())
    return {
        "rows": [
            {
                "period": row.period,
                **_scope(row),
                **{name: _in_yi(claim) for name, claim in row.figures.items()},
            }
            for row in found.rows
        ],
        "as_of": newest,
        "source": found.source,
        "units": unit_words(written),
        "notes": notes_of(written),
    }


def _scope(row: MacroRow) -> dict[str, str]:
    """Which industry a row is of; nothing where it is of the whole."""
    scopes = {one.symbol.partition(":")[2] for one in row.figures.values()} - {""}
    return {"industry": scopes.pop()} if scopes else {}


def _in_yi(claim: Claim) -> Claim | Scaled:
    """Amounts of money in 亿, the rest as it is."""
    return Scaled(claim, f"{claim.unit}_yi") if claim.unit in CURRENCIES else claim
