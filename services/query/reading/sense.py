"""What is put back although every word was read: it makes no sense, or was meant apart."""

import re
from collections.abc import Sequence
from typing import cast

from services.core.catalogue import CATALOGUE
from services.core.industries import industry_label
from services.core.text import join_texts
from services.query.algebra.nodes import (
    TIMED,
    Across,
    AllOf,
    Arith,
    Ask,
    Change,
    Compare,
    Const,
    Folded,
    In,
    Metric,
    Order,
    Query,
    Rank,
    Several,
    Take,
    both,
    figures_in,
    items_of,
    walk,
)
from services.query.algebra.scopes import markets_of
from services.query.algebra.times import uses_reports
from services.query.algebra.types import unmet_money
from services.query.algebra.words import MARKS, list_words, undivided
from services.query.reading.figures_said import base, is_of_days
from services.query.reading.follow_groups import says_each
from services.query.reading.question_words import is_of_one_source
from services.query.reading.ranking import Candidate
from services.query.reading.reasons import ask_why, make_ask
from services.query.reading.shapes import Market
from services.query.reading.shapes_group import find_grouping, sets_in
from services.query.reading.tagging import Lattice

# A quarter by itself, not the months from January that its report counts: 第三季度, Q4 2016,
# 上个季度; no 前三季度, no 三季度报告, no 2016_Q4 (a report's code). The first quarter is both.
_ONE_QUARTER = re.compile(
    r"(?<!前)第?[二三四2-4](?:季度(?!报)|财季)|(?<!_)q[2-4]|上个?季度|"
    r"(?:second|third|fourth|2nd|3rd|4th|last|previous) quarter"
)

# 市值最大的各三家, 各自市值前两名, the two largest each: so many of each set; 三家分别多少
# is of each of the three, and 三个行业前两名分别是谁 of each that was counted.
_N = r"[一二两三四五六七八九十\d]+"
_SO_MANY = rf"(?:最(?![近新后])|第一|{_N}[家只个支名位大]|前{_N})"
_SO_MANY_OF_EACH = re.compile(
    rf"(?:各(?![行板家个种类项大年月位])|分别)[^，,。；;]{{0,12}}?{_SO_MANY}|each[^,.;]{{0,12}}est\b"
    rf"|{_N}个?(?:行业|板块)[^。；;]{{0,14}}?{_SO_MANY}[^，,。；;最]{{0,6}}(?:分别|各)"
    r"|(?<!\bof )(?<!\bis )(?<!\bwas )\beach[.?!]?$"
)
# Who is asked, and no day or year of that one: 谁跌得最多; 谁在哪天跌得最多 asks for the day too.
_WHO = re.compile(r"谁|哪一?[家只]|\bwho\b")
_WHICH_TIME = re.compile(
    r"哪一?[天年日季月]|几号|什么时候|何时|\bwhen\b|"
    r"\b(?:which|what) (?:day|date|year|quarter|session)"
)
_IN_TIME = TIMED | {"events"}
# So many years that end nowhere (近两年 ends now), and what says that a price is meant.
_YEARS = re.compile(r"(?:[一二两三四五六七八九十\d]+年|(?:two|three|four|five|\d+) years)")
_SHARE = re.compile(r"股|价|\b(?:share|stock|price)")
# The same of another, behind a question of its own: …，银行呢.
_AND_OF = re.compile(r"[,;](?=[^,;]{1,12}(?P<ne>呢)[?.!]?$)")
# 有几个行业…, how many industries …: the groups that come out are what is counted.
_COUNTS_GROUPS = re.compile(
    r"(?<![这那])(?:多少|几)(?:个|类)?(?:一级)?行业|行业(?:一共|共)?有(?:几|多少)个|"
    r"how many (?:[a-z-]+ ){0,2}(?:industries|sectors)"
)


def without_sense(query: Query, before: Sequence[Query], market: Market) -> Ask | None:
    """What is put back although every word was read; None where it can be carried out."""
    if gone := _vacuous(query, market):
        return make_ask("never_in", gone)
    if wide := undivided(query) - {one for earlier in before for one in undivided(earlier)}:
        return _ask_whole(sorted(wide), query)
    if _is_beyond_an_index(query, market):
        return ask_why("beyond_an_index")
    why = unmet_money(query)
    return Ask(why=(f"{why.zh}。", f"{why.en}.")) if why else None


