"""Many sessions of one server: what a page costs it, alone and with twenty who think three seconds.

Told: wall time, which is the machine's as much as ours, and the processor seconds of the
server, which are ours. `make load` tells the same of any number, `make soak` of a long time.
"""

import asyncio
from pathlib import Path

import pytest

from tests.benchmark.conftest import Lines
from tests.benchmark.load import visit
from tests.browser.serving import running
from tests.prepared import prepared

REACH = "20: first 3 s, again p95 1.5 s, 15 MB"


@pytest.mark.benchmark
def test_sessions(lines: Lines, tmp_path: Path) -> None:
    prepared(tmp_path / "youju.duckdb")
    with running(tmp_path) as (process, address):
        asyncio.run(visit(process.pid, address, 1))  # warms up
        for count in (1, 5, 20):
            told = asyncio.run(visit(process.pid, address, count))
            lines(f"{count} sessions", told, None, REACH)
