"""The answers of a model, read into records: strict about what counts, lenient about fences.

What cannot be read is no draft, and no approval. Nothing of an answer goes into a message.
"""

import json
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from services.agents.drafting import unfenced
from services.core.errors import YoujuError
from services.core.text import Language, Text
from services.scoring.models import ReviewResult, Saying, ScoreDraft

_LONGEST = 20_000
# So many grounds a score needs, where so many are known.
LEAST_CHOSEN = 4
# Why a reviewer may refuse, and how that is told.
WHYS: Mapping[str, Text] = {
    "mismatch": Text("分数与所选的依据不一致", "the score does not fit its grounds"),
    "one_sided": Text("有一面说得不够", "one side is told too little"),
    "incomplete": Text("要紧的依据没有选", "a ground that matters is left out"),
    "stale": Text("依据的数据过旧", "the grounds are too old"),
    "too_little": Text("数据不足以支持这个分数", "too little data for that score"),
}
_NO_WHY = Text("没有说明理由", "no reason was given")
# What a reviewer may say again of the draft it reviewed, and must then say rightly.
_SCORE_ECHO = "hold_score"


class UnreadableError(YoujuError):
    """An answer has not the shape asked for; `reason` is fit to be told to the model."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ScorerAnswer(NamedTuple):
    """What a scorer answered: whom, how much, and the ids of what it rests that on."""

    stock_code: str
    hold_score: float
    ids: tuple[str, ...]


def read_choice(text: str, known: Sequence[Saying]) -> ScorerAnswer:
    """The choice in a model's answer, ids that were not offered left out; its score may be out of
    range, that is for the review.

    Raises: UnreadableError, also where too few of the ids are of those offered.
    """
    given = _object(text)
    symbol, score, items = (given.get(name) for name in ("stock_code", "hold_score", "chosen"))
    if not isinstance(symbol, str):
        raise UnreadableError("stock_code 必须是字符串")
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        raise UnreadableError("hold_score 必须是 0 到 10 的数字")
    ids = _ids(items, known)
    least = min(LEAST_CHOSEN, len(known))
    if len(ids) < least:
        raise UnreadableError(f"chosen 必须是给出的编号，至少 {least} 个")
    return ScorerAnswer(symbol.strip(), float(score), ids)


def read_review(
    text: str, draft: ScoreDraft, known: Sequence[Saying], language: Language = "zh"
) -> ReviewResult:
    """The verdict in a model's answer to the review of `draft`, its reason in our words.

    Raises: UnreadableError; also when it is about another draft, by the score it repeats.
    """
    given = _object(text)
    symbol, passed, why = (given.get(name) for name in ("stock_code", "passed", "why"))
    if not isinstance(symbol, str):
        raise UnreadableError("stock_code 必须是字符串")
    if not isinstance(passed, bool):
        raise UnreadableError("passed 必须是 true 或 false")
    if not passed and "why" not in given:
        raise UnreadableError("不通过时要有 why")
    if _SCORE_ECHO in given and given[_SCORE_ECHO] != draft.hold_score:
        raise UnreadableError("hold_score 不是这份草稿的评分")
    reason = ""
    if not passed:
        told = WHYS.get(why, _NO_WHY) if isinstance(why, str) else _NO_WHY
        named = {one.id: one.name.in_language(language) for one in known}
        about = dict.fromkeys(named[one] for one in _ids(given.get("ids"), known))
        listed = ("、" if language == "zh" else ", ").join(about)
        colon = "：" if language == "zh" else ": "
        reason = told.in_language(language) + (f"{colon}{listed}" if listed else "")
    return ReviewResult(stock_code=symbol.strip(), passed=passed, reason=reason)


def _ids(items: object, known: Sequence[Saying]) -> tuple[str, ...]:
    """Those that were offered, each once, in the order given."""
    offered = {one.id for one in known}
    listed = cast("Sequence[object]", items) if isinstance(items, list) else ()
    return tuple(dict.fromkeys(one for one in listed if isinstance(one, str) and one in offered))


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
