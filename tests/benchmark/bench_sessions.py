"""Many sessions of one server: what a page costs it, alone and with twenty who think three seconds.

Told: wall time, which is the machine's as much as ours, and the processor seconds of the
server, which are ours. `python -m pytest -q -s -m benchmark tests/benchmark/bench_sessions.py`.
"""

import asyncio
import os
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.benchmark.conftest import Lines
from tests.benchmark.visitors import Visitor
from tests.browser.serving import running
from tests.prepared import prepared

PAGES = (
    "",
    "company?symbol=600036.SH",
    "screen?pettm=0_20",
    "company?symbol=002594.SZ&tab=fin",
    "",
    "company?symbol=00700.HK&tab=valuation",
)
_THINK_S = 3.0
REACH = "20: first 3 s, again p95 1.5 s, 15 MB"
_TICKS = os.sysconf("SC_CLK_TCK")


class _Taken(NamedTuple):
    """Of one process until now."""

    cpu_s: float
    memory_mb: float


def _taken(pid: int) -> _Taken:
    """As the kernel counts it; Linux."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1])
    return _Taken(
        (int(fields[11]) + int(fields[12])) / _TICKS, pages * os.sysconf("SC_PAGE_SIZE") / 2**20
    )


async def _all_at_once(address: str, count: int) -> Sequence[Visitor]:
    """So many come in the same moment, each beginning with another page."""
    visitors = [Visitor(address) for _ in range(count)]
    turned = [[*PAGES[at % len(PAGES) :], *PAGES[: at % len(PAGES)]] for at in range(count)]
    await asyncio.gather(
        *(one.visit(pages, think_s=_THINK_S) for one, pages in zip(visitors, turned, strict=True))
    )
    return visitors


@pytest.mark.benchmark
def test_sessions(lines: Lines, tmp_path: Path) -> None:
    prepared(tmp_path / "youju.duckdb")
    with running(tmp_path) as (process, address):
        asyncio.run(_visit(process.pid, address, 1))  # warms up
        for count in (1, 5, 20):
            lines(
                f"{count} sessions", asyncio.run(_visit(process.pid, address, count)), None, REACH
            )


async def _visit(pid: int, address: str, count: int) -> str:
    """Let them come, and let them go; what is told of it."""
    before = _taken(pid)
    visitors = await _all_at_once(address, count)
    after = _taken(pid)
    first = [one.first_s for one in visitors]
    again = sorted(taken for one in visitors for taken in one.again_s)
    drawn = count * len(PAGES)
    more = (after.memory_mb - before.memory_mb) / count
    for one in visitors:
        await one.leave()
    return (
        f"first page p50 {statistics.median(first):.2f} s, again p50 "
        f"{statistics.median(again):.2f}, p95 {again[int(len(again) * 0.95)]:.2f} s; "
        f"server {1000 * (after.cpu_s - before.cpu_s) / drawn:.0f} cpu ms a page, "
        f"{more:.1f} MB a session more"
    )
