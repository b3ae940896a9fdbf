"""What the claims of a text do and do not say: used to make sure that a lie is one."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from services.core.claims import Claim
from tests.prose.figures import Written
from tests.prose.writing import Part, Prose

Lie = Callable[[Prose, random.Random], Prose | None]
LIES: dict[str, Lie] = {}
_KINDS: Mapping[str, str] = {
    **dict.fromkeys(("CNY", "HKD", "USD", "CNY/share", "HKD/share", "USD/share"), "money"),
    **dict.fromkeys(("index", "score", "number", "count", "rank", "sessions"), "bare"),
    "percent": "percent",
    "pp": "percent",
    "multiple": "multiple",
    "shares": "shares",
    "points": "points",
    "sigma": "sigma",
}


def lie(name: str) -> Callable[[Lie], Lie]:
    """Register a way of lying under its name."""

    def keep(way: Lie) -> Lie:
        LIES[name] = way
        return way

    return keep


def exact(claim: Claim) -> Decimal:
    return Decimal(repr(claim.value))


def unclaimed(prose: Prose, value: Decimal, unit: str, near: Decimal = Decimal("0.004")) -> bool:
    """Whether no claim of that kind of unit, of whatever company, metric or day, is near it."""
    kind = _KINDS[unit]
    return not any(
        abs(abs(exact(claim)) - abs(value)) <= near * max(abs(value), abs(exact(claim)))
        for claim in prose.claims
        if _KINDS.get(claim.unit) == kind
    )


def said_of(prose: Prose, symbol: str, metric: str) -> Iterable[Claim]:
    return (c for c in prose.claims if c.symbol == symbol and c.metric == metric)


def supported(
    prose: Prose, written: Written, *, symbol: str, metric: str, when: str | None = None
) -> bool:
    """Whether some claim of that company and metric has the printed figure, loosely taken.

    With `when`, only claims of that report year or ISO day count.
    """
    room = written.ulp * written.scale
    room = (
        max(room, abs(written.value * written.scale) * Decimal("0.12")) if written.approx else room
    )
    return any(
        abs(abs(exact(claim)) - abs(written.value * written.scale)) <= room
        for claim in said_of(prose, symbol, metric)
        if when is None or when in {(claim.period or "")[:4], claim.as_of.isoformat()}
    )


def elsewhere(prose: Prose, written: Written) -> bool:
    """Whether another claim of the figure's company and metric has what is printed."""
    own = written.claim
    return any(
        abs(abs(exact(claim)) - abs(written.value * written.scale))
        <= written.ulp * written.scale * Decimal("0.53")
        for claim in said_of(prose, own.symbol, own.metric)
        if claim.value != own.value
    )


@dataclass(frozen=True)
class Spot:
    """One figure of a text: where, and what is written there."""

    at: int
    part: Part
    figure: Written

    @property
    def claim(self) -> Claim:
        return self.figure.claim


def figures(prose: Prose, *, rough: bool = False) -> list[Spot]:
    """The free figures of a text; those with 约, 近, 超 only when asked for."""
    return [
        Spot(at, part, part.figure)
        for at, part in enumerate(prose.parts)
        if part.figure is not None and (rough or not part.figure.approx)
    ]


def rewritten(
    prose: Prose, kind: str, spot: Spot, figure: Written, *, check: bool = True
) -> Prose | None:
    """The text with that figure instead; None when some claim might carry it."""
    value = figure.value * figure.scale
    if figure.text == spot.part.text:
        return None
    if check and not unclaimed(prose, value, spot.claim.unit, Decimal("0.0015")):
        return None
    if abs(figure.value) != abs(spot.figure.value) and abs(value - exact(spot.claim)) <= (
        figure.ulp * figure.scale / 2
    ):
        return None
    return prose.changed(kind, {spot.at: figure.text})


def following(prose: Prose, at: int, metric: str | None = None) -> Spot | None:
    """The first figure after a place, of that metric if one is named."""
    for spot in figures(prose, rough=True):
        if spot.at > at and (metric is None or spot.claim.metric == metric):
            return spot
    return None


def invented(prose: Prose, rng: random.Random, unit: str, low: float, high: float) -> Decimal:
    """A number nobody claimed; its digits say so even roughly."""
    while True:
        value = Decimal(str(round(rng.uniform(low, high), rng.choice((1, 2)))))
        if unclaimed(prose, value, unit, Decimal("0.02")):
            return value
