"""Lies of time: another year, another day, an old day told as today."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from services.core.claims import Claim
from tests.prose.market import market
from tests.prose.truth import exact, figures, following, lie, said_of, supported
from tests.prose.words import day_words
from tests.prose.writing import Part, Prose


def _year_spots(prose: Prose) -> Sequence[tuple[int, Claim]]:
    if "range" in prose.style:  # what lies between two years' values may hold of other years
        return []
    return [
        (at, claim)
        for at in prose.places("when")
        if (claim := prose.parts[at].claim) and (claim.period or "")[5:] in {"Q4"}
    ]


def _other_year(name: str, prose: Prose, rng: random.Random, years: Sequence[int]) -> Prose | None:
    for at, claim in _year_spots(prose):
        old = (claim.period or "")[:4]
        after = [
            s for s in figures(prose, rough=True) if s.at > at and s.claim.period == claim.period
        ]
        later = [a for a, _ in _year_spots(prose) if a > at]
        after = [s for s in after if not later or s.at < later[0]]
        for year in years:
            new = str(int(old) + year)
            if f"{new}" in prose.template or not after:
                continue
            spot = after[0]
            if not supported(
                prose, spot.figure, symbol=spot.claim.symbol, metric=spot.claim.metric, when=new
            ):
                return prose.changed(name, {at: prose.parts[at].text.replace(old, new)})
    return None


@lie("another year")
def year(prose: Prose, rng: random.Random) -> Prose | None:
    return _other_year("another year", prose, rng, (-1, -2, -3))


@lie("a year nobody claimed")
def far_year(prose: Prose, rng: random.Random) -> Prose | None:
    return _other_year("a year nobody claimed", prose, rng, (rng.choice((1, 2, 3, -9)),))


@lie("a half year or a quarter for a year")
def half(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [(a, c) for a, c in _year_spots(prose) if following(prose, a) or prose.places("place")]
    if not spots:
        return None
    at, claim = rng.choice(spots)
    old = (claim.period or "")[:4]
    zh = (
        f"{old}年上半年",
        f"{old}年三季报",
        f"{old}年一季度",
        f"{old}Q3",
        f"{old}H1",
        f"{old}年前三季度",
    )
    en = (f"the first half of {old}", f"Q3 {old}", f"{old}Q1", f"1H{old[2:]}")
    return prose.changed(
        "a half year or a quarter for a year",
        {at: rng.choice(zh if prose.language == "zh" else en)},
    )


@lie("last year's value")
def previous(prose: Prose, rng: random.Random) -> Prose | None:
    for spot in figures(prose):
        if spot.figure.scale == 1 and spot.claim.unit in {"CNY", "HKD", "USD"}:
            continue
        if not any((c.period or "") == spot.claim.period for _, c in _year_spots(prose)):
            continue
        for claim in said_of(prose, spot.claim.symbol, spot.claim.metric):
            value = (exact(claim) / spot.figure.scale).quantize(spot.figure.ulp)
            figure = spot.figure(value=abs(value).copy_sign(spot.figure.value), plus=False)
            if prose.parts[spot.at - 1].kind == "way" or claim.value * spot.claim.value <= 0:
                continue
            when = (spot.claim.period or "")[:4]
            told = supported(prose, figure, symbol=claim.symbol, metric=claim.metric, when=when)
            if claim.period != spot.claim.period and value and not told:
                return prose.changed("last year's value", {spot.at: figure.text})
    return None


def _days(prose: Prose) -> Sequence[tuple[int, Claim]]:
    return [
        (at, claim)
        for at in prose.places("when")
        if (claim := prose.parts[at].claim) and (claim.period or "")[5:] not in {"Q4"}
    ]


@lie("another day")
def day(prose: Prose, rng: random.Random) -> Prose | None:
    """A day of another month, on which no claim of the figure's company and metric lies."""
    for at, claim in _days(prose):
        near = [s for s in figures(prose) if s.claim.as_of == claim.as_of]
        wrong = claim.as_of - timedelta(days=rng.choice((35, 64, 97, 400)))
        if near and not any(c.as_of == wrong for c in prose.claims):
            return prose.changed("another day", {at: rng.choice(day_words(wrong, prose.language))})
    return None


@lie("another session's price")
def session(prose: Prose, rng: random.Random) -> Prose | None:
    """The day of another claim of the same metric, whose value is another."""
    for at, claim in _days(prose):
        spot = next((s for s in figures(prose) if s.claim is claim), None)
        if spot is None or len(prose.places("when")) > 1:
            continue
        for other in said_of(prose, claim.symbol, claim.metric):
            iso = other.as_of.isoformat()
            if other.as_of != claim.as_of and not supported(
                prose, spot.figure, symbol=claim.symbol, metric=claim.metric, when=iso
            ):
                words = day_words(other.as_of, prose.language)
                return prose.changed("another session's price", {at: rng.choice(words)})
    return None


@lie("an old day as today")
def today(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [(a, c) for a, c in _days(prose) if c.as_of < market().now.date() - timedelta(days=1)]
    if not spots or not (figures(prose, rough=True) or prose.places("place")):
        return None
    word = rng.choice(("今日", "今天", "昨日") if prose.language == "zh" else ("today",))
    text = prose.changed("an old day as today", {spots[0][0]: word})
    return replace(text, parts=_without(text.parts, "截至"))


def _without(parts: Sequence[Part], word: str) -> tuple[Part, ...]:
    return tuple(
        replace(part, text=part.text.removesuffix(word)) if part.kind == "text" else part
        for part in parts
    )
