"""The SQL of points: figures of every company of a market, a column each.

A column is spelled as in core/expressions.py: `pb` is the newest known, `revenue @ y2016` of the
annual report, `revenue @ q20160930` of the report to that day. What reports do not give is derived
by the registered formulas, in the very arithmetic, where all of it is of that report; what follows
from a multiple of the last year's earnings stands for the report of that very year alone. Reports
in another currency than the market's own are left out: nothing is converted.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.errors import InputError
from services.core.expression_claims import unit_in
from services.core.formulas import FORMULAS, Formula
from services.core.periods import Period
from services.store.screen_sql import MemberRows, ScreenSelect, member_rows

_ANNUAL = 4  # the quarter an annual report ends
_CURRENCIES = {"CN": "CNY", "HK": "HKD", "US": "USD"}
_FIELDS = {metric: name for name, metric in SCREEN_FIELDS.items()}
# Metric and time, as a column is spelled.
_COLUMN = re.compile(r"(?P<metric>[a-z][a-z0-9_]*)(?: @ (?P<kind>[yq])(?P<time>\d{4}|\d{8}))?")
# A name in a formula's expression.
_NAME = re.compile(r"[a-z_]+")


class Tables(NamedTuple):
    """Where a keeper of markets has what points are made of: the wide table, the facts it is made
    of, and the reports, a relation of symbol, metric, value, unit and period.
    """

    wide: str
    known: str
    reports: str
    values: dict[str, object]


class PointColumn(NamedTuple):
    """A column as asked: the metric, and the report period it is of (None: the newest known)."""

    metric: str
    period: Period | None


def point_of(column: str) -> PointColumn:
    """The column read. Raises: InputError."""
    found = _COLUMN.fullmatch(column)
    if found is None or found["metric"] not in CATALOGUE:
        raise InputError("column", column, "metric, or metric @ y2016, metric @ q20160930")
    if found["time"] is None:
        return PointColumn(found["metric"], None)
    if found["kind"] == "y":
        return PointColumn(found["metric"], Period(int(found["time"]), 4))
    return PointColumn(found["metric"], Period.parse(found["time"]))


def report_formulas(metric: str) -> Iterator[Formula]:
    """How that figure of one report is derived from others."""
    for formula in FORMULAS:
        if formula.metric == metric and formula.relation in {"same_period", "year_before"}:
            yield formula


def input_periods(formula: Formula, period: Period) -> list[PointColumn]:
    """What goes into it for that report: the last one of a growth is of the year before."""
    points = [PointColumn(slot.metric, period) for slot in formula.slots]
    if formula.relation == "year_before":
        before = Period(period.year - 1, period.quarter, period.basis)
        points[-1] = PointColumn(points[-1].metric, before)
    return points


def periods_of(columns: Sequence[str]) -> list[str]:
    """Every report period these columns rest on, by name."""
    found: set[str] = set()
    for metric, period in map(point_of, columns):
        if period is not None:
            found.add(str(period))
            for formula in report_formulas(metric):
                found |= {str(one.period) for one in input_periods(formula, period)}
    return sorted(found)


@dataclass(slots=True)
class _Made:
    """The columns of the sub-selects, each once, and the parameters."""

    market: str
    values: dict[str, object]
    known: dict[str, str] = field(default_factory=dict[str, str])
    reports: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def parameter(self, value: object) -> str:
        name = f"p{len(self.values)}"
        self.values[name] = value
        return f"${name}"

    def of_known(self, metric: str, period: str | None = None) -> str:
        """The newest figure the sources said; with a period, where it is of that one."""
        where = f"metric = {self._once(metric)}"
        if period is not None:
            where += f" AND period = {self._once(period)}"
        return self.known.setdefault(where, f"k.k{len(self.known)}")

    def _once(self, value: str) -> str:
        return next((f"${name}" for name, one in self.values.items() if one == value), None) or (
            self.parameter(value)
        )

    def of_reports(self, point: PointColumn) -> str:
        key = (point.metric, str(point.period))
        if key not in self.reports:
            unit = unit_in(CATALOGUE[point.metric].unit, _CURRENCIES[self.market])
            metric, period, wanted = (self.parameter(one) for one in (*key, unit))
            self.reports[key] = f"metric = {metric} AND period = {period} AND unit = {wanted}"
        return f"r.r{list(self.reports).index(key)}"


def columns_query(tables: Tables, market: str, columns: Sequence[str]) -> ScreenSelect:
    """Every listing of the market with those columns, the largest first."""
    made = _Made(market, dict(tables.values))
    chosen = [_column(made, point_of(column)) for column in columns]
    known = "".join(
        f", arg_max(value, as_of) FILTER ({where}) AS k{at}" for at, where in enumerate(made.known)
    )
    reports = "".join(
        f", max(value) FILTER ({where}) AS r{at}" for at, where in enumerate(made.reports.values())
    )
    sql = (
        "SELECT w.symbol, w.name, w.industry, w.listing, w.moved_on"  # noqa: S608 — closed names, values are parameters
        f"{''.join(f', {one}' for one in chosen)} FROM {tables.wide} w "
        f"LEFT JOIN (SELECT symbol{known} FROM {tables.known} GROUP BY symbol) k USING (symbol) "
        f"LEFT JOIN (SELECT symbol{reports} FROM ({tables.reports}) GROUP BY symbol) r "
        f"USING (symbol) WHERE w.market = {made.parameter(market)} "
        "ORDER BY coalesce(w.market_cap, w.elsewhere) DESC NULLS LAST, w.symbol"
    )
    return ScreenSelect(sql, made.values)


def column_rows(rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> MemberRows:
    """The answer to `columns_query`, column by column."""
    return member_rows(rows, columns)


def _column(made: _Made, point: PointColumn) -> str:
    if point.period is None:
        if point.metric in _FIELDS:
            return f"w.{_FIELDS[point.metric]}"
        if point.metric == "price_implied":
            cap, shares = made.of_known("market_cap"), made.of_known("total_shares")
            return f"{cap} / nullif({shares}, 0)"
        return made.of_known(point.metric)
    given = made.of_reports(point)
    derived = [
        _derive_column(made, formula, point.period) for formula in report_formulas(point.metric)
    ]
    implied = [
        _imply_column(made, formula, point.period) for formula in _choose_implying(made, point)
    ]
    made_of = [given, *derived, *implied]
    return f"coalesce({', '.join(made_of)})" if len(made_of) > 1 else given


def _choose_implying(made: _Made, point: PointColumn) -> list[Formula]:
    """How a multiple of the last year's earnings tells that annual figure. Of mainland companies
    alone: others report in another currency than their price."""
    if made.market != "CN" or point.period is None or point.period.quarter != _ANNUAL:
        return []
    return [
        formula
        for formula in FORMULAS
        if (formula.metric, formula.period) == (point.metric, "report_of_last")
    ]


def _imply_column(made: _Made, formula: Formula, period: Period) -> str:
    """As `_derive_column`, of what was known on one day, its last multiple of that very year."""
    *given, last = (slot.name for slot in formula.slots)
    columns = {name: made.of_known(name) for name in given}
    columns[last] = made.of_known(last, f"LYR_{period.year}")
    sql = _NAME.sub(lambda name: columns[name.group()], formula.expression)
    return f"CASE WHEN {columns[last]} <> 0 THEN {sql} END"


def _derive_column(made: _Made, formula: Formula, period: Period) -> str:
    """The expression of a registered formula over columns; nothing where the divisor is nil."""
    points = input_periods(formula, period)
    columns = {
        slot.name: made.of_reports(point) for slot, point in zip(formula.slots, points, strict=True)
    }
    sql = _NAME.sub(lambda name: columns[name.group()], formula.expression)
    divisor = columns[formula.slots[-1].name]
    return f"CASE WHEN {divisor} <> 0 THEN {sql} END"
