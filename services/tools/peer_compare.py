"""Tool `peer_compare`: a company beside the largest of its industry."""

from collections.abc import Callable, Mapping
from typing import Annotated

from services.core.claims import Claim, Figure
from services.core.formulas import COMPARED
from services.core.symbols import Symbol
from services.market.peers import Comparison, Peer, PeerStanding, compare
from services.tools.arguments import MarketName, StockCode, company
from services.tools.base import ToolContext, ToolOutput, tool
from services.tools.financial_data import in_yi
from services.tools.schema import Whole, argument
from services.tools.wire import Absent, Scaled, notes_of, unit_words

_SCOPE = (
    "同行为来源所列同行业中市值最大的几家，不是整个行业；中位数不含本公司；名次以数值最高者为第一"
)


@tool("peer_compare")
def peer_compare(
    context: ToolContext,
    *,
    symbol: StockCode,
    market: MarketName,
    size: Annotated[
        int, Whole(2, 50, "integer"), argument("同行公司数（按市值从大到小），默认 10。")
    ] = 10,
) -> ToolOutput:
    """同行对比：同行业市值最大的公司的市值、市盈率、市净率、市销率、ROE、股息率，与本公司并列。

    返回 company（本公司）、peers（其他公司，市值大的在前）、median（其他公司的中位数）、
    rank（本公司的名次，数值最高为第一；市盈率高不等于好）与 count（参与排名的公司数，含本公司）。
    报告期不同的 ROE 不参与中位数与排名。亏损公司的市盈率多为 null。金额单位亿，币种见 units。
    """
    names = context.bench.names
    found_symbol = company(names, symbol, market)
    found = compare(context.ledger, found_symbol, size)
    row = names.row(found_symbol)
    industry = found.industry or (row.industry if row else None)
    result: dict[str, object] = {
        "industry": industry or Absent("来源未给出行业"),
        "company": _company(found.own),
        "peers": [_company(peer) for peer in found.others],
        "median": _column(found, lambda standing: standing.median),
        "rank": _column(found, lambda standing: standing.rank),
        "count": _column(found, lambda standing: standing.count),
        "notes": [_SCOPE, *_notes(found)],
        "units": unit_words(_list_figures(found)),
    }
    return ToolOutput(result, found)


def _company(peer: Peer) -> dict[str, object]:
    cap = peer.figures["market_cap"]
    return {
        "symbol": Symbol(peer.symbol).xueqiu,
        "name": peer.name,
        "as_of": cap.as_of if isinstance(cap, Claim) else Absent("来源未给出估值日"),
        **{metric: in_yi(figure) for metric, figure in peer.figures.items()},
    }


def _column(found: Comparison, part: Callable[[PeerStanding], Figure]) -> Mapping[str, object]:
    return {metric: in_yi(part(standing)) for metric, standing in found.standings.items()}


def _list_figures(found: Comparison) -> list[tuple[str, Figure | Scaled]]:
    return [
        (metric, in_yi(figure))
        for peer in (found.own, *found.others)
        for metric, figure in peer.figures.items()
    ]


def _notes(found: Comparison) -> list[str]:
    return notes_of(
        (metric, peer.figures[metric]) for metric in COMPARED for peer in (found.own, *found.others)
    )
