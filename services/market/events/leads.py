"""What was said around an event: flags of its day, notices and news within a session of it.

Only with a live source. A title is quoted text; the one figure is a flag's own amount, a claim.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, NamedTuple

from pydantic import AwareDatetime

from services.core.claims import Claim
from services.core.errors import ConfigError, NoDataError, ProviderError
from services.core.ledger import Answer, Ledger
from services.core.record import Record
from services.core.requests import FetchRequest, NewsRequest, NoticesRequest, SignalsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Item, ToolCall
from services.market.calendar import Calendar
from services.market.names.names import Names
from services.market.news import FILED_UNDER, aliases, relevance
from services.market.outages import why_missing
from services.market.texts import list_texts, stale_notes

BILLBOARD, WATCH, PUBLISHED = "flag.exchange.lhb", "flag.watch.em", "abnormal.published"
# How a source marks a flag, and what an exchange's list says of its trades.
BILLBOARD_TAG, NET_METRIC = "billboard", "billboard_net"
_RISING = frozenset(
    {
        *("limit_up", "limit_down_opened", "rocket", "rebound", "bulk_buy", "bulk_bid"),
        *("auction_up", "above_5_day_line", "gap_up", "high_60_days", "surge_60_days"),
    }
)
_FALLING = frozenset(
    {
        *("limit_down", "limit_up_opened", "limit_broken", "falling_faster", "dive", "bulk_sell"),
        *("bulk_ask", "auction_down", "below_5_day_line", "gap_down", "low_60_days"),
        "slump_60_days",
    }
)
_MANY_NOTICES, _MANY_NEWS = 200, 50
_KINDS: Mapping[str, Text] = {
    "signal": Text("异动标记", "flags"),
    "notice": Text("公告", "notices"),
    "news": Text("新闻", "news"),
}


class Lead(Record):
    """One thing said near an event: `day` is the day at the market's place it was published on.

    `published_at` is null where the source gives the day only. `origin` is who wrote it.
    """

    kind: Literal["signal", "notice", "news"]
    day: date
    published_at: AwareDatetime | None = None
    title: str
    url: str | None = None
    source: str
    origin: str | None = None
    tool_call_id: str
    item_id: str


@dataclass(frozen=True, slots=True)
class Flag:
    """A signal of one day: by which rule it makes an event, which way, and what was net bought.

    `sign` is 0 where the source does not say; `net` None where it gives no amount.
    """

    lead: Lead
    rule: str
    sign: int
    net: Claim | None


class PlacedText(NamedTuple):
    """A notice or headline, and where it lies by an event."""

    lead: Lead
    place: Literal["before", "same", "after_close", "after", "other"]


@dataclass(frozen=True, slots=True)
class Near:
    """Everything near one event. `unseen`: kinds that nothing can be said of, in both languages.

    `publications` are those likeliest to matter first: not after the event, then the nearest.
    """

    flags: tuple[Flag, ...] = ()
    publications: tuple[PlacedText, ...] = ()
    unseen: tuple[Text, ...] = ()
    notes: tuple[Text, ...] = ()

    @property
    def leads(self) -> tuple[Lead, ...]:
        """All of them as they were published, the oldest first."""
        found = [flag.lead for flag in self.flags] + [one.lead for one in self.publications]
        return tuple(sorted(found, key=_when))


@dataclass(frozen=True, slots=True)
class _Seen:
    """One kind of publication: what came, and since when all of it did (None: from the start)."""

    kind: Literal["notice", "news"]
    leads: tuple[Lead, ...] = ()
    since: date | None = None
    failed: bool = False
    notes: tuple[Text, ...] = ()


@dataclass(slots=True)
class SymbolLeads:
    """What was flagged and published about one symbol. `flags` first, then `publications`."""

    ledger: Ledger
    symbol: Symbol
    calendar: Calendar
    names: Names
    _flags: dict[date, list[Flag]] = field(default_factory=dict[date, list[Flag]])
    _notes: tuple[Text, ...] = ()
    _seen: tuple[_Seen, ...] = ()

    def flags(self, start: date, end: date) -> Mapping[date, Sequence[Flag]]:
        """The flags by day, asked for these days; only the mainland has such lists."""
        if self.symbol.market != "CN" or start > end:
            return {}
        asked = self._ask("signal", SignalsRequest(symbol=self.symbol.value, start=start, end=end))
        self._notes = asked.notes
        if asked.answer is not None:
            for call, item in list_texts(asked.answer):
                flag = self._flag(asked.answer, call, item)
                if flag is not None and start <= flag.lead.day <= end:
                    self._flags.setdefault(flag.lead.day, []).append(flag)
        return self._flags

    def publications(self, first: date, last: date) -> None:
        """Ask for what was published from the session before `first` to the one after `last`."""
        market, symbol = self.symbol.market, self.symbol.value
        start = self.calendar.previous_session(market, first)
        end = self.calendar.next_session(market, last)
        notices = NoticesRequest(symbol=symbol, start=start, end=end, size=_MANY_NOTICES)
        self._seen = (
            self._read_published("notice", notices, _MANY_NOTICES),
            # Headlines know no window: a source gives the newest, however far back they reach.
            self._read_published("news", NewsRequest(symbol=symbol, size=_MANY_NEWS), 1),
        )

    def near(self, start: date, end: date) -> Near:
        """What lies near an event of these days."""
        market = self.symbol.market
        before = self.calendar.previous_session(market, start)
        after = self.calendar.next_session(market, end)
        flags = [
            flag for day, found in self._flags.items() if start <= day <= end for flag in found
        ]
        placed = [
            PlacedText(lead, self._place(lead, start, end, before, after))
            for seen in self._seen
            for lead in seen.leads
            if before <= lead.day <= after
        ]
        placed.sort(key=lambda one: _weight(one, start, end))
        unseen, notes = self._unseen(before)
        return Near(tuple(flags), tuple(placed), unseen, (*self._notes, *notes))

    def _read_published(
        self, kind: Literal["notice", "news"], request: FetchRequest, full: int
    ) -> _Seen:
        asked = self._ask(kind, request)
        if asked.answer is None:
            return _Seen(kind, failed=asked.failed, notes=asked.notes)
        found = list_texts(asked.answer)
        known: dict[tuple[str, date], Lead] = {}
        days: set[date] = set()
        for call, item in found:
            lead = self._lead(kind, call, item)
            if lead is not None:
                days.add(lead.day)
                if kind == "notice" or self._names_it(item):
                    known.setdefault((lead.title, lead.day), lead)
        # The oldest day may have been cut in two.
        since = min(days, default=None) if len(found) >= full else None
        return _Seen(kind, tuple(known.values()), since, notes=asked.notes)

    def _names_it(self, item: Item) -> bool:
        """Whether a headline is about the company, and not only found when asking for it."""
        called = aliases(self.names, self.symbol, ())
        return relevance(item, called, self.symbol).score > FILED_UNDER

    def _ask(self, kind: str, request: FetchRequest) -> "_Asked":
        """The answer, or why it did not come; that there is nothing is an answer too."""
        what = _KINDS[kind]
        try:
            answer = self.ledger.fetch(request)
        except NoDataError:
            return _Asked(None, failed=False)
        except (ProviderError, ConfigError) as error:
            why = why_missing(self.ledger, error)
            note = Text(
                f"未能查询{what.zh}：{why.zh}",
                f"{what.en.capitalize()} could not be asked: {why.en}",
            )
            return _Asked(None, failed=True, notes=(note,))
        told = Text("{what}：{note}", "{what}: {note}")
        old = (told.format(what=what, note=note) for note in stale_notes(answer.calls))
        return _Asked(answer, failed=False, notes=tuple(old))

    def _lead(
        self, kind: Literal["signal", "notice", "news"], call: ToolCall, item: Item
    ) -> Lead | None:
        """The item as a lead; None when its day is not known."""
        day = self._day(call, item)
        if day is None or not item.title.strip():
            return None
        return Lead(
            kind=kind,
            day=day,
            published_at=item.published_at,
            title=item.title,
            url=item.url,
            source=call.source,
            origin=item.origin,
            tool_call_id=call.tool_call_id,
            item_id=item.item_id,
        )

    def _day(self, call: ToolCall, item: Item) -> date | None:
        """By when it was published; a list of the exchange has the day in its amounts only."""
        if item.published_at is not None:
            return self.calendar.local_day(self.symbol.market, item.published_at)
        days = {fact.as_of for fact in call.rows if fact.symbol == item.item_id}
        return days.pop() if len(days) == 1 else None

    def _flag(self, answer: Answer, call: ToolCall, item: Item) -> Flag | None:
        lead = self._lead("signal", call, item)
        if lead is None:
            return None
        tags = frozenset(item.tags)
        amounts = answer.facts(item.item_id, NET_METRIC)
        return Flag(
            lead,
            BILLBOARD if BILLBOARD_TAG in tags else WATCH,
            bool(tags & _RISING) - bool(tags & _FALLING),
            self.ledger.claim(*amounts[0]) if amounts else None,
        )

    def _place(
        self, lead: Lead, start: date, end: date, before: date, after: date
    ) -> Literal["before", "same", "after_close", "after", "other"]:
        if lead.day == before:
            return "before"
        if lead.day == after:
            return "after"
        if not start == end == lead.day:
            return "other"
        at, market = lead.published_at, self.symbol.market
        closed = at is not None and self.calendar.last_complete_session(market, at) == lead.day
        return "after_close" if closed else "same"

    def _unseen(self, first: date) -> tuple[tuple[Text, ...], list[Text]]:
        """Kinds of which it cannot be said that there was nothing from `first` on, and why."""
        unseen: list[Text] = []
        notes: list[Text] = []
        for seen in self._seen:
            what = _KINDS[seen.kind]
            notes += seen.notes
            if seen.failed:
                unseen.append(Text(f"{what.zh}未能查询", f"{what.en} could not be asked"))
            elif seen.since is not None and first <= seen.since:
                unseen.append(Text(f"{what.zh}未查到当时", f"{what.en} do not reach back to it"))
                notes.append(
                    Text(
                        f"{what.zh}只取到 {seen.since} 以来的",
                        f"{what.en.capitalize()} were fetched back to {seen.since} only",
                    )
                )
        return tuple(unseen), notes


def around_of(
    ledger: Ledger,
    symbol: Symbol,
    calendar: Calendar,
    names: Names,
    mode: Literal["snapshot", "live"],
) -> SymbolLeads | None:
    """What to join to the events of a symbol; None where there is nobody to ask.

    The snapshot holds neither flags nor texts, and an index has no notices of its own.
    """
    if mode == "snapshot" or symbol.is_index:
        return None
    return SymbolLeads(ledger, symbol, calendar, names)


class _Asked(NamedTuple):
    """How asking ended; no answer and not `failed` is that the source has nothing."""

    answer: Answer | None
    failed: bool
    notes: tuple[Text, ...] = ()


def rules_of(flags: Iterable[Flag]) -> list[str]:
    """The rules by which these flags make an event, each once."""
    return list(dict.fromkeys(flag.rule for flag in flags))


def direction_of(flags: Iterable[Flag]) -> int:
    """The way most flags point; 0 when they say nothing, or as much of both."""
    total = sum(flag.sign for flag in flags)
    return (total > 0) - (total < 0)


def _when(lead: Lead) -> tuple[date, float, str]:
    at = lead.published_at
    return (lead.day, at.timestamp() if at else 0.0, lead.item_id)


def _weight(one: PlacedText, start: date, end: date) -> tuple[bool, int, bool, float, str]:
    """What was known in time comes before what was not, then the nearest, then notices."""
    day = one.lead.day
    late = one.place in {"after_close", "after"} or day > end
    distance = (start - day).days if day < start else max((day - end).days, 0)
    at = one.lead.published_at
    moment = at.timestamp() if at else 0.0
    return (late, distance, one.lead.kind == "news", -moment, one.lead.item_id)
