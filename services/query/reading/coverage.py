"""Whether every word of a question is in its plan: tried on the words themselves, one by one.

A plan that stays the same when a word is left out, and again when it is turned into its opposite,
has lost that word. The chart of the question is shared: only spans with the word are read anew.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from services.language.lattice import FUNCTION, Token
from services.query.algebra.nodes import (
    ALL,
    Across,
    Arith,
    Change,
    Compare,
    Course,
    Every,
    In,
    Loss,
    Metric,
    Node,
    OtherTool,
    Over,
    Query,
    Several,
    Take,
    When,
    figures_in,
    walk,
)
from services.query.algebra.scopes import named_symbols
from services.query.algebra.times import is_barred, is_reported
from services.query.reading.atoms import COUNTING
from services.query.reading.chart import OverBudgetError, ParseChart
from services.query.reading.figures_said import HAD, base, had, is_told_with_days, unit
from services.query.reading.follow_peaks import SINCE
from services.query.reading.names_listed import is_listed_there
from services.query.reading.other_tools import Meant, Served
from services.query.reading.phrases import Amount, Time
from services.query.reading.question_words import question_words
from services.query.reading.ranking import Candidate, chart_of, ranked
from services.query.reading.shapes import Market, are_within
from services.query.reading.tagging import Lattice
from services.query.reading.times_joined import in_year, is_in_one_month
from services.query.reading.worded_tests import is_of_a_year

_TURNED: Mapping[object, str] = {
    "asc": "desc", "desc": "asc", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "mean": "median",
    "up": "down", "down": "up", "industry": "market", "market": "industry", "low": "high",
    "high": "low", "median": "mean", "sum": "mean", "max": "min", "min": "max",
    "start": "end", "end": "start",
}  # fmt: skip
_TURNING = frozenset(
    {
        "sup",
        "bigsup",
        "bigplace",
        "ordsup",
        "higher",
        "cmp",
        "postcmp",
        "dir",
        "move",
        "pmove",
        "peer",
        "cheap",
        "cheaper",
        "dear",
        "agg",
        "edge",
    }
)
# A company in place of another.
_STAND_INS = ("600519.SH", "000001.SZ")
# Two sets of each kind, one of which is another than the one that was said.
_SETS = {"industry": ("银行", "汽车"), "board": ("chinext", "sme"), "exchange": ("SH", "SZ")}
# A ratio in place of another.
_RATIOS = ("net_profit%market_cap", "dps%eps")
# Kinds of words that only join, mark or point; a plan may be the same without them.
JOINING = frozenset({
    "COMMA", "noun", "follow", "only", "join", "bool", "between", "between2", "swap", "order",
    "since", "add", "after", "limit", "whole", "ba", "now", "ever", "THOSE", "as_well", "row",
    "oneof", "away", "alike",
})  # fmt: skip
# Words that say it of each of several years.
_EACH = frozenset({("edit", "all"), ("always", "always"), ("inrow", "asked"), ("ask", "series")})
PLAIN_ASKS = frozenset({"what", "yesno", "which", "daylist", "list", "ones", "times"})


def lost_words(
    lattice: Lattice,
    chart: ParseChart,
    reading: Candidate,
    before: Sequence[Query],
    market: Market,
    budget: int,
) -> tuple[tuple[int, int], ...]:
    """The spans of the words that are not in the plan. Raises: OverBudgetError."""
    return tuple(
        (leaf.start, leaf.end)
        for leaf in dict.fromkeys(reading.leaves)
        if _is_turned(leaf, lattice, reading)
        or _leaves_out(leaf, lattice)
        or _asks_a_figure(leaf, lattice, reading)
        or (
            not (is_plain(leaf, reading) or _names_their_set(leaf, reading.query, market))
            and not _is_used(lattice, chart, reading.query, leaf, before, market, budget)
        )
    )


def _names_their_set(leaf: Token, query: Meant, market: Market) -> bool:
    """Of the liquor names A, B and C: a set that all who are named are of."""
    if leaf.cat != "SCOPE" or not isinstance(query, Query):
        return False
    kind, values, label = cast("tuple[Any, tuple[str, ...], str | None]", leaf.sem)
    ents = [(one,) for one in named_symbols(query.scope) or ()]
    return are_within(ents, In(dim=kind, values=values, label=label), market)


def _asks_a_figure(leaf: Token, lattice: Lattice, reading: Candidate) -> bool:
    """多少钱 asks for a price: beside what another tool tells it is another question."""
    return (
        isinstance(reading.query, OtherTool)
        and leaf.cat == "ask"
        and any((one.start, one.end) == (leaf.start, leaf.end) for one in lattice.has("METRIC"))
    )


def _leaves_out(leaf: Token, lattice: Lattice) -> bool:
    """Whether a word that joins is the end of one that leaves out: all but the five largest."""
    return leaf.cat in ("bool", "join") and any(
        one.start <= leaf.start and one.end == leaf.end for one in lattice.has("except")
    )


def _is_turned(leaf: Token, lattice: Lattice, reading: Candidate) -> bool:
    """Whether a word that says a fall was read as a growth above nought."""
    if leaf.cat != "ask" or not isinstance(reading.query, Query) or reading.query.where is None:
        return False
    said = question_words().meanings(lattice.text[leaf.start : leaf.end].strip())
    if not any(one.cat == "move" and one.sem == "down" for one in said):
        return False
    bounds = [one for one in walk(reading.query.where) if isinstance(one, Compare)]
    moves = [one for one in bounds if isinstance(one.left, Change) or _is_of_session(one.left)]
    return bool(moves) and not any(one.sign in ("lt", "le") for one in moves)


def _is_used(
    lattice: Lattice,
    chart: ParseChart,
    query: Meant,
    leaf: Token,
    before: Sequence[Query],
    market: Market,
    budget: int,
) -> bool:
    kept = [one for one in lattice.tokens if one.end <= leaf.start or one.start >= leaf.end]
    gone = Token(FUNCTION, leaf.start, leaf.end, None, 0.0)
    if not _reads_alike(lattice, chart, [*kept, gone], query, leaf, before, market, budget):
        return True
    other = opposite(leaf)
    if other is None:
        return False
    turned = [replace(one, sem=other) if one == leaf else one for one in lattice.tokens]
    return not _reads_alike(lattice, chart, turned, query, leaf, before, market, budget)


def _reads_alike(
    lattice: Lattice, chart: ParseChart, tokens: Sequence[Token], query: Meant, leaf: Token,
    before: Sequence[Query], market: Market, budget: int,
) -> bool:  # fmt: skip
    anew = chart_of(lattice.text, tokens, budget, (chart, leaf.start, leaf.end))
    chart.edges += anew.edges
    if chart.edges > budget:
        raise OverBudgetError
    best = ranked(anew, before, market).best
    return best is not None and best.query == query


def opposite(leaf: Token) -> object | None:
    """Another meaning for the word, of its own kind; None where it has none."""
    sem = leaf.sem
    if leaf.cat in _TURNING:
        return _TURNED.get(sem)
    match sem:
        case Time():
            return _other_time(sem)
        case Amount():
            return sem._replace(value=sem.value * 2 + 1)
        case tuple() if leaf.cat == "SCOPE":
            kind, named, _ = cast("tuple[str, tuple[str, ...], str | None]", sem)
            others = ((kind, (one,), None) for one in _SETS.get(kind, ()) if named != (one,))
            return next(others, None)
        case tuple() if leaf.cat == "ENT":
            return next((one,) for one in _STAND_INS if (one,) != sem)
        case str() if leaf.cat == "METRIC":
            # No basis of the same multiple: Hong Kong has one of them for all.
            stem = base(sem).partition("_")[0]
            others = [one for one in HAD if one.partition("_")[0] != stem and had(one) & had(sem)]
            others.sort(key=lambda one: (unit(one) != unit(base(sem)), had(one) != had(sem)))
            found = next(iter(others), None)
            return found + sem[len(base(sem)) :] if found else None
        case str() if leaf.cat == "ratio":
            return next(one for one in _RATIOS if one != sem)
        case int() if leaf.cat in COUNTING - {"BIGS"}:
            return sem + 1
        case _:
            return None


def _other_time(time: Time) -> Time | None:
    when = time.periods
    if when is None or when.kind not in ("years", "lastn"):
        return None
    if when.kind == "lastn":
        count = (when.count or 1) + 1
        return replace(time, periods=when.but(count=count))
    if not isinstance(when.first, int) or not isinstance(when.last, int):
        return None
    moved = When(kind="years", first=when.first - 2, last=when.last - 2)
    return replace(time, periods=moved, days=in_year(time, when.last - 2).days, year_said=True)


_GOING = frozenset({"diff", "excess", "ret", "pct_change", "close:ret", "close:fall", "fall"})
# 谁涨得多, 跌掉多少: the sign of a change tells it.
_TOLD_BY_SIGN = frozenset({"ordsup", "higher", "move", "pmove", "FALL"})
# 按行业看，哪三个行业: words for what is grouped by, one of which is enough.
_GROUPS = frozenset({"group", "whichgroup", "peer"})


def _says_the_set(leaf: Token, reading: Candidate) -> bool:
    """Whether a market, a number of companies, an end or an exclusion is said by others too."""
    query, cat, sem = reading.query, leaf.cat, leaf.sem
    if cat == "except":
        return sum(one.cat == "except" for one in reading.leaves) > 1
    if cat == "sup":  # 最便宜的，倒数前三
        return sem == "asc" and any(one.cat == "BOTTOM" for one in reading.leaves)
    if not isinstance(query, Query):
        return False
    if cat == "firstplace":  # 恒指最狠的是哪天: of the first of an order that was told
        return query.take == Take(count=1)
    if cat == "SCOPE":
        kind, values, _ = cast("tuple[str, tuple[str, ...], str | None]", sem)
        return kind == "market" and (_has_market(query, values) or is_listed_there(query, values))
    return any(one.count == sem for one in walk(query) if isinstance(one, Take)) or (
        any(len(one.values) == sem for one in walk(query) if isinstance(one, In))
    )  # 三家, of three companies


def _counts_anyway(leaf: Token, reading: Candidate) -> bool:
    """有多少个行业: of groups their number is told; how many are banks, behind a number: kept."""
    query = reading.query
    if not isinstance(query, Query) or query.take is not None:
        return False
    if leaf.cat == "count" and query.rows == "one":  # 占总家数的几成
        return any(isinstance(one, Across) and one.how == "count" for one in query.show)
    if (leaf.cat, leaf.sem) == ("edit", "countof"):
        return any(one.of is None for one in query.fold)
    behind = [one.cat for one in reading.leaves if one.start >= leaf.end]
    return leaf.cat == "count" and query.group is not None and behind[:1] == ["noun"]


def _asks_anyway(leaf: Token, reading: Candidate) -> bool:
    """What every answer of that kind tells: which industry, where each of them is told; of those
    with reports, where a figure of reports decides.
    """
    query = reading.query
    if leaf.cat == "held" and leaf.sem == "annual":
        return isinstance(query, Query) and all(map(is_reported, figures_in(query)))
    if leaf.cat == "held" and isinstance(query, Query):
        return decides(query, str(leaf.sem))
    is_group = isinstance(query, Query) and leaf.cat == "whichgroup" and query.group == leaf.sem
    if leaf.cat == "inpercent" and isinstance(query, Query):  # growth between the two, in percent
        return any(isinstance(one, Change) and one.how == "rate" for one in walk(query))
    is_said = isinstance(query, Query) and _says_each(leaf, query, reading.leaves)
    return is_group or is_said or _counts_anyway(leaf, reading)


def is_plain(  # noqa: C901, PLR0912 — one case a line
    leaf: Token, reading: Candidate
) -> bool:
    """Words that say what is done anyway: leaving them out rightly changes nothing."""
    query, cat, sem = reading.query, leaf.cat, leaf.sem
    if isinstance(sem, Time) and _is_any_time(sem, query):
        return True
    if isinstance(query, Several):
        return any(is_plain(leaf, replace(reading, query=one)) for one in query.queries)
    if isinstance(query, OtherTool):
        return cat in JOINING or (cat == "ask" and sem in PLAIN_ASKS) or cat == "toolask"
    if isinstance(query, Served):
        return _is_plain_beside(leaf, query)
    if cat in JOINING or (cat == "ask" and sem in PLAIN_ASKS) or _asks_anyway(leaf, reading):
        return True
    if cat in ("except", "SCOPE", "COUNT", "TOP", "DAYS", "NUM", "sup", "firstplace"):
        return _says_the_set(leaf, reading)
    is_going = sem in _GOING or cat in ("move", "pmove", "best")
    if is_going and any(isinstance(one, Arith) and _is_part_gone(one) for one in walk(query)):
        return True  # 距52周高点的跌幅: how far from it is told anyway
    if cat == "later":
        return any(one.cat == "now" for one in reading.leaves)  # 之后到现在
    if cat == "rel":
        return _is_joining(str(sem), reading)
    if cat == "eachof":  # each of Gree and Midea
        return query.group is None and (query.take is None or query.take.per is None)
    if cat == "ask":
        return _says_again(str(sem), query, reading.leaves)
    is_twice = cat in ("group", "agg", "peer") and _is_said_twice(leaf, reading)
    if is_twice or (cat == "count" and _counts_groups(leaf, query, reading.leaves)):
        return True
    if cat in _GROUPS and sum(one.cat in _GROUPS for one in reading.leaves) > 1:
        return any(isinstance(one, Query) and one.group == sem for one in walk(query))
    if cat in ("cmp", "postcmp", "higher", "ordsup", "bool") and _is_gap(query):
        return True  # above or below, and by how much: the difference says which
    if cat == "postcmp" and any(one.cat in ("cmp", "higher") for one in reading.leaves):
        return isinstance(query.where, Compare) and sem == "ge"  # 高于行业平均一倍以上
    if cat == "METRIC":
        return _is_said_twice(leaf, reading) or (sem == "close" and _is_of_price(query))
    if cat in ("course", "loss", "several"):
        return _is_told_too(leaf, query, reading.leaves)
    if cat == "dir":
        return sem == "desc"
    if cat == "peer":
        return sem == "industry" or any(_has_market(query, (one,)) for one in ("CN", "HK", "US"))
    if cat in _TOLD_BY_SIGN:
        return _is_told_by_sign(str(sem), query)
    return _is_folded_anyway(leaf, query)


def _says_each(leaf: Token, query: Query, leaves: Sequence[Token]) -> bool:
    """连续每年…都超过30%吗: that it is asked of each of the years, where more words say so; of each
    of several companies it is told.
    """
    if leaf.sem == "all" and query.check is not None and len(named_symbols(query.scope) or ()) > 1:
        return True
    said = [(one.cat, one.sem) for one in leaves if (one.cat, one.sem) in _EACH]
    is_twice = (leaf.cat, leaf.sem) in said and (leaf.sem == "all" or len(said) > 1)
    return is_twice and any(isinstance(one, Every) for one in walk(query))


def decides(query: Query, kind: str) -> bool:
    """Whether a figure of reports, or of bars, decides who is a row: who has none is none."""
    is_such = is_reported if kind == "reports" else is_barred
    by = [one.by for one in query.order] + [one.of for one in query.fold]
    deciding = [one for one in (query.where, *by) if one is not None]
    return any(is_such(figure) for one in deciding for figure in figures_in(one))


def _counts_groups(leaf: Token, query: Query, leaves: Sequence[Token]) -> bool:
    """有多少个行业: of groups their number is told."""
    behind = [one.cat for one in leaves if one.start >= leaf.end]
    return query.group is not None and query.take is None and behind[:1] == ["noun"]


def _is_joining(sem: str, reading: Candidate) -> bool:
    """Words between two figures that only join them; 占 where a share is asked for anyway."""
    is_share = any((one.cat, one.sem) == ("ask", "share") for one in reading.leaves)
    return sem in ("in", "shi", "bi", "slash", "to") or (sem == "zhan" and is_share)


def _is_part_gone(node: Arith) -> bool:
    """So much of a price, in per cent of it."""
    return node.how == "percent" and isinstance(node.left, Arith) and node.left.how == "sub"


def _is_folded_anyway(leaf: Token, query: Query) -> bool:
    """A total or a count that is told anyway."""
    cat, folds = leaf.cat, [one.how for one in query.fold]
    if cat == "agg":
        totals = (isinstance(one, Across) and one.how == "sum" for one in query.show)
        return leaf.sem == "sum" and (folds[:1] in (["sum"], ["count"]) or any(totals))
    return cat == "count" and "count" in folds  # 几家, behind a number of companies


def _is_told_too(leaf: Token, query: Query, leaves: Sequence[Token]) -> bool:
    """有没有连涨8天，最长连涨几天; 亏损的（没有市盈率）; 一季报业绩: what of a report is told."""
    if leaf.cat == "several":
        shown = {one.id for one in walk(query) if isinstance(one, Metric)}
        return bool(set(str(leaf.sem).split()) & shown)  # 估值便宜, of the one it is seen by
    if leaf.cat == "course":
        return any(isinstance(one, Course) and one.how == leaf.sem for one in walk(query))
    is_told = any(one.cat == "absent" for one in leaves)
    return is_told and any(isinstance(one, Loss) for one in walk(query))


def _is_told_by_sign(sem: str, query: Query) -> bool:
    """跌掉多少: by the sign of a change; 谁跌得多, of the deepest fall of each."""
    falls = [one for one in query.show if isinstance(one, Course) and one.how == "drawdown"]
    is_sign = len(query.show) == 1 and isinstance(query.show[0], Change) and not query.order
    return is_sign or _shows_each(query) or (sem in ("fall", "down") and bool(falls))


def _shows_each(query: Query) -> bool:
    """银行和保险哪个平均市净率低: the fold of each set stands beside the other's."""
    folds = [one for one in query.show if isinstance(one, Across)]
    return query.rows == "one" and len(folds) == len(query.show) > 1


