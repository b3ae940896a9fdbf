"""Is a claim's figure called by its name: metric, change or level, 最近收盘, 当前价 or 推算股价."""

import re
from collections.abc import Mapping

from services.core.claims import Claim, DerivedCite
from services.core.expressions import METRIC as EXPRESSION
from services.core.text import Text
from services.grounding.figure_senses import MADE_OF, Sense
from services.grounding.implicit_metrics import is_own_word, is_return
from services.grounding.match import CHANGES, Mismatch
from services.grounding.sentence import Context
from services.language.numbers import Number

_CONFLICTS = frozenset(
    {"median", "rank", "count", "forecast", "other", "ratio", "difference", "mom"}
)


def wrong_metric(number: Number | None, claim: Claim, context: Context) -> Mismatch | None:
    """The figure named must be the claim's; `number` None for a place, which need not be named."""
    return None if _is_counted_by_expression(claim) else _wrong_name(number, claim, context)


def _wrong_name(number: Number | None, claim: Claim, context: Context) -> Mismatch | None:
    if context.qualified and not _is_of_set(claim, context.qualified):
        return Mismatch(
            "metric",
            f"「{context.qualified}」使它成为另一个指标或另一家公司，证据是 {claim.metric}",
            f"“{context.qualified}” makes it another figure; the claim is {claim.metric}",
        )
    if _is_of_another_window(claim, context):
        return Mismatch(
            "metric",
            f"区间不符：证据是 {claim.metric}，文中写的是另一个区间",
            f"another window: the claim is {claim.metric}",
        )
    sense = context.sense
    if sense is not None and _is_of_expression(claim, sense):
        return None
    if (
        (sense is None or context.above)
        and number is not None
        and is_own_word(number, claim, context)
    ):
        return None
    if sense is None:
        if number is None:
            return None
        return Mismatch(
            "metric",
            f"没有写明这是什么指标：证据是 {claim.metric}，请在数字前写出指标名",
            f"no figure is named; the claim is {claim.metric}: name it before the number",
        )
    if number is not None and _is_limit_said(number, claim, context):
        return Mismatch(
            "metric",
            f"写成了阈值：证据 {claim.metric}={claim.value!r} 是数值，不是规则的界限",
            f"told as a threshold, but {claim.metric}={claim.value!r} is a figure, not a rule",
        )
    if is_called(claim, sense, context) or _is_told_by_form(number, claim, sense, context):
        return _wrong_change(number, claim, context)
    if claim.metric in _PRICE_NAMES and sense.metrics and sense.metrics <= _PRICE_NAMES.keys():
        return as_of_wording(claim, sense.name)
    return Mismatch(
        "metric",
        f"指标不符：文中是「{sense.name}」，证据是 {claim.metric}",
        f"another figure: the text names “{sense.name}”, the claim is {claim.metric}",
    )


def _is_of_expression(claim: Claim, sense: Sense) -> bool:
    """Whether a computed figure is told by one it is computed from, or as a change, rank or count:
    its formula names the others, and the verifier reads that formula again.
    """
    if claim.metric != EXPRESSION or not isinstance(claim.cite, DerivedCite):
        return False
    formula = claim.cite.formula
    return not sense.metrics or any(
        metric in CHANGES
        or _is_named_in(formula, metric)
        or any(
            _is_named_in(formula, base) and f"{fold}(" in formula
            for base, fold in (*MADE_OF.get(metric, ()), _parts_of(metric))
        )
        for metric in sense.metrics
    )  # fmt: skip


def _parts_of(metric: str) -> tuple[str, str]:
    """The figure and the fold in the name of a fold: market_cap, sum."""
    base, _, fold = metric.rpartition("_")
    return base, fold


def _is_named_in(formula: str, word: str) -> bool:
    return re.search(rf"\b{word}\b", formula) is not None


def _is_counted_by_expression(claim: Claim) -> bool:
    """Whether it counts companies of a set that its formula writes out: 创业板 … 627 家."""
    return claim.metric == EXPRESSION and claim.unit == "count"


def _is_of_set(claim: Claim, words: str) -> bool:
    """Whether those words are of a set that its formula names: 医药生物, 食品饮料."""
    cite = claim.cite
    return claim.metric == EXPRESSION and isinstance(cite, DerivedCite) and words in cite.formula


