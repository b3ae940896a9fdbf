"""A company beside its industry: medians of the others, its place, what the verifier refuses."""

from collections.abc import Sequence

import pytest

from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError
from services.core.formulas import formula_for
from services.core.requests import PeersRequest, ValuationRequest
from services.core.symbols import Symbol
from services.core.trace import Fact, ToolCall
from services.core.verifier import verify
from services.market.peers import Comparison, compare
from tests.unit.market.bundled import bundle
from tests.unit.market.live_answers import CLOSED, Sources, answered, fact

OWN, A, B, C = "600519.SH", "000858.SZ", "000568.SZ", "600809.SH"
PRICES = {OWN: 20.9, A: 15.0, B: 13.0, C: 25.0}


def industry(*more: Fact) -> ToolCall:
    caps = [fact(symbol, "market_cap", 1e12, "CNY") for symbol in PRICES]
    ratios = [fact(symbol, "pe_ttm", pe, "multiple") for symbol, pe in PRICES.items()]
    return answered([*caps, *ratios, *more], labels={OWN: {"name": "贵州茅台", "industry": "白酒"}})


def compared(*more: Fact) -> Comparison:
    sources = Sources(peers=industry(*more))
    found = compare(sources.ledger, Symbol(OWN), 10)
    sources.check()
    return found


def value(figure: Figure) -> float:
    assert isinstance(figure, Claim), figure
    return figure.value


def test_the_median_is_of_the_others_and_the_place_is_among_all() -> None:
    # Others 15, 13, 25: median 15. All from the highest: 25, 20.9, 15, 13 → second of four.
    found = compared()
    standing = found.standings["pe_ttm"]
    assert value(standing.median) == 15.0
    assert value(standing.rank) == 2
    assert value(standing.count) == 4
    assert (found.industry, found.own.name) == ("白酒", "贵州茅台")
    assert [peer.symbol for peer in found.others] == [A, B, C]
    assert isinstance(standing.median, Claim)
    assert (standing.median.symbol, standing.median.metric) == (OWN, "pe_ttm_peer_median")


def test_an_even_number_of_others_has_the_mean_of_the_middle_two() -> None:
    # Yields 2, 4: median 3
    found = compared(fact(A, "dy_l", 2.0, "percent"), fact(B, "dy_l", 4.0, "percent"))
    assert value(found.standings["dy_l"].median) == 3.0


def test_a_loss_maker_has_no_place_and_the_median_stands() -> None:
    rows = [fact(symbol, "pb", 2.0, "multiple") for symbol in (A, B)]
    standing = compared(*rows).standings["pb"]
    assert isinstance(standing.rank, Missing)
    assert value(standing.median) == 2.0
    assert value(standing.count) == 2


def test_nobody_to_compare_with_is_no_first_place() -> None:
    standing = compared(fact(OWN, "pb", 8.1, "multiple")).standings["pb"]
    assert isinstance(standing.rank, Missing)
    assert isinstance(standing.median, Missing)


def test_return_on_equity_of_another_period_is_left_out() -> None:
    rows = [
        fact(symbol, "roe", roe, "percent", period=period)
        for symbol, roe, period in (
            (OWN, 26.0, "2026_Q3"),
            (A, 18.0, "2026_Q3"),
            (B, 30.0, "2025_Q4"),
            (C, 22.0, "2026_Q3"),
        )
    ]
    standing = compared(*rows).standings["roe"]
    assert value(standing.median) == 20.0  # 18 and 22
    assert value(standing.rank) == 1
    assert value(standing.count) == 3


def test_a_company_alone_has_no_peers() -> None:
    sources = Sources(peers=answered([fact(OWN, "pe_ttm", 20.9, "multiple")]))
    with pytest.raises(NoDataError):
        compare(sources.ledger, Symbol(OWN), 10)


def test_the_bundled_industry_is_compared_as_before() -> None:
    # PE (TTM) of the nine other banks the bundle names: the fifth is 13.34.
    market = bundle()
    ledger = market.ledger()
    found = compare(ledger, Symbol("600036.SH"), 10)
    assert market.verified(ledger).failures == ()
    assert value(found.standings["pe_ttm"].median) == 13.34


def test_a_company_the_source_lists_without_values_is_held_against_the_others() -> None:
    # The valuation table has no figure of Tongrentang (600085), and ten others of its industry.
    market = bundle()
    ledger = market.ledger()
    found = compare(ledger, Symbol("600085.SH"), 10)
    assert market.verified(ledger).failures == ()
    assert value(found.standings["market_cap"].count) == len(found.others) == 10
    assert isinstance(found.standings["market_cap"].median, Claim)
    assert isinstance(found.standings["market_cap"].rank, Missing)


def refused(metric: str, word: str, claims: Sequence[Claim], symbol: str, sources: Sources) -> str:
    formula = formula_for(f"{metric}_peer_{word}", f"{word}(values)")
    assert formula is not None
    made = sources.ledger.derive(formula, claims, about_symbol=symbol)
    assert made is not None
    failures = verify(sources.ledger.claims, sources.ledger.trace, CLOSED.now()).failures
    (failure,) = failures
    return failure.check


def claims_of(sources: Sources, metric: str, *symbols: str) -> list[Claim]:
    answer = sources.ledger.fetch(PeersRequest(symbol=OWN))
    return [sources.ledger.claim(*answer.facts(symbol, metric)[0]) for symbol in symbols]


def test_a_median_for_a_company_of_another_answer_is_refused() -> None:
    foreign = answered([fact("600036.SH", "pe_ttm", 7.0, "multiple")], table="valuation")
    sources = Sources(peers=industry(), valuation=foreign)
    sources.ledger.fetch(ValuationRequest(symbol="600036.SH"))
    claims = claims_of(sources, "pe_ttm", A, B)
    assert refused("pe_ttm", "median", claims, "600036.SH", sources) == "entity_equal"


def test_one_company_counted_twice_is_refused() -> None:
    sources = Sources(peers=industry())
    (claim,) = claims_of(sources, "pe_ttm", A)
    assert refused("pe_ttm", "median", [claim, claim], OWN, sources) == "entity_equal"


def test_the_place_of_another_company_is_refused() -> None:
    sources = Sources(peers=industry())
    claims = claims_of(sources, "pe_ttm", A, B, OWN)
    assert refused("pe_ttm", "rank", claims, OWN, sources) == "entity_equal"


def test_a_median_over_another_metric_is_refused() -> None:
    sources = Sources(peers=industry())
    claims = claims_of(sources, "market_cap", A, B)
    assert refused("pe_ttm", "median", claims, OWN, sources) == "metric_equal"


def test_a_median_over_two_report_periods_is_refused() -> None:
    rows = [fact(A, "roe", 18.0, "percent", period="2026_Q3")]
    rows.append(fact(B, "roe", 30.0, "percent", period="2025_Q4"))
    sources = Sources(peers=industry(*rows))
    assert refused("roe", "median", claims_of(sources, "roe", A, B), OWN, sources) == "period_equal"


def test_a_median_that_is_not_the_middle_is_refused() -> None:
    sources = Sources(peers=industry())
    compare(sources.ledger, Symbol(OWN), 10)
    claims = [
        claim.model_copy(update={"value": claim.value + 1})
        if claim.metric == "pe_ttm_peer_median"
        else claim
        for claim in sources.ledger.claims
    ]
    (failure,) = verify(claims, sources.ledger.trace, CLOSED.now()).failures
    assert failure.check == "value_recomputed"
