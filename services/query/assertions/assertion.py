"""What an answer says: statements about companies, whose figures it calls by name and time.

As every statement it has no field for a direction or an adjective. A figure of the algebra is
called by the expression asked for, and holds where its claim cites that very expression.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from services.core.catalogue import metric_words
from services.core.claim_names import is_estimate, is_of_day
from services.core.claims import Claim
from services.core.expression_claims import key_fits
from services.core.expression_text import leaf_key, leaves_of, symbols_of, without
from services.core.expressions import METRIC
from services.core.periods import is_report
from services.core.record import Record
from services.core.rendering import place
from services.core.text import Text
from services.query.algebra.formula_text import ExpressionWriter, NoTextError
from services.query.algebra.nodes import Across, Expr, Metric, Over, Query, Rank, When, walk
from services.query.algebra.scopes import currency_in, markets_of, symbols_in
from services.query.algebra.telling import Teller
from services.query.algebra.times import TimeError, Times, is_barred
from services.query.answering.labels import period_label
from services.statements.book import Book
from services.statements.statement import BrokenError, Held, Statement, need
from services.statements.tongue import Tongue

_COUNT_OF_NAMED = "count(each(1.0, symbol in ("
_BOUND = frozenset({"years", "quarters", "days"})


class Assertion(Statement):
    """A sentence of an answer. `subject`: whose run a statement within it is proved on."""

    @property
    def subject(self) -> str:
        """The company it is about; empty where it is about several."""
        return ""

    @property
    def symbols(self) -> frozenset[str]:
        """Every company it names."""
        return frozenset({self.subject} - {""})

    @property
    def today(self) -> date | None:
        """The day its times are counted from; None where no time of it is."""
        return None

    def say(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.say`; when its figures are of stands beside them."""
        clause = self.clause(held, tongue)
        return tongue.sentence(clause.head + clause.tail)


class CitedFigure(Record):
    """A figure of a row: its claim, or why there is none."""

    claim: str | None = None
    why: Text | None = None


class RowOf(Record):
    """A row: the company, its own time (`y2016`), and its figures in the order of the columns."""

    symbol: str = ""
    at: str = ""
    figures: tuple[CitedFigure | None, ...] = ()


class OfQuery(Assertion):
    """An assertion on what a query brought. `times`: what its times meant when it was asked."""

    query: Query
    times: Times

    @property
    def symbols(self) -> frozenset[str]:
        """As `Assertion.symbols`."""
        return symbols_in(self.query)

    @property
    def today(self) -> date | None:
        """As `Assertion.today`."""
        return self.times.today

    def teller(self, tongue: Tongue) -> Teller:
        """Who tells the parts of the query."""
        return Teller(tongue.book.names, 0 if tongue.zh else 1, currency_in(self.query.scope))

    @cached_property
    def about(self) -> str:
        """What a figure over its companies is a figure of."""
        return "+".join(markets_of(self.query.scope))

    def need_row(self, book: Book, row: RowOf, shown: Sequence[Expr]) -> None:
        """Each figure of the row is the one it is called. Raises: BrokenError."""
        for expr, one in zip(shown, row.figures, strict=True):
            if one is not None and one.claim is not None:
                need_called(book, one.claim, expr, self.writer(row), row.symbol)

    def writer(self, row: RowOf | None = None) -> ExpressionWriter:
        """Who writes its parts as they are cited."""
        return ExpressionWriter(self.times, row.at if row is not None else "", self.query.scope)


def cited(book: Book, name: str) -> Claim:
    """The claim of that id. Raises: BrokenError."""
    need(name in book.claims, "unknown_claim", name)
    return book.claims[name]


def need_called(book: Book, name: str, expr: Expr, writer: ExpressionWriter, symbol: str) -> None:
    """That claim is what the expression says, of that company. Raises: BrokenError."""
    claim = cited(book, name)
    if isinstance(expr, Metric):
        token = writer.times.token(expr.id, expr.when, writer.own)
        need(key_fits(leaf_key(expr.id, token), claim), "metric_differs", claim.metric)
        need(claim.symbol == (expr.of or symbol), "other_company", claim.symbol)
        return
    need(not symbol or claim.symbol == symbol, "other_company", claim.symbol)
    named = symbols_of(getattr(claim.cite, "formula", "1"))

    def among(_: Across | Rank) -> Sequence[str]:
        return named  # whoever has bars: the verifier has theirs, and no other's

    need_formula(claim, _written(expr, replace(writer, among=among)))


