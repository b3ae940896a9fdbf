"""A query with something changed wherever it stands: other figures, units, companies, times."""

from collections.abc import Collection, Mapping, Sequence

from services.core.catalogue import CATALOGUE
from services.core.symbols import Symbol
from services.query.algebra.dimensions import SenseError, dimension_of
from services.query.algebra.nodes import (
    LATEST,
    Across,
    AllOf,
    AnyOf,
    Change,
    Compare,
    Const,
    Course,
    Expr,
    HistoryRank,
    In,
    Loss,
    Metric,
    Node,
    Over,
    Pred,
    Query,
    Rank,
    When,
    rewrite,
    walk,
)
from services.query.algebra.scopes import named_symbols
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_said import is_of_years
from services.query.reading.phrases import Amount, Fig, Time, constant, dimensions, figure, owned
from services.query.reading.shapes import MARKETS_SAID, Market

# What names the figure it is of, instead of holding it.
_OF_NAME = (Change, Over, HistoryRank, Course)


def mapped(query: Query, figures: Mapping[str, str]) -> Query:
    """With other figures. Hong Kong's source has the multiple of the last year, not of four
    quarters.
    """

    def change(node: Node) -> Node:
        if isinstance(node, Metric):
            return node.but(id=figures.get(node.id, node.id))
        if isinstance(node, Compare) and isinstance(node.right, Const):
            is_rate = isinstance(node.left, Change) and node.left.how == "rate"
            is_points = is_rate and node.right.unit == "pp"
            return node.but(right=node.right.but(unit="percent")) if is_points else node
        if not isinstance(node, _OF_NAME):
            return node
        moved = node.but(of=figures.get(node.of, node.of))
        is_of_points = isinstance(moved, Change) and moved.how == "difference"
        # What an amount grew by, behind what a percentage did in points.
        if is_of_points and _is_percent(node.of) and not _is_percent(moved.of):
            return moved.but(how="rate")
        return moved

    return rewrite(query, change)


def refigured(query: Query, figures: Sequence[str]) -> Query | None:
    """The same asked of one other figure, wherever the one it was asked of stands: its growth, how
    many times another's it is, who has most. None where several were asked of, where a number is a
    bound of it, or where the other has no such times.
    """
    parts = list(walk(query))
    old = {one.id for one in parts if isinstance(one, Metric)}
    old |= {one.of for one in parts if isinstance(one, _OF_NAME)}
    is_bound = any(isinstance(one, Const) and one.value for one in parts)
    if len(old) != 1 or len(figures) != 1 or figures[0] not in CATALOGUE.figures or is_bound:
        return None
    (name,), (new,) = old, figures
    is_dated = any(isinstance(one, _OF_NAME) or _is_dated(one) for one in parts)
    if is_dated and not (is_of_years(name) and is_of_years(new)):
        return None
    return mapped(query, {name: new})


def _is_dated(node: Node) -> bool:
    return isinstance(node, When) and node.kind != "latest"


def loss_of_profit(node: Node) -> Node:
    """A loss is a net profit below nought."""
    if not isinstance(node, Loss):
        return node
    profit = Metric(id="net_profit", when=node.when)
    return Compare(sign="lt", left=profit, right=Const(value=0, unit="money"))


def points_of_percent(node: Node) -> Node:
    """What a percentage became is told in points: ROE提高了吗, 毛利率同比. Against 10% it stays the
    rate that was said, which is refused: ten points are another bound.
    """
    if isinstance(node, Change) and node.how == "rate" and _is_percent(node.of):
        return node.but(how="difference")
    if not isinstance(node, Compare) or not isinstance(node.right, Const):
        return node
    left, right = node.left, node.right
    is_change = isinstance(left, Change) and _is_percent(left.of)
    if not is_change or right.unit != "percent":
        return node
    if right.value:
        return node.but(left=left.but(how="rate"))
    return node.but(right=right.but(unit="pp"))


def _is_percent(figure: str) -> bool:
    return figure in CATALOGUE and CATALOGUE[figure].unit == "percent" and figure != "pct_change"


_UNITS = frozenset({"money", "price", "percent", "multiple", "shares"})


def as_the_figure(node: Node) -> Node:
    """A bare number in the unit of what it bounds: 市值超过五千亿 is of money."""
    if not isinstance(node, Compare) or not isinstance(node.right, Const):
        return node
    try:
        unit = dimension_of(node.left)
    except SenseError:  # told as what makes no sense, by whoever checks the whole
        return node
    if node.right.unit != "number" or unit not in _UNITS:
        return node
    return node.but(right=node.right.but(unit=unit))


def own_money(node: Node) -> Node:
    """An amount of a named currency, in that of the shares asked about."""
    if isinstance(node, Const):
        return node.but(unit=node.unit.partition(":")[0])
    return node


