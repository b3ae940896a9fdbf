"""A figure of a report against the same period a year before."""

from typing import Literal

from services.core.claims import Claim
from services.statements.alike import (
    FLOWS,
    cited,
    factor_of,
    need_alike,
    need_own,
    need_share_basis,
    size_of,
    stance_of,
)
from services.statements.book import Book, basis, limit, method
from services.statements.deriving import moved
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue

_OF_LOSSES = {
    "to_loss": ("由盈转亏，上年为 {}", "turning to a loss from {} a year before"),
    "to_profit": ("扭亏为盈，上年为 {}", "turning to a profit from {} a year before"),
    "loss_wider": ("亏损扩大，上年为 {}", "a wider loss than {} a year before"),
    "loss_narrower": ("亏损收窄，上年为 {}", "a narrower loss than {} a year before"),
    "up_tiny": (
        "上年只有 {}，基数太低，增幅没有意义",
        "up from {}, a base too low for a rate to mean much",
    ),
    "down_tiny": (
        "上年为 {}，基数太低，降幅没有意义",
        "down from {}, a base too low for a rate to mean much",
    ),
}
_BRIEF = {
    "up": ("增长", "grew"),
    "down": ("下降", "fell"),
    "to_loss": ("由盈转亏", "turned to a loss"),
    "to_profit": ("扭亏为盈", "turned to a profit"),
    "loss_wider": ("亏损扩大", "is a larger loss"),
    "loss_narrower": ("亏损收窄", "is still a loss, but a smaller one"),
}


class ChangeStatement(Statement):
    """`now` and `base` lie a year apart; whether it grew is found."""

    kind: Literal["change"] = "change"
    now: str
    base: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`. An old year speaks neither for nor against."""
        now, base = cited(book, self.now, self.base)
        need_own(book, now, base)
        need_alike(now, base)
        need(now.metric in FLOWS, "not_a_flow", now.metric)
        need(basis(now).startswith("report"), "not_a_report")
        years = int((now.period or "0")[:4]) - int((base.period or "0")[:4])
        need(years == 1, "not_a_year_apart", f"{now.period} / {base.period}")
        need_share_basis(book, now, base)
        word = _word(now.value, base.value)
        rate: tuple[Claim, ...] = ()
        if word in {"up", "down"}:
            if _is_tiny(book, now, base):
                word += "_tiny"
            else:
                rate = (moved(book, now, base),)
        run = book.run(now.metric, method(now))
        is_annual_now = bool(run) and basis(now) == basis(run[-1])
        is_old = is_annual_now and now.period != max(run[-1].period or "", book.newest_report or "")
        way = 0 if word == "flat" or is_old else 1 if now.value > base.value else -1
        size = size_of(rate[0].value / 30) if rate else 0.0 if word == "flat" else 1.0
        return Held(
            word, now.metric, factor_of(now.metric), stance_of(book, now.metric, way), size,
            (now, base), rate, StatementTime(period=now.period),
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        now, base = held.uses
        head = tongue.stated(now)
        if held.word == "flat":
            return Clause(head, tongue.pick("与上年基本持平", "level with the year before"))
        if held.word in _OF_LOSSES:
            return Clause(head, tongue.pick(*_OF_LOSSES[held.word]).format(tongue.figure(base)))
        rate = tongue.figure(held.derived[0])
        grew = tongue.pick("增长" if held.word == "up" else "下降", held.word)
        return Clause(head, tongue.pick(f"同比{grew} {rate}", f"{grew} {rate} from a year before"))

    def brief(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.brief`."""
        if held.word not in _BRIEF:
            return ""
        fast = held.size > 0.6 and held.word in {"up", "down"}
        if tongue.zh:
            return f"{tongue.label(held.topic)}{'大幅' if fast else ''}{_BRIEF[held.word][0]}"
        sharp = (" fast" if held.word == "up" else " sharply") if fast else ""
        return f"{tongue.label(held.topic)} {_BRIEF[held.word][1]}{sharp}"


def _word(now: float, base: float) -> str:
    if base >= 0 > now:
        return "to_loss"
    if base < 0 <= now:
        return "to_profit"
    if base < 0:
        return "loss_wider" if now < base else "loss_narrower" if now > base else "flat"
    if base and abs(now / base - 1) * 100 < limit("flat_share"):
        return "flat"
    return "up" if now > base else "down" if now < base else "flat"


def _is_tiny(book: Book, now: Claim, base: Claim) -> bool:
    """The base is next to nothing, of itself or of revenue."""
    if base.value <= 0 or now.value / base.value > limit("tiny_base_times"):
        return True
    revenue = book.one("revenue", base.period)
    if base.metric != "net_profit" or revenue is None or revenue.unit != base.unit:
        return False
    return 0 < base.value / revenue.value * 100 < limit("tiny_base_share")
