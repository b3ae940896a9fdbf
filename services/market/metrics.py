"""The figures Youju knows: id, names, code, and what they mean. One line adds one.

Names, codes and aliases of analyst metrics follow `data/metric-codes.csv`, which is a contract.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from services.core.candles import PATTERNS
from services.core.formulas import BESIDE, COMPARED
from services.core.metric_codes import METRIC_CODES
from services.core.rendering import Language
from services.core.score_rules import FACTORS

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
    Metric("previous_close", "前收盘", "Previous close", "price", "除权除息日为除权参考价"),
    Metric("gross_margin", "毛利率", "Gross margin", "ratio"),
    Metric("total_revenue", "营业总收入", "Total revenue", "statement", "含利息、手续费等收入"),
    Metric("forecast_eps", "预测每股收益", "Forecast EPS", "statement", "机构预测，不是业绩"),
    Metric("forecast_net_profit", "预测净利润", "Forecast net profit", "statement", "机构预测"),
    Metric("forecast_revenue", "预测营业收入", "Forecast revenue", "statement", "机构预测"),
    Metric("main_net_inflow", "主力净流入", "Main net inflow", "size", "超大单 + 大单"),
    Metric("xlarge_net_inflow", "超大单净流入", "Extra-large net inflow", "size"),
    Metric("large_net_inflow", "大单净流入", "Large net inflow", "size"),
    Metric("medium_net_inflow", "中单净流入", "Medium net inflow", "size"),
    Metric("small_net_inflow", "小单净流入", "Small net inflow", "size"),
    Metric("main_net_inflow_pct", "主力净占比", "Main net inflow %", "ratio", "占成交额"),
    Metric("pmi_manufacturing", "制造业PMI", "Manufacturing PMI", "summary"),
    Metric("pmi_non_manufacturing", "非制造业PMI", "Non-manufacturing PMI", "summary"),
    Metric("m1", "M1", "M1", "summary"),
    Metric("m1_yoy", "M1同比", "M1 YoY", "summary"),
    Metric("m2", "M2", "M2", "summary"),
    Metric("m2_yoy", "M2同比", "M2 YoY", "summary"),
    Metric("cpi_yoy", "CPI同比", "CPI YoY", "summary"),
    Metric("cpi_mom", "CPI环比", "CPI MoM", "summary"),
    Metric("ppi_yoy", "PPI同比", "PPI YoY", "summary"),
    Metric("gdp_ytd", "GDP(累计)", "GDP year to date", "summary", "年初至该季末"),
    Metric("gdp_yoy", "GDP累计同比", "GDP YoY, year to date", "summary"),
    Metric("lpr_1y", "LPR(1年)", "LPR 1y", "summary"),
    Metric("lpr_5y", "LPR(5年以上)", "LPR 5y+", "summary"),
    Metric("social_financing_increment", "社融增量", "Social financing flow", "summary"),
    Metric("social_financing_stock", "社融存量", "Social financing stock", "summary"),
    Metric("eps_ttm", "每股收益(TTM)", "EPS (TTM)", "statement", "近十二个月"),
    *(Metric(f"ma_{n}", f"{n} 日均线", f"MA({n})", "price") for n in (5, 10, 20, 60)),
    *(Metric(f"high_{n}", f"{n} 日最高", f"{n}-session high", "price") for n in (20, 60)),
    *(Metric(f"low_{n}", f"{n} 日最低", f"{n}-session low", "price") for n in (20, 60)),
    Metric("boll_mid", "布林中轨", "Bollinger mid", "price"),
    Metric("boll_upper", "布林上轨", "Bollinger upper", "price"),
    Metric("boll_lower", "布林下轨", "Bollinger lower", "price"),
    Metric("rsi", "RSI(14)", "RSI(14)", "price"),
    Metric("macd_dif", "MACD DIF", "MACD DIF", "price"),
    Metric("macd_dea", "MACD DEA", "MACD signal", "price"),
    Metric("macd_histogram", "MACD 柱", "MACD histogram", "price", "2 × (DIF − DEA)"),
    Metric("kdj_k", "KDJ K", "KDJ K", "price"),
    Metric("kdj_d", "KDJ D", "KDJ D", "price"),
    Metric("kdj_j", "KDJ J", "KDJ J", "price", "3K − 2D"),
    Metric("atr", "ATR(14)", "ATR(14)", "price", "平均真实波幅"),
    Metric("trend_strength", "趋势强度", "Trend strength", "price", "ADX(14) / 100，不分方向"),
    Metric("obv_share", "能量潮净增占比", "OBV share", "size", "近 20 日"),
    Metric("box_height", "箱体高度", "Box height", "price", "近 20 日最高与最低之差"),
    Metric("technical_score", "技术评分", "Technical score", "summary", "规则打分，不是预测"),
    Metric("position_suggestion", "仓位建议", "Position suggestion", "summary", "规则，不是建议"),
    Metric("stop_loss", "止损价", "Stop loss", "price", "规则计算"),
    Metric("take_profit", "止盈价", "Take profit", "price", "规则计算"),
    Metric("signal_confidence", "信号置信度", "Signal confidence", "summary", "不是概率"),
    Metric("limit_up", "涨停价", "Upper limit", "price"),
    Metric("limit_down", "跌停价", "Lower limit", "price"),
    Metric("float_market_cap", "流通市值", "Float market cap", "size"),
    Metric("equity_total", "股东权益合计", "Total equity", "statement", "含少数股东权益"),
    Metric("net_profit_deducted", "扣非净利润", "Net profit excl. one-offs", "statement"),
    Metric("signal_price", "异动价", "Price at the signal", "event"),
    Metric("signal_change", "异动幅度", "Move of the signal", "event", "异动本身，不是当日涨跌幅"),
    Metric("signal_volume", "异动成交量", "Volume of the signal", "event"),
    Metric("signal_amount", "异动成交额", "Turnover of the signal", "event"),
    Metric("seal_fund", "封板资金", "Orders at the limit", "event"),
    Metric("limit_streak", "连板数", "Limit-up streak", "event"),
    Metric("billboard_net", "龙虎榜净买额", "Billboard net buying", "event"),
    Metric("billboard_buy", "龙虎榜买入额", "Billboard buying", "event"),
    Metric("billboard_sell", "龙虎榜卖出额", "Billboard selling", "event"),
    Metric("like_count", "点赞", "Likes", "size"),
    Metric("reply_count", "回复", "Replies", "size"),
    Metric("view_count", "阅读", "Views", "size"),
    Metric("retweet_count", "转发", "Reposts", "size"),
    Metric("followers_count", "粉丝", "Followers", "size"),
    Metric("status_count", "发帖", "Posts written", "size"),
    Metric("forecast_pe", "预测市盈率", "Forecast P/E", "valuation", "机构预测，不是业绩"),
    Metric("forecast_roe", "预测净资产收益率", "Forecast ROE", "ratio", "机构预测，不是业绩"),
    Metric("relevance_score", "相关度", "Relevance", "summary", "按标题与摘要里的名称，0 到 1"),
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
_NAMED = {row.id: row for row in _ROWS}
_PEERS = tuple(
    Metric(f"{name}_peer_{word}", _NAMED[name].zh + zh, f"{_NAMED[name].en}, {en}", "summary")
    for name in COMPARED
    for word, zh, en in (
        ("median", "同行中位数", "median of its peers"),
        ("rank", "同行名次", "rank among its peers"),
        ("count", "同行有数据的公司", "peers with a value"),
    )
)
_BESIDE = tuple(
    Metric(f"{name}_{word}", _NAMED[name].zh + zh, f"{_NAMED[name].en}, {en}", "summary")
    for name in BESIDE
    for word, zh, en in (("difference", "之差", "difference"), ("ratio", "之比", "ratio"))
)
_CANDLES = tuple(
    Metric(f"candle_{one.name}", one.zh, one.en, "event", "1 为成立，−1 为成立且看跌")
    for one in PATTERNS.values()
)
_SCORED = (
    Metric("earnings_yield", "盈利收益率", "Earnings yield", "valuation", "1 / 市盈率"),
    *(
        Metric(
            f"{name}_cheaper",
            f"{_NAMED[name].zh}比它贵的同行占比",
            f"Peers dearer by {_NAMED[name].en}",
            "summary",
        )
        for name in ("pe_ttm", "pe_lyr", "pb")
    ),
    Metric(
        "pe_ttm_own_cheaper", "自身历史中更贵的日子占比", "Own days that were dearer", "summary"
    ),
    Metric("profit_pace", "近四季盈利较上年年报", "Trailing profit against last year's", "ratio"),
    Metric("pct_change_breadth", "同行上涨占比", "Peers that rose", "summary"),
    Metric("ma_60_gap", "收盘与 60 日均线之距", "Close against MA(60)", "price"),
    Metric("return_60", "近60日涨跌幅", "Price change over 60 sessions", "price"),
    Metric("return_250", "近250日涨跌幅", "Price change over 250 sessions", "price"),
    Metric("relative_strength", "相对大盘", "Against the market", "price", "同期涨跌幅之差"),
    Metric("volatility_60", "年化波动率", "Annualised volatility", "price", "近 60 个交易日"),
    Metric("drawdown_250", "最大回撤", "Largest drawdown", "price", "近 250 个交易日"),
    Metric(
        "sharp_falls",
        "近60日大跌日数",
        "Sharp falls in 60 sessions",
        "event",
        "跌 5% 及以上",
    ),
    Metric("worst_session", "近60日最差单日", "Worst of 60 sessions", "event"),
    Metric("amount_20", "日均成交额", "Mean daily turnover", "size", "近 20 日，收盘价 × 成交量"),
    Metric("negative_share", "负面标题占比", "Negative titles", "summary"),
    *(
        Metric(f"{word}_texts", f"{zh}标题数", en, "summary")
        for word, zh, en in (
            ("counted", "有判断的", "Titles judged"),
            ("positive", "正面", "Positive titles"),
            ("negative", "负面", "Negative titles"),
        )
    ),
    *(
        Metric(f"{one.name}_grade", f"{one.zh}得分", f"Grade of {one.en}", "summary")
        for rule in FACTORS.values()
        for one in rule.components
    ),
    *(
        Metric(f"{name}_{word}", f"{rule.zh}{zh}", f"{rule.en}{en}", "summary")
        for name, rule in FACTORS.items()
        for word, zh, en in (("score", "得分", " score"), ("coverage", "数据覆盖度", " coverage"))
    ),
    Metric("hold_score", "持有评分", "Hold score", "summary", "规则计算，不是预测"),
    Metric("score_coverage", "评分数据覆盖度", "Coverage of the score", "summary"),
)
METRICS: Mapping[str, Metric] = {
    row.id: row for row in (*_ROWS, *_JUDGED, *_PEERS, *_BESIDE, *_CANDLES, *_SCORED)
}
