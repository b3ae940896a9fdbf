"""One table of all that was measured in this run: printed, and written to build/bench.md."""

from collections.abc import Callable, Iterator

import pytest

from tests.benchmark.machine import ROOT, about

Lines = Callable[..., None]
_FILE = ROOT / "build" / "bench.md"


@pytest.fixture(scope="session")
def lines() -> Iterator[Lines]:
    """Add a line as `lines(what, now, ratio, reach)`; a ratio is against the floor (machine.py)."""
    told = [about(), "", "| what | now | × floor | reach |", "|---|---|---|---|"]

    def add(what: str, now: str, ratio: float | None, reach: str) -> None:
        shown = "" if ratio is None else f"{ratio:.1f}"
        told.append(f"| {what} | {now} | {shown} | {reach} |")

    yield add
    _FILE.parent.mkdir(exist_ok=True)
    _FILE.write_text("\n".join(told) + "\n", encoding="utf-8")
    print("\n\n" + "\n".join(told))
