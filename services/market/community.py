"""Members of the community and its pages: finding one, what one wrote, and opening an address."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.core.claims import Claim
from services.core.errors import InputError, NoDataError
from services.core.ledger import Answer, Ledger
from services.core.requests import PageRequest, UserPostsRequest, UserRequest
from services.core.text import Text
from services.market.texts import (
    Article,
    Selection,
    Sought,
    fold_width,
    list_texts,
    select,
    stale_notes,
    text_of,
)

MOST_CHOICES = 10
_UNREADABLE = "不是能读取的页面：只读帖子（/用户/帖子）、个股页（/S/代码）、用户主页（/u/用户）"


@dataclass(frozen=True, slots=True)
class CommunityMembers:
    """Those whose screen name matches; `one` is the one meant, None when several may be."""

    one: Article | None
    choices: tuple[Article, ...]
    notes: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """What an address holds: its texts, the page itself first, and figures it shows by metric."""

    texts: tuple[Article, ...]
    figures: tuple[Claim, ...]
    notes: tuple[Text, ...]


def find_member(ledger: Ledger, name: str) -> CommunityMembers:
    """The member of that screen name. The exact name wins; else the only match; else choices.

    Raises: NoDataError (nobody), ProviderError.
    """
    answer = ledger.fetch(UserRequest(name=name, size=MOST_CHOICES))
    found = [text_of(ledger, answer, one) for one in list_texts(answer)]
    found = [text for text in found if text.item.kind == "user"]
    if not found:
        raise NoDataError(f"user_search {name}", Text("没有匹配的用户", "no member matches"))
    exact = [text for text in found if fold_width(screen_name(text)) == fold_width(name)]
    one = exact[0] if len(exact) == 1 else found[0] if len(found) == 1 else None
    return CommunityMembers(one, tuple(exact or found)[:MOST_CHOICES], stale_notes(answer.calls))


def screen_name(member: Article) -> str:
    """What a member is called."""
    return member.item.title or member.item.author or ""


def user_id(member: Article) -> str:
    """A member's number at the source."""
    return member.item.item_id.partition(":")[2]


def posts_of(ledger: Ledger, member: Article, sought: Sought) -> Selection:
    """What one member wrote, newest first. Raises: NoDataError, ProviderError."""
    request = UserPostsRequest(user_id=user_id(member), start=sought.start, size=sought.asked)
    return select(ledger, ledger.fetch(request), sought, f"user_posts {screen_name(member)}")


def open_page(ledger: Ledger, url: str) -> Page:
    """The texts and figures of one page.

    Raises: NoDataError (also for an address that is no post, stock or member), ProviderError.
    """
    try:
        answer = ledger.fetch(PageRequest(url=url))
    except InputError as error:
        raise NoDataError(
            f"page {url}", Text(_UNREADABLE, f"it must be {error.valid.en}")
        ) from error
    texts = tuple(text_of(ledger, answer, one) for one in list_texts(answer))
    if not texts:
        raise NoDataError(f"page {url}", Text("这个页面没有正文", "the page has no text"))
    return Page(texts, _figures(ledger, answer, texts), stale_notes(answer.calls))


def _figures(ledger: Ledger, answer: Answer, texts: Sequence[Article]) -> tuple[Claim, ...]:
    """The facts that are not counts about one of the texts: a stock page has a quote."""
    about = {text.item.item_id for text in texts}
    return tuple(
        ledger.claim(call, fact)
        for symbol in answer.symbols
        if symbol not in about
        for call, fact in answer.facts(symbol)
    )
