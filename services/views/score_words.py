"""Words of a hold score that its page and its exports use."""

from collections.abc import Mapping

from services.core.text import Text
from services.scoring.models import Engine

PART_WORDS: Mapping[str, Text] = {
    "news": Text("新闻与公告", "News and notices"),
    "sector": Text("行业与基本面", "Industry and fundamentals"),
    "kline": Text("日线与走势", "Daily bars and trend"),
}
BY_RULE = Text("规则评分", "scored by rule")
REVIEWED_BY_RULE = Text("规则审核", "reviewed by rule")
DIRECTION_WORDS: Mapping[str, Text] = {
    "positive": Text("有利", "favourable"),
    "negative": Text("不利", "unfavourable"),
    "neutral": Text("中性", "neutral"),
}
VERDICTS: Mapping[bool, Text] = {
    True: Text("通过", "approved"),
    False: Text("否决", "vetoed"),
}
NO_SCORE = Text(
    "缺少该因子所需的数据，不估算", "what this factor needs is not there; nothing is imputed"
)


def writer_words(engine: Engine, model: str | None) -> Text:
    """Who scored: the rules, or a model by its name."""
    if engine == "rule":
        return BY_RULE
    return Text(f"模型 {model or '?'}", f"model {model or '?'}")


def reviewer_words(engine: Engine, model: str | None) -> Text:
    """Who reviewed."""
    if engine == "rule":
        return REVIEWED_BY_RULE
    return Text(f"模型 {model or '?'}", f"model {model or '?'}")


def named_engine(text: str | None, ruled: Text) -> Text:
    """An engine as a round tells it: `rule`, or the name of a model."""
    if text is None or text == "rule":
        return ruled
    return Text(f"模型 {text}", f"model {text}")
