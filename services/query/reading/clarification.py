"""Questions put back, in the language asked: why, and texts that can be asked as they are."""

import re
from collections.abc import Mapping, Sequence

from services.core.text import Language
from services.query.planning.metadata import MetadataEntry
from services.query.planning.nlir import AskBack
from services.query.planning.plir import Session
from services.query.reading.reasons import reason
from services.query.reading.tagging import Lattice

_HAN = re.compile(r"[一-鿿]")
# A company as a choice names it: 苹果(AAPL), which says nothing of the language.
_NAMED = re.compile(r"[^\s,，、()的]+\([0-9A-Z.]+\)")
# Codes and figures that are called the same in both languages.
_NEUTRAL = re.compile(
    r"(?i:pe|pb|ps|roe|eps|dps|ttm|lyr|mrq|yoy|cpi|ppi|gdp|pmi|lpr|m1|m2|fy\d*|q[1-4])|[A-Z]{1,6}"
    r"|[\d.]+(?i:sh|sz|hk)?"
)
_BETWEEN = re.compile(r"[\s,，、?？+&/()-]+")
EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "zh": (
        "贵州茅台的营业收入",
        "市盈率小于20的A股",
        "腾讯2016年1月为什么跌",
        "上证指数近一个月走势",
    ),
    "en": (
        "600519 revenue",
        "A-shares with PE below 20",
        "why did AAPL fall",
        "how did the Hang Seng do last month",
    ),
}
FIGURES: Mapping[str, tuple[str, ...]] = {
    "zh": ("营业收入", "净利润", "市盈率(TTM)", "最新价"),
    "en": ("revenue", "net profit", "PE", "stock price"),
}
FIRM: Mapping[str, tuple[str, ...]] = {
    "zh": ("贵州茅台", "腾讯控股", "苹果"),
    "en": ("600519", "Tencent", "AAPL"),
}
# Put back for what was not understood; everything else is put back on purpose.
UNREAD = frozenset({
    "off_topic", "unread", "no_names", "no_shape", "not_held", "not_held_of", "whose",
    "what_order", "which_figure", "no_figure", "of_what_before", "several_meanings",
    "other_of_pair",
})  # fmt: skip


class AskedBack(Exception):  # noqa: N818 - not an error: a question put back
    """Ends the reading of a question with a question."""

    def __init__(self, ask_back: AskBack, kind: str = "", said: Sequence[str] = ()) -> None:
        """`kind` is why, `said` the words of the question that are not clear."""
        super().__init__(ask_back.reason)
        self.ask_back = ask_back
        self.kind = kind
        self.said = tuple(said)


def language_of(text: str) -> Language:
    """`zh` unless it is written in Latin letters only; a listed name with its code is neither."""
    rest = _NAMED.sub("", text)
    return "en" if re.search("[A-Za-z]", rest) and not _HAN.search(rest) else "zh"


def language_in(text: str, earlier: Sequence[str]) -> Language:
    """Its language among earlier texts: `pb` and `AAPL` go on in that of the one before."""
    if not _is_neutral(text):
        return language_of(text)
    before = next((one for one in reversed(earlier) if not _is_neutral(one)), text)
    return language_of(before)


def language_told(text: str, context: Session) -> Language:
    """The language what the next turn means is told in: the page's, else the text's own."""
    return context.language or language_in(text, [turn.user_query for turn in context.turns])


def _is_neutral(text: str) -> bool:
    words = [word for word in _BETWEEN.split(_NAMED.sub("", text)) if word]
    return all(_NEUTRAL.fullmatch(word) for word in words)


def ask_back(language: Language, kind: str, *said: str, choices: Sequence[str] = ()) -> AskBack:
    """The question put back, with these choices and no others."""
    zh, en = reason(kind, *said)
    return AskBack(reason=zh if language == "zh" else en, choices=tuple(dict.fromkeys(choices)))


def asked(language: Language, kind: str, *said: str, choices: Sequence[str] = ()) -> AskedBack:
    """The question put back, ready to be raised; at most eight choices."""
    offered = [*dict.fromkeys(choices or EXAMPLES[language])][:8]
    return AskedBack(ask_back(language, kind, *said, choices=offered), kind, said)


def about(language: str, company: str) -> tuple[str, ...]:
    """Questions about that company."""
    link = "的" if language == "zh" else " "
    return tuple(f"{company}{link}{figure}" for figure in FIGURES[language])


def figure_called(entry: MetadataEntry, language: str) -> str:
    """A figure's name in that language; its Chinese one when it has no other."""
    if language == "zh":
        return entry.name
    return next((alias for alias in entry.aliases if alias.isascii()), entry.name)


# So far apart two times are still one span: 12到16年.
_BETWEEN_TIMES = 3


def asked_of_words(
    lattice: Lattice, firms: Sequence[str], unknown: Sequence[str], language: Language
) -> str:
    """The companies, or else the sets said, with the times; empty where nothing of them was."""
    zh = language == "zh"
    marks = "、" if zh else ", "
    whose = list(firms) or _sets(lattice, unknown, language)
    when = marks.join(_times(lattice))
    gap = " " if not zh and when and whose else ""
    return f"{marks.join(whose)}{gap}{when}"


def _sets(lattice: Lattice, unknown: Sequence[str], language: Language) -> list[str]:
    said = [lattice.text[one.start : one.end] for one in lattice.has("SCOPE")]
    told = [one for one in dict.fromkeys(said) if one not in unknown]
    # The lattice is in small letters; a Chinese text writes A股 and ST in capitals.
    return [one.upper() for one in told] if language == "zh" else told


def _times(lattice: Lattice) -> list[str]:
    """The times that were said, those beside each other as one span."""
    spans: list[tuple[int, int]] = []
    for one in sorted(lattice.has("WHEN"), key=lambda token: token.start):
        if spans and one.start - spans[-1][1] <= _BETWEEN_TIMES:
            spans[-1] = (spans[-1][0], max(spans[-1][1], one.end))
        else:
            spans.append((one.start, one.end))
    return [lattice.text[start:end].strip() for start, end in spans]
