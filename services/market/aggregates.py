"""Counts, sums and medians of a market and its industries, as claims over its members."""

from collections.abc import Mapping
from dataclasses import dataclass
from heapq import nlargest
from typing import NamedTuple

from services.core.aggregates import COMPANY_COUNT, LEFT_OUT_COUNT, LOSSES, SUMMARIES
from services.core.claims import Claim, Figure, Missing
from services.core.errors import NoDataError
from services.core.ledger import Answer, Ledger
from services.core.members import LISTING_WORDS, UNCLASSIFIED, MembersIndex, scope_symbol
from services.core.text import Text
from services.core.trace import ToolCall

_NO_VALUES = Text("没有一家公司有这项数据", "no company has a value of it")
_NO_MEMBERS = Text("来源没有给出市场的成员", "the source gives no members of the market")


class Group(NamedTuple):
    """A market or one industry: its scope (`CN`, `CN:银行`), the industry, figures by metric."""

    scope: str
    industry: str | None
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class ListingKind:
    """How many listings of a market are no companies but of this kind, and its words."""

    kind: str
    label: Text
    count: Claim


@dataclass(frozen=True, slots=True)
class Unclassified:
    """The companies that the source gives no industry: how many, and each by symbol and name, the
    largest first; none of them where it gives no sizes.
    """

    count: Claim
    companies: tuple[tuple[str, str], ...]


def list_unclassified(ledger: Ledger, call: ToolCall) -> Unclassified | None:
    """Who of the members is of no industry, and so in none of them; None where everybody has one,
    or there are no members.
    """
    index = ledger.members(call)
    places = index.within(UNCLASSIFIED) if index is not None else ()
    if index is None or not places:
        return None
    claim = ledger.aggregate(call, COMPANY_COUNT, industry=UNCLASSIFIED)
    members = index.members
    sizes = members.columns.get("market_cap", ())
    named = tuple(
        (members.symbols[at], members.names[at]) for at in places if sizes and sizes[at] is not None
    )
    return Unclassified(claim, named) if claim is not None else None


def market_group(ledger: Ledger, answer: Answer) -> Group:
    """The market as a whole. Raises: NoDataError where the answer has no members."""
    return _group(ledger, *members_of(ledger, answer))


def industry_groups(ledger: Ledger, answer: Answer) -> list[Group]:
    """Its industries by total market value, the companies without one last, under UNCLASSIFIED.

    Raises: NoDataError.
    """
    call, index = members_of(ledger, answer)
    found = [_group(ledger, call, index, name) for name in index.industries]
    return sorted(found, key=_size)


def largest_members(
    ledger: Ledger, answer: Answer, industry: str | None, count: int
) -> tuple[tuple[str, str], ...]:
    """Symbol and name of the industry's companies of the highest market value, from the largest.

    Raises: NoDataError where the answer has no members.
    """
    _, index = members_of(ledger, answer)
    sizes = index.members.columns["market_cap"]
    valued = [(size, at) for at in index.within(industry) if (size := sizes[at]) is not None]
    first = nlargest(count, valued, key=lambda one: one[0])
    return tuple((index.members.symbols[at], index.members.names[at]) for _, at in first)


def list_left_out(ledger: Ledger, answer: Answer) -> list[ListingKind]:
    """What is listed in the market and is no company, the most numerous kind first."""
    call, index = members_of(ledger, answer)
    found = [
        ListingKind(kind, LISTING_WORDS[kind], claim)
        for kind in index.listings
        if (claim := ledger.aggregate(call, LEFT_OUT_COUNT, listing=kind)) is not None
    ]
    return sorted(found, key=lambda one: -one.count.value)


def members_of(ledger: Ledger, answer: Answer) -> tuple[ToolCall, MembersIndex]:
    """The call of an answer that holds the members. Raises: NoDataError where none does."""
    for call in answer.calls:
        if (index := ledger.members(call)) is not None:
            return call, index
    raise NoDataError("summary", _NO_MEMBERS)


def _size(group: Group) -> tuple[bool, float, str]:
    total = group.figures["market_cap_sum"]
    value = total.value if isinstance(total, Claim) else 0.0
    return group.industry == UNCLASSIFIED, -value, group.scope


def _group(
    ledger: Ledger, call: ToolCall, index: MembersIndex, industry: str | None = None
) -> Group:
    scope = scope_symbol(index.members.market, industry)
    figures: dict[str, Figure] = {}
    for formula in (*SUMMARIES, LOSSES[index.members.loss_column]):
        claim = ledger.aggregate(call, formula, industry=industry)
        figures[formula.metric] = claim or Missing(
            metric=formula.metric, symbol=scope, reason=_NO_VALUES
        )
    return Group(scope, industry, figures)
