"""One figure of a company, why there is none, and one figure over its periods."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from pydantic import Field

from services.core.claim_names import is_of_day, name_claim
from services.core.claims import Claim
from services.core.periods import is_report
from services.core.rendering import place
from services.core.text import Text
from services.market.report_sheet import MULTIPLES
from services.query.answering.labels import period_label
from services.query.assertions.assertion import Assertion, Dates, called, cited, label_within
from services.query.sayings import saying_in
from services.statements.alike import FLOWS, need_in_a_row, print_alike
from services.statements.book import Book
from services.statements.compare import MEDIAN, peers_of
from services.statements.statement import BrokenError, Clause, Held, StatementTime, need
from services.statements.tongue import Tongue

_PERIODS_TOLD = 6
_PRICES = frozenset({"close", "current_price", "price_implied"})
_PROFITS = frozenset({"net_profit", "forecast_net_profit"})
_GROWTH = frozenset({"revenue_yoy", "net_profit_yoy"})
_FAR = {
    "above": Text("高于", "above"),
    "below": Text("低于", "below"),
    "alike": Text("相当于", "level with"),
}
_GROWING = FLOWS | {"equity", "total_assets", "bps", "market_cap"}


class OfCompany(Assertion):
    """Of one company."""

    symbol: str

    @property
    def subject(self) -> str:
        """As `Assertion.subject`."""
        return self.symbol

    def own(self, book: Book, name: str) -> Claim:
        """The company's claim of that id. Raises: BrokenError."""
        claim = cited(book, name)
        need(claim.symbol == self.symbol, "other_company", claim.symbol)
        return claim


class One(OfCompany):
    """One figure with the report or the day it is of; a loss is called one."""

    kind: Literal["one"] = "one"
    claim: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        claim = self.own(book, self.claim)
        word = "loss" if claim.metric in _PROFITS and claim.value < 0 else "level"
        if claim.metric in _GROWTH and claim.value < 0:
            word = "down"
        return Held(
            word, claim.metric, uses=(claim,), when=StatementTime(claim.period, claim.as_of)
        )

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        claim, dates = held.uses[0], Dates(tongue)
        who, name = called(self.symbol, tongue), label_within(claim.metric, tongue)
        time = dates.time(claim)
        if not _is_of_report(claim, time):
            guess = dates.guess(claim)
            of, verb = ("", " ") if claim.metric in _PRICES else ("的", "为 ")
            return Clause(
                tongue.pick(f"{who}{of}{name}{verb}", f"{who}: {name} ") + place(claim),
                tongue.pick(f"（{time}{guess}）", f" ({time}{guess})"),
            )
        period, guess = period_label(claim.period or "").in_language(tongue.language), dates.guess(
            claim, alone=True
        )  # fmt: skip
        lost, fell = held.word == "loss", held.word == "down"
        worded, verb = ("亏损，", " ") if lost else ("的", "为 ")
        head = tongue.pick(
            f"{who} {period}{worded}{name}{verb}",
            f"{who}, {period}: {'a loss, ' if lost else ''}{name} ",
        )
        down = tongue.pick("（下降）", " (down)") if fell else ""
        return Clause(head + place(claim), down + guess)


class SideBySide(OfCompany):
    """Figures of one company, or of one macro series, and of one time. `bare`: its name goes
    without saying.
    """

    kind: Literal["side_by_side"] = "side_by_side"
    claims: tuple[str, ...] = Field(min_length=1)
    bare: bool = False

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        claims = tuple(self.own(book, name) for name in self.claims)
        need(len({one.metric for one in claims}) == len(claims), "duplicate")
        times = {one.period or one.as_of.isoformat() for one in claims}
        need(len(times) == 1, "period_differs", " / ".join(sorted(times)))
        return Held("level", claims[0].metric, uses=claims)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        first, who = held.uses[0], "" if self.bare else called(self.symbol, tongue)
        time = first.as_of.isoformat()
        if first.period:
            time = period_label(first.period).in_language(tongue.language)
        told = [f"{label_within(one.metric, tongue)} {place(one)}" for one in held.uses]
        head = tongue.pick(f"{who}（{time}）", f"{who} ({time})") if who else time
        return Clause(head + tongue.pick("：", ": "), tongue.comma.join(told))


