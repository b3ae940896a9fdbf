"""Which reading of a question is meant: the cheapest that makes sense, or several to choose of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.lattice import FUNCTION, Token
from services.query.algebra.nodes import (
    Arith,
    Change,
    Every,
    In,
    Metric,
    Node,
    OtherTool,
    Query,
    Several,
    Take,
    rewrite,
)
from services.query.algebra.scopes import named_symbols
from services.query.reading.at_home import at_home, from_home
from services.query.reading.chained import asks_twice, chained
from services.query.reading.chart import Edge, ParseChart, covers, make_chart
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.figures_said import is_told_with_days
from services.query.reading.figures_told import is_of_companies, time_of
from services.query.reading.follow import followed, stands_alone
from services.query.reading.follow_asked import ask_of_told
from services.query.reading.follow_companies import THAT_TIME
from services.query.reading.follow_days import days_gone
from services.query.reading.follow_edits import counts_told_rows
from services.query.reading.follow_groups import sets_pointed_at
from services.query.reading.follow_peaks import day_of
from services.query.reading.follow_rows import gone_back
from services.query.reading.follow_times import need_now
from services.query.reading.grammar import question_grammar
from services.query.reading.lists_told import it_gone, list_asked_of
from services.query.reading.names_listed import markets_said
from services.query.reading.other_tools import SHAPES as OF_TOOLS
from services.query.reading.other_tools import Meant, of_indexes, of_periods
from services.query.reading.phrases import Time
from services.query.reading.request import Request, gathered
from services.query.reading.said_of_told import (
    as_many_told,
    need_alike,
    need_as_many_named,
    need_price,
)
from services.query.reading.shapes import EASY, Market, Shape, contradiction, made, request_of
from services.query.reading.shapes_group import SHAPES as OF_GROUPS
from services.query.reading.shapes_nested import by_size, nested, senseless, takes_more
from services.query.reading.shapes_place import AGAINST, RANKED
from services.query.reading.shapes_place import SHAPES as OF_COMPANIES
from services.query.reading.shapes_relation import SHAPES as OF_RELATIONS
from services.query.reading.shapes_set import SHAPES as OF_SETS
from services.query.reading.shapes_times import SHAPES as OF_TIMES
from services.query.reading.told_over_turns import need_as_many_told, told_together

# Readings this much dearer than the cheapest cover do not count; within the other they tie.
FAR, TIE = 1.2, 0.25
_GOING_ON = 1.5
# A turn that begins with 去掉 or “drop” bids to leave out; read otherwise it costs more.
_UNDONE = 0.5
# A figure of a day of which fiscal years are asked, where the word has a reading of years.
_NEWEST = 2.0
_OF_DAY, _FISCAL = 1.0, frozenset({"years", "lastn"})
# Why nothing was read: sets or bounds that exclude each other.
EXCLUDED = "excluded: "
_MOST_CHOICES = 4
SHAPES: tuple[Shape[Meant], ...] = (
    *OF_RELATIONS, RANKED, AGAINST, *OF_TOOLS, *OF_TIMES, *OF_COMPANIES, *OF_GROUPS,
    *OF_SETS,
)  # fmt: skip
# Words with a meaning too that may fall all the same: they ask or point, and decide nothing.
HARMLESS = frozenset(
    read_data_file(DATA_FOLDER / "lexicon" / "grammar_words.toml").tables["harmless"]["words"]
)
# What may stand before the word that points: it names nothing.
_LEADING = frozenset({
    FUNCTION, "COMMA", "join", "bool", "follow", "ask", "rel", "order", "only", "noun", "edit",
    "ba",
})  # fmt: skip
_BOUNDS = frozenset({"cmp", "postcmp", "move", "pmove"})
_ASKING = frozenset({"list", "ones", "which"})
# A figure, or a place in a set, with which a question begins whose company stands before it.
_OF_ONE = frozenset({"METRIC", "rel", "order"})
# Why nothing is read of a place that nobody's is asked.
OF_WHOM = "of whom"
_OF_A_CHART = frozenset({"ask.trend", "mark.ne", "mark.these", "mark.and"}) | EASY
_POINTING = frozenset({("follow", "these"), ("only", "within")})


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reading: the query, what it costs, the words it rests on."""

    query: Meant
    cost: float
    leaves: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Ranked:
    """The readings near the best; or why there is none. `choice`: what was left open."""

    near: tuple[Candidate, ...] = ()
    why: str = ""
    choice: ChoiceError | None = None

    @property
    def best(self) -> Candidate | None:
        """The one reading; None where there are several or none."""
        return self.near[0] if len(self.near) == 1 else None


