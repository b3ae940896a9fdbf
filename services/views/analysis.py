"""报告: analyses as they stand in the store, one that runs or has ended, and what a reader does.

Nothing is worked out anew: the texts, figures and evidence are the ones that were proved.
"""

from typing import NamedTuple

from services.agents.results import AgentRunRequest
from services.agents.skills import SKILLS, Skill
from services.core.errors import InputError
from services.core.text import Language, Text
from services.jobs.runner import JobState
from services.store.jobs import StoredJob
from services.views.analysis_result import view_of
from services.views.analysis_steps import step_lines
from services.views.analysis_view import Analysis, ListedReport
from services.views.analysis_words import BY_RULE, points
from services.views.job_progress import Status, tokens_of
from services.views.parts import Parts
from services.views.syncing import MARKET_NAMES

_UNKNOWN = Text(
    "没有这份报告：链接不完整，或数据库换过了；下面可以另写一份",
    "no such report in this store; have another one written below",
)


class _About(NamedTuple):
    """Whom an analysis is about: the symbol of a company, what it is called, the title."""

    symbol: str | None
    name: Text
    title: Text


def start(
    parts: Parts,
    symbol_text: str | None,
    session_id: str,
    *,
    question: str,
    language: Language,
    by_rule: bool,
) -> str:
    """Begin an analysis; the id to follow it by. See Desk.analyse."""
    market = symbol_text is None
    request = AgentRunRequest(
        question=question.strip(),
        mode="market" if market else "stock",
        symbol=None if market else parts.names.resolve(symbol_text.strip()).value,
        language=language,
        by_rule=by_rule,
    )
    return parts.analyses.start(request, session_id)


def again(parts: Parts, job_id: str, session_id: str, *, by_rule: bool) -> str:
    """Begin the same once more. Raises: ConfigError, InputError."""
    request = _request(_find_job(parts, job_id).job)
    wanted = request.model_copy(update={"by_rule": by_rule or request.by_rule})
    return parts.analyses.start(wanted, session_id)


def build(parts: Parts, job_id: str) -> Analysis:
    """The analysis as it stands. Raises: InputError for an id that is not stored."""
    found = _find_job(parts, job_id)
    request = _request(found.job)
    about = _about(parts, found.job, request)
    result = None if found.running else parts.analyses.result(job_id)
    return Analysis(
        job_id=job_id,
        status=found.status,
        title=about.title,
        symbol=about.symbol,
        name=about.name,
        question=request.question,
        started_at=found.job.started_at,
        seconds=found.seconds,
        steps=step_lines(found.steps, running=found.running),
        tokens=tokens_of(found.steps),
        problem=found.problem if found.problem else None,
        stopping=found.stopping,
        view=view_of(parts.names, about.title, result) if result else None,
    )


def _find_job(parts: Parts, job_id: str) -> JobState:
    try:
        return parts.analyses.state(job_id)
    except InputError:
        raise InputError("job", job_id, _UNKNOWN) from None


def _request(job: StoredJob) -> AgentRunRequest:
    return AgentRunRequest.model_validate(job.arguments)


def _about(parts: Parts, job: StoredJob, request: AgentRunRequest) -> _About:
    skill = _skill(request)
    if skill.mode == "market":
        symbol, name = None, _market(job.subject)
    else:
        symbol, name = job.subject, parts.names.text(job.subject)
    return _About(symbol, name, skill.title_of(name))


def _market(subject: str) -> Text:
    known = {str(market): words for market, words in MARKET_NAMES.items()}
    return known.get(subject, Text(subject, subject))


def _skill(request: AgentRunRequest) -> Skill:
    named = (one for one in SKILLS.values() if request.skill_id in {one.skill_id, one.alias})
    mode = request.mode or ("stock" if request.symbol else "market")
    fitting = (one for one in SKILLS.values() if one.mode == mode)
    return next(named, None) or next(fitting)


def listed(parts: Parts, job: StoredJob) -> ListedReport:
    """What a list says of it."""
    request = _request(job)
    about = _about(parts, job, request)
    outline = parts.analyses.outline(job.job_id)
    writer = None
    if outline is not None and outline.runtime is not None:
        model = outline.model or "?"
        writer = BY_RULE if outline.runtime == "builtin" else Text(model, model)
    score = outline.confidence if outline else None
    return ListedReport(
        job_id=job.job_id,
        kind="analysis",
        status=status_of(parts, job),
        title=about.title,
        subject=job.subject,
        symbol=about.symbol,
        name=about.name,
        question=request.question,
        started_at=job.started_at,
        writer=writer,
        confidence=None if score is None else points(score),
    )


def status_of(parts: Parts, job: StoredJob) -> Status:
    """How it stands; one that has not ended may run in this process or be interrupted."""
    if job.status == "ok" or job.status == "refused":
        return job.status
    return parts.jobs.state(job.job_id).status