def meant_apart(best: Candidate, before: Sequence[Query], lattice: Lattice) -> Ask | None:
    """A quarter asked for of what counts from January, a class of another market's source where no
    market was said, a company where a day is found; None where nothing was.
    """
    return (
        _ask_since_january(best, lattice)
        or _ask_elsewhere(best, before)
        or _ask_whom(best, lattice)
        or _ask_of_what(best, before, lattice)
        or _ask_of_both(best, lattice)
    )


def of_each(meant: Query, text: str) -> Query | Several | Ask:
    """沪市和深市各有多少家: a fold of several sets is of each by itself, where each was said."""
    if _COUNTS_GROUPS.search(text) and Folded(how="count") in meant.fold:
        # 多少个行业有…: those with a company at all, never the one with the most.
        return _without_count(meant) if meant.having else meant.but(take=None)
    is_taken = meant.take is not None and not meant.take.per
    is_of_each = bool(is_taken and _SO_MANY_OF_EACH.search(text))
    if not is_of_each and not says_each(text):
        return meant
    if (listed := _share_of_each(meant)) is not None:
        return listed
    groups = meant.first.group if meant.first is not None else None
    if groups and meant.take is not None and not meant.take.per:  # 这些行业里市值最大的分别是谁
        return meant.but(take=meant.take.but(per=groups))
    if meant.first is not None and groups and meant.fold and not (meant.group or meant.where):
        # 这五个行业各有多少家: of each of those that came out.
        folds = tuple(dict.fromkeys((*meant.first.fold, *meant.fold)))
        return meant.first.but(fold=folds)
    if meant.group or not (is_of_each or (meant.fold and not meant.take)):
        return meant
    items = items_of(meant.scope)
    joined = [one for one in items if len(sets_in(one)) > 1]
    if len(joined) != 1:
        return make_ask("lost", ["各"]) if is_of_each else meant
    if not is_of_each and (kind := find_grouping(meant.scope)) is not None:
        order = (Order(fold=0),)
        return meant.but(group=kind, order=order)
    rest = [one for one in items if one is not joined[0]]
    scopes = [both(*rest, one) for one in sets_in(joined[0])]
    return Several(queries=tuple(meant.but(scope=one) for one in scopes))


def _without_count(meant: Query) -> Query:
    """Groups by a test of a fold, without how many companies each has."""
    kept = tuple(one for one in meant.fold if one != Folded(how="count"))
    at = {one: kept.index(one) for one in kept}
    if not kept or any(meant.fold[one.fold] not in at for one in meant.having):
        return meant
    having = tuple(one.but(fold=at[meant.fold[one.fold]]) for one in meant.having)
    order = (Order(fold=0, direction="desc" if having[0].sign in ("gt", "ge") else "asc"),)
    return meant.but(fold=kept, having=having, order=order)


def _share_of_each(meant: Query) -> Query | None:
    """采掘里市值前五，占行业比例各多少: who they are, each with its share.

    None where it is no share of the first so many.
    """
    match meant.show[:1]:
        case (
            Arith(
                how="percent",
                left=Across(
                    how="sum", within=AllOf(items=(*_, Compare(left=Rank(), right=Const() as most)))
                ),
                right=Across(how="sum", of=Metric() as of, within=within) as total,
            ),
        ):
            share = Arith(how="percent", left=of, right=total)
            order = (Order(by=of, direction="desc"),)
            take = Take(count=int(most.value))
            return Query(scope=within, order=order, take=take, show=(of, share))
        case _:
            return None


