"""The answers of a model, read into records: strict about what counts, lenient about fences.

What cannot be read is no draft, and no approval. Nothing of an answer goes into a message.
"""

import json
import math
import re
from collections.abc import Mapping
from typing import cast

from services.agents.drafting import unfenced
from services.core.errors import YoujuError
from services.core.text import Language
from services.scoring.models import Draft, ReviewResult

_LONGEST = 20_000
# A place as models write it, and as it must stand: one spelling, never glued to Latin letters.
_LOOSE_PLACE = re.compile(r"\{\{\s*(?:c\s*[:：]\s*)?(c_[0-9a-f]{16})\s*\}\}")
_GLUED = re.compile(r"(?<=[A-Za-z0-9])(?=\{\{c:)|(?<=\}\})(?=[A-Za-z0-9])")
_SPACES = re.compile(r"\s+")
# The marks around outside texts, copied along with a quotation.
_OUR_MARK = re.compile(r"</?外部文本[^<>\n]{0,40}>")
# What a reviewer may say again of the draft it reviewed, and must then say rightly.
_SCORE_ECHO = "hold_score"


class UnreadableError(YoujuError):
    """An answer has not the shape asked for; `reason` is fit to be told to the model."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def read_draft(text: str, *, model: str, language: Language) -> Draft:
    """The draft in a model's answer; its score may be out of range, that is for the review.

    Raises: UnreadableError.
    """
    given = _object(text)
    symbol, score, reason = (
        given.get(name) for name in ("stock_code", "hold_score", "summary_reason")
    )
    if not isinstance(symbol, str):
        raise UnreadableError("stock_code 必须是字符串")
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise UnreadableError("hold_score 必须是 0 到 10 的数字")
    if not isinstance(reason, str) or not reason.strip():
        raise UnreadableError("summary_reason 必须是一段文字")
    return Draft(
        stock_code=symbol.strip(),
        hold_score=float(score),
        summary_reason=_written(reason),
        engine="model",
        model=model,
        language=language,
    )


def read_review(text: str, draft: Draft) -> ReviewResult:
    """The verdict in a model's answer to the review of `draft`.

    Raises: UnreadableError; also when it is about another draft, by the score it repeats.
    """
    given = _object(text)
    symbol, passed, reason = (given.get(name) for name in ("stock_code", "passed", "reason"))
    if not isinstance(symbol, str):
        raise UnreadableError("stock_code 必须是字符串")
    if not isinstance(passed, bool):
        raise UnreadableError("passed 必须是 true 或 false")
    if not isinstance(reason, str):
        raise UnreadableError("reason 必须是字符串")
    if _SCORE_ECHO in given and given[_SCORE_ECHO] != draft.hold_score:
        raise UnreadableError("hold_score 不是这份草稿的评分")
    return ReviewResult(stock_code=symbol.strip(), passed=passed, reason=reason.strip())


def _object(text: str) -> Mapping[str, object]:
    """The one JSON object the text is. Raises: UnreadableError."""
    if len(text) > _LONGEST:
        raise UnreadableError(f"回答超过 {_LONGEST} 个字符")
    try:
        given = json.loads(unfenced(text), object_pairs_hook=_no_repeats)
    except (ValueError, RecursionError):
        raise UnreadableError("回答必须是一个 JSON 对象，前后不能有别的文字") from None
    if not isinstance(given, dict):
        raise UnreadableError("回答必须是一个 JSON 对象")
    return cast("dict[str, object]", given)


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _written(text: str) -> str:
    """One paragraph, every place in its one spelling."""
    plain = _SPACES.sub(" ", _OUR_MARK.sub("", text))
    return _GLUED.sub(" ", _LOOSE_PLACE.sub(r"{{c:\1}}", plain)).strip()
