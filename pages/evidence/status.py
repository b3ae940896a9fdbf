"""运行状态: who did what here, and what the store holds. Of admins alone where people sign in."""

from html import escape

import streamlit as st

from pages.ui import blocks, cite, errors, frame, identity, resources
from pages.ui.i18n import t
from services.core.clock import BEIJING
from services.core.identity import require_admin
from services.exports.audit_csv import audit_csv

_SHOWN = 200

slot = frame.heading(t("page_status"))
with errors.frame("status"):
    require_admin()
    services = resources.services()
    lines = services.audit.lines(limit=_SHOWN)
    if lines:
        with slot:
            st.download_button(
                t("audit_all"),
                identity.on_behalf(lambda: audit_csv(services.audit.lines())),
                "youju-audit.csv",
                "text/csv",
                icon=":material/download:",
                on_click="ignore",
                key="w_audit_csv",
            )
    rows = "".join(
        f"<tr><td>{cite.tag('provenance', f'{one.happened_at.astimezone(BEIJING):%m-%d %H:%M:%S}')}"
        f"</td><td>{cite.tag('user', one.owner_name)}</td><td>{cite.tag('user', one.team)}</td>"
        f"<td>{escape(t(f'did_{one.action}'))}</td><td>{escape(t(f'kind_{one.kind}'))}</td>"
        f"<td>{cite.tag('user', one.id)}</td></tr>"
        for one in lines
    )
    head = "".join(
        f"<th>{escape(t(key))}</th>"
        for key in ("audit_when", "audit_who", "audit_team", "audit_did", "audit_what", "audit_id")
    )
    blocks.draw(
        blocks.heading(t("audit_title"), escape(t("audit_sub"))),
        f'<div class="yj-scroll"><table class="yj-table"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
        if rows
        else f'<p class="yj-mute">{escape(t("audit_none"))}</p>',
    )
