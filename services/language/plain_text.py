"""A text as it is read: plain width, simplified characters, nothing hidden.

`plain` is for texts that are held against claims: each character knows where it was shown
(`Plain.span`). `plain_question` is for questions.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from opencc import OpenCC

# They turn the order in which figures are seen: nothing of ours needs them.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_KEYCAP = "\u20e3"
_MARKS: Mapping[str, str] = {
    "−": "-", "‐": "-", "‑": "-", "‒": "-", "–": "-", "﹣": "-", "～": "~", "〜": "~",
    "∼": "~", "〇": "零", "≈": "约", "’": "'", "‘": "'", "\u3000": " ", "\xa0": " ", "\t": " ",
    "•": "-", "·": "·", "\r": " ", "\u2028": "\n", "\u2029": "\n", "\x0b": "\n", "\x0c": "\n",
}  # fmt: skip
_MARKDOWN = re.compile(r"\*\*|__|`")
# The library knows words too: 乾隆 stays, 乾淨 becomes 干净.
_SIMPLIFY: Callable[[str], str] = OpenCC("t2s").convert  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] — its base is native
# Half of a character, which the library refuses.
_SURROGATE = re.compile("[\ud800-\udfff]")
# 参 is the numeral of banks only before a place: 参拾亿, and not 参考.
_THREE = re.compile("参(?=[拾佰仟万亿])")


@dataclass(frozen=True, slots=True)
class Plain:
    """`text` in plain width and small Latin letters; `origin[i]` is where character i was shown.

    `odd`: places of characters that count or turn and that nobody writes figures with (②, ½, ٣).
    `cased` is `text` with its capitals.
    """

    text: str
    cased: str
    origin: tuple[int, ...]
    odd: tuple[int, ...]
    turning: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The offsets in the shown text of the characters `start` to `end` here."""
        if end <= start:
            return self.origin[start], self.origin[start]
        return self.origin[start], self.origin[end - 1] + 1


def is_cjk(char: str) -> bool:
    """Whether it is a Chinese character."""
    return "一" <= char <= "鿿"


def simplified(text: str) -> str:
    """The text in simplified characters, each where it stood."""
    if text.isascii():
        return text
    text = _SURROGATE.sub("\ufffd", text)
    made = _SIMPLIFY(text)
    if len(made) != len(text):
        made = "".join(_SIMPLIFY(char)[:1] or char for char in text)
    return _THREE.sub("叁", made) if "参" in made else made


def with_year_digits(text: str) -> str:
    """二零一六年 and 20l6年 as 2016年: a year and no figure."""
    text = _MISTYPED_YEAR.sub(lambda found: found.group().translate(_LIKE_DIGITS), text)
    return _YEAR.sub(_in_digits, text)


def with_code_digits(text: str) -> str:
    """六零零五一九 as 600519: so many digits without a scale are a code and no number."""
    return _CODE.sub(_in_digits, text)


def _in_digits(found: re.Match[str]) -> str:
    return found.group().translate(_DIGITS)


@lru_cache(maxsize=4096)
def _read(char: str) -> tuple[str, str]:
    """What a character is read as (empty: not seen), and `odd`, `turn` or nothing."""
    if char in _MARKS:
        return _MARKS[char], ""
    if char.isascii():
        return char, ""
    if char in _TURNING:
        return "", "turn"
    kind = unicodedata.category(char)
    if kind in {"Cf", "Cc", "Cs", "Co", "Cn"} or "\ufe00" <= char <= "\ufe0f" or char == _KEYCAP:
        return "", ""
    if kind in {"Mn", "Me"}:
        return "", "odd"
    plain = unicodedata.normalize("NFKC", char)
    if kind in {"Nd", "Nl", "No"}:
        return (plain, "") if "０" <= char <= "９" else (char, "odd")
    return (plain, "") if len(plain) == 1 else (char, "")


def plain(shown: str) -> Plain:
    """Read the text character by character; markdown's emphasis and spaces beside Chinese go."""
    hidden: set[int] = set()
    for found in _MARKDOWN.finditer(shown):
        hidden.update(range(found.start(), found.end()))
    read: list[str] = []
    origin: list[int] = []
    odd: list[int] = []
    turning: list[int] = []
    for place, char in enumerate(shown):
        if place in hidden:
            continue
        seen, mark = _read(char)
        if mark == "turn":
            turning.append(place)
        elif mark == "odd":
            odd.append(len(read) if seen else max(len(read) - 1, 0))
        if seen:
            read.append(seen)
            origin.append(place)
    return _without_spaces(read, origin, odd, tuple(turning))


