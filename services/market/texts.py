"""Texts from outside as one list: within the days asked, of one origin, each once, with counts.

Sources know no date windows (upstreams.md §1.7), so days are kept here, by when a text was
published. An undated text is never inside a dated window; how many were left out is said.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, NamedTuple

from services.core.claims import Claim
from services.core.clock import BEIJING
from services.core.errors import NoDataError
from services.core.ledger import Answer, Ledger
from services.core.text import Text
from services.core.trace import Item, ToolCall

Scope = Literal["all", "pgc", "ugc"]
# How many to ask a source for, where it sorts, and where we sift what it sent.
FEW = 20
MANY = 100
_PROFESSIONAL = frozenset({"notice", "news"})


@dataclass(frozen=True, slots=True)
class Sought:
    """Which texts are wanted: days (Beijing, both included), origin, any of `words`, how many.

    `start` None is from the beginning. With neither `start` nor an `end` before `today` the window
    is not dated, and undated texts belong to it.
    """

    start: date | None
    end: date
    today: date
    scope: Scope = "all"
    words: tuple[str, ...] = ()
    size: int = FEW

    @property
    def is_dated(self) -> bool:
        """Whether a text must have a date to be in."""
        return self.start is not None or self.end < self.today

    @property
    def asked(self) -> int:
        """How many to ask the source for: more where some of them will not be kept."""
        sifted = self.end < self.today or self.scope != "all" or self.words
        return max(MANY, self.size) if sifted else self.size

    @property
    def days(self) -> str:
        """The window in words."""
        return f"{self.start or '…'} 至 {self.end}"


@dataclass(frozen=True, slots=True)
class Article:
    """One text, the call that brought it, and counts about it (likes, followers) by metric."""

    item: Item
    call: ToolCall
    counts: Mapping[str, Claim]


@dataclass(frozen=True, slots=True)
class Selection:
    """The texts that are wanted, in order, and what was left out."""

    texts: tuple[Article, ...]
    notes: tuple[Text, ...] = ()


# Found by a search of news, where no engine of the web is set or none answered.
_NEWS_INSTEAD = Text(
    "没有可用的全网搜索（怎么设见「数据源」），以下来自新闻检索与 RSS，不是网页搜索",
    "No engine of the web answers (Data sources says how to set one): these are from a search of "
    "news and RSS feeds, not of web pages",
)
Found = tuple[ToolCall, Item]


def read_published_day(call: ToolCall, item: Item) -> date | None:
    """The day in Beijing, else the day its source wrote without a zone; None when it wrote none."""
    if item.published_at is not None:
        return item.published_at.astimezone(BEIJING).date()
    try:
        return date.fromisoformat(read_written_time(call, item)[:10])
    except ValueError:
        return None


def read_written_time(call: ToolCall, item: Item) -> str:
    """What a source wrote for a time that is no instant, for want of a zone; mostly nothing."""
    return call.labels.get(item.item_id, {}).get("published", "")


def scope_of(item: Item) -> Literal["pgc", "ugc"] | None:
    """Professional or members' content; None where it cannot be told (a page of the web)."""
    for tag in ("pgc", "ugc"):
        if tag in item.tags:
            return tag
    if item.kind in _PROFESSIONAL:
        return "pgc"
    return "ugc" if item.kind == "post" else None


