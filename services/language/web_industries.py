"""Which sites a search of the web is limited to, by the words of what is searched."""

from typing import Literal, get_args

from services.language.lexicon import Lexicon
from services.language.plain_text import spelled
from services.language.word_lists import LEXICON_FOLDER, read_word_list

# The industries of seed 000 but for `general`, which is no restriction.
Industry = Literal[
    "finance", "law", "medical", "internet", "tax", "news_province", "news_center"
]  # fmt: skip
_LIST = LEXICON_FOLDER / "web_industries.toml"
_WORDS = Lexicon(read_word_list(_LIST, get_args(Industry), no_figures=False))


def industries_of(query: str) -> tuple[str, ...]:
    """The industries whose words stand in it, in the order of the seed; empty for none."""
    plain = spelled(query)
    found: set[str] = set()
    place = 0
    while place < len(plain):
        word = _WORDS.at(plain, place)
        if word is not None:
            found.add(word[1])
        place = word[0] if word is not None else place + 1
    return tuple(name for name in get_args(Industry) if name in found)
