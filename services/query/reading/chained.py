"""Several steps in one sentence: each is a question of its own, or goes on from the one before it.

A step is read as a turn is, wholly, with the step before as what was asked last. Where two ways of
cutting the sentence mean different things, neither is taken.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import combinations, pairwise
from typing import cast

from services.query.algebra.nodes import (
    ALL,
    OWN,
    Across,
    Change,
    Expr,
    In,
    Metric,
    Node,
    Order,
    OtherTool,
    Over,
    Query,
    Rank,
    Several,
    Take,
    When,
    both,
    figures_in,
    items_of,
    rewrite,
    walk,
)
from services.query.reading.chart import Edge, ParseChart
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_said import is_of_years
from services.query.reading.figures_told import holds, is_of_companies
from services.query.reading.follow_apart import value_told
from services.query.reading.phrases import Fig, dimensions
from services.query.reading.request import Request, gathered
from services.query.reading.shapes import EASY

Step = Query | OtherTool
Reader = Callable[[Sequence[Edge], Sequence[Query]], object]
_MOST_PLACES, _MOST_STEPS = 5, 3
_ASKS = frozenset({"count", "ask", "toolask"})
_TIMES = ("WHEN", "YTD", "EACH_SPAN")
_ASKED = ("which", "what", "list", "ones", "whichyear", "whichday", "rank")
_ASKING = frozenset({("follow", "ne"), *(("ask", one) for one in _ASKED)})


# What asks, where another that asks stands behind a comma.
_ASKED_TWICE = frozenset({("ask", "what"), ("ask", "ones"), ("ask", "yesno"), ("follow", "ne")})
# Who is the first, and where another is.
_PLACES_ASKED = frozenset({("ask", "which"), ("ask", "rank")})


def asks_twice(chart: ParseChart) -> bool:
    """四大行净利润分别多少，加起来多少: a word that asks on both sides of a comma.

    A joint of a list asks nothing.
    """
    commas = {one.start for one in chart.tokens if one.cat == "COMMA" and one.sem != "、"}
    behind = {one.end for one in chart.tokens if one.start in commas}
    joints = {one.start for one in chart.tokens if one.cat == "join"} - behind
    asks = [
        one for one in chart.tokens
        if (one.cat == "count" or (one.cat, one.sem) in _ASKED_TWICE) and one.start not in joints
    ]  # fmt: skip
    placed = [one for one in chart.tokens if (one.cat, one.sem) in _PLACES_ASKED]
    asks += placed if len({one.sem for one in placed}) > 1 else []
    first = min((one.start for one in asks if one.sem != "yesno"), default=chart.size)
    last = max((one.start for one in asks), default=0)
    return any(first < at < last for at in commas)


def joints_of(parts: Sequence[Edge], chart: ParseChart) -> frozenset[int]:
    """The places of parts that stand behind a comma."""
    commas = [one.start for one in chart.tokens if one.cat == "COMMA" and one.sem != "、"]
    found: set[int] = set()
    for at in range(1, len(parts)):
        end = max((leaf.end for leaf in parts[at - 1].leaves), default=parts[at - 1].end)
        if any(end <= comma < parts[at].start for comma in commas):
            found.add(at)
    return frozenset(found)


def is_joiner(part: Edge) -> bool:
    """且, 和, 里: words that end one step and begin the next, and say no more."""
    return (
        (part.cat == "bool" and part.sem == "and")
        or part.cat in ("join", "only")
        or (part.cat == "rel" and part.sem == "in")
    )


def chained(
    parts: Sequence[Edge],
    before: Sequence[Query],
    chart: ParseChart,
    alone: Reader,
    edit: Reader,
) -> Query | Several | OtherTool:
    """The steps of a sentence that is no single question. Raises: UnusedError."""
    joints = joints_of(parts, chart)
    begun = 3 if _begins_in_a_set(parts) else 1
    places = [
        at
        for at in range(begun, len(parts))
        if at in joints or is_joiner(parts[at]) or is_joiner(parts[at - 1])
    ]
    if not places or len(places) > _MOST_PLACES:
        raise UnusedError("steps")
    for count in range(1, min(len(places), _MOST_STEPS - 1) + 1):
        found: list[Query | Several | OtherTool] = []
        for cuts in combinations(places, count):
            try:
                one = _take_steps(_cut(parts, cuts), before, chart, alone, edit)
            except (UnusedError, ChoiceError):
                continue
            if one not in found:
                found.append(one)
        if len(found) > 1:
            break
        if found:
            return found[0]
    raise UnusedError("steps")


def _begins_in_a_set(parts: Sequence[Edge]) -> bool:
    """采掘里有几家: the set is no step, and what stands behind it is of it."""
    if len(parts) < 2 or (parts[1].cat, parts[1].sem) != ("rel", "in"):
        return False
    said = parts[0].sem
    return isinstance(said, Fig) and said == Fig(scope=said.scope)


def _cut(parts: Sequence[Edge], cuts: Sequence[int]) -> list[list[Edge]]:
    """The steps, without the words that only join them."""
    steps: list[list[Edge]] = []
    for start, end in zip((0, *cuts), (*cuts, len(parts)), strict=True):
        step = list(parts[start:end])
        while step and is_joiner(step[0]):
            del step[0]
        while step and is_joiner(step[-1]):
            del step[-1]
        steps.append(step)
    return steps


def _take_steps(
    steps: Sequence[Sequence[Edge]],
    before: Sequence[Query],
    chart: ParseChart,
    alone: Reader,
    edit: Reader,
) -> Query | Several | OtherTool:
    if not all(steps):
        raise UnusedError("steps")
    if not before and _is_order_alone(steps[0]) and any(gathered(one).ents for one in steps[1:]):
        raise UnusedError("order of whom")  # 哪家市盈率高，腾讯还是茅台，…
    made = [_as_step(alone(steps[0], before))]
    context = [*before, _find_spoken_of(made[0])]
    for at, step in enumerate(steps[1:], start=1):
        last = context[-1]
        ends = [_end_of(one) for one in ((), *steps)][at - 1 : at + 2]
        points = _says(_POINTING, chart, *ends[1:])
        is_new = not points and _is_of_its_own(gathered(step), last)
        new = _as_step(alone(step, ()) if is_new else edit(step, context))
        if isinstance(new, Query) and _folds_nothing(new, gathered(step)):
            raise UnusedError("agg of what")  # …有几家，合计多少
        if not is_new and _groups_unasked(new, gathered(step)):
            raise UnusedError("what of each group")  # …，每个行业列一下
        if isinstance(new, Query) and not (is_new or _keeps(last, new)):
            raise UnusedError("instead of the step before")
        if isinstance(new, Query) and _is_of_today_alone(last, new):
            raise UnusedError("price of reports")  # 15年和16年净利润，降了多少
        both_steps = zip((steps[at - 1], step), pairwise(ends), strict=True)
        asked = [_asks(one, chart, *span) for one, span in both_steps]
        made = _together(made, new, is_new=is_new, asked=asked)
        context.append(_find_spoken_of(new))
    if len(made) == 1:
        return made[0]
    is_timed = any(leaf.cat in _TIMES for part in steps[0] for leaf in part.leaves)
    return Several(queries=tuple(made if is_timed else _of_one_time(made)))


def _is_order_alone(step: Sequence[Edge]) -> bool:
    """Whether a step only asks which is first by something, and says nothing of whom."""
    request = gathered(step)
    asks = any((leaf.cat, leaf.sem) == ("ask", "which") for part in step for leaf in part.leaves)
    names = any(one.phrase.ents or one.phrase.scope for one in request.orders)
    return asks and request.said <= frozenset({"orders"}) and not names


def _of_one_time(made: Sequence[Step]) -> Sequence[Step]:
    """The best day and the worst day of Baidu in 2015: a time said last is that of the rows of the
    first, where they are of the same companies; and so is the company, of both ends of a figure.
    """
    first, last = made[0], made[-1]
    if not (isinstance(first, Query) and isinstance(last, Query)):
        return made
    ends = [[*figures_in(one.order[0])] if one.order else [] for one in (first, last)]
    if first.rows != last.rows and ends[0] and ends[0] == ends[1]:
        way = first.order[0].direction
        turned = last.order[0].but(direction=way)
        return [last.but(order=(turned,)), *made[1:]]
    if first.window != ALL:
        return made
    is_alike = (first.rows, first.scope) == (last.rows, last.scope) and last.window != ALL
    return [first.but(window=last.window), *made[1:]] if is_alike else made


def _folds_nothing(new: Query, step: Request) -> bool:
    """Whether a step says a total or a mean, and what it was read as has none."""
    folds = new.fold or any(isinstance(one, Over | Across) for one in walk(new))
    return not folds and (step.agg is not None or "sum2" in step.asks)


def _is_of_today_alone(last: Query, new: Query) -> bool:
    """Whether a step is read as the move of a price on one day, behind figures of reports."""
    told = [*figures_in(last)]
    return new.show == (Metric(id="pct_change"),) and bool(told) and all(map(is_of_years, told))


def _groups_unasked(new: Step, step: Request) -> bool:
    """Whether a step parts a list into groups and says no number or fold of each."""
    is_grouped = isinstance(new, Query) and new.group is not None and "group" in step.said
    return is_grouped and not (step.count or step.agg or step.mets)


def _as_step(meant: object) -> Step:
    if isinstance(meant, Query | OtherTool):
        return meant
    raise UnusedError("step of a tool")


def _find_spoken_of(step: Step) -> Query:
    """What the next step goes on from: of another tool, whom it was asked about."""
    if isinstance(step, Query):
        return step
    return Query(scope=In(dim="symbol", values=step.symbols))


_POINTING = frozenset({("follow", "these")})
_OF_A_PLACE = frozenset({"ents", "ask.rank", "scope", "peer"})


def _is_of_its_own(request: Request, last: Query) -> bool:
    """Whether a step names its own companies or set. Raises: UnusedError where nobody knows."""
    if request.bounds or request.more is not None:
        raise UnusedError("of what bound")
    if request.marks & {"these", "ne", "add", "only"}:
        return False
    ents = [*request.ents, *(one for sort in request.orders for one in sort.phrase.ents)]
    ents += [one for rel in request.relations for one in rel.left.ents]
    if ents and {"ents", "ask.rank"} <= request.said - EASY <= _OF_A_PLACE:
        return False  # 谁营收最高，苹果排第几: by that figure, among those or in a set
    if ents:
        return True
    dims = dimensions(both(request.scope, *request.conds))
    for sort in request.orders:
        dims |= dimensions(sort.phrase.scope)
    if not dims:
        return False
    if dims & dimensions(last.scope) - {"market"}:
        return True
    raise UnusedError("of the same or of all")  # 港股市值前十，银行有几家


def _keeps(last: Query, new: Query) -> bool:
    """Whether everything said of a list holds of what goes on from it: no bound in its place."""
    if not (new.show or new.fold or new.order or new.group or new.check or new.where):
        return False
    rows = {"show": (), "take": None}  # 前三个行业加起来, behind the first of them
    if new.first is not None and new.first.model_copy(update=rows) == last.model_copy(update=rows):
        return True
    if is_of_companies(last):
        return True
    among = [one for expr in new.show for one in walk(expr) if isinstance(one, Across | Rank)]
    if among:  # …，合计占几成; …，苹果排第几: what is folded, or ranked among, are those
        held = set(items_of(both(last.scope, last.where)))
        return any(held <= set(items_of(one.within)) for one in among)
    if last.take is not None and new.take != last.take and new.order != last.order:
        return False
    pairs = [(last.scope, new.scope), (last.where, new.where)]
    return all(set(items_of(one)) <= set(items_of(other)) for one, other in pairs)


def _end_of(step: Sequence[Edge]) -> int:
    """Where its last word ends; what is passed over behind it is of the next step."""
    return max((leaf.end for part in step for leaf in part.leaves), default=0)


def _asks(step: Sequence[Edge], chart: ParseChart, start: int, end: int) -> bool:
    """Whether a step asks by itself: 有哪些, 多少家."""
    return any(part.cat in _ASKS for part in step) or _says(_ASKING, chart, start, end)


def _says(words: Collection[object], chart: ParseChart, start: int, end: int) -> bool:
    """Whether one of these words stands there, read as it is or passed over."""
    return any(
        (one.cat, one.sem) in words and start <= one.start and one.end <= end
        for one in chart.tokens
    )


def _together(made: list[Step], new: Step, *, is_new: bool, asked: Sequence[bool]) -> list[Step]:
    """The steps with one more: as one query where it says what the last one did, and more. `asked`:
    whether the last one asks, and the new one.
    """
    last = made[-1]
    if last == new:
        raise UnusedError("the same step")
    if not isinstance(last, Query) or not isinstance(new, Query):
        return [*made, new]
    if (beside := _of_that_year(last, new)) is not None:
        return [*made[:-1], beside]
    if holds(new, last):  # which was worst, and as a share of its revenue
        told = last.show if not last.order else ()  # in the order asked; of a list what is new
        shown = tuple(dict.fromkeys([*told, *new.show]))
        return [*made[:-1], new.but(show=shown)]
    if (value := value_told(last)) is not None and value[1] in new.show:
        return [*made[:-1], new]  # 它们的中位数，跟整个板块比高还是低: with what it is set against
    if (one := _as_one(last, new)) is not None:
        return [*made[:-1], one]
    if is_new or is_of_companies(last) or _is_other_end(last, new):
        return [*made, new]
    is_taken = last.take is None and last.but(order=new.order, take=new.take) == new
    if last.group and not asked[1] and is_taken:
        return [*made[:-1], new]  # how many in each industry? top 5 only
    lists = not (new.fold or new.group or new.rows != "companies")
    is_asked = asked[0] and (asked[1] or not lists or last.fold)  # a number is told, a list goes on
    is_asked = is_asked or (last.fold and ((asked[1] and new.fold) or (lists and not last.group)))
    return [*made, new] if is_asked and not _is_bare(last) else [*made[:-1], new]


def _of_that_year(last: Query, new: Query) -> Query | None:
    """哪年净利润最高，增长多少, 比2016年低多少: what has no time of its own is of that year."""

    def own(node: Node) -> Node:
        match node:
            case Metric(id=name, when=When(kind="latest"), of=None) if is_of_years(name):
                return node.but(when=OWN)
            case Change(of=name, until=When(kind="latest")) if is_of_years(name):
                return node.but(until=OWN)
            case _:
                return node

    show = tuple(cast("Expr", rewrite(one, own)) for one in new.show)
    is_one = last.rows == "years" and last.take == Take(count=1) and last.scope == new.scope
    is_plain = new.rows == "companies" and new == Query(scope=new.scope, show=new.show)
    if not (is_one and is_plain) or not any(one == OWN for each in show for one in walk(each)):
        return None
    return last.but(show=tuple(dict.fromkeys((*last.show, *show))))


def _is_other_end(last: Query, new: Query) -> bool:
    """最高的三个行业和最低的三个: the other end of one order is no other order of one list."""
    ends = [{one.direction for one in query.order} for query in (last, new)]
    by = [[(one.by, one.fold) for one in query.order] for query in (last, new)]
    return bool(last.take and new.take) and by[0] == by[1] and ends[0].isdisjoint(ends[1])


def _is_bare(query: Query) -> bool:
    """An industry or a list as it is, with nothing said of it."""
    plain = query.where is None and query.take is None and query.first is None
    by = Metric(id="market_cap")
    return plain and not query.fold and query.order in ((), (Order(by=by, direction="desc"),))


def _as_one(one: Query, other: Query) -> Query | None:
    """Figures of the same companies beside each other, folds of the same set."""
    if one.check is not None or other.check is not None:
        return None
    if one.take and one.but(show=other.show) == other:
        shown = tuple(dict.fromkeys([*other.show, *one.show]))  # 第三是谁，它市盈率排第几
        return other.but(show=shown)
    bare = {"show": (), "fold": (), "order": (), "having": ()}
    if one.model_copy(update=bare) != other.model_copy(update=bare):
        return None
    if one.having or other.having:
        return None
    if not one.fold and not other.fold and not (one.order and other.order):
        if not one.show or not other.show or one.take or other.take:
            return None
        shown = tuple(dict.fromkeys([*one.show, *other.show]))  # 市值也加上，按市值降序
        return one.but(show=shown, order=one.order or other.order)
    alike = one.order == other.order or one.group is not None
    if one.fold and other.fold and alike and not one.show and not other.show and not other.take:
        return one.but(fold=tuple(dict.fromkeys([*one.fold, *other.fold])))
    return None
