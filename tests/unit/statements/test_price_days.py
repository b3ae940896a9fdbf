"""Which price a quoted multiple stands on: told the same by report, score and gate.

Expected values are computed here, from the bundled tables or by hand.
"""

from datetime import date
from functools import cache

import duckdb
import pytest

from services.agents.results import AgentRunRequest, AgentRunResult
from services.core.claims import Claim, DerivedCite, claim_id
from services.core.ledger import Ledger
from services.core.score_rules import side_of_figure
from services.core.source_marks import priced_on
from services.core.text import Text
from services.scoring.models import ScoreResult
from services.scoring.scorer import ScoreRequest
from services.statements.book import Book
from services.statements.move import MoveStatement
from services.statements.outdated import OutdatedStatement
from services.statements.proved_texts import unproved
from services.statements.statement import Broken, Held
from services.statements.tongue import Tongue
from services.views.score_result import view_of
from services.views.score_view import ScoreView
from tests.unit.reports.bundled import services

TAKEN, BEFORE = date(2017, 5, 25), date(2017, 5, 24)
FACTS, BARS = "data/snapshot/facts.parquet", "data/snapshot/bars.parquet"
# The bar of which day agrees with market value over shares, for companies that then traded.
DAYS = {
    "600036.SH": BEFORE, "000002.SZ": BEFORE, "002594.SZ": BEFORE, "600809.SH": BEFORE,
    "601766.SH": BEFORE, "002230.SZ": TAKEN, "02318.HK": TAKEN, "00700.HK": TAKEN,
}  # fmt: skip


def _one(sql: str) -> float:
    row = duckdb.sql(sql).fetchone()
    assert row is not None
    return float(row[0])


def _implied(symbol: str) -> float:
    value, shares = (
        _one(f"SELECT value FROM '{FACTS}' WHERE symbol = '{symbol}' AND metric = '{name}'")
        for name in ("market_cap", "total_shares")
    )
    return value / shares


def _close(symbol: str, day: str = "9999-12-31") -> float:
    where = f"symbol = '{symbol}' AND date <= '{day}'"
    return _one(f"SELECT close FROM '{BARS}' WHERE {where} ORDER BY date DESC LIMIT 1")


@cache
def _report(symbol: str | None) -> AgentRunResult:
    skill = "stock_analysis" if symbol else "market_overview"
    found = services().analyses.run(AgentRunRequest(symbol=symbol, skill_id=skill), "s_test")
    assert isinstance(found, AgentRunResult)
    return found


def _claim(symbol: str, metric: str, day: date) -> Claim:
    wanted = (symbol, metric, day)
    claims = _report(symbol).claims
    return next(one for one in claims if (one.symbol, one.metric, one.as_of) == wanted)


@pytest.mark.parametrize("symbol", DAYS)
def test_a_multiple_stands_on_the_close_that_its_price_agrees_with(symbol: str) -> None:
    assert priced_on(_claim(symbol, "market_cap", TAKEN)) == DAYS[symbol]
    # An adjusted close lies a year's dividend at most below the price of then.
    assert 0.96 < _close(symbol, DAYS[symbol].isoformat()) / _implied(symbol) < 1.01


@pytest.mark.parametrize("symbol", ["600036.SH", "000002.SZ", "600809.SH", "00700.HK"])
def test_a_report_says_of_which_price_its_multiples_are_and_how_far_that_has_gone(
    symbol: str,
) -> None:
    told = next(one for one in _report(symbol).runtime_draft.made if "上述倍数" in one.text)
    statement = next(one for one in told.statements if isinstance(one, OutdatedStatement))
    held = statement.check(Book.of_claims(_report(symbol).claims, symbol))
    assert isinstance(held, Held)
    assert held.uses[1].value == pytest.approx(_implied(symbol))
    # 600036: 25.53 / 21.91 = 1.165, which is also 10.10 / 8.67 of the head.
    gone = (_close(symbol) / _implied(symbol) - 1) * 100
    assert held.derived[0].value == pytest.approx(gone)
    assert f"按5月{DAYS[symbol].day}日的股价" in told.text


def _as_told_before() -> tuple[OutdatedStatement, MoveStatement, list[Claim]]:
    """The statement of a pack of before 2026-11-28, with 25.53 / 22.21 of the two closes."""
    symbol, formula = "600036.SH", "(later / earlier - 1) * 100"
    first, last = _claim(symbol, "close", TAKEN), _claim(symbol, "close", date(2017, 7, 25))
    made = next(one for one in _report(symbol).claims if one.metric == "close_rise").model_copy(
        update={
            "claim_id": claim_id("close_rise", formula, last.claim_id, first.claim_id),
            "value": (25.53 / 22.21 - 1) * 100,
            "cite": DerivedCite(formula=formula, inputs=(last.claim_id, first.claim_id)),
        }
    )
    multiple = _claim(symbol, "pe_ttm", TAKEN).claim_id
    one, other = first.claim_id, last.claim_id
    return (
        OutdatedStatement(multiple=multiple, first=one, last=other),
        MoveStatement(first=one, last=other),
        [*_report(symbol).claims, made],
    )


def test_what_was_told_of_the_day_of_capture_is_still_proved() -> None:
    statement, move, claims = _as_told_before()
    book = Book.of_claims(claims, "600036.SH")
    held = statement.check(book)
    assert isinstance(held, Held)
    told = statement.say(held, Tongue("zh", book, 2017))
    assert told.startswith("上述倍数是5月25日的，此后股价已上涨 {{")
    assert isinstance(move.check(book), Held)


