"""What each page shows, as data: pages draw these, exports write them, and nothing else knows a
figure.

Every view has `claims` (by id, inputs of derived ones included), the `trace` they point into, the
stored `run_ids`, and `tables()`. Plain counts in here (rows of a call, page numbers) are
bookkeeping, not figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from services.core.claims import Claim, Figure
from services.core.requests import ScreenRequest
from services.core.text import Text
from services.core.trace import SessionGap
from services.core.verifier import VerificationResult
from services.market.events.events import Event
from services.market.history import PriceHistory
from services.market.quotes import Quote
from services.views.table import Table, View


class Stat(NamedTuple):
    """One card: its label, and the figure or why there is none. `old`: of another day than the
    price it stands beside.
    """

    label: Text
    figure: Figure
    old: bool = False


class Link(NamedTuple):
    """Another company to go to."""

    symbol: str
    name: str


class FoundLink(NamedTuple):
    """One of those a text may mean; `why` says what of it fits where its name and code do not."""

    symbol: str
    name: Text
    why: Text


@dataclass(frozen=True, slots=True)
class IndexCard:
    """An index at a glance. `quote` holds price, change and pct_change; `history` its closes for a
    sparkline (with the call they come from: `history.call`); null when the source has no bars."""

    symbol: str
    name: Text
    quote: Quote
    history: PriceHistory | None


@dataclass(frozen=True, slots=True)
class MarketCard:
    """A market at a glance: how many companies, how many are valued, their sum, medians, losses,
    in that order.
    `day` is the day these figures are about."""

    market: str
    name: Text
    stats: tuple[Stat, ...]
    day: date | None


@dataclass(frozen=True, slots=True)
class EventLine:
    """One abnormal event with the name of what it happened to. The reason template is
    `event.reason(_en)`.
    """

    name: Text
    event: Event


@dataclass(frozen=True, slots=True)
class SourcePart:
    """What one bundled file says of one source: origin, licence, day of its figures."""

    file: str
    source: str
    table: str
    as_of: str
    rows: str
    sha256: str
    origin: str
    licence: Text


@dataclass(frozen=True, slots=True)
class SnapshotFacts:
    """What data this is and how old: the name and clock of the bundle, when it was built, its
    parts and the defects that are known (one sentence each). `scope` is what was chosen when it
    was frozen, null for the bundled one."""

    name: str
    clock: str
    built_at: str
    parts: tuple[SourcePart, ...]
    defects: tuple[Text, ...]
    scope: Text | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewView(View):
    """总览: indexes, markets, industries, the largest companies, what happened lately, and the
    data's age (`snapshot` is null in live mode, `copies` are empty in snapshot mode). `absent`
    names the parts that did not come, and why.
    """

    clock: datetime
    indexes: tuple[IndexCard, ...]
    index_table: Table
    markets: tuple[MarketCard, ...]
    market_table: Table
    industries: Table
    largest: Table
    events: tuple[EventLine, ...]
    events_table: Table
    snapshot: SnapshotFacts | None
    copies: tuple["CopyState", ...] = ()
    absent: tuple[Text, ...] = ()

    def tables(self) -> tuple[Table, ...]:
        """Indexes and markets as tables too, so that the export holds every figure of the page."""
        return (
            self.index_table,
            self.market_table,
            self.industries,
            self.largest,
            self.events_table,
        )


class ScreenChip(NamedTuple):
    """One condition of a screen. `key`: its field, `industry`, or the place of a test; `name`: what
    it is about, in a few words; `dropped`, `turned`: the arguments of the screen without it, and
    with it turned round, empty where that says nothing certain.
    """

    key: str
    words: Text
    name: Text
    dropped: Mapping[str, str]
    turned: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenView(View):
    """选股: the conditions in words, one page of the result, and how many companies were judged.

    `arguments` are the arguments as understood (wire names, normalised text), fit for a deep link.
    `conditions` is one phrase per condition, in the user's own numbers (user text, not figures).
    `judged` maps a screening field to how many companies have a value for it; `standing` tells who
    could not be ranked, and what the market lists beside companies. `chips`: the conditions one by
    one, as they may be changed. `relaxed`: the key of each → how many match without it. `covered`:
    every field → how many have a value in it.
    `page` counts from 1; `pages` is at least 1. Of several pages an export says which rows it
    has.
    """

    request: ScreenRequest
    arguments: Mapping[str, str]
    conditions: tuple[Text, ...]
    table: Table
    counts: Table
    match_count: Claim
    company_count: Claim
    judged: Mapping[str, Claim]
    standing: tuple[Text, ...]
    chips: tuple[ScreenChip, ...]
    relaxed: Mapping[str, Claim]
    covered: Mapping[str, Claim]
    page: int
    pages: int
    size: int
    industries: tuple[str, ...]

    @property
    def extent(self) -> Text:
        """Which of the matching rows these are: 第 1–25 行，共 33 行, or all of them."""
        whole = int(self.match_count.value)
        if self.pages == 1:
            return Text(f"全部 {whole} 行", f"all {whole} rows")
        first = (self.page - 1) * self.size + 1
        last = first + len(self.table.rows) - 1
        return Text(f"第 {first}–{last} 行，共 {whole} 行", f"rows {first}–{last} of {whole}")

    def tables(self) -> tuple[Table, ...]:
        """The counts, then the result."""
        return (self.counts, self.table)


class Average(NamedTuple):
    """The moving average of `length` closes at each bar shown: a line to be drawn, no figure.

    None where a session of its window is lost or before there are as many bars.
    """

    length: int
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StockView(View):
    """个股: quote, cards, candles, abnormal events and what the bars do not have.

    `bars` is null when the source has no daily bars, and `bars_missing` says why. `events` newest
    first. `bars_table` is the last twenty sessions of the window, newest first, each figure cited.
    `averages` are of the bars shown, computed with those before them; one without a value is not
    among them. `start` and `end` are the window in force; `peers` the largest of the same industry
    without itself.
    """

    symbol: str
    name: Text
    industry: Text | None
    currency: str
    quote: Quote
    stats: tuple[Stat, ...]
    stats_table: Table
    start: date | None
    end: date | None
    bars: PriceHistory | None
    bars_missing: Text | None
    averages: tuple[Average, ...]
    bars_table: Table
    events: tuple[Event, ...]
    events_table: Table
    gaps: tuple[SessionGap, ...]
    peers: tuple[Link, ...]

    def tables(self) -> tuple[Table, ...]:
        """The cards, the events, the bars."""
        return (self.stats_table, self.events_table, self.bars_table)


class ChartPoint(NamedTuple):
    """One bar of a chart: the period as labelled, and its claim."""

    label: Text
    claim: Claim


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """One metric over its report periods, oldest first; periods without a figure are absent."""

    metric: str
    name: Text
    points: tuple[ChartPoint, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinancialsView(View):
    """财务: metric × period (latest first), as series for a chart, and the industry's largest.

    Columns of `matrix`: `metric` (text), `valuation` (multiples of the valuation day), then one
    figure column per period of `periods`, its key the period's spelling (`2016_Q4`).
    `row.group` is 估值/盈利/规模/每股/比率.
    """

    symbol: str
    name: Text
    industry: Text | None
    currency: str
    periods: tuple[str, ...]
    matrix: Table
    series: tuple[ChartSeries, ...]
    past: Table | None
    peers: Table

    def tables(self) -> tuple[Table, ...]:
        """The matrix, the past multiples where a source has them, then the peers."""
        return tuple(one for one in (self.matrix, self.past, self.peers) if one is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceView(View):
    """溯源: what the session asked, what each source answered, and every claim made from it.

    `claims` and `trace` are those of the chosen run (or of the chosen call). `verdict` is the
    verifier's answer now, `run_kind` and `status` what the run was and how it ended; null when no
    run is chosen, as is `run_asked`, what it was asked for. `told` and `asked` tell runs and calls
    in words, `runs` and `calls` with every id. `members` are those that a figure asked about is
    over. Columns: see tracing.py.
    """

    session_id: str
    run_id: str | None
    tool_call_id: str | None
    told: Table
    runs: Table
    asked: Table
    calls: Table
    claims_table: Table
    verdict: VerificationResult | None
    run_asked: Text | None = None
    run_kind: str | None = None
    status: str | None = None
    members: Table | None = None

    def tables(self) -> tuple[Table, ...]:
        """The members of the figure asked about, runs, calls, claims."""
        asked = (self.members,) if self.members else ()
        return (*asked, self.runs, self.calls, self.claims_table)


@dataclass(frozen=True, slots=True)
class Capability:
    """What may be asked, and who is asked in which order; nobody: there is no source for it."""

    key: str
    name: Text
    chain: tuple[str, ...]


class Told(NamedTuple):
    """A sentence for the reader, and the technical detail behind it (English, no secret)."""

    words: Text
    detail: str


@dataclass(frozen=True, slots=True)
class CopyState:
    """One kind of one market in the local copy: how many (null: one list), pulled when, and
    whether it is due again.
    """

    name: Text
    count: int | None
    fetched_at: datetime
    due: bool


@dataclass(frozen=True, slots=True)
class SyncState:
    """How far the pull of a market is (`share` of the kind at hand), or how it ended."""

    market: str
    running: bool
    share: float
    told: Text
    ok: bool = True
    failures: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceState:
    """One source: what it answers, what it lacks, how it has been doing. Texts of bookkeeping.

    `lacking` names the variables to set; `paused` says which capability is left alone until when.
    """

    key: str
    name: Text
    answers: tuple[Text, ...]
    lacking: tuple[str, ...]
    calls: int
    failures: int
    cache_hits: int
    last_success_at: datetime | None
    last_error_at: datetime | None
    last_error: Told | None
    paused: tuple[Told, ...]
    ailing: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """What asking a source now brought: whether it answered, and in which words."""

    key: str
    ok: bool
    told: Text
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesView(View):
    """数据源: what answers what, which keys are set (names only), and the manifest of the bundled
    data. `copies_behind` says why the copies may not be the newest there are.
    """

    mode: str
    clock: datetime
    capabilities: tuple[Capability, ...]
    keys_present: tuple[str, ...]
    keys_absent: tuple[str, ...]
    sources: tuple[SourceState, ...]
    snapshot: SnapshotFacts
    parts: Table
    dropped: Table
    licences: tuple[Text, ...] = ()
    copies: tuple[CopyState, ...] = ()
    copies_behind: Text | None = None

    def tables(self) -> tuple[Table, ...]:
        """The parts of the bundle, and the rows left out with why."""
        return (self.parts, self.dropped)
