"""One company beside the others of its industry: the same figures of each, medians and places."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError
from services.core.formulas import COMPARED, formula_for
from services.core.ledger import Answer, Ledger
from services.core.periods import is_report
from services.core.requests import PeersRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.valuation import valuation_figures

FIGURES = (*COMPARED, "net_profit", "revenue")
_ALONE = Text(
    "同行中没有其他公司有可比的该项数据", "no other company of the industry has a like figure"
)


@dataclass(frozen=True, slots=True)
class Peer:
    """One company and its figures, keyed as FIGURES."""

    symbol: str
    name: str
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class PeerStanding:
    """Where the company stands on one figure.

    `median` is of the others; `rank` (1 for the highest) and `count` are of all with a like figure,
    itself among them.
    """

    median: Figure
    rank: Figure
    count: Figure


@dataclass(frozen=True, slots=True)
class Comparison:
    """The company, the others of its industry largest first, those of them it is compared with,
    and its standing by figure.
    """

    industry: str | None
    own: Peer
    others: tuple[Peer, ...]
    chosen: tuple[Peer, ...]
    standings: Mapping[str, PeerStanding]


def compare(
    ledger: Ledger,
    symbol: Symbol,
    size: int,
    among: Callable[[Peer, Peer], bool] = lambda _own, _other: True,
) -> Comparison:
    """The `size` largest companies of the industry and this one; places and medians are `among`
    those the reader compares it with, which is asked of the company and each of the others.

    A median is of the companies the source tells of, not of a whole industry. Figures of another
    report period than the company's own are left out of median and rank.
    Raises: NoDataError (no industry, or nobody else in it), ProviderError.
    """
    answer = ledger.fetch(PeersRequest(symbol=symbol.value, size=size))
    others = [name for name in answer.symbols if name != symbol.value]
    if symbol.value not in answer.symbols or not others:
        raise NoDataError(
            f"peers {symbol}",
            Text("来源没有同行业的其他公司", "the source has no other company of it"),
        )
    own = _peer(ledger, answer, symbol.value)
    peers = tuple(_peer(ledger, answer, name) for name in others)
    chosen = tuple(one for one in peers if among(own, one))
    return Comparison(
        industry=answer.label(symbol.value, "industry"),
        own=own,
        others=peers,
        chosen=chosen,
        standings={metric: _rank_peer(ledger, metric, own, chosen) for metric in COMPARED},
    )


def _peer(ledger: Ledger, answer: Answer, symbol: str) -> Peer:
    figures = valuation_figures(ledger, answer, symbol, FIGURES)
    return Peer(symbol, answer.label(symbol, "name") or symbol, figures)


def _rank_peer(ledger: Ledger, metric: str, own: Peer, peers: Sequence[Peer]) -> PeerStanding:
    mine = own.figures[metric]
    known = [figure for peer in peers if isinstance(figure := peer.figures[metric], Claim)]
    like = _like(mine if isinstance(mine, Claim) else None, known)
    every = [mine, *like] if isinstance(mine, Claim) else like
    why = mine.reason if isinstance(mine, Missing) else _ALONE
    return PeerStanding(
        median=_derive_figure(ledger, own.symbol, metric, "median", like, _ALONE),
        rank=_derive_figure(
            ledger, own.symbol, metric, "rank", every if mine in every and like else (), why
        ),
        count=_derive_figure(ledger, own.symbol, metric, "count", every, _ALONE),
    )


def _like(mine: Claim | None, known: Sequence[Claim]) -> list[Claim]:
    """Those of the company's own unit and report period; of the most common where it has none."""
    kinds = [_kind(claim) for claim in known]
    if not kinds:
        return []
    wanted = _kind(mine) if mine is not None else max(kinds, key=kinds.count)
    return [claim for claim, kind in zip(known, kinds, strict=True) if kind == wanted]


def _kind(claim: Claim) -> tuple[str, str | None]:
    """Unit, and the report period where there is one; the basis of a multiple is no matter."""
    return claim.unit, claim.period if is_report(claim.period) else None


def _derive_figure(
    ledger: Ledger, symbol: str, metric: str, word: str, inputs: Iterable[Figure], why: Text
) -> Figure:
    claims = [figure for figure in inputs if isinstance(figure, Claim)]
    name = f"{metric}_peer_{word}"
    formula = formula_for(name, f"{word}(values)")
    if formula is None or not claims:
        return Missing(metric=name, symbol=symbol, reason=why)
    made = ledger.derive(formula, claims, about_symbol=symbol)
    return made or Missing(metric=name, symbol=symbol, reason=why)
