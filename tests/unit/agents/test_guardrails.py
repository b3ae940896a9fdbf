"""Confidence exactly as seed 004 §11: 100 less 20, 10, 5 and 5, never below 0; each with why."""

from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import product

import pytest

from services.agents.guardrails import COUNTS, Case, confidence, deductions
from services.agents.options import GuardrailOptions
from services.agents.results import CalledTool, CallEvidence, Deduction
from services.core.claims import Claim
from services.core.clock import BEIJING
from services.core.limits import COMPETENCES
from services.core.text import Text
from services.core.trace import Fact, ToolCall, Trace
from tests.unit.agents.kit import DAY, claim

NOW = datetime(2017, 7, 26, 16, 30, tzinfo=BEIJING)
PE = claim("pe_lyr", 10.0, "multiple", period="LYR_2016")
EPS = claim("eps", 2.5, "CNY/share", as_of=date(2016, 12, 31), period="2016_Q4")


def price(value: float, metric: str = "current_price") -> Claim:
    return claim(metric, value, "CNY")


def evidence(number: int, source: str, as_of: date | None) -> CallEvidence:
    return CallEvidence(
        marker=f"E{number}",
        title="t",
        tool="t",
        source=source,
        table="t",
        tool_call_id=f"tc_{number}",
        as_of=as_of,
        fetched_at=NOW,
    )


def case(
    *,
    marked: bool = True,
    claims: tuple[Claim, ...] = (),
    days: tuple[date | None, ...] = (DAY, DAY),
    sources: tuple[str, ...] = ("eastmoney", "tushare"),
    options: GuardrailOptions | None = None,
    trace: Trace | None = None,
) -> Case:
    found = [evidence(n, s, d) for n, (s, d) in enumerate(zip(sources, days, strict=True), 1)]
    return Case(
        marks=(("E1",), ()) if marked else ((), ()),
        evidence=found,
        claims=claims,
        trace=trace or Trace(tool_calls=()),
        now=NOW,
        options=options or GuardrailOptions(),
    )


def rules(given: Case) -> dict[str, float]:
    return {one.rule: one.points for one in deductions(given)}


# 25 yuan ÷ 2.5 yuan a share = 10 times: agrees. 30 ÷ 2.5 = 12 times: 20 % off.
CONSISTENT, INCONSISTENT = (PE, EPS, price(25.0)), (PE, EPS, price(30.0))
POINTS = {"evidence": 20.0, "pe_consistency": 10.0, "freshness": 5.0, "source_diversity": 5.0}


@pytest.mark.parametrize("holds", list(product((True, False), repeat=4)))
def test_each_rule_that_does_not_hold_takes_its_points(holds: tuple[bool, ...]) -> None:
    marked, consistent, fresh, diverse = holds
    found = deductions(
        case(
            marked=marked,
            claims=CONSISTENT if consistent else INCONSISTENT,
            days=(DAY, DAY) if fresh else (date(2017, 7, 20), None),
            sources=("eastmoney", "tushare") if diverse else ("eastmoney", "eastmoney"),
        )
    )
    expected = dict(zip(POINTS, holds, strict=True))
    assert {one.rule for one in found} == {rule for rule, held in expected.items() if not held}
    lost = sum(points for rule, points in POINTS.items() if not expected[rule])
    assert confidence(found) == 100.0 - lost
    assert {one.rule: one.points for one in found} == {
        rule: points for rule, points in POINTS.items() if not expected[rule]
    }


def test_all_four_together_leave_sixty() -> None:
    assert confidence([Deduction(rule=r, points=p, reason="x") for r, p in POINTS.items()]) == 60.0


def test_confidence_never_falls_below_nothing() -> None:
    assert confidence([Deduction(rule="x", points=99.0, reason="x")] * 2) == 0.0
    assert confidence([]) == 100.0


def test_every_deduction_says_why_in_both_languages() -> None:
    given = case(marked=False, claims=INCONSISTENT, days=(None,), sources=("eastmoney",))
    found = deductions(given)
    assert len(found) == 4
    for one in found:
        zh, en = one.reason.zh, one.reason.en
        assert any("一" <= letter <= "鿿" for letter in zh)
        assert en
        assert not any("一" <= letter <= "鿿" for letter in en)


def test_the_settings_may_switch_two_of_the_checks_off() -> None:
    given = case(marked=False, claims=INCONSISTENT)
    assert set(rules(given)) == {"evidence", "pe_consistency"}
    off = GuardrailOptions(pe_consistency_check=False)
    assert set(rules(case(marked=False, claims=INCONSISTENT, options=off))) == {"evidence"}
    off = GuardrailOptions(evidence_required=False)
    assert set(rules(case(marked=False, claims=INCONSISTENT, options=off))) == {"pe_consistency"}


@pytest.mark.parametrize(
    ("value", "agrees"),
    [
        (25.0, True),  # 10.00 times, as the source says
        (27.4, True),  # 10.96: 9.6 % more
        (22.6, True),  # 9.04: 9.6 % less
        (27.5, False),  # 11.00: a tenth more; the rule is "less than 10 %"
        (22.4, False),  # 8.96: 10.4 % less
        (100.0, False),
    ],
)
def test_price_over_earnings_within_a_tenth_of_the_multiple(value: float, agrees: bool) -> None:
    assert ("pe_consistency" not in rules(case(claims=(PE, EPS, price(value))))) == agrees


