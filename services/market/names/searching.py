"""The one ranking of what a text may mean, and why each listing is among it.

The search box, the page that asks which one is meant, and the nearest of an unknown address all
show its order: exact, spelled exactly, begins with, contains; the mainland first; larger first.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from services.core.names import NameRow
from services.market.names.spellings import CJK, key_of

MatchKind = Literal["code", "name", "called", "full", "old", "english", "initials", "pinyin"]
MARKETS = ("CN", "HK", "US")
# A name of these kinds is the listing's own and present one; of the others only sounds.
_OWN = frozenset({"code", "name", "english"})
_SOUNDS = frozenset({"initials", "pinyin"})


class Match(NamedTuple):
    """A listing and what of it fits: the kind of name, and that name as it is looked up."""

    row: NameRow
    kind: MatchKind
    text: str


class _Entry(NamedTuple):
    """One searchable text of a symbol."""

    kind: MatchKind
    text: str
    symbol: str


class _Fit(NamedTuple):
    """How well a search fits, smaller is better: its grade, then whether it begins there."""

    grade: int
    inside: bool


class NameSearch:
    """Searching of rows, which lie in the order of size. Never changed once it is made."""

    def __init__(self, rows: Mapping[str, NameRow], called: Mapping[str, Sequence[str]]) -> None:
        """`called`: what each is called for short besides its name (nicknames), to symbols."""
        self._rows = rows
        self._called = called
        # The larger first; an index is no company and stands behind those that fit as well.
        told = sorted(rows.values(), key=lambda row: row.kind == "index")
        self._sized = {row.symbol: at for at, row in enumerate(told)}

    @cached_property
    def _entries(self) -> tuple[_Entry, ...]:
        return tuple(entry for row in self._rows.values() for entry in _entries(row))

    def matches(self, key: str) -> tuple[Match, ...]:
        """Every listing whose code or any name begins with or contains the key, best first."""
        meant = self._called.get(key, ())
        best: dict[str, tuple[_Fit, _Entry]] = {
            one: (_Fit(0, inside=False), _Entry("called", key, one)) for one in meant
        }
        for entry in self._entries:
            fit = _fit(entry, key)
            if fit is None:
                continue
            if meant and fit.grade == 0 and entry.kind == "name" and entry.symbol not in meant:
                fit = _Fit(1, inside=False)  # a fund called by the name of its index
            known = best.get(entry.symbol)
            # What it is called itself says more than that it is also called so.
            if known is None or fit < known[0] or (fit == known[0] and known[1].kind == "called"):
                best[entry.symbol] = (fit, entry)
        ranked = sorted(best, key=lambda one: (best[one][0].grade, *self.place(one, best[one][0])))
        return tuple(Match(self._rows[one], best[one][1].kind, best[one][1].text) for one in ranked)

    def place(self, symbol: str, fit: _Fit) -> tuple[int, bool, int]:
        """Of those that fit as well: the mainland first, what begins so, the larger."""
        market = MARKETS.index(self._rows[symbol].market)
        return market, fit.inside, self._sized[symbol]

    def ranked(self, key: str, symbols: Iterable[str]) -> list[str]:
        """These symbols in the same order; what the search does not find stands behind."""
        order = {one.row.symbol: at for at, one in enumerate(self.matches(key))} if key else {}
        return sorted(
            symbols,
            key=lambda one: (
                order.get(one, len(order)),
                MARKETS.index(self._rows[one].market) if one in self._rows else len(MARKETS),
                self._sized.get(one, len(self._sized)),
            ),
        )


def _entries(row: NameRow) -> list[_Entry]:
    """Every text a symbol can be searched by, in lower case."""
    code, _, exchange = row.symbol.partition(".")
    texts: list[tuple[MatchKind, str]] = [
        ("code", code),
        ("code", row.symbol),
        ("code", exchange + code),
        ("name", row.name),
        *(("old", old) for old in row.old_names),
        ("english", row.english_name or ""),
        ("full", row.full_name or ""),
        *(("initials", spelling) for spelling in row.initials),
        *(("pinyin", spelling) for spelling in row.pinyin),
    ]
    return [_Entry(kind, key_of(text), row.symbol) for kind, text in dict.fromkeys(texts) if text]


def _fit(entry: _Entry, key: str) -> _Fit | None:
    at = entry.text.find(key)
    if at < 0 or (at > 0 and entry.kind in {"code", "initials"}):
        return None
    own, whole = entry.kind in _OWN, len(entry.text) == len(key)
    if whole and (own or entry.kind in _SOUNDS):
        return _Fit(0 if own else 1, inside=False)
    if at == 0 and (own or entry.kind in _SOUNDS):
        return _Fit(2, inside=False)
    if entry.kind == "name" and CJK.search(key):
        return _Fit(2, inside=True)
    return _Fit(3 if at == 0 else 4, inside=at > 0)
