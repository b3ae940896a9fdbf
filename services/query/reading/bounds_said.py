"""One more bound of the figure said last: 市盈率大于10小于20, 亏损超过10亿."""

from collections.abc import Iterable

from services.query.algebra.nodes import AllOf, AnyOf, Compare, Const, Metric, Pred, Sign
from services.query.reading.phrases import Amount, Fig, constant
from services.query.reading.predicates import AskedOf, Condition, between, compare, together

# A bound without its figure: its sign (None: as before, or a range), one amount, or two.
Bound = tuple[Sign | None, Amount, Amount | None]

# From where on money is the size of a company, and up to where its price.
_LEAST_SIZE, _HIGHEST_PRICE = 1e7, 1e4
# What a loss or a profit alone is bounded by.
_NOUGHTS = tuple(Const(value=0, unit=one) for one in ("money", "percent", "multiple"))


def again(condition: Condition, sign: Sign, amount: Amount) -> Compare | None:
    """One more bound of the figure said last: 市盈率大于10小于20."""
    last = _find_last(condition)
    if last is None or not isinstance(last.left, Metric):
        return None
    right = constant(last.left.id, amount)
    return Compare(sign=sign, left=last.left, right=right) if right is not None else None


def again_within(condition: Condition, sign: Sign, amount: Amount) -> Condition | None:
    """Both bounds; 亏损超过10亿 is no profit below nought and above that."""
    more, last = again(condition, sign, amount), _find_last(condition)
    if more is None or last is None or isinstance(condition, AskedOf):
        return None
    is_span = last.sign in ("gt", "ge") and sign in ("lt", "le")  # 大于0小于10亿
    if last.right in _NOUGHTS and amount.value > 0 and not is_span:
        return None
    return together(condition, more)


def suppose(bound: Bound, figures: Iterable[str]) -> Pred | None:
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


def _find_last(condition: Condition) -> Compare | None:
    """The bound said last; None where it is none."""
    last = condition.items[-1] if isinstance(condition, AllOf | AnyOf) else condition
    return last if isinstance(last, Compare) else None