def is_harmless(text: str, token: Token) -> bool:
    """Whether the function word may fall although it has a meaning."""
    return token.cat != FUNCTION or text[token.start : token.end] in HARMLESS


def chart_of(
    text: str,
    tokens: Sequence[Token],
    budget: int,
    before: tuple[ParseChart, int, int] | None = None,
) -> ParseChart:
    """Every phrase of the text. Raises: OverBudgetError."""
    grammar = question_grammar()
    return make_chart(grammar, text, tokens, lambda one: is_harmless(text, one), budget, before)


def ranked(chart: ParseChart, before: Sequence[Query], market: Market) -> Ranked:
    """The readings of a chart that make sense, cheapest first."""
    try:
        need_as_many_told(chart.tokens, chart.text, before)
    except ChoiceError as error:
        return Ranked(choice=error)
    before = told_together(chart.tokens, chart.text, before)
    rows = covers(question_grammar(), chart)
    market = market.spoken_of(before)
    if asks_twice(chart):  # each clause asks: two questions, unless it is one that asks of both
        steps = _near(rows, lambda parts: (_in_steps(parts, before, market, chart), 0.0))
        if steps.near:
            return steps
    whole = _near(rows, lambda parts: _read(parts, before, market, chart))
    if whole.near or whole.choice is not None:
        return whole
    steps = _near(rows, lambda parts: (_in_steps(parts, before, market, chart), 0.0))
    return steps if steps.near else whole


def _near(
    rows: Sequence[tuple[float, tuple[Edge, ...]]],
    read: Callable[[tuple[Edge, ...]], tuple[Meant, float]],
) -> Ranked:
    """The readings near the cheapest one that `read` makes of the parts. What the cheapest leaves
    open may be settled by a dearer one: that the total of a set is its sum.
    """
    found: list[Candidate] = []
    why, choice, cheapest = "", None, None
    options: Sequence[Meant] = ()
    for cost, parts in rows:
        if not parts:  # words that say nothing are no measure of those that do: 现在|呢
            continue
        cheapest = cost if cheapest is None else cheapest
        # A row as dear as that is near nothing that was found: rows only grow dearer.
        if cost > min((cheapest + FAR, *(one.cost + TIE for one in found))):
            break
        try:
            query, extra = read(parts)
            check_sense(query)
        except UnusedError as error:  # that bounds exclude each other says more than any other
            is_sense = error.what.startswith(EXCLUDED) and not why.startswith(EXCLUDED)
            why = error.what if is_sense else why or error.what
            continue
        except ChoiceError as error:
            options = options or (() if found else error.options)
            choice = choice or error
            continue
        if (not options or query in options) and all(query != one.query for one in found):
            leaves = tuple(leaf for part in parts for leaf in part.leaves)
            found.append(Candidate(query, cost + extra, leaves))
    if not found:
        return Ranked(why=why, choice=choice)
    found.sort(key=lambda one: one.cost)
    near = [one for one in found if one.cost <= found[0].cost + TIE]
    if len(near) > 1:
        near.sort(key=lambda one: not (isinstance(one.query, Query) and one.query.order))
        near = list({_meaning(one.query): one for one in reversed(near)}.values())[::-1]
    return Ranked(near=tuple(near[:_MOST_CHOICES]))


def _meaning(query: Meant) -> object:
    """What is equal where two readings ask the same: a difference over time is one of two years,
    and what stands beside it is shown in any order.
    """
    if not isinstance(query, Query) or query.rows != "companies":
        return query
    if query.order and (named_symbols(query.scope) is None or query.take or query.where):
        return query  # of named companies the order says no more than their figures
    if (day := day_of(query)) != query:
        return day  # 最高收在多少: the highest close, and the day of it
    plain: Query = rewrite(query.but(order=()), _as_difference)
    return plain.but(show=tuple(sorted(plain.show, key=repr)))


def _as_difference(node: Node) -> Node:
    if not isinstance(node, Change) or node.how != "difference":
        return node
    now, then = (Metric(id=node.of, when=at, of=node.company) for at in (node.until, node.since))
    return Arith(how="sub", left=now, right=then)


