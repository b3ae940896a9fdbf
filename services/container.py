"""The only place objects are wired together."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import NamedTuple

from services.agents.models import (
    ConfiguredModel,
    QuestionReader,
    configured_embeddings,
    configured_model,
)
from services.agents.options import VARIABLE, AgentOptions, read_options
from services.agents.orchestrator import AgentOrchestrator, Engine
from services.agents.service import AgentService
from services.core.clock import BEIJING, Clock, FixedClock
from services.core.errors import ConfigError, InputError
from services.core.names import NameRow
from services.core.symbols import Market
from services.exports.markdown import write_markdown
from services.jobs.runner import JobRunner
from services.market.calendar import Calendar
from services.market.freshness import expiry
from services.market.names.names import Names
from services.market.sync import Sync, annual_of
from services.market.sync_jobs import SyncJobs
from services.providers.base import Provider
from services.providers.chain import Chain
from services.providers.frozen import FrozenChain, Recording, RecordingChain
from services.providers.health import Health
from services.providers.http import Http
from services.providers.market_copy import NAME as MARKET_COPY
from services.providers.provider_context import Kit
from services.providers.registry import PROVIDERS
from services.providers.response_cache import Keeper
from services.query.answering.executor import Executor
from services.query.planning.metadata import Metadata, read_metadata
from services.query.reading.embedding import VectorNearness
from services.query.reading.llm_parser import ModelParser
from services.query.reading.parser import RuleParser
from services.query.reading.reader import AskReader
from services.query.reading.readers import Readers
from services.query.sessions import Kept, Query, Reading
from services.scoring.batches import ScoreBatches
from services.scoring.facts import Desk
from services.scoring.scorer import Scorer
from services.scoring.service import ScoreService
from services.scoring.workflow import ScoringWorkflow
from services.settings import Mode, Settings, load_settings
from services.store.biz_metadata import BizMetadata
from services.store.database import Database
from services.store.fetches import Fetches
from services.store.frozen_answers import FrozenAnswers
from services.store.frozen_copy import ANSWERED, has_copy, load_copy
from services.store.jobs import Jobs
from services.store.market_copy import MarketCopy
from services.store.market_tables import MarketTables
from services.store.runs import Runs, StoredRun
from services.store.screens import Screens
from services.store.sessions import Sessions
from services.store.snapshot import ANSWERS, Manifest, read_manifest
from services.store.source_health import SourceRecords
from services.store.turns import Turns
from services.tools.base import Toolbox, Workbench
from services.tools.knowledge_base import KnowledgeBase
from services.tools.registry import TOOLS
from services.tools.replaying import ReplayRunner
from services.tools.running import Runner

# An analysis asks its model several times: so many answers' time it may take in all.
_ANSWERS = 5


class SystemClock:
    """Real time: live mode, and building a snapshot."""

    def now(self) -> datetime:
        """The present instant in Beijing."""
        return datetime.now(BEIJING)  # noqa: TID251 — the one place that reads the time


class Works(NamedTuple):
    """What works on a ledger: made for one clock and one runner."""

    toolbox: Toolbox
    query: Query
    scorer: Scorer


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
    model: ConfiguredModel | None
    jobs: JobRunner
    analyses: AgentService
    scores: ScoreService
    score_batches: ScoreBatches
    works: Callable[[Clock, Runner], Works]

    def replaying(self, stored: StoredRun) -> "Services":
        """The same for doing that run once more: at its instant, from its own record.

        Its runner asks no source and stores nothing; analyses and batches are not replayed.
        """
        clock = FixedClock(stored.run.started_at.astimezone(BEIJING))
        runner = ReplayRunner(self.chain, self.runs, clock, stored, self.settings.wanting)
        made = self.works(clock, runner)
        return replace(
            self,
            clock=clock,
            runner=runner,
            toolbox=made.toolbox,
            query=made.query,
            scores=ScoreService(made.scorer, self.jobs, self.runs),
        )

    def close(self) -> None:
        """Stop what runs, and let go of connections and of the database file."""
        self.jobs.close()
        self.http.close()
        if self.model is not None:
            self.model.close()
        self.database.close()


def clock_of(settings: Settings) -> Clock:
    """Real time in live mode (or YOUJU_CLOCK), the snapshot's instant in snapshot mode.

    Raises: StoreError when there is no snapshot.
    """
    if settings.mode == "snapshot":
        return FixedClock(read_manifest(settings.snapshot).clock)
    return FixedClock(settings.clock.astimezone(BEIJING)) if settings.clock else SystemClock()


def build_services(
    settings: Settings | None = None, *, recording: Recording | None = None
) -> Services:
    """Open the store, load the snapshot if it is not loaded yet, and wire everything.

    With a `recording` every answer of a source goes into it: freezing.
    Raises: ConfigError, StoreError (another process holds the file, or a part was changed).
    """
    settings = settings or load_settings()
    clock = clock_of(settings)
    database = Database(settings.store)
    try:
        return _wired(settings, clock, database, recording)
    except BaseException:
        database.close()
        raise


def _wired(
    settings: Settings, clock: Clock, database: Database, recording: Recording | None
) -> Services:
    """Everything, on an open database."""
    market = MarketTables(database, settings.snapshot)
    settings = _as_frozen(settings, market.manifest)
    http, calendar = Http(settings, clock), Calendar()
    copy = MarketCopy(database)
    kit = Kit(settings, clock, http, market, lambda name: sync.refresh(name), copy)
    kit = _of_mode(kit, calendar)
    providers = {name: make(kit) for name, make in PROVIDERS.items()}
    chain = _chain(settings, clock, database, providers, calendar, market.manifest)
    chain = RecordingChain(chain, recording) if recording is not None else chain
    runs, stored = Runs(database), Jobs(database)
    runner = Runner(chain, runs, clock)
    sync = Sync(chain, copy, calendar, clock, renamed=lambda: names.renew(copy.names()))
    names = _live_names(market, copy, sync) if kit.copy is copy else _names(market)
    options = _options(settings)
    bench = _bench(settings, options, names, calendar, clock)
    model = configured_model(settings, clock)
    works = _works(database, bench, runs, model, _industries(market, settings.mode))
    working = works(clock, runner)
    jobs = JobRunner(stored)
    scores = ScoreService(working.scorer, jobs, runs, stored)
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
        toolbox=working.toolbox,
        sync=sync,
        syncs=SyncJobs(sync),
        copy=copy,
        query=working.query,
        model=model,
        jobs=jobs,
        analyses=AgentService(_analyst(settings, options, bench, runner, model), jobs, runs),
        scores=scores,
        score_batches=ScoreBatches(working.scorer, scores, jobs, stored),
        works=works,
    )


def _bench(
    settings: Settings,
    options: AgentOptions | ConfigError,
    names: Names,
    calendar: Calendar,
    clock: Clock,
) -> Workbench:
    """What tools work with; the library of indicators is a setting of the analysis."""
    backend = "auto" if isinstance(options, ConfigError) else options.tools.indicators.backend
    base = KnowledgeBase(settings.knowledge)
    return Workbench(names, calendar, clock, settings, base, indicator_backend=backend)


def _works(
    database: Database,
    bench: Workbench,
    runs: Runs,
    model: ConfiguredModel | None,
    industries: Callable[[], Mapping[str, frozenset[str]]],
) -> Callable[[Clock, Runner], Works]:
    """How to make what works on a ledger; questions are read, carried out and kept."""
    metadata = _metadata(bench.settings, database)
    reading = _reading(bench, model, metadata, industries)
    kept = Kept(Sessions(database), Turns(database), runs)

    def made(clock: Clock, runner: Runner) -> Works:
        desk = replace(bench, clock=clock)
        executor = Executor(TOOLS, desk, metadata)
        return Works(
            Toolbox(TOOLS, runner, desk),
            Query(replace(reading, clock=clock), executor, runner, kept),
            _scorer(desk.settings, desk, runner),
        )

    return made


def _metadata(settings: Settings, database: Database) -> Metadata:
    """What can be asked for by name, told to the store too."""
    embeddings = configured_embeddings(settings)
    metadata = read_metadata(nearness=VectorNearness(embeddings) if embeddings else None)
    BizMetadata(database).write(
        {entry.code: (entry.name, entry.model_dump_json()) for entry in metadata.entries}
    )
    return metadata


def _scorer(settings: Settings, bench: Workbench, runner: Runner) -> Scorer:
    """Scores, by the models that have their key and by rule else."""
    desk = Desk(bench.names, bench.calendar, bench.clock, bench.indicator_backend)
    workflow = ScoringWorkflow(settings=settings, clock=bench.clock)
    return Scorer(runner, desk, workflow, settings.llm_deadline_s)


def _options(settings: Settings) -> AgentOptions | ConfigError:
    """The settings of the analysis; a file that cannot be used stops analyses and nothing else."""
    try:
        return read_options(settings.agent_settings)
    except ConfigError as error:
        return error


def _analyst(
    settings: Settings,
    options: AgentOptions | ConfigError,
    bench: Workbench,
    runner: Runner,
    model: ConfiguredModel | None,
) -> AgentOrchestrator | ConfigError:
    if isinstance(options, ConfigError):
        return options
    runtime = settings.llm_runtime or options.runtime
    engine = Engine(model, runtime, settings.llm_deadline_s * _ANSWERS)
    try:
        return AgentOrchestrator(TOOLS, bench, runner, options, engine, write_markdown)
    except InputError as error:
        return ConfigError(VARIABLE, f"agent.default_skill: {error}")


def _reading(
    bench: Workbench,
    model: ConfiguredModel | None,
    metadata: Metadata,
    industries: Callable[[], Mapping[str, frozenset[str]]],
) -> Reading:
    """The rules, and a model behind them where one is configured."""
    names, clock = bench.names, bench.clock
    rules = RuleParser(names, metadata, clock, bench.calendar)
    wider = None
    if model is not None:
        wider = ModelParser(
            rules,
            QuestionReader(model),
            names,
            metadata,
            clock,
            industries=industries,
            deadline_s=bench.settings.llm_deadline_s / 3,
        )
    readers = Readers(rules, AskReader(names, clock), names)
    return Reading(rules, names, metadata, clock, industries, wider, readers)


def _industries(market: MarketTables, mode: Mode) -> Callable[[], Mapping[str, frozenset[str]]]:
    """The industry labels of the snapshot by market; none in live mode, where a source has its own.

    Read when they are first needed.
    """

    @cache
    def labels() -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for row in market.names() if mode == "snapshot" else ():
            if row.industry:
                found.setdefault(row.market, set()).add(row.industry)
        return {name: frozenset(known) for name, known in found.items()}

    return labels


def _as_frozen(settings: Settings, manifest: Manifest) -> Settings:
    """The settings when the snapshot is a frozen one: one of live data is read as live data are."""
    if settings.mode != "snapshot" or manifest.scope is None:
        return settings
    return replace(settings, mode="live" if manifest.frozen_live else "snapshot", frozen=True)


def _of_mode(kit: Kit, calendar: Calendar) -> Kit:
    """The kit with the copy of whole markets that may be asked: the store's own when live, the
    frozen one where there is one, none else.
    """
    settings, manifest = kit.settings, kit.market.manifest
    if not settings.frozen:
        return kit if settings.mode == "live" else replace(kit, copy=None)
    if not has_copy(manifest):
        return replace(kit, copy=None)
    known = annual_of(calendar.local_day("CN", kit.clock.now()))
    frozen = load_copy(settings.snapshot, manifest, known)
    return Kit(settings, kit.clock, kit.http, kit.market, copy=frozen)


def _names(market: MarketTables) -> Names:
    """The names of the snapshot; of a frozen one nobody else can be asked about."""
    scope = market.manifest.scope
    if scope is None or scope.kind == "all":
        return Names(market.names())
    hint = f"; the frozen snapshot holds {scope.en} only (冻结的数据只含{scope.zh})"
    return Names(market.names(), hint=hint)


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
    manifest: Manifest,
) -> Chain:
    """In snapshot mode nothing is kept or counted: the file is its own memory."""
    if settings.mode == "snapshot" or settings.frozen:
        if manifest.has(ANSWERS):
            named = (MARKET_COPY,) if has_copy(manifest) else ()
            return FrozenChain(
                providers,
                settings.chains,
                clock,
                answers=FrozenAnswers(database),
                manifest=manifest,
                copied=dict.fromkeys(ANSWERED, named) if named else None,
            )
        built_at = None if manifest.frozen_live else manifest.fetched_at
        return Chain(providers, settings.chains, clock, built_at=built_at)
    return Chain(
        providers,
        settings.chains,
        clock,
        keeper=Keeper(Fetches(database), expiry(calendar), clock),
        health=Health(clock, SourceRecords(database)),
        deadline_s=settings.api_deadline_s,
        wanting=settings.wanting,
    )
