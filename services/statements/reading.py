"""A macro figure of one month beside the month before; of a purchasing managers' index also on
which side of its line it lies.
"""

from typing import Literal

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.core.statement_formulas import STEPPED_INDEXES
from services.statements.alike import cited, need_alike, need_own, print_alike, size_of
from services.statements.book import Book, basis
from services.statements.deriving import moved
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue

_MONTHS = 12
_PMI = "macro.pmi"


class ReadingStatement(Statement):
    """The newest month `now`, and the month `before` it."""

    kind: Literal["reading"] = "reading"
    now: str
    before: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        now, before = cited(book, self.now, self.before)
        need_own(book, now, before)
        need_alike(now, before)
        need(CATALOGUE[now.metric].kind == "macro", "not_a_move", now.metric)
        need(basis(now) == "month", "basis_differs", basis(now))
        newest = max(book.of(now.metric), key=lambda one: one.as_of)
        need(newest.as_of == now.as_of, "not_the_latest", f"{now.period} / {newest.period}")
        need(_month(now) == _month(before) + 1, "gap_in_run", f"{before.period} / {now.period}")
        step = moved(book, now, before)
        word = "flat" if print_alike(now, before) else "up" if now.value > before.value else "down"
        made = (step, *_line(book, now))
        return Held(
            word, now.metric, "none", 0, size_of(step.value), (now, before), made,
            StatementTime(period=now.period),
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        now, before = held.uses
        step, *line = held.derived
        since, far = tongue.fiscal(before.period or ""), tongue.figure(step)
        told = {
            "flat": tongue.pick(f"与{since}持平", f"level with {since}"),
            "up": tongue.pick(f"比{since}高 {far}", f"up {far} from {since}"),
            "down": tongue.pick(f"比{since}低 {far}", f"down {far} from {since}"),
        }[held.word]
        for limit in line:
            above, at = now.value > limit.value, tongue.figure(limit)
            side_zh, side_en = ("之上", "above") if above else ("之下", "below")
            if now.value == limit.value:
                side_zh, side_en = "上", "at"
            told += tongue.pick(
                f"，在荣枯线 {at}{side_zh}", f", {side_en} the {at} line between growth and decline"
            )
        return Clause(tongue.stated(now), told)


def _month(claim: Claim) -> int:
    """Months since the year 0."""
    year, month = (claim.period or "0-0").split("-")
    return int(year) * _MONTHS + int(month)


def _line(book: Book, now: Claim) -> tuple[Claim, ...]:
    """The line of a purchasing managers' index; none of other figures."""
    if now.metric not in STEPPED_INDEXES:
        return ()
    return (book.rule(_PMI, "pmi_line", now.as_of),)
