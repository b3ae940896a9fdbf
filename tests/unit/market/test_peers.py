"""A company beside its industry: its median, the company's place, what the verifier refuses."""

from collections.abc import Sequence
from statistics import median

import duckdb
import pytest

from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError
from services.core.formulas import formula_for
from services.core.requests import PeersRequest, SummaryRequest, ValuationRequest
from services.core.symbols import Symbol
from services.core.trace import Fact, ToolCall
from services.core.verifier import verify
from services.market.aggregates import industry_groups
from services.market.peers import FEW, Comparison, compare, find_members
from tests.unit.market.bundled import bundle
from tests.unit.market.live_answers import CLOSED, Sources, answered, fact

OWN, A, B, C, D, E = (
    *("600519.SH", "000858.SZ", "000568.SZ", "600809.SH", "002304.SZ", "000596.SZ"),
)
PRICES = {OWN: 20.9, A: 15.0, B: 13.0, C: 25.0, D: 18.0}


def industry(*more: Fact) -> ToolCall:
    caps = [fact(symbol, "market_cap", 1e12, "CNY") for symbol in PRICES]
    ratios = [fact(symbol, "pe_ttm", pe, "multiple") for symbol, pe in PRICES.items()]
    return answered([*caps, *ratios, *more], labels={OWN: {"name": "贵州茅台", "industry": "白酒"}})


def compared(*more: Fact) -> Comparison:
    sources = Sources(peers=industry(*more))
    found = compare(sources.ledger, Symbol(OWN))
    sources.check()
    return found


def value(figure: Figure) -> float:
    assert isinstance(figure, Claim), figure
    return figure.value


def test_median_place_and_count_are_of_the_same_companies_itself_among_them() -> None:
    # 13, 15, 18, 20.9, 25: the middle is 18, and 20.9 is the second from the highest.
    found = compared()
    standing = found.standings["pe_ttm"]
    assert value(standing.median) == 18.0
    assert value(standing.rank) == 2
    assert value(standing.count) == 5
    assert (found.industry, found.own.name) == ("白酒", "贵州茅台")
    assert [peer.symbol for peer in found.others] == [A, B, C, D]
    assert isinstance(standing.median, Claim)
    assert (standing.median.symbol, standing.median.metric) == (OWN, "pe_ttm_peer_median")


def test_an_even_number_has_the_mean_of_the_middle_two() -> None:
    # Yields 1 to 6: the middle two are 3 and 4.
    more = (
        fact(symbol, "dy_l", float(at), "percent")
        for at, symbol in enumerate((B, OWN, A, D, C, E), 1)
    )
    assert value(compared(*more).standings["dy_l"].median) == 3.5


def test_of_fewer_than_five_there_is_neither_median_nor_place_and_the_count_is_told() -> None:
    rows = [fact(symbol, "pb", 2.0, "multiple") for symbol in (OWN, A, B, C)]
    standing = compared(*rows).standings["pb"]
    assert (standing.median, standing.rank) == (
        Missing(metric="pb_peer_median", symbol=OWN, reason=FEW),
        Missing(metric="pb_peer_rank", symbol=OWN, reason=FEW),
    )
    assert value(standing.count) == 4


def test_a_loss_maker_has_no_place_and_the_median_stands() -> None:
    rows = [fact(symbol, "pb", pb, "multiple")
            for pb, symbol in enumerate((A, B, C, D, E), 1)]  # fmt: skip
    standing = compared(*rows).standings["pb"]
    assert isinstance(standing.rank, Missing)
    assert standing.rank.reason != FEW
    assert value(standing.median) == 3.0
    assert value(standing.count) == 5


def test_nobody_to_compare_with_is_no_first_place() -> None:
    standing = compared(fact(OWN, "pb", 8.1, "multiple")).standings["pb"]
    assert isinstance(standing.rank, Missing)
    assert isinstance(standing.median, Missing)


def test_return_on_equity_of_another_period_is_left_out() -> None:
    told = {OWN: 26.0, A: 18.0, C: 22.0, D: 10.0, E: 24.0}
    rows = [fact(one, "roe", roe, "percent", period="2026_Q3") for one, roe in told.items()]
    rows.append(fact(B, "roe", 30.0, "percent", period="2025_Q4"))
    standing = compared(*rows).standings["roe"]
    assert value(standing.median) == 22.0
    assert value(standing.rank) == 1
    assert value(standing.count) == 5


