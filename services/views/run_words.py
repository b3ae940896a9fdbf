"""What a run is called: a page, a question, a score; a tool keeps its wire name."""

from collections.abc import Mapping

from services.views.table import Words

_KINDS: Mapping[str, Words] = {
    "overview": Words("总览", "Overview"),
    "screen": Words("选股", "Screen"),
    "stock": Words("个股", "Stock"),
    "financials": Words("财务", "Financials"),
    "ask": Words("提问", "Question"),
    "analysis": Words("深入分析", "Deep analysis"),
    "score": Words("持有评分", "Hold score"),
    "score_outcomes": Words("评分之后", "After a score"),
    "score_market": Words("全市场评分", "Scores of a market"),
}


def kind_words(kind: str) -> Words:
    """What a kind of run is called."""
    return _KINDS.get(kind, Words(kind, kind))
