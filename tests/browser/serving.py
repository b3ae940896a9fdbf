"""The app in a process of its own on a free port, until it answers; ended with the block."""

import os
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

ROOT = Path(__file__).resolve().parents[2]
WORKBENCH = ("-m", "pages.ui.serve")


@contextmanager
def serving(folder: Path, *, words: Sequence[str] = WORKBENCH, **more: str) -> Generator[str]:
    """The address (no slash at its end) of `python words…`, its store and its log in `folder`.

    No setting of this machine is seen by it; `more` are settings of one's own.
    """
    with running(folder, words=words, **more) as (_, address):
        yield address


@contextmanager
def running(
    folder: Path, *, words: Sequence[str] = WORKBENCH, **more: str
) -> Generator[tuple["subprocess.Popen[bytes]", str]]:
    """The same with its process, for a test that kills it; `STREAMLIT_SERVER_PORT` among
    `more` is that of one killed before.
    """
    kept = {name: text for name, text in os.environ.items() if not name.startswith("YOUJU_")}
    environment = {
        **kept,
        "YOUJU_STORE": str(folder / "youju.duckdb"),
        "YOUJU_MODE": "snapshot",  # the first page does not ask which market to show
        **more,
        "STREAMLIT_SERVER_ADDRESS": "127.0.0.1",
    }
    with (folder / "server.log").open("wb") as log:
        process, address = _started(words, environment, log)
        try:
            yield process, address
        finally:
            process.terminate()
            process.wait(20)


def _started(
    words: Sequence[str], environment: Mapping[str, str], log: BinaryIO
) -> tuple["subprocess.Popen[bytes]", str]:
    """The server and its address, once it answers.

    Between finding a free port and taking it somebody else may: then another one is found.
    """
    for _ in range(5):
        port = int(environment.get("STREAMLIT_SERVER_PORT", free_port()))
        process = subprocess.Popen(
            [sys.executable, *words],
            cwd=ROOT,
            env={**environment, "STREAMLIT_SERVER_PORT": str(port)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        address = f"http://127.0.0.1:{port}"
        if _answers(address, process):
            return process, address
        assert f"{port} is not available" in Path(log.name).read_text("utf-8"), (
            "the server ended by itself"
        )
    raise AssertionError("no port was free for long enough")


def free_port() -> int:
    """A port nobody listens at now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _answers(address: str, process: "subprocess.Popen[bytes]") -> bool:
    """Whether it became healthy; False when it ended by itself."""
    for _ in range(1800):  # a machine that is busy elsewhere takes a minute
        if process.poll() is not None:
            return False
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2) as answer:  # noqa: S310 — loopback
                if answer.read() == b"ok":
                    return True
        except OSError:
            pass
        try:
            process.wait(0.1)
        except subprocess.TimeoutExpired:
            continue
    process.terminate()
    process.wait(20)
    raise AssertionError("the server did not become healthy")
