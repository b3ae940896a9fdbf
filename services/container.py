"""The only place objects are wired together.

What a page or a command may not need is wired, and imported, when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from services.core.clock import BEIJING, Clock, FixedClock
from services.core.errors import ConfigError, InputError
from services.core.lazy import Later, import_each
from services.core.names import NameRow
from services.core.symbols import Market
from services.market.calendar import Calendar
from services.market.freshness import expiry
from services.market.names.names import Names
from services.providers.base import Provider
from services.providers.chain import Chain
from services.providers.frozen import FrozenChain, Recording, RecordingChain
from services.providers.health import Health
from services.providers.http import Http
from services.providers.long_history import LongHistory
from services.providers.market_copy import NAME as MARKET_COPY
from services.providers.provider_context import Kit
from services.providers.registry import Providers
from services.providers.response_cache import Keeper
from services.settings import LONG_HISTORY, Settings, load_settings
from services.store.alerts import Alerts
from services.store.audit import Audit
from services.store.biz_metadata import BizMetadata
from services.store.choices import Choices
from services.store.database import Database
from services.store.fetches import Fetches
from services.store.frozen_answers import FrozenAnswers
from services.store.frozen_copy import ANSWERED, has_copy, load_copy
from services.store.jobs import Jobs
from services.store.market_copy import MarketCopy
from services.store.market_tables import MarketTables
from services.store.ownership import Sharing
from services.store.published import market_copy_of
from services.store.runs import Runs, StoredRun
from services.store.schedules import Schedules
from services.store.screens import Screens
from services.store.sessions import Sessions
from services.store.snapshot import ANSWERS, Manifest, read_manifest
from services.store.source_health import SourceRecords
from services.store.turns import Turns
from services.store.watchlists import Watchlists
from services.system_clock import SystemClock
from services.tools.running import Runner

if TYPE_CHECKING:
    from services.agents import models, options, orchestrator, service
    from services.exports import view_files
    from services.jobs import runner as running
    from services.market import sync as syncing
    from services.market import sync_jobs
    from services.query import sessions as asking
    from services.query.answering import executor as executing
    from services.query.planning import metadata as meaning
    from services.query.reading import embedding, llm_parser, reader, readers
    from services.scoring import batches, facts, workflow
    from services.scoring import scorer as scorers
    from services.scoring import service as scoring
    from services.tools import base, knowledge_base, registry, replaying
else:
    models, options, orchestrator, service = import_each(
        "services.agents", "models", "options", "orchestrator", "service"
    )
    (view_files,) = import_each("services.exports", "view_files")
    (running,) = import_each("services.jobs", "runner")
    syncing, sync_jobs = import_each("services.market", "sync", "sync_jobs")
    asking, executing, meaning, embedding, llm_parser, reader, readers = import_each(
        "services.query",
        *("sessions", "answering.executor", "planning.metadata"),
        *("reading.embedding", "reading.llm_parser", "reading.reader", "reading.readers"),
    )
    batches, facts, scorers, workflow, scoring = import_each(
        "services.scoring", "batches", "facts", "scorer", "workflow", "service"
    )
    base, knowledge_base, registry, replaying = import_each(
        "services.tools", "base", "knowledge_base", "registry", "replaying"
    )

# An analysis asks its model several times: so many answers' time it may take in all.
_ANSWERS = 5


class Works(NamedTuple):
    """What works on a ledger: made for one clock and one runner, each when it is asked for."""

    toolbox: Later[base.Toolbox]
    query: Later[asking.QueryService]
    scorer: Later[scorers.Scorer]


@dataclass(frozen=True, slots=True)
class _Wired:
    """What is made at its first use."""

    works: Works
    model: Later[models.ConfiguredModel | None]
    sync: Later[syncing.Sync]
    syncs: Later[sync_jobs.SyncJobs]
    jobs: Later[running.JobRunner]
    analyses: Later[service.AgentService]
    scores: Later[scoring.ScoreService]
    score_batches: Later[batches.ScoreBatches]


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a page or the command line may use. Safe to share between threads."""

    settings: Settings
    clock: Clock
    real: Clock
    manifest: Manifest
    database: Database
    http: Http
    market: MarketTables
    runs: Runs
    choices: Choices
    screens: Screens
    watchlists: Watchlists
    alerts: Alerts
    schedules: Schedules
    sharing: Sharing
    audit: Audit
    names: Names
    calendar: Calendar
    chain: Chain
    runner: Runner
    copy: MarketCopy
    works: Callable[[Clock, Runner], Works]
    wired: _Wired

    @property
    def toolbox(self) -> base.Toolbox:
        """The tools by their wire names."""
        return self.wired.works.toolbox()

    @property
    def query(self) -> asking.QueryService:
        """Questions, their plans and answers."""
        return self.wired.works.query()

    @property
    def model(self) -> models.ConfiguredModel | None:
        """The language model of the settings; None where none is configured."""
        return self.wired.model()

    @property
    def sync(self) -> syncing.Sync:
        """The copy of whole markets, brought up to date."""
        return self.wired.sync()

    @property
    def syncs(self) -> sync_jobs.SyncJobs:
        """Syncs beside the pages."""
        return self.wired.syncs()

    @property
    def jobs(self) -> running.JobRunner:
        """Long work beside the pages."""
        return self.wired.jobs()

    @property
    def analyses(self) -> service.AgentService:
        """Reports."""
        return self.wired.analyses()

    @property
    def scores(self) -> scoring.ScoreService:
        """Hold scores."""
        return self.wired.scores()

    @property
    def score_batches(self) -> batches.ScoreBatches:
        """Hold scores of many companies."""
        return self.wired.score_batches()

    def replaying(self, stored: StoredRun) -> Services:
        """The same for doing that run once more: at its instant, from its own record.

        Its runner asks no source and stores nothing; analyses and batches are not replayed.
        """
        clock = FixedClock(stored.run.started_at.astimezone(BEIJING))
        runner = replaying.ReplayRunner(self.chain, self.runs, clock, stored, self.settings.wanting)
        made = self.works(clock, runner)
        scores = Later(lambda: scoring.ScoreService(made.scorer(), self.jobs, self.runs))
        wired = replace(self.wired, works=made, scores=scores)
        return replace(self, clock=clock, runner=runner, wired=wired)

    def close(self) -> None:
        """Stop what runs, and let go of connections and of the database file."""
        if (jobs := self.wired.jobs.made) is not None:
            jobs.close()
        self.http.close()
        if (model := self.wired.model.made) is not None:
            model.close()
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
    database = Database(settings.store, records_url=settings.records_url)
    try:
        return _wire(settings, clock, database, recording)
    except BaseException:
        database.close()
        raise


