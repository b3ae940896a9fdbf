"""One figure at two times: an annual figure against the year before or the first known, a price
over a registered window.
"""

from typing import Literal

from services.core.claims import Claim
from services.core.limits import COMPETENCES
from services.statements.alike import (
    FLOWS,
    cited,
    comparable_run,
    factor_of,
    need_alike,
    need_newest,
    need_own,
    need_share_basis,
    print_alike,
    size_of,
    stance_of,
)
from services.statements.book import Book, basis, is_annual, limit
from services.statements.deriving import moved
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue

WINDOWS = tuple(int(value) for value in COMPETENCES["statement.windows"].values.values())
_MOVING = FLOWS | {
    *("close", "equity", "total_assets", "bps", "roe", "gross_margin", "net_margin"),
    "debt_to_assets",
}


class MoveStatement(Statement):
    """From `first` to `last`."""

    kind: Literal["move"] = "move"
    first: str
    last: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        first, last = cited(book, self.first, self.last)
        need_own(book, first, last)
        need_alike(first, last)
        need(last.metric in _MOVING, "not_a_move", last.metric)
        need(first.as_of < last.as_of, "not_later")
        need(basis(last) == "day" or is_annual(last), "basis_differs", basis(last))
        need_share_basis(book, first, last)
        if is_annual(last):
            _need_registered_year(book, first, last)
        else:
            _need_registered_day(book, first, last)
        positive = first.value > 0 and last.value > 0
        need(last.unit == "percent" or positive, "negative_base")
        made = moved(book, last, first)
        flat = print_alike(first, last) or made.value < 0.05
        word = "flat" if flat else "up" if last.value > first.value else "down"
        way = {"up": 1, "down": -1, "flat": 0}[word]
        if basis(last) == "day" and made.value < limit("near_share"):
            way = 0  # a price that moved less than it does any day
        when = StatementTime(period=last.period) if last.period else StatementTime(day=last.as_of)
        size = size_of(made.value / (10 if last.unit == "percent" else 50))
        return Held(
            word, last.metric, factor_of(last.metric), stance_of(book, last.metric, way), size,
            (last, first), (made,), when,
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        last, first = held.uses
        far = tongue.figure(held.derived[0])
        since = tongue.fiscal(first.period) if first.period else tongue.day(first.as_of)
        head, up = tongue.stated(last), held.word == "up"
        if held.word == "flat":
            return Clause(head, tongue.pick(f"与{since}持平", f"level with {since}"))
        way = "up" if up else "down"
        if first.period:
            base = tongue.figure(first)
            return Clause(
                head,
                tongue.pick(
                    f"比{since}的 {base}{'高' if up else '低'} {far}",
                    f"{way} {far} from {base} in {since}",
                ),
            )
        rose = "上涨" if up else "下跌"
        return Clause(head, tongue.pick(f"较{since}{rose} {far}", f"{way} {far} since {since}"))

    def brief(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.brief`."""
        if held.word == "flat":
            return ""
        first, up, name = held.uses[1], held.word == "up", tongue.label(held.topic)
        if first.period:
            since = tongue.fiscal(first.period)
            return tongue.pick(
                f"{name}{'高' if up else '低'}于{since}",
                f"{name} is {'above' if up else 'below'} {since}",
            )
        since = tongue.day(first.as_of)
        return tongue.pick(
            f"{tongue.price}较{since}{'上涨' if up else '下跌'}",
            f"{tongue.price} is {'up' if up else 'down'} since {since}",
        )


def _need_registered_year(book: Book, first: Claim, last: Claim) -> None:
    need_newest(book, last)
    run = comparable_run(book, last)
    apart = int((last.period or "0")[:4]) - int((first.period or "0")[:4])
    is_first = bool(run) and first.period == run[0].period
    need(apart == 1 or is_first, "base_year_chosen", first.period or "")


def _need_registered_day(book: Book, first: Claim, last: Claim) -> None:
    """So many bars back; packs written before 2026-11-28 also have the day the multiples were
    captured on.
    """
    need(last.as_of == book.last_day, "not_the_latest", str(last.as_of))
    days = [one.as_of for one in book.closes]
    back = len(days) - 1 - days.index(first.as_of) if first.as_of in days else -1
    valued = book.is_kept and any(one.as_of == first.as_of for one in book.of("market_cap"))
    need(back in WINDOWS or valued, "base_day_chosen", str(back))
    far = (last.as_of - first.as_of).days > limit("wrong_days")
    adjusted = "加法前复权" in (first.cite.note or "")
    need(not (far and adjusted), "adjusted_too_long")
