"""提醒: what a look by schedule found in the lists; a badge on 总览, the list itself on 自选."""

from html import escape

import streamlit as st

from pages.ui import blocks, cite, errors, resources, state
from pages.ui.i18n import LIST_COMMA, say, t
from services.views.alerts import AlertsView, ToldAlert


def badge() -> str:
    """How many are new, as a link to them; nothing where there are none."""
    count = len(resources.services().alerts.new())
    if not count:
        return ""
    href = escape(state.link("watch"))
    told = cite.tag("provenance", t("alerts_new", count=str(count)))
    return f'<a class="yj-chip" href="{href}" data-go="watch" target="_self">{told}</a>'


def draw() -> None:
    """The new ones with their figures, and the button by which they are seen; nothing else."""
    if not resources.services().alerts.new(1):
        return
    desk = resources.desk()
    view = desk.alerts()
    cite.stand_on(view)
    items = "".join(_item(one, view) for one in view.alerts)
    blocks.draw(
        blocks.heading(t("alerts"), escape(t("alerts_sub"))),
        f'<ul class="yj-plain yj-alerts">{items}</ul>',
        cite.workings(view.claims),
    )
    st.button(
        t("alerts_seen"),
        key="w_alerts_seen",
        icon=":material/done_all:",
        on_click=errors.clicked(desk.see_alerts),
        args=(view,),
    )


def _item(one: ToldAlert, view: AlertsView) -> str:
    event = one.alert.event
    href = escape(state.link("company", symbol=event.symbol, event=event.end.isoformat()))
    name = cite.tag("label", blocks.name_beside(one.name, event.symbol))
    lists = cite.tag("user", t("alerts_in", lists=say(LIST_COMMA).join(one.lists)))
    return (
        f'<li><a href="{href}" data-go="company" target="_self">{name}</a> '
        f"<small>{cite.tag('code', event.symbol)}</small> {cite.day(event.end)} "
        f"{cite.prose(say(one.reason), view.claims)} <small>{lists}</small></li>"
    )
