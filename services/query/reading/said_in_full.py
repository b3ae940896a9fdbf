"""A turn that cannot be read as it stands, said in full: with whom, when and of which figure as
the turn before told it, where it says none itself (成交量最大是哪天, behind how far a price went
this year; 比它高的有几家, behind one multiple).

Each way is a question to be read like any other: a word that was put in and is not used puts that
way back.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import product

from services.core.catalogue import CATALOGUE
from services.core.text import Language
from services.language.lattice import FUNCTION, Token
from services.query.algebra.nodes import (
    Across,
    AllOf,
    In,
    Metric,
    Pred,
    Query,
    items_of,
    walk,
)
from services.query.algebra.scopes import symbols_in
from services.query.algebra.telling import Teller
from services.query.algebra.words import mark_words
from services.query.reading.errors import UnusedError
from services.query.reading.figures_compared import shown_of_list
from services.query.reading.figures_told import (
    companies_of,
    companies_told,
    figures_told,
    is_of_companies,
    time_of,
)
from services.query.reading.shapes import Market
from services.query.reading.tagging import Lattice
from services.query.reading.told_over_turns import (
    needed_together,
    other_of_two,
    pointing_at_several,
    said_of_those,
)

# Behind a figure: what compares it, or places it.
_COMPARES = frozenset({"sup", "ordsup", "bigsup", "TOP", "cmp", "higher", "dear"})
_PLACES = frozenset({("ask", "rank"), ("rel", "bi"), ("rel", "shi")})
# 它俩, both of them, 这几家 are more than the one that was told.
_SEVERAL = re.compile(
    r"[俩两几些们各]|家|\b(?:both|they|them|their|these|those|two|three|four|five)\b"
)
# Whether a figure is high, at the end, and against nothing.
_IS_HIGH = re.compile(
    r"(?:(?<=[率润入产债益])|(?<=市值)|(?<=[pP][eEbBsS])|(?<=[rR][oO][eEaA])|(?<=^)|(?<=^那))"
    r"(?:算是?|是不是|是否)?(?:很|偏|比较)?(?:[高低]吗|高不高?|低不低|贵不贵|贵吗)(?=[?？。]?$)"
)
# What is said of another figure or time, or of others, than those that were told.
_OF_ANOTHER = ("METRIC", "indicator", "WHEN")
_OF_OTHERS = (*_OF_ANOTHER, "ENT", "SCOPE", "except")
_Edit = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class FullText:
    """A text, and behind which turns it is to be read; none where it stands by itself. `is_whole`:
    it may be a question without them. `whose`: the codes it names, where it is of those alone.
    """

    text: str
    seen: Sequence[Query] = ()
    is_whole: bool = False
    whose: Sequence[str] = ()

    def is_meant(self, query: Query, *, goes_on: bool) -> bool:
        """Whether the query that was read may be what was left out."""
        is_theirs = not self.whose or symbols_in(query) == frozenset(self.whose)
        return query.unheld is None and is_theirs and (self.is_whole or goes_on)


def ways_in_full(
    lattice: Lattice, before: Sequence[Query], market: Market, language: Language
) -> Iterator[FullText]:
    """The text with what it leaves out, the fullest way first; none where it leaves out nothing."""
    if _IS_HIGH.search(lattice.text):  # 招行市净率高不高: against the median of its industry
        yield FullText(_IS_HIGH.sub("比行业中位数高还是低", lattice.text), is_whole=True)
    if not before:
        return
    if (pointing := said_of_those(lattice)) != lattice.text:
        yield FullText(pointing, before)
    said, seen = pointing_at_several(lattice, before)
    if together := needed_together(lattice, before):
        yield FullText(lattice.text, together)
    if (those := seen or together) and (full := _with_names(lattice, said, those[-1], language)):
        yield FullText(full, those, is_whole=True, whose=companies_told(those[-1]))
    if full := _against_other(lattice, before, market, language):
        yield full
    # What is left out behind a list is of that list, or of those that are named.
    is_whole = is_told_whole(before[-1]) or bool(lattice.has("ENT"))
    for one in _said_of_one(lattice, before[-1], market, language):
        yield FullText(one, before, is_whole)


def _against_other(
    lattice: Lattice, before: Sequence[Query], market: Market, language: Language
) -> FullText | None:
    """那万科是它的几倍, behind what was told of two: of it and of the other, by that figure."""
    last, at = before[-1], _place_of_figure(lattice)
    pair = other_of_two(lattice, before)
    if at is None or pair is None or lattice.has(*_OF_ANOTHER) or _points_at_several(lattice):
        return None
    (name, owner, other), figure = pair, _figure(last, language, is_dated=True)
    fixed = [one for one in _pointing(lattice, other, market, language) if one[1]]
    if not fixed or not figure or not (_year(last) or time_of(last) is None):
        return None
    put = [(name.start, name.end, f" {owner} "), (at, at, f" {figure} ")]
    said = _edited(lattice.text, [*put, *fixed])
    return FullText(said, before, is_whole=True, whose=(owner, other))


def _with_names(lattice: Lattice, said: Sequence[Token], last: Query, language: Language) -> str:
    """排个序, 他们都超过20倍吗: with all those that were told and their figure, for the word that
    points at them; empty where another figure is said, or the time told has no name.
    """
    figure, time = _figure(last, language, is_dated=True), _time(last, language)
    if figures_told(last) == ["close:ret"]:
        figure = "涨跌幅" if language == "zh" else "price change"
    is_told = bool(_year(last) or time) or time_of(last) is None
    others = [
        one for one in lattice.has(*_OF_OTHERS)
        if not any(at.start <= one.start and one.end <= at.end for at in said)
    ]  # fmt: skip
    if not figure or not is_told or others:
        return ""
    whose = ("、" if language == "zh" else ", ").join(companies_told(last))
    head = f" {_of(whose, time, language)}{figure} "
    places = [(one.start, one.end) for one in said] or [(0, 0)]
    put = [head if at == min(places) else " " for at in places]
    edits = [(*at, one) for at, one in zip(places, put, strict=True)]
    return _edited(lattice.text, edits)


def _said_of_one(
    lattice: Lattice, last: Query, market: Market, language: Language
) -> Iterator[str]:
    owner = _owner(last)
    if owner and _points_at_several(lattice):
        return
    fixed = _pointing(lattice, owner, market, language) if owner else []
    is_whole = bool(fixed) or bool(lattice.has("ENT", "SCOPE", "peer"))
    is_owned = bool(owner) and not is_whole
    at = _place_of_figure(lattice)
    has_place, has_when = at is not None or is_owned, lattice.has("WHEN")
    is_told = has_place and not lattice.has("METRIC", "indicator")
    figure = _figure(last, language, is_dated=not has_when) if is_told else ""
    time = _time(last, language) if is_owned and not has_when else ""
    # What compares a figure is of the one that was told, and of no other.
    figures = (figure,) if figure and at is not None else dict.fromkeys((figure, ""))
    for put, when in product(figures, dict.fromkeys((time, ""))):
        head = _of(owner, when, language) if is_owned else ""
        said = [(at or 0, at or 0, f" {put} ")] if put else []
        if head or fixed or said:
            yield f"{head}{_edited(lattice.text, [*fixed, *said])}"
    if language == "zh" and not is_whole and (within := _set_summed_up(last)) is not None:
        said = [(at or 0, at or 0, _figure_of_set(last))] if is_told else []
        yield f"{Teller({}, 0).whom(within)}里{_edited(lattice.text, said)}"


def is_told_whole(last: Query) -> bool:
    """Whether what a turn leaves out may be all that was told: of companies, or of a whole set."""
    return is_of_companies(last) or _set_summed_up(last) is not None


def _set_summed_up(last: Query) -> Pred | None:
    """The set of which a sum, a median or the number was told, or a company's share; None behind
    a list, and a fold of those that satisfy something.
    """
    if companies_of(last):
        sets = [one.within for expr in last.show for one in walk(expr) if isinstance(one, Across)]
        return sets[0] if len(sets) == 1 and isinstance(sets[0], AllOf | In) else None
    of_some = (last.where, last.first, last.take, last.group, last.less, last.show)
    return last.scope if last.rows == "companies" and last.fold and not any(of_some) else None


def _figure_of_set(last: Query) -> str:
    """The one figure of it that was told."""
    folds = [one.of for one in last.fold if one.of is not None]
    shown = [one for expr in last.show[:1] for one in walk(expr)]
    told = {one.id for one in (*folds, *shown) if isinstance(one, Metric)}
    known = [CATALOGUE[one].zh for one in told if one in CATALOGUE]
    return known[0] if len(told) == len(known) == 1 else ""


def _points_at_several(lattice: Lattice) -> bool:
    said = [lattice.text[one.start : one.end] for one in lattice.tokens if _is_it(one)]
    return any(map(_SEVERAL.search, said))


def _owner(last: Query) -> str:
    """The code of the one company, or index, that was told of."""
    symbols = companies_told(last) if companies_of(last) else ()
    return symbols[0] if len(symbols) == 1 else ""


def _pointing(lattice: Lattice, owner: str, market: Market, language: Language) -> list[_Edit]:
    """它, as its code; 行业里, as the companies of its industry."""
    sure = [one for one in lattice.tokens if one.is_sure]
    its = {(one.start, one.end) for one in sure if one.cat == FUNCTION}
    said = [(one.start, one.end) for one in sure if _is_it(one)]
    # Is it above its 60-day average: its own, behind whom it is.
    made = [(*at, f" {owner} ") for at in said if at == said[0] or at not in its]
    peers = [one for one in sure if (one.cat, one.sem) == ("peer", "industry")]
    home = market.book.row(owner).market
    if made and home != "CN" and not lattice.has("SCOPE", "peer"):
        made.append((0, 0, f"{mark_words('market', home).in_language(language)} "))
    if not peers:
        return made
    scope = _industry(owner, market, language)
    return [*made, *((one.start, one.end, f" {scope} ") for one in peers)] if scope else []


def _industry(owner: str, market: Market, language: Language) -> str:
    try:
        sets = [one for one in items_of(market.industry(owner)) if isinstance(one, In)]
    except UnusedError:
        return ""
    said = [mark_words(one.dim, one.values[0]).in_language(language) for one in sets]
    return ("" if language == "zh" else " in ").join(said)


def _is_it(one: Token) -> bool:
    return (one.cat, one.sem) == ("follow", "these")


def _figure(last: Query, language: Language, *, is_dated: bool) -> str:
    if last.fold:
        return ""
    listed = shown_of_list((), last.order, last.where) if not last.show else ()
    told = figures_told(last) or [one.id for one in listed if isinstance(one, Metric)]
    if len(told) != 1 or told[0] not in CATALOGUE:
        return ""
    name = CATALOGUE[told[0]].label(language)
    year = _year(last) if is_dated else None
    return f"{year}{'年' if language == 'zh' else ' '}{name}" if year else name


def _year(last: Query) -> object:
    """The one year it was told of; None of other times."""
    time = time_of(last)
    one = time.periods if time is not None else None
    is_year = one is not None and one.kind == "years" and one.first == one.last
    return one.first if is_year and one is not None else None


def _time(last: Query, language: Language) -> str:
    """The years or the days that were told, as a question says them."""
    time = time_of(last)
    when = time and (time.days if time.days and time.days.kind == "days" else time.periods)
    if not when or when.kind not in ("days", "years") or when.only:
        return ""
    if when.first is None or when.last is None or when.first == when.last:
        return ""
    link, end = (
        ("到", "" if isinstance(when.first, date) else "年") if language == "zh" else (" to ", "")
    )
    return f"{when.first}{link}{when.last}{end}"


def _of(owner: str, time: str, language: Language) -> str:
    return f"{owner}{time and ' '}{time}{'的' if language == 'zh' else ' '}"


def _place_of_figure(lattice: Lattice) -> int | None:
    """Before what compares a figure or places it; None where nothing does."""
    sure = [one for one in lattice.tokens if one.is_sure]
    starts = [one.start for one in sure if one.cat in _COMPARES or (one.cat, one.sem) in _PLACES]
    at = min(starts, default=None)
    # 历史上最高: of what was the highest stands before the time.
    before = [one.start for one in sure if one.cat == "WHEN" and one.end == at]
    return min(before, default=at)


def _edited(text: str, edits: Sequence[_Edit]) -> str:
    for start, end, said in sorted(edits, reverse=True):
        text = f"{text[:start]}{said}{text[end:]}"
    return text
