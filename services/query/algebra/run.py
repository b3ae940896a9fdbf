"""Carrying out a query: its points, one SELECT, and an outcome of claims as of any action."""

from collections.abc import Container
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from duckdb import DuckDBPyConnection

from services.core.catalogue import CATALOGUE, metric_words
from services.core.claims import Claim, Missing
from services.core.symbols import Symbol
from services.core.text import Text, join_texts
from services.query.algebra import nodes as a
from services.query.algebra.among import companies_among, folds_over_bars, symbols_among
from services.query.algebra.answer import MixedOrderError, OutcomeDraft, subject_of, tellers_of
from services.query.algebra.compile import compile_members, compile_query
from services.query.algebra.figures import FigureMaker, FoundRow
from services.query.algebra.points import Points, TooManyError
from services.query.algebra.scopes import markets_of, named_symbols, symbols_in
from services.query.algebra.statements import (
    CompiledSelect,
    Needs,
    as_implied,
    figures_at,
    of_year,
)
from services.query.algebra.times import TimeError, Times, is_of_sessions, is_reported
from services.query.algebra.types import check_query, tests_in
from services.query.answering.desk import ActionDesk
from services.query.answering.outcomes import Outcome
from services.query.planning.plir import PlirNode
from services.query.sayings import saying
from services.store.database import scratch

# Before the first day asked of, for the close before it; and where only the newest is asked.
_MARGIN = timedelta(days=150)
_RECENT = timedelta(days=400)
_MOVE = "pct_change"
_NODE = PlirNode(id="node_1", action="api_screen")


def run_query(query: a.Query, desk: ActionDesk, node: PlirNode = _NODE) -> Outcome:
    """What the query brings: rows of claims, what stands in them told, who has no figure counted.

    A query that makes no sense, or that has no data, is an absent outcome that says why.
    Raises: NoDataError, ProviderError.
    """
    # Two listings of one name are told apart wherever a name stands.
    desk = replace(desk, companies=desk.companies | symbols_in(query))
    if problems := check_query(query):
        why = join_texts(problems)
        return _unordered(query, desk, node, why)
    query = _in_order(query)
    try:
        with scratch() as connection:
            return _carry_out(query, desk, node, connection)
    except MixedOrderError:
        return _unordered(query, desk, node, saying("not_ranked"))
    except TimeError as error:
        return Outcome(node, subject_of(query, desk), absent=_untimely(str(error)))
    except TooManyError as error:
        return Outcome(node, subject_of(query, desk), absent=_too_many(error.count))


def first_time(query: a.Query, desk: ActionDesk) -> str:
    """When the first row of a query of days, months or years is (`d20150612`, `m201506`, `y2014`);
    nothing where it has none. Raises: NoDataError, ProviderError.
    """
    with scratch() as connection:
        try:
            looked = look_up(query, desk, connection)
        except (TimeError, TooManyError):
            return ""
        rows = [] if isinstance(looked, Text) else looked.points.run(looked.statement)
    return str(rows[0]["own"]) if rows else ""


def _unordered(query: a.Query, desk: ActionDesk, node: PlirNode, why: Text) -> Outcome:
    """Companies by name as they were named, and why they are in no order where what was found is in
    several currencies: 万科 and 恒大 both report in yuan; of a set nobody can tell who is first.
    """
    if (bare := _without_order(query)) is None:
        return Outcome(node, subject_of(query, desk), absent=why)
    made = run_query(bare, desk, node)
    is_of_one_unit = len({one.unit for one in made.claims}) < 2
    return made if is_of_one_unit else replace(made, notes=(*made.notes, why))


class Looked(NamedTuple):
    """A query with everything its statement looks at. `query` is what it came to: figures that
    nobody has now are those of the last year's reports.
    """

    query: a.Query
    times: Times
    points: Points
    statement: CompiledSelect

    @property
    def maker(self) -> FigureMaker:
        """Makes its figures."""
        return FigureMaker(self.query, self.times, self.points, self.statement.shown)

    def members(self) -> list[FoundRow]:
        """The companies looked at, the largest first, as rows without figures."""
        found = _members(self.points, self.query, self.times)
        return [FoundRow.of(row, ()) for row in found]


