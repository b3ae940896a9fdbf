"""A claim's figure as somebody writes it: digits, scale, unit, and what is printed before it."""

import random
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from services.core.claims import Claim

ONE, WAN, YI, TN = Decimal(1), Decimal(10_000), Decimal(10**8), Decimal(10**12)
ZH_MONEY = {"CNY": "元", "HKD": "港元", "USD": "美元"}
EN_MONEY = {"CNY": ("RMB", "CNY "), "HKD": ("HK$", "HKD "), "USD": ("$", "US$")}
_PRICES = {"close", "open", "high", "low", "change", "stop_loss", "take_profit", "atr"} | {
    *("ma_5", "ma_10", "ma_20", "ma_60", "high_20", "high_60", "low_20", "low_60"),
    *("boll_upper", "boll_mid", "boll_lower", "macd_dif", "macd_dea", "macd_histogram"),
}
_PLAIN = {"macd_dif", "macd_dea", "macd_histogram"}


@dataclass(frozen=True)
class Written:
    """`head` + sign + digits + `tail`: 约1,034.70亿元. `scale` is what one is worth."""

    claim: Claim
    value: Decimal  # as printed, times the sign it is printed with
    digits: int
    scale: Decimal
    head: str
    tail: str
    commas: bool = False
    plus: bool = False
    approx: bool = False
    minus: str = "-"

    @property
    def number(self) -> str:
        body = (
            f"{abs(self.value):,.{self.digits}f}"
            if self.commas
            else (f"{abs(self.value):.{self.digits}f}")
        )
        sign = self.minus if self.value < 0 else "+" if self.plus and self.value > 0 else ""
        return sign + body

    @property
    def text(self) -> str:
        return self.head + self.number + self.tail

    @property
    def ulp(self) -> Decimal:
        return Decimal(1).scaleb(-self.digits)

    def __call__(self, **changes: object) -> "Written":
        return replace(self, **changes)  # type: ignore[arg-type]


def scales(claim: Claim, language: str) -> list[tuple[Decimal, str]]:
    """Sizes this amount is told in, the usual first."""
    size = abs(Decimal(repr(claim.value)))
    if claim.unit not in {"CNY", "HKD", "USD", "shares"} or claim.metric in _PRICES:
        return [(ONE, "")]
    if language == "en":
        names = [(TN, ("tn", " trillion")), (Decimal(10**9), ("bn", " billion"))]
        names.append((Decimal(10**6), ("m", " million")))
        fits = [(scale, word) for scale, words in names for word in words if size >= scale]
        return fits[:2] or [(ONE, "")]
    fits = [(s, w) for s, w in ((TN, "万亿"), (YI, "亿"), (WAN, "万")) if size >= s]
    if not fits:
        return [(ONE, "")]
    if fits[0][0] == TN and size < 2 * TN:
        fits = fits[1:]
    return fits[:1] if fits[0][0] != YI or size > 10 * YI else fits[:2]


def tail_of(claim: Claim, word: str, language: str, rng: random.Random) -> tuple[str, str]:
    """What stands before and after the digits."""
    unit = claim.unit
    if claim.metric in _PLAIN:
        return "", ""
    base = unit.split("/")[0]
    if base in ZH_MONEY:
        if language == "zh":
            return "", word + ZH_MONEY[base]
        return rng.choice(EN_MONEY[base]), word
    zh = {"percent": "%", "multiple": "倍", "pp": "个百分点", "sigma": "σ", "shares": word + "股"}
    zh |= {"points": "点", "count": "家", "sessions": "个交易日", "score": "分", "rank": "位"}
    en = {"percent": "%", "multiple": rng.choice(("x", " times")), "pp": " percentage points"}
    en |= {"shares": word + " shares", "points": " points", "sigma": "σ"}
    return "", (zh if language == "zh" else en).get(unit, "")


def _digits(value: Decimal, claim: Claim, rng: random.Random) -> int:
    """How many decimals: two at most times, never fewer than two significant digits."""
    if claim.unit in {"count", "sessions", "rank", "score"} or value == value.to_integral():
        return 0
    most = 0 if abs(value) >= 1000 and rng.random() < 0.3 else rng.choice((2, 2, 2, 1, 0))
    if claim.metric in _PRICES or claim.unit.endswith("/share"):
        most = 2
    while most < 8 and value != round(value, most) and len(_significant(value, most)) < 3:
        most += 1
    return most


def _significant(value: Decimal, digits: int) -> str:
    printed = abs(value).scaleb(digits).quantize(ONE, ROUND_HALF_UP)
    return str(int(printed)).lstrip("0")


def write(
    claim: Claim,
    language: str,
    rng: random.Random,
    *,
    size: bool = False,
    digits: int | None = None,
    word: str | None = None,
) -> Written:
    """The figure, rounded half up. `size`: without its sign, which a word before it tells."""
    exact = Decimal(repr(claim.value))
    options = scales(claim, language)
    chosen = next((one for one in options if one[1] == word), None)
    scale, unit = chosen or rng.choice((options[0], *options))
    value = abs(exact / scale) if size else exact / scale
    places = _digits(value, claim, rng) if digits is None else digits
    head, tail = tail_of(claim, unit, language, rng)
    printed = value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    commas = rng.random() < (0.4 if language == "zh" else 0.9)
    return Written(claim, printed, places, scale, head, tail, commas=commas)


def loosely(written: Written, rng: random.Random, language: str) -> Written:
    """约 / 近 / 超 with a number of two or three digits that truly is so: 约 and 近 within 1 %."""
    exact = abs(Decimal(repr(written.claim.value))) / written.scale
    keep = 3 if exact.adjusted() >= 2 and rng.random() < 0.5 else 2
    step = Decimal(1).scaleb(exact.adjusted() - keep + 1)
    kind = rng.choice(("about", "nearly", "over"))
    rounding = {"about": ROUND_HALF_UP, "nearly": ROUND_CEILING, "over": ROUND_FLOOR}[kind]
    value = (exact / step).quantize(ONE, rounding) * step
    while kind != "over" and abs(value - exact) > exact / 100:
        step /= 10
        value = (exact / step).quantize(ONE, rounding) * step
    heads = {
        "zh": {
            "about": ("约", "大约", "约为"),
            "nearly": ("近", "接近"),
            "over": ("超", "超过", "逾"),
        },
        "en": {
            "about": ("about ", "around "),
            "nearly": ("nearly ",),
            "over": ("over ", "more than "),
        },
    }[language][kind]
    if kind != "about" and value == exact:
        heads = ("约",) if language == "zh" else ("about ",)
    digits = max(0, -int(step.adjusted()))
    head = rng.choice(heads) + written.head
    return written(value=value, digits=digits, head=head, approx=True)
