"""A full disk, a log cut short, a store of an older version: what is kept, and what is told."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import duckdb
import pytest

from services.core.clock import BEIJING
from services.core.errors import StoreError
from services.store.backup import back_up, restore
from services.store.database import Database
from services.store.runs import Runs
from services.store.store_file import PRIVATE
from tests.unit.store.samples import run_of

MANY = 40_000
NOW = datetime(2026, 11, 22, 8, 9, 10, tzinfo=BEIJING)


@contextmanager
def _full_disk(size: int) -> Iterator[None]:
    """No file of this process may grow beyond `size`: what a full disk is to the engine."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _grow(database: Database, name: str) -> None:
    with database.transaction() as cursor:
        cursor.execute(f"create table {name} as select hash(range) as n from range({MANY})")


def _count(database: Database, name: str) -> int:
    with database.cursor() as cursor:
        found = cursor.execute(f"select count(*) from {name}").fetchone()
    assert found is not None
    return int(found[0])


@pytest.mark.parametrize("at", ["commit", "checkpoint"])
def test_a_full_disk_is_told_and_the_store_goes_on_without_a_restart(
    tmp_path: Path, at: str
) -> None:
    path = tmp_path / "youju.duckdb"
    database, made = Database(str(path)), run_of(1)
    Runs(database).save(made.run, made.calls, made.claims)
    _grow(database, "first")
    log = Path(f"{path}.wal").stat().st_size
    with _full_disk(log + 4096 if at == "commit" else 64 * 1024):
        with pytest.raises(StoreError, match="the disk is full") as caught:
            if at == "commit":
                _grow(database, "second")
            else:
                with database.cursor() as cursor:
                    cursor.execute("checkpoint")
        assert "磁盘已满" in caught.value.args[0].zh
    assert Runs(database).load(made.run.run_id) == made
    assert _count(database, "first") == MANY
    _grow(database, "third")
    database.close()
    again = Database(str(path))
    assert (_count(again, "first"), _count(again, "third"), again.lost) == (MANY, MANY, 0)


def test_a_log_cut_short_is_told_by_the_writes_it_lost(tmp_path: Path) -> None:
    path, hurt = tmp_path / "youju.duckdb", tmp_path / "hurt.duckdb"
    database = Database(str(path))
    with database.cursor() as cursor:
        cursor.execute("checkpoint")
    for number in range(4):
        made = run_of(number)
        Runs(database).save(made.run, made.calls, made.claims)
    for end in ("", ".wal", ".commits"):
        Path(f"{hurt}{end}").write_bytes(Path(f"{path}{end}").read_bytes())
    database.close()
    log = Path(f"{hurt}.wal")
    log.write_bytes(log.read_bytes()[:-10])
    opened = Database(str(hurt))
    kept = Runs(opened).runs("s_test")
    assert opened.lost == 4 - len(kept) == 1
    opened.close()
    assert Database(str(hurt)).lost == 0  # told once


def test_before_a_store_is_changed_a_copy_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "youju.duckdb"
    database, made = Database(str(path)), run_of(1)
    Runs(database).save(made.run, made.calls, made.claims)
    with database.transaction() as cursor:
        cursor.execute("drop table hidden_jobs")
        cursor.execute("delete from migrations where name = 'm005_hidden_jobs'")
    database.close()
    assert not list(tmp_path.glob("*.before-*"))
    Database(str(path)).close()
    (copy,) = tmp_path.glob("*.before-*")
    assert copy.name == "youju.duckdb.before-m005_hidden_jobs"
    with duckdb.connect(str(copy)) as there:
        names = {row[0] for row in there.execute("select name from migrations").fetchall()}
    assert "m004_jobs" in names
    assert "m005_hidden_jobs" not in names
    assert Runs(Database(str(path))).load(made.run.run_id) == made


def test_a_backup_is_opened_elsewhere_and_put_back(tmp_path: Path) -> None:
    path, copy = tmp_path / "youju.duckdb", tmp_path / "copy.duckdb"
    database, first, later = Database(str(path)), run_of(1), run_of(2)
    Runs(database).save(first.run, first.calls, first.claims)
    told = back_up(database, copy)
    assert (told.runs, told.size) == (1, copy.stat().st_size)
    assert copy.stat().st_mode & 0o777 == PRIVATE
    Runs(database).save(later.run, later.calls, later.claims)
    with pytest.raises(StoreError, match="exists"):
        back_up(database, copy)
    database.close()
    put, aside = restore(copy, str(path), now=NOW)
    assert put == told
    assert aside is not None
    assert aside.name == "youju.duckdb.replaced-20261122-080910"
    assert Runs(Database(str(aside))).runs("s_test") == [later.run, first.run]
    back = Database(str(path))
    assert (Runs(back).runs("s_test"), back.lost) == ([first.run], 0)


def test_what_is_no_backup_leaves_the_store_as_it_is(tmp_path: Path) -> None:
    path, letter, other = (tmp_path / name for name in ("a.duckdb", "letter", "other.duckdb"))
    database, made = Database(str(path)), run_of(1)
    Runs(database).save(made.run, made.calls, made.claims)
    letter.write_text("亲爱的" * 3000)
    with duckdb.connect(str(other)) as stranger:
        stranger.execute("create table t (n integer)")
    database.close()
    for wrong in (letter, other, path):
        with pytest.raises(StoreError, match=r"no backup|the store itself"):
            restore(wrong, str(path), now=NOW)
    assert Runs(Database(str(path))).load(made.run.run_id) == made
    with pytest.raises(StoreError, match="memory"):
        restore(path, ":memory:", now=NOW)
