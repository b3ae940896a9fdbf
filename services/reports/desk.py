"""The one thing pages talk to: each method is one page, answered as a view model.

Every view of market figures is a recorded run of the session, so 溯源 shows what each page stands
on.
"""

from collections.abc import Mapping
from datetime import date

from services.core.symbols import Market
from services.core.verifier import VerificationResult
from services.reports import financials, overview, screen, sources, stock, syncing, tracing
from services.reports.parts import Parts, industries
from services.reports.view import (
    FinancialsView,
    Link,
    OverviewView,
    ScreenView,
    SourcesView,
    StockView,
    SyncState,
    TraceView,
    Trial,
)


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

    def stock(
        self,
        symbol_text: str,
        start: date | None,
        end: date | None,
        session_id: str,
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

    def traces(
        self, session_id: str, *, run_id: str | None = None, tool_call_id: str | None = None
    ) -> TraceView:
        """溯源: the session's runs, newest first; the newest is chosen unless `run_id` or
        `tool_call_id` says otherwise (either may belong to another session: a deep link).
        A session that has fetched nothing yet gets the run of 总览, so that there is one to read.

        Raises: InputError for an id that is not stored.
        """
        asked = run_id is not None or tool_call_id is not None
        if not asked and not self._parts.runs.runs(session_id, limit=1):
            overview.build(self._parts, session_id)
        return tracing.build(self._parts, session_id, run_id=run_id, tool_call_id=tool_call_id)

    def reverify(self, run_id: str) -> VerificationResult:
        """Ask the verifier again about every stored claim of that run. Raises: InputError."""
        return tracing.reverify(self._parts, run_id)

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

    def industries(self, market: str) -> tuple[str, ...]:
        """The industries a screen of that market may be limited to."""
        return industries(self._parts, market)

    def find(self, text: str, limit: int = 8) -> tuple[Link, ...]:
        """Companies and indexes whose code or name begins with or contains `text`, best first."""
        return stock.find(self._parts, text, limit)
