"""The app in a process of its own on a free port, until it answers; ended with the block."""

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORKBENCH = ("-m", "pages.ui.serve")


@contextmanager
def serving(folder: Path, *, words: Sequence[str] = WORKBENCH, **more: str) -> Generator[str]:
    """The address (no slash at its end) of `python words…`, its store and its log in `folder`.

    No setting of this machine is seen by it; `more` are settings of one's own.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {name: text for name, text in os.environ.items() if not name.startswith("YOUJU_")}
    environment = {
        **kept,
        "YOUJU_STORE": str(folder / "youju.duckdb"),
        **more,
        "STREAMLIT_SERVER_PORT": str(port),
        "STREAMLIT_SERVER_ADDRESS": "127.0.0.1",
    }
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, *words],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait(address, process)
            yield address
        finally:
            process.terminate()
            process.wait(20)


def _wait(address: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert process.poll() is None, "the server ended by itself"
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:  # noqa: S310 — loopback
                if answer.read() == b"ok":
                    return
        except OSError:
            pass
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("the server did not become healthy")
