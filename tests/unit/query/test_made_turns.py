"""Turns made of every base and edit are read as what the edit makes of the query, or put back."""

from collections import Counter
from functools import cache

from services.query.algebra.nodes import Query
from services.query.reading.at_home import at_home
from tests.unit.query.asking import query
from tests.unit.query.made_turns import alike, turns

# So many of a hundred are read as what they mean at least; the others are put back.
LEAST_RIGHT = 99


@cache
def _base(text: str) -> Query:
    found = query(text)
    assert isinstance(found, Query), text
    return found


def test_a_turn_is_its_edit_of_the_last_query_or_put_back() -> None:
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for name, text, turn, edit in turns():
        if (edited := edit(_base(text))) is None:
            continue
        wanted, got = at_home(edited), query(turn, [_base(text)])
        assert isinstance(wanted, Query)
        is_right = got is not None and alike(got, wanted)
        if is_right and isinstance(got, Query) and name == "show":
            is_right = wanted.show[-1] in got.show
        found["right" if is_right else "put back" if got is None else "wrong"] += 1
        if got is not None and not is_right:
            wrong.append(f"{text} | {turn}")
    assert wrong == []
    assert found["right"] * 100 >= LEAST_RIGHT * found.total(), found
