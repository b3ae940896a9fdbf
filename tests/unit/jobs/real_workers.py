"""The real worker, `python -m services worker`, in a process of its own on the bundled market."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from services.settings import ROOT
from tests.prepared import prepared


def given(url: str, folder: Path, name: str, **more: str) -> dict[str, str]:
    """The settings of the replica or worker of that name, with a market file of its own."""
    return {
        "YOUJU_STORE": url,
        "YOUJU_MARKET": prepared(folder / f"{name}.duckdb"),
        "YOUJU_PUBLISHED": str(folder / "shared"),
        "YOUJU_MODE": "snapshot",
        "YOUJU_LOG": "off",
        **more,
    }


@contextmanager
def working(settings: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """One that is ready; killed at the end."""
    kept = {name: text for name, text in os.environ.items() if not name.startswith("YOUJU_")}
    with subprocess.Popen(
        [sys.executable, "-m", "services", "worker", "--silent", "5"],
        cwd=ROOT,
        env={**kept, **settings},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            assert "worker ready" in process.stderr.readline()
            yield process
        finally:
            process.kill()
