"""What statements derive (services/statements): how far a figure moved or lies from another.

Each direction has a formula of its own whose answer is never negative, so that the word of a
sentence (上涨, below) and its figure cannot say it twice or contradict each other.
"""

from typing import Literal, NamedTuple

AMOUNTS = ("revenue", "net_profit", "eps", "dps", "bps", "equity", "total_assets")
MOVED = (*AMOUNTS, "close")
STEPPED = (
    *("roe", "gross_margin", "net_margin", "debt_to_assets"),
    *("cpi_yoy", "cpi_mom", "ppi_yoy", "m1_yoy", "m2_yoy", "lpr_1y", "lpr_5y"),
)
# Diffusion indexes: their steps are points of the index.
STEPPED_INDEXES = ("pmi_manufacturing", "pmi_non_manufacturing")
COMPARED_SHARES = ("pe_ttm", "pe_lyr", "pb", "ps_ttm", "market_cap", "revenue", "net_profit")
COMPARED_POINTS = ("roe", "gross_margin", "net_margin", "debt_to_assets", "dy_l")
MEDIAN_SHARES = ("market_cap", "pe_ttm", "pe_lyr", "pb", "ps_ttm")
MEDIAN_POINTS = ("roe", "dy_l")
AVERAGES = (20, 60)
# A rise and a fall since the source valued a company.
SINCE_VALUED = ("(close / price_implied - 1) * 100", "(1 - close / price_implied) * 100")
# Of how many years an average may be: a run of more is told without one.
YEARS = range(2, 11)


class StatementFormula(NamedTuple):
    """As `Formula` of core/formulas.py; `years` is how far apart its two report periods lie."""

    metric: str
    expression: str
    slots: tuple[str, ...]
    unit: str
    relation: Literal["earlier", "one_kind", "same_day"]
    same_entity: bool = True
    period: Literal["none", "first"] = "first"
    years: int | None = None


def yearly(later: float, earlier: float, years: float) -> float:
    """The even growth a year, in percent, that leads from one to the other in so many years."""
    return ((later / earlier) ** (1 / years) - 1) * 100


def _make_moves() -> list[StatementFormula]:
    made: list[StatementFormula] = []
    for metric in MOVED:
        slots = (f"later={metric}", f"earlier={metric}")
        up, down = "(later / earlier - 1) * 100", "(1 - later / earlier) * 100"
        made.append(StatementFormula(f"{metric}_rise", up, slots, "percent", "earlier"))
        made.append(StatementFormula(f"{metric}_fall", down, slots, "percent", "earlier"))
    for metric in (*STEPPED, *STEPPED_INDEXES):
        slots = (f"later={metric}", f"earlier={metric}")
        unit = "points" if metric in STEPPED_INDEXES else "pp"
        for word, expression in (("up", "later - earlier"), ("down", "earlier - later")):
            made.append(
                StatementFormula(f"{metric}_points_{word}", expression, slots, unit, "earlier")
            )
    return made


def _since_valued() -> list[StatementFormula]:
    """How far a close lies from the price that the source's multiples stand on."""
    slots = ("close", "price_implied")
    return [
        StatementFormula(f"close_{word}", expression, slots, "percent", "earlier")
        for word, expression in zip(("rise", "fall"), SINCE_VALUED, strict=True)
    ]


def _yearly() -> list[StatementFormula]:
    made: list[StatementFormula] = []
    for metric in AMOUNTS:
        slots = (f"later={metric}", f"earlier={metric}")
        for years in YEARS:
            for word, sign in (("rise", ""), ("fall", "-")):
                expression = f"{sign}yearly(later, earlier, {years})"
                made.append(
                    StatementFormula(
                        f"{metric}_yearly_{word}", expression, slots, "percent", "earlier",
                        years=years,
                    )
                )  # fmt: skip
    return made


def _make_comparisons() -> list[StatementFormula]:
    made: list[StatementFormula] = []

    def add(metric: str, expression: str, one: str, other: str, unit: str) -> None:
        slots = (f"one={one}", f"other={other}")
        made.append(
            StatementFormula(metric, expression, slots, unit, "one_kind", same_entity=False)
        )

    above, below = "(one / other - 1) * 100", "(1 - one / other) * 100"
    for metric in COMPARED_SHARES:
        add(f"{metric}_above", above, metric, metric, "percent")
        add(f"{metric}_below", below, metric, metric, "percent")
    for metric in COMPARED_POINTS:
        add(f"{metric}_above", "one - other", metric, metric, "pp")
        add(f"{metric}_below", "other - one", metric, metric, "pp")
    for metric in MEDIAN_SHARES:
        median = f"{metric}_peer_median"
        add(f"{metric}_above_median", above, metric, median, "percent")
        add(f"{metric}_below_median", below, metric, median, "percent")
        add(f"{metric}_times_median", "one / other", metric, median, "multiple")
    for metric in MEDIAN_POINTS:
        median = f"{metric}_peer_median"
        add(f"{metric}_above_median", "one - other", metric, median, "pp")
        add(f"{metric}_below_median", "other - one", metric, median, "pp")
    return made


def _averages() -> list[StatementFormula]:
    made: list[StatementFormula] = []
    for sessions in AVERAGES:
        slots = ("price=close", f"average=ma_{sessions}")
        for word, expression in (
            ("above", "(price / average - 1) * 100"),
            ("below", "(1 - price / average) * 100"),
        ):
            made.append(
                StatementFormula(
                    f"{word}_ma_{sessions}", expression, slots, "percent", "same_day",
                    period="none",
                )
            )  # fmt: skip
    return made


STATEMENTS: tuple[StatementFormula, ...] = (
    *_make_moves(),
    *_since_valued(),
    *_yearly(),
    *_make_comparisons(),
    *_averages(),
)
FUNCTIONS = {"yearly": yearly}
