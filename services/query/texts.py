"""The actions that bring words: abnormal moves with their reasons, feeds, searches, pages.

Words from outside are quoted as they are and never become a figure of ours.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import cast

from pydantic import JsonValue

from services.market.event_leads import around_of
from services.market.events import Event, abnormal_events
from services.query.desk import Desk
from services.query.outcomes import Outcome, Quoted, Said
from services.query.plir import PlirNode
from services.query.spellings import FEED_PARTS
from services.tools.wire import Absent

EVENTS_SHOWN = 5
_FLAGS: Mapping[str, tuple[str, str]] = {
    "search_stock_notice": ("searchStockNotice", "notices"),
    "search_stock_feed_new": ("searchStockFeedNew", "feed_new"),
    "search_stock_feed_hot": ("searchStockFeedHot", "feed_hot"),
    "search_stock_influencer": ("searchStockInfluencer", "influencers"),
    "search_stock_quote": ("searchStockQuote", "quote"),
}
_PART_NAMES = {key: name for name, (key, _) in FEED_PARTS.items()}
_PART_NAMES_EN = {
    "notices": "announcements",
    "feed_new": "newest posts",
    "feed_hot": "hottest posts",
    "influencers": "influential members",
    "quote": "quote",
}
_NOTHING = Said("没有找到相关内容。", "Nothing was found.")


def abnormal(desk: Desk, node: PlirNode) -> Outcome:
    """Abnormal moves in the days asked about, the newest first, each with its reason."""
    symbol, days, bench = desk.symbol(node), desk.days(node, "NoLimit"), desk.bench
    around = around_of(desk.ledger, symbol, bench.calendar, bench.names, bench.settings.mode)
    found = abnormal_events(
        desk.ledger, symbol, days.start, days.end, calendar=bench.calendar, around=around
    )
    subject = desk.subject(node)
    sentences = [_event(subject, event) for event in found[:EVENTS_SHOWN]]
    if not found:
        zh = f"{subject.zh} {days.start or '有行情以来'} 至 {days.end} 没有达到异动规则的交易日。"
        en = f"{subject.en} had no abnormal session {days.start or ''} to {days.end}."
        sentences = [Said(zh, en)]
    elif len(found) > EVENTS_SHOWN:
        sentences.append(Said("更早的异动没有列出。", "Earlier ones are not listed."))
    caveats = dict.fromkeys(
        pair
        for event in found[:EVENTS_SHOWN]
        for pair in zip(event.caveats, event.caveats_en, strict=False)
    )
    return Outcome(
        node,
        subject,
        {"data": [_written(event) for event in found]},
        sentences=tuple(sentences),
        items=tuple(
            Quoted(lead.title, "", lead.url, lead.origin, lead.day.isoformat(), lead.source)
            for event in found[:EVENTS_SHOWN]
            for lead in event.leads
        ),
        notes=tuple(Said(*pair) for pair in caveats),
    )


def feed(desk: Desk, node: PlirNode) -> Outcome:
    """Announcements, posts and members around one company."""
    subject = desk.subject(node)
    wanted = {key: part for key, part in _FLAGS.items() if node.arg(key)} or {
        "search_stock_feed_new": _FLAGS["search_stock_feed_new"]
    }
    flags: dict[str, JsonValue] = {flag: False for flag, _ in _FLAGS.values()}
    arguments: dict[str, JsonValue] = {
        **flags,
        "stockName": str(node.arg("ticker")),
        "stockSearchQuery": "",
        "timeRange": str(node.arg("time_range") or "NoLimit"),
        "startDate": str(node.arg("start_date") or ""),
        "endDate": str(node.arg("end_date") or ""),
        "scope": str(node.arg("scope") or "all"),
        **{flag: True for flag, _ in wanted.values()},
    }
    result = desk.use("xqSearchStockFeed", arguments).result
    sentences: list[Said] = []
    items: list[Quoted] = []
    for key, (_, part) in wanted.items():
        zh, en = _PART_NAMES[key], _PART_NAMES_EN[part]
        listed = _listed(result.get(part))
        items += listed
        sentences.append(_part(subject, Said(zh, en), result.get(part), empty=not listed))
    return Outcome(node, subject, result, sentences=tuple(sentences), items=tuple(items))


def knowledge(desk: Desk, node: PlirNode) -> Outcome:
    """Passages of the user's own notes."""
    words = str(node.arg("query"))
    result = desk.use("knowledge", {"usage": "query", "query": words}).result
    passages = _maps(result["passages"])
    items = tuple(
        Quoted(str(one["heading"]), str(one["text"]), source=str(one["file"])) for one in passages
    )
    said = _told(result["passages"], Said("知识库里的原文如下。", "From the knowledge notes:"))
    return Outcome(node, Said(words, words), result, sentences=(said,), items=items)


