"""Every tool there is, by its wire name. One line adds one."""

from collections.abc import Mapping

from services.tools.base import Tool
from services.tools.financial_data import financial_data
from services.tools.financial_reports import financial_reports
from services.tools.fundamentals_info import fundamentals_info
from services.tools.indicators import compute_indicators
from services.tools.knowledge import KNOWLEDGE
from services.tools.macro_data import macro_data
from services.tools.news import search_news
from services.tools.peer_compare import peer_compare
from services.tools.price_history import price_history
from services.tools.search_web import search_web
from services.tools.site_search import search_community
from services.tools.stock_feed import stock_feed
from services.tools.user_feed import user_feed
from services.tools.visit import visit
from services.tools.web_search import search_the_web

TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        KNOWLEDGE,
        search_the_web,
        search_community,
        stock_feed,
        user_feed,
        visit,
        financial_data,
        price_history,
        fundamentals_info,
        financial_reports,
        peer_compare,
        macro_data,
        search_news,
        search_web,
        compute_indicators,
    )
}
