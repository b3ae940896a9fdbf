"""Whether a claim is of a time that a text says."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from services.core.claims import Claim, DerivedCite
from services.core.errors import InputError
from services.core.periods import Period, is_report
from services.core.source_marks import priced_on
from services.grounding.period_words import TextTime


def is_of(said: TextTime, claim: Claim, today: date | None) -> bool:
    """Whether the claim is of that time. What binds nothing (a clock, a base year) is always so."""
    if said.kind in {"clock", "base", "same", "span", "window"}:
        return True
    if said.kind == "today":
        return today is not None and claim.as_of == today
    if said.kind == "yesterday":
        return today is not None and claim.as_of == _session_before(today)
    if said.kind in {"never", "years"}:
        return said.kind == "years" and claim.as_of.year in said.years
    if said.kind == "month" and is_report(claim.period) and claim.metric not in _AT_PERIOD_END:
        return False  # a month's revenue is not the year's
    if said.kind in {"day", "month"}:
        return any(_same_day(said, day) for day in _days(claim))
    return _is_of_report(said, claim)


_AT_PERIOD_END = frozenset(
    {"total_assets", "total_liabilities", "equity", "equity_total", "debt_to_assets", "bps"}
)


def _session_before(today: date) -> date:
    """The last weekday before: 昨日 on a Monday is Friday to no one, so only the day before is."""
    return today - timedelta(days=1)


def _days(claim: Claim) -> list[date]:
    days = [claim.as_of, priced_on(claim)]
    period = period_of(claim)
    if period is not None and period.basis == "report":
        days.append(period.end)
    return days


def _same_day(said: TextTime, day: date) -> bool:
    if said.year is not None and said.year != day.year:
        return False
    return said.month == day.month and said.day in {None, day.day}


def period_of(claim: Claim) -> Period | None:
    """The report period or basis of a claim; None for a price or a month."""
    if claim.period is None:
        return None
    try:
        return Period.parse(claim.period)
    except InputError:
        return None


def _is_of_report(said: TextTime, claim: Claim) -> bool:
    period = period_of(claim)
    if period is None:
        return said.kind == "year" and said.year in {None, claim.as_of.year}
    if said.kind in {"rolling", "recent_quarter", "last_report"}:
        basis = {"rolling": "TTM", "recent_quarter": "MRQ", "last_report": "LYR"}[said.kind]
        same_year = said.year in {None, period.year}
        same_quarter = said.quarter in {None, period.quarter} or basis == "LYR"
        return period.basis == basis and same_year and same_quarter
    if period.basis in {"TTM", "MRQ"} and said.kind == "year":
        return said.year in {claim.as_of.year, period.year}
    if period.basis == "LYR" and said.kind == "year" and said.year == claim.as_of.year:
        return True
    return said.year in {None, period.year} and said.quarter == period.quarter


def windows_of(claims: Sequence[Claim]) -> frozenset[int]:
    """The numbers of sessions that stand behind these claims: 20 of MA20, 60 of a rule."""
    found: set[int] = set()
    for claim in claims:
        if claim.unit == "sessions":
            found.add(int(claim.value))
        found |= {int(part) for part in claim.metric.split("_") if part.isdigit()}
        found |= _WINDOWS.get(claim.metric, frozenset())
        if isinstance(claim.cite, DerivedCite):
            found |= {series.count for series in claim.cite.series}
    return frozenset(found)


_WINDOWS: Mapping[str, frozenset[int]] = {
    **dict.fromkeys(("boll_mid", "boll_upper", "boll_lower", "obv_share"), frozenset({20})),
    **dict.fromkeys(("rsi", "atr", "trend_strength"), frozenset({14})),
    "volume_multiple": frozenset({20}),
    "return_z": frozenset({60}),
    "cumulative_deviation": frozenset({3}),
    "deviation_limit": frozenset({3}),
}
