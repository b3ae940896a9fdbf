"""Formulas a derived figure may cite, and how their answer is recomputed.

An entry says which metrics go in, in which order, what comes out (metric, unit, period, day), and
the expression, which is plain arithmetic over the slot names. A derived claim whose formula is not
here cannot be verified, so it cannot be shown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple, Protocol

from services.core.company_formulas import CHANNELS, COMPANY, PAST_WORDS, CompanyFormula
from services.core.company_formulas import PAST as PAST_REPORTS
from services.core.compare_formulas import COMPARED_SPAN
from services.core.indicator_formulas import CANDLES, INDICATORS, Indicator
from services.core.periods import Period
from services.core.score_formulas import SCORES, ScoreFormula
from services.core.sessions import Adjacency
from services.core.statement_formulas import STATEMENTS, StatementFormula


class FormulaSlot(NamedTuple):
    """One input: its name in the expression and the metric it must be."""

    name: str
    metric: str


PeriodRule = Literal["none", "first", "last", "report_of_last"]
DayRule = Literal["latest", "period_end"]
# How the inputs of one figure must lie to each other (core/relations.py checks it).
Relation = Literal[
    "none",
    "same_day",
    "same_period",
    "one_kind",
    "year_before",
    "session_before",
    "earlier",
    "at_a_newer_price",
    "in_a_row",
]


@dataclass(frozen=True, slots=True)
class Formula:
    """One way to compute `metric`. `unit` is a unit code, or `first`: the unit of the first input.

    `same_entity`: every input must be about the claim's own symbol (an index deviation is not).
    `relation`: how the inputs' days and periods must lie to each other. `window`: how many values
    each series must have. `accuracy`: the note such a claim must carry. `each`: instead of slots,
    one list of any number of claims of that metric, each of another company of one answer, and the
    claim's own symbol among that answer's. `own_first`: the first of them is the claim's own.
    `ends`: only the first and the last value of a window decide, which spans `window` sessions of
    the exchange; else it is that many values, as core/sessions.py allows some lost between.
    `adjacent`: which of them must follow one another session by session. `of_one_session`: told of
    the moves of single sessions, of which one over lost ones is none. `years`: how far apart
    the report periods of its two inputs lie.
    """

    metric: str
    expression: str
    slots: tuple[FormulaSlot, ...] = ()
    series: tuple[FormulaSlot, ...] = ()
    unit: str = "first"
    period: PeriodRule = "none"
    day: DayRule = "latest"
    same_entity: bool = True
    relation: Relation = "none"
    window: int | None = None
    accuracy: str | None = None
    each: FormulaSlot | None = None
    own_first: bool = False
    ends: bool = False
    adjacent: Adjacency = "any"
    of_one_session: bool = False
    years: int | None = None
    holed: bool = False
    stretches: bool = False

    def metrics(self, count: int) -> list[str]:
        """The metrics its inputs must be, in order, where there are `count` of them."""
        if self.each is not None:
            return [self.each.metric] * count
        return [slot.metric for slot in self.slots]

    def scope(self, values: Sequence[float]) -> dict[str, float | Sequence[float]]:
        """The names of its expression and what each stands for. Raises: ValueError."""
        if self.each is not None:
            return {self.each.name: tuple(values)}
        return {slot.name: value for slot, value in zip(self.slots, values, strict=True)}


def _slots(*pairs: str) -> tuple[FormulaSlot, ...]:
    """`close` or `previous=close` → Slot; a bare word is both name and metric."""
    return tuple(
        FormulaSlot(*pair.split("=", 1)) if "=" in pair else FormulaSlot(pair, pair)
        for pair in pairs
    )


# The note of a percentage computed from additively adjusted prices, whose own note begins so.
ADDITIVE = "加法前复权"
DISTORTED = "加法前复权：越早的百分比失真越大"
_BASES: tuple[tuple[str, Relation], ...] = (
    ("previous=close", "session_before"),
    ("previous_close", "same_day"),
)


def _moves(price: str, base: str) -> tuple[tuple[str, str, str], ...]:
    """Metric, expression and unit of both ways to tell a move."""
    return (
        ("pct_change", f"({price} / {base} - 1) * 100", "percent"),
        ("change", f"{price} - {base}", "first"),
    )


# Multiples of an earlier price, at a newer one.
REPRICED: Mapping[str, str] = {
    metric: f"{metric} * close / price_implied" for metric in ("pe_ttm", "pe_lyr", "pb", "ps_ttm")
}
# Between the price a valuation was taken at and that day's close, adjusted to today's shares, lie
# the session's own moves and a year's dividend. One new share for ten, the smallest split there
# is, puts nine in a hundred between them.
ONE_SHARE = 0.08
_AT_CLOSE = "推算 按所示收盘价：每股收益、净资产、收入与股本沿用来源的估值日"
_OF_ONE: tuple[Formula, ...] = (
    Formula(
        "net_profit",
        "market_cap / pe_lyr",
        _slots("market_cap", "pe_lyr"),
        period="report_of_last",
        day="period_end",
        relation="same_day",
        accuracy="推算 总市值/市盈率(LYR)，±0.1%",
    ),
    Formula(
        "revenue",
        "market_cap / ps_ttm",
        _slots("market_cap", "ps_ttm"),
        period="last",
        day="period_end",
        relation="same_day",
        accuracy="推算 总市值/市销率(TTM)，市销率只有两位小数",
    ),
    Formula(
        "roe",
        "pb / pe_lyr * 100",
        _slots("pb", "pe_lyr"),
        unit="percent",
        period="report_of_last",
        relation="same_day",
        accuracy="推算 PB/PE：净资产为最近一季、净利润为上年年报，七成公司在 2 个百分点内",
    ),
    Formula(
        "price_implied",
        "market_cap / total_shares",
        _slots("market_cap", "total_shares"),
        relation="same_day",
        accuracy="推算 总市值/总股本：采集时点的股价，不是官方收盘价",
    ),
    *(
        Formula(
            "dy_l",
            f"dps / {price} * 100",
            _slots("dps", price),
            unit="percent",
            period="first",
            accuracy="推算 每股股利/股价",
        )
        for price in ("close", "price_implied")
    ),
    *(
        Formula(
            metric,
            expression,
            _slots("close", "price_implied", metric),
            unit="multiple",
            period="last",
            relation="at_a_newer_price",
            accuracy=_AT_CLOSE,
        )
        for metric, expression in REPRICED.items()
    ),
    Formula(
        "market_cap",
        "close * total_shares",
        _slots("close", "total_shares"),
        relation="at_a_newer_price",
        accuracy=_AT_CLOSE,
    ),
    # Against the close of the session before; or the previous close the source itself gives, which
    # is ex-right on an ex-date, unlike a bar's.
    *(
        Formula(metric, expression, _slots(price, base), unit=unit, relation=relation)
        for price, word in (("close", "close"), ("price=current_price", "price"))
        for base, relation in _BASES
        for metric, expression, unit in _moves(word, base.partition("=")[0])
    ),
    Formula(
        "gap",
        "(open / previous - 1) * 100",
        _slots("open", "previous=close"),
        unit="percent",
        relation="session_before",
    ),
    Formula(
        "deviation",
        "stock - index",
        _slots("stock=pct_change", "index=pct_change"),
        unit="pp",
        same_entity=False,
        relation="same_day",
    ),
    Formula(
        "cumulative_deviation",
        "d1 + d2 + d3",
        _slots("d1=deviation", "d2=deviation", "d3=deviation"),
        unit="pp",
        relation="in_a_row",
    ),
    Formula(
        "run_change",
        "(last / first - 1) * 100",
        _slots("last=close", "first=close"),
        unit="percent",
        relation="earlier",
    ),
    Formula(
        "volume_multiple",
        "volume / mean(window)",
        _slots("volume"),
        _slots("window=volume"),
        unit="multiple",
        window=20,
    ),
    Formula(
        "return_z",
        "zscore(returns(window))",
        (),
        _slots("window=close"),
        unit="sigma",
        window=62,  # the closes of 60 returns and of the one they are held against
        adjacent="last",
    ),
    Formula(
        "net_margin",
        "net_profit / revenue * 100",
        _slots("net_profit", "revenue"),
        unit="percent",
        period="first",
        day="period_end",
        relation="same_period",
    ),
    Formula(
        "debt_to_assets",
        "total_liabilities / total_assets * 100",
        _slots("total_liabilities", "total_assets"),
        unit="percent",
        period="first",
        day="period_end",
        relation="same_period",
    ),
    Formula(
        "roe",
        "net_profit / equity * 100",
        _slots("net_profit", "equity"),
        unit="percent",
        period="first",
        day="period_end",
        relation="same_period",
        accuracy="归母净利润/期末归母净资产（摊薄）",
    ),
    Formula(
        "revenue_yoy",
        "(revenue / previous - 1) * 100",
        _slots("revenue", "previous=revenue"),
        unit="percent",
        period="first",
        day="period_end",
        relation="year_before",
    ),
    Formula(
        "net_profit_yoy",
        "(net_profit / previous - 1) * 100",
        _slots("net_profit", "previous=net_profit"),
        unit="percent",
        period="first",
        day="period_end",
        relation="year_before",
    ),
)
# What a company's multiples are held against: the others of its industry in the same answer.
COMPARED = ("market_cap", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "roe", "dy_l")
_PEER_NOTES = {"median": None, "rank": "1 为最高", "count": None}


def _of_peers(metric: str) -> tuple[Formula, ...]:
    """Median, rank of the first among all, and how many: over claims of one metric and kind."""
    kinds = {"median": "first", "rank": "rank", "count": "count"}
    return tuple(
        Formula(
            f"{metric}_peer_{word}",
            f"{word}(values)",
            unit=unit,
            same_entity=False,
            relation="one_kind",
            accuracy=_PEER_NOTES[word],
            each=FormulaSlot("values", metric),
            own_first=word == "rank",
        )
        for word, unit in kinds.items()
    )


# What of two companies is set side by side: how much more the one has, and how many times as much.
BESIDE = (
    *("revenue", "net_profit", "total_assets", "total_liabilities", "equity", "eps", "dps", "bps"),
    *("roe", "gross_margin", "net_margin", "debt_to_assets", "revenue_yoy", "net_profit_yoy"),
    *("pe_ttm", "pe_lyr", "pb", "ps_ttm", "dy_l", "market_cap", "pct_change", "volume", "amount"),
)
_PERCENTS = frozenset(
    {"roe", "gross_margin", "net_margin", "debt_to_assets", "revenue_yoy", "net_profit_yoy"}
    | {"dy_l", "pct_change"}
)


def _of_two(metric: str) -> tuple[Formula, ...]:
    """Difference and ratio of one metric of two companies, of one unit and report period."""
    expressions = {
        "difference": ("one - other", "pp" if metric in _PERCENTS else "first"),
        "ratio": ("one / other", "multiple"),
    }
    return tuple(
        Formula(
            f"{metric}_{word}",
            expression,
            _slots(f"one={metric}", f"other={metric}"),
            unit=unit,
            period="first",
            same_entity=False,
            relation="one_kind",
        )
        for word, (expression, unit) in expressions.items()
    )


# What is told of the past sessions of a multiple, the last of them today's.
PAST: Mapping[str, str] = {
    "low": "min(values)",
    "high": "max(values)",
    **{word: told for word, told in PAST_WORDS.items() if word != "now"},
}
_PAST_NOTE = "近三年每日收盘的倍数，按当时的业绩"


def _of_past(metric: str) -> tuple[Formula, ...]:
    """The range of a multiple over past sessions, and the place of the last among them."""
    return tuple(
        Formula(
            f"{metric}_past_{word}",
            expression,
            series=_slots(f"values={metric}"),
            unit="percent" if word == "percentile" else "first",
            accuracy=_PAST_NOTE,
        )
        for word, expression in PAST.items()
    )


def _of_series(made: Indicator) -> Formula:
    """A technical indicator as a formula; claims that go in are all of one day."""
    return Formula(
        made.metric,
        made.expression,
        _slots(*made.inputs),
        _slots(*made.series),
        unit=made.unit,
        relation="same_day" if made.inputs else "none",
        window=made.window,
        accuracy=made.accuracy,
        adjacent=made.adjacent,
    )


def _of_score(made: ScoreFormula) -> Formula:
    """A step of the hold score; over companies, of one unit."""
    relation: Relation = "one_kind" if made.each else "same_day" if made.same_day else "none"
    return Formula(
        made.metric,
        made.expression,
        _slots(*made.inputs),
        _slots(*made.series),
        unit=made.unit,
        same_entity=made.same_entity,
        relation=relation,
        window=made.window,
        accuracy=made.accuracy,
        each=FormulaSlot("values", made.each) if made.each else None,
        own_first=made.own_first,
        ends=made.ends,
        of_one_session=made.of_one_session,
    )


def _of_statement(made: StatementFormula) -> Formula:
    return Formula(
        made.metric,
        made.expression,
        _slots(*made.slots),
        unit=made.unit,
        period=made.period,
        same_entity=made.same_entity,
        relation=made.relation,
        years=made.years,
    )


def _of_company(made: CompanyFormula) -> Formula:
    return Formula(
        made.metric,
        made.expression,
        _slots(*made.slots),
        _slots(*made.series),
        unit=made.unit,
        period=made.period,
        day="period_end" if made.slots and not made.series else "latest",
        relation=made.relation,
        accuracy=made.accuracy,
        window=made.window,
        holed=made.holed,
        stretches=made.stretches,
    )


FORMULAS: tuple[Formula, ...] = (
    *_OF_ONE,
    *(_of_series(made) for made in (*INDICATORS, *CANDLES)),
    *(_of_score(made) for made in SCORES),
    *(formula for metric in COMPARED for formula in _of_peers(metric)),
    *(formula for metric in ("pe_ttm", "pb") for formula in _of_past(metric)),
    *(formula for metric in BESIDE for formula in _of_two(metric)),
    *(_of_statement(made) for made in STATEMENTS),
    *(_of_company(made) for made in (*COMPANY, *PAST_REPORTS, *CHANNELS, *COMPARED_SPAN)),
)
_BY_NAME: Mapping[tuple[str, str], Formula] = {(f.metric, f.expression): f for f in FORMULAS}


def formula_for(metric: str, expression: str) -> Formula | None:
    """The registered formula, or None."""
    return _BY_NAME.get((metric, expression))


class DerivedSubject(NamedTuple):
    """What a derived figure is about, as its inputs decide it."""

    period: str | None
    as_of: date
    unit: str


class Input(Protocol):
    """The part of a claim a formula looks at."""

    @property
    def unit(self) -> str:
        """Its unit code."""
        ...

    @property
    def period(self) -> str | None:
        """Its report period or valuation basis."""
        ...

    @property
    def as_of(self) -> date:
        """The day it is about."""
        ...


def subject(
    formula: Formula, inputs: Sequence[Input], series_unit: str, series_end: date
) -> DerivedSubject:
    """Period, day and unit of the answer; `series_*` stand in where there are no claim inputs."""
    period: str | None = None
    if inputs and formula.period != "none":
        period = inputs[0].period if formula.period == "first" else inputs[-1].period
        if period is not None and formula.period == "report_of_last":
            period = str(Period.parse(period).report)
    as_of = max((item.as_of for item in inputs), default=series_end)
    if formula.stretches:
        as_of = series_end
    if formula.day == "period_end" and period is not None:
        period_days = [item.as_of for item in inputs if item.period == period]
        as_of = max(period_days) if period_days else Period.parse(period).end
    first_unit = inputs[0].unit if inputs else series_unit
    return DerivedSubject(period, as_of, first_unit if formula.unit == "first" else formula.unit)
