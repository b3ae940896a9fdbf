"""Three or more annual figures in a row, to the newest, as far back as the run goes."""

from itertools import pairwise
from typing import Literal

from pydantic import Field

from services.core.claims import Claim
from services.core.statement_formulas import YEARS
from services.statements.alike import (
    cited,
    comparable_run,
    factor_of,
    need_in_a_row,
    need_newest,
    stance_of,
)
from services.statements.book import Book, limit
from services.statements.deriving import derived
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue

_SIZES = {"up": 0.8, "down": 0.8, "up_down": 0.5, "down_up": 0.5, "mixed": 0.1}
_TURNS = {
    "up_down": ("起先升后降", "having risen and then fallen"),
    "down_up": ("起先降后升", "having fallen and then risen"),
    "mixed": ("起有升有降", "up and down"),
}


class TrendStatement(Statement):
    """The figures, oldest first. The run is whole: it goes on no farther back."""

    kind: Literal["trend"] = "trend"
    claims: tuple[str, ...] = Field(min_length=3)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        claims = cited(book, *self.claims)
        need_in_a_row(book, claims)
        need_newest(book, claims[-1])
        points = claims[0].unit == "percent"
        values = [one.value for one in claims]
        need(points or min(values) > 0, "negative_base")
        still = limit("still_points") if points else 0.0
        word = _word(values, still)
        whole = comparable_run(book, claims[0])
        before = whole[: max(0, len(whole) - len(claims))]
        goes_on = bool(before) and _word([before[-1].value, values[0]], still) == word
        part = goes_on or (bool(before) and word not in {"up", "down"})
        need(not part, "not_the_whole_run", f"{len(claims)} / {len(whole)}")
        made = _yearly(book, claims, word) if word in {"up", "down"} and not points else ()
        way = {"up": 1, "down": -1}.get(word, 0)
        topic = claims[0].metric
        return Held(
            word, topic, factor_of(topic), stance_of(book, topic, way), _SIZES[word],
            tuple(claims), made, StatementTime(period=claims[-1].period),
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        first, last = held.uses[0], held.uses[-1]
        year, base = tongue.fiscal(first.period or ""), tongue.figure(first)
        since_zh, since_en = f"自{year}（{base}）", f"from {base} in {year}"
        head = tongue.stated(last)
        if held.word in _TURNS:
            zh, en = _TURNS[held.word]
            return Clause(head, tongue.pick(since_zh + zh, f"{en} {since_en}"))
        years = tongue.number(len(held.uses) - 1)
        up = held.word == "up"
        grew = "上升" if first.unit == "percent" else "增长"
        tail = tongue.pick(
            f"{since_zh}起连续{years}年{grew if up else '下降'}",
            f"{held.word} {years} years running {since_en}",
        )
        if held.derived:
            rate = tongue.figure(held.derived[0])
            tail += tongue.pick(f"，年均{'增长' if up else '下降'} {rate}", f", {rate} a year")
        return Clause(head, tail)

    def brief(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.brief`."""
        if held.word in _TURNS:
            return ""
        years, up = tongue.number(len(held.uses) - 1), held.word == "up"
        name = tongue.label(held.topic)
        grew = "上升" if held.uses[0].unit == "percent" else "增长"
        return tongue.pick(
            f"{name}连续{years}年{grew if up else '下降'}",
            f"{name} has {'risen' if up else 'fallen'} {years} years running",
        )


def _word(values: list[float], still: float) -> str:
    ups = [later > earlier + still for earlier, later in pairwise(values)]
    downs = [later < earlier - still for earlier, later in pairwise(values)]
    if all(ups):
        return "up"
    if all(downs):
        return "down"
    for turn in range(1, len(ups)):
        if all(ups[:turn]) and all(downs[turn:]):
            return "up_down"
        if all(downs[:turn]) and all(ups[turn:]):
            return "down_up"
    return "mixed"


def _yearly(book: Book, claims: list[Claim], word: str) -> tuple[Claim, ...]:
    """The average a year; none where the run is too long, or starts next to nothing."""
    years, values = len(claims) - 1, [one.value for one in claims]
    tiny = max(values) / min(values) > limit("tiny_base_times") and len(values) < 6
    if tiny or years not in YEARS:
        return ()
    name, sign = ("rise", "") if word == "up" else ("fall", "-")
    expression = f"{sign}yearly(later, earlier, {years})"
    metric = f"{claims[0].metric}_yearly_{name}"
    return (derived(book, metric, (claims[-1], claims[0]), expression),)
