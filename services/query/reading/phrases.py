"""Phrases of a question: a noun phrase that is filled in any order, and the figure it means.

What a phrase leaves out is taken from elsewhere in the question or is the default; what it says
must reach the expression, so every function here gives None where it has no place for something.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Literal, NamedTuple

from services.query.algebra.nodes import (
    ALL,
    LATEST,
    OWN,
    YEAR_BEFORE,
    Across,
    AllOf,
    AnyOf,
    Arith,
    Change,
    Const,
    Course,
    Expr,
    Fold,
    HistoryRank,
    In,
    Metric,
    Over,
    Own,
    Pred,
    When,
    both,
)
from services.query.algebra.scopes import kind_of
from services.query.reading.figures_said import (
    FOLDS,
    RUNS,
    Joined,
    had,
    is_of_days,
    is_of_years,
    is_up_to_now,
    joined,
    unit,
    up_to_now,
)

Listings = tuple[str, ...]
# Money is counted in ten thousands at the least: 市值大于100 has lost its unit.
_LEAST_MONEY = 1e4
_YEARS = range(1990, 2100)
_HIGHEST_MULTIPLE = 1e4


@dataclass(frozen=True, slots=True)
class Time:
    """A time as reports count it (`periods`) and as sessions do (`days`); either may be missing.

    `year_said` is false for a bare 三季报 or 12月: it is of the year said beside it, or before.
    `parts`: the days of each of several times set side by side (1月4日和7日), of which `days` is
    the whole where one follows the other.
    """

    periods: When | None = None
    days: When | None = None
    year_said: bool = True
    # 最近: of what has no days it says nothing.
    lately: bool = False
    # 年报, 三季报: said as a report, not as a span of days.
    is_report: bool = False
    is_end: bool = False  # 2015年底: what goes on from it begins behind its close
    parts: tuple[When, ...] = ()

    @property
    def is_one_year(self) -> bool:
        """Whether it is a single fiscal year or report."""
        when = self.periods
        return when is not None and when.kind not in ("lastn", "all") and when.first == when.last

    @property
    def is_many_years(self) -> bool:
        """Whether it is several fiscal years or reports."""
        return self.periods is not None and not self.is_one_year


class Amount(NamedTuple):
    """A number said. `unit`: number, percent, multiple, shares, LOCAL or a currency. `scaled`: a
    万 or a million was said. `vague`: 几百亿, 20倍左右."""

    value: float
    unit: str
    scaled: bool = False
    vague: bool = False


_NEWEST = When(kind="lastn", count=1, unit="sessions")


@dataclass(frozen=True, slots=True)
class Fig:
    """What a noun phrase says of a figure: whose, of what set, when, which figures, folded how.

    `ents`: companies, each as the listings it may be. `series`: each of its years or days.
    """

    ents: tuple[Listings, ...] = ()
    scope: Pred | None = None
    when: Time | None = None
    mets: tuple[str, ...] = ()
    agg: Fold | None = None
    peer: Own | None = None
    series: str | None = None
    # Sets joined by 和: a fold is of each of them. `also`: a second fold asked of the same.
    apart: bool = False
    also: Fold | None = None

    def merged(self, other: "Fig") -> "Fig | None":
        """Both together; None where they say the same thing twice."""
        made: dict[str, object] = {}
        for one in fields(self):
            mine, theirs = getattr(self, one.name), getattr(other, one.name)
            if mine and theirs:
                if one.name != "scope" or not can_meet(mine, theirs):
                    return None
                made[one.name] = both(mine, theirs)
            else:
                made[one.name] = mine or theirs
        is_noun = other == Fig(peer="industry") and "industry" in dimensions(self.scope)
        if is_noun and not (self.ents or self.agg):
            made["peer"] = None  # 电力行业: the one that was named
        return Fig(**made)  # pyright: ignore[reportArgumentType] — the fields' own values

    @property
    def single(self) -> str | None:
        """The one figure named, where it is not put together of others."""
        return self.mets[0] if len(self.mets) == 1 and joined(self.mets[0]) is None else None

    @property
    def over_years(self) -> "Fig | None":
        """近三年平均ROE: its fold as part of each figure; None where it is over companies."""
        many = self.when is not None and self.when.is_many_years
        if not many or self.agg not in FOLDS or self.also or not self.mets:
            return None
        mets = [one.removesuffix(":lost") for one in self.mets]
        if any(":" in one or joined(one) or not is_of_years(one) for one in mets):
            return None
        return replace(self, mets=tuple(f"{one}:{self.agg}" for one in mets), agg=None)

    @property
    def is_plain(self) -> bool:
        """A figure of the rows of a screen: no fold, no comparison group."""
        return bool(self.mets) and not self.peer and not self.agg


def dimensions(pred: Pred | None) -> set[str]:
    """What kinds of set it names outside of negations."""
    if isinstance(pred, In):
        return {kind_of(pred)}
    if isinstance(pred, AllOf | AnyOf):
        return {dim for item in pred.items for dim in dimensions(item)}
    return set()


def can_meet(one: Pred, other: Pred) -> bool:
    """Whether sets of two kinds are one: an exchange has none but one board of several (沪市主板和
    创业板)."""
    sizes = {each.dim: len(each.values) for each in (one, other) if isinstance(each, In)}
    is_of_boards = "exchange" in sizes and sizes.get("board", 1) > 1
    return not (dimensions(one) & dimensions(other) or is_of_boards)


def figure(name: str, phrase: Fig, *, own: bool = False) -> Expr | None:
    """The expression of one figure of a phrase. `own`: of the row's own year or day."""
    if (parts := joined(name)) is not None:
        return _put_together(parts, phrase, own=own) if phrase.agg is None else None
    name = name.removesuffix(":lost")  # told with its sign
    of, _, turn = name.partition(":")
    if (fold := FOLDS.get(turn)) is not None:
        if phrase.agg is not None:
            return None
        return Over(how=fold, of=of, window=OWN) if own else _fold_figure(of, phrase.when, fold)
    if is_up_to_now(turn):
        return None if phrase.when or phrase.agg or own else up_to_now(of, turn)
    made_of = _OF_EACH_ROW if own else _OF_ITS_TIME
    if (make := made_of.get(turn)) is not None:
        return make(of, phrase.when) if phrase.agg is None else None
    if own:
        return None if phrase.agg or turn in _OF_ITS_TIME else Metric(id=of, when=OWN)
    if of in ("high", "low") and not is_one_day(phrase.when):
        return _extreme(of, phrase.when, phrase.agg)
    return _fold_figure(of, phrase.when, phrase.agg) if phrase.agg else _plain(of, phrase.when)