def web(desk: Desk, node: PlirNode) -> Outcome:
    """Pages of the open web."""
    arguments: dict[str, JsonValue] = {
        "searchRequests": [str(node.arg("query"))],
        "industry": "general",
        "timeRange": str(node.arg("time_range") or "NoLimit"),
    }
    return _searched(desk, node, "webSearch", arguments)


def site(desk: Desk, node: PlirNode) -> Outcome:
    """Posts of the community by keyword."""
    arguments: dict[str, JsonValue] = {
        "searchRequests": [str(node.arg("query"))],
        "searchFilings": False,
        **_span(node),
        "scope": str(node.arg("scope") or "all"),
    }
    return _searched(desk, node, "xqSearchQuery", arguments)


def user(desk: Desk, node: PlirNode) -> Outcome:
    """Who a member of the community is and what the member wrote."""
    name = str(node.arg("user"))
    arguments: dict[str, JsonValue] = {
        "userScreenName": name,
        "filterQuery": str(node.arg("query") or ""),
        "userSearchQuery": name,
        "searchUserProfile": True,
        **_span(node),
    }
    result = desk.use("xqSearchUserFeed", arguments).result
    found = result["posts"] if _maps(result["posts"]) else result["search"]
    said = _told(found, Said(f"{name} 的动态如下。", f"Posts of {name}:"))
    return Outcome(node, Said(name, name), result, sentences=(said,), items=tuple(_listed(found)))


def visit(desk: Desk, node: PlirNode) -> Outcome:
    """One page of the community."""
    url = str(node.arg("url"))
    result = desk.use("xqVisit", {"urlTargets": [url]}).result
    (page,) = _maps(result["pages"])
    said = _told(page["content"], Said("网页内容如下。", "The page says:"))
    items = tuple(_listed(page["content"]))
    return Outcome(node, Said(url, url), result, sentences=(said,), items=items)


def _searched(desk: Desk, node: PlirNode, tool: str, arguments: Mapping[str, JsonValue]) -> Outcome:
    words = str(node.arg("query"))
    result = desk.use(tool, arguments).result
    (search,) = _maps(result["searches"])
    said = _told(search["results"], Said(f"「{words}」的搜索结果如下。", f"Found for “{words}”:"))
    items = tuple(_listed(search["results"]))
    return Outcome(node, Said(words, words), result, sentences=(said,), items=items)


def _span(node: PlirNode) -> dict[str, JsonValue]:
    return {
        "timeRange": str(node.arg("time_range") or "NoLimit"),
        "startDate": str(node.arg("start_date") or ""),
        "endDate": str(node.arg("end_date") or ""),
    }


def _event(subject: Said, event: Event) -> Said:
    day = str(event.end) if event.start == event.end else f"{event.start} 至 {event.end}"
    day_en = str(event.end) if event.start == event.end else f"{event.start} to {event.end}"
    kind = "point" if event.kind == "异动点" else "run"
    way = "up" if event.result == "涨" else "down"
    return Said(
        f"{subject.zh} {day} {event.kind}，{event.result}：{event.reason}",
        f"{subject.en} {day_en} abnormal {kind}, {way}: {event.reason_en}",
    )


def _written(event: Event) -> dict[str, object]:
    return {
        "date": event.end,
        "start": event.start,
        "end": event.end,
        "type": event.kind,
        "result": event.result,
        "explained": event.explained,
        "rules": list(event.rules),
    }


def _part(subject: Said, name: Said, found: object, *, empty: bool) -> Said:
    heading = Said(
        f"{subject.zh}的{name.zh}如下，时间新的在前。", f"{subject.en}: {name.en}, newest first."
    )
    if isinstance(found, Absent):
        why = Said.of(found.reason)
        return Said(f"{subject.zh}的{name.zh}：{why.zh}。", f"{subject.en}, {name.en}: {why.en}.")
    if empty and isinstance(found, list):
        return Said(f"{subject.zh}的{name.zh}：没有。", f"{subject.en}, {name.en}: none.")
    return heading


def _told(found: object, heading: Said) -> Said:
    if isinstance(found, Absent):
        why = Said.of(found.reason)
        return Said(why.zh + "。", why.en + ".")
    return heading if _maps(found) else _NOTHING


def _maps(found: object) -> list[Mapping[str, object]]:
    if not isinstance(found, Sequence) or isinstance(found, str):
        return []
    items = cast("Sequence[object]", found)
    return [cast("Mapping[str, object]", one) for one in items if isinstance(one, Mapping)]


def _listed(found: object) -> list[Quoted]:
    """The quoted texts of a tool's list, as it bounded and cleaned them."""
    return [
        Quoted(
            title=_text(one.get("title")) or "",
            text=_text(one.get("text")) or "",
            url=_text(one.get("url")),
            author=_text(one.get("author")),
            published=_when(one.get("published")),
            source=_text(one.get("source")),
        )
        for one in _maps(found)
    ]


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _when(value: object) -> str | None:
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="minutes")[:16]
    return value.isoformat() if isinstance(value, date) else None
