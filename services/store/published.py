"""The copy of whole markets as several processes share it: versions on a shelf (shelf.py), each
written once and never changed, and a pointer to the newest.

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

from services.core.buckets import Bucket
from services.core.errors import StoreError
from services.core.text import Text
from services.settings import Settings
from services.store import copy_sql
from services.store.database import Database
from services.store.market_copy import MarketCopy
from services.store.mirror import Mirror
from services.store.shelf import Shelf

# Bars have an order within a day, which a table has by itself and a file has not.
_PLACED = "bars"


def publish(copy: MarketCopy, shelf: Shelf, base: str | None) -> str:
    """Write what the copy holds as a new version and point to it; its name.

    `base` is the version the copy was made from. Raises: StoreError when another has been published
    since, so that what was older does not become the newest, or the place does not take it.
    """
    number = 1 + (int(base.split("-")[0]) if base else 0)
    name = f"{number:09d}-{uuid4().hex[:8]}"
    part, whole = shelf.folder / f".{name}", shelf.folder / name
    try:
        part.mkdir(parents=True)
        with copy.open_reading() as cursor:
            for table in _tables(cursor):
                _write(cursor, table, part / f"{table}.parquet")
        part.rename(whole)
        shelf.hand_out(name, base)
    except OSError as error:
        raise StoreError(
            Text(
                f"共享行情目录写不进去：{error.strerror}",
                f"the shared folder of market data cannot be written: {error.strerror}",
            )
        ) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)
        if shelf.version() != name:
            shutil.rmtree(whole, ignore_errors=True)
    return name


def adopt(copy: MarketCopy, database: Database, shelf: Shelf, version: str) -> None:
    """Make the copy in `database` what that version is, to go on from there."""
    with copy.open_reading():
        pass  # its tables are made at the first use
    with database.transaction() as cursor:
        for statement in copy_sql.SCHEMA:
            cursor.execute(statement)
        for file in _files(shelf.folder / version):
            placed = file.stem == _PLACED
            chosen, order = ("* EXCLUDE (place)", " ORDER BY place") if placed else ("*", "")
            cursor.execute(f"DROP TABLE IF EXISTS copy.{file.stem}")
            cursor.execute(
                f"CREATE TABLE copy.{file.stem} AS "  # noqa: S608 — closed names
                f"SELECT {chosen} FROM read_parquet({_literal(file)}){order}"
            )


class PublishedCopy(MarketCopy):
    """The newest version of a shelf, read only. Safe to share between threads."""

    writable = False

    def __init__(self, database: Database, shelf: Shelf, changed: Callable[[], None]) -> None:
        """`database` keeps the views; `changed` is called when the pointer has moved."""
        super().__init__(database)
        self._shelf = shelf
        self._changed = changed
        self._seen: str | None = ""
        self._following = threading.Lock()

    @property
    def trouble(self) -> Text | None:
        """Why this may not be the newest version."""
        return self._shelf.trouble

    def _prepare(self) -> None:
        """Look at the newest version, unless that is done already."""
        self._shelf.follow()
        version = self._shelf.version()
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
        files = _files(self._shelf.folder / version) if version else []
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
    settings: Settings, database: Database, changed: Callable[[], None]
) -> MarketCopy:
    """The store's own copy of whole markets, or what is published to it; `changed` is called
    whenever a newer version of it is seen.
    """
    shelf = shelf_of(settings)
    return MarketCopy(database) if shelf is None else PublishedCopy(database, shelf, changed)


def shelf_of(settings: Settings) -> Shelf | None:
    """Where market data are published; None where this process keeps its own. A bucket is kept in
    a folder beside the market file.
    """
    if isinstance(settings.published, Bucket):
        return Mirror(settings.published, Path(f"{settings.store}.published"))
    return Shelf(settings.published) if settings.published else None


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


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))


def _literal(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