def test_a_company_alone_has_no_peers() -> None:
    sources = Sources(peers=answered([fact(OWN, "pe_ttm", 20.9, "multiple")]))
    with pytest.raises(NoDataError):
        compare(sources.ledger, Symbol(OWN))


# The industries of the snapshot, by plain SQL over its files: how many have each figure.
BUNDLED = "data/snapshot"
COMPANIES = ("600519.SH", "600028.SH", "600036.SH", "000651.SZ", "002415.SZ", "00700.HK")


def in_files(symbol: str, metric: str) -> list[tuple[str, float]]:
    """Each company of the industry, in its market, with its newest figure."""
    rows = duckdb.sql(
        f"""SELECT symbol, arg_max(value, as_of) FROM '{BUNDLED}/facts.parquet'
        WHERE metric = ? AND symbol IN (
            SELECT b.symbol FROM '{BUNDLED}/companies.parquet' a
            JOIN '{BUNDLED}/companies.parquet' b USING (market, industry) WHERE a.symbol = ?
        ) GROUP BY symbol""",
        params=[metric, symbol],
    ).fetchall()
    return [(str(name), float(figure)) for name, figure in rows]


@pytest.mark.parametrize("symbol", COMPANIES)
@pytest.mark.parametrize("metric", ["market_cap", "pe_ttm", "pe_lyr", "pb"])
def test_peers_are_every_company_of_the_industry_in_the_files(symbol: str, metric: str) -> None:
    market = bundle()
    ledger = market.ledger()
    standing = compare(ledger, Symbol(symbol)).standings[metric]
    wanted = in_files(symbol, metric)
    figures = dict(wanted)
    if len(wanted) < 5:
        assert not isinstance(standing.median, Claim)
        return
    assert market.verified(ledger).failures == ()
    assert value(standing.count) == len(wanted)
    assert value(standing.median) == pytest.approx(median(figures.values()))
    assert value(standing.rank) == 1 + sum(one > figures[symbol] for one in figures.values())


@pytest.mark.parametrize("symbol", [one for one in COMPANIES if one != "00700.HK"])
@pytest.mark.parametrize("metric", ["pe_ttm", "pe_lyr", "pb"])
def test_the_heat_map_tells_the_same_median(symbol: str, metric: str) -> None:
    ledger = bundle().ledger()
    found = compare(ledger, Symbol(symbol))
    groups = industry_groups(ledger, ledger.fetch(SummaryRequest(market="CN")))
    (group,) = (one for one in groups if one.industry == found.industry)
    assert value(group.figures[f"{metric}_median"]) == value(found.standings[metric].median)


def test_a_company_the_source_lists_without_values_is_held_against_the_others() -> None:
    # The valuation table has no figure of Tongrentang (600085).
    market = bundle()
    ledger = market.ledger()
    found = compare(ledger, Symbol("600085.SH"))
    wanted = in_files("600085.SH", "market_cap")
    assert market.verified(ledger).failures == ()
    assert "600085.SH" not in dict(wanted)
    assert value(found.standings["market_cap"].count) == len(wanted)
    assert isinstance(found.standings["market_cap"].median, Claim)
    assert isinstance(found.standings["market_cap"].rank, Missing)


def test_how_many_companies_an_industry_has_is_of_all_listed() -> None:
    ledger = bundle().ledger()
    found = find_members(ledger, Symbol("600519.SH"), "食品饮料")
    assert found is not None
    assert (found.total.value, found.total.symbol) == (71, "CN:食品饮料")
    assert len(set(found.symbols)) == 71


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
    compare(sources.ledger, Symbol(OWN))
    claims = [
        claim.model_copy(update={"value": claim.value + 1})
        if claim.metric == "pe_ttm_peer_median"
        else claim
        for claim in sources.ledger.claims
    ]
    (failure,) = verify(claims, sources.ledger.trace, CLOSED.now()).failures
    assert failure.check == "value_recomputed"
