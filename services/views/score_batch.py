"""Many scores at once: whom they are of, how far they are, and what came of each."""

import re
from collections.abc import Sequence
from dataclasses import replace

from services.core.claims import Claim, DerivedCite, Missing
from services.core.errors import InputError
from services.core.text import NO_TEXT, Language, Text
from services.core.trace import ToolCall, Trace
from services.market.screener import MAX_SIZE
from services.scoring.batches import Batch, BatchRow
from services.scoring.rule_reason import is_ranked
from services.views import screen
from services.views.job_progress import course_of
from services.views.parts import Parts
from services.views.score_history import Stood, stood
from services.views.score_tables import total_column
from services.views.score_view import BatchMembers, BatchProgress, BatchView, ListedBatch
from services.views.score_words import writer_words
from services.views.table import Table, TableColumn, TableRow

_SEPARATORS = re.compile(r"[,，、;；\s]+")
_STATUS = {
    None: Text("等候", "waiting"),
    "ok": Text("完成", "done"),
    "refused": Text("被否决", "vetoed"),
    "failed": Text("未能评分", "not scored"),
}
_RANKED, _THIN, _UNSCORED = range(3)
_SECTIONS = {
    _RANKED: Text("按评分排列", "By score"),
    _THIN: Text("数据不足以下结论，不参与排列", "Too little data for a verdict: not ranked"),
    _UNSCORED: Text("没有评分", "No score"),
}
# So many companies are named where a batch is told from others.
_NAMED = 3
_WAITING = Text("还没有轮到", "not its turn yet")
_VETOED = Text("各轮稿子都被否决", "every draft was vetoed")


def start(
    parts: Parts, chosen: BatchMembers, session_id: str, *, language: Language, by_rule: bool
) -> str:
    """Begin a batch; the id of its job. See Desk.score_batch."""
    symbols = _symbols(parts, chosen, session_id)
    return parts.score_batches.start(symbols, session_id, language=language, by_rule=by_rule)


def build(parts: Parts, job_id: str) -> BatchView:
    """How far it is, company by company. Raises: InputError."""
    batch = parts.score_batches.state(job_id)
    claims: dict[str, Claim] = {}
    calls: dict[str, ToolCall] = {}
    rows: list[tuple[tuple[int, float], TableRow]] = []
    direct: set[str] = set()
    for one in batch.rows:
        known = stood(parts.scores, one.job_id) if one.status == "ok" and one.job_id else None
        if known is not None and known.total is not None:
            claims |= known.claims
            calls |= {call.tool_call_id: call for call in known.calls}
            for shown in (known.total, known.coverage):
                direct |= {shown.claim_id, *_inputs(shown)}
        rows.append((_order(one, known), _row(one, _name(parts, one.symbol), known)))
    whom = _whom(parts, [one.symbol for one in batch.rows])
    return BatchView(
        title=Text(f"批量评分 {whom.zh}", f"Scores of {whom.en}"),
        claims=claims,
        trace=Trace(tool_calls=tuple(calls.values())),
        run_ids=(),
        course=course_of(batch.state, ()),
        progress=_progress(batch),
        table=_table(_sections(sorted(rows, key=lambda one: one[0]))),
        direct=frozenset(direct),
    )


def listed(parts: Parts, limit: int) -> tuple[ListedBatch, ...]:
    """The newest batches, newest first."""
    found: list[ListedBatch] = []
    for job in parts.score_batches.list(limit=limit):
        symbols = job.arguments.get("symbols")
        whom = _whom(parts, [str(one) for one in symbols] if isinstance(symbols, list) else [])
        status = parts.scores.state(job.job_id).status
        found.append(ListedBatch(job.job_id, status, whom, job.started_at))
    return tuple(found)


def _whom(parts: Parts, symbols: Sequence[str]) -> Text:
    """How many companies, and the first of them by name: what tells a batch from others."""
    first = [_name(parts, one) for one in symbols[:_NAMED]]
    zh, en = "、".join(one.zh for one in first), ", ".join(one.en for one in first)
    if len(symbols) > _NAMED:
        zh, en = f"{zh}等", f"{en} and others"
    companies = "company" if len(symbols) == 1 else "companies"
    return Text(f"{len(symbols)} 家：{zh}", f"{len(symbols)} {companies}: {en}")


def _name(parts: Parts, symbol: str) -> Text:
    return parts.names.text(symbol)


