"""Events as a list, and the small panels of the overview: what data this is, where to go."""

from collections.abc import Mapping, Sequence
from html import escape

from pages.evidence import market_sync as copies
from pages.ui import blocks, cite, state
from pages.ui.i18n import say, t
from pages.ui.texts import TEXTS
from services.core.claims import Claim
from services.core.text import Text
from services.core.trace import Gap
from services.market.events.events import Event
from services.market.events.leads import Lead
from services.views.events import lead_kind
from services.views.view import CopyState, EventLine, SnapshotFacts

_STARTS = (
    (
        "screen",
        "overview_go_screen",
        {"pettm": "0_15", "pb": "0_2", "roediluted": "12_max", "order_by": "roediluted"},
    ),
    ("stock", "overview_go_stock", {"symbol": "000002.SZ", "range": "2y"}),
    ("financials", "overview_go_financials", {"symbol": "002594.SZ"}),
    ("sources", "overview_go_sources", {}),
)


def events(shown: Sequence[Event], claims: Mapping[str, Claim]) -> str:
    """The timeline of one symbol; an item's id is its position, as the chart's marks say."""
    items = (_item(event, _claims(event, claims), position) for position, event in enumerate(shown))
    return f'<ol class="yj-events">{"".join(items)}</ol>'


def caveats(shown: Sequence[Event]) -> str:
    """What limits the figures of these events, each sentence once."""
    zh = state.language() == "zh"
    said = dict.fromkeys(
        text for event in shown for text in (event.caveats if zh else event.caveats_en)
    )
    items = "".join(f"<li>{cite.marked(text)}</li>" for text in said)
    return f'<ul class="yj-notes" data-nocite="rule">{items}</ul>' if items else ""


def lines(shown: Sequence[EventLine], claims: Mapping[str, Claim]) -> str:
    """Events of several companies, each with its name."""
    items = (
        _item(line.event, _claims(line.event, claims), position, name=say(line.name))
        for position, line in enumerate(shown)
    )
    return f'<ol class="yj-events">{"".join(items)}</ol>'


def boxed(name: str, inner: str) -> str:
    """A list of events in a box that scrolls by itself."""
    return (
        f'<div class="yj-timeline" role="region" tabindex="0" aria-label="{escape(name)}">'
        f"{inner}</div>"
    )


def _claims(event: Event, claims: Mapping[str, Claim]) -> Mapping[str, Claim]:
    return {**claims, **{claim.claim_id: claim for claim in event.claims}}


def _item(event: Event, claims: Mapping[str, Claim], position: int, *, name: str = "") -> str:
    rising = event.result == "涨"
    style = "rise" if rising else "fall"
    link = blocks.stock_link(event.symbol, cite.tag("label", name)) if name else ""
    days = cite.day(event.start)
    if event.end != event.start:
        days += f" – {cite.day(event.end)}"
    kind = t("event_point") if event.kind == "异动点" else t("event_interval")
    chips = blocks.chip(t("rise") if rising else t("fall"), style) + blocks.chip(kind)
    if not event.explained:
        chips += blocks.chip(t("unexplained"))
    reason = cite.prose(say(Text(event.reason, event.reason_en)), claims)
    return (
        f'<li id="ev-{position}" class="yj-{style}" data-day="{event.end.isoformat()}" '
        f'data-kind="{escape(event.kind)}"><div class="yj-when">{link}{days}'
        f'<span class="yj-chips">{chips}</span></div><div class="yj-reason">{reason}</div>'
        f"{_leads(event)}</li>"
    )


def _leads(event: Event) -> str:
    """What was said near the event, each linked to where it was said."""
    return f'<ul class="yj-plain">{"".join(map(_lead, event.leads))}</ul>' if event.leads else ""


def _lead(lead: Lead) -> str:
    title = cite.tag("text", lead.title)
    if lead.url:
        href = escape(lead.url)
        title = f'<a href="{href}" target="_blank" rel="noopener noreferrer">{title}</a>'
    kind = lead_kind(lead)
    who = cite.tag("text", lead.origin or lead.source)
    when = cite.day(lead.published_at or lead.day)
    return f"<li>{blocks.chip(say(Text(kind.zh, kind.en)))} {when} {title} · {who}</li>"


def gaps(shown: Sequence[Gap]) -> str:
    """Sessions without a bar, named as what they are."""
    items = (
        f"<li>{blocks.chip(t(f'gap_{gap.kind}'))} {cite.day(gap.start)}"
        f"{'' if gap.end == gap.start else ' – ' + cite.day(gap.end)}</li>"
        for gap in shown
    )
    return f'<ul class="yj-plain yj-many">{"".join(items)}</ul>'


def starts() -> str:
    """Four ways in, as links that reproduce a screen."""
    items = (
        f'<li><a href="{escape(state.link(page, **params))}" data-go="{page}" target="_self">'
        f"{escape(t(key))}</a></li>"
        for page, key, params in _STARTS
    )
    return f'<ul class="yj-plain yj-go">{"".join(items)}</ul>'


def age(facts: SnapshotFacts | None) -> str:
    """One line: which bundle, its clock, and what was frozen; nothing for live data."""
    if facts is None:
        return ""
    line = f"{cite.tag('label', facts.name)} · {t('clock_stands')} {cite.day(facts.clock)}"
    if facts.scope is None:
        return line
    return f"{line} · {t('frozen_holds')} {cite.tag('label', blocks.words(facts.scope))}"


def _table_name(table: str) -> str:
    key = f"table_{table}"
    return cite.tag("label", t(key) if key in TEXTS else table)


def bundle(facts: SnapshotFacts | None, found: Sequence[CopyState] = ()) -> str:
    """What the bundled data are: each source with the day of its figures; live, how old the local
    copy is.
    """
    href = escape(state.link("sources"))
    words = t("all_sources" if facts else "all_sources_live")
    more = f'<a href="{href}" data-go="sources" target="_self">{escape(words)}</a>'
    if facts is None:
        note = escape(t("mode_note_live"))
        return f'<section class="yj-panel"><p>{note}</p>{copies.ages(found)}<p>{more}</p></section>'
    seen: dict[tuple[str, str], str] = {}
    for part in facts.parts:
        seen.setdefault((part.source, part.table), part.as_of)
    items = (
        f'<dt title="{escape(f"{source}.{table}")}">{_table_name(table)}</dt>'
        f"<dd>{cite.marked(as_of)}</dd>"
        for (source, table), as_of in seen.items()
    )
    return f'<section class="yj-panel"><dl>{"".join(items)}</dl><p>{more}</p></section>'
