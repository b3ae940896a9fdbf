"""Every upstream hangs: a page shows what is kept within seconds, and names what did not come."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from pages.ui.texts import TEXTS
from tests.fakes import everything
from tests.fakes.server import World
from tests.pages.conftest import ROOT, Shown, app_at
from tests.pages.test_live_pages import LATER
from tests.prepared import prepared
from tests.waiting import ENOUGH_S

pytestmark = pytest.mark.thorough
# What one hanging request takes; five seconds are meant, and a busy machine is slower.
HANGS_S, MOST_S = 25, 15


@pytest.fixture
def world() -> Iterator[World]:
    """Every upstream; whoever still asks behind is let go of at the end."""
    with everything.world() as found:
        yield found
    for thread in threading.enumerate():
        if thread.name.startswith("asking "):
            thread.join(ENOUGH_S)


def _show(path: str, **query: str) -> Shown:
    app = app_at(path)
    app.query_params["mode"] = "live"
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return Shown(app)


@pytest.mark.parametrize(
    ("path", "query", "figure"),
    [("company", {"symbol": "600519.SH"}, "pe_ttm"), ("screen", {"category": "CN"}, "market_cap")],
)
def test_a_page_shows_what_is_kept_in_seconds_though_every_source_hangs(
    path: str,
    query: dict[str, str],
    figure: str,
    world: World,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, text in everything.environment(world, API_ATTEMPTS="1").items():
        monkeypatch.setenv(name, text)
    monkeypatch.setenv("API_TIMEOUT", str(HANGS_S))
    monkeypatch.setenv("YOUJU_STORE", prepared(tmp_path / "old.duckdb"))
    monkeypatch.chdir(ROOT)
    st.cache_resource.clear()
    before = _show(path, **query).figures(figure)
    assert before
    st.cache_resource.clear()
    monkeypatch.setenv("YOUJU_CLOCK", LATER)
    for service in world.services.values():
        service.fault = "timeout"
    began = time.monotonic()
    shown = _show(path, **query)
    assert time.monotonic() - began < MOST_S
    assert [one.get("value") for one in shown.figures(figure)] == [
        one.get("value") for one in before
    ]
    # Each that is old says so, and of whom it is.
    assert TEXTS["stand_stale"].zh in shown.text
    old = shown.tree.xpath("//section[@class='yj-stand']//li")
    assert old
    assert all("3 天前" in one.text_content() for one in old)
    st.cache_resource.clear()
