"""Whom a count, sum or median is over: how many, who was left out and why, and each by name."""

from dataclasses import dataclass
from typing import NamedTuple

from services.core.catalogue import SCREEN_FIELDS
from services.core.claims import Claim, DerivedCite, MembersRef
from services.core.expressions import METRIC as EXPRESSION
from services.core.industries import industry_label
from services.core.members import LISTING_WORDS, MembersIndex, index_of
from services.core.text import Text
from services.core.trace import Trace
from services.views.table import Column, Row, Table, metric_words

_NAMED = 5
_USED = Text("计入", "counted")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Members that a figure is not over: why, how many, and the names of the best known."""

    why: Text
    count: int
    names: tuple[str, ...]


class Membership(NamedTuple):
    """`used` of the `total` members of its market or industry go in; the others are left out."""

    used: int
    total: int
    left_out: tuple[LeftOut, ...]


def membership_of(claim: Claim, trace: Trace) -> Membership | None:
    """Whom the figure is over; None for one that is not over members.

    Raises: KeyError where its call is not in the trace.
    """
    found = _found(claim, trace)
    if found is None:
        return None
    index, ref = found
    scope, used = index.within(ref.industry, ref.listing), index.used(ref)
    left = [*_without(index, ref)]
    if ref.industry is None and ref.listing is None:
        left += [_listed(index, kind) for kind in index.listings]
    return Membership(len(used), len(scope), tuple(one for one in left if one.count))


def members_table(claim: Claim, trace: Trace) -> Table | None:
    """Every listing in question, with the value that goes in or why none does; None for a figure
    that is not over members. The values are bookkeeping here, in full precision.
    """
    found = _found(claim, trace)
    if found is None:
        return None
    index, ref = found
    members, used = index.members, set(index.used(ref))
    places = [*index.within(ref.industry, ref.listing)]
    if ref.industry is None and ref.listing is None:
        places += [place for kind in index.listings for place in index.within(listing=kind)]
    column = members.columns.get(ref.column or "", ())
    rows = [
        Row(
            {
                "symbol": members.symbols[place],
                "name": members.names[place],
                "industry": industry_label(label) if (label := members.industries[place]) else None,
                "value": repr(value) if column and (value := column[place]) is not None else None,
                "standing": _USED if place in used else _why(index, ref, place),
            },
            members.symbols[place],
        )
        for place in places
    ]
    columns = (
        Column("symbol", Text("代码", "Symbol"), "symbol"),
        Column("name", Text("名称", "Name"), "text"),
        Column("industry", Text("行业", "Industry"), "text"),
        Column("value", Text("全精度", "Full precision"), "text"),
        Column("standing", Text("是否计入", "Counted"), "text"),
    )
    metric = metric_words(claim.metric)
    return Table(
        "members", Text(f"成员：{metric.zh}", f"Members: {metric.en}"), columns, tuple(rows)
    )


def _found(claim: Claim, trace: Trace) -> tuple[MembersIndex, MembersRef] | None:
    """The members and the group of them that decides: the last the formula names."""
    if not isinstance(claim.cite, DerivedCite) or not claim.cite.members:
        return None
    if claim.metric == EXPRESSION:  # its text says whom it is over
        return None
    ref = claim.cite.members[-1]
    calls = {call.tool_call_id: call for call in trace.tool_calls}
    members = calls[ref.tool_call_id].members
    return (index_of(members), ref) if members is not None else None


def _without(index: MembersIndex, ref: MembersRef) -> list[LeftOut]:
    """The companies of the scope that are not used, by the reason."""
    used = set(index.used(ref))
    reasons: dict[Text, list[int]] = {}
    for place in index.within(ref.industry, ref.listing):
        if place not in used:
            reasons.setdefault(_why(index, ref, place), []).append(place)
    return [
        LeftOut(why, len(places), tuple(index.members.names[place] for place in places[:_NAMED]))
        for why, places in reasons.items()
    ]


def _listed(index: MembersIndex, kind: str) -> LeftOut:
    places = index.within(listing=kind)
    names = tuple(index.members.names[place] for place in places[:_NAMED])
    return LeftOut(_no_company(kind), len(places), names)


def _no_company(kind: str) -> Text:
    zh, en = LISTING_WORDS[kind]
    return Text(f"不是公司：{zh}", f"no company: {en}")


def _why(index: MembersIndex, ref: MembersRef, place: int) -> Text:
    """Why that listing does not go in."""
    members = index.members
    if (kind := members.listings[place]) is not None and kind != ref.listing:
        return _no_company(kind)
    fields = [*(bound.field for bound in ref.bounds), *([ref.column] if ref.column else [])]
    lacking = next((name for name in fields if members.columns[name][place] is None), None)
    if lacking is not None:
        name = metric_words(SCREEN_FIELDS.get(lacking, lacking))
        if lacking in {"pettm", "pelyr"}:
            return Text(f"{name.zh}亏损或未给出", f"{name.en}: a loss, or not given")
        return Text(f"没有{name.zh}", f"no {name.en}")
    if ref.bounds and all(bound.above == 0.0 for bound in ref.bounds):
        return Text("不大于零", "not above zero")
    return Text("不符合条件", "does not satisfy the conditions")
