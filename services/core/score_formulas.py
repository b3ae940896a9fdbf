"""How the hold score is computed: figures, grades, factors and total as rows for core/formulas.py.

A mean over what is there has a formula for every choice of what is there, so that what is missing
cannot be taken for a nought, and the verifier sees which was left out.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import fmean, stdev
from typing import NamedTuple

from services.core.score_rules import FACTORS, Component

_YEAR = 250
SHARP = 5


def grade(value: float, worst: float, best: float) -> float:
    """0 at `worst`, 10 at `best`, a straight line between, no farther."""
    return max(0.0, min(10.0, 10.0 * (value - worst) / (best - worst)))


def log_grade(value: float, worst: float, best: float) -> float:
    """As `grade`, of logarithms; 0 for nothing at all."""
    if value <= 0:
        return 0.0
    return grade(math.log(value), math.log(worst), math.log(best))


def cheaper(multiples: Sequence[float]) -> float:
    """Of the others, how many in a hundred are dearer than the first; equals count half.

    By what is earned for the price (the inverse), so that a loss is dearer than any profit.
    """
    own, *others = (1 / one for one in multiples)
    return _below(own, others)


def cheaper_than_before(multiples: Sequence[float]) -> float:
    """As `cheaper`, of the newest value against those before it."""
    *earlier, own = (1 / one for one in multiples)
    return _below(own, earlier)


def _below(own: float, others: Sequence[float]) -> float:
    return 100 * sum((one < own) + (one == own) / 2 for one in others) / len(others)


def rising(changes: Sequence[float]) -> float:
    """How many in a hundred of them are above nought."""
    return 100 * sum(one > 0 for one in changes) / len(changes)


def first(values: Sequence[float]) -> float:
    """The oldest value."""
    return values[0]


def yearly_deviation(closes: Sequence[float]) -> float:
    """The sample deviation of the returns in percent, as of a year of 250 sessions."""
    moves = [later / earlier - 1 for earlier, later in pairwise(closes)]
    return 100 * stdev(moves) * math.sqrt(_YEAR)


def drawdown(closes: Sequence[float]) -> float:
    """How far the price fell from its high at most, in percent of that high."""
    high, deepest = closes[0], 0.0
    for close in closes:
        high = max(high, close)
        deepest = max(deepest, 1 - close / high)
    return 100 * deepest


def falls(closes: Sequence[float], limit: float) -> int:
    """In how many sessions the close was `limit` percent or more below the one before."""
    return sum(100 * (later / earlier - 1) <= -limit for earlier, later in pairwise(closes))


def worst(closes: Sequence[float]) -> float:
    """The lowest return of a session, in percent."""
    return min(100 * (later / earlier - 1) for earlier, later in pairwise(closes))


def hides_falls(closes: Sequence[float], follows: Sequence[bool]) -> bool:
    """Whether a move over lost sessions would be told as a fall of one: as one of `falls`, or as
    the `worst`. `follows`: of each move whether no session is lost within.
    """
    moves = [
        100 * (later / earlier - 1) if earlier else -100 for earlier, later in pairwise(closes)
    ]
    over = [one for one, whole in zip(moves, follows, strict=True) if not whole]
    own = [one for one, whole in zip(moves, follows, strict=True) if whole]
    return bool(over) and min(over) <= max(-SHARP, min(own, default=0.0))


def mean_product(prices: Sequence[float], volumes: Sequence[float]) -> float:
    """The mean of price times volume."""
    return fmean(price * volume for price, volume in zip(prices, volumes, strict=True))


# Their names are words of formulas, in stored runs and packs too: to rename one breaks those.
FUNCTIONS: Mapping[str, Callable[..., object]] = {
    one.__name__: one
    for one in (
        *(grade, log_grade, cheaper, cheaper_than_before, rising, first, yearly_deviation),
        *(drawdown, falls, worst, mean_product),
    )
}


class ScoreFormula(NamedTuple):
    """One row. `inputs` are `name` or `name=metric`; `each`: over companies, of that metric."""

    metric: str
    expression: str
    inputs: tuple[str, ...] = ()
    series: tuple[str, ...] = ()
    unit: str = "percent"
    window: int | None = None
    accuracy: str | None = None
    each: str | None = None
    own_first: bool = False
    same_day: bool = False
    same_entity: bool = True
    ends: bool = False
    of_one_session: bool = False


# The windows in sessions: a return needs one more close than it spans.
WINDOWS: Mapping[str, int] = {
    "return_60": 61,
    "return_250": 251,
    "volatility_60": 61,
    "drawdown_250": 250,
    "sharp_falls": 61,
    "worst_session": 61,
    "amount_20": 20,
}
_OF_ONE_SESSION = frozenset({"sharp_falls", "worst_session"})
RETURN = "(last(close) / first(close) - 1) * 100"
_OVER_BARS = (
    *((metric, RETURN, "percent") for metric in ("return_60", "return_250")),
    ("volatility_60", "yearly_deviation(close)", "percent"),
    ("drawdown_250", "drawdown(close)", "percent"),
    ("sharp_falls", f"falls(close, {SHARP})", "sessions"),
    ("worst_session", "worst(close)", "percent"),
)
_RESTS_ON_TWO = "由两个市盈率之比推算，来源各给两位小数"
_FIGURES: tuple[ScoreFormula, ...] = (
    ScoreFormula("earnings_yield", "100 / pe_ttm", ("pe_ttm",)),
    ScoreFormula("earnings_yield", "100 / pe_lyr", ("pe_lyr",)),
    ScoreFormula("earnings_yield", "net_profit / market_cap * 100", ("net_profit", "market_cap")),
    ScoreFormula(
        "profit_pace",
        "(pe_lyr / pe_ttm - 1) * 100",
        ("pe_lyr", "pe_ttm"),
        accuracy=_RESTS_ON_TWO,
        same_day=True,
    ),
    *(
        ScoreFormula(
            f"{metric}_cheaper",
            "cheaper(values)",
            each=metric,
            own_first=True,
            same_entity=False,
        )
        for metric in ("pe_ttm", "pe_lyr", "pb")
    ),
    ScoreFormula("pe_ttm_own_cheaper", "cheaper_than_before(pe_ttm)", series=("pe_ttm",)),
    ScoreFormula("pct_change_breadth", "rising(values)", each="pct_change", same_entity=False),
    ScoreFormula("ma_60_gap", "(close / ma - 1) * 100", ("close", "ma=ma_60"), same_day=True),
    *(
        ScoreFormula(
            metric,
            expression,
            series=("close",),
            unit=unit,
            window=WINDOWS[metric],
            ends=expression == RETURN,
            of_one_session=metric in _OF_ONE_SESSION,
        )
        for metric, expression, unit in _OVER_BARS
    ),
    ScoreFormula(
        "amount_20",
        "mean_product(close, volume)",
        series=("close", "volume"),
        unit="first",
        window=WINDOWS["amount_20"],
        accuracy="收盘价 × 成交量的 20 日均值，近似成交额",
    ),
    ScoreFormula(
        "relative_strength",
        "stock - index",
        ("stock=run_change", "index=run_change"),
        unit="pp",
        same_day=True,
        same_entity=False,
    ),
    ScoreFormula(
        "negative_share",
        "negative / counted * 100",
        ("negative=negative_texts", "counted=counted_texts"),
        same_day=True,
    ),
)


def _grades(one: Component) -> list[ScoreFormula]:
    function = "log_grade" if one.log else "grade"
    return [
        ScoreFormula(
            f"{one.name}_grade",
            f"{function}({metric}, {one.key}_from, {one.key}_to)",
            (metric, f"{one.key}_from", f"{one.key}_to"),
            unit="score",
        )
        for metric in one.metrics
    ]


def mean_expression(values: Sequence[str], weights: Sequence[str]) -> str:
    """The weighted mean of slots."""
    pairs = zip(values, weights, strict=True)
    return f"({' + '.join(f'{v} * {w}' for v, w in pairs)}) / ({' + '.join(weights)})"


def share_expression(there: Sequence[str], wanted: Sequence[str]) -> str:
    """The weights there are over those there should be."""
    return f"({' + '.join(there) or '0'}) / ({' + '.join(wanted)})"


def _choices(names: Sequence[str]) -> Iterable[tuple[str, ...]]:
    for size in range(len(names) + 1):
        yield from combinations(names, size)


def names_of(factor: str) -> tuple[str, ...]:
    """The components of a factor, each once."""
    return tuple(dict.fromkeys(one.name for one in FACTORS[factor].components))


def list_omissible(factor: str) -> tuple[tuple[str, ...], ...]:
    """Which components may not apply at all: what lenders owe, a suspension there was not."""
    may = [one.name for one in FACTORS[factor].components if one.if_any or one.name == "debt"]
    return tuple(_choices(may))


def _of_factor(factor: str) -> Iterable[ScoreFormula]:
    names = names_of(factor)
    for chosen in _choices(names):
        if chosen:
            parts = [f"{name}_part" for name in chosen]
            grades = [f"{name}_grade" for name in chosen]
            yield ScoreFormula(
                f"{factor}_score",
                mean_expression(grades, parts),
                (*grades, *parts),
                unit="score",
            )
    for without in list_omissible(factor):
        wanted = [name for name in names if name not in without]
        parts = [f"{name}_part" for name in wanted]
        for chosen in _choices(wanted):
            there = [f"{name}_part" for name in chosen]
            yield ScoreFormula(
                f"{factor}_coverage", share_expression(there, parts), tuple(parts), unit="ratio"
            )


def _of_all() -> Iterable[ScoreFormula]:
    names = tuple(FACTORS)
    for chosen in _choices(names):
        if chosen:
            scores = [f"{name}_score" for name in chosen]
            weights = [f"{name}_weight" for name in chosen]
            yield ScoreFormula(
                "hold_score", mean_expression(scores, weights), (*scores, *weights), unit="score"
            )
    coverages = [f"{name}_coverage" for name in names]
    weights = [f"{name}_weight" for name in names]
    yield ScoreFormula(
        "score_coverage",
        mean_expression(coverages, weights),
        (*coverages, *weights),
        unit="ratio",
    )


SCORES: tuple[ScoreFormula, ...] = (
    *_FIGURES,
    *{
        (made.metric, made.expression): made
        for rule in FACTORS.values()
        for one in rule.components
        for made in _grades(one)
    }.values(),
    *(made for factor in FACTORS for made in _of_factor(factor)),
    *_of_all(),
)
