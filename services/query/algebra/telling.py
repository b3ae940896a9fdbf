"""Nodes of the algebra in words, Chinese or English: expressions, tests, sets, times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import singledispatchmethod
from typing import Self

from services.core.catalogue import CATALOGUE
from services.core.periods import Period
from services.core.text import Text
from services.query.algebra import nodes as a
from services.query.algebra import words as w
from services.query.algebra.scopes import currency_in
from services.query.algebra.times import uses_reports

# What a change against the year before is called in English.
_ON_YEAR: Mapping[str, str] = {
    "rate": "year-on-year change",
    "difference": "change on the year",
    "multiple": "multiple of the year before",
}
# The order in which the marks of a set are said: A股, 沪市, 主板, 银行.
DIMS = ("market", "exchange", "board", "industry", "st", "symbol")


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells nodes. `names` call symbols; `at`: 0 Chinese, 1 English; `currency`: what the shares of
    the companies meant are traded in (see `currency_in`), empty where nobody knows.
    """

    names: Mapping[str, str]
    at: int
    currency: str = ""

    def pick(self, zh: str, en: str) -> str:
        """The one of the language."""
        return (zh, en)[self.at]

    def word(self, text: Text) -> str:
        """The text in the language."""
        return self.pick(text.zh, text.en)

    def of(self, name: str, /, **parts: object) -> str:
        """A phrase of `[phrases]` with its parts filled in."""
        return self.word(w.PHRASES[name]).format(**parts)

    def joined(self, parts: Sequence[str]) -> str:
        """Several, side by side."""
        return self.pick("、", ", ").join(parts)

    @singledispatchmethod
    def tell(self, node: a.Node) -> str:
        """An expression or predicate in words."""
        raise TypeError(type(node).__name__)

    @tell.register
    def _(self, node: a.Metric) -> str:
        when = self.when(node.when)
        gap = self.pick("", " ") if when else ""
        return f"{self.company(node.of)}{when}{gap}{self.metric(node.id, node.when)}"

    @tell.register
    def _(self, node: a.Const) -> str:
        return w.number_words(node.value, node.unit, self.at, self.currency)

    @tell.register
    def _(self, node: a.Arith) -> str:
        amounts = self.in_money_of(node)
        left, right = amounts.operand(node.left), amounts.operand(node.right)
        if node.how == "percent":
            return self.pick(f"{left}占{right}的百分比", f"{left} as a percentage of {right}")
        if node.how == "mul" and isinstance(node.right, a.Const):
            return self.pick(f"{left}的{right}倍", f"{right} times {left}")
        word = self.word(w.ARITH[node.how])
        return self.pick(f"{left}与{right}{word}", f"{left} {word} {right}")

    def operand(self, node: a.Node) -> str:
        """A side of an arithmetic figure."""
        told = self.tell(node)
        return f"({told})" if isinstance(node, a.Arith) else told

    @tell.register
    def _(self, node: a.Change) -> str:
        kind = self.word(w.CHANGES[node.how])
        owner, metric = self.company(node.company), self.metric(node.of, node.since)
        if node.since.kind == "before":
            kind = self.pick(kind, _ON_YEAR.get(node.how, kind))
            until = self.when(node.until)
            told = self.of("on_year", owner=owner, until=until, metric=metric, kind=kind)
            return told.replace("  ", " ").strip()
        if node.since.kind == "own" and (node.of, node.how) == ("close", "rate"):
            return self.pick(f"{owner}当期涨跌幅", f"{owner}price change of the period")
        if node.since.kind == "own":
            return self.pick(f"{owner}{metric}当年{kind}", f"{owner}{metric} {kind} over the year")
        first, last = self.end(node.since, first=True), self.end(node.until, first=False)
        zh = f"从{first}到{last}"
        if node.of == "close" and node.how == "rate":
            kind, metric, zh = self.pick("区间涨跌幅", "price change"), "", f"{first}至{last}"
        named = f"{owner}{kind}{f' of {metric}' if metric else ''}"
        is_one = node.since.kind == "lastn" and node.since == node.until
        zh = self.when(node.since) if is_one else zh
        en = f"over {self.when(node.since)}" if is_one else f"from {first} to {last}"
        return self.pick(f"{owner}{metric}{zh}的{kind}", f"{named} {en}")

    @tell.register
    def _(self, node: a.Over) -> str:
        fold, metric = self.word(w.FOLDS[node.how]), self.metric(node.of, node.window)
        owner, is_own = self.company(node.company), node.window.kind == "own"
        window = self.pick("当期", "the period") if is_own else self.when(node.window)
        return self.of("over", owner=owner, window=window, metric=metric, fold=fold)

    @tell.register
    def _(self, node: a.HistoryRank) -> str:
        owner, metric = self.company(node.company), self.metric(node.of)
        window = self.when(node.window)
        return self.of("history_rank", owner=owner, metric=metric, window=window)

    @tell.register
    def _(self, node: a.Course) -> str:
        owner, metric = self.company(node.company), self.metric(node.of, node.window)
        window, course = self.when(node.window), self.word(w.COURSES[node.how])
        return self.of("course", owner=owner, window=window, metric=metric, course=course)

    @tell.register
    def _(self, node: a.Across) -> str:
        among, fold, of = self.among(node), self.word(w.FOLDS[node.how]), self.operand(node.of)
        if node.how == "count" and isinstance(node.of, a.Const):  # each of them is one
            return self.pick(f"{among}的公司数", f"number of companies of {among}")
        if node.how == "count":
            return self.of("count_with", among=among, of=of)
        return self.pick(f"{among}的{of}{fold}", f"the {fold} {of} of {among}")

    @tell.register
    def _(self, node: a.Rank) -> str:
        among, of = self.among(node), self.operand(node.of)
        kind = self.pick(
            "分位" if node.percentile else "名次", "percentile" if node.percentile else "rank"
        )
        # The share it is ahead of from the highest down is the share below it: from the lowest up.
        is_up = (node.direction == "asc") is not node.percentile
        way = self.word(w.WAYS["asc" if is_up else "desc"])
        en = f"{way.replace(' ', '-')} {kind} of {of} among {among}"
        return self.pick(f"{of}在{among}中{way}的{kind}", en)

    @tell.register
    def _(self, node: a.Streak) -> str:
        word = {"years": ("年", "years"), "quarters": ("季", "quarters")}[node.grain][self.at]
        return self.of("streak", test=self.tell(node.test), word=word)

    @tell.register
    def _(self, node: a.In) -> str:
        if node.label:
            return self.word(w.list_words(node.label))
        if node.dim == "symbol":
            return self.joined([self.names.get(one, one) for one in node.values])
        return self.pick("或", " or ").join(
            self.word(w.mark_words(node.dim, one)) for one in node.values
        )

    @tell.register
    def _(self, node: a.Compare) -> str:
        sign, gap = self.word(w.SIGNS[node.sign]), self.pick("", " ")
        return f"{self.tell(node.left)}{gap}{sign}{gap}{self.against(node)}"

    def against(self, test: a.Compare) -> str:
        """What a figure is compared with."""
        return self.in_money_of(test.left).tell(test.right)

    def in_money_of(self, figure: a.Node) -> Self:
        """What tells the amounts beside a figure. Abroad those of a report are in the report's
        money, which need not be that of the shares: Tencent is traded in HKD and reports in CNY.
        """
        is_own = self.currency == "CNY" or not uses_reports(figure)
        return self if is_own else replace(self, currency=w.REPORTED)

    @tell.register
    def _(self, node: a.Loss) -> str:
        metric = self.metric(node.of)
        if node.when.kind != "latest":
            return self.pick(f"{self.when(node.when)}亏损", f"a loss in {self.when(node.when)}")
        return self.pick(f"亏损（来源不给{metric}）", f"a loss (no {metric} is given)")

    @tell.register
    def _(self, node: a.Every) -> str:
        window, test = self.when(node.window), self.tell(node.test)
        each = "each year on record" if node.window == a.ALL else f"each of {window}"
        return self.pick(f"{window}每期都{test}", f"{test} in {each}")

    @tell.register
    def _(self, node: a.Exists) -> str:
        window, test = self.when(node.window), self._bracketed(node.test)
        if node.least == 1:
            return self.pick(f"{window}至少一次{test}", f"at least once in {window} {test}")
        return self.of("at_least", window=window, least=node.least, test=test)

    @tell.register
    def _(self, node: a.AllOf) -> str:
        parts: list[str] = []
        before: a.Node | None = None
        for one in node.items:
            told = self._bracketed(one)
            if isinstance(one, a.Compare) and one.left == before:
                # Two bounds of one figure name it once: 不低于0倍且小于10倍.
                told = told.removeprefix(self.tell(one.left)).lstrip()
            before = one.left if isinstance(one, a.Compare) else None
            parts.append(told)
        return self.pick("且", " and ").join(parts)

    @tell.register
    def _(self, node: a.AnyOf) -> str:
        return self.pick("或", " or ").join(map(self._bracketed, node.items))

    def _bracketed(self, node: a.Node) -> str:
        """A test that is a part of another: in brackets where it has parts itself."""
        told = self.tell(node)
        return f"({told})" if isinstance(node, a.AllOf | a.AnyOf) else told

    @tell.register
    def _(self, node: a.Not) -> str:
        told = self.tell(node.item)
        if isinstance(node.item, a.In):
            return self.pick(f"不属于{told}", f"not in {told}")
        if isinstance(node.item, a.Loss):
            given = self.pick("来源给出", "is given"), self.metric(node.item.of)
            zh, en = f"非亏损（{given[0]}{given[1]}）", f"not a loss ({given[1]} {given[0]})"
            return (
                self.pick(zh, en) if node.item.when == a.LATEST else self.pick("非", "not ") + told
            )
        return self.pick(f"不满足({told})", f"not ({told})")

    def whom(self, scope: a.Pred) -> str:
        """A set of companies as one name: A股银行（不含四大行）, A shares in Banks."""
        items = a.items_of(scope)
        marks = [one for one in items if isinstance(one, a.In)]
        if not marks:
            return self.tell(scope)
        marks.sort(key=lambda one: DIMS.index(one.dim))
        told = [self.tell(one) for one in marks]
        out = [self.tell(one.item) for one in items if isinstance(one, a.Not)]
        rest = [one for one in items if not isinstance(one, a.In | a.Not)]
        more = [self._first_of(one, scope) or self.tell(one) for one in rest]
        if self.at == 0:
            named = "".join(told)
            named += "".join(f"（不含{one}）" for one in out)
            return named + "".join(f"（{one}）" for one in more)
        named = told[0] + "".join(f" in {one}" for one in told[1:])
        named += "".join(f" (without {one})" for one in out)
        return named + "".join(f" ({one})" for one in more)

    def _first_of(self, test: a.Pred, scope: a.Pred) -> str:
        """The so many first of a set by a figure, as a test within that set; empty where it is
        another test.
        """
        match test:
            case a.Compare(
                sign="le",
                left=a.Rank(own=None, percentile=False, within=within) as place,
                right=a.Const() as most,
            ) if within == a.both(*(one for one in a.items_of(scope) if one != test)):
                of, count = self.operand(place.of), w.number_words(most.value, "number", self.at)
                way = w.BEST[place.direction]
                return self.pick(f"{of}{way.zh}的{count}家", f"the {count} with the {way.en} {of}")
            case _:
                return ""

    def metric(self, name: str, when: a.When = a.LATEST) -> str:
        """The catalogue's label; in English small within a sentence, but for what is an acronym.
        The last close is that of the newest session alone.
        """
        if name not in CATALOGUE:
            return name
        if name in w.THEN and when.kind != "latest":
            return self.word(w.THEN[name])
        label = CATALOGUE[name].label("zh" if self.at == 0 else "en")
        small = self.at == 1 and label[:1].isupper() and label[1:2].islower()
        return label[0].lower() + label[1:] if small else label

    def company(self, symbol: str | None) -> str:
        """Whose figure it is, where it is not the row's."""
        if symbol is None:
            return ""
        name = self.names.get(symbol, symbol)
        return self.pick(f"{name}的", f"{name}'s ")

    def among(self, node: a.Across | a.Rank) -> str:
        """The companies a fold or rank is over."""
        if node.own is not None:
            return {
                "industry": self.pick("所在行业", "its industry"),
                "market": self.pick("所在市场", "its market"),
            }[node.own]
        if node.within is None:
            return self.pick("这些公司", "these companies")
        return replace(self, currency=currency_in(node.within)).whom(node.within)

    def end(self, when: a.When, *, first: bool) -> str:
        """One end of a change."""
        if when.kind == "latest":
            return self.pick("最新", "now")
        if when.kind == "all":
            return self.pick(*(("最早", "the first") if first else ("最新", "now")))
        if when.kind == "lastn":
            return self.of("start" if first else "end", window=self.when(when))
        if not first and when.last is None:
            return self.pick("最新", "now")
        if first and when.kind == "days" and when.first is None:
            return self.pick("最早", "the first")
        chosen = when.first if first else when.last
        return self.bound(
            when, chosen if chosen is not None else when.last if first else when.first
        )

    def bound(self, when: a.When, bound: int | date | None) -> str:
        """A year, a report, or a day."""
        if bound is None:
            own = when.kind == "own"
            return self.pick("当期", "that time") if own else self.pick("最新", "now")
        if when.kind == "quarters" and isinstance(bound, date):
            period = Period(bound.year, bound.month // 3)
            return period.label("zh" if self.at == 0 else "en")
        if isinstance(bound, int):
            return self.pick(f"{bound}年", f"{bound}")
        return bound.isoformat()

    def when(self, when: a.When | None) -> str:
        """A time or window; nothing of the newest, or of the row's own."""
        if when is None or when.kind in {"latest", "own", "before"}:
            return ""
        if when.kind == "all":
            return self.pick("历史", "history")
        if when.kind == "lastn":
            words = {
                "years": ("年", "years"),
                "quarters": ("个季度", "quarters"),
                "sessions": ("个交易日", "sessions"),
            }
            word, count = words[when.unit][self.at], when.count or 1
            return self.pick(f"最近{count}{word}", f"the last {count} {word}")
        if when.only:
            return self.pick("和", " and ").join(self.bound(when, one) for one in when.only)
        if when.first == when.last:
            return self.bound(when, when.first)
        first, last = (
            self.bound(when, when.first)
            if when.first is not None
            else self.pick("最早", "the first"),
            self.bound(when, when.last) if when.last is not None else self.pick("最新", "now"),
        )
        return self.pick(f"{first}至{last}", f"{first} to {last}")
