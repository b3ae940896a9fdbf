"""The same of another company, behind figures that name whose they are: how far a price is off its
own high, how many times the value of another it has.
"""

from collections.abc import Collection, Mapping, Sequence

from services.core.symbols import Symbol
from services.query.algebra.nodes import Change, In, Metric, Node, Over, Query, rewrite
from services.query.algebra.scopes import named_symbols
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.shapes import MARKETS_SAID, Market

# A name replied is the one that stays: it is said in that reading alone.
_AGAINST = ("和哪一家比？", "Set against which of the two?")


def of_another(
    last: Query, symbols: Sequence[str], parts: Sequence[Node], market: Market
) -> Query | None:
    """The query of those companies; None where none of its `parts` names whose it is.

    Raises: UnusedError; ChoiceError, as nobody said which of two gives way.
    """
    whose = {one for part in parts if (one := _owner(part)) is not None}
    if not whose:
        return None
    if whose == {*(named_symbols(last.scope) or ())} and len(whose) == len(symbols) == 1:
        return in_place_of(last, dict.fromkeys(whose, symbols[0]))  # how far off its own high
    return _of_both_shares(last, symbols, whose, market) or _against_another(last, symbols, parts)


def _of_both_shares(
    last: Query, symbols: Sequence[str], whose: Collection[str], market: Market
) -> Query | None:
    """神华的呢, behind the A share of a company against its H share: both shares of that one; None
    where it was told of anything else.
    """
    shares = {*whose, *(named_symbols(last.scope) or ())}
    moved: dict[str, str] = {}
    for one in shares:
        is_own = all(two in (one, *market.book.listing(one, _said_of(two))) for two in shares)
        there = (
            market.book.listing(symbols[0], _said_of(one)) if len(symbols) == 1 and is_own else ()
        )
        if len(there) == 1:
            moved[one] = there[0]
    if len(moved) != len(shares) or len({*moved.values()}) != len(moved):
        return None

    return in_place_of(last, moved)


def _said_of(symbol: str) -> str:
    return MARKETS_SAID[Symbol(symbol).market]


def _owner(part: Node) -> str | None:
    if isinstance(part, Over | Change):
        return part.company
    return part.of if isinstance(part, Metric) else None


def in_place_of(query: Query, moved: Mapping[str, str]) -> Query:
    """The same, what is of a company or named by it being that of the one in its place."""

    def change(node: Node) -> Node:
        if isinstance(node, In) and node.dim == "symbol":
            values = tuple(dict.fromkeys(moved.get(one, one) for one in node.values))
            label = node.label if values == node.values else None
            return node.model_copy(update={"values": values, "label": label})
        owner = _owner(node)
        if owner is None or owner not in moved:
            return node
        return node.model_copy(
            update={"of" if isinstance(node, Metric) else "company": moved[owner]}
        )

    return rewrite(query, change)


def _against_another(last: Query, symbols: Sequence[str], parts: Sequence[Node]) -> Query:
    """老窖呢, behind how many times the value of another a company has: against this one, or this
    one against that.
    """
    mine = named_symbols(last.scope) or ()
    others = {one.of for one in parts if isinstance(one, Metric) and one.of}
    is_pair = len(mine) == len(others) == len(symbols) == 1 and last.check is None
    is_owned = any(isinstance(one, Over | Change) and one.company is not None for one in parts)
    if not is_pair or {*symbols} & {*mine, *others} or is_owned:
        raise UnusedError("company")

    of_this = last.model_copy(update={"scope": In(dim="symbol", values=tuple(symbols))})
    raise ChoiceError(_AGAINST, [in_place_of(last, dict.fromkeys(others, symbols[0])), of_this])