def _put_together(parts: Joined, phrase: Fig, *, own: bool) -> Expr | None:
    """Two figures of one row, of the same time."""
    left = figure(parts.left, phrase, own=own)
    if parts.how == "share":
        if left is None or own or parts.right not in ("industry", "market"):
            return None
        whole = Across(
            how="sum", of=left, own="industry" if parts.right == "industry" else "market"
        )
        return Arith(how="percent", left=left, right=whole)
    right = figure(parts.right, phrase, own=own)
    if left is None or right is None:
        return None
    return Arith(how=parts.how, left=left, right=right)


def said_as(expr: Expr) -> tuple[str, Fold | None] | None:
    """The figure as a phrase names it, and its fold: what `figure` makes the expression of."""
    match expr:
        case Metric():
            return expr.id, None
        case Change(how="rate" | "difference" as how, of="close"):
            return "close:ret" if how == "rate" else "close:amount", None
        case Change(how="rate", since=since) if since == YEAR_BEFORE:
            return f"{expr.of}:yoy", None
        case Change(how="difference", of=of, since=since) if of != "close" and since == YEAR_BEFORE:
            return f"{of}:gain", None
        case Change(how="cagr"):
            return f"{expr.of}:cagr", None
        case Over():
            return expr.of, expr.how
        case Course(of="close"):
            return f"close:{expr.how}", None
        case Arith(how="percent", right=Across(how="sum", of=of, own=own)) if (
            of == expr.left and own
        ):
            return _joined_as(expr.left, "@", None, own)
        case Arith():
            joints = {"div": "/", "percent": "%", "mul": "*", "add": "+", "sub": "-"}
            return _joined_as(expr.left, joints[expr.how], expr.right)
        case _:
            return None


def _joined_as(
    left: Expr, joint: str, right: Expr | None, whole: str = ""
) -> tuple[str, None] | None:
    one, other = said_as(left), said_as(right) if right is not None else (whole, None)
    if one is None or other is None or one[1] or other[1]:
        return None
    return f"{one[0]}{joint}{other[0]}", None


def _plain(of: str, time: Time | None) -> Expr | None:
    if time is None or (time.lately and not is_of_days(of)):
        return Metric(id=of) if "latest" in had(of) else None
    if is_of_years(of):
        one = time.periods if time.is_one_year else None
        return Metric(id=of, when=one) if one is not None else None
    if is_of_days(of) and is_one_day(time):
        return Metric(id=of, when=time.days or LATEST)
    return _return(time) if of == "pct_change" else None  # 2016年涨得最多的: over the year


