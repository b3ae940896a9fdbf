"""Pairs of questions of which one has a meaning more, or another one: the plans must differ."""

from collections import Counter

import pytest

from services.query.algebra.nodes import Query
from tests.unit.query.asking import (
    OF_FIRMS,
    OF_PRICES,
    OF_SCREENS,
    OF_SCREENS_EN,
    pairs,
    query,
    reading,
)

# The share of pairs whose added meaning is lost in silence.
MOST_LOST = 0.02
LEAST_READ = 0.7
INSERTED = ("请问", "的", "了", "帮我查一下", "那么", "，", "呃")


def test_there_are_forty_operators() -> None:
    assert len({*OF_SCREENS, *OF_FIRMS, *OF_PRICES}) + len(OF_SCREENS_EN) >= 40


def test_no_meaning_is_lost_in_silence(capsys: pytest.CaptureFixture[str]) -> None:
    outcome: Counter[str] = Counter()
    lost: list[str] = []
    for name, base, variant in pairs():
        plain, other = query(base), query(variant)
        assert plain is not None, base
        if other is None:
            outcome["put back"] += 1
        elif other == plain:
            outcome["lost"] += 1
            lost.append(f"{name}: {variant}")
        else:
            outcome["read"] += 1
    with capsys.disabled():
        print(f"\npairs: {dict(outcome)}")
    assert outcome["lost"] <= MOST_LOST * outcome.total(), lost
    assert outcome["read"] >= LEAST_READ * outcome.total()


def test_function_words_anywhere_change_no_plan() -> None:
    bases = (
        "市盈率小于20的银行股",
        "贵州茅台2015年净利润",
        "每个行业市值最大的两家",
        "茅台市值是五粮液的几倍",
    )
    for base in bases:
        plain = query(base)
        assert isinstance(plain, Query)
        ends = {leaf.end for leaf in reading(base).leaves} | {0}
        for at in sorted(ends):
            for word in INSERTED:
                said = base[:at] + word + base[at:]
                found = query(said)
                assert found in (plain, None), said