class Standing(OfCompany):
    """A figure beside the median of its peers, with its place among them where it has one. The
    median is of those that are ranked; one without the company is of an earlier version.
    """

    kind: Literal["standing"] = "standing"
    claim: str
    median: str
    rank: str | None = None
    count: str | None = None

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        own, median = self.own(book, self.claim), self.own(book, self.median)
        need(median.metric == own.metric + MEDIAN, "metric_differs", median.metric)
        need(median.unit == own.unit, "unit_or_currency_differs")
        among = {one.claim_id for one in book.inputs(median)}
        placed: list[Claim] = []
        if self.rank is not None and self.count is not None:
            rank, count = self.own(book, self.rank), self.own(book, self.count)
            pair = (f"{own.metric}_peer_rank", f"{own.metric}_peer_count")
            need((rank.metric, count.metric) == pair, "count_of_another")
            ranked = book.inputs(rank)
            every = {one.claim_id for one in ranked}
            same = among in (every, every - {own.claim_id}) and len(every) == count.value
            need(same, "count_of_another")
            higher = sum(one.value > own.value for one in ranked)
            need(1 + higher == rank.value, "rank_wrong")
            placed = [rank, count]
        far = own.value - median.value
        word = "alike" if print_alike(own, median) else "above" if far > 0 else "below"
        return Held(word, own.metric, uses=(own, median, *placed))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        own, median, *placed = held.uses
        who, name = called(self.symbol, tongue), Text(*name_claim(own))
        day = own.as_of.isoformat()
        head = saying_in(tongue, "standing", who=who, name=name, own=place(own), day=day)
        far, peers = _FAR[held.word], peers_of(tongue, own, median, counted=not placed)
        tail = saying_in(tongue, "against_median", far=far, peers=peers, median=place(median))
        if placed:
            rank, count = map(place, placed)
            tail += saying_in(tongue, "rank_among", count=count, rank=rank)
        return Clause(head, tail)


class LackingFigure(OfCompany):
    """A figure there is none of, and why: of that report where one was asked about, of any report
    where several were (`reports`).
    """

    kind: Literal["lacking"] = "lacking"
    metric: str
    period: str = ""
    reports: bool = False
    why: Text

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        known = [one for one in book.of(self.metric) if self.period in {"", one.period}]
        if self.reports:
            known = [one for one in known if is_report(one.period) and not is_of_day(one)]
        need(not known, "not_missing", self.metric)
        return Held("gap", self.metric)

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        who, name = called(self.symbol, tongue), label_within(self.metric, tongue)
        why = self.why.in_language(tongue.language)
        if self.period:
            of = period_label(self.period).in_language(tongue.language)
            who = tongue.pick(f"{who} {of}", f"{who}, {of}")
        return Clause(tongue.pick(f"{who}的{name}暂缺", f"{who}, {name}"),
                      tongue.pick(f"：{why}", f": {why}"))  # fmt: skip


class CourseOfFigure(OfCompany):
    """One figure over its periods, the newest first; of many the newest and the oldest are told.
    Where they are years in a row it says whether each was above, or below, the one before.
    """

    kind: Literal["course"] = "course"
    claims: tuple[str, ...] = Field(min_length=1)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        claims = [self.own(book, name) for name in self.claims]
        metrics = {one.metric for one in claims}
        need(len(metrics) == 1, "metric_differs", " / ".join(sorted(metrics)))
        later = all(a.as_of > b.as_of for a, b in pairwise(claims))
        need(later and all(one.period for one in claims), "not_later")
        return Held(_way(book, claims[::-1]), claims[0].metric, uses=tuple(claims))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        claims, dates = held.uses, Dates(tongue)
        who, name = called(self.symbol, tongue), label_within(held.topic, tongue)
        few = len(claims) <= _PERIODS_TOLD
        told: list[str] = []
        for one in claims if few else (claims[0], claims[-1]):
            period = period_label(one.period or "").in_language(tongue.language)
            lost = one.metric in _PROFITS and one.value < 0
            loss = tongue.pick("亏损，", "a loss, ") if lost else ""
            told.append(f"{period} {loss}{place(one)}{dates.guess(one, alone=True)}")
        head = tongue.pick(f"{who}的{name}：", f"{who}, {name}: ")
        if few:
            head += tongue.pick("；", "; ").join(told)
        else:
            head += saying_in(tongue, "newest_and_oldest", first=told[0], last=told[1])
        return Clause(head, self._tell_way(held, tongue))

    def _tell_way(self, held: Held, tongue: Tongue) -> str:
        if held.word == "listed":
            return ""
        up, two = held.word == "up", len(held.uses) == 2
        grew = ("增长" if held.topic in _GROWING else "上升") if up else "下降"
        way = "up" if up else "down"
        return tongue.pick(
            f"，{'较上年' if two else '逐年'}{grew}",
            f"; {way} {'from the year before' if two else 'every year'}",
        )


def _way(book: Book, claims: Sequence[Claim]) -> str:
    """Whether every year was above the one before, or below; else they are only listed."""
    try:
        need_in_a_row(book, claims)
    except BrokenError:
        return "listed"
    positive = claims[0].unit == "percent" or min(one.value for one in claims) > 0
    if len(claims) < 2 or not positive or any(print_alike(*pair) for pair in pairwise(claims)):
        return "listed"
    ways = {b.value > a.value for a, b in pairwise(claims)}
    return "listed" if len(ways) > 1 else "up" if ways == {True} else "down"


def _is_of_report(claim: Claim, time: str) -> bool:
    if not claim.period or (time == claim.as_of.isoformat() and is_report(claim.period)):
        return False
    return is_report(claim.period) or claim.metric not in MULTIPLES
