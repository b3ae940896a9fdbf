"""A day's abnormal move with the index's beside it. Its cause is not told: nobody proved one."""

from typing import Literal

from services.core.indexes import INDEXES
from services.core.limits import COMPETENCES
from services.statements.alike import cited, need_own, size_of
from services.statements.book import Book
from services.statements.statement import Clause, Held, Statement, need
from services.statements.tongue import Tongue

_Z = "abnormal.z60"


class Event(Statement):
    """The day's deviation, the day's change, and the index's change of that day."""

    kind: Literal["event"] = "event"
    z: str
    change: str
    index: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        z, change, index = cited(book, self.z, self.change, self.index)
        need_own(book, z, change)
        metrics = (z.metric, change.metric, index.metric)
        need(metrics == ("return_z", "pct_change", "pct_change"), "not_the_inputs_of_the_rule")
        known = index.symbol != book.symbol and index.symbol in INDEXES
        need(known, "not_an_index", index.symbol)
        need(z.as_of == change.as_of == index.as_of, "day_differs")
        need(abs(z.value) >= COMPETENCES[_Z].values["z_limit"], "below_its_limit", f"{z.value:.2g}")
        need((z.value > 0) == (change.value > 0), "signs_disagree")
        word = "up" if change.value > 0 else "down"
        word += "_against" if change.value * index.value < 0 else "_with"
        age = (book.last_day - z.as_of).days if book.last_day else 0
        size = size_of(z.value / 6) * max(0.2, 1 - age / 365)
        return Held(word, "return_z", "event", 0, size, (change, index, z))

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        change, index, z = (tongue.figure(one) for one in held.uses)
        known, day = INDEXES[held.uses[1].symbol], held.uses[0].as_of
        against = held.word.endswith("against")
        other = "反向 " if against else ""
        return Clause(
            tongue.pick(
                f"{tongue.day(day)}收盘涨跌幅 {change}，{known.zh}同日{other}{index}，"
                f"偏离此前 60 日均值 {z}，原因不明",
                f"on {tongue.day(day)} the close changed {change} ({known.en} "
                f"{'the other way, ' if against else ''}{index}), {z} from its 60-session mean, "
                "cause unknown",
            )
        )
