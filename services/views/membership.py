"""Whom a count, sum or median is over: how many, who was left out and why, and each by name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from services.core.catalogue import SCREEN_FIELDS, metric_words
from services.core.claims import Claim, DerivedCite, MembersRef
from services.core.expressions import METRIC as EXPRESSION
from services.core.fold_members import FoldedCompany, find_folded
from services.core.industries import industry_label
from services.core.members import LISTING_WORDS, MembersIndex, index_of
from services.core.text import Text
from services.core.trace import Trace, TraceIndex
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
)

_NAMED = 5
# The kind of listing, or else the figure it has not, that keeps a member out; neither: a bound.
_Barred = tuple[str | None, str | None]
COUNTED = Text("计入", "counted")
_ASKED = Text("所问的数", "the figure asked for")


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Members that a figure is not over: why, how many, and the best known by symbol and name."""

    why: Text
    count: int
    companies: tuple[tuple[str, str], ...]


class Membership(NamedTuple):
    """`used` of the `total` members of its market or industry go in; the others are left out."""

    used: int
    total: int
    left_out: tuple[LeftOut, ...]


def membership_of(claim: Claim, trace: Trace) -> Membership | None:
    """Whom the figure is over; None for one that is not over members.

    Raises: KeyError where its call is not in the trace.
    """
    if claim.metric == EXPRESSION:
        return _of_expression(claim, trace)
    found = _find_members(claim, trace)
    if found is None:
        return None
    index, ref = found
    scope, used = index.within(ref.industry, ref.listing), index.used(ref)
    left = [*_without(index, ref)]
    if ref.industry is None and ref.listing is None:
        left += [_list_left_out(index, kind) for kind in index.listings]
    return Membership(len(used), len(scope), tuple(one for one in left if one.count))


def members_table(claim: Claim, trace: Trace) -> Table | None:
    """Every listing in question, with the value that goes in or why none does; None for a figure
    that is not over members. The values are bookkeeping here, in full precision.
    """
    if claim.metric == EXPRESSION:
        listed = _find_folded(claim, trace)
        return _table(claim, _expression_rows(*listed)) if listed is not None else None
    found = _find_members(claim, trace)
    if found is None:
        return None
    index, ref = found
    members, used = index.members, set(index.used(ref))
    places = [*index.within(ref.industry, ref.listing)]
    if ref.industry is None and ref.listing is None:
        places += [place for kind in index.listings for place in index.within(listing=kind)]
    column = members.columns.get(ref.column or "", ())
    kept_out = _make_bar(index, ref)
    rows = [
        TableRow(
            {
                "symbol": members.symbols[place],
                "name": members.names[place],
                "industry": industry_label(label) if (label := members.industries[place]) else None,
                "value": repr(value) if column and (value := column[place]) is not None else None,
                "standing": COUNTED if place in used else _why(ref, *kept_out(place)),
            },
            members.symbols[place],
        )
        for place in places
    ]
    return _table(claim, rows)


def _table(claim: Claim, rows: Sequence[TableRow]) -> Table:
    columns = (
        TableColumn("symbol", Text("代码", "Symbol"), "symbol"),
        TableColumn("name", Text("名称", "Name"), "text"),
        TableColumn("industry", Text("行业", "Industry"), "text"),
        TableColumn("value", Text("全精度", "Full precision"), "text"),
        TableColumn("standing", Text("是否计入", "Counted"), "text"),
    )
    name = _ASKED if claim.metric == EXPRESSION else metric_words(claim.metric)
    return Table("members", Text(f"成员：{name.zh}", f"Members: {name.en}"), columns, tuple(rows))


class _Listing(NamedTuple):
    name: str
    industry: str | None


def _find_folded(
    claim: Claim, trace: Trace
) -> tuple[list[FoldedCompany], dict[str, _Listing]] | None:
    """Whom an expression is over, and what each is called."""
    if not isinstance(claim.cite, DerivedCite) or not claim.cite.members:
        return None
    calls = {call.tool_call_id: call for call in trace.tool_calls}
    members = [calls[ref.tool_call_id].members for ref in claim.cite.members]
    known = [one for one in members if one is not None]
    over = find_folded(claim, [index_of(one) for one in known], TraceIndex(trace.tool_calls))
    listed = {
        symbol: _Listing(name, industry)
        for one in known
        for symbol, name, industry in zip(one.symbols, one.names, one.industries, strict=True)
    }
    return (over, listed) if over is not None else None


