"""核验: drop what somebody gave you, and see what holds, line by line."""

from html import escape

from pages.evidence import packs
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
    packs.judge(*packs.given())
    blocks.draw(packs.how_to())
