"""A condition as said (`大于3%`, `低于20倍`, `100亿以上`, `5到10倍`, `亏损`) to the wire's ranges.

The wire knows v > a, v < b and a ≤ v < b. Bounds that differ from these in the limit alone take the
form that is there (≥ 3 is `3_max`, ≤ 20 is `0_20`), which `screened_as` tells; where a form would
mean something else, a step smaller than any figure has keeps it: > 0 is `0.000001_max`.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from services.core.errors import InputError
from services.core.text import Text
from services.market.ranges import UNIT_WORDS, parse_range

_STEP, _CENT = Decimal("0.000001"), Decimal("0.01")
# Of these "less than" has no lower bound: a profit below 1亿 may be a loss. Of the others "below
# 20" means 0 ≤ v < 20: a loss is not a low multiple.
_BELOW_ZERO = frozenset({"pct", "netprofit", "roediluted"})
_OPERATORS: Mapping[str, str] = {
    ">=": "大于等于|大于或等于|不低于|不小于|不少于|不弱于|至少|最少|起码|>=|≥|at least|"
    "no less than|not less than",
    "<=": "小于等于|小于或等于|不高于|不大于|不超过|不多于|至多|最多|<=|≤|at most|no more than|"
    "up to|not more than",
    ">": "大于|高于|超过|超出|多于|突破|过|超|>|above|over|more than|greater than|exceeding|"
    "higher than",
    "<": "小于|低于|少于|不足|不到|不满|未满|低过|<|below|under|less than|lower than|fewer than",
}
_SUFFIXES: Mapping[str, str] = {
    ">=": "及以上|或以上|以上|往上|or more|or above",
    "<=": "及以下|或以下|以下|以内|之内|or less|or below",
}
_WORDS: Mapping[str, tuple[str, ...]] = {
    "negative": ("亏损", "亏", "为负", "负", "负值", "亏钱", "loss", "negative", "loss-making"),
    "positive": ("盈利", "为正", "正", "正值", "赚钱", "profit", "positive", "profitable"),
    "from_zero": ("不亏损", "不为负", "非负", "不亏", "没有亏损", "not negative"),
    "any": ("不限", "任意", "any"),
}
_DIGITS = r"(?:[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?|[零〇一二两三四五六七八九点]+)"
_NUMBER = (
    rf"[+\-负]?(?=[0-9零〇一二两三四五六七八九十百千])(?:{_DIGITS})?(?:[十百千万亿](?:{_DIGITS})?)*"
    r"(?:\s*(?:billion|million|thousand|bn|mn|m|k)\b)?"
    r"\s*(?:%|个百分点|个点|倍|x\b|times|元|块|人民币|港元|港币|美元|rmb|cny|hkd|usd)?"
)
_PERCENT = re.compile(rf"百分之({_DIGITS}(?:[十](?:{_DIGITS})?)*|十(?:{_DIGITS})?)")
_TENTHS = re.compile(r"([一二两三四五六七八九])成")
_JOINED = r"(?:且|并且|而且|同时|但|但是|和|与|、|,|;|and|but)?"
_LONGEST = 80
_LATIN = {
    **dict.fromkeys(("billion", "bn"), Decimal(10) ** 9),
    **dict.fromkeys(("million", "mn", "m"), Decimal(10) ** 6),
    **dict.fromkeys(("thousand", "k"), Decimal(1000)),
}


def _alternatives(words: Mapping[str, str], tag: str) -> str:
    return "|".join(
        f"(?P<{tag}{at}>{'|'.join(re.escape(one) for one in group.split('|'))})"
        for at, group in enumerate(words.values())
    )


_TERM = re.compile(
    rf"\s*(?:{_alternatives(_OPERATORS, 'o')})?\s*(?P<number>{_NUMBER})"
    rf"\s*(?:{_alternatives(_SUFFIXES, 's')})?\s*{_JOINED}\s*"
)
_BOUND_WORDS = re.compile(
    "|".join(
        sorted(
            (
                re.escape(word)
                for group in (*_OPERATORS.values(), *_SUFFIXES.values())
                for word in group.split("|")
            ),
            key=len,
            reverse=True,
        )
    )
)
_BETWEEN = re.compile(
    rf"\s*(?:介于|在|从|处于|between|from)?\s*(?P<low>{_NUMBER})\s*"
    rf"(?:到|至|-|~|—|–|_|和|与|and|to)\s*(?P<high>{_NUMBER})\s*(?:之间|以内|区间)?\s*"
)
_LOSS = re.compile(r"^(?:跌幅|下跌|跌|降幅|down|fell|falling)")
_GAIN = re.compile(r"^(?:涨幅|上涨|涨|涨跌幅|up|rose|rising)")


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds of one field in its plain unit; a missing side is open, `*_in` includes the bound."""

    low: Decimal | None = None
    high: Decimal | None = None
    low_in: bool = False
    high_in: bool = False

    def meets(self, other: "Range") -> "Range":
        """What satisfies both."""
        low, low_in = _tighter((self.low, self.low_in), (other.low, other.low_in), upper=False)
        high, high_in = _tighter((self.high, self.high_in), (other.high, other.high_in), upper=True)
        return Range(low, high, low_in, high_in)

    @property
    def empty(self) -> bool:
        """Whether nothing can satisfy it."""
        if self.low is None or self.high is None:
            return False
        return self.low > self.high or (
            self.low == self.high and not (self.low_in and self.high_in)
        )

    def negated(self) -> "Range":
        """The same of the falling side: 跌幅大于5% is v < -5."""
        return Range(
            None if self.high is None else -self.high,
            None if self.low is None else -self.low,
            self.high_in,
            self.low_in,
        )


