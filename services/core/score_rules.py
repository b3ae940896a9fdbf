"""The factor model of the hold score: what is graded, between which figures, and what it weighs.

Each component is graded from 0 to 10 on a straight line between two figures (of the logarithm where
`log`), each factor is the weighted mean of the grades there are, the score that of the factors.
core/score_formulas.py computes it, core/competence.py registers every figure as a judgement.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Component(NamedTuple):
    """One graded figure. `metrics`: what it may be, the first there is; `part`: its weight in
    percent of its factor. `from_`/`to`: the figures that stand for 0 and for 10.

    `currency`: only of an amount in that currency; such components are one and the same in the
    weights, under `name`. `if_any`: it counts only where there is something to judge.
    """

    name: str
    metrics: tuple[str, ...]
    zh: str
    en: str
    from_: float
    to: float
    unit: str
    part: float
    log: bool = False
    currency: str = ""
    if_any: bool = False

    @property
    def key(self) -> str:
        """What its limits are called by: the name, with the currency where there is one."""
        return f"{self.name}_{self.currency.lower()}" if self.currency else self.name


class FactorRule(NamedTuple):
    """A factor: its weight in percent of the score, and its components."""

    zh: str
    en: str
    weight: float
    components: tuple[Component, ...]


def _sizes(
    name: str, metric: str, zh: str, en: str, part: float, limits: Mapping[str, tuple[float, float]]
) -> tuple[Component, ...]:
    """The same component for amounts in each currency."""
    return tuple(
        Component(name, (metric,), zh, en, low, high, currency, part, log=True, currency=currency)
        for currency, (low, high) in limits.items()
    )


FACTORS: Mapping[str, FactorRule] = {
    "valuation": FactorRule(
        "估值",
        "Valuation",
        20,
        (
            Component(
                "earnings_yield",
                ("earnings_yield",),
                "盈利收益率（市盈率的倒数）",
                "earnings yield (the inverse of P/E)",
                0,
                10,
                "percent",
                25,
            ),
            Component(
                "pe_peers",
                ("pe_ttm_cheaper", "pe_lyr_cheaper"),
                "市盈率在同行中的位置",
                "P/E beside its peers",
                0,
                100,
                "percent",
                30,
            ),
            Component(
                "pb_peers",
                ("pb_cheaper",),
                "市净率在同行中的位置",
                "P/B beside its peers",
                0,
                100,
                "percent",
                25,
            ),
            Component(
                "own_history",
                ("pe_ttm_own_cheaper",),
                "市盈率在自身历史中的位置",
                "P/E beside its own history",
                0,
                100,
                "percent",
                10,
            ),
            Component("dividend", ("dy_l",), "股息率", "dividend yield", 0, 5, "percent", 10),
        ),
    ),
    "quality": FactorRule(
        "盈利质量",
        "Quality",
        20,
        (
            Component("roe", ("roe",), "净资产收益率", "ROE", 0, 20, "percent", 50),
            Component("margin", ("net_margin",), "净利率", "net margin", 0, 25, "percent", 25),
            Component(
                "debt", ("debt_to_assets",), "资产负债率", "debt to assets", 90, 30, "percent", 25
            ),
        ),
    ),
    "growth": FactorRule(
        "成长",
        "Growth",
        15,
        (
            Component(
                "sales_growth",
                ("revenue_yoy",),
                "营收同比",
                "revenue growth",
                -10,
                30,
                "percent",
                35,
            ),
            Component(
                "profit_growth",
                ("net_profit_yoy",),
                "净利润同比",
                "net profit growth",
                -20,
                40,
                "percent",
                35,
            ),
            Component(
                "profit_pace",
                ("profit_pace",),
                "近四季盈利较上年年报的变化",
                "trailing profit against the last annual report",
                -10,
                10,
                "percent",
                30,
            ),
        ),
    ),
    "momentum": FactorRule(
        "动量与趋势",
        "Momentum and trend",
        15,
        (
            Component(
                "quarter",
                ("return_60",),
                "近一季股价变动",
                "price change over a quarter",
                -20,
                20,
                "percent",
                30,
            ),
            Component(
                "year",
                ("return_250",),
                "近一年股价变动",
                "price change over a year",
                -30,
                50,
                "percent",
                20,
            ),
            Component(
                "above_mean",
                ("ma_60_gap",),
                "收盘相对季线的位置",
                "close against its quarterly mean",
                -10,
                10,
                "percent",
                25,
            ),
            Component(
                "against_index",
                ("relative_strength",),
                "相对大盘的强弱",
                "strength against the market",
                -15,
                15,
                "pp",
                25,
            ),
        ),
    ),
    "risk": FactorRule(
        "波动与回撤",
        "Volatility and drawdown",
        10,
        (
            Component(
                "volatility", ("volatility_60",), "波动率", "volatility", 60, 15, "percent", 50
            ),
            Component(
                "drawdown", ("drawdown_250",), "最大回撤", "largest drawdown", 50, 10, "percent", 50
            ),
        ),
    ),
    "events": FactorRule(
        "事件风险",
        "Event risk",
        10,
        (
            Component(
                "sharp_falls",
                ("sharp_falls",),
                "近一季大跌的交易日数",
                "sessions of a sharp fall within a quarter",
                6,
                0,
                "sessions",
                40,
            ),
            Component(
                "worst_session",
                ("worst_session",),
                "近一季最差单日",
                "worst session within a quarter",
                -10,
                -2,
                "percent",
                30,
            ),
            Component(
                "tone",
                ("negative_share",),
                "新闻与公告中的负面占比",
                "share of negative news and notices",
                80,
                0,
                "percent",
                30,
            ),
            Component(
                "suspension",
                ("suspended_sessions",),
                "最近一次停牌",
                "the latest suspension",
                20,
                0,
                "sessions",
                30,
                if_any=True,
            ),
        ),
    ),
    "liquidity": FactorRule(
        "流动性",
        "Liquidity",
        10,
        (
            *_sizes(
                "traded",
                "amount_20",
                "日均成交额",
                "mean daily turnover",
                60,
                {"CNY": (1e7, 2e9), "HKD": (1e7, 2e9), "USD": (2e6, 4e8)},
            ),
            *_sizes(
                "size",
                "market_cap",
                "总市值",
                "market value",
                40,
                {"CNY": (2e9, 2e11), "HKD": (2e9, 2e11), "USD": (3e8, 3e10)},
            ),
            # Who cannot sell has no use of a large company.
            Component(
                "suspension",
                ("suspended_sessions",),
                "最近一次停牌",
                "the latest suspension",
                20,
                0,
                "sessions",
                60,
                if_any=True,
            ),
        ),
    ),
}
# Industries whose debts are their business: what they owe says nothing of their soundness.
LENDERS = ("银行", "保险", "证券", "多元金融", "金融", "券商", "信托")
TOTAL_ID = "score.total"
FRESH_ID = "score.fresh"
STANCE_ID = "score.stance"
PEERS_ID = "score.peers"
TONE_ID = "score.tone"
MODEL_ID = "score.model"


class Rule(NamedTuple):
    """A row for core/competence.py."""

    competence_id: str
    zh: str
    en: str
    values: Mapping[str, float]


def factor_id(factor: str) -> str:
    """The competence that holds a factor's limits and weights."""
    return f"score.{factor}"


