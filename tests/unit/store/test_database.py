"""Opening, transactions, failures, freezing: on real files."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from sqlalchemy import func, select

from services.core.errors import ConfigError, StoreError
from services.store.database import Database
from services.store.runs import Runs
from services.store.tables import RUNS
from tests.unit.store.samples import run_of


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(str(tmp_path / "deep" / "er" / "youju.duckdb"))


def test_a_transaction_that_fails_leaves_nothing(database: Database) -> None:
    with database.transaction() as cursor:
        cursor.execute("create table t (n integer)")
    with pytest.raises(duckdb.ConversionException), database.transaction() as cursor:
        cursor.execute("insert into t values (1)").execute("insert into t values ('一')")
    with database.cursor() as cursor:
        assert cursor.execute("select count(*) from t").fetchone() == (0,)
    with database.transaction() as cursor:
        cursor.execute("insert into t values (2)")


def test_a_mistake_in_our_sql_stays_a_fault_of_ours(database: Database) -> None:
    with pytest.raises(duckdb.BinderException), database.cursor() as cursor:
        cursor.execute("select no_such_column from runs")


def test_a_reader_sees_one_state_while_others_write(database: Database) -> None:
    runs = Runs(database)
    count = select(func.count()).select_from(RUNS)
    first, second = run_of(1), run_of(2)
    runs.save(first.run, first.calls, first.claims)
    with database.open_reading() as connection:
        assert connection.execute(count).scalar() == 1
        runs.save(second.run, second.calls, second.claims)
        assert connection.execute(count).scalar() == 1
    with database.open_reading() as connection:
        assert connection.execute(count).scalar() == 2


def test_a_store_in_memory_works_and_two_of_them_are_apart() -> None:
    one, other, made = Database(":memory:"), Database(":memory:"), run_of(1)
    Runs(one).save(made.run, made.calls, made.claims)
    assert Runs(one).load(made.run.run_id) == made
    assert Runs(other).runs("s_test") == []


def test_a_closed_store_says_so(database: Database) -> None:
    database.close()
    with pytest.raises(StoreError, match="closed"), database.cursor():
        pass
    with pytest.raises(StoreError, match="closed"):
        Runs(database).runs("s_test")


def test_a_damaged_log_is_named_with_what_to_do_and_doing_it_helps(tmp_path: Path) -> None:
    path = tmp_path / "youju.duckdb"
    made = run_of(1)
    database = Database(str(path))
    Runs(database).save(made.run, made.calls, made.claims)
    with database.cursor() as cursor:
        cursor.execute("checkpoint")
    with database.transaction() as cursor:
        cursor.execute("create table t as select range as n from range(20000)")
        cursor.execute("insert into t select random() from range(20000)")
    # A copy of the files as they lie there is what a crash leaves.
    hurt = tmp_path / "hurt.duckdb"
    hurt.write_bytes(path.read_bytes())
    log = bytearray(Path(f"{path}.wal").read_bytes())
    log[len(log) // 2] ^= 0xFF
    wal = Path(f"{hurt}.wal")
    wal.write_bytes(log)
    database.close()
    with pytest.raises(StoreError, match=r"Move .*hurt\.duckdb\.wal aside"):
        Database(str(hurt))
    wal.rename(tmp_path / "aside")
    assert Runs(Database(str(hurt))).load(made.run.run_id) == made


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.duckdb"
    path.write_text("亲爱的" * 3000)
    with pytest.raises(StoreError, match=r"letter\.duckdb cannot be opened"):
        Database(str(path))


@pytest.mark.parametrize("name", ["market", "copy"])
def test_a_file_named_as_a_schema_of_its_own_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(StoreError, match="another name"):
        Database(str(tmp_path / f"{name}.duckdb"))


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="YOUJU_STORE"):
        Database(str(tmp_path / "file" / "youju.duckdb"))


@pytest.mark.parametrize("url", ["nosuch://me:secret@host/x", "sqlite:///x.db", "://", "a://b://"])
def test_a_url_that_cannot_be_used_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ConfigError, match="YOUJU_STORE") as caught:
        Database(":memory:", records_url=url)
    assert "secret" not in str(caught.value)


def test_a_duckdb_url_is_a_path(tmp_path: Path) -> None:
    Database(f"duckdb:///{tmp_path}/by_url.duckdb").close()
    assert (tmp_path / "by_url.duckdb").exists()


def test_a_frozen_copy_made_while_others_write_is_whole(database: Database, tmp_path: Path) -> None:
    runs = Runs(database)

    def save(number: int) -> None:
        made = run_of(number)
        runs.save(made.run, made.calls, made.claims)

    save(0)
    target = tmp_path / "it's frozen.duckdb"
    with ThreadPoolExecutor(4) as pool:
        saving = [pool.submit(save, number) for number in range(1, 40)]
        database.freeze(target)
        for one in saving:
            one.result()
    save(99)
    with pytest.raises(StoreError, match="exists"):
        database.freeze(target)
    copy = Runs(Database(str(target)))
    stored = copy.runs("s_test")
    assert run_of(0).run in stored
    assert run_of(99).run not in stored
    for run in stored:
        assert copy.load(run.run_id) == run_of(int(run.run_id.removeprefix("run_"), 16))
    more = run_of(100)
    copy.save(more.run, more.calls, more.claims)
    assert copy.runs("s_test", limit=1) == [more.run]
