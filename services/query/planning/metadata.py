"""Finding what is asked for by name among the entries.

A text is mapped to its entry by exact name, then alias, then nearness; below a threshold nothing
is chosen. Nearness is of spelling, or of meaning where a `Nearness` is given and answers. Safe to
share between threads.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import NamedTuple, Protocol

from services.core.errors import InputError, StoreError
from services.core.text import Text
from services.query.planning.entries import ENTRIES, MetadataEntry

# Cosine of one- and two-character counts: 0.88 for 总营业收入 and 营业收入, 0.44 for 研发费用率.
THRESHOLD = 0.7
# A word that makes it another figure (扣非净利润 is no 净利润): in one text alone, half as near.
_OTHER_FIGURE = (
    *("扣非", "流通", "流动", "总额", "营业利润", "毛利润", "预测", "现金", "有息", "成本", "费用"),
    *("税", "每股", "同比", "环比", "增", "营业外", "少数", "目标", "账款", "人均"),
)


class Nearness(Protocol):
    """How near in meaning a text is to names."""

    @property
    def threshold(self) -> float:
        """The least nearness that is taken for the same."""
        ...

    def scores(self, text: str, names: Sequence[str]) -> Sequence[float] | None:
        """The nearness of each name, from -1 to 1; None when it cannot be told now."""
        ...


class _Ranked(NamedTuple):
    """Metrics by nearness, the nearest first, and from where on one is taken."""

    threshold: float
    pairs: Sequence[tuple[float, MetadataEntry]]


class Metadata:
    """Every entry, by code and by anything it is called."""

    def __init__(self, entries: Iterable[MetadataEntry], nearness: Nearness | None = None) -> None:
        """Raises: StoreError when two entries have one code, or a metric's name is another's."""
        self._nearness = nearness
        self.entries: tuple[MetadataEntry, ...] = tuple(entries)
        self._by_code = {entry.code: entry for entry in self.entries}
        if len(self._by_code) != len(self.entries):
            raise StoreError("metric codes: a code stands twice")
        self._names = {_key(entry.name): entry for entry in reversed(self.entries)}
        self._aliases: dict[str, MetadataEntry] = {}
        for entry in self.entries:
            for alias in entry.aliases:
                other = self._aliases.setdefault(_key(alias), entry)
                if other is not entry:
                    raise StoreError(f"metric codes: {alias} means {other.name} and {entry.name}")
        self._shapes = tuple(
            (_key(text), _shape(_key(text)), entry)
            for entry in self.entries
            if entry.kind == "metric"
            for text in (entry.name, *entry.aliases)
        )
        self._spelled = tuple(name for name, _, _ in self._shapes)

    @property
    def metrics(self) -> tuple[MetadataEntry, ...]:
        """What a figure can be asked for; arguments and texts left out."""
        return tuple(entry for entry in self.entries if entry.kind == "metric")

    def by_code(self, code: str) -> MetadataEntry:
        """The entry of that code. Raises: InputError."""
        if code not in self._by_code:
            raise InputError("code", code, "a code of biz_metadata")
        return self._by_code[code]

    def exact(self, text: str) -> MetadataEntry | None:
        """The entry of that name or alias; None when it is spelled otherwise."""
        key = _key(text)
        return self._names.get(key) or self._aliases.get(key)

    def resolve(self, text: str) -> MetadataEntry:
        """The entry meant: exact name, alias, or the nearest metric from the threshold on.

        Raises: InputError; `choices` are the three nearest names.
        """
        if found := self.exact(text):
            return found
        ranked = self._rank_names(text)
        if ranked.pairs and ranked.pairs[0][0] >= ranked.threshold:
            return ranked.pairs[0][1]
        choices = [entry.name for _, entry in ranked.pairs[:3]]
        valid = Text("没有这项数据，相近的有 " + "、".join(choices), "no such figure here")
        raise InputError("metric", text, valid, choices=choices)

    def may_be(self, text: str, entry: MetadataEntry) -> bool:
        """Whether no word makes it another figure than that entry: 扣非净利润 is no 净利润."""
        key = _key(text)
        return any(
            all((word in key) == (word in _key(name)) for word in _OTHER_FIGURE)
            for name in (entry.name, *entry.aliases)
        )

    def nearest(self, text: str, n: int) -> tuple[MetadataEntry, ...]:
        """The `n` metrics nearest to it, the nearest first."""
        return tuple(entry for _, entry in self._rank_names(text).pairs[:n])

    def _rank_names(self, text: str) -> _Ranked:
        key = _key(text)
        threshold, scores = self._scores(key)
        best: dict[str, tuple[float, MetadataEntry]] = {}
        for score, (name, _, entry) in zip(scores, self._shapes, strict=True):
            if any((word in key) != (word in name) for word in _OTHER_FIGURE):
                score /= 2
            if entry.code not in best or score > best[entry.code][0]:
                best[entry.code] = (score, entry)
        return _Ranked(threshold, sorted(best.values(), key=lambda pair: -pair[0]))

    def _scores(self, key: str) -> tuple[float, Sequence[float]]:
        """The threshold, and how near each of the shapes is."""
        if self._nearness is not None:
            found = self._nearness.scores(key, self._spelled)
            if found is not None:
                return self._nearness.threshold, found
        asked = _shape(key)
        return THRESHOLD, [_cosine(asked, shape) for _, shape, _ in self._shapes]


def read_metadata(nearness: Nearness | None = None) -> Metadata:
    """Everything that can be asked for. Raises: StoreError when a name means two."""
    return Metadata(ENTRIES, nearness)


def _key(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return "".join(plain.split()).replace("(", "").replace(")", "")


def _shape(key: str) -> Counter[str]:
    return Counter([*key, *(key[at : at + 2] for at in range(len(key) - 1))])


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    dot = sum(count * other[gram] for gram, count in one.items())
    if not dot:
        return 0.0
    return dot / sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
