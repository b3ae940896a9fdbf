"""持有评分: scores as they stand in the store, one that runs or has ended, and what a reader does.

Nothing is worked out anew: the texts and figures are those that were reviewed and released.
"""

from typing import Literal

from services.core.errors import InputError
from services.core.text import Language, Text
from services.core.trace import Trace
from services.jobs.runner import JobState
from services.scoring.endpoints import key_of, role_models
from services.scoring.exchange import REVIEW_AGENT, SCORE_AGENT, Role
from services.scoring.scorer import KIND
from services.store.jobs import StoredJob
from services.views.job_progress import course_of
from services.views.parts import Parts
from services.views.score_history import history
from services.views.score_result import view_of
from services.views.score_steps import score_lines
from services.views.score_view import ListedScore, RoleLine, Score, ScorePage, ScoreView, VetoView

_UNKNOWN = Text(
    "没有这次评分：链接不完整，或数据库换过了；可以另评一次",
    "no such score in this store; have the company scored again",
)
_LOOKED_BACK = 200


def start(
    parts: Parts, symbol_text: str, session_id: str, *, language: Language, by_rule: bool
) -> str:
    """Begin a score; the id to follow it by. See Desk.score."""
    return parts.scores.start(symbol_text.strip(), session_id, language=language, by_rule=by_rule)


def state(parts: Parts, job_id: str) -> Score:
    """One score as it stands, without what came of it. Raises: InputError."""
    return _score(_find_job(parts, job_id))


def build(parts: Parts, symbol_text: str, job_id: str, session_id: str) -> ScorePage:
    """The page of a company. See Desk.score_page."""
    found = _find_job(parts, job_id) if job_id else None
    symbol = found.job.subject if found else _company(parts, symbol_text)
    if found is None:
        newest = parts.scores.list(symbol=symbol, limit=1)
        found = parts.scores.state(newest[0].job_id) if newest else None
    name = _name(parts, symbol)
    title = Text(f"{name.zh} 持有评分", f"{name.en} · hold score")
    view = None
    if found is not None and not found.running:
        result = parts.scores.result(found.job.job_id)
        view = view_of(parts.names, title, result) if result is not None else None
    past = history(parts, symbol, session_id)
    known = {call.tool_call_id: call for call in past.trace.tool_calls}
    known |= {call.tool_call_id: call for call in (view.trace if view else Trace()).tool_calls}
    return ScorePage(
        title=title,
        claims={**past.claims, **(view.claims if view else {})},
        trace=Trace(
            tool_calls=tuple(known.values()),
            model_calls=view.trace.model_calls if view else (),
        ),
        run_ids=(*(view.run_ids if view else ()), *past.run_ids),
        symbol=symbol,
        name=name,
        score=_score(found, view) if found else None,
        history=past.table,
    )


def listed(parts: Parts, limit: int) -> tuple[ListedScore, ...]:
    """The companies scored last, newest first, each once."""
    newest: dict[str, StoredJob] = {}
    for job in parts.scores.list(limit=_LOOKED_BACK):
        newest.setdefault(job.subject, job)
    return tuple(_list_score(parts, job) for job in list(newest.values())[:limit])


def roles(parts: Parts) -> tuple[RoleLine, ...]:
    """Who scores and who reviews. See Desk.score_roles."""
    models = role_models(parts.settings)
    found: tuple[tuple[Literal["score", "review"], Role], ...] = (
        ("score", SCORE_AGENT),
        ("review", REVIEW_AGENT),
    )
    return tuple(
        RoleLine(name, models[role].model if role in models else None, key_of(role))
        for name, role in found
    )


def _find_job(parts: Parts, job_id: str) -> JobState:
    try:
        found = parts.scores.state(job_id)
    except InputError:
        raise InputError("score", job_id, _UNKNOWN) from None
    if found.job.kind != KIND:
        raise InputError("score", job_id, _UNKNOWN)
    return found


def _company(parts: Parts, text: str) -> str:
    symbol = parts.names.resolve(text.strip()).value
    row = parts.names.row(symbol)
    if row is not None and row.kind == "index":
        raise InputError("symbol", text, "a company: an index is not held")
    return symbol


def _name(parts: Parts, symbol: str) -> Text:
    return parts.names.text(symbol)


def _score(found: JobState, view: ScoreView | VetoView | None = None) -> Score:
    lines = score_lines(found.steps, running=found.running)
    return Score(
        course=course_of(found, lines),
        symbol=found.job.subject,
        by_rule=found.job.arguments.get("by_rule") is True,
        view=view,
    )


def _list_score(parts: Parts, job: StoredJob) -> ListedScore:
    status = parts.scores.state(job.job_id).status
    name = _name(parts, job.subject)
    return ListedScore(job.job_id, job.subject, name, status, job.started_at)
