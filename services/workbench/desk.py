"""The one thing pages talk to: each method is one page, answered as a view model.

Every view of market figures is a recorded run of the session, so 溯源 shows what each page stands
on.
"""

from collections.abc import Mapping, Sequence
from datetime import date

from services.core.errors import InputError
from services.core.identity import require_admin
from services.core.symbols import Market
from services.core.text import Language, Text
from services.core.verifier import VerificationResult
from services.evidence_pack.build import pack_of
from services.settings import Mode
from services.sight import SeenPiece
from services.store.schedules import Every
from services.views import (
    alerts,
    analysis,
    ask,
    financials,
    overview,
    scheduled,
    score,
    score_batch,
    screen,
    screen_said,
    sources,
    status,
    stock,
    syncing,
    text_check,
    tracing,
    watch,
)
from services.views.alerts import AlertsView
from services.views.analysis_view import Analysis, ListedReport
from services.views.ask_view import ConversationView, Edits, ListedConversation, State
from services.views.company import build as company
from services.views.company.build import SectionRequest
from services.views.company.view import CompanyView
from services.views.compare import build as side_by_side
from services.views.compare.view import CompareRequest, CompareView
from services.views.parts import Parts, industries
from services.views.scheduled import ListedSchedule
from services.views.score_view import (
    BatchMembers,
    BatchView,
    ListedBatch,
    ListedScore,
    RoleLine,
    Score,
    ScorePage,
)
from services.views.screen_chips import ChosenSets
from services.views.screen_said import ScreenRead
from services.views.status import StatusView
from services.views.table import View
from services.views.text_check import TextCheckView
from services.views.view import (
    FinancialsView,
    FoundLink,
    OverviewView,
    ScreenView,
    SourcesView,
    StockView,
    SyncState,
    TraceView,
    Trial,
)
from services.views.watch import WatchView
from services.workbench import replay
from services.workbench import saved_reports as shelf
from services.workbench.compare import ComparisonView
from services.workbench.replay import ReplayView

_MODE = "mode"


