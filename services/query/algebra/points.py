"""The points of a question: asked of the chain, held as relations for one SELECT, given as claims.

Whole markets come as members of a call (one request a market), named companies by what pages ask
of them, sessions by their bars. Everything was known at the clock; everything is in the trace.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

import duckdb

from services.core.claims import Claim, Figure, Missing, SeriesRef
from services.core.errors import NoDataError, ProviderError
from services.core.expression_claims import key_fits
from services.core.expression_text import leaf_key
from services.core.formulas import formula_for
from services.core.ledger import Answer, Ledger
from services.core.members import MembersIndex
from services.core.periods import Period
from services.core.requests import PointsRequest, ValuationRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import ToolCall
from services.market.fundamentals import FinancialData, financial_data
from services.market.history import PriceHistory, price_history
from services.market.outages import Absence, attempt, why_missing
from services.market.report_sheet import METRIC_NAMES
from services.market.valuation import ALL as VALUED
from services.market.valuation import valuation_figures
from services.query.algebra.relations import fill_relations
from services.query.algebra.statements import CompiledSelect, Needs
from services.query.algebra.times import FIRST_DAY, is_barred, is_of_bars
from services.query.answering.desk import ActionDesk
from services.query.sayings import saying
from services.store.points import input_periods, point_of, report_formulas

# So many companies' bars are read for one question.
MOST_BARRED = 60
MOST_NAMED = 200
# How many sessions the newest bar may lie behind today and still be what a price is now: a week's.
# It is told with its day; a window in the past has its own last session, or none.
MOST_BEHIND = 5
_MOVE = "(close / previous - 1) * 100"


class TooManyError(ValueError):
    """More companies than one question reads bars of."""

    def __init__(self, count: int) -> None:
        super().__init__(str(count))
        self.count = count


@dataclass(slots=True)
class Points:
    """What was brought. `calls` hold the members of whole markets; `histories` the bars.

    `connection` is an empty database of this question alone, where its relations stand.
    """

    desk: ActionDesk
    needs: Needs
    connection: duckdb.DuckDBPyConnection
    calls: list[ToolCall] = field(default_factory=list[ToolCall])
    indexes: list[MembersIndex] = field(default_factory=list[MembersIndex])
    symbols: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    histories: dict[str, PriceHistory] = field(default_factory=dict[str, PriceHistory])
    _figures: dict[tuple[str, str, str], Figure] = field(
        default_factory=dict[tuple[str, str, str], Figure]
    )
    _answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    _reports: dict[str, Answer] = field(default_factory=dict[str, Answer])
    _filled: tuple[int, int, tuple[str, ...]] | None = None

    @property
    def ledger(self) -> Ledger:
        """The ledger of the turn."""
        return self.desk.ledger

    def bring_markets(self, markets: Iterable[str]) -> None:
        """The figures of whole markets that are no session's.

        Raises: NoDataError, ProviderError.
        """
        keys = [
            leaf_key(metric, token)
            for metric, token in self.needs.points
            if not is_of_bars(metric, token)
        ]
        priced = ["price_implied"] if ("close", "") in self.needs.points else []
        asked = [*keys, "market_cap", *priced, *(["close"] if self.is_barred() else [])]
        self.columns = tuple(sorted(dict.fromkeys(asked)))
        for market in markets:
            answer = self.ledger.fetch(_points(market, self.columns))
            for call in answer.calls:
                index = self.ledger.members(call)
                if index is not None:
                    self.calls.append(call)
                    self.indexes.append(index)

    def bring_named(self, symbols: Sequence[str]) -> None:
        """What is asked of companies by name. Raises: TooManyError."""
        if len(symbols) > MOST_NAMED:
            raise TooManyError(len(symbols))
        self.symbols = tuple(dict.fromkeys((*symbols, *self.needs.others)))

    def bring_bars(self, symbols: Sequence[str], start: date, end: date) -> None:
        """The bars of these companies, where they have any. Raises: TooManyError."""
        if len(symbols) > MOST_BARRED:
            raise TooManyError(len(symbols))
        calendar = self.desk.bench.calendar
        for symbol in symbols:
            found = attempt(
                self.ledger,
                lambda one=symbol: price_history(
                    self.ledger, Symbol(one), start, end, calendar=calendar
                ),
            )
            if not isinstance(found, Absence):
                self.histories[symbol] = found

    def symbols_with(self, metric: str, token: str = "") -> set[str]:
        """The companies of the members that have that figure."""
        found: set[str] = set()
        for index in self.indexes:
            column = index.members.columns.get(leaf_key(metric, token), ())
            found |= {index.members.symbols[at] for at in index.within() if column[at] is not None}
        return found

    def by_size(self) -> dict[str, int]:
        """The place of each company of the members, the largest first."""
        symbols = [one for index in self.indexes for one in index.members.symbols]
        return {symbol: at for at, symbol in enumerate(symbols)}

    def figure(self, symbol: str, metric: str, token: str) -> Figure:
        """One figure of one company as a claim, or why there is none."""
        key = (symbol, metric, token)
        if key not in self._figures:
            self._figures[key] = self._make_figure(*key)
        return self._figures[key]

    def bring_facts(self, symbols: Sequence[str]) -> None:
        """What the sources said of these companies of the markets brought: newest, and reports."""
        by_market: dict[str, list[str]] = {}
        for symbol in sorted(set(symbols)):
            by_market.setdefault(Symbol(symbol).market, []).append(symbol)
        dated = tuple(one for one in self.columns if " @ " in one)
        newest = tuple(one for one in self.columns if " @ " not in one)
        for market, some in by_market.items():
            self._answers |= dict.fromkeys(some, self._facts(_points(market, newest, tuple(some))))
            if dated:
                reports = self._facts(_points(market, dated, tuple(some)))
                self._reports |= dict.fromkeys(some, reports)

    def _facts(self, request: PointsRequest) -> Answer:
        """What there is; nothing where the source has nothing of any of them."""
        found = attempt(self.ledger, lambda: self.ledger.fetch(request))
        return Answer(()) if isinstance(found, Absence) else found

    def series(self, symbol: str, metric: str, first: str, last: str) -> SeriesRef | None:
        """The bars of a window as a series, with the one before it where its first token says so;
        None where there are none within, or fewer than were lost.
        """
        history = self.histories.get(symbol)
        if history is None:
            return None
        begin, end = date.fromisoformat(first[1:]), date.fromisoformat(last[1:])
        days = [day for day in history.facts.get(metric, {}) if begin <= day <= end]
        if not days or len(self.lost(symbol, begin, end)) > len(days):
            return None
        start = _nearest(history, metric, first) if first[0] == "b" else None
        return self.ledger.window(
            "window", history.call, symbol, metric, start or min(days), max(days)
        )

    def lost(self, symbol: str, first: date, last: date) -> Sequence[date]:
        """The sessions of these days that the source lost or has not; of all there are (from
        `FIRST_DAY`), those since its first bar.
        """
        history = self.histories.get(symbol)
        if history is None:
            return ()
        begin = first if first > FIRST_DAY else history.bars[0].date
        return self._list_unaccounted(history, begin, last)

    def lost_by_all(self) -> frozenset[date]:
        """The sessions since the first bars brought that the source lost of every company."""
        today = self.desk.bench.clock.now().date()
        each = [
            set(self._list_unaccounted(one, one.bars[0].date, today))
            for one in self.histories.values()
        ]
        return frozenset(each[0].intersection(*each[1:])) if each else frozenset()

    def is_barred(self) -> bool:
        """Whether any of it is read from bars."""
        needs = self.needs
        return (
            needs.sessions
            or bool(needs.windows)
            or any(is_of_bars(metric, token) for metric, token in needs.points)
        )

    def _make_figure(self, symbol: str, metric: str, token: str) -> Figure:
        if is_of_bars(metric, token):
            return self._of_bars(symbol, metric, token)
        try:
            if symbol in self._answers:
                return self._of_market(symbol, metric, token)
            return self._of_company(symbol, metric, token)
        except (NoDataError, ProviderError) as error:
            if symbol in self.histories and is_barred(metric):
                return self._of_bars(symbol, metric, token)  # an index has no valuation
            return _make_missing(symbol, metric, why_missing(self.ledger, error))

    def _of_market(self, symbol: str, metric: str, token: str) -> Figure:
        answer = self._answers[symbol]
        if not token:
            return self._newest(answer, symbol, metric)
        if symbol not in self._reports:
            return _make_missing(symbol, metric)
        key = leaf_key(metric, token)
        found = self._of_report(self._reports[symbol], symbol, key)
        if isinstance(found, Missing) and metric in VALUED:
            implied = valuation_figures(self.ledger, answer, symbol, [metric])[metric]
            if isinstance(implied, Claim) and key_fits(key, implied):
                return implied
        return found

    def _of_report(self, answer: Answer, symbol: str, key: str) -> Figure:
        """As a report gives it, or derived by a registered formula from the same one."""
        point = point_of(key)
        for call, fact in answer.facts(symbol, point.metric):
            if fact.period == str(point.period):
                return self.ledger.claim(call, fact)
        for formula in report_formulas(point.metric):
            if point.period is None:
                continue
            inputs = [
                next(
                    (
                        self.ledger.claim(call, fact)
                        for call, fact in answer.facts(symbol, one.metric)
                        if fact.period == str(one.period)
                    ),
                    None,
                )
                for one in input_periods(formula, point.period)
            ]
            known = [one for one in inputs if one is not None]
            if len(known) == len(inputs) and (made := self.ledger.derive(formula, known)):
                return made
        return _make_missing(symbol, point.metric)

    def _of_company(self, symbol: str, metric: str, token: str) -> Figure:
        if token:
            period = Period(int(token[1:]), 4) if token[0] == "y" else Period.parse(token[1:])
            if metric not in METRIC_NAMES:
                return _make_missing(symbol, metric)
            key, sheet = leaf_key(metric, token), self._sheet(symbol, metric, str(period))
            found = sheet.figures[metric].values()
            known = [one for one in found if isinstance(one, Claim) and key_fits(key, one)]
            lacking = [one for one in found if isinstance(one, Missing)]
            return (known or lacking or [_make_missing(symbol, metric)])[0]
        if metric in METRIC_NAMES:
            return self._sheet(symbol, metric, "latest").newest(metric) or _make_missing(
                symbol, metric
            )
        answer = self.ledger.fetch(ValuationRequest(symbol=symbol))
        return self._newest(answer, symbol, metric)

    def _newest(self, answer: Answer, symbol: str, metric: str) -> Figure:
        """What was answered of now."""
        if metric in VALUED:
            return valuation_figures(self.ledger, answer, symbol, [metric])[metric]
        found = answer.facts(symbol, metric)
        return self.ledger.claim(*found[-1]) if found else _make_missing(symbol, metric)

    def _sheet(self, symbol: str, metric: str, period: str) -> FinancialData:
        clock = self.desk.bench.clock
        return financial_data(self.ledger, Symbol(symbol), [metric], period=period, clock=clock)

    def _of_bars(self, symbol: str, metric: str, token: str) -> Figure:
        history = self.histories.get(symbol)
        if history is None:
            return _make_missing(symbol, metric, saying("no_bars"))
        day = _nearest(history, "close" if metric == "pct_change" else metric, token)
        if day is None:
            return _make_missing(symbol, metric, saying("no_close_then"))
        if token and self._is_lost_between(history, day, token):
            return _make_missing(symbol, metric, saying("lost_bars"))
        if metric != "pct_change":
            return history.claim(self.ledger, day, metric)
        return self._move(history, day)

    def _is_lost_between(self, history: PriceHistory, day: date, token: str) -> bool:
        """Whether there is no telling what the price was between that bar and a token's day."""
        bound, one = date.fromisoformat(token[1:]), timedelta(days=1)
        if token[0] == "a":
            return False  # the first one known of all there is
        until = bound if token[0] == "d" else bound - one
        lacking = self._list_unaccounted(history, day + one, until)
        is_newest = day == history.bars[-1].date and until >= self.desk.bench.clock.now().date()
        return len(lacking) > (MOST_BEHIND if is_newest else 0)

    def _list_unaccounted(self, history: PriceHistory, first: date, last: date) -> Sequence[date]:
        """The sessions of the exchange on these days that have neither a bar nor a suspension:
        lost by the source, or beyond what it has.
        """
        bench = self.desk.bench
        market = Symbol(history.symbol).market
        over = bench.calendar.last_complete_session(market, bench.clock.now())
        end = min(last, over)
        if first > end:
            return ()
        halted = [gap for gap in history.gaps if gap.kind == "suspension"]
        known = {bar.date for bar in history.bars}
        return [
            day
            for day in bench.calendar.sessions(market, first, end)
            if day not in known and not any(gap.start <= day <= gap.end for gap in halted)
        ]

    def _move(self, history: PriceHistory, day: date) -> Figure:
        """The change on that day against the session before, none lost in between."""
        days = sorted(history.facts["close"])
        place, formula = days.index(day), formula_for("pct_change", _MOVE)
        if not place or formula is None:
            return _make_missing(history.symbol, "pct_change")
        if history.sessions.lacking(place - 1, place).lost:
            return _make_missing(history.symbol, "pct_change", saying("lost_bars"))
        closes = [history.claim(self.ledger, one, "close") for one in (day, days[place - 1])]
        made = self.ledger.derive(formula, closes)
        return made if made is not None else _make_missing(history.symbol, "pct_change")

    def run(self, statement: CompiledSelect) -> list[dict[str, Any]]:
        """The rows of a statement over what was brought, each by the names of its columns."""
        held = (len(self.indexes), len(self.histories), self.symbols)
        if self._filled != held:
            fill_relations(self.connection, self)
            self._filled = held
        # What was said of expressions that ended up in no column is no parameter.
        used = {name: one for name, one in statement.values.items() if f"${name}" in statement.sql}
        cursor = self.connection.execute(statement.sql, used)
        names = [one[0] for one in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _nearest(history: PriceHistory, metric: str, token: str) -> date | None:
    """The day of the bar a token means: the last up to or before its day, or the first from it."""
    known = sorted(history.facts.get(metric, {}))
    if not token:
        return known[-1] if known else None
    bound = date.fromisoformat(token[1:])
    if token[0] == "a":
        return next((day for day in known if day >= bound), None)
    fit = [day for day in known if day < bound or (day == bound and token[0] == "d")]
    return fit[-1] if fit else None


def _points(market: str, columns: tuple[str, ...], symbols: tuple[str, ...] = ()) -> PointsRequest:
    return PointsRequest.model_validate({"market": market, "columns": columns, "symbols": symbols})


def _make_missing(symbol: str, metric: str, why: Text | None = None) -> Missing:
    return Missing(metric=metric, symbol=symbol, reason=why or saying("not_given"))
