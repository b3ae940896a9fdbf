"""Whether every word of a question is in a plan made of its text alone: tried by leaving words out.

For plans whose reader has no lattice of its own. A word whose absence changes nothing, and whose
opposite changes nothing either, was lost.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.lattice import FUNCTION, Token, spelled_for_questions
from services.query.planning.nlir import AskBack, Nlir
from services.query.reading.tagging import Lattice

# Kinds of words that only join, point, ask or name what is done anyway.
_EASY = frozenset({
    FUNCTION, "COMMA", "noun", "join", "bool", "between", "between2", "follow", "order", "since",
    "until", "edge", "NUM", "after", "tool", "BADTIME",
})  # fmt: skip
_EASY_ASKS = frozenset(
    {"what", "yesno", "which", "list", "trend", "times", "ret", "series", "daily", "growth"}
)
# The words whose loss turns a question into another: tried always.
_OPPOSITES: Mapping[str, str] = {
    "最大": "最小", "最小": "最大", "最高": "最低", "最低": "最高", "最多": "最少", "最少": "最多",
    "大于": "小于", "小于": "大于", "高于": "低于", "低于": "高于", "超过": "低于", "不到": "超过",
    "以上": "以下", "以下": "以上", "highest": "lowest", "lowest": "highest", "above": "below",
    "below": "above", "over": "under", "under": "over", "largest": "smallest",
    "smallest": "largest",
    "从高到低": "从低到高", "从低到高": "从高到低", "涨": "跌", "跌": "涨", "高": "低", "低": "高",
}  # fmt: skip
# Of two that stand beside each other the higher one is seen.
_WHICH = frozenset(
    {"高", "低", "大", "小", "便宜", "贵", "更高", "更低", "higher", "lower", "bigger", "cheaper"}
)
_MOST = 14
# What analysts say is told as theirs; what will be is told by nobody.
FORECAST = re.compile(
    r"机构|分析师|券商|预期|(?:盈利|利润|净利|营收|收入|业绩|每股收益|eps)的?预测|consensus|analyst|forecast|"
    r"expect|estimate|一致",
    re.IGNORECASE,
)
_AHEAD = frozenset({"预测", "预计", "明年", "今年", "next year", "forecast"})
_WORD = re.compile(r"[a-z0-9一-鿿]")


def lost_in_text(
    text: str, lattice: Lattice, plan: Nlir, read: Callable[[str], Nlir | AskBack]
) -> tuple[str, ...]:
    """The words of the text that the plan does without."""
    clean = lattice.text or spelled_for_questions(text)
    if not _same(read(clean), plan):
        return ()  # the plain spelling reads otherwise: nothing can be tried on it
    lost = [
        clean[start:end] for start, end in lattice.unread
        if _WORD.search(clean[start:end]) and clean[start:end] not in harmless_words()
    ]  # fmt: skip
    if _is_forecast(plan):
        lost = [one for one in lost if not FORECAST.search(one)]
    for start, end in _content(lattice)[:_MOST]:
        word = clean[start:end]
        if _is_forecast(plan) and (FORECAST.search(word) or word in _AHEAD):
            continue
        if word in harmless_words() or (word in _WHICH and len(plan.nodes) > 1):
            continue
        if not _same(read(f"{clean[:start]} {clean[end:]}"), plan):
            continue
        other = _OPPOSITES.get(word)
        if other is not None and not _same(read(clean[:start] + other + clean[end:]), plan):
            continue
        lost.append(word)
    return tuple(lost)


def _is_forecast(plan: Nlir) -> bool:
    return any(node.arg("period") == "预期" for node in plan.nodes)


def _content(lattice: Lattice) -> list[tuple[int, int]]:
    """The words that must matter: typed ones with a meaning of their own, the longest at a place,
    and runs that nobody knows."""
    spans: list[tuple[int, int]] = [
        (start, end) for start, end in lattice.unread
        if _WORD.search(lattice.text[start:end]) and lattice.text[start:end] not in harmless_words()
    ]  # fmt: skip
    tokens = sorted(lattice.tokens, key=lambda one: one.start - one.end)
    taken = [False] * len(lattice.text)
    for token in tokens:
        if any(taken[token.start : token.end]):
            continue
        alike = [one for one in tokens if (one.start, one.end) == (token.start, token.end)]
        for place in range(token.start, token.end):
            taken[place] = True
        if not any(_is_easy(one) for one in alike):
            spans.append((token.start, token.end))
    return sorted(set(spans))


def _is_easy(token: Token) -> bool:
    if token.cat == "bool" and token.sem == "or":
        return False
    return token.cat in _EASY or (token.cat == "ask" and token.sem in _EASY_ASKS)


@cache
def harmless_words() -> frozenset[str]:
    """Words that the older reader passes over and rightly so: each was looked at."""
    file = read_data_file(DATA_FOLDER / "lexicon" / "older_reader.toml")
    return frozenset(file.tables["harmless"]["words"])


def _same(read: Nlir | AskBack, plan: Nlir) -> bool:
    return isinstance(read, Nlir) and read == plan