class Desk:
    """Builds views. Safe to share between sessions: it keeps nothing of its own."""

    def __init__(self, services: Parts) -> None:
        """`services` is the container (anything with its parts)."""
        self._parts = services

    def overview(self, session_id: str) -> OverviewView:
        """总览. Raises: ProviderError, NotVerifiedError."""
        return overview.build(self._parts, session_id)

    def screen(self, arguments: Mapping[str, str], session_id: str, page: int = 1) -> ScreenView:
        """选股: `arguments` are the wire arguments of a screen as text (category, pettm, …,
        order_by, order, size) plus `industry`; blank ones are ignored. `page` counts from 1.

        Raises: InputError naming the argument and its valid form, NoDataError, ProviderError.
        """
        return screen.build(self._parts, arguments, session_id, page)

    def screen_all(self, arguments: Mapping[str, str], session_id: str) -> ScreenView:
        """Every company that matches, on one page: what an export of a screen holds.

        Raises: as `screen`.
        """
        return screen.build_all(self._parts, arguments, session_id)

    def read_screen(self, text: str, market: str, language: Language) -> ScreenRead:
        """选股: a sentence as a screen, of that market where it names none. Raises: InputError."""
        return screen_said.read(self._parts, text, market, language)

    def add_to_screen(self, arguments: Mapping[str, str], chosen: ChosenSets) -> dict[str, str]:
        """The arguments of that screen with these sets of companies asked for, or left out.

        Raises: InputError for what names no one company.
        """
        return screen.add_sets(self._parts, arguments, chosen)

    def company(self, symbol_text: str, wanted: SectionRequest, session_id: str) -> CompanyView:
        """公司: anything that names one company or index, and the section that is to be shown.

        Raises: InputError (with `choices` when the name is ambiguous), NoDataError, ProviderError.
        """
        return company.build(self._parts, symbol_text, wanted, session_id)

    def compare_companies(self, asked: CompareRequest, session_id: str) -> CompareView:
        """对比: two to six companies side by side. One that fails has a column that says why.

        Raises: InputError for fewer, more, or a range that is none.
        """
        return side_by_side.build(self._parts, asked, session_id)

    def watchlist(self, name: str, session_id: str) -> WatchView:
        """自选: what the list of that name holds. Raises: InputError listing those there are."""
        return watch.build(self._parts, name, self._parts.watchlists.of(name), session_id)

    def watch(self, name: str, symbol_text: str, *, on: date | None = None, note: str = "") -> str:
        """Put a company into a list; its symbol. Without a day it is the market's today; one that
        is there keeps its day and takes the note.

        Raises: InputError (what names no one company, a day to come, a full list).
        """
        symbol, today = self._parts.names.resolve(symbol_text), self._parts.clock.now().date()
        if on is not None and on > today:
            raise InputError("on", on.isoformat(), Text(f"{today} 或更早", f"{today} or earlier"))
        kept = self._parts.watchlists
        kept.add(name, symbol.value, on or today, note)
        if note:  # of one that was there already too
            kept.write_note(name, symbol.value, note)
        return symbol.value

    def alerts(self) -> AlertsView:
        """提醒: what was found in one's lists and not seen yet, newest first."""
        return alerts.build(self._parts)

    def look_for_alerts(self) -> int:
        """Look through one's lists now; how many alerts are new. Raises: NotVerifiedError."""
        return alerts.look(self._parts)

    def see_alerts(self, view: AlertsView) -> None:
        """They were looked at: new no more, as if each company had been opened."""
        alerts.see(self._parts, view.alerts)

    def schedules(self) -> tuple[ListedSchedule, ...]:
        """定时报告: which reports are written again and again, one's own, oldest first."""
        return scheduled.listed(self._parts)

    def schedule(self, symbol_text: str, every: Every, language: Language) -> str:
        """Have a report of a company written again and again; the id of its schedule. The same
        once more is the same one.

        Raises: InputError (what names no one company, too many), NotAllowedError for a reader.
        """
        symbol = self._parts.names.resolve(symbol_text.strip()).value
        return self._parts.schedules.add(symbol, every, language)

    def unschedule(self, schedule_id: str) -> None:
        """Write it no more. Raises: InputError, NotAllowedError for a reader."""
        self._parts.schedules.remove(schedule_id)

    def stock(
        self, symbol_text: str, start: date | None, end: date | None, session_id: str
    ) -> StockView:
        """个股: anything that names one company or index; a null `start` is one year before
        `end`, a null `end` the clock's day.

        Raises: InputError (with `choices` when the name is ambiguous), NoDataError, ProviderError.
        """
        return stock.build(self._parts, symbol_text, start, end, session_id)

    def financials(self, symbol_text: str, session_id: str, *, count: int = 5) -> FinancialsView:
        """财务: `count` report periods back from the newest known.

        Raises: InputError (also for an index, which has no reports), NoDataError, ProviderError.
        """
        return financials.build(self._parts, symbol_text, session_id, count=count)

    def check_text(self, text: str, session_id: str, *, about: str = "") -> TextCheckView:
        """核验: a text from outside, figure by figure. See text_check.check; it is not kept."""
        return text_check.check(self._parts, text, session_id, about=about)

    def conversation(self, conversation: str = "") -> ConversationView:
        """问答: the turns of a conversation as they were answered; a new one for no id.

        Raises: InputError for an id that is not stored.
        """
        return ask.build(self._parts, conversation)

    def conversations(self, limit: int = 30) -> tuple[ListedConversation, ...]:
        """The conversations last seen, newest first."""
        return ask.listed(self._parts, limit)

    def begin(self) -> str:
        """The id of a new conversation."""
        return self._parts.query.begin()

    def ask(self, text: str, conversation: str, language: Language | None = None) -> None:
        """Ask a question; its answer, or the question put back, is a turn of the conversation, told
        in `language`, else in the question's own.

        Raises: InputError (too long), NotVerifiedError.
        """
        self._parts.query.ask(text, conversation, language)

    def ask_edited(self, conversation: str, number: int, edits: Edits) -> State | None:
        """Ask the plan of a turn again with changes, as a turn of its own: what became of it, None
        when they change nothing. Raises: InputError, NotVerifiedError.
        """
        return ask.ask_edited(self._parts, conversation, number, edits)

    def ask_again(self, conversation: str, number: int) -> None:
        """Carry out a turn that got no answer, or that no source answered.

        Raises: InputError, NotVerifiedError.
        """
        ask.ask_again(self._parts, conversation, number)

    def rename(self, conversation: str, title: str) -> None:
        """Give a conversation a title. Raises: InputError."""
        self._parts.query.rename(conversation, title)

    def analyse(
        self,
        symbol_text: str | None,
        session_id: str,
        *,
        question: str = "",
        language: Language = "zh",
        by_rule: bool = False,
    ) -> str:
        """Begin a deep analysis of a company (of the market for None) beside the pages; the id
        to ask `analysis` with. The same one, while it runs, is joined.

        Raises: ConfigError, InputError (with `choices` when the name is ambiguous).
        """
        return analysis.start(
            self._parts,
            symbol_text,
            session_id,
            question=question,
            language=language,
            by_rule=by_rule,
        )

    def analyse_again(self, job_id: str, session_id: str, *, by_rule: bool = False) -> str:
        """Begin the same analysis once more. Raises: ConfigError, InputError."""
        return analysis.again(self._parts, job_id, session_id, by_rule=by_rule)

    def analysis(self, job_id: str) -> Analysis:
        """An analysis as it stands: its steps while it runs, its report when it has ended.

        Raises: InputError for an id that is not stored.
        """
        return analysis.build(self._parts, job_id)

    def reports(
        self, symbol_text: str = "", limit: int = 100, *, hidden: bool = False
    ) -> tuple[ListedReport, ...]:
        """The newest analyses and scores, newest first; of one company, or of a market (`CN`), when
        given. `hidden`: those that were put away in place of the others.

        Raises: InputError for a name that is not one company's.
        """
        return shelf.list_reports(self._parts, symbol_text, limit, hidden=hidden)

    def kept_of(self, symbol: str) -> shelf.KeptOf:
        """The newest score of a company, and how many reports and scores are kept of it."""
        return shelf.kept_of(self._parts, symbol)

    def preview(self, job_id: str) -> View | None:
        """The finished analysis or score itself; None for one without a text. Raises: InputError
        for an id that is not stored.
        """
        return shelf.preview(self._parts, job_id)

    def put_away(self, job_ids: Sequence[str]) -> None:
        """Take analyses and scores out of the lists; their runs stay, as citations may point at
        them. Raises: InputError for an id that is not stored.
        """
        shelf.put_away(self._parts, job_ids)

    def put_back(self, job_ids: Sequence[str]) -> None:
        """Put them back into the lists."""
        self._parts.jobs.restore(job_ids)

    def compare(self, first: str, second: str, language: Language = "zh") -> ComparisonView:
        """Two finished analyses, or two scores, side by side, the older one first.

        Raises: InputError for one that is not stored, not finished, or of another kind.
        """
        return shelf.compare_reports(self._parts, first, second, language)

    def cancel_analysis(self, job_id: str) -> None:
        """Ask one to stop; it does so at its next step. Raises: InputError."""
        self._parts.analyses.cancel(job_id)

    def score(
        self, symbol_text: str, session_id: str, *, language: Language = "zh", by_rule: bool = False
    ) -> str:
        """Begin a hold score beside the pages; the id of its job. The same one, while it runs, is
        joined. Raises: InputError (with `choices` when the name is ambiguous).
        """
        return score.start(self._parts, symbol_text, session_id, language=language, by_rule=by_rule)

    def score_page(self, symbol_text: str, job_id: str, session_id: str) -> ScorePage:
        """持有评分: the score of that job, or for no job the newest of the company; and those of
        before with what the price did afterwards.

        Raises: InputError (an id that is not stored, a name that is not one company's).
        """
        return score.build(self._parts, symbol_text, job_id, session_id)

    def score_state(self, job_id: str) -> Score:
        """How far a score is. Raises: InputError for an id that is not stored."""
        return score.state(self._parts, job_id)

    def score_roles(self) -> tuple[RoleLine, ...]:
        """Who scores and who reviews: a model, or the rules. Reads the settings only."""
        return score.roles(self._parts)

    def scores(self, limit: int = 12) -> tuple[ListedScore, ...]:
        """The companies scored last, newest first."""
        return score.listed(self._parts, limit)

    def cancel_score(self, job_id: str) -> None:
        """Ask one to stop. Raises: InputError."""
        self._parts.scores.cancel(job_id)

    def score_batch(
        self,
        chosen: BatchMembers,
        session_id: str,
        *,
        language: Language = "zh",
        by_rule: bool = False,
    ) -> str:
        """Begin to score many, one after another; the id to ask `batch` with.

        Raises: InputError (nobody, too many, a name that is not one company's), NoDataError,
        ProviderError (the screen).
        """
        return score_batch.start(
            self._parts, chosen, session_id, language=language, by_rule=by_rule
        )

    def batch(self, job_id: str) -> BatchView:
        """How far a batch is, company by company. Raises: InputError."""
        return score_batch.build(self._parts, job_id)

    def batches(self, limit: int = 8) -> tuple[ListedBatch, ...]:
        """The newest batches, newest first."""
        return score_batch.listed(self._parts, limit)

    def resume_batch(self, job_id: str, session_id: str) -> str:
        """Go on with one that was stopped; the id of the job that does. Raises: InputError."""
        return self._parts.score_batches.resume(job_id, session_id)

    def cancel_batch(self, job_id: str) -> None:
        """Ask it to stop after the company it is at. Raises: InputError."""
        self._parts.score_batches.cancel(job_id)

    def traces(
        self,
        session_id: str,
        *,
        run_id: str | None = None,
        tool_call_id: str | None = None,
        members_of: str | None = None,
    ) -> TraceView:
        """溯源: the session's runs, newest first; the newest is chosen unless `run_id` or
        `tool_call_id` says otherwise (either may belong to another session: a deep link).
        `members_of` is the claim of that run whose members are listed.
        A session that has fetched nothing yet gets the run of 总览, so that there is one to read.

        Raises: InputError for an id that is not stored.
        """
        asked = run_id is not None or tool_call_id is not None
        if not asked and not self._parts.runs.runs(session_id, limit=1):
            overview.build(self._parts, session_id)
        return tracing.build(
            self._parts,
            session_id,
            run_id=run_id,
            tool_call_id=tool_call_id,
            members_of=members_of,
        )

    def pack(self, view: View, language: Language) -> bytes:
        """What a page shows as an evidence pack (.youju.zip), written now."""
        return pack_of(self._parts, view, language)

    def reverify(self, run_id: str) -> VerificationResult:
        """Ask the verifier again about every stored claim of that run. Raises: InputError."""
        return tracing.reverify(self._parts, run_id)

    def replay(self, run_id: str, language: Language = "zh") -> ReplayView:
        """Do a stored run again from its own record: no source is asked, nothing is stored.

        Raises: InputError for a run that is not stored, did not finish, or is of a kind that is
        not replayed.
        """
        return replay.replay(self._parts, run_id, language)

    def changes(self, run_id: str, session_id: str, language: Language = "zh") -> ComparisonView:
        """A stored run beside the same on the data of now. Raises: as `replay`; NoDataError,
        ProviderError, NotVerifiedError of the run of now.
        """
        return replay.changes(self._parts, run_id, session_id, language)

    def sources(self) -> SourcesView:
        """数据源. Reads the settings and the manifest only; nothing is fetched."""
        return sources.build(self._parts)

    def try_source(self, name: str) -> Trial:
        """Ask one source now for something small, whatever is kept and whatever it did before.

        Raises: InputError for a source that is not configured.
        """
        return sources.trial(self._parts, name)

    def sync(self, market: Market) -> SyncState:
        """Begin to pull a whole market into the local copy, beside the pages; one that runs
        already is joined. `syncing` says how far it is.
        """
        return syncing.start(self._parts, market)

    def syncing(self, market: Market) -> SyncState | None:
        """The pull of that market that runs, or ran last; None when there was none."""
        return syncing.state(self._parts, market)

    def sync_lists(self) -> None:
        """Begin to pull the lists of all markets beside the pages."""
        syncing.start_lists(self._parts)

    def list_syncs(self) -> tuple[SyncState, ...]:
        """How far the pulls of the markets are, or how they ended; those never begun are not
        there.
        """
        return syncing.lists(self._parts)

    def chosen_mode(self) -> Mode | None:
        """Which market the settings, or whoever opened this store first, chose to be shown; None
        where nobody has.
        """
        settings = self._parts.settings
        if settings.mode_given or settings.frozen:
            return settings.mode
        chosen = self._parts.choices.read(_MODE)
        return "live" if chosen == "live" else "snapshot" if chosen else None

    def choose_mode(self, mode: Mode) -> None:
        """Show that market from now on, in every session that does not say otherwise.

        Raises: NotAllowedError for everybody but an admin, where people sign in.
        """
        require_admin()
        self._parts.audit.note("switched", "mode", mode)
        self._parts.choices.keep(_MODE, mode)

    def status(self, seen: Sequence[SeenPiece], sessions: int) -> StatusView:
        """运行状态: how this process and the store are doing; `seen` is what was done lately,
        `sessions` how many browsers are there. Raises: NotAllowedError for all but an admin.
        """
        return status.build(self._parts, seen, sessions)

    def end_schedule(self, schedule_id: str) -> None:
        """End anybody's scheduled report. Raises: NotAllowedError for all but an admin."""
        status.end(self._parts, schedule_id)

    def industries(self, market: str) -> tuple[str, ...]:
        """The industries a screen of that market may be limited to."""
        return industries(self._parts, market)

    def find(self, text: str, limit: int = 8) -> tuple[FoundLink, ...]:
        """Companies and indexes whose code or name begins with or contains `text`, best first."""
        return stock.find(self._parts, text, limit)