def to_range(field: str, conditions: Iterable[tuple[str, str]]) -> str:
    """The wire range of everything said of one field: pairs of the name and the condition as said.

    Raises: InputError named `field`.
    """
    if field not in UNIT_WORDS:
        valid = Text("不能按它筛选，只能排序", "it cannot be screened by, only ordered by")
        raise InputError(field, "", valid)
    found = Range()
    said: list[str] = []
    for name, condition in conditions:
        said.append(condition)
        found = found.meets(_read(field, name, condition))
    if found.empty:
        valid = Text("条件互相矛盾，没有数值能同时满足", "the bounds contradict each other")
        raise InputError(field, "，".join(said), valid)
    return _wire(field, found)


def screened_as(said: str) -> str | None:
    """What a bound is screened as where the wire has it without its limit: 大于3% for 不低于3%.

    None where it is screened as said, or is no plain bound.
    """
    match = _TERM.fullmatch(_TENTHS.sub(r"\1十%", _PERCENT.sub(r"\1%", said)))
    operator = _operator(match) if match else None
    if match is None or operator is None or not operator.endswith("="):
        return None
    number = _BOUND_WORDS.sub("", said).strip()
    is_nil = not re.search(r"[1-9一二两三四五六七八九十百千]", number)
    return None if is_nil else f"{'大于' if operator[0] == '>' else '小于'}{number}"


def _read(field: str, name: str, condition: str) -> Range:
    text = unicodedata.normalize("NFKC", condition).replace("−", "-").strip().casefold()
    if len(text) > _LONGEST:
        raise _unclear(field, condition)
    if (wire := _read_given(field, text)) is not None:
        return wire
    falling = "跌幅" in name or bool(_LOSS.match(text)) if field == "pct" else False
    bare = _GAIN.sub("", _LOSS.sub("", text)) if field == "pct" else text
    if field == "pct" and not bare:
        return Range(high=Decimal(0)) if falling else Range(low=Decimal(0))
    bare = _TENTHS.sub(r"\1十%", _PERCENT.sub(r"\1%", bare)).strip()
    found = _word(text) or _between(field, bare)
    found = found or _terms(field, bare, condition)
    return found.negated() if falling else found


def _read_given(field: str, text: str) -> Range | None:
    """A condition that is already in the wire's grammar."""
    if "_" not in text:
        return None
    try:
        bound = parse_range(field, text)
    except InputError:
        return None
    if bound is None:
        return Range()
    if bound.at_least is not None:
        return Range(_plain(bound.at_least), _plain(bound.below), low_in=True)
    return Range(_plain(bound.above), _plain(bound.below))


def _word(text: str) -> Range | None:
    kind = _ALL_WORDS.get(text)
    if kind == "negative":
        return Range(high=Decimal(0))
    if kind == "positive":
        return Range(low=Decimal(0))
    if kind == "from_zero":
        return Range(low=Decimal(0), low_in=True)
    return Range() if kind == "any" else None


_ALL_WORDS = {word: kind for kind, words in _WORDS.items() for word in words}


