"""One more bound of the figure said last: 市盈率大于10小于20, 亏损超过10亿."""

from dataclasses import dataclass

from services.query.algebra.nodes import AllOf, AnyOf, Compare, Const, Metric, Pred, Sign
from services.query.reading.phrases import Amount, constant
from services.query.reading.predicates import AskedOf, Condition, together

# A bound without its figure: its sign (None: as before, or a range), one amount, or two.
Bound = tuple[Sign | None, Amount, Amount | None]


@dataclass(frozen=True, slots=True)
class Rebound:
    """A bound that was said before, to be set anew: that of a number (50 → 30), of a figure, of a
    side (upper or lower), or the only one it can be of.
    """

    new: Bound
    old: Amount | None = None
    figure: str | None = None
    side: str = ""


# What a loss or a profit alone is bounded by.
_NOUGHTS = tuple(Const(value=0, unit=one) for one in ("money", "percent", "multiple"))


def rebound(limit: tuple[str | None, str], new: Bound) -> Rebound | None:
    """PE 上限改成 20, raise the limit to 50 billion: one bound in the place of another."""
    figure, side = limit
    return Rebound(new, figure=figure, side=side) if new[2] is None else None


_SIDES = {"upper": ("lt", "le"), "lower": ("gt", "ge")}


def is_meant(test: Pred, said: Rebound) -> bool:
    """Whether the bound that is set anew may be this one."""
    if not isinstance(test, Compare) or not isinstance(test.left, Metric):
        return False
    if not isinstance(test.right, Const) or not test.right.value:
        return False
    name, amounts = test.left.id, (said.new[1], *([said.old] if said.old else []))
    values = [constant(name, one) for one in amounts]
    is_old = said.old is None or (values[-1] is not None and values[-1].value == test.right.value)
    is_side = test.sign in _SIDES.get(said.side, (test.sign,))
    return None not in values and is_old and is_side and said.figure in (None, name)


def bound_anew(test: Pred, said: Rebound) -> Pred | None:
    """The bound with the amount, and the sign, that are said now."""
    sign, amount, _ = said.new
    if not isinstance(test, Compare) or not isinstance(test.left, Metric):
        return None
    right = constant(test.left.id, amount)
    return test.but(right=right, sign=sign or test.sign) if right else None


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