def check_sense(query: Meant) -> None:
    """Raises: UnusedError where its sets or bounds exclude each other."""
    for one in query.queries if isinstance(query, Several) else (query,):
        if isinstance(one, Query) and (said := contradiction(one)):
            raise UnusedError(f"{EXCLUDED}{said}")
        if isinstance(one, Query) and (takes_more(one) or senseless(one)):
            raise UnusedError("nested")


def _read(
    parts: Sequence[Edge], before: Sequence[Query], market: Market, chart: ParseChart
) -> tuple[Meant, float]:
    """The query of these parts, alone or as an edit of the one before, and what that adds."""
    try:
        query, extra = _read_either(parts, before, market, chart)
    except ChoiceError as error:
        options = [at_home(one, chart) for one in error.options]
        raise ChoiceError(error.why, cast("list[Query | OtherTool]", options)) from error
    bids = [one for one in chart.tokens if one.start == 0 and one.cat == "except"]
    leaves = [leaf for part in parts for leaf in part.leaves]
    is_done = not before or not bids or any(leaf in bids for leaf in leaves)
    if before and isinstance(query, Query):
        said = [one for one in _sure(chart) if (one.cat, one.sem) == ("edit", "nowadays")]
        need_now(query, before[-1], is_left=bool(said) and not any(one in leaves for one in said))
    need_price(query, leaves, chart.tokens)
    extra += _as_of_day(leaves, chart, before) + _as_newest(query, leaves, chart)
    extra += _as_course(query, chart)
    return query, extra + (0.0 if is_done else _UNDONE)


def _as_of_day(leaves: Sequence[Token], chart: ParseChart, before: Sequence[Query]) -> float:
    """What it adds to read 分红率 of fiscal years as the yield, which is a figure of a day."""
    ratios = {(one.start, one.end) for one in chart.tokens if one.cat == "ratio"}
    is_either = any(one.cat == "METRIC" and (one.start, one.end) in ratios for one in leaves)
    times = [one.sem for one in leaves if isinstance(one.sem, Time)]
    told = time_of(before[-1]) if before and is_either and not times else None
    whens = [one.periods for one in (*times, *([told] if told is not None else []))]
    is_fiscal = any(one is not None and one.kind in _FISCAL for one in whens)
    return _OF_DAY if is_either and is_fiscal else 0.0


def _as_course(query: Meant, chart: ParseChart) -> float:
    """What it adds to tell how a figure grew in each year where a yes or no is asked of it, and to
    tell a yes or no where it is asked how it grew.
    """
    said = {(one.cat, one.sem) for one in _sure(chart)}
    if not isinstance(query, Query) or ("ask", "yesno") not in said:
        return 0.0
    if ("ask", "what") in said:
        return _UNDONE if isinstance(query.check, Every) else 0.0
    is_course = query.rows == "years" and not (query.where or query.take)
    return _UNDONE if is_course and all(isinstance(one, Change) for one in query.show) else 0.0


def _as_newest(query: Meant, leaves: Sequence[Token], chart: ParseChart) -> float:
    """What it adds to read last close as the newest close where days are looked for: when did it
    last close above 40. Raises: UnusedError where so many crossings would be days above.
    """
    if not isinstance(query, Query) or query.rows != "days":
        return 0.0
    newest = {(one.start, one.end) for one in chart.tokens if one.cat == "lastclose"}
    crossed = {one.end for one in chart.tokens if one.cat == "crossing"}
    is_first = query.take is None or (query.take == Take(count=1) and not query.order)
    if not is_first and any(one.cat in _BOUNDS and one.end in crossed for one in leaves):
        raise UnusedError("crossing")  # 第二次突破40元 is no second day above 40
    is_newest = any(one.cat == "METRIC" and (one.start, one.end) in newest for one in leaves)
    return _NEWEST if is_newest else 0.0


