"""Waiting for what runs beside a test: for its end, not by asking again and again.

Asking a store or a page twenty times a second took a third of the work of the tests that wait.
"""

import threading

# More than any machine takes: only what never ends lasts so long.
ENOUGH_S = 120.0


def job_ended(job_id: str) -> str:
    """Wait until that job runs no more; its id. Fails when it is not in time."""
    for thread in _jobs():
        if thread.name == f"job-{job_id}":
            thread.join(ENOUGH_S)
            assert not thread.is_alive(), "it runs and runs"
    return job_id


def a_moment() -> None:
    """Wait until a job ends, or until a step of it may have been told: what is shown changes."""
    for thread in _jobs()[:1]:
        thread.join(0.25)
        return
    threading.Event().wait(0.02)


def _jobs() -> list[threading.Thread]:
    """Those of services/jobs/runner.py and services/market/sync_jobs.py that run now."""
    return [one for one in threading.enumerate() if one.name.startswith(("job-", "sync-"))]
