"""What a query shows, as claims: leaves as their sources gave them, everything else as expressions
the verifier computes again.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from services.core.claims import Claim, Figure, Missing, SeriesRef
from services.core.expression_text import leaves_of, without
from services.core.expressions import METRIC, ExpressionError
from services.core.text import Text
from services.query.algebra import nodes as a
from services.query.algebra.among import folds_over_bars, symbols_among
from services.query.algebra.formula_text import ExpressionWriter, NoTextError
from services.query.algebra.points import Points
from services.query.algebra.scopes import markets_of
from services.query.algebra.statements import at_time, counted_by, folds_of_bars
from services.query.algebra.times import Times, days_of, is_period, reads_bars
from services.query.sayings import saying

_TOLERANCE = 1e-7
# A fold over more bars than these names them as a window, never one by one.
_MOST_INPUTS = 2000


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A row as the SELECT found it: the company, its own time, the values of the expressions."""

    symbol: str
    name: str
    at: str
    values: tuple[float | None, ...]
    holds: bool | None = None
    is_classified: bool = True

    @classmethod
    def of(cls, row: Mapping[str, Any], values: tuple[float | None, ...]) -> "FoundRow":
        """Of the columns of a statement."""
        name, is_classified = row["name"] or row["symbol"], bool(row.get("industry"))
        return cls(row["symbol"], name, row["own"], values, row.get("holds"), is_classified)


