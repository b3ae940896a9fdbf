"""Questions of no company: searches by their own words and macro series, with the times said."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from services.core.text import Language
from services.query.planning.plir import Turn
from services.query.planning.slots import Draft
from services.query.reading.clarification import FIRM, asked
from services.query.reading.question import Question
from services.query.reading.time_expressions import When

_MOST = 40
# What a search is limited by is said in these ways; any other time is part of what is sought.
_SPANS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"(?:今天|今日|最近一天|一天内|\btoday'?s?\b|past day|last 24 hours)的?"),
        "一天内",
    ),
    (
        re.compile(
            r"(?:(?:最近|近|过去)一?(?:周|个?星期)|一周内|本周|这周|"
            r"(?:in |over |from )?(?:the )?(?:past|last|this) week)的?"
        ),
        "一周内",
    ),
    (
        re.compile(
            r"(?:(?:最近|近|过去)一个?月|一个?月内|本月|这个月|"
            r"(?:in |over |from )?(?:the )?(?:past|last|this) month)的?"
        ),
        "一个月内",
    ),
    (
        re.compile(
            r"(?:(?:最近|近|过去)一年|一年内|(?:in |over |from )?(?:the )?(?:past|last) year)的?"
        ),
        "一年内",
    ),
)
_OF_NOBODY = re.compile(
    r"新闻|资讯|快讯|消息|有什么|有没有|有啥|什么|相关|有关|那时候?|当时|那段时间|期间|前后|最新|最近|其他|"
    r"[的呢吗它有啥\s?？]|\b(?:any|some|the|news|around|then|at|that|time|about|it|its|related|latest|"
    r"recent|is|there|what|was|on|this|them|show|me|stories)\b"
)
_ABROAD = re.compile(
    r"美国|美联储|日本|欧洲|欧元区|欧盟|英国|德国|法国|印度|韩国|俄罗斯|全球|香港|台湾|巴西|"
    r"\b(?:u\.?s\.?|usa|american?|united states|japan|japanese|euro ?(?:zone|area)|europe|uk|"
    r"british|germany|german|india|indian|global|world|hong kong)\b",
    re.IGNORECASE,
)
# How many periods of a series a unit of time is: a month each, a quarter of GDP, sessions of flows.
_A_MONTH: Mapping[str, int] = {"年": 12, "季度": 3, "月": 1, "期": 1}
_A_QUARTER: Mapping[str, int] = {"年": 4, "季度": 1, "期": 1}
_SESSIONS: Mapping[str, int] = {"年": 240, "季度": 60, "月": 21, "周": 5, "天": 1, "期": 1}
_UNITS: Mapping[str, Mapping[str, int]] = {"GDP": _A_QUARTER, "资金流向": _SESSIONS}


def limited(draft: Draft, text: str) -> Draft:
    """A search with its time taken out of the words: 近一周新能源补贴."""
    words = draft.args.get("query")
    if draft.action not in {"web_search", "site_search", "user_feed"}:
        return draft
    for pattern, span in _SPANS:
        if draft.action == "user_feed" and pattern.search(text):
            return replace(draft, args={**draft.args, "time_range": span})
        if not isinstance(words, str) or not pattern.search(words.lower()):
            continue
        match = pattern.search(words.lower())
        assert match is not None  # noqa: S101 - found just above
        rest = (words[: match.start()] + words[match.end() :]).strip(" 的,，")
        if rest:
            return replace(draft, args={**draft.args, "query": rest, "time_range": span})
    return draft


def news_of_turn(draft: Draft, turn: Turn | None, language: Language) -> Draft:
    """News of nobody (有什么新闻, any news around then) are of the company asked about before, and
    of its days, which a search can only take as words.

    Raises: AskedBack when none was.
    """
    words = draft.args.get("query")
    if draft.action != "web_search" or not isinstance(words, str):
        return draft
    if _OF_NOBODY.sub("", words.lower()):
        return draft
    node = turn.nlir.nodes[0] if turn and turn.nlir else None
    company = str(node.arg("entity") or "") if node else ""
    if turn is None or node is None or not company:
        link = "新闻" if language == "zh" else " news"
        choices = [f"{one}{link}" for one in FIRM[language]]
        raise asked(language, "no_company", choices=choices)
    day = str(node.arg("start_date") or "")
    month = f"{int(day[:4])}年{int(day[5:7])}月" if day else ""
    query = " ".join(word for word in (company, month, "新闻") if word)
    return replace(draft, args={**draft.args, "query": query}, ref=f"{turn.turn_id}.{node.id}")


def foreign(text: str) -> str | None:
    """The place abroad whose series are asked for; None when none was named."""
    match = _ABROAD.search(text)
    return match.group() if match else None


def macro_drafts(question: Question) -> list[Draft]:
    """A node for each series, with how many periods or which days were said."""
    return [
        Draft("macro", args={"series": name, **_times(name, question)})
        for name in dict.fromkeys(question.sentence.series)
    ]


def _times(name: str, question: Question) -> Mapping[str, JsonValue]:
    if count := _count(name, question.whens):
        return {"count": count}
    days = question.times.days
    return dict(days) if "start_date" in days else {}


def _count(name: str, whens: Sequence[When]) -> int | None:
    """How many periods of that series a 近一年 or 近六期 is."""
    units = _UNITS.get(name, _A_MONTH)
    for when in whens:
        each = units.get(when.unit or "")
        if when.count and each:
            return min(_MOST, when.count * each)
    return None
