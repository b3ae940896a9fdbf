"""What an answer of the algebra says, in at most two sentences: of whom, how many, the first of
them with its figure and the day it is of.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from services.core.claim_names import is_of_day
from services.core.claims import Claim, Figure
from services.core.periods import is_report
from services.core.rendering import Language, place
from services.query.algebra.coverage import Coverage
from services.query.algebra.explain import explain, left_out, listed_by
from services.query.algebra.figures import Line
from services.query.algebra.nodes import Compare, Expr, Folded, Pred, Query, When, walk
from services.query.algebra.scopes import named_symbols
from services.query.algebra.telling import Teller
from services.query.algebra.words import COUNTED, FOLDS, GROUPED, ROWS
from services.query.answering.desk import period_label
from services.query.answering.outcomes import Row, Said
from services.query.answering.sentences import estimated

# So many companies by name are told in the sentence; the others stand in the table.
_TOLD = 4
# Of so many companies each is answered by itself.
_FEW = 2
# The figure asked beside a list is told of so many rows at most.
_BESIDE = 6
_BOUND = frozenset({"years", "quarters", "days"})
_LANGUAGES: tuple[Language, Language] = ("zh", "en")


def dated(figure: Claim, expr: Expr | None) -> Said:
    """The day or report a figure is of, in brackets; nothing where its label says the time."""
    guess, guess_en = estimated(figure)
    if expr is None or is_timed(expr):
        return Said(f"（{guess[1:]}）", f" ({guess_en[2:]})") if guess and expr else Said("", "")
    reported = is_report(figure.period) and not is_of_day(figure)
    of = period_label(figure.period) if figure.period and reported else None
    day = of or Said(figure.as_of.isoformat(), figure.as_of.isoformat())
    return Said(f"（{day.zh}{guess}）", f" ({day.en}{guess_en})")


def is_timed(expr: Expr) -> bool:
    """Whether its label already says the time of everything in it, or it is a row's own."""
    times = [one for one in walk(expr) if isinstance(one, When)]
    return bool(times) and all(
        one.kind in {"own", "before"} or (one.kind in _BOUND and one.last is not None)
        for one in times
    )


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences of one answer. `shown`: what each column is; `keys`: its key in the rows."""

    query: Query
    coverage: Coverage
    tellers: tuple[Teller, Teller]
    shown: Sequence[Expr]
    keys: Sequence[str]

    def subject(self) -> Said:
        """The companies it is about, in words."""
        query = self.query
        gone = [left_out(query, one.names, _LANGUAGES[one.at]) for one in self.tellers]
        if query.first is not None:
            told = [explain(query.first, one.names, _LANGUAGES[one.at]) for one in self.tellers]
        elif query.scope is None:
            return Said("", "")
        else:
            told = [one.whom(query.scope) for one in self.tellers]
        return Said(told[0] + gone[0], told[1] + gone[1])

    def listed(
        self, rows: Sequence[Row], count: Figure | None, folds: Row | None
    ) -> Iterator[Said]:
        """Of a list: of how many companies, how many, the first of them; or of named companies
        what was asked.
        """
        if named_symbols(self.query.scope) is not None or self.query.rows in {"one"}:
            told = self._of_named(rows)
            if self.query.first is not None:  # asked whether it is among them
                told = Said(f"在其中。{told.zh}", f"Yes, among them. {told.en}")
            yield told
        elif self.query.rows == "companies":
            yield self._of_list(rows, count)
            yield from self._tell_beside(rows)
            if folds is None and (lost := self._tell_unranked()):
                yield lost
        else:
            yield self._of_times(rows)
        if folds is not None:
            yield self.folded(folds)

    def _tell_beside(self, rows: Sequence[Row]) -> Iterator[Said]:
        """The figure asked for beside what orders or limits the list: who of the first has it."""
        beside = [one for one in self.query.show if one not in listed_by(self.query)]
        if len(beside) != 1 or len(rows) > _BESIDE:
            return
        label, key = self.coverage.told(beside[0]), self.keys[self.shown.index(beside[0])]
        known = [(row, one) for row in rows if isinstance(one := row.figures.get(key), Claim)]
        if not known:
            yield Said(f"以上各家都没有{label.zh}。", f"None of these has {label.en}.")
            return
        zh = "、".join(f"{row.label.zh} {place(one)}" for row, one in known)
        en = ", ".join(f"{row.label.en} {place(one)}" for row, one in known)
        day = dated(known[0][1], beside[0])
        few = "其中有数的：" if len(known) < len(rows) else ""
        few_en = "of those that have it: " if few else ""
        yield Said(f"{label.zh}：{few}{zh}{day.zh}。", f"{label.en}: {few_en}{en}{day.en}.")

    def folded(self, folds: Row) -> Said:
        """The folds: each with the day, and over how many companies."""
        zh: list[str] = []
        en: list[str] = []
        for fold, figure in zip(self.query.fold, folds.figures.values(), strict=True):
            label = self.fold_label(fold)
            if not isinstance(figure, Claim):
                why = Said.of(figure.reason)
                zh.append(f"{label.zh}暂缺，{why.zh}")
                en.append(f"no {label.en}, {why.en}")
                continue
            day, over = dated(figure, fold.of), self._over(fold)
            zh.append(f"{label.zh}为 {place(figure)}{day.zh}{over.zh}")
            en.append(f"{label.en} is {place(figure)}{day.en}{over.en}")
            if fold.of is None:
                counter = (
                    Said("", "") if self.query.rows == "companies" else Said(*ROWS[self.query.rows])
                )
                zh[-1] = f"有 {place(figure)}{counter.zh}"
                en[-1] = f"there are {place(figure)}{counter.en}"
        whom = self._tell_fold_scope()
        linked = "" if self.query.fold[0].of is None else "的"
        return Said(f"{whom.zh}{linked}{'；'.join(zh)}。", f"{whom.en}: {'; '.join(en)}.")

    def _tell_fold_scope(self) -> Said:
        """Whom the folds are over: the companies listed, or all that satisfy the conditions."""
        if self.query.take is not None:
            return Said("以上各家", "Of those listed")
        subject, where = self.subject(), self.query.where
        if where is None or self.query.rows != "companies":
            return subject
        zh, en = (one.tell(where) for one in self.tellers)
        return Said(f"{subject.zh}中{zh}的公司", f"{subject.en} with {en}")

    def _over(self, fold: Folded) -> Said:
        """Of how many companies a fold of a whole set is; of named ones who is not in it."""
        if fold.of is not None and named_symbols(self.query.scope) is not None:
            return self._but_for(fold.of)
        known, total = self.coverage.known_of(fold.of), self.coverage.total
        if fold.of is None or self.query.where is not None or self.query.take is not None:
            return Said("", "")
        if known is None or not isinstance(total, Claim):
            return Said("", "")
        label = self.coverage.told(fold.of)
        return Said(
            f"，按有{label.zh}的{place(known)}计（共{place(total)}）",
            f", over the {place(known)} of {place(total)} companies that have {label.en}",
        )

    def _but_for(self, expr: Expr) -> Said:
        """Which of the companies named a fold has no figure of."""
        if self.query.rows != "companies":
            return Said("", "")
        label, out = self.coverage.told(expr), self.coverage.without(expr)
        zh, en = "、".join(one.zh for one in out), ", ".join(one.en for one in out)
        if not out:
            return Said("", "")
        return Said(f"，不含{zh}（没有{label.zh}）", f", without {en} (no {label.en})")

    def grouped(self, rows: Sequence[Row], folds: Sequence[tuple[str, Folded]]) -> Said:
        """The first group with its figures."""
        subject, first = self.subject(), rows[0]
        parts = [(fold, first.figures[key]) for key, fold in folds]
        told = [
            (self.fold_label(fold), figure, dated(figure, fold.of))
            for fold, figure in parts
            if isinstance(figure, Claim)
        ]
        group = GROUPED[str(self.query.group)]
        zh = "，".join(f"{label.zh} {place(one)}{day.zh}" for label, one, day in told)
        en = ", ".join(f"{label.en} {place(one)}{day.en}" for label, one, day in told)
        order = next(iter(self.query.order), None)
        if order is not None and order.by is None and told:
            way = ("最高", "highest") if order.direction == "desc" else ("最低", "lowest")
            label, figure, day = told[min(order.fold or 0, len(told) - 1)]
            end = self._other_end(rows, folds[min(order.fold or 0, len(told) - 1)][0], way)
            return Said(
                f"{subject.zh}里{label.zh}{way[0]}的{group[0]}是{first.label.zh}，"
                f"{place(figure)}{day.zh}{end.zh}。",
                f"Of {subject.en}, {label.en} is {way[1]} in {first.label.en}: "
                f"{place(figure)}{day.en}{end.en}.",
            )
        return Said(
            f"{subject.zh}按{group[0]}列出；{first.label.zh}：{zh}。",
            f"{subject.en} by {group[1]}; {first.label.en}: {en}.",
        )

    def _other_end(self, rows: Sequence[Row], key: str, way: tuple[str, str]) -> Said:
        """The last of all groups, where none was left out; empty where some were."""
        known = [(row, one) for row in rows if isinstance(one := row.figures[key], Claim)]
        if self.query.take is not None or len(known) < 2:
            return Said("", "")
        (row, figure), desc = known[-1], way[1] == "highest"
        return Said(
            f"；{'最低' if desc else '最高'}的是{row.label.zh}，{place(figure)}",
            f"; {'lowest' if desc else 'highest'} in {row.label.en}: {place(figure)}",
        )

    def checked(self, lines: Sequence[Line], rows: Sequence[Row]) -> Iterator[Said]:
        """Yes or no of each company asked about, with the figures it rests on."""
        asked = self.query.check
        assert asked is not None  # noqa: S101 — nothing else is checked
        if len(lines) > _FEW:
            yield self._of_all(lines, asked)
            return
        for line, row in list(zip(lines, rows, strict=False))[:2]:
            known = [one for one in row.figures.values() if isinstance(one, Claim)]
            unknown = len(known) < len(row.figures)
            zh, en = ("是", "yes") if line.holds else ("否", "no")
            if unknown and not line.holds:
                zh, en = "无法判断", "cannot be told"
            figures = self._figures_of(row)
            told = [one.tell(asked) for one in self.tellers]
            of = "的" if isinstance(asked, Compare) else "："
            yield Said(
                f"{row.label.zh}{of}{told[0]}：{zh}。{figures.zh}",
                f"{row.label.en}, {told[1]}: {en}. {figures.en}",
            )

    def _of_all(self, lines: Sequence[Line], asked: Pred) -> Said:
        """Of a list: whether it holds of all of them, and of how many."""
        held = self.coverage.maker.named(tuple(one.symbol for one in lines if one.holds))
        every = self.coverage.maker.named(tuple(one.symbol for one in lines))
        told = [one.tell(asked) for one in self.tellers]
        yes = all(one.holds for one in lines)
        if not isinstance(held, Claim) or not isinstance(every, Claim):
            return Said(
                f"{told[0]}：{'是' if yes else '不都是'}。", f"{told[1]}: {'yes' if yes else 'no'}."
            )
        return Said(
            f"{'是，' if yes else '不都是：'}{place(every)}里{place(held)}{told[0]}。",
            f"{'Yes' if yes else 'No'}: of {place(every)}, {place(held)} satisfy: {told[1]}.",
        )

    def fold_label(self, fold: Folded) -> Said:
        """What a fold is called: 市盈率(TTM)中位数."""
        if fold.of is None:
            zh, en = COUNTED[self.query.rows]
            return Said(zh, f"the {en}")
        zh, en = (one.tell(fold.of) for one in self.tellers)
        return Said(f"{zh}{FOLDS[fold.how][0]}", f"the {FOLDS[fold.how][1]} {en}")

    def _of_list(self, rows: Sequence[Row], count: Figure | None) -> Said:
        by = next((one for one in self.query.order if one.by is not None), None)
        lead = self._lead(rows[0], by.by if by is not None else None, by)
        head = self._head()
        if self.query.where is None or not isinstance(count, Claim):
            return Said(f"{head.zh}，{lead.zh}。", f"{head.en}, {lead.en}.")
        return Said(
            f"{head.zh}，符合条件的{place(count)}；{lead.zh}。",
            f"{head.en}, {place(count)} satisfy the conditions; {lead.en}.",
        )

    def _head(self) -> Said:
        """Of whom, and how many of them could be judged: 共22家，其中有市盈率(TTM)的10家."""
        subject, total, known = self.subject(), self.coverage.total, self._scarcest()
        if not isinstance(total, Claim) or self.query.first is not None:
            if known is None:
                return Said(f"{subject.zh}里", f"Of {subject.en}")
            label = self.coverage.told(known[0])
            return Said(
                f"{subject.zh}里有{label.zh}的{place(known[1])}",
                f"Of {subject.en}, {place(known[1])} have {label.en}",
            )
        if known is None:
            return Said(f"{subject.zh}共{place(total)}", f"Of {place(total)} {subject.en}")
        label, few = self.coverage.told(known[0]), known[1]
        if self.query.where is None:
            return Said(
                f"{subject.zh}按有{label.zh}的{place(few)}排（共{place(total)}）",
                f"Of the {place(few)} with {label.en} among {place(total)} {subject.en}",
            )
        return Said(
            f"{subject.zh}共{place(total)}，其中有{label.zh}的{place(few)}",
            f"Of {place(total)} {subject.en}, {place(few)} have {label.en}",
        )

    def _lead(self, row: Row, by: Expr | None, order: object) -> Said:
        """The first of the list with the figure that puts it there."""
        expr = by if by is not None else next(iter(self.shown), None)
        figure = row.figures.get(self.keys[self.shown.index(expr)]) if expr is not None else None
        if by is not None and not isinstance(figure, Claim):
            label = self.coverage.told(by)
            return Said(f"没有一家有{label.zh}，无法排序", f"none has {label.en} to be ordered by")
        if expr is None or not isinstance(figure, Claim):
            return Said(f"排在最前的是{row.label.zh}", f"{row.label.en} comes first")
        label, day = self.coverage.told(expr), dated(figure, expr)
        take = self.query.take
        down = getattr(order, "direction", "desc") == "desc"
        best, best_en = ("最高", "highest") if down else ("最低", "lowest")
        if take is not None and take.skip and take.count == 1 and not take.per:
            return Said(
                f"问到的名次是{row.label.zh}，{label.zh} {place(figure)}{day.zh}",
                f"the place asked about is {row.label.en} with {label.en} {place(figure)}{day.en}",
            )
        if order is None or (take is not None and (take.skip or take.per)):
            return Said(
                f"列在最前的是{row.label.zh}，{label.zh} {place(figure)}{day.zh}",
                f"{row.label.en} comes first with {label.en} {place(figure)}{day.en}",
            )
        return Said(
            f"{label.zh}{best}的是{row.label.zh}，{place(figure)}{day.zh}",
            f"{label.en} is {best_en} at {row.label.en}: {place(figure)}{day.en}",
        )

    def _scarcest(self) -> tuple[Expr, Claim] | None:
        """The deciding figure that the fewest companies have, where some lack it."""
        total = self.coverage.total
        if not isinstance(total, Claim):
            return None
        few = [one for one in self.coverage.deciding if one[1].value < total.value]
        return min(few, key=lambda one: one[1].value) if few else None

    def said(self) -> tuple[Expr | None, ...]:
        """The figures of which the sentences tell how many companies have them."""
        if self.query.group is not None:
            return ()
        if self.query.fold and not (self.query.show or self.query.take):
            return tuple(one.of for one in self.query.fold) if self.query.where is None else ()
        scarcest = self._scarcest() if named_symbols(self.query.scope) is None else None
        return (scarcest[0],) if scarcest is not None else ()

    def _tell_unranked(self) -> Said | None:
        """Who could not be ranked, where a ranking without conditions was asked."""
        by = next((one.by for one in self.query.order if one.by is not None), None)
        if not self.coverage.is_ranking or by is None or self.coverage.known_of(by) is None:
            return None
        return self.coverage.unranked(by)

    def _of_named(self, rows: Sequence[Row]) -> Said:
        """What was asked of companies by name."""
        told = [(row, self._figures_of(row)) for row in rows[:_TOLD]]
        zh = "；".join(f"{row.label.zh}：{one.zh.rstrip('。')}" for row, one in told)
        en = "; ".join(f"{row.label.en}: {one.en.rstrip('.')}" for row, one in told)
        more = len(rows) > _TOLD
        return Said(
            f"{zh}{'；其余见表' if more else ''}。", f"{en}{'; the others in the table' * more}."
        )

    def _figures_of(self, row: Row) -> Said:
        """Every figure of a row, each with its day; of one that is missing, why."""
        zh: list[str] = []
        en: list[str] = []
        days: list[Said] = []
        for expr, key in zip(self.shown, self.keys, strict=True):
            figure, label = row.figures.get(key), self.coverage.told(expr)
            if isinstance(figure, Claim):
                day = dated(figure, expr)
                same = bool(days) and days[-1] == day  # one day for several figures is said once
                if same:
                    zh[-1], en[-1] = zh[-1].removesuffix(day.zh), en[-1].removesuffix(day.en)
                days.append(day)
                zh.append(f"{label.zh} {place(figure)}{day.zh}")
                en.append(f"{label.en} {place(figure)}{day.en}")
            elif figure is not None:
                why = Said.of(figure.reason)
                days.append(Said("", ""))
                zh.append(f"没有{label.zh}（{why.zh}）")
                en.append(f"no {label.en} ({why.en})")
        return Said("，".join(zh) + "。", ", ".join(en) + ".")

    def _of_times(self, rows: Sequence[Row]) -> Said:
        """Years, days or events of companies: the first of them."""
        subject, first = self.subject(), rows[0]
        figures = self._figures_of(first)
        barred = self.coverage.barred
        zh = en = ""
        if isinstance(barred, Claim):
            zh, en = f"中有日线的{place(barred)}里", f", {place(barred)} with daily bars"
        if self.query.rows == "events":
            return Said(
                f"{subject.zh}{zh}，最近一次是{first.label.zh}，{figures.zh}",
                f"Of {subject.en}{en}, the latest is {first.label.en}: {figures.en}",
            )
        return Said(
            f"{subject.zh} {first.label.zh}：{figures.zh}",
            f"{subject.en}, {first.label.en}: {figures.en}",
        )
