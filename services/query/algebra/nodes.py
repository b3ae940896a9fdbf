"""The query algebra: what may be asked of the store, as frozen records. Data only.

A node knows nothing of the question's words but `said`, the character spans (half-open) it stands
for; they are no part of its meaning: two nodes are equal whatever words they were read from, and a
node's JSON leaves them out. Metric ids are those of the catalogue, symbols are canonical.
"""

from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Literal, Self, cast

from pydantic import Field

from services.core.record import Record

Direction = Literal["asc", "desc"]
Fold = Literal["mean", "median", "sum", "max", "min", "count"]
Sign = Literal["lt", "le", "gt", "ge", "eq"]
Grouping = Literal["industry", "market", "board"]
Own = Literal["industry", "market"]
Rows = Literal["companies", "years", "quarters", "months", "days", "events", "one"]
# Rows that are times of companies.
TIMED: frozenset[Rows] = frozenset({"days", "months", "quarters", "years"})
Dimension = Literal["market", "exchange", "board", "industry", "st", "symbol"]
# What other tools of the product answer.
ToolAction = Literal[
    "abnormal", "feed", "profile", "macro", "knowledge", "indicator", "news", "billboard", "peers",
    "score",
]  # fmt: skip
Span = tuple[int, int]


class Node(Record):
    """A part of a query; equal to another of the same meaning."""

    said: tuple[Span, ...] = Field(default=(), exclude=True)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        meaning = _meaning_of(type(self))
        return meaning(self) == meaning(other)

    def __hash__(self) -> int:
        return hash(_meaning_of(type(self))(self))

    def but(self, **changed: object) -> Self:
        """The same but for those fields."""
        return self.model_copy(update=changed)


@cache
def _fields_of(kind: type[Node]) -> tuple[str, ...]:
    """The fields that say what a node means: asked of pydantic once."""
    return tuple(name for name in kind.model_fields if name != "said")


@cache
def _meaning_of(kind: type[Node]) -> Callable[[object], object]:
    return attrgetter(*_fields_of(kind))


class When(Node):
    """The time of a figure, or a window.

    `latest`: the newest known. `years`: fiscal years `first`..`last`. `quarters`: report periods
    by the day they end on (2016-09-30 is the third quarter's report, year to date). `days`: dates
    `first`..`last`. `all`: everything known. `own`: the row's own year, quarter or day. `lastn`:
    the newest `count` of `unit`. `before`: one year before the other end of a change.
    `only`: of years or quarters these alone, in order (a window with gaps: 2012 and 2016).
    An open end of a window is None.
    """

    kind: Literal["latest", "years", "quarters", "days", "all", "own", "lastn", "before"] = "latest"
    first: int | date | None = None
    last: int | date | None = None
    only: tuple[int | date, ...] = ()
    count: int | None = None
    unit: Literal["years", "quarters", "sessions"] = "years"


LATEST, OWN, ALL, YEAR_BEFORE = When(), When(kind="own"), When(kind="all"), When(kind="before")


# Expressions: a figure of one row.
class Metric(Node):
    """A figure the store has, or the catalogue derives; `of`: another company's than the row's."""

    node: Literal["metric"] = "metric"
    id: str
    when: When = LATEST
    of: str | None = None


class Const(Node):
    """A number said. `unit`: number, percent, multiple, shares, price, money (of the market's own
    currency) or money:USD; in the unit itself (5 % is 5; 8 亿 is 800000000).
    """

    node: Literal["const"] = "const"
    value: float
    unit: str = "number"


class Arith(Node):
    """`percent` is left over right, in per cent."""

    node: Literal["arith"] = "arith"
    how: Literal["add", "sub", "mul", "div", "percent"]
    left: "Expr"
    right: "Expr"


class Change(Node):
    """What became of one figure from `since` to `until`: rate in %, difference, multiple, or cagr
    in % a year. Nothing from a base that is not positive, but a difference.
    """

    node: Literal["change"] = "change"
    how: Literal["rate", "difference", "multiple", "cagr"]
    of: str
    since: When
    until: When
    company: str | None = None


class Over(Node):
    """A fold of one company's own figures over a window."""

    node: Literal["over"] = "over"
    how: Fold
    of: str
    window: When
    company: str | None = None


class Across(Node):
    """A fold over companies: of a set, or of the row's own industry or market (itself included)."""

    node: Literal["across"] = "across"
    how: Fold
    of: "Expr"
    within: "Pred | None" = None
    own: Own | None = None


