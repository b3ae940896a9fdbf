"""Why a session or a stretch is abnormal: the parts of an event statement, every figure a claim.

What is said of the parts, and that they hold, stands in services/statements. A cause is named only
where a claim supports it: the index moved along, or trading was suspended. Limit hits, volume,
deviations and flags describe the event; they do not explain it. Notices and news within a session
of it are listed as possible causes.
"""

from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple

from services.core.claims import Claim
from services.core.indexes import find_leading_index
from services.core.text import Language
from services.market.events import rules
from services.market.events.evidence import EventEvidence
from services.market.events.lead_words import flag_clauses, publication_clauses, say_unexplained
from services.market.events.leads import PUBLISHED, Near, rules_of
from services.market.events.rules import SessionSpan
from services.statements.book import Book
from services.statements.event import EventStatement as EventStatement
from services.statements.event_parts import EventPart, What
from services.statements.tongue import Tongue

_LIMITS = (rules.LIMIT_10, rules.LIMIT_20, rules.LIMIT_30)


class EventReason(NamedTuple):
    """An event's statement, its text and what it rests on; `claims` in the order they appear."""

    kind: Literal["异动点", "异动区间"]
    rules: tuple[str, ...]
    statement: EventStatement
    zh: str
    en: str
    claims: tuple[Claim, ...]
    explained: bool


class _Draft:
    """The parts of an event, and the claims and rules they use."""

    def __init__(self, symbol: str, names: Sequence[str]) -> None:
        self._symbol = symbol
        self._parts: list[EventPart] = []
        self._claims: dict[str, Claim] = {}
        self._rules = list(names)
        self._explained = False
        self._unexplained = EventPart(what="unexplained")

    def add(
        self,
        what: What,
        *figures: Claim,
        days: tuple[date, date] | None = None,
        zh: str = "",
        en: str = "",
    ) -> None:
        """One part more, of these figures."""
        self._claims |= {claim.claim_id: claim for claim in figures}
        names = tuple(claim.claim_id for claim in figures)
        self._parts.append(EventPart(what=what, claims=names, days=days, zh=zh, en=en))

    def because(self, what: What, rule: str) -> None:
        """Add a part that explains the event, by that rule."""
        self.add(what)
        self.explains(rule)

    def explains(self, rule: str) -> None:
        """What was said already explains the event, by that rule."""
        self._explained = True
        if rule not in self._rules:
            self._rules.append(rule)

    def surround(self, near: Near | None, *, one_day: bool) -> None:
        """Add what was flagged and published around it; None where that was not asked."""
        if near is None:
            return
        told = publication_clauses(near)
        for clause in (*flag_clauses(near, one_day=one_day), *told):
            self.add("quoted", *clause.figures, zh=clause.zh, en=clause.en)
        if told:
            self.explains(PUBLISHED)
        nothing = say_unexplained(near)
        self._unexplained = EventPart(what="unexplained", zh=nothing.zh, en=nothing.en)

    def done(self, kind: Literal["异动点", "异动区间"]) -> EventReason:
        """The finished statement, told in both languages."""
        if not self._explained:
            self._parts.append(self._unexplained)
        statement = EventStatement(parts=tuple(self._parts))
        claims = tuple(self._claims.values())
        book = Book.of_claims(claims, self._symbol)
        zh, en = (_tell(statement, language, book) for language in ("zh", "en"))
        return EventReason(kind, tuple(self._rules), statement, zh, en, claims, self._explained)


def _tell(statement: EventStatement, language: Language, book: Book) -> str:
    tongue = Tongue(language, book)
    return tongue.sentence("".join(statement.told(tongue)))


def point_reason(
    evidence: EventEvidence, place: int, names: Sequence[str], near: Near | None = None
) -> EventReason:
    """Why one session is abnormal; `names` are the rules it met, `near` what was said around it."""
    draft = _Draft(evidence.symbol.value, names)
    change = evidence.change(place)
    if change is not None:
        draft.add("moved", change)
    for name in names:
        if name in _LIMITS:
            draft.add("limit", evidence.rule(name, "price_limit", place, "percent"))
    if rules.INDEX_MOVE in names:
        limit = evidence.rule(rules.INDEX_MOVE, "index_move_limit", place, "percent")
        draft.add("index_move", limit)
    if rules.GAP in names and (gap := evidence.gap(place)):
        draft.add("gap", gap)
    if rules.VOLUME in names and (multiple := evidence.volume_multiple(place)):
        window = evidence.rule(rules.VOLUME, "volume_window", place, "sessions")
        draft.add("volume", window, multiple)
    if rules.Z in names and (score := evidence.z(place)):
        draft.add("z", evidence.rule(rules.Z, "z_window", place, "sessions"), score)
    if rules.RESUMPTION in names:
        # Behind the company's own figures: it begins to tell of the index.
        _add_resumed(draft, evidence, place)
        draft.explains(rules.RESUMPTION)
        _add_index_since(draft, evidence, SessionSpan(place, place, 1), change)
    _add_index_day(draft, evidence, place, change, names)
    draft.surround(near, one_day=True)
    return draft.done("异动点")


