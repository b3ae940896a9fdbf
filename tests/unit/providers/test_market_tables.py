"""Loading and point in time, on small snapshots whose every figure is written in the test."""

from datetime import date
from pathlib import Path

import pytest

from services.core.errors import StoreError
from services.core.requests import Bound, ScreenRequest
from services.store.database import Database
from services.store.market_load import load_market
from services.store.market_tables import MarketTables
from services.store.screen_sql import Horizon
from tests.unit.providers import small_market as small

A, B, C = "600001.SH", "600002.SH", "600003.SH"
END = Horizon(date(2017, 7, 26), date(2017, 7, 25), date(2017, 7, 25), date(2017, 7, 25))


def opened(folder: Path, **rows: list[dict[str, object]]) -> MarketTables:
    small.write(folder, **{"companies": [small.company(s) for s in (A, B, C)], **rows})
    return MarketTables(Database(":memory:"), folder)


def test_a_snapshot_is_loaded_once_and_again_only_when_it_changes(tmp_path: Path) -> None:
    database = Database(":memory:")
    small.write(tmp_path, companies=[small.company(A)])
    assert load_market(database, tmp_path)
    assert not load_market(database, tmp_path)
    small.write(tmp_path, companies=[small.company(A), small.company(B)])
    assert load_market(database, tmp_path)
    assert [row.symbol for row in MarketTables(database, tmp_path).names()] == [A, B]


def test_tables_made_from_an_older_snapshot_go_with_it(tmp_path: Path) -> None:
    database = Database(":memory:")
    small.write(tmp_path, companies=[small.company(A)])
    assert MarketTables(database, tmp_path).screen(ScreenRequest(market="CN"), END).matches == 1
    small.write(tmp_path, companies=[small.company(A), small.company(B)])
    assert MarketTables(database, tmp_path).screen(ScreenRequest(market="CN"), END).matches == 2


def test_a_changed_part_is_named_and_the_loaded_market_stays(tmp_path: Path) -> None:
    database = Database(":memory:")
    small.write(tmp_path, companies=[small.company(A)])
    load_market(database, tmp_path)
    part = tmp_path / "facts.parquet"
    small.write(tmp_path, companies=[small.company(A), small.company(B)])
    part.write_bytes(part.read_bytes() + b"x")
    with pytest.raises(StoreError, match=r"facts\.parquet"):
        load_market(database, tmp_path)
    with database.cursor() as cursor:
        assert cursor.execute("SELECT count(*) FROM market.companies").fetchall() == [(1,)]


def test_a_part_without_its_columns_is_named(tmp_path: Path) -> None:
    rows = [{"symbol": A, "market": "CN"}]
    small.write(tmp_path, companies=rows)
    with pytest.raises(StoreError, match=r"companies\.parquet.*make snapshot"):
        load_market(Database(":memory:"), tmp_path)


def test_names_carry_every_spelling(tmp_path: Path) -> None:
    row = opened(tmp_path).names()[0]
    assert (row.symbol, row.name, row.kind) == (A, "公司600001", "stock")
    assert row.old_names == ("旧名", "更旧名")
    assert (row.pinyin, row.full_name) == (("gongsi",), None)


def test_a_move_over_lost_sessions_is_not_computed_and_over_a_suspension_it_is(
    tmp_path: Path,
) -> None:
    days = (date(2017, 7, 20), date(2017, 7, 24))
    bars = [small.bar(s, day, 10.0 + i) for s in (A, B, C) for i, day in enumerate(days)]
    lost = date(2017, 7, 21)
    kinds = {A: "hole", B: "suspension", C: "dropped"}
    gaps = [small.gap(symbol, lost, lost, kind) for symbol, kind in kinds.items()]
    tables = opened(tmp_path, bars=bars, gaps=gaps)
    request = ScreenRequest(market="CN", order_by="pct")
    assert tables.screen(request, END).judged == {"pct": 1}
    closes = {
        known.company.symbol: [row.fact.value for row in known.facts]
        for known in tables.known([A, B, C], END)
    }
    assert closes == {A: [11.0], B: [10.0, 11.0], C: [11.0]}


