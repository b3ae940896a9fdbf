"""The words beside a figure say what the figure is: its name, its day, how it was come by."""

import csv
import io
from datetime import date
from zipfile import ZipFile

import pyarrow.parquet
import pytest

from services.core.catalogue import metric_words
from services.core.claims import Claim, DerivedCite
from services.core.periods import period_words
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.verifier import verify
from services.exports.view_files import view_markdown, view_zip
from services.grounding.ground import ground
from services.views.table import (
    View,
    claim_words,
    told_days,
)
from tests.unit.reports.bundled import desk, services, session
from tests.unit.reports.test_views import BUILDERS, view

DATA = services().settings.snapshot
every_view = pytest.mark.parametrize("name", list(BUILDERS))


def csv_rows(shown: View) -> list[dict[str, str]]:
    """Every line of every CSV of a page, by its header."""
    with ZipFile(io.BytesIO(view_zip(shown))) as archive:
        texts = [archive.read(name).decode("utf-8-sig") for name in archive.namelist()]
    return [line for text in texts for line in csv.DictReader(io.StringIO(text))]


# A7: 最近收盘 is the exchange's; market value over shares is 推算股价.


@every_view
def test_a_close_is_never_computed(name: str) -> None:
    closes = [claim for claim in view(name).claims.values() if claim.metric == "close"]
    assert not [claim for claim in closes if isinstance(claim.cite, DerivedCite)]


def test_an_implied_price_is_called_so_in_the_csv_and_the_markdown() -> None:
    shown = desk().screen({"category": "CN", "pelyr": "33.84_33.85"}, session())
    (row,) = [one for one in csv_rows(shown) if one.get("symbol") == "600519.SH"]
    # 5656.91亿 / 12.56亿 shares
    assert float(row["price"]) == pytest.approx(450.3909, abs=1e-4)
    assert (row["price_name"], row["price_metric"]) == ("推算股价", "price_implied")
    markdown = view_markdown(shown)
    assert "推算股价" in markdown
    assert "最近收盘" not in markdown
    assert "Implied price" in view_markdown(shown, "en")


def test_the_header_of_a_stock_without_bars_is_named_implied() -> None:
    shown = desk().stock("600519", None, None, session())
    first = shown.stats_table.rows[0]
    assert first.cells["item"] == Text("推算股价", "Implied price")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("贵州茅台推算股价450.39元（2017-05-25）。", True),
        ("贵州茅台最近收盘450.39元（2017-05-25）。", False),
        ("贵州茅台当前价450.39元（2017-05-25）。", False),
    ],
)
def test_a_text_calls_an_implied_price_so(text: str, *, holds: bool) -> None:
    shown = desk().stock("600519", None, None, session())
    price = shown.quote.price
    assert isinstance(price, Claim)
    assert price.as_of == date(2017, 5, 25)
    found = ground(text, [price], names={"600519.SH": ["贵州茅台"]})
    assert found.ok is holds


# A6: every group of figures says its day, and a multiple is of the price beside it.


def test_a_screen_says_the_days_of_its_prices_and_of_its_moves() -> None:
    shown = desk().screen({"category": "CN", "order_by": "pct"}, session())
    note = told_days(shown.table, "zh", shown.claims)
    # In the bundle the valuation is of 05-25 and the newest bars of 07-25 or 07-20.
    assert "推算股价" in note.partition("：2017-05-25")[0]
    assert "涨跌幅：2017-07-2" in note
    assert "2017-07-25" in note
    assert note in view_markdown(shown).replace("\\", "")
    assert "2016年报" in note
    assert "Change %: 2017-07-2" in told_days(shown.table, "en", shown.claims)


@every_view
def test_every_table_of_figures_says_their_days(name: str) -> None:
    for table in view(name).tables():
        figures = {
            (column.label.zh, cell.as_of.isoformat(), period_words(cell.period, "zh"))
            for row in table.rows
            for column in table.columns
            if column.kind == "figure" and isinstance(cell := row.cells.get(column.key), Claim)
        }
        dated = any(column.kind == "date" for column in table.columns)
        for label, day, period in figures:
            said = label + told_days(table, "zh", view(name).claims)
            assert dated or day in said or (period and period in said), (table.key, label, day)


def test_multiples_beside_a_newer_close_are_of_that_close() -> None:
    shown = desk().stock("600036", None, None, session())
    price = shown.quote.price
    assert isinstance(price, Claim)
    assert (price.value, price.as_of) == (25.53, date(2017, 7, 25))
    found = {stat.figure.metric: stat for stat in shown.stats}
    # The source: 5525.67亿 over 252.2亿 shares is 21.9099; P/E 8.67 there; dividend 0.74.
    wanted = {
        "market_cap": 25.53 * 25_220_000_000,
        "pe_ttm": 8.67 * 25.53 / (552_567_000_000 / 25_220_000_000),
        "dy_l": 0.74 / 25.53 * 100,
    }
    for metric, value in wanted.items():
        claim = found[metric].figure
        assert isinstance(claim, Claim)
        assert claim.value == pytest.approx(value, rel=1e-12), metric
        assert (claim.as_of, claim.cite.kind) == (price.as_of, "derived")
        assert not found[metric].old
    assert any("2017-07-25 的收盘价推算" in note.zh for note in shown.notes)


def test_multiples_that_cannot_be_priced_anew_are_marked_and_dated() -> None:
    # 乐视网: suspended since April, its close is older than the valuation of May.
    shown = desk().stock("300104", None, None, session())
    found = {stat.figure.metric: stat for stat in shown.stats}
    assert found["pe_ttm"].old
    assert "2017-05-25" in told_days(shown.stats_table, "zh", shown.claims)
    assert any("不同日" in note.zh for note in shown.notes)


