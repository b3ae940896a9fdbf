"""What is written about one company: posts, announcements, and the members who write much of it."""

from collections.abc import Iterable
from datetime import time
from typing import Literal, NamedTuple

from services.core.clock import BEIJING
from services.core.errors import InputError, NoDataError, ProviderError
from services.core.ledger import Answer, Ledger
from services.core.requests import InfluencersRequest, NoticesRequest, PostsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.names.names import Names
from services.market.texts import (
    FEW,
    Selection,
    Sought,
    fold_width,
    list_texts,
    select,
    stale_notes,
    text_of,
)

# More companies than that in a few keywords are a list of examples, not a question about them.
MOST_COMPANIES = 3


def posts(
    ledger: Ledger, symbol: Symbol, order: Literal["new", "hot"], sought: Sought
) -> Selection:
    """Posts about a symbol: newest first, or in the source's order of heat.

    Raises: NoDataError, ProviderError.
    """
    answer = ledger.fetch(
        PostsRequest(symbol=symbol.value, order=order, start=sought.start, size=sought.asked)
    )
    return select(ledger, answer, sought, f"posts {symbol}", newest_first=order == "new")


def notices(ledger: Ledger, symbol: Symbol, sought: Sought) -> Selection:
    """Announcements of a company, newest first, this evening's included.

    The official source dates an evening's announcement with the next day and does not tell it
    before: for the present day one that tells times is asked as well.
    Raises: NoDataError, ProviderError.
    """
    request = NoticesRequest(
        symbol=symbol.value,
        start=sought.start,
        end=sought.end if sought.is_dated else None,
        size=sought.size,
    )
    try:
        answer = ledger.fetch(request)
    except NoDataError:
        found = _notices_of_today(ledger, symbol, sought)
        if found is None:
            raise
        answer = found
    else:
        found = _notices_of_today(ledger, symbol, sought) if _knows_days_only(answer) else None
        if found is not None:
            answer = Answer((*found.calls, *answer.calls), answer.others)
    return select(ledger, answer, sought, f"notices {symbol}", asked=sought.size)


def _notices_of_today(ledger: Ledger, symbol: Symbol, sought: Sought) -> Answer | None:
    """What a source that tells times has of today; None where it has nothing, or is not asked."""
    if not symbol.is_a_share or sought.end < sought.today:
        return None
    today = sought.today
    try:
        return ledger.fetch(
            NoticesRequest(
                symbol=symbol.value, start=today, end=today, size=sought.size, timed=True
            )
        )
    except (NoDataError, ProviderError):
        return None


def _knows_days_only(answer: Answer) -> bool:
    """Whether every text of the answer is dated with a midnight in Beijing."""
    times = [item.published_at for call in answer.calls for item in call.items]
    return all(at is not None and at.astimezone(BEIJING).time() == time() for at in times)


def influencers(ledger: Ledger, symbol: Symbol) -> Selection:
    """Members who write much about a symbol, in the source's order.

    Raises: NoDataError, ProviderError.
    """
    answer = ledger.fetch(InfluencersRequest(symbol=symbol.value))
    found = list_texts(answer)[:FEW]
    if not found:
        raise NoDataError(
            f"influencers {symbol}", Text("来源没有给出影响力用户", "the source lists none")
        )
    texts = tuple(text_of(ledger, answer, one) for one in found)
    return Selection(texts, stale_notes(answer.calls))


class Mentioned(NamedTuple):
    """The companies that keywords name, and the names that may be several."""

    symbols: tuple[Symbol, ...]
    unclear: tuple[str, ...]


def companies_in(names: Names, keywords: Iterable[str]) -> Mentioned:
    """The listed companies that keywords name for certain, at most three; indexes are none."""
    symbols: dict[str, Symbol] = {}
    unclear: list[str] = []
    for keyword in keywords:
        for name in dict.fromkeys((keyword, *names.find_mentioned(keyword))):
            try:
                symbol = names.resolve(name)
            except InputError:
                unclear += [] if name == keyword else [name]
                continue
            # A part of a name is enough for a reader who sees the answer's name, not for a guess.
            sure = name != keyword or fold_width(name) in map(
                fold_width, sum(names.list_names(symbol), ())
            )
            if sure and not symbol.is_index:
                symbols.setdefault(symbol.value, symbol)
    return Mentioned(tuple(symbols.values())[:MOST_COMPANIES], tuple(dict.fromkeys(unclear)))
