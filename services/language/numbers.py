"""Every form in which a text may write a figure, as a `Number`: value, precision, unit, hedge.

Reading only: whether the figure holds is prose.match. What is vague (数十亿) is read as `vague`,
which nothing supports.
"""

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from services.language.numerals import ENGLISH_NUMBERS, NUMERALS, ReadNumber, chinese_at, english_at
from services.language.plain_text import words
from services.language.unit_words import (
    BEFORE,
    EN_SCALE,
    EN_SCALES,
    HEDGE_AFTER,
    HEDGE_BEFORE,
    MINUS,
    MONEY_BEFORE,
    NOT_THE_UNIT,
    PER_SHARE,
    SCALE,
    SCALES,
    UNIT_OF,
    UNIT_WORDS,
    WORD_FIGURES,
    Hedge,
    Kind,
)


@dataclass(frozen=True, slots=True)
class Number:
    """One figure as written. `value` and `ulp` are in the base unit of `kind` (percent: percents).

    `scaled` is money or shares with 万 or 亿 and no word of which; `change` a word like 翻番 (in
    percent). `sign` is the one printed (0: none). `paren`: it stands alone in parentheses.
    """

    start: int
    end: int
    value: Decimal
    ulp: Decimal
    significant: int
    kind: Kind
    unit: str = ""
    currency: str | None = None
    sign: int = 0
    hedge: Hedge = ""
    paren: bool = False
    scale: Decimal = Decimal(1)

    @property
    def is_bare(self) -> bool:
        """Whether neither unit nor scale was written."""
        return self.kind == "plain" and self.scale == 1


_ASCII = re.compile(
    r"(?P<n>\d{1,3}(?:,\d{3}){1,5}(?![\d])(?:\.\d{1,15})?|\d{1,20}(?:\.\d{1,15})?)"
    r"(?:e(?P<exp>[+-]?\d{1,2})(?![a-z0-9]))?(?!\d)"
)
_COMPOUND = re.compile(r"亿(\d{1,4})万")
_FRACTION = re.compile(r"(\d{1,3})/(\d{1,3})(?![\d/.%]|[倍亿万元点年])")
_PER = re.compile(r"([百千万])分之")
_OF = re.compile(r"分之")
_TENTHS = re.compile(
    r"个?成(?![为立功本交品都长熟果员分效绩])(半|[一二三四五六七八九1-9](?![\d十百千万亿]))?"
)


def number_at(text: str, place: int, *, around: bool = True) -> Number | None:
    """The longest figure whose digits or words begin at that place.

    Without `around` it is the digits and the unit alone: no sign, currency or hedge beside them.
    """
    found: list[Number] = []
    char = text[place]
    if char in "0123456789":
        found += _ascii(text, place)
    elif char in NUMERALS:
        found += _chinese(text, place)
    elif "a" <= char <= "z":
        found += _english(text, place)
    word = WORD_FIGURES.at(text, place)
    if word is not None:
        found.append(_read_worded(text, place, *word))
    if not found:
        return None
    longest = max(found, key=lambda number: number.end)
    return _with_surroundings(text, longest) if around else longest


def _read_worded(text: str, place: int, end: int, meaning: tuple[Kind, str] | None) -> Number:
    if meaning is None:
        return Number(place, end, Decimal(0), Decimal(0), 0, "vague")
    kind, value = meaning
    if text.startswith("过半", place) and end == place + 2:
        return Number(place, end, Decimal(value), Decimal(0), 1, kind, hedge="over")
    if kind == "scaled":  # 突破千亿元, 千亿市值: a thousand and somewhat over
        size = Decimal(value)
        number = Number(place, end, size, Decimal(0), 1, kind, hedge="over", scale=size)
        return _with_unit_word(text, number)
    return Number(place, end, Decimal(value), Decimal(1), 1, kind, hedge="about")


def _ascii(text: str, place: int) -> list[Number]:
    fraction = _FRACTION.match(text, place)
    if fraction and 0 < int(fraction[1]) < int(fraction[2]):
        value = Decimal(100 * int(fraction[1])) / int(fraction[2])
        return [Number(place, fraction.end(), value, Decimal(1), 1, "fraction", hedge="about")]
    match = _ASCII.match(text, place)
    if match is None:
        end = place
        while end < len(text) and text[end] in "0123456789.":
            end += 1
        return [Number(place, end, Decimal(0), Decimal(0), 0, "vague")]
    digits = match["n"].replace(",", "")
    whole, _, decimals = digits.partition(".")
    power = int(match["exp"] or 0)
    ulp = Decimal(1).scaleb(power - len(decimals))
    significant = len((whole + decimals).lstrip("0")) or 1
    read = ReadNumber(match.end(), Decimal(digits).scaleb(power), ulp, significant)
    return [_in_brackets(text, place, read) or _with_unit(text, place, read)]


