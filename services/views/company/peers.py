"""同行: the company beside the others of its industry; best, worst, rank, median, and who lacks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, Figure
from services.core.errors import NoDataError, ProviderError
from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.core.text import NO_TEXT, Text
from services.market.outages import why_missing
from services.market.peers import FIGURES, Peer, PeerStanding, compare, find_members
from services.views.parts import Parts
from services.views.table import Table, TableColumn, TableRow, named_columns

COLUMNS = ("market_cap", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "roe", "net_profit")
# So many rows are shown of all it is compared with.
_ROWS = 12
# With fewer values nobody is the best or the last of anything.
_LEAST = 3
Place = Literal["best", "last"]
Among = Literal["all", "size", "own"]
AMONG: tuple[Among, ...] = ("all", "size", "own")
# Of comparable size is what is worth a third of it to three times as much.
_LIKE = 3.0


@dataclass(frozen=True, slots=True)
class PeersAsked:
    """Which figures, and whom it is compared with: all, those of its size, or `chosen`."""

    columns: tuple[str, ...] = COLUMNS
    among: Among = "all"
    chosen: tuple[str, ...] = ()

    def takes(self, own: Peer, other: Peer) -> bool:
        """Whether the company is compared with that one."""
        if self.among == "own":
            return other.symbol in self.chosen
        mine, its = (one.figures["market_cap"] for one in (own, other))
        if self.among == "all" or not isinstance(mine, Claim):
            return True
        return isinstance(its, Claim) and mine.value / _LIKE <= its.value <= mine.value * _LIKE


@dataclass(frozen=True, slots=True)
class PeerLine:
    """One company; `places` are its columns that are the best or the last of all."""

    symbol: str
    name: Text
    figures: Mapping[str, Figure]
    places: Mapping[str, Place]


@dataclass(frozen=True, slots=True)
class PeersPart:
    """`lines`: the company first, the largest of the others by size; `standings` are of all it is
    compared with (`compared` others), not of those shown alone. `total`: how many companies the
    industry has; `lacking`: those without any figure, by name. `every` are the others one may
    choose from, `why` says that there are none.
    """

    symbol: str
    asked: PeersAsked
    columns: tuple[str, ...]
    every: Mapping[str, Text]
    lines: tuple[PeerLine, ...]
    compared: int
    standings: Mapping[str, PeerStanding]
    total: Claim | None
    lacking: tuple[Text, ...]
    industry: str | None
    why: Text | None
    table: Table

    @property
    def notes(self) -> tuple[Text, ...]:
        """Nothing beyond what stands under the table."""
        return ()

    def tables(self) -> tuple[Table, ...]:
        """The one table."""
        return (self.table,)


def gather_peers(parts: Parts, ledger: Ledger, symbol: Symbol, asked: PeersAsked) -> PeersPart:
    """The companies of its industry as asked for. Raises: nothing a page cannot stand."""
    wanted = tuple(one for one in asked.columns if one in FIGURES) or COLUMNS
    try:
        found = compare(ledger, symbol, asked.takes)
    except (NoDataError, ProviderError) as error:
        why = why_missing(ledger, error)
        empty = Table("peers", Text("同行", "Peers"), (), ())
        return PeersPart(symbol.value, asked, wanted, {}, (), 0, {}, None, (), None, why, empty)
    others = [peer for peer in found.others if _has(peer, wanted)]
    shown = (found.own, *[peer for peer in others if peer in found.chosen][:_ROWS])
    places = {metric: _places(metric, (found.own, *found.chosen)) for metric in wanted}
    lines = tuple(
        PeerLine(
            peer.symbol,
            parts.names.text(peer.symbol, peer.name),
            {metric: peer.figures[metric] for metric in wanted},
            {m: place for m in wanted if (place := places[m].get(peer.symbol)) is not None},
        )
        for peer in shown
    )
    members = find_members(ledger, symbol, found.industry)
    have = {peer.symbol for peer in (found.own, *found.others) if _has(peer, FIGURES)}
    listed = members.symbols if members is not None else ()
    return PeersPart(
        symbol=symbol.value,
        asked=asked,
        columns=wanted,
        every={peer.symbol: parts.names.text(peer.symbol, peer.name) for peer in others},
        lines=lines,
        compared=sum(peer in found.chosen for peer in others),
        standings=found.standings,
        total=members.total if members is not None else None,
        lacking=tuple(parts.names.text(one) for one in listed if one not in have),
        industry=found.industry,
        why=None,
        table=_table(lines, wanted),
    )


def _has(peer: Peer, columns: Sequence[str]) -> bool:
    return any(isinstance(peer.figures[metric], Claim) for metric in columns)


def _places(metric: str, compared: Sequence[Peer]) -> Mapping[str, Place]:
    """Who is best and who last by the catalogue's direction; ties and sizes are nobody's."""
    better = CATALOGUE[metric].better if CATALOGUE[metric].unit != "money" else None
    values = {
        peer.symbol: figure.value
        for peer in compared
        if isinstance(figure := peer.figures[metric], Claim)
    }
    if better is None or len(values) < _LEAST:
        return {}
    ordered = sorted(values.values(), reverse=better == "higher")
    ends: dict[str, Place] = {}
    told: tuple[tuple[float, Place], ...] = ((ordered[0], "best"), (ordered[-1], "last"))
    for value, place in told:
        who = [symbol for symbol, one in values.items() if one == value]
        if len(who) == 1:
            ends[who[0]] = place
    return ends


def _table(lines: Sequence[PeerLine], columns: Sequence[str]) -> Table:
    rows = tuple(
        TableRow({"symbol": one.symbol, "name": one.name, **one.figures}, one.symbol)
        for one in lines
    )
    who = (
        TableColumn("symbol", Text("代码", "Code"), "symbol"),
        TableColumn("name", Text("名称", "Name"), "text"),
    )
    return Table(
        "peers", Text("同行", "Peers"), (*who, *named_columns(columns, rows)), rows, NO_TEXT
    )
