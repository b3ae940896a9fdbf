"""Words of a deep analysis that both its page and its Markdown use."""

from collections.abc import Mapping

from services.agents.results import RuntimeDraft
from services.core.trace import ToolCall
from services.views.sources import CAPABILITY_WORDS
from services.views.table import Words

_RULES: Mapping[str, Words] = {
    "evidence": Words("证据标记", "Marks of evidence"),
    "pe_consistency": Words("市盈率一致", "P/E consistency"),
    "freshness": Words("数据时效", "Freshness"),
    "source_diversity": Words("来源多样", "Diversity of sources"),
    "tool_metadata": Words("来源说明", "Sources stated"),
    "failed_tools": Words("没有取得的内容", "Not obtained"),
    "old_inputs": Words("输入较旧", "Old inputs"),
}
BY_RULE = Words("由规则撰写", "written by rule")
# What stands under the summary, in the order of a draft.
SECTIONS = (
    Words("关键点", "Key points"),
    Words("值得核对", "Worth checking"),
    Words("风险", "Risks"),
)


def rule_words(rule: str) -> Words:
    """What a check of the guardrails is called."""
    return _RULES.get(rule, Words(rule, rule))


def writer_words(draft: RuntimeDraft) -> Words:
    """Who wrote it: which model by which runtime, or the rules."""
    if draft.runtime == "builtin":
        return BY_RULE
    by = f"{draft.model or '?'} ({draft.runtime})"
    return Words(f"模型 {by}", f"model {by}")


def capability_words(call: ToolCall) -> Words:
    """What a call asked for: 估值, 日线, 新闻; its table where that is not known."""
    request = call.arguments.get("request")
    asked = request.get("capability") if isinstance(request, dict) else None
    return CAPABILITY_WORDS.get(str(asked), Words(call.table, call.table))


def points(value: float) -> str:
    """A score or its deduction, without decimals that say nothing."""
    return f"{value:g}"
