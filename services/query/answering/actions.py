"""The actions that bring figures of companies: each calls a tool, or the market behind it.

What a source has not is Missing with its reason.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from pydantic import JsonValue

from services.core.catalogue import CATALOGUE, metric_words
from services.core.claim_names import is_of_day
from services.core.claims import Claim, Figure, Missing
from services.core.industries import industry_label
from services.core.ledger import Ledger
from services.core.requests import ValuationRequest
from services.core.text import Text
from services.market import quotes
from services.market.fundamentals import FinancialData
from services.market.history import price_history
from services.market.outages import Absence, attempt
from services.market.peers import FIGURES, Comparison, Peer
from services.market.valuation import valuation_figures
from services.query.answering.desk import ActionDesk
from services.query.answering.labels import period_label
from services.query.answering.outcomes import (
    AnswerRow,
    Outcome,
    columns_of,
    id_of,
    plain,
    quote_text,
)
from services.query.answering.sentences import figure_told, say
from services.query.assertions.of_company import Standing
from services.query.planning.plir import PlirNode
from services.query.sayings import saying

PEERS, COMPARED_SHOWN = 10, ("market_cap", "pe_ttm", "pb", "roe", "dy_l")
_RECENTLY = timedelta(days=60)
_LABELS = {"price": Text("最新价", "Price")}
_OF_PRICE = frozenset(
    {"price", "previous_close", "change", "pct_change", "open", "high", "low", "volume"}
)
_QUOTED = (
    *("previous_close", "change", "pct_change", "open", "high", "low", "volume", "market_cap"),
    *("total_shares", "pe_ttm", "pe_lyr", "pb", "dy_l"),
)


def financial(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Figures by report period: the newest of each metric, or a row for each period."""
    wanted, count = desk.wanted(node), node.arg("count")
    period = str(node.arg("period") or "latest")
    found = desk.viewed(
        "xqStockFinancialData",
        FinancialData,
        symbol=str(node.arg("ticker")),
        metrics=list[JsonValue](dict.fromkeys(wanted.values())),
        period=period,
        count=count or 1,
    )
    notes: tuple[Text, ...] = ()
    if count is None:
        figures = {metric: _newest(found, metric, period) for metric in wanted.values()}
        rows: tuple[AnswerRow, ...] = (AnswerRow(desk.named(found.symbol), figures, found.symbol),)
        notes = _note_mixed(figures.values())
    else:
        rows = tuple(row for each in found.periods if (row := _of_period(found, each)).figures)
        rows, notes = _drop_unknown(rows)
    return Outcome(
        node,
        desk.subject(node),
        _document(wanted, rows, single=count is None),
        columns_of(wanted.values(), _LABELS),
        rows,
        notes=(*notes, *(quote_text(note) for note in found.notes)),
        single=count is None,
    )


