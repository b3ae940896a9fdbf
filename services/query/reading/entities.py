"""Companies and indexes in a question: the longest name or code at a place, and whom it means."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from services.core.errors import InputError
from services.core.indexes import INDEXES
from services.core.names import NameRow
from services.language.lexicon import Lexicon, is_whole
from services.language.plain_text import lower, plain_question
from services.market.names.english_names import english_name
from services.market.names.names import Names
from services.market.names.nicknames import NICKNAMES, SHARED
from services.market.names.spellings import CJK, SHARE_CLASS, clean, english_names, variants

_CODE = re.compile(
    r"\$[^$()]*\([a-z0-9.]+\)\$|\d{6} (?:ch|sh|sz|ss)(?![a-z0-9])(?: equity)?"
    r"|\d{3,5} hk(?![a-z0-9])(?! (?:stocks?|shares?|compan|listed|dollar|names|banks))(?: equity)?"
    r"|(?:shse|szse|sse|hkex|sehk|hkg|hk|sh|sz|nasdaq|nyse): ?[a-z0-9.]{1,6}"
    r"|(?:sh|sz|bj|hk)\.?\d{4,6}|\d{1,6}\.(?:sh|ss|sz|bj|hk)|\d{5,6}"
    r"|us[:.][a-z]{1,5}|[a-z]{1,5}\.us"
)
_TERMINAL = re.compile(r"(?P<code>\d+) (?P<where>ch|sh|sz|ss|hk)(?: equity)?")
_QUALIFIED = re.compile(r"(?P<where>[a-z]+): ?(?P<code>[a-z0-9.]+)")
_EXCHANGES: Mapping[str, str] = {
    **dict.fromkeys(("sh", "ss", "shse", "sse"), ".sh"),
    **dict.fromkeys(("sz", "szse"), ".sz"),
    **dict.fromkeys(("hk", "hkex", "sehk", "hkg"), ".hk"),
}
_SHORT_CODE = re.compile(r"\d{1,4}(?!\d|[亿万元%倍.])")
_NAME_SIDE = re.compile(r"\(?([a-z]{0,2}\d{5,6}(?:\.[a-z]{2})?)\)?")
_SIDE = re.compile(
    r"(?: (?=[ah]股))?\(?(a股|h股|港股|美股)\)?(?!市场)"
    r"| ?\(?(a[ -]shares?|h[ -]shares?|hong kong(?:[ -]listed)?(?: shares?| stock| listing)|"
    r"hk(?:[ -]listed)?(?: shares?| stock| listing)?|us(?:[ -]listed)? (?:shares?|stock|listing)|"
    r"adrs?|h(?!-)|"
    r"in hong kong|in hk|in shanghai|in shenzhen)\)?(?![a-z0-9])"
)
# What ends a list of names.
# What joins a name to those before it, and how far back such a name may begin.
_JOINED, _LONGEST_NAME = re.compile("、$|[和与跟及同]$| (?:and|&|vs\\.?|versus) $"), 40
_CLAUSE = re.compile("[，,。；;？?]")
# CMB A share and H share: both are said; in Chinese what joins them says so.
_AND_SIDE = re.compile(r" (?:and|or|&|/|vs\.?|versus)(?= )")
_TICKER_SIDE = re.compile(r"\(([a-z]{1,5}(?:\.[a-z])?)\)")
_NAME_AND_CODE = re.compile(r"(.+)\(([a-z0-9.]+)\)")
_BEFORE = re.compile(
    r"(a股|h股|港股|美股)的?$|(a[ -]shares?(?: of)?|h[ -]shares?(?: of)?|hong kong[ -]listed|"
    r"hk[ -]listed|us[ -]listed|shanghai[ -]listed|shenzhen[ -]listed) $"
)
_LETTER_SIDE = re.compile(r"\(?([ah])\)?(?![a-z0-9股])")
MARKET_CODES: Mapping[str, str] = {"A股": "CN", "港股": "HK", "美股": "US"}
# A shorter beginning of a full name is a place or a trade: 中国, 山东.
_LEAST_FULL = 4
# 金沙中国有限公司 is called 金沙中国.
_LIMITED = "有限公司"
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
        self._rows = names.known
        self._words = _words(tuple(self._rows.values()))

    @property
    def is_stale(self) -> bool:
        """Whether newer names have joined since this was made."""
        return self._names.known is not self._rows

    def at(self, text: str, place: int) -> int | None:
        """Where the name or code that begins there ends; `text` in small letters."""
        found = self._code(text, place) or self._find_name(text, place)
        if found is None:
            return None
        if beside := _NAME_SIDE.match(text, found):
            inside = text[place:found]
            named = CJK.search(inside) or self._read_coded(text[place : beside.end()])
            if named and is_whole(text, found, beside.end()):
                return found if _is_amount(text, found, beside.end()) else beside.end()
        if ticker := _TICKER_SIDE.match(text, found):
            coded = self._read_coded(text[place : ticker.end()])
            return ticker.end() if coded else found
        return found

    def _find_name(self, text: str, place: int) -> int | None:
        found = self._words.at(text, place)
        return found[0] if found else None

    def _code(self, text: str, place: int) -> int | None:
        match = _CODE.match(text, place)
        if match is None and _BEFORE.search(text, 0, place) and "港" in text[:place]:
            match = _SHORT_CODE.match(text, place)
        if match is None or not is_whole(text, place, match.end()):
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

    def _ends_a_list(self, text: str, start: int, end: int, side: str) -> bool:
        """工行、建行、中行H股, 工行和建行H股: said of all; 茅台和建行H股: of that one."""
        if (joint := _joint(text, start, end)) is None:
            return False
        at, is_list = joint
        return is_list or any(
            self._find_name(text, place) == at
            and any(self.listing(one, side) for one in _named(self.mention(text, place, at)))
            for place in range(max(0, at - _LONGEST_NAME), at)
        )

    def mention(self, text: str, start: int, end: int, market: str | None = None) -> Mention:
        """Whom `text[start:end]` means. `market` is A股, 港股 or 美股 when it was said."""
        said = _name_of_fund(text[start:end])
        if curated := tuple(one for one in _find_curated(said) if one in self._rows):
            listed = self._within(curated, market)
            if len(listed) == 1:
                return Mention(said, start, end, listed[0])
            if listed:
                return Mention(said, start, end, None, listed)
        try:
            symbol = self._read_coded(said) or self._names.resolve(_plain_code(said)).value
        except InputError as error:
            fitting = tuple(one for one in error.choices if self._fits(said, one))
            known = bool(fitting) or _plain_code(said) != said
            listed = self._within(fitting or error.choices, market) if known else ()
            if market is None:
                listed = self._without_receipts(listed, said)
            if known and len(listed) == 1 and (market or self._names.is_enough(said, listed[0])):
                return Mention(said, start, end, listed[0])
            return Mention(said, start, end, None, listed or error.choices, is_known=known)
        if market and self.row(symbol).market != MARKET_CODES[market]:
            return self._elsewhere(Mention(said, start, end, symbol), market)
        if market is None and (also := self._mainland(said, symbol)):
            return Mention(said, start, end, None, (*also, symbol))
        return Mention(said, start, end, symbol)

    def sided(self, text: str, start: int, end: int) -> tuple[int, int, str | None]:
        """The span with the market said right beside it (港股腾讯, 招行H股), and that market."""
        if after := _SIDE.match(text, end):
            side = _side(after.group(1) or after.group(2))
            if _says_another_side(text, after) or self._ends_a_list(text, start, end, side):
                return start, end, None  # 中石油A股港股, CMB A share and H share: both are said
            return start, after.end(), side
        if CJK.match(text[end - 1]) and (letter := _LETTER_SIDE.match(text, end)):
            return start, letter.end(), "A股" if letter.group(1) == "a" else "港股"
        if before := _BEFORE.search(text, 0, start):
            return before.start(), end, _side(before.group(1) or before.group(2))
        return start, end, None

    def listing(self, symbol: str, market: str) -> tuple[str, ...]:
        """Listings of the same company in that market."""
        if self.row(symbol).market == MARKET_CODES[market]:
            return (symbol,)
        return self._within(self._beside.get(symbol, ()), market)

    def shown(self, symbol: str) -> str:
        """Its listed name; with its code where the name alone is not sure to mean it."""
        name = self.row(symbol).name
        try:
            sure = self._names.resolve(name).value == symbol
        except InputError:
            sure = False
        if sure:
            return name
        if self._read_coded(lower(plain_question(self.exactly(symbol)))):
            return self.exactly(symbol)
        try:
            return self.exactly(symbol) if self._names.resolve(self.exactly(symbol)) else symbol
        except InputError:
            return symbol

    def exactly(self, symbol: str) -> str:
        """Its listed name with its code."""
        return f"{self.row(symbol).name}({symbol})"

    def called(self, symbol: str, language: str) -> str:
        """What a choice calls it: as shown; in English by its English name or code."""
        if language == "zh":
            return self.shown(symbol)
        english = plain_question(english_name(self.row(symbol)) or "")
        if not english:
            return self.exactly(symbol) if len(_find_curated(symbol.lower())) > 1 else symbol
        try:
            if self._names.resolve(english).value == symbol:
                return english
        except InputError:
            pass
        both = f"{english}({symbol})"
        return both if self._read_coded(lower(both)) else symbol

    def is_ticker(self, said: str) -> bool:
        """Whether it is a ticker of the United States in any case."""
        return said.upper() in self._rows

    def begins_or_ends(self, symbol: str, part: str) -> bool:
        """Whether a name of that symbol begins or ends with the text: 洋河, 龙盛."""
        row = self.row(symbol)
        names = [
            lower(plain_question(name))
            for name in (row.name, *row.old_names, row.english_name or "")
        ]
        return any(name.startswith(part) or name.endswith(part) for name in names)

    def row(self, symbol: str) -> NameRow:
        """The names of a symbol that was found here, or that joined while it was looked for."""
        return self._rows.get(symbol) or self._names.known[symbol]

    def rows(self) -> Iterable[NameRow]:
        """The names of everything listed."""
        return self._rows.values()

    def called_in_chinese(self) -> Iterable[str]:
        """What listed companies are called in Chinese, nicknames first."""
        yield from NICKNAMES
        yield from (row.name for row in self._rows.values() if row.kind == "stock")

    @cached_property
    def _beside(self) -> Mapping[str, tuple[str, ...]]:
        """For each symbol the other listings of its company: 青岛啤酒 and 青岛啤酒股份.

        By the same name, or a Hong Kong name that the full name of the A share begins with.
        """
        called: dict[str, set[str]] = {}
        for row in self._rows.values():
            if row.kind == "stock":
                for name in (*variants(row.name), SHARE_CLASS.sub("", clean(row.name))):
                    called.setdefault(name, set()).add(row.symbol)
        found: dict[str, set[str]] = {}
        for symbols in [*called.values(), *self._pair_by_full_name(called)]:
            for symbol in symbols:
                found.setdefault(symbol, set()).update(symbols - {symbol})
        return {symbol: tuple(sorted(others)) for symbol, others in found.items()}

    def _pair_by_full_name(self, called: Mapping[str, set[str]]) -> Iterable[set[str]]:
        """Pairs of an A share and the H share that its full name begins with."""
        for row in self._rows.values():
            if row.market != "CN" or row.kind != "stock":
                continue
            short, full = SHARE_CLASS.sub("", clean(row.name)), row.full_name or ""
            names = {f"{one}股份" for one in variants(row.name)}
            begun = {full[:length] for length in range(_LEAST_FULL, len(full))}
            names |= {one for one in begun if one.endswith("股份") or short in one}
            for name in names & called.keys():
                for other in called[name]:
                    if self._rows[other].market == "HK":
                        yield {row.symbol, other}

    def _without_receipts(self, symbols: tuple[str, ...], said: str) -> tuple[str, ...]:
        """Without receipts in the United States of what is listed nearer: nobody said 美股."""
        home = tuple(s for s in symbols if self._rows[s].market != "US")
        kept = (s for s in symbols if s in home or lower(clean(self._rows[s].name)) != said)
        return tuple(kept) if home else symbols

    def _mainland(self, said: str, symbol: str) -> tuple[str, ...]:
        """The A shares of a company that an English name found in Hong Kong."""
        if self.row(symbol).market != "HK" or CJK.search(said) or any(map(str.isdigit, said)):
            return ()
        return self.listing(symbol, "A股")

    def _elsewhere(self, mention: Mention, market: str) -> Mention:
        listed = self.listing(mention.symbol or "", market)
        if len(listed) == 1:
            return Mention(mention.text, mention.start, mention.end, listed[0])
        near = listed or ((mention.symbol,) if mention.symbol else ())
        return Mention(mention.text, mention.start, mention.end, None, near, is_known=bool(listed))

    def _within(self, symbols: Iterable[str], market: str | None) -> tuple[str, ...]:
        code = MARKET_CODES[market] if market else None
        return tuple(s for s in symbols if code is None or self._rows[s].market == code)

    def _read_coded(self, said: str) -> str | None:
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
        return any(said in lower(plain_question(text)) for text in texts)


def _plain_code(said: str) -> str:
    """700 HK, 600519 CH and SHSE:600519 as a code with its exchange; anything else as it is."""
    match = _TERMINAL.fullmatch(said) or _QUALIFIED.fullmatch(said)
    if match is None:
        return said
    return match.group("code") + _EXCHANGES.get(match.group("where"), "")


def _named(mention: Mention) -> tuple[str, ...]:
    return (mention.symbol,) if mention.symbol else tuple(mention.choices)


def _joint(text: str, start: int, end: int) -> tuple[int, bool] | None:
    """Where the names before a name end, and whether a comma of enumeration stands there; None
    where it is said of that one: 平安、平安H股 and 中石油H股、中海油H股.
    """
    before = _CLAUSE.split(text[:start])[-1]
    joined = _JOINED.search(before)
    if joined is None or text[start:end] in before or _SIDE.search(before):
        return None
    return start - len(joined.group()), joined.group().strip() == "、"


def _says_another_side(text: str, said: re.Match[str]) -> bool:
    """Whether a second market stands behind the one said: A股港股, A share and H share."""
    joined = _AND_SIDE.match(text, said.end())
    return any(_SIDE.match(text, at) for at in (said.end(), joined.end() if joined else said.end()))


def _side(said: str) -> str:
    """The market that words beside a name mean: H shares, in Hong Kong, ADR."""
    if re.match(r"a股|a[ -]?share|in sh|shanghai|shenzhen", said):
        return "A股"
    return "美股" if re.match("美股|us|adr", said) else "港股"


def _find_curated(said: str) -> tuple[str, ...]:
    """What the tables of nicknames say; before tickers, which may be the same word (ford)."""
    if said in SHARED:
        return SHARED[said]
    return (NICKNAMES[said],) if said in NICKNAMES else ()


def _is_amount(text: str, start: int, end: int) -> bool:
    before = text[start - 1 : start]
    after = text[end : end + 1]
    return bool(before and before in _AMOUNT_BEFORE) or bool(after and after in _AMOUNT_AFTER)


# The names of indexes, in small letters, as the listings of their funds spell them.
_FUNDS = {
    lower(plain_question(name)): lower(plain_question(index.zh))
    for index in INDEXES.values()
    for name in index.called
}


def _name_of_fund(said: str) -> str:
    """CSI 300 ETF as its listing names it, 沪深300ETF; anything else as said."""
    index = _FUNDS.get(said.removesuffix("etf").rstrip()) if said.endswith("etf") else None
    return f"{index}etf" if index else said


# Seventy thousand of them: a reader that knows the same names has them from the one before.
@lru_cache(maxsize=1)
def _words(rows: tuple[NameRow, ...]) -> Lexicon[bool]:
    return Lexicon(dict.fromkeys(_spellings(rows), True))


def _spellings(rows: Iterable[NameRow]) -> Iterable[str]:
    """Every text that names something listed, in small letters."""
    yield from NICKNAMES
    yield from SHARED
    for name in _FUNDS:  # a fund that follows an index is not the index
        yield from (f"{name} etf", f"{name}etf")
    for row in rows:
        # 微软-T only trades a share of elsewhere: its plain name is that company's.
        full = None if row.name.endswith("-T") else row.full_name
        for name in (row.name, full, *row.old_names):
            if name:
                yield from (lower(plain_question(one)) for one in variants(name) if len(one) > 1)
        if row.name.endswith(_LIMITED) and CJK.search(row.name):
            yield lower(plain_question(row.name.removesuffix(_LIMITED)))
        for english in english_names(row):
            if len(english) > 1:
                yield lower(plain_question(english))
        if (row.market == "US" or row.kind == "index") and len(row.symbol) > 1:
            yield row.symbol.lower()
        if CJK.search(row.name):
            yield from (spelling for spelling in row.pinyin if len(spelling) > 3)
            yield from (short for short in row.initials if len(short) > 2)
