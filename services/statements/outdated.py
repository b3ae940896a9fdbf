"""Multiples of an older price: which, and how far the price has gone since."""

from typing import Literal

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.core.formulas import ONE_SHARE
from services.core.source_marks import priced_on
from services.core.statement_formulas import SINCE_VALUED
from services.statements.alike import cited, need_own, print_alike
from services.statements.book import Book, limit
from services.statements.deriving import derived, moved
from services.statements.statement import Clause, Held, Statement, need
from services.statements.tongue import Tongue

_IMPLIED = "price_implied"


class OutdatedStatement(Statement):
    """`multiple` was taken at the price `first`, of the same answer; `last` is the newest close.

    Packs written before 2026-11-28 have for `first` the close of the day it was captured on, which
    need not be the price it stands on.
    """

    kind: Literal["outdated"] = "outdated"
    multiple: str
    first: str
    last: str

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        multiple, first, last = cited(book, self.multiple, self.first, self.last)
        need_own(book, multiple, first, last)
        is_multiple = CATALOGUE[multiple.metric].kind == "valuation"
        prices = {_IMPLIED, "close"} if book.is_kept else {_IMPLIED}
        known = first.metric in prices and last.metric == "close"
        need(is_multiple and known, "not_the_inputs_of_the_rule")
        need(multiple.as_of == first.as_of, "day_differs", f"{multiple.as_of} / {first.as_of}")
        need(last.as_of == book.last_day, "not_the_latest", str(last.as_of))
        need((last.as_of - first.as_of).days > limit("old_multiple_days"), "not_later")
        up = last.value > first.value
        if first.metric == _IMPLIED:
            _need_same_share(book, multiple, first)
            word, expression = ("rise", SINCE_VALUED[0]) if up else ("fall", SINCE_VALUED[1])
            made = derived(book, f"close_{word}", (last, first), expression)
        else:
            made = moved(book, last, first)
        told = "flat" if print_alike(first, last) else "up" if up else "down"
        return Held(
            told, multiple.metric, "valuation", 0, 0.3, (multiple, first, last), (made,)
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        multiple, first = held.uses[:2]
        far = tongue.figure(held.derived[0])
        if held.word == "flat":
            told = ("股价没有变", "the price has not moved since")
        else:
            up = held.word == "up"
            told = (
                f"股价已{'上涨' if up else '下跌'} {far}",
                f"the price has {'risen' if up else 'fallen'} {far} since",
            )
        if first.metric == _IMPLIED:
            day, price = tongue.day(priced_on(multiple)), tongue.figure(first)
            of = tongue.pick(f"按{day}的股价 {price}计", f"at the price of {day}, {price}")
        else:
            day = tongue.day(first.as_of)
            of = tongue.pick(f"是{day}的", f"of {day}")
        return Clause(
            tongue.pick(
                f"上述倍数{of}，此后{told[0]}，倍数没有随之更新",
                f"these multiples are {of}; {told[1]}, and they have not been updated",
            )
        )


def _need_same_share(book: Book, multiple: Claim, price: Claim) -> None:
    """The close of the day it was valued, adjusted to today's shares, is about that price: else
    shares were split since.
    """
    closes = [one.value for one in book.closes if one.as_of == priced_on(multiple)]
    same = closes and abs(closes[0] / price.value - 1) < ONE_SHARE
    need(same, "share_basis_unknown", multiple.as_of.isoformat())
