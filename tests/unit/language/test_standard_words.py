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
    # One search for all of them numbers their groups anew: what is said twice has its own name.
    assert [pattern for pattern, _ in rules if regex.search(r"\\\d", pattern)] == []
    named = [name for pattern, _ in rules for name in regex.findall(r"\(\?P<(\w+)>", pattern)]
    assert len(named) == len(set(named))
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


def test_the_rules_of_english_have_nothing_to_do_in_a_text_without_a_latin_letter() -> None:
    texts = [turn["text"] for one in questions() for turn in one["turns"]]
    texts = [text for text in texts if not regex.search("[A-Za-z]", text)]
    texts += ["10-20亿", "2020-2023年", "1, 2 / 3 %", "$5 > 3", "?!.,;:-()'\"&+"]
    frames, parts = _read("english.toml"), _strings(_read("english.toml")["parts"])
    listed = [
        one[0] for frame, groups in frames.items() if frame != "parts" for each in groups.values()
        for one in each
    ]  # fmt: skip
    listed += [one[0] for group in _read("colloquial.toml")["en"].values() for one in group]
    named = dict(zip(_read("english.toml")["parts"], parts, strict=True))
    assert len(texts) > 200
    whole = "\n".join(texts)
    for pattern in listed:
        filled = pattern.replace("{n}", r"\d")
        for name, part in named.items():
            filled = filled.replace(f"{{{name}}}", part)
        found = regex.search(filled, whole, regex.IGNORECASE)
        assert found is None, (pattern, found)