def _of_expression(claim: Claim, trace: Trace) -> Membership | None:
    found = _find_folded(claim, trace)
    if found is None:
        return None
    over, listed = found
    reasons: dict[Text, list[tuple[str, str]]] = {}
    for one in over:
        if one.value is None:
            company = (one.symbol, listed[one.symbol].name)
            reasons.setdefault(_tell_lacking(one), []).append(company)
    left = tuple(LeftOut(why, len(all_), tuple(all_[:_NAMED])) for why, all_ in reasons.items())
    return Membership(sum(one.value is not None for one in over), len(over), left)


def _expression_rows(
    over: Sequence[FoldedCompany], listed: Mapping[str, _Listing]
) -> list[TableRow]:
    return [
        TableRow(
            {
                "symbol": one.symbol,
                "name": listed[one.symbol].name,
                "industry": industry_label(label)
                if (label := listed[one.symbol].industry)
                else None,
                "value": repr(one.value) if one.value is not None and one.needed else None,
                "standing": COUNTED if one.value is not None else _tell_lacking(one),
            },
            one.symbol,
        )
        for one in over
    ]


def _tell_lacking(one: FoldedCompany) -> Text:
    """What a company has not that its figure needs."""
    words = [metric_words(key.partition(" @ ")[0]) for key in one.needed]
    zh, en = "、".join(each.zh for each in words), ", ".join(each.en for each in words)
    return Text(f"没有{zh}", f"no {en}")


def _find_members(claim: Claim, trace: Trace) -> tuple[MembersIndex, MembersRef] | None:
    """The members and the group of them that decides: the last the formula names."""
    if not isinstance(claim.cite, DerivedCite) or not claim.cite.members:
        return None
    ref = claim.cite.members[-1]
    calls = {call.tool_call_id: call for call in trace.tool_calls}
    members = calls[ref.tool_call_id].members
    return (index_of(members), ref) if members is not None else None


def _without(index: MembersIndex, ref: MembersRef) -> tuple[LeftOut, ...]:
    """The companies of the scope that are not used, by the reason."""
    anew = ref.model_copy(update={"tool_call_id": ""})
    return _list_left(index, anew)  # pyright: ignore[reportArgumentType] — frozen records have a hash


# A page says it of the same members whenever it is drawn, under the id of another call.
@lru_cache(maxsize=128)
def _list_left(index: MembersIndex, ref: MembersRef) -> tuple[LeftOut, ...]:
    used, barred = set(index.used(ref)), _make_bar(index, ref)
    # There are thousands of them, and few reasons: each is put in words once.
    kept_out: dict[_Barred, list[int]] = {}
    for place in index.within(ref.industry, ref.listing):
        if place not in used:
            kept_out.setdefault(barred(place), []).append(place)
    reasons: dict[Text, list[int]] = {}
    for (kind, lacking), places in kept_out.items():
        reasons.setdefault(_why(ref, kind, lacking), []).extend(places)
    return tuple(
        LeftOut(why, len(places), _first_of(index, sorted(places)))
        for why, places in reasons.items()
    )


def _first_of(index: MembersIndex, places: Sequence[int]) -> tuple[tuple[str, str], ...]:
    """The first of those places, each by symbol and name."""
    members = index.members
    return tuple((members.symbols[at], members.names[at]) for at in places[:_NAMED])


def _list_left_out(index: MembersIndex, kind: str) -> LeftOut:
    places = index.within(listing=kind)
    return LeftOut(_no_company(kind), len(places), _first_of(index, places))


def _no_company(kind: str) -> Text:
    return Text("不是公司：{kind}", "no company: {kind}").format(kind=LISTING_WORDS[kind])


def _make_bar(index: MembersIndex, ref: MembersRef) -> Callable[[int], _Barred]:
    """What keeps a listing out: that it is of another kind, or has not one of the figures."""
    fields = [*(bound.field for bound in ref.bounds), *([ref.column] if ref.column else [])]
    columns = [(name, index.members.columns[name]) for name in fields]
    listings = index.members.listings

    def barred(place: int) -> _Barred:
        if (kind := listings[place]) is not None and kind != ref.listing:
            return kind, None
        return None, next((name for name, column in columns if column[place] is None), None)

    return barred


def _why(ref: MembersRef, kind: str | None, lacking: str | None) -> Text:
    """Why a listing of that kind, or without that figure, does not go in."""
    if kind is not None:
        return _no_company(kind)
    if lacking is not None:
        name = metric_words(SCREEN_FIELDS.get(lacking, lacking))
        if lacking in {"pettm", "pelyr"}:
            return Text(f"{name.zh}亏损或未给出", f"{name.en}: a loss, or not given")
        return Text(f"没有{name.zh}", f"no {name.en}")
    if ref.bounds and all(bound.above == 0.0 for bound in ref.bounds):
        return Text("不大于零", "not above zero")
    return Text("不符合条件", "does not satisfy the conditions")