def test_a_figure_of_a_report_and_a_later_price_says_its_day_and_is_an_estimate() -> None:
    # PB of 2017Q1 over PE of 2016; a dividend of 2016 over the price of 2017-05-25.
    shown = desk().financials("600519", session())
    peers = next(table for table in shown.tables() if table.key == "peers")
    heads = {column.key: column.label.zh for column in peers.columns}
    assert heads["roe"] == "净资产收益率(推算)"
    assert heads["net_profit"] == "净利润(部分推算)"  # five of the ten have an annual report
    assert heads["dy_l"] == "股息率(推算)"
    note = told_days(peers, "zh", shown.claims)
    assert "净资产收益率(推算)" in note.partition("：2017-05-25")[0]
    assert "净利润(部分推算)：2016年报" in note
    (row,) = [
        one
        for one in csv_rows(desk().screen({"category": "CN", "pelyr": "33.84_33.85"}, session()))
        if one.get("symbol") == "600519.SH"
    ]
    assert row["netprofit_name"] == "净利润(推算)"


def test_peers_have_no_column_without_a_figure() -> None:
    shown = desk().financials("00700", session())
    peers = next(table for table in shown.tables() if table.key == "peers")
    figures = [column for column in peers.columns if column.kind == "figure"]
    assert [column.key for column in figures] == ["market_cap", "pe_lyr", "pb"]
    assert "来源没有这些公司的市盈率(TTM)、" in peers.note.zh


def test_a_note_calls_no_close_the_last_one() -> None:
    written = view_markdown(desk().stock("600036", None, None, session()))
    notes = [line for line in written.splitlines() if line.startswith("[^")]
    closes = [line for line in notes if "`close` = " in line]
    assert closes
    assert all(" 收盘 `close`" in line for line in closes)
    assert not any("最近收盘" in line for line in notes)


# A9: a stopped clock is no fetch; a score says which day's data it is of.


def test_bundled_figures_were_fetched_when_the_bundle_was_built() -> None:
    # data/snapshot/manifest.json; the clock stands at 2017-07-26 16:30.
    shown = desk().stock("600036", None, None, session())
    fetched = {call.fetched_at.isoformat() for call in shown.trace.tool_calls if call.rows}
    assert fetched == {services().manifest.built_at.isoformat()}
    assert "2017-07-26T16:30" not in view_markdown(shown)
    assert "来源采集 2017-05-25, 打包 " in view_markdown(shown)
    (row,) = [
        one
        for one in csv_rows(desk().screen({"category": "CN", "pelyr": "33.84_33.85"}, session()))
        if one.get("symbol") == "600519.SH"
    ]
    assert row["market_cap_captured"] == "2017-05-25"
    assert row["market_cap_fetched_at"] == services().manifest.built_at.isoformat()
    assert "截至 2017-07-25" in view_markdown(shown)


def test_a_figure_of_a_bundle_is_as_stale_as_when_it_was_asked_for() -> None:
    found = desk().stock("600036", None, None, session())
    old = {"current_price": 0, "close": 0}
    assert verify(list(found.claims.values()), found.trace, services().clock.now()).ok
    stale = verify(
        list(found.claims.values()), found.trace, services().clock.now(), staleness=old
    ).failures
    # The newest close of the bundle is a day older than its clock.
    assert {failure.check for failure in stale} >= {"not_stale"}
    assert "1 days old" in next(one.reason for one in stale if one.check == "not_stale")


# A5: two figures of one company and one period never share a name on a page.


def shared_names(shown: View) -> list[str]:
    """Names of a page, by heading or by the figure's own, under which a company has two values of
    one period."""
    found: dict[tuple[str, str, str], set[float]] = {}
    for table in shown.tables():
        for row in table.rows:
            for column in table.columns:
                cell = row.cells.get(column.key)
                if not isinstance(cell, Claim):
                    continue
                plain = metric_words(cell.metric).zh
                headed = column.label.zh
                headed = headed if headed.startswith(plain) else claim_words(cell).zh
                for name in (headed, claim_words(cell).zh):
                    key = (cell.symbol, name, cell.period or cell.as_of.isoformat())
                    found.setdefault(key, set()).add(round(cell.value, 9))
    return [f"{key}: {values}" for key, values in found.items() if len(values) > 1]


def known_in_depth() -> list[str]:
    """Every company of the bundle with daily bars or annual figures."""
    facts = pyarrow.parquet.read_table(DATA / "facts.parquet").to_pylist()
    bars = pyarrow.parquet.read_table(DATA / "bars.parquet", columns=["symbol"]).to_pylist()
    told = {row["symbol"] for row in facts if row["source"] == "annual_reports"}
    return sorted(told | {row["symbol"] for row in bars})


def test_no_page_of_a_company_gives_two_values_one_name() -> None:
    symbols = known_in_depth()
    assert len(symbols) > 20
    for symbol in symbols:
        assert shared_names(desk().stock(symbol, None, None, session())) == []
        if not Symbol(symbol).is_index:
            assert shared_names(desk().financials(symbol, session())) == []


@every_view
def test_no_page_gives_two_values_one_name(name: str) -> None:
    assert shared_names(view(name)) == []


def test_an_estimated_return_on_equity_is_called_one() -> None:
    shown = desk().financials("600036", session())
    headings = {column.key: column.label.zh for column in shown.peers.columns}
    assert headings["roe"] == "净资产收益率(推算)"
    assert headings["revenue"] == "营业收入(TTM，推算)"
    row = next(one for one in csv_rows(shown) if one.get("name") == "招商银行")
    assert row["roe_name"] == "净资产收益率(推算)"