def _read_either(
    parts: Sequence[Edge], before: Sequence[Query], market: Market, chart: ParseChart
) -> tuple[Meant, float]:
    if points_back(chart, goes_on=bool(before)):  # of what was asked before, or of nothing
        parts = [*parts, *sets_pointed_at(parts, before, chart)]
        return at_home(_edit_before(parts, before, market, chart, points=True), chart), 0.0
    alone = not before or (stands_alone(parts) and not counts_told_rows(parts, before[-1]))

    def assembled() -> Meant:
        return at_home(_assemble(parts, market, chart, is_first=not before), chart)

    whether = [one for one in _sure(chart) if (one.cat, one.sem) == ("ask", "yesno")][-1:]

    def edited() -> Meant:
        asked = [Edge("ask", one.start, one.end, "yesno", 0.0, ()) for one in whether]
        lists = _lists(parts, chart)
        if lists and before and before[-1].group is not None:  # 银行有哪些, behind industries
            asked.append(Edge("ask", 0, 0, "list", 0.0, ()))
        said = [*parts, *asked, *sets_pointed_at(parts, before, chart)]
        return at_home(_edit_before(said, before, market, chart, narrows=not lists), chart)

    first, second = (assembled, edited) if alone else (edited, assembled)
    try:
        return first(), 0.0
    except UnusedError as error:
        # 超过5000亿吗, behind a figure of a company: of it, no list of all; 只看地产股, of such.
        is_no_change = error.what == "nothing new" and any(one.cat == "only" for one in parts)
        if (
            not before
            or is_no_change
            or _is_of_nobody(error, before[-1])
            or (whether and not alone and is_of_companies(before[-1]))
        ):
            raise
        try:
            return second(), _GOING_ON
        except UnusedError:
            raise error from None


def _is_of_nobody(error: UnusedError, last: Query) -> bool:
    return error.what == OF_WHOM and not is_of_companies(last)


def _asks_of_somebody(request: Request, chart: ParseChart) -> bool:
    """市净率在创业板前一百里吗, 市盈率是银行里最低的吗: what is asked of one company, where none is
    named; 能给我市值前十吗 and 有…吗 ask for a list.
    """
    takes = [request.take, *(one.take or one.direction for one in request.orders)]
    said = [one for one in _sure(chart) if one.cat != FUNCTION]
    if request.ents or not any(takes) or request.asks & _ASKING or not said:
        return False
    begins = min(said, key=lambda one: (one.start, -one.end))
    ends = [one.end for one in said if (one.cat, one.sem) == ("ask", "yesno")]
    is_last = bool(ends) and max(ends) >= max(one.end for one in said)
    return is_last and (begins.cat == "order" or (begins.start == 0 and begins.cat in _OF_ONE))


def _in_steps(
    parts: Sequence[Edge], before: Sequence[Query], market: Market, chart: ParseChart
) -> Meant:
    """Steps of one sentence, each read wholly. Raises: UnusedError."""

    def alone(step: Sequence[Edge], context: Sequence[Query]) -> Meant:
        if context and (points_back(chart, goes_on=True) or not stands_alone(step)):
            return at_home(_edit_before(step, context, market, chart, points=True), chart)
        return at_home(_assemble(step, market, chart), chart)

    def edit(step: Sequence[Edge], context: Sequence[Query]) -> Meant:
        return at_home(
            _edit_before(step, context, market, chart, narrows=not _lists(step, chart)), chart
        )

    return chained(parts, before, chart, alone, edit)


def _lists(parts: Sequence[Edge], chart: ParseChart) -> bool:
    """Whether the parts ask which there are: 有哪些; what about points, and asks nothing."""
    commas = [one.start for one in chart.tokens if one.cat == "COMMA"]
    start = max((at for at in commas if parts and at < parts[0].start), default=0)
    end = min((at for at in commas if parts and at >= parts[-1].end), default=chart.size)
    sure = [one for one in _sure(chart) if start <= one.start and one.end <= end]
    pointing = [one for one in sure if one.cat == "follow"]
    return any(
        one.cat == "ask" and one.sem in _ASKING
        and not any(by.start <= one.start and one.end <= by.end for by in pointing)
        for one in sure
    )  # fmt: skip


def _sure(chart: ParseChart) -> list[Token]:
    """The words that lie in no longer one."""
    return [one for one in chart.tokens if one.is_sure]


def points_back(chart: ParseChart, *, goes_on: bool) -> bool:
    """Whether a text begins with what was spoken of: 它里面, 这些, 其中. What is named before it is
    what it points at; without a turn before, whatever is named at all.
    """
    sure = _sure(chart)
    pointing = [one.start for one in sure if (one.cat, one.sem) in _POINTING]
    content = [one.start for one in sure if one.cat not in _LEADING]
    if not pointing or any(start < min(pointing) for start in content):
        return False
    sets = {(one.start, one.end) for one in sure if one.cat == "SCOPE"}  # 电子, of many names too
    named = {"SCOPE"} if sets else set[str]()
    named |= {one.cat for one in sure if one.cat == "ENT" and (one.start, one.end) not in sets}
    return "ENT" not in named if goes_on else not named


