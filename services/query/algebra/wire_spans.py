"""Figures of companies by name over time, as documents of nodes and slots, and back: prices of a
day, what they did over a span, its highest and lowest; the newest annual reports.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from services.core.catalogue import CATALOGUE
from services.core.errors import InputError
from services.core.periods import Period
from services.query.algebra import nodes as a
from services.query.algebra.times import BAR_METRICS
from services.query.planning import nlir, plir
from services.query.planning.metadata import MetadataEntry
from services.query.planning.slots import argument_of, output_of

_EXTREMES: Mapping[str, str] = {"high": "max", "low": "min"}
_ANNUAL = "年报"
_EVER = "不限"
_WHOLE_YEAR = 4  # the quarter an annual report ends
# What a figure is asked for by; None where it cannot be.
Named = Callable[[str], MetadataEntry | None]


def is_of_spans(query: a.Query) -> bool:
    """Whether it is of companies by name, and of their prices over one span."""
    return _of_span(query) is not None


def company_nodes(
    query: a.Query, called: Callable[[str], str], named: Named
) -> list[nlir.NlirNode]:
    """A node for each company named; none where the query is something else."""
    for document in (_of_one_time(query), _of_span(query)):
        if document is None or not isinstance(query.scope, a.In):
            continue
        action, figures, args = document
        known = [one for one in map(named, figures) if one is not None]
        if len(known) == len(figures):
            outputs = tuple(map(output_of, known))
            whoms = (argument_of("entity", called(symbol)) for symbol in query.scope.values)
            return [
                nlir.NlirNode(id="node_1", action=action, outputs=outputs, args=(whom, *args))
                for whom in whoms
            ]
    return []


_Document = tuple[nlir.Action, list[str], list[nlir.Slot]]


def _is_of_named(query: a.Query) -> bool:
    is_named = isinstance(query.scope, a.In) and query.scope.dim == "symbol"
    return is_named and bool(query.show)


def _of_one_time(query: a.Query) -> _Document | None:
    """Figures all of one time."""
    figures = [one for one in query.show if isinstance(one, a.Metric) and one.of is None]
    times = list(dict.fromkeys(one.when for one in figures))
    is_plain = _is_of_named(query) and query == a.Query(scope=query.scope, show=query.show)
    if not is_plain or len(figures) != len(query.show) or len(times) != 1:
        return None
    said = _say_time(times.pop())
    return ("query", [one.id for one in figures], [argument_of("period", said)]) if said else None


def _say_time(when: a.When) -> str | None:
    """The time as an asker says it; None where today's documents have no word for it."""
    if when == a.LATEST:
        return "最新"
    if when.only or when.first != when.last or when.first is None:
        return None
    if when.kind == "years" and isinstance(when.first, int):
        return Period(when.first, 4).label("zh")
    if when.kind == "quarters" and isinstance(when.first, date):
        return Period(when.first.year, when.first.month // 3).label("zh")
    return None


def _of_span(query: a.Query) -> _Document | None:
    bare = a.Query(rows=query.rows, scope=query.scope, window=query.window, show=query.show)
    if not _is_of_named(query) or query != bare:
        return None
    return _of_years(query) if query.rows == "years" else _of_prices(query)


def _of_years(query: a.Query) -> _Document | None:
    """The newest annual reports: so many."""
    window = query.window
    figures = [one.id for one in query.show if isinstance(one, a.Metric) and one.when == a.OWN]
    if len(figures) != len(query.show) or set(figures) & BAR_METRICS:
        return None
    if window is None or window.kind != "lastn" or window.unit != "years" or not window.count:
        return None
    return "query", figures, [argument_of("period", _ANNUAL), argument_of("count", window.count)]


def _of_prices(query: a.Query) -> _Document | None:
    said = [_find_priced(one, query) for one in query.show]
    known = [one for one in said if one is not None]
    spans = list(dict.fromkeys(span for _, span in known))
    if len(known) != len(said) or len(spans) != 1:
        return None
    slots = _make_dates(spans[0])
    return ("price_history", [name for name, _ in known], slots) if slots else None


def _find_priced(expr: a.Expr, query: a.Query) -> tuple[str, a.When] | None:
    """The figure of sessions and its span."""
    match expr:
        case a.Change(how="rate", of="close", since=since, until=until, company=None):
            is_plain = query.rows == "companies" and since == until and not _is_day(since)
            return ("pct_change", since) if is_plain else None
        case a.Over(how=how, of=of, window=window, company=None):
            is_plain = query.rows == "companies" and _EXTREMES.get(of) == how
            return (of, window) if is_plain else None
        case a.Metric(id=name, when=when, of=None) if name in BAR_METRICS:
            if query.rows == "days" and when == a.OWN and query.window is not None:
                return (name, query.window) if name != "pct_change" else None
            return (name, when) if query.rows == "companies" and _is_day(when) else None
        case _:
            return None


def _is_day(when: a.When) -> bool:
    return when.kind == "days" and when.first is not None and when.first == when.last


def _make_dates(span: a.When) -> list[nlir.Slot]:
    if span == a.ALL:
        return [argument_of("time_range", _EVER)]
    if span.kind != "days" or not isinstance(span.first, date):
        return []
    said = [("start_date", span.first)]
    if isinstance(span.last, date):
        said.append(("end_date", span.last))
    elif span.last is not None:
        return []
    return [argument_of(key, day.isoformat()) for key, day in said]


def query_of_prices(node: plir.PlirNode) -> a.Query | None:
    """The query of a node of prices; None where the bars themselves are asked for."""
    by_code = {CATALOGUE[one].question_code: one for one in BAR_METRICS}
    figures = [by_code.get(slot.code) for slot in node.outputs]
    span = _span(node)
    if span is None or not figures:
        return None
    known = [one for one in figures if one is not None]
    if len(known) != len(figures):
        return None
    scope = a.In(dim="symbol", values=(str(node.arg("ticker")),))
    if _is_day(span):
        return a.Query(scope=scope, show=tuple(a.Metric(id=one, when=span) for one in known))
    over = [_over(one, span) for one in known]
    folded = tuple(one for one in over if one is not None)
    if len(folded) == len(known):
        return a.Query(scope=scope, show=folded)
    if folded or span == a.ALL:
        return None
    shown = tuple(a.Metric(id=one, when=a.OWN) for one in known)
    return a.Query(rows="days", scope=scope, window=span, show=shown)


def _over(figure: str, span: a.When) -> a.Expr | None:
    if figure == "pct_change":
        return a.Change(how="rate", of="close", since=span, until=span) if span != a.ALL else None
    if figure == "high":
        return a.Over(how="max", of=figure, window=span)
    return a.Over(how="min", of=figure, window=span) if figure == "low" else None


def _span(node: plir.PlirNode) -> a.When | None:
    first, last = node.arg("start_date"), node.arg("end_date")
    if first is None:
        return a.ALL if node.arg("time_range") == "NoLimit" else None
    end = date.fromisoformat(str(last)) if last is not None else None
    return a.When(kind="days", first=date.fromisoformat(str(first)), last=end)


def query_of_reports(node: plir.PlirNode, metrics: Sequence[str]) -> a.Query | None:
    """The query of a node of the newest annual reports; None where it is of other ones."""
    count = node.arg("count")
    try:
        last = Period.parse(str(node.arg("period")))
    except InputError:
        return None
    if not isinstance(count, int) or last.quarter != _WHOLE_YEAR:
        return None
    return a.Query(
        rows="years",
        scope=a.In(dim="symbol", values=(str(node.arg("ticker")),)),
        window=a.When(kind="years", first=last.year - count + 1, last=last.year),
        show=tuple(a.Metric(id=one, when=a.OWN) for one in metrics),
    )
