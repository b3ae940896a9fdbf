"""From what was said to one query: the shapes of questions, each with what it has a place for.

A shape lists what it needs and what it takes. The first that fits is meant; whatever was said
beyond what it takes makes it no reading at all (`UnusedError`), so nothing is lost in silence.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Generic, Literal, Protocol, TypeVar

from services.core.groups import GROUPS, LISTED_PARTS
from services.core.names import NameRow
from services.core.symbols import Symbol
from services.market.calendar import Calendar
from services.query.algebra.nodes import (
    AllOf,
    AnyOf,
    Compare,
    Const,
    In,
    Loss,
    Metric,
    Not,
    Pred,
    Query,
    both,
    either,
    items_of,
    walk,
)
from services.query.algebra.scopes import kind_of, markets_of
from services.query.reading.bounds_supposed import suppose_figures
from services.query.reading.chart import Edge
from services.query.reading.errors import UnusedError
from services.query.reading.phrases import Fig, Listings, dimensions
from services.query.reading.request import Request, gathered
from services.query.reading.sets_said import UNDIVIDED

_Made = TypeVar("_Made", covariant=True)
MAINLAND = In(dim="market", values=("CN",))
# Words that ask without saying what for: they fit every shape.
EASY = frozenset(
    {
        "ask.what",
        "ask.yesno",
        "ask.which",
        "ask.list",
        "ask.ones",
        "mark.in",
        "mark.and",
        "mark.beyond",
        "mark.row",
    }
)


class Listed(Protocol):
    """What the reader knows of a company."""

    def row(self, symbol: str) -> NameRow:
        """Its names, market and industry."""
        ...

    def listing(self, symbol: str, market: str) -> Sequence[str]:
        """The listings of the same company in that market: A股, 港股, 美股."""
        ...


@dataclass(frozen=True, slots=True)
class Market:
    """What readings are completed with: who is who, and an industry's labels in each market.
    `whole`: what the market is, of which nothing more was said.
    """

    book: Listed
    labels: Mapping[str, Mapping[str, Sequence[str]]]
    whole: In = MAINLAND
    calendar: Calendar = field(default_factory=Calendar)

    def session_beside(self, symbol: str, day: date, step: Literal[-1, 1]) -> date:
        """The session of its exchange before a day, or the one after it."""
        of = Symbol.parse(symbol).market
        beside = self.calendar.previous_session if step < 0 else self.calendar.next_session
        return beside(of, day)

    def spoken_of(self, before: Sequence[Query]) -> "Market":
        """With the market of the turn before as the market."""
        found = markets_of(before[-1].scope) if before and before[-1].scope is not None else ()
        return replace(self, whole=In(dim="market", values=found)) if len(found) == 1 else self

    def industry(self, symbol: str) -> Pred:
        """The companies of its industry and market. Raises: UnusedError where it has none."""
        row = self.book.row(symbol)
        if not row.industry:
            raise UnusedError("industry")
        made = both(
            In(dim="market", values=(row.market,)), In(dim="industry", values=(row.industry,))
        )
        assert made is not None  # noqa: S101 — both of two
        return made

    def strays(self, scope: Pred | None) -> Sequence[tuple[str, str]]:
        """What is left out of a set and never was in it, by its kind: companies, markets."""
        gone = [one.item for one in items_of(scope) if isinstance(one, Not)]
        named = [one for one in gone if isinstance(one, In) and not one.label]
        return [
            (one.dim, value)
            for one in named
            for value in one.values
            if self._is_elsewhere(one.dim, value, scope)
        ]

    def _is_elsewhere(self, dim: str, value: str, scope: Pred | None) -> bool:
        here: dict[str, str | None] = {dim: value} if dim == "market" else {}
        if dim == "symbol":
            row = self.book.row(value)
            here = {"market": row.market, "industry": row.industry, "symbol": value}
        sets = [one for one in items_of(scope) if isinstance(one, In)]
        return any(here.get(one.dim) not in (None, *one.values) for one in sets)


@dataclass(frozen=True, slots=True)
class Shape(Generic[_Made]):
    """`needs`: one of these sets was said. `takes`: everything it has a place for."""

    needs: tuple[frozenset[str], ...]
    takes: frozenset[str]
    make: Callable[[Request, Market], _Made]


def shape(needs: str, takes: str, make: Callable[[Request, Market], _Made]) -> Shape[_Made]:
    """`needs`: sets of names, split by `|`; `takes`: names."""
    wanted = tuple(frozenset(one.split()) for one in needs.split("|"))
    return Shape(wanted, frozenset(takes.split()).union(*wanted) | EASY, make)


def made(request: Request, shapes: Sequence[Shape[_Made]], market: Market) -> _Made:
    """The query of the first shape that takes everything said and makes sense of it.

    Raises: UnusedError with what the first that was tried had no place for; ChoiceError.
    """
    said, why = request.said, ""
    for one in shapes:
        if not any(wanted <= said for wanted in one.needs):
            continue
        if beyond := said - one.takes:
            why = why or " ".join(sorted(beyond))
            continue
        try:
            return one.make(copy(request), market)
        except UnusedError as error:
            why = why or error.what
    raise UnusedError(why or "nothing")


def listed(ents: Sequence[Listings]) -> tuple[str, ...]:
    """The companies, each one listing. Raises: UnusedError where one is not sure."""
    for one in ents:
        if len(one) != 1:
            raise UnusedError("which:" + "|".join(one))
    return tuple(dict.fromkeys(one[0] for one in ents))


# Why nothing is read where all of a set is to go.
NOBODY_LEFT = "nobody left"
# How `Listed.listing` calls the markets.
MARKETS_SAID = {"CN": "A股", "HK": "港股", "US": "美股"}


def listed_there(symbols: Sequence[str], scope: Pred, market: Market) -> tuple[str, ...]:
    """The listings of companies in the markets said beside them: 比亚迪A股和H股.

    Raises: UnusedError where one has none there, or it is no market that was said.
    """
    if not isinstance(scope, In) or scope.dim != "market":
        raise UnusedError("scope")
    found: list[str] = []
    for symbol in symbols:
        for one in scope.values:
            there = market.book.listing(symbol, MARKETS_SAID[one])
            if len(there) != 1:
                raise UnusedError("listing")
            found += there
    return tuple(dict.fromkeys(found))


def whole(scope: Pred | None, market: Market) -> Pred:
    """The scope, in A shares where no market was said; industries by the market's own labels."""
    dims = dimensions(scope)
    if "market" in dims and scope is not None:
        members = [one for one in _members(scope) if one.dim == "market"]
        return labelled(scope, tuple(v for one in members for v in one.values), market)
    if "symbol" in dims and scope is not None:
        return scope
    if "exchange" in dims and scope is not None:
        values = {v for one in _members(scope) if one.dim == "exchange" for v in one.values}
        if not values <= {"SH", "SZ", "BJ"}:
            return scope
    there = _only_elsewhere(scope, market) if dims == {"industry"} else None
    made = both(In(dim="market", values=(there,)) if there else MAINLAND, scope)
    assert made is not None  # noqa: S101 — there is a market
    return labelled(made, (there or "CN",), market)