def _assemble(
    parts: Sequence[Edge], market: Market, chart: ParseChart, *, is_first: bool = False
) -> Meant:
    parts = by_size(parts, chart.text)
    query = nested(parts, market, chart.text, lists=_lists(parts, chart))
    if query is not None:
        return query
    request = request_of(parts, market)
    need_as_many_named(parts, request, chart)
    need_alike(request, market)
    if _asks_of_somebody(request, chart):
        raise UnusedError(OF_WHOM)
    request.marks -= {"only"} if is_first and request.ents else set()  # 只看万科H股的
    request.marks -= {"these"} if is_first and _names_those(chart) else set()
    prices = of_indexes(request, market) if is_first else None
    return prices or of_periods(request, market) or made(request, SHAPES, market)


def _asks_days_told(parts: Sequence[Edge], last: Query) -> bool:
    """分别什么时候, behind a highest and a lowest; 哪天, behind sessions: told with each."""
    said = [one for one in parts if one.cat not in ("COMMA", "follow")]
    asks = {str(one.sem) for one in said if one.cat == "ask"}
    is_bare = all(one.cat == "ask" for one in said) and {"whichday"} <= asks <= {"whichday", "list"}
    is_of_each = len(last.show) > 1 and all(map(is_told_with_days, last.show))
    is_of_a_day = last.rows == "days" and not last.fold
    return is_bare and (is_of_each or is_of_a_day)


def _names_those(chart: ParseChart) -> bool:
    """港股那些赌场股: whom it points at stands right behind; 它 of a step before points at that."""
    sure = _sure(chart)
    sets = {one.start for one in sure if one.cat == "SCOPE" and not markets_said(one)}
    ends = [one.end for one in sure if (one.cat, one.sem) == ("follow", "these")]
    return bool(ends) and all(
        len(chart.text) - len(chart.text[end:].lstrip()) in sets for end in ends
    )


def _edit_before(
    parts: Sequence[Edge],
    before: Sequence[Query],
    market: Market,
    chart: ParseChart,
    *,
    points: bool = False,
    narrows: bool = False,
) -> Meant:
    if not before:
        raise UnusedError("nothing before")
    if any((one.cat, one.sem) == ("edit", "goback") for one in parts):
        before = gone_back(before)
    if _asks_days_told(parts, before[-1]):
        return before[-1]
    before = as_many_told(parts, before, chart)
    parts, before = it_gone(days_gone(parts, before[-1], chart), before)
    if (served := _serve_again(parts, before[-1], market)) is not None:
        return served
    before = [*map(from_home, before)]
    go_on = partial(followed, parts, market=market, points=points, narrows=narrows)
    try:
        return go_on(before)
    except UnusedError:
        if (asked := ask_of_told(parts, before[-1], market, SHAPES)) is not None:
            return asked
        if (listed := list_asked_of(gathered(parts), before)) is None:
            raise
        return go_on((*before, listed))


def _serve_again(parts: Sequence[Edge], last: Query, market: Market) -> Meant | None:
    """近一年走势呢, 和同行比呢, 机构预期呢: what another tool says of the companies spoken of."""
    request = gathered(parts)
    named = isinstance(last.scope, In) and last.scope.dim == "symbol" and last.rows != "one"
    is_asked = request.asks & {"trend", "pricetrend", "peers"} or "consensus" in request.marks
    with_peers = request.peer is not None and "bi" in request.marks and request.agg is None
    of_rows = request.conds or request.orders or request.said & THAT_TIME
    if not named or not (is_asked or with_peers) or of_rows:
        return None
    assert isinstance(last.scope, In)  # noqa: S101 — as it is named
    figures = request.mets or [one.id for one in last.show if isinstance(one, Metric)]
    asks = set(request.asks)
    if request.asks & {"trend", "pricetrend"}:
        figures = list(request.mets)
    elif "peers" not in asks and with_peers:
        asks.add("peers")
    if request.asks & {"trend"} and last.rows != "companies" and not request.said - _OF_A_CHART:
        return last  # 画个图, behind a figure year by year: its course is what was told
    ents = request.ents or [(one,) for one in last.scope.values]
    marks = request.marks - {"ne", "these", "add", "swap"}
    when, told = request.when, time_of(last)
    if when is None and told is not None and told.days is not None and request.asks & {"trend"}:
        when = told  # 画个图, behind how far it went in a year: of that year
    again = replace(request, ents=ents, mets=figures, asks=asks, marks=marks, when=when)
    return made(again, OF_TOOLS, market)
