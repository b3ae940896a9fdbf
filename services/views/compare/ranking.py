"""Which of several figures is best and which last, and why sometimes neither is said."""

from collections.abc import Sequence
from typing import NamedTuple

from services.core.catalogue import CATALOGUE
from services.core.claim_names import is_estimate
from services.core.claims import Claim, Figure
from services.core.text import NO_TEXT, Text
from services.core.units import CURRENCIES

_LEAST = 3
_SIZE = Text("规模不分优劣", "size is neither good nor bad")
_LEVERAGE = Text("杠杆各行业不可直接比，不标", "leverage differs by industry: not marked")
_CURRENCIES = Text("币种不同，不比高低", "in different currencies: not ranked")
_ESTIMATES = Text("有的是推算，口径不一，不标", "some are estimates: not marked")
_PERIODS = Text("报告期不同，不标", "of different reports: not marked")
_FEW = Text("不足三家有数，不标", "fewer than three have it: not marked")
# Lower is better by the catalogue, as a reader of one company says it; not across industries.
_LEVERED = frozenset({"debt_to_assets"})


class BestAndLast(NamedTuple):
    """The places of best and last, null where none is told, and why."""

    best: int | None = None
    last: int | None = None
    why: Text = NO_TEXT


def rank_figures(metric: str, figures: Sequence[Figure], *, old: frozenset[int]) -> BestAndLast:
    """By the catalogue's direction, over three values or more of one kind. Ties are unmarked.

    A multiple of nought or less is of a loss, which is not cheap: it takes no part.
    """
    entry = CATALOGUE.figures[metric]
    held = {place: one for place, one in enumerate(figures) if isinstance(one, Claim)}
    if why := _explain_unmarked(metric, list(held.values())):
        return BestAndLast(why=why)
    values = {
        place: one.value
        for place, one in held.items()
        if place not in old and (one.unit != "multiple" or one.value > 0)
    }
    if len(values) < _LEAST:
        return BestAndLast(why=_FEW)
    highest, lowest = _only(values, max(values.values())), _only(values, min(values.values()))
    return (
        BestAndLast(highest, lowest) if entry.better == "higher" else BestAndLast(lowest, highest)
    )


def _explain_unmarked(metric: str, claims: Sequence[Claim]) -> Text:
    entry = CATALOGUE.figures[metric]
    units = {one.unit for one in claims}
    if len(units) > 1 and all(unit.startswith(CURRENCIES) for unit in units):
        return _CURRENCIES
    if metric in _LEVERED:
        return _LEVERAGE
    if entry.better is None or entry.unit == "money":
        return _SIZE
    if len({is_estimate(one) for one in claims}) > 1 and entry.kind == "ratio":
        return _ESTIMATES
    if entry.kind == "ratio" and len({one.period for one in claims}) > 1:
        return _PERIODS
    return NO_TEXT


def _only(values: dict[int, float], wanted: float) -> int | None:
    """The one place with that value; None where several have it."""
    places = [place for place, value in values.items() if value == wanted]
    return places[0] if len(places) == 1 else None
