"""Watchlists: what a list holds, its order, its limits; a list of before is there again."""

from datetime import date
from pathlib import Path

import pytest

from services.core.errors import InputError
from services.store.database import Database
from services.store.watchlists import LONGEST_NAME, LONGEST_NOTE, MOST, Watched, Watchlists

JUNE, JULY = date(2017, 6, 1), date(2017, 7, 14)
NAME = "![p](https://evil.example/p.png) <b>银行</b>"


@pytest.fixture
def lists(tmp_path: Path) -> Watchlists:
    return Watchlists(Database(str(tmp_path / "youju.duckdb")))


def symbols(lists: Watchlists, name: str) -> list[str]:
    return [one.symbol for one in lists.of(name)]


def test_a_company_is_added_once_and_keeps_its_day_and_its_note(lists: Watchlists) -> None:
    lists.add(" 银行 ", "600036.SH", JUNE, " 看息差 ")
    lists.add("银行", "600036.SH", JULY, "别的")
    lists.add("银行", "000001.SZ", JULY)
    assert lists.of("银行") == (
        Watched(symbol="600036.SH", added_on=JUNE, seen_on=JUNE, note="看息差"),
        Watched(symbol="000001.SZ", added_on=JULY, seen_on=JULY, note=""),
    )


def test_lists_are_apart_and_a_company_may_be_in_several(lists: Watchlists) -> None:
    lists.add("甲", "600036.SH", JUNE)
    lists.add(NAME, "600036.SH", JULY)
    lists.begin("空")
    assert lists.names() == ("甲", NAME, "空")
    assert lists.holding("600036.SH") == ("甲", NAME)
    lists.remove("甲", "600036.SH")
    assert symbols(lists, "甲") == []
    assert symbols(lists, NAME) == ["600036.SH"]
    lists.end(NAME)
    assert lists.names() == ("甲", "空")
    assert lists.holding("600036.SH") == ()


def test_a_list_that_ended_comes_back_empty(lists: Watchlists) -> None:
    lists.add("甲", "600036.SH", JUNE)
    lists.end("甲")
    lists.begin("甲")
    assert lists.of("甲") == ()


def test_a_note_is_replaced_and_seeing_goes_forward_only(lists: Watchlists) -> None:
    lists.add("甲", "600036.SH", JUNE)
    lists.write_note("甲", "600036.SH", NAME)
    lists.see("600036.SH", JULY)
    lists.see("600036.SH", JUNE)
    lists.see("000001.SZ", JULY)
    (only,) = lists.of("甲")
    assert (only.note, only.seen_on, only.added_on) == (NAME, JULY, JUNE)


def test_what_cannot_be_kept_is_refused_with_what_can(lists: Watchlists) -> None:
    for name in ("", "  ", "长" * (LONGEST_NAME + 1)):
        with pytest.raises(InputError):
            lists.add(name, "600036.SH", JUNE)
    with pytest.raises(InputError):
        lists.add("甲", "600036.SH", JUNE, "长" * (LONGEST_NOTE + 1))
    lists.begin("甲")
    with pytest.raises(InputError) as refused:
        lists.of("乙")
    assert refused.value.choices == ("甲",)


def test_a_full_list_takes_no_more_but_what_it_has(lists: Watchlists) -> None:
    for place in range(MOST):
        lists.add("甲", f"{600000 + place}.SH", JUNE)
    lists.add("甲", "600000.SH", JULY)
    with pytest.raises(InputError):
        lists.add("甲", "000001.SZ", JULY)
    assert len(lists.of("甲")) == MOST


def test_lists_outlive_the_process_that_made_them(tmp_path: Path) -> None:
    path = str(tmp_path / "kept.duckdb")
    database = Database(path)
    Watchlists(database).add("甲", "600036.SH", JUNE, "记")
    database.close()
    assert symbols(Watchlists(Database(path)), "甲") == ["600036.SH"]
