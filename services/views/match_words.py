"""Why a listing is among what a text may mean, in words."""

from collections.abc import Mapping

from services.core.text import NO_TEXT, Text
from services.market.names.searching import Match, MatchKind

# `{text}` is what was typed, `{name}` the name that fits it.
_WORDS: Mapping[MatchKind, Text] = {
    "code": Text("代码含「{text}」", "the code has {text}"),
    "name": Text("名称含「{text}」", "named {name}"),
    "called": Text("也称「{text}」", "also called {text}"),
    "full": Text("全称{name}", "in full {name}"),
    "old": Text("曾用名{name}", "formerly {name}"),
    "english": Text("英文名 {name}", "in English {name}"),
    "initials": Text("拼音首字母 {name}", "pinyin initials {name}"),
    "pinyin": Text("拼音 {name}", "pinyin {name}"),
}
# What the name and the code beside it do not show, and the sound of the name would not.
_UNSEEN = frozenset({"full", "old"})


def match_words(found: Match | None, text: str) -> Text:
    """What of it fits the text; empty where nothing does by itself."""
    if found is None:
        return NO_TEXT
    words = _WORDS[found.kind]
    told = {"text": text.strip(), "name": found.text.upper() if found.kind == "old" else found.text}
    return Text(words.zh.format(**told), words.en.format(**told))


def unseen_words(found: Match, text: str) -> Text:
    """The same where the listing's present name and code do not show it."""
    return match_words(found, text) if found.kind in _UNSEEN else NO_TEXT