def look_up(query: a.Query, desk: ActionDesk, connection: DuckDBPyConnection) -> Looked | Text:
    """What a sound query looks at, or why it cannot be answered.

    Raises: TimeError, TooManyError, as `run_query`.
    """
    times = _times(query, desk)
    looked = _look(query, times, desk, connection)
    if times.starts and (counted := _times(query, desk, looked.points.lost_by_all())) != times:
        times, looked = counted, _look(query, counted, desk, connection)
    points = looked.points
    if _are_of_other_currencies(query, points):
        return saying("several_currencies")
    if unknown := _list_unknown_now(query, points):
        return look_up(of_year(query, unknown, times.newest_year), desk, connection)
    if _has_few_closes(query, points):
        return look_up(as_implied(query), desk, connection)
    if (judged := _in_years_known(query, times, points)) != query:
        return look_up(judged, desk, connection)
    if (dated := _on_one_day(query, points)) != query:
        return look_up(dated, desk, connection)
    if any(one.window == a.ALL for one in a.nodes_in(query, a.Every)):
        return saying("no_year_judged")
    return _why_beside_nothing(looked, desk) or looked


def _on_one_day(query: a.Query, points: Points) -> a.Query:
    """The newest daily changes beside another's are those of the newest day that all have."""
    newest = a.Metric(id=_MOVE)
    others = {
        one.of for one in a.nodes_in(query, a.Metric) if one.of and one == newest.but(of=one.of)
    }
    if not others:
        return query
    named = named_symbols(query.scope)
    known = (points.figure(one, _MOVE, "") for one in (*(named or ()), *others))
    days = {one.as_of for one in known if isinstance(one, Claim)}
    if named is None:
        days |= {index.members.day_of([_MOVE]) for index in points.indexes}
    if len(days) < 2:
        return query
    when = a.When(kind="days", first=min(days), last=min(days))

    def change(node: a.Node) -> a.Node:
        is_newest = isinstance(node, a.Metric) and node.but(of=None) == newest
        return node.but(when=when) if is_newest else node

    return a.rewrite(query, change)


def _why_beside_nothing(looked: Looked, desk: ActionDesk) -> Text | None:
    """Why companies cannot be tested against another's figure: there is none of that."""
    if looked.query.rows != "companies":
        return None
    for one in a.walk(looked.query.where) if looked.query.where is not None else ():
        symbol = one.of if isinstance(one, a.Metric) else getattr(one, "company", None)
        if not isinstance(symbol, str) or not isinstance(one, a.Metric | a.Change | a.Over):
            continue
        found = looked.maker.figure(one, symbol, "")
        if isinstance(found, Missing):
            what = Text(*(teller.tell(one) for teller in tellers_of(looked.query, desk)))
            return saying("nothing_to_test_by", what=what, why=found.reason)
    return None


def _in_years_known(query: a.Query, times: Times, points: Points) -> a.Query:
    """Every year there is, as those that can be judged of all who are named: the first report
    known has none before it to have grown from.
    """
    named = named_symbols(query.scope) or ()

    def is_known(test: a.Compare, token: str) -> bool:
        asked = list(figures_at(test, token))
        found = [points.figure(symbol, name, at) for symbol in named for name, at in asked]
        return bool(found) and all(isinstance(one, Claim) for one in found)

    def is_of_none(test: a.Compare, token: str) -> bool:
        if named:  # of what a figure was in each year, none may be missing
            grows = any(isinstance(one, a.Change) for one in a.walk(test))
            return grows and not is_known(test, token)
        return any(not points.symbols_with(name, at) for name, at in figures_at(test, token))

    def change(node: a.Node) -> a.Node:
        if not isinstance(node, a.Every) or is_of_sessions(node):
            return node
        tokens = times.reports(node.window)
        if node.window.kind == "years" and len(tokens) > 1:
            # 12年到16年年年涨: of the first of them nobody's growth is known, it is of the others.
            is_later = is_of_none(node.test, tokens[0]) and not is_of_none(node.test, tokens[1])
            later = node.window.but(first=int(tokens[1][1:]))
            return node.but(window=later) if is_later else node
        if node.window != a.ALL:
            return node
        first = next((one for one in tokens if is_known(node.test, one)), None)
        if first is None:
            return node
        years = a.When(kind="years", first=int(first[1:]), last=int(max(tokens)[1:]))
        return node.but(window=years)

    return a.rewrite(query, change)


