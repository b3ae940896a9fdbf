"""The one place that opens the database: cursors for reads, one lock for every write.

Records (what citations point at) go through `engine`, so that they can live in PostgreSQL by URL;
market tables are DuckDB SQL over `cursor()`. One process owns the file.
"""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import duckdb
from duckdb_sqlalchemy import ConnectionWrapper
from sqlalchemy import Connection, Engine, create_engine, text
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    IntegrityError,
    InterfaceError,
    InternalError,
    NoSuchModuleError,
    OperationalError,
)
from sqlalchemy.pool import NullPool

from services.core.errors import ConfigError, StoreAwayError, StoreError
from services.core.text import Text
from services.store import migrations
from services.store.store_file import CONFIG, MEMORY, StoreFile, hold_file

_OWN_SCHEME = "duckdb:///"
# One row a committed write: what the next start holds against the count beside the file.
_COUNTED = "insert into acknowledged values ({number})"
# So long a server may take to let us in, and to say that it has what was sent.
_PATIENCE = {"connect_timeout": 5, "tcp_user_timeout": 10_000}
# A server that shuts down, crashed, or begins.
_ENDING = frozenset({"57P01", "57P02", "57P03"})
_AWAY = Text(
    "存放记录的数据库连不上：这一次没有做成，此前的都在。连上后再试一次，不必重新启动",
    "the database of the records does not answer: this was not done, all before it is kept. Try "
    "again once it does; nothing needs to be restarted",
)
# How a full disk is worded by the system, for a file and for a quota.
_FULL = ("No space left", "File too large", "Disk quota exceeded")


