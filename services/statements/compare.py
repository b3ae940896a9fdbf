"""The subject's figure beside another company's, or the median of its peers.

A median of peers holds the subject (services/market/peers.py). One that leaves it out is of an
earlier version, which took the largest of the industry: it is told as what it is.
"""

from typing import Literal

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.core.limits import COMPETENCES
from services.core.text import Text
from services.statements.alike import (
    cited,
    factor_of,
    need_alike,
    need_own,
    print_alike,
    size_of,
    stance_of,
)
from services.statements.book import Book, basis, limit, method
from services.statements.deriving import apart
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue, number_words

MEDIAN = "_peer_median"
_LEAST = COMPETENCES["peers.industry"].values["least_peers"]
_PEERS = Text("同行", "its peers")


class CompareStatement(Statement):
    """`one` is the subject's, `other` what it is held against."""

    kind: Literal["compare"] = "compare"
    one: str
    other: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        one, other = cited(book, self.one, self.other)
        need_own(book, one)
        is_report = basis(one).startswith("report")
        if other.metric.endswith(MEDIAN):
            _need_median(book, one, other)
        else:
            _need_company(one, other)
        need(is_report or one.as_of == other.as_of, "day_differs", f"{one.as_of} / {other.as_of}")
        points = one.unit == "percent"
        need(points or (one.value > 0 and other.value > 0), "negative_base")
        if not points:
            scale, times = limit("scale_times"), one.value / other.value
            need(1 / scale < times < scale, "another_scale", f"{times:.3g}")
        far = one.value - other.value if points else (one.value / other.value - 1) * 100
        same = abs(far) < limit("alike_points" if points else "alike_share")
        word = "alike" if same or print_alike(one, other) else "above" if far > 0 else "below"
        times = not points and one.value > limit("far_times") * other.value
        made = () if word == "alike" else (apart(book, one, other, times=times),)
        way = {"above": 1, "below": -1, "alike": 0}[word]
        when = StatementTime(period=one.period) if is_report else StatementTime(day=one.as_of)
        return Held(
            word, one.metric, factor_of(one.metric), stance_of(book, one.metric, way),
            size_of(far / (10 if points else 60)), (one, other), made, when,
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        one, other = held.uses
        beside = _name_other(one, other, tongue)
        head = tongue.stated(one)
        if held.word == "alike":
            return Clause(head, tongue.pick(f"与{beside}相当", f"about {beside}"))
        far = tongue.figure(held.derived[0])
        if held.derived[0].unit == "multiple":
            return Clause(head, tongue.pick(f"是{beside}的 {far}", f"{far} {beside}"))
        higher = "高" if held.word == "above" else "低"
        return Clause(head, tongue.pick(f"比{beside}{higher} {far}", f"{far} {held.word} {beside}"))

    def brief(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.brief`."""
        if held.word == "alike":
            return ""
        name, other = tongue.label(held.topic), held.uses[1]
        far = bool(held.derived) and held.derived[0].unit == "multiple"
        higher = "高" if held.word == "above" else "低"
        if other.metric.endswith(MEDIAN):
            peers = peers_of(tongue, held.uses[0], other)
            return tongue.pick(
                f"{name}{'远' if far else ''}{higher}于{peers}中位数",
                f"{name} is {'far ' if far else ''}{held.word} the median of {peers}",
            )
        who = tongue.book.names.get(other.symbol, other.symbol)
        return tongue.pick(f"{name}{higher}于{who}", f"{name} is {held.word} that of {who}")


def peers_of(tongue: Tongue, one: Claim, median: Claim, *, counted: bool = True) -> str:
    """Of whom a median of peers is: how many have the figure, the subject among them."""
    inputs = tongue.book.inputs(median)
    count = number_words(len(inputs), tongue.language)
    if one.claim_id not in {each.claim_id for each in inputs}:
        return tongue.pick(f"{count}家大同行", f"{count} large peers")
    return tongue.pick(f"{count}家同行", f"{count} peers") if counted else _PEERS.in_language(
        tongue.language
    )  # fmt: skip


def _name_other(one: Claim, other: Claim, tongue: Tongue) -> str:
    figure = tongue.figure(other)
    if other.metric.endswith(MEDIAN):
        peers = peers_of(tongue, one, other)
        return tongue.pick(f"{peers}中位数 {figure}", f"the {figure} median of {peers}")
    who = tongue.book.names.get(other.symbol, other.symbol)
    return tongue.pick(f"{who}的 {figure}", f"the {figure} of {who}")


def _need_company(one: Claim, other: Claim) -> None:
    need_alike(one, other)
    need(one.symbol != other.symbol, "same_company")
    need(one.period == other.period, "period_differs", f"{one.period} / {other.period}")
    of_one = CATALOGUE[one.metric]
    comparable = of_one.unit != "per_share" and of_one.kind != "price"
    need(comparable, "not_comparable", one.metric)
    ends = abs((one.as_of - other.as_of).days) <= limit("year_end_days")
    is_report = basis(one).startswith("report")
    need(ends or not is_report, "year_ends_differ", f"{one.as_of} / {other.as_of}")


def _need_median(book: Book, one: Claim, other: Claim) -> None:
    """A median of enough others, each of the subject's own method, kind of time and period."""
    need(other.metric == one.metric + MEDIAN, "metric_differs", f"{one.metric} / {other.metric}")
    need_own(book, other)
    inputs = book.inputs(other)
    of_all = one.claim_id in {each.claim_id for each in inputs}
    need(of_all or one.symbol not in {each.symbol for each in inputs}, "median_holds_itself")
    least = _LEAST if of_all else limit("least_peers")
    need(len(inputs) >= least, "too_few_peers", str(len(inputs)))
    ways = {method(each) for each in inputs}
    need(ways == {method(one)}, "method_differs", " / ".join(sorted(ways | {method(one)})))
    kinds = {basis(each) for each in inputs} == {basis(one)}
    periods = {each.period for each in inputs} <= {one.period}
    need(kinds and (periods or not basis(one).startswith("report")), "period_differs")
    need(other.unit == one.unit, "unit_or_currency_differs", f"{one.unit} / {other.unit}")