class Rank(Node):
    """The place among companies that have the figure, 1 the first in that direction; `percentile`:
    the share of the others it is ahead of, 0 to 100.
    """

    node: Literal["rank"] = "rank"
    of: "Expr"
    within: "Pred | None" = None
    own: Own | None = None
    direction: Direction = "desc"
    percentile: bool = False


class HistoryRank(Node):
    """Where the newest figure lies in the company's own history: the share of the window's figures
    that are below it, in per cent.
    """

    node: Literal["history_rank"] = "history_rank"
    of: str
    window: When = ALL
    company: str | None = None


class Course(Node):
    """How closes went from session to session within the window. `drawdown`: the deepest fall from
    one to a later one, in per cent, 0 or less; `longest_rise`, `longest_fall`: so many sessions in
    a row at most; `rising`, `falling`: so many up to the newest; `new_highs`: how many
    were above every earlier one of the window; `volatility`: the standard deviation of the daily
    changes (of a sample), in per cent.
    """

    node: Literal["course"] = "course"
    how: Literal[
        "drawdown", "longest_rise", "longest_fall", "rising", "falling", "new_highs", "volatility"
    ]  # fmt: skip
    of: str = "close"
    window: When = ALL
    company: str | None = None


class Streak(Node):
    """How many years or quarters in a row, up to the newest, the test has held; of sessions see
    `Course`. The test is about the figures of each: `OWN`.
    """

    node: Literal["streak"] = "streak"
    grain: Literal["years", "quarters"]
    test: "Compare"


Expr = Annotated[
    Metric | Const | Arith | Change | Over | Across | Rank | HistoryRank | Course | Streak,
    Field(discriminator="node"),
]


# Predicates: is this row wanted.
class In(Node):
    """The company belongs to any of `values` (CN; SH; chinext; 银行; ST; 600519.SH). `label`: what
    a list is called (四大行).
    """

    node: Literal["in"] = "in"
    dim: Dimension
    values: tuple[str, ...]
    label: str | None = None


class Compare(Node):
    """Two figures compared; a missing one never satisfies."""

    node: Literal["compare"] = "compare"
    sign: Sign
    left: Expr
    right: Expr


class Loss(Node):
    """The source gives no multiple because earnings are negative. Of a fiscal year (`when`): its
    net profit is negative, or it is the last one reported and unknown, and there is no multiple.
    """

    node: Literal["loss"] = "loss"
    of: str = "pe_ttm"
    when: When = LATEST


class Every(Node):
    """The test holds in each year, quarter or session of the window, none missing. The test is
    about the figures of each: `OWN`.
    """

    node: Literal["every"] = "every"
    window: When
    test: Compare


class Exists(Node):
    """At least `least` sessions (or years, quarters) of the window satisfy the test, which is about
    the figures of each: `OWN`. An event is a session at which a test holds.
    """

    node: Literal["exists"] = "exists"
    window: When
    test: "Pred"
    least: int = 1


class AllOf(Node):
    """All of these."""

    node: Literal["all"] = "all"
    items: tuple["Pred", ...]


class AnyOf(Node):
    """At least one of these."""

    node: Literal["any"] = "any"
    items: tuple["Pred", ...]


class Not(Node):
    """Whoever the item does not hold of, also where a figure is missing."""

    node: Literal["not"] = "not"
    item: "Pred"


Pred = Annotated[
    In | Compare | Loss | Every | Exists | AllOf | AnyOf | Not, Field(discriminator="node")
]


# The query.
class Order(Node):
    """By an expression of the row, or, of groups, by the fold of that place; by neither: by the
    row's own time (`NEWEST_FIRST`).
    """

    by: Expr | None = None
    fold: int | None = None
    direction: Direction = "desc"


NEWEST_FIRST = Order()


# 市值最大的银行 without a number: the first ten.
SHOWN = 10


class Take(Node):
    """`count` rows after `skip`, of all or of each group or company; `SHOWN` where nobody said how
    many.
    """

    count: int = SHOWN
    skip: int = 0
    per: Literal["industry", "market", "board", "company"] | None = None


class Folded(Node):
    """A figure over the rows, or over the rows of each group. `of` None: how many rows."""

    how: Fold
    of: Expr | None = None


class Having(Node):
    """A comparison of a group's fold, by its place, with a number."""

    fold: int = 0
    sign: Sign
    right: Const


class Unheld(Node):
    """What was asked beside and nobody has, in the asker's words: figures to be shown, companies.

    Nothing is done with it but to be told.
    """

    figures: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()


