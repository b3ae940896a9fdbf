"""A query as one SELECT over the points of this question (points.py), and what points it needs.

Names come from the closed maps here; everything said is a parameter. A missing figure satisfies no
test, and `not` and `or` take it for one that failed. Equal rows end with the symbol, so that there
is one order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import singledispatchmethod

from services.query.algebra import nodes as a
from services.query.algebra.courses import COURSES, rows_of_bars
from services.query.algebra.formula_text import ExpressionWriter
from services.query.algebra.scopes import named_symbols, segments_in
from services.query.algebra.statements import CompiledSelect, Needs, shown_of
from services.query.algebra.times import Times, is_as_known, is_barred, is_of_sessions, year_before

_SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "="}
_ARITH = {"add": "+", "sub": "-", "mul": "*"}
_FOLDS: dict[a.Fold, str] = {
    "mean": "avg", "median": "median", "sum": "fsum", "max": "max", "min": "min", "count": "count",
}  # fmt: skip
_PERIODS = frozenset({"years", "quarters", "months"})
_GRAINS = {**{one: one for one in sorted(_PERIODS)}, "days": "days", "events": "days"}
# One year before the report of the row: only the digits of the year change.
_YEAR_BEFORE = (
    "substr(r.own, 1, 1) || (CAST(substr(r.own, 2, 4) AS INTEGER) - 1) || substr(r.own, 6)"
)


def compile_query(query: a.Query, times: Times) -> CompiledSelect:
    """The statement of a query. Raises: TimeError.

    Columns: symbol, name, industry, market, board, own, v0 …, holds (of a check); of folds f0 …, n
    and the group.
    """
    return _compile(query, shown_of(query, times), times)


def compile_members(query: a.Query, times: Times) -> CompiledSelect:
    """As `compile_query`, of the companies it looks at, with nothing asked of them."""
    return _compile(a.Query(scope=query.scope, first=query.first), (), times)


def _compile(query: a.Query, shown: tuple[a.Expr, ...], times: Times) -> CompiledSelect:
    select = _Select(times, {}, Needs())
    return CompiledSelect(select.query(query, shown), select.values, select.needs, shown)


@dataclass(slots=True)
class _Select:
    """One SELECT in the making. `grain`: what a row's own time is, None where it has none; `own`:
    the time a test is made at, where it is unrolled over several.
    """

    times: Times
    values: dict[str, object]
    needs: Needs
    grain: str | None = None
    own: str | None = None
    periods: tuple[str, ...] = ()
    scope: a.Pred | None = None
    joins: dict[str, str] = field(default_factory=dict[str, str])

    def query(self, query: a.Query, shown: tuple[a.Expr, ...]) -> str:
        self.grain = _GRAINS.get(query.rows)
        self.scope = query.scope
        if query.rows in _PERIODS:
            self.periods = self._periods(query)
        if query.rows in {"days", "events"}:
            self.needs.sessions = True
        columns = [f"{self.write(one)} AS v{at}" for at, one in enumerate(shown)]
        if query.check is not None:
            columns.append(f"coalesce({self.write(query.check)}, FALSE) AS holds")
        where = [self.write(one) for one in (query.scope, query.where) if one is not None]
        if self.grain is not None:
            where += self._within(query)
        for one in query.inner:
            within = "IN" if one is query.first else "NOT IN"
            inner = _Select(self.times, self.values, self.needs)
            sub = inner.query(one, shown_of(one, self.times))
            key = one.group or "symbol"  # of groups: the companies of those that come out
            where.append(f"r.{key} {within} (SELECT {key} FROM ({sub}))")  # noqa: S608 — as above
        at = "r.own" if self.grain is not None else "''"
        picked = ", ".join(
            ["r.symbol, r.name, r.industry, r.market, r.board", f"{at} AS own", *columns]
        )
        body = (
            f"SELECT {picked} FROM {self._source()} r {self._join_sources()} "  # noqa: S608 — closed names
            f"WHERE {' AND '.join(where) or 'TRUE'}"
        )
        return self._fold_rows(query, shown, self._order_rows(query, shown, body))

    def _source(self) -> str:
        if self.grain is None:
            return "company"
        return (
            "(SELECT c.*, l.own FROM company c JOIN line l USING (symbol) "  # noqa: S608
            f"WHERE l.grain = '{self.grain}')"
        )

    def _within(self, query: a.Query) -> list[str]:
        if self.grain == "days":
            first, last = self.times.days(query.window or a.When())
            low, high = f"d{first:%Y%m%d}", f"d{last:%Y%m%d}"
            return [f"r.own BETWEEN {self.parameter(low)} AND {self.parameter(high)}"]
        for metric in self.needs.of_rows:
            for one in self.periods:
                self.needs.points[metric, one] = None
                self.needs.points[metric, year_before(one)] = None
        return [f"r.own IN ({', '.join(map(self.parameter, self.periods))})"]

    def _periods(self, query: a.Query) -> tuple[str, ...]:
        """The years, quarters or months its rows may be."""
        window = query.window or a.When(kind="all")
        if query.rows == "months":
            return self.times.months(window)
        if query.rows == "quarters" and window.kind == "all":
            window = a.When(kind="quarters")
        return self.times.reports(window)

    def _join_sources(self) -> str:
        return " ".join(
            f"LEFT JOIN {table.replace('§', name)}" for table, name in self.joins.items()
        )

    def _order_rows(self, query: a.Query, shown: tuple[a.Expr, ...], body: str) -> str:
        if query.group is not None:
            return body
        orders = [
            f"v{shown.index(one.by)} {one.direction} NULLS LAST"
            for one in query.order
            if one.by is not None
        ]
        first = next(iter(query.ordered_by), None)
        # Of companies said by name, or that satisfy conditions, each is told of, whoever lacks the
        # figure last; of a set, and of the first so many, nobody is ranked by what it lacks.
        is_ranked = query.take is not None or not (named_symbols(query.scope) or query.where)
        if first is not None and is_ranked:
            body = f"SELECT * FROM ({body}) WHERE v{shown.index(first)} IS NOT NULL"  # noqa: S608
        own = "own DESC" if a.NEWEST_FIRST in query.order else "own"
        natural = [own, "symbol"] if query.rows != "companies" else ["symbol"]
        order = ", ".join([*orders, *natural])
        take = query.take
        if take is not None and take.per is not None:
            per = "symbol" if take.per == "company" else take.per
            return (
                f"SELECT * FROM ({body}) WHERE {per} IS NOT NULL QUALIFY row_number() OVER "  # noqa: S608
                f"(PARTITION BY {per} ORDER BY {order}) BETWEEN {self.parameter(take.skip + 1)} "
                f"AND {self.parameter(take.skip + take.count)} ORDER BY {per}, {order}"
            )
        limit = (
            f" LIMIT {self.parameter(take.count)} OFFSET {self.parameter(take.skip)}"
            if take is not None
            else ""
        )
        return f"SELECT *, count(*) OVER () AS matches FROM ({body}) ORDER BY {order}{limit}"  # noqa: S608

    def _fold_rows(self, query: a.Query, shown: tuple[a.Expr, ...], body: str) -> str:
        if query.group is None:
            return body
        made = [
            f"{_FOLDS[one.how]}(v{shown.index(one.of)})" if one.of is not None else "count(*)"
            for one in query.fold
        ]
        folds = [f"{one} AS f{at}" for at, one in enumerate(made)]
        having = [
            f"f{one.fold} {_SIGNS[one.sign]} {self.parameter(one.right.value)}"
            for one in query.having
        ]
        order = [
            f"f{one.fold or 0} {one.direction} NULLS LAST" for one in query.order if one.by is None
        ]
        listed = ", ".join([query.group, *folds, "count(*) AS n"])
        limit, tied, take = "", "", query.take
        if take is not None and take.per is None and order and not take.skip:
            # Whoever is level with the last of them is one of them.
            places = f"rank() OVER (ORDER BY {', '.join(order)})"
            tied = f" QUALIFY {places} <= {self.parameter(take.count)}"
        elif take is not None and take.per is None:
            limit = f" LIMIT {self.parameter(take.count)} OFFSET {self.parameter(take.skip)}"
        return (
            f"SELECT * FROM (SELECT {listed} FROM ({body}) WHERE {query.group} IS NOT NULL "  # noqa: S608
            f"GROUP BY {query.group}) WHERE {' AND '.join(having) or 'TRUE'}{tied} "
            f"ORDER BY {', '.join([*order, query.group])}{limit}"
        )

    @singledispatchmethod
    def write(self, node: a.Node) -> str:
        """The value of an expression, or a test, in SQL. Raises: TimeError."""
        raise TypeError(type(node).__name__)

    @write.register
    def _(self, node: a.Metric) -> str:
        if node.when.kind == "own" and self.own is None and self.grain is not None:
            if is_barred(node.id) and self.periods:
                return self._of_each_period(node)
            return self._of_row(node.id, "r.own", node.of)
        return self._point(node.id, self.times.token(node.id, node.when, self.own or ""), node.of)

    @write.register
    def _(self, node: a.Const) -> str:
        return f"{self.parameter(node.value)}::DOUBLE"

    @write.register
    def _(self, node: a.Arith) -> str:
        left, right = self.write(node.left), self.write(node.right)
        if node.how == "div":
            return f"({left} / nullif({right}, 0))"
        if node.how == "percent":
            return f"({left} / nullif({right}, 0) * 100)"
        return f"({left} {_ARITH[node.how]} {right})"

    @write.register
    def _(self, node: a.Change) -> str:
        if is_barred(node.of) and node.until.kind == "own" and self.own is None:
            return self._of_each_period(node)
        left, right, years = self._ends(node)
        if node.how == "difference":
            return f"({right} - {left})"
        if node.how == "multiple":
            return f"(CASE WHEN {left} > 0 THEN {right} / {left} END)"
        if node.how == "rate":
            return f"(CASE WHEN {left} > 0 THEN ({right} / {left} - 1) * 100 END)"
        power = f"(power({right} / {left}, 1.0 / {self.parameter(years)}) - 1) * 100"
        return f"(CASE WHEN {left} > 0 AND {right} > 0 THEN {power} END)"

    @write.register
    def _(self, node: a.Over) -> str:
        if is_barred(node.of):
            if node.window.kind == "own" and self.own is None:
                return self._of_each_period(node)
            return self._over_bars(node, f"{_FOLDS[node.how]}(value)")
        return self._over_points(node, "sum" if node.how == "sum" else _FOLDS[node.how])

    @write.register
    def _(self, node: a.HistoryRank) -> str:
        if is_barred(node.of):
            newest = "arg_max(value, own) OVER (PARTITION BY symbol) AS newest"
            share = "count(*) FILTER (value < newest) * 100.0 / nullif(count(*) - 1, 0)"
            return self._over_bars(node, share, [newest])
        parts = self._list_points(node)
        listed = f"list_filter([{', '.join(parts[:-1])}], lambda x: x IS NOT NULL)"
        below = f"len(list_filter({listed}, lambda x: x < {parts[-1]}))"
        share = f"{below} * 100.0 / nullif(len({listed}), 0)"
        return f"(CASE WHEN {parts[-1]} IS NOT NULL THEN {share} END)"

    @write.register
    def _(self, node: a.Course) -> str:
        fold, *layers = COURSES[node.how]
        return self._over_bars(node, fold, layers)

    @write.register
    def _(self, node: a.Across) -> str:
        value, where, key = self._among(node)
        folded = f"{_FOLDS[node.how]}({value}) AS v"
        if not key:
            return f"{self._join(f'(SELECT {folded} {where}) § ON TRUE')}.v"
        on = " AND ".join(f"§.{one[2:]} = {one}" for one in key.split(", "))
        return f"{self._join(f'(SELECT {key}, {folded} {where} GROUP BY {key}) § ON {on}')}.v"

    @write.register
    def _(self, node: a.Rank) -> str:
        value, where, key = self._among(node)
        behind = "asc" if node.direction == "desc" else "desc"
        over = f"PARTITION BY {key}" if key else ""
        made = (
            f"percent_rank() OVER ({over} ORDER BY {value} {behind}) * 100"
            if node.percentile
            else f"rank() OVER ({over} ORDER BY {value} {node.direction})"
        )
        alone = f"CASE WHEN count(*) OVER ({over}) > 1 THEN {made} END" if node.percentile else made
        ranked = f"(SELECT r.symbol, {alone} AS v {where} AND {value} IS NOT NULL)"
        return f"{self._join(f'{ranked} § ON §.symbol = r.symbol')}.v"

    @write.register
    def _(self, node: a.Streak) -> str:
        newest = ExpressionWriter(self.times).newest(node)
        tests = [self._at(one).write(node.test) for one in newest]
        cases = " ".join(
            f"WHEN NOT coalesce({test}, FALSE) THEN {place}" for place, test in enumerate(tests)
        )
        unknown = f"WHEN {tests[0]} IS NULL THEN NULL"
        return f"(CASE {unknown} {cases} ELSE {len(tests)} END)::DOUBLE"

    @write.register
    def _(self, node: a.In) -> str:
        places = ", ".join(self.parameter(value) for value in node.values)
        within = f" OR r.segment IN ({places})" if segments_in(node) else ""
        return f"coalesce(r.{node.dim} IN ({places}){within}, FALSE)"

    @write.register
    def _(self, node: a.Compare) -> str:
        return f"({self.write(node.left)} {_SIGNS[node.sign]} {self.write(node.right)})"

    @write.register
    def _(self, node: a.Loss) -> str:
        multiple, worth = self._point(node.of, "", None), self._point("market_cap", "", None)
        loss = f"({multiple} IS NULL AND {worth} > 0)"
        if node.when.kind == "latest":
            return loss
        token = self.times.token("net_profit", node.when, self.own or "")
        profit = self._point("net_profit", token, None)
        if not self.times.is_last_year(token):
            return f"({profit} < 0)"
        return f"(coalesce({profit} < 0, {loss}))"

    @write.register
    def _(self, node: a.Every) -> str:
        if is_of_sessions(node):
            return self._sessions(node.window, node.test, "bool_and(coalesce({}, FALSE))")
        return f"({' AND '.join(self._unroll_points(node))})"

    @write.register
    def _(self, node: a.Exists) -> str:
        if is_of_sessions(node):
            least = self.parameter(node.least)
            return self._sessions(node.window, node.test, f"count(*) FILTER ({{}}) >= {least}")
        tests = self._unroll_points(node)
        if node.least == 1:
            return f"({' OR '.join(tests)})"
        counted = " + ".join(f"{test}::INTEGER" for test in tests)
        return f"({counted} >= {self.parameter(node.least)})"

    @write.register
    def _(self, node: a.AllOf) -> str:
        return f"({' AND '.join(map(self.write, node.items))})"

    @write.register
    def _(self, node: a.AnyOf) -> str:
        parts = (f"coalesce({self.write(one)}, FALSE)" for one in node.items)
        return f"({' OR '.join(parts)})"

    @write.register
    def _(self, node: a.Not) -> str:
        return f"(NOT coalesce({self.write(node.item)}, FALSE))"

    def parameter(self, value: object) -> str:
        """A place for that value."""
        name = f"p{len(self.values)}"
        self.values[name] = value
        return f"${name}"

    def _at(self, own: str) -> "_Select":
        """The same SELECT, its own time another."""
        return replace(self, own=own)

    def _join(self, table: str) -> str:
        return self.joins.setdefault(table, f"j{len(self.joins)}")

    def _point(self, metric: str, token: str, company: str | None) -> str:
        self.needs.points[metric, token] = None
        return self._value(metric, _quote(token), company)

    def _of_row(self, metric: str, at: str, company: str | None = None) -> str:
        self.needs.of_rows[metric] = None
        return self._value(metric, at, company)

    def _value(self, metric: str, at: str, company: str | None) -> str:
        on = self._owner(company)
        name = self._join(
            f"point § ON §.symbol = {on} AND §.metric = {_quote(metric)} AND §.own = {at}"
        )
        return f"{name}.value"

    def _owner(self, company: str | None) -> str:
        """Whose figure it is: that company's, else the row's."""
        if company is None:
            return "r.symbol"
        self.needs.others[company] = None
        return _quote(company)

    def _of_each_period(self, node: a.Metric | a.Over | a.Change) -> str:
        """What sessions make of the row's own period: of each of the window one case."""
        self.needs.bar_periods |= dict.fromkeys(self.periods)
        cases = " ".join(
            f"WHEN {_quote(one)} THEN {self._at(one).write(node)}" for one in self.periods
        )
        return f"(CASE r.own {cases} END)"

    def _ends(self, node: a.Change) -> tuple[str, str, int]:
        if node.until.kind == "own" and self.own is None and self.grain in {"years", "quarters"}:
            last = self._of_row(node.of, "r.own")
            return self._of_row(node.of, f"({_YEAR_BEFORE})"), last, 1
        since, until = self.times.ends(node.of, node.since, node.until, self.own or "")
        left, right = (self._point(node.of, one, node.company) for one in (since, until))
        return left, right, int(until[1:5]) - int(since[1:5])

    def _list_points(self, node: a.Over | a.HistoryRank) -> list[str]:
        """Its figure of each report of the window."""
        return [self._point(node.of, one, node.company) for one in self.times.reports(node.window)]

    def _over_points(self, node: a.Over, fold: str) -> str:
        parts = self._list_points(node)
        known = f"list_filter([{', '.join(parts)}], lambda x: x IS NOT NULL)"
        folded = f"list_aggregate({known}, '{fold}')"
        if fold == "count":
            return f"{folded}::DOUBLE"
        if is_as_known(node.window):
            return folded
        whole = " AND ".join(f"{part} IS NOT NULL" for part in parts)
        return f"(CASE WHEN {whole} THEN {folded} END)"

    def _over_bars(
        self, node: a.Over | a.HistoryRank | a.Course, fold: str, layers: Sequence[str] = ()
    ) -> str:
        """The fold of a window's bars; `layers` are columns it needs, each made of those before."""
        first, end = self.times.span(node, self.own or "")
        self.needs.windows[node.of, first, end] = None
        rows = rows_of_bars(_quote(node.of), first, end, layers)
        name = self._join(
            f"(SELECT symbol, {fold} AS v FROM ({rows}) GROUP BY symbol) § "  # noqa: S608
            f"ON §.symbol = {self._owner(node.company)}"
        )
        return f"{name}.v"

    def _among(self, node: a.Across | a.Rank) -> tuple[str, str, str]:
        """The value, the rest of a SELECT over the companies among whom, and the group."""
        self.needs.is_wide = True
        inner = _Select(self.times, self.values, self.needs, scope=self.scope)
        value = inner.write(node.of)
        among = None if node.own is not None else node.within or self.scope
        test = inner.write(among) if among is not None else "TRUE"
        if node.own == "industry":
            test = "r.industry IS NOT NULL"
        key = {"industry": "r.market, r.industry", "market": "r.market", None: ""}[node.own]
        return value, f"FROM company r {inner._join_sources()} WHERE r.is_listed AND {test}", key

    def _unroll_points(self, node: a.Every | a.Exists) -> list[str]:
        tests = (self._at(one).write(node.test) for one in self.times.reports(node.window))
        return [f"coalesce({test}, FALSE)" for test in tests]

    def _sessions(self, window: a.When, test: a.Pred, having: str) -> str:
        """Who has that of the test at each session of the window."""
        self.needs.sessions = True
        inner = _Select(self.times, self.values, self.needs, grain="days", scope=self.scope)
        written = inner.write(test)
        source = f"{inner._source()} r {inner._join_sources()}"
        first, last = (f"d{day:%Y%m%d}" for day in self.times.days(window))
        return (
            f"r.symbol IN (SELECT r.symbol FROM {source} WHERE r.own BETWEEN '{first}' AND "  # noqa: S608
            f"'{last}' GROUP BY r.symbol HAVING {having.format(written)})"
        )


def _quote(word: str) -> str:
    """A metric of the catalogue, a symbol or a time of ours; never words of a question."""
    if not all(one.isalnum() or one in "._-" for one in word):
        raise ValueError(word)
    return f"'{word}'"
