"""Units of figures: what may be converted into what, exactly.

A percent (36.21 %) and a percentage point (百分点) are different dimensions and never convert;
currencies never convert; 亿 and 万 are scales of money or of shares.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from services.core.errors import InputError
from services.core.text import Text

WAN = Decimal(10_000)
YI = Decimal(100_000_000)


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: `scale` of it in the base unit of its `dimension`; names as shown."""

    code: str
    dimension: str
    scale: Decimal
    zh: str
    en: str


def _table() -> dict[str, Unit]:
    units = [
        Unit("shares", "shares", Decimal(1), "股", "shares"),
        Unit("lots", "shares", Decimal(100), "手", "lots"),
        Unit("shares_wan", "shares", WAN, "万股", "10k shares"),
        Unit("shares_yi", "shares", YI, "亿股", "100m shares"),
        Unit("percent", "proportion", Decimal(1), "%", "%"),
        Unit("ratio", "proportion", Decimal(100), "", ""),
        Unit("pp", "pp", Decimal(1), "个百分点", "pp"),
        Unit("multiple", "multiple", Decimal(1), "倍", "x"),
        Unit("points", "points", Decimal(1), "点", "pts"),
        Unit("count", "count", Decimal(1), "家", ""),
        Unit("number", "number", Decimal(1), "", ""),
        Unit("sessions", "sessions", Decimal(1), "个交易日", "sessions"),
        Unit("sigma", "sigma", Decimal(1), "σ", "σ"),
        Unit("score", "score", Decimal(1), "分", ""),
        Unit("index", "index", Decimal(1), "", ""),
        Unit("rank", "rank", Decimal(1), "名", ""),
    ]
    names = {"CNY": ("元", "CNY"), "HKD": ("港元", "HKD"), "USD": ("美元", "USD")}
    for code, (zh, en) in names.items():
        units += [
            Unit(code, code, Decimal(1), zh, en),
            Unit(f"{code}_li", code, Decimal("0.001"), f"厘（千分之一{zh}）", f"0.001 {en}"),
            Unit(f"{code}_qian", code, Decimal(1000), f"千{zh}", f"k {en}"),
            Unit(f"{code}_wan", code, WAN, f"万{zh}", f"10k {en}"),
            Unit(f"{code}_yi", code, YI, f"亿{zh}", f"100m {en}"),
            Unit(f"{code}_wanyi", code, WAN * YI, f"万亿{zh}", f"tn {en}"),
            Unit(f"{code}/share", f"{code}/share", Decimal(1), f"{zh}/股", f"{en}/share"),
        ]
    return {unit.code: unit for unit in units}


UNITS = _table()
# What a page calls the currency itself; its unit is 元.
CURRENCY_NAMES: Mapping[str, Text] = {
    "CNY": Text("人民币", "CNY"),
    "HKD": Text("港元", "HKD"),
    "USD": Text("美元", "USD"),
}
CURRENCIES = tuple(CURRENCY_NAMES)


def unit_of(code: str) -> Unit:
    """The unit of that code. Raises: InputError naming the valid codes."""
    try:
        return UNITS[code]
    except KeyError:
        raise InputError("unit", code, "one of " + ", ".join(UNITS)) from None


def convert(value: Decimal, source: str, target: str) -> Decimal:
    """`value` of unit `source` in unit `target`, exact in Decimal.

    Raises: InputError when the two measure different things (percent and 百分点, two currencies).
    """
    here, there = unit_of(source), unit_of(target)
    if here.dimension != there.dimension:
        raise InputError("unit", source, f"a unit of {there.dimension} (asked for {target})")
    return value * here.scale / there.scale


_SUFFIXES = {"亿": YI, "万": WAN, "千": Decimal(1000), "百": Decimal(100)}


def parse_amount(text: str) -> Decimal | None:
    """The plain number in `5656.91亿`, `6120.00万`, `3.59%` or `4.36`; None for `-` or blank.

    A trailing percent sign is dropped (the figure stays a percent number).
    Raises: InputError when the text is something else: a new spelling is noticed, not guessed.
    """
    stripped = text.strip().replace(",", "").removesuffix("%")
    if stripped in {"", "-", "--"}:
        return None
    scale = Decimal(1)
    while stripped and stripped[-1] in _SUFFIXES:
        scale *= _SUFFIXES[stripped[-1]]
        stripped = stripped[:-1]
    try:
        number = Decimal(stripped)
    except ArithmeticError:
        raise InputError("amount", text, "a number with an optional 千/万/亿 or %") from None
    if not number.is_finite():
        raise InputError("amount", text, "a finite number")
    return number * scale
