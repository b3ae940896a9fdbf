"""Abnormal events as a table: the day, the kind, and the reason with its figures cited."""

from collections.abc import Mapping, Sequence

from services.core.limits import COMPETENCES
from services.core.text import Language, Text, join_texts
from services.market.events.events import Event
from services.market.events.lead_words import quote_title
from services.market.events.leads import Lead
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
_YES, _NO = Text("是", "yes"), Text("未找到可引用的原因", "no citable cause found")


def events_table(events: Sequence[tuple[Text, Event]], title: Text) -> Table:
    """Events with the name of the company each happened to, in the order given."""
    rows = tuple(_row(name, event) for name, event in events)
    columns = (*_COLUMNS, _LEADS) if any(event.leads for _, event in events) else _COLUMNS
    return Table("events", title, columns, rows)


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