def test_a_gap_elsewhere_does_not_break_the_move(tmp_path: Path) -> None:
    days = (date(2017, 7, 19), date(2017, 7, 20), date(2017, 7, 24))
    bars = [small.bar(A, day, 10.0 + i) for i, day in enumerate(days)]
    gaps = [small.gap(A, date(2017, 7, 18), date(2017, 7, 18), "hole")]
    gaps.append(small.gap(A, date(2017, 7, 25), date(2017, 7, 25), "dropped"))
    tables = opened(tmp_path, bars=bars, gaps=gaps)
    assert tables.screen(ScreenRequest(market="CN", order_by="pct"), END).judged == {"pct": 1}


def test_a_zero_divisor_gives_a_missing_value_and_not_infinity(tmp_path: Path) -> None:
    facts = [
        small.fact(A, "market_cap", 100.0, unit="CNY"),
        small.fact(A, "pe_lyr", 0.0),
        small.fact(A, "pb", 2.0),
        small.fact(A, "ps_ttm", 0.0),
    ]
    tables = opened(tmp_path, facts=facts)
    for field in ("netprofit", "roediluted", "total_revenue"):
        found = tables.screen(ScreenRequest(market="CN", order_by=field), END)
        assert found.judged == {field: 0}


def test_a_report_is_not_known_before_it_was_announced(tmp_path: Path) -> None:
    facts = [
        small.report(A, "net_profit", 15.0, 2015, date(2016, 4, 30)),
        small.report(A, "net_profit", 16.0, 2016, date(2017, 4, 30)),
        small.report(B, "net_profit", 25.0, 2015, date(2016, 4, 30)),
    ]
    tables = opened(tmp_path, facts=facts)

    def known(day: date) -> dict[str, float]:
        horizon = tables.horizon(day, day, day, day)
        found = tables.known([A, B, C], horizon)
        return {item.company.symbol: row.fact.value for item in found for row in item.facts}

    assert known(date(2016, 4, 29)) == {}
    assert known(date(2017, 4, 29)) == {A: 15.0, B: 25.0}
    # B has not reported 2016: its 2015 figure does not stand in for it
    assert known(date(2017, 4, 30)) == {A: 16.0}


def test_the_newest_valuation_known_is_the_one_screened(tmp_path: Path) -> None:
    older, newer = date(2017, 5, 18), date(2017, 5, 25)
    facts = [
        small.fact(A, "pb", 3.0, as_of=newer, announced_on=newer),
        small.fact(A, "pb", 1.0, as_of=older, announced_on=older),
    ]
    tables = opened(tmp_path, facts=facts)
    request = ScreenRequest(market="CN", bounds=(Bound(field="pb", above=2.0),))
    days = {day: tables.horizon(day, day, day, day) for day in (older, newer)}
    assert tables.screen(request, days[older]).symbols == ()
    assert tables.screen(request, days[newer]).symbols == (A,)


def test_equal_values_are_ordered_by_symbol_and_missing_comes_last_either_way(
    tmp_path: Path,
) -> None:
    facts = [small.fact(C, "pb", 1.0), small.fact(B, "pb", 1.0)]
    tables = opened(tmp_path, facts=facts)
    for order in ("asc", "desc"):
        request = ScreenRequest(market="CN", order_by="pb", order=order)
        assert tables.screen(request, END).symbols == (B, C, A)


def test_days_between_which_nothing_became_known_share_their_tables(tmp_path: Path) -> None:
    tables = opened(tmp_path, facts=[small.fact(A, "pb", 1.0)])
    one, other = date(2017, 6, 1), date(2017, 6, 30)
    assert tables.horizon(one, one, one, one).facts == tables.horizon(other, one, one, one).facts
