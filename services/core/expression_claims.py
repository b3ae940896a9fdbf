"""Claims of expressions (core/expressions.py): made, and checked again, by the same reading.

The figures an expression names are looked up among its input claims, in the members a call holds,
and in the bars of a call. Nothing of the question is needed, so a pack can be checked anywhere.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from weakref import WeakKeyDictionary

from services.core.boards import segment_of_code
from services.core.catalogue import CATALOGUE, Unit
from services.core.claims import Claim, DerivedCite, MembersRef, SeriesRef, ToolCite, claim_id
from services.core.errors import InputError
from services.core.expression_text import leaves_of
from services.core.expressions import (
    METRIC,
    CompanyLine,
    ExpressionError,
    Quantity,
    evaluate_expression,
)
from services.core.formulas import ADDITIVE, DISTORTED
from services.core.members import Members, MembersIndex
from services.core.periods import Period
from services.core.sessions import GAPPED
from services.core.symbols import Symbol
from services.core.trace import TraceIndex

_TOLERANCE = 1e-9
# A day of a bar against the day of a key: up to it, before it, from it on.
_OF_DAYS: Mapping[str, Callable[[date, date], bool]] = {
    "d": lambda bar, day: bar <= day,
    "b": lambda bar, day: bar < day,
    "a": lambda bar, day: bar >= day,
}
_Fault = tuple[str, str]
_PROPORTIONS = frozenset({"percent", "pp"})


def unit_in(dimension: Unit, currency: str) -> str:
    """The unit of a figure of that dimension in a market of that currency."""
    if dimension in {"money", "price"}:
        return currency
    if dimension == "per_share":
        return f"{currency}/share"
    return "number" if dimension == "any" else dimension


def key_fits(key: str, claim: Claim) -> bool:
    """Whether the claim is the figure of that key, of its company."""
    metric, _, time = key.partition(" @ ")
    if claim.metric != metric:
        return False
    if not time:
        return True
    if time[0] in _OF_DAYS:
        return _OF_DAYS[time[0]](claim.as_of, date.fromisoformat(time[1:]))
    if claim.period is None:
        return False
    try:
        period = Period.parse(claim.period)
    except InputError:
        return False
    if period.basis != "report":
        return False
    if time[0] == "y":
        return (period.year, period.quarter) == (int(time[1:]), 4)
    return period.end == date.fromisoformat(time[1:])


@lru_cache(maxsize=1 << 16)
def attribute_of(symbol: str, name: str) -> str | None:
    """What a code says of its company: market, exchange, board, a part within it."""
    try:
        known = Symbol(symbol)
    except InputError:
        return None
    if name == "market":
        return known.market
    if name == "board":
        return known.board
    if name == "segment":
        return segment_of_code(known.code, known.exchange)
    return known.exchange if name == "exchange" and known.market != "US" else None


def st_mark(name: str | None, market: str | None) -> str | None:
    """`ST` of a mainland company under special treatment, as its name says."""
    return "ST" if market == "CN" and name is not None and "ST" in name.upper() else None


class _MemberLine:
    """One company of a members table."""

    __slots__ = ("_members", "_place", "_units")

    def __init__(self, members: Members, place: int, units: Mapping[str, str]) -> None:
        self._members, self._place, self._units = members, place, units

    def attribute(self, name: str) -> str | None:
        members, at = self._members, self._place
        symbol = members.symbols[at]
        if name == "symbol":
            return symbol
        if name == "industry":
            return members.industries[at]
        if name == "market":
            return members.market
        if name == "st":
            return st_mark(members.names[at], members.market)
        return attribute_of(symbol, name)

    def figure(self, key: str) -> Quantity | None:
        column = self._members.columns.get(key)
        value = column[self._place] if column is not None else None
        return Quantity(value, self._units[key]) if value is not None else None


class MembersTable:
    """The companies of one or several markets, as their calls held them."""

    def __init__(self, indexes: Sequence[MembersIndex]) -> None:
        self._memory: dict[object, object] = {}
        self.lines: list[CompanyLine] = []
        self.by_symbol: dict[str, CompanyLine] = {}
        for index in indexes:
            members = index.members
            units = {
                key: unit_in(CATALOGUE[key.partition(" @ ")[0]].unit, members.currency)
                for key in members.columns
                if key.partition(" @ ")[0] in CATALOGUE
            }
            for place in index.within():
                line = _MemberLine(members, place, units)
                self.lines.append(line)
                self.by_symbol[members.symbols[place]] = line

    def remember(self, key: object, make: Callable[[], object]) -> object:
        """What was made under that key before, or is now."""
        if key not in self._memory:
            self._memory[key] = make()
        return self._memory[key]


_TABLES: WeakKeyDictionary[MembersIndex, dict[tuple[int, ...], MembersTable]] = WeakKeyDictionary()


def members_table(indexes: Sequence[MembersIndex]) -> MembersTable:
    """The table of these members: one, while anybody uses them."""
    key = tuple(id(one.members) for one in indexes)
    kept = _TABLES.setdefault(indexes[0], {})
    if key not in kept:
        kept[key] = MembersTable(indexes)
    return kept[key]


class _ClaimLine:
    """One company as the claims that go in tell it."""

    def __init__(
        self, symbol: str, figures: Mapping[str, Quantity], labels: Mapping[str, str]
    ) -> None:
        self._symbol, self._figures, self._labels = symbol, figures, labels

    def attribute(self, name: str) -> str | None:
        if name == "symbol":
            return self._symbol
        market = attribute_of(self._symbol, "market")
        if name == "industry":
            return self._labels.get("industry")
        if name == "st":
            return st_mark(self._labels.get("name"), market)
        return attribute_of(self._symbol, name)

    def figure(self, key: str) -> Quantity | None:
        return self._figures.get(key)


class _Joined:
    """A company's own claims first, then what the members say of it."""

    def __init__(self, own: CompanyLine, listed: CompanyLine) -> None:
        self._own, self._listed = own, listed

    def attribute(self, name: str) -> str | None:
        return self._listed.attribute(name)

    def figure(self, key: str) -> Quantity | None:
        return self._own.figure(key) or self._listed.figure(key)


