"""The rows a query found, as an outcome: labelled figures, what stands in them, who is left out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.core.claims import Claim, Figure
from services.core.rendering import place
from services.core.text import NO_TEXT, Text, join_texts
from services.query.algebra import nodes as a
from services.query.algebra.compile import compile_query
from services.query.algebra.coverage import Coverage
from services.query.algebra.explain import explain
from services.query.algebra.figures import FigureMaker, FoundRow
from services.query.algebra.industry_notes import tell_added, tell_industries, tell_unclassified
from services.query.algebra.limit_moves import tell_rule
from services.query.algebra.scopes import currency_in, named_symbols, symbols_in
from services.query.algebra.sentences import AnswerSentences, row_of
from services.query.algebra.statements import shown_of
from services.query.algebra.telling import Teller
from services.query.algebra.times import uses_reports
from services.query.algebra.types import tests_in
from services.query.algebra.window_notes import tell_windows
from services.query.algebra.words import FOLDS, mark_words
from services.query.answering.desk import ActionDesk
from services.query.answering.labels import time_label
from services.query.answering.outcomes import AnswerColumn, AnswerRow, Outcome
from services.query.assertions.assertion import is_timed
from services.query.assertions.of_folds import fold_label
from services.query.assertions.of_rows import label_row
from services.query.planning.plir import PlirNode
from services.query.sayings import saying

# So many rows are answered and exported; the count tells of the others.
MOST_ROWS = 500
_FEW = 4
# Rows that are parts of time longer than a session.
_PERIODS = a.TIMED - {"days"}
# Of years nobody counted how many have the figure: one without it can be judged no more than found.
_HAVE = "have"


class MixedOrderError(ValueError):
    """What companies are to be put in order by is in several currencies."""


def tellers_of(query: a.Query, desk: ActionDesk) -> tuple[Teller, Teller]:
    """Who tells the query in each language, with the names of its companies."""
    currency = currency_in(query.scope)
    zh, en = (Teller(names_of(query, desk, at), at, currency) for at in (0, 1))
    return zh, en


def subject_of(query: a.Query, desk: ActionDesk) -> Text:
    """The companies it is about, in words."""
    if query.scope is None:
        return Text("", "")
    return Text(*(one.whom(query.scope) for one in tellers_of(query, desk)))


def names_of(query: a.Query, desk: ActionDesk, at: int) -> dict[str, str]:
    """What the companies in it are called, Chinese (0) or English (1)."""
    return {
        symbol: desk.named(symbol).in_language("en" if at else "zh") for symbol in symbols_in(query)
    }


@dataclass(frozen=True, slots=True)
class OutcomeDraft:
    """One outcome in the making."""

    query: a.Query
    desk: ActionDesk
    node: PlirNode
    maker: FigureMaker

    def outcome(
        self, found: Sequence[dict[str, Any]], members: Sequence[dict[str, Any]]
    ) -> Outcome:
        """What the rows bring; `members` are the companies looked at, the largest first."""
        lines = [self._line(row) for row in members]
        coverage = Coverage(self.maker, lines, tellers_of(self.query, self.desk))
        if self.query.group is not None:
            return self._of_groups(found, coverage)
        return self._of_rows([self._line(row) for row in found], coverage)

    def _of_rows(self, lines: Sequence[FoundRow], coverage: Coverage) -> Outcome:
        if self.query.rows == "one":
            lines = lines[:1] or [FoundRow("", "", "", ())]
        if self.maker.points.calls:
            self.maker.points.bring_facts([line.symbol for line in lines[:MOST_ROWS]])
        rows = [self._row(line) for line in lines[:MOST_ROWS]]
        self._require_one_unit(rows)
        told = self._sentences(coverage)
        alone = bool(self.query.fold) and not (self.query.show or self.query.take)
        columns = self._fold_columns(coverage) if alone else self._columns(coverage)
        notes = coverage.notes(told.said())
        if len(lines) > MOST_ROWS and not alone:
            notes.append(saying("cut", count=MOST_ROWS))
        notes += self._notes_beside(lines, coverage)
        made = self._base(rows, columns, notes)
        folds = self._folds(lines) if lines or self.query.rows not in a.TIMED else None
        told_rows = [row_of(*pair) for pair in zip(lines, map(_figures, rows), strict=False)]
        if folds is not None:
            rows = [folds] if alone else [*rows, folds]
        is_unknown = alone and self.query.where is not None and not lines and coverage.lost()
        if not rows or is_unknown:  # none of those nobody can judge is no none
            return self._nothing(made, coverage)
        count = self._matches(lines)
        document = {
            **made.document,
            "data": [self._document(row) for row in rows],
            "shown": [self._list_shown(row) for row in rows],
        }
        if isinstance(count, Claim):
            document["count"] = count
        if self.query.check is not None and not alone:
            said = list(told.checked(lines, told_rows))
        else:
            count = self._count_satisfying(lines)
            said = [] if alone else list(told.listed(lines, told_rows, count))
            if folds is not None:
                named = [self.maker.known_in(fold, lines) for fold in self.query.fold]
                said.append(told.folded(list(zip(_figures(folds), named, strict=True))))
        return replace(made, document=document, rows=tuple(rows), sentences=tuple(said))

    def _require_one_unit(self, rows: Sequence[AnswerRow]) -> None:
        """Companies are put in order by what is in one unit. Raises: MixedOrderError."""
        if self.query.rows != "companies":
            return
        for by in (one.by for one in self.query.order if one.by in self.maker.shown):
            at = self.maker.shown.index(by)
            ordered = [_figures(row)[at] for row in rows]
            if len({one.unit for one in ordered if isinstance(one, Claim)}) > 1:
                raise MixedOrderError

    def _years_lacking(self, lines: Sequence[FoundRow]) -> Iterator[Text]:
        """Which years that were asked for a company has not."""
        query, window = self.query, self.query.window
        if query.rows not in _PERIODS or window is None:
            return
        if query.where is not None or query.take is not None or query.rows == "months":
            yield from self._years_looked_at(lines)
            return
        if window.kind == "all":
            if len({line.symbol for line in lines}) == 1 and (known := [one.at for one in lines]):
                oldest = self._time(min(known))
                yield saying("nothing_before", oldest=oldest)
            return
        for symbol in (named_symbols(query.scope) or ())[:_FEW]:
            known = {line.at for line in lines if line.symbol == symbol}
            lacking = [one for one in self.maker.times.reports(window) if one not in known]
            name = self.desk.named(symbol)
            if lines and not known:
                yield saying("none_of_years", name=name)
            elif lacking and known:
                when = join_texts(map(self._time, lacking), "、", ", ")
                yield saying("lacks_years", name=name, when=when)

    def _years_looked_at(self, lines: Sequence[FoundRow]) -> Iterator[Text]:
        """Those a test or an order was made of; months told one by one stand beside each other."""
        if self.query.where is not None:
            if lines and (judged := self._years_judged()) is not None:
                yield saying("periods_judged", years=judged)
        elif self.query.take is not None:
            yield from self._years_compared()

    def _years_judged(self) -> Text | None:
        """The years that have what a test of them takes, of one company; None where none has."""
        sides = [side for one in tests_in(self.query.where) for side in (one.left, one.right)]
        figures = tuple(dict.fromkeys(one for one in sides if not isinstance(one, a.Const)))
        plain = {"where": None, "fold": (), "order": (), "take": a.Take(count=MOST_ROWS)}
        asked = self.query.but(**plain, show=figures)
        if (ends := self._find_ends(asked, len(figures))) is None:
            return None
        first, last = ends
        return first if first == last else saying("first_to_last", first=first, last=last)

    def _years_compared(self) -> Iterator[Text]:
        """The years among which the highest or lowest was looked for: those the source has."""
        every = self.query.but(take=a.Take(count=MOST_ROWS))
        if (ends := self._find_ends(every)) is not None:
            first, last = ends
            alone = saying("compared_alone", first=first)
            yield alone if first == last else saying("compared_among", first=first, last=last)

    def _find_ends(self, query: a.Query, figures: int = 0) -> tuple[Text, Text] | None:
        """The oldest and the newest of the rows with so many figures; None but of one company."""
        rows = self.maker.points.run(compile_query(query, self.maker.times))
        whole = (row for row in rows if None not in [row[f"v{at}"] for at in range(figures)])
        known = sorted(row["own"] for row in whole)
        if not known or len({row["symbol"] for row in rows}) != 1:
            return None
        return self._time(known[0]), self._time(known[-1])

    def _tell_folds(self, lines: Sequence[FoundRow], coverage: Coverage) -> Iterator[Text]:
        """Of figures over sets beside a company's own: of how many of how many companies."""
        if self.query.rows not in {"one", "companies"}:
            return
        told: list[a.Across] = []
        for one in (part for expr in self.query.show for part in a.walk(expr)):
            if isinstance(one, a.Across) and one.how != "count":
                counted = one.but(how="count")
                told += [counted] if counted not in told else []
        for of in told[:_FEW]:
            every = of.but(of=a.Const(value=1))
            symbol = lines[0].symbol if lines else ""
            if of.own is not None and len(lines) > 1:
                continue  # each row has an industry of its own
            known, total = (self.maker.figure(one, symbol, "") for one in (of, every))
            if not isinstance(known, Claim) or not isinstance(total, Claim):
                continue
            if known.value < total.value:
                label = coverage.told(of)
                yield saying("fold_over", label=label, known=place(known), total=place(total))

    def _notes_beside(self, lines: Sequence[FoundRow], coverage: Coverage) -> Iterator[Text]:
        """Years and industries nobody has, the rule of a move, the days of a window."""
        yield from self._years_lacking(lines)
        yield from tell_added(self.query, self.desk)
        yield from tell_unclassified(self.query, lines, self.desk)
        yield from tell_industries(self.query, self.maker.points)
        rule = tell_rule(self.query)
        if rule is not None:
            yield rule
        if a.Metric(id="price_implied") in a.walk(self.query):
            yield saying("implied_price")
        yield from tell_windows(self.query, self.maker, lines)
        yield from self._tell_folds(lines, coverage)

    def _sentences(self, coverage: Coverage) -> AnswerSentences:
        return AnswerSentences(self.query, coverage, self.maker.shown)

    def _count_satisfying(self, lines: Sequence[FoundRow]) -> Figure | None:
        if self.query.rows != "companies" or self.query.where is None or not lines:
            return None
        return (
            self.maker.of_all(a.Folded(how="count"), lines)
            if self.query.take
            else self._matches(lines)
        )

    def _base(
        self, rows: Sequence[AnswerRow], columns: Sequence[AnswerColumn], notes: Sequence[Text]
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

    def _line(self, row: dict[str, Any]) -> FoundRow:
        return FoundRow.of(row, tuple(row.get(f"v{at}") for at in range(len(self.maker.shown))))

    def _row(self, line: FoundRow) -> AnswerRow:
        figures = dict(zip(self._keys(), self.maker.row(line), strict=True))
        return AnswerRow(self._label(line), figures, line.symbol or None)

    def _label(self, line: FoundRow) -> Text:
        name = self.desk.named(line.symbol) if line.symbol else NO_TEXT
        return label_row(self.query, self.maker.shown, line.at, name)

    def _time(self, at: str) -> Text:
        return time_label(at, of_bars=not any(map(uses_reports, self.maker.shown)))

    def _keys(self) -> list[str]:
        """The column of each expression: the metric's own name where it is one alone."""
        keys: list[str] = []
        for at, expr in enumerate(self.maker.shown):
            plain = (
                isinstance(expr, a.Metric)
                and expr.of is None
                and expr.when.kind in {"latest", "own"}
            )
            key = expr.id if isinstance(expr, a.Metric) and plain else f"figure_{at + 1}"
            keys.append(key if key not in keys else f"{key}_{at + 1}")
        return keys

    def _columns(self, coverage: Coverage) -> list[AnswerColumn]:
        return [
            AnswerColumn(key, coverage.told(expr), timed=is_timed(expr))
            for key, expr in zip(self._keys(), self.maker.shown, strict=True)
        ]

    def _folds(self, lines: Sequence[FoundRow]) -> AnswerRow | None:
        """The row of sums, medians and counts; None where none was asked for."""
        if not self.query.fold:
            return None
        figures: dict[str, Figure] = {}
        for at, fold in enumerate(self.query.fold):
            figures[self._fold_key(fold, at)] = self.maker.over_rows(fold, lines)
        alone = not (self.query.show or self.query.take)
        label = subject_of(self.query, self.desk) if alone else self._fold_label()
        return AnswerRow(label, figures)

    def _fold_columns(self, coverage: Coverage) -> list[AnswerColumn]:
        return [
            AnswerColumn(
                self._fold_key(fold, at),
                Text(*(fold_label(fold, self.query.rows, one) for one in coverage.tellers)),
                timed=fold.of is None or is_timed(fold.of),
            )
            for at, fold in enumerate(self.query.fold)
        ]

    def _fold_key(self, fold: a.Folded, at: int) -> str:
        if (
            fold.of is not None
            and (self.query.show or self.query.take)
            and len(self.query.fold) == 1
        ):
            return self._keys()[self.maker.shown.index(fold.of)]
        return f"fold_{at + 1}"

    def _fold_label(self) -> Text:
        return join_texts([FOLDS[fold.how] for fold in self.query.fold], "、", "、")

    def _matches(self, lines: Sequence[FoundRow]) -> Figure | None:
        """How many rows there are, of companies."""
        if self.query.rows != "companies" or not lines:
            return None
        return self.maker.over_rows(a.Folded(how="count"), lines)

    def _nothing(self, made: Outcome, coverage: Coverage) -> Outcome:
        """Nobody satisfies it; of figures that no company has, nobody can tell."""
        if self.query.first is not None and named_symbols(self.query.scope) is not None:
            return replace(made, rows=(), sentences=(saying("not_among", whom=made.subject),))
        if self._is_beyond_last():
            return replace(made, rows=(), absent=saying("beyond_last"))
        lost, subject = coverage.lost(), made.subject
        if lost or not coverage.lines:
            told = saying("nobody_has", whom=subject, lost=join_texts(lost, "、", ", "))
            return replace(made, rows=(), absent=told if lost else saying("no_data"))
        tested = self.query.rows == "days" and self.maker.points.histories
        if self.query.rows not in {"companies", "events"} and not tested:
            years = self.query.rows in _PERIODS and self.query.where is not None
            if years and (judged := self._years_judged()) is not None:
                told = saying("no_period_satisfies", whom=made.subject, years=judged)
                return replace(made, rows=(), sentences=(told,))
            return replace(
                made, rows=(), absent=saying("no_period_judged") if years else saying("no_data")
            )
        return replace(made, rows=(), sentences=(self._sentences(coverage).none_found(),))

    def _is_beyond_last(self) -> bool:
        """Whether there are rows, but none as far down as the place asked for."""
        take = self.query.take
        if take is None or not take.skip:
            return False
        before = self.query.but(take=a.Take(count=1))
        return bool(self.maker.points.run(compile_query(before, self.maker.times)))

    def _document(self, row: AnswerRow) -> dict[str, object]:
        return {"symbol": row.symbol or "", "name": row.label.zh, "figures": dict(row.figures)}

    def _list_shown(self, row: AnswerRow) -> dict[str, Figure]:
        """The figures asked for by their place, as the outputs of a plan take them out."""
        keys = self._keys()[: len(self.query.show)] if self.query.show else list(row.figures)
        return {f"v{at}": row.figures[key] for at, key in enumerate(keys) if key in row.figures}

    def _of_groups(self, found: Sequence[dict[str, Any]], coverage: Coverage) -> Outcome:
        """A row a group; the figures are computed of its companies, of which so many have them."""
        group = str(self.query.group)
        bare = self.query.but(
            group=None, fold=(), having=(), order=(), take=None, show=self.query.folded
        )
        maker, told = self.maker, self._sentences(coverage)
        listed = maker.points.run(compile_query(bare, maker.times))
        columns = self._fold_columns(coverage)
        keyed = list(zip((column.key for column in columns), self.query.fold, strict=True))
        folds = [*keyed, *self._had()]
        if len(folds) > len(keyed):
            columns.append(AnswerColumn(_HAVE, Text("按几家计", "Companies"), timed=True))
        rows: list[AnswerRow] = []
        groups: list[tuple[str, Sequence[Figure]]] = []
        members: list[tuple[str, Sequence[FoundRow]]] = []
        for one in found[:MOST_ROWS]:
            own = [self._bare_line(row, bare) for row in listed if row[group] == one[group]]
            figures = {key: maker.over_rows(fold, own, str(one[group])) for key, fold in folds}
            rows.append(AnswerRow(mark_words(group, str(one[group])), figures))
            groups.append((str(one[group]), [figures[key] for key, _ in keyed]))
            members.append((str(one[group]), own))
        notes = [*coverage.notes(told.said()), *tell_industries(self.query, maker.points)]
        made = self._base(rows, columns, notes)
        if not rows:
            return self._nothing(made, coverage)
        document = {
            **made.document,
            "data": [{"name": row.label.zh, "figures": dict(row.figures)} for row in rows],
        }
        number = maker.groups(members) if self.query.take is None else None
        if isinstance(number, Claim):
            document["count"] = number
        return replace(made, document=document, sentences=(told.grouped(groups, number),))

    def _had(self) -> list[tuple[str, a.Folded]]:
        """How many companies of a group its fold is over, where one fold was asked."""
        folded = [one for one in self.query.fold if one.of is not None and one.how != "count"]
        if len(folded) != 1 or len(self.query.fold) != 1:
            return []
        return [(_HAVE, a.Folded(how="count", of=folded[0].of))]

    def _bare_line(self, row: dict[str, Any], bare: a.Query) -> FoundRow:
        """A company of a group with the values in the order of what the query shows."""
        order: Sequence[a.Expr] = shown_of(bare, self.maker.times)
        values = tuple(
            row.get(f"v{order.index(one)}") if one in order else None for one in self.maker.shown
        )
        return FoundRow.of(row, values)


def _figures(row: AnswerRow) -> list[Figure]:
    return list(row.figures.values())
