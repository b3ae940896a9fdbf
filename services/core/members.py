"""The members of a market as one call held them: what counts, sums and medians are taken over.

A whole market is thousands of companies; instead of a claim for each, a figure over them points at
the columns the call brought, and is computed again from those.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import cached_property
from hashlib import sha256
from math import inf
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from pydantic import Field, field_validator

from services.core.claims import MembersRef
from services.core.record import Record
from services.core.requests import Bound
from services.core.text import Text

# The group of the companies whose industry the source does not give.
UNCLASSIFIED = "未分类"
# What a listing may be that is no company: the words of data/listing-kinds.csv, 中文 and English.
LISTING_WORDS: Mapping[str, Text] = {
    "rights": Text("供股权", "nil-paid rights"),
    "temporary": Text("临时柜台", "temporary counters"),
    "etf": Text("ETF", "ETFs"),
    "leveraged": Text("杠杆及反向产品", "leveraged and inverse products"),
    "fund": Text("基金", "funds"),
    "preference": Text("优先股", "preference shares"),
    "debt": Text("债务证券", "debt securities"),
    "warrant": Text("权证", "warrants"),
    "cbbc": Text("牛熊证", "bull/bear contracts"),
    "pilot": Text("试点计划挂牌的美股", "US shares admitted to trading"),
    "rmb_counter": Text("人民币柜台", "Renminbi counters"),
    "b_share": Text("B 股", "B shares"),
    "unit": Text("权利与组合单位", "rights and units"),
    "unnamed": Text("没有名称的代码", "codes without a name"),
}


def _is_empty(given: Mapping[str, Any]) -> bool:
    return not given


class Members(Record):
    """Every listing of a market, column by column; a null is a value the source does not give.

    `listings` is null for a company, else what the listing is instead (`etf`, `rights`).
    `columns` are screening fields in the order of `symbols`, amounts in `currency`. `symbols` are
    in the order of size, so that the first of those without a value are those best known.
    `loss_column` is the multiple that a loss-making company has not, or has not above zero.
    `days` are those of the columns that are of another day than `as_of`, each column of one day.
    `notes` tell, by metric, what a figure over them is not.
    """

    market: str
    as_of: date
    currency: str
    loss_column: str
    symbols: tuple[str, ...]
    names: tuple[str, ...]
    industries: tuple[str | None, ...]
    listings: tuple[str | None, ...]
    columns: dict[str, tuple[float | None, ...]]
    notes: dict[str, str] = Field(default_factory=dict[str, str])
    # Left out where there are none: members kept before there were any have the hash they had.
    days: dict[str, date] = Field(default_factory=dict[str, date], exclude_if=_is_empty)

    @field_validator("columns", "notes", "days")
    @classmethod
    def _in_order(cls, given: dict[str, Any]) -> dict[str, Any]:
        """In one order wherever they are read from, so that the hash of the same is the same."""
        return dict(sorted(given.items()))

    def day_of(self, columns: Iterable[str | None]) -> date:
        """The day of a figure over these columns."""
        return max((self.days[name] for name in columns if name in self.days), default=self.as_of)


def scope_symbol(market: str, industry: str | None = None, listing: str | None = None) -> str:
    """What a figure over members is about: `CN`, `CN:银行`, `HK:etf`."""
    part = industry or listing
    return f"{market}:{part}" if part else market


_Key = tuple[str | None, str | None, tuple[Bound, ...], str | None]


class MembersIndex:
    """Members with their groups looked up once."""

    def __init__(self, members: Members) -> None:
        """`members` are never changed."""
        self.members = members
        self._used: dict[_Key, Sequence[int]] = {}
        self._values: dict[_Key, tuple[float, ...]] = {}

    @cached_property
    def digest(self) -> str:
        """The hash of all members."""
        return sha256(self.members.model_dump_json().encode()).hexdigest()

    @cached_property
    def _groups(self) -> Mapping[tuple[str | None, str | None], Sequence[int]]:
        """Positions by listing and industry; under no industry all of that listing."""
        found: dict[tuple[str | None, str | None], list[int]] = {}
        rows = zip(self.members.listings, self.members.industries, strict=True)
        for place, (listing, industry) in enumerate(rows):
            found.setdefault((listing, None), []).append(place)
            found.setdefault((listing, industry or UNCLASSIFIED), []).append(place)
        return found

    @property
    def industries(self) -> tuple[str, ...]:
        """The industries of its companies; UNCLASSIFIED last, where there is one without."""
        named = [name for listing, name in self._groups if listing is None and name]
        return tuple(sorted(named, key=lambda name: name == UNCLASSIFIED))

    @property
    def listings(self) -> tuple[str, ...]:
        """What its listings are that are no companies."""
        return tuple(dict.fromkeys(kind for kind, _ in self._groups if kind))

    def within(self, industry: str | None = None, listing: str | None = None) -> Sequence[int]:
        """The positions of the companies of an industry, or of the listings of a kind."""
        return self._groups.get((listing, industry), ())

    def used(self, ref: MembersRef) -> Sequence[int]:
        """The positions of those that have the column and satisfy the bounds.

        Raises: KeyError for a column the members have not.
        """
        key = (ref.industry, ref.listing, ref.bounds, ref.column)
        found = self._used.get(key)
        if found is None:
            found = _keep(self._used, key, self._choose_places(ref))
        return found

    def _choose_places(self, ref: MembersRef) -> Sequence[int]:
        if ref.column is not None:
            column = self.members.columns[ref.column]
            # Every column of a screen is counted over the same companies.
            places = self.used(ref.model_copy(update={"column": None}))
            return [place for place in places if column[place] is not None]
        places = self.within(ref.industry, ref.listing)
        for bound in ref.bounds:
            places = _filter_places(places, self.members.columns[bound.field], bound)
        return places

    def values(self, ref: MembersRef) -> tuple[float, ...]:
        """The column's value of each of those used; of no column, a one for each."""
        key = (ref.industry, ref.listing, ref.bounds, ref.column)
        found = self._values.get(key)
        if found is None:
            found = _keep(self._values, key, self._read_values(ref))
        return found

    def _read_values(self, ref: MembersRef) -> tuple[float, ...]:
        places = self.used(ref)
        if ref.column is None:
            return (1.0,) * len(places)
        column = self.members.columns[ref.column]
        return tuple(value for place in places if (value := column[place]) is not None)


def index_of(members: Members) -> MembersIndex:
    """The index of these very members: one, while anybody uses it."""
    found = _INDEXES.get(id(members))
    if found is None or found.members is not members:
        found = _INDEXES[id(members)] = MembersIndex(members)
    return found


# By the members' identity, which no others can have while the index holds them.
_INDEXES: WeakValueDictionary[int, MembersIndex] = WeakValueDictionary()
_KEPT = 64
_T = TypeVar("_T")


def _keep(kept: dict[_Key, _T], key: _Key, found: _T) -> _T:
    """Kept, with at most so many beside it."""
    if len(kept) >= _KEPT:
        kept.clear()
    kept[key] = found
    return found


def _filter_places(
    places: Sequence[int], column: Sequence[float | None], bound: Bound
) -> Sequence[int]:
    """Those whose value satisfies the bound; a missing one satisfies none, not even an open one."""
    above, least = (-inf if end is None else end for end in (bound.above, bound.at_least))
    below = inf if bound.below is None else bound.below
    return [
        place
        for place in places
        if (value := column[place]) is not None and above < value < below and value >= least
    ]
