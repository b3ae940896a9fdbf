"""Many sessions of one server: what a page costs it, alone and with twenty who think three seconds.

Told: wall time, which is the machine's as much as ours, and the processor seconds of the
server, which are ours. `make load` tells the same of any number, `make soak` of a long time.
"""

import asyncio
from pathlib import Path
from statistics import median

import pytest

from tests.benchmark.conftest import Lines
from tests.benchmark.load import taken, visit
from tests.benchmark.visitors import Visitor
from tests.browser.serving import running
from tests.prepared import prepared

# A year of bars and what a reader changes of it: each is drawn anew.
COMPANY = "company?symbol=600036.SH"
CHANGED = ("", "&log=1", "&ma=5.20", "&ind=rsi.kdj", "&bars=1", "&interval=w", "&tab=fin")
_TURNS = 4

REACH = "20: first 3 s, again p95 1.5 s, 15 MB"


@pytest.mark.benchmark
def test_sessions(lines: Lines, tmp_path: Path) -> None:
    prepared(tmp_path / "youju.duckdb")
    with running(tmp_path) as (process, address):
        asyncio.run(visit(process.pid, address, 1))  # warms up
        for count in (1, 5, 20):
            told = asyncio.run(visit(process.pid, address, count))
            lines(f"{count} sessions", told, None, REACH)


@pytest.mark.benchmark
def test_a_company_drawn_anew(lines: Lines, tmp_path: Path) -> None:
    async def draw(address: str, pid: int) -> tuple[list[float], float]:
        one = Visitor(address)
        pages = [f"{COMPANY}{more}" for more in CHANGED]
        await one.visit([*pages, *pages], think_s=0.1)  # warms up
        await one.leave()
        before, one = taken(pid).cpu_s, Visitor(address)
        await one.visit(pages * _TURNS, think_s=0.1)
        spent = taken(pid).cpu_s - before
        await one.leave()
        return one.again_s, spent / (len(CHANGED) * _TURNS)

    prepared(tmp_path / "youju.duckdb")
    with running(tmp_path) as (process, address):
        seconds, spent = asyncio.run(draw(address, process.pid))
    told = f"p50 {1000 * median(seconds):.0f} ms, server {1000 * spent:.0f} cpu ms"
    lines("a company drawn anew, a year of bars", told, None, "120 ms")
