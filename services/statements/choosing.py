"""Which statements a report tells: the rules' choice, and what is added whoever chose."""

from collections.abc import Mapping, Sequence
from typing import Literal

from services.statements.book import Book
from services.statements.candidates import StatementCandidate, is_of_one_peer, is_old
from services.statements.weigh import strongest

Section = Literal["results", "valuation", "price", "events", "watch", "market", "macro"]
# Those of a company.
SECTIONS: tuple[Section, ...] = ("results", "valuation", "price", "events", "watch")
TITLES: Mapping[Section, tuple[str, str]] = {
    "results": ("业绩", "Results"),
    "valuation": ("估值", "Valuation"),
    "price": ("股价", "Price"),
    "events": ("异动", "Unusual days"),
    "watch": ("留意", "Watch"),
    "market": ("全市场", "The market"),
    "macro": ("宏观", "The economy"),
}
Chosen = dict[Section, list[StatementCandidate]]
_OF_FACTOR: Mapping[str, Section] = {
    "growth": "results", "quality": "results", "valuation": "valuation", "size": "valuation",
    "price": "price", "event": "events",
}  # fmt: skip
_MOST: Mapping[Section, int] = {"results": 6, "valuation": 4, "price": 5, "events": 2, "watch": 3}
# Findings that are nothing to tell.
_QUIET = frozenset({"neutral", "usual", "inside", "tangled", "mixed", "near", "flat", "alike"})
# Of several multiples of one price, or profit and profit a share, the first says it.
_SAME_THOUGHT: Mapping[str, tuple[str, ...]] = {
    "pe_lyr": ("pe_ttm",),
    "ps_ttm": ("pe_ttm", "pb"),
    "eps": ("net_profit",),
}
# Kinds that say nearly the same of one figure.
_CLASH: Mapping[str, frozenset[str]] = {
    "trend": frozenset({"extreme", "move"}),
    "extreme": frozenset({"trend", "move"}),
    "move": frozenset({"trend", "extreme"}),
    "rank": frozenset({"compare"}),
    "change": frozenset({"pace"}),
    "pace": frozenset({"change"}),
}
# Runs of one word in a section: a third says nothing new.
_TRENDS = 2
# Points between this year's growth and last year's from which a trend may not stand alone.
_PACE = 0.5


def section_of(one: StatementCandidate) -> Section | None:
    """Where it is told; None for what is told in one line of its own."""
    if one.statement.kind == "watch":
        return "watch"
    if one.statement.kind in {"gap", "level", "quote", "outdated"} and one.held.word != "loss":
        return None
    return _OF_FACTOR.get(one.held.factor)


def choose(known: Sequence[StatementCandidate], book: Book) -> Chosen:
    """The rules' choice: the most telling of each section, of one figure what differs."""
    chosen: Chosen = {}
    for one in known:
        section = section_of(one)
        if section is None or one.held.word in _QUIET or is_of_one_peer(one):
            continue
        if is_old(one.held, book) or one.held.topic == "market_cap":
            continue
        taken = chosen.setdefault(section, [])
        if len(taken) < _MOST[section] and not _is_said(one, taken):
            taken.append(one)
    return balance(chosen, known, book)


def balance(chosen: Chosen, known: Sequence[StatementCandidate], book: Book) -> Chosen:
    """Whoever chose: a side that is absent and known is added, with a trend its
    newest pace, with old multiples the price since.
    """
    told = [one for each in chosen.values() for one in each]
    for side in (1, -1):
        if not any(one.held.stance == side for one in told):
            for one in strongest(known, side, book):
                section = section_of(one)
                if section is not None:
                    chosen.setdefault(section, []).append(one)
    if aged := [one for one in known if one.statement.kind == "outdated"]:
        valued = chosen.setdefault("valuation", [])
        valued += [one for one in aged if one not in valued]
    results = chosen.get("results", [])
    trends = {one.held.topic for one in results if one.statement.kind == "trend"}
    for one in known:
        is_pace = one.statement.kind == "pace" and one.held.size >= _PACE
        if is_pace and one.held.topic in trends and one not in results:
            results[:] = [
                other
                for other in results
                if other.statement.kind != "change" or other.held.topic != one.held.topic
            ]
            results.append(one)
    return chosen


def is_same_thought(one: StatementCandidate, taken: Sequence[StatementCandidate]) -> bool:
    """Whether it is another multiple of the same price, or a profit told once more by share."""
    same = _SAME_THOUGHT.get(one.held.topic, ())
    return any(other.held.topic in same for other in taken)


def _is_said(one: StatementCandidate, taken: Sequence[StatementCandidate]) -> bool:
    """Whether something taken already says nearly that."""
    topic, kind = one.held.topic, one.statement.kind
    if kind in {"event", "watch"}:
        return False
    if is_same_thought(one, taken):
        return True
    alike = [other for other in taken if other.statement.kind == kind == "trend"]
    if len([other for other in alike if other.held.word == one.held.word]) >= _TRENDS:
        return True
    same = [other for other in taken if other.held.topic == topic]
    if topic == "close" and kind == "move":
        return len([other for other in same if other.statement.kind == "move"]) >= 2
    kinds = {other.statement.kind for other in same}
    if topic == "close":
        return False
    return kind in kinds or bool(_CLASH.get(kind, frozenset[str]()) & kinds) or len(same) >= 2
