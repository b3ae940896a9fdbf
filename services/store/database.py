"""The one place that opens the database: cursors for reads, one lock for every write.

Records (what citations point at) go through `engine`, so that they can live in PostgreSQL by URL;
market tables are DuckDB SQL over `cursor()`. One process owns the file.
"""

import os
import re
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from weakref import WeakValueDictionary

import duckdb
from duckdb_sqlalchemy import ConnectionWrapper
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import (
    ArgumentError,
    IntegrityError,
    InterfaceError,
    InternalError,
    NoSuchModuleError,
    OperationalError,
)
from sqlalchemy.pool import NullPool

from services.core.errors import ConfigError, StoreError, StoreHeldError
from services.store import migrations

MEMORY = ":memory:"
_OWN_SCHEME = "duckdb:///"
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
# DuckDB gives one exception class for every failure to open; only its text names the holder.
_HOLDER = re.compile(r"Conflicting lock is held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")
# Two Databases of one file in one process share DuckDB's instance, so they must share the lock.
_locks: WeakValueDictionary[str, "_WriteLock"] = WeakValueDictionary()
_locks_guard = threading.Lock()
_binding = threading.Lock()


class _WriteLock:
    """A re-entrant lock that can be held weakly."""

    def __init__(self) -> None:
        self.lock = threading.RLock()


