"""The sessions all companies have, and what each price did from the first of them to the last."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from itertools import groupby
from typing import NamedTuple

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure, Missing
from services.core.compare_formulas import COMPARED_SPAN
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.text import NO_TEXT, Text
from services.market.history import PriceHistory
from services.views.compare.view import ComparedCompany
from services.views.table import (
    Cell,
    Table,
    TableColumn,
    TableRow,
)

REBASED = "rebased_close"
# What every session of the span makes, not its two ends alone.
_OVER_EACH = frozenset({"span_drawdown", "span_volatility"})
SPAN = ("span_change", "span_drawdown", "span_volatility")
_EXPRESSIONS = {made.metric: made.expression for made in COMPARED_SPAN}
_NO_SPAN = Text("没有共同的交易日", "no session in common")
_TOO_SHORT = Text("共同的交易日太少", "too few sessions in common")


class SharedSpan(NamedTuple):
    """The first and the last session that all have."""

    first: date
    last: date


def common_span(histories: Sequence[PriceHistory], days: int) -> SharedSpan | None:
    """The last session all have, and the first of them within so many days before it."""
    if not histories:
        return None
    common = set[date].intersection(*({bar.date for bar in one.bars} for one in histories))
    if not common:
        return None
    last = max(common)
    return SharedSpan(min(day for day in common if day >= last - timedelta(days=days)), last)


def over_span(
    ledger: Ledger, metric: str, symbol: str, history: PriceHistory | Text, span: SharedSpan | None
) -> Figure:
    """One of SPAN or REBASED of a company; Missing where it has no bars or no span."""
    if isinstance(history, Text):
        return Missing(metric=metric, symbol=symbol, reason=history)
    if span is None:
        return Missing(metric=metric, symbol=symbol, reason=_NO_SPAN)
    window = ledger.window("values", history.call, symbol, "close", *span)
    formula, why = formula_for(metric, _EXPRESSIONS[metric]), NO_TEXT
    if metric in _OVER_EACH:
        sessions = history.sessions
        first, last = (sessions.days.index(day) for day in span)
        why = sessions.tell_torn(first, last)
    # A deviation needs two returns.
    short = window.count < (4 if metric == "span_volatility" else 2)
    made: Claim | None = None
    if not (short or why) and formula is not None:
        made = ledger.derive(formula, (), series=(window,))
    return made or Missing(metric=metric, symbol=symbol, reason=why or _TOO_SHORT)


def monthly_table(
    ledger: Ledger,
    entries: Sequence[ComparedCompany],
    histories: Mapping[str, PriceHistory],
    span: SharedSpan | None,
) -> Table:
    """The rebased close at the last common session of each month: the chart as a table."""
    drawn = [one for one in entries if one.symbol in histories]
    columns = (
        TableColumn("day", Text("日期", "Date"), "date"),
        *(TableColumn(one.symbol, _whose(one), "figure") for one in drawn),
    )
    rows = [
        TableRow({"day": day.isoformat(), **_on(ledger, day, drawn, histories, span)})
        for day in (_month_ends(histories, span) if span else ())
    ]
    title = Text("定基走势，共同首日为 100", "Rebased closes, first common session = 100")
    return Table("rebased", title, columns, tuple(rows))


def _whose(entry: ComparedCompany) -> Text:
    """The figure's name with whose it is, as the head of a column."""
    figure = metric_words(REBASED)
    return Text(f"{entry.name.zh} {figure.zh}", f"{entry.name.en} {figure.en}")


def _on(
    ledger: Ledger,
    day: date,
    drawn: Sequence[ComparedCompany],
    histories: Mapping[str, PriceHistory],
    span: SharedSpan | None,
) -> dict[str, Cell]:
    until = SharedSpan(span.first, day) if span else None
    return {
        one.symbol: over_span(ledger, REBASED, one.symbol, histories[one.symbol], until)
        for one in drawn
    }


def _month_ends(histories: Mapping[str, PriceHistory], span: SharedSpan) -> list[date]:
    days = set[date].intersection(*({bar.date for bar in one.bars} for one in histories.values()))
    inside = sorted(day for day in days if span.first < day <= span.last)
    return [max(group) for _, group in groupby(inside, lambda day: (day.year, day.month))]
