"""A long test in blocks: the first always, the rest with `make thorough`, each block by its number.

What a block looks at is every so-many-th of the whole, so that each sees some of every kind.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def blocks(count: int, always: int = 1) -> Sequence[Any]:
    """The numbers 0 … count - 1 for `parametrize`; from `always` on they are thorough."""
    marks = [() if one < always else (pytest.mark.thorough,) for one in range(count)]
    return [pytest.param(one, marks=mark) for one, mark in enumerate(marks)]


def block_of(whole: Sequence[T], block: int, count: int) -> Sequence[T]:
    """What that block of so many looks at; together they look at all of it, each thing once."""
    return whole[block::count]


def first_of_each(cases: Sequence[T], kind: Callable[[T], Hashable]) -> Sequence[Any]:
    """The cases for `parametrize`: the first of each kind always, its likes with `make thorough`.

    A case that is a tuple stands for several arguments.
    """
    known, made = set[Hashable](), list[Any]()
    for case in cases:
        values = case if isinstance(case, tuple) else (case,)
        marks = (pytest.mark.thorough,) if kind(case) in known else ()
        known.add(kind(case))
        made.append(pytest.param(*values, marks=marks))
    return made
