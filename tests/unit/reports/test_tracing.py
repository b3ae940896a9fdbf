"""溯源 over real runs: what was asked, what answered, raw beside shown, and a fresh verdict."""

import pytest

from services.core.claims import Claim
from services.core.errors import InputError
from services.core.rendering import show
from services.core.text import Text
from services.exports.csv import table_csv
from tests.unit.reports.bundled import desk, session


def test_a_new_session_is_given_the_run_of_the_overview_to_read() -> None:
    shown = desk().traces(session())
    assert [row.cells["kind"] for row in shown.runs.rows] == [Text("总览", "Overview")]
    assert shown.verdict is not None
    assert shown.verdict.ok
    assert shown.claims


def test_the_newest_run_is_chosen_and_verified() -> None:
    mine = session()
    desk().screen({"category": "CN"}, mine)
    stock = desk().stock("600519", None, None, mine)
    shown = desk().traces(mine)
    assert [row.cells["kind"] for row in shown.runs.rows] == [
        Text("个股", "Stock"),
        Text("选股", "Screen"),
    ]
    assert shown.run_id == stock.run_ids[0]
    assert shown.verdict is not None
    assert shown.verdict.ok
    assert len(shown.claims_table.rows) == len(stock.claims)


def test_the_upstreams_own_text_stands_beside_the_figure_shown() -> None:
    mine = session()
    desk().stock("600519", None, None, mine)
    rows = desk().traces(mine).claims_table.rows
    row = next(r for r in rows if r.cells["metric"] == Text("总市值", "Market cap"))
    figure = row.cells["shown"]
    assert isinstance(figure, Claim)
    assert row.cells["raw"] == "mv = 5656.91亿"
    assert show(figure).text == "5,656.91亿元"
    assert row.cells["verdict"] == Text("通过", "holds")


def test_one_call_shows_the_claims_that_rest_on_it() -> None:
    mine = session()
    view = desk().stock("000002.SZ", None, None, mine)
    bars = next(call for call in view.trace.tool_calls if call.table == "daily_bars")
    shown = desk().traces(session(), tool_call_id=bars.tool_call_id)
    assert shown.run_id == view.run_ids[0]
    assert len(shown.calls.rows) == 1
    assert 0 < len(shown.claims_table.rows) < len(view.claims)
    metrics = {row.cells["metric"] for row in shown.claims_table.rows}
    assert Text("总股本", "Total shares") not in metrics


def test_a_call_that_failed_is_shown_with_its_error() -> None:
    mine = session()
    desk().stock("600519", None, None, mine)
    tried = [str(row.cells["attempts"]) for row in desk().traces(mine).calls.rows]
    assert any("NoDataError" in line for line in tried)


def test_a_screen_refused_for_its_arguments_is_no_run() -> None:
    mine = session()
    with pytest.raises(InputError):
        desk().screen({"category": "CN", "pettm": "20"}, mine)
    kinds = [row.cells["kind"] for row in desk().traces(mine).runs.rows]
    assert kinds == [Text("总览", "Overview")]  # refused before anything was asked


def test_unknown_ids_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="run_id"):
        desk().traces(session(), run_id="run_nothing")
    with pytest.raises(InputError, match="tool_call_id"):
        desk().traces(session(), tool_call_id="tc_nothing")
    with pytest.raises(InputError, match="run_id"):
        desk().reverify("run_nothing")


def test_the_claims_table_exports_with_the_arguments_made_safe() -> None:
    mine = session()
    desk().screen({"category": "CN", "pct": "-5_10"}, mine)
    shown = desk().traces(mine)
    text = table_csv(shown.claims_table, shown.claims, shown.trace).decode("utf-8-sig")
    assert len(text.splitlines()) == len(shown.claims_table.rows) + 1


def test_a_run_is_told_by_what_was_asked_who_answered_and_how_long_it_took() -> None:
    mine = session()
    desk().screen({"category": "CN", "pettm": "0_15"}, mine)
    desk().stock("600519", None, None, mine)
    stock, screen = desk().traces(mine).told.rows
    assert stock.cells["asked"] == Text(
        "个股 · 贵州茅台 600519.SH", "Stock · Kweichow Moutai 600519.SH"
    )
    assert str(screen.cells["asked"]).startswith("选股 · 沪深 A 股 · 市盈率(TTM) ≥ 0 且 < 15 · ")
    for row in (stock, screen):
        assert row.cells["who"] == Text("内置快照", "Bundled snapshot")
        assert str(row.cells["took"]).endswith(" s")
        assert not any("run_" in str(row.cells[key]) for key in ("asked", "who", "took", "came"))
