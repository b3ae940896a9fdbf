"""The whole road with the real worker: 600 companies, its process killed in the middle."""

import threading
from collections import Counter
from pathlib import Path

import pytest

from services.container import build_services
from services.settings import load_settings
from services.store.jobs import Jobs
from tests.postgres import cluster, programs
from tests.unit.jobs.real_workers import given, working

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
]
COMPANIES = 600
KILLED_AFTER = 50
# A score by rule takes 0.1 s on a quiet machine; ten times that, in tenths of a second.
ENOUGH = COMPANIES * 10


def test_a_worker_killed_in_a_batch_of_600_loses_none_and_does_none_twice(tmp_path: Path) -> None:
    with cluster() as server:
        url = server.new_database()
        youju = build_services(load_settings(given(url, tmp_path, "replica")))
        jobs = Jobs(youju.database)
        with youju.database.cursor() as cursor:
            listed = cursor.execute(
                "select symbol from market.companies where market = 'CN' and kind = 'stock' "
                "order by symbol limit ?",
                [COMPANIES],
            ).fetchall()
        asked = [str(row[0]) for row in listed]
        assert len(asked) == COMPANIES

        def wait(holds: int) -> None:
            """Until so many have ended."""
            for _ in range(ENOUGH):
                kept = jobs.list(kinds=("score",), limit=COMPANIES * 2)
                if sum(one.status is not None for one in kept) >= holds:
                    return
                threading.Event().wait(0.5)
            raise AssertionError("the batch does not go on")

        with working(given(url, tmp_path, "one")) as first:
            batch = youju.score_batches.start(asked, "s", by_rule=True)
            wait(KILLED_AFTER)
            with working(given(url, tmp_path, "two")):
                first.kill()
                first.wait(20)
                wait(COMPANIES)
                for _ in range(ENOUGH):
                    if not youju.jobs.state(batch).running:
                        break
                    threading.Event().wait(0.1)
        kept = jobs.list(kinds=("score",), limit=COMPANIES * 2)
        times = Counter(one.subject for one in kept)
        assert youju.jobs.state(batch).status == "ok"
        assert times == dict.fromkeys(asked, 1)
        assert all(one.status is not None for one in kept)
        youju.close()
