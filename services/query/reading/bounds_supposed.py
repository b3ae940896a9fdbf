"""What a bound that names no figure is of: US companies over $100bn, 三块钱以下的A股."""

from collections.abc import Iterable

from services.query.algebra.nodes import Metric, Pred, walk
from services.query.reading.bounds_said import Bound
from services.query.reading.phrases import Fig, constant
from services.query.reading.predicates import AskedOf, between, compare
from services.query.reading.request import Request

# From where on money is the size of a company, and up to where its price.
_LEAST_SIZE, _HIGHEST_PRICE = 1e7, 1e4


def suppose_figures(request: Request, figures: Iterable[str] = ()) -> None:
    """Bounds of no figure become conditions, where neither what was said nor one of `figures` can
    be what they are of.
    """
    named = [node.id for one in request.conds for node in walk(one) if isinstance(node, Metric)]
    said = [name for one in request.orders for name in one.phrase.mets]
    made = [_suppose(one, (*said, *named, *figures)) for one in request.bounds]
    held = [one for one in made if one is not None]
    counts = request.count and not (request.agg or request.orders or request.fold_tests)
    # 股息率大于3亿 is of that, or of nothing; an industry's companies are whom a count is of.
    is_free = not request.mets and (request.group is None or counts)
    if len(held) == len(request.bounds) and is_free:
        request.conds, request.bounds = [*request.conds, *held], []


def _suppose(bound: Bound, figures: Iterable[str]) -> Pred | None:
    """What a bound of no figure is of: US companies over $100bn, 三块钱以下的A股. Money told in
    millions and more is a company's market value, told in single units its price; None where it
    may be of one of those figures.
    """
    sign, amount, upper = bound
    is_money = amount.unit == "LOCAL" or len(amount.unit) == 3
    if any(constant(one, amount) is not None for one in figures):
        return None
    if amount.value >= _LEAST_SIZE and (is_money or amount.unit == "number"):
        name = "market_cap"
    elif is_money and amount.value <= _HIGHEST_PRICE:
        name = "close"
    else:
        return None
    phrase = Fig(mets=(name,))
    is_span = upper is not None
    held = between(phrase, (amount, upper)) if is_span else compare(phrase, sign, amount)
    return None if isinstance(held, AskedOf) else held
