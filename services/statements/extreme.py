"""The newest annual figure as the highest or lowest of all that are comparable."""

from typing import Literal

from pydantic import Field

from services.statements.alike import (
    cited,
    comparable_run,
    factor_of,
    need_in_a_row,
    stance_of,
)
from services.statements.book import Book
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue

_SIZE = 0.7


class ExtremeStatement(Statement):
    """`of` is one of `among`, which are all the comparable years."""

    kind: Literal["extreme"] = "extreme"
    of: str
    among: tuple[str, ...] = Field(min_length=4)

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        (one,) = cited(book, self.of)
        among = sorted(cited(book, *self.among), key=lambda each: each.as_of)
        need(one in among, "not_in_its_set")
        need_in_a_row(book, among)
        whole = comparable_run(book, one)
        need(len(whole) == len(among), "not_the_whole_set", f"{len(among)} / {len(whole)}")
        values = [each.value for each in among]
        highest, lowest = one.value == max(values), one.value == min(values)
        need(highest or lowest, "not_an_extreme")
        need(values.count(one.value) == 1, "tie")
        need(one == among[-1], "not_the_latest", one.period or "")
        way = 1 if highest else -1
        return Held(
            "highest" if highest else "lowest", one.metric, factor_of(one.metric),
            stance_of(book, one.metric, way), _SIZE, tuple(among), (),
            StatementTime(period=one.period),
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        count = tongue.number(len(held.uses))
        most = "高" if held.word == "highest" else "低"
        return Clause(
            tongue.stated(held.uses[-1]),
            tongue.pick(
                f"是{count}份年报里最{most}的", f"the {held.word} of {count} annual reports"
            ),
        )

    def brief(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.brief`."""
        count, name = tongue.number(len(held.uses)), tongue.label(held.topic)
        most = "高" if held.word == "highest" else "低"
        return tongue.pick(
            f"{name}为{count}份年报中最{most}",
            f"{name} is the {held.word} of {count} annual reports",
        )
