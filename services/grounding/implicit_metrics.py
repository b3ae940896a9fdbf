"""Figures that need no name: 上涨4.13% is the change of a price, 第1名 a rank, a 4.6-sigma move."""

import re

from services.core.claims import Claim, CompetenceCite
from services.grounding.direction_words import FIGURES
from services.grounding.sentence import Context
from services.language.numbers import Number


def is_own_word(number: Number, claim: Claim, context: Context) -> bool:
    """Whether unit, direction and the words around say by themselves what the figure is."""
    if claim.metric in {"pct_change", "run_change"} and number.kind in {"percent", "change"}:
        return bool(context.way) or number.sign != 0
    if number.kind == "percent" and is_return(claim, context):
        return True
    if isinstance(claim.cite, CompetenceCite):
        return False
    if claim.unit == "rank":
        return number.kind == "rank"
    if claim.unit == "sigma":
        return number.kind == "sigma" and _MOVE.match(context.behind) is not None
    if claim.metric in {"close", "current_price"}:
        return _is_price(number, claim, context)
    if claim.metric == "eps" and number.kind == "per_share":
        return "earn" in context.words
    return _is_count(number, claim, context)


def is_return(claim: Claim, context: Context) -> bool:
    """近60个交易日上涨12.4%, rose 12.4% over 60 sessions: the time beside it is its window."""
    word, _, days = claim.metric.partition("_")
    beside = [*context.after[:1], *(when.said for when in context.before[:1])]
    way = context.way or (context.sense.sign if context.sense is not None else 0)
    return (
        word == "return"
        and days.isdigit()
        and bool(way)
        and bool(beside)
        and beside[0].kind == "window"
        and beside[0].count == int(days)
    )


def _is_price(number: Number, claim: Claim, context: Context) -> bool:
    """报1388.5元, finished the day at; slipped 0.46% to HKD 300.2."""
    if context.lead.endswith(("报", "报于", "收")):
        return (claim.metric == "close") == ("收" in context.words)
    if claim.metric != "close":
        return False
    if re.search(r"\b(?:ended|finished|settled)\b", context.words):
        return context.lead.rstrip().endswith("at")
    moved = number.kind in {"money", "per_share"} and _BACK_AT_PRICE.search(context.lead)
    return bool(moved) and _IS_MOVE.search(context.words) is not None


def _is_count(number: Number, claim: Claim, context: Context) -> bool:
    """在10家可比公司中; 268 of 3,241 companies meet the criteria."""
    if claim.metric.endswith("_peer_count"):
        if number.unit == "家":
            return any(word in context.words for word in ("可比公司", "同行", "同业"))
        return number.kind == "count" and "count" in context.turns
    if claim.metric.startswith("judged_"):
        return (number.kind == "count" or number.is_bare) and "count" in context.turns
    if claim.metric == "match_count":
        return _MATCHED.match(context.behind) is not None
    if claim.metric != "company_count":
        return False
    if _OF_ALL.search(context.lead):
        return True
    return number.unit in _COMPANIES and not _MATCHED.match(context.behind)


_COMPANIES = frozenset({"家", "companies", "stocks", "a shares", "a-shares", "a-share companies"})
# A 4.63-sigma move: nothing else is counted in these.
_MOVE = re.compile(r" (?:daily )?(?:move|jump|drop)\b(?! (?:in|of|for) )")
# Slipped 0.46% to HKD 300.2, but held above HKD 300.
_BACK_AT_PRICE = re.compile(r"\bto $|\bheld $|\bheld above $|守住$|失守$")
_IS_MOVE = re.compile(r"\d(?:%| percent| per cent)")
# Of 268 of 3,241 companies the second is of all.
_OF_ALL = re.compile(f"[{''.join(FIGURES)}] of (?:the |all )?$")
_MATCHED = re.compile(
    r"(?:a股)?(?:上市)?(?:公司|股票|个股|标的)?(?:同时|全部|均|都)?(?:符合|满足|通过|入选|达标)"
    r"| (?:companies |stocks |names )?(?:of (?:the )?[\d,]+ [a-z\- ]{0,24}?)?"
    r"(?:met|meets?|match(?:ed|es)?|pass(?:ed|es)?|satisf|qualif)"
)
