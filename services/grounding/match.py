"""Does a claim carry a figure as a text writes it: value, unit, sign, name, company, time, wording.

Each check answers None or why not, as `Mismatch`; the first that fails is what is told.
"""

import re
from collections.abc import Mapping
from decimal import ROUND_DOWN, Decimal
from typing import NamedTuple

from services.core.claims import Claim, CompetenceCite
from services.core.rendering import SIGNED
from services.core.units import CURRENCIES, UNITS
from services.grounding.context import Context
from services.language.numbers import Number
from services.language.plain_text import words


class Mismatch(NamedTuple):
    """Which check failed, why in Chinese and in English, and the claim it was held against."""

    check: str
    zh: str
    en: str
    claim: Claim | None = None


# In the order in which they are asked: what fails later is nearer to the truth.
CHECKS = ("vague", "unit", "currency", "value", "truncated", "bound", "sign", "metric", "wording",
          "entity", "ambiguous", "as_of", "period")  # fmt: skip
CHANGES = SIGNED | {"cpi_yoy", "cpi_mom", "ppi_yoy", "gdp_yoy", "m1_yoy", "m2_yoy", "signal_change",
                    "change", "return_60", "return_250", "relative_strength", "ma_60_gap",
                    "worst_session"}  # fmt: skip
PRICES = frozenset(
    words(
        """
        open high low close current_price previous_close change limit_up limit_down boll_mid
        boll_upper boll_lower atr stop_loss take_profit macd_dif macd_dea macd_histogram
        signal_price ma_5 ma_10 ma_20 ma_60 high_20 high_60 low_20 low_60
        """
    )
)
_BARE_UNITS = frozenset(
    {"points", "index", "score", "number", "ratio", "multiple", "rank", "count"}
)
_PLAIN_KINDS: Mapping[str, frozenset[str]] = {
    "percent": frozenset({"proportion"}),
    "fraction": frozenset({"proportion"}),
    "change": frozenset({"proportion"}),
    "pp": frozenset({"pp"}),
    "multiple": frozenset({"multiple"}),
    "points": frozenset({"points", "index"}),
    "count": frozenset({"count", "number"}),
    "sessions": frozenset({"sessions"}),
    "sigma": frozenset({"sigma"}),
    "score": frozenset({"score", "index"}),
    "rank": frozenset({"rank", "count"}),
    "shares": frozenset({"shares"}),
}
_HALF = Decimal("0.5000001")
# What "about" and "nearly" allow beyond rounding at the digit that is written; 超 a tenth.
_ABOUT, _OVER = Decimal("0.01"), Decimal("1.1")


def dimension_of(claim: Claim) -> str:
    """What kind of thing the claim measures."""
    unit = UNITS.get(claim.unit)
    return unit.dimension if unit is not None else claim.unit


def base_value(claim: Claim) -> Decimal:
    """The claim's value in the base unit of its dimension."""
    unit = UNITS.get(claim.unit)
    return Decimal(repr(claim.value)) * (unit.scale if unit is not None else 1)


def is_measured(number: Number, claim: Claim, context: Context) -> bool:
    """Whether the unit written may be that of the claim."""
    dimension = dimension_of(claim)
    money = dimension.removesuffix("/share")
    if money in CURRENCIES:
        per_share = dimension.endswith("/share")
        if number.kind == "money":
            return True
        if number.kind == "per_share":
            return per_share or claim.metric in PRICES
        if number.kind == "scaled":
            return not per_share
        return number.is_bare and number.kind == "plain" and (per_share or claim.metric in PRICES)
    if number.kind == "multiple" and dimension == "proportion":
        return context.way > 0 and claim.metric in CHANGES
    if number.kind == "scaled":
        return dimension in {"shares", "number", "count"}
    if number.kind == "plain":
        return number.is_bare and claim.unit in _BARE_UNITS
    return dimension in _PLAIN_KINDS.get(number.kind, frozenset())


def wrong_currency(number: Number, claim: Claim) -> Mismatch | None:
    """A currency that is written must be the claim's."""
    money = dimension_of(claim).removesuffix("/share")
    if money not in CURRENCIES or number.currency in {None, money}:
        return None
    right = UNITS[money]
    return Mismatch(
        "currency",
        f"币种不符：证据为{right.zh}，请写{right.zh}",
        f"currency differs: the claim is in {right.en}; write {right.en}",
    )