def _written(expr: Expr, writer: ExpressionWriter) -> str:
    try:
        return writer.write(expr)
    except (NoTextError, TimeError) as error:
        raise BrokenError("another_formula", str(error)) from error


def need_formula(claim: Claim, *texts: str, among: bool = False) -> None:
    """The claim cites one of these expressions, whose missing figures may be blank in it;
    `among`: or it counts companies by their names, or groups of such.

    Raises: BrokenError.
    """
    formula = getattr(claim.cite, "formula", "")
    need(claim.metric == METRIC, "metric_differs", claim.metric)
    if among and formula.startswith((_COUNT_OF_NAMED, f"count({_COUNT_OF_NAMED}")):
        return
    told = any(formula in {text, without(text, _blank(text, formula))} for text in texts)
    need(told, "another_formula", formula[:80])


def _blank(text: str, formula: str) -> Sequence[tuple[str | None, str]]:
    kept = set(leaves_of(formula))
    return [one for one in leaves_of(text) if one not in kept]


@dataclass(frozen=True, slots=True)
class Dates:
    """Tells when figures side by side are of: one time of several is told once, behind the last."""

    tongue: Tongue

    def told(self, figure: Claim, expr: Expr | None) -> str:
        """The day or report a figure is of, in brackets; nothing where its label says the time."""
        guess = self.guess(figure)
        if expr is None or is_timed(expr):
            bare = guess.removeprefix("，").removeprefix(", ")
            return self._bracket(bare) if guess and expr is not None else ""
        return self.bracketed(figure)

    def bracketed(self, figure: Claim) -> str:
        """The day or report a figure is of, in brackets."""
        return self._bracket(f"{self.time(figure)}{self.guess(figure)}")

    def time(self, figure: Claim) -> str:
        """The report or the day it is of."""
        reported = is_report(figure.period) and not is_of_day(figure)
        if figure.period and reported:
            return period_label(figure.period).in_language(self.tongue.language)
        return figure.as_of.isoformat()

    def guess(self, figure: Claim, *, alone: bool = False) -> str:
        """`，推算` behind a day or a period, `（推算）` alone; empty for what a source gives."""
        if not is_estimate(figure):
            return ""
        if alone:
            return self.tongue.pick("（推算）", " (estimated)")
        return self.tongue.pick("，推算", ", estimated")

    def listed(self, parts: Sequence[tuple[str, Claim, Expr | None]]) -> str:
        """`净利润 A，营业收入 B（2016年报）`."""
        told: list[str] = []
        days: list[str] = []
        for label, figure, expr in parts:
            day = self.told(figure, expr)
            if days and days[-1] == day:
                told[-1] = told[-1].removesuffix(day)
            days.append(day)
            told.append(f"{label} {place(figure)}{day}")
        return self.tongue.comma.join(told)

    def _bracket(self, text: str) -> str:
        return self.tongue.pick(f"（{text}）", f" ({text})") if text else ""


def is_timed(expr: Expr) -> bool:
    """Whether its label already says the time of everything in it, or it is a row's own."""
    if isinstance(expr, Over) and expr.how in {"max", "min"} and is_barred(expr.of):
        return True  # the day it is known up to is not the day it was reached
    times = [one for one in walk(expr) if isinstance(one, When)]
    return bool(times) and all(
        one.kind in {"own", "before"} or (one.kind in _BOUND and one.last is not None)
        for one in times
    )


def label_within(metric: str, tongue: Tongue) -> str:
    """What a figure is called in an answer."""
    return metric_words(metric).in_language(tongue.language)


def called(symbol: str, tongue: Tongue) -> str:
    """What a company is called."""
    return tongue.book.names.get(symbol, symbol)


def claims_of(rows: Sequence[RowOf]) -> Iterator[str]:
    """The ids of every figure of the rows."""
    for row in rows:
        yield from (one.claim for one in row.figures if one is not None and one.claim is not None)
