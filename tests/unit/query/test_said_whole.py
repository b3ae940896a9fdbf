"""A turn that says one thing anew is the question before it with that in its place, or put back."""

from collections import Counter

from services.query.algebra.nodes import Query
from tests.unit.query.asking import query
from tests.unit.query.made_turns import alike
from tests.unit.query.said_whole import turns_said_whole

LEAST_RIGHT = 95


def test_a_turn_is_the_question_with_one_thing_anew() -> None:
    found: Counter[str] = Counter()
    wrong: list[str] = []
    for question, turn, whole in turns_said_whole():
        asked, meant = query(question), query(whole)
        if not isinstance(asked, Query) or not isinstance(meant, Query):
            found["no question"] += 1
            continue
        got = query(turn, [asked])
        is_right = got is not None and alike(got, meant)
        found["right" if is_right else "put back" if got is None else "wrong"] += 1
        if got is not None and not is_right:
            wrong.append(f"{question} | {turn}")
    assert wrong == []
    read = found.total() - found["no question"]
    assert found["no question"] * 20 <= found.total(), found
    assert found["right"] * 100 >= LEAST_RIGHT * read, found
