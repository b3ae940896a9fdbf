"""Numbers written in words: 一千三百七十一点零五, 百分之三十六, 三成五, thirty-one. Pure text.

A number is its value and `ulp`, what one of its last printed place is worth.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from services.language.plain_text import words

_DIGITS: Mapping[str, int] = {
    **{char: value for value, char in enumerate("零一二三四五六七八九")},
    **{char: value for value, char in enumerate("零壹贰叁肆伍陆柒捌玖")},
    "两": 2,
    "弌": 1,
    "弍": 2,
    "弎": 3,
}
_PLACES: Mapping[str, int] = {
    "十": 10,
    "百": 100,
    "千": 1000,
    "拾": 10,
    "佰": 100,
    "仟": 1000,
    "廿": 20,
    "卅": 30,
}
_GROUPS: Mapping[str, int] = {"万": 10_000, "亿": 10**8}
_WORTH: Mapping[str, int] = {**_PLACES, **_GROUPS}
NUMERALS = frozenset({*_DIGITS, *_PLACES, *_GROUPS})
# Longer runs are nobody's figure; reading stops there and the rest is left over, so refused.
_LONGEST = 24
_RUN = re.compile(f"[{''.join(sorted(NUMERALS))}]{{1,{_LONGEST}}}")
_POINT = re.compile(f"点([{''.join(sorted(_DIGITS))}]{{1,8}})")
_ONES = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
_ENGLISH: Mapping[str, int] = {
    **{word: value for value, word in enumerate(_ONES)},
    **{word: value * 10 for value, word in enumerate(_TENS, 2)},
    "dozen": 12,
}
# Said of spans: the last three months.
ONE_TO_TWELVE = _ONES[1:13]
_ENGLISH_PLACES: Mapping[str, int] = {"hundred": 100, "thousand": 1000}
ENGLISH_NUMBERS = frozenset({*_ENGLISH, *_ENGLISH_PLACES})
_ENGLISH_RUN = re.compile(
    rf"(?:(?:{'|'.join(sorted(ENGLISH_NUMBERS, key=len, reverse=True))})"
    r"(?![a-z])(?:-(?=[a-z])| (?:and )?(?=[a-z]))?){1,8}"
)
_ENGLISH_POINT = re.compile(
    r"\s?point((?: (?:zero|one|two|three|four|five|six|seven|eight|nine)){1,6})(?![a-z])"
)


class ReadNumber(NamedTuple):
    """A number in words: where it ends, its value, what its last place is worth, its digits."""

    end: int
    value: Decimal
    ulp: Decimal
    significant: int


def chinese_at(text: str, place: int) -> ReadNumber | None:
    """The Chinese numeral that begins there; None when none does or it has no plain reading."""
    run = _RUN.match(text, place)
    if run is None:
        return None
    whole = run.group()
    if run.end() < len(text) and text[run.end()] in NUMERALS:
        return None
    value, ulp = _digits_read(whole) or _places_read(whole) or (None, 1)
    if value is None:
        return None
    significant = max(len(str(value // ulp).lstrip("0")), 1)
    point = _POINT.match(text, run.end())
    if point is None:
        return ReadNumber(run.end(), Decimal(value), Decimal(ulp), significant)
    digits = "".join(str(_DIGITS[char]) for char in point.group(1))
    scale, end = _tail_scale(text, point.end())
    number = (Decimal(value) + Decimal(f"0.{digits}")) * scale
    figures = len((str(value) + digits).lstrip("0"))
    return ReadNumber(end, number, Decimal(1).scaleb(-len(digits)) * scale, figures)


def _tail_scale(text: str, place: int) -> tuple[Decimal, int]:
    """点五亿: the groups behind the decimals."""
    scale = Decimal(1)
    while place < len(text) and text[place] in _GROUPS:
        scale *= _GROUPS[text[place]]
        place += 1
    return scale, place


def _digits_read(run: str) -> tuple[int, int] | None:
    """二零一六 or a single digit, perhaps with 万 or 亿 behind."""
    bare = run.rstrip("万亿")
    if not bare or any(char not in _DIGITS for char in bare):
        return None
    scale = 1
    for char in run[len(bare) :]:
        scale *= _GROUPS[char]
    return int("".join(str(_DIGITS[char]) for char in bare)) * scale, scale


def _places_read(run: str) -> tuple[int, int] | None:
    """三百七十亿五千万: sums of digit times place, in groups. None where places do not fall. A
    digit right behind a place and with none of its own is of the next lower one: 三千一 is 3100.
    """
    total, group, digit, ulp = 0, 0, None, 1  # a round number is said to the last one: 三百 is 300
    for at, char in enumerate(run):
        if char in _DIGITS:
            if digit not in (None, 0):
                return None
            above = _WORTH.get(run[at - 1], 0) if at else 0
            is_short = above >= 100 and run[at + 1 : at + 2] in ("", *_GROUPS)
            ulp = above // 10 if is_short else 1
            digit = _DIGITS[char] * ulp
        elif char in _PLACES:
            if digit is None and ((at > 0 and run[at - 1] not in "零") or char not in "十拾廿卅"):
                return None
            worth = _PLACES[char]
            group += (digit or 1) * worth
            digit, ulp = None, 1
        else:
            group += digit or 0
            if not group and not total:
                return None
            worth = _GROUPS[char]
            total = (total + group) * worth if worth == 10**8 else total + group * worth
            group, digit, ulp = 0, None, ulp * worth
    return total + group + (digit or 0), ulp


def english_at(text: str, place: int) -> ReadNumber | None:
    """The English number that begins there (thirty-one, two point five, three hundred)."""
    run = _ENGLISH_RUN.match(text, place)
    if run is None:
        return None
    words = re.findall("[a-z]+", run.group())
    total, group = 0, 0
    for word in words:
        if word in _ENGLISH:
            group = group * 12 if word == "dozen" and group else group + _ENGLISH[word]
        elif word == "hundred":
            group = (group or 1) * 100
        elif word == "thousand":
            total, group = (total + (group or 1)) * 1000, 0
    value = total + group
    end = place + len(run.group().rstrip(" -"))
    if words[-1] == "and":
        return None
    point = _ENGLISH_POINT.match(text, end)
    if point is None:
        return ReadNumber(end, Decimal(value), Decimal(1), len(str(value)))
    digits = "".join(str(_ENGLISH[word]) for word in point.group(1).split())
    number = Decimal(f"{value}.{digits}")
    return ReadNumber(
        point.end(), number, Decimal(1).scaleb(-len(digits)), len(str(value) + digits)
    )


def small_number(text: str) -> int:
    """A whole number below 1000 in figures or words: 12, 十二, 两, 一百二, twelve; else 0."""
    if text.isdigit():
        return int(text)
    if text in _ENGLISH:
        return _ENGLISH[text]
    hundreds, hundred, rest = text.rpartition("百")
    tens, ten, ones = rest.rpartition("十")
    value = (_DIGITS.get(hundreds, 1) if hundreds else 1) * 100 if hundred else 0
    if ten:
        value += (_DIGITS.get(tens.lstrip("零"), 1) if tens else 1) * 10
    last = _DIGITS.get(ones.lstrip("零"), 0)
    is_short = hundred and not ten and not ones.startswith("零")  # 一百二
    return value + last * (10 if is_short else 1)
