"""The abnormal events as a table; a row and its mark in the chart select one another."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from pages.company import candle_marks as marks
from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import say, t
from services.core.claims import Claim
from services.core.day_words import tell_days
from services.views.company.chart import ChartPart, EventRow
from services.views.events import lead_kind, tell_cause

_FEW = 5


def draw(part: ChartPart, claims: Mapping[str, Claim]) -> None:
    """The newest five, or all where the reader asked."""
    rows = part.events
    every = state.bind("all_moves", "0", valid={"0", "1"}.__contains__, widget=False) == "1"
    count = cite.tag("provenance", t("event_count", count=str(len(rows)))) if rows else ""
    rules = cite.tag("rule", t("event_rules"))
    blocks.draw(
        f'<div class="yjc-h"><h2>{escape(t("event_title"))}</h2><small>{count}</small>'
        f'<span class="yjc-end yjc-note">{rules}</span></div>',
        _table(part, len(rows) if every else _FEW, claims) if rows else _tell_none(part),
        tell_unjudged(part),
    )
    if len(rows) > _FEW and not every:
        st.button(
            t("event_every", count=str(len(rows))), key="w_moves_all", type="tertiary",
            on_click=_unfold,
        )  # fmt: skip


def _tell_none(part: ChartPart) -> str:
    """That no rule was triggered, or none in the sessions that could be judged."""
    key = "events_none_judged" if part.found.unjudged.count else "events_none"
    return f'<p class="yj-mute">{escape(t(key))}</p>'


def tell_unjudged(part: ChartPart) -> str:
    """How many sessions could not be judged, and why; nothing where all could."""
    told = tell_days(say(part.unjudged), state.language())
    return f'<p class="yjc-note">{cite.tag("provenance", told)}</p>' if told else ""


def _unfold() -> None:
    state.keep("all_moves", "1", "0")


def _table(part: ChartPart, most: int, claims: Mapping[str, Claim]) -> str:
    """Every event has its row, so that its mark in the chart finds it; those older than the newest
    `most` are unseen until they are marked.
    """
    move = escape(t("event_move"))
    index = f'{escape(say(part.benchmark))}<span class="yj-unseen"> {move}</span>'
    date, kind, trigger, cause, see = (
        escape(t(f"event_{key}")) for key in ("date", "kind", "trigger", "cause", "see")
    )
    heads = (date, kind, move, index, trigger, cause, see)
    head = "".join(
        f'<th scope="col" data-nocite="label"{" class=yj-num" if place in {2, 3} else ""}>'
        f"{name}</th>"
        for place, name in enumerate(heads)
    )
    body = "".join(
        _row(number, row, claims, " yjc-older" if number >= most else "")
        for number, row in enumerate(part.events)
    )
    return blocks.framed(
        t("event_title"), f"<tr>{head}</tr>", body, key="events", style="yjc-moves"
    )


def _row(number: int, row: EventRow, claims: Mapping[str, Claim], style: str) -> str:
    event = row.event
    days = cite.day(event.end)
    if event.start != event.end:
        days = f"{cite.day(event.start)} – {days}"
    kind = t("event_day") if event.start == event.end else t("event_span")
    known = {**claims, **{claim.claim_id: claim for claim in event.claims}}
    move, index = (cite.figure(one) if one else "" for one in (row.move, row.index))
    return (
        f'<tr id="ev-{number}" class="yjc-{marks.way(row)}{style}" data-event="{event.end}" '
        f'data-start="{event.start}" data-day="{event.end}"><th scope="row">'
        f'<i class="yjc-mark" aria-hidden="true">{marks.pick(row)}</i>{days}</th>'
        f"<td>{kind}</td>"
        f'<td class="yj-num">{move}</td><td class="yj-num">{index}</td>'
        f'<td class="yj-reason">{cite.prose(say(row.trigger), known)}{_within(row, claims)}</td>'
        f'<td>{_cause(row)}</td><td><button type="button" class="yjc-pick" '
        f'aria-label="{escape(t("event_show"))} {event.end}">{escape(t("event_show"))}</button>'
        f"</td></tr>"
    )


def _within(row: EventRow, claims: Mapping[str, Claim]) -> str:
    """The single sessions of an interval, folded under it."""
    if not row.within:
        return ""
    lines: list[str] = []
    for one in row.within:
        known = {**claims, **{claim.claim_id: claim for claim in one.event.claims}}
        move = cite.figure(one.move) if one.move else ""
        told = cite.prose(say(one.trigger), known)
        lines.append(f'<li data-day="{one.event.end}">{cite.day(one.event.end)} {move} {told}</li>')
    count = cite.tag("provenance", t("event_within", count=str(len(lines))))
    return f"<details><summary>{count}</summary><ul>{''.join(lines)}</ul></details>"


def _cause(row: EventRow) -> str:
    if row.event.leads:
        items = "".join(
            f"<li>{blocks.chip(say(lead_kind(lead)))} {cite.day(lead.day)} "
            f"{cite.tag('text', lead.title)}</li>"
            for lead in row.event.leads
        )
        return f'<ul class="yj-plain">{items}</ul>'
    if cause := say(tell_cause(row.event)):
        return escape(cause)
    why = ""
    if resources.services().settings.mode == "snapshot":
        why = f'<span class="yjc-why">{escape(t("event_unexplained"))}</span>'
    return f'<span class="yjc-mute">{escape(t("moves_no_cause"))}{why}</span>'
