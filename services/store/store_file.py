"""The one DuckDB file of a store as this process holds it: connection, write lock, kept commits.

A full disk at a checkpoint leaves DuckDB's instance dead until it is opened again; what of its log
was cut off is gone without a word when it is. So a dead instance is opened again at its next use,
and every write that was acknowledged is counted beside the file.
"""

import os
import re
import sys
import threading
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from weakref import WeakValueDictionary

import duckdb

from services.core.errors import StoreError, StoreHeldError

MEMORY = ":memory:"
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}
# Only its owner reads what an analyst asked and wrote.
PRIVATE = 0o600
# DuckDB gives one exception class for every failure to open; only its text names the holder.
_HOLDER = re.compile(r"Conflicting lock is held in (?P<program>.+?) \(PID (?P<pid>\d+)\)")
# A number and its line end, always as long: a count cut short by a crash is no count.
_COUNT = re.compile(rb"(\d{19})\n")
# DuckDB names a catalog after its file, and then cannot tell it from a schema of that name.
_SCHEMAS = frozenset({"market", "copy"})
_binding = threading.Lock()
# Several stores of one path in one process share DuckDB's instance, so they must share all this.
_open_files: WeakValueDictionary[str, "StoreFile"] = WeakValueDictionary()
_guard = threading.Lock()


class StoreFile:
    """An open file (or memory) with its write lock. Thread-safe; made by `hold_file` alone."""

    def __init__(self, path: str) -> None:
        """Open it. Raises: StoreError if another process holds it or it is damaged."""
        self.path = path
        self.lock = threading.RLock()
        self.holders = 0
        self._root: duckdb.DuckDBPyConnection | None = _open(path)
        self._count = -1
        self._beside = Path(f"{path}.commits")
        #: How many writes that had been acknowledged were not in the file when it was opened.
        self.lost = 0

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """A cursor of its own. Raises: StoreError when a dead instance cannot be opened again."""
        root = self._root
        if root is None:
            with self.lock:
                root = self._root = self._root or _open(self.path)
        return root.cursor()

    def forget_dead(self) -> None:
        """Let go of an instance that DuckDB says is of no more use; the next use opens it again.

        In memory there is nothing to open again: it stays dead and says so itself.
        """
        with self.lock:
            if self.path == MEMORY or self._root is None:
                return
            with suppress(duckdb.Error):
                self._root.close()
            self._root = None

    def settle_count(self) -> None:
        """Learn how many writes are in the file and how many had been acknowledged.

        Raises: StoreError when the count cannot be kept.
        """
        with self.lock, self.cursor() as cursor:
            if self._count >= 0:
                return
            # Rows, not a sequence: DuckDB 1.5.6 gives a sequence back as it was at the last
            # checkpoint. One row a write, so that a write inside another does not meet it.
            cursor.execute("create table if not exists acknowledged (number bigint)")
            found = cursor.execute("select max(number), count(*) from acknowledged").fetchone()
            last, rows = found or (None, 0)
            self._count = last or 0
            if rows > 1:
                cursor.execute("delete from acknowledged where number < ?", [last])
            self.lost = max(0, self._read_acknowledged() - self._count)
            self._write_count()

    def count_commit(self) -> int:
        """The number of the write now to be committed, to be stored within it; under the lock."""
        self._count += 1
        return self._count

    def acknowledge(self) -> None:
        """The write was committed: what the next start must find in the file; under the lock."""
        self._write_count()

    def close(self) -> None:
        """Let go of the file; anything still open on it ends."""
        with _guard:
            self.holders -= 1
            if self.holders > 0:
                return
            _open_files.pop(self.path, None)
        if self._root is not None:
            self._root.close()

    def _read_acknowledged(self) -> int:
        if self.path == MEMORY or not self._beside.exists():
            return 0
        found = _COUNT.fullmatch(self._beside.read_bytes())
        return int(found[1]) if found else 0

    def _write_count(self) -> None:
        if self.path == MEMORY:
            return
        # Written over in place: a file made anew at every commit would cost ten times as much.
        # What cannot be written (a full disk) only makes the next start trust the file.
        with suppress(OSError):
            handle = os.open(self._beside, os.O_WRONLY | os.O_CREAT, PRIVATE)
            try:
                os.pwrite(handle, b"%019d\n" % self._count, 0)
            finally:
                os.close(handle)


def hold_file(path: str) -> StoreFile:
    """The open file of a path, shared by everybody of this process; each holder closes it once.

    Raises: StoreError if another process holds it or it is damaged.
    """
    if path == MEMORY:
        found = StoreFile(path)
    else:
        with _guard:
            found = _open_files.get(path) or StoreFile(path)
            _open_files[path] = found
            found.holders += 1
            return found
    found.holders = 1
    return found


def _open(path: str) -> duckdb.DuckDBPyConnection:
    if Path(path).stem in _SCHEMAS:
        raise StoreError(
            f"{path}: a store cannot be named {Path(path).stem}, as one of its own parts is. "
            "Choose another name, such as youju.duckdb."
        )
    try:
        if path != MEMORY:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        root = duckdb.connect(path, config=CONFIG)  # noqa: TID251 (its one home)
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