def _fold_figure(of: str, time: Time | None, agg: Fold) -> Expr | None:
    """A fold of one company's own figures. A single report has nothing to fold."""
    if is_of_days(of):
        window = ALL if time is None else time.days
        if time is None and agg not in ("max", "min"):
            return None
        return Over(how=agg, of=of, window=window) if window and not is_one_day(time) else None
    if not is_of_years(of) or (time is None and agg not in ("max", "min")):
        return None
    if time is None:
        return Over(how=agg, of=of, window=ALL)
    return Over(how=agg, of=of, window=time.periods) if time.is_many_years else None  # pyright: ignore[reportArgumentType] — many years have periods


def _extreme(of: str, time: Time | None, agg: Fold | None) -> Expr | None:
    """最高价 of a span is its highest high; an average of highs is nobody's figure."""
    how: Fold = "max" if of == "high" else "min"
    if agg not in (None, how):
        return None
    if time is None and agg is None:
        return Metric(id=of)  # of today: a live quote
    window = time.days if time is not None else None
    return Over(how=how, of=of, window=window) if window is not None else None


def _off(of: str, time: Time | None, how: Fold | None = None) -> Expr | None:
    """How far the newest close stands below the highest high or close, or above the lowest, of a
    time: in per cent of that.
    """
    time, how = time or Time(days=ALL), how or ("min" if of == "low" else "max")
    edge = _extreme(of, time, how) if of in ("high", "low") else _fold_figure(of, time, how)
    if edge is None or is_one_day(time):
        return None
    close = Metric(id="close")
    sides = (close, edge) if how == "min" else (edge, close)
    gap = Arith(how="sub", left=sides[0], right=sides[1])
    return Arith(how="percent", left=gap, right=edge)


def _place(of: str, time: Time | None) -> Expr | None:
    """Where the newest lies in the figure's own past."""
    if time is None:
        return HistoryRank(of=of)
    window = time.periods if is_of_years(of) else time.days
    is_one = time.is_one_year if is_of_years(of) else is_one_day(time)
    return HistoryRank(of=of, window=window) if window is not None and not is_one else None


def _growth(of: str, time: Time | None, how: Literal["rate", "difference"]) -> Expr | None:
    if not is_of_years(of):
        return None
    if time is None:
        return Change(how=how, of=of, since=YEAR_BEFORE, until=LATEST)
    when = time.periods
    if when is None or when.kind == "lastn":
        return None
    if time.is_one_year:
        return Change(how=how, of=of, since=YEAR_BEFORE, until=when)
    return _between(of, how, when)


def _growth_of_row(of: str, _: Time | None, how: Literal["rate", "difference"]) -> Expr | None:
    return Change(how=how, of=of, since=YEAR_BEFORE, until=OWN) if is_of_years(of) else None


def _course(of: str, time: Time | None, how: str) -> Expr | None:
    if time is not None and (time.days is None or is_one_day(time)):
        return None
    window = time.days if time is not None and time.days is not None else ALL
    return Course(how=how, of=of, window=window)  # pyright: ignore[reportArgumentType] — one of them


def _cagr(of: str, time: Time | None) -> Expr | None:
    if not is_of_years(of) or time is None or not time.is_many_years or time.periods is None:
        return None
    when = time.periods
    if when.kind == "lastn" and when.unit == "years" and (when.count or 0) > 1:
        return Change(how="cagr", of=of, since=when, until=when)
    return _between(of, "cagr", time.periods)


def _between(of: str, how: str, when: When) -> Expr | None:
    if when.kind != "years" or when.first is None or when.only:
        return None
    since = When(kind="years", first=when.first, last=when.first)
    until = LATEST if when.last is None else When(kind="years", first=when.last, last=when.last)
    return Change(how=how, of=of, since=since, until=until)  # pyright: ignore[reportArgumentType] — one of the four


def _return(time: Time | None) -> Expr | None:
    if time is None:
        return Metric(id="pct_change")
    if time.days is None or time.parts:
        return None
    if is_one_day(time):
        return Metric(id="pct_change", when=time.days)
    return Change(how="rate", of="close", since=time.days, until=time.days)


def _moved(of: str, time: Time | None) -> Expr | None:
    """How far the price moved, in its own unit: over a span, or in the newest session."""
    window = _NEWEST if time is None or time.days == LATEST else time.days
    if window is None or (time is not None and time.parts):
        return None
    return Change(how="difference", of=of, since=window, until=window)


