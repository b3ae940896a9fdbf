"""Words of a deep analysis that both its page and its Markdown use."""

from collections.abc import Mapping

from services.agents.results import RuntimeDraft
from services.core.text import Text
from services.core.trace import ToolCall
from services.views.source_words import CAPABILITY_WORDS

_RULES: Mapping[str, Text] = {
    "evidence": Text("证据标记", "Marks of evidence"),
    "pe_consistency": Text("市盈率一致", "P/E consistency"),
    "freshness": Text("数据时效", "Freshness"),
    "source_diversity": Text("来源多样", "Diversity of sources"),
    "tool_metadata": Text("来源说明", "Sources stated"),
    "failed_tools": Text("缺口", "Gaps"),
    "old_inputs": Text("新旧", "Age"),
}
BY_RULE = Text("由规则撰写", "written by rule")
# What stands under the summary, in the order of a draft.
SECTIONS = (
    Text("关键点", "Key points"),
    Text("值得核对", "Worth checking"),
    Text("风险", "Risks"),
)

# Free words of a model, set apart: nothing of them is under the seal.
OPINIONS = Text("模型看法（未核对）", "Model's view (not verified)")


def rule_words(rule: str) -> Text:
    """What a check of the guardrails is called."""
    return _RULES.get(rule, Text(rule, rule))


def writer_words(draft: RuntimeDraft) -> Text:
    """Who wrote it: which model by which runtime, or the rules."""
    if draft.runtime == "builtin":
        return BY_RULE
    by = f"{draft.model or '?'} ({draft.runtime})"
    return Text(f"模型 {by}", f"model {by}")


def capability_words(call: ToolCall) -> Text:
    """What a call asked for: 估值, 日线, 新闻; its table where that is not known."""
    request = call.arguments.get("request")
    asked = request.get("capability") if isinstance(request, dict) else None
    return CAPABILITY_WORDS.get(str(asked), Text(call.table, call.table))


def points(value: float) -> str:
    """A score or its deduction, without decimals that say nothing."""
    return f"{value:g}"
