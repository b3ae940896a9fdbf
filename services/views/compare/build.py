"""对比: two to six companies in one run, over the sessions all of them have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import JsonValue

from services.core.catalogue import CATALOGUE, metric_words
from services.core.claims import Claim, Figure, Missing
from services.core.errors import InputError, NoDataError, ProviderError
from services.core.ledger import Ledger
from services.core.periods import Period
from services.core.source_marks import ADJUSTED
from services.core.symbols import Market, Symbol
from services.core.text import NO_TEXT, Text, join_texts
from services.core.units import CURRENCY_NAMES
from services.market.events.events import BENCHMARKS
from services.market.history import PriceHistory, price_history
from services.market.outages import why_missing
from services.views.compare.figures import REPORTED, VALUED, reported_figures, valued_figures
from services.views.compare.ranking import rank_figures
from services.views.compare.series import (
    REBASED,
    SPAN,
    SharedSpan,
    common_span,
    monthly_table,
    over_span,
)
from services.views.compare.view import (
    LEAST,
    LONG,
    MOST,
    RANGES,
    ChartLine,
    ComparedCompany,
    ComparedRow,
    CompareRequest,
    CompareView,
)
from services.views.parts import Parts, basis
from services.views.table import (
    Table,
)

_MARKETS: Mapping[Market, Text] = {
    "CN": Text("A 股", "A shares"),
    "HK": Text("港股", "Hong Kong"),
    "US": Text("美股", "US"),
}
_VALUATION = Text("估值", "Valuation")
_GROWTH = Text("盈利与成长", "Profitability and growth")
_PRICE = Text("走势", "Price")
_GROUPS = ((_VALUATION, VALUED), (_GROWTH, REPORTED), (_PRICE, SPAN))
_NOBODY = Text("没有这个名称或代码", "no company is known by this name or code")
_SEVERAL = Text("这个名称不止一家，请用代码", "several companies have this name: use the code")
_OVERSTATED = Text(
    "一年以上的涨跌幅因加法复权而偏大，只看形态",
    "Beyond a year additive adjustment overstates percentages: read the shape only",
)


@dataclass(frozen=True, slots=True)
class _Gathered:
    """What one run found."""

    entries: tuple[ComparedCompany, ...]
    histories: Mapping[str, PriceHistory]
    lines: tuple[ChartLine, ...]
    span: SharedSpan | None
    figures: Mapping[str, tuple[Figure, ...]]
    lacking: tuple[Text, ...]
    monthly: Table


def build(parts: Parts, asked: CompareRequest, session_id: str) -> CompareView:
    """The view, from one run. See Desk.compare_companies."""
    symbols = tuple(dict.fromkeys(asked.symbols))
    if not LEAST <= len(symbols) <= MOST:
        raise InputError("symbols", ",".join(symbols), f"{LEAST}–{MOST}")
    if asked.range not in RANGES:
        raise InputError("range", asked.range, "one of " + ", ".join(RANGES))
    asked = CompareRequest(symbols, asked.range, asked.indexes)
    finished = parts.runner.run_once(
        "compare", _tell_asked(asked), lambda ledger: _gather(parts, ledger, asked),
        session_id=session_id,
    )  # fmt: skip
    made, found = finished.output, basis(finished)
    names = join_texts([one.name for one in made.entries], "、", ", ")
    return CompareView(
        title=Text(f"对比 {names.zh}", f"Compare {names.en}"),
        claims=found.claims,
        trace=found.trace,
        run_ids=found.run_ids,
        notes=(_OVERSTATED,) if asked.range in LONG and made.lines else (),
        asked=asked,
        entries=made.entries,
        lines=made.lines,
        first=made.span.first if made.span else None,
        last=made.span.last if made.span else None,
        rows=tuple(_rows(made)),
        adjusted=_list_adjustments(made),
        report=_report(made),
        lacking=made.lacking,
        monthly=made.monthly,
    )


def asked_of(told: Mapping[str, JsonValue]) -> CompareRequest:
    """What was asked for, out of the arguments of a stored run."""
    return CompareRequest(
        tuple(str(told["symbols"]).split(",")), str(told["range"]), str(told["indexes"]) == "1"
    )


def _tell_asked(asked: CompareRequest) -> dict[str, JsonValue]:
    return {
        "symbols": ",".join(asked.symbols),
        "range": asked.range,
        "indexes": "1" if asked.indexes else "0",
    }


def _gather(parts: Parts, ledger: Ledger, asked: CompareRequest) -> _Gathered:
    found = _resolve_texts(parts, asked.symbols)
    today = parts.clock.now().date()
    bars = {
        name: _bars(parts, ledger, symbol, today)
        for name, symbol in found.items()
        if isinstance(symbol, Symbol)
    }
    histories = {name: one for name, one in bars.items() if isinstance(one, PriceHistory)}
    span = common_span(tuple(histories.values()), RANGES[asked.range])
    figures: dict[str, list[Figure]] = {m: [] for _, metrics in _GROUPS for m in metrics}
    entries: list[ComparedCompany] = []
    for name, symbol in found.items():
        if isinstance(symbol, Symbol):
            held = _figures(parts, ledger, symbol, bars[name], span)
        else:
            held = {m: Missing(metric=m, symbol=name, reason=symbol) for m in figures}
        for metric, kept in figures.items():
            kept.append(held[metric])
        entries.append(_entry(parts, name, symbol, held))
    return _Gathered(
        entries=tuple(entries),
        histories=histories,
        lines=(
            *(_line(ledger, one.symbol, one.name, histories[one.symbol], span)
              for one in entries if one.symbol in histories),
            *(_indexes(parts, ledger, found, span) if asked.indexes else ()),
        ),
        span=span,
        figures={metric: tuple(kept) for metric, kept in figures.items()},
        lacking=tuple(one.name for one in entries if one.symbol not in histories),
        monthly=monthly_table(ledger, entries, histories, span),
    )  # fmt: skip


def _resolve_texts(parts: Parts, texts: Sequence[str]) -> dict[str, Symbol | Text]:
    """Symbol → itself as an object, in the order asked for; for a text that names no one company,
    the text → why.
    """
    found: dict[str, Symbol | Text] = {}
    for text in texts:
        try:
            symbol = parts.names.resolve(text)
            found[symbol.value] = symbol
        except InputError as error:
            found[text] = _SEVERAL if error.choices else _NOBODY
    return found


def _bars(parts: Parts, ledger: Ledger, symbol: Symbol, today: date) -> PriceHistory | Text:
    try:
        return price_history(ledger, symbol, None, today, calendar=parts.calendar)
    except (NoDataError, ProviderError) as error:
        return why_missing(ledger, error)


def _figures(
    parts: Parts, ledger: Ledger, symbol: Symbol, bars: PriceHistory | Text, span: SharedSpan | None
) -> Mapping[str, Figure]:
    price: Figure = Missing(metric="close", symbol=symbol.value, reason=NO_TEXT)
    if isinstance(bars, PriceHistory) and span is not None:
        price = bars.claim(ledger, span.last, "close")
    return {
        **valued_figures(ledger, symbol, price),
        **reported_figures(ledger, symbol, parts.clock),
        **{metric: over_span(ledger, metric, symbol.value, bars, span) for metric in SPAN},
    }


def _entry(
    parts: Parts, name: str, symbol: Symbol | Text, figures: Mapping[str, Figure]
) -> ComparedCompany:
    if isinstance(symbol, Text):
        return ComparedCompany(name, Text(name, name), symbol)
    lost = [one.reason for one in figures.values() if isinstance(one, Missing)]
    none = len(lost) == len(figures)
    return ComparedCompany(name, parts.names.text(symbol), lost[0] if none else None)


def _line(
    ledger: Ledger,
    symbol: str,
    name: Text,
    history: PriceHistory,
    span: SharedSpan | None,
    *,
    is_index: bool = False,
) -> ChartLine:
    end = over_span(ledger, REBASED, symbol, history, span)
    return ChartLine(symbol, name, history, end, is_index)


def _indexes(
    parts: Parts, ledger: Ledger, found: Mapping[str, Symbol | Text], span: SharedSpan | None
) -> list[ChartLine]:
    """The index of each market that has both ends of the span."""
    markets: dict[Market, None] = dict.fromkeys(
        one.market for one in found.values() if isinstance(one, Symbol)
    )
    lines: list[ChartLine] = []
    for symbol in (BENCHMARKS[market] for market in markets):
        bars = _bars(parts, ledger, symbol, parts.clock.now().date())
        if span is None or isinstance(bars, Text) or symbol.value in found:
            continue
        if all(bars.has(day, "close") for day in span):
            name = parts.names.text(symbol)
            lines.append(_line(ledger, symbol.value, name, bars, span, is_index=True))
    return lines


def _rows(made: _Gathered) -> list[ComparedRow]:
    """Each metric that one of them has, by group."""
    rows: list[ComparedRow] = []
    heads = {_VALUATION: _of_day(made), _GROWTH: _of_reports(made), _PRICE: _of_span(made)}
    for group, metrics in _GROUPS:
        said = heads[group]
        head = Text(f"{group.zh} · {said.zh}", f"{group.en} · {said.en}") if said else group
        for metric in metrics:
            figures = made.figures[metric]
            if any(isinstance(one, Claim) for one in figures):
                rows.append(_row(metric, head, figures, made.entries))
    return rows


def _of_day(made: _Gathered) -> Text:
    """Of which day the multiples are, and whether they were priced anew."""
    days = {
        one.as_of for metric in VALUED for one in made.figures[metric] if isinstance(one, Claim)
    }
    if not days:
        return NO_TEXT
    day = max(days)
    if made.span is not None and day == made.span.last:
        return Text(f"按 {day} 收盘重算", f"restated at the close of {day}")
    return Text(f"来源原值 {day}", f"as the source gave them on {day}")


def _of_reports(made: _Gathered) -> Text:
    """Of which report, and in which currencies."""
    units = dict.fromkeys(one.unit for one in made.figures["revenue"] if isinstance(one, Claim))
    told = [CURRENCY_NAMES[unit] for unit in units if unit in CURRENCY_NAMES]
    report = _report(made)
    said = [*([report] if report else []), *([join_texts(told, "、", ", ")] if told else [])]
    return join_texts(said, "，", ", ")


def _of_span(made: _Gathered) -> Text:
    if made.span is None:
        return NO_TEXT
    first, last = made.span
    return Text(f"{first} 至 {last}", f"{first} to {last}")


def _row(
    metric: str, group: Text, figures: tuple[Figure, ...], entries: Sequence[ComparedCompany]
) -> ComparedRow:
    old = _older(metric, figures)
    ranked = rank_figures(metric, figures, old=old)
    told = [ranked.why, *_absent(figures, entries)]
    remark = join_texts([one for one in told if one])
    return ComparedRow(
        metric, metric_words(metric), group, figures, ranked.best, ranked.last, remark, old
    )


def _older(metric: str, figures: Sequence[Figure]) -> frozenset[int]:
    """The places of multiples that are of an earlier day than the others'."""
    held = {place: one.as_of for place, one in enumerate(figures) if isinstance(one, Claim)}
    if CATALOGUE.figures[metric].kind in {"statement", "ratio"} and metric not in VALUED:
        return frozenset()
    newest = max(held.values())
    return frozenset(place for place, day in held.items() if day < newest)