def _wire(
    settings: Settings, clock: Clock, database: Database, recording: Recording | None
) -> Services:
    """Everything, on an open database."""
    market = MarketTables(database, settings.snapshot)
    settings = _as_frozen(settings, market.manifest)
    http, calendar = Http(settings, clock), Calendar()
    copy = market_copy_of(settings, database, lambda: renew())
    kit = Kit(settings, clock, http, market, lambda name: sync().refresh(name), copy)
    kit = _of_mode(kit, calendar)
    chain = _chain(settings, clock, database, Providers(kit), calendar, market.manifest, recording)
    chain = RecordingChain(chain, recording) if recording is not None else chain
    runs = Runs(database)
    runner = Runner(chain, runs, clock)

    def renew() -> None:
        names.renew(copy.names())

    sync = Later(lambda: syncing.Sync(chain, copy, calendar, clock, renamed=renew))
    names = _live_names(market, copy, sync) if kit.copy is copy else _names(market)
    desk = _Desk(settings, clock, names, calendar)
    # Of the snapshot alone: live, a source has labels of its own.
    industries = Later(lambda: market.labels() if settings.mode == "snapshot" else {})
    works = _works(database, desk, runs, industries)
    return Services(
        settings=settings,
        clock=clock,
        real=SystemClock(),
        manifest=market.manifest,
        database=database,
        http=http,
        market=market,
        runs=runs,
        choices=Choices(database),
        screens=Screens(database),
        watchlists=Watchlists(database),
        alerts=Alerts(database),
        schedules=Schedules(database),
        sharing=Sharing(database),
        audit=Audit(database),
        names=names,
        calendar=calendar,
        chain=chain,
        runner=runner,
        copy=copy,
        works=works,
        wired=_later(desk, works(clock, runner), runner, Jobs(database), runs, sync),
    )


