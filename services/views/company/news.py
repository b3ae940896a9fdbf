"""消息: what is written about a company, kind by kind, beside the moves that wait for a cause.

Every text is somebody else's: quoted, never a claim; the figures in it are not ours.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, get_args

from services.core.ledger import Ledger
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Item
from services.market import feeds
from services.market.news import headlines
from services.market.outages import Absence, attempt
from services.market.texts import Article, Sought, read_published_day
from services.views.company.chart import ChartPart
from services.views.company.head import CompanyHead
from services.views.parts import Parts
from services.views.table import Table, TableColumn, TableRow

Shown = Literal["all", "notice", "news", "talk", "hot"]
Scope = Literal["own", "listings", "industry"]
SHOWN: tuple[Shown, ...] = get_args(Shown)
SCOPES: tuple[Scope, ...] = get_args(Scope)
# How many of a kind; a move is answered by what was published from so long before to so long after.
_MANY = 20
_BEFORE, _AFTER = timedelta(days=1), timedelta(days=3)
_WEB = re.compile(r"https?://", re.IGNORECASE)
_OF_ALL: tuple[Shown, ...] = ("notice", "news", "talk")
KIND_WORDS: Mapping[str, Text] = {
    "notice": Text("公告", "Notice"),
    "news": Text("新闻", "News"),
    "talk": Text("讨论", "Talk"),
    "hot": Text("热门讨论", "Hot talk"),
    "people": Text("影响力用户", "Influential members"),
}
_ONLY_NEWS = Text(
    "来源只能按公司给，行业只有新闻", "given by company; of an industry there is news"
)


@dataclass(frozen=True, slots=True)
class FeedAsked:
    """Which kinds, and whose: the company's, its other listings' too, or its industry's."""

    shown: Shown = "all"
    scope: Scope = "own"


@dataclass(frozen=True, slots=True)
class NewsPiece:
    """One text: `kind` of KIND_WORDS, `day` in Beijing or null where its source says none, `url` an
    address on the web or null. `move` is the day of a move that it was published around.
    """

    kind: str
    item: Item
    day: date | None
    url: str | None
    move: date | None


@dataclass(frozen=True, slots=True)
class NewsPart:
    """`pieces` newest first (hot ones as the source orders them); `absent` says of each kind that
    did not come why, with the source's name. `people` write much about it.
    """

    asked: FeedAsked
    chart: ChartPart
    pieces: tuple[NewsPiece, ...]
    people: tuple[Item, ...]
    absent: tuple[tuple[Text, Text], ...]
    said: tuple[Text, ...]

    @property
    def notes(self) -> tuple[Text, ...]:
        """What was left out of the texts, then what limits the moves."""
        return tuple(dict.fromkeys((*self.said, *self.chart.notes)))

    def tables(self) -> tuple[Table, ...]:
        """The texts, then the moves."""
        columns = (
            TableColumn("day", Text("日期", "Date"), "date"),
            TableColumn("kind", Text("类型", "Kind"), "text"),
            TableColumn("title", Text("标题", "Title"), "text"),
            TableColumn("origin", Text("来源", "Source"), "text"),
            TableColumn("url", Text("地址", "Address"), "text"),
        )
        rows = tuple(
            TableRow(
                {
                    "day": one.day.isoformat() if one.day else "",
                    "kind": KIND_WORDS[one.kind],
                    "title": one.item.title or one.item.text,
                    "origin": one.item.origin or "",
                    "url": one.url or "",
                },
                one.item.symbol,
            )
            for one in self.pieces
        )
        return (Table("feed", Text("消息", "News"), columns, rows), *self.chart.tables()[:1])


def gather_news(
    parts: Parts, ledger: Ledger, head: CompanyHead, chart: ChartPart, asked: FeedAsked
) -> NewsPart:
    """Every kind asked for, one failing losing nothing; the snapshot has none and asks nobody."""
    if parts.settings.mode == "snapshot" and not parts.settings.frozen:
        return NewsPart(asked, chart, (), (), (), ())
    today = parts.clock.now().date()
    sought = Sought(None, today, today, size=_MANY)
    kinds = _OF_ALL if asked.shown == "all" else (asked.shown,)
    moves = tuple(row.event.end for row in chart.events)
    pieces: list[NewsPiece] = []
    absent: list[tuple[Text, Text]] = []
    said: list[Text] = []
    for kind in kinds:
        for ask in _questions(parts, ledger, head, kind, asked.scope, sought):
            found = attempt(ledger, ask)
            if isinstance(found, Absence):
                absent.append((KIND_WORDS[kind], found.why))
                continue
            texts, notes = found
            said += notes
            pieces += [_piece(kind, one, moves) for one in texts]
        if asked.scope == "industry" and kind != "news":
            absent.append((KIND_WORDS[kind], _ONLY_NEWS))
    if asked.shown != "hot":
        pieces.sort(key=_instant, reverse=True)
    people: tuple[Item, ...] = ()
    if "talk" in kinds or "hot" in kinds:
        writers = attempt(ledger, lambda: feeds.influencers(ledger, Symbol(head.symbol)))
        if isinstance(writers, Absence):
            absent.append((KIND_WORDS["people"], writers.why))
        else:
            people = tuple(one.item for one in writers.texts)
    return NewsPart(asked, chart, _each_once(pieces), people, tuple(dict.fromkeys(absent)),
                    tuple(dict.fromkeys(said)))  # fmt: skip


_Asking = Callable[[], tuple[Sequence[Article], Sequence[Text]]]


def _questions(
    parts: Parts, ledger: Ledger, head: CompanyHead, kind: Shown, scope: Scope, sought: Sought
) -> list[_Asking]:
    """One question of that kind for every listing in the scope; of an industry one for its name."""
    if scope == "industry":
        words = (head.industry,) if head.industry else ()
        return [_news(parts, ledger, None, words)] if kind == "news" and words else []
    symbols = [Symbol(head.symbol)]
    if scope == "listings":
        symbols += [Symbol(one.symbol) for one in head.siblings]
    return [_of(parts, ledger, kind, symbol, sought) for symbol in symbols]


def _of(parts: Parts, ledger: Ledger, kind: Shown, symbol: Symbol, sought: Sought) -> _Asking:
    if kind == "news":
        return _news(parts, ledger, symbol, ())

    def ask() -> tuple[Sequence[Article], Sequence[Text]]:
        found = (
            feeds.notices(ledger, symbol, sought)
            if kind == "notice"
            else feeds.posts(ledger, symbol, "hot" if kind == "hot" else "new", sought)
        )
        return found.texts, found.notes

    return ask


def _news(parts: Parts, ledger: Ledger, symbol: Symbol | None, words: Sequence[str]) -> _Asking:
    def ask() -> tuple[Sequence[Article], Sequence[Text]]:
        found = headlines(ledger, parts.names, symbol, words, _MANY)
        return found.texts, found.notes

    return ask


def _piece(kind: str, found: Article, moves: Sequence[date]) -> NewsPiece:
    item = found.item
    day = read_published_day(found.call, item)
    near = [one for one in moves if day and one - _BEFORE <= day <= one + _AFTER]
    url = item.url if item.url and _WEB.match(item.url) else None
    return NewsPiece(kind, item, day, url, near[0] if near else None)


def _instant(one: NewsPiece) -> tuple[date, float]:
    """The day, and within it the time: one whose source tells days only stands at its beginning."""
    at = one.item.published_at
    return one.day or date.min, at.timestamp() if at else 0.0


def _each_once(pieces: Iterable[NewsPiece]) -> tuple[NewsPiece, ...]:
    return tuple({one.item.item_id: one for one in pieces}.values())
