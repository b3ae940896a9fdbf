"""Counts of a screen and aggregates of a market as facts, the same for each that keeps a market."""

from collections.abc import Mapping
from datetime import date
from typing import Protocol

from services.core.requests import ScreenRequest
from services.core.trace import Fact
from services.store.market_tables import Summary
from services.store.screen_sql import spelled

_CURRENCIES = {"CN": "CNY", "HK": "HKD", "US": "USD"}


class Counted(Protocol):
    """What a screen found: companies asked about, matches, and how many have each field."""

    @property
    def companies(self) -> int:
        """How many were asked about."""
        ...

    @property
    def matches(self) -> int:
        """How many satisfy every bound."""
        ...

    @property
    def judged(self) -> Mapping[str, int]:
        """Per bounded or ordering field, how many have a value."""
        ...


def scope_of(request: ScreenRequest) -> str:
    """What the counts of a screen are about: `CN`, `CN:银行`."""
    return request.market + (f":{request.industry}" if request.industry else "")


def screen_counts(request: ScreenRequest, found: Counted, day: date) -> list[Fact]:
    """company_count, match_count and judged_<field>, as of `day`."""
    numbers = {
        "company_count": (found.companies, "count(*)"),
        "match_count": (found.matches, spelled(request.bounds)),
    }
    numbers |= {f"judged_{name}": (count, f"count({name})") for name, count in found.judged.items()}
    return [
        Fact(
            symbol=scope_of(request),
            metric=metric,
            value=count,
            unit="count",
            as_of=day,
            field=field,
        )
        for metric, (count, field) in numbers.items()
    ]


def aggregates(
    scope: str,
    group: Summary,
    market: str,
    day: date,
    *,
    fields: Mapping[str, str],
    notes: Mapping[str, str],
) -> list[Fact]:
    """The figures of a market or industry; `fields` and `notes` are by metric.

    Where nothing is valued only the number of companies is one.
    """
    units = {"market_cap_sum": _CURRENCIES[market], "company_count": "count", "loss_count": "count"}
    return [
        Fact(
            symbol=scope,
            metric=metric,
            value=value,
            unit=units.get(metric, "multiple"),
            as_of=day,
            field=fields[metric],
            note=notes.get(metric),
        )
        for metric, value in group.figures.items()
        if value is not None and (group.valued_on is not None or metric == "company_count")
    ]
