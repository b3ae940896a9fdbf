"""Of when a report's figures are: told once, so that days need no year after it."""

from collections.abc import Iterable

from services.statements.statement import Held
from services.statements.tongue import Tongue


def dateline(held: Iterable[Held], tongue: Tongue) -> str:
    """`数据：2016年报；行情 2017-07-25；估值 2017-05-25`, as a sentence; empty for no times."""
    found = list(held)
    periods = sorted({one.when.period for one in found if one.when.period})
    days = {
        word: max((h.when.day for h in found if h.when.day and h.factor in factors), default=None)
        for word, factors in (("price", {"price"}), ("valuation", {"valuation", "size"}))
    }
    parts: list[str] = []
    if periods:
        year = periods[-1][:4]
        parts.append(tongue.pick(f"{year}年报", f"annual report FY{year}"))
    if days["price"]:
        parts.append(tongue.pick(f"行情 {days['price']}", f"prices {days['price']}"))
    if days["valuation"]:
        parts.append(tongue.pick(f"估值 {days['valuation']}", f"valuation {days['valuation']}"))
    if not parts:
        return ""
    return tongue.sentence(tongue.pick("数据：", "data: ") + tongue.pick("；", "; ").join(parts))
