"""消息: what is written about a company, or where to get it, and the moves without a cause."""

from datetime import time
from html import escape
from typing import cast

import streamlit as st

from pages.company import candle_marks as marks
from pages.company.events_table import tell_unjudged
from pages.ui import blocks, cite, resources, state
from pages.ui.choosing import choose_one
from pages.ui.i18n import COLON, say, t
from pages.ui.nothing import nothing, way
from services.core.clock import BEIJING
from services.views.company.chart import ChartPart, EventRow
from services.views.company.head import CompanyHead
from services.views.company.news import (
    KIND_WORDS,
    SCOPES,
    SHOWN,
    FeedAsked,
    NewsPart,
    NewsPiece,
    Scope,
    Shown,
)

# So many letters of a text without a title stand for one; so many of a text below its title.
_TITLE, _LINE = 60, 140
_KINDS = ("notice", "news", "talk", "notice", "news")


def asked() -> FeedAsked:
    """The kinds and the scope the address asks for."""
    shown = state.bind("feed", "all", valid=SHOWN.__contains__)
    scope = state.bind("scope", "own", valid=SCOPES.__contains__)
    return FeedAsked(cast("Shown", shown), cast("Scope", scope))


def draw(part: NewsPart, head: CompanyHead) -> None:
    """Left what there is to read, right the moves that nobody has explained."""
    live = resources.services().settings.mode == "live"
    if live:
        with st.container(horizontal=True, key="yjc_tool"):
            choose_one(t("news_kinds"), SHOWN, lambda one: t(f"feed_{one}"), "w_feed")
            scopes = [one for one in SCOPES if _is_there(one, head)]
            choose_one(t("news_scopes"), scopes, lambda one: t(f"scope_{one}"), "w_scope")
    left, right = st.columns([868, 442], gap="medium")
    with left:
        if live:
            blocks.draw(_feed(part))
        else:
            blocks.draw(_none(part.chart), _sketch())
    with right:
        blocks.draw(_tell_waiting(part.chart), _people(part))


def _is_there(scope: str, head: CompanyHead) -> bool:
    """Whether there is anything in the scope that the company itself has not; what is chosen is."""
    if scope == "own" or state.session().remembered.get("scope") == scope:
        return True
    return bool(head.siblings if scope == "listings" else head.industry)


def _feed(part: NewsPart) -> str:
    """Every text in its row; of a kind that did not come, who failed."""
    items = "".join(map(_piece, part.pieces))
    lost = (say(COLON).join(map(say, one)) for one in part.absent)
    told = "".join(
        f'<p class="yjc-told yjc-warn">{cite.tag("provenance", one)}</p>' for one in lost
    )
    inner = f'<ul class="yjc-feed">{items}</ul>' if items else ""
    return (
        f'<div class="yjc-h"><h2>{escape(t("outside"))}</h2>'
        f"<small>{escape(t('feed_note'))}</small></div>{inner}{told}"
    )


def _piece(one: NewsPiece) -> str:
    item = one.item
    title = cite.tag("text", item.title or item.text[:_TITLE])
    if one.url:
        href = escape(one.url)
        title = f'<a href="{href}" target="_blank" rel="noopener noreferrer">{title}</a>'
    about = [cite.tag("text", told) for told in (item.author, item.origin) if told]
    if one.day is not None:
        at = item.published_at.astimezone(BEIJING) if item.published_at else None
        # A source that tells days only writes a midnight.
        about.append(cite.day(at.isoformat() if at and at.time() != time() else one.day))
    if one.move is not None:
        about.append(f"{escape(t('news_around'))} {cite.day(one.move)}")
    line = ""
    if item.title and item.text and item.text != item.title:
        short = item.text if len(item.text) <= _LINE else f"{item.text[:_LINE]}…"
        line = f"<p>{cite.tag('text', short)}</p>"
    return (
        f"<li>{blocks.chip(say(KIND_WORDS[one.kind]))}<div><b>{title}</b>{line}"
        f"<small>{' · '.join(dict.fromkeys(about))}</small></div></li>"
    )


def _people(part: NewsPart) -> str:
    """Who writes much about it, as the source orders them."""
    if not part.people:
        return ""
    items = "".join(
        f"<li>{cite.tag('text', one.title or one.author or '')}</li>" for one in part.people
    )
    return (
        f'<section><div class="yjc-h"><h2>{escape(say(KIND_WORDS["people"]))}</h2></div>'
        f'<ul class="yjc-waiting">{items}</ul></section>'
    )


def _none(part: ChartPart) -> str:
    how = f" <small>{escape(t('news_connect_how'))}</small>"
    live = t("company_see_live")
    ways = (
        way("sources", t("news_connect"), first=True) + how,
        way("company", live, symbol=part.symbol, tab="news", mode="live"),
        way("verify", t("news_ask"), about=part.symbol),
    )
    return nothing(escape(t("news_none")), ways, escape(t("news_none_why")))


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


def _tell_waiting(part: ChartPart) -> str:
    rows = [row for row in part.events if not row.event.explained]
    count = cite.tag(
        "provenance", t("news_waiting_count", all=str(len(part.events)), open=str(len(rows)))
    )
    items = "".join(map(_row, rows)) or f"<li>{escape(t('news_none_waiting'))}</li>"
    return (
        f'<section data-group="waiting"><div class="yjc-h"><h2>{escape(t("news_waiting"))}</h2>'
        f'<small>{count}</small></div><ul class="yjc-waiting">{items}</ul>'
        f'<p class="yjc-note">{escape(t("news_rule"))}</p>{tell_unjudged(part)}</section>'
    )


def _row(row: EventRow) -> str:
    event = row.event
    href = escape(state.link("company", symbol=event.symbol, event=event.end.isoformat()))
    move = ""
    if row.move:
        name = cite.metric_label(row.move.metric)
        move = f'<span class="yj-unseen">{escape(name)}</span> {cite.figure(row.move)}'
    return (
        f'<li class="yjc-{marks.way(row)}"><i aria-hidden="true">{marks.pick(row)}</i> '
        f"{cite.day(event.end)} {move} "
        f'<a href="{href}" data-go="company" target="_self">{escape(t("event_show"))}</a></li>'
    )