def _absent(figures: Sequence[Figure], entries: Sequence[ComparedCompany]) -> list[Text]:
    """Who has none and why, of those that have something else; in a line where it is one reason."""
    lost = [
        (entry.name, one.reason)
        for entry, one in zip(entries, figures, strict=True)
        if isinstance(one, Missing) and entry.failed is None
    ]
    said: list[Text] = []
    for reason in dict.fromkeys(why for _, why in lost):
        who = join_texts([name for name, why in lost if why == reason], "、", ", ")
        said.append(Text(f"{who.zh}：{reason.zh}", f"{who.en}: {reason.en}"))
    return said


def _list_adjustments(made: _Gathered) -> tuple[tuple[Text, Text], ...]:
    """Each market drawn and how its prices are adjusted, where the source says so."""
    said: dict[Text, Text] = {}
    for history in made.histories.values():
        for words in ADJUSTED.values():
            if words.zh in history.note or history.note.startswith(words.zh):
                said.setdefault(_MARKETS[Symbol(history.symbol).market], words)
    return tuple(said.items())


def _report(made: _Gathered) -> Text | None:
    """The report of all statement figures, where it is one."""
    periods = {
        one.period
        for metric in REPORTED
        for one in made.figures[metric]
        if isinstance(one, Claim) and one.period is not None
    }
    reports = {Period.parse(text).report for text in periods}
    if len(reports) != 1:
        return None
    (only,) = reports
    return Text(only.label("zh"), only.label("en"))
