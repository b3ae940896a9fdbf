"""What a screen of one market comes to: how many satisfy it, who leads by what, who has no place.

The counts are of the members of the call: each says itself of which market, industry and conditions
it is, so that nothing of the question is needed to check it.
"""

from itertools import pairwise
from typing import Literal

from pydantic import Field

from services.core.catalogue import SCREEN_FIELDS
from services.core.claims import Claim, DerivedCite
from services.core.industries import industry_label
from services.core.members import scope_symbol
from services.core.record import Record
from services.core.rendering import place
from services.query.algebra.nodes import Direction
from services.query.algebra.words import MARKETS
from services.query.answering.outcomes import plain
from services.query.assertions.assertion import (
    Assertion,
    Dates,
    called,
    cited,
    label_within,
)
from services.query.sayings import saying_in
from services.statements.book import Book
from services.statements.statement import Clause, Held, need
from services.statements.tongue import Tongue

# What less than half of the companies have must not be hidden by a headline.
_THIN = 2
# So many that tie for the first place are named.
_NAMED = 3


class JudgedBy(Record):
    """How many companies have a value in that field of the screen."""

    field: str
    count: str


class _OfScreen(Assertion):
    """Of the companies of a market, or of one industry of it as its source calls that."""

    market: str
    industry: str = ""

    def whom(self, tongue: Tongue) -> str:
        """The companies in words."""
        market = MARKETS[self.market].in_language(tongue.language)
        if not self.industry:
            return market
        industry = plain(industry_label(self.industry).in_language(tongue.language))
        return tongue.pick(f"{market}{industry}", f"{market} in {industry}")

    def count(self, book: Book, name: str, metric: str) -> Claim:
        """The claim is that count of these companies. Raises: BrokenError."""
        claim = cited(book, name)
        need(claim.metric == metric, "metric_differs", claim.metric)
        scope = scope_symbol(self.market, self.industry or None)
        need(claim.symbol == scope, "other_company", claim.symbol)
        return claim

    def judge(self, book: Book, judged: tuple[JudgedBy, ...]) -> None:
        """Each is the count of who has that field. Raises: BrokenError."""
        for one in judged:
            self.count(book, one.count, f"judged_{one.field}")

    def tell_thin(self, judged: tuple[JudgedBy, ...], total: str, tongue: Tongue) -> str:
        """Which figures less than half of them have."""
        claims = tongue.book.claims
        told: list[str] = []
        for one in judged:
            count = claims[one.count]
            if count.value * _THIN < claims[total].value:
                label = screen_label(one.field, tongue)
                told.append(saying_in(tongue, "known_of_few", label=label, count=place(count)))
        return tongue.comma.join(told)


class ScreenCounts(_OfScreen):
    """How many of how many satisfy the conditions. `more`: not all of them are listed; `placed`:
    those of a place asked for are. Without any it says who could be judged at all.
    """

    kind: Literal["screened"] = "screened"
    total: str
    matches: str
    judged: tuple[JudgedBy, ...] = ()
    more: bool = False
    placed: bool = False

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        total = self.count(book, self.total, "company_count")
        matches = self.count(book, self.matches, "match_count")
        self.judge(book, self.judged)
        need(matches.value <= total.value, "count_of_another")
        return Held("some" if matches.value else "none", "", uses=(total, matches))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        whom, thin = self.whom(tongue), self.tell_thin(self.judged, self.total, tongue)
        total, matches = map(place, held.uses)
        if held.word == "none":
            return self._none(whom, total, thin, tongue)
        listed = ""
        if self.more:
            listed = tongue.pick("列出前几家", "the first of them are listed")
            if self.placed:
                listed = tongue.pick("列出问到的名次", "the place asked for is listed")
        head = saying_in(tongue, "screen_satisfy", whom=whom, total=total, matches=matches)
        tail = [one for one in (thin, listed) if one]
        return Clause(head, "".join(tongue.pick("，", "; ") + one for one in tail))

    def _none(self, whom: str, total: str, thin: str, tongue: Tongue) -> Clause:
        """Nobody satisfies them; of a figure that no company has, nobody can tell."""
        claims = tongue.book.claims
        lost = [
            screen_label(one.field, tongue) for one in self.judged if not claims[one.count].value
        ]
        if lost:
            names = tongue.pick("、", ", ").join(lost)
            return Clause(
                tongue.pick(f"{whom}公司共{total}", f"no company of {whom} ({total}) has {names}"),
                saying_in(tongue, "screen_lost", names=names),
            )
        few = tongue.pick("，", "; ") + thin if thin else ""
        return Clause(
            tongue.pick(f"{whom}（共{total}{few}）", f"no company of {whom} ({total}{few})"),
            tongue.pick("没有同时满足这些条件的公司", " satisfies all the conditions"),
        )


