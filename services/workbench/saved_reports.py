"""报告: everything that was written and kept, analyses and scores: listed, put away, compared.

What is put away leaves the lists only: its run stays, because a citation may point at it.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

from services.agents.orchestrator import KIND as ANALYSIS
from services.core.claims import Claim
from services.core.clock import BEIJING
from services.core.errors import InputError
from services.core.symbols import Market
from services.core.text import Language, Text
from services.exports.papers import paper_of
from services.jobs.runner import JobState
from services.scoring.scorer import KIND as SCORE
from services.store.jobs import StoredJob
from services.views import analysis
from services.views.analysis_view import ListedReport
from services.views.parts import Parts
from services.views.score_history import stood
from services.views.score_result import view_of as score_view_of
from services.views.score_words import writer_words
from services.views.table import View
from services.workbench.compare import ComparisonView, Side, compare

KINDS = (ANALYSIS, SCORE)
_COUNTED = 100
_UNKNOWN = Text("库里的一份报告或评分", "a report or a score of this store")
_FINISHED = Text("写完了的两份", "two that are finished")
_ALIKE = Text("同一类的两份：两份分析，或两次评分", "two of one kind: two analyses, or two scores")


def list_reports(
    parts: Parts, symbol_text: str, limit: int, *, hidden: bool = False
) -> tuple[ListedReport, ...]:
    """The newest, newest first; of one company, or of a market (`CN`), when given. `hidden`: those
    that were put away. Raises: InputError for a name that is not one company's.
    """
    said = symbol_text.strip()
    subject = None
    if said:
        subject = said if said in get_args(Market) else parts.names.resolve(said).value
    jobs = parts.jobs.list(kinds=KINDS, subject=subject, limit=limit, hidden=hidden)
    return tuple(_list_report(parts, job) for job in jobs)


class KeptOf(NamedTuple):
    """What is kept of a company: its newest released score, and how many reports and scores."""

    score: Claim | None
    kept: int


def kept_of(parts: Parts, symbol: str) -> KeptOf:
    """What its page says beside the names of its sections."""
    jobs = parts.jobs.list(kinds=KINDS, subject=symbol, limit=_COUNTED)
    scores = [job.job_id for job in jobs if job.kind == SCORE and job.status == "ok"]
    newest = stood(parts.scores, scores[0]) if scores else None
    return KeptOf(newest.total if newest and newest.of_day is None else None, len(jobs))


def preview(parts: Parts, job_id: str) -> View | None:
    """The finished analysis or score; None for one without a text. Raises: InputError."""
    return _view(parts, _require_job(parts, job_id))


def put_away(parts: Parts, job_ids: Sequence[str]) -> None:
    """Take them out of the lists. Raises: InputError for an id that is not stored."""
    for job_id in job_ids:
        _require_job(parts, job_id)
    parts.jobs.hide(job_ids)


def compare_reports(parts: Parts, first: str, second: str, language: Language) -> ComparisonView:
    """Two finished reports, or two scores, the older one first.

    Raises: InputError for one that is not stored, not finished, or of another kind.
    """
    found = sorted(
        (_require_job(parts, job_id) for job_id in (first, second)),
        key=lambda one: one.job.started_at,
    )
    if len({one.job.kind for one in found}) > 1:
        raise InputError("compare", f"{first}, {second}", _ALIKE)
    sides = [_side(parts, one, language) for one in found]
    return compare(*sides)


def _side(parts: Parts, state: JobState, language: Language) -> Side:
    job = state.job
    view = _view(parts, state)
    if view is None:
        raise InputError("compare", job.job_id, _FINISHED)
    title = _list_report(parts, job).title
    at = f"{job.started_at.astimezone(BEIJING):%m-%d %H:%M}"
    name = Text(f"{title.zh} {at}", f"{title.en} {at}")
    return Side(name, paper_of(view, language), view.claims, view.trace, job.subject)


def _view(parts: Parts, state: JobState) -> View | None:
    if state.status != "ok":
        return None
    if state.job.kind == ANALYSIS:
        return analysis.build(parts, state.job.job_id).view
    result = parts.scores.result(state.job.job_id)
    title = _list_report(parts, state.job).title
    return None if result is None else score_view_of(parts.names, title, result)


def _require_job(parts: Parts, job_id: str) -> JobState:
    try:
        found = parts.jobs.state(job_id)
    except InputError:
        raise InputError("job", job_id, _UNKNOWN) from None
    if found.job.kind not in KINDS:
        raise InputError("job", job_id, _UNKNOWN)
    return found


def _list_report(parts: Parts, job: StoredJob) -> ListedReport:
    return analysis.listed(parts, job) if job.kind == ANALYSIS else _score(parts, job)


def _score(parts: Parts, job: StoredJob) -> ListedReport:
    name = parts.names.text(job.subject)
    kind: Literal["score"] = "score"
    told = parts.scores.released(job.job_id) if job.status == "ok" else None
    return ListedReport(
        job_id=job.job_id,
        kind=kind,
        status=analysis.status_of(parts, job),
        title=Text(f"{name.zh} 持有评分", f"{name.en} · hold score"),
        subject=job.subject,
        symbol=job.subject,
        name=name,
        question="",
        started_at=job.started_at,
        writer=writer_words(told.engine, told.model) if told is not None else None,
        confidence=None,
    )
