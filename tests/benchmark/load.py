"""Many sessions of one server: `python -m tests.benchmark.load [--sessions 1,20] [--soak MINUTES]`.

Each thinks three seconds between two pages. Told: how long a first page and a page again take from
the wish to the end of its script, and of the server its processor seconds, memory and handles. With
`--apart` no session looks at a company or a screen that another one does. With `--soak` the
sessions come and go for so long, questions among their pages, and what the server holds at the end
is held against what it held after three eighths of the time; 1 is the exit code where that grew.
"""

import argparse
import asyncio
import os
import re
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from services.container import build_services
from services.settings import Settings
from services.workbench.desk import Desk
from tests.benchmark.machine import about
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
# Of a soak: what is written as well, and pages of other companies.
_SOAKED = (
    *PAGES,
    "ask?q=招商银行2016年净利润",
    "company?symbol=000002.SZ",
    "ask?q=贵州茅台的市盈率",
)
THINK_S = 3.0
_TICKS = os.sysconf("SC_CLK_TCK")
# The first 15 of 40 minutes fill what is kept in memory.
_SETTLED = 15 / 40
_MOST_GROWTH, _MOST_HANDLES = 1.05, 8
_LOOK_S = 20.0


class Taken(NamedTuple):
    """Of one process until now: processor seconds, and what it holds."""

    cpu_s: float
    memory_mb: float
    handles: int
    threads: int


def taken(pid: int) -> Taken:
    """As the kernel counts it; Linux."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    pages = int(Path(f"/proc/{pid}/statm").read_text("utf-8").split()[1])
    return Taken(
        (int(fields[11]) + int(fields[12])) / _TICKS,
        pages * os.sysconf("SC_PAGE_SIZE") / 2**20,
        len(os.listdir(f"/proc/{pid}/fd")),
        int(fields[17]),
    )


def _turned(pages: Sequence[str], at: int) -> list[str]:
    """The same pages, beginning with another one."""
    first = at % len(pages)
    return [*pages[first:], *pages[:first]]


def listed(count: int) -> list[str]:
    """So many companies, the largest first."""
    given = {"category": "CN", "order_by": "market_cap", "size": "100"}
    services = build_services(Settings(store=":memory:"))
    desk, found = Desk(services), list[str]()
    for page in range(1, 2 + count // 100):
        rows = desk.screen(given, "s_load", page).table.rows
        found += [row.symbol for row in rows if row.symbol]
    services.close()
    return found[:count]


def pages_of(companies: Sequence[str], at: int) -> list[str]:
    """The same kinds of pages, of companies and a screen that are the session's own."""
    mine = iter(companies[3 * at : 3 * at + 3])
    asked = re.sub(r"(?<=symbol=)[^&\n]+", lambda _: next(mine), "\n".join(PAGES))
    return asked.replace("pettm=0_20", f"pettm=0_{20 + len(companies) + at}").split("\n")


async def visit(pid: int, address: str, count: int, companies: Sequence[str] = ()) -> str:
    """So many come in the same moment, see each page once, and go; what is told of it.

    Of `companies` each has three of its own.
    """
    before = taken(pid)
    visitors = [Visitor(address) for _ in range(count)]
    await asyncio.gather(
        *(
            one.visit(_turned(pages_of(companies, at) if companies else PAGES, at), think_s=THINK_S)
            for at, one in enumerate(visitors)
        )
    )
    after = taken(pid)
    first = [one.first_s for one in visitors]
    again = sorted(seconds for one in visitors for seconds in one.again_s)
    drawn = count * len(PAGES)
    for one in visitors:
        await one.leave()
    return (
        f"first page p50 {statistics.median(first):.2f}, p95 {_p95(first):.2f} s; again p50 "
        f"{statistics.median(again):.2f}, p95 {_p95(again):.2f} s; server "
        f"{1000 * (after.cpu_s - before.cpu_s) / drawn:.0f} cpu ms a page, "
        f"{(after.memory_mb - before.memory_mb) / count:.1f} MB a session more, "
        f"{after.handles} handles, {after.threads} threads"
    )


async def soak(pid: int, address: str, count: int, minutes: float) -> bool:
    """Sessions that come and go for so long; whether the server held no more at the end."""
    until = time.monotonic() + 60 * minutes
    seconds: list[float] = []

    async def stay(at: int) -> None:
        while time.monotonic() < until:
            one = Visitor(address)
            await one.visit(_turned(_SOAKED, at), think_s=THINK_S)
            await one.leave()
            seconds.extend((one.first_s, *one.again_s))

    staying = [asyncio.create_task(stay(at)) for at in range(count)]
    looks: list[Taken] = []
    while time.monotonic() < until:
        await asyncio.sleep(_LOOK_S)
        for one in staying:
            if one.done():
                one.result()  # what it failed of
        looks.append(taken(pid))
        now, lately = looks[-1], seconds[-200:]
        told = f"p50 {statistics.median(lately):.2f}, p95 {_p95(lately):.2f} s" if lately else ""
        print(
            f"{len(looks) * _LOOK_S / 60:5.1f} min: {now.memory_mb:5.0f} MB, "
            f"{now.handles} handles, {now.threads} threads, {len(seconds)} pages {told}",
            flush=True,
        )
    await asyncio.gather(*staying)
    return _is_flat(looks[int(len(looks) * _SETTLED) :])


def _is_flat(looks: Sequence[Taken]) -> bool:
    """Whether the last quarter of these holds no more than their first, as medians."""
    some = max(1, len(looks) // 4)
    first, last = looks[:some], looks[-some:]
    before, after = (statistics.median(one.memory_mb for one in part) for part in (first, last))
    handles = statistics.median(one.handles for one in last) - statistics.median(
        one.handles for one in first
    )
    print(f"settled: memory × {after / before:.3f}, handles {handles:+.0f}")
    return after <= before * _MOST_GROWTH and handles <= _MOST_HANDLES


def _p95(seconds: Sequence[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.95)]


def main() -> int:
    """What the command line asks for; the exit code."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--sessions", default="1,5,10,20", help="how many, one after another")
    asked.add_argument("--apart", action="store_true", help="nobody looks at what another does")
    asked.add_argument("--soak", type=float, metavar="MINUTES", help="come and go for so long")
    given = asked.parse_args()
    counts = [int(one) for one in given.sessions.split(",")]
    print(about(), flush=True)
    with TemporaryDirectory(prefix="youju-load-") as made:
        folder = Path(made)
        prepared(folder / "youju.duckdb")
        with running(folder) as (process, address):
            asyncio.run(visit(process.pid, address, 1))  # warms up
            if given.soak:
                flat = asyncio.run(soak(process.pid, address, counts[-1], given.soak))
                return 0 if flat else 1
            for count in counts:
                # What the counts before have seen is not seen again.
                passed = 3 * sum(counts[: counts.index(count)])
                own = listed(passed + 3 * count)[passed:] if given.apart else []
                told = asyncio.run(visit(process.pid, address, count, own))
                print(f"{count} sessions: {told}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
