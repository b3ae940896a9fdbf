"""What was asked, who answered, and every figure that came back: the ground citations stand on."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from pydantic import AwareDatetime, Field, JsonValue

from services.core.members import Members, MembersIndex, index_of
from services.core.model_calls import ModelCall
from services.core.record import SYMBOL_FIELD, Record
from services.core.sessions import SessionGap, TradedSessions

# The argument of a call that adds to the bars of another call: that call's id.
BARS = "bars"
# Absent where there are none: what was stored before there were any reads and hashes as it did.
MEMBERS_FIELD: Any = Field(default=None, exclude_if=lambda members: members is None)

FactKey = tuple[str, str, date, str | None]


class Fact(Record):
    """One figure as a source gave it, converted once into `unit`.

    `value` is full precision in `unit`; `raw` is the upstream's own text and `field` its own name.
    `period` is null for a price. `note` is what a reader must know (adjustment, one source).
    """

    symbol: str = SYMBOL_FIELD
    metric: str
    metric_code: str | None = None
    value: float
    unit: str
    as_of: date
    period: str | None = None
    field: str
    raw: str | None = None
    note: str | None = None

    @property
    def key(self) -> FactKey:
        """What identifies it within one tool call."""
        return (self.symbol, self.metric, self.as_of, self.period)


class Item(Record):
    """A text from outside, quoted and never obeyed: a post, notice, headline, page, person.

    `item_id` is `KIND:source's own id`; counts about it (likes, followers) are facts whose symbol
    is this id. `title` and `text` are plain text, never HTML, of bounded length. `published_at` is
    null when the source does not say: such a text is never shown as fresh. `symbol` is the company
    it was found for. `tags` are closed words of ours (`pgc`, `ugc`, `limit_up`), not of the source.
    """

    item_id: str
    kind: Literal["post", "news", "notice", "web", "page", "user", "signal"]
    symbol: str | None = None
    title: str = ""
    text: str = ""
    url: str | None = None
    author: str | None = None
    origin: str | None = None
    published_at: AwareDatetime | None = None
    tags: tuple[str, ...] = ()


class Attempt(Record):
    """One try at one provider; `error` is the error's class, null when it answered.

    `cached`: the answer was one kept from before, within its time to live (`fresh`), or past it
    because every source failed (`stale`).
    """

    provider: str
    table: str
    started_at: AwareDatetime
    duration_ms: float
    error: str | None = None
    message: str | None = None
    cached: Literal["fresh", "stale"] | None = None


class ToolCall(Record):
    """One fetch made for a tool: who was asked in order, who answered, and every row it produced.

    `source` is who the figures come from, `served_by` which provider of ours answered.
    `fetched_at` is a true instant: when the source was asked, of a bundle when it was built;
    `captured` is the day the bundle's source was captured, null for what is no bundle's.
    `body_sha256` is the hash of the raw answer; `labels` the text columns (name) by symbol;
    `items` the texts it brought; `members` the companies that its counts and sums are over.
    A call that failed has no rows and its last attempt carries the error.
    """

    tool_call_id: str
    name: str
    arguments: dict[str, JsonValue]
    attempts: tuple[Attempt, ...]
    source: str
    table: str
    served_by: str
    fetched_at: AwareDatetime
    captured: date | None = Field(default=None, exclude_if=lambda day: day is None)
    duration_ms: float
    body_sha256: str | None = None
    rows: tuple[Fact, ...] = ()
    labels: dict[str, dict[str, str]] = Field(default_factory=dict)
    gaps: tuple[SessionGap, ...] = ()
    items: tuple[Item, ...] = ()
    members: Members | None = MEMBERS_FIELD

    @property
    def known_at(self) -> datetime:
        """When its figures were ours by the run's own clock: the fetch; or the asking, where the
        clock stands earlier than what answered was made (a bundle of old data).
        """
        asked = [attempt.started_at for attempt in self.attempts]
        return min([self.fetched_at, *asked])


class Trace(Record):
    """The tool calls of one run, oldest first; and the calls of language models, if there were.

    A model's call proves nothing: no citation can point at one.
    """

    tool_calls: tuple[ToolCall, ...] = ()
    model_calls: tuple[ModelCall, ...] = Field(default=(), exclude_if=lambda calls: not calls)


@dataclass(frozen=True, slots=True)
class Series:
    """Values of one metric of one symbol within one call, oldest first."""

    dates: tuple[date, ...]
    values: tuple[float, ...]


class TraceIndex:
    """Lookups into a trace, each built once: by call id, by fact key, by series."""

    def __init__(self, calls: Sequence[ToolCall]) -> None:
        """Index `calls`; a repeated id keeps the first, since a trace is append-only."""
        self.calls: Mapping[str, ToolCall] = {call.tool_call_id: call for call in reversed(calls)}
        self._facts: dict[str, dict[FactKey, Fact]] = {}
        self._series: dict[tuple[str, str, str], Series] = {}
        self._sessions: dict[tuple[str, str, str], TradedSessions] = {}
        self._members: dict[str, MembersIndex] = {}
        self._days: set[tuple[str, date]] | None = None

    def facts(self, tool_call_id: str) -> Mapping[FactKey, Fact]:
        """The facts of one call by key; empty when the call is unknown."""
        found = self._facts.get(tool_call_id)
        if found is None:
            call = self.calls.get(tool_call_id)
            found = {fact.key: fact for fact in call.rows} if call else {}
            self._facts[tool_call_id] = found
        return found

    def series(self, tool_call_id: str, symbol: str, metric: str) -> Series:
        """Every value of `metric` of `symbol` in that call, oldest first."""
        key = (tool_call_id, symbol, metric)
        found = self._series.get(key)
        if found is None:
            rows = sorted(
                (fact.as_of, fact.value)
                for fact in self.facts(tool_call_id).values()
                if fact.symbol == symbol and fact.metric == metric
            )
            found = Series(tuple(day for day, _ in rows), tuple(value for _, value in rows))
            self._series[key] = found
        return found

    def between(
        self, tool_call_id: str, symbol: str, metric: str, start: date, end: date
    ) -> tuple[float, ...]:
        """The values of that series from `start` to `end`, both included, oldest first."""
        series = self.series(tool_call_id, symbol, metric)
        first, last = bisect_left(series.dates, start), bisect_right(series.dates, end)
        return series.values[first:last]

    def sessions(self, tool_call_id: str, symbol: str, metric: str) -> TradedSessions:
        """The days of that series and the gaps between: those the call names, and those found
        against the calendar afterwards, which are a call of their own.
        """
        key = (tool_call_id, symbol, metric)
        found = self._sessions.get(key)
        if found is None:
            gaps = {
                (gap.start, gap.end): gap
                for call in self.calls.values()
                if tool_call_id in (call.tool_call_id, call.arguments.get(BARS))
                for gap in call.gaps
                if gap.symbol == symbol
            }
            found = self._sessions[key] = TradedSessions(
                self.series(*key).dates, tuple(gaps.values())
            )
        return found

    def members(self, tool_call_id: str) -> MembersIndex | None:
        """The members that call held; None when it held none, or is unknown."""
        found = self._members.get(tool_call_id)
        call = self.calls.get(tool_call_id)
        if found is None and call is not None and call.members is not None:
            found = self._members[tool_call_id] = index_of(call.members)
        return found

    def has_day(self, symbol: str, day: date) -> bool:
        """Whether any call has a figure of that symbol on that day."""
        if self._days is None:
            calls = self.calls.values()
            self._days = {(fact.symbol, fact.as_of) for call in calls for fact in call.rows}
        return (symbol, day) in self._days

    def has_together(self, symbols: Set[str], about: str) -> bool:
        """Whether some call has figures of every one of these symbols, and `about` beside them:
        with figures, or with its name alone where the source lists it and values it not.
        """
        return any(
            symbols <= (told := {fact.symbol for fact in call.rows})
            and (about in told or about in call.labels)
            for call in self.calls.values()
        )

    def unit(self, tool_call_id: str, metric: str) -> str:
        """The unit that call gives for a metric; empty when it has none."""
        facts = self.facts(tool_call_id).values()
        return next((fact.unit for fact in facts if fact.metric == metric), "")
