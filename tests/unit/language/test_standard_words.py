"""Everyday forms as they are written: the search that spares a text its rules misses none."""

import tomllib
from collections.abc import Iterator

import regex

from services.core.data_files import DATA_FOLDER
from services.language.numerals import NUMERALS
from services.language.plain_text import plain_question
from services.language.standard_words import in_written_forms
from tests.unit.query.stored_questions import questions

_LEXICON = DATA_FOLDER / "lexicon"


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


def _read(name: str) -> dict[str, dict[str, list[list[str]]]]:
    return tomllib.loads((_LEXICON / name).read_text(encoding="utf-8"))


def test_every_rule_of_everyday_forms_is_applied_wherever_it_has_something_to_do() -> None:
    figures = r"\d" + "".join(sorted(NUMERALS))
    rules = [
        (pattern.replace("{n}", figures), word)
        for group in _read("colloquial.toml")["zh"].values()
        for pattern, word in group
    ]
    # One search for all of them numbers their groups anew.
    assert [pattern for pattern, _ in rules if regex.search(r"\\\d|\(\?P=", pattern)] == []
    texts = {one for path in _LEXICON.glob("*.toml") for one in _strings(_read(path.name))}
    texts |= {turn["text"] for one in questions() for turn in one["turns"]}
    changed = 0
    for text in map(plain_question, texts):
        told = text
        for pattern, word in rules:
            told = regex.sub(pattern, word, told)
        assert in_written_forms(text) == told
        changed += told != text
    assert changed > 100
