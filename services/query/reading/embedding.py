"""Nearness in meaning: names and texts as vectors of a model, where one is configured.

The vectors of all names are asked for once, when the first text needs them, and kept. A failure is
no answer: that question falls back to nearness of spelling.
"""

import threading
from collections.abc import Sequence
from math import sqrt
from operator import mul
from typing import Protocol

from services.core.errors import ProviderError

# Models differ in how near they put what is not the same: a cautious line, since below it nothing
# is lost but a question back with the nearest three.
EMBEDDING_THRESHOLD = 0.8
# What one question may wait: for the names the first time, and for its own text.
NAMES_S, TEXT_S = 15.0, 3.0
_KEPT_TEXTS = 256

Vector = tuple[float, ...]


class Embedder(Protocol):
    """A model that turns texts into vectors."""

    def vectors(self, texts: Sequence[str], deadline_s: float) -> Sequence[Vector]:
        """A vector a text, in order, all of one length and none of length zero.

        Raises: ProviderError.
        """
        ...


class VectorNearness:
    """A metadata.Nearness over the vectors of an endpoint. Safe to share between threads."""

    def __init__(self, embedder: Embedder) -> None:
        """Nothing is asked before it is needed."""
        self._embedder = embedder
        self._units: dict[str, Vector] = {}
        self._texts: dict[str, Vector] = {}
        self._filling = threading.Lock()

    @property
    def threshold(self) -> float:
        """`EMBEDDING_THRESHOLD`."""
        return EMBEDDING_THRESHOLD

    def scores(self, text: str, names: Sequence[str]) -> Sequence[float] | None:
        """The cosine of the text with each name; None when the endpoint does not answer."""
        try:
            units = self._names(names)
            asked = self._text(text)
        except ProviderError:
            return None
        if any(len(unit) != len(asked) for unit in units):
            return None
        return [sum(map(mul, asked, unit)) for unit in units]

    def _names(self, names: Sequence[str]) -> list[Vector]:
        with self._filling:
            missing = [name for name in dict.fromkeys(names) if name not in self._units]
            if missing:
                found = self._embedder.vectors(missing, NAMES_S)
                self._units |= dict(zip(missing, map(_unit, found), strict=True))
            return [self._units[name] for name in names]

    def _text(self, text: str) -> Vector:
        known = self._texts.get(text)
        if known is None:
            (found,) = self._embedder.vectors([text], TEXT_S)
            known = _unit(found)
            with self._filling:
                if len(self._texts) >= _KEPT_TEXTS:
                    self._texts.clear()
                self._texts[text] = known
        return known


def _unit(vector: Vector) -> Vector:
    length = sqrt(sum(map(mul, vector, vector)))
    return tuple(one / length for one in vector)
