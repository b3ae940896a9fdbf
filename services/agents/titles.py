"""What each tool is called before readers: Chinese and English."""

from collections.abc import Mapping

from services.core.text import Text

TITLES: Mapping[str, Text] = {
    "knowledge": Text("知识库", "knowledge base"),
    "webSearch": Text("全网搜索", "web search"),
    "xqSearchQuery": Text("站内搜索", "community search"),
    "xqSearchStockFeed": Text("异动与公告", "abnormal moves and notices"),
    "xqSearchUserFeed": Text("用户动态", "member feeds"),
    "xqVisit": Text("打开网页", "page visit"),
    "xqStockFinancialData": Text("财务数据", "financial data"),
    "get_price_history": Text("历史行情", "price history"),
    "get_fundamentals_info": Text("基本面", "fundamentals"),
    "get_financial_reports": Text("财报", "financial reports"),
    "peer_compare": Text("同行对比", "peers"),
    "get_macro_data": Text("宏观数据", "macro data"),
    "search_news": Text("新闻", "news"),
    "search_web": Text("联网检索", "web search"),
    "compute_indicators": Text("技术指标", "indicators"),
    "unknown_tool": Text("未知的工具", "unknown tool"),
}


# The series of `get_macro_data`, each of which may be missing by itself.
SERIES_TITLES: Mapping[str, Text] = {
    "pmi": Text("采购经理指数", "PMI"),
    "money_supply": Text("货币供应", "money supply"),
    "cpi": Text("CPI", "CPI"),
    "ppi": Text("PPI", "PPI"),
    "gdp": Text("GDP", "GDP"),
    "lpr": Text("LPR", "LPR"),
    "social_financing": Text("社会融资规模", "social financing"),
    "fund_flow": Text("市场资金流", "money flow"),
    "market_summary": Text("全市场概况", "the market as a whole"),
    "market_index": Text("指数行情", "the index"),
}


def title_of(tool: str) -> Text:
    """The tool's own name for one that is not known."""
    return TITLES.get(tool, Text.of(tool[:60]))
