"""The same figure of several companies: who has more, and of two how much."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from pydantic import Field

from services.core.claims import Claim
from services.core.differences import closes_in_full
from services.core.formulas import BESIDE
from services.core.periods import is_report
from services.core.rendering import place
from services.query.algebra.nodes import Course
from services.query.assertions.assertion import (
    Assertion,
    OfQuery,
    RowOf,
    called,
    cited,
    label_within,
    need_called,
)
from services.statements.alike import print_alike
from services.statements.book import Book, basis, is_estimated, limit
from services.statements.statement import Clause, Held, need
from services.statements.tongue import Tongue


class Ordered(Assertion):
    """Claims of several companies, the highest first."""

    kind: Literal["ordered"] = "ordered"
    claims: tuple[str, ...] = Field(min_length=2)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        return prove_order(book, [cited(book, name) for name in self.claims])

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        return tell_order(held, label_within(held.topic, tongue), tongue)


class OrderedBy(OfQuery):
    """Rows of a query, the highest first by the one figure it shows."""

    kind: Literal["ordered_by"] = "ordered_by"
    rows: tuple[RowOf, ...] = Field(min_length=2)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        (shown,) = self.query.show
        claims: list[Claim] = []
        for row in self.rows:
            (one,) = row.figures
            need(one is not None and one.claim is not None, "unknown_claim")
            name = str(one.claim if one is not None else "")
            need_called(book, name, shown, self.writer(row), row.symbol)
            claims.append(book.claims[name])
        return prove_order(book, claims)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        (shown,) = self.query.show
        is_fall = isinstance(shown, Course) and shown.how == "drawdown"
        return tell_order(held, self.teller(tongue).tell(shown), tongue, is_fall=is_fall)


def prove_order(book: Book, claims: list[Claim]) -> Held:
    """They may be compared, and stand in that order. Raises: BrokenError."""
    names = [one.symbol for one in claims]
    need(len(set(names)) == len(names), "same_company")
    for code, told in (
        ("metric_differs", {one.metric for one in claims}),
        ("unit_or_currency_differs", {one.unit for one in claims}),
        ("basis_differs", {basis(one) for one in claims}),
        ("period_differs", {one.period for one in claims if is_report(one.period)}),
    ):
        # A currency or a year is told as it is; the others are names of ours and no reader's.
        is_word = code in ("unit_or_currency_differs", "period_differs")
        need(len(told) < 2, code, " / ".join(sorted(map(str, told))) if is_word else "")
    days = sorted(one.as_of for one in claims)
    if all(is_report(one.period) for one in claims):
        need((days[-1] - days[0]).days <= limit("year_end_days"), "year_ends_differ")
    need(all(a.value >= b.value for a, b in pairwise(claims)), "not_in_order")
    topic = claims[0].metric
    if len(claims) > 2:
        return Held("ordered", topic, uses=tuple(claims))
    high, low = claims
    if print_alike(high, low):
        return Held("alike", topic, uses=(high, low))
    made = [
        book.derive(f"{topic}_{word}", (high, low), text)
        for word, text in (("difference", "one - other"), ("ratio", "one / other"))
        if topic in BESIDE and not _is_of_two_days(claims)
        if word == "difference" or low.value > 0
    ]
    return Held("above", topic, uses=(high, low), derived=tuple(one for one in made if one))


def _is_of_two_days(claims: Sequence[Claim]) -> bool:
    """Whether they are of days, and not of one: then when each is of is said, and no gap."""
    return len({one.as_of for one in claims if not is_report(one.period)}) > 1


def tell_order(held: Held, name: str, tongue: Tongue, *, is_fall: bool = False) -> Clause:
    """Of two who has more, how much and how many times; of several their order. Of falls, which are
    below nought, whose is deeper.
    """
    names = [called(one.symbol, tongue) for one in held.uses]
    if _is_of_two_days(held.uses):
        days = [one.as_of.isoformat() for one in held.uses]
        names = [
            tongue.pick(f"{who}（{day}）", f"{who} ({day})")
            for who, day in zip(names, days, strict=True)
        ]
    if held.word == "ordered":
        zh, en = ("从高到低", "highest to lowest")
        if is_fall:
            zh, en = ("从浅到深", "shallowest to deepest")
        return Clause(
            tongue.pick(f"{name}{zh}：", f"{name} from {en}: "),
            tongue.pick("、", ", ").join(names),
        )
    if held.word == "alike":
        return Clause(tongue.pick(f"两者{name}相同", f"their {name} is the same"))
    who, whom = names
    if is_fall:
        told = f"the {name} of {whom} is deeper than that of {who}"
        return Clause(tongue.pick(f"{whom}的{name}比{who}深", told))
    head = tongue.pick(f"{who}的{name}高于{whom}", f"the {name} of {who} is above that of {whom}")
    guess = tongue.pick("约 ", "about ") if any(map(is_estimated, held.uses)) else ""
    tail, parts = "", {each.claim_id: each for each in held.uses}
    for one in held.derived:
        if one.metric.endswith("_difference"):
            exact = guess or closes_in_full(one, parts, tongue.language)
            rough = guess if exact else tongue.pick("约 ", "about ")
            tail += tongue.pick(f"，相差{rough or ' '}", f", by {rough}") + place(one)
        else:
            tail += tongue.pick(f"，前者是后者的{guess or ' '}", f", {guess}") + place(one)
            tail += tongue.pick("", " as high")
    return Clause(head, tail)
