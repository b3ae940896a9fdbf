"""Searching by keyword: the open web, and the community."""

from collections.abc import Mapping, Sequence

from services.core.ledger import Ledger
from services.core.requests import SiteSearchRequest, WebSearchRequest
from services.core.text import Text
from services.market.outages import Absence
from services.market.texts import Selection, Sought, select

GENERAL = "general"
INDUSTRIES = (
    GENERAL,
    "finance",
    "law",
    "medical",
    "internet",
    "tax",
    "news_province",
    "news_center",
)


def web_search(
    ledger: Ledger, query: str, industries: Sequence[str], time_range: str, sought: Sought
) -> Selection:
    """Pages of the open web in the engine's own order. `general` means no restriction.

    Raises: NoDataError, ProviderError, ConfigError (no engine is configured).
    """
    request = WebSearchRequest.model_validate(
        {
            "query": query,
            "industries": tuple(one for one in industries if one != GENERAL),
            "time_range": time_range,
            "size": sought.size,
        }
    )
    answer = ledger.fetch(request)
    return select(ledger, answer, sought, f"web_search {query}", newest_first=False)


def site_search(ledger: Ledger, query: str, sought: Sought) -> Selection:
    """Posts of the community with a keyword, in the source's own order.

    Raises: NoDataError, ProviderError.
    """
    answer = ledger.fetch(SiteSearchRequest(query=query, start=sought.start, size=sought.asked))
    return select(ledger, answer, sought, f"site_search {query}", newest_first=False)


def without_repeats(
    answers: Mapping[str, Selection | Absence],
) -> dict[str, Selection | Absence]:
    """Each text only under the first question that brought it."""
    seen: set[str] = set()
    kept: dict[str, Selection | Absence] = {}
    for question, found in answers.items():
        if isinstance(found, Absence):
            kept[question] = found
            continue
        texts = tuple(text for text in found.texts if text.item.item_id not in seen)
        seen |= {text.item.item_id for text in texts}
        kept[question] = (
            Selection(texts, found.notes)
            if texts
            else Absence(
                Text("结果与前面的检索词相同", "the same results as for the searches before")
            )
        )
    return kept