class ClaimSurroundings:
    """What an expression may look at: claims, members, bars."""

    def __init__(
        self,
        bound: Mapping[tuple[str, str], Claim],
        others: Sequence[Claim],
        table: MembersTable | None,
        series: Sequence[SeriesRef],
        trace: TraceIndex,
    ) -> None:
        """`bound`: the claim each figure of a single company is; `others` are only counted."""
        self._bound, self._others = bound, others
        self._table, self._series, self._trace = table, series, trace
        self._memory: dict[object, object] = {}

    @cached_property
    def _own(self) -> dict[str, CompanyLine]:
        grouped: dict[str, dict[str, Quantity]] = {one.symbol: {} for one in self._others}
        for (symbol, key), claim in self._bound.items():
            grouped.setdefault(symbol, {})[key] = Quantity(claim.value, claim.unit)
        return {
            symbol: _ClaimLine(symbol, figures, self._labels(symbol))
            for symbol, figures in grouped.items()
        }

    def _labels(self, symbol: str) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for call in self._trace.calls.values():
            found |= call.labels.get(symbol, {})
        return found

    def lines(self) -> Sequence[CompanyLine]:
        """The members, or the companies of the claims where there are none."""
        return self._table.lines if self._table is not None else list(self._own.values())

    def line(self, symbol: str) -> CompanyLine | None:
        """One company by symbol."""
        own = self._own.get(symbol)
        listed = self._table.by_symbol.get(symbol) if self._table is not None else None
        if own is None and listed is None and any(one.symbol == symbol for one in self._series):
            return _ClaimLine(symbol, {}, self._labels(symbol))
        return _Joined(own, listed) if own is not None and listed is not None else own or listed

    def about(self, symbol: str) -> CompanyLine:
        """The company the expression is about; of a market it has no figure of its own."""
        return self.line(symbol) or _ClaimLine(symbol, {}, self._labels(symbol))

    def series(
        self, symbol: str, metric: str, start: str, end: str
    ) -> tuple[Sequence[Quantity], Sequence[int]]:
        """The bars of a window, oldest first, and the places before which sessions were lost."""
        begun, last = date.fromisoformat(start[1:]), date.fromisoformat(end)
        for ref in self._series:
            if (ref.symbol, ref.metric) != (symbol, metric):
                continue
            sessions = self._trace.sessions(ref.tool_call_id, symbol, metric)
            before = bisect_left(sessions.days, begun) - 1
            first = sessions.days[before] if start[0] == "b" and before >= 0 else begun
            if first <= ref.start <= last:
                unit = self._trace.unit(ref.tool_call_id, metric)
                values = self._trace.between(ref.tool_call_id, symbol, metric, first, last)
                begin = bisect_left(sessions.days, first)
                breaks = [
                    place
                    for place in range(1, len(values))
                    if sessions.lacking(begin + place - 1, begin + place).lost
                ]
                return [Quantity(value, unit) for value in values], breaks
        return (), ()

    def remember(self, key: object, make: Callable[[], object]) -> object:
        """Over members, once a table; over claims, once an expression."""
        if self._table is not None:
            return self._table.remember(key, make)
        if key not in self._memory:
            self._memory[key] = make()
        return self._memory[key]


