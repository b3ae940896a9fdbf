"""Sets of companies as a text tells them, beyond their own words: with the noun behind them,
counted, grown, the members of an index.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from services.language.lattice import FUNCTION, Token
from services.language.plain_text import lower

# What a market is called behind its name: the A-share market, 港股市场.
_MARKET_NOUN = re.compile(r"(?:stock |equity )?(?:markets?|exchange)(?![a-z])|市场")
# An index whose members are meant, and what then stands behind its name. Their list is not held.
MEMBERS = "members"
_MEMBERS = re.compile(
    r"(?:的| )?(?:里|中(?!期)|内|当中|之中|成[分份]股?|权重股|个股|股票|公司|企业|上市公司)"
    r"|(?:'s)? (?:stocks?|members?|constituents?|components?|companies|company|names)(?![a-z])"
)
# A rise told of companies that follow: 同比增长的公司. Names of figures have no word of a fall.
_GROWN = re.compile(r"(?:同比|按年)?(?:增长|增加|提升|提高|上升|成长|改善)的")
# A place asked inside of a set whose number was said.
_PLACE_INSIDE = re.compile(
    r"(?:公司|股票)?(?P<inside>里面?|中|当中)(?=[^,，。?？]{0,12}(?:第几|名次|排名|排行))"
)
_FIRMS = re.compile(r"公司|企业|上市公司|股票|个股|那些|有哪些")


def with_sets(cased: str, found: Sequence[Token], is_index: Callable[[Token], bool]) -> list[Token]:
    """The tokens of a text with those of its sets. `is_index`: whether a name is an index's."""
    text = lower(cased)
    told = [*found, *_sets_with_nouns(text, found)]
    told += _counts_of_sets(text, told)
    told += _sizes_of_sets(text, told)
    told += _index_members(text, told, is_index)
    return _grown_sets(text, _as_operators(cased, told))


def _index_members(
    text: str, found: Sequence[Token], is_index: Callable[[Token], bool]
) -> Iterator[Token]:
    """The name of an index that stands for its members: 沪深300成分股, 恒生指数里."""
    for one in found:
        behind = _MEMBERS.match(text, one.end) if one.cat == "ENT" else None
        if behind and is_index(one):
            yield Token("CONCEPT", one.start, behind.end(), MEMBERS)


def quote_unknown(token: Token, text: str) -> str:
    """What nobody here has, as it is named to the asker: the members of an index as such."""
    said = text[token.start : token.end]
    if token.sem != MEMBERS:
        return said
    name = re.sub(f"(?:{_MEMBERS.pattern})$", "", said)
    return f"{name} members" if name.isascii() else f"{name}成份股"


def _sets_with_nouns(text: str, found: Sequence[Token]) -> list[Token]:
    """A set with the noun behind it as one word: 电力行业里 is no 电力 and its peers; and a set
    said twice in one breath (real estate developers).
    """
    nouns = {one.start: one.end for one in found if one.cat == "noun"}
    # US market cap, 银行业绩: the noun is the head of a figure.
    figures = [one for one in found if one.cat in ("METRIC", "several", "ask", "agg")]
    again = {(one.start, one.sem): one.end for one in found if one.cat == "SCOPE"}
    made: list[Token] = []
    for one in found:
        if one.cat != "SCOPE":
            continue
        dim = cast("tuple[object, ...]", one.sem)[0]
        start = one.end + (text[one.end : one.end + 1] == " ")
        end = nouns.get(start) if dim == "industry" else None
        if dim == "market" and (place := _MARKET_NOUN.match(text, start)):
            end = place.end()
        end = end or again.get((start, one.sem))
        if end and not any(start < a.end and a.start < end < a.end for a in figures):
            made.append(replace(one, end=end))
    return made


def _as_operators(cased: str, found: Sequence[Token]) -> list[Token]:
    """NOT banks AND dy>=6%: in capitals it joins conditions, never what is left out."""
    return [
        replace(one, cat="bool")
        if one.cat == "join" and cased[one.start : one.end] == "AND"
        else one
        for one in found
    ]


def _grown_sets(text: str, found: Sequence[Token]) -> list[Token]:
    """净利润同比增长的银行: growth right before a set says which are meant."""
    sets = {one.start for one in found if one.cat == "SCOPE"}
    kept = list(found)
    for match in _GROWN.finditer(text):
        if match.end() not in sets and not _FIRMS.match(text, match.end()):
            continue
        ends = match.end() - 1
        kept = [
            one
            for one in kept
            if one.end != ends
            or not (one.cat == "ask" or (one.cat == "METRIC" and ":" in str(one.sem)))
        ]
        kept.append(Token("move", match.start(), match.end(), "up", 0.2))
    return kept


def _sizes_of_sets(text: str, found: Sequence[Token]) -> Iterator[Token]:
    """在食品饮料71家里排第几: of a set in which a place is asked its size is told anyway."""
    firsts = {one.end for one in found if one.cat in ("sup", "bigsup")}  # 市值最大的食品饮料20家里
    sets = {one.end for one in found if one.cat == "SCOPE" and one.start not in firsts}
    for one in found:
        inside = _PLACE_INSIDE.match(text, one.end)
        if one.cat == "COUNT" and one.start in sets and inside:
            yield Token(FUNCTION, one.start, inside.end("inside"), None, 0.3)


def _counts_of_sets(text: str, found: Sequence[Token]) -> Iterator[Token]:
    """A number right before a set counts its companies: the 10 A-shares, 5 banks."""
    sets = {one.start for one in found if one.cat == "SCOPE"}
    for one in found:
        if one.cat == "NUM" and text[one.end : one.end + 1] == " " and one.end + 1 in sets:
            yield replace(one, cat="COUNT", cost=1.0)