class _Desk:
    """Options of the analysis, the workbench, the language model: each made at its first use."""

    def __init__(self, settings: Settings, clock: Clock, names: Names, calendar: Calendar) -> None:
        self.settings = settings
        self.options = Later(lambda: _options(settings))
        self.bench = Later(lambda: _bench(settings, self.options(), names, calendar, clock))
        self.model = Later(
            lambda: models.configured_model(settings, clock) if settings.model_configured else None
        )
        if settings.model_configured:
            self.model()  # what is wrong with its settings is told at the start


def _later(
    desk: _Desk, working: Works, runner: Runner, stored: Jobs, runs: Runs, sync: Later[syncing.Sync]
) -> _Wired:
    """What is made at its first use, of what is there."""
    mode = "snapshot" if desk.settings.frozen else desk.settings.mode
    jobs = Later(lambda: running.JobRunner(stored, mode))
    scores = Later(lambda: scoring.ScoreService(working.scorer(), jobs(), runs, stored))
    return _Wired(
        works=working,
        model=desk.model,
        sync=sync,
        syncs=Later(lambda: sync_jobs.SyncJobs(sync())),
        jobs=jobs,
        analyses=Later(lambda: service.AgentService(_analyst(desk, runner), jobs(), runs)),
        scores=scores,
        score_batches=Later(
            lambda: batches.ScoreBatches(working.scorer(), scores(), jobs(), stored)
        ),
    )


def _bench(
    settings: Settings,
    chosen: options.AgentOptions | ConfigError,
    names: Names,
    calendar: Calendar,
    clock: Clock,
) -> base.Workbench:
    """What tools work with; the library of indicators is a setting of the analysis."""
    backend = "auto" if isinstance(chosen, ConfigError) else chosen.tools.indicators.backend
    notes = knowledge_base.KnowledgeBase(settings.knowledge)
    return base.Workbench(names, calendar, clock, settings, notes, indicator_backend=backend)


def _works(
    database: Database,
    given: _Desk,
    runs: Runs,
    industries: Callable[[], Mapping[str, frozenset[str]]],
) -> Callable[[Clock, Runner], Works]:
    """How to make what works on a ledger; questions are read, carried out and kept."""
    bench = given.bench
    metadata = Later(lambda: _metadata(given.settings, database))
    reading = Later(lambda: _make_reading(bench(), given.model(), metadata(), industries))

    def made(clock: Clock, runner: Runner) -> Works:
        desk = Later(lambda: replace(bench(), clock=clock))

        def toolbox() -> base.Toolbox:
            return base.Toolbox(registry.TOOLS, runner, desk())

        def executor() -> executing.Executor:
            return executing.Executor(registry.TOOLS, desk(), metadata())

        def query() -> asking.QueryService:
            kept = asking.TurnStores(Sessions(database), Turns(database), runs)
            return asking.QueryService(
                replace(reading(), clock=clock), Later(executor), runner, kept
            )

        scorer = Later(lambda: _scorer(desk().settings, desk(), runner))
        return Works(Later(toolbox), Later(query), scorer)

    return made


def _metadata(settings: Settings, database: Database) -> meaning.Metadata:
    """What can be asked for by name, told to the store too."""
    embeddings = models.configured_embeddings(settings)
    metadata = meaning.read_metadata(
        nearness=embedding.VectorNearness(embeddings) if embeddings else None
    )
    BizMetadata(database).write(
        {entry.code: (entry.name, entry.model_dump_json()) for entry in metadata.entries}
    )
    return metadata


def _scorer(settings: Settings, bench: base.Workbench, runner: Runner) -> scorers.Scorer:
    """Scores, by the models that have their key and by rule else."""
    desk = facts.AnalysisDesk(bench.names, bench.calendar, bench.clock, bench.indicator_backend)
    made = workflow.ScoringWorkflow(settings=settings, clock=bench.clock)
    return scorers.Scorer(runner, desk, made, settings.llm_deadline_s)


