"""Growth of the newest year beside growth of the year before."""

from typing import Literal

from services.statements.alike import (
    FLOWS,
    cited,
    factor_of,
    need_in_a_row,
    need_newest,
    size_of,
    stance_of,
)
from services.statements.book import Book, limit
from services.statements.deriving import moved
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue

_TAILS = {
    "faster": ("增速由上年的 {} 加快", "faster than the {} of the year before"),
    "slower": ("增速由上年的 {} 放缓", "slower than the {} of the year before"),
    "even": ("幅度与上年的 {} 相近", "much as the {} of the year before"),
    "turned_down": ("上年还增长 {}", "after a rise of {} the year before"),
    "turned_up": ("上年下降 {}", "after a fall of {} the year before"),
    "fall_eased": ("降幅较上年的 {} 收窄", "a smaller fall than the {} of the year before"),
    "fall_deeper": ("降幅较上年的 {} 扩大", "a deeper fall than the {} of the year before"),
}
_BRIEFS = {
    "faster": ("增速加快", "growth picked up"),
    "slower": ("增速放缓", "growth slowed"),
    "turned_down": ("由增转降", "turned down"),
    "turned_up": ("由降转增", "turned up"),
    "fall_deeper": ("降幅扩大", "fell faster"),
}
_WAYS = {"faster": 1, "turned_up": 1, "slower": -1, "turned_down": -1, "fall_deeper": -1}


class PaceStatement(Statement):
    """Three annual figures in a row, to the newest."""

    kind: Literal["pace"] = "pace"
    claims: tuple[str, str, str]

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        first, before, now = claims = cited(book, *self.claims)
        need_in_a_row(book, claims)
        need(now.metric in FLOWS, "not_a_flow", now.metric)
        need_newest(book, now)
        need(min(one.value for one in claims) > 0, "negative_base")
        times = max(before.value / first.value, now.value / before.value)
        need(times <= limit("tiny_base_times"), "tiny_base")
        last, then = moved(book, now, before), moved(book, before, first)
        now_rate, then_rate = (
            (now.value / before.value - 1) * 100,
            (before.value / first.value - 1) * 100,
        )
        word = _word(now_rate, then_rate)
        return Held(
            word, now.metric, factor_of(now.metric),
            stance_of(book, now.metric, _WAYS.get(word, 0)), size_of((now_rate - then_rate) / 20),
            tuple(claims), (last, then), StatementTime(period=now.period),
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        now = held.uses[2]
        last, then = (tongue.figure(one) for one in held.derived)
        up = now.value >= held.uses[1].value
        own = tongue.pick(
            f"同比{'增长' if up else '下降'} {last}，",
            f"{'up' if up else 'down'} {last} from a year before, ",
        )
        return Clause(tongue.stated(now), own + tongue.pick(*_TAILS[held.word]).format(then))

    def brief(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.brief`."""
        if held.word not in _BRIEFS:
            return ""
        zh, en = _BRIEFS[held.word]
        name = tongue.label(held.topic)
        return tongue.pick(name + zh, f"{name} {en}")


def _word(now: float, then: float) -> str:
    if now * then < 0:
        return "turned_up" if now > 0 else "turned_down"
    if abs(now - then) < limit("pace_points"):
        return "even"
    if now >= 0:
        return "faster" if now > then else "slower"
    return "fall_eased" if now > then else "fall_deeper"
