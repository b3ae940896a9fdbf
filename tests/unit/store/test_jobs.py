"""Long work kept step by step."""

from pathlib import Path

import pytest

from services.core.errors import InputError
from services.store.database import Database
from services.store.jobs import Jobs


def started(jobs: Jobs, subject: str = "600519.SH", session_id: str = "s_1") -> str:
    return jobs.start(
        "analysis", session_id, subject=subject, title="贵州茅台", arguments={"question": "估值？"}
    )


def test_a_job_is_there_with_its_steps_after_the_process_is_gone(tmp_path: Path) -> None:
    file = str(tmp_path / "store.duckdb")
    database = Database(file)
    jobs = Jobs(database)
    job_id = started(jobs)
    jobs.append(job_id, 1, '{"kind": "begun"}')
    jobs.append(job_id, 2, '{"kind": "tool"}')
    database.close()

    again = Database(file)
    jobs = Jobs(again)
    job = jobs.load(job_id)
    assert (job.subject, job.arguments, job.status) == ("600519.SH", {"question": "估值？"}, None)
    assert [event.document for event in jobs.events(job_id)] == [
        '{"kind": "begun"}',
        '{"kind": "tool"}',
    ]
    assert [event.position for event in jobs.events(job_id, after=1)] == [2]
    assert jobs.result(job_id) is None
    again.close()


def test_it_ends_once() -> None:
    jobs = Jobs(Database(":memory:"))
    job_id = started(jobs)
    jobs.finish(job_id, "ok", '{"summary": "…"}', "run_1")
    job = jobs.load(job_id)
    assert (job.status, job.run_id, jobs.result(job_id)) == ("ok", "run_1", '{"summary": "…"}')
    assert job.finished_at is not None
    with pytest.raises(InputError, match="has not ended yet"):
        jobs.finish(job_id, "cancelled", "{}")


def test_the_newest_come_first_and_may_be_limited_to_a_subject_or_session() -> None:
    jobs = Jobs(Database(":memory:"))
    first, second = started(jobs), started(jobs, "AAPL", "s_2")
    assert [job.job_id for job in jobs.list()] == [second, first]
    assert [job.job_id for job in jobs.list(subject="600519.SH")] == [first]
    assert [job.job_id for job in jobs.list(session_id="s_2")] == [second]
    assert jobs.list(kinds=("score",)) == ()


def test_an_unknown_job_is_said_to_be_unknown() -> None:
    with pytest.raises(InputError, match="job_nothing"):
        Jobs(Database(":memory:")).load("job_nothing")
