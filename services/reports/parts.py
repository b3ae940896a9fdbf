"""What a view is built from: the container as reports see it (reports lie below the container)."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from services.core.claims import Claim
from services.core.clock import Clock
from services.core.trace import Trace
from services.market.calendar import Calendar
from services.market.names import Names
from services.providers.chain import Chain
from services.settings import Settings
from services.store.market_tables import MarketTables
from services.store.runs import Runs
from services.store.snapshot import Manifest
from services.tools.running import Finished, Runner


class Basis(NamedTuple):
    """The claims (by id), the trace and the run that a view stands on."""

    claims: Mapping[str, Claim]
    trace: Trace
    run_ids: tuple[str, ...]


def basis(finished: Finished[Any]) -> Basis:
    """What a finished run gives a view."""
    claims = {claim.claim_id: claim for claim in finished.claims}
    return Basis(claims, finished.trace, (finished.run_id,))


class Parts(Protocol):
    """The parts of `services.container.Services` that views need."""

    @property
    def settings(self) -> Settings:
        """Modes, chains and which keys are present."""
        ...

    @property
    def clock(self) -> Clock:
        """What time it is."""
        ...

    @property
    def names(self) -> Names:
        """Everything a company may be called."""
        ...

    @property
    def calendar(self) -> Calendar:
        """The exchanges' sessions."""
        ...

    @property
    def runner(self) -> Runner:
        """Does work with a ledger, verifies, stores."""
        ...

    @property
    def runs(self) -> Runs:
        """The stored runs."""
        ...

    @property
    def chain(self) -> Chain:
        """The sources in order, how they have been doing, and which are left alone."""
        ...

    @property
    def manifest(self) -> Manifest:
        """What the bundled data are."""
        ...

    @property
    def market(self) -> MarketTables:
        """The bundled market's tables: only their lists of names are used here."""
        ...
