"""What happened to a company on days: how far its price went, its extremes, its abnormal moves."""

from datetime import date
from typing import Literal

from services.core.claims import Claim, DerivedCite
from services.core.expressions import METRIC
from services.core.rendering import place
from services.core.sessions import GAPPED
from services.core.text import Text
from services.query.assertions.assertion import called
from services.query.assertions.of_company import OfCompany
from services.query.sayings import saying_in
from services.statements.alike import print_alike
from services.statements.book import Book
from services.statements.event import EventStatement
from services.statements.statement import Clause, Held, need
from services.statements.tongue import Tongue


class Went(OfCompany):
    """The last close of some days and, where there is one, how far it is from the close before
    them: `change` is worked out of the two.
    """

    kind: Literal["went"] = "went"
    last: str
    first: str | None = None
    change: str | None = None

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        last = self.own(book, self.last)
        need(last.metric == "close", "metric_differs", last.metric)
        if self.first is None or self.change is None:
            return Held("level", "close", uses=(last,))
        first, change = self.own(book, self.first), self.own(book, self.change)
        need(first.as_of < last.as_of, "not_later")
        need((first.metric, change.metric) == ("close", "run_change"), "metric_differs")
        inputs = change.cite.inputs if isinstance(change.cite, DerivedCite) else ()
        need(inputs == (self.last, self.first), "not_the_inputs_of_the_rule", change.claim_id)
        word = "flat" if print_alike(first, last) else "up" if change.value > 0 else "down"
        return Held(word, "close", uses=(last, first, change))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        who, last = called(self.symbol, tongue), held.uses[0]
        head = saying_in(tongue, "closed_at", who=who, as_of=last.as_of, last=place(last))
        if held.word == "level":
            return Clause(head)
        first, change = held.uses[1:]
        if held.word == "flat":
            return Clause(
                head, tongue.pick(f"，与 {first.as_of} 持平", f", level with {first.as_of}")
            )
        up = held.word == "up"
        far = tongue.size(change)
        return Clause(
            head,
            tongue.pick(
                f"，较 {first.as_of} 的 {place(first)}{'上涨' if up else '下跌'} {far}",
                f", {'up' if up else 'down'} {far} from {place(first)} on {first.as_of}",
            ),
        )


class SpanExtreme(OfCompany):
    """The highest or the lowest price of a span; `over` is that of its sessions, worked out; not
    `whole`: of the bars there are, some being lost.
    """

    kind: Literal["span_extreme"] = "span_extreme"
    claim: str
    over: str
    days: tuple[date, date]
    whole: bool = True

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        one, over = self.own(book, self.claim), self.own(book, self.over)
        how = {"high": "max", "low": "min"}.get(one.metric, "")
        first, last = self.days
        cite = over.cite
        need(isinstance(cite, DerivedCite), "another_formula", over.metric)
        assert isinstance(cite, DerivedCite)  # noqa: S101 - for the type checker: need() raised
        text = f"{how}({series_text(one.metric, first, last)})"
        need(over.metric == METRIC and cite.formula == text, "another_formula", cite.formula)
        need(self.whole != is_gapped(over), "not_in_its_set")
        need(one.value == over.value, "not_an_extreme")
        need(first <= one.as_of <= last, "not_in_its_set")
        return Held("highest" if how == "max" else "lowest", one.metric, uses=(one,))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        who, one = called(self.symbol, tongue), held.uses[0]
        most = Text("最高价", "high") if held.word == "highest" else Text("最低价", "low")
        of = Text("区间", "the span") if self.whole else Text("已有日线中的", "the bars there are")
        return Clause(
            saying_in(tongue, "span_extreme", who=who, of=of, most=most, figure=place(one)),
            tongue.pick(f"（{one.as_of}）", f" ({one.as_of})"),
        )


def is_gapped(over: Claim) -> bool:
    """Whether a figure over the bars of days lacks some of their sessions."""
    return (over.cite.note or "").startswith(GAPPED)


def series_text(metric: str, first: date, last: date) -> str:
    """The bars of these days as an expression names them."""
    return f"series({metric}, d{first:%Y%m%d}, d{last:%Y%m%d})"


class Abnormal(OfCompany):
    """An abnormal session or stretch with what it is made of, as the timeline tells it."""

    kind: Literal["abnormal"] = "abnormal"
    event: EventStatement
    start: date
    end: date

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        held = self.event.prove(book)
        need(held.word in {"up", "down"}, "signs_disagree")
        own = [one for one in held.uses if one.symbol == self.symbol]
        need(max(one.as_of for one in own) == self.end, "day_differs", str(self.end))
        spans = [one.days for one in self.event.parts if one.what == "stretch" and one.days]
        known = spans[0][0] if spans else self.end
        need(known == self.start, "day_differs", str(self.start))
        return held

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        who, run, up = called(self.symbol, tongue), self.start != self.end, held.word == "up"
        day = str(self.end)
        if run:
            day = tongue.pick(f"{self.start} 至 {self.end}", f"{self.start} to {self.end}")
        told = "".join(self.event.told(tongue))
        if tongue.zh:
            head = f"{who} {day} 异动{'区间' if run else '点'}，{'涨' if up else '跌'}："
            return Clause(head, told)
        kind, way = "run" if run else "point", "up" if up else "down"
        return Clause(f"{who} {day} abnormal {kind}, {way}: ", told[:1].upper() + told[1:])
