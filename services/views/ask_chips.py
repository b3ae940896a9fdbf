"""A query of the algebra as chips: each part of it in words, with what it may be changed to.

A choice is a whole query: taking it is asking that, and nothing is read anew.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from services.core.catalogue import CATALOGUE
from services.core.errors import InputError
from services.core.text import Text
from services.query.algebra import words as w
from services.query.algebra.explain import explain, listed_by
from services.query.algebra.nodes import (
    AnyOf,
    Compare,
    Const,
    Folded,
    In,
    Metric,
    Node,
    Not,
    Order,
    Pred,
    Query,
    Take,
    both,
    items_of,
)
from services.query.algebra.scopes import currency_in
from services.query.algebra.telling import Teller
from services.query.algebra.types import check_query
from services.query.algebra.wire import query_json, read_query
from services.views.ask_view import Chip, ChipChoice

DIM_WORDS: Mapping[str, Text] = {
    "market": Text("市场", "Market"),
    "industry": Text("行业", "Industry"),
    "board": Text("板块", "Board"),
    "exchange": Text("交易所", "Exchange"),
    "st": Text("ST", "ST"),
    "symbol": Text("公司", "Companies"),
}
_ORDERS = ("market_cap", "pe_ttm", "pb", "roe", "net_profit")
_COUNTS = (5, 10, 20, 50)
_FOLDS = ("median", "mean", "max", "min", "sum")
_MOST = 40


@dataclass(frozen=True, slots=True)
class Chips:
    """Makes the chips of one query. `industries` of a market by its code."""

    query: Query
    names: tuple[Mapping[str, str], Mapping[str, str]]
    industries: Callable[[str], Sequence[str]]

    def made(self) -> tuple[Chip, ...]:
        """In the order of the picture: whom, under which conditions, in which order, how many."""
        return tuple(
            chip
            for part in (self._scope, self._where, self._order, self._take, self._fold, self._show)
            for chip in part()
        )

    def _say_node(self, node: Node) -> Text:
        zh, en = (one.tell(node) for one in self._tellers())
        return Text(zh, en)

    def _tellers(self) -> tuple[Teller, ...]:
        currency = currency_in(self.query.scope)
        return tuple(Teller(names, at, currency) for at, names in enumerate(self.names))

    def _with(self, **update: object) -> str | None:
        """The changed query; None where it would mean nothing."""
        changed = self.query.model_copy(update=update)
        return None if check_query(changed) else query_json(changed)

    def _choice(self, label: Text, **update: object) -> Iterator[ChipChoice]:
        if (query := self._with(**update)) is not None:
            yield ChipChoice(label, query)

    def _scope(self) -> Iterator[Chip]:
        if self.query.first is not None:
            zh, en = (
                explain(self.query.first, names, ("zh", "en")[at])
                for at, names in enumerate(self.names)
            )
            yield Chip("first", Text("先取", "First"), Text(zh, en), (), self._with(first=None))
        items = items_of(self.query.scope)
        for at, one in enumerate(items):
            rest = both(*items[:at], *items[at + 1 :])
            if isinstance(one, In):
                removed = self._with(scope=rest) if one.dim not in {"market", "symbol"} else None
                choices = tuple(self._others(one, items, at))
                yield Chip(f"scope_{at}", DIM_WORDS[one.dim], self._say_node(one), choices, removed)
            else:
                label = Text("不含", "Without") if isinstance(one, Not) else Text("范围", "Among")
                told = self._say_node(one.item if isinstance(one, Not) else one)
                yield Chip(f"scope_{at}", label, told, (), self._with(scope=rest))

    def _others(self, one: In, items: Sequence[Pred], at: int) -> Iterator[ChipChoice]:
        """Another market, which has its own industries; another industry of this one."""
        if one.dim == "market":
            for code in ("CN", "HK", "US"):
                if code not in one.values:
                    kept = [x for x in items if not isinstance(x, In) or x.dim == "st"]
                    scope = both(In(dim="market", values=(code,)), *kept)
                    yield from self._choice(w.MARKS[code], scope=scope)
        elif one.dim == "industry":
            markets = [x.values[0] for x in items if isinstance(x, In) and x.dim == "market"]
            for name in list(self.industries(markets[0] if markets else "CN"))[:_MOST]:
                if name not in one.values:
                    other = In(dim="industry", values=(name,))
                    scope = both(*items[:at], other, *items[at + 1 :])
                    yield from self._choice(w.mark_words("industry", name), scope=scope)
        elif one.dim == "symbol" and len(one.values) > 1:
            for symbol in one.values:
                left = one.model_copy(
                    update={"values": tuple(x for x in one.values if x != symbol), "label": None}
                )
                zh, en = (names.get(symbol, symbol) for names in self.names)
                label = Text(f"去掉{zh}", f"without {en}")
                scope = both(*items[:at], left, *items[at + 1 :])
                yield from self._choice(label, scope=scope)

    def _where(self) -> Iterator[Chip]:
        items = items_of(self.query.where)
        for at, one in enumerate(items):
            if _is_default(one):
                continue  # below ten means from nil on: a loss has no multiple
            removed = self._with(where=both(*items[:at], *items[at + 1 :]))
            if isinstance(one, Compare) and isinstance(one.right, Const):
                zh, en = (f"{_SIGNS[one.sign]} {teller.against(one)}" for teller in self._tellers())
                value = Text(zh, en)
                yield Chip(
                    f"where_{at}", self._say_node(one.left), value, (), removed, one.right.value
                )
            else:
                label = Text("任一", "Any of") if isinstance(one, AnyOf) else Text("条件", "Where")
                yield Chip(f"where_{at}", label, self._say_node(one), (), removed)

    def _order(self) -> Iterator[Chip]:
        for at, one in enumerate(self.query.order):
            down = one.direction == "desc"
            by = self._say_node(one.by) if one.by is not None else Text("结果", "the result")
            way = Text("高→低" if down else "低→高", "high→low" if down else "low→high")
            flipped = one.model_copy(update={"direction": "asc" if down else "desc"})
            rest = self.query.order[at + 1 :]
            choices = list(
                self._choice(
                    Text("改为从低到高" if down else "改为从高到低", "the other way round"),
                    order=(*self.query.order[:at], flipped, *rest),
                )
            )
            for name in _ORDERS if one.by is not None and self.query.rows == "companies" else ():
                other = Metric(id=name)
                if other != one.by and name in CATALOGUE:
                    order = Order(by=other, direction=one.direction)
                    label = Text(f"按{CATALOGUE[name].zh}", f"by {CATALOGUE[name].en}")
                    choices += self._choice(label, order=(order, *rest))
            value = Text(f"{by.zh} {way.zh}", f"{by.en} {way.en}")
            yield Chip(f"order_{at}", Text("排序", "Order"), value, tuple(choices), None)

    def _take(self) -> Iterator[Chip]:
        take = self.query.take
        if take is None:
            return
        first, last = take.skip + 1, take.skip + take.count
        value = Text(f"前{last}", f"first {last}")
        if take.skip:
            many = Text(f"第{first}–{last}", f"{first}–{last}")
            value = Text(f"第{first}", f"number {first}") if take.count == 1 else many
        choices = [
            choice
            for count in _COUNTS
            if count != take.count
            for choice in self._choice(
                Text(f"前{count}", f"first {count}"), take=Take(count=count, per=take.per)
            )
        ]
        following = Take(count=take.count, skip=take.skip + take.count, per=take.per)
        choices += self._choice(Text("接下来的", "the next ones"), take=following)
        yield Chip("take", Text("取", "Take"), value, tuple(choices), self._with(take=None))

    def _fold(self) -> Iterator[Chip]:
        if self.query.group is not None:
            yield Chip("group", Text("按", "By"), w.GROUPED[self.query.group], (), None)
        for at, one in enumerate(self.query.fold):
            if one.of is None:
                said = Text(f"{w.ROWS[self.query.rows].zh}数", "how many")
                yield Chip(f"fold_{at}", Text("算", "Compute"), said, (), None)
                continue
            of = self._say_node(one.of)
            choices = [
                choice
                for how in _FOLDS
                if how != one.how
                for choice in self._choice(w.FOLDS[how], fold=self._folds(at, how))
            ]
            told = Text(f"{of.zh}{w.FOLDS[one.how].zh}", f"{w.FOLDS[one.how].en} {of.en}")
            yield Chip(f"fold_{at}", Text("算", "Compute"), told, tuple(choices), None)

    def _folds(self, at: int, how: str) -> tuple[Folded, ...]:
        folds = list(self.query.fold)
        folds[at] = Folded.model_validate({"how": how, "of": folds[at].of})
        return tuple(folds)

    def _show(self) -> Iterator[Chip]:
        shown, seen = self.query.show, listed_by(self.query)
        for at, one in enumerate(shown):
            if one in seen:  # its condition or order is a chip already
                continue
            left = (*shown[:at], *shown[at + 1 :])
            removed = self._with(show=left) if left or self.query.where else None
            yield Chip(f"show_{at}", Text("看", "Show"), self._say_node(one), (), removed)
        if self.query.check is not None:
            yield Chip("check", Text("问", "Ask"), self._say_node(self.query.check), (), None)
        if self.query.window is not None:
            told = (Teller({}, at).when(self.query.window) for at in (0, 1))
            yield Chip("window", Text("时间", "Time"), Text(*told), (), None)


_SIGNS = {"lt": "<", "le": "≤", "gt": ">", "ge": "≥", "eq": "="}


def bounded(query: str, key: str, value: float) -> str:
    """The query with another number in that condition. Raises: InputError."""
    found = read_query(query)
    items = list(items_of(found.where))
    at = int(key.removeprefix("where_"))
    test = items[at] if key.startswith("where_") and at < len(items) else None
    if not isinstance(test, Compare) or not isinstance(test.right, Const):
        raise InputError("condition", key, Text("有界限的条件", "a condition with a bound"))
    items[at] = test.model_copy(update={"right": test.right.model_copy(update={"value": value})})
    return query_json(found.model_copy(update={"where": both(*items)}))


def _is_default(one: Pred) -> bool:
    """Whether a bound is the one that a multiple has by itself: not below nil."""
    if not isinstance(one, Compare) or not isinstance(one.right, Const):
        return False
    return one.sign == "ge" and one.right.value == 0 and one.right.unit == "multiple"