def test_of_a_run_under_way_the_close_of_the_day_of_capture_is_refused() -> None:
    statement, move, claims = _as_told_before()
    book = Book(claims, "600036.SH", Ledger(lambda _request: ()))
    for one in (statement, move):
        assert isinstance(one.check(book), Broken)


def test_a_count_of_losses_says_by_which_multiple_and_older_wording_is_proved() -> None:
    found = _report(None)
    # P/E (LYR) is lacking of so many of those with a market value; by P/E (TTM) it is 212.
    lacking = (
        f"SELECT count(*) FROM (SELECT symbol, bool_or(metric = 'market_cap') AS valued, "
        f"bool_or(metric = 'pe_lyr' AND value > 0) AS earns FROM '{FACTS}' "
        "WHERE symbol NOT LIKE '%.HK' GROUP BY symbol) WHERE valued AND NOT earns"
    )
    assert _one(lacking) == 222
    made = next(one for one in found.runtime_draft.made if "亏损/未给出" in one.text)
    assert "亏损/未给出(有总市值者，按市盈率(LYR)) {{" in made.text
    assert unproved([made], found.claims) is None
    plain = made.text.replace("(有总市值者，按市盈率(LYR))", "")
    before = made.model_copy(update={"wording": 1, "text": plain})
    assert unproved([before], found.claims) is None
    assert unproved([made.model_copy(update={"text": plain})], found.claims) is not None


@cache
def _score(symbol: str) -> tuple[ScoreResult, ScoreView]:
    found = services().scores.run(ScoreRequest(symbol=symbol), "s_test")
    assert isinstance(found, ScoreResult)
    view = view_of(services().names, Text("", ""), found)
    assert isinstance(view, ScoreView)
    return found, view


@pytest.mark.parametrize("symbol", ["600036.SH", "000002.SZ", "002230.SZ"])
def test_factors_on_older_multiples_say_so_and_others_do_not(symbol: str) -> None:
    _, view = _score(symbol)
    told = {one.name.zh: one.dated.zh if one.dated else "" for one in view.factors}
    close = "（按 2017-05-24 收盘价）" if DAYS[symbol] == BEFORE else ""
    assert told["估值"] == f"用 2017-05-25 的倍数{close}"
    assert told["流动性"] == f"用 2017-05-25 的市值{close}"
    assert not any(told[name] for name in ("盈利质量", "成长", "动量与趋势"))
    old = {view.claims[one].metric for one in view.old}
    assert {"pe_ttm", "market_cap", "dy_l"} <= old
    assert not old & {"close", "net_profit_yoy", "profit_pace", "valuation_score"}


def test_without_a_newer_price_no_multiple_is_old() -> None:
    assert _score("600519.SH")[1].old == frozenset()


@pytest.mark.parametrize("symbol", ["600036.SH", "000002.SZ", "002230.SZ", "601766.SH", "00700.HK"])
def test_a_finding_speaks_one_way_on_the_whole_page(symbol: str) -> None:
    found, view = _score(symbol)
    sides = {"positive": 1, "neutral": 0, "negative": -1}
    assert found.sector is not None
    ways = {
        view.claims[one.claims[0]].metric.removesuffix("_yoy"): sides[one.direction]
        for one in found.sector.findings
        if one.claims
    }
    book = Book.of_claims(found.claims, symbol)
    for made in found.made:
        for statement in made.statements:
            held = statement.check(book)
            assert isinstance(held, Held)
            assert ways.get(held.topic, 0) in {0, held.stance}
    # Cheaper than its peers' median by more than a sentence calls alike: for it; dearer: against.
    for one in found.sector.findings:
        figures = [view.claims[name] for name in one.claims]
        if len(figures) == 3:
            own, median = figures[0].value, figures[1].value
            assert sides[one.direction] == (1 if own < median * 0.97 else -1)


def test_weak_growth_is_no_fall_and_a_short_halt_no_fault() -> None:
    # factors.toml: revenue −10 % is 0 and 30 % is 10; a halt of 20 sessions is 0, of none 10.
    assert side_of_figure("revenue_yoy", 22.98) == 1  # 8.2
    assert side_of_figure("revenue_yoy", 3.75) == 0  # 3.4, and yet it grew
    assert side_of_figure("revenue_yoy", -5.0) == -1  # 1.25
    assert side_of_figure("suspended_sessions", 1) == 0  # 9.5, and yet a halt
    assert side_of_figure("suspended_sessions", 15) == -1  # 2.5


def test_a_report_runs_over_every_annual_report_held() -> None:
    told = "\n".join(one.text for one in _report("600036.SH").runtime_draft.made)
    years = _one(
        f"SELECT count(*) FROM '{FACTS}' WHERE symbol = '600036.SH' AND metric = 'revenue'"
    )
    assert years == 5
    claims = [one for one in _report("600036.SH").claims if one.symbol == "600036.SH"]
    for metric in ("roe", "dps", "revenue"):
        known = {one.period for one in claims if one.metric == metric and one.period}
        assert {f"{year}Q4" for year in range(2012, 2017)} <= {
            str(one).replace("_", "") for one in known
        }
    assert "起连续四年下降" in told
