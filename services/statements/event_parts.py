"""What an abnormal session or stretch is made of: each part is proved by its figures, and a cause
stands only where a part carries it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from services.core.claims import Claim, CompetenceCite
from services.core.indexes import INDEXES
from services.core.limits import COMPETENCES
from services.core.record import Record
from services.statements.alike import cited, need_own
from services.statements.book import Book
from services.statements.statement import need

What = Literal[
    "moved", "stretch", "limit", "index_move", "gap", "volume", "z", "resumed", "index_day",
    "no_index", "index_since", "index_along", "with_market", "catching_up", "every", "run",
    "deviation", "quoted", "unexplained",
]  # fmt: skip
# The rules by which a part is abnormal, as core/limits.py registers them.
_Z, _VOLUME, _GAP = "abnormal.z60", "abnormal.volume20", "abnormal.gap"
_SHARE = "abnormal.with_market"
DEVIATIONS = ("abnormal.deviation.3d", "abnormal.deviation.house")
# A comparison of two floating sums that should be one figure.
_EPS = 1e-6
# Of which figures each part is made, in order.
_METRICS: Mapping[What, tuple[str, ...]] = {
    "moved": ("pct_change",),
    "stretch": ("run_change",),
    "limit": ("price_limit",),
    "index_move": ("index_move_limit",),
    "gap": ("gap",),
    "volume": ("volume_window", "volume_multiple"),
    "z": ("z_window", "return_z"),
    "index_day": ("pct_change",),
    "index_since": ("run_change",),
    "index_along": ("run_change",),
    "run": ("run_change",),
    "deviation": ("deviation_sessions", "cumulative_deviation", "deviation_limit"),
}
_OF_INDEX = frozenset({"index_day", "index_since", "index_along"})
_OWN = frozenset({"moved", "stretch", "gap", "volume", "z", "run", "deviation"})
_MOVES = ("moved", "stretch")


class EventPart(Record):
    """One thing that happened: its figures, the first and last day where it has days of its own.

    `zh` and `en` are titles from outside, quoted with what leads to them, of `quoted` parts; what
    was looked for, of `unexplained`; and the index's name where no figure is of it.
    """

    what: What
    claims: tuple[str, ...] = ()
    days: tuple[date, date] | None = None
    zh: str = ""
    en: str = ""


@dataclass(frozen=True, slots=True)
class Proved:
    """A part with its figures."""

    part: EventPart
    figures: tuple[Claim, ...]


def prove_parts(parts: Sequence[EventPart], book: Book) -> tuple[Proved, ...]:
    """Every part with its figures. Raises: BrokenError for the first that does not hold."""
    found: list[Proved] = []
    for part in parts:
        one = Proved(part, tuple(cited(book, *part.claims)))
        _check(one, found, book)
        found.append(one)
    return tuple(found)


def own_move(found: Sequence[Proved]) -> Claim | None:
    """How far the subject itself went, of the day or of the stretch."""
    return next((one.figures[0] for one in found if one.part.what in _MOVES), None)


def index_move(found: Sequence[Proved]) -> Claim | None:
    """The index's move that was told last."""
    moves = [one.figures[0] for one in found if one.part.what in _OF_INDEX]
    return moves[-1] if moves else None


def _check(one: Proved, before: Sequence[Proved], book: Book) -> None:
    what, metrics = one.part.what, tuple(claim.metric for claim in one.figures)
    if what in _METRICS:
        need(metrics == _METRICS[what], "not_the_inputs_of_the_rule", what)
    elif what == "resumed":
        need(metrics in {(), ("suspended_sessions",)}, "not_the_inputs_of_the_rule", what)
    elif what != "quoted":
        need(not metrics, "not_the_inputs_of_the_rule", what)
    if what in _OWN:
        need_own(book, *one.figures)
    if what in _OF_INDEX:
        symbol = one.figures[0].symbol
        need(symbol != book.symbol and symbol in INDEXES, "not_an_index", symbol)
    same_day = [claim for claim in (own_move(before), *one.figures) if claim is not None]
    if what in {"index_day", "gap", "volume", "z", "limit"}:
        need(len({claim.as_of for claim in same_day}) == 1, "day_differs")
    if what in {"no_index", "deviation"}:
        names = {(each.zh, each.en) for each in INDEXES.values()}
        need((one.part.zh, one.part.en) in names, "not_an_index", one.part.zh)
    need(one.part.days is None or one.part.days[0] <= one.part.days[1], "not_later")
    _CHECKS.get(what, _nothing)(one, before)


def _nothing(one: Proved, before: Sequence[Proved]) -> None:
    del one, before


def _reaches(value: float, competence_id: str, metric: str) -> None:
    limit = COMPETENCES[competence_id].values[metric]
    need(abs(value) >= limit - _EPS, "below_its_limit", f"{value:.2g}")


def _check_limit(one: Proved, before: Sequence[Proved]) -> None:
    move, cite = own_move(before), one.figures[0].cite
    need(isinstance(cite, CompetenceCite), "not_the_inputs_of_the_rule", "limit")
    if isinstance(cite, CompetenceCite) and move is not None:
        _reaches(move.value, cite.competence_id, "suspected_limit")


def _check_index_move(one: Proved, before: Sequence[Proved]) -> None:
    move = own_move(before)
    reached = move is not None and abs(move.value) >= one.figures[0].value - _EPS
    need(reached, "below_its_limit")


def _check_z(one: Proved, before: Sequence[Proved]) -> None:
    score = one.figures[1]
    _reaches(score.value, _Z, "z_limit")
    move = own_move(before)
    # Of a fall a deviation upwards is possible where falls are usual; at the limit it is not.
    need(move is None or score.value * move.value > -_EPS, "signs_disagree")


def _check_deviation(one: Proved, before: Sequence[Proved]) -> None:
    del before
    cite = one.figures[2].cite
    known = isinstance(cite, CompetenceCite) and cite.competence_id in DEVIATIONS
    need(known, "not_the_inputs_of_the_rule", "deviation")
    need(abs(one.figures[1].value) >= one.figures[2].value - _EPS, "below_its_limit")


def _check_run(one: Proved, before: Sequence[Proved]) -> None:
    whole = own_move(before)
    same = not one.figures or whole is None or one.figures[0].value * whole.value > 0
    need(same, "signs_disagree")


def _check_along(one: Proved, before: Sequence[Proved]) -> None:
    """The index went the same way by the registered share of the move."""
    del one
    own, index = own_move(before), index_move(before)
    share = COMPETENCES[_SHARE].values["index_share"] / 100
    if own is None or index is None:
        need(holds=False, code="not_the_inputs_of_the_rule")
    else:
        need(own.value * index.value > 0, "signs_disagree")
        need(abs(index.value) >= share * abs(own.value) - _EPS, "below_its_limit")


_CHECKS: Mapping[What, Callable[[Proved, Sequence[Proved]], None]] = {
    "limit": _check_limit,
    "index_move": _check_index_move,
    "gap": lambda one, _: _reaches(one.figures[0].value, _GAP, "gap_limit"),
    "volume": lambda one, _: _reaches(one.figures[1].value, _VOLUME, "volume_limit"),
    "z": _check_z,
    "run": _check_run,
    "deviation": _check_deviation,
    "with_market": _check_along,
    "catching_up": _check_along,
}
