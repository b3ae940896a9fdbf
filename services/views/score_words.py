"""Words of a hold score that its page and its exports use."""

from collections.abc import Mapping

from services.scoring.models import Engine
from services.views.table import Words, reason_words

PART_WORDS: Mapping[str, Words] = {
    "news": Words("新闻与公告", "News and notices"),
    "sector": Words("行业与基本面", "Industry and fundamentals"),
    "kline": Words("日线与走势", "Daily bars and trend"),
}
BY_RULE = Words("规则评分", "scored by rule")
REVIEWED_BY_RULE = Words("规则审核", "reviewed by rule")
DIRECTION_WORDS: Mapping[str, Words] = {
    "positive": Words("有利", "favourable"),
    "negative": Words("不利", "unfavourable"),
    "neutral": Words("中性", "neutral"),
}
VERDICTS: Mapping[bool, Words] = {
    True: Words("通过", "approved"),
    False: Words("否决", "vetoed"),
}
NO_SCORE = "缺少该因子所需的数据，不估算 | what this factor needs is not there; nothing is imputed"


def writer_words(engine: Engine, model: str | None) -> Words:
    """Who scored: the rules, or a model by its name."""
    if engine == "rule":
        return BY_RULE
    return Words(f"模型 {model or '?'}", f"model {model or '?'}")


def reviewer_words(engine: Engine, model: str | None) -> Words:
    """Who reviewed."""
    if engine == "rule":
        return REVIEWED_BY_RULE
    return Words(f"模型 {model or '?'}", f"model {model or '?'}")


def named_engine(text: str | None, ruled: Words) -> Words:
    """An engine as a round tells it: `rule`, or the name of a model."""
    if text is None or text == "rule":
        return ruled
    return Words(f"模型 {text}", f"model {text}")


def all_words(texts: tuple[str, ...]) -> tuple[Words, ...]:
    """Reasons in both languages."""
    return tuple(reason_words(text) for text in texts)
