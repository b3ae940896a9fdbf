"""The factor model: grades by hand, what is missing, and that better facts never score lower."""

import itertools
import math
import random
from collections.abc import Mapping, Sequence
from datetime import timedelta

import pytest

from services.core.errors import NoDataError
from services.core.limits import COMPETENCES
from services.core.requests import BarsRequest, FetchRequest, PeersRequest, ValuationRequest
from services.core.score_formulas import cheaper, drawdown, falls, grade, log_grade, worst
from services.core.score_rules import FACTORS
from services.core.text import Text
from services.core.trace import Fact, ToolCall
from services.core.verifier import verify
from services.scoring.factors import require_total, scorecard
from tests.unit.market.bundled import bundle
from tests.unit.scoring.scored import (
    APPLE,
    BANK,
    CARS,
    HALTED,
    HSBC,
    MOUTAI,
    READ,
    TENCENT,
    Change,
    Fetch,
    changing,
    failing,
    known,
    looked,
    unbroken,
)

NOW = bundle().clock.now


def test_a_grade_is_a_line_between_two_figures_and_no_farther() -> None:
    assert [grade(x, 0, 20) for x in (-5, 0, 5, 20, 90)] == [0, 0, 2.5, 10, 10]
    assert [grade(x, 90, 30) for x in (95, 90, 60, 30, 0)] == [0, 0, 5, 10, 10]
    assert [log_grade(x, 1e7, 1e9) for x in (0, -1, 1e7, 1e8, 1e10)] == pytest.approx(
        [0, 0, 0, 5, 10]
    )


def test_a_loss_is_dearer_than_any_profit() -> None:
    assert cheaper([10, 20, 40, 5]) == pytest.approx(200 / 3)
    assert cheaper([-3, 20, 400, 5000]) == 0
    assert cheaper([500, -1, -1000]) == 100
    assert cheaper([10, 10, 10]) == 50


def test_what_is_measured_over_bars() -> None:
    closes = [100.0, 120.0, 90.0, 95.0, 130.0, 117.0]
    assert drawdown(closes) == pytest.approx(25.0)  # 120 → 90
    assert falls(closes, 5) == 2  # 120 → 90, 130 → 117
    assert worst(closes) == pytest.approx(-25.0)


def test_valuation_of_a_bank_by_hand() -> None:
    found = known(BANK)
    # earnings yield 11.53 % is past 10 %: 10; cheaper than 66.67 % and 77.78 % of its peers;
    # dividend 0.74 / 21.91 = 3.3775 %, of 5 %: 6.755; nothing of its own history
    assert found.grade("earnings_yield") == 10
    assert found.grade("pe_peers") == pytest.approx(6.6667, abs=1e-3)
    assert found.grade("pb_peers") == pytest.approx(7.7778, abs=1e-3)
    assert found.grade("dividend") == pytest.approx(6.755, abs=5e-3)
    by_hand = (10 * 25 + 6.6667 * 30 + 7.7778 * 25 + 6.755 * 10) / 90
    assert found.score("valuation") == pytest.approx(by_hand, abs=2e-3)
    assert found.share("valuation") == pytest.approx(0.9)
    assert found.factor("valuation").missing == (
        Text("逐日市盈率(TTM)在自身历史中的位置", "P/E (TTM) of every day beside its own history"),
    )


def test_amounts_are_graded_by_their_logarithm() -> None:
    # 1,331.33 亿 between 20 亿 and 2,000 亿
    by_hand = 10 * math.log(133.133e9 / 2e9) / math.log(2e11 / 2e9)
    assert known(CARS).grade("size") == pytest.approx(by_hand, abs=1e-9)


def test_the_total_is_the_weighted_mean_of_what_is_there() -> None:
    found = known(HALTED)
    there = {name: found.score(name) for name in FACTORS}
    assert there["momentum"] is None
    assert there["risk"] is None
    weights = {"valuation": 20, "quality": 20, "growth": 15, "events": 10, "liquidity": 10}
    total = sum(weights[name] * (there[name] or 0.0) for name in weights) / sum(weights.values())
    assert found.total == pytest.approx(total)
    shares = sum(rule.weight * found.share(name) for name, rule in FACTORS.items()) / 100
    assert found.coverage == pytest.approx(shares)


def test_a_large_company_that_is_suspended_is_not_liquid() -> None:
    found = known(HALTED)
    assert found.grade("size") > 7
    # size is 40 of 100, the suspension of 70 sessions 60 of it and graded 0
    assert found.score("liquidity") == pytest.approx(found.grade("size") * 0.4)
    assert found.share("liquidity") == pytest.approx(100 / 160)


