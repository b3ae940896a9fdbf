"""What each tool is called before readers: Chinese and English."""

from collections.abc import Mapping

TITLES: Mapping[str, tuple[str, str]] = {
    "knowledge": ("知识库", "knowledge base"),
    "webSearch": ("全网搜索", "web search"),
    "xqSearchQuery": ("站内搜索", "community search"),
    "xqSearchStockFeed": ("异动与公告", "abnormal moves and notices"),
    "xqSearchUserFeed": ("用户动态", "member feeds"),
    "xqVisit": ("打开网页", "page visit"),
    "xqStockFinancialData": ("财务数据", "financial data"),
    "get_price_history": ("历史行情", "price history"),
    "get_fundamentals_info": ("基本面", "fundamentals"),
    "get_financial_reports": ("财报", "financial reports"),
    "peer_compare": ("同行对比", "peers"),
    "get_macro_data": ("宏观数据", "macro data"),
    "search_news": ("新闻", "news"),
    "search_web": ("联网检索", "web search"),
    "compute_indicators": ("技术指标", "indicators"),
    "unknown_tool": ("未知的工具", "unknown tool"),
}


def title_of(tool: str) -> str:
    """`中文 | English`; the tool's own name for one that is not known."""
    zh, en = TITLES.get(tool, (tool[:60], tool[:60]))
    return f"{zh} | {en}"