def _is_any_time(time: Time, query: Meant) -> bool:
    """最近 of what has no days, 历史最高 where all there is is looked at anyway; the last twelve
    months of a loss, which the newest multiple says.
    """
    if is_of_a_year(time) and isinstance(query, Query) and query.where is not None:
        return any(isinstance(one, Loss) for one in walk(query.where))
    if time.lately or time.days != ALL or isinstance(query, Served | OtherTool | Several):
        return time.lately
    return any(one == ALL for one in walk(query))


def _is_plain_beside(leaf: Token, served: Served) -> bool:
    """The same of a figure that another source serves."""
    cat, sem = leaf.cat, leaf.sem
    if cat in JOINING or cat == "ask" or (cat == "METRIC" and sem == "close"):
        return True
    if served.period != "最新" and cat in ("WHEN", "consensus"):
        return True  # what is expected is of the years to come
    if cat == "rel":
        return sem == "in" or (sem == "bi" and served.action == "compare")
    return served.action == "compare" and cat == "peer"


def _has_market(query: Query, values: object) -> bool:
    return any(
        isinstance(one, In) and one.dim == "market" and one.values == values for one in walk(query)
    )


_TIMES = ("years", "days", "quarters")
# Rows of these times say as much as the word does.
_ROWS_SAID: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("whichyear", "whichday", "series", "daily", "trend"), _TIMES),
    **dict.fromkeys(("monthly", "whichmonth"), ("months",)),
    "whichquarter": ("quarters",),
}


