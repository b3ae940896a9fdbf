"""`worker`: a process beside the replicas that does the long work they ask for."""

import logging
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from services.core.errors import ConfigError, InputError
from services.core.lazy import Later
from services.core.text import Text
from services.settings import Mode, Settings, load_settings

if TYPE_CHECKING:
    from services.container import Services
    from services.jobs.queue import Ticket
    from services.jobs.runner import JobTurn, Work
    from services.jobs.worker import Scheduled
    from services.market.publishing import Publisher
    from services.store.jobs import StoredJob
    from services.store.retention import Swept

_LOG = logging.getLogger("youju.sync")
# How often a worker looks which part of the markets has gone out of date.
SYNCED = "*/5 * * * *"
# When old runs go, where a setting says so.
SWEPT = "30 3 * * *"


def worker_command(
    silent: Annotated[
        float | None,
        typer.Option("--silent", help="Seconds of silence after which a worker is gone (30)."),
    ] = None,
) -> None:
    """工作进程 Do what replicas on the same PostgreSQL ask for: reports, scores, batches.

    Several may run; end one with Ctrl+C or SIGTERM, another goes on with its work.
    """
    settings = load_settings()
    from services.jobs.worker import SILENT_S, Worker
    from services.sight import init_sight

    init_sight(settings)

    with ExitStack() as closing:
        desks = _Desks(settings, closing)
        first = desks.services[settings.mode]()
        if first.jobs.queue is None:
            raise ConfigError(
                "YOUJU_STORE",
                "a worker takes jobs from PostgreSQL; on a file the workbench does them itself "
                "(文件库由工作台自己执行任务，不需要工作进程)",
            )
        worker = Worker(
            first.database,
            first.jobs.queue,
            desks.do,
            desks.fail,
            silent_s=silent or SILENT_S,
            scheduled=desks.scheduled(),
        )
        worker.run(lambda: _say_ready(settings))


def _say_ready(settings: Settings) -> None:
    """Say that it waits for work, on stderr."""
    sys.stderr.write(f"工作进程已就绪 worker ready ({settings.mode})\n")
    sys.stderr.flush()


class _Desks:
    """The services of both modes, each made when a ticket of it is first taken."""

    def __init__(self, settings: Settings, closing: ExitStack) -> None:
        self._settings = settings
        self._closing = closing

        def made(mode: Mode) -> "Later[Services]":
            return Later(lambda: _open_services(replace(settings, mode=mode), closing))

        self.services: Mapping[str, Later[Services]] = {
            "snapshot": made("snapshot"),
            "live": made("live"),
        }

    def scheduled(self) -> "list[Scheduled]":
        """What workers do by themselves: alerts and reports by schedule; in live mode one of them
        keeps the copy of the markets, and by setting old runs go.
        """
        from services.jobs.worker import Scheduled

        found: list[Scheduled] = []
        if minutes := self._settings.schedule_minutes:
            found.append(Scheduled("due", f"*/{min(minutes, 59)} * * * *", self._do_due))
        days = self._settings.retention_days
        if self._settings.mode == "live" and self._settings.published is not None:
            publisher = Later(self._make_publisher)
            found.append(Scheduled("sync", SYNCED, lambda: _publish(publisher())))
        if days:
            from services.store.retention import sweep

            database = self.services[self._settings.mode]().database
            found.append(Scheduled("sweep", SWEPT, lambda: _say_swept(sweep(database, days))))
        return found

    def _do_due(self) -> None:
        """Find alerts, and put the reports that are due into the queue."""
        from services.workbench.due import do_due

        done = do_due(self.services[self._settings.mode]())
        _LOG.info("due: %s", done)

    def _make_publisher(self) -> "Publisher":
        from services.market.publishing import Publisher
        from services.store.database import Database
        from services.store.published import shelf_of

        youju = self.services["live"]()
        database = Database(f"{self._settings.store}.sync")
        self._closing.callback(database.close)
        shelf = shelf_of(self._settings)
        if shelf is None:
            raise ConfigError("YOUJU_PUBLISHED", "valid: a path, or s3://bucket/path")
        return Publisher(youju.chain, youju.calendar, youju.clock, database, shelf)

    def do(self, ticket: "Ticket", turn: "JobTurn") -> bool:
        """Do it; whether it has to be gone on with."""
        youju = self.services[ticket.mode]()
        job = youju.jobs.state(ticket.job_id).job
        return youju.jobs.perform(ticket.job_id, _work_of(youju, job), turn)

    def fail(self, ticket: "Ticket", why: Text) -> None:
        """End its job as failed."""
        self.services[ticket.mode]().jobs.fail(ticket.job_id, why)


def _say_swept(gone: "Swept") -> None:
    _LOG.info("let go of %s", gone)


def _publish(publisher: "Publisher") -> None:
    for one in publisher.run():
        told = {"pulled": sum(one.pulled.values()), "failed": len(one.failures)}
        _LOG.info("sync of %s: %s", one.market, told)


def _work_of(youju: "Services", job: "StoredJob") -> "Work":
    """What a job asks for. Raises: InputError for a kind nobody does."""
    able: Mapping[str, Callable[[], Callable[[StoredJob], Work]]] = {
        "analysis": lambda: youju.analyses.work_of,
        "score": lambda: youju.scores.work_of,
        "score_batch": lambda: youju.score_batches.work_of,
    }
    if job.kind not in able:
        raise InputError("kind", job.kind, " | ".join(able))
    return able[job.kind]()(job)


def _open_services(settings: Settings, closing: ExitStack) -> "Services":
    from services.container import build_services

    youju = build_services(settings)
    closing.callback(youju.close)
    return youju
