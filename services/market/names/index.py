"""An index of names: from what people write to one symbol. Its rows never change once it is made.

Tried in this order: code, short name or nickname, full name, old name, English, pinyin, initials,
then a part of a name that only one company has.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from services.core.errors import InputError
from services.core.indexes import INDEXES
from services.core.names import NameRow, ShortNames
from services.core.symbols import VALID, Market, Symbol
from services.market.names.english_names import english_name, latin_name
from services.market.names.near_names import NearNames
from services.market.names.nicknames import NICKNAMES, SHARED
from services.market.names.searching import MARKETS, Match, NameSearch
from services.market.names.spellings import (
    CJK,
    SHARE_CLASS,
    clean,
    english_names,
    holds_numeral,
    key_of,
    variants,
)

LONGEST = 60
CHOICES = 10
# As choices and plans tell a listing: 万科A(000002.SZ), APPLE Inc(AAPL).
_TOLD = re.compile(r"(.+)\(([A-Za-z0-9.]{1,9})\)")
_NAME_AND_CODE = re.compile(r"(.*?[^A-Za-z0-9(])\s*\(?([A-Za-z]{0,2}\d{5,6}(?:\.[A-Za-z]{2})?)\)?")
_CODE_INSIDE = re.compile(
    r"(?<![0-9A-Z.])(?:(?:SH|SZ|BJ)\d{6}|\d{6}(?:\.(?:SH|SS|SZ|BJ))?|\d{5}(?:\.HK)?)(?![0-9A-Z.])"
)
_HINTS: Mapping[str, Market] = {
    "A股": "CN",
    "沪深": "CN",
    "H股": "HK",
    "港股": "HK",
    "HK": "HK",
    "美股": "US",
    "US": "US",
}
_HINTED = (
    re.compile(r"(?P<name>.+?)[\s(\-]*(?P<hint>A股|H股|港股|美股|HK|US)\)?", re.IGNORECASE),
    re.compile(r"\(?(?P<hint>A股|H股|港股|美股|沪深)\)?的?[\s]*(?P<name>.+)", re.IGNORECASE),
)


class Called(NamedTuple):
    """What texts may call one symbol: by its own names and code, and by other ones."""

    own: tuple[str, ...]
    other: tuple[str, ...]


class _Spelled(NamedTuple):
    """A name as people say it, and the name with a market hint taken out."""

    text: str
    market: Market | None


class NotListedError(Exception):
    """No symbol of the index is meant: the text as given, and the part that was looked for."""

    def __init__(self, text: str, sought: str) -> None:
        super().__init__(text)
        self.text = text
        self.sought = sought


class _Kinds:
    """The symbols of every spelling, one mapping per kind of name."""

    def __init__(self, rows: Mapping[str, NameRow]) -> None:
        self.short: dict[str, list[str]] = {}
        self.full: dict[str, list[str]] = {}
        self.old: dict[str, list[str]] = {}
        self.english: dict[str, list[str]] = {}
        self.pinyin: dict[str, list[str]] = {}
        self.initials: dict[str, list[str]] = {}
        for row in rows.values():
            self._take(row)
        said = [*NICKNAMES.items(), *((name, one) for name, many in SHARED.items() for one in many)]
        for nickname, symbol in said:
            if symbol in rows:
                _add(self.short, nickname, symbol)
        for index in INDEXES.values():  # a source calls a fund by the name of its index
            if index.symbol in rows:
                self.short |= {key_of(name): [index.symbol] for name in index.called}

    @property
    def in_order(self) -> tuple[Mapping[str, Sequence[str]], ...]:
        """As they are tried, the most certain kind first."""
        return self.short, self.full, self.old, self.english, self.pinyin, self.initials

    def _take(self, row: NameRow) -> None:
        for name in variants(row.name):
            _add(self.short, name, row.symbol)
        for old in row.old_names:
            for name in (old, SHARE_CLASS.sub("", clean(old))):
                _add(self.old, name, row.symbol)
        if row.full_name:
            _add(self.full, row.full_name, row.symbol)
        for english in english_names(row):
            _add(self.english, english, row.symbol)
        for spelling in row.pinyin:
            _add(self.pinyin, spelling, row.symbol)
        for spelling in row.initials:
            _add(self.initials, spelling, row.symbol)


# What pinyin is written with beside its letters: Xi'an Yinhang.
_NO_LETTERS = re.compile(r"[^0-9A-Za-z]")


def _letters(sound: str) -> str:
    return _NO_LETTERS.sub("", sound).lower()


class NameIndex:
    """Every name of some rows, which never change, so threads may share it.

    What is looked up by name is spelled out at the first look-up: a code alone needs none of it.
    """

    def __init__(self, rows: Iterable[NameRow]) -> None:
        """`rows`: one per symbol, as the market tables give them."""
        self._rows: dict[str, NameRow] = {row.symbol: row for row in rows}

    @cached_property
    def short(self) -> ShortNames:
        """What each symbol is called for short."""
        called = ((symbol, row.name) for symbol, row in self._rows.items())
        return ShortNames(called, {*NICKNAMES, *SHARED})

    @cached_property
    def _told(self) -> Mapping[str, Sequence[str]]:
        """Symbols by what they are told as: their name, the English one, or else by sound."""
        found: dict[str, list[str]] = {}
        for row in self._rows.values():
            english = english_name(row)
            sounds = () if english else map(_letters, row.pinyin)
            for name in {row.name, english or row.name, *sounds}:
                found.setdefault(name, []).append(row.symbol)
        return found

    def told_of(self, name: str) -> str | None:
        """The one listing that a name alone is told of, an A share before others; None where it is
        no name, or that of several.
        """
        found = self._told.get(name, ())
        if not found and name.isascii():
            sounded = self._told.get(_letters(name), ())
            found = [one for one in sounded if latin_name(self._rows[one].name, None) == name]
        home = [one for one in found if self._rows[one].market == "CN"]
        some = home if len(home) == 1 else found
        return some[0] if len(some) == 1 else None

    @cached_property
    def _kinds(self) -> _Kinds:
        return _Kinds(self._rows)

    @cached_property
    def _search(self) -> NameSearch:
        return NameSearch(self._rows, self._kinds.short)

    @cached_property
    def _all_names(self) -> str:
        """Every short and old name in one text: a part of none of them is seen at once."""
        return "\n".join((*self._kinds.short, *self._kinds.old))

    @cached_property
    def _all_spellings(self) -> str:
        return "\n".join((*self._kinds.english, *self._kinds.pinyin))

    @cached_property
    def _near_names(self) -> NearNames:
        return NearNames((self._kinds.short, self._kinds.old))

    @cached_property
    def _near_latin(self) -> NearNames:
        return NearNames((self._kinds.english, self._kinds.pinyin), width=2)

    @cached_property
    def _near_codes(self) -> NearNames:
        companies = (one.symbol for one in self._rows.values() if one.kind != "index")
        codes = {symbol.casefold(): (symbol,) for symbol in companies}
        return NearNames((codes,), least=0.1)

    @cached_property
    def numbered(self) -> Mapping[str, str]:
        """Names with a numeral in them → their symbol: 五粮液, 三一重工. None reads as a figure."""
        found: dict[str, str] = {}
        for row in self._rows.values():
            for name in (row.name, *sorted(variants(row.name)), *row.old_names):
                if holds_numeral(name):
                    found.setdefault(clean(name), row.symbol)
        for name, symbol in NICKNAMES.items():
            if symbol in self._rows and holds_numeral(name):
                found.setdefault(name, symbol)
        return found

    @property
    def rows(self) -> Mapping[str, NameRow]:
        """The rows by symbol."""
        return self._rows

    def name(self, symbol: Symbol | str) -> str:
        """The short name of a listed symbol; the symbol itself when it has none here."""
        row = self._rows.get(str(symbol))
        return row.name if row else str(symbol)

    def row(self, symbol: Symbol | str) -> NameRow | None:
        """Everything it is called, with market, kind and industry; None when not listed here."""
        return self._rows.get(str(symbol))

    def list_names(self, symbol: Symbol | str) -> Called:
        """Its own names and code; nicknames, old and shortened names. Empty when not listed here.

        Pinyin and initials are left out: they are how people search, not how texts name it.
        """
        row = self._rows.get(str(symbol))
        if row is None:
            return Called((), ())
        code = None if row.kind == "index" else Symbol(row.symbol).code  # a stock may have it too
        own = [row.name, row.full_name, row.english_name, code]
        other = [name for name, listed in NICKNAMES.items() if listed == row.symbol]
        other += [*row.old_names, *variants(row.name), *english_names(row)]
        kept = tuple(dict.fromkeys(clean(name) for name in own if name))
        known = {key_of(name) for name in kept}
        return Called(kept, tuple(dict.fromkeys(n for n in other if key_of(n) not in known)))

    def find_mentioned(self, text: str) -> tuple[str, ...]:
        """What in a text names something listed: codes, short names, nicknames; longest first.

        A short name counts from three characters on; none inside a longer one that was found.
        """
        key = key_of(text)
        listed = [
            name
            for name in self._kinds.short
            if name in key and CJK.search(name) and (len(name) > 2 or name in NICKNAMES)
        ]
        kept: list[str] = []
        for name in sorted(listed, key=len, reverse=True):
            if not any(name in longer for longer in kept):
                kept.append(name)
        return (*dict.fromkeys(_CODE_INSIDE.findall(key.upper())), *kept)

    def resolve(self, text: str) -> Symbol:
        """The one symbol meant by a code, a name of any kind, pinyin or initials.

        A market may be named beside it (中国平安H股, 港股腾讯) and decides between listings.
        Raises: InputError; `choices` are the symbols it may be (ambiguous). NotListedError.
        """
        cleaned = clean(text)
        if not cleaned or len(cleaned) > LONGEST:
            raise InputError("symbol", text, VALID)
        coded = self._find_code(cleaned, text)
        if coded is not None:
            return coded
        spelled = _Spelled(cleaned, None)
        found = self._find_named(spelled)
        if not self._is_sure(found, spelled):
            for other in _strip_hints(cleaned):
                if named := self._find_named(other):
                    found, spelled = named, other
                    break
        if self._is_sure(found, spelled):
            return Symbol(found[0])
        if found:
            raise self._ambiguous(text, found)
        raise NotListedError(text, cleaned)

    def is_enough(self, text: str, symbol: str) -> bool:
        """Whether a text that fits one symbol alone means it, though no market was said.

        Of a mainland company any part of a name is enough. A name in Hong Kong must begin with
        the text, and one in the United States be it: 中证500 is no 中证500ETF-德银嘉实.
        """
        row, key = self._rows[symbol], key_of(text)
        if row.market == "CN" or any(symbol in kind.get(key, ()) for kind in self._kinds.in_order):
            return True
        if CJK.search(key):
            return row.market == "HK" and key_of(row.name).startswith(key)
        return any(f"{name} ".startswith(f"{key} ") for name in english_names(row))

    def search(self, text: str, limit: int = 10) -> tuple[NameRow, ...]:
        """Rows whose code or any name begins with or contains `text`, best first. Never raises."""
        return tuple(one.row for one in self.matches(text)[: max(limit, 0)])

    def matches(self, text: str) -> tuple[Match, ...]:
        """The same, all of them, each with what of it fits. Never raises."""
        key = key_of(text)
        return self._search.matches(key) if key and len(key) <= LONGEST else ()

    def _find_code(self, cleaned: str, text: str) -> Symbol | None:
        """The listed symbol whose code this is; None when it is no code. Raises: InputError."""
        told = _TOLD.fullmatch(cleaned)
        row = self._rows.get(told.group(2).upper()) if told else None
        if told and row and clean(row.name) == told.group(1):
            return Symbol(row.symbol)
        if (match := _NAME_AND_CODE.fullmatch(cleaned)) and CJK.search(match.group(1)):
            return self._code_beside_name(match.group(1), match.group(2), text)
        try:
            symbol = Symbol.parse(cleaned)
        except InputError as error:
            listed = [choice for choice in error.choices if choice in self._rows]
            if listed:
                raise self._either(text, error, listed) from None
            is_named = any(key_of(cleaned) in kind for kind in self._kinds.in_order)
            if cleaned.isascii() and not is_named and any(one.isdigit() for one in cleaned):
                raise NotListedError(text, cleaned) from None
            return None
        if symbol.value not in self._rows:
            if symbol.code.isdigit():
                raise NotListedError(text, cleaned)
            return None
        initials = self._kinds.initials.get(cleaned, ()) if cleaned.isalpha() else ()
        others = [other for other in initials if other != symbol.value]
        if others:  # written in lower case it may be a ticker or the initials of a Chinese name
            raise self._ambiguous(text, [symbol.value, *others])
        return symbol

    def _code_beside_name(self, name: str, code: str, text: str) -> Symbol | None:
        """贵州茅台(600519), 平安银行 000001: the code decides; a bare one needs the name's help."""
        named = self._find_named(_Spelled(name, None))
        try:
            symbol = Symbol.parse(code)
        except InputError as error:
            agreed = [choice for choice in error.choices if choice in named]
            if len(agreed) == 1:
                return Symbol(agreed[0])
            raise InputError("symbol", text, error.valid, choices=error.choices) from None
        if symbol.value not in self._rows:
            raise NotListedError(text, code)
        if named and symbol.value not in named:
            raise self._ambiguous(text, [symbol.value, *named])
        return symbol

    def _find_named(self, spelled: _Spelled) -> list[str]:
        """Every symbol of that name, from the first kind of name that has any."""
        key = key_of(spelled.text)
        for kind in self._kinds.in_order:
            if found := self._within(kind.get(key, ()), spelled.market):
                return sorted(found, key=self._place)
        return self._find_containing(key, spelled.market)

    def _is_sure(self, found: Sequence[str], spelled: _Spelled) -> bool:
        """Whether one symbol was found, and nothing else can be meant."""
        if len(found) != 1:
            return False
        return spelled.market is not None or self.is_enough(spelled.text, found[0])

    def _within(self, symbols: Sequence[str], market: Market | None) -> list[str]:
        return [s for s in symbols if market is None or self._rows[s].market == market]

    def _find_containing(self, key: str, market: Market | None) -> list[str]:
        """Symbols with `key` inside a short or old name, those that begin with it first."""
        if len(key) < (2 if CJK.search(key) else 3):
            return []
        found: dict[str, int] = {}
        kinds = (self._kinds.short, self._kinds.old) if key in self._all_names else ()
        for kind in kinds:
            for name, symbols in kind.items():
                if key in name:
                    for symbol in self._within(symbols, market):
                        begins = 0 if name.startswith(key) else 1
                        found[symbol] = min(begins, found.get(symbol, 1))
        if not found and not CJK.search(key):
            found = dict.fromkeys(self._find_spelled(key, market), 0)
        return sorted(found, key=lambda s: (self._place(s), found[s], s))

    def _place(self, symbol: str) -> int:
        """Mainland first, then Hong Kong, then the United States."""
        return MARKETS.index(self._rows[symbol].market)

    def _either(self, text: str, error: InputError, listed: Sequence[str]) -> InputError:
        """A bare code that is a stock and an index: asked back, even when one is not loaded."""
        named = " | ".join(f"{self.name(symbol)} {symbol}" for symbol in listed)
        return InputError("symbol", text, f"{error.valid}; here: {named}", choices=listed)

    def _find_spelled(self, key: str, market: Market | None) -> list[str]:
        """Symbols whose English name begins with these words, else a Chinese name's pinyin."""
        if key not in self._all_spellings:
            return []
        english = [s for name, s in self._kinds.english.items() if f"{name} ".startswith(f"{key} ")]
        if english or len(key) < 4:
            return [s for symbols in english for s in self._within(symbols, market)]
        pinyin = [
            s
            for name, s in self._kinds.pinyin.items()
            if name.startswith(key) or name.endswith(key)
        ]
        found = [s for symbols in pinyin for s in self._within(symbols, market)]
        return [s for s in found if CJK.search(self._rows[s].name)]

    def _ambiguous(self, text: str, symbols: Sequence[str]) -> InputError:
        symbols = self._search.ranked(key_of(text), symbols)
        shown = [f"{self.name(symbol)} {symbol}" for symbol in symbols[:CHOICES]]
        more = " | …" if len(symbols) > CHOICES else ""
        valid = "one of " + " | ".join(shown) + more + " (several match; 请选择其一)"
        return InputError("symbol", text, valid, choices=tuple(symbols[:CHOICES]))

    def unknown(self, text: str, cleaned: str) -> InputError:
        """The complaint about a text that means nothing here, with the nearest names."""
        near = self._nearest(key_of(cleaned))
        shown = " | ".join(f"{self.name(symbol)} {symbol}" for symbol in near)
        hint = f"; nearest listed: {shown}" if shown else ""
        return InputError("symbol", text, f"{VALID}; not listed here (未找到){hint}", choices=near)

    def _nearest(self, key: str) -> tuple[str, ...]:
        """The names or codes most alike, by shared characters and their order."""
        if any(letter.isdigit() for letter in key):
            return self._near_codes.nearest(key)
        return (self._near_names if CJK.search(key) else self._near_latin).nearest(key)


def _strip_hints(cleaned: str) -> Iterable[_Spelled]:
    """The name without the market said beside it, or without 股票 behind it."""
    for pattern in _HINTED:
        if match := pattern.fullmatch(cleaned):
            yield _Spelled(match.group("name"), _HINTS[match.group("hint").upper()])
    plain = cleaned.removesuffix("股票")
    if plain and plain != cleaned:
        yield _Spelled(plain, None)


def _add(kind: dict[str, list[str]], name: str, symbol: str) -> None:
    listed = kind.setdefault(key_of(name), [])
    if symbol not in listed:
        listed.append(symbol)