def test_what_a_bank_owes_is_no_matter_of_its_quality() -> None:
    found = known(BANK)
    assert "debt_to_assets" in {claim.metric for claim in found.step1.claims}
    assert not any(claim.metric == "debt_grade" for claim in found.card.claims)
    assert found.share("quality") == 1.0
    assert any(claim.metric == "debt_grade" for claim in known(CARS).card.claims)


def test_the_weights_add_up() -> None:
    assert sum(rule.weight for rule in FACTORS.values()) == 100
    for rule in FACTORS.values():
        parts = {one.name: one.part for one in rule.components if not one.if_any}
        assert sum(parts.values()) == 100


@pytest.mark.parametrize("symbol", [*READ, APPLE])
def test_the_verifier_recomputes_every_step(symbol: str) -> None:
    found = known(symbol)
    assert verify(found.card.claims, found.step1.trace, NOW()).ok


@pytest.mark.parametrize(
    "metric",
    ["hold_score", "score_coverage", "valuation_score", "quality_coverage", "roe_grade",
     "roe_from", "valuation_weight", "return_60", "pe_ttm_cheaper", "drawdown_250", "amount_20"],
)  # fmt: skip
def test_a_step_that_is_not_what_it_should_be_is_found(metric: str) -> None:
    found = looked(BANK, unbroken(bundle().fetch)) if metric == "drawdown_250" else known(BANK)
    wrong = found.claim(metric)
    claims = [
        one.model_copy(update={"value": one.value * 1.001 + 0.001}) if one is wrong else one
        for one in found.card.claims
    ]
    failures = verify(claims, found.step1.trace, NOW()).failures
    assert any(claims[one.claim_index].claim_id == wrong.claim_id for one in failures)


def test_another_rule_makes_the_score_unprovable() -> None:
    found = known(BANK)
    entry = COMPETENCES["score.quality"]
    changed = entry.model_copy(update={"values": {**entry.values, "roe_to": 25.0}})
    competences = {**COMPETENCES, "score.quality": changed}
    assert not verify(found.card.claims, found.step1.trace, NOW(), competences=competences).ok


def test_two_runs_say_the_same() -> None:
    for symbol in (BANK, TENCENT):
        again = looked(symbol)
        assert again.total == known(symbol).total
        assert again.coverage == known(symbol).coverage
        texts = [(one.missing, one.score is None) for one in again.card.factors]
        assert texts == [(one.missing, one.score is None) for one in known(symbol).card.factors]


def test_a_card_is_the_same_whatever_the_order_of_claims_and_figures() -> None:
    found = known(CARS)
    part = found.step1.sector
    turned = found.step1.model_copy(
        update={
            "claims": found.step1.claims[::-1],
            "sector": part.model_copy(update={"figures": part.figures[::-1]}),
        }
    )
    again = scorecard(turned)
    assert again.total == found.card.total
    assert again.factors == found.card.factors


def test_a_company_of_which_only_a_valuation_is_known_is_scored_by_it() -> None:
    found = known(MOUTAI)
    assert found.total is not None
    assert found.coverage == pytest.approx(0.345)
    assert [name for name in FACTORS if found.score(name) is None] == ["momentum", "risk", "events"]


def test_hong_kong_is_scored_in_its_own_currency() -> None:
    found = known(TENCENT)
    assert found.claim("amount_20").unit == "HKD"
    assert found.claim("traded_hkd_from").unit == "HKD"
    assert found.grade("traded") == 10


def test_no_score_where_too_little_is_known_and_what_lacks_is_named() -> None:
    found = known(HSBC)
    assert found.card.total is None
    assert found.score("valuation") is not None
    with pytest.raises(NoDataError) as caught:
        require_total(found.card)
    for word in ("盈利质量", "动量与趋势", "momentum", "20%", "33%"):
        assert word in str(caught.value.why)


def test_without_its_old_bars_a_company_without_a_valuation_has_no_score() -> None:
    found = looked(APPLE, failing(BarsRequest, NoDataError("daily_bars", Text("没有", "none"))))
    assert found.step1.of_day is None
    assert found.card.total is None
    assert found.coverage == pytest.approx(0.2 + 0.15 * 0.7)


def _replaced(fact: Fact, value: float) -> Fact:
    return fact.model_copy(update={"value": value, "raw": None})


def losing(fact: Fact) -> Fact | None:
    """The cars made a loss last year, and the source gives no P/E of it."""
    if fact.symbol != CARS:
        return fact
    if fact.metric in {"pe_ttm", "pe_lyr"}:
        return None
    if fact.metric == "net_profit" and fact.period == "2016_Q4":
        return _replaced(fact, -5e9)
    return fact


def test_a_company_with_a_loss() -> None:
    found = looked(CARS, changing(losing))
    assert verify(found.card.claims, found.step1.trace, NOW()).ok
    assert found.grade("earnings_yield") == 0
    assert found.grade("roe") == 0
    assert found.grade("margin") == 0
    assert found.total is not None
    assert found.total < (known(CARS).total or 0)
    assert any("亏损" in one.text for one in found.step1.sector.findings)


