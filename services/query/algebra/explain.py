"""The algebra told back in one exact sentence, Chinese or English. It knows nothing but the nodes:
what it says is what will be done.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from services.core.rendering import Language
from services.core.text import Text
from services.query.algebra import nodes as a
from services.query.algebra import words as w
from services.query.algebra.scopes import currency_in, named_symbols
from services.query.algebra.telling import Teller


def explain(query: a.Query | a.Several, names: Mapping[str, str], language: Language = "zh") -> str:
    """The sentence; `names` call symbols, in that language."""
    sentence = QuerySentence(Teller(names, 0 if language == "zh" else 1))
    queries = query.queries if isinstance(query, a.Several) else (query,)
    parts = [one for one in queries if isinstance(one, a.Query)]
    told = ("；" if language == "zh" else "; ").join(map(sentence.told, parts))
    return " ".join(told.split())


def say_unheld(unheld: a.Unheld) -> Text:
    """What was asked beside and nobody here has, named as it was asked for."""
    zh, en = list[str](), list[str]()
    if unheld.companies:
        zh.append(f"没有收录{''.join(f'「{one}」' for one in unheld.companies)}")
        en.append(f"no company called {', '.join(f'“{one}”' for one in unheld.companies)} here")
    if unheld.figures:
        zh.append(f"没有{''.join(f'「{one}」' for one in unheld.figures)}的数据")
        en.append(f"no data on {', '.join(f'“{one}”' for one in unheld.figures)}")
    return Text("，".join(zh), " and ".join(en))


def listed_by(query: a.Query) -> tuple[a.Expr, ...]:
    """The figures a list has because they are in its conditions or its order."""
    tests = [query.where, query.check]
    compared = [one for pred in tests for one in a.nodes_in(pred, a.Compare)]
    return (*query.ordered_by, *(side for one in compared for side in (one.left, one.right)))


def left_out(query: a.Query, names: Mapping[str, str], language: Language) -> str:
    """The rows of a list that are left out, in brackets; empty where none is."""
    at = 0 if language == "zh" else 1
    told = QuerySentence(Teller(names, at, currency_in(query.scope))).without(query).lstrip("，, ")
    return told and (f"（{told}）" if at == 0 else f" ({told})")


@dataclass(frozen=True, slots=True)
class QuerySentence:
    """One query as a sentence. What a method tells is one phrase: told_forms.py reads each back."""

    t: Teller

    def told(self, query: a.Query) -> str:
        """The sentence of a query, without its mark at the end."""
        own = replace(self, t=replace(self.t, currency=currency_in(query.scope)))
        what = own.groups(query) if query.group is not None else own.listed(query)
        what += own.without(query)
        if query.first is not None:
            inner, what = self.told(query.first), what.lstrip("，,; ")
            first = "" if query.first.first is not None else self.t.pick("先取", "first ")
            what = self.t.of("of_these", first=first, inner=inner, what=what)
        if query.unheld is not None:
            lack = say_unheld(query.unheld)
            what += self.t.pick(f"（{lack.zh}）", f" ({lack.en})")
        return what

    def without(self, query: a.Query) -> str:
        """Which rows are left out: by their places, first of all, then of those left."""
        told = ""
        for one in query.less:
            by = self._ways(one)
            place = one.take.skip + 1 if one.take is not None else 0
            left = ("再去掉其余", ", then of the rest") if told else ("去掉", ", without")
            zh, en = f"，{left[0]}按{by}的第{place}家", f"{left[1]} number {place} by {by}"
            told += self.t.pick(zh, en)
        return told

    def groups(self, query: a.Query) -> str:
        """A figure of each group, with its conditions and order."""
        if (best := self._best_groups(query)) is not None:
            return best
        group = self.t.word(w.GROUPED[str(query.group)])
        folds = self.folds(query)
        whom = self.whom(query)
        told = self.t.pick(f"{whom}各{group}的{folds}", f"{folds}{_of(whom)} by {group}")
        for one in query.having:
            sign, right = self.t.word(w.SIGNS[one.sign]), self.t.tell(one.right)
            told += self.t.of("having", fold=self.fold(query, one.fold), sign=sign, right=right)
        return told + self._order_of_groups(query)

    def _best_groups(self, query: a.Query) -> str | None:
        """The groups with the highest or lowest figure, where no more than that is asked."""
        take, orders = query.take, query.order
        plain = len(query.fold) == 1 and len(orders) == 1 and not query.having
        if not plain or take is None or take.skip or orders[0].by is not None:
            return None
        group, fold = self.t.word(w.GROUPED[str(query.group)]), self.fold(query, 0)
        best, whom = self.t.word(w.BEST[orders[0].direction]), self.whom(query)
        return self.t.pick(
            f"{whom}各{group}中{fold}{best}的{take.count}个{group}",
            f"the {take.count if take.count > 1 else 'one'} with the {best} {fold}"
            f"{_of(whom)} by {group}",
        )

    def _order_of_groups(self, query: a.Query) -> str:
        told = ""
        for one in query.order:
            by = self.fold(query, one.fold or 0) if one.by is None else self.t.tell(one.by)
            way = self.t.word(w.WAYS[one.direction])
            told += self.t.pick(f"，按{by}{way}", f", by {by} {way}")
        take = query.take
        if take is None:
            return told
        first, last = take.skip + 1, take.skip + take.count
        if not take.skip:
            en = f", the first {last}" if last > 1 else ", the first"
            return told + self.t.pick(f"取前{last}个", en)
        if first == last:
            return told + self.t.pick(f"取第{last}个", f", number {last}")
        return told + self.t.pick(f"取第{first}至第{last}个", f", numbers {first} to {last}")

    def listed(self, query: a.Query) -> str:
        """A list, or figures of its rows."""
        rows = self.rows(query)
        shown = [self.t.tell(one) for one in query.show if one not in listed_by(query)]
        more = self.t.pick("，看", "; show ") + self.t.joined(shown) if shown else ""
        if query.check is not None:
            return self._explain_test(query.check, rows) + more
        folds = self.folds(query)
        if folds and not (shown or query.take or query.order):
            if len(query.fold) == 1 and query.fold[0].of is None:
                counter, counted = w.ROWS[query.rows].zh, w.COUNTED[query.rows].en
                en = f"how many {rows} there are"
                if query.rows in w.EACH:
                    en = f"the {counted}{_of(self.periods(query, each=False))}"
                return self.t.pick(f"{rows}有多少{counter}", en)
            return self.t.pick(f"{rows}的{folds}", f"the {folds}{_of(rows)}")
        if shown and not (query.where or query.order or query.take or query.first):
            told = self.t.joined(shown)
            return told if query.rows == "one" else self._plain(told, rows, folds)
        if folds:
            more += self.t.pick("，并算", "; and the ") + folds
        return rows + more

    def _plain(self, told: str, rows: str, folds: str) -> str:
        """Figures of companies, where no list is made."""
        more = self.t.pick("，并算", "; and the ") + folds if folds else ""
        return self.t.pick(f"{rows}的{told}", f"{told} of {rows}") + more

    def _explain_test(self, test: a.Pred, rows: str) -> str:
        """A yes or no about the rows."""
        if isinstance(test, a.Compare) and isinstance(test.left, a.Metric) and test.left.of is None:
            left, right = self.t.tell(test.left), self.t.against(test)
            sign = self.t.word(w.SIGNS[test.sign])
            return self.t.of("whether", rows=rows, left=left, sign=sign, right=right)
        told = self.t.tell(test)
        return self.t.pick(f"{rows}是否满足：{told}", f"whether it holds of {rows}: {told}")

    def rows(self, query: a.Query) -> str:
        """Who or when the rows are, in their order."""
        orders = [one for one in query.order if one.by is not None]
        is_best = len(orders) == 1 and query.take is not None and not query.take.skip
        is_timed = query.rows not in {"companies", "one"}
        # The best days, or the first, are of a company, not of it day by day.
        is_first = query.take is not None and query.take.count == 1
        each = self.t.at == 0 or not ((is_best or is_first) and query.rows in w.EACH)
        whom = self.periods(query, each=each) if is_timed else self.whom(query)
        take, is_newest = query.take, a.NEWEST_FIRST in query.order
        if take is None:
            told = whom + (self.t.pick("，按", ", by ") + self._ways(query) if orders else "")
            return told + (self.t.pick("，从新到旧", ", newest first") if is_newest else "")
        first, last = take.skip + 1, take.skip + take.count
        counter = self.t.word(w.ROWS[query.rows])
        per = self.t.word(w.GROUPED[take.per]) if take.per is not None else ""
        each_zh, each_en = (f"每个{per}", f" in each {per}") if per else ("", "")
        is_screened = query.where is not None and not is_timed
        if is_best:
            by, best = self.t.tell(orders[0].by or query), self.t.word(w.BEST[orders[0].direction])
            among = f"{whom}{'，取' if is_screened else '中'}" if whom else ""
            en = f"the {'one' if last == 1 else last} {best} by {by}{each_en}"
            if query.rows != "companies":
                row = counter.strip()
                en = f"the {f'{last} {row}' if last > 1 else row[:-1]} with the {best} {by}"
            return self.t.pick(f"{among}{each_zh}{by}{best}的{last}{counter}", en + _of(whom))
        ways = self._ways(query)
        among = f"{whom}{'，' if is_screened else '中'}" if whom else ""
        end = ("最近", "last") if is_newest else ("前", "first")
        zh = f"{among}{each_zh}{f'按{ways}' if ways else ''}取{end[0]}{last}{counter}"
        en = f"the {end[1]} {last}{counter}" if last > 1 else f"the {end[1]}{counter[:-1]}"
        if take.skip:
            from_end = ("倒数", " from the last") if is_newest else ("", "")
            places = f"{from_end[0]}第{first}{f'至第{last}' * (last > first)}"
            zh = f"{zh.rpartition('取')[0]}取{places}{counter}"
            en = f"numbers {first} to {last}" if last > first else f"number {first}"
            en += from_end[1]
        return self.t.pick(zh, f"{en}{f' by {ways}' if ways else ''}{each_en}{_of(whom)}")

    def _ways(self, query: a.Query) -> str:
        return self.t.joined([self.way(one) for one in query.order if one.by is not None])

    def way(self, one: a.Order) -> str:
        """One key of an order with its direction."""
        by = self.t.tell(one.by) if one.by is not None else ""
        return f"{by}{self.t.pick('', ' ')}{self.t.word(w.WAYS[one.direction])}"

    def periods(self, query: a.Query, *, each: bool = True) -> str:
        """Years, quarters, days, or the sessions at which something held."""
        whom, window = self.whom(query), self.t.when(query.window)
        where = self.t.tell(query.where) if query.where is not None else ""
        if query.rows == "events":
            return self.t.pick(
                f"{whom}{window}{where}的交易日",
                f"sessions of {whom}{f' in {window}' if window else ''} with {where}",
            )
        row = self.t.word(w.EACH[query.rows]) if each else ""
        if query.window == a.ALL and not each:
            window = self.t.pick(window, "on record")
        parts = [one for one in (whom, window, row) if one]
        told = self.t.pick("", " ").join(parts)
        return told + (self.t.pick(f"中{where}的", f" with {where}") if where else "")

    def whom(self, query: a.Query) -> str:
        """The companies, with the conditions on them."""
        inside = query.first is not None and query.first.scope == query.scope
        whom = "" if inside or query.scope is None else self.t.whom(query.scope)
        if query.where is None or query.rows != "companies":
            return whom
        where = self.t.tell(query.where)
        company = "的" if whom and named_symbols(query.scope) is not None else "的公司"
        joint = "in" if isinstance(query.where, a.In) and query.where.dim != "symbol" else "with"
        return self.t.pick(
            f"{whom}{'中' if whom else ''}{where}{company}", f"{whom or 'those'} {joint} {where}"
        )

    def folds(self, query: a.Query) -> str:
        """Its folds, side by side."""
        return self.t.joined([self.fold(query, at) for at in range(len(query.fold))])

    def fold(self, query: a.Query, at: int) -> str:
        """A fold of a figure: 市盈率(TTM)中位数, median P/E (TTM)."""
        one = query.fold[at] if at < len(query.fold) else a.Folded(how="count")
        return tell_fold(one, query.rows, self.t)


def tell_fold(fold: a.Folded, rows: str, teller: Teller) -> str:
    """A fold over such rows: 市盈率(TTM)中位数, median P/E (TTM)."""
    counted = teller.word(w.COUNTED[rows])
    if fold.of is None:
        return counted
    how, of = teller.word(w.FOLDS[fold.how]), teller.tell(fold.of)
    if fold.how == "count":
        return teller.pick(f"有{of}的{counted}", f"{counted} with {of}")
    return teller.pick(f"{of}{how}", f"{how} {of}")


def _of(whom: str) -> str:
    """Of whom, in English, where anybody is named."""
    return f" of {whom}" if whom else ""
