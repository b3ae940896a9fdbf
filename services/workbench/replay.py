"""A stored run done again: from its own record (a replay), or on the data of now (what changed).

A replay asks no source: it shows that the figures, their cites and, where no model wrote, the text
still follow from what was fetched then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime

from pydantic import JsonValue

from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.core.errors import InputError
from services.core.text import Language, Text
from services.core.trace import Trace
from services.exports.papers import paper_of
from services.query.answering.answers import Answered
from services.query.sessions import KIND as ASK
from services.scoring.models import ScoreResult
from services.scoring.scorer import KIND as SCORE
from services.scoring.scorer import ScoreRequest
from services.store.runs import StoredRun
from services.tools.registry import TOOLS
from services.views import ask, financials, overview, screen, stock, watch
from services.views.ask_view import TurnView
from services.views.company import build as company
from services.views.company.build import wanted_of
from services.views.compare import build as side_by_side
from services.views.parts import Parts
from services.views.run_words import kind_words
from services.views.score_result import view_of as score_view_of
from services.views.score_view import ScoreView
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
    View,
)
from services.workbench.compare import ComparisonView, Side, compare

_THEN = Text("当时", "Then")
_REPLAYED = Text("重放", "Replayed")
_NOW = Text("现在", "Now")
_NOT_REPLAYED = Text(
    "页面、工具、问答与持有评分的运行；深入分析请在报告页对比两份",
    "a run of a page, a tool, a question or a hold score; analyses are compared on the page "
    "Reports",
)
_UNFINISHED = Text("完成了的运行；这一次中断或失败了", "a run that finished; this one failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayView(View):
    """A replay. `at` is when the run was made; `claim_count` and `call_count` what it holds.

    `changed` are ids of claims that came out otherwise, are new, or did not come again.
    `text_kept` is null where there is no text to compare: a page keeps none, and a model's is not
    asked for again. `comparison` is null where everything is the same.
    """

    run_id: str
    kind: Text
    at: datetime
    claim_count: int
    call_count: int
    changed: tuple[str, ...]
    text_kept: bool | None
    by_model: bool
    comparison: ComparisonView | None

    @property
    def holds(self) -> bool:
        """Whether every figure and cite, and the text where there is one, came out the same."""
        return not self.changed and self.text_kept is not False

    def tables(self) -> tuple[Table, ...]:
        """What differs."""
        return self.comparison.tables() if self.comparison else ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be done: by whose parts, for which session; planned for the days of now or not."""

    parts: Parts
    stored: StoredRun
    session_id: str
    anew: bool


def replay(parts: Parts, run_id: str, language: Language) -> ReplayView:
    """The run again from its record. Raises: InputError for one that is not stored, not finished,
    or of a kind that is not replayed.
    """
    stored = _load_run(parts, run_id)
    asked = _Asked(parts.replaying(stored), stored, stored.run.session_id, anew=False)
    after = _redone(asked)
    before, by_model = _find_kept(parts, stored)
    changed = _find_changed(stored, after.claims, by_model=by_model)
    comparison = None
    if before is not None and not by_model:
        found = _compare_views(before, after, language, (_THEN, _REPLAYED))
        comparison = None if found.same else found
    told = None if before is None or by_model else comparison is None
    run = stored.run
    return ReplayView(
        title=Text("重放", "Replay"),
        claims={**after.claims, **(comparison.claims if comparison else {})},
        trace=comparison.trace if comparison else after.trace,
        run_ids=(run_id,),
        run_id=run_id,
        kind=kind_words(run.kind),
        at=run.started_at,
        claim_count=len(stored.claims),
        call_count=len(stored.calls),
        changed=changed,
        text_kept=told,
        by_model=by_model,
        comparison=comparison,
    )


def changes(parts: Parts, run_id: str, session_id: str, language: Language) -> ComparisonView:
    """The run beside the same on the data of now, which is a run of `session_id` (of its own
    conversation for a question, as which it is no turn).

    Raises: as `replay`; NoDataError, ProviderError, NotVerifiedError of the run of now.
    """
    stored = _load_run(parts, run_id)
    before, _ = _find_kept(parts, stored)
    if before is None:
        again = _Asked(parts.replaying(stored), stored, stored.run.session_id, anew=False)
        before = _redone(again)
    own = stored.run.session_id if stored.run.kind == ASK else session_id
    after = _redone(_Asked(parts, stored, own, anew=True))
    return _compare_views(before, after, language, (_THEN, _NOW))


def replayable(kind: str) -> bool:
    """Whether runs of that kind are done again."""
    return kind in _DOING or kind in TOOLS


def _load_run(parts: Parts, run_id: str) -> StoredRun:
    stored = parts.runs.load(run_id)
    if not replayable(stored.run.kind):
        raise InputError("run", stored.run.kind, _NOT_REPLAYED)
    if stored.run.status != "ok":
        raise InputError("run", f"{stored.run.kind}: {stored.run.status}", _UNFINISHED)
    return stored


def _compare_views(
    before: View, after: View, language: Language, names: tuple[Text, Text]
) -> ComparisonView:
    sides = (
        Side(name, paper_of(view, _language(view, language)), view.claims, view.trace)
        for name, view in zip(names, (before, after), strict=True)
    )
    return compare(*sides)


def _language(view: View, wanted: Language) -> Language:
    """A text that is stored keeps its language."""
    return view.language if isinstance(view, ScoreView | TurnView) else wanted