# Asked twice in these words it is the same: 高于30的天数，一共几天; 高还是低，差多少; 相差几倍;
# 算高位吗，处在什么分位.
_ASKED_ALIKE: Mapping[str, tuple[str, ...]] = {
    "days": ("days", "daylist"),
    **dict.fromkeys(("diff", "excess"), ("diff", "excess", "mult")),
    "hist": ("hist", "ever"),
}


def _says_again(sem: str, query: Query, leaves: Sequence[Token]) -> bool:
    is_number = sem == query.rows and any(one.of is None for one in query.fold)  # 跌了几天呢
    if is_number or (sem == "which" and query.take is not None and query.take.count == 1):
        return True  # 市值最大的是哪家
    if (alike := _ASKED_ALIKE.get(sem)) is not None:
        is_since = any(one.cat == "edit" and one.sem in SINCE for one in leaves)
        return is_since or sum(one.cat == "ask" and one.sem in alike for one in leaves) > 1
    if sem == "rank":
        return bool(query.order)
    if sem == "whichday" and any(map(is_told_with_days, walk(query))):
        return True
    if (rows := _ROWS_SAID.get(sem)) is not None:
        return query.rows in rows or (sem == "monthly" and any(map(_is_of_one_month, walk(query))))
    if sem == "sum2":
        return bool(query.fold) or query.rows == "one"
    if sem == "share":
        return any(isinstance(one, Arith) for one in walk(query))
    if sem in ("growth", "ret", "amount", "points", "money", "howmany"):
        changes = (isinstance(one, Change) or _is_of_session(one) for one in walk(query))
        return any(changes)
    return False


def _is_of_one_month(node: Node) -> bool:
    """A monthly return of July: what its one month made."""
    return isinstance(node, Change) and is_in_one_month(node.since)


def _is_said_twice(leaf: Token, reading: Candidate) -> bool:
    """Also by what is said of it: PE改成静态的."""
    if str(leaf.sem).startswith("pe_") and any(one.cat == "basis" for one in reading.leaves):
        return True
    return sum((one.cat, one.sem) == (leaf.cat, leaf.sem) for one in reading.leaves) > 1


def _is_gap(query: Query) -> bool:
    first = next(iter(query.show), None)
    is_gap = isinstance(first, Arith) and first.how in ("sub", "div")
    return is_gap and query.where is None and query.check is None


def _is_of_session(node: Node) -> bool:
    return isinstance(node, Metric) and node.id == "pct_change"


def _is_of_price(query: Query) -> bool:
    return any(
        (isinstance(one, Change | Course | Over) and one.of == "close")
        or (isinstance(one, Metric) and one.id in ("close", "pct_change"))
        for one in walk(query)
    )
