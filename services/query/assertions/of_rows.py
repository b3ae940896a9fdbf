"""The figures a query shows of companies named, of years, days or events."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from services.core.claims import Claim
from services.core.rendering import place
from services.core.text import Text, join_texts
from services.query.algebra.explain import explain, left_out
from services.query.algebra.nodes import (
    NEWEST_FIRST,
    Across,
    Arith,
    Change,
    Expr,
    Metric,
    Not,
    Query,
    items_of,
)
from services.query.algebra.scopes import named_symbols
from services.query.algebra.times import uses_reports
from services.query.algebra.words import AGAINST
from services.query.answering.labels import time_label
from services.query.assertions.assertion import (
    Dates,
    OfQuery,
    RowOf,
    called,
    cited,
    claims_of,
    need_formula,
)
from services.statements.book import Book
from services.statements.statement import Clause, Held
from services.statements.tongue import Tongue

# So many rows are told in the sentence; the others stand in the table.
ROWS_TOLD = 4
# The figure asked beside a list is told of so many rows at most.
ROWS_BESIDE = 6


def _sides(shown: Sequence[Expr]) -> tuple[str, Expr, Expr, Expr] | None:
    """How the first of three figures is made of the other two: its left side, its right side and
    itself; None where it is not.
    """
    if len(shown) != 3:
        return None
    made, *beside = shown
    (left, right), how = _made_of(made), getattr(made, "how", "")
    if left is None or right is None or how not in AGAINST:
        return None
    return (how, left, right, made) if beside in ([left, right], [right, left]) else None


def _made_of(made: Expr) -> tuple[Expr | None, Expr | None]:
    match made:
        case Arith(left=left, right=right):
            return left, right
        case Change(company=None, of=of, since=since, until=until):
            return Metric(id=of, when=until), Metric(id=of, when=since)
        case _:
            return None, None


def label_row(query: Query, shown: Sequence[Expr], at: str, name: Text) -> Text:
    """What a row is called: the company of that name, and where rows are times, the time."""
    if query.rows == "one":
        return Text("结果", "Result")
    if not at:
        return name
    named = named_symbols(query.scope)
    when = time_label(at, of_bars=not any(map(uses_reports, shown)))
    is_of_one = named is not None and len(named) == 1
    return when if is_of_one else join_texts((name, when), " ", " ")


class OfRows(OfQuery):
    """An assertion whose rows have the figures of `shown`."""

    shown: tuple[Expr, ...] = ()
    rows: tuple[RowOf, ...] = ()

    @property
    def symbols(self) -> frozenset[str]:
        """As `Assertion.symbols`."""
        return super().symbols | {row.symbol for row in self.rows if row.symbol}

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        for row in self.rows:
            self.need_row(book, row, self.shown)
        uses = tuple(book.claims[name] for name in dict.fromkeys(claims_of(self.rows)))
        return Held("level", self.query.rows, uses=uses)

    def label(self, row: RowOf, tongue: Tongue) -> str:
        """As `label_row`."""
        name = Text.of(called(row.symbol, tongue))
        return label_row(self.query, self.shown, row.at, name).in_language(tongue.language)

    def figures(self, row: RowOf, tongue: Tongue) -> str:
        """Every figure of a row, each with its day; of one that is missing, why."""
        if against := self._set_against(row, tongue):
            return against
        teller, dates = self.teller(tongue), Dates(tongue)
        told: list[str] = []
        known: list[tuple[str, Claim, Expr | None]] = []
        for expr, one in zip(self.shown, row.figures, strict=True):
            if one is None:
                continue
            label = teller.tell(expr)
            if one.claim is not None:
                known.append((label, tongue.book.claims[one.claim], expr))
                continue
            told += [dates.listed(known)] if known else []
            known = []
            why = one.why.in_language(tongue.language) if one.why else ""
            told.append(tongue.pick(f"没有{label}（{why}）", f"no {label} ({why})"))
        told += [dates.listed(known)] if known else []
        return tongue.comma.join(told)

    def _set_against(self, row: RowOf, tongue: Tongue) -> str:
        """A 5亿元，是B 2亿元的 2.5倍: a figure made of the two beside it, told with them as one.
        Empty where it is not, or one of the three is missing.
        """
        sides = _sides(self.shown)
        claims = [one.claim for one in row.figures if one is not None and one.claim is not None]
        if sides is None or len(claims) != len(self.shown):
            return ""
        how, *exprs = sides
        book, dates, teller = tongue.book.claims, Dates(tongue), self.teller(tongue)
        figures = [book[claims[self.shown.index(one)]] for one in exprs]
        days = [dates.told(*pair) for pair in zip(figures, exprs, strict=True)]
        last = days[0] if len(set(days)) == 1 else ""
        told = [
            place(one) + (day if not last else "") for one, day in zip(figures, days, strict=True)
        ]
        left, right = (f"{teller.tell(one)} {of}" for one, of in zip(exprs, told[:2], strict=False))
        against = AGAINST[how].in_language(tongue.language)
        return against.format(left=left, right=right, made=told[2]) + last

    def whom(self, tongue: Tongue) -> str:
        """The companies the query is about, in words, and which rows of it are left out."""
        names, language = tongue.book.names, tongue.language
        gone = left_out(self.query, names, language)
        if self.query.first is not None:
            less = [one for one in items_of(self.query.scope) if isinstance(one, Not)]
            kept, teller = items_of(self.query.first.scope), self.teller(tongue)
            out = [teller.tell(one.item) for one in less if one not in kept]
            gone += "".join(tongue.pick(f"（不含{one}）", f" (without {one})") for one in out)
            return explain(self.query.first, names, language) + gone
        scope = self.query.scope
        return self.teller(tongue).whom(scope) + gone if scope is not None else ""


class Figures(OfRows):
    """What was asked of companies by name; `more`: other rows stand in the table."""

    kind: Literal["figures"] = "figures"
    rows: tuple[RowOf, ...] = Field(min_length=1, max_length=ROWS_TOLD)
    more: bool = False

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        colon, semicolon = tongue.pick("：", ": "), tongue.pick("；", "; ")
        told = [f"{self.label(row, tongue)}{colon}{self.figures(row, tongue)}" for row in self.rows]
        if self.query.rows == "one":  # the figures say of whom they are
            told = [self.figures(row, tongue) + self._higher(row, tongue) for row in self.rows]
        among = ""
        first = self.query.first
        if first is not None and first.scope != self.query.scope:  # asked whether it is among them
            among = tongue.pick("在其中。", "Yes, among them. ")
        more = tongue.pick("；其余见表", "; the others in the table") if self.more else ""
        return Clause(among + semicolon.join(told), more)

    def _higher(self, row: RowOf, tongue: Tongue) -> str:
        """Of the same fold of two sets, whose is higher."""
        folds = [one for one in self.shown if isinstance(one, Across) and one.within is not None]
        if len(folds) != 2 or len(self.shown) != 2:
            return ""
        first, second = (one.but(within=None) for one in folds)
        if first != second:
            return ""
        claims = [tongue.book.claims[name] for name in claims_of([row])]
        if len(claims) != 2 or len({one.unit for one in claims}) > 1:
            return ""
        one, other = (claim.value for claim in claims)
        if one == other:
            return tongue.pick("，两者相同", ", the same")
        whom = self.teller(tongue).among(folds[0] if one > other else folds[1])
        return tongue.pick(f"，{whom}更高", f"; higher in {whom}")


class FirstOfTimes(OfRows):
    """Years, days or events of companies: the first of them. `barred`: how many have bars."""

    kind: Literal["first_of_times"] = "first_of_times"
    rows: tuple[RowOf, ...] = Field(min_length=1, max_length=1)
    barred: str | None = None

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        if self.barred is not None:
            need_formula(cited(book, self.barred), among=True)
        return super().prove(book)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        whom, row = self.whom(tongue), self.rows[0]
        label, figures, have = self.label(row, tongue), self.figures(row, tongue), ""
        if self.barred is not None:
            count = place(tongue.book.claims[self.barred])
            have = tongue.pick(f"中有日线的{count}里", f", {count} with daily bars")
        if self.query.rows == "events":
            end = ("最近", "latest") if NEWEST_FIRST in self.query.order else ("最早", "earliest")
            zh = f"{whom}{have}，{end[0]}一次是{label}，"
            return Clause(tongue.pick(zh, f"Of {whom}{have}, the {end[1]} is {label}: "), figures)
        return Clause(tongue.pick(f"{whom} {label}：", f"{whom}, {label}: "), figures)


class BesideFigure(OfRows):
    """The figure asked for beside what orders or limits the list: who of the first has it."""

    kind: Literal["beside"] = "beside"
    rows: tuple[RowOf, ...] = Field(min_length=1, max_length=ROWS_BESIDE)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        (expr,) = self.shown
        label, claims = self.teller(tongue).tell(expr), tongue.book.claims
        known = [(row, claims[name]) for row in self.rows for name in claims_of([row])]
        if not known:
            return Clause(tongue.pick(f"以上各家都没有{label}", f"None of these has {label}"))
        told = [f"{self.label(row, tongue)} {place(one)}" for row, one in known]
        some = tongue.pick("其中有数的：", "of those that have it: ")
        head = tongue.pick(f"{label}：", f"{label}: ") + some * (len(known) < len(self.rows))
        day = Dates(tongue).told(known[0][1], expr)
        return Clause(head + tongue.pick("、", ", ").join(told), day)
