"""Figures and bounds of a screen as they are said: their units, their words, several as one."""

import re

from services.core.errors import InputError
from services.core.text import Text
from services.language.numerals import small_number
from services.market.ranges import UNIT_WORDS
from services.query.reading import screen_grammar as grammar
from services.query.reading.wording import CURRENCIES


def with_figure(condition: str, figure: str) -> str | None:
    """The same bound with another figure; None when it is not one simple bound."""
    match = grammar.TERM_PARTS.fullmatch(condition)
    if match is None:
        return None
    return (match.group("op") or "") + figure + (match.group("suffix") or "")


_SPAN = re.compile(rf"(?P<low>{grammar.NUM})到(?P<high>{grammar.NUM})")


def with_side(condition: str, side: str, figure: str) -> str | None:
    """The condition with another upper (`高`) or lower (`低`) bound; None when it is no bound."""
    span = _SPAN.fullmatch(condition)
    one = grammar.TERM_PARTS.fullmatch(condition)
    if span is None and (one is None or not (one["op"] or one["suffix"])):
        return None
    if span is not None:
        low, high = span["low"], span["high"]
    else:
        assert one is not None  # noqa: S101 - see above
        is_low = one["op"] in grammar.UPWARD or (one["suffix"] or "").strip().endswith("上")
        low, high = (one["num"], "") if is_low else ("", one["num"])
    low, high = (figure, high) if side == "低" else (low, figure)
    if low and high:
        return f"{low}到{high}"
    return f"大于{low}" if low else f"小于{high}"


def unit_in(condition: str) -> str:
    """The unit a condition is written with: %, 倍 or 元; empty when it has none."""
    if re.search("[亿万元]", condition):
        return "元"
    return next((unit for unit in ("%", "倍") if unit in condition), "")


def pair(match: re.Match[str]) -> str:
    """两三百亿 → 两百亿到三百亿. The marks around it stay; the text grows, which nobody counts."""
    first, second = small_number(match["a"]), small_number(match["b"])
    if second - first not in {1, 2}:
        return match.group()
    return f"{match['a']}{match['tail']}到{match['b']}{match['tail']}"


def suffix_of(text: str | None) -> str:
    """以上 or 以下 for any word of that kind; empty for none."""
    said = (text or "").strip()
    return grammar.SUFFIXES.get(said, said)


def number_said(text: str) -> str:
    """As said, with Chinese units for English ones and % for 个点."""
    said = re.sub("个(?=[万亿])", "", text.strip().replace(",", ""))
    prefix = re.match(grammar.PREFIX, said)
    said = said[prefix.end() :] if prefix else said
    money = re.search(f" ?(?P<money>{grammar.MONEY})$", said)
    currency = _currency(prefix.group() if prefix else "") or _currency(
        money.group("money") if money else ""
    )
    said = re.sub("^(?=[百千万](?!分之))", "一", said[: money.start()] if money else said)
    if match := re.search(rf" ?({grammar.SCALE})", said):
        scale = {"b": 1e9, "t": 1e12, "m": 1e6}[match.group(1)[0]]
        value = float(said[: match.start()]) * scale
        said = f"{value / 1e8:g}亿" if value >= 1e8 else f"{value / 1e4:g}万"
    if match := re.search(" ?(?:个百分点|个点|percent)$", said):
        figure = said[: match.start()]
        said = (figure if re.search("[0-9]", figure) else str(small_number(figure))) + "%"
    said = re.sub(" ?(?:times|x)$", "倍", said).replace(" ", "")
    return said + (currency or ("元" if money else ""))


def _currency(word: str) -> str:
    """人民币, 港元 or 美元; empty for 元 and for none."""
    return CURRENCIES.get(word.strip().rstrip("s"), "")


def joined(terms: list[str]) -> str:
    """One condition of several: from 大于10 and 小于20 to 10到20."""
    unique = list(dict.fromkeys(terms))
    if len(unique) == 1:
        return unique[0]
    parts = [grammar.TERM_PARTS.match(term) for term in unique]
    if len(unique) == 2 and all(part and part.group("op") for part in parts):
        sides = {(part.group("op") in grammar.UPWARD): part.group("num") for part in parts if part}
        if len(sides) == 2:
            return f"{sides[True]}到{sides[False]}"
    return "且".join(unique)


def check_scale(key: str, name: str, text: str) -> None:
    """Raises: InputError for an amount of money where a ratio is meant."""
    if UNIT_WORDS[key] != "元" and re.search("[万亿元]", text):
        raise InputError(name, text, Text(f"{text} 不是比率", f"{text} is no ratio"))
