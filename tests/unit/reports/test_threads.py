"""Sixteen visitors at once on one store file: no error, no wrong figure, no mixing."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import NamedTuple

import pytest

from services.container import build_services
from services.settings import Settings
from services.views.view import View
from services.workbench.desk import Desk
from tests.unit.reports import bundled

pytestmark = pytest.mark.thorough

THREADS = 16
STOCKS = ("600519.SH", "000002.SZ", "002594.SZ", "00700.HK", "AAPL", "601398.SH", "HSI")
COMPANIES = ("600519.SH", "002594.SZ", "000002.SZ")


class Seen(NamedTuple):
    """A claim without the ids, which differ from run to run."""

    symbol: str
    metric: str
    value: float
    unit: str
    as_of: str
    period: str
    kind: str


def seen(view: View) -> list[Seen]:
    return sorted(
        Seen(c.symbol, c.metric, c.value, c.unit, str(c.as_of), str(c.period), c.cite.kind)
        for c in view.claims.values()
    )


def visit(desk: Desk, visitor: int, session_id: str) -> list[list[Seen]]:
    """Three pages of their own, then the trace of what they opened."""
    arguments = {"category": "CN", "pettm": f"0_{10 + visitor % 4}", "order_by": "market_cap"}
    stock, company = STOCKS[visitor % len(STOCKS)], COMPANIES[visitor % len(COMPANIES)]
    views: list[View] = [
        desk.screen(arguments, session_id),
        desk.stock(stock, None, None, session_id),
        desk.financials(company, session_id),
    ]
    if visitor == 0:
        views.append(desk.overview(session_id))
    trace = desk.traces(session_id)
    assert trace.run_id == views[-1].run_ids[0]
    assert len(trace.runs.rows) == len(views)
    assert trace.verdict is not None
    assert trace.verdict.ok
    assert seen(trace) == seen(views[-1])
    return [seen(view) for view in views]


def test_sixteen_visitors_at_once_see_what_each_would_see_alone(tmp_path: Path) -> None:
    youju = build_services(Settings(store=str(tmp_path / "visitors.duckdb")))
    start = Barrier(THREADS)

    def arrive(visitor: int) -> list[list[Seen]]:
        start.wait()
        return visit(Desk(youju), visitor, f"s_{visitor}")

    with ThreadPoolExecutor(THREADS) as pool:
        together = list(pool.map(arrive, range(THREADS)))
    youju.close()
    alone = Desk(bundled.services())
    for visitor, shown in enumerate(together):
        assert shown == visit(alone, visitor, bundled.session()), visitor
