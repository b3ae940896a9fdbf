"""Carrying out a query: its points, one SELECT, and an outcome of claims like any other action's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, Figure
from services.core.rendering import place
from services.query.algebra.compile import Statement, compile_members, compile_query, shown_of
from services.query.algebra.explain import FOLDS, MARKS, Teller, explain
from services.query.algebra.figures import Line, Maker
from services.query.algebra.nodes import (
    Const,
    Expr,
    Folded,
    In,
    Metric,
    Order,
    Query,
    When,
    walk,
)
from services.query.algebra.points import Points, TooManyError
from services.query.algebra.scopes import markets_of, named_symbols
from services.query.algebra.times import TimeError, Times
from services.query.algebra.types import check_query, tests_in
from services.query.answering.desk import Desk, label_of, period_label
from services.query.answering.outcomes import Column, Outcome, Row, Said
from services.query.planning.plir import PlirNode
from services.store.database import scratch

# So many rows are answered and exported; the count tells of the others.
MOST_ROWS = 500
# Before the first day asked of, for the close before it; and where only the newest is asked.
_MARGIN = timedelta(days=150)
_RECENT = timedelta(days=400)
_NAMED = 3
_NODE = PlirNode(id="node_1", action="api_screen")
_NO_DATA = Said("来源没有这些数据", "the source has none of these figures")


def run_query(query: Query, desk: Desk, node: PlirNode = _NODE) -> Outcome:
    """What the query brings: rows of claims, what stands in them told, who has no figure counted.

    A query that makes no sense, or that has no data, is an absent outcome that says why.
    Raises: NoDataError, ProviderError.
    """
    query = _in_order(query)
    if problems := check_query(query):
        why = Said("；".join(one.zh for one in problems), "; ".join(one.en for one in problems))
        return Outcome(node, _subject(query, desk), absent=why)
    times = _times(query, desk)
    try:
        statement = compile_query(query, times)
        points = _bring(query, statement, times, desk)
    except TimeError as error:
        return Outcome(node, _subject(query, desk), absent=_untimely(str(error)))
    except TooManyError as error:
        return Outcome(node, _subject(query, desk), absent=_too_many(error.count))
    return _Answer(query, desk, node, Maker(query, times, points, statement.shown)).outcome(
        _rows(points, statement), _members(points, query, times)
    )


def _in_order(query: Query) -> Query:
    """In its natural order where none was said: what a test is on, the best first; else size."""
    if query.order or query.group is not None or query.rows not in {"companies"}:
        return query
    if query.fold and query.take is None:
        return query
    if named_symbols(query.scope) is not None and query.take is None:
        return query
    tested = next((one.left for one in tests_in(query.where) if isinstance(one.right, Const)), None)
    if not isinstance(tested, Metric):
        return query.model_copy(update={"order": (Order(by=Metric(id="market_cap")),)})
    down = CATALOGUE[tested.id].better != "lower" if tested.id in CATALOGUE else True
    order = Order(by=tested, direction="desc" if down else "asc")
    return query.model_copy(update={"order": (order,)})


def _times(query: Query, desk: Desk) -> Times:
    """What its times mean now; windows of sessions by the calendar of its market."""
    today = desk.bench.clock.now().date()
    counts = {
        one.count or 1
        for one in walk(query)
        if isinstance(one, When) and one.kind == "lastn" and one.unit == "sessions"
    }
    market = markets_of(query.scope)[0]
    starts: list[tuple[int, date]] = []
    if counts:
        now = desk.bench.clock.now()
        span = timedelta(days=max(counts) * 2 + 30)
        known = "HK" if market == "HK" else "US" if market == "US" else "CN"
        sessions = desk.bench.calendar.sessions(known, (now - span).date(), now.date())
        starts = [(one, sessions[-one]) for one in counts if len(sessions) >= one]
    return Times(today, tuple(starts))


def _bring(query: Query, statement: Statement, times: Times, desk: Desk) -> Points:
    """Everything the statement looks at. Raises: TooManyError, NoDataError, ProviderError."""
    points = Points(desk, statement.needs)
    named = named_symbols(query.scope) if query.scope is not None else ()
    if named is None or statement.needs.is_wide:
        points.bring_markets(_markets(query))
    points.bring_named(named or ())
    if points.is_barred():
        symbols = points.symbols
        if named is None:
            closes = points.with_closes()
            found = _rows(points, compile_members(query, times))
            symbols = (*symbols, *(row["symbol"] for row in found if row["symbol"] in closes))
        points.bring_bars(
            tuple(dict.fromkeys(symbols)), _first_day(statement, query, times), times.today
        )
    return points


def _markets(query: Query) -> tuple[str, ...]:
    found = dict.fromkeys(markets_of(query.scope))
    for one in walk(query):
        if isinstance(one, In) and one.dim == "market":
            found |= dict.fromkeys(one.values)
    return tuple(found)


def _first_day(statement: Statement, query: Query, times: Times) -> date:
    """The first day whose bars are needed, with the close before it."""
    needs = statement.needs
    said = [token for _, token in needs.points if token[:1] in {"d", "b", "a"}]
    said += [first for _, first, _ in needs.windows]
    days = [date.fromisoformat(one[1:]) for one in said]
    if needs.sessions:
        windows = [
            one for one in walk(query) if isinstance(one, When) and one.kind in {"days", "all"}
        ]
        days += [times.days(one)[0] for one in windows] or [times.today - _RECENT]
    first = min(days, default=times.today - _RECENT)
    return first - _MARGIN if first - date.min > _MARGIN else first


def _rows(points: Points, statement: Statement) -> list[dict[str, Any]]:
    with scratch() as connection:
        points.fill(connection)
        used = {name: one for name, one in statement.values.items() if f"${name}" in statement.sql}
        cursor = connection.execute(statement.sql, used)
        names = [one[0] for one in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _members(points: Points, query: Query, times: Times) -> list[dict[str, Any]]:
    """The companies of the scope."""
    if query.scope is None:
        return []
    return _rows(points, compile_members(query, times))


def _subject(query: Query, desk: Desk) -> Said:
    if query.scope is None:
        return Said("", "")
    return Said(*(Teller(names_of(query, desk, at), at).tell(query.scope) for at in (0, 1)))


def names_of(query: Query, desk: Desk, at: int) -> dict[str, str]:
    """What the companies in it are called, Chinese (0) or English (1)."""
    symbols = {
        value
        for one in walk(query)
        if isinstance(one, In) and one.dim == "symbol"
        for value in one.values
    }
    for one in walk(query):
        named = getattr(one, "company", None) or (one.of if isinstance(one, Metric) else None)
        symbols |= {named} if isinstance(named, str) else set()
    said = {symbol: desk.named(symbol) for symbol in symbols}
    return {symbol: (one.zh, one.en)[at] for symbol, one in said.items()}


def _untimely(metric: str) -> Said:
    label = label_of(metric)
    return Said(f"{label.zh}没有所问时间的数", f"there is no {label.en} of the time asked about")


def _too_many(count: int) -> Said:
    return Said(
        f"要逐家读日线的公司有 {count} 家，一次最多 60 家，请缩小范围",
        f"daily bars of {count} companies would be read, at most 60 at a time: name fewer",
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """One outcome in the making."""

    query: Query
    desk: Desk
    node: PlirNode
    maker: Maker

    def outcome(
        self, found: Sequence[dict[str, Any]], members: Sequence[dict[str, Any]]
    ) -> Outcome:
        if self.query.group is not None:
            return self._of_groups(found, members)
        lines = [self._line(row) for row in found]
        if self.query.rows == "one":
            lines = lines[:1] or [Line("", "", "", ())]
        if self.maker.points.calls:
            self.maker.points.bring_facts([line.symbol for line in lines[:MOST_ROWS]])
        rows = [self._row(line) for line in lines[:MOST_ROWS]]
        alone = self.query.fold and not (self.query.show or self.query.take)
        columns = self._fold_columns() if alone else self._columns()
        made = self._base(rows, columns, self._coverage(members))
        folds = self._folds(lines)
        if folds is not None:
            rows = [folds] if alone else [*rows, folds]
        if not rows:
            return self._nothing(made, members)
        matches = self._matches(lines)
        document = {
            **made.document,
            "data": [self._document(row) for row in rows],
            "shown": [self._shown(row) for row in rows],
        }
        if isinstance(matches, Claim):
            document["count"] = matches
        return replace(
            made,
            document=document,
            rows=tuple(rows),
            sentences=tuple(self._sentences(rows, lines, matches, folds)),
        )

    def _base(
        self, rows: Sequence[Row], columns: Sequence[Column], notes: Sequence[Said]
    ) -> Outcome:
        told = {
            key: explain(self.query, names_of(self.query, self.desk, at), language)
            for key, at, language in (("told", 0, "zh"), ("told_en", 1, "en"))
        }
        return Outcome(
            self.node,
            _subject(self.query, self.desk),
            dict(told),
            tuple(columns),
            tuple(rows),
            notes=tuple(notes),
        )

    def _line(self, row: dict[str, Any]) -> Line:
        values = tuple(row.get(f"v{at}") for at in range(len(self.maker.shown)))
        holds = row.get("holds")
        return Line(row["symbol"], row["name"] or row["symbol"], row["own"], values, holds)

    def _row(self, line: Line) -> Row:
        figures = dict(zip(self._keys(), self.maker.row(line), strict=True))
        return Row(self._label(line), figures, line.symbol or None)

    def _label(self, line: Line) -> Said:
        if self.query.rows == "one":
            return Said("结果", "Result")
        name = self.desk.named(line.symbol)
        if not line.at:
            return name
        when = time_label(line.at)
        named = named_symbols(self.query.scope)
        if named is not None and len(named) == 1:
            return when
        return Said(f"{name.zh} {when.zh}", f"{name.en} {when.en}")

    def _keys(self) -> list[str]:
        """The column of each expression: the metric's own name where it is one alone."""
        keys: list[str] = []
        for at, expr in enumerate(self.maker.shown):
            plain = (
                isinstance(expr, Metric) and expr.of is None and expr.when.kind in {"latest", "own"}
            )
            key = expr.id if isinstance(expr, Metric) and plain else f"figure_{at + 1}"
            keys.append(key if key not in keys else f"{key}_{at + 1}")
        return keys

    def _columns(self) -> list[Column]:
        return [
            Column(key, self._told(expr))
            for key, expr in zip(self._keys(), self.maker.shown, strict=True)
        ]

    def _told(self, expr: Expr) -> Said:
        return Said(*(Teller(names_of(self.query, self.desk, at), at).tell(expr) for at in (0, 1)))

    def _folds(self, lines: Sequence[Line]) -> Row | None:
        """The row of sums, medians and counts; None where none was asked for."""
        if not self.query.fold:
            return None
        figures: dict[str, Figure] = {}
        for at, fold in enumerate(self.query.fold):
            figures[self._fold_key(fold, at)] = self.maker.over_rows(fold, lines)
        return Row(self._fold_label(), figures)

    def _fold_columns(self) -> list[Column]:
        return [
            Column(self._fold_key(fold, at), self._fold_told(fold))
            for at, fold in enumerate(self.query.fold)
        ]

    def _fold_key(self, fold: Folded, at: int) -> str:
        if (
            fold.of is not None
            and (self.query.show or self.query.take)
            and len(self.query.fold) == 1
        ):
            return self._keys()[self.maker.shown.index(fold.of)]
        return f"fold_{at + 1}"

    def _fold_label(self) -> Said:
        words = [Teller({}, at) for at in (0, 1)]
        told = [
            "、".join(_fold_words(fold.how, at) for fold in self.query.fold)
            for at in range(len(words))
        ]
        return Said(*told)

    def _matches(self, lines: Sequence[Line]) -> Figure | None:
        """How many rows there are, of companies."""
        if self.query.rows != "companies" or not lines:
            return None
        return self.maker.over_rows(Folded(how="count"), lines)

    def _coverage(self, members: Sequence[dict[str, Any]]) -> list[Said]:
        """Of every figure that decides: how many companies of the scope have it."""
        notes: list[Said] = []
        if not self.maker.points.calls or self.query.rows == "one":
            return notes
        lines = [self._line(row) for row in members]
        total = self.maker.counted(None, lines)
        barred = self._barred(lines)
        if isinstance(barred, Claim) and isinstance(total, Claim):
            notes.append(
                Said(
                    f"{_subject(self.query, self.desk).zh}{place(total)}公司中，"
                    f"有日线的{place(barred)}，没有的不参与",
                    f"{place(barred)} of {place(total)} companies of "
                    f"{_subject(self.query, self.desk).en} have daily bars; the others take no part",
                )
            )
        for expr in self._deciding():
            known = self.maker.counted(expr, lines)
            label = self._told(expr)
            if isinstance(known, Claim) and isinstance(total, Claim):
                notes.append(
                    Said(
                        f"{_subject(self.query, self.desk).zh}{place(total)}公司中，"
                        f"有{label.zh}的{place(known)}，没有的不参与{_loss_words(expr, self.query)}",
                        f"{place(known)} of {place(total)} companies of "
                        f"{_subject(self.query, self.desk).en} have {label.en}; the others take no part",
                    )
                )
        return notes

    def _barred(self, lines: Sequence[Line]) -> Figure | None:
        """How many companies of the scope have bars, where bars decide."""
        if not self.maker.points.is_barred():
            return None
        known = set(self.maker.points.barred_symbols())
        return self.maker.named(tuple(line.symbol for line in lines if line.symbol in known))

    def _deciding(self) -> Iterator[Expr]:
        """Figures that decide who is a row and where: of tests, orders and folds."""
        query = self.query
        given: list[Expr] = [one.by for one in query.order if one.by is not None]
        given += [one.of for one in query.fold if one.of is not None]
        given += [one.left for one in tests_in(query.where)]
        for expr in dict.fromkeys(given):
            if isinstance(expr, Metric) and not self.maker.is_by_line(expr) and expr.of is None:
                yield expr

    def _nothing(self, made: Outcome, members: Sequence[dict[str, Any]]) -> Outcome:
        """Nobody satisfies it; of figures that no company has, nobody can tell."""
        lines = [self._line(row) for row in members]
        lost: list[Said] = []
        for expr in self._deciding():
            known = self.maker.counted(expr, lines)
            if not isinstance(known, Claim) or not known.value:
                lost.append(self._told(expr))
        barred = self._barred(lines)
        if isinstance(barred, Claim) and not barred.value:
            lost.append(Said("日线", "daily bars"))
        if lost or not members:
            zh, en = "、".join(one.zh for one in lost), ", ".join(one.en for one in lost)
            told = Said(
                f"来源没有{made.subject.zh}的{zh}数据",
                f"no company of {made.subject.en} has {en} here",
            )
            return replace(made, rows=(), absent=told if lost else _NO_DATA)
        if self.query.rows != "companies":
            return replace(made, rows=(), absent=_NO_DATA)
        total = self.maker.counted(None, lines)
        if not isinstance(total, Claim):
            none = Said(
                f"{made.subject.zh}没有符合条件的公司。",
                f"No company of {made.subject.en} satisfies it.",
            )
        else:
            none = Said(
                f"{made.subject.zh}（共{place(total)}）没有符合条件的公司。",
                f"No company of {made.subject.en} ({place(total)}) satisfies it.",
            )
        return replace(made, rows=(), sentences=(none,))

    def _sentences(
        self,
        rows: Sequence[Row],
        lines: Sequence[Line],
        matches: Figure | None,
        folds: Row | None,
    ) -> Iterator[Said]:
        subject = _subject(self.query, self.desk)
        if folds is not None:
            for fold, figure in zip(self.query.fold, folds.figures.values(), strict=False):
                label = self._fold_told(fold)
                if isinstance(figure, Claim):
                    yield Said(
                        f"{subject.zh}：{label.zh}为 {place(figure)}。",
                        f"{subject.en}: {label.en} is {place(figure)}.",
                    )
                else:
                    why = Said.of(figure.reason)
                    yield Said(
                        f"{subject.zh}：{label.zh}暂缺，{why.zh}。",
                        f"{subject.en}: no {label.en}: {why.en}.",
                    )
            return
        if self.query.check is not None:
            yield from self._checked(lines, rows)
            return
        if isinstance(matches, Claim) and len(rows) > 1 and named_symbols(self.query.scope) is None:
            yield Said(
                f"{subject.zh}：列出{place(matches)}。", f"{subject.en}: {place(matches)} listed."
            )
        yield from self._first_told(rows[0])

    def _checked(self, lines: Sequence[Line], rows: Sequence[Row]) -> Iterator[Said]:
        told = [Teller(names_of(self.query, self.desk, at), at) for at in (0, 1)]
        asked = self.query.check
        if asked is None:
            return
        for line, row in zip(lines[:_NAMED], rows, strict=False):
            unknown = all(not isinstance(one, Claim) for one in row.figures.values())
            zh, en = (
                ("无法判断", "cannot be told")
                if unknown
                else ("是", "yes")
                if line.holds
                else ("否", "no")
            )
            figures = [one for one in row.figures.values() if isinstance(one, Claim)]
            listed = "、".join(place(one) for one in figures)
            yield Said(
                f"{row.label.zh}：{zh}（{told[0].tell(asked)}{'；' + listed if listed else ''}）。",
                f"{row.label.en}: {en} ({told[1].tell(asked)}{'; ' + listed if listed else ''}).",
            )

    def _first_told(self, row: Row) -> Iterator[Said]:
        parts = [
            (column.label, figure)
            for column in self._columns()
            if isinstance(figure := row.figures.get(column.key), Claim)
        ]
        if not parts:
            reasons = [
                Said.of(one.reason) for one in row.figures.values() if not isinstance(one, Claim)
            ]
            if reasons:
                yield Said(
                    f"{row.label.zh}：{reasons[0].zh}。", f"{row.label.en}: {reasons[0].en}."
                )
            return
        zh = "，".join(f"{label.zh} {place(figure)}" for label, figure in parts)
        en = ", ".join(f"{label.en} {place(figure)}" for label, figure in parts)
        yield Said(f"{row.label.zh}：{zh}。", f"{row.label.en}: {en}.")

    def _fold_told(self, fold: Folded) -> Said:
        if fold.of is None:
            return Said("公司数", "the number of companies")
        label = self._told(fold.of)
        return Said(
            f"{label.zh}的{_fold_words(fold.how, 0)}",
            f"the {_fold_words(fold.how, 1)} of {label.en}",
        )

    def _document(self, row: Row) -> dict[str, object]:
        return {"symbol": row.symbol or "", "name": row.label.zh, "figures": dict(row.figures)}

    def _shown(self, row: Row) -> dict[str, Figure]:
        """The figures asked for by their place, as the outputs of a plan take them out."""
        keys = self._keys()[: len(self.query.show)] if self.query.show else list(row.figures)
        return {f"v{at}": row.figures[key] for at, key in enumerate(keys) if key in row.figures}

    def _of_groups(
        self, found: Sequence[dict[str, Any]], members: Sequence[dict[str, Any]]
    ) -> Outcome:
        """A row a group; the figures are computed of its companies."""
        group = str(self.query.group)
        bare = self.query.model_copy(
            update={
                "group": None,
                "fold": (),
                "having": (),
                "order": (),
                "take": None,
                "show": tuple(one.of for one in self.query.fold if one.of is not None),
            }
        )
        maker = replace(self.maker, shown=self.maker.shown)
        listed = _rows(maker.points, compile_query(bare, maker.times))
        columns = [
            Column(f"fold_{at + 1}", self._fold_told(fold))
            for at, fold in enumerate(self.query.fold)
        ]
        rows: list[Row] = []
        for one in found[:MOST_ROWS]:
            own = [self._bare_line(row, bare) for row in listed if row[group] == one[group]]
            figures = {
                column.key: maker.over_rows(fold, own, str(one[group]))
                for column, fold in zip(columns, self.query.fold, strict=True)
            }
            words = MARKS.get(str(one[group]), (str(one[group]), str(one[group])))
            rows.append(Row(Said(*words), figures))
        made = self._base(rows, columns, self._coverage(members))
        if not rows:
            return self._nothing(made, members)
        first = rows[0]
        told = [
            Said(
                f"{first.label.zh}：{column.label.zh} {place(figure)}。",
                f"{first.label.en}: {column.label.en} {place(figure)}.",
            )
            for column in columns
            if isinstance(figure := first.figures[column.key], Claim)
        ]
        document = {
            **made.document,
            "data": [{"name": row.label.zh, "figures": dict(row.figures)} for row in rows],
        }
        return replace(made, document=document, sentences=tuple(told))

    def _bare_line(self, row: dict[str, Any], bare: Query) -> Line:
        """A company of a group with the values in the order of what the query shows."""
        order = shown_of(bare)
        values = tuple(
            row.get(f"v{order.index(one)}") if one in order else None for one in self.maker.shown
        )
        return Line(row["symbol"], row["name"] or row["symbol"], row["own"], values)


def time_label(at: str) -> Said:
    """A row's own time as an analyst writes it."""
    if at.startswith("y"):
        return period_label(f"{at[1:]}_Q4")
    if at.startswith("q"):
        return period_label(at[1:])
    day = date.fromisoformat(at[1:]).isoformat()
    return Said(day, day)


def _fold_words(how: str, at: int) -> str:
    return FOLDS[how][at]


def _loss_words(expr: Expr, query: Query) -> str:
    """What an absent multiple means, where the catalogue knows."""
    if (
        isinstance(expr, Metric)
        and CATALOGUE[expr.id].missing
        and markets_of(query.scope) == ("CN",)
    ):
        return "（来源对亏损公司不给这个倍数）"
    return ""
