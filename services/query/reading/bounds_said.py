"""One more bound of the figure said last: 市盈率大于10小于20, 亏损超过10亿."""

from services.query.algebra.nodes import AllOf, AnyOf, Compare, Const, Metric, Sign
from services.query.reading.phrases import Amount, constant
from services.query.reading.predicates import AskedOf, Condition, together

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


def _find_last(condition: Condition) -> Compare | None:
    """The bound said last; None where it is none."""
    last = condition.items[-1] if isinstance(condition, AllOf | AnyOf) else condition
    return last if isinstance(last, Compare) else None
