"""A condition as said (`大于3%`, `低于20倍`, `100亿以上`, `5到10倍`, `亏损`) to the wire's ranges.

It is read by the grammar of questions, as a test of its field's figure. The wire knows v > a, v < b
and a ≤ v < b. Bounds that differ from these in the limit alone take the form that is there (≥ 3 is
`3_max`, ≤ 20 is `0_20`), which `screened_as` tells; where a form would mean something else, a step
smaller than any figure has keeps it: > 0 is `0.000001_max`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import cast

from services.core.catalogue import SCREEN_FIELDS
from services.core.errors import InputError
from services.core.text import Text
from services.language.lattice import FUNCTION, Token
from services.language.plain_text import lower, plain_question
from services.market.ranges import UNIT_WORDS, parse_range
from services.query.algebra.nodes import Compare, Const, Loss, Not, Pred, items_of
from services.query.reading.chart import Edge, OverBudgetError, covers
from services.query.reading.grammar import question_grammar
from services.query.reading.phrases import Amount
from services.query.reading.ranking import chart_of
from services.query.reading.tagging import plain_words

_STEP, _CENT, _OPEN = Decimal("0.000001"), Decimal("0.01"), Decimal("Infinity")
# Of these "less than" has no lower bound: a profit below 1亿 may be a loss. Of the others "below
# 20" means 0 ≤ v < 20: a loss is not a low multiple.
_BELOW_ZERO = frozenset({"pct", "netprofit", "roediluted"})
_LONGEST, _BUDGET = 80, 5000
_NAMED = frozenset({"METRIC", "ENT", "SCOPE"})


@dataclass(frozen=True, slots=True)
class Range:
    """Bounds of one field in its plain unit; a missing side is infinite, `*_in` includes it."""

    low: Decimal = -_OPEN
    high: Decimal = _OPEN
    low_in: bool = False
    high_in: bool = False

    def meets(self, other: "Range") -> "Range":
        """What satisfies both: of each side the bound that excludes more."""
        low, low_out = max((one.low, not one.low_in) for one in (self, other))
        high, high_in = min((one.high, one.high_in) for one in (self, other))
        return Range(low, high, not low_out, high_in)

    @property
    def empty(self) -> bool:
        """Whether nothing can satisfy it."""
        is_point = self.low == self.high and self.low_in and self.high_in
        return self.low >= self.high and not is_point


def to_range(field: str, conditions: Sequence[str]) -> str:
    """The wire range of everything said of one field.

    Raises: InputError named `field`.
    """
    if field not in UNIT_WORDS:
        valid = Text("不能按它筛选，只能排序", "it cannot be screened by, only ordered by")
        raise InputError(field, "", valid)
    found = Range()
    for condition in conditions:
        found = found.meets(_read(field, condition))
    if found.empty:
        valid = Text("条件互相矛盾，没有数值能同时满足", "the bounds contradict each other")
        raise InputError(field, "，".join(conditions), valid)
    return _wire(field, found)


def screened_as(said: str) -> str | None:
    """What a bound is screened as where the wire has it without its limit: 大于3% for 不低于3%.

    None where it is screened as said, or is no plain bound.
    """
    text = f" {lower(plain_question(said))}"
    part = next(_read_as("BOUND", text, None), None)
    numbers = [one for one in part.leaves if one.cat == "AMT"] if part is not None else []
    signs = {one.sem for one in part.leaves} & {"ge", "le"} if part is not None else set[object]()
    if len(numbers) != 1 or len(signs) != 1 or not cast("Amount", numbers[0].sem).value:
        return None
    number = text[numbers[0].start : numbers[0].end].strip()
    return f"{'大于' if 'ge' in signs else '小于'}{number}"


def _read_as(cat: str, text: str, figure: str | None) -> Iterator[Edge]:
    """The readings of it as one phrase, cheapest first; a blank at its head stands for `figure`."""
    blank = Token(FUNCTION, 0, 1, None, 0.0) if figure is None else Token("METRIC", 0, 1, figure)
    words = [blank, *(one for one in plain_words(text) if one.start)]
    try:
        chart = chart_of(text, words, _BUDGET)
    except OverBudgetError:
        return
    for _, parts in covers(question_grammar(), chart):
        if [one.cat for one in parts] == [cat]:
            yield parts[0]


def _read(field: str, condition: str) -> Range:
    text = lower(plain_question(condition)).strip()
    if len(text) > _LONGEST:
        raise _unclear(field, condition)
    if (wire := _read_given(field, text)) is not None:
        return wire
    # 亏损, 跌幅大于5%: they say of what.
    bare = _read_as("COND", f" {text}", None)
    alone = (one for one in bare if not any(leaf.cat in _NAMED for leaf in one.leaves))
    for part in (*alone, *_read_as("COND", f" {text}", SCREEN_FIELDS[field])):
        if (found := _bounds(part.sem)) is not None:  # pyright: ignore[reportArgumentType] — conditions are predicates
            return found
    raise _unclear(field, condition)


def _bounds(pred: Pred) -> Range | None:
    found = Range()
    for one in items_of(pred):
        match one:
            case Loss():
                found = found.meets(Range(high=Decimal(0)))
            case Not(item=Loss()):
                found = found.meets(Range(low=Decimal(0), low_in=True))
            case Compare(sign="gt" | "ge" as sign, right=Const(value=value)):
                found = found.meets(Range(low=_plain(value), low_in=sign == "ge"))
            case Compare(sign="lt" | "le" as sign, right=Const(value=value)):
                found = found.meets(Range(high=_plain(value), high_in=sign == "le"))
            case _:
                return None
    return found


def _read_given(field: str, text: str) -> Range | None:
    """A condition that is already in the wire's grammar."""
    if "_" not in text:
        return None
    try:
        bound = parse_range(field, text)
    except InputError:
        return None
    if bound is None:
        return Range()
    low = bound.above if bound.at_least is None else bound.at_least
    return Range(
        _plain(low) if low is not None else -_OPEN,
        _plain(bound.below) if bound.below is not None else _OPEN,
        low_in=bound.at_least is not None,
    )


def _plain(value: float) -> Decimal:
    return Decimal(repr(value))


def _unclear(field: str, said: str) -> InputError:
    valid = Text("请写成 大于3、5到10、亏损 之类", "write it as: above 3, 5 to 10, loss")
    return InputError(field, said, valid)


def _wire(field: str, found: Range) -> str:
    step = _CENT if UNIT_WORDS[field] == "元" else _STEP
    low, high = found.low, found.high
    if (low, high) == (-_OPEN, _OPEN):
        return "0_max"
    if low == -_OPEN:
        start = "0" if field not in _BELOW_ZERO and high > 0 else "min"
        return f"{start}_{_write_number(high)}"
    if high == _OPEN:
        if low == 0:  # `0_max` is no bound at all
            low = -step if found.low_in else step
        return f"{_write_number(low)}_max"
    return f"{_write_number(low)}_{_write_number(high + step if low == high else high)}"


def _write_number(value: Decimal) -> str:
    return f"{value.normalize():f}"
