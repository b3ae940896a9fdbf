"""The parts that cover a question, gathered: what was asked for, each thing said once.

Nothing is dropped here: what two parts say differently, and what no field takes, is `Unused`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import cast

from services.query.algebra.nodes import (
    Change,
    Direction,
    Fold,
    Grouping,
    Metric,
    Own,
    Pred,
    Sign,
    Take,
    ToolAction,
    both,
    walk,
)
from services.query.reading.bounds_said import Bound, Rebound
from services.query.reading.chart import Edge
from services.query.reading.errors import UnusedError
from services.query.reading.figures_said import growth_of, is_of_years, rises_itself
from services.query.reading.phrases import Amount, Fig, Listings, Time, dimensions
from services.query.reading.predicates import (
    AskedOf,
    DayTest,
    FoldTest,
    InYears,
    Occasion,
    PlacedIn,
    Relation,
    Sort,
    TakenOut,
    ToldTest,
)
from services.query.reading.sets_said import sizes_of
from services.query.reading.times_joined import is_in_one_month


@dataclass(slots=True)
class Request:
    """What the parts of a question say together."""

    ents: list[Listings] = field(default_factory=list[Listings])
    scope: Pred | None = None
    when: Time | None = None
    mets: list[str] = field(default_factory=list[str])
    agg: Fold | None = None
    basis: str | None = None
    peer: Own | None = None
    series: str | None = None
    apart: bool = False
    also: Fold | None = None
    conds: list[Pred] = field(default_factory=list[Pred])
    orders: list[Sort] = field(default_factory=list[Sort])
    excluded: list[Pred] = field(default_factory=list[Pred])
    take: int | None = None
    is_bottom: bool = False
    place: int | None = None
    places: int = 1  # so many rows from that place on: 第四到第六
    occasion: Occasion | None = None
    days: int | None = None
    relations: list[Relation] = field(default_factory=list[Relation])
    day_tests: list[DayTest] = field(default_factory=list[DayTest])
    group: Grouping | None = None
    count: bool = False
    asks: set[str] = field(default_factory=set[str])
    marks: set[str] = field(default_factory=set[str])
    bounds: list[Bound] = field(default_factory=list[Bound])
    fold_tests: list[FoldTest] = field(default_factory=list[FoldTest])
    told: list[ToldTest] = field(default_factory=list[ToldTest])
    direction: str | None = None
    more: int | None = None
    tools: list[ToolAction] = field(default_factory=list[ToolAction])
    indicators: list[str] = field(default_factory=list[str])
    dropped: list[str] = field(default_factory=list[str])
    # Rows of the list before that are to go, by their place; a number to stand for another.
    instead: list[tuple[Listings, Listings]] = field(
        default_factory=list[tuple[Listings, Listings]]
    )
    gone: list[int | Sort] = field(default_factory=list["int | Sort"])
    rebound: list[Rebound] = field(default_factory=list[Rebound])
    # Bounds of a figure that was told, whoever is within which is to go.
    cuts: list[tuple[Sign, Amount]] = field(default_factory=list["tuple[Sign, Amount]"])
    # Sets that all who are named are said to be of.
    alike: list[Pred] = field(default_factory=list[Pred])

    @property
    def said(self) -> frozenset[str]:
        """The names of what was said; of asks and marks each by its own: `ask.rank`."""
        named = {one for one in _NAMED if not _is_unsaid(getattr(self, one))}
        return frozenset(
            named | {f"ask.{one}" for one in self.asks} | {f"mark.{one}" for one in self.marks}
        )

    @property
    def way(self) -> Direction:
        """The direction said; the highest first where none was."""
        return "asc" if self.direction == "asc" else "desc"

    @property
    def rows_placed(self) -> Take | None:
        """The rows of the places said; None where none was, or the last one (`place` 0)."""
        return Take(count=self.places, skip=self.place - 1) if self.place else None

    @property
    def phrases(self) -> list[Fig]:
        """The noun phrases of what is set against something, ordered or looked for by day."""
        lefts = [one.left for one in self.relations]
        return lefts + [one.phrase for one in (*self.orders, *self.day_tests)]

    @property
    def phrase(self) -> Fig:
        """The noun phrase of it all."""
        return Fig(
            tuple(self.ents), self.scope, self.when, tuple(self.mets), self.agg, self.peer,
            apart=self.apart, also=self.also,
        )  # fmt: skip


_NAMED = tuple(one.name for one in fields(Request) if one.name not in ("asks", "marks", "places"))


def _is_unsaid(value: object) -> bool:
    return value is None or value is False or value == []


def gathered(parts: Sequence[Edge]) -> Request:
    """The parts together. Raises: UnusedError."""
    request = Request()
    for part in parts:
        _take(request, part)
    _settle_named_last(request, parts)
    _settle(request, is_top=any(part.cat == "TOP" for part in parts))
    is_from_edge = request.relations or any(one.endswith(":off") for one in request.mets)
    if not is_from_edge and rises_itself([leaf for part in parts for leaf in part.leaves]):
        raise UnusedError("ret of a figure")
    request.marks |= set(_places_said(parts))
    _need_figure_read(parts)
    _need_first_by_its_figure(parts)
    for one, joint, other in zip(parts, parts[1:], parts[2:], strict=False):
        # 营业收入增长且净利润下降: what stands before 且 is a condition too, or nothing read.
        is_figure = isinstance(one.sem, Fig) and bool(one.sem.mets)
        if (
            joint.cat == "bool"
            and joint.sem == "and"
            and is_figure
            and other.cat in ("COND", "SORT")
        ):
            raise UnusedError("and")
        # 跌超20%但净利润增长: what stands behind it is one too.
        is_shown = isinstance(other.sem, Fig) and bool(other.sem.mets) and not other.sem.agg
        if (joint.cat, joint.sem, is_shown) == ("bool", "and", True) and _ends_a_test(parts, joint):
            raise UnusedError("and")
        # 高于所在行业|中位数的A股: the fold is of those it is compared with.
        folds = isinstance(joint.sem, Fig) and joint.sem.agg and joint.leaves[0].cat == "agg"
        if one.cat == "COND" and folds and one.leaves[-1].cat == "peer":
            raise UnusedError("agg")
        # 比亚迪A股和H股: both listings of a company.
        beside = other.sem.phrase if isinstance(other.sem, Sort) else other.sem
        is_there = isinstance(beside, Fig) and beside.scope is not None and not beside.ents
        is_of_one = isinstance(one.sem, Fig) and one.sem.ents and not one.sem.scope
        if joint.cat == "join" and is_of_one and is_there:
            request.marks.add("listings")
        # 一年前和现在的股价: of a second time that was not read, nothing is.
        _need_time_read(one, joint, other)
        # 去掉银行和保险: what stands behind 和 is to go too, or nothing read.
        is_cond = joint.cat == "join" and other.cat == "COND"
        if one.cat == "EXCL" and joint.cat in ("join", "bool") and (is_there or is_cond):
            raise UnusedError("except")
    return request


def _need_first_by_its_figure(parts: Sequence[Edge]) -> None:
    """市值前十的A股里头，市净率最低的; top 10 by market cap, the one with the lowest P/B: those are
    first by the figure they stand beside, and not so many, or so, by another. Raises: UnusedError.
    """
    figures = [(leaf, part) for part in parts for leaf in part.leaves if leaf.cat == "METRIC"]
    is_ordered = any(part.cat == "SORT" for part in parts)
    for part in parts if is_ordered else ():
        for leaf in (one for one in part.leaves if one.cat in ("TOP", "sup")):
            # lowest P/B: a blank between; 前20按市值 is by what it says.
            ends = (leaf.end, leaf.end + 1) if leaf.cat == "sup" else ()
            beside = [of for one, of in figures if one.end == leaf.start or one.start in ends]
            if beside and all(of is not part for of in beside):
                raise UnusedError("first by another")


_INDUSTRIES = ("noun", "industries")


def _settle_named_last(request: Request, parts: Sequence[Edge]) -> None:
    """总市值排前三的行业, 各行业总市值最高的五个行业: an order is of what it stands before."""
    is_last = len(parts) > 1 and (
        parts[-1].sem == Fig(peer="industry") or (parts[-1].cat, parts[-1].sem) == _INDUSTRIES
    )
    folds = any(one.phrase.agg for one in request.orders) or request.agg
    is_of_groups = request.group == "industry" or not (folds or request.group)
    if is_last and parts[-2].cat == "SORT" and is_of_groups and not request.ents:
        request.peer, request.group = None, "industry"
        request.marks = request.marks - {"noun"} | {"whichgroup"}


def _places_said(parts: Sequence[Edge]) -> Iterator[str]:
    """What words say by standing right beside others: 三家 of those spoken of, 超过30多少 by how
    much.
    """
    if _counts_whom(parts):
        yield "these"
    for one, other in pairwise(parts):
        is_what = (other.cat, other.sem) == ("ask", "what")
        if one.cat == "COND" and is_what and one.leaves[-1].end == other.leaves[0].start:
            yield "beyond"


def _need_figure_read(parts: Sequence[Edge]) -> None:
    """Raises: UnusedError for 净利润|最小的三家银行: what they are smallest by stands before it.

    And for make the limit|20, which is a bound or nothing.
    """
    for one, other in pairwise(parts):
        is_limit = other.cat in ("TOP", "SORT") and any(
            leaf.cat == "limit" for leaf in other.leaves
        )
        if one.cat == "swap" and is_limit:
            raise UnusedError("which bound")
        ends, begins = one.leaves[-1:], other.leaves[:1]
        is_beside = bool(ends and begins) and ends[0].end == begins[0].start
        if is_beside and (ends[0].cat, begins[0].cat) == ("METRIC", "bigsup"):
            raise UnusedError("size")


def _need_time_read(one: Edge, joint: Edge, other: Edge) -> None:
    """Raises: UnusedError where 和 stands behind a time and nothing but a figure follows."""
    is_time = isinstance(one.sem, Fig) and one.sem.when and not one.sem.mets
    is_bare = isinstance(other.sem, Fig) and other.sem == Fig(mets=other.sem.mets)
    if joint.cat == "join" and is_time and is_bare:
        raise UnusedError("when")


def _ends_a_test(parts: Sequence[Edge], joint: Edge) -> bool:
    """Whether a condition stands before, with nothing but a time between."""
    said = [(one.cat, one.sem) for one in parts[: parts.index(joint)]]
    before = [cat for cat, sem in said if not isinstance(sem, Fig) or sem != Fig(when=sem.when)]
    return before[-1:] == ["COND"]


def _counts_whom(parts: Sequence[Edge]) -> bool:
    """三家谁的市盈率最低: so many that were spoken of; 哪三家: so many of all."""
    for at, part in enumerate(parts):
        if part.cat == "COUNT":
            before, after = (
                any((leaf.cat, leaf.sem) == ("ask", "which") for one in some for leaf in one.leaves)
                for some in (parts[:at], parts[at + 1 :])
            )
            return after and not before
    return False


def _settle(request: Request, *, is_top: bool) -> None:
    """What only says again what was named: 电力行业, 三家 of three companies, 两个行业 of two.

    Raises: UnusedError where how far from the highest of a time a price went stands apart from it.
    """
    is_least = any(name.endswith(":lost") for one in request.orders for name in one.phrase.mets)
    if is_least and "whichyear" not in request.asks:
        raise UnusedError("least of losses")  # 谁亏得最少: of those with a loss alone
    if any(one.endswith(":off") for one in request.mets):
        if _tells_a_move(request):
            raise UnusedError("off")
        request.mets = [one for one in request.mets if one != "close"]  # 股价从15年低点涨了多少
    scope = both(request.scope, *(one.phrase.scope for one in request.orders))
    if request.peer == "industry" and not request.ents and "industry" in dimensions(scope):
        request.peer = None
    _settle_groups(request)
    moves = {("close:ret",), ("pct_change",), ("close:fall",)}
    if request.mets == ["close"] and {one.phrase.mets for one in request.orders} <= moves:
        request.mets = [] if request.orders else request.mets  # 股价跌得最多的是哪个
    if request.series == "daily" and request.asks & {"whichday", "daylist"} and request.orders:
        request.series = None  # 单日跌得最狠的是哪天
    if request.series == "daily" and request.ents and request.when and not request.mets:
        request.asks.add("trend")  # 6月日线: every bar of those days
    _settle_month(request)
    _settle_which(request)
    _settle_worst_year(request)
    if len(request.orders) == 1 and not request.ents:  # A的ROE和B比谁高: they are whom it is about
        (sort,) = request.orders
        request.ents = list(sort.phrase.ents)
        request.orders = [replace(sort, phrase=replace(sort.phrase, ents=()))]
    ents = [*request.ents, *(one for rel in request.relations for one in rel.left.ents)]
    sizes = {len(ents), *sizes_of(scope)} - {0, 1}
    is_ordered = any(one.take is None and one.direction for one in request.orders)
    is_first = is_top or is_ordered or request.direction  # 三个行业市值前三 is no size
    is_size = request.take in sizes and not request.is_bottom and request.group is None
    if is_size and (ents or not is_first):
        request.take = None


def _settle_month(request: Request) -> None:
    """2015年7月的月度涨幅: of a single month its return is what that month made."""
    window = request.when.days if request.when is not None else None
    if request.series == "monthly" and request.mets == ["close:ret"] and is_in_one_month(window):
        request.series = None


def _settle_which(request: Request) -> None:
    """市净率分别多少，哪个最低: of the figure said before, where companies are set side by side."""
    bare = [one for one in request.orders if one.phrase == Fig() and not one.is_time]
    is_named = len(request.ents) > 1 or (
        dimensions(request.scope) == {"symbol"} and not request.take
    )
    if len(request.orders) == len(bare) == len(request.mets) == 1 and is_named and not request.agg:
        by = growth_of(request.mets[0]) if bare[0].is_growth else request.mets[0]
        if by is None:
            raise UnusedError("growth")
        sort = replace(bare[0], phrase=Fig(mets=(by,)), is_list=True)
        request.orders, request.mets = [sort], []


def _settle_worst_year(request: Request) -> None:
    """最惨的是哪一年，净利润多少: the year of the figure that is told of it."""
    asked, way = list(request.orders), request.direction
    if request.asks & {"whichyear", "whichday"} and way in ("asc", "desc") and not asked:
        asked = [Sort(Fig(), "asc" if way == "asc" else "desc", is_time=True)]
    is_one = len(request.ents) == len(request.mets) == 1 and not (request.agg or request.scope)
    if is_one and len(asked) == 1 and asked[0] == Sort(Fig(), asked[0].direction, is_time=True):
        request.orders = [replace(asked[0], phrase=Fig(mets=tuple(request.mets)))]
        request.mets, request.direction = [], None


def _settle_groups(request: Request) -> None:
    """家数最多的五个行业, 公司最少的行业: the industries by how many companies they have."""
    of_else = request.ents or request.mets or request.orders or request.agg or request.group
    if not request.count or request.peer != "industry" or not request.direction or of_else:
        return
    request.group, request.peer, request.take = "industry", None, request.take or 1
    request.is_bottom, request.direction = request.direction == "asc", None
    request.marks.add("whichgroup")


def _tells_a_move(request: Request) -> bool:
    said = [*request.mets, *(one for sort in request.orders for one in sort.phrase.mets)]
    tests = [node for one in request.conds for node in walk(one)]
    changes = any(isinstance(one, Change) and one.of == "close" for one in tests)
    moves = any(isinstance(one, Metric) and one.id == "pct_change" for one in tests)
    return changes or moves or bool({"pct_change", "close:ret", "close:fall"} & set(said))


# Parts that may be said more than once, and the field that lists them.
_LISTED: Mapping[str, str] = {
    "COND": "conds", "EXCL": "excluded", "REL": "relations", "BOUND": "bounds",
    "HAVING": "fold_tests", "TOLDTEST": "told",
    "toolask": "tools", "DROP": "dropped", "GONE": "gone",
    "REBOUND": "rebound", "ALIKE": "alike", "CUT": "cuts",
}  # fmt: skip
# Parts that are said once, and their field.
_ONCE: Mapping[str, str] = {
    "DAYS": "days", "OCCASION": "occasion", "SESSIONS": "occasion", "basis": "basis",
    "MORE": "more",
    "group": "group", "whichgroup": "group", "COUNT": "take", "TOP": "take", "BOTTOM": "take",
    "YEARN": "take",
    "MONTHN": "take", "GROUPN": "take", "sup": "direction", "dir": "direction",
    "rankway": "direction",
}  # fmt: skip
# What such a part asks or marks too: 净利润最高的三年, 从高到低.
_ASKS_TOO = {
    "YEARN": "whichyear",
    "MONTHN": "whichmonth",
    "SESSIONS": "sessions",
    "rankway": "rank",
}
_MARKS_TOO = {"dir": "way", "whichgroup": "whichgroup", "GROUPN": "whichgroup"}
# Words that mark by their kind, and those that mark by what they mean.
_MARKING = frozenset({"only", "add", "swap", "noun", "consensus", "groupcount"})
_MARKED = frozenset({"follow", "edit", "winner", "likewise"})


def _take(request: Request, part: Edge) -> None:
    """One part of the question. Raises: UnusedError."""
    sem: object = part.sem
    match sem:
        case Fig():
            _take_phrase(request, sem)
        case Sort() if part.cat != "GONE":
            request.orders.append(sem)
            request.marks |= {"row"} if sem.is_row else set()
            if sem.group is not None:
                _take_word(request, "whichgroup", sem.group)
        case DayTest():
            request.day_tests.append(sem)
            if sem.occasion is not None:
                _set(request, "occasion", sem.occasion)
        case InYears():
            _take(request, part._replace(cat="COND", sem=sem.pred))
            _take_phrase(request, Fig(when=sem.when))
            request.asks.add(sem.asked)
        case PlacedIn():
            _take_phrase(request, sem.phrase)
            _take_phrase(request, Fig(scope=sem.within))
            request.asks.add("pctile")
        case TakenOut():
            request.excluded.append(sem.pred)
            request.marks.add("held")
        case AskedOf():
            request.ents += sem.ents
            request.conds.append(sem.pred)
        case _:
            _take_word(request, part.cat, sem)


def _take_phrase(request: Request, phrase: Fig) -> None:
    request.ents += phrase.ents
    if phrase.scope is not None:
        if dimensions(request.scope) & dimensions(phrase.scope):
            raise UnusedError("scope")
        request.scope = both(request.scope, phrase.scope)
    for name in ("when", "agg", "peer", "series", "apart", "also"):
        value = getattr(phrase, name)
        if value:
            _set(request, name, value)
    for one in phrase.mets:
        is_run = one.startswith("close:longest")  # of rising profits it is not that of closes
        if one in request.mets or (is_run and any(map(is_of_years, request.mets))):
            raise UnusedError("mets")
        if is_of_years(one) and any(had.startswith("close:longest") for had in request.mets):
            raise UnusedError("mets")
        request.mets.append(one)


def _set(request: Request, name: str, value: object) -> None:
    if getattr(request, name) not in (None, False, value):
        raise UnusedError(name)
    if name in ("take", "place", "days", "more") and getattr(request, name) is not None:
        raise UnusedError(name)
    setattr(request, name, value)


def _take_word(request: Request, cat: str, sem: object) -> None:
    request.asks |= {_ASKS_TOO[cat]} if cat in _ASKS_TOO else set()
    request.marks |= {_MARKS_TOO[cat]} if cat in _MARKS_TOO else set()
    if cat in _LISTED:
        getattr(request, _LISTED[cat]).append(sem)
    elif cat in _ONCE:
        _set(request, _ONCE[cat], sem)
    elif cat in _MARKING | _MARKED:
        request.marks.add(cat if cat in _MARKING else str(sem))
    elif cat in ("ask", "SINCEIT"):
        request.asks.add(str(sem))
    else:
        _take_own_way(request, cat, sem)
    if cat == "GROUPN":
        _set(request, "group", "industry")
    request.is_bottom = request.is_bottom or cat == "BOTTOM"


def _take_own_way(  # noqa: C901 — one case a line
    request: Request, cat: str, sem: object
) -> None:
    """Places, and words that join. Raises: UnusedError."""
    match cat:
        case "ORD":
            count, is_from_end = cast("tuple[int, bool]", sem)
            if is_from_end and count != 1:
                raise UnusedError("place")
            _set(request, "place", 0 if is_from_end else count)
        case "PLACES":
            first, last = cast("tuple[int, int]", sem)
            _set(request, "place", first)
            request.places = last - first + 1
        case "lastplace" | "firstplace":
            _set(request, "place", 0 if cat == "lastplace" else 1)
        case "PLACED" | "SUPN":
            number, way = cast("tuple[int, str]", sem)
            _set(request, "place" if cat == "PLACED" else "take", number)
            _set(request, "direction", way)
        case "count":
            request.count = True
        case "indicator":
            request.indicators.append("" if sem == "all" else str(sem))
        case "INSTEAD":
            (old,), (new,) = cast("tuple[tuple[Listings], tuple[Listings]]", sem)
            request.instead.append((old, new))
        case "rel" if sem in ("in", "bi"):
            request.marks.add(str(sem))
        case "bool" | "join":
            request.marks.add("or" if sem == "or" else "and")
        case "held":  # whether it says anything is for the coverage of words
            pass
        case _:
            raise UnusedError(cat)
