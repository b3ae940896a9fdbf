"""A chart over typed tokens that overlap: the cheapest phrases of each span, then of the text.

A phrase covers its span whole; only function words are passed over. Phrases of a span that a
changed word does not touch are taken over from the chart before: asking again costs little.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from services.language.lattice import FUNCTION, Token

KEEP = 4
_STATES = 6
_PARTS = 40
# A step of the grammar costs little, a part of the question more: few big parts win.
STEP, _PART = 0.05, 0.5
# Said last of what it is said of: nothing behind a comma belongs to it.
_ENDING = frozenset({"sup", "COUNT", "TOP", "BOTTOM", "double", "turned"})
_OVER_COMMA = 0.6
# 不要银行不要钢铁: such a word leaves out what stands behind it, where something does.
_BEHIND_IT = 1.2
_NOT_NEEDED = frozenset({FUNCTION, "COMMA"})


class Edge(NamedTuple):
    """A phrase: its kind, its span (function words behind it included), what it means."""

    cat: str
    start: int
    end: int
    sem: Hashable
    cost: float
    leaves: tuple[Token, ...]


class OverBudgetError(Exception):
    """The text has more readings than may be looked at."""


@dataclass(slots=True)
class GrammarNode:
    """A place in the grammar: what may come next, and which rules end here."""

    then: dict[str, list[tuple[Hashable, "GrammarNode"]]] = field(default_factory=dict)  # pyright: ignore[reportUnknownVariableType]
    ends: list[tuple[str, Callable[..., object], float]] = field(default_factory=list)  # pyright: ignore[reportUnknownVariableType]


class Grammar:
    """Rules as a tree of their beginnings: `LHS = A B|C.meaning D`."""

    def __init__(self, parts: Mapping[str, float]) -> None:
        """`parts`: the kinds that a question is made of, with what each costs."""
        self.root = GrammarNode()
        self.parts = parts
        self.count = 0

    def add(self, lines: str, make: Callable[..., object], price: float = 0.0) -> None:
        """Rules that make one meaning; several lines share it, split by `;`."""
        for line in lines.split(";"):
            left, right = (part.strip() for part in line.split("="))
            self.count += 1
            nodes = [self.root]
            for alternatives in right.split():
                nodes = [self._step(node, one) for node in nodes for one in alternatives.split("|")]
            for node in nodes:
                node.ends.append((left, make, price))

    @staticmethod
    def _step(node: GrammarNode, name: str) -> GrammarNode:
        cat, _, wanted = name.partition(".")
        for meaning, after in node.then.setdefault(cat, []):
            if meaning == (wanted or None):
                return after
        after = GrammarNode()
        node.then[cat].append((wanted or None, after))
        return after


class _State(NamedTuple):
    """A rule begun: where it stands in the grammar, with what it has so far."""

    node: GrammarNode
    sems: tuple[Hashable, ...]
    cost: float
    leaves: tuple[Token, ...]


Cells = dict[tuple[int, int], dict[str, list[Edge]]]


@dataclass(slots=True)
class ParseChart:
    """What was found, by span."""

    size: int
    cells: Cells
    states: dict[tuple[int, int], list[_State]]
    reach: dict[int, dict[int, float]]
    tokens: tuple[Token, ...] = ()
    edges: int = 0
    text: str = ""


def make_chart(
    grammar: Grammar,
    text: str,
    tokens: Sequence[Token],
    harmless: Callable[[Token], bool],
    budget: int,
    before: tuple[ParseChart, int, int] | None = None,
) -> ParseChart:
    """Every phrase of the text. `before`: a chart of nearly these tokens, that differ in a span.

    Raises: OverBudgetError.
    """
    size = len(text)
    reach = _reach(size, tokens, harmless)
    chart = ParseChart(size, {}, {}, reach, tuple(tokens), text=text)
    seeds: dict[tuple[int, int], list[Edge]] = {}
    commas = [one.start for one in tokens if one.cat == "COMMA"]
    begun = {one.end for one in tokens if one.cat == "COMMA"}
    ahead = {(one.start, one.end) for one in tokens if (one.cat, one.sem) == ("except", "pre")}
    for one in tokens:
        if one.cat != FUNCTION:
            for end, extra in reach[one.end].items():
                is_ending = one.cat in _ENDING or (one.cat, one.sem) == ("except", "pre")
                if is_ending and any(one.end <= at < end for at in commas):
                    continue  # 市盈率最高的3家，看净利润; 银行不要，保险不要: of what stands before
                # 钢铁股，剔除亏损的: what is to go stands behind it, not before the comma.
                is_post = (one.cat, one.sem) == ("except", "post")
                price = one.cost + extra + _OVER_COMMA * (is_post and one.start in begun)
                is_ahead = (one.start, one.end) in ahead and one.end not in commas
                price += _BEHIND_IT * (is_post and is_ahead)
                edge = Edge(one.cat, one.start, end, one.sem, price, (one,))
                seeds.setdefault((one.start, end), []).append(edge)
    starts = sorted({start for start, _ in seeds})
    ends = sorted({end for _, end in seeds})
    for end in ends:
        for start in reversed(starts):
            if start >= end:
                continue
            if before is not None and (end <= before[1] or start >= before[2]):
                _take_over(chart, before[0], (start, end))
                continue
            _fill(grammar, chart, start, end, seeds.get((start, end), ()), starts)
            if chart.edges > budget:
                raise OverBudgetError
    return chart


def _take_over(chart: ParseChart, old: ParseChart, span: tuple[int, int]) -> None:
    if span in old.cells:
        chart.cells[span] = old.cells[span]
    if span in old.states:
        chart.states[span] = old.states[span]


def _reach(
    size: int, tokens: Iterable[Token], harmless: Callable[[Token], bool]
) -> dict[int, dict[int, float]]:
    """From each place, the places that may be reached over function words alone, and the price."""
    meant = {(one.start, one.end) for one in tokens if one.cat not in _NOT_NEEDED}
    skips: dict[int, list[tuple[int, float]]] = {}
    for one in tokens:
        if one.cat in _NOT_NEEDED or (one.cat == "ask" and one.sem == "yesno"):
            dear = (one.start, one.end) in meant and not harmless(one)
            base = one.cost - 0.5 if one.cat == "ask" else one.cost
            cost = base + (1.2 if dear else 0.0)
            skips.setdefault(one.start, []).append((one.end, cost))
    reach: dict[int, dict[int, float]] = {}
    for at in range(size, -1, -1):
        got = {at: 0.0}
        for end, cost in skips.get(at, ()):
            for place, more in reach[end].items():
                if cost + more < got.get(place, 99.0):
                    got[place] = cost + more
        reach[at] = got
    return reach


def _fill(  # noqa: C901 — one agenda
    grammar: Grammar,
    chart: ParseChart,
    start: int,
    end: int,
    seeds: Sequence[Edge],
    starts: Sequence[int],
) -> None:
    """Every phrase and every rule begun of one span."""
    kept: dict[str, list[Edge]] = {}
    states: list[_State] = []
    agenda = list(seeds)
    for middle in starts:
        if middle <= start:
            continue
        if middle >= end:
            break
        begun = chart.states.get((start, middle))
        done = chart.cells.get((middle, end))
        if not begun or not done:
            continue
        for state in begun:
            for cat, nexts in state.node.then.items():
                for edge in done.get(cat, ()):
                    _advance(chart, states, agenda, state, nexts, edge, start, end)
    while agenda:
        agenda.sort(key=lambda edge: -edge.cost)
        edge = agenda.pop()
        row = kept.setdefault(edge.cat, [])
        if len(row) >= KEEP or any(old.sem == edge.sem for old in row):
            continue
        row.append(edge)
        nexts = grammar.root.then.get(edge.cat)
        if nexts:
            _advance(
                chart, states, agenda, _State(grammar.root, (), 0.0, ()), nexts, edge, start, end
            )
    if kept:
        chart.cells[start, end] = kept
    if states:
        chart.states[start, end] = _cheapest(states)


def _advance(
    chart: ParseChart,
    states: list[_State],
    agenda: list[Edge],
    state: _State,
    nexts: Sequence[tuple[Hashable, GrammarNode]],
    edge: Edge,
    start: int,
    end: int,
) -> None:
    for wanted, node in nexts:
        if wanted is not None and edge.sem != wanted:
            continue
        moved = _State(
            node, (*state.sems, edge.sem), state.cost + edge.cost, state.leaves + edge.leaves
        )
        if node.then:
            states.append(moved)
        for left, make, price in node.ends:
            chart.edges += 1
            sem = make(*moved.sems)
            if sem is not None:
                cost = moved.cost + price + STEP
                agenda.append(Edge(left, start, end, sem, cost, moved.leaves))  # pyright: ignore[reportArgumentType] — meanings are records


def _cheapest(states: list[_State]) -> list[_State]:
    states.sort(key=lambda state: state.cost)
    found: dict[int, list[_State]] = {}
    for state in states:
        row = found.setdefault(id(state.node), [])
        if len(row) < _STATES and not any(old.sems == state.sems for old in row):
            row.append(state)
    return [state for row in found.values() for state in row]


def _ends_of(chart: ParseChart, edge: Edge) -> list[tuple[int, float]]:
    """Where the next part may begin: behind a comma too, that no rule takes after these words."""
    ends = [(edge.end, 0.0)]
    last = edge.leaves[-1] if edge.leaves else None
    if last is not None and last.cat in _ENDING and last.end == edge.end:
        commas = [one.start for one in chart.tokens if one.cat == "COMMA"]
        ends += [
            (end, extra)
            for end, extra in chart.reach[edge.end].items()
            if any(edge.end <= at < end for at in commas)
        ]
    return ends


def covers(grammar: Grammar, chart: ParseChart) -> list[tuple[float, tuple[Edge, ...]]]:
    """The cheapest sequences of parts that cover the whole text, cheapest first."""
    best: dict[int, list[tuple[float, tuple[Edge, ...]]]] = {
        place: [(cost, ())] for place, cost in chart.reach[0].items()
    }
    by_start: dict[int, list[Edge]] = {}
    for (start, _), kinds in chart.cells.items():
        for cat, edges in kinds.items():
            if cat in grammar.parts:
                by_start.setdefault(start, []).extend(edges)
    for place in range(chart.size):
        rows = best.get(place)
        if not rows:
            continue
        rows.sort(key=lambda row: row[0])
        del rows[_PARTS:]
        for edge in by_start.get(place, ()):
            more = edge.cost + _PART + grammar.parts[edge.cat]
            for end, extra in _ends_of(chart, edge):
                ahead = best.setdefault(end, [])
                ahead += [(cost + more + extra, (*parts, edge)) for cost, parts in rows]
    return sorted(best.get(chart.size, []), key=lambda row: row[0])[:_PARTS]