def explain_flagged(symbol: str, near: Near) -> EventReason:
    """Why a session is abnormal that was flagged, but of which there is no bar."""
    draft = _Draft(symbol, rules_of(near.flags))
    draft.surround(near, one_day=True)
    return draft.done("异动点")


def interval_reason(
    evidence: EventEvidence,
    span: SessionSpan,
    runs: Sequence[SessionSpan],
    windows: Sequence[SessionSpan],
    near: Near | None = None,
) -> EventReason:
    """Why a stretch of sessions is abnormal: its runs and its windows of deviation."""
    names = [rules.RUN] if runs else []
    deviation = rules.deviation_rule(evidence.symbol, evidence.track.days[span.last])
    if windows and deviation:
        names.append(deviation)
    draft = _Draft(evidence.symbol.value, names)
    whole = evidence.run_change(span)
    if whole is not None:
        draft.add("stretch", whole, days=_days(evidence, span))
    if runs:
        _add_run(draft, evidence, span, runs)
    if windows and deviation:
        _add_deviation(draft, evidence, windows, deviation)
    if evidence.track.suspended[span.first] is not None:
        _add_resumed(draft, evidence, span.first)
        draft.explains(rules.RESUMPTION)
        _add_index_since(draft, evidence, span, whole)
    elif (index := evidence.index_run(span)) is not None:
        draft.add("index_along", index)
        if _moves_along(whole, index):
            draft.because("with_market", rules.WITH_MARKET)
    draft.surround(near, one_day=False)
    return draft.done("异动区间")


def _add_index_since(
    draft: _Draft, evidence: EventEvidence, span: SessionSpan, change: Claim | None
) -> None:
    """The index from the last close before the suspension to the end of the span."""
    over = evidence.index_run(span)
    if over is None:
        return
    draft.add("index_since", over)
    if _moves_along(change, over):
        draft.because("catching_up", rules.WITH_MARKET)


def _add_resumed(draft: _Draft, evidence: EventEvidence, place: int) -> None:
    """The suspension by its days, and its length where the source counts it."""
    gap = evidence.track.suspended[place]
    if gap is not None:
        length = evidence.count_suspended(place)
        draft.add("resumed", *((length,) if length is not None else ()), days=(gap.start, gap.end))


def _add_index_day(
    draft: _Draft, evidence: EventEvidence, place: int, change: Claim | None, names: Sequence[str]
) -> None:
    if evidence.symbol.is_index:
        return
    index = evidence.index_change(place)
    if index is None:
        known = find_leading_index(evidence.symbol.market)
        draft.add("no_index", zh=known.zh, en=known.en)
        return
    draft.add("index_day", index)
    if _is_about_return(evidence, place, names) and _moves_along(change, index):
        draft.because("with_market", rules.WITH_MARKET)


def _is_about_return(evidence: EventEvidence, place: int, names: Sequence[str]) -> bool:
    """Whether the day's return is what is abnormal, so that the index's return could explain it.

    Volume alone is not, nor a gap the day closed against; a resumption answers for months.
    """
    if rules.RESUMPTION in names:
        return False
    if rules.Z in names or any(name in _LIMITS for name in names):
        return True
    track = evidence.track
    opened = track.open[place] - track.close[place - 1]
    return rules.GAP in names and opened * track.returns[place] > 0


def _add_run(
    draft: _Draft, evidence: EventEvidence, span: SessionSpan, runs: Sequence[SessionSpan]
) -> None:
    longest = max(runs, key=lambda item: item.last - item.first)
    if (longest.first, longest.last) == (span.first, span.last):
        draft.add("every")
        return
    change = evidence.run_change(longest)
    if change is not None:
        draft.add("run", change, days=_days(evidence, longest))


def _add_deviation(
    draft: _Draft, evidence: EventEvidence, windows: Sequence[SessionSpan], name: str
) -> None:
    distance = evidence.track.returns - evidence.index_returns
    peak = max(windows, key=lambda item: abs(distance[item.first : item.last + 1].sum()))
    deviation = evidence.deviation(peak)
    if deviation is None:
        return
    known = find_leading_index(evidence.symbol.market)
    draft.add(
        "deviation",
        evidence.rule(name, "deviation_sessions", peak.last, "sessions"),
        deviation,
        evidence.rule(name, "deviation_limit", peak.last, "pp"),
        days=_days(evidence, peak),
        zh=known.zh,
        en=known.en,
    )


def _moves_along(own: Claim | None, index: Claim) -> bool:
    """Whether the index went the same way by the registered share of the move."""
    share = rules.limit_of(rules.WITH_MARKET, "index_share") / 100
    if own is None or own.value * index.value <= 0:
        return False
    return abs(index.value) >= share * abs(own.value)


def _days(evidence: EventEvidence, span: SessionSpan) -> tuple[date, date]:
    return evidence.track.days[span.first], evidence.track.days[span.last]