def test_a_year_that_was_better_does_not_stand_in_for_a_loss_of_late() -> None:
    gone: Change = lambda one: None if (one.symbol, one.metric) == (MOUTAI, "pe_ttm") else one  # noqa: E731
    found = looked(MOUTAI, changing(gone))
    assert not any(claim.metric == "earnings_yield" for claim in found.card.claims)
    assert "亏损/未给出" in str(found.step1.sector.why)
    with pytest.raises(NoDataError):
        require_total(found.card)


def negative(fact: Fact) -> Fact:
    is_own = (fact.symbol, fact.metric) == (MOUTAI, "pe_ttm")
    return _replaced(fact, -50.0) if is_own else fact


def test_a_negative_multiple_is_the_dearest_of_all() -> None:
    found = looked(MOUTAI, changing(negative))
    assert found.claim("earnings_yield").value == pytest.approx(-2.0)
    assert found.claim("pe_ttm_cheaper").value == 0
    assert [found.grade(name) for name in ("earnings_yield", "pe_peers", "profit_pace")] == [0] * 3
    assert found.score("valuation") < (known(MOUTAI).score("valuation") or 0)
    assert verify(found.card.claims, found.step1.trace, NOW()).ok


def adding(kind: type[FetchRequest], *rows: Fact) -> Fetch:
    """The snapshot as a source that has these facts too, behind its own."""

    def fetch(request: FetchRequest) -> Sequence[ToolCall]:
        first, *others = bundle().fetch(request)
        if isinstance(request, kind):
            first = first.model_copy(update={"rows": (*first.rows, *rows)})
        return [first, *others]

    return fetch


def test_a_multiple_is_held_against_its_own_history_where_there_is_one() -> None:
    newest = next(
        fact
        for call in known(MOUTAI).step1.trace.tool_calls
        for fact in call.rows
        if (fact.symbol, fact.metric) == (MOUTAI, "pe_ttm")
    )
    # 70 days before, on 50 of them dearer than 31.51
    earlier = [
        newest.model_copy(
            update={
                "as_of": newest.as_of - timedelta(days=back),
                "value": 40.0 if back <= 50 else 20.0,
            }
        )
        for back in range(1, 71)
    ]
    found = looked(MOUTAI, adding(ValuationRequest, *earlier))
    assert found.claim("pe_ttm_own_cheaper").value == pytest.approx(100 * 50 / 70)
    assert found.grade("own_history") == pytest.approx(10 * 50 / 70)
    assert found.share("valuation") > known(MOUTAI).share("valuation")
    assert verify(found.card.claims, found.step1.trace, NOW()).ok
    few = looked(MOUTAI, adding(ValuationRequest, *earlier[:59]))
    assert few.factor("valuation").missing == known(MOUTAI).factor("valuation").missing


def test_how_many_of_an_industry_rise_is_told() -> None:
    peers = known(MOUTAI).step1.sector.peers[:6]
    day = known(BANK).step1.kline.last_session
    moves = [
        Fact(
            symbol=name,
            metric="pct_change",
            value=value,
            unit="percent",
            as_of=day,
            field="pct",
        )
        for name, value in zip(peers, (1.0, 2.0, -1.0, 0.0, 3.0, -0.1), strict=True)
    ]
    step1 = looked(MOUTAI, adding(PeersRequest, *moves)).step1
    claims = {claim.claim_id: claim for claim in step1.claims}
    (breadth,) = step1.sector.breadth
    # of these six three rose; 600809.SH, of which the snapshot has bars, fell
    assert claims[breadth].value == pytest.approx(300 / 7)
    assert claims[breadth].symbol == MOUTAI


def test_without_peers_there_is_less_to_score_by() -> None:
    alone: Change = lambda one: one if one.symbol == MOUTAI else None  # noqa: E731
    found = looked(MOUTAI, changing(alone))
    assert found.share("valuation") < known(MOUTAI).share("valuation")
    assert found.coverage < known(MOUTAI).coverage
    assert "同行" in str(found.step1.sector.why)


# Factor → own fact → 1 where more of it is better, −1 where less is.
BETTER: Mapping[str, Mapping[str, int]] = {
    "valuation": {"pe_ttm": -1, "pb": -1, "dps": 1},
    "quality": {"net_profit": 1, "total_liabilities": -1, "revenue": -1, "equity": -1},
    "growth": {"revenue": 1, "net_profit": 1, "pe_ttm": -1, "pe_lyr": 1},
    "liquidity": {"market_cap": 1, "volume": 1},
}
CASES = [(factor, metric) for factor, facts in BETTER.items() for metric in facts]
NEWEST_REPORT = "2016_Q4"


