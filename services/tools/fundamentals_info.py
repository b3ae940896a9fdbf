"""Tool `get_fundamentals_info`: who a company is and what it is worth, each figure with its day."""

from services.core.claims import Claim, Figure
from services.core.symbols import Symbol
from services.market.profile import Profile, company_profile
from services.tools.arguments import MarketName, StockCode, company
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.financial_data import in_yi
from services.tools.wire import Absent, Scaled, notes_of, unit_words


@tool("get_fundamentals_info")
def fundamentals_info(context: ToolContext, *, symbol: StockCode, market: MarketName) -> ToolOutput:
    """获取公司基本面概况：身份（名称、行业、币种）、估值倍数、股息率、每股数据与股本。

    pe_ttm 为近十二个月市盈率，pe_lyr 以最近年报为准；eps、dps 属于最近一份年报，
    eps_ttm 为近十二个月。
    返回 price、valuation、per_share、shares（来源给出时另有 52 周区间 range），
    as_of 是每个数字各自的日期，basis 是它所属的报告期或估值基准。
    市值单位亿（币种见 units）；没有的数据为 null，原因在 reasons。
    不含历史，历史请用 get_financial_reports。
    """
    bench = context.bench
    found_symbol = company(bench.names, symbol, market)
    found = company_profile(context.ledger, found_symbol, bench.names, bench.clock)
    groups = {
        group: {metric: _scale_figure(metric, figure) for metric, figure in figures.items()}
        for group, figures in found.figures.items()
    }
    flat = {metric: fig for figures in found.figures.values() for metric, fig in figures.items()}
    known = {metric: figure for metric, figure in flat.items() if isinstance(figure, Claim)}
    written: list[tuple[str, Figure | Scaled]] = [
        pair for figures in groups.values() for pair in figures.items()
    ]
    result: dict[str, object] = {
        **_identity(found, market),
        **groups,
        "as_of": {metric: claim.as_of for metric, claim in known.items()},
        "basis": {metric: claim.period for metric, claim in known.items() if claim.period},
        "source": ", ".join(_sources(context)),
        "notes": notes_of(known.items()),
        "units": unit_words(written),
    }
    return ToolOutput(result, found)


def _scale_figure(metric: str, figure: Figure) -> Figure | Scaled:
    return in_yi(figure) if metric == "market_cap" else figure


def _identity(found: Profile, market: str) -> dict[str, object]:
    return {
        "symbol": Symbol(found.symbol).xueqiu,
        "code": found.symbol,
        "name": found.name,
        "market": market,
        "industry": found.industry or Absent("来源未给出行业"),
        "currency": found.currency,
    }


def _sources(context: ToolContext) -> list[str]:
    """Who gave the figures, in the order they were asked."""
    cites = [claim.cite for claim in context.ledger.claims]
    return list(dict.fromkeys(cite.source for cite in cites if cite.kind == "tool"))