def _is_of_another_window(claim: Claim, context: Context) -> bool:
    """近60个交易日的最大回撤 of a claim over 250."""
    word, _, days = claim.metric.partition("_")
    if word not in {"return", "drawdown", "volatility"} or not days.isdigit():
        return False
    beside = [*context.after[:1], *(one.said for one in context.before[:1] if one.same_clause)]
    return bool(beside) and beside[0].kind == "window" and beside[0].count != int(days)


def _is_limit_said(number: Number, claim: Claim, context: Context) -> bool:
    """RSI 超过 83 为超买: 83 may be the RSI, the limit it is not."""
    words = [
        rule[1] for rule in _RULES.values() if rule[0] == claim.metric and claim.metric == "rsi"
    ]
    bounded = number.hedge in {"over", "from", "under", "near", "bound"} or _BEYOND.search(
        context.lead
    )
    return bool(bounded) and any(word in context.words for pair in words for word in pair)


# What each price is called: a close is the exchange's, an implied price is market cap / shares.
_PRICE_NAMES: Mapping[str, Text] = {
    "close": Text("最近收盘", "last close"),
    "current_price": Text("当前价", "current price"),
    "price_implied": Text("推算股价", "implied price"),
}
_BEYOND = re.compile(
    r"(?:高于|大于|低于|小于|超过|higher than|lower than|above|below|over|under)\s?$"
)


def as_of_wording(claim: Claim, said: str) -> Mismatch:
    """当前价 of a close, or the reverse; either of an implied price."""
    name = _PRICE_NAMES[claim.metric]
    return Mismatch(
        "as_of",
        f"「{said}」用错：证据是 {claim.metric}（{claim.as_of}），应写「{name.zh}」",
        f"“{said}” is wrong: the claim is {claim.metric} of {claim.as_of}; write “{name.en}”",
    )


def is_called(claim: Claim, sense: Sense, context: Context) -> bool:
    """Whether that name, with the turns around it, means the claim's metric."""
    parts = MADE_OF.get(claim.metric, ())
    turns = set(context.turns)
    is_moved = bool(context.way) and not context.is_level
    if "change" in {turn for _, turn in parts} and (is_moved or sense.metrics & {"change"}):
        turns.add("change")
    if is_moved and any(turn == "yoy" for _, turn in parts):
        turns.add("yoy")
    if claim.metric.endswith("_difference") and (
        context.way or context.lead.rstrip().endswith(("by", "高", "低", "多", "少"))
    ):
        turns.add("difference")
    own = {turn for _, turn in parts}
    if claim.unit == "count" and not sense.metrics & {"company_count"}:
        turns.add("count")  # of all companies only 有数据 or 共 makes those with a value
    if claim.metric.endswith("_ratio") and _IS_TIMES.search(context.lead):
        turns.add("ratio")
    conflicts = (turns & _CONFLICTS) - own - _harmless(claim)
    if conflicts:
        return False
    if claim.metric in sense.metrics:
        return True
    if _is_windowed(claim, sense, context) or _is_back_at_level(claim, sense, context):
        return True
    rule = _RULES.get(claim.metric)
    if rule is not None and any(one in sense.metrics for one in (rule[0], f"cumulative_{rule[0]}")):
        return any(word in context.words for word in rule[1])
    return (
        any(base in sense.metrics and turn in turns for base, turn in parts)
        or (claim.metric == "pct_change" and _is_price(sense))
        or (claim.metric == "gap" and "open" in sense.metrics)
    )


def _is_told_by_form(number: Number | None, claim: Claim, sense: Sense, context: Context) -> bool:
    """Net profit of $45.7 billion, or $8.35 per share; revenue +29.3%; shares outstanding."""
    if number is None:
        return False
    if number.kind == "per_share":
        of = {"eps": sense.metrics & {"net_profit"}, "dps": {sense.name} & _PAYOUTS}
        return bool(of.get(claim.metric))
    if number.kind == "shares" and claim.metric == "total_shares":
        return context.behind.startswith((" outstanding", " in issue"))
    if claim.metric == "change" and number.sign:
        return _is_price(sense)  # 收盘 +40.33元; without a sign it would be the price
    parts = MADE_OF.get(claim.metric, ())
    return (
        bool(number.sign and number.kind == "percent")
        and any(base in sense.metrics and turn == "yoy" for base, turn in parts)
        and not set(context.turns) & _CONFLICTS
    )