def _count_lost(trace: TraceIndex, ref: SeriesRef) -> int:
    """How many sessions between the first and the last bar of a window the source lost."""
    sessions = trace.sessions(ref.tool_call_id, ref.symbol, ref.metric)
    first = bisect_right(sessions.days, ref.start) - 1
    last = bisect_right(sessions.days, ref.end) - 1
    return sessions.lacking(first, last).lost if 0 <= first <= last else 0


def expression_claim(
    text: str,
    symbol: str,
    inputs: Sequence[Claim],
    refs: Sequence[MembersRef],
    series: Sequence[SeriesRef],
    trace: TraceIndex,
) -> Claim | None:
    """The figure the expression gives; None where something it needs is missing.

    Raises: ExpressionError.
    """
    found = _evaluate_expression(text, symbol, inputs, refs, series, trace)
    if found is None:
        return None
    return Claim(
        claim_id=claim_id(METRIC, text, *(one.claim_id for one in inputs), *series, *refs, symbol),
        value=found.value,
        metric=METRIC,
        symbol=symbol,
        as_of=_day(inputs, refs, series, trace),
        unit=found.unit,
        period=_period(inputs) if not refs and not series else None,
        cite=DerivedCite(
            formula=text,
            inputs=tuple(one.claim_id for one in inputs),
            series=tuple(series),
            members=tuple(refs),
            note=_note(inputs, found.unit) or _lost_note(series, trace),
        ),
    )


def expression_failure(
    claim: Claim, cite: DerivedCite, inputs: Sequence[Claim], trace: TraceIndex
) -> _Fault | None:
    """The check that failed and both values in words; None when the figure follows."""
    return (
        _find_change(cite, trace)
        or _not_the_nearest(cite.formula, inputs, trace)
        or _wrong_answer(claim, cite, inputs, trace)
    )


def _find_change(cite: DerivedCite, trace: TraceIndex) -> _Fault | None:
    """Members or bars that are not those the figure was made of."""
    for ref in cite.members:
        index = trace.members(ref.tool_call_id)
        if index is None:
            return "call_in_trace", f"tool_call_id '{ref.tool_call_id}' holds no members"
        if index.digest != ref.sha256:
            said = f"claim={ref.sha256[:12]}, trace={index.digest[:12]}"
            return "members_equal", f"members of {ref.tool_call_id}: {said}"
        if ref.count != len(index.within()):
            return "series_complete", f"{ref.tool_call_id} holds {len(index.within())} members"
    for ref in cite.series:
        found = len(trace.between(ref.tool_call_id, ref.symbol, ref.metric, ref.start, ref.end))
        if ref.tool_call_id not in trace.calls or found != ref.count:
            return "series_complete", f"{ref.metric} {ref.start}…{ref.end}: trace has {found}"
    return None