def whole_scopes(query: Query, market: Market) -> Query:
    """The query with its scope, and those of the queries in it, as `whole` has them."""
    first = whole_scopes(query.first, market) if query.first is not None else None
    less = tuple(whole_scopes(one, market) for one in query.less)
    scope = query.scope if query.rows == "one" else whole(query.scope, market)
    return query.but(scope=scope, first=first, less=less)


def in_its_market(gone: Sequence[Pred], scope: Pred | None, market: Market) -> list[Pred]:
    """港股银行，去掉中国银行: a company that is to go goes with its listing in the set's market, an
    industry by that market's labels.

    Raises: UnusedError where nobody would be left (保险, without 非银金融).
    """
    markets = markets_of(scope)
    out = {value for one in gone if isinstance(one, Not) for value in _whole_trades(one.item)}
    parts = [one for one in _members(scope) if UNDIVIDED in (one.label or "")] if scope else []
    if any(set(one.values) <= out for one in parts):
        raise UnusedError(NOBODY_LEFT)
    made: list[Pred] = []
    for one in gone:
        item = one.item if isinstance(one, Not) else one
        if not isinstance(item, In) or item.dim != "symbol" or len(markets) != 1 or item.label:
            made.append(labelled(one, markets, market) if len(markets) == 1 else one)
            continue
        there = there_or_as_said(item.values, markets, market)
        made.append(Not(item=In(dim="symbol", values=there)))
    return made


