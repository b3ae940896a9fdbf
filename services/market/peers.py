"""One company beside its peers: all companies of its industry and market, itself among them.

The rule is registered (`peers.industry` of data/catalogue/limits.toml) and is the only one: whoever
tells a median of peers, a place among them or how many they are has it from here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.core.aggregates import COMPANY_COUNT
from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError
from services.core.formulas import COMPARED, formula_for
from services.core.ledger import Answer, Ledger
from services.core.limits import COMPETENCES
from services.core.periods import is_report
from services.core.requests import PeersRequest, SummaryRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.aggregates import members_of
from services.market.outages import Absence, attempt
from services.market.valuation import valuation_figures

FIGURES = (*COMPARED, "net_profit", "revenue")
# So many, the company itself among them, have to have a figure for a median or a place of it.
LEAST_PEERS = int(COMPETENCES["peers.industry"].values["least_peers"])
FEW = Text(
    "同行中有此数的公司太少，不给中位数与名次",
    "too few of its peers have it for a median or a place",
)


@dataclass(frozen=True, slots=True)
class Peer:
    """One company and its figures, keyed as FIGURES."""

    symbol: str
    name: str
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class PeerStanding:
    """Where the company stands on one figure. Median, rank (1 for the highest) and count are of the
    same companies: all with a like figure, itself among them where it has one.
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


class PeerMembers(NamedTuple):
    """How many companies the industry has, with figures or without, and which."""

    total: Claim
    symbols: tuple[str, ...]


def compare(
    ledger: Ledger,
    symbol: Symbol,
    among: Callable[[Peer, Peer], bool] = lambda _own, _other: True,
    *,
    metrics: Sequence[str] = FIGURES,
) -> Comparison:
    """The company and all others of its industry; medians and places are `among` those the reader
    compares it with, which is asked of the company and each of the others: by default all of them.

    Of fewer than LEAST_PEERS with a figure there is neither median nor rank. Figures of another
    report period than the company's own are left out of both. `metrics` limits the figures made.
    Raises: NoDataError (no industry, or nobody else in it), ProviderError.
    """
    answer = ledger.fetch(PeersRequest(symbol=symbol.value))
    others = [name for name in answer.symbols if name != symbol.value]
    if symbol.value not in answer.symbols or not others:
        raise NoDataError(
            f"peers {symbol}",
            Text("来源没有同行业的其他公司", "the source has no other company of it"),
        )
    own = _peer(ledger, answer, symbol.value, metrics)
    peers = tuple(_peer(ledger, answer, name, metrics) for name in others)
    chosen = tuple(one for one in peers if among(own, one))
    return Comparison(
        industry=answer.label(symbol.value, "industry"),
        own=own,
        others=peers,
        chosen=chosen,
        standings={
            metric: _rank_peer(ledger, metric, own, chosen)
            for metric in COMPARED
            if metric in metrics
        },
    )


def find_members(ledger: Ledger, symbol: Symbol, industry: str | None) -> PeerMembers | None:
    """All companies of the industry, whatever is known of them; None where no source lists them."""
    request = SummaryRequest(market=symbol.market)
    answer = attempt(ledger, lambda: ledger.fetch(request))
    found = None if isinstance(answer, Absence) else attempt(
        ledger, lambda: members_of(ledger, answer)
    )  # fmt: skip
    if found is None or isinstance(found, Absence) or industry is None:
        return None
    call, index = found
    count = ledger.aggregate(call, COMPANY_COUNT, industry=industry)
    symbols = tuple(index.members.symbols[at] for at in index.within(industry))
    return PeerMembers(count, symbols) if count is not None else None


def _peer(ledger: Ledger, answer: Answer, symbol: str, metrics: Sequence[str]) -> Peer:
    figures = valuation_figures(ledger, answer, symbol, metrics)
    return Peer(symbol, answer.label(symbol, "name") or symbol, figures)


def _rank_peer(ledger: Ledger, metric: str, own: Peer, peers: Sequence[Peer]) -> PeerStanding:
    mine = own.figures[metric]
    known = [one for peer in (own, *peers) if isinstance(one := peer.figures[metric], Claim)]
    like = _like(mine if isinstance(mine, Claim) else None, known)
    enough = like if len(like) >= LEAST_PEERS else ()
    why = mine.reason if isinstance(mine, Missing) else FEW
    return PeerStanding(
        median=_derive_figure(ledger, own.symbol, metric, "median", enough, FEW),
        rank=_derive_figure(
            ledger, own.symbol, metric, "rank", enough if isinstance(mine, Claim) else (), why
        ),
        count=_derive_figure(ledger, own.symbol, metric, "count", like, FEW),
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