def _ask_elsewhere(best: Candidate, before: Sequence[Query]) -> Ask | None:
    """人寿保险市值前五: whether those of the market are meant whose source has the class."""
    if not isinstance(best.query, Query):
        return None
    where = markets_of(best.query.scope)
    sets = [
        cast("tuple[str, tuple[str, ...], str | None]", one.sem)
        for one in best.leaves
        if one.cat == "SCOPE"
    ]
    named = {name for dim, names, _ in sets for name in names if dim == "industry"}
    own = sorted(filter(is_of_one_source, named))
    is_said = any(dim != "industry" for dim, _, _ in sets) or (
        bool(before) and markets_of(before[-1].scope) == where
    )
    if not own or is_said or "CN" in where:
        return None
    named = join_texts([industry_label(one) for one in own], "、", ", ")
    return ask_why("elsewhere", named, MARKS[where[0]], options=(best.query,))


def _ask_whom(best: Candidate, lattice: Lattice) -> Ask | None:
    """Who fell the most, behind a company's falls: no day of one of them."""
    found = _WHO.search(lattice.text)
    if found is None or not isinstance(best.query, Query) or best.query.rows not in _IN_TIME:
        return None
    if best.query.take is None or _WHICH_TIME.search(lattice.text):
        return None
    return make_ask("lost", [found.group()])


def _ask_of_what(best: Candidate, before: Sequence[Query], lattice: Lattice) -> Ask | None:
    """两年涨了多少, behind the revenue of two years: of that, or of the price."""
    spans = [lattice.text[one.start : one.end] for one in best.leaves if one.cat == "WHEN"]
    is_span = any(map(_YEARS.fullmatch, spans)) and not _SHARE.search(lattice.text)
    if not (is_span and before and isinstance(best.query, Query)) or lattice.has("ENT", "METRIC"):
        return None
    of_reports = bool(before[-1].show) and all(map(uses_reports, before[-1].show))
    is_price = set(figures_in(best.query)) == {"close"}
    return ask_why("several", options=(best.query,)) if of_reports and is_price else None


def _ask_of_both(best: Candidate, lattice: Lattice) -> Ask | None:
    """A股有多少家，银行呢: two sets one behind the other, and no set of both."""
    found = _AND_OF.search(lattice.text)
    if found is None or not isinstance(best.query, Query):
        return None
    sides = {one.start > found.start() for one in best.leaves if one.cat == "SCOPE"}
    return make_ask("lost", [found.group("ne")]) if len(sides) > 1 else None


def _ask_since_january(best: Candidate, lattice: Lattice) -> Ask | None:
    """Whether what a report counts from January is wanted, where one quarter was asked: no source
    gives a quarter alone, and the annual profit is none of the fourth quarter.
    """
    times = (lattice.text[one.start : one.end] for one in best.leaves if one.cat == "WHEN")
    if not isinstance(best.query, Query) or not any(map(_ONE_QUARTER.search, times)):
        return None
    flows = [
        one.of if isinstance(one, Change) else base(one.id)
        for one in walk(best.query)
        if isinstance(one, Change) or (isinstance(one, Metric) and one.when.kind != "days")
    ]
    named = [CATALOGUE[one].words for one in dict.fromkeys(flows) if CATALOGUE[one].flow]
    if not named or any(is_of_days(one) for one in flows):
        return None
    return ask_why("since_january", join_texts(named, "、", ", "), options=(best.query,))


def _vacuous(query: Query, market: Market) -> list[str]:
    """Companies left out that were never in: the name was read as another company."""
    return [
        market.book.row(value).name if dim == "symbol" else MARKS[value].zh
        for dim, value in market.strays(query.scope)
    ]


def _is_beyond_an_index(query: Query, market: Market) -> bool:
    """Whether indexes alone are asked for figures of companies: their members' list is not held."""
    scope = query.scope
    if not isinstance(scope, In) or scope.dim != "symbol":
        return False
    return all(market.book.row(one).kind == "index" for one in scope.values) and any(
        not (is_of_days(one.id) or CATALOGUE[base(one.id)].kind == "valuation")
        for one in walk(query)
        if isinstance(one, Metric)
    )


def _ask_whole(wide: Sequence[str], query: Query) -> Ask:
    """Whether the whole industry is wanted, of which the source does not split out the part: others
    are in it too, so that nobody is shown for the part before it is chosen.
    """
    named = join_texts([list_words(one) for one in wide], "、", ", ")
    return ask_why("whole_industry", named, options=(query,))
