"""Tool `peer_compare`: a company beside its industry."""

from collections.abc import Callable, Mapping, Sequence
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
    "同行为来源所列同一市场、同一行业的全部公司，本公司在内；中位数、名次与公司数按其中"
    "有该数的全部公司计，peers 只列市值最大的几家；名次以数值最高者为第一；"
    "有该数的公司太少时没有中位数与名次"
)


@tool("peer_compare")
def peer_compare(
    context: ToolContext,
    *,
    symbol: StockCode,
    market: MarketName,
    size: Annotated[
        int, Whole(2, 50, "integer"), argument("列出的同行公司数（按市值从大到小），默认 10。")
    ] = 10,
) -> ToolOutput:
    """同行对比：同行业公司的市值、市盈率、市净率、市销率、ROE、股息率，与本公司并列。

    返回 company（本公司）、peers（其他公司中市值最大的几家）、median（全部同行的中位数）、
    rank（本公司的名次，数值最高为第一；市盈率高不等于好）与 count（有该数的公司数），都含本公司。
    报告期不同的 ROE 不参与中位数与排名。亏损公司的市盈率多为 null。金额单位亿，币种见 units。
    """
    names = context.bench.names
    found_symbol = company(names, symbol, market)
    found = compare(context.ledger, found_symbol)
    shown = (found.own, *found.others[:size])
    row = names.row(found_symbol)
    industry = found.industry or (row.industry if row else None)
    result: dict[str, object] = {
        "industry": industry or Absent("来源未给出行业"),
        "company": _company(found.own),
        "peers": [_company(peer) for peer in shown[1:]],
        "median": _column(found, lambda standing: standing.median),
        "rank": _column(found, lambda standing: standing.rank),
        "count": _column(found, lambda standing: standing.count),
        "notes": [_SCOPE, *_notes(shown)],
        "units": unit_words(_list_figures(shown)),
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


def _list_figures(shown: Sequence[Peer]) -> list[tuple[str, Figure | Scaled]]:
    return [(metric, in_yi(figure)) for peer in shown for metric, figure in peer.figures.items()]


def _notes(shown: Sequence[Peer]) -> list[str]:
    return notes_of((metric, peer.figures[metric]) for metric in COMPARED for peer in shown)