class Database:
    """An open store. Thread-safe: every use takes a cursor or connection of its own.

    `store` is a path, `:memory:`, or a SQLAlchemy URL such as `postgresql+psycopg://…`; with a URL
    (here or as `records_url`) records live there and market tables in DuckDB.
    """

    def __init__(self, store: str, *, records_url: str | None = None) -> None:
        """Open (and create or upgrade) the store.

        Raises: StoreError if another process holds it or it is damaged, ConfigError for a bad URL.
        """
        path = store.removeprefix(_OWN_SCHEME)
        if "://" in path:
            path, records_url = MEMORY, path
        self.path = path if path == MEMORY else str(Path(path).expanduser().resolve())
        self._write = _write_lock(self.path)
        self._root = _open(self.path)
        try:
            self.engine = self._records_engine(records_url)
            with self._write.lock, _translated():
                migrations.upgrade(self.engine)
        except BaseException:
            self._root.close()
            raise

    @contextmanager
    def cursor(self) -> Generator[duckdb.DuckDBPyConnection]:
        """A cursor of its own, for reads and market SQL; never keep it, never share it."""
        with _translated():
            cursor = self._root.cursor()
            try:
                yield cursor
            finally:
                cursor.close()

    @contextmanager
    def transaction(self) -> Generator[duckdb.DuckDBPyConnection]:
        """A cursor inside a transaction, under the write lock; all or nothing.

        A second transaction or `writing` inside it is a transaction of its own.
        """
        with self._write.lock, self.cursor() as cursor:
            cursor.execute("begin")
            try:
                yield cursor
            except BaseException:
                cursor.execute("rollback")
                raise
            cursor.execute("commit")

    @contextmanager
    def reading(self) -> Generator[Connection]:
        """A connection for reading records: one consistent view for its whole life."""
        with _translated(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Generator[Connection]:
        """A connection for writing records, in a transaction, under the write lock."""
        with self._write.lock, _translated(), self.engine.begin() as connection:
            yield connection

    def freeze(self, target: Path) -> None:
        """Write a consistent, compact copy of the DuckDB file to `target` while others work.

        Records kept in PostgreSQL are not in it.

        Raises: StoreError when `target` exists or cannot be written.
        """
        if target.exists():
            raise StoreError(f"{target} exists: choose a name that is not taken")
        part = target.with_name(target.name + ".part")
        part.unlink(missing_ok=True)
        with self.cursor() as cursor:
            found = cursor.execute("select current_database()").fetchone()
            name = "" if found is None else str(found[0])
            cursor.execute(f"attach {_literal(str(part))} as frozen")
            try:
                cursor.execute(f"copy from database {_identifier(name)} to frozen")
            finally:
                cursor.execute("detach frozen")
        os.replace(part, target)

    def close(self) -> None:
        """Let go of the file; anything still open on it ends."""
        self.engine.dispose()
        self._root.close()

    def _records_engine(self, url: str | None) -> Engine:
        if url is None:
            return create_engine(
                _OWN_SCHEME + MEMORY,
                creator=lambda: ConnectionWrapper(self._root.cursor()),
                poolclass=NullPool,
            )
        try:
            engine = create_engine(url, pool_pre_ping=True)
        except (ArgumentError, NoSuchModuleError, ImportError, ValueError) as error:
            raise _bad_url(type(error).__name__) from error
        if engine.dialect.name != "postgresql":
            raise _bad_url(engine.dialect.name)
        return engine


@contextmanager
def scratch() -> Generator[duckdb.DuckDBPyConnection]:
    """An empty database in memory for one computation; it sees no file and no network."""
    config = {**_CONFIG, "enable_external_access": False, "threads": 2}
    with _translated():
        connection = duckdb.connect(MEMORY, config=config)  # noqa: TID251 (its one home)
        try:
            yield connection
        finally:
            connection.close()


def _bad_url(why: str) -> ConfigError:
    # The URL may hold a password: it is not repeated.
    return ConfigError(
        "YOUJU_STORE",
        f"this database URL cannot be used ({why}); valid: a file path, or "
        "postgresql+psycopg://user@host/name with the psycopg package installed",
    )


def _write_lock(path: str) -> _WriteLock:
    if path == MEMORY:
        return _WriteLock()
    with _locks_guard:
        found = _locks.get(path)
        if found is None:
            found = _locks[path] = _WriteLock()
        return found


def _open(path: str) -> duckdb.DuckDBPyConnection:
    try:
        if path != MEMORY:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        root = duckdb.connect(path, config=_CONFIG)  # noqa: TID251 (its one home)
    except OSError as error:
        raise _why_not_open(path, error.strerror or "") from error
    except duckdb.Error as error:
        raise _why_not_open(path, str(error)) from error
    root.execute("set global TimeZone = 'UTC'")
    _settle_parameters(root)
    return root


class _PandasLater(ModuleType):
    """Stands for pandas while DuckDB asks what its missing values are; anything else is its own."""

    NaT, NA = object(), object()

    def __getattr__(self, name: str) -> object:
        return getattr(import_module(self.__name__), name)


def _settle_parameters(root: duckdb.DuckDBPyConnection) -> None:
    """Bind a first parameter, before there are readers.

    DuckDB then looks for pandas' two missing values, once a process, which imports pandas: half
    a second and 60 MB for what we never give it (missing is None here). Where pandas is not there
    yet, it is told two values that nobody has.
    """
    with _binding:
        is_there = "pandas" in sys.modules
        if not is_there:
            sys.modules["pandas"] = _PandasLater("pandas")
        try:
            root.execute("select ?", [1]).fetchall()
        finally:
            if not is_there:
                del sys.modules["pandas"]


def _why_not_open(path: str, said: str) -> StoreError:
    first = said.strip().splitlines()[0] if said.strip() else "no reason given"
    if held := _HOLDER.search(said):
        return StoreHeldError(
            f"{path} is held by another process: {held['program']}, PID {held['pid']}. "
            "One process owns the store: stop that one, or set YOUJU_STORE to another file."
        )
    if "WAL" in first and Path(path + ".wal").exists():
        return StoreError(
            f"{path}: its write-ahead log is damaged ({first}). Move {path}.wal aside and start "
            "again: the store opens as it was at the last checkpoint."
        )
    return StoreError(
        f"{path} cannot be opened: {first}. Repair it, or set YOUJU_STORE to another file."
    )


@contextmanager
def _translated() -> Generator[None]:
    """Failures of the store become StoreError; mistakes in our SQL stay what they are."""
    try:
        yield
    except (OperationalError, InterfaceError, InternalError, IntegrityError) as error:
        # `error.orig` only: the text of `error` itself holds the parameters.
        raise StoreError(_said(error.orig)) from error
    except (duckdb.OperationalError, duckdb.InternalError, duckdb.ConnectionException) as error:
        raise StoreError(_said(error)) from error


def _said(error: BaseException | None) -> str:
    text = str(error).strip() if error is not None else ""
    first = text.splitlines()[0] if text else "no reason given"
    return f"the store could not do that: {type(error).__name__}: {first}"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
