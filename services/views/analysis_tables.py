"""The tables of a finished analysis: figures, evidence, tools, calls of the model."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from services.agents.results import CalledTool, CallEvidence, VerifiedFailure
from services.agents.titles import title_of
from services.core.catalogue import CATALOGUE, metric_words
from services.core.claims import Claim
from services.core.errors import InputError
from services.core.model_calls import ModelCall
from services.core.periods import Period
from services.core.text import Text
from services.core.trace import Trace
from services.views.analysis_words import capability_words
from services.views.argument_words import argument_words
from services.views.source_words import error_words, source_words
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
)

FIGURE_COLUMNS = (
    TableColumn("metric", Text("指标", "Metric"), "text"),
    TableColumn("symbol", Text("标的", "Symbol"), "symbol"),
    TableColumn("figure", Text("数值", "Figure"), "figure"),
    TableColumn("period", Text("期间", "Period"), "text"),
    TableColumn("as_of", Text("截至", "As of"), "date"),
    TableColumn("marker", Text("证据", "Evidence"), "text"),
)
EVIDENCE_COLUMNS = (
    TableColumn("marker", Text("证据", "Mark"), "text"),
    TableColumn("what", Text("内容", "What"), "text"),
    TableColumn("source", Text("来源", "Source"), "text"),
    TableColumn("as_of", Text("数据截至", "As of"), "date"),
    TableColumn("fetched_at", Text("取数时间", "Fetched at"), "date"),
    TableColumn("count", Text("文中引用", "Cited figures"), "text"),
    TableColumn("tool_call_id", Text("调用", "Call"), "opens"),
)
TOOL_COLUMNS = (
    TableColumn("tool", Text("工具", "Tool"), "text"),
    TableColumn("asked_by", Text("由谁要求", "Asked by"), "text"),
    TableColumn("outcome", Text("结果", "Outcome"), "text"),
    TableColumn("claims", Text("带回的数", "Figures"), "text"),
    TableColumn("seconds", Text("耗时（秒）", "Seconds"), "text"),
    TableColumn("arguments", Text("问的是什么", "Asked for"), "text"),
)
MODEL_COLUMNS = (
    TableColumn("model", Text("模型", "Model"), "text"),
    TableColumn("purpose", Text("用途", "Purpose"), "text"),
    TableColumn("outcome", Text("结果", "Outcome"), "text"),
    TableColumn("prompt_tokens", Text("输入 tokens", "Prompt tokens"), "text"),
    TableColumn("completion_tokens", Text("输出 tokens", "Completion tokens"), "text"),
    TableColumn("seconds", Text("耗时（秒）", "Seconds"), "text"),
    TableColumn("cost", Text("费用", "Cost"), "text"),
    TableColumn("endpoint", Text("地址", "Endpoint"), "text"),
)
_ASKED_BY = {"plan": Text("流程", "the plan"), "model": Text("模型", "the model")}
_PURPOSES = {"draft": Text("撰写", "writing"), "parse": Text("读题", "reading")}
_QUOTED = Text("引文", "quoted")
_NO_PRICE = Text("价格未知", "price unknown")
_DONE = Text("完成", "done")
_WHOLE_BARS = frozenset({"open", "high", "low", "volume", "amount", "turnover_rate", "return_z"})
_ORDER = {metric: place for place, metric in enumerate(CATALOGUE.figures)}


class _Series(NamedTuple):
    """What one figure is the newest of."""

    symbol: str
    metric: str
    period: str | None


def cited_figures(
    given: Sequence[Claim], evidence: Sequence[CallEvidence], cited: Iterable[str]
) -> Table:
    """Every figure of the text in the order it is met, with the evidence it stands on."""
    claims = {claim.claim_id: claim for claim in given}
    marks: dict[str, list[str]] = {}
    for one in evidence:
        for name in one.claims:
            marks.setdefault(name, []).append(one.marker)
    rows = [_figure(claims[name], marks.get(name, ())) for name in dict.fromkeys(cited)]
    return Table("figures", Text("文中的数字", "Figures in the text"), FIGURE_COLUMNS, tuple(rows))


def standing_figures(failure: VerifiedFailure) -> Table:
    """The figures that stand without a text: the newest of each kind, the company's own first."""
    newest: dict[_Series, Claim] = {}
    for claim in failure.claims:
        if claim.metric in _WHOLE_BARS or claim.metric not in CATALOGUE.figures:
            continue
        key = _Series(claim.symbol, claim.metric, claim.period)
        if key not in newest or claim.as_of > newest[key].as_of:
            newest[key] = claim
    own = failure.analysis_input.symbol
    order = sorted(newest.values(), key=lambda claim: _place(claim, own))
    return Table(
        "figures",
        Text("核对无误的数字", "Figures that stand"),
        tuple(column for column in FIGURE_COLUMNS if column.key != "marker"),
        tuple(_figure(claim, ()) for claim in order),
    )


