"""The only place objects are wired together."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from services.core.clock import BEIJING, Clock, FixedClock
from services.core.errors import ConfigError
from services.market.calendar import Calendar
from services.market.names import Names
from services.providers.registry import PROVIDERS, Chain
from services.settings import Settings, load_settings
from services.store.database import Database
from services.store.market_tables import MarketTables
from services.store.runs import Runs
from services.store.screens import Screens
from services.store.snapshot import Manifest, read_manifest
from services.tools.base import Toolbox, Workbench
from services.tools.knowledge_base import KnowledgeBase
from services.tools.registry import TOOLS
from services.tools.running import Runner


class SystemClock:
    """Real time, for what really happens now: building a snapshot."""

    def now(self) -> datetime:
        """The present instant in Beijing."""
        return datetime.now(BEIJING)  # noqa: TID251 — the one place that reads the time


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a page or the command line may use. Safe to share between threads."""

    settings: Settings
    clock: Clock
    manifest: Manifest
    database: Database
    market: MarketTables
    runs: Runs
    screens: Screens
    names: Names
    calendar: Calendar
    chain: Chain
    runner: Runner
    toolbox: Toolbox

    def close(self) -> None:
        """Let go of the database file."""
        self.database.close()


def snapshot_clock(settings: Settings) -> FixedClock:
    """The instant the bundled snapshot stands at.

    Raises: StoreError when there is no snapshot, ConfigError for a mode this version has not.
    """
    if settings.mode != "snapshot":
        raise ConfigError(
            "YOUJU_MODE",
            f"got '{settings.mode}'; valid in this version: snapshot (no live source yet)",
        )
    return FixedClock(read_manifest(settings.snapshot).clock)


def build_services(settings: Settings | None = None) -> Services:
    """Open the store, load the snapshot if it is not loaded yet, and wire everything.

    Raises: ConfigError, StoreError (another process holds the file, or a part was changed).
    """
    settings = settings or load_settings()
    clock = snapshot_clock(settings)
    if settings.store != ":memory:":
        Path(settings.store).parent.mkdir(parents=True, exist_ok=True)
    database = Database(settings.store)
    try:
        return _wired(settings, clock, database)
    except BaseException:
        database.close()
        raise


def _wired(settings: Settings, clock: Clock, database: Database) -> Services:
    market = MarketTables(database, settings.snapshot)
    providers = {name: make(market, clock) for name, make in PROVIDERS.items()}
    chain = Chain(providers, settings.chains, clock)
    runs = Runs(database)
    runner = Runner(chain, runs, clock)
    names, calendar = Names(market.names()), Calendar()
    bench = Workbench(names, calendar, clock, settings, KnowledgeBase(settings.knowledge))
    return Services(
        settings=settings,
        clock=clock,
        manifest=market.manifest,
        database=database,
        market=market,
        runs=runs,
        screens=Screens(database),
        names=names,
        calendar=calendar,
        chain=chain,
        runner=runner,
        toolbox=Toolbox(TOOLS, runner, bench),
    )