def _look(query: a.Query, times: Times, desk: ActionDesk, connection: DuckDBPyConnection) -> Looked:
    """What it looks at in these times. Raises: TimeError, TooManyError."""
    statement = compile_query(query, times)
    points = Points(desk, statement.needs, connection)
    _bring(query, points, times)
    return Looked(query, times, points, statement)


def _carry_out(
    query: a.Query, desk: ActionDesk, node: PlirNode, connection: DuckDBPyConnection
) -> Outcome:
    """The outcome of a sound query. Raises: TimeError, TooManyError, as `run_query`."""
    found = look_up(query, desk, connection)
    if isinstance(found, Text):
        return Outcome(node, subject_of(query, desk), absent=found)
    points = found.points
    return OutcomeDraft(found.query, desk, node, found.maker).outcome(
        points.run(found.statement), _members(points, found.query, found.times)
    )


def _without_order(query: a.Query) -> a.Query | None:
    """Named companies whose order alone makes no sense (BAT哪个营收高: several currencies), as they
    are; None for any other query.
    """
    if not query.order or named_symbols(query.scope) is None or query.rows != "companies":
        return None
    shown = tuple(dict.fromkeys((*query.show, *query.ordered_by)))
    bare = query.but(order=(), take=None, show=shown)
    return None if check_query(bare) else bare


def _are_of_other_currencies(query: a.Query, points: Points) -> bool:
    """Whether reports of Hong Kong are looked at, alone or beside others, which no list of that
    market has: left out of the others its companies would seem not to be so.
    """
    return (
        bool(points.indexes)
        and named_symbols(query.scope) is None
        and "HK" in _markets(query)
        and any(
            is_reported(metric) and not any(map(_is_hong_kong, points.symbols_with(metric, token)))
            for metric, token in points.needs.points
        )
    )


def _is_hong_kong(symbol: str) -> bool:
    return Symbol(symbol).market == "HK"


def _list_unknown_now(query: a.Query, points: Points) -> frozenset[str]:
    """Figures of reports that no company of the markets looked at has now: those of the last year's
    reports stand for them, and are told as such.
    """
    if not points.indexes or named_symbols(query.scope) is not None:
        return frozenset()
    return frozenset(
        metric
        for metric, token in points.needs.points
        if not token and is_reported(metric) and not points.symbols_with(metric)
    )


def _has_few_closes(query: a.Query, points: Points) -> bool:
    """Whether newest prices are those that market values stand on: more of a set have them than
    closes; all who are named have, and not all a close. What is measured by sessions keeps closes.
    """
    if ("close", "") not in points.needs.points or points.is_barred():
        return False
    if named := named_symbols(query.scope):
        closes, implied = (
            [points.figure(one, price, "") for one in named] for price in ("close", "price_implied")
        )
        lacks = any(not isinstance(one, Claim) for one in closes)
        return lacks and all(isinstance(one, Claim) for one in implied)
    return len(points.symbols_with("price_implied")) > len(points.symbols_with("close"))