def _without_spaces(
    read: Sequence[str], origin: Sequence[int], odd: Sequence[int], turning: tuple[int, ...]
) -> Plain:
    kept: list[int] = []
    for place, char in enumerate(read):
        if char == " " and _is_beside_cjk(read, kept, place):
            continue
        kept.append(place)
    moved = {old: new for new, old in enumerate(kept)}
    text = with_year_digits(simplified("".join(read[place] for place in kept)))
    return Plain(
        lower(text),
        text,
        tuple(origin[place] for place in kept),
        tuple(dict.fromkeys(moved[place] for place in odd if place in moved)),
        turning,
    )


# 二零一一到二零一六, 一五年到一六年: 年 stands behind the last of them at the least.
_YEAR = re.compile(
    "[一二][〇零一二三四五六七八九]{3}(?=(?:财|年)|[到至和与、-][一二][〇零一二三四五六七八九]{3})"
    "|(?<=[〇零一二三四五六七八九][到至和与、-])[一二][〇零一二三四五六七八九]{3}"
    "|(?<![〇零一二三四五六七八九十百千万亿])[〇零一][〇零一二三四五六七八九](?=年)"
)
_DIGITS = str.maketrans("〇零一二三四五六七八九幺", "001234567891")
# A code read digit by digit, as 零 and a scale never are.
_CODE = re.compile(
    "(?<![〇零一二三四五六七八九幺十百千万亿点])[〇零一二三四五六七八九幺]{5,6}"
    "(?![〇零一二三四五六七八九幺十百千万亿点])"
)
# Letters that look like digits in a year: 20l6年, 2O15年.
_MISTYPED_YEAR = re.compile(r"(?<![A-Za-z\d])(?:2[0oO]|[1lI]9)[\dlIoO]{2}(?=\s?年)")
_LIKE_DIGITS = str.maketrans("lIoO", "1100")


def _is_beside_cjk(read: Sequence[str], kept: Sequence[int], place: int) -> bool:
    """A space with Chinese before it, or right behind it (several spaces count as one)."""
    if kept and (is_cjk(read[kept[-1]]) or read[kept[-1]] == " "):
        return True
    return place + 1 < len(read) and is_cjk(read[place + 1])


_CJK = "一-鿿"
_SPACE_BESIDE_CJK = re.compile(rf"\s+(?=[{_CJK}])|(?<=[{_CJK}])\s+")
# Moutai's, not what's: who owns is a company.
_POSSESSIVE = re.compile(r"(?<=[A-Za-z])(?<![Ww]hat)(?<![Ww]ho)(?<!\b[Ii]t)['’]s\b")
_QUESTION_MARKS = str.maketrans(
    {"−": "-", "–": "-", "—": "-", "～": "~", "“": '"', "”": '"', "∼": "~"}
)
_QUESTIONED = frozenset(map(chr, _QUESTION_MARKS))
_CAPITALS = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def plain_question(text: str) -> str:
    """Full-width forms made plain; spaces kept only between Latin words and figures."""
    normal = text
    if not text.isascii():
        normal = unicodedata.normalize("NFKC", text)
        if not _QUESTIONED.isdisjoint(normal):
            normal = normal.translate(_QUESTION_MARKS)
    if "'" in normal or "’" in normal:
        normal = _POSSESSIVE.sub("", normal)
    normal = simplified(normal)
    # Every other white space is not printable: a word without any is as it is.
    if " " not in normal and normal.isprintable():
        return normal
    return _SPACE_BESIDE_CJK.sub("", re.sub(r"\s+", " ", normal)).strip()


def lower(text: str) -> str:
    """The same length, with Latin letters small."""
    if text.isascii():
        return text.lower()
    return text if text.lower() == text else text.translate(_CAPITALS)


def words(text: str) -> tuple[str, ...]:
    """The words of a list in one string."""
    return tuple(text.split())


def one_of(listed: Iterable[str]) -> str:
    """The pattern that matches one of those words, the longest first."""
    return "|".join(re.escape(one) for one in sorted(set(listed), key=len, reverse=True))


def spelled(word: str) -> str:
    """A word as it stands in a `Plain.text`."""
    return plain(word).text.strip()


_STOPS = re.compile(r"[。!?;\n]|(?<![0-9])\.(?=\s|$)|(?<=[0-9])\.(?=\s|$)|\.(?=[^0-9a-z\s])")
_ABBREVIATED = re.compile(r"(?:\b(?:inc|co|corp|ltd|vs|approx|no|jan|feb|mar|apr|jun|jul|aug|sep"
                          r"|sept|oct|nov|dec|u\.s|e\.g|i\.e))$")  # fmt: skip


def sentences(text: str) -> list[tuple[int, int]]:
    """Where sentences begin and end; a line always ends one."""
    found: list[tuple[int, int]] = []
    start = 0
    for stop in _STOPS.finditer(text):
        at = stop.start()
        if text[at] == "." and _ABBREVIATED.search(text, max(at - 8, 0), at):
            continue
        found.append((start, stop.end()))
        start = stop.end()
    if start < len(text):
        found.append((start, len(text)))
    return found
