"""A market scored as a set says to the bit what its companies say one by one; it proves nothing."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache, partial

import pytest

from services.core.claims import Claim
from services.core.errors import NotVerifiedError
from services.core.ledger import Answer, Ledger
from services.core.requests import FetchRequest, ScreenRequest
from services.core.sketch import Sketch
from services.core.symbols import Market
from services.core.trace import ToolCall, Trace
from services.core.verifier import verify
from services.jobs.steps import Unwatched
from services.scoring.batch import Scored, score_market
from services.scoring.screened_market import ScreenedMarket
from tests.unit.market.bundled import bundle
from tests.unit.scoring.scored import desk

# So many of each market lie between two that are scored here.
STEPS: dict[Market, int] = {"CN": 27, "HK": 18, "US": 100}


def thinned(listed: Sequence[str], request: FetchRequest) -> Sequence[ToolCall]:
    """The bundled market with these companies alone: one without a valuation takes long."""
    return [
        call.model_copy(
            update={
                "rows": tuple(row for row in call.rows if row.symbol in listed),
                "labels": {name: call.labels[name] for name in listed},
            }
        )
        if isinstance(request, ScreenRequest)
        else call
        for call in bundle().fetch(request)
    ]


@cache
def scored(market: Market) -> tuple[Scored, ...]:
    """Of that market every so many, the largest first."""
    listed = ScreenedMarket.of(Ledger(bundle().fetch), market).symbols[:: STEPS[market]]
    fetch = partial(thinned, listed) if market == "US" else bundle().fetch
    found: dict[str, Scored] = {}

    def take(one: Scored) -> None:
        found[one.symbol] = one

    score_market(Ledger(fetch), desk(), market, Unwatched(), take)
    return tuple(found[one] for one in listed)


def told(one: Scored) -> tuple[object, ...]:
    """Every figure of its card, and why there is no score."""
    if one.card is None:
        return (one.problem,)
    claims = one.card.by_id
    factors = [
        (f.factor, None if f.score is None else claims[f.score].value.hex())
        for f in one.card.factors
    ]
    total = None if one.card.total is None else claims[one.card.total].value.hex()
    return (*factors, claims[one.card.coverage].value.hex(), total)


def sketched(one: Scored) -> tuple[object, ...]:
    if one.figures is None:
        return (one.problem,)
    factors = [(f.factor, None if f.score is None else f.score.hex()) for f in one.figures.factors]
    total = None if one.figures.total is None else one.figures.total.hex()
    return (*factors, one.figures.coverage.hex(), total)


@pytest.mark.parametrize("market", STEPS)
def test_scored_as_a_set_and_one_by_one_are_the_same_to_the_bit(market: Market) -> None:
    found = scored(market)
    for one in found:
        assert sketched(one) == told(one), one.symbol
        assert (one.problem is None) == (one.card is not None and one.card.total is not None)
    if market != "US":  # of which no screen gives a valuation
        assert sum(one.sketch is not None for one in found) > 100
        assert len({sketched(one) for one in found}) > 50


def test_a_sketch_that_differs_from_its_proof_is_not_handed_over() -> None:
    one = next(one for one in scored("HK") if one.sketch is not None)
    assert one.sketch is not None
    false = replace(one, sketch=one.sketch._replace(coverage=one.sketch.coverage + 1e-15))
    with pytest.raises(NotVerifiedError, match=one.symbol):
        _ = false.card
    assert one.card is not None


def test_no_sketched_figure_passes_the_verifier() -> None:
    screened = ScreenedMarket.of(Ledger(bundle().fetch), "CN")
    assert isinstance(screened.sketch, Sketch)
    symbol = next(one for one in screened.symbols if screened.can_sketch(one))
    claims = [one for one in screened.row(symbol).values() if isinstance(one, Claim)]
    rule = screened.sketch.competence(
        "score.total", "valuation_weight", symbol, date(2026, 1, 1), "percent"
    )
    assert len(claims) > 3
    trace = Trace(tool_calls=screened.answer.calls)
    for claim in (*claims, rule):
        assert not verify([claim], trace, bundle().clock.now()).ok
    assert screened.sketch.claims == ()


def test_a_live_screen_is_never_sketched() -> None:
    answer = Ledger(bundle().fetch).fetch(
        ScreenRequest(market="HK", order_by="market_cap", order="desc", size=50)
    )
    live = [call.model_copy(update={"served_by": "tencent"}) for call in answer.calls]
    screened = ScreenedMarket(Answer(live))
    assert not any(screened.can_sketch(one) for one in screened.symbols)