def _in_brackets(text: str, place: int, read: ReadNumber) -> Number | None:
    """CNY (0.12) billion: a minus as accountants write it."""
    if text[place - 1 : place] != "(" or text[read.end : read.end + 1] != ")":
        return None
    scale = EN_SCALE.match(text, read.end + 1)
    if scale is None:
        return None
    power = Decimal(1).scaleb(EN_SCALES[scale[1]])
    number = Number(
        place - 1, scale.end(), read.value * power, read.ulp * power, read.significant, "scaled",
        sign=-1, scale=power,
    )  # fmt: skip
    return _with_unit_word(text, number)


def _chinese(text: str, place: int) -> list[Number]:
    per = _PER.match(text, place)
    if per is not None:
        return _parts_of(text, place, per)
    read = chinese_at(text, place)
    if read is None:
        end = place
        while end < len(text) and text[end] in NUMERALS:
            end += 1
        return [Number(place, end, Decimal(0), Decimal(0), 0, "vague")]
    of = _OF.match(text, read.end)
    if of and (part := chinese_at(text, of.end())) and 0 < part.value < read.value:
        value = 100 * part.value / read.value
        return [Number(place, part.end, value, Decimal(1), 1, "fraction", hedge="about")]
    return [_with_unit(text, place, read)]


def _parts_of(text: str, place: int, per: re.Match[str]) -> list[Number]:
    """百分之三十六点二一, 百分之36.21, 千分之五."""
    match = _ASCII.match(text, per.end())
    read = chinese_at(text, per.end())
    if match is not None:
        whole, _, decimals = match["n"].replace(",", "").partition(".")
        value = Decimal(f"{whole}.{decimals or 0}")
        ulp = Decimal(1).scaleb(-len(decimals))
        read = ReadNumber(match.end(), value, ulp, len((whole + decimals).lstrip("0")))
    if read is None:
        return [Number(place, per.end(), Decimal(0), Decimal(0), 0, "vague")]
    worth = {"百": Decimal(1), "千": Decimal("0.1"), "万": Decimal("0.01")}[per[1]]
    # In words a round number is still said to the percent: 百分之三十 is 30 %, not some 30.
    ulp = min(read.ulp, Decimal(1)) * worth
    return [Number(place, read.end, read.value * worth, ulp, read.significant, "percent", "%")]


_ORDINALS = words("first second third fourth fifth sixth seventh eighth ninth tenth")
_RANKED = re.compile(r"\b(?:rank(?:s|ed|ing)?|place[sd]?|comes?|came|stands?|stood)(?: the)? $")


def _english(text: str, place: int) -> list[Number]:
    before = text[place - 1 : place]
    if (before.isascii() and before.isalnum()) or before == "-":
        return []
    end = place
    while end < len(text) and "a" <= text[end] <= "z":
        end += 1
    if text[place:end] in _ORDINALS and _RANKED.search(text, max(place - 16, 0), place):
        value = Decimal(_ORDINALS.index(text[place:end]) + 1)
        return [Number(place, end, value, Decimal(1), 1, "rank", "th")]
    if text[place:end] not in ENGLISH_NUMBERS:
        return []
    read = english_at(text, place)
    return [] if read is None else [_with_unit(text, place, read)]


def _with_unit(text: str, place: int, read: ReadNumber) -> Number:
    """What stands right behind the digits: 余, 万 or 亿, a unit; or 成 and its half."""
    tenths = _TENTHS.match(text, read.end)
    if tenths is not None and read.value < 100:
        return _tenths(place, read, tenths)
    at = read.end
    if compound := _COMPOUND.match(text, at):
        below = Decimal(compound[1])
        read = ReadNumber(
            compound.end() - 1, read.value * 10_000 + below, Decimal(1), read.significant + 4
        )
        at = read.end
    more = at < len(text) and text[at] in "余多"
    at += more
    power = 0
    if scale := SCALE.match(text, at):
        power, at = SCALES[scale.group()], scale.end()
    elif scale := EN_SCALE.match(text, at):
        power, at = EN_SCALES[scale[1]], scale.end()
    if not more and at < len(text) and text[at] in "余多" and (power or text[place] in NUMERALS):
        more, at = True, at + 1
    if more and at == read.end + 1 and not UNIT_WORDS.at(text, at):
        more, at = False, read.end
    number = Number(
        place,
        at,
        read.value.scaleb(power),
        read.ulp.scaleb(power),
        read.significant,
        "scaled" if power >= 3 or read.ulp >= 10_000 else "plain",
        hedge="over" if more else "",
        scale=Decimal(1).scaleb(power),
    )
    return _with_unit_word(text, number)


