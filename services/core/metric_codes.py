"""Metric id → its code in `data/metric-codes.csv`, which is a contract. Workings have no code."""

from collections.abc import Mapping

_FINANCE, _VALUE, _QUOTE = "company.finance.", "company.valuation.", "company.quote."

METRIC_CODES: Mapping[str, str] = {
    "current_price": _QUOTE + "price",
    "close": _QUOTE + "price",
    "pct_change": _QUOTE + "pct_change",
    "volume": _QUOTE + "volume",
    "amount": _QUOTE + "amount",
    "market_cap": _QUOTE + "market_cap",
    "pe_ttm": _VALUE + "pe_ttm",
    "pe_lyr": _VALUE + "pe_lyr",
    "pb": _VALUE + "pb",
    "ps_ttm": _VALUE + "ps_ttm",
    "dy_l": _VALUE + "dividend_yield",
    "revenue": _FINANCE + "revenue",
    "net_profit": _FINANCE + "net_profit",
    "total_assets": _FINANCE + "total_assets",
    "total_liabilities": _FINANCE + "total_liabilities",
    "equity": _FINANCE + "equity",
    "eps": _FINANCE + "eps",
    "dps": _FINANCE + "dps",
    "roe": _FINANCE + "roe",
    "gross_margin": _FINANCE + "gross_margin",
    "net_margin": _FINANCE + "net_margin",
    "debt_to_assets": _FINANCE + "debt_to_assets",
}
