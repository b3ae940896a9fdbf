"""消息: what the source has not and where to get it, and the moves that wait for a cause."""

from collections.abc import Mapping
from html import escape

import streamlit as st

from pages.company import candle_marks as marks
from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import say, t
from services.core.claims import Claim
from services.views.company.chart import ChartPart, EventRow
from services.views.events import lead_kind

_KINDS = ("notice", "news", "talk", "notice", "news")


def draw(part: ChartPart, claims: Mapping[str, Claim]) -> None:
    """Left what there is to read, right the moves that nobody has explained."""
    del claims
    left, right = st.columns([868, 442], gap="medium")
    with left:
        if resources.services().settings.mode == "snapshot":
            blocks.draw(_none(part), _sketch())
        else:
            blocks.draw(_near(part))
    with right:
        blocks.draw(_waiting(part))


def _none(part: ChartPart) -> str:
    sources = escape(state.link("sources"))
    ask = escape(state.link("ask"))
    live = escape(state.link("company", symbol=part.symbol, tab="news", mode="live"))
    return (
        f'<section class="yjc-none" role="status"><h2>{escape(t("news_none"))}</h2>'
        f"<p>{escape(t('news_none_why'))}</p><ul>"
        f'<li><a href="{sources}" data-go="sources" target="_self"><b>{escape(t("news_connect"))}'
        f"</b> →</a> <small>{escape(t('news_connect_how'))}</small></li>"
        f'<li><a href="{live}" data-go="company" target="_self">'
        f"{escape(t('company_see_live'))} →</a></li>"
        f'<li><a href="{ask}" data-go="ask" target="_self">{escape(t("news_ask"))} →</a></li>'
        "</ul></section>"
    )


def _sketch() -> str:
    """How it will look, as blocks: no content."""
    rows = "".join(
        f'<li>{blocks.chip(t(f"news_{kind}"))}<i style="width:{58 - 7 * place}%"></i></li>'
        for place, kind in enumerate(_KINDS)
    )
    return (
        f'<section aria-hidden="true"><div class="yjc-h"><h2>{escape(t("news_sketch"))}</h2>'
        f"<small>{escape(t('news_sketch_note'))}</small></div>"
        f'<ul class="yjc-sketch">{rows}</ul></section>'
    )


def _near(part: ChartPart) -> str:
    """What was published around the moves of the range, newest first; all of it quoted."""
    leads = {(lead.day, lead.title): (lead, row) for row in part.events for lead in row.event.leads}
    items = "".join(
        f"<li>{blocks.chip(say(lead_kind(lead)))} {cite.tag('text', lead.title)} "
        f"<small>{cite.tag('text', lead.origin or lead.source)} {cite.day(lead.day)} · "
        f"{escape(t('news_around'))} {cite.day(row.event.end)}</small></li>"
        for (_, _), (lead, row) in sorted(leads.items(), key=lambda one: one[0], reverse=True)
    )
    inner = f'<ul class="yjc-feed">{items}</ul>' if items else (
        f'<p class="yj-mute">{escape(t("news_no_near"))}</p>'
    )  # fmt: skip
    return f'<div class="yjc-h"><h2>{escape(t("news_near"))}</h2></div>{inner}'


def _waiting(part: ChartPart) -> str:
    rows = [row for row in part.events if not row.event.explained]
    count = cite.tag(
        "provenance", t("news_waiting_count", all=str(len(part.events)), open=str(len(rows)))
    )
    items = "".join(map(_row, rows)) or f"<li>{escape(t('news_none_waiting'))}</li>"
    return (
        f'<section data-group="waiting"><div class="yjc-h"><h2>{escape(t("news_waiting"))}</h2>'
        f'<small>{count}</small></div><ul class="yjc-waiting">{items}</ul>'
        f'<p class="yjc-note">{escape(t("news_rule"))}</p></section>'
    )


def _row(row: EventRow) -> str:
    event = row.event
    href = escape(state.link("company", symbol=event.symbol, event=event.end.isoformat()))
    move = ""
    if row.move:
        name = cite.tag("label", cite.metric_label(row.move.metric))
        move = f"{name} {cite.figure(row.move)}"
    return (
        f'<li class="yjc-{marks.way(row)}"><i aria-hidden="true">{marks.pick(row)}</i> '
        f"{cite.day(event.end)} {move} "
        f'<a href="{href}" data-go="company" target="_self">{escape(t("event_show"))}</a></li>'
    )
