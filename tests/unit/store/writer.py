"""A process that writes until it is killed: `python -m tests.unit.store.writer PATH FIRST`.

Three threads save runs and one keeps a market pair equal; each commit that returned is printed.
"""

import itertools
import sys
import threading

from services.store.database import Database
from services.store.runs import Runs
from tests.unit.store.samples import run_of

_printing = threading.Lock()


def _say(text: str) -> None:
    with _printing:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


def _save_runs(runs: Runs, numbers: "itertools.count[int]") -> None:
    for number in numbers:
        made = run_of(number)
        runs.save(made.run, made.calls, made.claims)
        _say(f"run {number}")


def _keep_pairs(database: Database, first: int) -> None:
    for number in itertools.count(first):
        with database.transaction() as cursor:
            cursor.execute("insert into market.left_rows select ?, range from range(500)", [number])
            cursor.execute(
                "insert into market.right_rows select ?, range from range(500)", [number]
            )
        _say(f"pair {number}")


def main() -> None:
    path, first = sys.argv[1], int(sys.argv[2])
    database = Database(path)
    with database.transaction() as cursor:
        cursor.execute("create schema if not exists market")
        for side in ("left_rows", "right_rows"):
            cursor.execute(f"create table if not exists market.{side} (number bigint, row bigint)")
    runs = Runs(database)
    numbers = itertools.count(first)
    threads = [threading.Thread(target=_save_runs, args=(runs, numbers)) for _ in range(3)]
    threads.append(threading.Thread(target=_keep_pairs, args=(database, first)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
