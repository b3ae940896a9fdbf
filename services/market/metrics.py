"""The figures Youju knows: id, names, code, and what they mean. One line adds one.

Names, codes and aliases of analyst metrics follow `data/metric-codes.csv`, which is a contract.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from services.core.metric_codes import METRIC_CODES
from services.core.rendering import Language

Kind = Literal["price", "valuation", "statement", "ratio", "size", "event", "summary"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One figure; `code` is its metadata code, null where nobody asks for it by name."""

    id: str
    zh: str
    en: str
    kind: Kind
    meaning: str = ""

    @property
    def code(self) -> str | None:
        """Its metadata code; None for workings that are not asked for by name."""
        return METRIC_CODES.get(self.id)

    def label(self, language: Language) -> str:
        """Its name as shown."""
        return self.zh if language == "zh" else self.en


_ROWS = (
    Metric("current_price", "当前价", "Current price", "price", "盘中实时成交价"),
    Metric("close", "最近收盘", "Last close", "price", "最近一个交易日收盘价"),
    Metric("open", "开盘", "Open", "price"),
    Metric("high", "最高", "High", "price"),
    Metric("low", "最低", "Low", "price"),
    Metric("change", "涨跌额", "Change", "price"),
    Metric("pct_change", "涨跌幅", "Change %", "price", "相对前收盘"),
    Metric("volume", "成交量", "Volume", "size", "当日成交股数"),
    Metric("amount", "成交额", "Turnover", "size"),
    Metric("market_cap", "总市值", "Market cap", "size", "股价 × 总股本"),
    Metric("total_shares", "总股本", "Total shares", "size"),
    Metric("float_shares", "流通股", "Float shares", "size"),
    Metric("amplitude", "振幅", "Amplitude", "price"),
    Metric("turnover_rate", "换手率", "Turnover rate", "price"),
    Metric(
        "pe_ttm",
        "市盈率(TTM)",
        "P/E (TTM)",
        "valuation",
        "股价 / 近十二个月每股收益",
    ),
    Metric(
        "pe_lyr",
        "市盈率(LYR)",
        "P/E (LYR)",
        "valuation",
        "股价 / 最近年报每股收益",
    ),
    Metric("pb", "市净率(MRQ)", "P/B (MRQ)", "valuation", "股价 / 最近一季每股净资产"),
    Metric(
        "ps_ttm",
        "市销率(TTM)",
        "P/S (TTM)",
        "valuation",
        "总市值 / 近十二个月营业收入",
    ),
    Metric(
        "dy_l",
        "股息率",
        "Dividend yield",
        "valuation",
        "每股股利 / 股价",
    ),
    Metric("revenue", "营业收入", "Revenue", "statement"),
    Metric("net_profit", "净利润", "Net profit", "statement", "归属母公司股东"),
    Metric("total_assets", "总资产", "Total assets", "statement"),
    Metric(
        "total_liabilities",
        "总负债",
        "Total liabilities",
        "statement",
    ),
    Metric("equity", "归母净资产", "Equity", "statement"),
    Metric("net_profit_total", "净利润(含少数股东)", "Net profit incl. minorities", "statement"),
    Metric("eps", "每股收益", "EPS", "statement", "基本每股收益"),
    Metric("dps", "每股股利", "DPS", "statement", "该财年每股现金股利"),
    Metric("bps", "每股净资产", "Book value per share", "statement"),
    Metric("roe", "净资产收益率", "ROE", "ratio"),
    Metric("net_margin", "净利率", "Net margin", "ratio"),
    Metric("debt_to_assets", "资产负债率", "Debt to assets", "ratio"),
    Metric("revenue_yoy", "营收同比", "Revenue YoY", "ratio"),
    Metric("net_profit_yoy", "净利润同比", "Net profit YoY", "ratio"),
    Metric("gap", "跳空", "Gap", "event"),
    Metric("deviation", "偏离值", "Deviation", "event"),
    Metric("cumulative_deviation", "三日累计偏离值", "3-session deviation", "event"),
    Metric("run_change", "区间涨跌幅", "Run change", "event"),
    Metric("volume_multiple", "量比(20日)", "Volume multiple (20)", "event"),
    Metric("return_z", "收益偏离(60日σ)", "Return z (60)", "event"),
    Metric("suspended_sessions", "停牌交易日数", "Suspended sessions", "event"),
    Metric("price_limit", "涨跌幅限制", "Price limit", "event"),
    Metric("suspected_limit", "疑似涨跌停阈值", "Suspected limit", "event"),
    Metric("index_move_limit", "指数单日涨跌阈值", "Index move limit", "event"),
    Metric("company_count", "公司数", "Companies", "summary"),
    Metric("match_count", "符合条件", "Matches", "summary"),
    Metric("judged_count", "有该项数据", "With a value", "summary"),
    Metric("loss_count", "亏损/未给出", "Loss or not given", "summary"),
    Metric("market_cap_sum", "总市值合计", "Total market cap", "summary"),
    Metric("pe_ttm_median", "市盈率(TTM)中位数", "Median P/E (TTM)", "summary"),
    Metric("pe_lyr_median", "市盈率(LYR)中位数", "Median P/E (LYR)", "summary"),
    Metric("pb_median", "市净率中位数", "Median P/B", "summary"),
)
# One count per screening field: how many companies of the market have a value for it.
SCREEN_FIELDS: Mapping[str, str] = {
    "pct": "pct_change",
    "dy_l": "dy_l",
    "pettm": "pe_ttm",
    "pelyr": "pe_lyr",
    "roediluted": "roe",
    "pb": "pb",
    "netprofit": "net_profit",
    "total_revenue": "revenue",
    "tl": "total_liabilities",
    "market_cap": "market_cap",
}
_JUDGED = tuple(
    Metric(f"judged_{name}", "有数据的公司", "Companies with a value", "summary")
    for name in SCREEN_FIELDS
)
METRICS: Mapping[str, Metric] = {row.id: row for row in (*_ROWS, *_JUDGED)}
