"""The actions that bring lists of figures: a screen of a market, a macro series."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from pydantic import JsonValue

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS, metric_words
from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError
from services.core.industries import industry_label
from services.core.rendering import place
from services.core.symbols import Symbol
from services.core.text import NO_TEXT, Text
from services.market import screener
from services.market.fundamentals import financial_data
from services.market.macro import MacroRow, MacroSeries
from services.market.outages import Absence, attempt
from services.query.algebra.industry_notes import tell_in_no_industry
from services.query.algebra.run import run_query
from services.query.algebra.times import is_reported
from services.query.algebra.wire import query_of_screen
from services.query.algebra.words import MARKETS
from services.query.answering.desk import ActionDesk
from services.query.answering.labels import period_label
from services.query.answering.outcomes import (
    AnswerColumn,
    AnswerRow,
    Outcome,
    columns_of,
    id_of,
    plain,
    quote_text,
)
from services.query.answering.sentences import say
from services.query.assertions.of_company import SideBySide
from services.query.assertions.of_screens import JudgedBy, Led, ScreenCounts, Unplaced
from services.query.planning.plir import PlirNode
from services.query.sayings import saying

MACRO_PERIODS, MACRO_MOST = 6, 60
# A figure that a screen does not carry is asked company by company, for so many at most.
COMPLETED = 20
_UNRANKED_NAMED = 3
_ALWAYS = ("market_cap", "pettm")
_LOWEST_FIRST = frozenset(
    field for field, row in CATALOGUE.screen_fields.items() if row.better == "lower"
)
_SCREENED = (*SCREEN_FIELDS, "category", "industry", "order_by", "order", "size", "offset")


def screen(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The companies that satisfy the conditions, with the figures asked about."""
    given = {slot.key: slot.value for slot in node.args if slot.key in _SCREENED}
    try:
        found = _run_screen(desk, given)
    except NoDataError:
        if not _list_reported(given):
            raise
        return run_query(query_of_screen(node), desk, node)
    if any(
        field in found.judged and not found.judged[field].value for field in _list_reported(given)
    ):
        return run_query(query_of_screen(node), desk, node)
    extra = _not_carried(desk, node)
    added = _add_figures(desk, found.rows, extra)
    rows = tuple(_row(desk, row, more) for row, more in zip(found.rows, added, strict=True))
    if not found.request.bounds and (order_by := found.request.order_by) != "symbol":
        rows = tuple(row for row in rows if isinstance(row.figures.get(order_by), Claim))
    keys = [*_list_asked(node), *_ALWAYS]
    columns = [AnswerColumn(key, _label(key)) for key in dict.fromkeys(keys)]
    columns[:0] = columns_of(extra)
    market = quote_text(MARKETS[found.request.market])
    subject = market
    if industry := found.request.industry:
        label = quote_text(industry_label(industry))
        subject = Text(f"{market.zh}{label.zh}", f"{market.en} in {label.en}")
    return Outcome(
        node,
        subject,
        {
            "data": [{"symbol": row.symbol, "name": row.label.zh, **row.figures} for row in rows],
            "count": found.match_count,
        },
        tuple(columns),
        rows,
        sentences=tuple(_tell_screen(desk, found, rows)),
        notes=(
            *_tell_unjudged(subject, found),
            *_tell_left_out(subject, found),
            *tell_in_no_industry(desk, found.unclassified, found.request.market),
        ),
    )


def _list_reported(given: Mapping[str, JsonValue]) -> list[str]:
    """Figures of reports by which companies are chosen or stand: where nobody has them now, the
    algebra knows those of the last year.
    """
    fields = [key for key in (*given, str(given.get("order_by"))) if key in SCREEN_FIELDS]
    return [one for one in fields if is_reported(SCREEN_FIELDS[one])]


def _run_screen(desk: ActionDesk, given: Mapping[str, JsonValue]) -> screener.ScreenResult:
    """The list; in its natural order where none was said. Raises: InputError, NoDataError.

    Of a bounded figure that is the best first, the lowest of a multiple; else the largest company.
    A market without that figure is listed by code.
    """
    if given.get("order_by") in {None, "symbol"}:
        bounded = next((key for key in SCREEN_FIELDS if given.get(key) is not None), "market_cap")
        order = "asc" if bounded in _LOWEST_FIRST else "desc"
        natural = screener.screen_request({**given, "order_by": bounded, "order": order})
        found = attempt(desk.ledger, lambda: screener.screen(desk.ledger, natural))
        if not isinstance(found, Absence):
            return found
    return screener.screen(desk.ledger, screener.screen_request(given))


