"""The conditions of a screen as chips: what each is called, and the screen without it, with it
turned round, with others joined or put beside it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from services.core.catalogue import SCREEN_FIELDS, metric_words
from services.core.errors import InputError
from services.core.industries import industry_label
from services.core.requests import Bound, ScreenRequest
from services.core.text import LANGUAGES, Text, join_texts
from services.market.names.names import Names
from services.market.ranges import UNIT_WORDS
from services.query.algebra.nodes import (
    AllOf,
    AnyOf,
    Compare,
    Const,
    In,
    Not,
    Order,
    Pred,
    Query,
    Rank,
    both,
    either,
    items_of,
)
from services.query.algebra.scopes import bound_tests
from services.query.algebra.telling import Teller
from services.query.algebra.words import BEST, mark_words
from services.query.screening.screen_tests import field_of, fill_arguments, turn_round
from services.query.told_turns import names_in
from services.statements.tongue import label_within
from services.views.ask_chips import DIM_WORDS
from services.views.screen_boxes import unit_words, write_limit
from services.views.view import ScreenChip

# What the column really holds, where the metric's name alone would say too much.
_HEADINGS: Mapping[str, Text] = {
    "price": Text("推算股价", "Implied price"),
    "roediluted": Text("净资产收益率(推算)", "ROE (estimate)"),
    "netprofit": Text("净利润(年报/推算)", "Net profit (FY, or derived)"),
    "total_revenue": Text("营业收入(TTM)", "Revenue (TTM)"),
    "tl": Text("总负债(年报)", "Total liabilities (annual)"),
}
_SIGNS: Mapping[str, str] = {"ge": "≥", "gt": ">", "lt": "<", "le": "≤", "eq": "="}
_INDUSTRY = Text("行业", "industry")
# More companies than these are told by the first and their number.
_FEW, _FIRST = 4, 3


@dataclass(frozen=True, slots=True)
class ChipDesk:
    """What chips are made with. `industries`: those the one industry of a screen may be;
    `currency`: what the shares of its market are traded in.
    """

    names: Names
    industries: Sequence[str]
    currency: str
    live: bool


class ChosenSets(NamedTuple):
    """Sets of companies a reader picked: any of each kind, or none of them (`left_out`). `boards`
    by their keys; `companies` as they were written; `watchlist` is the name of one.
    """

    left_out: bool
    industries: tuple[str, ...] = ()
    boards: tuple[str, ...] = ()
    companies: str = ""
    watchlist: str = ""


def chips_of(
    given: Mapping[str, str], request: ScreenRequest, tests: Sequence[Pred], desk: ChipDesk
) -> tuple[ScreenChip, ...]:
    """One for each range, for the industry, and for each test; in that order."""
    made: list[ScreenChip] = []
    for bound in request.bounds:
        rest = {name: one for name, one in given.items() if name not in _wire_names(bound.field)}
        words, metric = condition(bound, desk), SCREEN_FIELDS[bound.field]
        name = Text(metric_words(metric).zh, label_within(metric, "en"))
        asked = both(*bound_tests(bound))
        made += (
            []
            if asked is None
            else [ScreenChip(bound.field, words, name, rest, _turned(rest, tests, asked, desk))]
        )
    if request.industry:
        rest = {name: one for name, one in given.items() if name != "industry"}
        label = industry_label(request.industry).en
        words = Text(f"行业：{request.industry}", f"Industry: {label}")
        asked = In(dim="industry", values=(request.industry,))
        turned = _turned(rest, tests, asked, desk)
        made.append(ScreenChip("industry", words, _INDUSTRY, rest, turned))
    for at, one in enumerate(tests):
        others = (*tests[:at], *tests[at + 1 :])
        words = tell_test(one, desk)
        dropped = fill_arguments(given, others, ())
        turned = _turned(given, others, one, desk)
        quoted = Text(f"“{words.zh}”", f"“{words.en}”")
        made.append(ScreenChip(str(at), words, quoted, dropped, turned))
    return tuple(made)


def add_sets(
    given: Mapping[str, str],
    tests: Sequence[Pred],
    chosen: ChosenSets,
    symbols: Sequence[str],
    industries: Sequence[str],
) -> dict[str, str]:
    """The arguments with those sets asked for, or left out; `symbols` are the companies meant."""
    found = list(_sets_in(chosen, symbols))
    added = [Not(item=one) for one in found] if chosen.left_out else found
    return fill_arguments(given, (*tests, *added), industries)


def join_either(
    given: Mapping[str, str], request: ScreenRequest, tests: Sequence[Pred], keys: Sequence[str]
) -> dict[str, str]:
    """The arguments with these conditions as one: at least one of them must hold.

    Raises: InputError for fewer than two.
    """
    held = {key: test for key, test in _conditions(request, tests) if key in keys}
    if len(held) < 2:
        valid = Text("至少两个条件", "at least two conditions")
        raise InputError("conditions", ", ".join(keys), valid)
    drop = {name for key in held for name in _wire_names(key)}
    rest = {name: one for name, one in given.items() if name not in drop}
    left = [one for at, one in enumerate(tests) if str(at) not in held]
    return fill_arguments(rest, (*left, either(*held.values())), ())


def condition(bound: Bound, desk: ChipDesk) -> Text:
    """One condition in words, in the figures the user gave: 市盈率(TTM) ≥ 0 且 < 20."""
    limits = (("≥", bound.at_least), (">", bound.above), ("<", bound.below))
    said = [(sign, value) for sign, value in limits if value is not None]
    return _tell_bounds(bound.field, said, desk)


def heading(field: str, *, live: bool) -> Text:
    """The column's name; of the snapshot's columns with how they came about."""
    plain = metric_words(SCREEN_FIELDS.get(field, field))
    return plain if live else _HEADINGS.get(field, plain)


def limit_words(field: str, value: float, currency: str) -> Text:
    """A limit in the unit its boxes have: 50亿元 (5 bn CNY), 5%, 20."""
    unit = Text("", "") if UNIT_WORDS[field] == "倍" else unit_words(field, currency)
    zh, en = (write_limit(field, value, one) for one in LANGUAGES)
    gap = " " if UNIT_WORDS[field] == "元" else ""
    return Text(f"{zh}{unit.zh}", f"{en}{gap}{unit.en}")


def tell_test(test: Pred, desk: ChipDesk, *, within: bool = False) -> Text:
    """A test as a chip says it; `within`: as a part of another, in brackets where it has parts."""
    match test:
        case Compare(sign=sign, right=Const(value=value)) if field := field_of(test):
            return _tell_bounds(field, [(_SIGNS[sign], value)], desk)
        case Compare(sign="le", left=Rank(own=None, percentile=False) as place, right=Const() as n):
            return _tell_first(place, int(n.value), desk)
        case In():
            told, kind = _tell_set(test, desk), DIM_WORDS[test.dim]
            return (
                told if test.dim == "st" else Text(f"{kind.zh}：{told.zh}", f"{kind.en}: {told.en}")
            )
        case Not(item=In() as left):
            told = _tell_set(left, desk)
            return Text(f"不含{told.zh}", f"excluding {told.en}")
        case AnyOf() | AllOf():
            words = _tell_parts(test, desk)
            return Text(f"({words.zh})", f"({words.en})") if within else words
        case _:
            return _tell_node(test, desk)


def _tell_parts(test: AnyOf | AllOf, desk: ChipDesk) -> Text:
    fields = {field_of(one) for one in test.items}
    zh, en = (" 或 ", " or ") if isinstance(test, AnyOf) else (" 且 ", " and ")
    parts = [tell_test(one, desk, within=True) for one in test.items]
    if len(fields) == 1 and (field := fields.pop()):  # of one figure, which is named once
        name = heading(field, live=desk.live)
        first, *others = parts
        parts = [
            first,
            *(
                Text(one.zh.removeprefix(f"{name.zh} "), one.en.removeprefix(f"{name.en} "))
                for one in others
            ),
        ]
    return join_texts(parts, zh, en)


def _tell_bounds(field: str, said: Sequence[tuple[str, float]], desk: ChipDesk) -> Text:
    limits = [limit_words(field, value, desk.currency) for _, value in said]
    signs = [Text.of(sign) for sign, _ in said]
    told = [join_texts(pair, " ", " ") for pair in zip(signs, limits, strict=True)]
    name = heading(field, live=desk.live)
    return join_texts((name, join_texts(told, " 且 ", " and ")), " ", " ")


def _tell_set(one: In, desk: ChipDesk) -> Text:
    if one.label:
        return _tell_node(one, desk)
    if one.dim != "symbol":
        return join_texts([mark_words(one.dim, value) for value in one.values], " 或 ", " or ")
    count = len(one.values)
    shown = one.values if count <= _FEW else one.values[:_FIRST]
    told = _tell_node(In(dim="symbol", values=shown), desk)
    if len(shown) == count:
        return told
    return Text(f"{told.zh}等 {count} 家", f"{told.en} and others ({count})")


def _tell_first(place: Rank, count: int, desk: ChipDesk) -> Text:
    """The so many first of a set: A股银行中市盈率(TTM)最低的 10 家."""
    query = Query(scope=place.within, order=(Order(by=place.of, direction=place.direction),))
    tellers = (
        Teller(names_in(query, desk.names, one), at, desk.currency)
        for at, one in enumerate(LANGUAGES)
    )
    zh, en = ((one.among(place), one.tell(place.of)) for one in tellers)
    best = BEST[place.direction]
    return Text(
        f"{zh[0]}中{zh[1]}{best.zh}的 {count} 家", f"the {count} {best.en} by {en[1]} of {en[0]}"
    )


def _tell_node(node: Pred, desk: ChipDesk) -> Text:
    query = Query(where=node)
    zh, en = (
        Teller(names_in(query, desk.names, language), at, desk.currency).tell(node)
        for at, language in enumerate(LANGUAGES)
    )
    return Text(zh, en)


def _turned(
    rest: Mapping[str, str], others: Sequence[Pred], test: Pred, desk: ChipDesk
) -> dict[str, str]:
    """The arguments with that test turned round, where `rest` and `others` are what is beside."""
    turned = turn_round(test)
    if turned is None:
        return {}
    return fill_arguments(rest, (*others, *items_of(turned)), desk.industries)


def _wire_names(key: str) -> tuple[str, ...]:
    """Under which names an argument of the wire may stand."""
    return (key, "netprofi") if key == "netprofit" else (key,)


def _conditions(request: ScreenRequest, tests: Sequence[Pred]) -> Iterator[tuple[str, Pred]]:
    """Every condition of a screen by the key of its chip."""
    for bound in request.bounds:
        if (asked := both(*bound_tests(bound))) is not None:
            yield bound.field, asked
    if request.industry:
        yield "industry", In(dim="industry", values=(request.industry,))
    yield from ((str(at), one) for at, one in enumerate(tests))


def _sets_in(chosen: ChosenSets, symbols: Sequence[str]) -> Iterator[Pred]:
    """A set for each kind."""
    if chosen.industries:
        yield In(dim="industry", values=chosen.industries)
    marks = [
        In(dim="st", values=("ST",)) if key == "st" else In(dim="board", values=(key,))
        for key in chosen.boards
    ]
    if marks and chosen.left_out:
        yield from marks
    elif marks:
        yield either(*marks)
    if symbols:
        yield In(dim="symbol", values=tuple(symbols))
