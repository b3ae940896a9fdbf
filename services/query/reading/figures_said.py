"""Figures as a question may mean them: their names, and what times each can be had of.

Made from the catalogue alone. A growth is the id with a turn behind it: `net_profit:yoy`.
Two figures of one row put together are one too and stand wherever one may: `net_profit/equity`
(a quotient; `%` in per cent, `*`, `+`, `-`), `market_cap@industry` (its share of the total there).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal, NamedTuple

from services.core.catalogue import CATALOGUE, FigureEntry
from services.language.lattice import Token
from services.market.forecasts import ESTIMATES
from services.query.algebra.nodes import (
    OWN,
    YEAR_BEFORE,
    Arith,
    Change,
    Compare,
    Const,
    Course,
    Expr,
    Metric,
    Node,
    Over,
    Sign,
    Streak,
    When,
)

Had = Literal["latest", "year", "day"]
# Figures of a session, from the bars; the newest of some of them is asked for on its own.
_OF_A_DAY: Mapping[str, frozenset[Had]] = {
    "close": frozenset({"day", "latest"}),
    "pct_change": frozenset({"day", "latest"}),
    "open": frozenset({"day", "latest"}),
    "high": frozenset({"day", "latest"}),
    "low": frozenset({"day", "latest"}),
    "volume": frozenset({"day", "latest"}),
}
_NEWEST = (
    "market_cap", "total_shares", "float_shares", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "dy_l",
    "amplitude", "price_implied",
)  # fmt: skip
_OF_REPORTS = (
    "revenue", "net_profit", "total_assets", "total_liabilities", "equity", "eps", "dps", "bps",
    "roe", "net_margin", "debt_to_assets",
)  # fmt: skip
# What a source is asked for company by company; no list is made by it.
OF_NAMED: Mapping[str, frozenset[Had]] = {
    "gross_margin": frozenset({"year", "latest"}),
    "amount": frozenset({"latest"}),
    "previous_close": frozenset({"latest"}),
}
HAD: Mapping[str, frozenset[Had]] = {
    **OF_NAMED,
    **_OF_A_DAY,
    **dict.fromkeys(_NEWEST, frozenset[Had]({"latest"})),
    **dict.fromkeys(_OF_REPORTS, frozenset[Had]({"year", "latest"})),
}
# Turns that fold each company's own reports over the years said with them: `roe:mean`.
FOLDS: Mapping[str, Literal["mean", "median", "sum", "max", "min"]] = {
    "mean": "mean", "median": "median", "sum": "sum", "max": "max", "min": "min",
}  # fmt: skip
# Turns of the price that are a number of sessions.
_SESSIONS = frozenset({"longest_rise", "longest_fall", "new_highs"})
_RUNS = frozenset({"longest_rise", "longest_fall"})
# Turns that the answer says the days of.
_DATED = _RUNS | {"drawdown"}
# Turns that are how long it has gone on, up to the newest.
RUNS = frozenset({"rising", "falling", "positive", "negative"})
# A mean of closes over so many sessions, and the distance to it.
_MEANS = re.compile(r"(?:mean|line)\d+")
# The catalogue's own figures that are another's growth.
_GROWTH = {"revenue_yoy": "revenue:yoy", "net_profit_yoy": "net_profit:yoy"}


# What stands between the two figures of one that is put together.
_JOINTS: Mapping[str, Literal["div", "percent", "mul", "add", "sub"]] = {
    "/": "div", "%": "percent", "*": "mul", "+": "add", "-": "sub",
}  # fmt: skip
_JOINT = re.compile(r"[/%*+@-]")  # ids and turns have letters, digits and : alone


class Joined(NamedTuple):
    """A figure put together: of two others, or of one and whose total it is a share of."""

    how: Literal["div", "percent", "mul", "add", "sub", "share"]
    left: str
    right: str


def joined(figure: str) -> Joined | None:
    """What it is put together of; None for a figure of its own."""
    if (at := _JOINT.search(figure)) is None:
        return None
    how: Literal["div", "percent", "mul", "add", "sub", "share"] = _JOINTS.get(at[0], "share")
    return Joined(how, figure[: at.start()], figure[at.end() :])


def join_figures(left: str, joint: str, right: str) -> str | None:
    """Two figures put together; None where they are one already or their units cannot meet."""
    if left == right or joined(left) or joined(right):
        return None
    if joint in "+-" and not is_kin(left, right):
        return None
    if joint in "/%" and not is_kin(left, right):
        return None
    return f"{left}{joint}{right}"


def share_of(figure: str, whole: str) -> str | None:
    """Its share of the total of the industry or the market; None of what does not add up."""
    if ":" in figure or joined(figure) or not CATALOGUE[figure].additive:
        return None
    return f"{figure}@{whole}"


def base(figure: str) -> str:
    """The figure itself, without its turn."""
    return figure.partition(":")[0]


def had(figure: str) -> frozenset[Had]:
    """What times the figure (of whatever turn) can be had of."""
    if (of := joined(figure)) is None:
        return HAD[base(figure)]
    return had(of.left) if of.how == "share" else had(of.left) & had(of.right)


def unit(figure: str) -> str:
    """Its dimension: money, price, per_share, percent, multiple, shares, or a bare number."""
    if (of := joined(figure)) is not None:
        return {"div": "number", "percent": "percent", "share": "percent"}.get(of.how) or unit(
            of.left
        )
    of, _, turn = figure.partition(":")
    if turn in ("gain", "amount"):
        return CATALOGUE[of].unit
    if turn in _SESSIONS or (turn in RUNS and of == "close"):
        return "sessions"
    if turn in RUNS:
        return "number"
    is_level = turn in (*FOLDS, "lost") or (turn.startswith("mean") and is_up_to_now(turn))
    return "percent" if turn and not is_level else CATALOGUE[of].unit


def run_expression(of: str, turn: str) -> Expr:
    """The run of a figure up to the newest: sessions of a price, years of what reports say."""
    if of == "close":
        # What went before is no part of it, nor are sessions lost long ago.
        window = When(kind="lastn", count=60, unit="sessions")
        return Course(how="rising" if turn == "rising" else "falling", window=window)
    if turn in ("rising", "falling"):
        kind, held = "percent", Change(how="rate", of=of, since=YEAR_BEFORE, until=OWN)
    else:
        kind, held = CATALOGUE[of].unit, Metric(id=of, when=OWN)
    sign: Sign = "gt" if turn in ("rising", "positive") else "lt"
    zero = Const(value=0, unit={"per_share": "price"}.get(kind, kind))
    return Streak(grain="years", test=Compare(sign=sign, left=held, right=zero))


def mean_of_sessions(count: int) -> Over:
    """60日线: the mean close of the last so many sessions."""
    return Over(how="mean", of="close", window=When(kind="lastn", count=count, unit="sessions"))


def is_up_to_now(turn: str) -> bool:
    """Whether the turn is of the last years or sessions and takes no time: a run, a mean."""
    return turn in RUNS or _MEANS.match(turn) is not None


def up_to_now(of: str, turn: str) -> Expr:
    """The run; the mean close of so many sessions (`mean60`); how far the newest close stands above
    it (`line60`), in per cent of it.
    """
    if turn in RUNS:
        return run_expression(of, turn)
    mean = mean_of_sessions(int(turn[4:]))
    if turn.startswith("mean"):
        return mean
    gap = Arith(how="sub", left=Metric(id="close"), right=mean)
    return Arith(how="percent", left=gap, right=mean)


def is_kin(one: str, other: str) -> bool:
    """Whether two figures may be set against each other: a share's never against a company's."""
    alike = {"per_share": "price"}
    return alike.get(unit(one), unit(one)) == alike.get(unit(other), unit(other))


def is_of_days(figure: str) -> bool:
    """Whether it is a figure of sessions only or above all."""
    return "day" in had(figure)


def is_of_years(figure: str) -> bool:
    """Whether reports say it."""
    return "year" in had(figure)


def gain_of(figure: str) -> str | None:
    """By how much a reported figure grew: 净利润变化额, also where its growth was named."""
    of = figure.removesuffix(":yoy")
    return f"{of}:gain" if growth_of(of) else None


def turned_alike(figure: str, told: str) -> str:
    """Faster than total assets, behind a growth: than the growth of those."""
    turn = told.partition(":")[2]
    is_level = ":" not in figure and turn in ("yoy", "cagr")
    return f"{figure}:{turn}" if is_level and growth_of(figure) else figure


def growth_of(figure: str) -> str | None:
    """The growth of a reported figure."""
    if ":" in figure or joined(figure) or not is_of_years(figure):
        return None
    return f"{figure}:yoy"


# A股总市值 is a figure of a set, or of a company's listing: two words of a question.
_LISTED = re.compile(r"[a港美]股")


def names_of_figures() -> Iterator[tuple[str, str]]:
    """Every name and the figure it means, in both languages."""
    for figure in HAD:
        yield from ((name, figure) for name in _names(CATALOGUE[figure]) if not _LISTED.match(name))
    for figure, meant in _GROWTH.items():
        yield from ((name, meant) for name in _names(CATALOGUE[figure]))


def _names(row: FigureEntry) -> Iterator[str]:
    if row.id == "pct_change":  # 涨跌幅 is of any span of time, see `ask.ret`
        yield from (name for name in row.says if "日" in name or "daily" in name)
        return
    if row.id not in ("open", "high", "low"):  # 最高 alone is a superlative
        yield from (row.zh, row.en)
    yield from row.says
    yield from row.asks
    if row.id not in ("high", "low"):  # 新高 is the edge of a time: question_words.toml
        yield from row.questions


@cache
def unknown_figures() -> frozenset[str]:
    """Names of figures that this reader has no data of, though the catalogue knows them; 预测市盈率
    is 市盈率 with a word for what is expected.
    """
    return frozenset(
        name
        for row in CATALOGUE.figures.values()
        if row.id not in HAD and row.id not in _GROWTH and row.id not in ESTIMATES
        if row.asked is not None or row.kind == "valuation"
        for name in (row.zh, row.en, *row.says)
    )


# Figures that a rise of the price is of anyway.
_PRICED = frozenset({"close", "pct_change"})


def rises_itself(leaves: Sequence[Token]) -> bool:
    """市值涨了多少, 开盘涨了多少: whether a rise is said right behind a figure without one to show;
    it is that figure's, never the price's beside it.
    """
    return any(
        (other.cat, other.start) == ("ask", one.end)
        and other.sem in ("ret", "amount", "points")
        and one.cat == "METRIC"
        and base(str(one.sem)) not in _PRICED
        and growth_of(str(one.sem)) is None
        for one, other in pairwise(leaves)
    )


def made_of(figures: Sequence[str]) -> list[str]:
    """What figures are put together of, beside them: ROE of profit and equity. None of it where one
    is made of fewer than two.
    """
    needs = [CATALOGUE[one].needs if one in CATALOGUE else () for one in figures]
    parts = dict.fromkeys(part for one in needs for part in one if part not in figures)
    return list(parts) if all(len(one) > 1 for one in needs) else []


def is_told_with_days(expr: Node) -> bool:
    """Whether the answer says when it was: a highest or lowest, a longest run, a deepest fall."""
    return isinstance(expr, Over) or (isinstance(expr, Course) and expr.how in _DATED)
