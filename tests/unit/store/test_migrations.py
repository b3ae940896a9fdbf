"""From an empty file to the newest layout, once, and never backwards."""

from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from services.core.errors import StoreError
from services.store import migrations
from services.store.database import Database
from services.store.runs import Runs
from services.store.tables import METADATA
from tests.unit.store.samples import run_of


def _names(database: Database) -> list[str]:
    with database.cursor() as cursor:
        rows = cursor.execute("select name from migrations order by name").fetchall()
    return [str(row[0]) for row in rows]


def test_an_empty_file_is_brought_to_the_newest_layout_and_reopening_changes_nothing(
    tmp_path: Path,
) -> None:
    path = str(tmp_path / "youju.duckdb")
    made = run_of(1)
    database = Database(path)
    Runs(database).save(made.run, made.calls, made.claims)
    assert _names(database) == [step.__name__ for step in migrations.ALL]
    assert migrations.upgrade(database.engine) == ()
    database.close()
    again = Database(path)
    assert _names(again) == [step.__name__ for step in migrations.ALL]
    assert Runs(again).load(made.run.run_id) == made


def test_the_tables_the_code_speaks_of_are_those_the_migrations_make() -> None:
    found = inspect(Database(":memory:").engine)
    for table in METADATA.sorted_tables:
        columns = {c["name"]: c["nullable"] for c in found.get_columns(table.name)}
        assert columns == {c.name: c.nullable for c in table.columns}, table.name
        keys = found.get_pk_constraint(table.name)["constrained_columns"]
        assert keys == [c.name for c in table.primary_key], table.name


def test_a_later_migration_is_applied_to_a_store_that_has_rows(tmp_path: Path) -> None:
    def m999_mark(connection: Connection) -> None:
        connection.execute(text("alter table screens add column mark text default '新'"))

    path = str(tmp_path / "youju.duckdb")
    database = Database(path)
    with database.transaction() as cursor:
        cursor.execute("insert into screens (name, arguments) values ('旧', '{}')")
    steps = (*migrations.ALL, m999_mark)
    assert migrations.upgrade(database.engine, migrations=steps) == ("m999_mark",)
    assert migrations.upgrade(database.engine, migrations=steps) == ()
    with database.cursor() as cursor:
        assert cursor.execute("select name, mark from screens").fetchall() == [("旧", "新")]
    database.close()
    with pytest.raises(StoreError, match=r"newer version .*m999_mark"):
        Database(path)


def test_a_migration_that_fails_leaves_the_layout_as_it_was() -> None:
    def m999_half(connection: Connection) -> None:
        connection.execute(text("create table half (n integer)"))
        raise ValueError("broken")

    database = Database(":memory:")
    with pytest.raises(ValueError, match="broken"):
        migrations.upgrade(database.engine, migrations=(*migrations.ALL, m999_half))
    assert not inspect(database.engine).has_table("half")
    assert "m999_half" not in _names(database)