@dataclass(frozen=True, slots=True)
class FigureMaker:
    """Makes the figures of one query."""

    query: a.Query
    times: Times
    points: Points
    shown: tuple[a.Expr, ...]

    def row(self, line: FoundRow) -> tuple[Figure, ...]:
        """The figures of a row, in the order of `shown`."""
        return tuple(
            self._check_figure(self.figure(one, line.symbol, line.at), line.values[at])
            for at, one in enumerate(self.shown)
        )

    def figure(self, expr: a.Expr, symbol: str, at: str) -> Figure:
        """One expression of one row."""
        if isinstance(expr, a.Metric):
            token = self.times.token(expr.id, expr.when, at)
            return self.points.figure(expr.of or symbol, expr.id, token)
        named = dict.fromkeys([symbol])
        for one in folds_over_bars(expr):
            named |= dict.fromkeys(self._among(one, symbol, at))
        text = self._writer(at, symbol).write(expr)
        return self._express(text, symbol, [_dated(expr, at)], tuple(named))

    def over_rows(
        self, fold: a.Folded, lines: Sequence[FoundRow], group: str | None = None
    ) -> Figure:
        """A fold over the rows found, or over those of a group."""
        about = self._about(group)
        if self.points.calls and not self.is_by_line(fold.of):
            return self._express(self._over_members(fold, lines, group), about, [fold.of], ())
        known = self.known_in(fold, lines)
        if not known:
            return _lacks(about, saying("not_had"))
        if fold.of is None and self.query.rows not in a.TIMED:
            return self.named(tuple(line.symbol for line in known))
        of = fold.of or counted_by(self.query.where)
        texts = [
            ExpressionWriter(self.times, line.at, self.query.scope, line.symbol).write(of)
            for line in known
        ]
        symbols = tuple(dict.fromkeys(line.symbol for line in known))
        exprs = list(dict.fromkeys(_dated(of, line.at) for line in known))
        return self._express(f"{fold.how}({', '.join(texts)})", about, exprs, symbols)

    def groups(self, groups: Sequence[tuple[str, Sequence[FoundRow]]]) -> Figure | None:
        """How many groups there are that have companies; None of rows that are no companies."""
        if self.query.rows != "companies" or not self.points.calls or not groups:
            return None
        count = a.Folded(how="count")
        texts = [self._over_members(count, lines, mark) for mark, lines in groups]
        return self._express(f"count({', '.join(texts)})", self._about(None), [], ())

    def known_in(self, fold: a.Folded, lines: Sequence[FoundRow]) -> list[FoundRow]:
        """The rows that have what the fold is of."""
        return [line for line in lines if self._value(fold.of, line) is not None]

    def named(self, symbols: Sequence[str]) -> Figure:
        """How many of the companies of the market these are."""
        text = f"count(each(1.0, symbol in ({', '.join(map(repr, symbols))}{',' * bool(symbols)})))"
        return self._express(text, self._about(None), [], tuple(symbols))

    def counted(self, expr: a.Expr | None, lines: Sequence[FoundRow]) -> Figure:
        """How many companies of the scope have that figure; without one, how many there are."""
        return self._bare().over_rows(a.Folded(how="count", of=expr), lines)

    def of_all(self, fold: a.Folded, lines: Sequence[FoundRow]) -> Figure:
        """A fold over all that satisfy the conditions, whether they are listed or not."""
        bare = self.query.but(take=None, order=(), fold=(), group=None)
        return replace(self, query=bare).over_rows(fold, lines)

    def lacking(self, expr: a.Expr, lines: Sequence[FoundRow]) -> Figure:
        """How many companies of the scope have it not."""
        mask, value = self._bare().mask(lines, None), self._writer("").write(expr)
        text = f"(count(each(1.0, {mask})) - count(each({value}, {mask})))"
        return self._express(text, self._about(None), [expr], ())

    def at_loss(self, metric: str, lines: Sequence[FoundRow]) -> Figure:
        """How many have a market value and not that multiple: by the source's rule, at a loss."""
        mask, loss = self._bare().mask(lines, None), self._writer("").write(a.Loss(of=metric))
        text = f"count(each(1.0, ({mask} and {loss})))"
        return self._express(text, self._about(None), [a.Metric(id=metric)], ())

    def _bare(self) -> "FigureMaker":
        return replace(self, query=a.Query(scope=self.query.scope, first=self.query.first))

    def _over_members(self, fold: a.Folded, lines: Sequence[FoundRow], group: str | None) -> str:
        value = "1.0" if fold.of is None else self._writer("").write(fold.of)
        return f"{fold.how}(each({value}, {self.mask(lines, group)}))"

    def mask(self, lines: Sequence[FoundRow], group: str | None) -> str:
        """Who the rows are: by what was asked, or, where that stands in no expression, by name."""
        query = self.query
        chosen: a.Pred | None = a.both(query.scope, query.where)
        if group is not None and query.group is not None:
            chosen = a.both(chosen, a.In(dim=query.group, values=(group,)))
        is_listed = query.take is None or query.group is not None
        if query.first is None and not query.less and is_listed:
            try:
                if chosen is not None and not reads_bars(chosen):
                    return self._writer("").write(chosen)
            except NoTextError:
                pass
        return self._writer("").write(
            a.In(dim="symbol", values=tuple(line.symbol for line in lines))
        )

    def is_by_line(self, expr: a.Expr | None) -> bool:
        """Whether the figure is none of the members: of bars, or of a row's own time."""
        return self.query.rows != "companies" or (expr is not None and reads_bars(expr))

    def _express(
        self, text: str, symbol: str, exprs: Sequence[a.Expr | None], symbols: Sequence[str]
    ) -> Figure:
        over = self.points.calls if "each(" in text or _ranks(exprs) else ()
        named = [(pair, self._leaf(symbol, pair)) for pair in leaves_of(text)]
        missing = {pair for pair, found in named if isinstance(found, Missing)}
        if any(" @ " not in key for _, key in missing):
            return _lacks(symbol, self._why(text, symbol))
        inputs = [found for _, found in named if isinstance(found, Claim)]
        if "each(" in text and not over:
            inputs += self._of_each(symbols)
        if len(inputs) > _MOST_INPUTS:
            return _lacks(symbol, saying("not_had"))
        series = tuple(self._series(symbols or (symbol,), exprs))
        try:
            made = self.points.ledger.express(
                without(text, missing), symbol, inputs, over=over, series=series
            )
        except ExpressionError:
            return _lacks(symbol, saying("mixed_units"))
        return made or _lacks(symbol, self._why(text, symbol))

    def _leaf(self, symbol: str, pair: tuple[str | None, str]) -> Figure:
        owner, key = pair
        metric, _, token = key.partition(" @ ")
        return self.points.figure(owner or symbol, metric, token)

    def _of_each(self, symbols: Sequence[str]) -> list[Claim]:
        """A figure of each company that is counted, so that it is there to be counted."""
        found: list[Claim] = []
        for symbol in symbols:
            figures = (
                self.points.figure(symbol, metric, token)
                for metric, token in self.points.needs.points
            )
            found += [one for one in figures if isinstance(one, Claim)][:1]
        return found

    def _series(
        self, symbols: Sequence[str], exprs: Sequence[a.Expr | None]
    ) -> Iterator[SeriesRef]:
        for expr in exprs:
            for one in folds_of_bars(expr) if expr is not None else ():
                first, last = self.times.span(one)
                for symbol in (one.company,) if one.company else symbols:
                    ref = self.points.series(symbol, one.of, first, last)
                    if ref is not None:
                        yield ref

    def _why(self, text: str, symbol: str) -> Text:
        for pair in leaves_of(text):
            found = self._leaf(symbol, pair)
            if isinstance(found, Missing):
                return found.reason
        return saying("no_window") if "series(" in text else saying("not_had")

    def _value(self, expr: a.Expr | None, line: FoundRow) -> float | None:
        return 1.0 if expr is None else line.values[self.shown.index(expr)]

    def _check_figure(self, figure: Figure, found: float | None) -> Figure:
        """The figure, where the SELECT found the same."""
        if not isinstance(figure, Claim) or found is None:
            return figure
        if math.isclose(figure.value, found, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE):
            return figure
        return Missing(
            metric=figure.metric, symbol=figure.symbol, reason=saying("computed_otherwise")
        )

    def _about(self, group: str | None) -> str:
        market = "+".join(markets_of(self.query.scope))
        return f"{market}:{group}" if group is not None else market

    def _writer(self, at: str, symbol: str = "") -> ExpressionWriter:
        among = partial(self._among, symbol=symbol, at=at)
        return ExpressionWriter(self.times, at, self.query.scope, among=among)

    def _among(self, node: a.Across | a.Rank, symbol: str, at: str) -> tuple[str, ...]:
        """Who has the bars that a place or fold is made of."""
        found = symbols_among(node, self.query.scope, symbol, self.points, self.times)
        return tuple(one for one in found if self._has_bars(node.of, one, at))

    def _has_bars(self, expr: a.Expr, symbol: str, at: str) -> bool:
        if symbol not in self.points.histories:
            return False
        text = ExpressionWriter(self.times, at, self.query.scope, symbol).write(expr)
        leaves = all(isinstance(self._leaf(symbol, one), Claim) for one in leaves_of(text))
        windows = len(list(folds_of_bars(expr)))
        return leaves and len(list(self._series((symbol,), [expr]))) == windows


def _lacks(symbol: str, why: Text) -> Missing:
    return Missing(metric=METRIC, symbol=symbol, reason=why)


def _dated(expr: a.Expr, at: str) -> a.Expr:
    """The same of the days of a row's year or quarter, where it was of the row's own."""
    return at_time(expr, days_of(at)) if is_period(at) else expr


def _ranks(exprs: Sequence[a.Expr | None]) -> bool:
    return any(
        isinstance(one, a.Across | a.Rank)
        for expr in exprs
        if expr is not None
        for one in a.walk(expr)
    )
