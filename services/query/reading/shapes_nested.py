"""Questions about the first so many of a set: which of them, how many, who of them is in a set."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from services.core.catalogue import CATALOGUE
from services.language.lattice import Token
from services.query.algebra.nodes import (
    OWN,
    SHOWN,
    Across,
    Arith,
    Compare,
    Const,
    Expr,
    Folded,
    Metric,
    Pred,
    Query,
    Several,
    Take,
    both,
    items_of,
    walk,
)
from services.query.algebra.scopes import markets_of
from services.query.reading.chart import Edge
from services.query.reading.errors import ChoiceError, UnusedError
from services.query.reading.phrases import Fig, dimensions
from services.query.reading.predicates import Relation, Sort
from services.query.reading.question_words import question_words
from services.query.reading.request import Request, gathered
from services.query.reading.sets_said import is_set
from services.query.reading.shapes import EASY, MAINLAND, Market, labelled, made
from services.query.reading.shapes_company import needed
from services.query.reading.shapes_group import SHAPES as OF_GROUPS
from services.query.reading.shapes_set import SHAPES as OF_SETS
from services.query.reading.shapes_share import share_of_number, share_of_part, whole_said

_SHAPES = (*OF_GROUPS, *OF_SETS)
# Words between two lists that only join them.
_AND = frozenset({"join", "follow", "bool"})


def nested(
    parts: Sequence[Edge], market: Market, text: str, *, lists: bool = False
) -> Query | Several | None:
    """市值最大的50只里市净率最低的5只: the second order looks at the rows of the first alone;
    涨得最多的5只和跌得最多的5只 are two lists. `lists`: which they are is asked, so that they are
    no mere part of a share.
    """
    _need_size_used(parts, text)
    for at, (one, those) in enumerate(pairwise(parts)):
        # Bottom ten by P/B among those worth …: what stands behind is the larger set.
        if at and (one.cat, one.sem, those.cat, those.sem) == ("rel", "in", "follow", "these"):
            return _set_of([*parts[:at], *parts[at + 2 :]], market)
        is_apart = text[: one.start].rstrip().endswith(",")
        if at and _is_preposition(one, text) and one.cat == "only" and not is_apart:
            return _set_of([*parts[:at], *parts[at + 1 :]], market)
    return (
        _both_lists(parts, market, text)
        or _each_of(parts, market)
        or (None if lists else _share_in(parts, market))
        or _members(parts, market, text)
        or _before(parts, market, text)
        or _behind(parts, market, text)
    )


def _set_of(parts: Sequence[Edge], market: Market, *, is_held: bool = False) -> Query:
    """What the parts say by themselves of a set or of its groups; `is_held`: of rows that are there
    already. Raises: UnusedError.
    """
    request = gathered(parts)
    if is_held and request.scope is None:
        request.scope = MAINLAND
    found = made(request, _SHAPES, market)
    if not isinstance(found, Query):
        raise UnusedError("nested")
    return found


def by_size(parts: Sequence[Edge], text: str) -> list[Edge]:
    """最大的10家A股的净利润: the largest of a set are so by size, whatever is asked of them."""
    sized: list[Edge] = []
    for one in parts:
        sort, way = one.sem, _size_said(one.leaves, text)
        is_counted = bool(sized) and sized[-1].cat == "COUNT"
        if not isinstance(sort, Sort) or not (sort.take or is_counted) or way is None:
            sized.append(one)
            continue
        size = replace(
            sort, phrase=Fig(scope=sort.phrase.scope, mets=("market_cap",)), direction=way
        )
        asked = replace(sort.phrase, scope=None)
        sized += [one._replace(sem=size), one._replace(cat="FIG", sem=asked, leaves=())]
    return sized


def _size_said(leaves: Sequence[Token], text: str) -> Literal["asc", "desc"] | None:
    """Which end of the size, where such a word stands before the set and the figure behind it.

    Raises: UnusedError where they are to be sorted by it (最大的三家银行按市净率排).
    """
    kinds = [one.cat for one in leaves if one.cat in ("sup", "SCOPE", "METRIC", "order")]
    if kinds[:1] != ["sup"] or not {"SCOPE", "METRIC"} <= {*kinds}:
        return None
    sup = next(one for one in leaves if one.cat == "sup")
    said = question_words().meanings(text[sup.start : sup.end].strip())
    is_size = any(one.cat == "bigsup" for one in said)
    if is_size and any((one.cat, one.sem) == ("order", "sort") for one in leaves):
        raise UnusedError("size")
    is_size = is_size and kinds[-1] == "METRIC" and "order" not in kinds
    return ("asc" if sup.sem == "asc" else "desc") if is_size else None


def _share_in(parts: Sequence[Edge], market: Market) -> Query | None:
    """市值最大的十家A股合计占A股总市值的几成: what stands before is a part of a set, wholly read;
    what stands right beside the share is of that part too, and its figure is what is summed.
    """
    asked = [one for one in parts if (one.cat, one.sem) not in _PLAIN]
    at = next((at for at, one in enumerate(asked) if _says_share(one)), None)
    if at is None:
        return None
    left, right, rest, behind = Fig(), Fig(), asked[:at], asked[at + 1 :]
    if asked[at].cat == "ask" and not any(one.cat in _OF_PART for one in rest):
        # A股有百分之几的公司市盈率超过100倍: what they are is said behind.
        rest, behind = [one for one in (*rest, *behind) if one.cat != "noun"], []
    if isinstance(relation := asked[at].sem, Relation):
        left, right = relation.left, relation.right or Fig()
    for one in behind:  # as a percentage of all A-share banks'|market cap
        more = right.merged(one.sem) if isinstance(one.sem, Fig) else None
        right = more if more is not None and right != Fig() else Fig(ents=((),))
    if left.ents or right.ents or not any(one.cat in _OF_PART for one in rest):
        return None
    said, right = Request(mets=list(left.mets), agg=left.agg), whole_said(right)
    if left.scope is not None:
        rest.append(asked[at]._replace(cat="FIG", sem=Fig(scope=left.scope)))
    if len(rest) == 1 and isinstance(sort := rest[0].sem, Sort) and sort.phrase.agg == "sum":
        # 港股总市值加起来，最大的前20家占多少: the total of all of them.
        said.agg, bare = "sum", replace(sort, phrase=replace(sort.phrase, agg=None))
        rest = [rest[0]._replace(sem=bare)]
    while rest and _says_total(rest[-1]):
        total = rest.pop()
        said.agg, said.mets = "sum", [*said.mets, *getattr(total.sem, "mets", ())]
    if left != Fig(scope=left.scope, mets=left.mets, agg=left.agg) or said.agg not in (None, "sum"):
        raise UnusedError("share of what")
    is_bare = right == Fig() and said.agg is None and not any(one.cat == "COND" for one in rest)
    return None if is_bare else share_of_part(said, _set_of(rest, market), right, market)


# Words that ask, or point at what stands before, and say no more.
_PLAIN = frozenset({("ask", "what"), ("follow", "these")})


def _each_of(parts: Sequence[Edge], market: Market) -> Query | None:
    """是不是所有银行的市净率都低于1, 银行都破净了吗: how many of how many."""
    rest = [one for one in parts if (one.cat, one.sem) not in _OF_ALL]
    if not {(one.cat, one.sem) for one in parts} & _OF_ALL or [one.cat for one in rest] != ["COND"]:
        return None
    request = gathered(rest)
    if request.ents or not any(is_set(one) for cond in request.conds for one in items_of(cond)):
        return None
    part = _set_of(rest, market)
    return share_of_number(part, part.scope or market.whole)


# What asks whether it holds of each of a set.
_OF_ALL = frozenset({("allof", "allof"), ("edit", "all")})


def _says_share(part: Edge) -> bool:
    said = part.sem
    is_of_more = isinstance(said, Relation) and said.how == "percent" and said.right is not None
    return is_of_more or (part.cat, part.sem) == ("ask", "share")


_OF_PART = frozenset({"SORT", "COND", "TOP", "SUPN"})


def _says_total(part: Edge) -> bool:
    """合计, 加起来, 合计市值: what those before come to."""
    is_sum = isinstance(part.sem, Fig) and part.sem == Fig(mets=part.sem.mets, agg="sum")
    return is_sum or (part.cat, part.sem) == ("ask", "sum2")


def _members(parts: Sequence[Edge], market: Market, text: str) -> Query | None:
    """A股市值前十里的银行, top 20 by market cap that are banks: of those first so many the ones in
    the set that stands behind; never the first so many of that set.
    """
    for at in range(1, len(parts)):
        left, right = parts[:at], parts[at:]
        if (right[0].cat, right[0].sem) == ("rel", "in") and _is_first_of(right):
            left, right = right, left  # banks among the ten largest
        elif not _is_first_of(left) or not _are_within(left, right, text):
            continue
        said = gathered(right)
        if said.scope is None or not said.said <= _OF_MEMBERS | EASY:
            return None
        inner = _set_of(_without_joints(left), market)
        if inner.take is None or inner.first or dimensions(inner.scope) & dimensions(said.scope):
            raise UnusedError("members")
        where = markets_of(inner.scope)
        if len(where) != 1:
            raise UnusedError("members")
        inside = labelled(said.scope, where, market)
        first = inner.but(show=())
        found = Query(scope=inner.scope, where=inside, first=first)
        if said.count:
            return found.but(fold=(Folded(how="count"),))
        show = (*(needed(one, Fig()) for one in said.mets), *inner.show)
        return found.but(order=inner.order, show=tuple(dict.fromkeys(show)))
    return None


# What may be said of a set that stands behind the first so many.
_OF_MEMBERS = frozenset({"scope", "mets", "count", "mark.noun"})


def _is_first_of(parts: Sequence[Edge]) -> bool:
    """Whether they say the first so many by a figure, and nothing else."""
    is_ordered = any(one.cat == "SORT" or getattr(one.sem, "mets", ()) for one in parts)
    return is_ordered and _says_number(parts) and not any(one.cat == "COND" for one in parts)


def _without_joints(parts: Sequence[Edge]) -> list[Edge]:
    kept = [one for one in parts if one.cat not in ("only", "rel", "bool", "follow")]
    return kept[:-1] if kept[-1:] and kept[-1].cat == "join" else kept


def _is_preposition(part: Edge, text: str) -> bool:
    """among, of, within: in English the larger set stands behind; 里, 当中 stand behind it."""
    is_in = (part.cat, part.sem) in (("rel", "in"), ("only", "within"))
    return is_in and all(text[leaf.start : leaf.end].isascii() for leaf in part.leaves)


def takes_more(query: Query) -> bool:
    """Fifty of the first ten: so many were said, and there are fewer."""
    inner = query.first.take if query.first is not None and query.first.group is None else None
    take = query.take
    if inner is None or take is None or inner.per or take.per or take.count == SHOWN:
        return False
    return take.count > inner.count


def senseless(query: Query) -> bool:
    """Whether it sets a figure against itself, a multiple of earnings against one of book, sums
    what each has of a whole of its own, or asks of companies what is of one of their days.
    """
    tested = [one.left for one in items_of(query.where) if isinstance(one, Compare)]
    if query.rows == "companies" and any(getattr(one, "when", None) == OWN for one in tested):
        return True
    gaps = [one for one in walk(query) if isinstance(one, Arith | Compare)]
    sums = [one.of for one in query.fold if one.how == "sum" and isinstance(one.of, Arith)]
    if any(isinstance(one.right, Across) and one.right.own for one in sums):
        return True
    if any(one.left == one.right and not isinstance(one.left, Const) for one in gaps):
        return True
    pairs = [(one.left, one.right) for one in gaps if getattr(one, "how", "") == "sub"]
    return any(len({*map(_multiple_of, pair)} - {""}) > 1 for pair in pairs)


def _multiple_of(expr: Expr) -> str:
    """Of what a multiple is, pe of both its flavours; empty for any other figure."""
    of = expr.of if isinstance(expr, Across) else expr
    is_multiple = isinstance(of, Metric) and CATALOGUE[of.id].kind == "valuation"
    return of.id.partition("_")[0] if is_multiple and isinstance(of, Metric) else ""


def _need_size_used(parts: Sequence[Edge], text: str) -> None:
    """Raises: UnusedError for the top ten by ROE in the largest banks: nobody said how many."""
    leaves = [leaf for part in parts for leaf in part.leaves]
    for by, figure, size, whom in zip(leaves, leaves[1:], leaves[2:], leaves[3:], strict=False):
        cats = by.cat, figure.cat, size.cat, whom.cat
        between = text[figure.end : size.start].strip()
        if cats == ("order", "METRIC", "sup", "SCOPE") and between and between.isascii():
            raise UnusedError("size")


def _behind(parts: Sequence[Edge], market: Market, text: str) -> Query | None:
    """The lowest P/E among the 30 biggest: the set stands behind, and is the larger one."""
    for at, part in enumerate(parts):
        if not _is_preposition(part, text):
            continue
        left, right = parts[:at], parts[at + 1 :]
        if not all(any(one.cat == "SORT" for one in side) for side in (left, right)):
            continue
        inner, outer = _set_of(right, market), _set_of(left, market)
        if not inner.take or inner.first or outer.first or outer.scope != MAINLAND:
            raise UnusedError("nested")
        count = outer.take.count if _says_number(left) and outer.take else 1
        if inner.take.count <= count or not _says_number(right):
            raise UnusedError("nested")
        return outer.but(
            scope=inner.scope,
            first=inner.but(show=()),
            take=Take(count=count, skip=outer.take.skip if outer.take else 0),
        )
    return None


def _both_lists(parts: Sequence[Edge], market: Market, text: str) -> Several | None:
    """The first so many by one figure and the first so many by another, of one set unless each
    names its own.
    """
    for at in range(1, len(parts)):
        sides = [[one for one in some if one.cat not in _AND] for some in (parts[:at], parts[at:])]
        if not all(_says_number(side) and any(map(_is_order, side)) for side in sides):
            continue
        said, behind = ([leaf for part in side for leaf in part.leaves] for side in sides)
        between = text[max(leaf.end for leaf in said) : min(leaf.start for leaf in behind)].strip()
        words = {between, *between.split()[:1]}  # and, and the
        if all(one.cat != "join" for word in words for one in question_words().meanings(word)):
            continue
        try:
            lists = [_set_of(side, market) for side in sides]
        except ChoiceError:  # 最高的三家银行和最低的三家: not by a figure of its own
            raise UnusedError("nested") from None
        if lists[1].where is not None or not all(one.take for one in lists):
            raise UnusedError("nested")
        own = [any(leaf.cat == "SCOPE" for leaf in leaves) for leaves in (said, behind)]
        scopes = [
            lists[at if named else own.index(True)].scope if any(own) else MAINLAND
            for at, named in enumerate(own)
        ]
        told = ({"scope": scope, "where": lists[0].where} for scope in scopes)
        pairs = zip(lists, told, strict=True)
        return Several(queries=tuple(one.model_copy(update=update) for one, update in pairs))
    return None


def _is_order(part: Edge) -> bool:
    """Whether it says by which figure, and the highest or the lowest of it."""
    if part.cat == "SUPN":
        return True
    if isinstance(part.sem, Sort):
        return bool(part.sem.direction and part.sem.phrase.mets) and not part.sem.is_list
    return isinstance(part.sem, Fig) and bool(part.sem.mets)


def _says_number(parts: Sequence[Edge]) -> bool:
    return any(
        one.cat in ("COUNT", "TOP", "BOTTOM", "SUPN") or getattr(one.sem, "take", None)
        for one in parts
    )


def _before(parts: Sequence[Edge], market: Market, text: str) -> Query | None:
    for at in range(1, len(parts)):
        left, right = parts[:at], [one for one in parts[at:] if one.cat != "count"]
        if not right or right[0].cat not in ("SORT", "COND") or _is_preposition(left[-1], text):
            continue
        numbered = _says_number(left)
        # 净利润前20但股息率不到2%: so many, of which those; 前20，股息率…: of all who fulfil it.
        joined = any(
            one.cat in ("only", "bool") or (one.cat == "rel" and one.sem == "in") for one in left
        ) or _are_within(left, right, text)
        if right[0].cat == "COND" and not joined:
            continue
        # 市值前三十里市盈率低于15的: so many by a figure are an order too.
        is_list = _puts_in_order(right[0])
        ordered = any(one.cat == "SORT" for one in left) or (
            (joined or is_list) and any(getattr(one.sem, "mets", ()) for one in left)
        )
        if not numbered or not ordered or any(one.cat in ("COND", "bool") for one in left[:-1]):
            continue
        if left[-1].cat == "COND" and any(one.cat == "SORT" for one in left):
            continue  # 前20家里市盈率低于15的，再取…: the condition is of those 20
        if left[-1].cat == "group":  # …，每个行业市值最大的公司: of each, said of what follows
            left, right = left[:-1], [left[-1], *right]
        kept = _without_joints(left)
        # …的三家，按市净率排: of those three
        inner, outer = _set_of(kept, market), _set_of(right, market, is_held=is_list)
        is_inside = (left[-1].cat, left[-1].sem) == ("rel", "in") or _are_within(left, right, text)
        inner, outer = _of_one_set(inner, outer, is_inside=is_inside)
        if any(one.cat == "count" for one in parts[at:]):  # 市值前50里面有多少家股息率不到1%
            outer = outer.but(fold=(Folded(how="count"),), show=())
        if inner.group is not None and not _says_number(right) and outer.take is not None:
            take = Take(count=1, per=inner.group)  # 三个行业，及其市值最大的公司: of each
            outer = outer.but(take=take)
        return outer.but(scope=inner.scope, first=inner.but(show=()))
    return None


def _puts_in_order(part: Edge) -> bool:
    """按市净率排, 市净率从低到高: no end of it."""
    said = {(one.cat, one.sem) for one in part.leaves}
    return isinstance(part.sem, Sort) and (part.sem.is_list or ("order", "sort") in said)


def _of_one_set(inner: Query, outer: Query, *, is_inside: bool) -> tuple[Query, Query]:
    """净利润前二十里市值最大的银行: the banks among those twenty.

    市值前20，市盈率低于15的银行: both are said of banks.
    Raises: UnusedError where each names its own set.
    """
    if outer.first or (outer.scope != MAINLAND and inner.scope != MAINLAND):
        raise UnusedError("nested")
    if outer.scope == MAINLAND:
        return inner, outer
    if not is_inside:
        return inner.but(scope=outer.scope), outer
    return inner, outer.but(where=both(_beyond_market(outer), outer.where))


def _beyond_market(query: Query) -> Pred | None:
    """The set a query is of, but for its market."""
    items = items_of(query.scope)
    return both(*(one for one in items if one != MAINLAND))


# 市值最大的10家银行股里市盈率…: what stands behind is said of those ten.
_WITHIN = re.compile(
    r"\s*的?(?:大?(?:股票?|公司|企业))?"
    r"(?:[里中内]|之中|里面|当中|其中|里头|(?:,|，)?\s*(?:that|which|which ones?|who) (?:are|is)\b)"
)


def _are_within(left: Sequence[Edge], right: Sequence[Edge], text: str) -> bool:
    """Whether a word for being among them stands between the first so many and what follows."""
    if not _says_number(left):
        return False
    heads = [leaf.end for leaf in right[0].leaves if leaf.cat == "SCOPE"]
    if right[0].cat == "COND" and any(_WITHIN.match(text, at) for at in heads[:1]):
        raise UnusedError("within")  # 10家|银行里市盈率…: the set is of those ten
    ends = [leaf.end for one in left for leaf in one.leaves]
    return bool(ends) and _WITHIN.match(text, max(ends)) is not None and bool(right)