def there_or_as_said(
    symbols: Sequence[str], markets: Sequence[str], market: Market
) -> tuple[str, ...]:
    """Companies by their listings in the one market of a set, where they have one there."""
    if len(markets) != 1:
        return tuple(symbols)
    where = MARKETS_SAID[markets[0]]
    return tuple(next(iter(market.book.listing(one, where)), one) for one in symbols)


def _whole_trades(pred: Pred) -> list[str]:
    """Industries named whole, not as a part of them."""
    named = [one for one in _members(pred) if one.dim == "industry" and not one.label]
    return [value for one in named for value in one.values]


def _members(pred: Pred) -> list[In]:
    if isinstance(pred, In):
        return [pred]
    if isinstance(pred, AllOf | AnyOf):
        return [one for item in pred.items for one in _members(item)]
    return []


def _only_elsewhere(scope: Pred | None, market: Market) -> str | None:
    """The first market with these industries, where the mainland has no such class: casinos."""
    said = [one for part in (_members(scope) if scope else []) for one in part.values]
    has = {
        where: [bool(labels.get(one)) for one in said] for where, labels in market.labels.items()
    }
    if not said or any(has["CN"]):
        return None
    return next((where for where, found in has.items() if all(found)), None)


def labelled(pred: Pred, where: Sequence[str], market: Market) -> Pred:
    """The set, its industries by the labels those markets' sources have.

    Raises: UnusedError for an industry that one of them does not know.
    """
    if isinstance(pred, In) and kind_of(pred) == "industry":
        if tuple(where) == ("CN",):
            return pred if pred.dim == "symbol" else _in_the_mainland(pred, market)
        return _industries_there(pred, where, market)
    if isinstance(pred, In) and pred.dim == "symbol" and len(where) == 1:  # 四大行H股
        there = listed_there(pred.values, In(dim="market", values=tuple(where)), market)
        return pred.but(values=there)
    if isinstance(pred, AllOf | AnyOf):
        return pred.but(items=tuple(labelled(one, where, market) for one in pred.items))
    if isinstance(pred, Not):
        return Not(item=labelled(pred.item, where, market))
    return pred


def _industries_there(pred: In, where: Sequence[str], market: Market) -> In:
    """Industries by the labels of those markets' sources. Raises: UnusedError."""
    values, told = list[str](), list[str]()
    for name in pred.label.split("、") if pred.label else pred.values:
        is_list = pred.dim == "symbol"
        said = f"{UNDIVIDED}{GROUPS[name].part_of_industry}）" if is_list else name
        part = _part_in(said)
        called = said if "CN" in where else part or said.partition("（")[0]
        for one in where:
            names = market.labels[one]
            parts = (*(names.keys() & {said}), *names)
            name = next((key for key in parts if said.endswith(key)), said)
            found = names.get(name, (said,))
            if not found and part and len(where) == 1:
                called, found = _whole_there(part, one, market)
            if not found:
                raise UnusedError(f"industry of {one}")
            values += found
        told.append(called)
    anew = {"values": tuple(dict.fromkeys(values)), "label": "、".join(told)}
    return pred.but(dim="industry", **anew)


def _part_in(said: str) -> str:
    """The part of an industry that a label says the source does not split out."""
    return said.partition(UNDIVIDED)[2].removesuffix("）")


def _whole_there(part: str, where: str, market: Market) -> tuple[str, Sequence[str]]:
    """The whole industry of a part which that market's source does not split out, told as such, and
    its labels there.
    """
    industry = next(iter(market.labels["CN"].get(part, ())), "")
    return f"{industry}{UNDIVIDED}{part}）", market.labels[where].get(industry, ())


def _in_the_mainland(pred: In, market: Market) -> Pred:
    """白酒、银行, 煤炭 of a list in Hong Kong: a part the source does not split is answered for
    by the companies of its list, and without one by its whole industry, told as such.
    """
    known = {told.partition("（")[0]: told for told in market.labels["CN"]}
    sets: list[Pred] = []
    for one in pred.label.split("、") if pred.label else pred.values:
        whole_of, _, part = one.removesuffix("）").partition(UNDIVIDED)
        part = part or whole_of.partition("（")[0]
        told = known.get(part, one)
        values = tuple(market.labels["CN"].get(told, pred.values))
        if group := LISTED_PARTS.get(part):
            sets.append(In(dim="symbol", values=group.members, label=group.zh))
        elif "（" in told or values == (part,):
            sets.append(In(dim="industry", values=values, label=told if "（" in told else None))
        else:
            label = f"{'/'.join(values)}{UNDIVIDED}{part}）"
            sets.append(In(dim="industry", values=values, label=label))
    return either(*sets)


def contradiction(query: Query) -> str | None:  # noqa: C901 — one case a line
    """Sets with nothing in common, or bounds that exclude each other: it was read wrong, or asked
    wrong."""
    items = items_of(query.scope)
    sets = [one for one in items if isinstance(one, In)]
    for at, one in enumerate(sets):
        for other in sets[at + 1 :]:
            if one.dim == other.dim and not set(one.values) & set(other.values):
                return "sets"
    gone = [one.item for one in items if isinstance(one, Not)]
    if any(one in gone for one in sets):
        return NOBODY_LEFT
    out = {value for one in gone if isinstance(one, In) for value in one.values}
    if any(set(one.values) <= out for one in sets):
        return NOBODY_LEFT if out else "sets"  # no market's source has the class
    tests = items_of(query.where)
    if any(Not(item=one) in tests for one in tests):
        return "bounds"
    lost = [Metric(id=one.of, when=one.when) for one in tests if isinstance(one, Loss)]
    if any(isinstance(one, Compare) and one.left in lost for one in tests):
        return "bounds"  # a loss has no multiple
    bounds: dict[object, tuple[float, float]] = {}
    for one in tests:
        if isinstance(one, Compare) and isinstance(one.right, Const):
            low, high = bounds.get(one.left, (float("-inf"), float("inf")))
            value = one.right.value
            if one.sign in ("gt", "ge"):
                low = max(low, value)
            elif one.sign in ("lt", "le"):
                high = min(high, value)
            bounds[one.left] = (low, high)
            if low > high:
                return "bounds"
    return contradiction(query.first) if query.first is not None else None


def in_their_set(phrase: Fig, market: Market) -> Fig:
    """兴业、民生、浦发三家银行: of the companies that a name may mean those in the set beside it;
    四大行和茅台: those of a list and the one beside it.

    The phrase as it is where every name is sure, or the set leaves one unsure.
    """
    if phrase.ents and isinstance(phrase.scope, In) and phrase.scope.dim == "symbol":
        members = tuple((one,) for one in phrase.scope.values)
        apart = tuple(one for one in phrase.ents if not {*one} & {*phrase.scope.values})
        return replace(phrase, ents=(*members, *apart), scope=None) if apart else phrase
    if not isinstance(phrase.scope, In) or phrase.scope.dim != "industry":
        return phrase
    if all(len(one) == 1 for one in phrase.ents):
        return phrase
    part = (phrase.scope.label or "").partition(UNDIVIDED)[2].removesuffix("）")
    found: list[Listings] = []
    for names in phrase.ents:
        rows = [market.book.row(one) for one in names]
        inside = [one for one in rows if one.industry in phrase.scope.values]
        # 海螺 in 水泥: the one that has the part in its name.
        inside = [one for one in inside if part and part in one.name] or inside
        home = [one for one in inside if one.market == "CN"] or inside
        if len(home) != 1:
            return phrase
        found.append((home[0].symbol,))
    return replace(phrase, ents=tuple(found), scope=None)


def is_of(company: Listings, within: Pred, market: Market) -> bool:
    """Whether a company that is sure is of that set, as its own market calls it: Ping An H is an
    insurer.
    """
    if len(company) != 1 or not isinstance(within, In):
        return False
    row = market.book.row(company[0])
    try:
        there = labelled(within, (row.market,), market) if row.market in market.labels else within
    except UnusedError:
        return False
    said = {"market": row.market, "industry": row.industry, "symbol": row.symbol}
    sets = (one for one in walk(there) if isinstance(one, In))
    return any(said.get(one.dim) in one.values for one in sets)


def are_within(ents: Sequence[Listings], within: Pred, market: Market) -> bool:
    """Whether several companies, each of them sure, are all of a set."""
    return len(ents) > 1 and all(is_of(one, within, market) for one in ents)


def in_points(request: Request, of: Sequence[str], market: Market) -> None:
    """涨了多少点: of an index it is how far it moved; of a share points are per cent.

    Raises: UnusedError.
    """
    if "close:points" not in request.mets:
        return
    symbols = [one for listings in request.ents for one in listings] or of
    if not symbols or any(market.book.row(one).kind != "index" for one in symbols):
        raise UnusedError("points of a share")
    request.mets = ["close:amount" if one == "close:points" else one for one in request.mets]


def _adds_to_named(parts: Sequence[Edge]) -> bool:
    """A's P/E compared with B's: beside each other, as the first was named before the second."""
    at = next((place for place, one in enumerate(parts) if one.cat == "add"), None)
    sides = (parts[:at], parts[at + 1 :]) if at is not None else ()
    return bool(sides) and all(
        any(isinstance(one.sem, Fig) and one.sem.ents for one in side) for side in sides
    )


def request_of(parts: Sequence[Edge], market: Market) -> Request:
    """What the parts say, if a question may stand alone with it. Raises: UnusedError."""
    request = gathered(parts)
    suppose_figures(request)
    whom = in_their_set(Fig(ents=tuple(request.ents), scope=request.scope), market)
    in_points(request, (), market)
    is_among = bool(request.asks & {"rank", "pctile"})  # of that set its place is asked
    request.ents, request.scope = list(whom.ents), request.scope if is_among else whom.scope
    is_of_them = not (is_among or request.relations or request.agg or request.peer)

    def said_again(scope: Pred | None) -> Pred | None:
        """None of the liquor names A, B and C; which bank is cheaper, A or B."""
        again = all(are_within(request.ents, one, market) for one in items_of(scope))
        return None if is_of_them and again else scope

    request.scope = said_again(request.scope)
    phrases = [in_their_set(one.phrase, market) for one in request.orders]
    request.orders = [
        replace(one, phrase=replace(phrase, scope=said_again(phrase.scope)))
        for one, phrase in zip(request.orders, phrases, strict=True)
    ]
    if request.marks & {"swap", "or"} or request.dropped:
        raise UnusedError("nothing before")
    if _adds_to_named(parts):
        request.marks.discard("add")
    return request
