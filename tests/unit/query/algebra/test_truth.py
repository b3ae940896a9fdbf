"""Queries made at random against the same questions put to pandas, on the bundled market."""

import math

import pytest

from services.core.claims import Claim
from services.query.algebra.answer import MOST_ROWS
from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query
from services.query.algebra.wire import query_json, read_query
from services.query.answering.outcomes import AnswerRow
from tests.blocks import blocks
from tests.unit.query.algebra import pandas_algebra
from tests.unit.query.algebra.asked import Asked, ask
from tests.unit.query.algebra.made_queries import Maker

# So many queries a block; the first blocks always, all of them with make thorough.
EACH, ALWAYS, BLOCKS = 15, 2, 24


def _alike(row: AnswerRow, key: str, wanted: float) -> bool:
    figure = row.figures[key]
    if math.isnan(wanted):
        return not isinstance(figure, Claim)
    return isinstance(figure, Claim) and math.isclose(
        figure.value, wanted, rel_tol=1e-9, abs_tol=1e-9
    )


@pytest.mark.parametrize("block", blocks(BLOCKS, ALWAYS))
def test_what_a_query_brings_is_what_pandas_finds(block: int) -> None:
    for at in range(EACH):
        seed = block * EACH + at
        query = Maker(seed).query()
        told = f"seed {seed}: {explain(query, {})}"
        asked = ask(query)
        assert asked.failures == (), told
        assert read_query(query_json(query)) == query, told
        if query.group is not None:
            _check_groups(query, asked, told)
        elif query.fold:
            _check_folds(query, asked, told)
        else:
            _check_rows(query, asked, told)


def _check_rows(query: Query, asked: Asked, told: str) -> None:
    wanted = pandas_algebra.rows_of(query)[:MOST_ROWS]
    rows = asked.outcome.rows
    assert [row.symbol for row in rows] == wanted.index.tolist(), told
    for row in rows:
        for at, expr in enumerate(query.show):
            if not any(expr == one for one in query.show[:at]):
                key = _key(asked, query, at)
                assert _alike(row, key, wanted[f"v{at}"][str(row.symbol)]), (told, row.symbol, key)


def _key(asked: Asked, query: Query, at: int) -> str:
    """The column of an expression shown: those shown come first, each once."""
    shown = list(dict.fromkeys(query.show))
    return asked.outcome.columns[shown.index(query.show[at])].key


def _check_folds(query: Query, asked: Asked, told: str) -> None:
    found = pandas_algebra.rows_of(query)
    if found.empty:
        assert asked.outcome.rows == () or asked.outcome.rows[-1].symbol is None, told
        return
    for at, wanted in enumerate(pandas_algebra.folded(query, found), start=1):
        row = asked.outcome.rows[-1]
        assert _alike(row, f"fold_{at}", wanted), (told, row, wanted)


def _check_groups(query: Query, asked: Asked, told: str) -> None:
    wanted = pandas_algebra.grouped(query)
    if query.having:
        wanted = {name: some for name, some in wanted.items() if some[0] > 3}
    rows = {row.label.zh: row for row in asked.outcome.rows}
    labels = {"main": "主板", "chinext": "创业板", "hk": "港股"}
    assert set(rows) == {labels.get(name, name) for name in wanted}, told
    for name, some in wanted.items():
        for at, one in enumerate(some, start=1):
            assert _alike(rows[labels.get(name, name)], f"fold_{at}", one), (told, name, one)
