"""What a view is built from: the container as reports see it (reports lie below the container)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

# What is only named here: a view imports what it works with, not everything there is.
if TYPE_CHECKING:
    from services.agents.service import AgentService
    from services.core.claims import Claim
    from services.core.clock import Clock
    from services.core.trace import Trace
    from services.jobs.runner import JobRunner
    from services.market.calendar import Calendar
    from services.market.names.names import Names
    from services.market.sync_jobs import SyncJobs
    from services.providers.chain import Chain
    from services.query.sessions import QueryService
    from services.scoring.batches import ScoreBatches
    from services.scoring.service import ScoreService
    from services.settings import Settings
    from services.store.alerts import Alerts
    from services.store.audit import Audit
    from services.store.choices import Choices
    from services.store.database import Database
    from services.store.market_copy import MarketCopy
    from services.store.market_tables import MarketTables
    from services.store.runs import Runs, StoredRun
    from services.store.schedules import Schedules
    from services.store.screens import Screens
    from services.store.snapshot import Manifest
    from services.store.watchlists import Watchlists
    from services.tools.base import Toolbox
    from services.tools.running import Finished, Runner


class ViewBasis(NamedTuple):
    """The claims (by id), the trace and the run that a view stands on."""

    claims: Mapping[str, Claim]
    trace: Trace
    run_ids: tuple[str, ...]


def basis(finished: Finished[Any]) -> ViewBasis:
    """What a finished run gives a view."""
    claims = {claim.claim_id: claim for claim in finished.claims}
    return ViewBasis(claims, finished.trace, (finished.run_id,))


def industries(parts: Parts, market: str) -> tuple[str, ...]:
    """The industries a screen of that market may be limited to: of the copy when live, those there
    were when frozen.
    """
    live = parts.settings.mode == "live" and not parts.settings.frozen
    return parts.copy.industries(market) if live else parts.market.industries(market)


class Parts(Protocol):
    """The parts of `services.container.Services` that views need."""

    def replaying(self, stored: StoredRun) -> Parts:
        """The same for doing that run once more: at its instant, from its own record."""
        ...

    @property
    def toolbox(self) -> Toolbox:
        """The tools by their wire names."""
        ...

    @property
    def settings(self) -> Settings:
        """Modes, chains and which keys are present."""
        ...

    @property
    def clock(self) -> Clock:
        """What time it is: real time, or the instant the bundled market stands at."""
        ...

    @property
    def real(self) -> Clock:
        """Real time whatever the data: for when a file was written."""
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
    def query(self) -> QueryService:
        """Questions, their plans and answers."""
        ...

    @property
    def analyses(self) -> AgentService:
        """Deep analyses: begun, followed, read again."""
        ...

    @property
    def jobs(self) -> JobRunner:
        """Everything that was begun beside the pages, of every kind."""
        ...

    @property
    def scores(self) -> ScoreService:
        """Hold scores: begun, followed, read again."""
        ...

    @property
    def score_batches(self) -> ScoreBatches:
        """Many scores one after another."""
        ...

    @property
    def choices(self) -> Choices:
        """What was chosen once for the whole store."""
        ...

    @property
    def screens(self) -> Screens:
        """The saved screens."""
        ...

    @property
    def watchlists(self) -> Watchlists:
        """The lists of companies that are watched."""
        ...

    @property
    def database(self) -> Database:
        """Where the records are: for what is done in everybody's name."""
        ...

    @property
    def alerts(self) -> Alerts:
        """What looks by schedule found in the lists."""
        ...

    @property
    def schedules(self) -> Schedules:
        """Reports that are written again and again."""
        ...

    @property
    def audit(self) -> Audit:
        """Who did what with which record."""
        ...

    @property
    def manifest(self) -> Manifest:
        """What the bundled data are."""
        ...

    @property
    def copy(self) -> MarketCopy:
        """The local copy of whole markets that live mode screens."""
        ...

    @property
    def syncs(self) -> SyncJobs:
        """Pulls of whole markets into the copy."""
        ...

    @property
    def market(self) -> MarketTables:
        """The bundled market's tables: only their lists of names are used here."""
        ...
