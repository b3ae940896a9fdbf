"""A turn that cannot be read as it stands, said in full: with whom, when and of which figure as
the turn before told it, where it says none itself (成交量最大是哪天, behind how far a price went
this year; 比它高的有几家, behind one multiple).

Each way is a question to be read like any other: a word that was put in and is not used puts that
way back.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import product

from services.core.catalogue import CATALOGUE
from services.core.text import Language
from services.language.lattice import FUNCTION, Token
from services.query.algebra.nodes import In, Metric, Query, items_of
from services.query.algebra.words import mark_words
from services.query.reading.errors import UnusedError
from services.query.reading.figures_compared import shown_of_list
from services.query.reading.figures_told import companies_of, companies_told, figures_told, time_of
from services.query.reading.shapes import Market
from services.query.reading.tagging import Lattice

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
_Edit = tuple[int, int, str]


def said_in_full(
    lattice: Lattice, last: Query, market: Market, language: Language
) -> Iterator[str]:
    """The text with what it leaves out, the fullest way first; none where it leaves out nothing, or
    points at several.
    """
    owner = _owner(last)
    if owner and _points_at_several(lattice):
        return
    fixed = _pointing(lattice, owner, market, language) if owner else []
    is_owned = bool(owner) and not (fixed or lattice.has("ENT", "SCOPE", "peer"))
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


def said_against_peers(text: str) -> Iterator[str]:
    """招行市净率高不高, 算高吗: against the median of its industry; none where no such thing is
    asked.
    """
    if _IS_HIGH.search(text):
        yield _IS_HIGH.sub("比行业中位数高还是低", text)


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
