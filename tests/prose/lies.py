"""Honest texts spoilt in one place, each certainly a lie given its claims, named by kind."""

import random
import zlib

from tests.prose import (
    honest,
    lies_added,
    lies_figures,
    lies_placed,
    lies_times,
    lies_words,
)
from tests.prose.truth import LIES
from tests.prose.writing import Prose

# Importing a module registers its kinds.
WAYS = (lies_added, lies_figures, lies_placed, lies_times, lies_words)


def texts(seed: int = 1, each: int = 40, base_each: int = 6) -> list[Prose]:
    """Up to `each` lies of every kind, spread over the styles; the same for a seed.

    `base_each` honest texts of every style are there to be spoilt.
    """
    base = honest.texts(seed, base_each)
    return [spoilt for kind in LIES for spoilt in of_kind(kind, base, seed, each)]


def of_kind(kind: str, base: list[Prose], seed: int, each: int) -> list[Prose]:
    """Lies of one kind. A text that cannot be spoilt that way with certainty is left out."""
    rng = random.Random(zlib.crc32(f"{seed} {kind}".encode()))
    order = _by_turns(rng.sample(base, len(base)))
    found: dict[str, Prose] = {}
    for prose in order:
        spoilt = LIES[kind](prose, rng)
        if spoilt is not None and spoilt.template != prose.template:
            assert spoilt.kind == kind
            found.setdefault(spoilt.template, spoilt)
        if len(found) == each:
            break
    return list(found.values())


def _by_turns(order: list[Prose]) -> list[Prose]:
    """The first of every style, then the second of every style, and so on."""
    seen: dict[str, int] = {}
    turns: list[tuple[int, Prose]] = []
    for prose in order:
        seen[prose.style] = seen.get(prose.style, -1) + 1
        turns.append((seen[prose.style], prose))
    return [prose for _, prose in sorted(turns, key=lambda turn: turn[0])]