class Database:
    """An open store. Thread-safe: every use takes a cursor or connection of its own.

    `store` is a path or `:memory:`; with a `records_url` such as `postgresql+psycopg://…` records
    live there and market tables in the file.
    """

    def __init__(self, store: str, *, records_url: str | None = None) -> None:
        """Open (and create or upgrade) the store.

        Raises: StoreError if another process holds it or it is damaged, ConfigError for a bad URL.
        """
        path = store.removeprefix(_OWN_SCHEME)
        self.path = path if path == MEMORY else str(Path(path).expanduser().resolve())
        self._file: StoreFile | None = hold_file(self.path)
        try:
            self.engine = self._records_engine(records_url)
            self._own_records = records_url is None
            with self._held.lock, self._translate_failures():
                self._held.settle_count()
                self._upgrade()
        except BaseException:
            self._held.close()
            raise

    @property
    def shared(self) -> bool:
        """Whether other processes may have the same records open."""
        return not self._own_records

    @property
    def lost(self) -> int:
        """How many acknowledged writes were not in the file when it was opened: a log cut short."""
        return self._held.lost

    @contextmanager
    def cursor(self) -> Generator[duckdb.DuckDBPyConnection]:
        """A cursor of its own, for reads and market SQL; never keep it, never share it."""
        with self._translate_failures():
            cursor = self._held.cursor()
            try:
                yield cursor
            finally:
                cursor.close()

    @contextmanager
    def transaction(self) -> Generator[duckdb.DuckDBPyConnection]:
        """A cursor inside a transaction, under the write lock; all or nothing.

        A second transaction or `open_writing` inside it is a transaction of its own.
        """
        held = self._held
        with held.lock, self.cursor() as cursor:
            cursor.execute("begin")
            try:
                yield cursor
            except BaseException:
                cursor.execute("rollback")
                raise
            cursor.execute(_COUNTED.format(number=held.count_commit()))
            cursor.execute("commit")
            held.acknowledge()

    @contextmanager
    def open_reading(self) -> Generator[Connection]:
        """A connection for reading records: one consistent view for its whole life."""
        with self._translate_failures(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def open_writing(self) -> Generator[Connection]:
        """A connection for writing records, in a transaction, under the write lock."""
        held = self._held
        with held.lock, self._translate_failures():
            with self.engine.begin() as connection:
                yield connection
                if self._own_records:
                    connection.execute(text(_COUNTED.format(number=held.count_commit())))
            held.acknowledge()

    def sizes(self) -> Mapping[str, int]:
        """Bytes by what takes them: `file` with its log where there is one, `records` on a
        server.
        """
        found: dict[str, int] = {}
        if self.path != MEMORY:
            beside = (Path(self.path), Path(f"{self.path}.wal"))
            found["file"] = sum(one.stat().st_size for one in beside if one.exists())
        if self.shared:
            asked = text("select pg_database_size(current_database())")
            with self.open_reading() as connection:
                found["records"] = int(connection.execute(asked).scalar_one())
        return found

    def check_writes(self) -> None:
        """Write a little, as everything that is kept is written. Raises: StoreError."""
        with self.transaction():
            pass
        if self.shared:
            with self.open_writing() as connection:
                # A transaction with a number of its own is written to the log as it ends.
                connection.execute(text("select pg_current_xact_id()"))

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
        if self._file is not None:
            self._file.close()
            self._file = None

    @property
    def _held(self) -> StoreFile:
        if self._file is None:
            raise StoreError(Text("数据库已经关闭", "the store is closed"))
        return self._file

    def _upgrade(self) -> None:
        """Bring records to today's tables; a file that has some is copied beside itself before."""
        if self._own_records and self.path != MEMORY and migrations.list_applied(self.engine):
            for step in migrations.list_missing(self.engine)[:1]:
                before = Path(f"{self.path}.before-{step}")
                if not before.exists():
                    self.freeze(before)
        migrations.upgrade(self.engine)

    @contextmanager
    def _translate_failures(self) -> Generator[None]:
        """As `translate_failures`; an instance that died of it is let go of: the next use works."""
        try:
            with translate_failures():
                yield
        except StoreError as error:
            if _is_fatal(error.__cause__) and self._file is not None:
                self._file.forget_dead()
            raise

    def _records_engine(self, url: str | None) -> Engine:
        if url is None:
            return create_engine(
                _OWN_SCHEME + MEMORY,
                creator=lambda: ConnectionWrapper(self._held.cursor()),
                poolclass=NullPool,
            )
        try:
            engine = create_engine(url, pool_pre_ping=True, connect_args=_PATIENCE)
        except (ArgumentError, NoSuchModuleError, ImportError, ValueError) as error:
            raise _bad_url(type(error).__name__) from error
        if engine.dialect.name != "postgresql":
            raise _bad_url(engine.dialect.name)
        return engine


@contextmanager
def scratch() -> Generator[duckdb.DuckDBPyConnection]:
    """An empty database in memory for one computation; it sees no file and no network."""
    config = {**CONFIG, "enable_external_access": False, "threads": 2}
    with translate_failures():
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


@contextmanager
def translate_failures() -> Generator[None]:
    """Failures of the store become StoreError; mistakes in our SQL stay what they are."""
    try:
        yield
    except (OperationalError, InterfaceError, InternalError, IntegrityError) as error:
        if _is_away(error):
            raise StoreAwayError(_AWAY) from error.orig
        # `error.orig` only: the text of `error` itself holds the parameters.
        raise StoreError(_say_error(error.orig)) from error.orig
    except DatabaseError as error:
        if not _is_fatal(error.orig):
            raise
        raise StoreError(_say_error(error.orig)) from error.orig
    except (
        duckdb.OperationalError,
        duckdb.InternalError,
        duckdb.ConnectionException,
        duckdb.FatalException,
    ) as error:
        raise StoreError(_say_error(error)) from error


def _is_away(error: DatabaseError | InterfaceError) -> bool:
    """Whether a server ended the connection or never made one."""
    # No state: psycopg's own word that nobody answered, where an answer always has one.
    state = getattr(error.orig, "sqlstate", "")
    return error.connection_invalidated or state is None or state in _ENDING


def _is_fatal(error: BaseException | None) -> bool:
    # The instance is of no more use: DuckDB says so of every statement from then on.
    return isinstance(error, duckdb.FatalException)


def _say_error(error: BaseException | None) -> Text:
    told = str(error).strip() if error is not None else ""
    first = told.splitlines()[0] if told else "no reason given"
    if any(words in told for words in _FULL):
        return Text(
            "磁盘已满，这一次没有写入，此前的都在。腾出空间后再试一次，不必重新启动",
            "the disk is full: this was not written, all before it is kept. Make room and try "
            "again; nothing needs to be restarted",
        )
    return Text(
        f"数据库没有做成：{type(error).__name__}: {first}",
        f"the store could not do that: {type(error).__name__}: {first}",
    )


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
