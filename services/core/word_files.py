"""What a file of words (`data/lexicon`) must hold, asked wherever one is read: its readers take the
tables and lists they name for given.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from services.core.data_files import DataFile

FOLDER = "lexicon"
_EVERY = "*"
_VAGUE = ("zh", "en", "means_zh", "means_en")
_FRAME = ("polite", "able", "wish", "help", "self", "ask", "person", "said", "heard")
# Of each file the tables that are asked for by name (`*`: of every one), and the lists of them.
_NEEDED: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "actions.toml": {_EVERY: ("needs", "takes", "words")},
    "asides.toml": {"zh": ("single",), "en": ()},
    "cantonese.toml": {"signs": ("any",), "rules": ()},
    "company_words.toml": {
        "small_tickers": ("words",), "called": (), "shared": (), "corporate": ("words",),
    },
    "composed.toml": {"zh": ("made",), "en": ("made",)},
    "english_of_names.toml": {"words": ()},
    "found_times.toml": {_EVERY: ("zh", "en")},
    "frames.toml": {"zh": (*_FRAME, "after"), "en": _FRAME},
    "grammar_words.toml": {"harmless": ("words",), "spelled": ("words",)},
    "nicknames.toml": {"means": (), "shared": ()},
    "off_topic.toml": {_EVERY: ("patterns",)},
    "plan_words.toml": {
        "period": (), "category": (), "time_range": (), "order": (), "same_topic": (),
        "doings": (), "ends": (), "said": (), "slots_en": (), "values_en": (),
        "keywords_en": (), "signs_en": ("pairs",),
    },
    "question_words.toml": {"figures": (), "function_words": ()},
    "refusals.toml": {_EVERY: ("zh", "en")},
    "replies.toml": {"around": ("lead", "tail"), "markets": (), "places": ()},
    "scopes.toml": {
        "market": (), "board": (), "exchange": (), "st": (), "industry": (),
        "classes_not_said": ("say",), "unknown_concepts": ("say",), "unlisted": ("say",),
    },
    "searches.toml": {
        "please": ("words",), "seek": ("at", "side", "verbs", "about"), "spans": (),
        "site_search": ("places", "opens"), "web_search": ("places", "opens"),
        "user_feed": ("who", "nobody", "until", "home", "opens_topic", "ends_topic", "no_topic"),
        "knowledge": ("opens", "ends", "holds", "frames", "articles", "terms"),
    },
    "times.toml": {
        "quarter_of": (), "second_halves": ("words",), "year_ends": ("words",),
        "from_january": ("words",), "year_before": ("words",), "last_year": ("words",),
        "same_year": ("words",), "same_years": ("words",),
        "years_ago": (), "years_ahead": (), "weekdays": (), "named": (),
    },
    "vague.toml": {_EVERY: _VAGUE},
}  # fmt: skip
# Files whose words are patterns, the first of a pair.
_PATTERNS = frozenset({"cantonese.toml", "off_topic.toml"})


def check_words(file: "DataFile") -> None:
    """Raises: ConfigError with file, line and reason for what is no word, or is missing."""
    for place, word in _leaves(file.tables):
        reason = _refuse(word, is_pattern=file.path.name in _PATTERNS)
        if reason:
            raise file.fault_at(place, reason)
    for table, lists in _NEEDED.get(file.path.name, {}).items():
        for name in file.tables if table == _EVERY else (table,):
            if name not in file.tables:
                raise file.fault_at((), f"[{name}] is missing")
            for one in lists:
                if one not in file.tables[name]:
                    raise file.fault_at((name,), f"{one} is missing")


def _leaves(node: object, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """What stands in the file behind a name, each of a list by itself."""
    if isinstance(node, dict):
        for name, inner in cast("dict[str, object]", node).items():
            yield from _leaves(inner, (*place, name))
    elif isinstance(node, list):
        for one in cast("list[object]", node):
            yield place, one
    else:
        yield place, node


def _refuse(word: object, *, is_pattern: bool) -> str | None:
    """Why that is no word and no row of words; None when it is one."""
    row = cast("list[object]", word) if isinstance(word, list) else [word]
    if not row or not all(isinstance(one, str) for one in row):
        return f"{word!r} is no word"
    if is_pattern:
        try:
            re.compile(cast("str", row[0]))
        except re.error as error:
            return f"{row[0]!r} is no pattern: {error}"
    return None