class Led(_OfScreen):
    """By what they are ordered, and the first listed with the figure that puts it there.

    `rows`: the listed companies with their figure, first to last; null for who has none. `placed`:
    the place asked for. By code there is no `field`.
    """

    kind: Literal["led"] = "led"
    total: str
    field: str = ""
    direction: Direction = "desc"
    judged: str | None = None
    rows: tuple[tuple[str, str | None], ...] = ()
    placed: bool = False
    bounded: bool = False

    @property
    def symbols(self) -> frozenset[str]:
        """As `Assertion.symbols`."""
        return frozenset(symbol for symbol, _ in self.rows[:_NAMED])

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        uses = [self.count(book, self.total, "company_count")]
        if self.judged is not None:
            self.count(book, self.judged, f"judged_{self.field}")
        claims: list[Claim] = []
        for symbol, name in self.rows:
            if name is not None:
                claims.append(cited(book, name))
                need(claims[-1].metric == SCREEN_FIELDS[self.field], "metric_differs")
                need(claims[-1].symbol == symbol, "other_company", symbol)
        down = self.direction == "desc"
        values = [one.value for one in claims]
        ranked = all(a >= b if down else a <= b for a, b in pairwise(values))
        need(ranked, "not_in_order")
        if self.rows and self.rows[0][1] is not None:
            uses += [one for one in claims if one.value == claims[0].value]
        return Held("led", self.field, uses=tuple(uses))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        whom, total = self.whom(tongue), place(held.uses[0])
        if not self.field:
            return Clause(
                tongue.pick(f"{whom}共{total}公司", f"{whom} has {total} companies"),
                tongue.pick("，按代码列出前几家", "; the first by code are listed"),
            )
        label, name = screen_label(self.field, tongue), called(self.rows[0][0], tongue)
        down = self.direction == "desc"
        by = tongue.pick(
            f"按{label}{'从高到低' if down else '从低到高'}",
            f"by {label}, {'highest' if down else 'lowest'} first",
        )
        if len(held.uses) < 2:
            return self._without(whom, label, name, by, tongue)
        first = held.uses[1]
        figure = place(first) + Dates(tongue).bracketed(first)
        if self.placed:
            several = len(self.rows) > 1
            asked = ("里第一位是", "the first of the places asked for") if several else (
                "是", "at the place asked for"
            )  # fmt: skip
            return Clause(
                by + self._known(label, tongue),
                tongue.pick(f"，问到的名次{asked[0]}{name}，{label}{figure}",
                            f": {asked[1]} is {name} with {figure}"),
            )  # fmt: skip
        tied = [called(one.symbol, tongue) for one in held.uses[1 : 1 + _NAMED]]
        name = tongue.pick("、", ", ").join(tied)
        if len(held.uses) - 1 > _NAMED:
            name += tongue.pick("等", " and others")
        lead = "leads" if len(held.uses) == 2 else "lead"
        return Clause(
            by + self._known(label, tongue),
            tongue.pick(f"，排在最前的是{name}，{label}{figure}", f": {name} {lead} with {figure}"),
        )

    def _known(self, label: str, tongue: Tongue) -> str:
        """Of how many that have the figure."""
        if self.judged is None:
            return ""
        thin = self.tell_thin((JudgedBy(field=self.field, count=self.judged),), self.total, tongue)
        if thin:  # of a screen with conditions it is told beside their count
            return "" if self.bounded else tongue.pick(f"，{thin}", f"; {thin}")
        known = place(tongue.book.claims[self.judged])
        return tongue.pick(f"（有{label}的{known}）", f", of the {known} that have it")

    def _without(self, whom: str, label: str, name: str, by: str, tongue: Tongue) -> Clause:
        """Who stands there has no such figure, or nobody has."""
        if self.placed:
            return Clause(
                by, saying_in(tongue, "screen_place_lacks", name=name, label=label),
            )  # fmt: skip
        return Clause(
            saying_in(tongue, "screen_no_order", whom=whom, label=label),
            tongue.pick("，以下按代码列出" if self.bounded else "", ""),
        )


class Unplaced(_OfScreen):
    """How many of the matches could not be ranked for want of the figure, the best known by name;
    the day they were counted where the figures told are of another (`told`).
    """

    kind: Literal["unplaced"] = "unplaced"
    field: str
    lacking: str
    told: str
    named: tuple[str, ...] = Field(min_length=1)
    more: bool = False

    @property
    def symbols(self) -> frozenset[str]:
        """As `Assertion.symbols`."""
        return frozenset(self.named)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        claim = self.count(book, self.lacking, f"unranked_{self.field}")
        need(isinstance(claim.cite, DerivedCite), "unknown_source")
        for symbol in self.named:
            need(not book.of(SCREEN_FIELDS[self.field], symbol), "not_missing", symbol)
        return Held("gap", self.field, uses=(claim, cited(book, self.told)))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        count, told = held.uses
        label, day = screen_label(self.field, tongue), count.as_of
        names = tongue.pick("、", ", ").join(called(one, tongue) for one in self.named)
        same = day == told.as_of
        on = tongue.pick("" if same else f"（{day}）", "not" if same else f"as of {day}, not")
        companies = "company" if count.value == 1 else "companies"
        among = "among them " if self.more else ""
        return Clause(
            tongue.pick(
                f"{names}{'等' if self.more else '共'}{place(count)}{on}没有{label}",
                f"{on} ranked for want of {label}: {place(count)} {companies}",
            ),
            tongue.pick("，未参与排名", f", {among}{names}"),
        )


def screen_label(field: str, tongue: Tongue) -> str:
    """What a field of the screen is called."""
    return label_within(SCREEN_FIELDS[field], tongue)
