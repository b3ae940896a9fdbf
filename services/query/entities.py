"""Companies and indexes in a question: the longest name or code at a place, and whom it means."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from services.core.errors import InputError
from services.core.names import NameRow
from services.market.name_texts import CJK, SHARE_CLASS, clean, english_names, variants
from services.market.names import Names
from services.market.nicknames import NICKNAMES
from services.query.lexicon import Lexicon, is_latin, lower, plain, whole
from services.query.wording import MARKET_CODES

_CODE = re.compile(
    r"\$[^$()]*\([a-z0-9.]+\)\$|(?:sh|sz|bj|hk)\.?\d{4,6}|\d{1,6}\.(?:sh|ss|sz|bj|hk)|\d{5,6}"
    r"|us[:.][a-z]{1,5}|[a-z]{1,5}\.us"
)
_SHORT_CODE = re.compile(r"\d{1,4}(?!\d|[亿万元%倍.])")
_NAME_SIDE = re.compile(r"\(?([a-z]{0,2}\d{5,6}(?:\.[a-z]{2})?)\)?")
_SIDE = re.compile(r"\(?(a股|h股|港股|美股)\)?(?!市场)")
_NAME_AND_CODE = re.compile(r"(.+)\(([a-z0-9.]+)\)")
_BEFORE = re.compile(r"(a股|h股|港股|美股)的?$")
_SIDES = {"a股": "A股", "h股": "港股", "港股": "港股", "美股": "美股"}
# A figure after one of these is an amount, and one before these too.
_AMOUNT_BEFORE = "<>=≥≤于过"
_AMOUNT_AFTER = "亿万元%倍千百"


@dataclass(frozen=True, slots=True)
class Mention:
    """A company said: the text, the one symbol meant, or which ones it may be.

    `symbol` is None when nothing or several fit; `choices` are symbols, the nearest ones when
    `is_known` is false.
    """

    text: str
    start: int
    end: int
    symbol: str | None = None
    choices: tuple[str, ...] = ()
    is_known: bool = True


class NameBook:
    """Everything a company may be called, by the longest match. Safe to share between threads."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._rows = names.rows
        self._words = Lexicon(dict.fromkeys(_spellings(self._rows.values()), True))

    @property
    def is_stale(self) -> bool:
        """Whether newer names have joined since this was made."""
        return self._names.rows is not self._rows

    def at(self, text: str, place: int) -> int | None:
        """Where the name or code that begins there ends; `text` in small letters."""
        found = self._code(text, place) or self._named(text, place)
        if found is None:
            return None
        if beside := _NAME_SIDE.match(text, found):
            inside = text[place:found]
            if CJK.search(inside) and whole(text, found, beside.end()):
                return found if _is_amount(text, found, beside.end()) else beside.end()
        return found

    def _named(self, text: str, place: int) -> int | None:
        found = self._words.at(text, place)
        return found[0] if found else None

    def _code(self, text: str, place: int) -> int | None:
        match = _CODE.match(text, place)
        if match is None and _BEFORE.search(text, 0, place) and "港" in text[:place]:
            match = _SHORT_CODE.match(text, place)
        if match is None or not whole(text, place, match.end()):
            return None
        said = match.group()
        if text[match.end() : match.end() + 1].isdigit():
            return None
        if place and text[place - 1].isdigit():
            return None
        if said.isdigit():
            if _is_amount(text, place, match.end()):
                return None
            if len(said) == 5 and f"{said}.HK" not in self._rows and said[0] != "0":
                return None
        return match.end()

    def mention(self, text: str, start: int, end: int, market: str | None = None) -> Mention:
        """Whom `text[start:end]` means. `market` is A股, 港股 or 美股 when it was said."""
        said = text[start:end]
        try:
            symbol = self._coded(said) or self._names.resolve(said).value
        except InputError as error:
            known = any(self._fits(said, choice) for choice in error.choices)
            listed = self._within(error.choices, market) if known else ()
            if known and len(listed) == 1:
                return Mention(said, start, end, listed[0])
            return Mention(said, start, end, None, listed or error.choices, is_known=known)
        if market and self._rows[symbol].market != MARKET_CODES[market]:
            return self._elsewhere(Mention(said, start, end, symbol), market)
        return Mention(said, start, end, symbol)

    def sided(self, text: str, start: int, end: int) -> tuple[int, int, str | None]:
        """The span with the market said right beside it (港股腾讯, 招行H股), and that market."""
        if after := _SIDE.match(text, end):
            return start, after.end(), _SIDES[after.group(1)]
        if before := _BEFORE.search(text, 0, start):
            return before.start(), end, _SIDES[before.group(1)]
        return start, end, None

    def listing(self, symbol: str, market: str) -> tuple[str, ...]:
        """Listings of the same company in that market, by its name."""
        row = self._rows[symbol]
        if row.market == MARKET_CODES[market]:
            return (symbol,)
        wanted = {*variants(row.name), SHARE_CLASS.sub("", clean(row.name))}
        return tuple(
            other.symbol
            for other in self._rows.values()
            if other.market == MARKET_CODES[market] and variants(other.name) & wanted
        )

    def shown(self, symbol: str) -> str:
        """Its listed name; with its code where the name alone is not sure to mean it."""
        name = self._rows[symbol].name
        try:
            sure = self._names.resolve(name).value == symbol
        except InputError:
            sure = False
        if sure:
            return name
        try:
            return self.exactly(symbol) if self._names.resolve(self.exactly(symbol)) else symbol
        except InputError:
            return symbol

    def exactly(self, symbol: str) -> str:
        """Its listed name with its code."""
        return f"{self._rows[symbol].name}({symbol})"

    def is_ticker(self, said: str) -> bool:
        """Whether it is a ticker of the United States in any case."""
        return said.upper() in self._rows

    def begins_or_ends(self, symbol: str, part: str) -> bool:
        """Whether a name of that symbol begins or ends with the text: 洋河, 龙盛."""
        row = self._rows[symbol]
        names = [lower(plain(name)) for name in (row.name, *row.old_names, row.english_name or "")]
        return any(name.startswith(part) or name.endswith(part) for name in names)

    def row(self, symbol: str) -> NameRow:
        """The names of a symbol that was found here."""
        return self._rows[symbol]

    def _elsewhere(self, mention: Mention, market: str) -> Mention:
        listed = self.listing(mention.symbol or "", market)
        if len(listed) == 1:
            return Mention(mention.text, mention.start, mention.end, listed[0])
        near = listed or ((mention.symbol,) if mention.symbol else ())
        return Mention(mention.text, mention.start, mention.end, None, near, is_known=bool(listed))

    def _within(self, symbols: Iterable[str], market: str | None) -> tuple[str, ...]:
        code = MARKET_CODES[market] if market else None
        return tuple(s for s in symbols if code is None or self._rows[s].market == code)

    def _coded(self, said: str) -> str | None:
        """The symbol of a name with its own code behind it: 平安R香港50(03098.HK)."""
        match = _NAME_AND_CODE.fullmatch(said)
        if match is None or ("." not in match.group(2) and not match.group(2).isalpha()):
            return None
        symbol = match.group(2).upper()
        return symbol if self._fits(match.group(1), symbol) else None

    def _fits(self, said: str, symbol: str) -> bool:
        """Whether a name, code or spelling of that symbol has the text in it."""
        row = self._rows.get(symbol)
        if row is None:
            return False
        texts = (row.symbol, row.name, *row.old_names, *row.pinyin, *row.initials)
        texts += (row.full_name or "", row.english_name or "")
        return any(said in lower(plain(text)) for text in texts)


def _is_amount(text: str, start: int, end: int) -> bool:
    before = text[start - 1 : start]
    after = text[end : end + 1]
    return bool(before and before in _AMOUNT_BEFORE) or bool(after and after in _AMOUNT_AFTER)


def _spellings(rows: Iterable[NameRow]) -> Iterable[str]:
    """Every text that names something listed, in small letters."""
    yield from NICKNAMES
    for row in rows:
        for name in (row.name, row.full_name, *row.old_names):
            if name:
                yield from (lower(plain(one)) for one in variants(name) if len(one) > 1)
        for english in english_names(row):
            if len(english) > 1:
                yield lower(plain(english))
        if row.market == "US" and len(row.symbol) > 1:
            yield row.symbol.lower()
        if CJK.search(row.name):
            yield from (spelling for spelling in row.pinyin if len(spelling) > 3)
            yield from (short for short in row.initials if len(short) > 2)


def is_word(text: str) -> bool:
    """Whether there is a letter or a Chinese character in it."""
    return any(CJK.match(char) or (is_latin(char) and char.isalpha()) for char in text)
