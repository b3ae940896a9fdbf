"""What Xueqiu's posts and members are as items, and the counts about them as facts."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from bs4 import BeautifulSoup

from services.core.clock import BEIJING
from services.core.errors import ChangedError
from services.core.trace import Fact, Item
from services.providers.http import Body
from services.providers.reading import (
    LONGEST_TEXT,
    Column,
    Node,
    facts,
    instant,
    link,
    plain,
    require,
)

HOME = "https://xueqiu.com"
Kind = Literal["post", "notice", "news"]
POST_COLUMNS = ("id", "created_at", "target", "like_count", "reply_count")
USER_COLUMNS = ("id", "screen_name", "followers_count")
_POST_COUNTS = (
    Column("like_count", "like_count", "number"),
    Column("reply_count", "reply_count", "number"),
)
_MORE_POST_COUNTS = (
    Column("view_count", "view_count", "number"),
    Column("retweet_count", "retweet_count", "number"),
)
_USER_COUNTS = (Column("followers_count", "followers_count", "number"),)
_MORE_USER_COUNTS = (Column("status_count", "status_count", "number"),)
_TARGET = re.compile(r"/[A-Za-z0-9_./-]{1,100}")
_LONGEST_TITLE = 80


def post_item(row: Node, kind: Kind, body: Body, symbol: str | None = None) -> Item:
    """A post, announcement or headline. Raises: ChangedError when it has not the known shape."""
    require(row, POST_COLUMNS, body)
    if "text" not in row and "description" not in row:
        raise ChangedError(body.provider, body.table, "no column text or description")
    user = row.get("user") if isinstance(row.get("user"), dict) else None
    text = _text(row)
    title = plain(row.get("title"), _LONGEST_TITLE)
    if not title and kind != "post":
        # Announcements have no title: their text is one, followed by the words of its link.
        title = _cut(text.removesuffix("网页链接").strip(), _LONGEST_TITLE)
    created = row["created_at"]
    return Item(
        item_id=f"{kind}:{_id(row, body)}",
        kind=kind,
        symbol=symbol,
        title=title,
        text=text,
        url=_address(row, kind),
        author=plain(user.get("screen_name"), 60) or None if user else None,
        origin="雪球",
        published_at=None if created is None else instant(created, body, "created_at"),
        tags=("pgc",) if kind != "post" or _is_verified(user) else ("ugc",),
    )


def post_counts(row: Node, item: Item, body: Body) -> list[Fact]:
    """Likes, replies, views and reposts at the moment of asking."""
    return _counts(row, item, body, _POST_COUNTS, _MORE_POST_COUNTS)


def user_item(row: Node, body: Body, symbol: str | None = None) -> Item:
    """A member. Raises: ChangedError when it has not the known shape."""
    require(row, USER_COLUMNS, body)
    name = plain(row["screen_name"], 60)
    words = [plain(row.get(field)) for field in ("verified_description", "description")]
    return Item(
        item_id=f"user:{_id(row, body)}",
        kind="user",
        symbol=symbol,
        title=name,
        text="；".join(word for word in words if word),
        url=f"{HOME}/u/{_id(row, body)}",
        author=name or None,
        origin="雪球",
        tags=("pgc",) if _is_verified(row) else ("ugc",),
    )


def user_counts(row: Node, item: Item, body: Body) -> list[Fact]:
    """Followers and posts at the moment of asking."""
    return _counts(row, item, body, _USER_COUNTS, _MORE_USER_COUNTS)


def _counts(
    row: Node, item: Item, body: Body, needed: Sequence[Column], more: Sequence[Column]
) -> list[Fact]:
    columns = (*needed, *(column for column in more if column.field in row))
    today = body.fetched_at.astimezone(BEIJING).date()
    return facts(row, columns, body, symbol=item.item_id, as_of=today)


def _id(row: Node, body: Body) -> str:
    number = str(row["id"])
    if not (number.isascii() and number.isdigit()):
        raise ChangedError(body.provider, body.table, "id is no number")
    return number


def _text(row: Node) -> str:
    """The whole text, else its excerpt; and of whom it repeats, what they said."""
    own = plain(row.get("text")) or plain(row.get("description"))
    repeated = row.get("retweeted_status")
    if not isinstance(repeated, dict):
        return own
    inner: dict[str, Any] = repeated
    said = plain(inner.get("text")) or plain(inner.get("description"))
    who = inner.get("user")
    name = plain(who.get("screen_name"), 60) if isinstance(who, dict) else ""
    return _cut(f"{own} // 转发 {name}：{said}", LONGEST_TEXT) if said else own


def _cut(text: str, longest: int) -> str:
    """Plain text already: what looks like a tag in it was written as words."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _address(row: Node, kind: Kind) -> str | None:
    """An announcement's own document where it links one, else the page of the post."""
    if kind == "notice" and (document := _document(row)):
        return document
    target = row["target"]
    if isinstance(target, str) and _TARGET.fullmatch(target) and not target.startswith("//"):
        return HOME + target
    user = row.get("user_id")
    return f"{HOME}/{user}/{row['id']}" if isinstance(user, int) else None


def _document(row: Node) -> str | None:
    """The first PDF the text links."""
    for field in ("text", "description"):
        html = row.get(field)
        if not isinstance(html, str) or "href" not in html:
            continue
        for anchor in BeautifulSoup(html, "html.parser").find_all("a", href=True):
            found = link(anchor["href"])
            if found and found.lower().partition("?")[0].endswith(".pdf"):
                return found
    return None


def _is_verified(user: Mapping[str, Any] | None) -> bool:
    return user is not None and user.get("verified") is True