def _wrong_answer(
    claim: Claim, cite: DerivedCite, inputs: Sequence[Claim], trace: TraceIndex
) -> _Fault | None:
    try:
        again = expression_claim(
            cite.formula, claim.symbol, inputs, cite.members, cite.series, trace
        )
    except ExpressionError as error:
        return "formula_registered", f"'{cite.formula}': {error}"
    if again is None:
        return "value_recomputed", f"'{cite.formula}' has no answer for these inputs"
    if abs(again.value - claim.value) > _TOLERANCE * max(1.0, abs(again.value)):
        return "value_recomputed", (
            f"value mismatch for '{cite.formula}': claim={claim.value!r}, "
            f"recomputed={again.value!r}"
        )
    wanted = {
        "unit_equal": (claim.unit, again.unit),
        "period_equal": (claim.period, again.period),
        "as_of_equal": (claim.as_of, again.as_of),
        "note_equal": (cite.note, again.cite.note),
        "metric_equal": (claim.metric_code, None),
    }
    for check, (said, right) in wanted.items():
        if said != right:
            return check, f"{check} mismatch: claim={said}, expression gives {right}"
    return None


def _evaluate_expression(
    text: str,
    symbol: str,
    inputs: Sequence[Claim],
    refs: Sequence[MembersRef],
    series: Sequence[SeriesRef],
    trace: TraceIndex,
) -> Quantity | None:
    indexes = [trace.members(ref.tool_call_id) for ref in refs]
    known = [one for one in indexes if one is not None]
    if len(known) != len(indexes):
        return None
    bound, others = _bind_inputs(text, symbol, inputs)
    around = ClaimSurroundings(
        bound, others, members_table(known) if known else None, series, trace
    )
    return evaluate_expression(text, around.about(symbol), around)


def _bind_inputs(
    text: str, symbol: str, inputs: Sequence[Claim]
) -> tuple[dict[tuple[str, str], Claim], Sequence[Claim]]:
    """Which input each figure named in the text is, in its order; those after them are counted.

    Raises: ExpressionError where one is not that figure.
    """
    leaves = leaves_of(text)
    if len(inputs) < len(leaves):
        raise ExpressionError(f"it names {len(leaves)} figures, {len(inputs)} are given")
    bound: dict[tuple[str, str], Claim] = {}
    for (owner, key), one in zip(leaves, inputs, strict=False):
        if one.symbol != (owner or symbol) or not key_fits(key, one):
            raise ExpressionError(f"{one.metric} of {one.symbol} is not {key}")
        bound[owner or symbol, key] = one
    return bound, inputs[len(leaves) :]


def _day(
    inputs: Sequence[Claim],
    refs: Sequence[MembersRef],
    series: Sequence[SeriesRef],
    trace: TraceIndex,
) -> date:
    """The newest day anything in it is about."""
    days = [one.as_of for one in inputs] + [one.end for one in series]
    for ref in refs:
        index = trace.members(ref.tool_call_id)
        days += [index.members.as_of] if index is not None else []
    return max(days, default=date.min)


def _period(inputs: Sequence[Claim]) -> str | None:
    """The report period that all of it is of."""
    periods = {one.period for one in inputs}
    return periods.pop() if len(periods) == 1 else None


def _note(inputs: Sequence[Claim], unit: str) -> str | None:
    """That its prices distort a percentage, as a registered formula says it."""
    notes = (one.cite.note or "" for one in inputs)
    distorted = any(note.startswith((ADDITIVE, DISTORTED)) for note in notes)
    return DISTORTED if distorted and unit in _PROPORTIONS else None


def _lost_note(series: Sequence[SeriesRef], trace: TraceIndex) -> str | None:
    """That sessions within its windows were lost and are not in it."""
    lost = max((_count_lost(trace, ref) for ref in series), default=0)
    return f"{GAPPED}缺 {lost} 个交易日的日线，没有计入" if lost else None


def _not_the_nearest(text: str, inputs: Sequence[Claim], trace: TraceIndex) -> _Fault | None:
    """A price of a day must be the nearest one the call has."""
    for (_, key), one in zip(leaves_of(text), inputs, strict=False):
        metric, _, time = key.partition(" @ ")
        fits = _OF_DAYS.get(time[:1])
        if fits is None or not isinstance(one.cite, ToolCite):
            continue
        day, pick = date.fromisoformat(time[1:]), min if time[0] == "a" else max
        days = trace.series(one.cite.tool_call_id, one.symbol, metric).dates
        nearest = pick((other for other in days if fits(other, day)), default=one.as_of)
        if one.as_of != nearest:
            return "as_of_equal", f"{metric} of {one.as_of} is not the nearest to {time}"
    return None