def _say_limit(value: float, unit: str, *, zh: bool) -> str:
    percent = {"percent": "%", "pp": " 个百分点" if zh else " pp"}
    if unit in percent:
        return f"{value:g}{percent[unit]}"
    if unit == "sessions":
        return f"{value:g} 个交易日" if zh else f"{value:g} sessions"
    if zh:
        return f"{value / 1e8:g} 亿 {unit}"
    return f"{unit} {value / 1e6:,.0f}m"


def _factor_rule(factor: str, rule: FactorRule) -> Rule:
    values: dict[str, float] = {}
    told_zh: list[str] = []
    told_en: list[str] = []
    for one in rule.components:
        values |= {f"{one.key}_from": one.from_, f"{one.key}_to": one.to}
        values[f"{one.name}_part"] = one.part
        ends = [_say_limit(end, one.unit, zh=True) for end in (one.from_, one.to)]
        told_zh.append(f"{one.zh} {ends[0]} 记 0 分、{ends[1]} 记 10 分，占 {one.part:g}%")
        ends = [_say_limit(end, one.unit, zh=False) for end in (one.from_, one.to)]
        told_en.append(f"{one.en}: {ends[0]} is 0, {ends[1]} is 10, {one.part:g} % of it")
    zh = f"{rule.zh}：{'；'.join(told_zh)}；其间线性（金额按对数），缺项不估，权重在其余项间重分"
    en = (
        f"{rule.en}: {'; '.join(told_en)}; a straight line between (of logarithms for amounts); "
        "what is missing is not imputed, the weights are of what is there"
    )
    return Rule(factor_id(factor), zh, en, values)


