"""The rows a query found, as an outcome: labelled figures, what stands in them, who is left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, Figure
from services.core.rendering import place
from services.query.algebra.compile import compile_query
from services.query.algebra.explain import FOLDS, MARKS, Teller, explain
from services.query.algebra.figures import Line, Maker
from services.query.algebra.nodes import Expr, Folded, In, Metric, Query, walk
from services.query.algebra.scopes import markets_of, named_symbols
from services.query.algebra.statements import shown_of
from services.query.algebra.types import tests_in
from services.query.answering.desk import Desk, period_label
from services.query.answering.outcomes import Column, Outcome, Row, Said
from services.query.planning.plir import PlirNode

# So many rows are answered and exported; the count tells of the others.
MOST_ROWS = 500
_NAMED = 3
_CUT = Said(f"表中列出前 {MOST_ROWS} 行", f"the table lists the first {MOST_ROWS} rows")
_NO_DATA = Said("来源没有这些数据", "the source has none of these figures")


def subject_of(query: Query, desk: Desk) -> Said:
    """The companies it is about, in words."""
    if query.scope is None:
        return Said("", "")
    return Said(*(Teller(names_of(query, desk, at), at).tell(query.scope) for at in (0, 1)))


def names_of(query: Query, desk: Desk, at: int) -> dict[str, str]:
    """What the companies in it are called, Chinese (0) or English (1)."""
    return {symbol: desk.named(symbol)["en" if at else "zh"] for symbol in symbols_in(query)}


def symbols_in(query: Query) -> frozenset[str]:
    """The companies it names, as a set, of a figure or to compare with."""
    symbols = {
        value
        for one in walk(query)
        if isinstance(one, In) and one.dim == "symbol"
        for value in one.values
    }
    for one in walk(query):
        named = getattr(one, "company", None) or (one.of if isinstance(one, Metric) else None)
        symbols |= {named} if isinstance(named, str) else set()
    return frozenset(symbols)


@dataclass(frozen=True, slots=True)
class Answer:
    """One outcome in the making."""

    query: Query
    desk: Desk
    node: PlirNode
    maker: Maker

    def outcome(
        self, found: Sequence[dict[str, Any]], members: Sequence[dict[str, Any]]
    ) -> Outcome:
        """What the rows bring; `members` are the companies of the scope."""
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
        notes = self._coverage(members)
        if len(lines) > MOST_ROWS:
            notes.append(_CUT)
        made = self._base(rows, columns, notes)
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
            "told": explain(self.query, names_of(self.query, self.desk, 0), "zh"),
            "told_en": explain(self.query, names_of(self.query, self.desk, 1), "en"),
        }
        return Outcome(
            self.node,
            subject_of(self.query, self.desk),
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
        if not self.maker.points.calls or self.query.rows == "one":
            return []
        lines = [self._line(row) for row in members]
        total, barred = self.maker.counted(None, lines), self._barred(lines)
        if not isinstance(total, Claim):
            return []
        notes: list[Said] = []
        if isinstance(barred, Claim):
            notes.append(self._had(barred, total, Said("日线", "daily bars")))
        for expr in self._deciding():
            known = self.maker.counted(expr, lines)
            if isinstance(known, Claim):
                notes.append(self._had(known, total, self._told(expr), _loss(expr, self.query)))
        return notes

    def _had(self, known: Claim, total: Claim, label: Said, more: Said | None = None) -> Said:
        """How many have it; `more` is what lacking it means."""
        subject, more = subject_of(self.query, self.desk), more or Said("", "")
        return Said(
            f"{subject.zh}{place(total)}公司中，有{label.zh}的{place(known)}，没有的不参与{more.zh}",
            f"{place(known)} of {place(total)} companies of {subject.en} have {label.en}; "
            f"the others are left out{more.en}",
        )

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
        subject = subject_of(self.query, self.desk)
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
        yield from self._lacking(row)

    def _lacking(self, row: Row) -> Iterator[Said]:
        """What was asked of that company and is not there, by its reason."""
        lacking: dict[Said, list[Said]] = {}
        for column in self._columns():
            figure = row.figures.get(column.key)
            if figure is not None and not isinstance(figure, Claim):
                lacking.setdefault(Said.of(figure.reason), []).append(column.label)
        for why, labels in lacking.items():
            zh, en = "、".join(one.zh for one in labels), ", ".join(one.en for one in labels)
            yield Said(f"没有{zh}：{why.zh}。", f"No {en}: {why.en}.")

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
        maker = self.maker
        listed = maker.points.run(compile_query(bare, maker.times))
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


def _loss(expr: Expr, query: Query) -> Said | None:
    """What an absent multiple means, where the catalogue knows."""
    markets = markets_of(query.scope)
    if not isinstance(expr, Metric) or any(
        one not in CATALOGUE[expr.id].missing for one in markets
    ):
        return None
    return Said(
        "（来源对亏损公司不给这个倍数）", " (the source gives a company at a loss no such multiple)"
    )
