"""The scores of a company, newest first: what changed since the one before, and what the price did
afterwards.

A finished score never changes, so what its figures stand on is kept in memory once it was read.
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from services.core.claims import Claim, DerivedCite, Missing, ToolCite
from services.core.clock import BEIJING
from services.core.recomputation import TABLE
from services.core.rendering import place
from services.core.text import NO_TEXT, Text
from services.core.trace import BARS, ToolCall, Trace
from services.scoring.models import ScoreResult
from services.scoring.outcomes import HORIZONS, Afterwards, known_close
from services.scoring.rule_reason import stance_of
from services.scoring.service import FactorChange, PastScore, ScoreService
from services.views.parts import Parts
from services.views.score_tables import total_column
from services.views.score_words import writer_words
from services.views.table import Table, TableColumn, TableRow

MOST = 10
_KEPT = 600


@dataclass(frozen=True, slots=True)
class Stood:
    """A score of before, with the claims and calls its figures stand on, and no others.

    `total` is the factor model's score, `judged` a model's own as it gave it, null for the rules;
    `coverage` how much of what a score needs was there, `verdict` what it means, `day` its own;
    `base` is the day of the close it knew, null when it knew none; `of_day` the past day it is of,
    null when it is of the day it was made; `problem` why the factors' score stands though a model
    was asked, null where it does not.
    """

    total: Claim | None
    judged: str | None
    coverage: Claim
    verdict: Text
    day: date
    problem: Text | None
    claims: Mapping[str, Claim]
    calls: tuple[ToolCall, ...]
    base: date | None
    of_day: date | None


class History(NamedTuple):
    """The table, and what it stands on."""

    table: Table
    claims: Mapping[str, Claim]
    trace: Trace
    run_ids: tuple[str, ...]


_known: WeakKeyDictionary[ScoreService, OrderedDict[str, Stood]] = WeakKeyDictionary()
_lock = Lock()


def stood(scores: ScoreService, job_id: str) -> Stood | None:
    """What that score's figures stand on; None when nothing was released. Raises: InputError."""
    with _lock:
        kept = _known.setdefault(scores, OrderedDict())
        if job_id in kept:
            kept.move_to_end(job_id)
            return kept[job_id]
    found = scores.result(job_id)
    if not isinstance(found, ScoreResult):
        return None
    made = _make_stood(found)
    with _lock:
        kept[job_id] = made
        while len(kept) > _KEPT:
            kept.popitem(last=False)
    return made


def history(parts: Parts, symbol: str, session_id: str) -> History:
    """The newest scores of that company that were released."""
    past = parts.scores.history(symbol, limit=MOST)
    known = {one.job_id: stood(parts.scores, one.job_id) for one in past}
    there = {job_id: one for job_id, one in known.items() if one is not None}
    if not there:
        return History(_table([]), {}, Trace(), ())
    # One run for all of them: a page that is looked at must not fill the store.
    bases = {job_id: one.base for job_id, one in there.items()}
    after = parts.scores.outcomes(symbol, bases, session_id)
    claims = {one.claim_id: one for one in after.claims}
    calls = {one.tool_call_id: one for one in after.trace.tool_calls}
    for one in there.values():
        claims |= one.claims
        calls |= {call.tool_call_id: call for call in one.calls}
    rows = [
        _row(one, there[one.job_id], after.after[one.job_id], symbol)
        for one in past
        if one.job_id in there
    ]
    return History(_table(rows), claims, Trace(tool_calls=tuple(calls.values())), (after.run_id,))


def _make_stood(found: ScoreResult) -> Stood:
    everything = {claim.claim_id: claim for claim in found.claims}
    shown = [found.score_claim, found.coverage, *(one.score for one in found.factors)]
    claims = beneath((name for name in shown if name is not None), everything)
    cited = {name for claim in claims.values() for name in _calls(claim)}
    draft, coverage = found.draft, everything[found.coverage]
    verdict = stance_of(draft.hold_score, coverage.value, past=found.of_day is not None)
    return Stood(
        total=everything[found.score_claim] if found.score_claim else None,
        judged=f"{draft.hold_score:g}" if draft.engine == "model" else None,
        coverage=coverage,
        verdict=verdict,
        day=found.of_day or found.recommendation.timestamp.astimezone(BEIJING).date(),
        problem=found.model_problem,
        claims=claims,
        calls=tuple(call for call in found.trace.tool_calls if _is_beneath(call, cited)),
        base=known_close(found.recommendation.stock_code, found.claims),
        of_day=found.of_day,
    )