_DAYS = (
    *("price_days", "valuation_days", "report_days", "past_days", "public_days"),
    "tone_days",
)
_WEIGHTS = {f"{factor}_weight": rule.weight for factor, rule in FACTORS.items()}
SCORE_RULES: tuple[Rule, ...] = (
    *(_factor_rule(factor, rule) for factor, rule in FACTORS.items()),
    Rule(
        TOTAL_ID,
        "持有评分为各因子得分的加权平均："
        + "、".join(f"{rule.zh} {rule.weight:g}%" for rule in FACTORS.values())
        + "；缺失的因子不估，权重在其余因子间重分；数据覆盖度低于 0.33 不评分",
        "The hold score is the weighted mean of the factors: "
        + ", ".join(f"{rule.en} {rule.weight:g} %" for rule in FACTORS.values())
        + "; a missing factor is not imputed, weights are of those there are; no score where less "
        "than 0.33 of what it needs is there",
        {**_WEIGHTS, "least_coverage": 0.33},
    ),
    Rule(
        FRESH_ID,
        "评分只用够新的数据：日线距评分日不超过 30 天，估值不超过 100 天，年报期末不超过 550 天；"
        "既没有近期股价又没有近期估值时，不评今天，改评最近一个交易日（不早于 550 天前），"
        "只用当日已公布的数据（年报没有公告日的，按期末后 120 天计），之后公布的只告知、不计分",
        "A score uses recent figures only: bars within 30 days of its day, valuations within 100, "
        "annual reports that ended within 550; with neither a recent price nor a recent valuation "
        "it is not of today but of the last session there is (no more than 550 days back), on what "
        "was public then (an annual report 120 days after its year, unless it says when); what "
        "came later is told, not graded",
        {
            "price_days": 30,
            "valuation_days": 100,
            "report_days": 550,
            "past_days": 550,
            "public_days": 120,
        },
    ),
    Rule(
        STANCE_ID,
        "评分不低于 6.5 为可以继续持有，不高于 4 为不建议持有，其余为中性；"
        "数据覆盖度低于 0.6 时只说已有数据的倾向",
        "A score of 6.5 or more says hold, of 4 or less not to hold, else neutral; where coverage "
        "is below 0.6 only which way the data leans",
        {"hold_from": 6.5, "avoid_to": 4.0, "thin_below": 0.6},
    ),
    Rule(
        PEERS_ID,
        "同行取同一行业中总市值最大的 20 家；同行或自身历史的位置至少要有 5 家或 60 个交易日可比",
        "Peers are the 20 largest companies of the industry; a place among peers or in one's own "
        "history needs 5 of them, or 60 sessions",
        {"peer_companies": 20, "least_peers": 5, "least_history": 60},
    ),
    Rule(
        TONE_ID,
        "近 90 天的新闻与公告按标题中的固定词表记为正面、负面或中性，同时有两类词的记为中性；"
        "只数标题，不作预测",
        "News and notices of the last 90 days count as positive, negative or neutral by a closed "
        "list of words in their titles, neutral with words of both kinds; a count, no forecast",
        {"tone_days": 90},
    ),
    Rule(
        MODEL_ID,
        "模型的评分与因子评分相差不超过 1.5 才放行，否则采用因子评分，并说明相差多少",
        "A model's score is released within 1.5 of the factor score; further away the factor "
        "score is, and the distance is told",
        {"model_distance": 1.5},
    ),
)


def _units() -> dict[str, str]:
    units: dict[str, str] = {}
    for rule in FACTORS.values():
        for one in rule.components:
            units |= {f"{one.key}_from": one.unit, f"{one.key}_to": one.unit}
            units[f"{one.name}_part"] = "percent"
    units |= dict.fromkeys(_WEIGHTS, "percent")
    units |= dict.fromkeys(("least_coverage", "thin_below"), "ratio")
    units |= dict.fromkeys(_DAYS, "number")
    units |= dict.fromkeys(("hold_from", "avoid_to", "model_distance"), "score")
    units |= dict.fromkeys(("peer_companies", "least_peers"), "count")
    return units | {"least_history": "sessions"}


SCORE_UNITS: Mapping[str, str] = _units()
