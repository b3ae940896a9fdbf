"""核验: drop what somebody gave you, and see what holds, line by line."""

from html import escape

import streamlit as st

from pages.evidence import packs, pasted_text
from pages.ui import blocks, errors
from pages.ui.i18n import t

with errors.frame("verify"):
    assured = "".join(
        f"<span>✓ {escape(t(key))}</span>"
        for key in ("pack_offline", "pack_no_store", "pack_not_kept")
    )
    blocks.draw(
        f'<div class="yj-asks"><div><h1>{escape(t("pack_title_asks"))}</h1>'
        f"<p>{escape(t('pack_lead'))}</p></div><p>{assured}</p></div>"
    )
    pack, beside = packs.given()
    verdict = st.container()
    pasted = pasted_text.box(beside=pack is not None)
    pasted_text.judged()
    with verdict:
        packs.judge(pack, (*beside, pasted) if pasted is not None else beside)
    blocks.draw(packs.how_to())
