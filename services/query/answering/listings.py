"""A company listed twice: which of its shares an answer is about, and the other as a question."""

import re
from collections.abc import Iterable, Iterator, Sequence

from services.core.names import NameRow
from services.core.text import Language, Text, join_texts
from services.market.names.names import Names
from services.query.algebra.words import SHARES
from services.query.answering.outcomes import Outcome, quote_text
from services.query.sayings import saying

_MOST = 3
# The share that is said behind a name: H股, A-share, a bare H.
_SIDE = re.compile(r"\s?[ah](?:股|[- ]?shares?\b|\b)", re.IGNORECASE)


def listing_notes(
    names: Names,
    outcomes: Sequence[Outcome],
    chosen: Iterable[tuple[str, str, Sequence[str]]] = (),
) -> Iterator[Text]:
    """Which share each company is told by, where its name is also that of another listing; which
    company a name of several was taken for (`chosen`: as said, for whom, the others).
    """
    yield from _chosen_notes(names, chosen, outcomes)
    for row, other in _twice(names, outcomes):
        name = quote_text(Text(row.name, names.text(row.symbol).en))
        shares = {"own": SHARES[row.market], "its": SHARES[other.market]}
        a = "an" if shares["its"].en[0] in "AEIOU" else "a"
        codes = {"symbol": row.symbol, "other": other.symbol}
        yield saying("by_this_share", name=name, a=a, **shares, **codes)


def _chosen_notes(
    names: Names, chosen: Iterable[tuple[str, str, Sequence[str]]], outcomes: Sequence[Outcome]
) -> Iterator[Text]:
    """Which company a name of several was taken for, and whom it may mean as well."""
    asked = {row.symbol for one in outcomes for row in one.rows}
    for said, symbol, others in chosen:
        beside = listed_elsewhere(names, symbol)
        if symbol not in asked and (beside is None or beside.symbol not in asked):
            continue
        told = [quote_text(names.text(one)) for one in (symbol, *others[:_MOST])]
        yield saying("taken_for", said=said, name=told[0], rest=join_texts(told[1:], "、", ", "))


def other_listing(
    names: Names, outcomes: Sequence[Outcome], text: str, language: Language
) -> str | None:
    """The same question about the other share, where one company was asked about by its name."""
    found = list(_twice(names, outcomes))
    if len(found) != 1:
        return None
    row, other = found[0]
    if row.symbol in text:
        return text.replace(row.symbol, other.symbol)
    called = (row.name,) if language == "zh" else (names.text(row.symbol).en, row.name)
    name = next((one for one in called if one and one in text), None)
    if name is None or _SIDE.match(text, text.index(name) + len(name)):
        return None  # 中国平安H股, Ping An H: said of that share
    called_so = f"{name}({other.symbol})" if language == "zh" else other.symbol
    return text.replace(name, called_so, 1)


def is_also_at_home(names: Names, row: NameRow | None) -> bool:
    """Whether a listing elsewhere has a name by which another is meant too: an A share, mostly."""
    if row is None or row.market == "CN" or row.kind == "index":
        return False
    return row.name in names.short.shared


def _twice(names: Names, outcomes: Iterable[Outcome]) -> Iterator[tuple[NameRow, NameRow]]:
    """Companies asked about by name, each with the listing of the same name elsewhere."""
    lists = [dict.fromkeys(row.symbol for row in one.rows if row.symbol) for one in outcomes]
    named = [symbol for one in lists if len(one) <= _MOST for symbol in one]
    for symbol in list(dict.fromkeys(named))[:_MOST]:
        row, other = names.row(symbol), listed_elsewhere(names, symbol)
        if row is not None and other is not None and other.symbol not in named:
            yield row, other


def listed_elsewhere(names: Names, symbol: str) -> NameRow | None:
    """The one listing of the same name in another market; None for an index."""
    row = names.row(symbol)
    if row is None or row.kind == "index":
        return None
    others = [
        one for one in names.known.values() if one.name == row.name and one.market != row.market
    ]
    return others[0] if len(others) == 1 else None
