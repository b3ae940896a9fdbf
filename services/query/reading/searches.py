"""Questions whose own words are what is looked for: pages, members, searches, what words mean.

What opens them is data (data/lexicon/searches.toml); the rest of the text is the search's.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.text import Language
from services.language.plain_text import is_cjk, one_of
from services.query.planning.nlir import Action
from services.query.planning.slots import NodeDraft
from services.query.reading.clarification import asked
from services.query.reading.tagging import Lattice

_FILE = DATA_FOLDER / "lexicon" / "searches.toml"
_URL = re.compile(
    r"(?:https?://|www\.|(?<![A-Za-z0-9_.@/-])(?:[a-z0-9-]+\.)*xueqiu\.com\b"
    r"|(?<![A-Za-z0-9_.@/-])(?:[a-z0-9-]+\.)+(?:com|cn|net|org|io)/)[^\s一-鿿，。、；）)\]>\"']*",
    re.IGNORECASE,
)
_HOSTS = re.compile(r"(?:https?://)?(?:[a-z0-9-]+\.)?xueqiu\.com(?:[/?#].*)?", re.IGNORECASE)
_NAME = r"(?P<user>[\w一-鿿·\-]{1,20}?)"
_LIMITED: frozenset[Action] = frozenset({"web_search", "site_search"})
_KNOWN = ("METRIC", "NOFIG", "ratio", "idiom", "indicator", "several", "CONCEPT", "tool", "loss")


def addressed(text: str, language: Language) -> list[NodeDraft]:
    """Pages to open; nothing where no address stands there. Raises: AskedBack for another host."""
    found = [match.group().rstrip(".,;!?") for match in _URL.finditer(text)]
    if any(_HOSTS.fullmatch(one) is None for one in found):
        raise asked(language, "bad_host", choices=("https://xueqiu.com/S/SH600519",))
    urls = (one if "://" in one else f"https://{one}" for one in found)
    return [NodeDraft("visit", args={"url": url}) for url in dict.fromkeys(urls)]


def searched(text: str) -> NodeDraft | None:
    """A member's posts, or a search of the site or the web, by the text's own words."""
    patterns = _patterns()
    for pattern in patterns.members:
        if match := pattern.search(text):
            args = {"user": match.group("user").strip()}
            topic = patterns.topic.search(text[match.end("user") :])
            if topic and not patterns.no_topic.search(topic.group("topic")):
                args["query"] = topic.group("topic")
            return NodeDraft("user_feed", args={**args, **_span(text)[1]})
    for action, pattern in patterns.searches.items():
        if (match := pattern.search(text)) and (words := _trim(match.group("words"))):
            rest, span = _span(words)
            return NodeDraft(action, args={"query": rest, **span} if rest else {"query": words})
    return None


def explained(lattice: Lattice, text: str) -> NodeDraft | None:
    """What a word of the trade means; None where a company is named or no such word is known."""
    terms, plain = _words()["knowledge"]["terms"], lattice.text.strip(" ?？。.!！")
    known = lattice.has(*_KNOWN) or any(one in plain for one in terms)
    # TTM is a ticker too; A股 is a term, and 银行股怎么看 asks of no word.
    named = [one for one in lattice.has("ENT", "SCOPE") if one.is_sure]
    if not known or any(lattice.text[one.start : one.end] not in terms for one in named):
        return None
    patterns = _patterns()
    # As it is read, what's the difference between … stands in another order.
    spellings = (plain, _trim(text).lower())
    if not any(map(patterns.knowledge.search, spellings)) and not _is_framed(lattice, plain):
        return None
    return NodeDraft("knowledge", args={"query": _trim(text)})


def _is_framed(lattice: Lattice, plain: str) -> bool:
    """What is PE, what's a PE ratio: a frame, and a known word alone."""
    match = _patterns().framed.match(plain)
    if match is None:
        return False
    end = lattice.text.find(plain) + len(plain)
    ends = {end, *(end - len(f" {one}") for one in _articles() if plain.endswith(f" {one}"))}
    start = match.end() + lattice.text.find(plain)
    return any(one.start == start and one.end in ends for one in lattice.has(*_KNOWN))


