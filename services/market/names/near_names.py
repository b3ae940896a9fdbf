"""The names spelled most like a text that names nothing: by shared characters and their order."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import heappush, heappushpop, nlargest

CHOICES = 5
# Two characters of five in common; below it a name has nothing to do with the text.
LEAST = 0.4
_COMPARED, _LONGER, _KEPT = 300, 6, 1024


class NearNames:
    """Spellings and the symbols they stand for. Never changes, so threads may share it."""

    def __init__(
        self, kinds: Iterable[Mapping[str, Sequence[str]]], *, least: float = LEAST, width: int = 1
    ) -> None:
        """`kinds` of spellings, each to its symbols; `least` alike, from 0 to 1, to be offered.

        `width` characters in a row are what names share: one of Chinese, where each says much,
        two of Latin, where every name has most of the letters.
        """
        self._least, self._width = least, width
        self._pool = [item for kind in kinds for item in kind.items()]
        places: dict[str, list[int]] = {}
        for at, (name, _) in enumerate(self._pool):
            for part in self._parts(name):
                places.setdefault(part, []).append(at)
        self._places = places
        # Asked again for every choice that a question put back may offer.
        self.nearest = lru_cache(maxsize=_KEPT)(self._find_nearest)

    def _find_nearest(self, key: str) -> tuple[str, ...]:
        """The symbols of the names most alike, the likest first; none that is not alike at all."""
        matcher = SequenceMatcher(autojunk=False)
        matcher.set_seq2(key)
        scored: dict[str, float] = {}
        best: list[float] = []  # of the symbols so far, the least of the best few on top
        for name, symbols in self._find_shared(key):
            matcher.set_seq1(name)
            least = best[0] if len(best) == CHOICES else self._least
            if matcher.real_quick_ratio() < least or matcher.quick_ratio() < least:
                continue
            score = matcher.ratio()
            for symbol in symbols:
                if score >= self._least and score > scored.get(symbol, 0.0):
                    if symbol not in scored:
                        _keep(best, score)
                    scored[symbol] = score
        near = sorted(scored, key=lambda symbol: (-scored[symbol], symbol))
        return tuple(near[:CHOICES])

    def _find_shared(self, key: str) -> list[tuple[str, Sequence[str]]]:
        """The names of about that length that share the most characters with it."""
        shared: Counter[int] = Counter()
        for part in self._parts(key):
            shared.update(self._places.get(part, ()))
        alike = (
            (count, -at)
            for at, count in shared.items()
            if abs(len(self._pool[at][0]) - len(key)) <= _LONGER
        )
        return [self._pool[-at] for _, at in nlargest(_COMPARED, alike)]

    def _parts(self, name: str) -> set[str]:
        return {name[at : at + self._width] for at in range(len(name) - self._width + 1)}


def _keep(best: list[float], score: float) -> None:
    if len(best) < CHOICES:
        heappush(best, score)
    else:
        heappushpop(best, score)
