"""The front of the analyses: begin one, follow it, read what came of it, find it again.

A stored result holds no claims and no trace of its own: they are those of its run.
"""

from services.agents.orchestrator import KIND, AgentOrchestrator
from services.agents.results import (
    AgentFinalReport,
    AgentRunRequest,
    AgentRunResult,
    RuntimeDraft,
    RuntimeName,
    VerifiedFailure,
)
from services.core.errors import ConfigError
from services.core.record import Record
from services.jobs.runner import Ended, JobRunner, JobState, Work
from services.jobs.steps import StepWatcher
from services.store.jobs import StoredJob
from services.store.runs import Runs

Result = AgentRunResult | VerifiedFailure
_ELSEWHERE = {"claims", "trace"}


class _Kept(Record):
    """The stored form: one of the two, without what its run keeps."""

    report: dict[str, object] | None = None
    failure: dict[str, object] | None = None


class Outline(Record):
    """What a list says of a finished analysis. `confidence` is null where the text was refused."""

    runtime: RuntimeName | None = None
    model: str | None = None
    confidence: float | None = None


class AgentService:
    """Analyses as jobs. Safe to share between sessions."""

    def __init__(
        self, orchestrator: AgentOrchestrator | ConfigError, jobs: JobRunner, runs: Runs
    ) -> None:
        """`jobs` runs and keeps them, `runs` has their claims and traces. An error in the settings
        in place of the orchestrator is raised when an analysis is asked for: those of before can
        be read all the same.
        """
        self._analyst = orchestrator
        self._jobs = jobs
        self._runs = runs

    @property
    def _orchestrator(self) -> AgentOrchestrator:
        if isinstance(self._analyst, ConfigError):
            raise self._analyst.with_traceback(None)
        return self._analyst

    def run(
        self, request: AgentRunRequest, session_id: str, watch: StepWatcher | None = None
    ) -> Result:
        """One analysis at once, without a job. Raises: ConfigError; as AgentOrchestrator.run."""
        return self._orchestrator.run(request, session_id, watch)

    def start(self, request: AgentRunRequest, session_id: str) -> str:
        """Begin one beside the pages; the id of its job. Raises: ConfigError, InputError."""
        asked, skill = self._orchestrator.understood(request)
        title = f"{asked.name} {skill.zh}" if asked.name else skill.zh
        return self._jobs.start(
            KIND,
            session_id,
            self._make_work(request, session_id),
            subject=asked.symbol or asked.market or "",
            title=title,
            arguments=request.model_dump(mode="json"),
        )

    def work_of(self, job: StoredJob) -> Work:
        """What that job asks for, to be done by another process than the one that asked."""
        return self._make_work(AgentRunRequest.model_validate(job.arguments), job.session_id)

    def state(self, job_id: str) -> JobState:
        """How far it is. Raises: InputError."""
        return self._jobs.state(job_id)

    def result(self, job_id: str) -> Result | None:
        """What came of it, with the claims and trace of its run; None while it runs or when it
        ended without any. Raises: InputError.
        """
        document = self._jobs.result(job_id)
        if document is None:
            return None
        kept = _Kept.model_validate_json(document)
        found = kept.report or kept.failure or {}
        run = self._runs.load(str(found["run_id"]))
        whole = {**found, "claims": run.claims, "trace": run.trace}
        kind = AgentRunResult if kept.report is not None else VerifiedFailure
        return kind.model_validate(whole)

    def outline(self, job_id: str) -> Outline | None:
        """Who wrote it and how far it may be trusted, without its claims; None as for `result`."""
        document = self._jobs.result(job_id)
        if document is None:
            return None
        report = _Kept.model_validate_json(document).report
        if report is None:
            return Outline()
        draft = RuntimeDraft.model_validate(report["runtime_draft"])
        score = AgentFinalReport.model_validate(report["final_report"]).confidence
        return Outline(runtime=draft.runtime, model=draft.model, confidence=score)

    def cancel(self, job_id: str) -> None:
        """Ask it to stop. Raises: InputError."""
        self._jobs.cancel(job_id)

    def list(self, *, subject: str | None = None, limit: int = 50) -> tuple[StoredJob, ...]:
        """The newest analyses, of one company or market or of all."""
        return self._jobs.list(kinds=(KIND,), subject=subject, limit=limit)

    def _make_work(self, request: AgentRunRequest, session_id: str) -> Work:
        return lambda watch: self._end_run(request, session_id, watch)

    def _end_run(self, request: AgentRunRequest, session_id: str, watch: StepWatcher) -> Ended:
        found = self._orchestrator.run(request, session_id, watch)
        document = found.model_dump(mode="json", exclude=_ELSEWHERE)
        if isinstance(found, AgentRunResult):
            kept = _Kept(report=document)
            return Ended(status="ok", document=kept.model_dump_json(), run_id=found.run_id)
        kept = _Kept(failure=document)
        return Ended(status="refused", document=kept.model_dump_json(), run_id=found.run_id)
