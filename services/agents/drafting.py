"""The final answer of a model, read into a draft: strict about its shape, lenient about fences."""

import json
import re
from collections.abc import Mapping
from typing import cast

from pydantic import Field, JsonValue, ValidationError

from services.agents.model import JsonSchema
from services.agents.results import RuntimeDraft, RuntimeName
from services.core.errors import YoujuError
from services.core.record import Record
from services.core.rendering import part_places

_FENCED = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
# What models of the open kind write before their answer, when nobody takes it out.
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)
# A call that was written instead of made: no prose, and never done.
_WRITTEN_CALL = re.compile(r"<\|?/?(?:tool_call|function_call|tool|think)\b|<｜|\"action\"\s*:")
# Evidence marks are ours to set: what a model types is taken out, it would look like proof.
_TYPED_MARK = re.compile(
    r"\s*[\[［【(（]\s*[\^*]*\s*[EeＥ]\s*\d+(?:\s*[,，、;；\-–—~至]\s*[EeＥ]?\s*\d+)*\s*[\]］】)）]"
)
# The marks around outside texts, copied along with a quotation.
_OUR_MARK = re.compile(r"</?外部文本[^<>\n]{0,40}>")
# A place as models write it; it has one spelling.
_LOOSE_PLACE = re.compile(r"\{\{\s*(?:c\s*[:：]\s*)?(c_[0-9a-f]{16})\s*\}\}")
_LONGEST = 1_500
_MOST = 12


class UnreadableDraftError(YoujuError):
    """The final answer has not the shape asked for; `reason` is fit to be told to the model."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class FinalAnswer(Record):
    """The shape of a final answer: texts in which figures are `{{c:ID}}` places."""

    summary: str = Field(min_length=1, max_length=_LONGEST, description="结论摘要，二到四句")
    key_points: tuple[str, ...] = Field(
        min_length=1, max_length=_MOST, description="关键点，一点一条"
    )
    recommendations: tuple[str, ...] = Field(
        default=(), max_length=_MOST, description="值得继续核对或关注的事，不是买卖建议"
    )
    risk_factors: tuple[str, ...] = Field(default=(), max_length=_MOST, description="风险因素")


FINAL_SCHEMA = JsonSchema(
    "final_answer", cast("Mapping[str, JsonValue]", FinalAnswer.model_json_schema())
)


def read_draft(text: str, runtime: RuntimeName, model: str) -> RuntimeDraft:
    """The draft in a model's final answer. Raises: UnreadableDraftError."""
    try:
        given = json.loads(unfenced(text))
    except (ValueError, RecursionError):
        raise UnreadableDraftError("最终回答必须是一个 JSON 对象，前后不能有别的文字") from None
    return draft_of(given, runtime, model)


def unfenced(text: str) -> str:
    """The text without what a model may put around the whole of it: its thoughts, a code fence."""
    bare = _THOUGHT.sub("", text)
    found = _FENCED.match(bare)
    return found.group(1) if found else bare


def draft_of(given: JsonValue, runtime: RuntimeName, model: str) -> RuntimeDraft:
    """As `read_draft`, from JSON that was read already."""
    try:
        answer = FinalAnswer.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"]) or "整个对象"
        raise UnreadableDraftError(f"最终回答的 {place} 不合要求：{first['msg']}") from None
    texts = (answer.summary, *answer.key_points, *answer.recommendations, *answer.risk_factors)
    if any(_WRITTEN_CALL.search(text) for text in texts):
        raise UnreadableDraftError("最终回答里只能有给读者看的话，不能有工具调用")
    draft = RuntimeDraft(
        runtime=runtime,
        model=model,
        summary=_written(answer.summary),
        key_points=tuple(map(_written, answer.key_points)),
        recommendations=tuple(map(_written, answer.recommendations)),
        risk_factors=tuple(map(_written, answer.risk_factors)),
    )
    if any(len(text) > _LONGEST or not text for text in draft.texts):
        raise UnreadableDraftError(f"每条文字须为 1–{_LONGEST} 个字符")
    return draft


def _written(text: str) -> str:
    """The text without marks that are ours to set, every place in its one spelling."""
    plain = _OUR_MARK.sub("", _TYPED_MARK.sub("", text))
    return part_places(_LOOSE_PLACE.sub(r"{{c:\1}}", plain)).strip()