def _between(field: str, text: str) -> Range | None:
    match = _BETWEEN.fullmatch(text)
    if match is None:
        return None
    low_text, high_text = match["low"], match["high"]
    low, high = _share_unit(low_text, high_text), high_text
    return Range(_value(field, low), _value(field, high), low_in=True)


def _share_unit(low: str, high: str) -> str:
    """`5到10亿` is 5亿 to 10亿: the first figure takes the unit of the second."""
    tail = re.search(r"(?:[万亿]+|\s*(?:billion|million|bn|mn|m|k))\s*(?:元|港元|美元)?$", high)
    if tail and not re.search(r"[万亿元a-z]", low):
        return low + tail.group()
    return low


def _terms(field: str, text: str, condition: str) -> Range:
    found, at = Range(), 0
    while at < len(text):
        match = _TERM.match(text, at)
        if match is None or match.end() == at:
            raise _unclear(field, condition)
        operator = _operator(match)
        if operator is None:
            raise _unclear(field, condition)
        value = _value(field, match["number"])
        found = found.meets(_side(operator, value))
        at = match.end()
    if found == Range():
        raise _unclear(field, condition)
    return found


def _operator(match: re.Match[str]) -> str | None:
    for tag, words in (("o", _OPERATORS), ("s", _SUFFIXES)):
        for at, operator in enumerate(words):
            if match[f"{tag}{at}"]:
                return operator
    return None


def _side(operator: str, value: Decimal) -> Range:
    inclusive = operator.endswith("=")
    if operator.startswith(">"):
        return Range(low=value, low_in=inclusive)
    return Range(high=value, high_in=inclusive)


def _value(field: str, said: str) -> Decimal:
    """The figure in the field's plain unit. Raises: InputError for another field's unit."""
    unit = UNIT_WORDS[field]
    text = re.sub(r"(?:人民币|rmb|cny|hkd|usd|港元|港币|美元|块)$", "元", said.replace(" ", ""))
    text = re.sub(r"(?:个百分点|个点)$", "%", text)
    text = re.sub(r"(?:x|times)$", "倍", text)
    if text.endswith(("%", "倍", "元")) and not text.endswith(unit):
        valid = Text(f"{field} 的单位是 {unit}", f"the unit of {field} is {unit}")
        raise InputError(field, said, valid)
    figure = text.removesuffix(unit)
    scale = next((word for word in sorted(_LATIN, key=len)[::-1] if figure.endswith(word)), "")
    bound = parse_range(field, f"{figure.removesuffix(scale)}_max")
    above = bound.above if bound is not None else 0.0
    value = _plain(above or 0.0) * _LATIN.get(scale, 1)
    bare = figure == text and not scale and not re.search(r"[万亿千百]", figure)
    if unit == "元" and bare and 0 < abs(value) < 10_000:
        valid = Text(
            f"金额要写单位，如 {said}亿", f"an amount needs its unit, such as {said} billion"
        )
        raise InputError(field, said, valid, choices=(f"{said}亿", f"{said}万"))
    return value


def _plain(value: float | None) -> Decimal:
    return Decimal(repr(value or 0.0))


def _unclear(field: str, said: str) -> InputError:
    valid = Text("请写成 大于3、5到10、亏损 之类", "write it as: above 3, 5 to 10, loss")
    return InputError(field, said, valid)


def _tighter(
    one: tuple[Decimal | None, bool], other: tuple[Decimal | None, bool], *, upper: bool
) -> tuple[Decimal | None, bool]:
    """The bound that excludes more."""
    if one[0] is None or other[0] is None:
        return one if other[0] is None else other
    if one[0] == other[0]:
        return one[0], one[1] and other[1]
    return min(one, other, key=_first) if upper else max(one, other, key=_first)


def _first(pair: tuple[Decimal | None, bool]) -> Decimal:
    return pair[0] or Decimal(0)


def _wire(field: str, found: Range) -> str:
    step = _CENT if UNIT_WORDS[field] == "元" else _STEP
    low, high = found.low, found.high
    if low is None and high is None:
        return "0_max"
    if low is None:
        start = "0" if field not in _BELOW_ZERO and (high or 0) > 0 else "min"
        return f"{start}_{_write_number(high)}"
    if high is None:
        if low == 0:  # `0_max` is no bound at all
            low = -step if found.low_in else step
        return f"{_write_number(low)}_max"
    return f"{_write_number(low)}_{_write_number(high + step if low == high else high)}"


def _write_number(value: Decimal | None) -> str:
    return f"{(value or Decimal(0)).normalize():f}"
