"""What a figure may be called in a text: the names of the catalogue as a lexicon.

The longest name wins, so 扣非净利润 is not 净利润. A name of a figure nobody has is a name all the
same: what stands behind it is not the figure it ends like.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from services.core.catalogue import CATALOGUE
from services.grounding.words import HEDGES
from services.language.lattice import TypedWords
from services.language.plain_text import spelled
from services.language.word_lists import NO_FIGURES, TURNS, UNKNOWN_FIGURES


class Sense(NamedTuple):
    """What a name means: the metrics it may stand for (none: a figure we do not have).

    `sign` −1: the name itself says minus (跌幅, 亏损); +1: it says plus (涨幅, 盈利).
    """

    name: str
    metrics: frozenset[str]
    sign: int = 0


def _senses() -> dict[str, Sense]:
    rows = CATALOGUE.figures.values()
    senses: dict[str, Sense] = {}
    for sign, table in (
        (0, ((row.id, row.names) for row in rows)),
        (1, ((row.id, row.rises) for row in rows)),
        (-1, ((row.id, row.falls) for row in rows)),
    ):
        senses |= {
            name: Sense(name, frozenset(metrics), sign) for name, metrics in _owners(table).items()
        }
    return senses | {name: Sense(name, frozenset()) for name in UNKNOWN_FIGURES}


def _owners(table: Iterable[tuple[str, Iterable[str]]]) -> Mapping[str, set[str]]:
    """Each name, as it is compared, with the figures that have it."""
    found: dict[str, set[str]] = {}
    for metric, names in table:
        for name in names:
            found.setdefault(spelled(name), set()).add(metric)
    return found


def _text_words() -> TypedWords:
    """What is found in a text by a word alone; one that stands for nothing is a hedge or a skip."""
    words = TypedWords(str)  # spelled already
    for cat, listed in (
        ("metric", SENSES),
        ("skip", NO_FIGURES),
        ("turn", TURNS),
        ("hedge", dict.fromkeys(map(spelled, HEDGES), "")),
    ):
        for word, meaning in listed.items():
            words.add(word, cat, meaning)
    return words


SENSES: Mapping[str, Sense] = _senses()
TEXT_WORDS = _text_words()
# Metric → what it may be told as: another metric's name and the turn that makes it this one.
MADE_OF: Mapping[str, tuple[tuple[str, str], ...]] = {
    row.id: row.made_of for row in CATALOGUE.figures.values() if row.made_of
}