def fold_width(text: str) -> str:
    """For comparing: full-width made plain, case and blanks gone."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def list_texts(answer: Answer) -> list[Found]:
    """Every text of an answer with its call, each once."""
    return once([(call, item) for call in answer.calls for item in call.items])


def once(found: Sequence[Found]) -> list[Found]:
    """The first of those with the same id or address, or of one notice that two sources tell."""
    kept: list[Found] = []
    seen: set[str] = set()
    told_by: dict[tuple[str | None, date | None, str], str] = {}
    for call, item in found:
        marks = {item.item_id, *({_address(item.url)} if item.url else ())}
        is_first = True
        if item.kind == "notice":
            notice = (item.symbol, read_published_day(call, item), _bare_title(item))
            is_first = told_by.setdefault(notice, call.tool_call_id) == call.tool_call_id
        if is_first and not marks & seen:
            kept.append((call, item))
        seen |= marks
    return kept


def _bare_title(item: Item) -> str:
    """A notice's title without the company's name, with which sources begin it once or twice."""
    name, title = fold_width(item.author or ""), fold_width(item.title)
    return title.removeprefix(f"{name}:").removeprefix(name)


def text_of(ledger: Ledger, answer: Answer, found: Found) -> Article:
    """The text with its counts as claims."""
    call, item = found
    counts = {fact.metric: ledger.claim(owner, fact) for owner, fact in answer.facts(item.item_id)}
    return Article(item, call, counts)


def select(
    ledger: Ledger,
    answer: Answer,
    sought: Sought,
    what: str,
    *,
    newest_first: bool = True,
    asked: int | None = None,
) -> Selection:
    """The texts of an answer that are wanted; `asked` is how many the source was asked for.

    Raises: NoDataError saying what the source did give when none of them is wanted.
    """
    found = list_texts(answer)
    kept, left = sift(found, sought)
    if not kept:
        raise NoDataError(what, _nothing(found, left, sought))
    if newest_first:
        kept.sort(key=_newest_first)
    texts = tuple(text_of(ledger, answer, one) for one in kept[: sought.size])
    notes = [*stale_notes(answer.calls), *_list_unheeded(answer.calls), *_list_left_out(left)]
    oldest = _short_of(found, sought, asked or sought.asked) if newest_first else None
    if oldest is not None:
        notes.append(
            Text(
                f"来源给出的内容最早到 {oldest}，更早的没有取到",
                f"The source's texts reach back to {oldest}; nothing earlier was fetched",
            )
        )
    return Selection(texts, tuple(notes))


class Left(NamedTuple):
    """How many texts were left out, and why."""

    undated: int
    outside: int
    origin: int
    words: int


def sift(found: Sequence[Found], sought: Sought) -> tuple[list[Found], Left]:
    """Those within the days, of the origin, with the words; and how many are not."""
    undated = outside = origin = words = 0
    kept: list[Found] = []
    for call, item in found:
        day = read_published_day(call, item)
        if sought.is_dated and day is None:
            undated += 1
        elif sought.is_dated and day is not None and not _within(day, sought):
            outside += 1
        elif sought.scope not in {"all", scope_of(item)}:
            origin += 1
        elif not _says(item, sought.words):
            words += 1
        else:
            kept.append((call, item))
    return kept, Left(undated, outside, origin, words)


def stale_notes(calls: Sequence[ToolCall]) -> tuple[Text, ...]:
    """Said when every source failed and an answer from before is shown."""
    old = [call for call in calls if call.attempts and call.attempts[-1].cached == "stale"]
    if not old:
        return ()
    at: datetime = min(call.fetched_at for call in old).astimezone(BEIJING)
    return (
        Text(
            f"来源暂不可用，以下为 {at:%Y-%m-%d %H:%M} 取得的内容",
            f"The source is unavailable: fetched {at:%Y-%m-%d %H:%M} Beijing time",
        ),
    )


def _address(url: str) -> str:
    """An address without what does not change the page."""
    return url.partition("#")[0].removeprefix("https://").removeprefix("http://").rstrip("/")


def _within(day: date, sought: Sought) -> bool:
    return (sought.start is None or sought.start <= day) and day <= sought.end


def _says(item: Item, words: Sequence[str]) -> bool:
    text = fold_width(item.title + item.text)
    return not words or any(fold_width(word) in text for word in words)


def _newest_first(found: Found) -> tuple[bool, float]:
    at = found[1].published_at
    return (at is None, -at.timestamp() if at else 0.0)


def _short_of(found: Sequence[Found], sought: Sought, asked: int) -> date | None:
    """The oldest day that came, when the source was cut off before the window was whole."""
    days = [day for one in found if (day := read_published_day(*one))]
    if not sought.is_dated or not days or len(found) < asked:
        return None
    oldest = min(days)
    return oldest if sought.start is None or oldest > sought.start else None


def _list_unheeded(calls: Sequence[ToolCall]) -> list[Text]:
    """What a search engine was asked for and cannot do."""
    names = [name for call in calls if (name := call.labels.get("web", {}).get("ignored"))]
    told: list[Text] = []
    if any(call.labels.get("web", {}).get("instead") == "news" for call in calls):
        told.append(_NEWS_INSTEAD)
    zh, en = "搜索服务不能按 {} 限定，此条件未生效", "The engine cannot restrict to {}: not heeded"
    return told + [Text(zh.format(name), en.format(name)) for name in dict.fromkeys(names)]


def _list_left_out(left: Left) -> list[Text]:
    notes: list[Text] = []
    if left.undated:
        notes.append(
            Text(
                f"另有 {left.undated} 条未注明发布时间，不能算在所选时段内，未列出",
                f"{left.undated} undated texts cannot be placed in the window and are left out",
            )
        )
    if left.origin:
        notes.append(
            Text(
                f"另有 {left.origin} 条不属于或无法判定为所选来源范围，未列出",
                f"{left.origin} texts are not, or not known to be, of the scope asked for",
            )
        )
    return notes


def _nothing(found: Sequence[Found], left: Left, sought: Sought) -> Text:
    """What the source did give, when nothing of it is wanted."""
    days = sorted(day for one in found if (day := read_published_day(*one)))
    zh, en = [f"来源给出 {len(found)} 条"], [f"the source gave {len(found)} texts"]
    if left.outside:
        zh.append(f"{left.outside} 条不在 {sought.days}（来源最早 {days[0]}，最新 {days[-1]}）")
        en.append(f"{left.outside} outside the days asked (they span {days[0]} to {days[-1]})")
    if left.undated:
        zh.append(f"{left.undated} 条未注明发布时间")
        en.append(f"{left.undated} undated")
    if left.origin:
        zh.append(f"{left.origin} 条不属于所选来源范围")
        en.append(f"{left.origin} of another scope")
    if left.words:
        zh.append(f"{left.words} 条不含「{' '.join(sought.words)}」")
        en.append(f"{left.words} without the words asked for")
    return Text("，".join(zh), ", ".join(en))
