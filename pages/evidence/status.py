"""运行状态: how process and store are doing, and who did what; an admin's where people sign in."""

from html import escape

import streamlit as st

from pages.evidence import running
from pages.ui import blocks, cite, errors, frame, identity, keeping, resources
from pages.ui.i18n import t
from services.core.clock import BEIJING
from services.exports.audit_csv import audit_csv
from services.sight import RECENT

_SHOWN = 200
_HEADS = ("audit_when", "audit_who", "audit_team", "audit_did", "audit_what", "audit_id")

slot = frame.heading(t("page_status"))
with errors.frame("status"):
    view = resources.desk().status(RECENT.pieces(), keeping.connected())
    running.draw(view)
    running.schedules(view)
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
    rows = [
        (
            cite.tag("provenance", f"{one.happened_at.astimezone(BEIJING):%m-%d %H:%M:%S}"),
            cite.tag("user", one.owner_name),
            cite.tag("user", one.team),
            escape(t(f"did_{one.action}")),
            escape(t(f"kind_{one.kind}")),
            cite.tag("user", one.id),
        )
        for one in lines
    ]
    blocks.draw(
        running.section("audit_title", _HEADS, rows, sub=escape(t("audit_sub")), none="audit_none")
    )
