"""A process that writes until it is killed: `python -m tests.unit.store.writer PATH FIRST HOLD`.

Three threads save runs and one keeps a market pair equal; each commit that returned is printed.
HOLD is `run` or `pair`: after a few commits such a transaction stops just before its commit, says
so, and waits there to be killed. With `free` nothing stops.
"""

import itertools
import sys
import threading
from typing import Any

from sqlalchemy import event

from services.store.database import Database
from services.store.runs import Runs
from tests.unit.store.samples import run_of

ROWS = 20_000
ENOUGH = 12
_printing = threading.Lock()


def _say(text: str) -> None:
    with _printing:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


class _Hold:
    """Stops a transaction of one kind for ever, once enough others were committed."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._commits = itertools.count()
        self._enough = threading.Event()

    def committed(self, text: str) -> None:
        _say(text)
        if next(self._commits) == ENOUGH:
            self._enough.set()

    def before_commit(self, kind: str) -> None:
        if kind == self._kind and self._enough.is_set():
            _say("holding")
            threading.Event().wait()

    def after_statement(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if statement.lower().startswith("insert into runs"):
            self.before_commit("run")


def _save_runs(runs: Runs, numbers: "itertools.count[int]", hold: _Hold) -> None:
    for number in numbers:
        made = run_of(number)
        runs.save(made.run, made.calls, made.claims)
        hold.committed(f"run {number}")


def _keep_pairs(database: Database, first: int, hold: _Hold) -> None:
    for number in itertools.count(first):
        with database.transaction() as cursor:
            insert = "insert into market.{} select ?, range from range(?)"
            cursor.execute(insert.format("left_rows"), [number, ROWS])
            hold.before_commit("pair")
            cursor.execute(insert.format("right_rows"), [number, ROWS])
        hold.committed(f"pair {number}")


def main() -> None:
    path, first, hold = sys.argv[1], int(sys.argv[2]), _Hold(sys.argv[3])
    database = Database(path)
    event.listen(database.engine, "after_cursor_execute", hold.after_statement)
    with database.transaction() as cursor:
        cursor.execute("create schema if not exists market")
        for side in ("left_rows", "right_rows"):
            cursor.execute(f"create table if not exists market.{side} (number bigint, row bigint)")
    runs = Runs(database)
    numbers = itertools.count(first)
    threads = [threading.Thread(target=_save_runs, args=(runs, numbers, hold)) for _ in range(3)]
    threads.append(threading.Thread(target=_keep_pairs, args=(database, first, hold)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
