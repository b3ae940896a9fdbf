"""The frame of a request in a question: words that ask, and mean nothing of what is asked.

Composed of closed classes (data/lexicon/frames.toml) by their grammar, instead of a list of every
way to ask: 麻烦帮俺拉一下, could you please show me, 我同事问.
"""

# ruff: noqa: E501 — one frame a line

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.plain_text import one_of

_FRAMES = DATA_FOLDER / "lexicon" / "frames.toml"
_OPENING = ("polite", "able", "wish", "help", "self")


def request_frames(text: str) -> Iterator[tuple[int, int]]:
    """The spans of `text` (plain, small letters) that only ask."""
    for pattern in _patterns():
        for match in pattern.finditer(text):
            yield match.span()


def asker_clauses(
    text: str, asked: Sequence[tuple[int, int]], named: Sequence[tuple[int, int]] = ()
) -> tuple[tuple[int, int], ...]:
    """The parts of `text` between marks in which the asker tells of himself: 我刚入门，问个傻问题.

    `asked`: the words that name what is asked about; a part with one of them is none. But with
    one of `named` alone it says whom the rest is about, where that names nobody: i'm writing a
    paper about tesla. What stands around the name is told.
    """
    found: list[tuple[int, int]] = []
    for match in _CLAUSE.finditer(text):
        start, end = match.span()
        inside = [one for one in asked if one[0] < end and start < one[1]]
        is_about = (
            {*inside} <= {*named}
            and not any(one not in inside for one in named)
            and text[start:end].rstrip()[-1:] in _ENDING
            and not _NEGATED.search(text, start, end)
        )
        if inside and not is_about:
            continue
        opens, holds = _of_asker()
        # 我自选股里的, 我买的: who ends so names a set.
        is_set = text[start:end].rstrip(_MARKS)[-1:] in tuple("的里中内")
        if opens.match(text, start, end) and not holds.search(text, start, end) and not is_set:
            edges = sorted({start, end, *(at for one in inside for at in one)})
            cuts = pairwise(edges)
            found += [one for one in cuts if not any(a <= one[0] < b for a, b in inside)]
    return tuple(found) if sum(end - start for start, end in found) < len(text) else ()


_MARKS = " ,，.。!！;；:：–—…-"
# What stands between two marks that end a thought; the mark behind it, and blanks before, with it.
_CLAUSE = re.compile(r"(?:(?! - )[^,，.。!！?？;；:：–—…])+(?:[,，.。!！;；:：–—…]+ ?| - )")
# Behind these a new sentence begins.
_ENDING = tuple(".。!！;；:：–—-")
# Who says what he does not do says nothing of whom the rest is about.
_NEGATED = re.compile(r"(?<![a-z])(?:not|never|no|nor)(?![a-z])|n['’]t(?![a-z])|不|没|別|别")


@cache
def _of_asker() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How a part begins whose subject is who asks (我, 俺寻思, i'm, my boss); what he may hold."""
    tables = read_data_file(_FRAMES).tables
    zh, en = tables["zh"], tables["en"]
    opens = rf"\s*(?:(?:{one_of(en['interjections'])})[, ]+)*(?:(?:{one_of(zh['opens'])})|(?:{one_of(en['opens'])})(?![a-z0-9-]))"
    holds = rf"(?:{one_of(zh['holds'])})|(?<![a-z])(?:{one_of(en['holds'])})(?![a-z])"
    return re.compile(opens), re.compile(holds)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    tables = read_data_file(_FRAMES).tables
    return (*_chinese(tables["zh"]), *_english(tables["en"]))


def _chinese(words: Mapping[str, Sequence[str]]) -> tuple[re.Pattern[str], ...]:
    opening = one_of([one for kind in _OPENING for one in words[kind]])
    ask, after = one_of(words["ask"]), one_of(words["after"])
    single = "".join(sorted(one for one in words["ask"] if len(one) == 1))
    person, said = one_of(words["person"]), one_of(words["said"])
    return (
        # 麻烦帮我查一下: openings, a verb of asking, what follows such a verb.
        re.compile(rf"(?:{opening})+(?:先|去|就)?(?:{ask})(?:{ask})?(?:{after})*"),
        # 列个表, 看一下, 算一遍: the verb and what follows it alone.
        re.compile(
            rf"(?:{ask})(?:一下子?|下子?|一遍|一眼|一看|出来|[一个张份]{{1,2}}(?:表格?|清单|名单|列表))(?:{after})*"
        ),
        # 聊聊, 查一查: the verb twice.
        re.compile(rf"(?P<verb>[{single}])一?(?P=verb)(?:{after})*"),
        # 我小姐妹说, 群里问: what somebody said, at the beginning of a part of the question.
        re.compile(
            rf"(?:^|(?<=[,，。!！?？]))(?:我|我们|俺|咱|阿拉|有个|有位|个|一个|某|那个|你)?(?:的|家)?[小老大]?(?:{person})(?:们|里|的)?(?:刚才?|刚刚|今天|昨天|昨晚|最近|又|总)?(?:{said})"
        ),
        re.compile(
            rf"(?:^|(?<=[,，。!！?？]))(?:我)?(?:刚才?|刚刚|今天|昨天|最近|以前)?(?:{one_of(words['heard'])})"
        ),
    )


def _english(words: Mapping[str, Sequence[str]]) -> tuple[re.Pattern[str], ...]:
    opening = one_of([one for kind in _OPENING for one in words[kind]])
    ask = one_of(words["ask"])
    person, said = one_of(words["person"]), one_of(words["said"])
    return (
        # could you please show me
        re.compile(
            rf"(?<![a-z0-9'])(?:(?:{opening}),? )+(?:to )?(?:{ask})(?: (?:me|out|up|at|for me|if|whether))*(?![a-z0-9'])"
        ),
        re.compile(rf"(?<![a-z0-9'])(?:{ask}) me(?![a-z0-9'])"),
        # i'd like to, we want to
        re.compile(
            rf"(?<![a-z0-9'])(?:i|we|i'd|we'd)(?: would|'d)? (?:really )?(?:{one_of(words['wish'])})(?: to)?(?: (?:{ask}))?(?![a-z0-9'])"
        ),
        # my boss asked me
        re.compile(
            rf"(?<![a-z0-9'])(?:(?:my|our|a|the|an) )?(?:old )?(?:{person})s? (?:just |keeps )?(?:{said})(?: me)?(?: that| if| whether| about)?(?![a-z0-9'])"
        ),
        re.compile(rf"(?<![a-z0-9'])(?:{one_of(words['heard'])})(?: that| about)?(?![a-z0-9'])"),
    )
