"""Many scores at once: whom they are of, how far they are, and what came of each."""

import re
from collections.abc import Sequence
from datetime import date

from services.core.claims import Claim, DerivedCite, Figure, Missing
from services.core.errors import InputError
from services.core.rendering import Language
from services.core.trace import ToolCall, Trace
from services.reports import screen
from services.reports.course import course_of
from services.reports.parts import Parts
from services.reports.score_history import stood
from services.reports.score_tables import total_column
from services.reports.score_view import BatchView, Chosen, ListedBatch, Progress
from services.reports.score_words import writer_words
from services.reports.table import Column, Row, Table, Words, reason_words
from services.scoring.batches import MOST, Batch, BatchRow

_SEPARATORS = re.compile(r"[,，、;；\s]+")
_STATUS = {
    None: Words("等候", "waiting"),
    "ok": Words("完成", "done"),
    "refused": Words("被否决", "vetoed"),
    "failed": Words("未能评分", "not scored"),
}
# So many companies are named where a batch is told from others.
_NAMED = 3
_WAITING = "还没有轮到 | not its turn yet"
_VETOED = "各轮稿子都被否决 | every draft was vetoed"


def start(
    parts: Parts, chosen: Chosen, session_id: str, *, language: Language, by_rule: bool
) -> str:
    """Begin a batch; the id of its job. See Desk.score_batch."""
    symbols = _symbols(parts, chosen, session_id)
    return parts.score_batches.start(symbols, session_id, language=language, by_rule=by_rule)


def build(parts: Parts, job_id: str) -> BatchView:
    """How far it is, company by company. Raises: InputError."""
    batch = parts.score_batches.state(job_id)
    claims: dict[str, Claim] = {}
    calls: dict[str, ToolCall] = {}
    rows: list[tuple[float, Row]] = []
    direct: set[str] = set()
    for one in batch.rows:
        known = stood(parts.scores, one.job_id) if one.status == "ok" and one.job_id else None
        total = known.total if known else None
        if known is not None and total is not None:
            claims |= known.claims
            calls |= {call.tool_call_id: call for call in known.calls}
            direct |= {total.claim_id, *_inputs(total)}
        row = _row(one, _name(parts, one.symbol), total, known.of_day if known else None)
        rows.append((_order(one), row))
    whom = _whom(parts, [one.symbol for one in batch.rows])
    return BatchView(
        title=Words(f"批量评分 {whom.zh}", f"Scores of {whom.en}"),
        claims=claims,
        trace=Trace(tool_calls=tuple(calls.values())),
        run_ids=(),
        course=course_of(batch.state, ()),
        progress=_progress(batch),
        table=_table(tuple(row for _, row in sorted(rows, key=lambda one: one[0]))),
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


def _whom(parts: Parts, symbols: Sequence[str]) -> Words:
    """How many companies, and the first of them by name: what tells a batch from others."""
    first = [_name(parts, one) for one in symbols[:_NAMED]]
    zh, en = "、".join(one.zh for one in first), ", ".join(one.en for one in first)
    if len(symbols) > _NAMED:
        zh, en = f"{zh}等", f"{en} and others"
    companies = "company" if len(symbols) == 1 else "companies"
    return Words(f"{len(symbols)} 家：{zh}", f"{len(symbols)} {companies}: {en}")


def _name(parts: Parts, symbol: str) -> Words:
    row, called = parts.names.row(symbol), parts.names.name(symbol)
    return Words(called, (row.english_name if row else None) or called)


def _symbols(parts: Parts, chosen: Chosen, session_id: str) -> list[str]:
    if chosen.kind == "list":
        typed = [one for one in _SEPARATORS.split(chosen.text) if one]
        if not typed:
            raise InputError("symbols", chosen.text, "代码或名称 | codes or names")
        return typed
    if chosen.kind == "industry":
        given = {"category": chosen.market, "industry": chosen.text}
    else:
        saved = parts.screens.load(chosen.text).arguments
        given = {name: str(value) for name, value in saved.items() if value}
    view = screen.build(parts, {**given, "size": str(MOST)}, session_id, 1)
    symbols = [row.symbol for row in view.table.rows if row.symbol]
    if not symbols:
        raise InputError("symbols", chosen.text, "其中没有公司 | there is no company in it")
    return symbols


def _order(one: BatchRow) -> float:
    """Those with a score first, the highest first; the rest as they were asked for."""
    return -one.hold_score if one.hold_score is not None else 1.0


def _inputs(claim: Claim) -> tuple[str, ...]:
    return claim.cite.inputs if isinstance(claim.cite, DerivedCite) else ()


def _progress(batch: Batch) -> Progress:
    released = sum(one.status == "ok" for one in batch.rows)
    return Progress(batch.done, released, len(batch.rows))


def _row(one: BatchRow, name: Words, total: Claim | None, of_day: date | None) -> Row:
    why = one.problem or (_VETOED if one.status == "refused" else _WAITING)
    figure: Figure = total or Missing(metric="hold_score", symbol=one.symbol, reason=why)
    judged = f"{one.hold_score:g}" if one.engine == "model" and one.hold_score is not None else None
    cells = {
        "name": name,
        "hold_score": figure,
        "judged": judged,
        "writer": writer_words(one.engine, None) if one.engine else None,
        "status": _STATUS.get(one.status, _STATUS["failed"]),
        "why": _problem(one) if one.problem else _of_the_past(of_day),
        "job_id": one.job_id,
    }
    return Row(cells, one.symbol)


def _problem(one: BatchRow) -> Words:
    """Why there is none, without the company it begins with: it stands beside it."""
    return reason_words((one.problem or "").removeprefix(f"score {one.symbol}: "))


def _of_the_past(day: date | None) -> Words | None:
    """That a score is not of today, where it stands among those that are."""
    if day is None:
        return None
    return Words(f"没有近期的股价与估值：按 {day} 评分", f"no recent price or valuation: of {day}")


def _table(rows: tuple[Row, ...]) -> Table:
    judged = any(row.cells.get("judged") for row in rows)
    columns = (
        Column("name", "名称", "Name", "text"),
        total_column(),
        *((Column("judged", "模型判断", "The model's judgement", "text"),) if judged else ()),
        Column("writer", "评分者", "Scored by", "text"),
        Column("status", "状态", "State", "text"),
        Column("why", "说明", "Note", "text"),
        Column("job_id", "打开", "Open", "text"),
    )
    return Table("batch", "批量评分", "Scores", columns, rows)
