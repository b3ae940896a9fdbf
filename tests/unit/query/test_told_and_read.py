"""The sentence a query is told in, asked again, is the same query: in Chinese and in English."""

import json
from collections import Counter
from functools import cache
from typing import Any

import pytest

from services.core.rendering import Language
from services.query.algebra import nodes as a
from services.query.algebra.explain import explain
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.algebra.made_queries import Maker
from tests.unit.query.asking import query as read

MADE = 320
# Of a hundred so many come back; the others are put back, none is read as another query.
LEAST_ALIKE = 0.99
LANGUAGES: tuple[Language, ...] = ("zh", "en")
_UNITS = {
    "market_cap": "money", "net_profit": "money", "revenue": "money", "equity": "money",
    "total_assets": "money", "total_shares": "shares", "bps": "price", "roe": "percent",
    "net_margin": "percent",
}  # fmt: skip


class Sayer(Maker):
    """Makes queries as long as a question may be, whose bounds are numbers a person says: two
    figures, with their unit.
    """

    named = 4

    def bound(self, metric: str) -> a.Const:
        made = super().bound(metric)
        return a.Const(value=float(f"{made.value:.2g}"), unit=_UNITS.get(metric, "multiple"))


def meaning(query: a.Query) -> str:
    """A query apart from what adds nothing to it: a column that its order or a test has already,
    the order of tests that must all hold, and what a set of companies is called.
    """
    tests = [one for pred in (query.where, query.check) if pred for one in a.walk(pred)]
    sides = [side for one in tests if isinstance(one, a.Compare) for side in (one.left, one.right)]
    had = [*(one.by for one in query.order), *sides]
    shown: list[a.Expr] = []
    shown += (one for one in query.show if one not in had and one not in shown)
    return json.dumps(
        _plain(query.model_copy(update={"show": tuple(shown)}).model_dump(mode="json"))
    )


def _plain(part: Any) -> Any:
    if isinstance(part, list):
        return [_plain(one) for one in part]
    if not isinstance(part, dict):
        return part
    plain = {name: _plain(one) for name, one in part.items() if name != "label"}
    if plain.get("node") in {"all", "any"}:
        plain["items"].sort(key=json.dumps)
    return plain


@cache
def outcomes(language: Language) -> Counter[str]:
    """How many come back alike, are put back, or are read as another (with what was told)."""
    found: Counter[str] = Counter()
    for seed in range(MADE):
        query = Sayer(seed).query()
        told = explain(query, names_in(query, names(), language), language)
        again = read(told)
        if not isinstance(again, a.Query):
            found["put back"] += 1
        else:
            found["alike" if meaning(again) == meaning(query) else f"other: {told}"] += 1
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_nearly_all_that_is_told_is_read_as_itself(language: Language) -> None:
    assert outcomes(language)["alike"] >= LEAST_ALIKE * MADE


@pytest.mark.parametrize("language", LANGUAGES)
def test_none_is_read_as_another(language: Language) -> None:
    assert [one for one in outcomes(language) if one.startswith("other")] == []