@pytest.mark.parametrize(
    ("what", "claims"),
    [
        ("no multiple", (EPS, price(30.0))),
        ("no earnings", (PE, price(30.0))),
        ("no price", (PE, EPS)),
        ("a loss", (PE, claim("eps", -2.5, "CNY/share", period="2016_Q4"), price(30.0))),
        ("a negative multiple", (claim("pe_lyr", -10.0, "multiple"), EPS, price(30.0))),
        ("another day", (PE, EPS, claim("close", 30.0, "CNY", as_of=DAY - timedelta(days=1)))),
        ("another currency", (PE, EPS, claim("current_price", 30.0, "HKD"))),
        ("another company", (PE, EPS, claim("current_price", 30.0, "CNY", symbol="600519.SH"))),
        ("an interim report", (PE, claim("eps", 2.5, "CNY/share", period="2017_Q1"), price(30.0))),
        ("an adjusted price", (PE, EPS, claim("close", 30.0, "CNY", note="加法前复权"))),
    ],
)
def test_what_cannot_be_compared_takes_no_points(what: str, claims: tuple[Claim, ...]) -> None:
    assert "pe_consistency" not in rules(case(claims=claims)), what


def test_the_trailing_multiple_is_held_against_trailing_earnings() -> None:
    pe = claim("pe_ttm", 10.0, "multiple", period="TTM_2017Q1")
    eps = claim("eps_ttm", 2.5, "CNY/share", period="TTM_2017Q1")
    assert "pe_consistency" not in rules(case(claims=(pe, eps, price(25.0))))
    assert "pe_consistency" in rules(case(claims=(pe, eps, price(30.0))))
    assert "pe_consistency" not in rules(case(claims=(pe, EPS, price(30.0))))  # annual earnings


def test_a_price_of_the_market_is_taken_before_one_worked_out() -> None:
    both = (price(25.0), price(99.0, "close"))
    assert "pe_consistency" not in rules(case(claims=(PE, EPS, *both)))


def test_one_company_of_several_that_does_not_agree_is_enough() -> None:
    other = [
        one.model_copy(update={"symbol": "600519.SH", "claim_id": f"c_{n:016x}"})
        for n, one in enumerate(INCONSISTENT)
    ]
    assert "pe_consistency" in rules(case(claims=(*CONSISTENT, *other)))


@pytest.mark.parametrize(
    ("newest", "fresh"),
    [
        (date(2017, 7, 26), True),
        (date(2017, 7, 25), True),  # a day is all that is known: it may lie within 24 hours
        (date(2017, 7, 24), False),
        (date(2017, 8, 1), False),  # a day that has not come says nothing
        (None, False),
    ],
)
def test_the_newest_day_lies_within_twenty_four_hours(newest: date | None, fresh: bool) -> None:
    given = case(days=(newest, date(2016, 12, 31)))
    assert ("freshness" not in rules(given)) == fresh


@pytest.mark.parametrize(
    ("sources", "diverse"),
    [
        (("eastmoney", "tushare"), True),
        (("eastmoney", "eastmoney"), False),
        (("eastmoney", "youju"), False),  # our own sums are no second source
        (("eastmoney", "knowledge_base"), False),
    ],
)
def test_two_sources_at_least(sources: tuple[str, ...], diverse: bool) -> None:
    assert ("source_diversity" not in rules(case(sources=sources))) == diverse


def test_an_answer_that_does_not_say_its_source_takes_points() -> None:
    fact = Fact(symbol="A", metric="close", value=1.0, unit="CNY", as_of=DAY, field="f")
    call = ToolCall(
        tool_call_id="tc_1",
        name="t",
        arguments={},
        attempts=(),
        source="",
        table="t",
        served_by="",
        fetched_at=NOW,
        duration_ms=0.0,
        rows=(fact,),
    )
    assert rules(case(trace=Trace(tool_calls=(call,)))) == {"tool_metadata": 10.0}
    named = call.model_copy(update={"source": "eastmoney"})
    assert rules(case(trace=Trace(tool_calls=(named,)))) == {}


def called(name: str, error: str | None = None) -> CalledTool:
    return CalledTool(
        name=name, arguments="{}", asked_by="plan", seconds=0.1, claims=0, error=error
    )


def test_a_tool_that_brought_nothing_takes_five_points_and_is_named() -> None:
    tools = (
        called("get_price_history"),
        called("search_news", "UnavailableError"),
        called("search_web", "NoDataError"),
        called("peer_compare", "UnavailableError"),
        called("peer_compare"),  # asked again, and answered
        called("get_macro_data", "InputError"),  # the model's mistake
    )
    (found,) = deductions(replace(case(), called=tools))
    assert (found.rule, found.points) == ("failed_tools", 10.0)
    assert found.reason == Text("没有取得：新闻、联网检索", "not obtained: news, web search")
    assert confidence([found]) == 90.0


@pytest.mark.parametrize(("age", "points"), [(11, None), (12, 5.0)])
def test_a_cited_valuation_that_is_old_takes_points_though_the_price_is_of_today(
    age: int, points: float | None
) -> None:
    day = DAY - timedelta(days=age)
    pe, close = claim("pe_ttm", 8.67, "multiple", as_of=day), price(25.0)
    given = case(claims=(pe, close))
    cites = [
        one.model_copy(update={"claims": (cited.claim_id,)})
        for one, cited in zip(given.evidence, (pe, close), strict=True)
    ]
    found = deductions(replace(given, evidence=cites))
    assert [one.points for one in found] == ([points] if points else [])
    for one in found:
        assert (one.rule, one.reason) == (
            "old_inputs",
            Text(f"距今已久：估值（{day}）", f"old: valuation ({day})"),
        )
    # What is only known and not cited says nothing of the text.
    assert deductions(given) == ()


def test_our_own_points_are_those_of_the_register() -> None:
    entry = COMPETENCES["report.confidence"]
    assert entry.values == {
        "failed_tool_points": 5.0,
        "old_input_points": 5.0,
        "old_input_days": 11.0,
    }
    assert {each for each, _, _ in COUNTS.values()} < entry.values.keys()
