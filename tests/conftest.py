"""Every test: no network but loopback, a store of its own, no setting of the machine it runs on."""

import gc
import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
_connect = socket.socket.connect
_numbers = count(1)
# Millions of objects live as long as the process (names, bars, services shared by tests): looking
# for garbage among them again and again took a third of the whole run.
gc.set_threshold(50_000, 20, 20)
# The same examples on every machine, and none refused for being slow on a busy one.
settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.load_profile("fixed")


def _loopback_only(self: socket.socket, address: Any) -> None:
    """Refuse to leave the machine, so that a test cannot depend on the network unnoticed."""
    if self.family in {socket.AF_INET, socket.AF_INET6}:
        host = str(address[0])
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise AssertionError(f"a test tried to reach {host}: only loopback is allowed")
    _connect(self, address)


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    for name in list(os.environ):
        if name.startswith(("YOUJU_", "TUSHARE_", "XUEQIU_", "LLM_", "DASHSCOPE_", "DEEPSEEK_")):
            monkeypatch.delenv(name)
    # Not `tmp_path`: to make a folder for each of thousands of tests takes half a minute.
    store = tmp_path_factory.getbasetemp() / f"store-{next(_numbers)}" / "youju.duckdb"
    monkeypatch.setenv("YOUJU_STORE", str(store))
    monkeypatch.setenv("YOUJU_LOG", "off")
    # No first page asks which market to show; a test of that question takes this away.
    monkeypatch.setenv("YOUJU_MODE", "snapshot")
    monkeypatch.setattr(socket.socket, "connect", _loopback_only)


@pytest.fixture
def bundled_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A store of this test alone, with the bundled market in it: what YOUJU_STORE names."""
    from tests.prepared import prepared  # the whole program: most tests need none of it

    store = Path(prepared(tmp_path / "youju.duckdb"))
    monkeypatch.setenv("YOUJU_STORE", str(store))
    return store


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """With `--dist loadgroup`: a file stays in one process, and so do files of one group, which
    share what is dear to make (the stored questions, each read once).
    """
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.relative_to(ROOT).as_posix()))


def pytest_sessionfinish() -> None:
    if used := sys.modules.get("tests.prepared"):
        used.clear()


@pytest.fixture(autouse=True, scope="module")
def _garbage_is_looked_for_once() -> Iterator[None]:
    """What a module leaves behind is collected, and what then remains is not looked at again."""
    yield
    gc.collect()
    gc.freeze()
