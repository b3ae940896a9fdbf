"""Multiples that are older than the price: how far the price has gone since."""

from typing import Literal

from services.core.catalogue import CATALOGUE
from services.statements.alike import cited, need_own, print_alike
from services.statements.book import Book, limit
from services.statements.deriving import moved
from services.statements.statement import Clause, Held, Statement, need
from services.statements.tongue import Tongue


class OutdatedStatement(Statement):
    """`multiple` is of the day of `first`, a close; `last` is the newest one."""

    kind: Literal["outdated"] = "outdated"
    multiple: str
    first: str
    last: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        multiple, first, last = cited(book, self.multiple, self.first, self.last)
        need_own(book, multiple, first, last)
        of_price = CATALOGUE[multiple.metric].kind == "valuation"
        closes = first.metric == last.metric == "close"
        need(of_price and closes, "not_the_inputs_of_the_rule")
        need(multiple.as_of == first.as_of, "day_differs", f"{multiple.as_of} / {first.as_of}")
        need(last.as_of == book.last_day, "not_the_latest", str(last.as_of))
        need((last.as_of - first.as_of).days > limit("old_multiple_days"), "not_later")
        made = moved(book, last, first)
        flat = print_alike(first, last)
        word = "flat" if flat else "up" if last.value > first.value else "down"
        return Held(
            word, multiple.metric, "valuation", 0, 0.3, (multiple, first, last), (made,)
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        day, far = tongue.day(held.uses[0].as_of), tongue.figure(held.derived[0])
        if held.word == "flat":
            told = ("股价没有变", "the price has not moved since")
        else:
            up = held.word == "up"
            told = (
                f"股价已{'上涨' if up else '下跌'} {far}",
                f"the price has {'risen' if up else 'fallen'} {far} since",
            )
        return Clause(
            tongue.pick(
                f"上述倍数是{day}的，此后{told[0]}，倍数没有随之更新",
                f"these multiples are of {day}; {told[1]}, and they have not been updated",
            )
        )
