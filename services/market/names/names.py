"""The names of the market as they are now: looked up in an index, which a newer list replaces.

Resolving itself is market/name_index.py. Threads may share it: an index is never changed, and a
newer one takes its place in one assignment.
"""

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from services.core.errors import InputError, YoujuError
from services.core.indexes import INDEXES
from services.core.lazy import Later
from services.core.names import NameRow, ShortNames
from services.core.symbols import Market, Symbol
from services.core.text import Text
from services.market.names.english_names import name_text
from services.market.names.index import LONGEST, Called, NameIndex, NotListedError
from services.market.names.searching import Match
from services.market.names.spellings import CJK

More = Callable[[Market], Iterable[NameRow]]
# Said behind what is valid, when the list that may know the name did not come.
UNREACHED = "; the newest list of companies could not be fetched (最新公司名单暂时取不到)"

# Known wherever names are, also without a source: what an index is called is nobody else's name.
_KNOWN_INDEXES: Mapping[str, NameRow] = {
    one.symbol: NameRow(
        symbol=one.symbol,
        name=one.zh,
        market=one.market,
        kind="index",
        industry=None,
        old_names=(),
        pinyin=(),
        initials=(),
        full_name=None,
        english_name=one.en,
    )
    for one in INDEXES.values()
}


class _Known(NamedTuple):
    """The rows a source gave, and the index of them and of the known indexes."""

    rows: Mapping[str, NameRow]
    names: NameIndex


def _make_known(rows: Mapping[str, NameRow]) -> _Known:
    return _Known(rows, _index_rows(tuple({**_KNOWN_INDEXES, **rows}.values())))


# Services beside each other know the same names: they are spelled out once.
@lru_cache(maxsize=1)
def _index_rows(rows: tuple[NameRow, ...]) -> NameIndex:
    return NameIndex(rows)