def _in_order(query: a.Query) -> a.Query:
    """In its natural order where none was said: what a test is on, the best first; else size."""
    if query.order or query.group is not None or query.rows not in {"companies"}:
        return query
    if query.fold and query.take is None:
        return query
    if named_symbols(query.scope) is not None and query.take is None:
        return query
    tested = next(
        (one.left for one in tests_in(query.where) if isinstance(one.right, a.Const)), None
    )
    if not isinstance(tested, a.Metric):
        return query.but(order=(a.Order(by=a.Metric(id="market_cap")),))
    down = CATALOGUE[tested.id].better != "lower" if tested.id in CATALOGUE else True
    order = a.Order(by=tested, direction="desc" if down else "asc")
    return query.but(order=(order,))


def _times(query: a.Query, desk: ActionDesk, lost: Container[date] = ()) -> Times:
    """What its times mean now; windows of sessions by the calendar of its market, up to the last
    one that is not `lost`: 近5个交易日 end with the newest bar there is.
    """
    today = desk.bench.clock.now().date()
    windows = (one for one in a.nodes_in(query, a.When) if one.unit == "sessions")
    counts = {one.count or 1 for one in windows if one.kind == "lastn"}
    market = markets_of(query.scope)[0]
    starts: list[tuple[int, date]] = []
    if counts:
        now = desk.bench.clock.now()
        span = timedelta(days=max(counts) * 2 + 30)
        known = "HK" if market == "HK" else "US" if market == "US" else "CN"
        sessions = list(desk.bench.calendar.sessions(known, (now - span).date(), now.date()))
        while sessions and sessions[-1] in lost:
            sessions.pop()
        starts = [(one, sessions[-one]) for one in counts if len(sessions) >= one]
    return Times(today, tuple(starts))


def _bring(query: a.Query, points: Points, times: Times) -> None:
    """Everything the statement looks at. Raises: TooManyError, NoDataError, ProviderError."""
    named = named_symbols(query.scope) if query.scope is not None else ()
    is_set = any(named_symbols(one.scope) is None for one in query.inner)
    if named is None or points.needs.is_wide or is_set:
        points.bring_markets(_markets(query))
    points.bring_named(named or ())
    # An index has nothing but bars, also of the newest session.
    symbols = [one for one in points.symbols if points.is_barred() or Symbol(one).is_index]
    if points.is_barred():
        if named is None:
            symbols += companies_among(query.scope, points, times, query.first)
        for one in folds_over_bars(query):
            for symbol in points.symbols[: 1 if one.own is None else None] or ("",):
                symbols += symbols_among(one, query.scope, symbol, points, times)
    if symbols:
        points.bring_bars(
            tuple(dict.fromkeys(symbols)), _first_day(points.needs, query, times), times.today
        )


def _markets(query: a.Query) -> tuple[str, ...]:
    found = dict.fromkeys(markets_of(query.scope))
    for one in a.nodes_in(query, a.In):
        if one.dim in {"market", "exchange", "board", "symbol"}:
            found |= dict.fromkeys(markets_of(one))
    return tuple(found)


def _first_day(needs: Needs, query: a.Query, times: Times) -> date:
    """The first day whose bars are needed, with the close before it."""
    said = [token for _, token in needs.points if token[:1] in {"d", "b", "a"}]
    said += [first for _, first, _ in needs.windows]
    days = [date.fromisoformat(one[1:]) for one in said]
    if needs.sessions:
        windows = [one for one in a.nodes_in(query, a.When) if one.kind in {"days", "all"}]
        days += [times.days(one)[0] for one in windows] or [times.today - _RECENT]
    first = min(days, default=times.today - _RECENT)
    return first - _MARGIN if first - date.min > _MARGIN else first


def _members(points: Points, query: a.Query, times: Times) -> list[dict[str, Any]]:
    """The companies looked at, the largest first."""
    if query.scope is None:
        return []
    places = points.by_size()
    found = points.run(compile_members(query, times))
    return sorted(found, key=lambda row: places.get(row["symbol"], len(places)))


def _untimely(metric: str) -> Text:
    label = metric_words(metric)
    return Text(f"{label.zh}没有所问时间的数", f"there is no {label.en} of the time asked about")


def _too_many(count: int) -> Text:
    return saying("too_many_bars", count=count)