_PAYOUTS = frozenset({"dividend", "dividends", "分红", "派息", "派现", "股息", "现金分红"})


def _is_windowed(claim: Claim, sense: Sense, context: Context) -> bool:
    """近20日最高51.98元，最低48.68元: the window is said once in the sentence."""
    word, _, days = claim.metric.partition("_")
    if word == "return" and days.isdigit():
        of_price = sense.metrics & {"close", "pct_change", "run_change"}
        return bool(of_price) and is_return(claim, context)
    if word not in {"high", "low"} or not days.isdigit():
        return False
    said = re.search(rf"(?<!\d){days}(?:日|个交易日|-day|-session| days| sessions)", context.words)
    if said is None:
        return False
    ranged = any(mark in context.words for mark in ("之间", "区间", "between"))
    return word in sense.metrics or (ranged and "close" in sense.metrics)


def _is_back_at_level(claim: Claim, sense: Sense, context: Context) -> bool:
    """营收同比增长73.01%至70亿美元: behind its change comes the figure itself."""
    changes = [one for one in sense.metrics if (claim.metric, "yoy") in MADE_OF.get(one, ())]
    return bool(changes) and context.carried and bool(_UP_TO.search(context.lead))


_UP_TO = re.compile(r"(?:至|到|达|达到|为|\bto )$")
# A limit of a rule, told as the figure it is a limit of: RSI 超过 70，超买.
_RULES: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "rsi_overbought": ("rsi", ("超买", "overbought")),
    "rsi_oversold": ("rsi", ("超卖", "oversold")),
    "bullish_from": ("technical_score", ("偏多", "bullish")),
    "bearish_to": ("technical_score", ("偏空", "bearish")),
    "deviation_limit": (
        "deviation",
        ("本工作台标准", "house rule", "异常波动", "阈值", "abnormal"),
    ),
    "z_limit": ("return_z", ("异动", "阈值", "abnormal")),
    "volume_limit": ("volume_multiple", ("放量", "阈值", "heavy")),
    "gap_limit": ("gap", ("异动", "阈值", "abnormal")),
    "price_limit": ("pct_change", ("涨停", "跌停", "限制", "limit")),
}


def _harmless(claim: Claim) -> set[str]:
    if claim.unit == "sigma":
        return {"other", "mean"}
    if claim.unit in {"count", "rank"}:
        return {"count", "rank"}
    return {"mom"} if claim.metric.endswith("_mom") else set()


def _is_price(sense: Sense) -> bool:
    """Whether it names today's price: a percentage of it is its change (收盘 -4.13%)."""
    return bool(sense.metrics & {"close", "current_price"})


def _wrong_change(number: Number | None, claim: Claim, context: Context) -> Mismatch | None:
    """毛利率上升3% told of a level, 净利润增长50亿 of a profit: the words say a change."""
    if claim.metric in CHANGES or not context.way or context.is_level or number is None:
        return None
    if context.sense is not None and (context.sense.sign or claim.metric.endswith(
        ("_difference", "_ratio"))):  # fmt: skip
        return None
    if number.kind == "percent":
        return Mismatch(
            "unit",
            f"写成了变动：证据 {claim.metric} 是水平值；"
            "变动请写「升至/降至」，比率之差写「个百分点」",
            f"told as a change, but {claim.metric} is a level: write “to”, or percentage points",
        )
    if number.kind in {"multiple", "money", "scaled", "per_share", "plain", "pp", "change"}:
        return Mismatch(
            "metric",
            f"写成了变动量：证据 {claim.metric} 是水平值，请写「增至/降至」",
            f"told as a change, but {claim.metric} is a level: write “to” before the figure",
        )
    return None


_IS_TIMES = re.compile(r"(?:是|为|相当于|达|约)约?[\ue000-\ue001其前后者的]*(?:\([^()]*\))?的?约?$")


def wrong_as_of(claim: Claim, context: Context) -> Mismatch | None:
    """现在, 实时 beside a close."""
    if claim.metric not in {"close", "price_implied"} or not context.now:
        return None
    if context.sense is not None and context.sense.metrics == frozenset({claim.metric}):
        return None if context.now in {"目前", "当前", "currently"} else as_of_wording(
            claim, context.now)  # fmt: skip
    return as_of_wording(claim, context.now)