class Names:
    """Every name of the loaded market. Safe to share between threads."""

    def __init__(
        self,
        rows: Iterable[NameRow] | Callable[[], Iterable[NameRow]],
        *,
        more: More | None = None,
        hint: str = "",
    ) -> None:
        """`rows`: one per symbol, as the market tables give them, or what reads them when a name
        is first asked for; known indexes join them.
        `more` gives the newest list of a market; it is asked when a text is found nowhere, until
        it answered once a market. `hint` is said behind what is valid when a text is found nowhere.
        """
        self._hint = hint
        read = rows if callable(rows) else tuple(rows).__iter__
        self._base = Later(lambda: _make_known({row.symbol: row for row in read()}))
        self._newer: dict[str, NameRow] = {}
        self._renewed: _Known | None = None
        self._more = more
        self._asked: set[Market] = set()
        self._renewing = threading.Lock()
        self._asking = threading.Lock()

    def renew(self, rows: Iterable[NameRow]) -> None:
        """Let newer rows join: a new name wins, and the one from before is still understood. They
        come first, as they lie, which is the order of size.
        """
        with self._renewing:
            given = {row.symbol: row for row in rows}
            self._newer = given | {one: row for one, row in self._newer.items() if one not in given}
            base = self._base().rows
            joined: dict[str, NameRow] = {}
            for symbol, row in self._newer.items():
                known = base.get(symbol)
                joined[symbol] = _join_rows(known, row) if known else row
            joined |= {one: row for one, row in base.items() if one not in joined}
            if joined != self.rows:
                self._renewed = _make_known(joined)

    @property
    def _index(self) -> NameIndex:
        return (self._renewed or self._base()).names

    @property
    def rows(self) -> Mapping[str, NameRow]:
        """Every row a source gave, by symbol; another mapping once newer names have joined."""
        return (self._renewed or self._base()).rows

    @property
    def known(self) -> Mapping[str, NameRow]:
        """These and the known indexes that no source lists; another mapping likewise."""
        return self._index.rows

    @property
    def short(self) -> ShortNames:
        """What each of them is called for short; another mapping likewise."""
        return self._index.short

    def told_of(self, name: str) -> str | None:
        """The one listing a name alone is told of. See NameIndex.told_of."""
        return self._index.told_of(name)

    def name(self, symbol: Symbol | str) -> str:
        """The short name of a listed symbol; the symbol itself when it has none here."""
        return self._index.name(symbol)

    def text(self, symbol: Symbol | str, name: str = "") -> Text:
        """Its name in both languages; in Chinese as `name`, where a list at hand has another."""
        row = self.row(symbol)
        return name_text(str(symbol), name or self.name(symbol), row)

    def row(self, symbol: Symbol | str) -> NameRow | None:
        """Everything it is called, with market, kind and industry; None when not listed here."""
        return self._index.row(symbol)

    def list_names(self, symbol: Symbol | str) -> Called:
        """What texts may call it. See NameIndex.list_names."""
        return self._index.list_names(symbol)

    @property
    def numbered(self) -> Mapping[str, str]:
        """Names that hold a numeral. See NameIndex.numbered."""
        return self._index.numbered

    def find_mentioned(self, text: str) -> tuple[str, ...]:
        """What in a text names something listed. See NameIndex.find_mentioned."""
        return self._index.find_mentioned(text)

    def resolve(self, text: str) -> Symbol:
        """The one symbol meant by a code, a name of any kind, pinyin or initials.

        A market may be named beside it (中国平安H股, 港股腾讯) and decides between listings.
        Raises: InputError; `choices` are the symbols it may be (ambiguous) or the nearest ones.
        """
        try:
            return self._index.resolve(text)
        except NotListedError as error:
            missed = error
        hint = self._hint
        for market in _markets_of(text) if self._more else ():
            if not self._has_more(market):
                hint = UNREACHED
                continue
            try:
                return self._index.resolve(text)
            except NotListedError as error:
                missed = error
        complaint = self._index.unknown(missed.text, missed.sought)
        raise InputError(
            complaint.name, text, f"{complaint.valid}{hint}", choices=complaint.choices
        ) from None

    def is_enough(self, text: str, symbol: str) -> bool:
        """Whether a text that fits one symbol alone means it. See NameIndex.is_enough."""
        return self._index.is_enough(text, symbol)

    def search(self, text: str, limit: int = 10) -> tuple[NameRow, ...]:
        """Rows whose code or any name begins with or contains `text`, best first. Never raises."""
        return self._index.search(text, limit)

    def matches(self, text: str) -> tuple[Match, ...]:
        """The same, all of them, each with what of it fits. See NameIndex.matches."""
        return self._index.matches(text)

    def _has_more(self, market: Market) -> bool:
        """Whether the newest list of that market is in the index. One that could not be had is
        asked for again: who gives it decides how soon.
        """
        with self._asking:
            if market not in self._asked and self._more is not None:
                try:
                    self.renew(self._more(market))
                except YoujuError:
                    return False
                self._asked.add(market)
            return market in self._asked


def _markets_of(text: str) -> tuple[Market, ...]:
    """The markets whose list may know what this text means."""
    if not text.strip() or len(text) > LONGEST:
        return ()
    if CJK.search(text):
        return ("CN", "HK")
    try:
        market = Symbol.parse(text).market
    except InputError:
        return ("CN",)
    # In lower case it may as well be the initials of a Chinese name.
    return ("CN", "US") if market == "US" and text.islower() else (market,)


def _join_rows(known: NameRow, newer: NameRow) -> NameRow:
    """One row of two: the newer name with what only the older one says."""
    same = known.name == newer.name
    old = dict.fromkeys((*(() if same else (known.name,)), *known.old_names, *newer.old_names))
    return replace(
        newer,
        kind=known.kind,
        industry=newer.industry or known.industry,
        old_names=tuple(name for name in old if name != newer.name),
        pinyin=tuple(dict.fromkeys((*newer.pinyin, *known.pinyin))),
        initials=tuple(dict.fromkeys((*newer.initials, *known.initials))),
        full_name=newer.full_name or known.full_name,
        english_name=known.english_name or newer.english_name,
    )