def _with_unit_word(text: str, number: Number) -> Number:
    at = number.end
    spaced = at + (at < len(text) and text[at] in " -")
    unit = UNIT_WORDS.at(text, at) or (UNIT_WORDS.at(text, spaced) if spaced > at else None)
    if unit is None or _is_other_word(text, unit[0], unit[1]):
        return number
    end, word = unit
    kind, currency = UNIT_OF[word]
    factor = Decimal(1)
    if word in {"基点", "个基点", "bp", "bps", "basis point", "basis points"}:
        factor = Decimal("0.01")
    elif word in {"手", "lots"}:
        factor = Decimal(100)
    if kind == "money" and text[end : end + 1] == "/" and text[end + 1 : end + 6] == "share":
        kind, end = "per_share", end + 6
    return replace(
        number,
        end=end,
        kind=kind,
        unit=word,
        currency=currency,
        value=number.value * factor,
        ulp=number.ulp * factor,
    )


def _is_other_word(text: str, end: int, word: str) -> bool:
    """Whether the unit is only the beginning of another word (股 in 股权)."""
    if word == "points" and text.startswith(" to ", end):
        return True  # at -0.22 points to weak momentum
    return end < len(text) and text[end] in NOT_THE_UNIT.get(word, "")


def _tenths(place: int, read: ReadNumber, tenths: re.Match[str]) -> Number:
    value, ulp, significant = read.value * 10, Decimal(10), 1
    tail = tenths.group(1)
    if tail is not None:
        extra = "5" if tail == "半" else tail
        step = Decimal(extra) if extra.isdigit() else (chinese_at(tail, 0) or read).value
        value, ulp, significant = value + step, Decimal(1), 2
    return Number(place, tenths.end(), value, ulp, significant, "percent", "成")


def _with_surroundings(text: str, number: Number) -> Number:
    """Sign and currency right before, hedges on both sides, 半 and parentheses around."""
    start, sign, currency = _read_sign(text, number)
    kind: Kind = "money" if currency and number.kind in {"plain", "scaled"} else number.kind
    hedge, end = number.hedge, number.end
    if kind == "multiple" and number.unit == "倍" and text[end : end + 1] == "半":
        half = number.ulp / 2
        number = replace(number, value=number.value + half, ulp=number.ulp / 10, significant=2)
        end += 1
    if kind == "money" and (per := PER_SHARE.match(text, end)):
        kind, end = "per_share", per.end()
    start, end, hedge = _read_hedge(text, start, end, kind, hedge)
    paren = text[start - 1 : start] == "(" and text[end : end + 1] == ")"
    return replace(
        number,
        start=start, end=end, sign=sign, currency=currency, kind=kind, hedge=hedge, paren=paren,
    )  # fmt: skip


def _read_sign(text: str, number: Number) -> tuple[int, int, str | None]:
    """Where the figure begins with its sign and currency, in either order; and these."""
    start, sign, currency = number.start, number.sign, number.currency
    for _ in range(2):
        money = MONEY_BEFORE.search(text, max(start - 5, 0), start)
        if money and number.kind in {"money", "plain", "scaled", "per_share"}:
            currency = currency or BEFORE.get(money[1], "CNY")
            start = money.start()
        elif not sign and (minus := MINUS.search(text, max(start - 9, 0), start)):
            sign, start = -1, minus.start()
        elif not sign and start and text[start - 1] in "+-" and _is_sign(text, start - 1):
            sign = 1 if text[start - 1] == "+" else -1
            start -= 1
    return start, sign, currency


def _read_hedge(
    text: str, start: int, end: int, kind: Kind, hedge: Hedge
) -> tuple[int, int, Hedge]:
    """The figure's span with the words before and after that say about, over or at most."""
    name: Hedge
    for name, pattern in HEDGE_AFTER:
        if kind != "vague" and (after := pattern.match(text, end)):
            hedge, end = name, after.end()
    for name, pattern in HEDGE_BEFORE:
        if before := pattern.search(text, max(start - 16, 0), start):
            if hedge != "bound":
                hedge = name
            start = before.start() if name != "bound" else start
            break
    return start, end, hedge


def _is_sign(text: str, place: int) -> bool:
    """A minus is one unless it joins: 5-8 %, MA5-MA20, 3 - 5 (a dash has a space behind)."""
    before = text[place - 1] if place else " "
    return not before.isdigit() and before not in "%-"
