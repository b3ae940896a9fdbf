"""The copy of a market on figures written in the test: what is kept, screened and given back."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

import duckdb
import pytest

from services.core.catalogue import CATALOGUE
from services.core.clock import BEIJING
from services.core.formulas import formula_for
from services.core.requests import Bound, ScreenRequest
from services.core.trace import Fact
from services.providers.market_facts import SUMMED, members_of
from services.store import copy_answers
from services.store.copy_rows import Pulled, Spelling, TaskMark
from services.store.copy_sql import Annual
from services.store.database import Database
from services.store.market_copy import MarketCopy
from tests.unit.market.counted import figures_over

A, B, C = "600001.SH", "600002.SH", "600003.SH"
DAY = date(2026, 11, 20)
NOW = datetime(2026, 11, 20, 16, 30, tzinfo=BEIJING)
ANNUAL = Annual(DAY, "2025_Q4")


@pytest.fixture
def copy() -> Iterator[MarketCopy]:
    database = Database(":memory:")
    yield MarketCopy(database)
    database.close()


def mark(kind: str, subject: str = "", at: datetime = NOW) -> TaskMark:
    task = ":".join(part for part in ("CN", kind, subject) if part)
    return TaskMark(task, "CN", kind, subject, "done", at, at + timedelta(days=1))


def fact(symbol: str, metric: str, value: float, **more: Any) -> Fact:
    given = {"unit": "multiple", "as_of": DAY, "field": f"f_{metric}", "raw": str(value), **more}
    code = CATALOGUE.codes.get(metric)
    return Fact(symbol=symbol, metric=metric, metric_code=code, value=value, **given)


def report(symbol: str, metric: str, value: float, period: str, announced: str) -> Fact:
    end = date(int(period[:4]), 12, 31) if period.endswith("Q4") else date(int(period[:4]), 9, 30)
    note = f"加权；公告日 {announced}"
    return fact(symbol, metric, value, unit="CNY", as_of=end, period=period, note=note)


def pulled(*rows: Fact, table: str = "push2.clist", mark: str = "a") -> Pulled:
    named = {row.symbol: {"name": f"公司{row.symbol[:6]}", "industry": "银行"} for row in rows}
    return Pulled("eastmoney", "eastmoney", table, NOW, mark * 64, rows, named)


def listed(copy: MarketCopy, *rows: Fact, annual: Annual = ANNUAL) -> None:
    copy.keep_universe(mark("universe"), [pulled(*rows)], {}, annual)


def told(copy: MarketCopy, period: str, *rows: Fact, annual: Annual = ANNUAL) -> None:
    copy.keep_reports(mark("reports", period), [pulled(*rows, table="yjbb", mark="b")], annual)


def row_of(copy: MarketCopy, symbol: str) -> dict[str, Any]:
    with copy.open_reading() as cursor:
        found = cursor.execute("SELECT * FROM copy.wide_cn WHERE symbol = ?", [symbol])
        names = [column[0] for column in found.description]
        return dict(zip(names, found.fetchall()[0], strict=True))


def test_a_company_is_one_row_of_what_it_was_given_and_missing_stays_missing(
    copy: MarketCopy,
) -> None:
    prices = [("market_cap", 5e9), ("pe_ttm", -7.5), ("pb", 1.5), ("pct_change", -2.0)]
    listed(copy, *[fact(A, metric, value) for metric, value in prices])
    assert row_of(copy, A) == {
        "symbol": A,
        "market": "CN",
        "kind": "stock",
        "name": "公司600001",
        "industry": "银行",
        "full_name": None,
        "listing": None,
        "elsewhere": None,
        "market_cap": 5e9,
        "valued_on": DAY,
        "moved_on": DAY,
        "pct": -2.0,
        "pettm": -7.5,
        "pelyr": None,
        "pb": 1.5,
        "roediluted": None,
        "netprofit": None,
        "total_revenue": None,
        "tl": None,
        "dy_l": None,
    }


def test_the_newest_annual_report_of_each_company_is_screened_and_no_quarter(
    copy: MarketCopy,
) -> None:
    listed(copy, *[fact(symbol, "pb", 1.0) for symbol in (A, B, C)])
    told(
        copy,
        "2025_Q4",
        report(A, "net_profit", 25.0, "2025_Q4", "2026-03-30"),
        report(B, "net_profit", 24.0, "2025_Q4", "2026-11-20"),
        report(C, "net_profit", 23.0, "2025_Q4", "2026-11-21"),
    )
    told(copy, "2024_Q4", report(C, "net_profit", 22.0, "2024_Q4", "2025-03-30"))
    told(copy, "2026_Q3", report(A, "net_profit", 20.0, "2026_Q3", "2026-10-28"))
    found = {symbol: row_of(copy, symbol)["netprofit"] for symbol in (A, B, C)}
    # C published 2025 only tomorrow; its 2024 is older than what everybody must have published.
    assert found == {A: 25.0, B: 24.0, C: None}


def test_while_reports_are_being_published_last_years_stands_until_a_companys_own_is_out(
    copy: MarketCopy,
) -> None:
    spring = Annual(date(2027, 2, 1), "2025_Q4")
    listed(copy, fact(A, "pb", 1.0), fact(B, "pb", 1.0), annual=spring)
    for symbol in (A, B):
        told(
            copy,
            f"2025_Q4_{symbol}",
            report(symbol, "roe", 10.0, "2025_Q4", "2026-03-30"),
            annual=spring,
        )
    told(copy, "2026_Q4", report(A, "roe", 12.0, "2026_Q4", "2027-01-31"), annual=spring)
    assert [row_of(copy, symbol)["roediluted"] for symbol in (A, B)] == [12.0, 10.0]


def test_all_annual_figures_of_a_row_are_of_one_report(copy: MarketCopy) -> None:
    listed(copy, fact(A, "pb", 1.0))
    spring = Annual(date(2027, 2, 1), "2025_Q4")
    told(
        copy,
        "2025_Q4",
        report(A, "net_profit", 25.0, "2025_Q4", "2026-03-30"),
        report(A, "total_liabilities", 80.0, "2025_Q4", "2026-03-30"),
        annual=spring,
    )
    told(copy, "2026_Q4", report(A, "net_profit", 26.0, "2026_Q4", "2027-01-31"), annual=spring)
    row = row_of(copy, A)
    assert (row["netprofit"], row["tl"]) == (26.0, None)


@pytest.mark.parametrize(
    ("column", "metric", "expression", "values"),
    [
        ("netprofit", "net_profit", "market_cap / pe_lyr", {"market_cap": 7e9, "pe_lyr": 13.7}),
        ("total_revenue", "revenue", "market_cap / ps_ttm", {"market_cap": 7e9, "ps_ttm": 3.3}),
        ("roediluted", "roe", "pb / pe_lyr * 100", {"pb": 1.9, "pe_lyr": 13.7}),
        ("dy_l", "dy_l", "dps / close * 100", {"dps": 0.31, "close": 7.9}),
    ],
)
def test_a_derived_column_is_a_registered_formula_to_the_last_bit(
    copy: MarketCopy, column: str, metric: str, expression: str, values: dict[str, float]
) -> None:
    formula = formula_for(metric, expression)
    assert formula is not None
    listed(copy, *[fact(A, name, value) for name, value in values.items()])
    assert row_of(copy, A)[column] == eval(expression, {}, values)  # noqa: S307 — written above


def test_a_given_figure_wins_over_a_derived_one(copy: MarketCopy) -> None:
    given = {"market_cap": 7e9, "pe_lyr": 10.0, "pb": 2.0, "dy_l": 3.1, "dps": 9.0, "close": 1.0}
    listed(copy, *[fact(A, name, value) for name, value in given.items()])
    told(copy, "2025_Q4", report(A, "net_profit", 5e8, "2025_Q4", "2026-03-30"))
    row = row_of(copy, A)
    assert (row["netprofit"], row["dy_l"]) == (5e8, 3.1)


def test_a_zero_divisor_gives_nothing(copy: MarketCopy) -> None:
    listed(copy, fact(A, "market_cap", 7e9), fact(A, "pe_lyr", 0.0), fact(A, "pb", 2.0))
    row = row_of(copy, A)
    assert (row["netprofit"], row["roediluted"]) == (None, None)


def test_a_screen_counts_orders_and_brings_facts_with_their_fetches(copy: MarketCopy) -> None:
    caps = {A: 3e9, B: 2e9, C: 1e9}
    listed(
        copy,
        *[fact(symbol, "market_cap", cap) for symbol, cap in caps.items()],
        fact(A, "pe_ttm", 30.0),
        fact(B, "pe_ttm", -5.0),
    )
    told(copy, "2025_Q4", report(A, "net_profit", 1e8, "2025_Q4", "2026-03-30"))
    request = ScreenRequest(
        market="CN", bounds=(Bound(field="pettm", below=50.0),), order_by="pettm", order="asc"
    )
    with copy.open_reading() as cursor:
        found = copy_answers.screen(cursor, request)
        origins = copy_answers.origins(
            cursor, [row.fetch_id for one in found.known for row in one.facts]
        )
        main = copy_answers.main_fetch(cursor, "CN")
    assert [one.company.symbol for one in found.known] == [B, A]
    assert (found.companies, found.matches, found.valued_on) == (3, 2, DAY)
    assert found.judged == {"pettm": 2}
    tables = {
        row.fact.metric: origins[row.fetch_id].table for one in found.known for row in one.facts
    }
    assert tables == {"market_cap": "push2.clist", "pe_ttm": "push2.clist", "net_profit": "yjbb"}
    assert origins[main].fetched_at == NOW
    assert origins[main].body_sha256 == "a" * 64


def test_a_fact_comes_back_as_it_was_kept(copy: MarketCopy) -> None:
    given = fact(A, "pb", 1.2345678901234567, raw="1.2345678901234567", note="抓取时点")
    listed(copy, given)
    with copy.open_reading() as cursor:
        about = copy_answers.company(cursor, "CN", A)
        assert about is not None
        (known,) = copy_answers.find_known(cursor, [about])
    assert [row.fact for row in known.facts] == [given]


def test_losses_are_counted_and_not_in_the_median(copy: MarketCopy) -> None:
    multiples = {A: 10.0, B: -5.0, C: 20.0}
    caps = [fact(symbol, "market_cap", 1e9) for symbol in multiples]
    listed(copy, *caps, *[fact(symbol, "pe_ttm", pe) for symbol, pe in multiples.items()])
    with copy.open_reading() as cursor:
        rows = copy_answers.members(cursor, "CN", SUMMED)
        day = copy_answers.find_valuation_day(cursor, "CN")
    whole = figures_over(members_of("CN", rows, DAY, loss_column="pettm", notes={}))
    # The median of 10 and 20; one loss; no last year's multiple at all.
    assert (whole["CN", "pe_ttm_median"], whole["CN", "loss_count"]) == (15.0, 1)
    assert ("CN", "pe_lyr_median") not in whole
    assert (whole["CN", "market_cap_sum"], day) == (3e9, DAY)


def test_a_newer_list_takes_the_place_of_the_old_one_whole(copy: MarketCopy) -> None:
    listed(copy, fact(A, "pb", 1.0), fact(B, "pb", 2.0))
    listed(copy, fact(B, "pb", 3.0))
    assert copy.list_ranked("CN") == [B]
    assert row_of(copy, B)["pb"] == 3.0
    with copy.open_reading() as cursor:
        counts = cursor.execute(
            "SELECT (SELECT count(*) FROM copy.facts), (SELECT count(*) FROM copy.parts)"
        ).fetchall()
    assert counts == [(1, 1)]


def test_a_reader_sees_one_state_while_a_newer_one_comes_in(copy: MarketCopy) -> None:
    listed(copy, fact(A, "pb", 1.0))
    request = ScreenRequest(market="CN")
    with copy.open_reading() as cursor:
        assert copy_answers.screen(cursor, request).companies == 1
        listed(copy, fact(A, "pb", 2.0), fact(B, "pb", 2.0))
        held = copy_answers.screen(cursor, request)
    assert held.companies == 1
    assert held.known[0].facts[0].fact.value == 1.0
    with copy.open_reading() as cursor:
        assert copy_answers.screen(cursor, request).companies == 2


def test_a_failure_while_keeping_leaves_what_was_there(copy: MarketCopy) -> None:
    listed(copy, fact(A, "pb", 1.0))
    with pytest.raises(duckdb.ConstraintException, match="unit"):
        copy.keep_universe(
            mark("universe", at=NOW + timedelta(days=1)),
            [pulled(fact(A, "pb", 2.0), fact(B, "pb", 1.0).model_copy(update={"unit": None}))],
            {},
            ANNUAL,
        )
    assert row_of(copy, A)["pb"] == 1.0
    kept = copy.mark("CN:universe")
    assert kept is not None
    assert kept.done_at == NOW


def test_names_carry_their_spelling(copy: MarketCopy) -> None:
    spelled = {A: Spelling("gongsi", "gs")}
    copy.keep_universe(mark("universe"), [pulled(fact(A, "pb", 1.0))], spelled, ANNUAL)
    (row,) = copy.names("CN")
    assert (row.symbol, row.name, row.pinyin, row.initials) == (
        A,
        "公司600001",
        ("gongsi",),
        ("gs",),
    )
    assert copy.names("HK") == []


class TestBars:
    def keep(self, copy: MarketCopy, days: range, since: int | None, **more: Any) -> None:
        rows = [
            fact(A, metric, float(n), as_of=date(2026, 11, n), unit="CNY")
            for n in days
            for metric in ("open", "close")
        ]
        at = more.pop("at", NOW)
        kept = mark("bars", A, at)._replace(first=more.pop("first", date(2026, 11, 1)), through=DAY)
        part = pulled(*rows, table="kline", mark=more.pop("mark", "a"))
        copy.keep_bars(kept, [part], date(2026, 11, since) if since else None)

    def days(self, copy: MarketCopy) -> list[int]:
        with copy.open_reading() as cursor:
            rows = copy_answers.bars(cursor, A, None, None)
        return [row.fact.as_of.day for row in rows if row.fact.metric == "close"]

    def fetches(self, copy: MarketCopy) -> int:
        with copy.open_reading() as cursor:
            return cursor.execute("SELECT count(*) FROM copy.parts").fetchall()[0][0]

    def test_a_series_grows_and_fetches_that_have_no_bar_left_go(self, copy: MarketCopy) -> None:
        self.keep(copy, range(9, 14), None)
        self.keep(copy, range(11, 18), 11, mark="b")
        assert self.days(copy) == list(range(9, 18))
        assert self.fetches(copy) == 2
        self.keep(copy, range(16, 20), 16, mark="c", first=date(2026, 11, 12))
        assert self.days(copy) == list(range(12, 20))
        assert self.fetches(copy) == 2

    def test_a_whole_series_takes_the_place_of_the_old_one(self, copy: MarketCopy) -> None:
        self.keep(copy, range(9, 14), None)
        self.keep(copy, range(12, 18), None, mark="b")
        assert self.days(copy) == list(range(12, 18))
        assert self.fetches(copy) == 1

    def test_it_holds_bars_from_the_first_day_asked_until_the_next_close(
        self, copy: MarketCopy
    ) -> None:
        self.keep(copy, range(9, 14), None)
        assert copy.holds_bars(A, date(2026, 11, 1), NOW)
        assert not copy.holds_bars(A, date(2026, 10, 31), NOW)
        assert not copy.holds_bars(A, None, NOW)
        assert not copy.holds_bars(B, date(2026, 11, 1), NOW)
        assert not copy.holds_bars(A, date(2026, 11, 1), NOW + timedelta(days=1))
        assert not copy.holds_bars(A, date(2026, 11, 1), NOW - timedelta(seconds=1))

    def test_the_tail_is_its_last_sessions_and_the_sources_of_all(self, copy: MarketCopy) -> None:
        self.keep(copy, range(9, 14), None)
        tail = copy.tail(A, 2)
        assert [day.day for day in tail.days] == [12, 13]
        assert [(row.as_of.day, row.metric) for row in tail.facts] == [
            *((12, "open"), (12, "close")),
            *((13, "open"), (13, "close")),
        ]
        assert tail.sources == {("eastmoney", "kline")}


def test_a_copy_of_another_layout_is_let_go_and_pulled_anew() -> None:
    database = Database(":memory:")
    listed(MarketCopy(database), fact(A, "pb", 1.0))
    assert MarketCopy(database).list_ranked("CN") == [A]
    with database.transaction() as cursor:
        cursor.execute("UPDATE copy.layout SET version = version - 1")
    assert MarketCopy(database).list_ranked("CN") == []
    database.close()


def test_a_copy_from_before_a_screening_field_was_added_is_pulled_anew() -> None:
    database = Database(":memory:")
    listed(MarketCopy(database), fact(A, "pb", 1.0))
    with database.transaction() as cursor:
        cursor.execute("ALTER TABLE copy.wide_cn DROP COLUMN roediluted")
    assert MarketCopy(database).list_ranked("CN") == []
    database.close()


def test_nothing_is_made_in_the_store_before_it_is_needed() -> None:
    database = Database(":memory:")
    MarketCopy(database)
    with database.cursor() as cursor:
        schemas = cursor.execute(
            "SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'copy'"
        ).fetchall()
    assert schemas == []
    assert MarketCopy(database).list_ranked("CN") == []
    database.close()


def test_readers_and_a_writer_at_once_never_see_two_states_in_one_answer(copy: MarketCopy) -> None:
    symbols = [f"{600000 + n}.SH" for n in range(300)]
    listed(copy, *[fact(symbol, "pb", 1.0) for symbol in symbols])
    stop, wrong = threading.Event(), list[object]()

    def read() -> None:
        request = ScreenRequest(market="CN", order_by="pb", size=20)
        try:
            while True:
                with copy.open_reading() as cursor:
                    found = copy_answers.screen(cursor, request)
                    main = copy_answers.main_fetch(cursor, "CN")
                    known = copy_answers.origins(cursor, [main])
                values = {row.fact.value for one in found.known for row in one.facts}
                fetches = {row.fetch_id for one in found.known for row in one.facts}
                if len(values) != 1 or fetches != {main} or found.companies != 300 or not known:
                    wrong.append((values, fetches))
                if stop.is_set():
                    return
        except Exception as error:  # noqa: BLE001 — a thread's failure must reach the test
            wrong.append(error)

    readers = [threading.Thread(target=read) for _ in range(6)]
    for reader in readers:
        reader.start()
    for n in range(15):
        rows = [fact(symbol, "pb", float(n + 2)) for symbol in symbols]
        part = replace(pulled(*rows), body_sha256=f"{n:064x}")
        copy.keep_universe(mark("universe"), [part], {}, ANNUAL)
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []
