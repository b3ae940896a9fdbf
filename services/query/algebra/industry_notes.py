"""What is told of companies that are in a list for another reason than its others: that the source
gives no industry, so that they are in none of them; that they were added by name.
"""

from collections.abc import Container, Iterator, Sequence

from services.core.members import Members
from services.core.rendering import place
from services.core.text import NO_TEXT, Text, join_texts
from services.market.aggregates import Unclassified, list_unclassified
from services.query.algebra import nodes as a
from services.query.algebra.figures import FoundRow
from services.query.algebra.points import Points
from services.query.algebra.scopes import symbols_in
from services.query.algebra.words import MARKETS
from services.query.answering.desk import ActionDesk
from services.query.sayings import saying

_FEW = 4


def tell_unclassified(
    query: a.Query, lines: Sequence[FoundRow], desk: ActionDesk
) -> Iterator[Text]:
    """Who may be of an industry that was left out, and is still there."""
    left = [one for one in _left_out(query) if one.dim == "industry"]
    symbols = [one.symbol for one in lines if not one.is_classified]
    if left and symbols and query.rows == "companies":
        yield saying("unclassified", **_named(symbols, desk))


def tell_added(query: a.Query, desk: ActionDesk) -> Iterator[Text]:
    """Whom a list has because they were named, whatever its conditions."""
    alternatives = a.nodes_in(query.scope, a.AnyOf) if query.scope is not None else ()
    sets = [item for one in alternatives for item in one.items]
    named = [one for one in sets if isinstance(one, a.In) and one.dim == "symbol" and not one.label]
    if named and any(a.nodes_in(one, a.Compare) for one in sets):
        yield saying("added_by_name", **_named([s for one in named for s in one.values], desk))


def tell_industries(query: a.Query, points: Points) -> Iterator[Text]:
    """Where a query looks at industries: who is in none of them."""
    gone = {id(one) for one in _left_out(query)}
    looked_at = {one.dim for one in a.nodes_in(query, a.In) if id(one) not in gone}
    own = {getattr(one, "own", None) for one in a.walk(query)}
    if "industry" in {query.group, *looked_at, *own}:
        asked_of = symbols_in(query)
        none = [one for index in points.indexes for one in _list_lacking(index.members, asked_of)]
        if none:  # 比亚迪占汽车行业多少: it is no part of that whole
            yield saying("named_in_no_industry", **_named(none, points.desk))
        for call, index in zip(points.calls, points.indexes, strict=True):
            found = list_unclassified(points.ledger, call)
            yield from tell_in_no_industry(points.desk, found, index.members.market)


def tell_in_no_industry(
    desk: ActionDesk, found: Unclassified | None, market: str
) -> Iterator[Text]:
    """Who of a market is in none of its industries, the largest by name."""
    if found is not None:
        few = [desk.named(symbol) for symbol, _ in found.companies[:_FEW]]
        yield say_in_no_industry(MARKETS[market], found, few)


def say_in_no_industry(market: Text, found: Unclassified, few: Sequence[Text]) -> Text:
    """How many of a market are in none of its industries, and the first few of them as they are
    called where it is told.
    """
    called = _list_names(few, len(found.companies))
    largest = saying("largest_of_them", **called) if few else NO_TEXT
    return saying("in_no_industry", market=market, count=place(found.count), largest=largest)


def _left_out(query: a.Query) -> list[a.In]:
    gone = [one.item for one in a.nodes_in(query, a.Not)]
    return [one for each in gone for one in a.nodes_in(each, a.In)]


def _list_lacking(members: Members, symbols: Container[str]) -> Iterator[str]:
    """Those of the companies that are of no industry."""
    for symbol, industry in zip(members.symbols, members.industries, strict=True):
        if industry is None and symbol in symbols:
            yield symbol


def _named(symbols: Sequence[str], desk: ActionDesk) -> dict[str, Text]:
    return _list_names([desk.named(one) for one in symbols[:_FEW]], len(symbols))


def _list_names(few: Sequence[Text], count: int) -> dict[str, Text]:
    """The first few by name, and whether there are more."""
    more = Text("等", " and others") if count > len(few) else NO_TEXT
    return {"names": join_texts(few, "、", ", "), "more": more}