def _span(words: str) -> tuple[str, Mapping[str, str]]:
    """The words without the time that limits the search, and that time."""
    for span, pattern in _patterns().spans:
        if match := pattern.search(words):
            rest = (words[: match.start()] + words[match.end() :]).strip(" 的,，")
            return rest, {"time_range": span}
    return words, {}


def _trim(text: str) -> str:
    """The words as they are searched for: without marks at their ends."""
    return text.strip().strip("?？。！!，, ")


class _Patterns:
    """What the file's words make."""

    def __init__(self, words: Mapping[str, Any]) -> None:
        please = f"(?:{one_of(words['please']['words'])}|[,， ])*"
        seek = words["seek"]
        verb = f"(?:{one_of(seek['verbs'])})(?:{one_of(seek['about'])})?"
        self.searches: Mapping[Action, re.Pattern[str]] = {
            action: _make_pattern(
                rf"^{please}(?:(?:{one_of(seek['at'])})?(?:{one_of(words[action]['places'])})"
                rf"(?:{one_of(seek['side'])})?{verb}"
                f"|{_whole(words[action].get('opens', ()))})[ :：]*(?P<words>.+)$"
            )
            for action in sorted(_LIMITED)
        }
        of_member = words["user_feed"]
        until, home = one_of(of_member["until"]), one_of(of_member["home"])
        who, nobody = one_of(of_member["who"]), one_of(of_member["nobody"])
        self.members = (
            _make_pattern(rf"@{_NAME}(?=\s|{until}|$|[,，?？。])"),
            _make_pattern(
                rf"(?:雪球)?(?:{who})\s*[「\"“]?(?!{nobody}){_NAME}[」\"”]?\s*(?={until})"
            ),
            _make_pattern(
                rf"^{please}(?:看看|看下|看一下|打开)?(?P<user>[\w·\-]{{2,12}}?)(?:{home})"
            ),
            _make_pattern(
                r"(?:posts?|feed|timeline|updates?) (?:by|of|from) (?:the )?user [\"“]?"
                rf"{_NAME}(?:$|[\s\"”?])"
            ),
            _make_pattern(rf"\b(?:did|has) (?:the )?user [\"“]?{_NAME}[\"”]? "),
            _make_pattern(
                rf"(?<!the )\buser [\"“]?{_NAME}(?:'s)?[\"”]? (?:latest |recent )?(?:posts?|feed)"
            ),
        )
        opens, ends = one_of(of_member["opens_topic"]), one_of(of_member["ends_topic"])
        self.topic = _make_pattern(rf"(?:{opens})(?P<topic>[\w一-鿿]{{2,20}}?)(?:{ends}|$)")
        self.no_topic = _make_pattern(one_of(of_member["no_topic"]))
        of_words = words["knowledge"]
        self.knowledge = _make_pattern(_meaning_asked(of_words))
        articles = "|".join(f"{re.escape(one)} " for one in of_words["articles"])
        self.framed = _make_pattern(rf"^(?:{one_of(of_words['frames'])}) (?:{articles})?")
        self.spans = tuple(
            (span, _make_pattern(f"(?:{_whole(listed)})的?"))
            for span, listed in words["spans"].items()
        )


def _meaning_asked(words: Mapping[str, Sequence[str]]) -> str:
    """What opens, ends or holds a question of what a word means; a tail may stand behind an end."""
    tail = rf"(?:[\s,，]*(?:{one_of(words['tail'])}))*"
    opens, ends, holds = _whole(words["opens"]), one_of(words["ends"]), _whole(words["holds"])
    return f"^(?:{opens})|(?:{ends}){tail}$|(?:{holds})"


@cache
def _patterns() -> _Patterns:
    return _Patterns(_words())


@cache
def _words() -> Mapping[str, Any]:
    return read_data_file(_FILE).tables


def _articles() -> Sequence[str]:
    return _words()["knowledge"]["articles"]


def _make_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _whole(words: Sequence[str]) -> str:
    """Any of the words, Latin ones only whole: google is no part of googled."""
    latin = [one for one in words if not is_cjk(one[0])]
    other = one_of([one for one in words if is_cjk(one[0])]) or r"(?!)"
    return rf"{other}|(?<![a-z0-9])(?:{one_of(latin)})(?![a-z0-9])" if latin else other