def evidence_table(evidence: Sequence[CallEvidence], trace: Trace) -> Table:
    """What each mark stands for: one call, its source and its day."""
    calls = {call.tool_call_id: call for call in trace.tool_calls}
    rows = tuple(
        TableRow(
            {
                "marker": one.marker,
                "what": capability_words(calls[one.tool_call_id]),
                "source": source_words(one.source),
                "as_of": one.as_of.isoformat() if one.as_of else None,
                "fetched_at": one.fetched_at.isoformat(),
                "count": str(len(one.claims)) if one.claims else _QUOTED,
                "tool_call_id": one.tool_call_id,
            }
        )
        for one in evidence
    )
    return Table("evidence", Text("证据", "Evidence"), EVIDENCE_COLUMNS, rows)


def tools_table(called: Sequence[CalledTool]) -> Table:
    """Who asked for which tool, how long it took, and what it brought or why nothing."""
    return Table("tools", Text("用过的工具", "Tools used"), TOOL_COLUMNS, tuple(map(_tool, called)))


def models_table(calls: Sequence[ModelCall]) -> Table | None:
    """Every call of a language model; None when there was none."""
    if not calls:
        return None
    return Table(
        "models", Text("模型调用", "Calls of the model"), MODEL_COLUMNS, tuple(map(_model, calls))
    )


def _figure(claim: Claim, marks: Sequence[str]) -> TableRow:
    return TableRow(
        {
            "metric": metric_words(claim.metric),
            "symbol": claim.symbol,
            "figure": claim,
            "period": _period(claim.period),
            "as_of": claim.as_of.isoformat(),
            "marker": " ".join(marks),
        },
        claim.symbol,
    )


def _place(claim: Claim, own: str | None) -> tuple[bool, str, int, str]:
    """The company's own figures first, in the order of the table of metrics, newest first."""
    newest_first = "".join(chr(0x10FFFF - ord(char)) for char in claim.period or "")
    return (claim.symbol != own, claim.symbol, _ORDER[claim.metric], newest_first)


def _period(text: str | None) -> Text | None:
    if text is None:
        return None
    try:
        found = Period.parse(text)
    except InputError:
        return Text(text, text)
    return Text(found.label("zh"), found.label("en"))


def _tool(one: CalledTool) -> TableRow:
    return TableRow(
        {
            "tool": title_of(one.name),
            "asked_by": _ASKED_BY[one.asked_by],
            "outcome": one.message or one.error if one.error else _DONE,
            "claims": str(one.claims),
            "seconds": f"{one.seconds:.2f}",
            "arguments": argument_words(one.arguments),
        }
    )


def cost_of(call: ModelCall) -> str | None:
    """What a call cost, as the table tells it; None where nobody knows its price."""
    return None if call.cost is None else f"{call.cost:.4f} {call.currency or ''}".strip()


def _model(call: ModelCall) -> TableRow:
    return TableRow(
        {
            "model": call.model,
            "purpose": _PURPOSES.get(call.purpose, Text(call.purpose, call.purpose)),
            "outcome": error_words(call.error) if call.error else _DONE,
            "prompt_tokens": _count(call.prompt_tokens),
            "completion_tokens": _count(call.completion_tokens),
            "seconds": f"{call.seconds:.1f}",
            "cost": cost_of(call) or _NO_PRICE,
            "endpoint": call.endpoint,
        }
    )


def _count(number: int | None) -> str | None:
    return None if number is None else str(number)
