"""What is due by schedule where several workers run: found and written once, by one of them."""

import threading
from datetime import date
from pathlib import Path

import pytest

from services.container import build_services
from services.core.identity import acting_as
from services.settings import load_settings
from services.views import alerts
from tests.postgres import cluster, programs
from tests.unit.jobs.real_workers import given, working
from tests.unit.store.test_ownership import ANNA, BEN

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(programs() is None, reason="PostgreSQL is not installed"),
]
VANKE, BANK, JUNE = "000002.SZ", "600036.SH", date(2017, 6, 1)
# They look every minute, and a report by rule takes seconds: in tenths of a second.
ENOUGH = 3_000


def test_two_workers_find_and_write_once_in_the_name_of_whoever_asked(tmp_path: Path) -> None:
    with cluster() as server:
        url = server.new_database()
        youju = build_services(load_settings(given(url, tmp_path, "replica")))
        with acting_as(ANNA):
            youju.watchlists.add("甲", VANKE, JUNE)
            made = youju.schedules.add(BANK, "weekly", "zh")

            def is_done() -> bool:
                (one,) = youju.schedules.list()
                return one.job_id is not None and not youju.jobs.state(one.job_id).running

            each = [given(url, tmp_path, name, YOUJU_SCHEDULE_MINUTES="1") for name in "ab"]
            with working(each[0]), working(each[1]):
                for _ in range(ENOUGH):
                    if is_done() and youju.alerts.looked("甲"):
                        break
                    threading.Event().wait(0.1)
            (one,) = youju.schedules.list()
            # The last week whose sessions had all ended on Wednesday, 26 July 2017.
            assert (one.schedule_id, one.done_for) == (made, date(2017, 7, 21))
            assert [(job.subject, job.status) for job in youju.jobs.list()] == [(BANK, "ok")]
            view = alerts.build(youju)
            assert len(view.run_ids) == 1
            days = [told.alert.event.end for told in view.alerts]
            assert days
            assert min(days) > JUNE
        with acting_as(BEN):
            assert (youju.jobs.list(), youju.alerts.new()) == ((), ())
        youju.close()