def scaled(symbol: str, metric: str, by: float) -> Change:
    def change(fact: Fact) -> Fact:
        if fact.symbol != symbol or fact.metric != metric:
            return fact
        if fact.period is not None and fact.period[:4] == "2015":
            return fact
        return _replaced(fact, fact.value * by)

    return change


@pytest.mark.parametrize(("factor", "metric"), CASES)
@pytest.mark.parametrize("symbol", [BANK, CARS])
def test_better_facts_never_lower_a_factor(symbol: str, factor: str, metric: str) -> None:
    chance = random.Random(f"{symbol}{factor}{metric}")
    way = BETTER[factor][metric]
    steps = sorted(chance.uniform(0.4, 2.5) for _ in range(4))
    bars = metric == "volume"
    found = [
        looked(symbol, changing(scaled(symbol, metric, by), bars=bars)) for by in (*steps, 1.0)
    ]
    pairs = sorted(zip((*steps, 1.0), (one.score(factor) for one in found), strict=True))
    scores = [score for _, score in pairs if score is not None]
    assert len(scores) == len(pairs)
    ordered = scores if way > 0 else scores[::-1]
    assert all(b >= a - 1e-9 for a, b in itertools.pairwise(ordered))


def rising(symbol: str, by: float) -> Change:
    """The newest close higher, and what else is of that bar with it."""
    last = max(
        fact.as_of
        for call in known(symbol).step1.trace.tool_calls
        if call.table == "daily_bars"
        for fact in call.rows
        if fact.symbol == symbol and fact.metric == "close"
    )

    def change(fact: Fact) -> Fact:
        is_price = fact.metric in {"open", "high", "low", "close"}
        if fact.symbol != symbol or fact.as_of != last or not is_price:
            return fact
        return _replaced(fact, fact.value * by)

    return change


@pytest.mark.parametrize("symbol", [BANK, CARS, TENCENT])
def test_a_higher_last_close_never_lowers_momentum(symbol: str) -> None:
    chance = random.Random(symbol)
    steps = sorted(chance.uniform(0.7, 1.4) for _ in range(5))
    scores = [looked(symbol, changing(rising(symbol, by))).score("momentum") for by in steps]
    there = [one for one in scores if one is not None]
    assert len(there) == len(steps)
    assert there == sorted(there)
    assert there[0] < there[-1]


def calmer(symbol: str, share: float) -> Change:
    """Every bar nearer to a mean price by that share: smaller moves, smaller falls."""
    level = 30.0

    def change(fact: Fact) -> Fact:
        if fact.symbol != symbol or fact.metric not in {"open", "high", "low", "close"}:
            return fact
        return _replaced(fact, level * (fact.value / level) ** share)

    return change


@pytest.mark.parametrize("factor", ["risk", "events"])
@pytest.mark.parametrize("symbol", [BANK, CARS])
def test_a_calmer_course_is_never_the_riskier(symbol: str, factor: str) -> None:
    chance = random.Random(factor)
    shares = sorted((chance.uniform(0.2, 3.0) for _ in range(5)), reverse=True)
    courses = [unbroken(changing(calmer(symbol, one))) for one in shares]
    scores = [looked(symbol, one).score(factor) for one in courses]
    there = [one for one in scores if one is not None]
    assert len(there) == len(shares)
    assert all(b >= a - 1e-9 for a, b in itertools.pairwise(there))


def test_a_shorter_suspension_is_never_worse() -> None:
    scores = [
        looked(HALTED, changing(scaled(HALTED, "suspended_sessions", by))).score("events")
        for by in (2.0, 1.0, 0.2, 0.05)
    ]
    there = [one for one in scores if one is not None]
    assert there == sorted(there)
    assert there[-1] > there[0]


def shares_of(symbol: str, change: Change) -> tuple[float, Sequence[float]]:
    try:
        found = looked(symbol, changing(change))
    except NoDataError:
        return 0.0, [0.0] * len(FACTORS)
    return found.coverage, [found.share(name) for name in FACTORS]


@pytest.mark.parametrize("symbol", [BANK, HALTED, TENCENT])
def test_removing_data_never_raises_coverage(symbol: str) -> None:
    chance = random.Random(symbol)
    metrics = sorted(
        {
            fact.metric
            for call in known(symbol).step1.trace.tool_calls
            if call.table != "recomputation"
            for fact in call.rows
            if fact.symbol == symbol
        }
    )
    gone: set[str] = set()
    before = known(symbol).coverage, [known(symbol).share(name) for name in FACTORS]
    chance.shuffle(metrics)
    for metric in metrics[:9]:
        gone.add(metric)
        after = shares_of(
            symbol, lambda one: None if one.symbol == symbol and one.metric in gone else one
        )
        assert after[0] <= before[0] + 1e-12
        assert all(b <= a + 1e-12 for a, b in zip(before[1], after[1], strict=True))
        before = after
