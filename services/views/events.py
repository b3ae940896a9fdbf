"""Abnormal events as a table: the day, the kind, and the reason with its figures cited."""

from collections.abc import Mapping, Sequence

from services.core.limits import COMPETENCES
from services.core.text import NO_TEXT, Language, Text, join_texts
from services.market.events.events import Event
from services.market.events.lead_words import quote_title
from services.market.events.leads import PUBLISHED, Lead
from services.market.events.rules import RESUMPTION, WITH_MARKET
from services.market.events.unjudged import Unjudged
from services.views.table import Table, TableColumn, TableRow

KINDS: Mapping[str, Text] = {
    "异动点": Text("异动点", "Abnormal session"),
    "异动区间": Text("异动区间", "Abnormal interval"),
}
RESULTS: Mapping[str, Text] = {"涨": Text("涨", "up"), "跌": Text("跌", "down")}
_COLUMNS = (
    TableColumn("symbol", Text("代码", "Code"), "symbol"),
    TableColumn("name", Text("名称", "Name"), "text"),
    TableColumn("start", Text("开始", "From"), "date"),
    TableColumn("end", Text("结束", "To"), "date"),
    TableColumn("kind", Text("类型", "Kind"), "text"),
    TableColumn("result", Text("涨跌", "Direction"), "text"),
    TableColumn("reason", Text("说明", "Reason"), "prose"),
    TableColumn("explained", Text("已有解释", "Explained"), "text"),
    TableColumn("rules", Text("规则", "Rules"), "text"),
    TableColumn("caveats", Text("限制", "Caveats"), "text"),
)
_LEADS = TableColumn("leads", Text("相关信息", "Leads"), "text")
_LEAD_KINDS: Mapping[str, Text] = {
    "signal": Text("异动标记", "flag"),
    "notice": Text("公告", "notice"),
    "news": Text("新闻", "news"),
}
_CAUSES: Mapping[str, Text] = {
    PUBLISHED: Text("当时有公告或新闻", "Notices or news then"),
    RESUMPTION: Text("停牌后复牌", "Back from a halt"),
    WITH_MARKET: Text("随大盘", "With the market"),
}
_CATCHING_UP = {
    True: Text("复牌后随大盘补涨", "Back from a halt, catching up"),
    False: Text("复牌后随大盘补跌", "Back from a halt, catching down"),
}
_YES, _NO = Text("是", "yes"), Text("未找到可引用的原因", "no citable cause found")


def events_table(events: Sequence[tuple[Text, Event]], title: Text, note: Text = NO_TEXT) -> Table:
    """Events with the name of the company each happened to, in the order given; `note` tells what
    could not be judged.
    """
    rows = tuple(_row(name, event) for name, event in events)
    columns = (*_COLUMNS, _LEADS) if any(event.leads for _, event in events) else _COLUMNS
    return Table("events", title, columns, rows, note)


def tell_each_unjudged(found: Sequence[tuple[Text, Unjudged]]) -> Text:
    """Of whom how many sessions could not be judged; empty where all could."""
    told = [(name, one.count) for name, one in found if one.count]
    if not told:
        return NO_TEXT
    return Text(
        "因缺日线未能判断：" + "、".join(f"{name.zh} {count} 日" for name, count in told),
        "Sessions not judged for want of bars: "
        + ", ".join(f"{name.en} {count}" for name, count in told),
    )


def tell_cause(event: Event) -> Text:
    """What accounts for it, as its rules say; empty where nothing known does."""
    published = (_CAUSES[rule] for rule in (PUBLISHED,) if rule in event.rules)
    if (told := next(published, None)) is not None:
        return told
    halted, along = (rule in event.rules for rule in (RESUMPTION, WITH_MARKET))
    if halted and along:
        return _CATCHING_UP[event.is_rise]
    return _CAUSES[RESUMPTION] if halted else _CAUSES[WITH_MARKET] if along else NO_TEXT


def event_caveats(events: Sequence[Event]) -> tuple[Text, ...]:
    """What limits the events, each once."""
    said = (
        Text(zh, en)
        for event in events
        for zh, en in zip(event.caveats, event.caveats_en, strict=True)
    )
    return tuple(dict.fromkeys(said))


def _row(name: Text, event: Event) -> TableRow:
    return TableRow(
        {
            "symbol": event.symbol,
            "name": name,
            "start": event.start.isoformat(),
            "end": event.end.isoformat(),
            "kind": KINDS[event.kind],
            "result": RESULTS[event.result],
            "reason": Text(event.reason, event.reason_en),
            "explained": _YES if event.explained else _NO,
            "rules": _rules(event.rules),
            "leads": Text(_leads(event, "zh"), _leads(event, "en")),
            "caveats": Text("；".join(event.caveats), "; ".join(event.caveats_en)),
        },
        event.symbol,
    )


def lead_kind(lead: Lead) -> Text:
    """What a lead is, in words."""
    return _LEAD_KINDS[lead.kind]


def _leads(event: Event, language: Language) -> str:
    """What was said near the event, one after the other: day, kind, title, who, address."""
    told: list[str] = []
    for lead in event.leads:
        kind = lead_kind(lead).in_language(language)
        parts = (f"{lead.day}", kind, quote_title(lead.title), lead.origin or lead.source, lead.url)
        told.append(" ".join(part for part in parts if part))
    return "; ".join(told)


def _rules(ids: Sequence[str]) -> Text:
    """The rules in words."""
    return join_texts(COMPETENCES[name].statement for name in ids)
