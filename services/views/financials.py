"""财务: metric × period, the same as series for a chart, and the industry's largest."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure
from services.core.errors import InputError
from services.core.industries import industry_label
from services.core.ledger import Ledger
from services.core.periods import Period
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.fundamentals import FinancialData, financial_data
from services.market.report_sheet import MULTIPLES
from services.market.valuation_history import past_multiples
from services.views.parts import Parts, basis
from services.views.peers import fetch_peers, peers_table
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
)
from services.views.view import ChartPoint, ChartSeries, FinancialsView

GROUPS: Mapping[Text, tuple[str, ...]] = {
    Text("估值", "Valuation"): ("pe_ttm", "pe_lyr", "pb", "dy_l"),
    Text("盈利", "Earnings"): ("revenue", "revenue_yoy", "net_profit", "net_profit_yoy"),
    Text("规模", "Size"): ("total_assets", "total_liabilities", "equity"),
    Text("每股", "Per share"): ("eps", "dps", "bps"),
    Text("比率", "Ratios"): ("roe", "net_margin", "debt_to_assets"),
}
METRICS = tuple(metric for group in GROUPS.values() for metric in group)
CHARTED = ("revenue", "net_profit", "total_assets", "equity", "eps", "dps", "roe", "net_margin")
MAX_COUNT = 12
_PEERS = 10
VALUATION = "valuation"
_BANDS = ("pe_ttm", "pb")
_PAST_COLUMNS = (
    TableColumn("now", Text("最近收盘", "Last close"), "figure"),
    TableColumn("percentile", Text("分位", "Percentile"), "figure"),
    TableColumn("low", Text("最低", "Low"), "figure"),
    TableColumn("median", Text("中位", "Median"), "figure"),
    TableColumn("high", Text("最高", "High"), "figure"),
)
_BASES = Text(
    "估值倍数与每股净资产属于估值日，单列一栏，不属于任何报告期；其基准（LYR、TTM、MRQ）见各数字的出处。"
    "报表数字的币种以其单位为准，可能与股价币种不同。",
    "Multiples and book value per share are of the valuation day and have a column of their own; "
    "their basis (LYR, TTM, MRQ) is in each figure's source. Report figures are in the currency "
    "of their unit, which may differ from the price's.",
)


_MULTIPLES_ONLY = Text(
    "估值倍数属于估值日，单列一栏，不属于任何报告期；报表数字的币种以其单位为准，可能与股价币种不同。",
    "Multiples are of the valuation day and have a column of their own; report figures are in the "
    "currency of their unit, which may differ from the price's.",
)


class _Found(NamedTuple):
    """What the run brought, before it is laid out."""

    reported: FinancialData
    past: Table | None
    peers: Table


def build(parts: Parts, symbol_text: str, session_id: str, *, count: int) -> FinancialsView:
    """The view, from one run. See Desk.financials."""
    symbol = parts.names.resolve(symbol_text)
    if not symbol.is_company:
        raise InputError("symbol", symbol_text, "a company: others have no financial reports")
    if not 1 <= count <= MAX_COUNT:
        raise InputError("count", count, f"a whole number from 1 to {MAX_COUNT}")
    row = parts.names.row(symbol)
    industry = row.industry if row else None
    finished = parts.runner.run_once(
        "financials",
        {"symbol": symbol.value, "count": count},
        lambda ledger: _gather(parts, ledger, symbol, industry, count),
        session_id=session_id,
    )
    output, found = finished.output, basis(finished)
    name = parts.names.text(symbol)
    return FinancialsView(
        title=Text(f"{name.zh} {symbol} 财务", f"{name.en} {symbol} financials"),
        claims=found.claims,
        trace=found.trace,
        run_ids=found.run_ids,
        notes=(_bases(output.reported), *output.reported.notes),
        symbol=symbol.value,
        name=name,
        industry=industry_label(industry) if industry else None,
        currency=output.reported.currency,
        periods=output.reported.periods,
        matrix=_matrix(output.reported),
        series=_series(output.reported),
        past=output.past,
        peers=output.peers,
    )


def _gather(
    parts: Parts, ledger: Ledger, symbol: Symbol, industry: str | None, count: int
) -> _Found:
    reported = financial_data(
        ledger, symbol, METRICS, period="latest", count=count, clock=parts.clock
    )
    past = None
    if parts.settings.mode == "live":
        until = parts.calendar.last_complete_session(symbol.market, parts.clock.now())
        past = _past(past_multiples(ledger, symbol, _BANDS, until))
    peers = peers_table(ledger, fetch_peers(ledger, symbol, _PEERS), industry, parts.names)
    return _Found(reported, past, peers)


def _past(found: Mapping[str, Mapping[str, Figure]]) -> Table:
    """The newest multiples and where they stand among those of three years."""
    columns = (TableColumn("metric", Text("指标", "Metric"), "text"), *_PAST_COLUMNS)
    rows = tuple(TableRow({"metric": metric_words(metric), **row}) for metric, row in found.items())
    return Table("past", Text("历史估值（三年）", "Past multiples (three years)"), columns, rows)


def period_words(period: str) -> Text:
    """The way an analyst writes it: 2016年报, TTM·2017一季报; anything unknown as it is."""
    try:
        parsed = Period.parse(period)
    except InputError:
        return Text(period, period)
    return Text(parsed.label("zh"), parsed.label("en"))


def _matrix(reported: FinancialData) -> Table:
    """Metrics by group; multiples stand in the column of their own day, not under a report."""
    valued = {
        metric: _newest(reported, metric)
        for metric in METRICS
        if metric in MULTIPLES and not _by_period(reported, metric)
    }
    columns = [
        TableColumn("metric", Text("指标", "Metric"), "text"),
        _valuation_column(valued.values()),
    ]
    for period in reported.periods:
        words = period_words(period)
        columns.append(TableColumn(period, words, "figure"))
    rows = [
        TableRow(
            {"metric": metric_words(metric), **_cells(reported, metric, valued)},
            reported.symbol,
            group,
        )
        for group, metrics in GROUPS.items()
        for metric in metrics
    ]
    return Table("matrix", Text("财务指标", "Financials"), tuple(columns), tuple(rows))


def _cells(
    reported: FinancialData, metric: str, valued: Mapping[str, Figure | None]
) -> Mapping[str, Figure | None]:
    row = reported.figures.get(metric, {})
    if metric not in valued:
        return row
    # Those of earlier periods are of the last session of each; the newest has a column of its own.
    return {VALUATION: valued[metric], **dict(list(row.items())[1:])}


def _bases(reported: FinancialData) -> Text:
    return _MULTIPLES_ONLY if _by_period(reported, "bps") else _BASES


def _by_period(reported: FinancialData, metric: str) -> bool:
    """Whether the reports themselves give it, as some do book value per share."""
    row = reported.figures.get(metric, {})
    return any(isinstance(f, Claim) and f.period == period for period, f in row.items())


def _newest(reported: FinancialData, metric: str) -> Figure | None:
    """The figure of the valuation day: it stands in the newest period."""
    return next(iter(reported.figures.get(metric, {}).values()), None)


def _valuation_column(figures: Iterable[Figure | None]) -> TableColumn:
    days = [figure.as_of for figure in figures if isinstance(figure, Claim)]
    day = f" {max(days)}" if days else ""
    return TableColumn(VALUATION, Text(f"估值日{day}", f"Valuation day{day}"), "figure")


def _series(reported: FinancialData) -> tuple[ChartSeries, ...]:
    """Metrics with a figure in two report periods or more."""
    made = (
        ChartSeries(
            metric, metric_words(metric), _points(reported, metric, _reports(reported.periods))
        )
        for metric in CHARTED
    )
    return tuple(series for series in made if len(series.points) > 1)


def _reports(periods: Sequence[str]) -> list[Period]:
    """The report periods among them, oldest first."""
    parsed = (Period.parse(period) for period in periods if period[:1].isdigit())
    return sorted(period for period in parsed if period.basis == "report")


def _points(
    reported: FinancialData, metric: str, periods: Sequence[Period]
) -> tuple[ChartPoint, ...]:
    figures = reported.figures.get(metric, {})
    found = ((period, figures.get(str(period))) for period in periods)
    return tuple(
        ChartPoint(period_words(str(period)), figure)
        for period, figure in found
        if isinstance(figure, Claim)
    )