def macro(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The newest periods of one macro series, the newest first."""
    series, start = str(node.arg("series")), str(node.arg("start_date") or "")
    count = node.arg("count") or (MACRO_MOST if start else MACRO_PERIODS)
    output = desk.use("get_macro_data", series=[series], count=count)
    view = cast("Mapping[str, object]", output.view)
    found = view[series]
    subject = Text(series.upper(), series.upper())
    if not isinstance(found, MacroSeries):
        why = found.why if isinstance(found, Absence) else NO_TEXT
        return Outcome(node, subject, absent=quote_text(why))
    within = [row for row in reversed(found.rows) if _is_within(row, node)]
    given = [(row, figures) for row in within if (figures := _figures_wanted(row, node))]
    if not given:
        return Outcome(node, subject, absent=saying("not_then"))
    rows = tuple(AnswerRow(period_label(row.period), figures) for row, figures in given)
    return Outcome(
        node,
        subject,
        {"data": [{"period": row.label.zh, **row.figures} for row in rows]},
        columns_of(metric for row in rows for metric in row.figures),
        rows,
        sentences=(_newest(desk, rows[0]),),
    )


def _figures_wanted(row: MacroRow, node: PlirNode) -> dict[str, Figure]:
    """The figures of a period that were asked for by name (`query`), or all of them."""
    wanted = node.arg("query")
    named = str(wanted).split("、")
    return {
        key: one for key, one in row.figures.items() if not wanted or CATALOGUE[key].zh in named
    }


def _is_within(row: MacroRow, node: PlirNode) -> bool:
    """Whether a period lies in the days asked about; every one does when none were."""
    start, end = node.arg("start_date"), node.arg("end_date")
    day = max(claim.as_of for claim in row.figures.values()).isoformat()
    return (not start or day >= str(start)) and (not end or day <= str(end))


def _list_asked(node: PlirNode) -> list[str]:
    """The fields of the screen somebody spoke of: ordered by, bounded, wanted."""
    ordered = str(node.arg("order_by"))
    bounded = [slot.key for slot in node.args if slot.key in SCREEN_FIELDS]
    wanted = [str(slot.extractor).rpartition(".")[2] for slot in node.outputs]
    return [key for key in (*wanted, ordered, *bounded) if key in SCREEN_FIELDS]


def _not_carried(desk: ActionDesk, node: PlirNode) -> list[str]:
    """The metrics wanted that no screen carries: 毛利率."""
    return [
        entry.financial_data_metric or entry.physical_metric
        for slot in node.outputs
        for entry in (desk.metadata.by_code(slot.code),)
        if entry.kind == "metric" and str(slot.extractor).rpartition(".")[2] not in SCREEN_FIELDS
    ]


def _add_figures(
    desk: ActionDesk, rows: Sequence[screener.ScreenRow], extra: list[str]
) -> list[dict[str, Figure]]:
    """For each company the figures that the screen does not carry."""
    if not extra:
        return [{} for _ in rows]
    works = [
        partial(_complete_company, symbol=row.symbol, metrics=extra) for row in rows[:COMPLETED]
    ]
    beyond: list[dict[str, Figure]] = [
        {
            metric: Missing(
                metric=metric, symbol=row.symbol, reason=saying("beyond_completed", count=COMPLETED)
            )
            for metric in extra
        }
        for row in rows[COMPLETED:]
    ]
    return [*desk.each(works), *beyond]


def _row(desk: ActionDesk, row: screener.ScreenRow, added: Mapping[str, Figure]) -> AnswerRow:
    label = replace(desk.named(row.symbol), zh=plain(row.name))
    return AnswerRow(label, {**added, **row.figures}, row.symbol)


def _complete_company(desk: ActionDesk, symbol: str, metrics: list[str]) -> dict[str, Figure]:
    found = attempt(
        desk.ledger,
        lambda: financial_data(desk.ledger, Symbol(symbol), metrics, clock=desk.bench.clock),
    )
    if isinstance(found, Absence):
        return {
            metric: Missing(metric=metric, symbol=symbol, reason=found.why) for metric in metrics
        }
    why = saying("not_given")
    return {
        metric: found.newest(metric) or Missing(metric=metric, symbol=symbol, reason=why)
        for metric in metrics
    }


def _label(key: str) -> Text:
    return metric_words(SCREEN_FIELDS[key])


def _tell_screen(
    desk: ActionDesk, found: screener.ScreenResult, rows: Sequence[AnswerRow]
) -> Iterator[Text]:
    """How many satisfy the conditions, where there are any; who leads, and who has no place."""
    request, total = found.request, found.company_count.claim_id
    of = {"market": request.market, "industry": request.industry or "", "total": total}
    judged = {field: claim.claim_id for field, claim in found.judged.items()}
    names = {str(row.symbol): row.label for row in rows}
    if request.bounds or not found.rows:
        counted = [JudgedBy(field=field, count=name) for field, name in judged.items()]
        screened = ScreenCounts.model_validate(
            {
                **of,
                "matches": found.match_count.claim_id,
                "judged": tuple(counted),
                "more": found.match_count.value > len(rows),
                "placed": bool(request.offset),
            }
        )
        yield say(screened, desk.ledger, {})
    by = request.order_by
    if not found.rows or (request.bounds and by == "symbol"):
        return
    listed = [(row.symbol, row.figures.get(by)) for row in found.rows]
    led = Led.model_validate(
        {
            **of,
            "field": "" if by == "symbol" else by,
            "direction": request.order,
            "judged": judged.get(by),
            "rows": [(symbol, id_of(one)) for symbol, one in listed] if by != "symbol" else [],
            "placed": bool(request.offset),
            "bounded": bool(request.bounds),
        }
    )  # fmt: skip
    names |= {symbol: desk.named(symbol) for symbol in led.symbols if symbol not in names}
    yield say(led, desk.ledger, names)
    first = next((one for _, one in listed), None)
    if isinstance(first, Claim):
        yield from _tell_unplaced(desk, found, first)


def _tell_unplaced(desk: ActionDesk, found: screener.ScreenResult, first: Claim) -> Iterator[Text]:
    """Who could not be ranked for want of the figure, the best known by name."""
    request, without = found.request, found.unranked
    if without is None:
        return
    few = without.companies[:_UNRANKED_NAMED]
    unplaced = Unplaced(
        market=request.market,
        industry=request.industry or "",
        field=request.order_by,
        lacking=without.count.claim_id,
        told=first.claim_id,
        named=tuple(symbol for symbol, _ in few),
        more=len(without.companies) > len(few),
    )
    called = {symbol: replace(desk.named(symbol), zh=plain(name)) for symbol, name in few}
    yield say(unplaced, desk.ledger, called)


def _tell_left_out(subject: Text, found: screener.ScreenResult) -> list[Text]:
    """What the market lists that is no company, where a whole market is counted."""
    if not found.left_out or found.request.industry:
        return []
    zh = "、".join(f"{one.label.zh} {place(one.count)} 只" for one in found.left_out)
    en = ", ".join(f"{one.label.en} {place(one.count)}" for one in found.left_out)
    return [Text(f"{subject.zh}只计公司，不计{zh}", f"{subject.en}: companies only, without {en}")]


def _tell_unjudged(subject: Text, found: screener.ScreenResult) -> list[Text]:
    """What nobody has a figure for, and how many of the market have one."""
    notes: list[Text] = []
    ranked = found.request.order_by if not found.request.bounds and found.rows else ""
    for field, claim in found.judged.items():
        if field == ranked:
            continue  # the sentence says it
        label = _label(field)
        notes.append(saying("left_out_without", subject=subject, label=label, claim=place(claim)))
    return notes


def _newest(desk: ActionDesk, row: AnswerRow) -> Text:
    claims = [one for one in row.figures.values() if isinstance(one, Claim)]
    names = tuple(one.claim_id for one in claims)
    made = SideBySide(symbol=claims[0].symbol, claims=names, bare=True)
    return say(made, desk.ledger, {})
