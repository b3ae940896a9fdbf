"""Checking an evidence pack somebody gave: a place to drop it, and the verdict.

Nothing of an uploaded file is trusted: all of it is shown as text, none of its figures as a figure.
"""

from collections.abc import Sequence
from hashlib import sha256
from html import escape

import streamlit as st

from pages.ui import blocks, cite, i18n, state
from pages.ui.i18n import t
from services.core.text import Text
from services.evidence_pack.apart import verify_apart
from services.evidence_pack.beside import Beside
from services.evidence_pack.container import is_pack
from services.evidence_pack.limits import LARGEST_PACK
from services.evidence_pack.parts import PackManifest
from services.evidence_pack.verify import Checked, Finding, PackVerdict

_TYPES = ("zip", "csv", "md", "markdown", "xlsx")
_MOST_SHOWN = 50


def drop_zone() -> None:
    """The place for files, closed until somebody has one, and what came of those in it."""
    with st.expander(t("pack_check"), icon=":material/verified:", key="w_pack_open"):
        st.html(f"<style>.st-key-w_pack {{ --yj-choose: '{t('pack_choose')}'; }}</style>")
        blocks.draw(f'<p class="yj-lead">{cite.marked(t("pack_lead"))}</p>')
        given = st.file_uploader(
            t("pack_drop"),
            type=_TYPES,
            accept_multiple_files=True,
            max_upload_size=LARGEST_PACK // 1024 // 1024,
            key="w_pack",
        )
        files = [Beside(one.name, one.getvalue()) for one in given]
        if files:
            _checked(files)


def _checked(files: Sequence[Beside]) -> None:
    pack = next((one for one in files if is_pack(one.content)), None)
    if pack is None:
        blocks.draw(f'<p class="yj-mute" role="alert">{cite.tag("provenance", t("pack_none"))}</p>')
        return
    show(verdict(pack, [one for one in files if one is not pack]))


def verdict(pack: Beside, beside: Sequence[Beside]) -> PackVerdict:
    """Looked at once, however often the page is drawn; only the newest is kept."""
    names = "\0".join(one.name for one in beside).encode()
    parts = (pack.content, names, *(one.content for one in beside))
    key = sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()
    mine = state.session()
    if key not in mine.packs:
        mine.packs = {key: verify_apart(pack.content, beside)}
    return mine.packs[key]


def show(found: PackVerdict) -> None:
    """The verdict: whether it holds, what it is, what was checked, and each thing that fails."""
    chip = blocks.chip(t("pack_holds"), "good")
    if not found.ok:
        said = cite.tag("provenance", t("pack_fails", count=str(len(found.failures))))
        chip = f'<span class="yj-chip yj-bad">{said}</span>'
    print_ = cite.tag("code", found.fingerprint) if found.fingerprint else "—"
    blocks.draw(
        f'<section class="yj-pack yj-source" role="status"><p class="yj-verdict">{chip}'
        f'<span>{escape(t("pack_print"))} <strong class="yj-mono">{print_}</strong></span></p>'
        f'<p class="yj-mute">{escape(t("pack_print_help"))}</p>',
        _facts(found.manifest, found.checked) if found.manifest else "",
        _failures(found.failures),
        _notes(found.notes),
        "</section>",
    )


def _facts(manifest: PackManifest, checked: Checked) -> str:
    data = t("mode_live")
    if manifest.snapshot:
        data = f"{escape(t('mode_snapshot'))} · {cite.day(manifest.snapshot.clock)}"
    counts = {name: str(count) for name, count in checked.model_dump().items()}
    looked = cite.tag("provenance", t("pack_counts", **counts))
    if checked.unjudged:
        said = t("pack_unjudged", count=str(checked.unjudged))
        looked += f"<br>{cite.tag('provenance', said)}"
    rows = [
        (t("pack_title"), cite.tag("provenance", manifest.title)),
        (t("pack_about"), cite.tag("code", "、".join(manifest.symbols)) or "—"),
        (t("pack_data"), data),
        (t("pack_made"), cite.day(manifest.made_at)),
        (t("pack_tool"), cite.tag("provenance", manifest.tool)),
        (t("pack_checked"), looked),
    ]
    shown = [(name, inner) for name, inner in rows if name != t("pack_about") or manifest.symbols]
    return (
        f"<dl>{''.join(f'<dt>{escape(name)}</dt><dd>{inner}</dd>' for name, inner in shown)}</dl>"
    )


def _failures(failures: Sequence[Finding]) -> str:
    if not failures:
        return ""
    items = "".join(
        f'<li><code class="yj-mono">{cite.tag("provenance", one.place)}</code>'
        f"<span>{cite.tag('provenance', i18n.say(one.reason))}</span></li>"
        for one in failures[:_MOST_SHOWN]
    )
    left = len(failures) - _MOST_SHOWN
    more = f'<p class="yj-mute">{cite.tag("provenance", t("pack_more", count=str(left)))}</p>'
    return (
        f"<h4>{escape(t('pack_failures'))}</h4>"
        f'<ul class="yj-plain yj-wrong">{items}</ul>{more if left > 0 else ""}'
    )


def _notes(notes: Sequence[Text]) -> str:
    if not notes:
        return ""
    items = "".join(f"<li>{cite.tag('provenance', i18n.say(one))}</li>" for one in notes)
    return f'<h4>{escape(t("pack_notes"))}</h4><ul class="yj-plain">{items}</ul>'
