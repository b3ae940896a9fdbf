"""`backup` and `restore` at the command line, and who may read what is written."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRICES = ("tool", "get_price_history", '{"symbol": "600036.SH", "market": "CN"}')


def _run(store: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "YOUJU_STORE": str(store), "YOUJU_LOG": str(store.parent / "log")}
    return subprocess.run(
        [sys.executable, "-m", "services", *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def _told(done: "subprocess.CompletedProcess[str]") -> dict[str, Any]:
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.thorough
def test_a_store_is_copied_changed_and_put_back(tmp_path: Path) -> None:
    store, copy = tmp_path / "youju.duckdb", tmp_path / "copy.duckdb"
    refused = _run(store, "backup", str(copy))
    assert refused.returncode == 2
    assert "YOUJU_STORE" in refused.stderr
    assert _run(store, *PRICES).returncode == 0
    assert store.stat().st_mode & 0o077 == 0
    made = _told(_run(store, "backup", str(copy)))
    assert made["runs"] == 1
    assert _run(store, "backup", str(copy)).returncode == 2  # never over a file
    assert _run(store, *PRICES).returncode == 0
    back = _told(_run(store, "restore", str(copy)))
    assert (back["runs"], back["store"]) == (1, str(store))
    assert _told(_run(Path(back["replaced"]), "backup", str(tmp_path / "old")))["runs"] == 2
    assert _told(_run(store, "backup", str(tmp_path / "new")))["runs"] == 1


@pytest.mark.thorough
def test_a_second_workbench_on_one_store_does_not_start_and_names_the_first(tmp_path: Path) -> None:
    store = tmp_path / "youju.duckdb"
    holder = (
        "import sys, time; from services.store.database import Database; "
        "held = Database(sys.argv[1]); print('held', flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holder, str(store)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as first:
        try:
            assert first.stdout is not None
            first.stdout.readline()
            second = subprocess.run(
                [sys.executable, "-m", "pages.ui.serve"],
                cwd=ROOT,
                env={**os.environ, "YOUJU_STORE": str(store)},
                capture_output=True,
                text=True,
                check=False,
                timeout=60,
            )
        finally:
            first.kill()
    assert second.returncode == 5
    assert f"PID {first.pid}" in second.stderr
    assert "Traceback" not in second.stderr
