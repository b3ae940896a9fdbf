"""The checks that kinds share: what may stand beside what, and which run is whole."""

from collections.abc import Sequence
from itertools import pairwise

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.core.rendering import show
from services.statements.book import Book, basis, is_annual, limit, method
from services.statements.statement import BrokenError, Factor, Stance, need

FLOWS = frozenset({"revenue", "net_profit", "eps", "dps"})
# Months between two annual reports, in days: a leap year, and 52-week years.
_YEAR_DAYS = (350, 381)
_FACTORS: dict[str, Factor] = {
    "valuation": "valuation",
    "statement": "growth",
    "ratio": "quality",
    "size": "size",
    "price": "price",
    "event": "event",
}


def factor_of(metric: str) -> Factor:
    """Which part of a judgement a figure belongs to."""
    return _FACTORS.get(CATALOGUE[metric].kind, "none")


def stance_of(book: Book, metric: str, way: int) -> Stance:
    """What a figure going `way` (1 up, -1 down, 0 neither) says of the company."""
    if metric == "debt_to_assets" and book.lender:
        return 0  # a lender's trade is debt
    better = "higher" if metric in {"close", "equity"} else CATALOGUE[metric].better
    way = way if better == "higher" else -way if better == "lower" else 0
    return 1 if way > 0 else -1 if way < 0 else 0


def size_of(share: float) -> float:
    """Between 0 and 1."""
    return max(0.0, min(1.0, abs(share)))


def cited(book: Book, *names: str) -> list[Claim]:
    """The claims of those ids. Raises: BrokenError."""
    for name in names:
        need(name in book.claims, "unknown_claim", name)
    return [book.claims[name] for name in names]


def need_own(book: Book, *claims: Claim) -> None:
    """All of the subject. Raises: BrokenError."""
    for claim in claims:
        need(claim.symbol == book.symbol, "other_company", claim.symbol)


def need_alike(*claims: Claim) -> None:
    """One figure, unit, kind of time and way of being known. Raises: BrokenError."""
    for code, told in (
        ("metric_differs", [one.metric for one in claims]),
        ("unit_or_currency_differs", [one.unit for one in claims]),
        ("basis_differs", [basis(one) for one in claims]),
        ("method_differs", [method(one) for one in claims]),
    ):
        distinct = list(dict.fromkeys(told))
        need(len(distinct) == 1, code, " / ".join(distinct))


def need_share_basis(book: Book, one: Claim, other: Claim) -> None:
    """Per-share figures of two times stand on one share basis. Raises: BrokenError."""
    if CATALOGUE[one.metric].unit != "per_share":
        return
    shares: list[float] = []
    for claim in (one, other):
        profit, eps = book.one("net_profit", claim.period), book.one("eps", claim.period)
        known = profit is not None and eps is not None and eps.value
        need(known, "share_basis_unknown", claim.period or "")
        if profit is not None and eps is not None:
            shares.append(profit.value / eps.value)
    same = min(shares) > 0 and max(shares) / min(shares) < limit("split_times")
    need(same, "share_basis_differs")


def need_in_a_row(book: Book, claims: Sequence[Claim]) -> None:
    """Annual figures year after year, comparable with each other. Raises: BrokenError."""
    need_own(book, *claims)
    need_alike(*claims)
    need(is_annual(claims[0]), "basis_differs", basis(claims[0]))
    years = [int((one.period or "0")[:4]) for one in claims]
    in_order = years == list(range(years[0], years[0] + len(years)))
    need(in_order, "gap_in_run", ", ".join(map(str, years)))
    for earlier, later in pairwise(claims):
        apart = (later.as_of - earlier.as_of).days
        whole = _YEAR_DAYS[0] <= apart <= _YEAR_DAYS[1]
        need(whole, "year_end_moved", f"{earlier.as_of} / {later.as_of}")
        need_share_basis(book, earlier, later)


def comparable_run(book: Book, like: Claim) -> list[Claim]:
    """The subject's annual figures like that one, since the last break (hole, split, year end)."""
    found: list[Claim] = []
    for claim in reversed(book.run(like.metric, method(like))):
        try:
            need_in_a_row(book, [claim, *found])
        except BrokenError:
            break
        found.insert(0, claim)
    return found


def need_newest(book: Book, claim: Claim) -> None:
    """No newer annual figure of the kind is known, nor a newer report without it.

    Raises: BrokenError.
    """
    run = book.run(claim.metric, method(claim))
    newest = max((run[-1].period if run else claim.period) or "", book.newest_report or "")
    need(claim.period == newest, "not_the_latest", f"{claim.period} / {newest}")


def print_alike(one: Claim, other: Claim) -> bool:
    """Whether a reader sees the same figure twice: then no direction may be said."""
    return show(one, "zh", "short").text == show(other, "zh", "short").text
