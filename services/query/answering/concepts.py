"""What the figures named in a question mean: the catalogue's own definitions, as quoted texts."""

import re
from collections.abc import Iterator
from functools import cache

from services.core.catalogue import CATALOGUE, FigureEntry
from services.core.limits import COMPETENCES
from services.core.text import Language, Text
from services.query.answering.outcomes import Quotation

_SOURCE = Text("有据的指标目录", "Youju's catalogue of figures")
_RULES = Text("有据登记的规则", "Youju's registered rules")
_BETTER = {
    "higher": Text("比较时以高者为好", "in a comparison the higher counts as better"),
    "lower": Text("比较时以低者为好", "in a comparison the lower counts as better"),
}
_KINDS = frozenset({"price", "valuation", "statement", "ratio", "size"})
_MOST = 4
# 市盈率(TTM): what it is of stands in brackets.
_BRACKETS = re.compile(r"[(（].*?[)）]")


def figures_named(text: str) -> list[FigureEntry]:
    """The figures with a definition that a text names, in its order; the longest name counts."""
    found: dict[int, tuple[FigureEntry, ...]] = {}
    taken: list[tuple[int, int]] = []
    for name, entries in _names():
        # Latin names are whole words: pe is no part of people.
        edge = r"(?![a-z0-9])" if name.isascii() else ""
        before = r"(?<![a-z0-9])" if name.isascii() else ""
        for match in re.finditer(before + re.escape(name) + edge, text.lower()):
            if all(match.end() <= start or match.start() >= end for start, end in taken):
                taken.append(match.span())
                found[match.start()] = entries
    ordered = {one.id: one for at in sorted(found) for one in found[at]}
    return list(ordered.values())[:_MOST]


def definitions(text: str, language: Language) -> tuple[Quotation, ...]:
    """One text for each figure named: what it is, which way is better, the rules that cite it."""
    named = figures_named(text)
    return tuple(one for entry in named for one in _define(entry, language))


def sought_for(text: str) -> str:
    """The plain names of the figures a text names, as notes call them; empty without any."""
    return " ".join(_BRACKETS.sub("", one.zh) for one in figures_named(text))


def _define(entry: FigureEntry, language: Language) -> Iterator[Quotation]:
    zh, en = entry.meaning or entry.meaning_en, entry.meaning_en or entry.meaning
    said = [Text(zh, en)] + ([_BETTER[entry.better]] if entry.better else [])
    mark, end = ("；", "。") if language == "zh" else ("; ", ".")
    told = mark.join(one.in_language(language) for one in said) + end
    title = entry.label(language)
    yield Quotation(title=title, text=told, source=_SOURCE.in_language(language))
    for rule in COMPETENCES.values():
        cites = (one for one in rule.values if one.startswith(f"{entry.id}_"))
        if any(CATALOGUE[one].kind == "limit" for one in cites):
            rules, told = _RULES.in_language(language), rule.statement.in_language(language)
            yield Quotation(title=title, text=told, source=rules)


@cache
def _names() -> tuple[tuple[str, tuple[FigureEntry, ...]], ...]:
    """Every name of a figure that has a definition, the longest first; MACD is all of its lines."""
    found: dict[str, tuple[FigureEntry, ...]] = {}
    for one in CATALOGUE.figures.values():
        if one.kind not in _KINDS or not (one.meaning or one.meaning_en):
            continue
        for name in (*one.says, one.zh, one.en):
            found.setdefault(name.lower(), (one,))
        whole, _, line = one.zh.lower().partition(" ")
        if line and whole.isascii() and whole.isalpha():
            found[whole] = (*found.get(whole, ()), one)
    return tuple(sorted(found.items(), key=lambda one: -len(one[0])))
