"""Evaluating the expression of a formula: plain arithmetic, and a closed list of functions."""

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from statistics import fmean, median, stdev
from types import CodeType

from services.core.candles import PATTERNS
from services.core.company_formulas import FUNCTIONS as COMPANY
from services.core.indicators import FUNCTIONS
from services.core.score_formulas import FUNCTIONS as SCORING
from services.core.statement_formulas import FUNCTIONS as STATING


def _returns(values: Sequence[float]) -> list[float]:
    return [later / earlier - 1 for earlier, later in pairwise(values)]


def _rank(values: Sequence[float]) -> int:
    """The place of the first value among all of them, 1 for the highest; equals share a place."""
    return 1 + sum(value > values[0] for value in values)


def _zscore(values: Sequence[float]) -> float:
    """How far the last value lies from the mean of those before it, in their sample deviations."""
    return (values[-1] - fmean(values[:-1])) / stdev(values[:-1])


def _percentile(values: Sequence[float]) -> float:
    """Of how many percent of the values it is true that they are not above the last."""
    return 100 * sum(value <= values[-1] for value in values) / len(values)


_FUNCTIONS: Mapping[str, Callable[..., object]] = {
    **FUNCTIONS,
    **PATTERNS,
    **SCORING,
    **STATING,
    **COMPANY,
    "mean": fmean,
    "median": median,
    "rank": _rank,
    "count": len,
    "sum": math.fsum,
    "min": min,
    "max": max,
    "returns": _returns,
    "zscore": _zscore,
    "percentile": _percentile,
}
# What every expression may call; its slots stand before these, as the inner of two scopes.
_SCOPE: dict[str, object] = {"__builtins__": {}, **_FUNCTIONS}
_ALLOWED = (
    ast.Expression,
    ast.BinOp,
    ast.UnaryOp,
    ast.Constant,
    ast.Name,
    ast.Load,
    ast.Call,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.USub,
)


@cache
def _compile(expression: str) -> CodeType:
    tree = ast.parse(expression, mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, _ALLOWED):
            raise TypeError(f"{type(node).__name__} is not arithmetic: {expression}")
    return compile(tree, "<formula>", "eval")


def evaluate(expression: str, values: Mapping[str, float | Sequence[float]]) -> float:
    """The number the expression gives for these slot values.

    Raises: ZeroDivisionError, and StatisticsError or IndexError for a series that is too short.
    """
    return operator.pos(float(eval(_compile(expression), _SCOPE, values)))  # noqa: S307 — whitelisted AST of a registered formula