def _symbols(parts: Parts, chosen: BatchMembers, session_id: str) -> list[str]:
    if chosen.kind == "list":
        typed = [one for one in _SEPARATORS.split(chosen.text) if one]
        if not typed:
            raise InputError("symbols", chosen.text, Text("代码或名称", "codes or names"))
        return typed
    if chosen.kind == "industry":
        given = {"category": chosen.market, "industry": chosen.text}
    else:
        saved = parts.screens.load(chosen.text).arguments
        given = {name: str(value) for name, value in saved.items() if value}
    view = screen.build(parts, {**given, "size": str(MAX_SIZE)}, session_id, 1)
    symbols = [row.symbol for row in view.table.rows if row.symbol]
    if not symbols:
        raise InputError("symbols", chosen.text, Text("其中没有公司", "there is no company in it"))
    return symbols


def _order(one: BatchRow, known: Stood | None) -> tuple[int, float]:
    """The section and the place in it: by score where there is a verdict, the highest first; the
    rest as they were asked for.
    """
    if known is None or one.hold_score is None:
        return _UNSCORED, 0.0
    if is_ranked(known.coverage.value):
        return _RANKED, -one.hold_score
    return _THIN, 0.0


def _sections(rows: Sequence[tuple[tuple[int, float], TableRow]]) -> tuple[TableRow, ...]:
    """The rows under the names of their sections, where there are some that have no rank."""
    if all(section != _THIN for (section, _), _ in rows):
        return tuple(row for _, row in rows)
    return tuple(replace(row, group=_SECTIONS[section]) for (section, _), row in rows)


def _inputs(claim: Claim) -> tuple[str, ...]:
    return claim.cite.inputs if isinstance(claim.cite, DerivedCite) else ()


def _progress(batch: Batch) -> BatchProgress:
    released = sum(one.status == "ok" for one in batch.rows)
    return BatchProgress(batch.done, released, len(batch.rows))


def _row(one: BatchRow, name: Text, known: Stood | None) -> TableRow:
    why = one.problem or (_VETOED if one.status == "refused" else _WAITING)
    absent = Missing(metric="hold_score", symbol=one.symbol, reason=why)
    judged = f"{one.hold_score:g}" if one.engine == "model" and one.hold_score is not None else None
    cells = {
        "name": name,
        "hold_score": (known.total if known else None) or absent,
        "judged": judged,
        "coverage": known.coverage if known else None,
        "verdict": known.verdict if known else None,
        "day": known.day.isoformat() if known else None,
        "writer": writer_words(one.engine, None) if one.engine else None,
        "status": _STATUS.get(one.status, _STATUS["failed"]),
        "why": _problem(one) if one.problem else _note_day(known),
        "job_id": one.job_id,
    }
    return TableRow(cells, one.symbol)


def _problem(one: BatchRow) -> Text:
    """Why there is none, without the company it begins with: it stands beside it."""
    return Text.read(str(one.problem or NO_TEXT).removeprefix(f"score {one.symbol}: "))


def _note_day(known: Stood | None) -> Text | None:
    """That a score is of another day than those beside it, or not the model's that was asked."""
    told: list[Text] = []
    if known is not None and known.of_day is not None:
        day = known.of_day
        told.append(
            Text(f"没有近期的股价与估值：按 {day} 评分", f"no recent price or valuation: of {day}")
        )
    if known is not None and known.problem:
        told.append(known.problem)
    if not told:
        return None
    return Text("；".join(one.zh for one in told), "; ".join(one.en for one in told))


def _table(rows: tuple[TableRow, ...]) -> Table:
    judged = any(row.cells.get("judged") for row in rows)
    columns = (
        TableColumn("name", Text("名称", "Name"), "text"),
        total_column(),
        *(
            (TableColumn("judged", Text("模型判断", "The model's judgement"), "text"),)
            if judged
            else ()
        ),
        TableColumn("coverage", Text("数据覆盖度", "Data coverage"), "figure"),
        TableColumn("verdict", Text("含义", "It means"), "text"),
        TableColumn("day", Text("评分日", "Of the day"), "date"),
        TableColumn("writer", Text("评分者", "Scored by"), "text"),
        TableColumn("status", Text("状态", "State"), "text"),
        TableColumn("why", Text("说明", "Note"), "text"),
        TableColumn("job_id", Text("打开", "Open"), "opens"),
    )
    return Table("batch", Text("批量评分", "Scores"), columns, rows)
