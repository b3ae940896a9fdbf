"""The real bundled snapshot behind a real in-memory store, shared by the market tests."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import count
from pathlib import Path

from services.core.clock import FixedClock
from services.core.ledger import Ledger
from services.core.requests import FetchRequest
from services.core.trace import ToolCall
from services.core.verifier import VerificationResult, verify
from services.market.names.names import Names
from services.providers.chain import Chain
from services.providers.http import Http
from services.providers.provider_context import Kit
from services.providers.snapshot import SnapshotProvider
from services.settings import Settings
from services.store.database import Database
from services.store.market_tables import MarketTables

FOLDER = Path(__file__).resolve().parents[3] / "data" / "snapshot"
_numbers = count(1)


@dataclass(frozen=True)
class Bundle:
    """A market at one instant and the chain that asks it."""

    tables: MarketTables
    clock: FixedClock
    chain: Chain

    def ledger(self) -> Ledger:
        return Ledger(self.fetch)

    def fetch(self, request: FetchRequest) -> Sequence[ToolCall]:
        outcome = self.chain.ask(request)
        if outcome.error is not None:
            raise outcome.error
        return [
            ToolCall(
                tool_call_id=f"tc_{next(_numbers)}",
                name=request.capability,
                arguments=request.model_dump(mode="json"),
                attempts=outcome.attempts,
                source=part.source,
                table=part.table,
                served_by=outcome.provider,
                fetched_at=part.fetched_at,
                duration_ms=0.0,
                body_sha256=part.body_sha256,
                rows=part.rows,
                labels=dict(part.labels),
                gaps=part.gaps,
                members=part.members,
            )
            for part in outcome.fetched
        ]

    def verified(self, ledger: Ledger) -> VerificationResult:
        return verify(ledger.claims, ledger.trace, self.clock.now())


@cache
def tables(folder: Path = FOLDER) -> MarketTables:
    return MarketTables(Database(":memory:"), folder)


@cache
def names() -> Names:
    """The bundled names, indexed once. Not to be renewed: everybody shares them."""
    return Names(tables().names())


def kit(market: MarketTables, clock: FixedClock) -> Kit:
    settings = Settings()
    return Kit(settings, clock, Http(settings, clock), market)


def chained(market: MarketTables, clock: FixedClock) -> Bundle:
    """These tables behind a chain whose one provider is the snapshot."""
    chain = Chain({"snapshot": SnapshotProvider(kit(market, clock))}, Settings().chains, clock)
    return Bundle(market, clock, chain)


def bundle(now: datetime | None = None) -> Bundle:
    """The bundled market at `now` (the snapshot's own instant when None)."""
    market = tables()
    return chained(market, FixedClock(now or market.manifest.clock))