def beneath(names: Iterable[str], everything: Mapping[str, Claim]) -> dict[str, Claim]:
    """These claims and all they are made of."""
    found: dict[str, Claim] = {}
    wanted = list(names)
    while wanted:
        claim = everything[wanted.pop()]
        if claim.claim_id in found:
            continue
        found[claim.claim_id] = claim
        if isinstance(claim.cite, DerivedCite):
            wanted += claim.cite.inputs
    return found


def _is_beneath(call: ToolCall, cited: Set[str]) -> bool:
    """Cited, or a second computation from what is cited, of which a note speaks."""
    second = call.table == TABLE and call.arguments.get(BARS) in cited
    return second or call.tool_call_id in cited


def _calls(claim: Claim) -> list[str]:
    if isinstance(claim.cite, ToolCite):
        return [claim.cite.tool_call_id]
    if isinstance(claim.cite, DerivedCite):
        return [ref.tool_call_id for ref in (*claim.cite.series, *claim.cite.members)]
    return []


def _row(past: PastScore, known: Stood, after: Sequence[Afterwards], symbol: str) -> TableRow:
    by = writer_words(past.engine, past.model)
    cells = {
        "day": known.coverage.as_of.isoformat(),
        "at": past.at.isoformat(),
        "hold_score": known.total,
        "judged": known.judged,
        "writer": by,
        "rounds": str(past.rounds),
        "changes": _changes(past),
        "job_id": past.job_id,
    }
    for one in after:
        absent = Missing(metric="run_change", symbol=symbol, reason=one.why or NO_TEXT)
        cells[f"after_{one.sessions}"] = one.change or absent
    return TableRow(cells)


def _changes(past: PastScore) -> Text | None:
    """The factors that are not what they were, each with both figures."""
    if past.before is None:
        return None
    if not past.changes:
        return Text("各因子没有变化", "no factor changed")
    zh = "；".join(f"{one.zh} {_turn(one, '无')}" for one in past.changes)
    return Text(zh, "; ".join(f"{one.en} {_turn(one, 'none')}" for one in past.changes))


def _turn(one: FactorChange, none: str) -> str:
    before, after = (place(claim) if claim else none for claim in (one.before, one.after))
    return f"{before} → {after}"


def _later(sessions: int) -> str:
    return f"{sessions} session on" if sessions == 1 else f"{sessions} sessions on"


def _table(rows: list[TableRow]) -> Table:
    judged = any(row.cells.get("judged") for row in rows)
    columns = (
        TableColumn("day", Text("数据截至", "Data as of"), "date"),
        TableColumn("at", Text("评分时间", "Scored at"), "date"),
        total_column(),
        *(
            (TableColumn("judged", Text("模型判断", "The model's judgement"), "text"),)
            if judged
            else ()
        ),
        TableColumn("writer", Text("评分者", "Scored by"), "text"),
        TableColumn("rounds", Text("轮数", "Rounds"), "text"),
        TableColumn("changes", Text("与上一次相比", "Since the one before"), "prose"),
        *(
            TableColumn(f"after_{one}", Text(f"其后 {one} 日", _later(one)), "figure")
            for one in HORIZONS
        ),
        TableColumn("job_id", Text("打开", "Open"), "opens"),
    )
    return Table(
        "history",
        Text("评分记录", "Scores so far"),
        columns,
        tuple(rows),
        Text(
            "其后的涨跌从评分时已知的收盘价算起，按交易所的交易日计；还没有的说明原因，不估算。",
            "What the price did is counted from the close the score knew, in sessions of the "
            "exchange; where it is not known yet the reason is told.",
        ),
    )
