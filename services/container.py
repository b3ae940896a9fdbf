"""The only place objects are wired together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

from services.core.clock import BEIJING, Clock, FixedClock
from services.core.names import NameRow
from services.core.symbols import Market
from services.market.calendar import Calendar
from services.market.freshness import expiry
from services.market.names import Names
from services.market.sync import Sync
from services.market.sync_jobs import SyncJobs
from services.providers.base import Provider
from services.providers.chain import Chain
from services.providers.health import Health
from services.providers.http import Http
from services.providers.keeping import Keeper
from services.providers.kit import Kit
from services.providers.registry import PROVIDERS
from services.query.executor import Executor
from services.query.metadata import read_metadata
from services.query.parser import RuleParser
from services.query.sessions import Kept, Query, Reading
from services.settings import Settings, load_settings
from services.store.biz_metadata import BizMetadata
from services.store.database import Database
from services.store.fetches import Fetches
from services.store.market_copy import MarketCopy
from services.store.market_tables import MarketTables
from services.store.runs import Runs
from services.store.screens import Screens
from services.store.sessions import Sessions
from services.store.snapshot import Manifest, read_manifest
from services.store.source_health import SourceRecords
from services.store.turns import Turns
from services.tools.base import Toolbox, Workbench
from services.tools.knowledge_base import KnowledgeBase
from services.tools.registry import TOOLS
from services.tools.running import Runner


class SystemClock:
    """Real time: live mode, and building a snapshot."""

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
    http: Http
    market: MarketTables
    runs: Runs
    screens: Screens
    names: Names
    calendar: Calendar
    chain: Chain
    runner: Runner
    toolbox: Toolbox
    sync: Sync
    syncs: SyncJobs
    copy: MarketCopy
    query: Query

    def close(self) -> None:
        """Let go of connections and of the database file."""
        self.http.close()
        self.database.close()


def clock_of(settings: Settings) -> Clock:
    """Real time in live mode (or YOUJU_CLOCK), the snapshot's instant in snapshot mode.

    Raises: StoreError when there is no snapshot.
    """
    if settings.mode == "snapshot":
        return FixedClock(read_manifest(settings.snapshot).clock)
    return FixedClock(settings.clock.astimezone(BEIJING)) if settings.clock else SystemClock()


def build_services(settings: Settings | None = None) -> Services:
    """Open the store, load the snapshot if it is not loaded yet, and wire everything.

    Raises: ConfigError, StoreError (another process holds the file, or a part was changed).
    """
    settings = settings or load_settings()
    clock = clock_of(settings)
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
    http, calendar = Http(settings, clock), Calendar()
    copy = MarketCopy(database)
    live = copy if settings.mode == "live" else None
    kit = Kit(settings, clock, http, market, lambda name: sync.refresh(name), live)
    providers = {name: make(kit) for name, make in PROVIDERS.items()}
    chain = _chain(settings, clock, database, providers, calendar)
    runs = Runs(database)
    runner = Runner(chain, runs, clock)
    sync = Sync(chain, copy, calendar, clock, renamed=lambda: names.renew(copy.names()))
    names = Names(market.names()) if live is None else _live_names(market, copy, sync)
    bench = Workbench(names, calendar, clock, settings, KnowledgeBase(settings.knowledge))
    metadata = read_metadata()
    BizMetadata(database).write(
        {entry.code: (entry.name, entry.model_dump_json()) for entry in metadata.entries}
    )
    query = Query(
        Reading(
            RuleParser(names, metadata, clock), names, metadata, clock, _industries(market, live)
        ),
        Executor(TOOLS, bench, metadata),
        runner,
        Kept(Sessions(database), Turns(database), runs),
    )
    return Services(
        settings=settings,
        clock=clock,
        manifest=market.manifest,
        database=database,
        http=http,
        market=market,
        runs=runs,
        screens=Screens(database),
        names=names,
        calendar=calendar,
        chain=chain,
        runner=runner,
        toolbox=Toolbox(TOOLS, runner, bench),
        sync=sync,
        syncs=SyncJobs(sync),
        copy=copy,
        query=query,
    )


def _industries(
    market: MarketTables, live: MarketCopy | None
) -> Callable[[], Mapping[str, frozenset[str]]]:
    """The industry labels of the snapshot by market; none in live mode, where a source has its own.

    Read when they are first needed.
    """

    @cache
    def labels() -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for row in market.names() if live is None else ():
            if row.industry:
                found.setdefault(row.market, set()).add(row.industry)
        return {name: frozenset(known) for name, known in found.items()}

    return labels


def _live_names(market: MarketTables, copy: MarketCopy, sync: Sync) -> Names:
    """The names of the snapshot and of the copy; a name neither knows is looked for once."""

    def more(name: Market) -> list[NameRow]:
        sync.refresh(name)
        return copy.names(name)

    names = Names(market.names(), more=more)
    names.renew(copy.names())
    return names


def _chain(
    settings: Settings,
    clock: Clock,
    database: Database,
    providers: Mapping[str, Provider],
    calendar: Calendar,
) -> Chain:
    """In snapshot mode nothing is kept or counted: the bundled file is its own memory."""
    if settings.mode == "snapshot":
        return Chain(providers, settings.chains, clock)
    return Chain(
        providers,
        settings.chains,
        clock,
        keeper=Keeper(Fetches(database), expiry(calendar), clock),
        health=Health(clock, SourceRecords(database)),
        deadline_s=settings.api_deadline_s,
        wanting=settings.wanting,
    )
