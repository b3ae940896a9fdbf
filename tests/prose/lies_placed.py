"""Lies with a place: the figure is ours, what is said about it is not."""

import random
from dataclasses import replace
from decimal import Decimal

from services.core.claims import Claim
from services.core.rendering import PLACE, place
from tests.prose.lies_words import ALIKE
from tests.prose.market import market
from tests.prose.truth import exact, lie, said_of
from tests.prose.words import WENT_DOWN
from tests.prose.writing import Prose


def _placed(prose: Prose) -> list[tuple[int, Claim]]:
    return [(at, claim) for at in prose.places("place") if (claim := prose.parts[at].claim)]


def _replaced(prose: Prose, kind: str, at: int, claim: Claim) -> Prose:
    return prose.changed(kind, {at: place(claim)})


@lie("a place for another metric")
def placed_metric(prose: Prose, rng: random.Random) -> Prose | None:
    for at, claim in _placed(prose):
        group = next((g for g in ALIKE if claim.metric in g), ())
        others = [
            c
            for metric in group
            if metric != claim.metric
            for c in said_of(prose, claim.symbol, metric)
            if abs(c.value / claim.value - 1) > 0.02
        ]
        if others:
            return _replaced(prose, "a place for another metric", at, rng.choice(others))
    return None


@lie("a place for another period or day")
def placed_period(prose: Prose, rng: random.Random) -> Prose | None:
    if not prose.places("when"):
        return None
    for at, claim in _placed(prose):
        others = [
            c
            for c in said_of(prose, claim.symbol, claim.metric)
            if (c.period, c.as_of) != (claim.period, claim.as_of)
            and c.as_of != claim.as_of
            and (c.period is None or c.period[:4] != (claim.period or "")[:4])
            and abs(c.value / claim.value - 1) > 0.02
        ]
        if others:
            return _replaced(prose, "a place for another period or day", at, rng.choice(others))
    return None


@lie("a place for another company")
def placed_company(prose: Prose, rng: random.Random) -> Prose | None:
    placed = _placed(prose)
    if not placed or not prose.places("who"):
        return None
    at, claim = rng.choice(placed)
    symbol = next(
        (
            s
            for s in rng.sample(sorted(market().companies), 20)
            if s != claim.symbol and market().name(s) != market().name(claim.symbol)
        ),
        None,
    )
    others = market().companies[symbol].of(symbol, claim.metric) if symbol else []
    others = [c for c in others if abs(c.value / claim.value - 1) > 0.02]
    if not others or symbol is None:
        return None
    changed = _replaced(prose, "a place for another company", at, others[0])
    return replace(
        changed,
        claims=(*prose.claims, *others),
        names={**prose.names, **market().names([symbol])},
        default_symbol=None,
    )


@lie("a place for a claim that is not there")
def placed_nothing(prose: Prose, rng: random.Random) -> Prose | None:
    placed = _placed(prose)
    if not placed:
        return None
    at = rng.choice(placed)[0]
    token = "c_" + "".join(rng.choice("0123456789abcdef") for _ in range(16))
    wrong = rng.choice((f"{{{{c:{token}}}}}", "{{c:c_1}}", "{{c:pe_ttm}}", "{{31.5倍}}"))
    return prose.changed("a place for a claim that is not there", {at: wrong})


@lie("a place with a unit or digits beside it")
def placed_unit(prose: Prose, rng: random.Random) -> Prose | None:
    placed = _placed(prose)
    if not placed:
        return None
    at, claim = rng.choice(placed)
    text = place(claim)
    digit = rng.choice("123456789")
    options = [text + "亿", text + "万元", digit + text, text + digit]
    before = prose.parts[at - 1].text[-1:] if at else ""
    if not (before.isascii() and before.isalnum()):  # after a Latin letter it may be a hyphen
        options.append("-" + text)
    if claim.unit != "percent":
        options.append(text + "%")
    wrong = rng.choice(options)
    return prose.changed("a place with a unit or digits beside it", {at: wrong})


@lie("a place with the wrong direction")
def placed_direction(prose: Prose, rng: random.Random) -> Prose | None:
    """下跌+10.01% for a rise; 上涨-5.59% reads as the fall it is and is no lie."""
    for at, claim in _placed(prose):
        before = prose.parts[at - 1]
        for old in ("涨跌幅为", "同比变动"):
            if claim.value > 0 and before.text.endswith(old):
                word = rng.choice(WENT_DOWN if old == "涨跌幅为" else ("同比下降", "同比减少"))
                text = before.text.removesuffix(old) + word
                return prose.changed("a place with the wrong direction", {at - 1: text})
    return None


@lie("a true figure in the place's stead and wrong")
def unplaced(prose: Prose, rng: random.Random) -> Prose | None:
    placed = _placed(prose)
    if not placed:
        return None
    at, claim = rng.choice(placed)
    value = abs(exact(claim)) * Decimal("1.37")
    if any(abs(abs(exact(c)) - value) < value * Decimal("0.01") for c in prose.claims):
        return None
    tail = {"multiple": "倍", "percent": "%"}.get(claim.unit, "")
    text = f"{value:.2f}{tail}"
    assert not PLACE.search(text)
    return prose.changed("a true figure in the place's stead and wrong", {at: text})