def _find_changed(
    stored: StoredRun, found: Mapping[str, Claim], *, by_model: bool
) -> tuple[str, ...]:
    """Ids of claims that are not as stored; new ones count unless a model decided what was made."""
    known = {claim.claim_id: claim for claim in stored.claims}
    names = [name for name, claim in known.items() if found.get(name) != claim]
    return (*names, *(() if by_model else (name for name in found if name not in known)))


def _find_kept(parts: Parts, stored: StoredRun) -> tuple[View | None, bool]:
    """The view as it was given then, and whether a model wrote it; none where nothing is kept."""
    run = stored.run
    if run.kind == ASK:
        found = ask.build(parts, run.session_id).turns
        turn = next((one for one in found if one.run_id == run.run_id), None)
        return turn, False
    if run.kind == SCORE:
        job = parts.jobs.of_run(run.run_id)
        result = parts.scores.result(job.job_id) if job is not None else None
        if result is None:
            return None, bool(stored.model_calls)
        view = score_view_of(parts.names, kind_words(SCORE), result)
        return view, bool(stored.model_calls)
    return None, False


def _redone(asked: _Asked) -> View:
    kind = asked.stored.run.kind
    return _DOING[kind](asked) if kind in _DOING else _tool(asked)


def _overview(asked: _Asked) -> View:
    return overview.build(asked.parts, asked.session_id)


def _screen(asked: _Asked) -> View:
    given = {key: str(value) for key, value in asked.stored.run.arguments.items()}
    offset = int(given.pop("offset", "0"))
    size = int(given.get("size", screen.DEFAULT_SIZE))
    return screen.build(asked.parts, given, asked.session_id, offset // size + 1)


def _company(asked: _Asked) -> View:
    given = asked.stored.run.arguments
    return company.build(asked.parts, str(given["symbol"]), wanted_of(given), asked.session_id)


def _compare(asked: _Asked) -> View:
    given = side_by_side.asked_of(asked.stored.run.arguments)
    return side_by_side.build(asked.parts, given, asked.session_id)


def _watch(asked: _Asked) -> View:
    held = watch.held_of(asked.stored.run.arguments)
    return watch.build(asked.parts, "", held, asked.session_id)


def _stock(asked: _Asked) -> View:
    given = asked.stored.run.arguments
    start, end = (_day(given.get(name)) for name in ("start", "end"))
    return stock.build(asked.parts, str(given["symbol"]), start, end, asked.session_id)


def _financials(asked: _Asked) -> View:
    given = asked.stored.run.arguments
    count = int(str(given["count"]))
    return financials.build(asked.parts, str(given["symbol"]), asked.session_id, count=count)


def _question(asked: _Asked) -> View:
    turn = str(asked.stored.run.arguments["turn"])
    found = asked.parts.query.redo(asked.stored.run.session_id, turn, planned_anew=asked.anew)
    if not isinstance(found, Answered):
        raise InputError(
            "turn", turn, Text("一问还读得懂的问题", "a question that is still understood")
        )
    return ask.turn_of(asked.parts, int(turn.removeprefix("turn_")), found)


def _score(asked: _Asked) -> View:
    """By rule where it is a replay: a model would not say the same again."""
    given = ScoreRequest.model_validate(asked.stored.run.arguments)
    if not asked.anew:
        given = given.model_copy(update={"by_rule": True})
    found = asked.parts.scores.run(given, asked.session_id)
    if isinstance(found, ScoreResult):
        return score_view_of(asked.parts.names, kind_words(SCORE), found)
    return _list_claims(found.claims, found.trace, found.run_id)


def _tool(asked: _Asked) -> View:
    run = asked.stored.run
    found = asked.parts.toolbox.call(run.kind, run.arguments, session_id=asked.session_id)
    return _list_claims(found.claims, found.trace, found.run_id)


def _list_claims(claims: tuple[Claim, ...], trace: Trace, run_id: str) -> View:
    """What has no page: its figures in a table."""
    columns = (
        TableColumn("symbol", Text("标的", "Symbol"), "symbol"),
        TableColumn("metric", Text("指标", "Metric"), "text"),
        TableColumn("period", Text("期间", "Period"), "text"),
        TableColumn("as_of", Text("截至", "As of"), "date"),
        TableColumn("shown", Text("数值", "Value"), "figure"),
    )
    rows = tuple(
        TableRow(
            {
                "symbol": claim.symbol,
                "metric": metric_words(claim.metric),
                "period": claim.period,
                "as_of": claim.as_of.isoformat(),
                "shown": claim,
            }
        )
        for claim in claims
    )
    table = Table("claims", Text("全部数字", "All figures"), columns, rows)
    return _Listing(
        title=Text("数字", "Figures"),
        claims={claim.claim_id: claim for claim in claims},
        trace=trace,
        run_ids=(run_id,),
        table=table,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listing(View):
    """Figures without a page."""

    table: Table

    def tables(self) -> tuple[Table, ...]:
        """The one table."""
        return (self.table,)


def _day(text: JsonValue) -> date | None:
    return date.fromisoformat(text) if isinstance(text, str) else None


_DOING: Mapping[str, Callable[[_Asked], View]] = {
    "overview": _overview,
    "screen": _screen,
    "company": _company,
    "compare": _compare,
    watch.KIND: _watch,
    "stock": _stock,
    "financials": _financials,
    ASK: _question,
    SCORE: _score,
}