def quote(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Price and what comes with it, at the clock."""
    symbol, wanted = desk.symbol(node), desk.wanted(node)
    bench = desk.bench
    found = quotes.quote(desk.ledger, symbol, bench.names, bench.calendar, bench.clock)
    figures: dict[str, Figure] = {"price": found.price}
    figures |= {metric: getattr(found, metric) for metric in _QUOTED if metric in wanted}
    figures = {metric: figures[metric] for metric in wanted if metric in figures}
    is_priced = not figures.keys().isdisjoint(_OF_PRICE)
    if "ps_ttm" in wanted:
        figures["ps_ttm"] = _find_valued(desk, symbol.value, "ps_ttm")
    if "amount" in wanted:
        figures["amount"] = _of_last_bar(desk, node, "amount")
    row = AnswerRow(desk.named(symbol.value), figures, symbol.value)
    return Outcome(
        node,
        desk.subject(node),
        _document({metric: metric for metric in wanted}, (row,), single=True),
        columns_of(figures, _LABELS),
        (row,),
        notes=found.notes if is_priced else (),
        single=True,
    )


def compare(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The company beside the largest of its industry, and its place among all of them."""
    symbol = desk.symbol(node)
    of = {"symbol": symbol.value, "market": symbol.market}
    found = desk.viewed("peer_compare", Comparison, **of)
    wanted = [desk.metadata.by_code(slot.code) for slot in node.outputs]
    metrics = [one.financial_data_metric.strip("-") or one.physical_metric for one in wanted]
    more = [metric for metric in metrics if metric in FIGURES and metric not in COMPARED_SHOWN]
    shown = (*COMPARED_SHOWN, *more)
    rows = tuple(_peer(desk, peer, shown) for peer in (found.own, *found.others[:PEERS]))
    told = [metric for metric in shown if metric in metrics] or COMPARED_SHOWN
    lost = [metric_words(metric) for metric in metrics if metric not in shown]
    return Outcome(
        node,
        desk.subject(node),
        {"data": [{"symbol": row.symbol, "name": row.label.zh, **row.figures} for row in rows]},
        columns_of(shown),
        rows,
        sentences=tuple(_standings(desk.ledger, desk.subject(node), found, told)),
        notes=(_scope(found), *(_not_compared(label) for label in lost)),
    )


def _scope(found: Comparison) -> Text:
    """Who the peers are: the source's industry, which may be wider than the one meant."""
    if not found.industry:
        return saying("who_peers_are", industry="")
    named = Text("「{name}」", " (“{name}”)").format(name=industry_label(plain(found.industry)))
    return saying("who_peers_are", industry=named)


def _drop_unknown(rows: tuple[AnswerRow, ...]) -> tuple[tuple[AnswerRow, ...], tuple[Text, ...]]:
    """Without the oldest periods of which the source has nothing, which is noted."""
    kept = list(rows)
    if not any(isinstance(one, Claim) for row in rows for one in row.figures.values()):
        return rows[:1], ()
    while len(kept) > 1 and not any(isinstance(one, Claim) for one in kept[-1].figures.values()):
        kept.pop()
    if len(kept) == len(rows):
        return rows, ()
    oldest = kept[-1].label
    return tuple(kept), (
        Text(f"{oldest.zh}以前的数据来源没有", f"the source has nothing before {oldest.en}"),
    )


def _note_mixed(figures: Iterable[Figure]) -> tuple[Text, ...]:
    """That figures side by side are of different report periods, where they are. What is told by
    its day is of none.
    """
    claims = (one for one in figures if isinstance(one, Claim) and one.period)
    reported = (one for one in claims if CATALOGUE[one.metric].kind != "valuation")
    periods = {one.period for one in reported if not is_of_day(one)}
    return (saying("other_periods"),) if len(periods) > 1 else ()


def _newest(found: FinancialData, metric: str, period: str) -> Figure:
    """The figure of the newest column that has it, else why it is missing."""
    why = Text(f"来源没有 {period} 的数据", f"the source has nothing for {period}")
    return found.newest(metric) or Missing(metric=metric, symbol=found.symbol, reason=why)


def _of_period(found: FinancialData, period: str) -> AnswerRow:
    figures = {metric: row[period] for metric, row in found.figures.items() if period in row}
    return AnswerRow(period_label(period), figures, found.symbol)


def _document(
    wanted: Mapping[str, str], rows: Sequence[AnswerRow], *, single: bool
) -> Mapping[str, object]:
    """What extractors read: `data.value` of one figure, `data.NAME` of several, rows of periods."""
    written = [
        {
            "period": row.label.zh,
            **{
                name: row.figures[metric]
                for name, metric in wanted.items()
                if metric in row.figures
            },
        }
        for row in rows
    ]
    if not single:
        return {"data": written}
    data: dict[str, object] = dict(written[0])
    if len(wanted) == 1:
        data["value"] = next(iter(rows[0].figures.values()))
    del data["period"]
    return {"data": data}


def _find_valued(desk: ActionDesk, symbol: str, metric: str) -> Figure:
    """A figure of the valuation day, which a quote does not carry."""
    answer = attempt(desk.ledger, lambda: desk.ledger.fetch(ValuationRequest(symbol=symbol)))
    if isinstance(answer, Absence):
        return Missing(metric=metric, symbol=symbol, reason=answer.why)
    return valuation_figures(desk.ledger, answer, symbol, (metric,))[metric]


def _of_last_bar(desk: ActionDesk, node: PlirNode, metric: str) -> Figure:
    """A figure of the newest daily bar."""
    symbol, today = desk.symbol(node), desk.bench.clock.now().date()
    found = attempt(
        desk.ledger, lambda: price_history(desk.ledger, symbol, today - _RECENTLY, today)
    )
    if isinstance(found, Absence):
        return Missing(metric=metric, symbol=symbol.value, reason=found.why)
    day = found.bars[-1].date
    if not found.has(day, metric):
        return Missing(metric=metric, symbol=symbol.value, reason=saying("not_given"))
    return found.claim(desk.ledger, day, metric)


def _peer(desk: ActionDesk, peer: Peer, shown: Sequence[str]) -> AnswerRow:
    return AnswerRow(
        desk.named(peer.symbol), {one: peer.figures[one] for one in shown}, peer.symbol
    )


def _not_compared(label: Text) -> Text:
    return Text(f"同行对比没有{label.zh}", f"peers are not compared by {label.en}")


def _standings(
    ledger: Ledger, subject: Text, found: Comparison, told: Sequence[str]
) -> Iterable[Text]:
    """One sentence for each figure the company has, with the median and its place where there are
    any; why, for one that was asked about and it has not.
    """
    for metric in told:
        own, standing = found.own.figures[metric], found.standings.get(metric)
        if isinstance(own, Missing):
            if len(told) < len(COMPARED_SHOWN):
                yield figure_told(ledger, subject, own)
        elif standing is None or not isinstance(standing.median, Claim):
            yield figure_told(ledger, subject, own)
        else:
            made = Standing(
                symbol=own.symbol,
                claim=own.claim_id,
                median=standing.median.claim_id,
                rank=id_of(standing.rank),
                count=id_of(standing.count),
            )
            yield say(made, ledger, {own.symbol: subject})