def _options(settings: Settings) -> options.AgentOptions | ConfigError:
    """The settings of the analysis; a file that cannot be used stops analyses and nothing else."""
    try:
        return options.read_options(settings.agent_settings)
    except ConfigError as error:
        return error


def _analyst(desk: _Desk, runner: Runner) -> orchestrator.AgentOrchestrator | ConfigError:
    settings, chosen = desk.settings, desk.options()
    if isinstance(chosen, ConfigError):
        return chosen
    runtime = settings.llm_runtime or chosen.runtime
    deadline_s = settings.llm_deadline_s * _ANSWERS
    engine = orchestrator.Engine(desk.model(), runtime, deadline_s, settings.llm_grammar)
    text, real = view_files.write_markdown, SystemClock()
    tools, bench = registry.TOOLS, desk.bench()
    try:
        return orchestrator.AgentOrchestrator(tools, bench, runner, chosen, engine, text, real)
    except InputError as error:
        return ConfigError(options.VARIABLE, f"agent.default_skill: {error}")


def _make_reading(
    bench: base.Workbench,
    model: models.ConfiguredModel | None,
    metadata: meaning.Metadata,
    industries: Callable[[], Mapping[str, frozenset[str]]],
) -> asking.ReadingContext:
    """The rules, and a model beside them where one is configured."""
    names, clock = bench.names, bench.clock
    ask = reader.AskReader(names, clock, bench.calendar)
    both = readers.Readers(ask, names, metadata, clock, bench.calendar)
    wider = None
    if model is not None:
        asked, patience_s = models.QuestionReader(model), bench.settings.llm_deadline_s / 3
        wider = llm_parser.ModelParser(both, asked, metadata, clock, deadline_s=patience_s)
    return asking.ReadingContext(both, names, metadata, clock, bench.calendar, industries, wider)


def _as_frozen(settings: Settings, manifest: Manifest) -> Settings:
    """The settings when the snapshot is a frozen one: one of live data is read as live data are."""
    if settings.mode != "snapshot" or manifest.scope is None:
        return settings
    return replace(settings, mode="live" if manifest.frozen_live else "snapshot", frozen=True)


def _of_mode(kit: Kit, calendar: Calendar) -> Kit:
    """The kit with the copy that may be asked: the store's own when live, else the frozen one."""
    settings, manifest = kit.settings, kit.market.manifest
    if not settings.frozen:
        return kit if settings.mode == "live" else replace(kit, copy=None)
    if not has_copy(manifest):
        return replace(kit, copy=None)
    known = syncing.annual_of(calendar.local_day("CN", kit.clock.now()))
    frozen = load_copy(settings.snapshot, manifest, known)
    return Kit(settings, kit.clock, kit.http, kit.market, copy=frozen)


def _names(market: MarketTables) -> Names:
    """The names of the snapshot; of a frozen one nobody else can be asked about."""
    scope = market.manifest.scope
    if scope is None or scope.kind == "all":
        return Names(market.names)
    hint = f"; the frozen snapshot holds {scope.en} only (冻结的数据只含{scope.zh})"
    return Names(market.names, hint=hint)


def _live_names(market: MarketTables, copy: MarketCopy, sync: Later[syncing.Sync]) -> Names:
    """The names of the snapshot and of the copy; a name neither knows is looked for once."""

    def more(name: Market) -> list[NameRow]:
        sync().refresh(name)
        return copy.names(name)

    names = Names(market.names, more=more)
    names.renew(copy.names())
    return names


def _chain(
    settings: Settings,
    clock: Clock,
    database: Database,
    providers: Mapping[str, Provider],
    calendar: Calendar,
    manifest: Manifest,
    recording: Recording | None,
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
        return Chain(
            providers, settings.chains, clock, built_at=built_at, captured=manifest.captured
        )
    return Chain(
        providers,
        settings.chains,
        clock,
        keeper=Keeper(Fetches(database), expiry(calendar), clock),
        health=Health(clock, SourceRecords(database)),
        deadline_s=settings.api_deadline_s,
        wanting=settings.wanting,
        long_history=LongHistory(LONG_HISTORY, calendar.last_complete_session, bool(recording)),
    )
