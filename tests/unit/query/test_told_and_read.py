"""The sentence a query is told in, asked again: the same query comes of it, or none.

The measure of what the reader can say of what the algebra can: read alike may only rise, read as
something else may only fall.
"""

from collections import Counter
from functools import cache

from services.query.algebra import nodes as a
from services.query.algebra.explain import explain
from tests.unit.market.bundled import names
from tests.unit.query.algebra.made_queries import Maker
from tests.unit.query.asking import query as read

MADE = 100
# Told and read alike at least; read as another query at most.
LEAST_ALIKE, MOST_OTHER = 16, 1
_UNITS = {
    "market_cap": "money", "net_profit": "money", "revenue": "money", "equity": "money",
    "total_assets": "money", "total_shares": "shares", "bps": "price", "roe": "percent",
    "net_margin": "percent",
}  # fmt: skip


class Sayer(Maker):
    """Makes queries whose bounds are numbers a person says: two figures, with their unit."""

    def bound(self, metric: str) -> a.Const:
        made = super().bound(metric)
        return a.Const(value=float(f"{made.value:.2g}"), unit=_UNITS.get(metric, "multiple"))


@cache
def _names() -> dict[str, str]:
    return {symbol: row.name for symbol, row in names().known.items()}


def _is_alike(told: str, found: a.Query) -> bool:
    """Whether it is told alike, apart from what nobody needs to say: that groups are ordered by
    their figure, and that a multiple below ten is from nought on.
    """
    bare = found.model_copy(update={"order": ()}) if found.group is not None else found
    again = explain(bare, _names())
    return again.replace("不低于0倍且", "").replace("(", "").replace(")", "") == told.replace(
        "(", ""
    ).replace(")", "")


def outcomes() -> Counter[str]:
    """How many were read alike, put back, or read as something else (with what was told)."""
    found: Counter[str] = Counter()
    for seed in range(MADE):
        told = explain(Sayer(seed).query(), _names())
        again = read(told)
        if not isinstance(again, a.Query):
            found["put back"] += 1
        elif _is_alike(told, again):
            found["alike"] += 1
        else:
            found[f"other: {told} = {explain(again, _names())}"] += 1
    return found


def test_what_is_told_is_read_as_itself_or_not_at_all() -> None:
    found = outcomes()
    others = [one for one in found if one.startswith("other")]
    assert found["alike"] >= LEAST_ALIKE
    assert len(others) <= MOST_OTHER, others
