"""提醒: the abnormal events that a look by schedule found in watchlists and nobody has seen yet.

Every figure is a claim of the run that found it; nothing is asked of a source here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from services.core.claims import Claim
from services.core.errors import InputError
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import ToolCall, Trace
from services.store.alerts import Alert, FoundEvent
from services.views import watch
from services.views.events import KINDS, RESULTS
from services.views.parts import Parts
from services.views.table import Table, TableColumn, TableRow, View

SESSION = "schedule"
_MOST = 20
_COLUMNS = (
    TableColumn("symbol", Text("代码", "Code"), "symbol"),
    TableColumn("name", Text("名称", "Name"), "text"),
    TableColumn("list", Text("自选列表", "Watchlist"), "text"),
    TableColumn("start", Text("开始", "From"), "date"),
    TableColumn("end", Text("结束", "To"), "date"),
    TableColumn("kind", Text("类型", "Kind"), "text"),
    TableColumn("result", Text("涨跌", "Direction"), "text"),
    TableColumn("reason", Text("说明", "Reason"), "prose"),
)


@dataclass(frozen=True, slots=True)
class ToldAlert:
    """One alert with what its company is called; `lists` are all that hold it, by name."""

    alert: Alert
    name: Text
    lists: tuple[str, ...]

    @property
    def reason(self) -> Text:
        """Why it is one: a template filled from the claims of the view."""
        return Text(self.alert.event.reason, self.alert.event.reason_en)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertsView(View):
    """The newest alerts, of all lists of whoever looks."""

    alerts: tuple[ToldAlert, ...]

    def tables(self) -> tuple[Table, ...]:
        """One table, a row an event."""
        return (Table("alerts", self.title, _COLUMNS, tuple(map(_row, self.alerts))),)


def build(parts: Parts) -> AlertsView:
    """What was found and not seen yet, from the stored runs."""
    listed: dict[tuple[str, date, date], list[Alert]] = {}
    for alert in parts.alerts.new():
        event = alert.event
        listed.setdefault((event.symbol, event.start, event.end), []).append(alert)
    told = tuple(
        ToldAlert(
            alert=each[0],
            name=parts.names.text(Symbol(each[0].event.symbol)),
            lists=tuple(one.list for one in each),
        )
        for each in list(listed.values())[:_MOST]
    )
    claims: dict[str, Claim] = {}
    calls: dict[str, ToolCall] = {}
    run_ids = tuple(dict.fromkeys(one.alert.event.run_id for one in told))
    for run_id in run_ids:
        stored = parts.runs.load(run_id)
        claims |= {claim.claim_id: claim for claim in stored.claims}
        calls |= {call.tool_call_id: call for call in stored.calls}
    return AlertsView(
        title=Text("提醒", "Alerts"),
        claims=claims,
        trace=Trace(tool_calls=tuple(calls.values())),
        run_ids=run_ids,
        alerts=told,
    )


def look(parts: Parts) -> int:
    """Look through every list of whoever is acting for events of sessions that nobody looked
    through yet; how many were found that were not there before.

    A company whose source failed is looked at again the next time.
    """
    return sum(_look_through(parts, name) for name in parts.watchlists.own_names())


def _look_through(parts: Parts, name: str) -> int:
    try:
        looked = parts.alerts.looked(name)
        held = parts.watchlists.of(name)
    except InputError:  # it is gone since
        return 0
    ended = {one.symbol: _last_session(parts, one.symbol) for one in held}
    due = [
        one.model_copy(update={"seen_on": max(one.seen_on, looked.get(one.symbol, one.seen_on))})
        for one in held
        if looked.get(one.symbol, date.min) < ended[one.symbol]
    ]
    if not due:
        return 0
    view = watch.build(parts, name, due, SESSION)
    found = [
        FoundEvent(
            symbol=event.symbol,
            start=event.start,
            end=event.end,
            kind=event.kind,
            result=event.result,
            rules=event.rules,
            reason=event.reason,
            reason_en=event.reason_en,
            run_id=view.run_ids[0],
        )
        for entry in view.entries
        for event in entry.events
        if event.end <= ended[event.symbol]  # a session under way may yet end otherwise
    ]
    answered = {
        one.watched.symbol: ended[one.watched.symbol] for one in view.entries if one.unasked is None
    }
    return parts.alerts.keep(name, found, answered)


def _last_session(parts: Parts, symbol: str) -> date:
    return parts.calendar.last_complete_session(Symbol(symbol).market, parts.clock.now())


def see(parts: Parts, alerts: Sequence[ToldAlert]) -> None:
    """They were looked at: their companies' events up to today are new no more."""
    today = parts.clock.now().date()
    for symbol in dict.fromkeys(one.alert.event.symbol for one in alerts):
        parts.watchlists.see(symbol, today)


def _row(one: ToldAlert) -> TableRow:
    event = one.alert.event
    return TableRow(
        {
            "symbol": event.symbol,
            "name": one.name,
            "list": "、".join(one.lists),
            "start": event.start.isoformat(),
            "end": event.end.isoformat(),
            "kind": KINDS[event.kind],
            "result": RESULTS[event.result],
            "reason": one.reason,
        },
        event.symbol,
    )
