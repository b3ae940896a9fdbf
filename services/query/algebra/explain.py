"""The algebra told back in one exact sentence, Chinese or English. It knows nothing but the nodes:
what it says is what will be done.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import singledispatchmethod

from services.core.catalogue import CATALOGUE
from services.core.periods import Period
from services.core.rendering import Language
from services.query.algebra.nodes import (
    Across,
    AllOf,
    AnyOf,
    Arith,
    Change,
    Compare,
    Const,
    Every,
    Exists,
    Expr,
    HistoryRank,
    In,
    Loss,
    Metric,
    Node,
    Not,
    Over,
    Pred,
    Query,
    Rank,
    Several,
    Streak,
    When,
)

_Pair = tuple[str, str]
_SIGNS: Mapping[str, _Pair] = {
    "lt": ("小于", "below"),
    "le": ("不超过", "at most"),
    "gt": ("大于", "above"),
    "ge": ("不低于", "at least"),
    "eq": ("等于", "equal to"),
}
FOLDS: Mapping[str, _Pair] = {
    "mean": ("平均值", "mean"),
    "median": ("中位数", "median"),
    "sum": ("合计", "sum"),
    "max": ("最高值", "highest"),
    "min": ("最低值", "lowest"),
    "count": ("个数", "count"),
}
_ARITH: Mapping[str, str] = {"add": "+", "sub": "−", "mul": "×", "div": "÷", "percent": "÷"}
_CHANGES: Mapping[str, _Pair] = {
    "rate": ("变化率", "rate of change"),
    "difference": ("变化额", "change"),
    "multiple": ("变为的倍数", "multiple"),
    "cagr": ("年复合增长率", "compound growth a year"),
}
MARKS: Mapping[str, _Pair] = {
    "CN": ("A股", "A shares"),
    "HK": ("港股", "Hong Kong shares"),
    "US": ("美股", "US shares"),
    "SH": ("沪市", "Shanghai"),
    "SZ": ("深市", "Shenzhen"),
    "BJ": ("北交所", "Beijing"),
    "main": ("主板", "main board"),
    "chinext": ("创业板", "ChiNext"),
    "star": ("科创板", "STAR"),
    "bse": ("北交所", "Beijing exchange"),
    "b_share": ("B股", "B shares"),
    "hk": ("港股", "Hong Kong"),
    "us": ("美股", "US"),
    "ST": ("ST股", "ST shares"),
    "NASDAQ": ("纳斯达克", "Nasdaq"),
    "NYSE": ("纽交所", "NYSE"),
    "AMEX": ("美交所", "AMEX"),
}
_GROUPS: Mapping[str, _Pair] = {
    "industry": ("行业", "industry"),
    "market": ("市场", "market"),
    "board": ("板块", "board"),
    "company": ("公司", "company"),
}
_ROWS: Mapping[str, _Pair] = {
    "years": ("逐年", "by year"),
    "quarters": ("逐季", "by quarter"),
    "days": ("逐日", "by day"),
    "events": ("符合条件的交易日", "the sessions at which it holds"),
}
_UNITS: Mapping[str, _Pair] = {
    "percent": ("%", "%"),
    "multiple": ("倍", "x"),
    "shares": ("股", " shares"),
    "money": ("元", ""),
    "price": ("元", ""),
    "CNY": ("元人民币", " CNY"),
    "HKD": ("港元", " HKD"),
    "USD": ("美元", " USD"),
    "number": ("", ""),
}
_SCALES = (
    (("亿", 1e8), ("万", 1e4)),
    (("bn", 1e9), ("m", 1e6)),
)


def explain(query: Query | Several, names: Mapping[str, str], language: Language = "zh") -> str:
    """The sentence; `names` call symbols, in that language."""
    teller = Teller(names, 0 if language == "zh" else 1)
    if isinstance(query, Several):
        return (
            "；".join(map(teller.query, query.queries))
            if language == "zh"
            else "; ".join(map(teller.query, query.queries))
        )
    return teller.query(query)


def label_expression(expr: Expr, names: Mapping[str, str], language: Language = "zh") -> str:
    """What a column of that expression is called."""
    return Teller(names, 0 if language == "zh" else 1).tell(expr)


def explain_predicate(pred: Pred, names: Mapping[str, str], language: Language = "zh") -> str:
    """What a set of companies is called."""
    return Teller(names, 0 if language == "zh" else 1).tell(pred)


@dataclass(frozen=True, slots=True)
class Teller:
    """Tells nodes. `at`: 0 Chinese, 1 English."""

    names: Mapping[str, str]
    at: int

    def pick(self, zh: str, en: str) -> str:
        """The one of the language."""
        return (zh, en)[self.at]

    def query(self, query: Query) -> str:
        """The parts of a query in the order they are done."""
        parts = [*self._rows_of(query), *self._orders_of(query)]
        parts += [self._folded(one.how, one.of) for one in query.fold]
        for one in query.having:
            fold = self._folded(query.fold[one.fold].how, query.fold[one.fold].of)
            sign = _SIGNS[one.sign][self.at]
            parts.append(
                self.pick(f"只留{fold}{sign}", f"keep {fold} {sign} ") + self.tell(one.right)
            )
        if query.show:
            shown = self.pick("、", ", ").join(self.tell(one) for one in query.show)
            parts.append(self.pick("看", "show ") + shown)
        if query.check is not None:
            told = self.tell(query.check)
            parts.append(self.pick(f"问是否{told}", f"ask whether {told}"))
        return " · ".join(parts)

    def _rows_of(self, query: Query) -> list[str]:
        parts: list[str] = []
        if query.first is not None:
            inner = self.query(query.first)
            parts.append(self.pick(f"先取［{inner}］", f"first [{inner}]"))
        if query.scope is not None and not (query.first and query.first.scope == query.scope):
            parts.append(self.tell(query.scope))
        if query.rows in _ROWS:
            window = self.when(query.window)
            parts.append(
                f"{window}{self.pick('', ' ') if window else ''}{_ROWS[query.rows][self.at]}"
            )
        if query.where is not None:
            parts.append(self.pick("条件：", "where ") + self.tell(query.where))
        if query.group is not None:
            group = _GROUPS[query.group][self.at]
            parts.append(self.pick(f"按{group}分组", f"grouped by {group}"))
        return parts

    def _orders_of(self, query: Query) -> list[str]:
        parts: list[str] = []
        for one in query.order:
            by = self.tell(one.by) if one.by is not None else self._fold_at(query, one.fold or 0)
            down = one.direction == "desc"
            way = self.pick(
                "从高到低" if down else "从低到高", "high to low" if down else "low to high"
            )
            parts.append(self.pick(f"按{by}{way}", f"by {by}, {way}"))
        take = query.take
        if take is not None:
            per = _GROUPS[take.per][self.at] if take.per is not None else ""
            each = self.pick(f"每个{per}" if per else "", f" per {per}" if per else "")
            first, last = take.skip + 1, take.skip + take.count
            zh = f"取第{first}" if take.skip and take.count == 1 else f"取前{take.count}"
            zh = f"取第{first}到{last}" if take.skip and take.count > 1 else zh
            en = f"number {first}" if take.skip and take.count == 1 else f"top {take.count}"
            en = f"number {first} to {last}" if take.skip and take.count > 1 else en
            parts.append(self.pick(f"{each}{zh}", f"{en}{each}"))
        return parts

    def _fold_at(self, query: Query, at: int) -> str:
        if at >= len(query.fold):
            return self.pick("个数", "count")
        return self._folded(query.fold[at].how, query.fold[at].of)

    def _folded(self, how: str, of: Expr | None) -> str:
        if of is None:
            return self.pick("计数", "how many")
        fold = FOLDS[how][self.at]
        return self.pick(f"{self.tell(of)}的{fold}", f"{fold} of {self.tell(of)}")

    @singledispatchmethod
    def tell(self, node: Node) -> str:
        """An expression or predicate in words."""
        raise TypeError(type(node).__name__)

    @tell.register
    def _(self, node: Metric) -> str:
        when = self.when(node.when)
        gap = self.pick("", " ") if when else ""
        return f"{self.company(node.of)}{when}{gap}{self.metric(node.id)}"

    @tell.register
    def _(self, node: Const) -> str:
        unit, value = node.unit.removeprefix("money:"), node.value
        word = _UNITS.get(unit, ("", ""))[self.at]
        if unit in {"money", "shares", "CNY", "HKD", "USD"}:
            for name, scale in _SCALES[self.at]:
                if abs(value) >= scale:
                    return f"{value / scale:.15g}{name}{word}"
        return f"{value:.15g}{word}"

    @tell.register
    def _(self, node: Arith) -> str:
        left, right = self.tell(node.left), self.tell(node.right)
        times = " ×100%" if node.how == "percent" else ""
        return f"({left} {_ARITH[node.how]} {right}{times})"

    @tell.register
    def _(self, node: Change) -> str:
        kind = _CHANGES[node.how][self.at]
        owner, metric = self.company(node.company), self.metric(node.of)
        if node.since.kind == "before":
            until = self.when(node.until)
            return self.pick(
                f"{owner}{until}{metric}同比{kind}", f"{owner}{until} {metric}, {kind} on the year"
            ).replace("  ", " ")
        first, last = self.end(node.since, first=True), self.end(node.until, first=False)
        return self.pick(
            f"{owner}{metric}自{first}到{last}的{kind}",
            f"{owner}{metric} from {first} to {last}: {kind}",
        )

    @tell.register
    def _(self, node: Over) -> str:
        fold, metric = FOLDS[node.how][self.at], self.metric(node.of)
        owner, window = self.company(node.company), self.when(node.window)
        return self.pick(
            f"{owner}{window}{metric}的{fold}", f"{owner}{fold} of {metric} over {window}"
        )

    @tell.register
    def _(self, node: HistoryRank) -> str:
        owner, window, metric = (
            self.company(node.company),
            self.when(node.window),
            self.metric(node.of),
        )
        return self.pick(
            f"{owner}{metric}在自身{window}中的分位",
            f"{owner}percentile of {metric} in its own {window}",
        )

    @tell.register
    def _(self, node: Across) -> str:
        among, fold, of = self.among(node), FOLDS[node.how][self.at], self.tell(node.of)
        return self.pick(f"{among}{of}{fold}", f"{fold} {of} of {among}")

    @tell.register
    def _(self, node: Rank) -> str:
        among, of, down = self.among(node), self.tell(node.of), node.direction == "desc"
        kind = self.pick(
            "分位" if node.percentile else "名次", "percentile" if node.percentile else "rank"
        )
        way = self.pick(
            "从高到低" if down else "从低到高", "high to low" if down else "low to high"
        )
        return self.pick(f"{of}在{among}中{way}的{kind}", f"{kind} of {of} among {among}, {way}")

    @tell.register
    def _(self, node: Streak) -> str:
        grain = {
            "years": ("年", "years"),
            "quarters": ("季", "quarters"),
            "days": ("个交易日", "sessions"),
        }
        word, test = grain[node.grain][self.at], self.tell(node.test)
        return self.pick(
            f"到最近为止{test}的连续{word}数", f"{word} in a row, to the newest, with {test}"
        )

    @tell.register
    def _(self, node: In) -> str:
        if node.label:
            return node.label
        words = [
            self.names.get(one, one)
            if node.dim == "symbol"
            else MARKS.get(one, (one, one))[self.at]
            for one in node.values
        ]
        if node.dim == "symbol":
            return self.pick("、", ", ").join(words)
        return self.pick("或", " or ").join(words)

    @tell.register
    def _(self, node: Compare) -> str:
        sign = _SIGNS[node.sign][self.at]
        gap = self.pick("", " ")
        return f"{self.tell(node.left)}{gap}{sign}{gap}{self.tell(node.right)}"

    @tell.register
    def _(self, node: Loss) -> str:
        metric = self.metric(node.of)
        return self.pick(f"亏损（来源不给{metric}）", f"at a loss (no {metric} is given)")

    @tell.register
    def _(self, node: Every) -> str:
        window, test = self.when(node.window), self.tell(node.test)
        return self.pick(f"{window}每期都{test}", f"in each of {window}, {test}")

    @tell.register
    def _(self, node: Exists) -> str:
        window, test = self.when(node.window), self.tell(node.test)
        if node.least == 1:
            return self.pick(f"{window}至少一次{test}", f"at least once in {window}, {test}")
        return self.pick(
            f"{window}至少{node.least}次{test}", f"at least {node.least} times in {window}, {test}"
        )

    @tell.register
    def _(self, node: AllOf) -> str:
        parts = (
            f"({self.tell(one)})" if isinstance(one, AnyOf) else self.tell(one)
            for one in node.items
        )
        return self.pick("且", " and ").join(parts)

    @tell.register
    def _(self, node: AnyOf) -> str:
        parts = (
            f"({self.tell(one)})" if isinstance(one, AllOf) else self.tell(one)
            for one in node.items
        )
        return self.pick("或", " or ").join(parts)

    @tell.register
    def _(self, node: Not) -> str:
        return self.pick(f"不是({self.tell(node.item)})", f"not ({self.tell(node.item)})")

    def metric(self, name: str) -> str:
        """The catalogue's label."""
        if name not in CATALOGUE:
            return name
        return CATALOGUE[name].label("zh" if self.at == 0 else "en")

    def company(self, symbol: str | None) -> str:
        """Whose figure it is, where it is not the row's."""
        if symbol is None:
            return ""
        name = self.names.get(symbol, symbol)
        return self.pick(f"{name}的", f"{name}'s ")

    def among(self, node: Across | Rank) -> str:
        """The companies a fold or rank is over."""
        if node.own is not None:
            return {
                "industry": self.pick("所在行业", "its industry"),
                "market": self.pick("所在市场", "its market"),
            }[node.own]
        return (
            self.tell(node.within)
            if node.within is not None
            else self.pick("这些公司", "these companies")
        )

    def end(self, when: When, *, first: bool) -> str:
        """One end of a change."""
        if when.kind == "latest":
            return self.pick("最新", "now")
        chosen = when.first if first else when.last
        bound = chosen if chosen is not None else when.last if first else when.first
        return self.bound(when, bound)

    def bound(self, when: When, bound: int | date | None) -> str:
        """A year, a report, or a day."""
        if bound is None:
            return (
                self.pick("最新", "now") if when.kind != "own" else self.pick("当期", "that time")
            )
        if when.kind == "quarters" and isinstance(bound, date):
            period = Period(bound.year, bound.month // 3)
            return period.label("zh" if self.at == 0 else "en")
        if isinstance(bound, int):
            return self.pick(f"{bound}年", f"{bound}")
        return bound.isoformat()

    def when(self, when: When | None) -> str:
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
        first = (
            self.bound(when, when.first)
            if when.first is not None
            else self.pick("最早", "the first")
        )
        last = self.bound(when, when.last) if when.last is not None else self.pick("最新", "now")
        return self.pick(f"{first}至{last}", f"{first} to {last}")
