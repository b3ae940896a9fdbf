"""The actions that bring figures of companies: each calls a tool, or the market behind it.

What a source has not is Missing with its reason.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta

from pydantic import JsonValue

from services.core.claims import Claim, Figure, Missing
from services.core.formulas import formula_for
from services.core.rendering import place
from services.core.requests import ValuationRequest
from services.market import quotes
from services.market.fundamentals import FinancialData
from services.market.history import Bar, PriceHistory, price_history
from services.market.outages import Absence, attempted
from services.market.peers import Comparison, Peer
from services.market.valuation import valuation_figures
from services.query.desk import Desk, label_of, period_label
from services.query.outcomes import Column, Outcome, Row, Said
from services.query.plir import PlirNode

BARS_SHOWN = 20
PEERS, COMPARED_SHOWN = 10, ("market_cap", "pe_ttm", "pb", "roe", "dy_l")
_RECENTLY = timedelta(days=60)
_NOT_GIVEN = "来源未给出 | not given by the source"
_BAR_FIELDS = ("open", "high", "low", "close", "volume")
_QUOTED = (
    *("previous_close", "change", "pct_change", "open", "high", "low", "volume", "market_cap"),
    *("total_shares", "pe_ttm", "pe_lyr", "pb", "dy_l"),
)


def financial(desk: Desk, node: PlirNode) -> Outcome:
    """Figures by report period: the newest of each metric, or a row for each period."""
    wanted, count = desk.wanted(node), node.arg("count")
    period = str(node.arg("period") or "latest")
    arguments: dict[str, JsonValue] = {
        "symbol": str(node.arg("ticker")),
        "metrics": list[JsonValue](dict.fromkeys(wanted.values())),
        "period": period,
        "count": count or 1,
    }
    found = desk.viewed("xqStockFinancialData", arguments, FinancialData)
    if count is None:
        figures = {metric: _newest(found, metric, period) for metric in wanted.values()}
        rows: tuple[Row, ...] = (Row(desk.subject(node), figures, found.symbol),)
    else:
        rows = tuple(row for each in found.periods if (row := _of_period(found, each)).figures)
    return Outcome(
        node,
        desk.subject(node),
        _document(wanted, rows, single=count is None),
        _columns(wanted.values()),
        rows,
        notes=tuple(Said.of(note) for note in found.notes),
        single=count is None,
    )


def quote(desk: Desk, node: PlirNode) -> Outcome:
    """Price and what comes with it, at the clock."""
    symbol, wanted = desk.symbol(node), desk.wanted(node)
    bench = desk.bench
    found = quotes.quote(desk.ledger, symbol, bench.names, bench.calendar, bench.clock)
    figures: dict[str, Figure] = {"price": found.price}
    figures |= {metric: getattr(found, metric) for metric in _QUOTED if metric in wanted}
    figures = {metric: figures[metric] for metric in wanted if metric in figures}
    if "ps_ttm" in wanted:
        figures["ps_ttm"] = _valued(desk, symbol.value, "ps_ttm")
    if "amount" in wanted:
        figures["amount"] = _of_last_bar(desk, node, "amount")
    row = Row(desk.subject(node), figures, symbol.value)
    return Outcome(
        node,
        desk.subject(node),
        _document({metric: metric for metric in wanted}, (row,), single=True),
        _columns(figures),
        (row,),
        notes=tuple(Said(*pair) for pair in zip(found.notes, found.notes_en, strict=True)),
        single=True,
    )


def bars(desk: Desk, node: PlirNode) -> Outcome:
    """Daily bars of the days asked for, and how far the price went over them."""
    symbol, days = desk.symbol(node), desk.days(node, "OneMonth")
    found = price_history(desk.ledger, symbol, days.start, days.end, calendar=desk.bench.calendar)
    shown = found.bars[-BARS_SHOWN:]
    rows = tuple(_bar(desk, found, bar) for bar in shown)
    first = found.claim(desk.ledger, found.bars[0].date, "close")
    last = found.claim(desk.ledger, found.bars[-1].date, "close")
    formula = formula_for("run_change", "(last / first - 1) * 100")
    change = desk.ledger.derive(formula, (last, first)) if formula and first != last else None
    return Outcome(
        node,
        desk.subject(node),
        {"data": [{"time": row.label.zh, **row.figures} for row in rows]},
        _columns(_BAR_FIELDS),
        rows,
        sentences=(_run(desk.subject(node), first, last, change),),
        notes=(Said.of(found.note.partition(" ")[2] or found.note),) if found.note else (),
    )


def compare(desk: Desk, node: PlirNode) -> Outcome:
    """The company beside the largest of its industry, and its place among them."""
    symbol = desk.symbol(node)
    arguments: dict[str, JsonValue] = {
        "symbol": symbol.value,
        "market": symbol.market,
        "size": PEERS,
    }
    found = desk.viewed("peer_compare", arguments, Comparison)
    rows = tuple(_peer(desk, peer) for peer in (found.own, *found.others))
    return Outcome(
        node,
        desk.subject(node),
        {"data": [{"symbol": row.symbol, "name": row.label.zh, **row.figures} for row in rows]},
        _columns(COMPARED_SHOWN),
        rows,
        sentences=tuple(_standings(desk.subject(node), found)),
        notes=(_SCOPE,),
    )


_SCOPE = Said(
    "同行为来源所列同行业中市值最大的几家，中位数不含本公司，名次以数值最高者为第一",
    "peers are the largest of its industry the source lists; the median leaves the company out; "
    "the first place is the highest figure",
)


def _newest(found: FinancialData, metric: str, period: str) -> Figure:
    """The figure of the newest column that has it, else why it is missing."""
    row = found.figures[metric]
    figures = [row[each] for each in found.periods if each in row]
    given = [figure for figure in figures if isinstance(figure, Claim)]
    if given or figures:
        return (given or figures)[0]
    why = f"来源没有 {period} 的数据 | the source has nothing for {period}"
    return Missing(metric=metric, symbol=found.symbol, reason=why)


def _of_period(found: FinancialData, period: str) -> Row:
    figures = {metric: row[period] for metric, row in found.figures.items() if period in row}
    return Row(period_label(period), figures, found.symbol)


def _document(
    wanted: Mapping[str, str], rows: Sequence[Row], *, single: bool
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


def _columns(metrics: Iterable[str]) -> tuple[Column, ...]:
    labels = {"price": Said("最新价", "Price")}
    return tuple(
        Column(metric, labels.get(metric) or label_of(metric)) for metric in dict.fromkeys(metrics)
    )


def _valued(desk: Desk, symbol: str, metric: str) -> Figure:
    """A figure of the valuation day, which a quote does not carry."""
    answer = attempted(desk.ledger, lambda: desk.ledger.fetch(ValuationRequest(symbol=symbol)))
    if isinstance(answer, Absence):
        return Missing(metric=metric, symbol=symbol, reason=answer.why)
    return valuation_figures(desk.ledger, answer, symbol, (metric,))[metric]


def _of_last_bar(desk: Desk, node: PlirNode, metric: str) -> Figure:
    """A figure of the newest daily bar."""
    symbol, today = desk.symbol(node), desk.bench.clock.now().date()
    found = attempted(
        desk.ledger, lambda: price_history(desk.ledger, symbol, today - _RECENTLY, today)
    )
    if isinstance(found, Absence):
        return Missing(metric=metric, symbol=symbol.value, reason=found.why)
    day = found.bars[-1].date
    if not found.has(day, metric):
        return Missing(metric=metric, symbol=symbol.value, reason=_NOT_GIVEN)
    return found.claim(desk.ledger, day, metric)


def _bar(desk: Desk, found: PriceHistory, bar: Bar) -> Row:
    day = bar.date.isoformat()
    figures: dict[str, Figure] = {
        name: found.claim(desk.ledger, bar.date, name)
        if found.has(bar.date, name)
        else Missing(metric=name, symbol=found.symbol, reason=_NOT_GIVEN)
        for name in _BAR_FIELDS
    }
    return Row(Said(day, day), figures, found.symbol)


def _run(subject: Said, first: Claim, last: Claim, change: Claim | None) -> Said:
    zh = f"{subject.zh} {first.as_of} 至 {last.as_of}，最近收盘 {place(last)}"
    en = f"{subject.en}, {first.as_of} to {last.as_of}: last close {place(last)}"
    if change is not None:
        zh += f"，区间涨跌幅 {place(change)}"
        en += f", change over it {place(change)}"
    return Said(zh + "。", en + ".")


def _peer(desk: Desk, peer: Peer) -> Row:
    figures = {metric: peer.figures[metric] for metric in COMPARED_SHOWN}
    return Row(desk.named(peer.symbol), figures, peer.symbol)


def _standings(subject: Said, found: Comparison) -> Iterable[Said]:
    """One sentence for each figure the company has, with the median and its place."""
    for metric in COMPARED_SHOWN:
        own, standing = found.own.figures[metric], found.standings[metric]
        if isinstance(own, Missing) or not isinstance(standing.median, Claim):
            continue
        label = label_of(metric)
        zh = f"{subject.zh}{label.zh}{place(own)}，同行中位数{place(standing.median)}"
        en = f"{subject.en} {label.en} {place(own)}, median of its peers {place(standing.median)}"
        if isinstance(standing.rank, Claim) and isinstance(standing.count, Claim):
            zh += f"，名次{place(standing.rank)}（共{place(standing.count)}）"
            en += f", place {place(standing.rank)} of {place(standing.count)}"
        yield Said(zh + "。", en + ".")
