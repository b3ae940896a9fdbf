"""What a run is called: a page, a question, a score; a tool keeps its wire name."""

from collections.abc import Mapping

from services.core.text import Text

_KINDS: Mapping[str, Text] = {
    "overview": Text("总览", "Overview"),
    "screen": Text("选股", "Screen"),
    "company": Text("公司", "Company"),
    "compare": Text("对比", "Compare"),
    "watch": Text("自选", "Watchlist"),
    "stock": Text("个股", "Stock"),
    "financials": Text("财务", "Financials"),
    "ask": Text("提问", "Question"),
    "analysis": Text("深入分析", "Deep analysis"),
    "score": Text("持有评分", "Hold score"),
    "score_outcomes": Text("评分之后", "After a score"),
    "score_market": Text("全市场评分", "Scores of a market"),
}


def kind_words(kind: str) -> Text:
    """What a kind of run is called."""
    return _KINDS.get(kind, Text(kind, kind))
