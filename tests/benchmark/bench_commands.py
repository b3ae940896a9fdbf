"""From the command line to its output: processor time and memory of whole commands, against the
floor of the same moment (Python that imports nothing), so that a busy machine weighs on both.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.benchmark.conftest import Lines
from tests.benchmark.machine import ROOT
from tests.prepared import prepared

_RUNS = 5
_VALUATION = '{"symbol": "600519", "metrics": ["pe_ttm"]}'
# A command, and the seconds and megabytes it may take on a quiet machine.
COMMANDS: Mapping[str, tuple[Sequence[str], float, int]] = {
    "--help": (("--help",), 0.3, 60),
    "plan --help": (("plan", "--help"), 0.3, 60),
    "plan": (("plan", "银行股里市盈率最低的5只"), 1.2, 150),
    "screen": (("screen", "--pettm", "0_10"), 1.2, 150),
    "tool": (("tool", "xqStockFinancialData", _VALUATION), 1.2, 150),
}


class _Cost(NamedTuple):
    """User and system seconds, and the peak of memory in megabytes."""

    cpu_s: float
    peak_mb: float


# Measures its child: a process begins with the peak of the one that starts it, and tests are large.
_LAUNCH = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, *sys.argv[1:]], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
print(os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def _cost(words: Sequence[str], store: str) -> _Cost:
    """One run of `python words`, as the kernel counted it."""
    told = subprocess.run(
        [sys.executable, "-c", _LAUNCH, *words],
        cwd=ROOT,
        env={**os.environ, "YOUJU_STORE": store},
        capture_output=True,
        text=True,
        check=True,
    )
    code, cpu_s, peak_mb = told.stdout.split()
    assert code == "0", words
    return _Cost(float(cpu_s), float(peak_mb))


@pytest.mark.benchmark
def test_commands_to_output(lines: Lines, tmp_path: Path) -> None:
    store = prepared(tmp_path / "store.duckdb")
    for name, (words, seconds, megabytes) in COMMANDS.items():
        runs, ratios = list[_Cost](), list[float]()
        for turn in range(_RUNS + 1):
            floor = _cost(("-c", "pass"), store)
            cost = _cost(("-m", "services", *words), store)
            if turn:  # the first compiles and fills the disk's cache
                runs.append(cost)
                ratios.append(cost.cpu_s / floor.cpu_s)
        cpu = statistics.median(one.cpu_s for one in runs)
        peak = max(one.peak_mb for one in runs)
        ratio = statistics.median(ratios)
        reach = f"{seconds} s, {megabytes} MB"
        told = f"{cpu:.2f} cpu s, {peak:.0f} MB"
        lines(f"`{name}` (ratio: × bare Python)", told, ratio, reach)
