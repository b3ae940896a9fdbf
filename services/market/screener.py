"""Screening a market by the fields of the seed: arguments to request, answer to rows of figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from services.core.aggregates import (
    COMPANY_COUNT,
    JUDGED_COUNTS,
    MATCH_COUNT,
    UNRANKED_COUNTS,
)
from services.core.catalogue import SCREEN_FIELDS
from services.core.claims import Claim, DerivedCite, Figure
from services.core.errors import InputError, NoDataError
from services.core.ledger import Answer, Ledger
from services.core.members import scope_symbol
from services.core.requests import Order, PointsRequest, ScreenRequest
from services.market.aggregates import (
    ListingKind,
    Unclassified,
    list_left_out,
    list_unclassified,
)
from services.market.ranges import parse_range
from services.market.valuation import valuation_figures

MAX_SIZE = 500
DEFAULT_SIZE = 10
MAX_OFFSET = 1_000_000
ORDERS = ("symbol", *SCREEN_FIELDS)
# The seed's schema spells it once without its last letter.
_ALIASES = {"netprofi": "netprofit"}
# Key of a row's figure → the metric it is.
_SHOWN: Mapping[str, str] = {**SCREEN_FIELDS, "price": "price"}
_OTHERS = ("category", "order_by", "order", "size", "offset", "industry")


@dataclass(frozen=True, slots=True)
class ScreenRow:
    """One company: keys of `figures` are the screening fields and price, the one the multiples
    stand on, whose metric says what it is.
    """

    symbol: str
    name: str
    industry: str | None
    figures: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class Unranked:
    """The matches without a value in the field the order is by: how many, and each by symbol and
    name, the best known first.
    """

    count: Claim
    companies: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ScreenResult:
    """A page of a screen. `judged` tells, per bounded or ordering field, how many companies of the
    market (or industry) have a value; a company without one is neither matched nor ranked first.
    `unranked` are those the order leaves out; `left_out` counts what the market lists beside
    companies; `unclassified` are in no industry, where one was asked for. Where a source counts
    without telling its members all three are empty.
    """

    request: ScreenRequest
    rows: tuple[ScreenRow, ...]
    match_count: Claim
    company_count: Claim
    judged: Mapping[str, Claim]
    unranked: Unranked | None = None
    left_out: tuple[ListingKind, ...] = ()
    unclassified: Unclassified | None = None


def screen_request(arguments: Mapping[str, object]) -> ScreenRequest:
    """Read the seed's arguments: nine ranges, category, order_by, order, size; industry and offset.

    An argument that is absent or None takes its default (CN, symbol, desc, 10).
    Raises: InputError naming the argument, what was given and what is valid.
    """
    given = _name_arguments(arguments)
    bounds = [
        bound
        for field in SCREEN_FIELDS
        if field in given and (bound := parse_range(field, given[field])) is not None
    ]
    order_by = _word(given, "order_by", ORDERS, "symbol")
    return ScreenRequest(
        market=_market(given),
        bounds=tuple(bounds),
        order_by=order_by,
        order=_order(given),
        size=_whole(given, "size", DEFAULT_SIZE, 1, MAX_SIZE),
        offset=_whole(given, "offset", 0, 0, MAX_OFFSET),
        industry=_industry(given),
    )


def screen(ledger: Ledger, request: ScreenRequest) -> ScreenResult:
    """The companies that satisfy the request, every figure a claim.

    Raises: NoDataError (the market has no such data), ProviderError.
    """
    answer = ledger.fetch(request)
    rows = tuple(_row(ledger, answer, symbol) for symbol in answer.calls[0].labels)
    counts = _count_members(ledger, answer, request) or _claim_given(ledger, answer, request)
    if not {"match_count", "company_count"} <= counts.keys():
        raise NoDataError(f"screen {request.market}", "the answer carries no counts")
    prefix = "judged_"
    return ScreenResult(
        request=request,
        rows=rows,
        match_count=counts["match_count"],
        company_count=counts["company_count"],
        judged={
            metric.removeprefix(prefix): claim
            for metric, claim in counts.items()
            if metric.startswith(prefix)
        },
        unranked=_find_unranked(ledger, answer, request),
        left_out=tuple(list_left_out(ledger, answer)) if ledger.members(answer.calls[0]) else (),
        unclassified=list_unclassified(ledger, answer.calls[0]) if request.industry else None,
    )


def list_rows(
    ledger: Ledger, market: Literal["CN", "HK", "US"], symbols: Sequence[str]
) -> tuple[ScreenRow, ...]:
    """These companies of a market, in this order, each with the figures of a screen's row.

    Raises: NoDataError, ProviderError.
    """
    if not symbols:
        return ()
    asked = PointsRequest(
        market=market, columns=tuple(SCREEN_FIELDS.values()), symbols=tuple(sorted(symbols))
    )
    answer = ledger.fetch(asked)
    return tuple(_row(ledger, answer, symbol) for symbol in symbols)


def _count_members(ledger: Ledger, answer: Answer, request: ScreenRequest) -> dict[str, Claim]:
    """The counts over the members of the answer; none where it has no members."""
    fields = [bound.field for bound in request.bounds]
    fields += [request.order_by] if request.order_by != "symbol" else []
    wanted = (COMPANY_COUNT, MATCH_COUNT, *(JUDGED_COUNTS[name] for name in dict.fromkeys(fields)))
    made = [
        ledger.aggregate(answer.calls[0], formula, industry=request.industry, bounds=request.bounds)
        for formula in wanted
    ]
    return {claim.metric: claim for claim in made if claim is not None}


def _claim_given(ledger: Ledger, answer: Answer, request: ScreenRequest) -> dict[str, Claim]:
    """The counts that the source itself gives."""
    scope = scope_symbol(request.market, request.industry)
    return {fact.metric: ledger.claim(call, fact) for call, fact in answer.facts(scope)}


def _find_unranked(ledger: Ledger, answer: Answer, request: ScreenRequest) -> Unranked | None:
    """Who has no value in the field the order is by; None where that is nobody, or not known."""
    index, field = ledger.members(answer.calls[0]), request.order_by
    if index is None or field == "symbol":
        return None
    formula = UNRANKED_COUNTS[field]
    claim = ledger.aggregate(
        answer.calls[0], formula, industry=request.industry, bounds=request.bounds
    )
    if claim is None or not claim.value or not isinstance(claim.cite, DerivedCite):
        return None
    matching, ranked = (index.used(ref) for ref in claim.cite.members)
    without = sorted(set(matching) - set(ranked))
    members = index.members
    return Unranked(claim, tuple((members.symbols[at], members.names[at]) for at in without))


def _row(ledger: Ledger, answer: Answer, symbol: str) -> ScreenRow:
    known = valuation_figures(ledger, answer, symbol, tuple(_SHOWN.values()))
    return ScreenRow(
        symbol=symbol,
        name=answer.label(symbol, "name") or symbol,
        industry=answer.label(symbol, "industry"),
        figures={key: known[metric] for key, metric in _SHOWN.items()},
    )


def _name_arguments(arguments: Mapping[str, object]) -> dict[str, object]:
    """The arguments that are given, by their proper names."""
    valid = (*SCREEN_FIELDS, *_OTHERS)
    given: dict[str, object] = {}
    for name, value in arguments.items():
        proper = _ALIASES.get(name, name)
        if proper not in valid:
            raise InputError(name, value, "no such argument; there are " + ", ".join(valid))
        if value is None:
            continue
        if proper in given and given[proper] != value:
            raise InputError(name, value, f"{proper} was given twice with different values")
        given[proper] = value
    return given


def _word(given: Mapping[str, object], name: str, valid: tuple[str, ...], default: str) -> str:
    value = given.get(name, default)
    proper = _ALIASES.get(value, value) if isinstance(value, str) else value
    if proper not in valid:
        raise InputError(name, value, " | ".join(valid), choices=valid)
    return str(proper)


def _market(given: Mapping[str, object]) -> Literal["CN", "HK", "US"]:
    word = _word(given, "category", ("CN", "HK", "US"), "CN")
    return "CN" if word == "CN" else "HK" if word == "HK" else "US"


def _order(given: Mapping[str, object]) -> Order:
    return "asc" if _word(given, "order", ("asc", "desc"), "desc") == "asc" else "desc"


def _whole(given: Mapping[str, object], name: str, default: int, least: int, most: int) -> int:
    value = given.get(name, default)
    valid = f"a whole number from {least} to {most}"
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise InputError(name, value, valid)
    if isinstance(value, str):
        if not (value.isascii() and value.isdigit() and len(value) <= 9):
            raise InputError(name, value, valid)
        value = int(value)
    if value != value or value in (float("inf"), float("-inf")) or int(value) != value:
        raise InputError(name, value, valid)
    if not least <= value <= most:
        raise InputError(name, value, valid)
    return int(value)


def _industry(given: Mapping[str, object]) -> str | None:
    value = given.get("industry")
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip() or len(value) > 40:
        raise InputError("industry", value, "the name of an industry, such as 食品饮料")
    return value.strip()
