"""Judgements and rules that may be cited: each has an id, a statement, a reference and a version.

A figure cited as a competence (a limit of 10 %) must be one of that entry's `values`.
"""

from collections.abc import Mapping
from datetime import date

from services.core.record import Record
from services.core.score_rules import SCORE_RULES, SCORE_UNITS
from services.core.statement_rules import STATEMENT_RULES, STATEMENT_UNITS


class Competence(Record):
    """One registered judgement; `values` maps metric → figure the statement contains, in the unit
    VALUE_UNITS gives that metric.
    """

    competence_id: str
    statement_zh: str
    statement_en: str
    reference: str
    version: str
    effective: date
    values: dict[str, float]


def _entry(
    competence_id: str,
    zh: str,
    en: str,
    reference: str,
    *,
    version: str,
    effective: date,
    values: Mapping[str, float],
) -> Competence:
    return Competence(
        competence_id=competence_id,
        statement_zh=zh,
        statement_en=en,
        reference=reference,
        version=version,
        effective=effective,
        values=dict(values),
    )


VALUE_UNITS: Mapping[str, str] = {
    "price_limit": "percent",
    "suspected_limit": "percent",
    "deviation_limit": "pp",
    "deviation_sessions": "sessions",
    "z_limit": "sigma",
    "z_window": "sessions",
    "volume_limit": "multiple",
    "volume_window": "sessions",
    "gap_limit": "percent",
    "run_sessions": "sessions",
    "run_limit": "percent",
    "index_share": "percent",
    "loss_share": "percent",
    "index_move_limit": "percent",
    "rsi_overbought": "index",
    "rsi_oversold": "index",
    "obv_share_limit": "percent",
    "bullish_from": "score",
    "bearish_to": "score",
    "signal_sessions": "sessions",
    "pattern_sessions": "sessions",
    "breakout_volume": "multiple",
    "box_limit": "percent",
    "box_strength": "index",
    "settled_sessions": "sessions",
    "still_sessions": "sessions",
    "jump_limit": "percent",
    "failed_tool_points": "number",
    "old_input_points": "number",
    "old_input_days": "number",
    "extreme_roe": "percent",
    "extreme_multiple": "multiple",
    "tiny_equity_pb": "multiple",
    "tiny_profit_roe": "percent",
    **SCORE_UNITS,
    **STATEMENT_UNITS,
}
_HOUSE = date(2026, 11, 21)
_ENTRIES = (
    _entry(
        "limit.main.10",
        "沪深主板及 2020-08-24 前的创业板：日涨跌幅限制 10%",
        "SSE/SZSE main board, and ChiNext before 2020-08-24: daily price limit 10 %",
        "沪深证券交易所交易规则",
        version="1",
        effective=date(1996, 12, 16),
        values={"price_limit": 10.0, "suspected_limit": 9.7},
    ),
    _entry(
        "limit.chinext.20",
        "创业板 2020-08-24 起、科创板：日涨跌幅限制 20%",
        "ChiNext from 2020-08-24 and STAR: daily price limit 20 %",
        "深交所创业板交易特别规定；上交所科创板交易特别规定",
        version="1",
        effective=date(2019, 7, 22),
        values={"price_limit": 20.0, "suspected_limit": 19.4},
    ),
    _entry(
        "limit.bse.30",
        "北交所：日涨跌幅限制 30%",
        "BSE: daily price limit 30 %",
        "北京证券交易所交易规则",
        version="1",
        effective=date(2021, 11, 15),
        values={"price_limit": 30.0, "suspected_limit": 29.1},
    ),
    _entry(
        "abnormal.deviation.3d",
        "连续 3 个交易日收盘涨跌幅偏离值累计达到 ±20%：异常波动",
        "Cumulative deviation of closing returns from the index over 3 sessions reaches ±20 %",
        "沪深交易所交易规则：股票交易异常波动",
        version="1",
        effective=date(2006, 7, 1),
        values={"deviation_limit": 20.0, "deviation_sessions": 3.0},
    ),
    _entry(
        "abnormal.z60",
        "单日收益偏离前 60 个交易日均值 3 个标准差以上：异动点（本工作台规则）",
        "One-day return 3 or more deviations from its mean over the previous 60 sessions",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"z_limit": 3.0, "z_window": 60.0},
    ),
    _entry(
        "abnormal.volume20",
        "成交量达到前 20 个交易日均量 3 倍：放量（本工作台规则）",
        "Volume at 3 times or more its mean over the previous 20 sessions (house rule)",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"volume_limit": 3.0, "volume_window": 20.0},
    ),
    _entry(
        "abnormal.gap",
        "开盘价相对前收盘跳空达到 5%（本工作台规则）",
        "Open 5 % or more away from the previous close (house rule)",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"gap_limit": 5.0},
    ),
    _entry(
        "abnormal.index.move",
        "指数单日涨跌达到 5%：异动点（本工作台规则）",
        "An index moves 5 % or more in one session (house rule)",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"index_move_limit": 5.0},
    ),
    _entry(
        "abnormal.run",
        "连续 3 个以上交易日同向且累计涨跌达到 20%：异动区间（本工作台规则）",
        "Three or more sessions in one direction adding up to 20 % or more (house rule)",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"run_sessions": 3.0, "run_limit": 20.0},
    ),
    _entry(
        "abnormal.resumption",
        "停牌后首个交易日：复牌（以交易所日历对照行情缺口推断）",
        "First session after a suspension, inferred from gaps against the exchange calendar",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={},
    ),
    _entry(
        "abnormal.deviation.house",
        "连续 3 个交易日收盘涨跌幅偏离指数累计达到 ±20 个百分点"
        "（本工作台规则，用于没有此项交易所规则的市场）",
        "Cumulative deviation of closing returns from the index over 3 sessions reaches ±20 pp "
        "(house rule, for markets without such an exchange rule)",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"deviation_limit": 20.0, "deviation_sessions": 3.0},
    ),
    _entry(
        "abnormal.with_market",
        "指数同向且幅度达到个股一半以上：随大盘（本工作台规则）",
        "The index moved the same way by half or more of the stock's move: with the market "
        "(house rule)",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"index_share": 50.0},
    ),
    _entry(
        "abnormal.published",
        "异动日及其前后各一个交易日内公布的公告或新闻：列为可能的原因，不断定因果（本工作台规则）",
        "Notices and news from the session before to the session after are listed as possible "
        "causes; that they caused it is not claimed (house rule)",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={},
    ),
    _entry(
        "extreme.base",
        "净资产收益率绝对值达到 100%、市盈率或市净率绝对值达到 300 倍为极端值；其时市净率达到 50 倍"
        "为净资产极小，净资产收益率绝对值不到 2% 为利润接近零（本工作台规则）",
        "A return on equity of 100 % or more, or a PE or PB of 300 or more, either sign, is "
        "extreme; beside it a PB of 50 or more tells of tiny equity, and a return on equity below "
        "2 % of a profit near zero (house rule)",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={
            "extreme_roe": 100.0,
            "extreme_multiple": 300.0,
            "tiny_equity_pb": 50.0,
            "tiny_profit_roe": 2.0,
        },
    ),
    _entry(
        "flag.exchange.lhb",
        "当日列入交易所交易公开信息（龙虎榜）：异动点",
        "On the exchange's list of unusual trades (龙虎榜) that day",
        "沪深北交易所交易公开信息",
        version="1",
        effective=_HOUSE,
        values={},
    ),
    _entry(
        "flag.watch.em",
        "当日出现在东方财富盘口异动或涨停、跌停、炸板池：异动点（只作标记，不作解释）",
        "Flagged by Eastmoney's watch of trading or in its limit pools that day: a mark only",
        "东方财富盘口异动与涨跌停池",
        version="1",
        effective=_HOUSE,
        values={},
    ),
    _entry(
        "indicator.trend",
        "收盘 > MA20 > MA60 为上行，收盘 < MA20 < MA60 为下行，其余为震荡；"
        "MA5 > MA10 > MA20 > MA60 为多头排列，反之为空头排列",
        "Up: close > MA20 > MA60; down: the reverse; else sideways. Bullish alignment: "
        "MA5 > MA10 > MA20 > MA60; bearish: the reverse",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={},
    ),
    _entry(
        "indicator.rsi",
        "RSI(14) 高于 70 为超买，低于 30 为超卖",
        "RSI(14) above 70 is overbought, below 30 oversold",
        "J. W. Wilder, New Concepts in Technical Trading Systems (1978)",
        version="1",
        effective=_HOUSE,
        values={"rsi_overbought": 70.0, "rsi_oversold": 30.0},
    ),
    _entry(
        "indicator.obv",
        "近 20 日能量潮净增达到成交量的 10% 为上行，净减达到 10% 为下行，其余为走平",
        "OBV that gains 10 % of the last 20 sessions' volume rises, one that loses it falls",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"obv_share_limit": 10.0},
    ),
    _entry(
        "indicator.patterns",
        "突破：收盘高于此前 20 日最高；破位：收盘低于此前 20 日最低；"
        "放量突破：收盘高于此前 60 日最高且成交量达到前 20 日均量 1.5 倍；"
        "金叉、死叉：MA5 与 MA20 或 DIF 与 DEA 换位；"
        "跳空：最低高于前一日最高或最高低于前一日最低；布林越轨：收盘在 2 倍标准差之外；"
        "箱体：近 20 日最高与最低相差不超过 10%，且 ADX(14) 不超过 20。"
        "列近 10 个交易日，形态延续时只列首日与最后一日",
        "Breakout: close above the 20 sessions' high before it (breakdown: below their low); "
        "volume breakout: above that of 60 sessions on 1.5 times the volume of 20; crosses: MA5 "
        "with MA20, or DIF with DEA; gap: low above the high before (or high below the low); band "
        "breaks: close beyond two deviations; box: high and low of 20 sessions within 10 % and "
        "ADX(14) at 20 or below. Listed over 10 sessions; one that lasts on its first day "
        "and on the last",
        "Youju house rule",
        version="2",
        effective=_HOUSE,
        values={
            "pattern_sessions": 10.0,
            "breakout_volume": 1.5,
            "box_limit": 10.0,
            "box_strength": 0.2,
        },
    ),
    _entry(
        "indicator.candles",
        "K 线形态按 TA-Lib 的通行尺度：实体长短对照前 10 根实体均值，"
        "十字星实体不超过前 10 根振幅均值的十分之一；不考察此前趋势。"
        "本工作台自行重算十六种，与 TA-Lib 不一致的不列",
        "Candlestick patterns by the widths TA-Lib made customary: a body is long or short against "
        "the mean of ten before it, a doji's is at most a tenth of their mean range; the trend "
        "before is not asked. Sixteen are computed here, and left out where TA-Lib disagrees",
        "TA-Lib candle settings",
        version="1",
        effective=_HOUSE,
        values={},
    ),
    _entry(
        "indicator.settled",
        "RSI、MACD、KDJ、ATR、ADX 等递推指标不足 120 根日线不给：起点的影响尚未消退",
        "Recursive indicators (RSI, MACD, KDJ, ATR, ADX) need 120 bars: before that where they "
        "start still shows",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"settled_sessions": 120.0},
    ),
    _entry(
        "indicator.still",
        "近 20 个交易日价格没有任何变动：没有信号，不评分、不列形态",
        "Prices that did not move at all for 20 sessions give no signal, score or pattern",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"still_sessions": 20.0},
    ),
    _entry(
        "indicator.unadjusted",
        "价格未复权且相邻两日收盘相差超过 30%：视为除权或拆股，此前的日线不用于指标",
        "Unadjusted closes more than 30 % apart from one session to the next count as a split or "
        "ex-date: bars before it are not used",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"jump_limit": 30.0},
    ),
    _entry(
        "indicator.levels",
        "支撑为收盘之下、阻力为收盘之上的 20 与 60 日高低、MA20、MA60、布林上下轨，由近及远各三个",
        "Support below and resistance above the close, of the 20- and 60-session highs and lows, "
        "MA20, MA60 and the Bollinger bands: the nearest three of each",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={},
    ),
    _entry(
        "indicator.score",
        "技术评分以 50 为中性：收盘/MA5、MA5/MA20、MA20/MA60、MACD 柱各 ±10，能量潮 ±5，"
        "RSI 超卖 +5、超买 −5；不是预测",
        "Technical score, 50 neutral: close/MA5, MA5/MA20, MA20/MA60 and the MACD histogram ±10 "
        "each, OBV ±5, RSI oversold +5, overbought −5; no forecast",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={},
    ),
    _entry(
        "indicator.stance",
        "评分不低于 65 为偏多，不高于 35 为偏空，其余为中性",
        "A score of 65 or more is bullish, of 35 or less bearish, else neutral",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"bullish_from": 65.0, "bearish_to": 35.0},
    ),
    _entry(
        "indicator.exit",
        "止损为收盘减 2 倍 ATR(14)，止盈为收盘加 3 倍；偏空时不给。仓位自评分 35 起线性升至 0.8。"
        "均为规则计算，不构成投资建议",
        "Stop loss: close less 2 ATR(14); take profit: close plus 3; none when bearish. The "
        "position rises in line with the score from nil at 35 to 0.8. Rules, no advice",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={},
    ),
    _entry(
        "indicator.signal",
        "近 60 个交易日内 MA5/MA20 或 MACD 金叉为买入信号、死叉为卖出信号，最后一日按评分立场；"
        "置信度由当日评分折算，不是概率",
        "Crosses of MA5/MA20 or MACD within 60 sessions: golden is buy, death is sell; the last "
        "day goes by the stance. Confidence is the day's score rescaled, no probability",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"signal_sessions": 60.0},
    ),
    _entry(
        "valuation.loss",
        "有总市值而无市盈率(LYR)，通常意味着最近年报亏损（抽查 98%）",
        "Market value without PE(LYR) usually means a loss last year (98 % of cases checked)",
        "Youju snapshot study",
        version="1",
        effective=_HOUSE,
        values={"loss_share": 98.0},
    ),
    _entry(
        "report.confidence",
        "报告的可信度在校验规范之外再扣：每个没有取得结果的工具 5 分；"
        "引用的股价、估值各自最新的一日距今超过 11 天，每项 5 分",
        "Beyond its specification the confidence of a report is lowered by 5 for each tool that "
        "brought nothing, and by 5 each where the newest price or valuation it cites is more than "
        "11 days old",
        "Youju house rule",
        version="1",
        effective=_HOUSE,
        values={"failed_tool_points": 5.0, "old_input_points": 5.0, "old_input_days": 11.0},
    ),
    *(
        _entry(
            rule.competence_id,
            rule.zh,
            rule.en,
            "Youju house rule",
            version="1",
            effective=_HOUSE,
            values=rule.values,
        )
        for rule in (*SCORE_RULES, *STATEMENT_RULES)
    ),
)
COMPETENCES: Mapping[str, Competence] = {entry.competence_id: entry for entry in _ENTRIES}