class Query(Node):
    """What is asked. `rows`: what one row is; months are of what sessions make of them. `scope`:
    which companies. `window`: which years, quarters or days, where a row is one (or a month).
    `where`: which rows. `first`: of this query's rows alone (of groups: of their companies);
    `less`: without the companies of these ones' rows. `check`: a yes or no asked of each row.
    `rows` events: sessions of any company at which `where` holds; one: a single row of figures
    that need no company of their own.
    """

    node: Literal["query"] = "query"
    rows: Rows = "companies"
    scope: Pred | None = None
    window: When | None = None
    where: Pred | None = None
    first: "Query | None" = None
    less: tuple["Query", ...] = ()
    show: tuple[Expr, ...] = ()
    order: tuple[Order, ...] = ()
    take: Take | None = None
    group: Grouping | None = None
    fold: tuple[Folded, ...] = ()
    having: tuple[Having, ...] = ()
    check: Pred | None = None
    unheld: Unheld | None = None


class Several(Node):
    """Questions asked in one sentence, answered one after another."""

    node: Literal["several"] = "several"
    queries: "tuple[Query | OtherTool, ...]"


class OtherTool(Node):
    """What another tool of the product answers."""

    node: Literal["tool"] = "tool"
    action: ToolAction
    symbols: tuple[str, ...] = ()
    text: str = ""


class Ask(Node):
    """Not answered: why (zh, en), the words not read, and readings to choose from."""

    node: Literal["ask"] = "ask"
    why: tuple[str, str]
    unread: tuple[str, ...] = ()
    options: tuple["Query | OtherTool", ...] = ()


for _model in (Arith, Across, Rank, Streak, Exists, AllOf, AnyOf, Not, Query, Several, Ask):
    _model.model_rebuild()


def items_of(pred: "Pred | None") -> "tuple[Pred, ...]":
    """The tests that must all hold, one by one; none where there is no test."""
    return pred.items if isinstance(pred, AllOf) else (pred,) if pred is not None else ()


def both(*preds: "Pred | None") -> "Pred | None":
    """All of these, flattened and each once; None where there is nothing."""
    items: list[Pred] = []
    for pred in preds:
        parts = items_of(pred)
        items += [part for part in parts if part not in items]
    if len(items) < 2:
        return items[0] if items else None
    return AllOf(items=tuple(items), said=_list_spans(items))


def either(*preds: "Pred") -> "Pred":
    """Any of these; memberships of one dimension become one. Raises: ValueError of nothing."""
    items: list[Pred] = []
    for pred in preds:
        parts = pred.items if isinstance(pred, AnyOf) else (pred,)
        items += [part for part in parts if part not in items]
    if not items:
        raise ValueError("either of nothing")
    members = [item for item in items if isinstance(item, In)]
    if len(members) == len(items) and len({item.dim for item in members}) == 1:
        # 白酒和家电: what one of them is called says it is finer than its source.
        labels = [item.label or "、".join(item.values) for item in members]
        return In(
            dim=members[0].dim,
            values=tuple(dict.fromkeys(value for item in members for value in item.values)),
            label="、".join(labels) if any(item.label for item in members) else None,
            said=_list_spans(items),
        )
    return items[0] if len(items) == 1 else AnyOf(items=tuple(items), said=_list_spans(items))


def parts_of(node: Node) -> Iterator[Node]:
    """The nodes that stand in it directly."""
    for name in _fields_of(type(node)):
        value: object = getattr(node, name)
        if value is None or isinstance(value, str):
            continue  # most are: asked first, as to be a Node is dear to ask
        parts = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        yield from (part for part in parts if isinstance(part, Node))


def walk(node: Node) -> Iterator[Node]:
    """The node and every node in it, outer ones first."""
    yield node
    for part in parts_of(node):
        yield from walk(part)


def figures_in(node: Node | None) -> Iterator[str]:
    """Every figure it is about, by itself or by what became of it."""
    for one in walk(node) if node is not None else ():
        name = one.id if isinstance(one, Metric) else getattr(one, "of", None)
        if isinstance(name, str):
            yield name


def rewrite(part: Any, change: Callable[[Node], Node]) -> Any:
    """A node, or several, with every node in it as `change` makes it, inner ones first."""
    if isinstance(part, tuple):
        return tuple(rewrite(one, change) for one in cast("tuple[object, ...]", part))
    if part is None or isinstance(part, str) or not isinstance(part, Node):
        return part
    held = ((name, getattr(part, name)) for name in _fields_of(type(part)))
    made = ((name, value, rewrite(value, change)) for name, value in held)
    changed = {name: now for name, value, now in made if now is not value and now != value}
    return change(part.model_copy(update=changed) if changed else part)


def _list_spans(nodes: list["Pred"]) -> tuple[Span, ...]:
    return tuple(sorted({span for node in nodes for span in node.said}))
