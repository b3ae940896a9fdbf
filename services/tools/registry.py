"""Every tool there is, by its wire name. One line adds one."""

from collections.abc import Mapping

from services.tools.base import Tool
from services.tools.financial_data import financial_data
from services.tools.knowledge import KNOWLEDGE
from services.tools.price_history import price_history
from services.tools.stock_feed import stock_feed

TOOLS: Mapping[str, Tool] = {
    tool.name: tool for tool in (KNOWLEDGE, stock_feed, financial_data, price_history)
}
