"""Of which machine and commit a table of measurements is, and the floor its ratios are against."""

import os
import platform
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


def about() -> str:
    """The machine, how busy others keep it, and the commit."""
    told = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    busy = os.getloadavg()[0]
    return (
        f"{platform.machine()}, {os.cpu_count()} processors, load {busy:.1f}, "
        f"floor {floor_s() * 1000:.0f} ms, commit {told.stdout.strip() or 'unknown'}"
    )


def floor_s() -> float:
    """Processor seconds of a fixed piece of plain Python, here and now: the quickest of five."""
    taken: list[float] = []
    for _ in range(5):
        began = time.process_time()
        sum({number: number * number for number in range(200_000)}.values())
        taken.append(time.process_time() - began)
    return min(taken)
