"""Saved screens and sessions."""

from datetime import timedelta
from pathlib import Path

import pytest

from services.core.errors import InputError
from services.store.database import Database
from services.store.screens import Screens
from services.store.sessions import Sessions


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(str(tmp_path / "youju.duckdb"))


def test_a_screen_is_saved_trimmed_and_saving_again_replaces_it(database: Database) -> None:
    screens = Screens(database)
    first = screens.save("  低估值 ", {"category": "CN", "pettm": "0_20"})
    second = screens.save("低估值", {"category": "HK", "size": 50, "note": "港股"})
    assert first.name == "低估值"
    assert screens.list() == (second,)
    assert screens.load(" 低估值").arguments == {"category": "HK", "size": 50, "note": "港股"}
    assert second.saved_at >= first.saved_at
    assert second.saved_at.utcoffset() == timedelta(0)


def test_screens_outlive_the_process_that_saved_them(tmp_path: Path) -> None:
    path = str(tmp_path / "kept.duckdb")
    database = Database(path)
    Screens(database).save("甲", {})
    database.close()
    assert [screen.name for screen in Screens(Database(path)).list()] == ["甲"]


def test_a_deleted_screen_is_gone_and_its_name_free(database: Database) -> None:
    screens = Screens(database)
    screens.save("甲", {"a": 1})
    screens.save("乙", {"b": 2})
    screens.delete("甲")
    screens.delete("没有的")
    assert [screen.name for screen in screens.list()] == ["乙"]
    assert screens.save("甲", {"c": 3}).arguments == {"c": 3}


def test_an_unknown_screen_lists_those_there_are(database: Database) -> None:
    screens = Screens(database)
    screens.save("高股息", {})
    with pytest.raises(InputError) as caught:
        screens.load("高股利")
    assert caught.value.choices == ("高股息",)


@pytest.mark.parametrize("name", ["", "   ", "长" * 61])
def test_a_name_must_be_there_and_short(database: Database, name: str) -> None:
    with pytest.raises(InputError, match="60"):
        Screens(database).save(name, {})


@pytest.mark.parametrize("name", ["'; drop table screens; --", '"引号"', "=cmd|x", "换\n行", "𠮷"])
def test_any_text_is_a_name(database: Database, name: str) -> None:
    Screens(database).save(name, {"q": name})
    assert Screens(database).load(name).arguments == {"q": name}


def test_sessions_are_started_once_and_listed_last_seen_first(database: Database) -> None:
    sessions = Sessions(database)
    first, second = sessions.start(), sessions.start()
    assert first != second
    assert sessions.start(first) == first
    begun = sessions.load(sessions.start("s_linked"))
    assert sessions.load(sessions.start("s_linked")).started_at == begun.started_at
    assert [s.session_id for s in sessions.list()] == ["s_linked", first, second]
    assert len(sessions.list(limit=1)) == 1
    assert sessions.load("s_linked").seen_at >= begun.seen_at


def test_loading_an_unknown_session_is_refused_and_makes_none(database: Database) -> None:
    sessions = Sessions(database)
    with pytest.raises(InputError, match="session_id"):
        sessions.load("s_none")
    assert sessions.list() == ()
