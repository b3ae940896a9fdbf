"""The actions that bring words: abnormal moves with their reasons, feeds, searches, pages.

Words from outside are quoted as they are and never become a figure of ours.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import cast

from pydantic import JsonValue

from services.core.text import NO_TEXT, Text
from services.language.web_industries import industries_of
from services.market.community import Page
from services.market.events.events import Event, abnormal_events
from services.market.events.leads import around_of
from services.market.events.unjudged import Unjudged
from services.market.names.spellings import CJK
from services.market.texts import Selection
from services.query.answering.bars import moved
from services.query.answering.concepts import definitions, sought_for
from services.query.answering.desk import ActionDesk
from services.query.answering.outcomes import Outcome, Quotation, plain, quote_text
from services.query.assertions.made import tell
from services.query.assertions.of_days import Abnormal
from services.query.planning.plir import PlirNode
from services.query.planning.spellings import FEED_PARTS, SAME_TOPIC
from services.query.sayings import saying
from services.statements.statement import Broken
from services.tools.arguments import DayWindow
from services.tools.base import ToolOutput
from services.tools.wire import Absent

EVENTS_SHOWN = 5
# Each flag of a feed as the tool spells it, and the part of its answer it stands for.
_FLAGS: Mapping[str, tuple[str, str]] = {
    one.slot: (
        re.sub(r"_(\w)", lambda found: found[1].upper(), one.slot),
        one.extractor.removeprefix("$.").removesuffix("[*]"),
    )
    for one in FEED_PARTS.values()
}
_PARTS_EN = {
    "notices": "announcements",
    "feed_new": "newest posts",
    "feed_hot": "hottest posts",
    "influencers": "influential members",
    "quote": "quote",
}
# The parts of a tool's answer as a reader calls them.
_PARTS: Mapping[str, Text] = {
    **{
        part: Text(one.name, _PARTS_EN[part])
        for one, (_, part) in zip(FEED_PARTS.values(), _FLAGS.values(), strict=True)
    },
    "posts": Text("动态", "posts"),
    "search": Text("站内检索", "site search"),
}
# How a note begins that tells an answer's age.
_OLD = "来源暂不可用，以下为"


def abnormal(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Abnormal moves in the days asked about, the newest first, each with its reason."""
    symbol, days, bench = desk.symbol(node), desk.days(node, "NoLimit"), desk.bench
    around = around_of(desk.ledger, symbol, bench.calendar, bench.names, bench.settings.mode)
    every, unjudged = abnormal_events(
        desk.ledger, symbol, days.start, days.end, calendar=bench.calendar, around=around
    )
    subject, way = desk.subject(node), _way(desk.questions)
    found = [event for event in every if way is None or event.result == way]
    sentences = [_event(desk, subject, event) for event in found[:EVENTS_SHOWN]]
    if every and not found:
        found, sentences = list(every), [_other_way(subject, way or "", unjudged)]
        sentences += [_event(desk, subject, event) for event in found[:EVENTS_SHOWN]]
    elif not found:
        sentences = [_no_event(subject, days, unjudged)]
        sentences += moved(desk, symbol, (days.start, days.end), subject) if days.start else ()
    elif len(found) > EVENTS_SHOWN:
        sentences.append(Text("更早的异动没有列出。", "Earlier ones are not listed."))
    caveats = dict.fromkeys(
        pair
        for event in found[:EVENTS_SHOWN]
        for pair in zip(event.caveats, event.caveats_en, strict=False)
    )
    return Outcome(
        node,
        subject,
        {"data": [_write_event(event) for event in every]},
        sentences=tuple(sentences),
        items=tuple(
            Quotation(
                title=lead.title,
                url=lead.url,
                author=lead.origin,
                published=lead.day.isoformat(),
                source=lead.source,
            )
            for event in found[:EVENTS_SHOWN]
            for lead in event.leads
        ),
        notes=tuple(one for one in (unjudged.told, *(Text(*pair) for pair in caveats)) if one),
    )


_FELL = re.compile(
    r"跌|下挫|跳水|闪崩|\b(?:fall|fell|falls|drop|dropped|down|plunged?|sank|slump)", re.I
)
_ROSE = re.compile(
    r"涨|上升|拉升|\b(?:rise|rose|rises|jump|jumped|up|surged?|gain|gained|rally)", re.I
)


def _way(questions: Sequence[str]) -> str | None:
    """涨 or 跌 where one of them was asked about, now or before; else None."""
    for question in questions:
        rest = re.sub("涨跌", "", question.lower())
        rose, fell = bool(_ROSE.search(rest)), bool(_FELL.search(rest))
        if rose or fell:
            return None if rose and fell else "涨" if rose else "跌"
    return None


def _other_way(subject: Text, way: str, unjudged: Unjudged) -> Text:
    told = Text("上涨", "rise") if way == "涨" else Text("下跌", "fall")
    return saying("other_way", subject=subject, way=told, judged=_of_judged(unjudged))


