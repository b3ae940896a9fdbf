"""Words that say how somebody speaks, and nothing of what is asked: attitude, courtesy, who asks.

The classes are closed (data/lexicon/asides.toml). They are looked for where no word of a question
reads the characters, and at the head of a clause, so that none of them can hide such a word.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.dictionaries import cut
from services.language.plain_text import is_cjk, lower, one_of, plain_question
from services.language.standard_words import in_written_forms

_FILE = DATA_FOLDER / "lexicon" / "asides.toml"
_SINGLE = "single"
# Words that say nothing only where they are a whole part of the question: 好，…
_ALONE = "alone"
_MARKS = frozenset(",，.。!！?？;；:：、")


def asides(text: str, runs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans of such words in `text` (plain, small letters) that touch the unread `runs`."""
    for pattern in _patterns():
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in runs):
                yield match.span()
    if any(end - start == 1 and text[start] in _singles() for start, end in runs):
        for one in cut(text):  # 却 is a word here, and none in 冷却
            if one.word in _singles() and (one.start, one.end) in runs:
                yield one.start, one.end


def opening_asides(text: str) -> Iterator[tuple[int, int]]:
    """The spans of such words that begin a part of the question: 不过, tbh, would you mind.

    Before a number they may be a bound (不过20倍) and are left.
    """
    for pattern in _patterns():
        for match in pattern.finditer(text):
            before, after = text[: match.start()].rstrip(), text[match.end() :].lstrip()
            if (not before or before[-1] in _MARKS) and not after[:1].isdigit():
                yield match.span()
    for match in _alone().finditer(text):
        yield match.span()


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    words = [
        lower(in_written_forms(plain_question(word)))
        for table in read_data_file(_FILE).tables.values()
        for kind, listed in table.items()
        if kind not in (_SINGLE, _ALONE)
        for word in listed
    ]
    chinese = [one for one in words if is_cjk(one[0])]
    latin = [one for one in words if not is_cjk(one[0])]
    # Latin words only whole: "ty" is no part of "property".
    return (
        re.compile(one_of(chinese)),
        re.compile(rf"(?<![a-z0-9'-])(?:{one_of(latin)})(?![a-z0-9'-])"),
    )


@cache
def _alone() -> re.Pattern[str]:
    """A word at the head of a sentence with a mark behind it, and something behind the mark."""
    words = one_of(read_data_file(_FILE).tables["zh"][_ALONE])
    return re.compile(
        rf"(?:^|(?<=[。.!！?？;；]))(?:{words})(?=[,，:：.。!！… ]+[^,，:：.。!！… ])"
    )


@cache
def _singles() -> frozenset[str]:
    return frozenset(read_data_file(_FILE).tables["zh"][_SINGLE])
