"""The algebra told back in one exact sentence, Chinese or English. It knows nothing but the nodes:
what it says is what will be done.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from services.core.rendering import Language
from services.core.text import NO_TEXT
from services.query.algebra import words as w
from services.query.algebra.nodes import (
    Compare,
    Expr,
    Metric,
    Node,
    Order,
    Pred,
    Query,
    Several,
    walk,
)
from services.query.algebra.scopes import currency_of, named_symbols
from services.query.algebra.telling import Teller


def explain(query: Query | Several, names: Mapping[str, str], language: Language = "zh") -> str:
    """The sentence; `names` call symbols, in that language."""
    sentence = _Sentence(Teller(names, 0 if language == "zh" else 1))
    queries = query.queries if isinstance(query, Several) else (query,)
    parts = [one for one in queries if isinstance(one, Query)]
    told = ("；" if language == "zh" else "; ").join(map(sentence.told, parts))
    return " ".join(told.split())


def label_expression(expr: Node, names: Mapping[str, str], language: Language = "zh") -> str:
    """What a column of that expression is called."""
    return Teller(names, 0 if language == "zh" else 1).tell(expr)


def listed_by(query: Query) -> tuple[Expr, ...]:
    """The figures a list has because they are in its conditions or its order."""
    tests = [query.where, query.check]
    compared = [one for pred in tests if pred for one in walk(pred) if isinstance(one, Compare)]
    ordered = [one.by for one in query.order if one.by is not None]
    return (*ordered, *(side for one in compared for side in (one.left, one.right)))


def left_out(query: Query, names: Mapping[str, str], language: Language) -> str:
    """The rows of a list that are left out, in brackets; empty where none is."""
    at = 0 if language == "zh" else 1
    told = _Sentence(Teller(names, at, currency_of(query))).without(query).lstrip("，, ")
    return told and (f"（{told}）" if at == 0 else f" ({told})")


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One query as a sentence."""

    t: Teller

    def told(self, query: Query) -> str:
        """The sentence of a query, without its mark at the end."""
        own = _Sentence(replace(self.t, currency=currency_of(query)))
        what = own._explain_groups(query) if query.group is not None else own._explain_list(query)
        what += own.without(query)
        if query.first is not None:
            inner, what = self.told(query.first), what.removeprefix("，").removeprefix(", ")
            what = self.t.pick(f"先取{inner}，再取其中{what}", f"first {inner}; of these {what}")
        return what

    def without(self, query: Query) -> str:
        """Which rows are left out: by their places, first of all, then of those left."""
        told = ""
        for one in query.less:
            by = self.t.joined([self._by(order) for order in one.order if order.by is not None])
            place = one.take.skip + 1 if one.take is not None else 0
            left = ("再去掉其余", ", then of the rest") if told else ("去掉", ", without")
            zh, en = f"，{left[0]}按{by}的第{place}家", f"{left[1]} number {place} by {by}"
            told += self.t.pick(zh, en)
        return told

    def _explain_groups(self, query: Query) -> str:
        if (best := self._best_groups(query)) is not None:
            return best
        group = self.t.word(w.GROUPED[str(query.group)])
        folds = self.t.joined([self._fold(query, at) for at in range(len(query.fold))])
        zh = f"{self._whom(query)}各{group}的{folds}"
        en = f"{folds} of {self._whom(query)} by {group}"
        for one in query.having:
            sign, right = self.t.word(w.SIGNS[one.sign]), self.t.tell(one.right)
            fold = self._fold(query, one.fold)
            zh, en = (
                f"{zh}，只留{fold}{sign}{right}的",
                f"{en}, only where {fold} is {sign} {right}",
            )
        return self.t.pick(zh, en) + self._order_of_groups(query)

    def _best_groups(self, query: Query) -> str | None:
        """The groups with the highest or lowest figure, where no more than that is asked."""
        take, orders = query.take, query.order
        plain = len(query.fold) == 1 and len(orders) == 1 and not query.having
        if not plain or take is None or take.skip or orders[0].by is not None:
            return None
        group, fold = self.t.word(w.GROUPED[str(query.group)]), self._fold(query, 0)
        down = orders[0].direction == "desc"
        best = self.t.pick("最高" if down else "最低", "highest" if down else "lowest")
        return self.t.pick(
            f"{self._whom(query)}各{group}中{fold}{best}的{take.count}个{group}",
            f"of {self._whom(query)} by {group}, the {take.count} with the {best} {fold}",
        )

    def _order_of_groups(self, query: Query) -> str:
        told = ""
        for one in query.order:
            by = self._fold(query, one.fold or 0) if one.by is None else self.t.tell(one.by)
            told += self.t.pick(f"，按{by}{self._way(one)}", f", by {by} {self._way(one)}")
        take = query.take
        if take is None:
            return told
        first, last = take.skip + 1, take.skip + take.count
        if not take.skip:
            return told + self.t.pick(f"取前{last}个", f", the first {last}")
        return told + self.t.pick(f"取第{first}至第{last}个", f", numbers {first} to {last}")

    def _explain_list(self, query: Query) -> str:
        rows = self._rows(query)
        folds = [self._fold(query, at) for at in range(len(query.fold))]
        shown = [self.t.tell(one) for one in query.show if one not in listed_by(query)]
        if query.check is not None:
            rows = self._explain_test(query.check, rows)
            return rows + (self.t.pick("，看", "; show ") + self.t.joined(shown) if shown else "")
        if folds and not (shown or query.take or query.order):
            told = self.t.joined(folds)
            if len(folds) == 1 and query.fold[0].of is None:
                counter = w.ROWS[query.rows].zh
                each = w.EACH.get(query.rows, NO_TEXT).en
                en = f"how many {rows} there are"
                if each:
                    en = f"the {w.COUNTED[query.rows].en} of {rows.replace(f' {each}', '')}"
                return self.t.pick(f"{rows}有多少{counter}", en)
            return self.t.pick(f"{rows}的{told}", f"the {told} of {rows}")
        if shown and self._is_plain(query):
            told = self.t.joined(shown)
            if query.rows == "one":
                return told
            rows = self.t.pick(f"{rows}的{told}", f"{told} of {rows}")
        elif shown:
            rows += self.t.pick("，看", "; show ") + self.t.joined(shown)
        if folds:
            rows += self.t.pick("，并算", "; and the ") + self.t.joined(folds)
        return rows

    @staticmethod
    def _is_plain(query: Query) -> bool:
        """Whether figures of companies are asked and no list is made."""
        return not (query.where or query.order or query.take or query.first)

    def _explain_test(self, test: Pred, rows: str) -> str:
        """A yes or no about the rows."""
        if isinstance(test, Compare) and isinstance(test.left, Metric) and test.left.of is None:
            left, right = self.t.tell(test.left), self.t.tell(test.right)
            sign = self.t.word(w.SIGNS[test.sign])
            return self.t.pick(
                f"{rows}的{left}是否{sign}{right}", f"whether {left} of {rows} is {sign} {right}"
            )
        told, has = self.t.tell(test), "have" if ", " in rows else "has"
        return self.t.pick(f"{rows}是否满足：{told}", f"whether {rows} {has} {told}")

    def _rows(self, query: Query) -> str:
        """Who or when the rows are, in their order."""
        whom, orders = self._whom(query), [one for one in query.order if one.by is not None]
        if query.rows not in {"companies", "one"}:
            whom = self._periods(query, whom)
        take = query.take
        if take is None:
            ways = [self._by(one) for one in orders]
            return whom + (self.t.pick("，按", ", by ") + self.t.joined(ways) if ways else "")
        first, last = take.skip + 1, take.skip + take.count
        counter = self.t.word(w.ROWS[query.rows])
        per = self.t.word(w.GROUPED[take.per]) if take.per is not None else ""
        if len(orders) == 1 and orders[0].by is not None and not take.skip:
            by, down = self.t.tell(orders[0].by), orders[0].direction == "desc"
            best = self.t.pick("最高" if down else "最低", "highest" if down else "lowest")
            each = self.t.pick(f"每个{per}", f" in each {per}") if per else ""
            count = "one" if last == 1 else str(last)
            of = f" of {whom}" if whom else ""
            en = f"the {count} {best} by {by}{each}{of}"
            if query.rows != "companies":
                row = counter.strip()
                of = of.replace(f" {w.EACH[query.rows].en}", "") if query.rows in w.EACH else of
                of = of.replace(" history", " on record")
                en = f"the {f'{last} {row}' if last > 1 else row[:-1]} with the {best} {by}{of}"
            return self.t.pick(f"{self._among(query, whom)}{each}{by}{best}的{last}{counter}", en)
        ways = self.t.joined([self._by(one) for one in orders])
        zh = f"{self._among(query, whom)}{f'每个{per}' if per else ''}"
        zh += f"按{ways}" if ways else ""
        zh += (
            f"取第{first}{f'至第{last}' * (last > first)}{counter}"
            if take.skip
            else f"取前{last}{counter}"
        )
        en = f"the first {last}{counter}"
        if take.skip:
            en = f"numbers {first} to {last}" if last > first else f"number {first}"
        en += f"{f' by {ways}' if ways else ''}{f' in each {per}' if per else ''}"
        return self.t.pick(zh, en + (f" of {whom}" if whom else ""))

    @staticmethod
    def _among(query: Query, whom: str) -> str:
        """Of whom the first are taken: A股中, or, where conditions are said, after a comma."""
        if not whom:
            return ""
        return (
            f"{whom}，取" if query.where is not None and query.rows == "companies" else f"{whom}中"
        )

    def _by(self, one: Order) -> str:
        by = self.t.tell(one.by) if one.by is not None else ""
        return f"{by}{self.t.pick('', ' ')}{self._way(one)}"

    def _way(self, one: Order) -> str:
        down = one.direction == "desc"
        return self.t.pick(
            "从高到低" if down else "从低到高", "high to low" if down else "low to high"
        )

    def _periods(self, query: Query, whom: str) -> str:
        """Years, quarters, days, or the sessions at which something held."""
        window = self.t.when(query.window)
        if query.rows == "events":
            where = self.t.tell(query.where) if query.where is not None else ""
            return self.t.pick(
                f"{whom}{window}{where}的交易日",
                f"sessions of {whom}{f' in {window}' if window else ''} with {where}",
            )
        each = self.t.word(w.EACH[query.rows])
        told = self.t.pick(f"{whom}{window}{each}", f"{whom} {window} {each}".replace("  ", " "))
        if query.where is None:
            return told
        where = self.t.tell(query.where)
        return self.t.pick(f"{told}中{where}的", f"{told} with {where}")

    def _whom(self, query: Query) -> str:
        """The companies, with the conditions on them."""
        if query.scope is None:
            return ""
        inside = query.first is not None and query.first.scope == query.scope
        whom = "" if inside else self.t.whom(query.scope)
        if query.where is None or query.rows != "companies":
            return whom
        where = self.t.tell(query.where)
        company = "的公司" if named_symbols(query.scope) is None else "的"
        return self.t.pick(
            f"{whom}{'中' if whom else ''}{where}{company}", f"{whom or 'those'} with {where}"
        )

    def _fold(self, query: Query, at: int) -> str:
        if at >= len(query.fold) or query.fold[at].of is None:
            return self.t.word(w.COUNTED[query.rows])
        one = query.fold[at]
        assert one.of is not None  # noqa: S101 — seen above
        return self.folded(one.how, one.of)

    def folded(self, how: str, of: Expr) -> str:
        """A fold of a figure: 市盈率(TTM)中位数, median P/E (TTM)."""
        fold = self.t.word(w.FOLDS[how])
        return self.t.pick(f"{self.t.tell(of)}{fold}", f"{fold} {self.t.tell(of)}")