# How far the price went in the row's own time.
RETURN_OF_ROW = Change(how="rate", of="close", since=OWN, until=OWN)
# What a turn makes of a figure and the time said with it, and of the row's own time.
_COURSES = ("drawdown", "longest_rise", "longest_fall", "new_highs", "volatility")
_OF_ITS_TIME: Mapping[str, Callable[[str, Time | None], Expr | None]] = {
    "place": _place, "off": _off, "above": partial(_off, how="min"), "amount": _moved,
    "yoy": partial(_growth, how="rate"), "gain": partial(_growth, how="difference"), "cagr": _cagr,
    "ret": lambda _, time: _return(time), "fall": lambda _, time: _return(time),
    **{one: partial(_course, how=one) for one in _COURSES},
}  # fmt: skip
_OF_EACH_ROW: Mapping[str, Callable[[str, Time | None], Expr | None]] = {
    "yoy": partial(_growth_of_row, how="rate"), "gain": partial(_growth_of_row, how="difference"),
    "ret": lambda _, __: RETURN_OF_ROW, "fall": lambda _, __: RETURN_OF_ROW,
}  # fmt: skip


def is_one_day(time: Time | None) -> bool:
    """Whether it is one session."""
    if time is None or time.days is None:
        return False
    return time.days == LATEST or (time.days.kind == "days" and time.days.first == time.days.last)


def constant(name: str, amount: Amount) -> Const | None:
    """The amount in the figure's unit; None where it cannot be one."""
    want, said = unit(name), amount.unit
    is_year = want == "percent" and said == "number" and amount.value in _YEARS  # gain over 2015
    if amount.vague or is_year:
        return None
    value = amount.value
    if said == "LOCAL" or len(said) == 3:
        if want == "money" and abs(value) < _LEAST_MONEY and value:
            return None
        if want not in ("money", "price", "per_share"):
            return None
        kind = "money" if want == "money" else "price"
        return Const(value=value, unit=kind if said == "LOCAL" else f"{kind}:{said}")
    is_part_of_run = said == "percent" and name.partition(":")[2] in RUNS  # 连续几年增长超过10%
    if want == "number" and not is_part_of_run:  # a quotient: 0.3, 30 %, 3 times
        value = value / 100 if said == "percent" else value
        is_bare = said in ("percent", "multiple", "number") and not amount.scaled
        return Const(value=value) if is_bare else None
    if said in ("percent", "multiple", "shares", "sessions"):
        return Const(value=value, unit=said) if said == want else None
    if amount.scaled and want in ("multiple", "percent", "price", "per_share"):
        return None
    if want == "money" and not amount.scaled and abs(value) < _LEAST_MONEY and value:
        return None
    if want == "multiple" and abs(value) >= _HIGHEST_MULTIPLE:
        return None
    return Const(value=value, unit={"per_share": "price"}.get(want, want))


def reference(phrase: Fig, like: Fig) -> Expr | None:
    """The right side of a comparison: what it does not say it takes over from the left."""
    figures = phrase.mets or like.mets
    if len(figures) != 1:
        return None
    name, time = figures[0], phrase.when or like.when
    if phrase.ents:
        return _of_companies(phrase, name, time)
    if phrase.peer and phrase.scope is not None:
        return None
    if phrase.peer or (phrase.scope is not None and phrase.agg):
        of = figure(name, Fig(when=time))
        if of is None or isinstance(of, Over):
            return None
        # What a peer comes to is the middle one, as on every page (services/market/peers.py).
        how: Fold = phrase.agg or "median"
        if phrase.peer:
            return Across(how=how, of=of, own=phrase.peer)
        return Across(how=how, of=of, within=phrase.scope)
    if phrase.scope is not None:
        return None
    if phrase.mets or phrase.when or (phrase.agg in ("max", "min") and is_of_days(name)):
        return figure(name, replace(Fig(), when=time, agg=phrase.agg))
    return None


def _of_companies(phrase: Fig, name: str, time: Time | None) -> Expr | None:
    """The figure of a company; 五粮液、洋河加起来: the total of several."""
    if len(phrase.ents) == 1:
        if len(phrase.ents[0]) != 1 or phrase.scope or phrase.peer:
            return None
        return owned(figure(name, Fig(when=time, agg=phrase.agg)), phrase.ents[0][0])
    of, members = figure(name, Fig(when=time)), [one[0] for one in phrase.ents if len(one) == 1]
    is_total = phrase.agg == "sum" and not (phrase.scope or phrase.peer)
    if of is None or isinstance(of, Over) or len(members) != len(phrase.ents) or not is_total:
        return None
    return Across(how="sum", of=of, within=In(dim="symbol", values=tuple(members)))


def owned(expr: Expr | None, symbol: str) -> Expr | None:
    """The same figure of that company; None for what has no company."""
    if isinstance(expr, Metric):
        return expr.but(of=symbol)
    if isinstance(expr, Over | Change):
        return expr.but(company=symbol)
    if isinstance(expr, Arith):
        left, right = owned(expr.left, symbol), owned(expr.right, symbol)
        if left is not None and right is not None:
            return expr.but(left=left, right=right)
    return None
