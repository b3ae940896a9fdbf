"""The copy of whole markets as several processes share it: versions in a folder all of them see,
each written once and never changed, and a pointer to the newest.

A version is the tables of the copy as Parquet. Whoever reads looks through views, so that following
the pointer moves no data, and what is being read stays as it was.
"""

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import duckdb

from services.core.errors import StoreError
from services.core.text import Text
from services.store import copy_sql
from services.store.database import Database
from services.store.market_copy import MarketCopy

_POINTER = "current"
# Those before the newest may still be read by whoever began before it came.
_KEPT = 3
# Bars have an order within a day, which a table has by itself and a file has not.
_PLACED = "bars"


def published_version(folder: Path) -> str | None:
    """The version the pointer names; None where nothing was published yet."""
    try:
        return (folder / _POINTER).read_text("utf-8").strip() or None
    except FileNotFoundError:
        return None


def publish(copy: MarketCopy, folder: Path, base: str | None) -> str:
    """Write what the copy holds as a new version and point to it; its name.

    `base` is the version the copy was made from. Raises: StoreError when another has been published
    since, so that what was older does not become the newest.
    """
    number = 1 + (int(base.split("-")[0]) if base else 0)
    name = f"{number:09d}-{uuid4().hex[:8]}"
    part = folder / f".{name}"
    try:
        part.mkdir(parents=True)
        with copy.open_reading() as cursor:
            for table in _tables(cursor):
                _write(cursor, table, part / f"{table}.parquet")
        part.rename(folder / name)
        _point(folder, name, base)
    except OSError as error:
        raise StoreError(
            Text(
                f"共享行情目录写不进去：{error.strerror}",
                f"the shared folder of market data cannot be written: {error.strerror}",
            )
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
    for old in sorted(one for one in folder.iterdir() if one.is_dir())[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    return name


def adopt(copy: MarketCopy, database: Database, folder: Path, version: str) -> None:
    """Make the copy in `database` what that version is, to go on from there."""
    with copy.open_reading():
        pass  # its tables are made at the first use
    with database.transaction() as cursor:
        for statement in copy_sql.SCHEMA:
            cursor.execute(statement)
        for file in _files(folder / version):
            placed = file.stem == _PLACED
            chosen, order = ("* EXCLUDE (place)", " ORDER BY place") if placed else ("*", "")
            cursor.execute(f"DROP TABLE IF EXISTS copy.{file.stem}")
            cursor.execute(
                f"CREATE TABLE copy.{file.stem} AS "  # noqa: S608 — closed names
                f"SELECT {chosen} FROM read_parquet({_literal(file)}){order}"
            )


class PublishedCopy(MarketCopy):
    """The newest version of a folder, read only. Safe to share between threads."""

    writable = False

    def __init__(self, database: Database, folder: Path, changed: Callable[[], None]) -> None:
        """`database` keeps the views; `changed` is called when the pointer has moved."""
        super().__init__(database)
        self._folder = folder
        self._changed = changed
        self._seen: str | None = ""
        self._following = threading.Lock()

    def _prepare(self) -> None:
        """Look at the newest version, unless that is done already."""
        version = published_version(self._folder)
        if version == self._seen:
            return
        with self._following:
            before = self._seen
            if version == before:
                return
            with self._database.transaction() as cursor:
                self._look_at(cursor, version)
            self._seen = version
        if before != "":
            self._changed()

    def _look_at(self, cursor: duckdb.DuckDBPyConnection, version: str | None) -> None:
        files = _files(self._folder / version) if version else []
        if version and not _fits(cursor, files):
            # Of another release: it is followed again once a worker of this one has published.
            files = []
        for statement in copy_sql.SCHEMA:
            cursor.execute(statement)
        for file in files:
            chosen = "* RENAME (place AS rowid)" if file.stem == _PLACED else "*"
            cursor.execute(f"DROP TABLE IF EXISTS copy.{file.stem}")
            cursor.execute(
                f"CREATE VIEW copy.{file.stem} AS "  # noqa: S608 — closed names
                f"SELECT {chosen} FROM read_parquet({_literal(file)})"
            )


def market_copy_of(
    database: Database, folder: Path | None, changed: Callable[[], None]
) -> MarketCopy:
    """The store's own copy of whole markets, or what is published in that folder; `changed` is
    called whenever a newer version of it is seen.
    """
    if folder is None:
        return MarketCopy(database)
    return PublishedCopy(database, folder, changed)


def _fits(cursor: duckdb.DuckDBPyConnection, files: list[Path]) -> bool:
    """Whether the version has the columns this release reads."""
    layout = next((file for file in files if file.stem == "layout"), None)
    if layout is None:
        return False
    found = cursor.execute(f"SELECT version FROM read_parquet({_literal(layout)})").fetchall()  # noqa: S608 — a literal
    return found == [(copy_sql.LAYOUT,)]


def _tables(cursor: duckdb.DuckDBPyConnection) -> list[str]:
    rows = cursor.execute(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'copy' ORDER BY 1"
    ).fetchall()
    return [str(row[0]) for row in rows]


def _write(cursor: duckdb.DuckDBPyConnection, table: str, path: Path) -> None:
    # By symbol, so that the bars of one company are in few groups of rows.
    source = (
        "SELECT *, rowid AS place FROM copy.bars ORDER BY symbol, as_of, rowid"
        if table == _PLACED
        else f"SELECT * FROM copy.{table}"  # noqa: S608 — closed names
    )
    cursor.execute(f"COPY ({source}) TO {_literal(path)} (FORMAT parquet, COMPRESSION zstd)")
    with path.open("rb") as written:
        os.fsync(written.fileno())


def _point(folder: Path, name: str, base: str | None) -> None:
    """Move the pointer in one step."""
    if published_version(folder) != base:
        raise StoreError(
            Text("另一个进程已发布更新的行情", "another process has published newer market data")
        )
    fresh = folder / f".{name}.{_POINTER}"
    with fresh.open("w", encoding="utf-8") as written:
        written.write(name + "\n")
        written.flush()
        os.fsync(written.fileno())
    os.replace(fresh, folder / _POINTER)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