def wrong_value(number: Number, claim: Claim) -> Mismatch | None:
    """Magnitudes compared within half a unit of the last printed digit, or as the hedge allows."""
    target, value, ulp = abs(base_value(claim)), number.value, number.ulp
    if number.kind == "multiple" and dimension_of(claim) == "proportion":
        value, ulp = value * 100, ulp * 100
    if number.kind == "change":
        target, value = base_value(claim), number.value
    if claim.unit == "ratio" and number.kind == "plain":
        value, ulp = value * 100, ulp * 100
    gap = abs(target - value)
    slack = ulp * _HALF + abs(target) * Decimal("1e-12")
    about = slack + abs(value) * _ABOUT
    if number.hedge == "about" and gap <= about:
        return None
    if number.hedge == "near" and value - about <= target <= value + slack:
        return None
    if isinstance(claim.cite, CompetenceCite) and gap <= slack:
        return None
    if number.hedge in {"over", "from", "under"} and _is_beyond(number, target, value, ulp):
        return None
    if number.hedge in {"", "bound"} and gap <= slack:
        return None
    said = f"{claim.metric}={claim.value!r} {claim.unit}"
    if (
        gap < ulp
        and number.hedge == ""
        and value == (target / ulp).to_integral_value(ROUND_DOWN) * ulp
    ):
        return Mismatch(
            "truncated",
            f"数值被截断而不是四舍五入：证据为 {said}",
            f"truncated, not rounded: the claim is {said}",
        )
    return Mismatch("value", f"数值不符：证据为 {said}", f"value differs: the claim is {said}")


def _is_beyond(number: Number, target: Decimal, value: Decimal, ulp: Decimal) -> bool:
    """On the side that is said, and by no more than a tenth, or one of a single printed digit."""
    room = max(value * (_OVER - 1), ulp if number.significant == 1 else Decimal(0))
    if number.hedge != "under":
        return value <= target <= value + room
    return value - room <= target <= value


def wrong_bound(number: Number, claim: Claim) -> Mismatch | None:
    """不超过, 至少: said of a limit only, which has a claim of its own.

    6.7亿以上 of 6.75 is a way to round, 6.75亿以上 is a floor.
    """
    is_floor = number.hedge == "from" and abs(abs(base_value(claim)) - number.value) <= (
        number.ulp * _HALF if number.significant > 2 else 0
    )
    if not is_floor and number.hedge != "bound":
        return None
    if isinstance(claim.cite, CompetenceCite) or "limit" in claim.metric:
        return None
    return Mismatch(
        "bound",
        "写成了界限（不超过/至少/以上），证据只是一个数值，请直接写该数值",
        "told as a bound (at most, at least), but the claim is one figure; write the figure itself",
    )


def wrong_sign(
    number: Number, claim: Claim, context: Context, *, is_placed: bool = False
) -> Mismatch | None:
    """Direction words times the printed sign must give the claim's sign."""
    value = base_value(claim)
    if claim.metric.endswith("_difference"):
        return _wrong_difference(number, claim, context)
    way, said = _way(claim, context), number.sign
    if number.kind == "change":
        return None
    if value == 0:
        return None
    if way > 0 > said and value < 0 and not is_placed:
        return None  # 同比增长-7.73%, as tables say it: an odd style, and true
    if way > 0 > said or way < 0 < said:
        return _sign(claim, "方向词与数字的正负号矛盾", "the word and the printed sign contradict")
    if number.paren and not said and value < 0:
        return None
    if claim.metric in _TOLD_BY_SIZE and not way and not said and not context.way:
        return None
    stated = way or said or 1
    if (stated > 0) == (value > 0):
        return None
    return _sign(claim, "正负或涨跌方向不符", "the sign or direction differs")


# A fall by its name, told without a minus: 最大回撤 11.8 %.
_TOLD_BY_SIZE = frozenset({"drawdown_250"})


def _way(claim: Claim, context: Context) -> int:
    """The direction the words give this claim: of a change, or of a name that says minus."""
    if context.sense is not None and context.sense.sign:
        return context.sense.sign
    if claim.metric in CHANGES:
        return context.way if not context.is_level or context.way == 0 else 0
    return 0


def _wrong_difference(number: Number, claim: Claim, context: Context) -> Mismatch | None:
    """茅台比五粮液低3837亿元: more has who the difference is of, if it is positive."""
    words = _MORE_LESS.search(context.lead) or _MORE_LESS_THAN.match(context.behind)
    if words is None or len(context.symbols) != 1 or not claim.value:
        return None
    if number.sign < 0:
        return _sign(claim, "高出或低出之后不写负号", "no minus belongs behind more or less")
    is_own = context.symbols[0] == claim.symbol
    if (is_own == (claim.value > 0)) == bool(words.group("more")):
        return None
    return _sign(claim, "谁高谁低写反了", "which of the two is higher is told the wrong way round")


_MORE_LESS = re.compile(
    r"(?:(?P<more>高出?|多出?|超出?|大|贵|higher|more|above|larger)|(?P<less>低|少|小|便宜|lower|less|below|smaller))"
    r"(?:了|约|近|逾|超|by|\s)*$"
)


# 7.16 turns higher than Wuliangye.
_MORE_LESS_THAN = re.compile(
    r" (?:turns? |points? )?(?:(?P<more>higher|more|above|dearer|richer)"
    r"|(?P<less>lower|less|below|cheaper)) than"
)


def _sign(claim: Claim, zh: str, en: str) -> Mismatch:
    right = "负，写下降或 -" if claim.value < 0 else "正，写增长或 +"
    return Mismatch(
        "sign",
        f"{zh}：证据 {claim.metric}={claim.value!r}，应为{right}",
        f"{en}: the claim is {claim.metric}={claim.value!r}",
    )