def _of_judged(unjudged: Unjudged) -> Text:
    """What limits a denial: that it is of the sessions judged only; empty where all were."""
    if not unjudged.count:
        return NO_TEXT
    return Text("能判断的交易日里", " among the sessions that could be judged")


def feed(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Announcements, posts and members around one company."""
    subject = desk.subject(node)
    wanted = {key: part for key, part in _FLAGS.items() if node.arg(key)} or {
        "search_stock_feed_new": _FLAGS["search_stock_feed_new"]
    }
    flags = {flag: key in wanted for key, (flag, _) in _FLAGS.items()}
    output = desk.use(
        "xqSearchStockFeed",
        **flags,
        stockName=str(node.arg("ticker")),
        stockSearchQuery="",
        **_span(node),
        scope=str(node.arg("scope") or "all"),
    )
    result = output.result
    sentences: list[Text] = []
    items: list[Quotation] = []
    for _, part in wanted.values():
        name = _PARTS[part]
        listed = _list_quotes(result.get(part))
        about = _about(listed, str(node.arg("query") or ""))
        items += about
        if listed and not about:
            sentences.append(_none_about(subject, name, str(node.arg("query"))))
        else:
            sentences.append(_part(subject, name, result.get(part), empty=not listed))
    return Outcome(
        node,
        subject,
        result,
        sentences=tuple(sentences),
        items=tuple(items),
        notes=_limits(output),
        nothing=all(isinstance(result.get(part), Absent) for _, part in wanted.values()),
    )


def _about(listed: list[Quotation], topic: str) -> list[Quotation]:
    """The texts that speak of any of the words; all of them when no topic was said."""
    if not topic:
        return listed
    words = {word for said in topic.split() for word in _words_for(said)}
    return [one for one in listed if any(word in f"{one.title}{one.text}" for word in words)]


def _words_for(said: str) -> frozenset[str]:
    return next((group for group in SAME_TOPIC if said in group), frozenset({said}))


def _none_about(subject: Text, name: Text, topic: str) -> Text:
    return saying("none_about", subject=subject, name=name, topic=topic)


def knowledge(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The catalogue's definitions of the figures named, and passages of the user's own notes.

    The notes are Chinese, and call a figure by its plain name.
    """
    asked = str(node.arg("query"))
    is_chinese, plainly = bool(CJK.search(asked)), sought_for(asked)
    first, second = (asked, plainly) if is_chinese else (plainly or asked, asked)
    result = desk.use("knowledge", usage="query", query=first).result
    if second and not _maps(result["passages"]):
        result = desk.use("knowledge", usage="query", query=second).result
    defined = definitions(asked, "zh" if is_chinese else "en")
    items = tuple(
        Quotation(title=str(one["heading"]), text=str(one["text"]), source=str(one["file"]))
        for one in _maps(result["passages"])
    )
    said = saying("defined") if defined else _tell_texts(result["passages"], saying("of_notes"))
    nothing = isinstance(result["passages"], Absent) and not defined
    return Outcome(
        node, _alike(asked), result, sentences=(said,), items=(*defined, *items), nothing=nothing
    )


def web(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Pages of the open web."""
    query = str(node.arg("query"))
    industry = ",".join(industries_of(query)) or "general"
    time_range = str(node.arg("time_range") or "NoLimit")
    return _run_search(desk, node, "webSearch", industry=industry, timeRange=time_range)


def site(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Posts of the community by keyword."""
    scope = str(node.arg("scope") or "all")
    more = {**_span(node), "scope": scope}
    return _run_search(desk, node, "xqSearchQuery", searchFilings=False, **more)


def user(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Who a member of the community is and what the member wrote."""
    name = str(node.arg("user"))
    output = desk.use(
        "xqSearchUserFeed",
        userScreenName=name,
        filterQuery=str(node.arg("query") or ""),
        userSearchQuery=name,
        searchUserProfile=True,
        **_span(node),
    )
    result, who = output.result, _alike(name)
    found = result["posts"] if _maps(result["posts"]) else result["search"]
    heading = Text(f"{who.zh} 的动态如下。", f"Posts of {who.en}:")
    return _quote_found(node, who, output, found, heading)


def visit(desk: ActionDesk, node: PlirNode) -> Outcome:
    """One page of the community."""
    url = str(node.arg("url"))
    output = desk.use("xqVisit", urlTargets=[url])
    (page,) = _maps(output.result["pages"])
    heading = Text("网页内容如下。", "The page says:")
    return _quote_found(node, _alike(url), output, page["content"], heading)


def _run_search(desk: ActionDesk, node: PlirNode, tool: str, **more: JsonValue) -> Outcome:
    asked = str(node.arg("query"))
    words = _alike(asked)
    output = desk.use(tool, searchRequests=[asked], **more)
    (search,) = _maps(output.result["searches"])
    heading = Text(f"「{words.zh}」的搜索结果如下。", f"Found for “{words.en}”:")
    return _quote_found(node, words, output, search["results"], heading)


def _quote_found(
    node: PlirNode, subject: Text, output: ToolOutput, found: object, heading: Text
) -> Outcome:
    """The texts a tool found, under that heading; or why there are none."""
    return Outcome(
        node,
        subject,
        output.result,
        sentences=(_tell_texts(found, heading),),
        items=tuple(_list_quotes(found)),
        notes=_limits(output),
    )


def _alike(words: str) -> Text:
    """What somebody wrote, the same in both languages."""
    return Text(plain(words), plain(words))


def _limits(output: ToolOutput) -> tuple[Text, ...]:
    """What limits the lists found; how old an answer is, is said of the whole answer."""
    view = output.view
    if isinstance(view, Mapping):
        parts = cast("Mapping[str, object]", view).values()
        found = [
            note for part in parts if isinstance(part, Selection | Page) for note in part.notes
        ]
    else:
        found = [_name_part(note) for note in cast("list[Text]", output.result.get("notes", []))]
    return tuple(quote_text(one) for one in found if _OLD not in one.zh)


def _name_part(note: Text) -> Text:
    """A note about a part of an answer, with the name of the part that a reader knows."""
    key = note.zh.partition("：")[0]
    if key not in _PARTS:
        return note
    zh, en = (said.removeprefix(key) for said in (note.zh, note.en))
    return Text(f"{_PARTS[key].zh}{zh}", f"{_PARTS[key].en}{en}")


def _span(node: PlirNode) -> dict[str, str]:
    return {
        "timeRange": str(node.arg("time_range") or "NoLimit"),
        "startDate": str(node.arg("start_date") or ""),
        "endDate": str(node.arg("end_date") or ""),
    }


def _no_event(subject: Text, days: DayWindow, unjudged: Unjudged) -> Text:
    """That no session of these days was abnormal, as far as they could be judged."""
    if days.start == days.end and unjudged.count:
        return saying("day_unjudged", subject=subject, day=str(days.end))
    judged = _of_judged(unjudged)
    if days.start == days.end:
        zh, en = f"{days.end} 没有达到异动规则", f"on {days.end}"
    elif days.start is None:
        zh = f"有行情以来至 {days.end} {judged.zh}没有达到异动规则的交易日"
        en = f"up to {days.end}"
    else:
        zh = f"{days.start} 至 {days.end} {judged.zh}没有达到异动规则的交易日"
        en = f"from {days.start} to {days.end}"
    return Text(f"{subject.zh} {zh}。", f"{subject.en} had no abnormal session {en}{judged.en}.")


def _event(desk: ActionDesk, subject: Text, event: Event) -> Text:
    made = Abnormal(symbol=event.symbol, event=event.statement, start=event.start, end=event.end)
    told = tell(made, desk.ledger, {event.symbol: subject})
    if not isinstance(told, Broken):
        return told
    # What others noted of a day without a bar has no figure to stand on.
    days = Text.of(str(event.end))
    if event.start != event.end:
        days = Text(f"{event.start} 至 {event.end}", f"{event.start} to {event.end}")
    kind = Text(event.kind, "point" if event.kind == "异动点" else "run")
    way = Text(event.result, "up" if event.is_rise else "down")
    why = Text(event.reason, event.reason_en)
    return saying("event", subject=subject, days=days, kind=kind, way=way, why=why)


def _write_event(event: Event) -> dict[str, object]:
    return {
        "date": event.end,
        "start": event.start,
        "end": event.end,
        "type": event.kind,
        "result": event.result,
        "explained": event.explained,
        "rules": list(event.rules),
    }


def _part(subject: Text, name: Text, found: object, *, empty: bool) -> Text:
    heading = saying("part", subject=subject, name=name)
    if isinstance(found, Absent):
        why = quote_text(Text.of(found.reason))
        return Text(f"{subject.zh}的{name.zh}：{why.zh}。", f"{subject.en}, {name.en}: {why.en}.")
    if empty and isinstance(found, list):
        return Text(f"{subject.zh}的{name.zh}：没有。", f"{subject.en}, {name.en}: none.")
    return heading


def _tell_texts(found: object, heading: Text) -> Text:
    if isinstance(found, Absent):
        why = quote_text(Text.of(found.reason))
        return Text(why.zh + "。", why.en + ".")
    return heading if _maps(found) else saying("nothing_found")


def _maps(found: object) -> list[Mapping[str, object]]:
    if not isinstance(found, Sequence) or isinstance(found, str):
        return []
    items = cast("Sequence[object]", found)
    return [cast("Mapping[str, object]", one) for one in items if isinstance(one, Mapping)]


def _list_quotes(found: object) -> list[Quotation]:
    """The quoted texts of a tool's list, as it bounded and cleaned them."""
    return [
        Quotation(
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