def at_a_loss(pred: Pred) -> Pred:
    """2016年净利润为负, of a mainland set: the source tells a loss by giving no multiple."""
    match pred:
        case AllOf() | AnyOf():
            return pred.but(items=tuple(map(at_a_loss, pred.items)))
        case Compare(
            sign="lt", left=Metric(id="net_profit", of=None, when=when), right=Const(value=0)
        ):
            is_year = when.kind == "years" and when.first == when.last and not when.only
            return Loss(of="pe_lyr", when=when) if is_year else pred
        case _:
            return pred


def signed_by_share(query: Query) -> Query:
    """净资产为负, of a mainland set: as is that of a share, which far more companies tell."""
    tests = walk(query.where) if query.where is not None else ()
    equity, share = Metric(id="equity"), Metric(id="bps")
    if not any(_tests_sign(one, equity) for one in tests):
        return query

    def change(node: Node) -> Node:
        if isinstance(node, Compare) and _tests_sign(node, share):  # its left is changed first
            nought = constant(share.id, Amount(0.0, "number"))
            return node.but(right=nought)
        return share if node == equity else node

    return rewrite(query, change)


def _tests_sign(node: Node, of: Metric) -> bool:
    if not isinstance(node, Compare) or not isinstance(node.right, Const):
        return False
    return node.left == of and not node.right.value


def moved_within(pred: Pred, time: Time) -> Pred:
    """跑赢恒指没有, behind how far it went in a year: how far each of both went in it."""

    def change(node: Node) -> Node:
        if not isinstance(node, Metric) or (node.id, node.when) != ("pct_change", LATEST):
            return node
        moved = figure(node.id, Fig(when=time))
        moved = owned(moved, node.of) if moved is not None and node.of else moved
        return node if moved is None else moved

    return rewrite(pred, change)


def rank_anew(expr: Expr, symbols: Sequence[str], market: Market) -> Expr:
    """A place among its own industry or market is among the other company's."""
    if not isinstance(expr, Rank | Across) or expr.within is None:
        return expr
    if isinstance(expr, Across) and expr.how != "count":
        return expr
    if len(symbols) != 1:
        raise UnusedError("rank")
    if "industry" in dimensions(expr.within):
        return expr.but(within=market.industry(symbols[0]))
    row = market.book.row(symbols[0])
    return expr.but(within=In(dim="market", values=(row.market,)))


# A name replied is the one that stays: it is said in that reading alone.
_AGAINST = ("和哪一家比？", "Set against which of the two?")


def of_another(
    last: Query, symbols: Sequence[str], parts: Sequence[Node], market: Market
) -> Query | None:
    """The query of those companies; None where none of its `parts` names whose it is.

    Raises: UnusedError; ChoiceError, as nobody said which of two gives way.
    """
    whose = {one for part in parts if (one := owner_of(part)) is not None}
    if not whose:
        return None
    if whose == {*(named_symbols(last.scope) or ())} and len(whose) == len(symbols) == 1:
        return in_place_of(last, dict.fromkeys(whose, symbols[0]))  # how far off its own high
    if all(Symbol(one).is_index for one in whose) and not any(
        Symbol(one).is_index for one in symbols
    ):
        return last.but(scope=In(dim="symbol", values=tuple(symbols)))  # against the same index
    return _of_both_shares(last, symbols, whose, market) or _against_another(last, symbols, parts)


def _of_both_shares(
    last: Query, symbols: Sequence[str], whose: Collection[str], market: Market
) -> Query | None:
    """神华的呢, behind the A share of a company against its H share: both shares of that one; None
    where it was told of anything else.
    """
    shares = {*whose, *(named_symbols(last.scope) or ())}
    moved: dict[str, str] = {}
    for one in shares if len(symbols) == 1 else ():
        is_own = all(two in (one, *market.book.listing(one, _said_of(two))) for two in shares)
        there = market.book.listing(symbols[0], _said_of(one)) if is_own else ()
        moved |= dict.fromkeys([one], there[0]) if len(there) == 1 else {}
    is_of_each = len(moved) == len(shares) == len({*moved.values()})
    return in_place_of(last, moved) if is_of_each else None


def _said_of(symbol: str) -> str:
    return MARKETS_SAID[Symbol(symbol).market]


def owner_of(part: Node) -> str | None:
    """The company it names as whose it is."""
    owner = part.of if isinstance(part, Metric) else getattr(part, "company", None)
    return owner if isinstance(owner, str) else None


def in_place_of(query: Query, moved: Mapping[str, str]) -> Query:
    """The same, what is of a company or named by it being that of the one in its place."""

    def change(node: Node) -> Node:
        if isinstance(node, In) and node.dim == "symbol":
            values = tuple(dict.fromkeys(moved.get(one, one) for one in node.values))
            label = node.label if values == node.values else None
            return node.but(values=values, label=label)
        owner = owner_of(node)
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

    of_this = last.but(scope=In(dim="symbol", values=tuple(symbols)))
    raise ChoiceError(_AGAINST, [in_place_of(last, dict.fromkeys(others, symbols[0])), of_this])
