"""Figures of companies by name over time, as documents of nodes and slots, and back: prices of a
day, what they did over a span, its highest and lowest; the newest annual reports.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from services.core.catalogue import CATALOGUE
from services.core.errors import InputError
from services.core.periods import Period
from services.query.algebra.nodes import ALL, OWN, Change, Expr, In, Metric, Over, Query, When
from services.query.algebra.times import BAR_METRICS
from services.query.planning import nlir, plir

_EXTREMES: Mapping[str, str] = {"high": "max", "low": "min"}
_ANNUAL = "年报"
_EVER = "不限"
_WHOLE_YEAR = 4  # the quarter an annual report ends
# The name an asker knows a figure by and the key of its output; None where there is none.
Named = Callable[[str], tuple[str, str] | None]


def is_of_spans(query: Query) -> bool:
    """Whether it is of companies by name, and of their prices over one span."""
    return bool(span_nodes(query, str, lambda one: (one, one)))


def span_nodes(query: Query, called: Callable[[str], str], named: Named) -> list[nlir.NlirNode]:
    """A node for each company; none where the query is something else."""
    scope = query.scope
    symbols = scope.values if isinstance(scope, In) and scope.dim == "symbol" else ()
    bare = Query(rows=query.rows, scope=scope, window=query.window, show=query.show)
    if not symbols or not query.show or query != bare:
        return []
    found = _of_years(query) if query.rows == "years" else _of_prices(query)
    if found is None:
        return []
    action, figures, slots = found
    known = [one for one in map(named, figures) if one is not None]
    if len(known) != len(figures):
        return []
    outputs = tuple(nlir.Slot(key=f"var_{short}", name=name) for name, short in known)
    return [
        nlir.NlirNode(
            id="node_1",
            action=action,
            outputs=outputs,
            args=(
                nlir.Slot(key="entity", name="公司名称", value=called(symbol), type="entity"),
                *slots,
            ),
        )
        for symbol in symbols
    ]


_Document = tuple[nlir.Action, list[str], list[nlir.Slot]]


def _of_years(query: Query) -> _Document | None:
    """The newest annual reports: so many."""
    window = query.window
    figures = [one.id for one in query.show if isinstance(one, Metric) and one.when == OWN]
    if len(figures) != len(query.show) or set(figures) & BAR_METRICS:
        return None
    if window is None or window.kind != "lastn" or window.unit != "years" or not window.count:
        return None
    count = nlir.Slot(key="count", name="期数", value=window.count)
    return "query", figures, [nlir.Slot(key="period", name="报告期", value=_ANNUAL), count]


def _of_prices(query: Query) -> _Document | None:
    said = [_find_priced(one, query) for one in query.show]
    known = [one for one in said if one is not None]
    spans = list(dict.fromkeys(span for _, span in known))
    if len(known) != len(said) or len(spans) != 1:
        return None
    slots = _make_dates(spans[0])
    return ("price_history", [name for name, _ in known], slots) if slots else None


def _find_priced(expr: Expr, query: Query) -> tuple[str, When] | None:
    """The figure of sessions and its span."""
    match expr:
        case Change(how="rate", of="close", since=since, until=until, company=None):
            is_plain = query.rows == "companies" and since == until and not _is_day(since)
            return ("pct_change", since) if is_plain else None
        case Over(how=how, of=of, window=window, company=None):
            is_plain = query.rows == "companies" and _EXTREMES.get(of) == how
            return (of, window) if is_plain else None
        case Metric(id=name, when=when, of=None) if name in BAR_METRICS:
            if query.rows == "days" and when == OWN and query.window is not None:
                return (name, query.window) if name != "pct_change" else None
            return (name, when) if query.rows == "companies" and _is_day(when) else None
        case _:
            return None


def _is_day(when: When) -> bool:
    return when.kind == "days" and when.first is not None and when.first == when.last


def _make_dates(span: When) -> list[nlir.Slot]:
    if span == ALL:
        return [nlir.Slot(key="time_range", name="时间范围", value=_EVER)]
    if span.kind != "days" or not isinstance(span.first, date):
        return []
    said = [("start_date", "开始日期", span.first)]
    if isinstance(span.last, date):
        said.append(("end_date", "结束日期", span.last))
    elif span.last is not None:
        return []
    return [nlir.Slot(key=key, name=name, value=day.isoformat()) for key, name, day in said]


def query_of_prices(node: plir.PlirNode) -> Query | None:
    """The query of a node of prices; None where the bars themselves are asked for."""
    by_code = {CATALOGUE[one].question_code: one for one in BAR_METRICS}
    figures = [by_code.get(slot.code) for slot in node.outputs]
    span = _span(node)
    if span is None or not figures:
        return None
    known = [one for one in figures if one is not None]
    if len(known) != len(figures):
        return None
    scope = In(dim="symbol", values=(str(node.arg("ticker")),))
    if _is_day(span):
        return Query(scope=scope, show=tuple(Metric(id=one, when=span) for one in known))
    over = [_over(one, span) for one in known]
    folded = tuple(one for one in over if one is not None)
    if len(folded) == len(known):
        return Query(scope=scope, show=folded)
    if folded or span == ALL:
        return None
    shown = tuple(Metric(id=one, when=OWN) for one in known)
    return Query(rows="days", scope=scope, window=span, show=shown)


def _over(figure: str, span: When) -> Expr | None:
    if figure == "pct_change":
        return Change(how="rate", of="close", since=span, until=span) if span != ALL else None
    if figure == "high":
        return Over(how="max", of=figure, window=span)
    return Over(how="min", of=figure, window=span) if figure == "low" else None


def _span(node: plir.PlirNode) -> When | None:
    first, last = node.arg("start_date"), node.arg("end_date")
    if first is None:
        return ALL if node.arg("time_range") == "NoLimit" else None
    end = date.fromisoformat(str(last)) if last is not None else None
    return When(kind="days", first=date.fromisoformat(str(first)), last=end)


def query_of_reports(node: plir.PlirNode, metrics: Sequence[str]) -> Query | None:
    """The query of a node of the newest annual reports; None where it is of other ones."""
    count = node.arg("count")
    try:
        last = Period.parse(str(node.arg("period")))
    except InputError:
        return None
    if not isinstance(count, int) or last.quarter != _WHOLE_YEAR:
        return None
    return Query(
        rows="years",
        scope=In(dim="symbol", values=(str(node.arg("ticker")),)),
        window=When(kind="years", first=last.year - count + 1, last=last.year),
        show=tuple(Metric(id=one, when=OWN) for one in metrics),
    )
