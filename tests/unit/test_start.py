"""What a command imports: a package that takes long comes with the first work that needs it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.prepared import prepared

ROOT = Path(__file__).parents[2]
# Packages that take a tenth of a second or ten megabytes each, and the rooms that bring them.
_HEAVY = frozenset(
    {"akshare", "tushare", "longbridge", "pandas", "pyarrow", "numpy", "talib", "pandas_ta_classic"}
    | {"openai", "autogen_agentchat", "autogen_core", "streamlit", "plotly", "tantivy"}
    | {"exchange_calendars", "openpyxl", "bs4", "lxml", "feedparser", "html5lib", "httpx2"}
    | {"services.views", "services.exports", "services.evidence_pack.verify", "services.scoring"}
    | {"services.bundle", "services.jobs.runner", "services.workbench"}
)
_STORE = frozenset(
    {"duckdb", "sqlalchemy", "yaml", "services.container", "services.store.database"}
)
# What carries a plan out, and what writes of it.
_BESIDE_A_PLAN = {
    *("services.agents.orchestrator", "services.query.answering.executor"),
    *("services.statements", "jsonpath_rfc9535"),
}
_VALUATION = '{"symbol": "600519", "metrics": ["pe_ttm"]}'
_RUN = """
import json, sys
from services.cli.commands import main
code = main(sys.argv[1:])
sys.stdout.flush()
print("\\n" + json.dumps([code, sorted(sys.modules)]))
"""


def _imported(store: str, *words: str) -> set[str]:
    """Every module and package that was imported when the command has ended well."""
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *words],
        cwd=ROOT,
        env={**os.environ, "YOUJU_STORE": store, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    code, modules = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stderr
    parents = {
        ".".join(one.split(".")[:n]) for one in modules for n in range(1, one.count(".") + 2)
    }
    return parents | set(modules)


@pytest.mark.parametrize(
    "words",
    [("--help",), *((one, "--help") for one in ("plan", "screen", "tool", "score", "sync"))],
)
def test_help_imports_no_market(words: tuple[str, ...], tmp_path: Path) -> None:
    imported = _imported(str(tmp_path / "none.duckdb"), *words)
    assert sorted(imported & (_HEAVY | _STORE)) == []


@pytest.mark.parametrize(
    ("words", "besides"),
    [
        (("plan", "银行股里市盈率最低的5只"), _BESIDE_A_PLAN),
        (("screen", "--pettm", "0_10"), {"services.query"}),
        (("tool", "xqStockFinancialData", _VALUATION), {"services.query"}),
    ],
)
def test_a_command_imports_what_it_works_with(
    words: tuple[str, ...], besides: set[str], tmp_path: Path
) -> None:
    imported = _imported(prepared(tmp_path / "store.duckdb"), *words)
    assert sorted(imported & (_HEAVY | besides)) == []


def test_the_guard_sees_what_is_imported(tmp_path: Path) -> None:
    imported = _imported(prepared(tmp_path / "store.duckdb"), "screen", "--pettm", "0_10")
    assert {"duckdb", "sqlalchemy", "services.tools.knowledge"} <= imported


@pytest.mark.parametrize(
    ("room", "without"),
    [
        # Begun anew for every file that somebody wants checked.
        (
            "services.evidence_pack.verify_in_child",
            {"openai", "openpyxl", "pypinyin", "sqlalchemy"},
        ),
        ("services.workbench.desk", {"openai", "openpyxl", "pypinyin", "pandas", "akshare"}),
    ],
)
def test_a_room_leaves_large_packages_to_their_first_use(room: str, without: set[str]) -> None:
    told = f"import json, sys, {room}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", told], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert sorted(without & set(json.loads(done.stdout))) == []


def test_what_the_command_line_repeats_is_what_the_rooms_say() -> None:
    from services.cli import freezing, screening
    from services.store import frozen_file
    from services.tools.knowledge import OPEN_RANGES
    from services.workbench import freeze

    assert screening._OPEN_RANGES == OPEN_RANGES
    assert (freezing.SUFFIX, freezing.MOST) == (frozen_file.SUFFIX, freeze.MOST)
