"""Parts of the two pages about evidence: runs, verdicts, claims, chains and keys."""

from html import escape

import streamlit as st

from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import t
from services.core.rendering import Language
from services.reports.table import Row, Table
from services.reports.view import SourcesView, TraceView

_PER_PAGE = 50


def language() -> Language:
    """The language chosen."""
    return state.language()


def runs(view: TraceView) -> None:
    """The session's runs, and a choice among them."""
    if not view.runs.rows:
        blocks.draw(f'<p class="yj-mute">{escape(t("no_runs"))}</p>')
        return
    blocks.draw(
        blocks.heading(t("runs")),
        blocks.table(view.runs, view.claims, kind="provenance", tall=True),
    )


def verdict(view: TraceView) -> None:
    """What the verifier says of the chosen run now, and a button to ask again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if view.verdict is not None:
            ok = view.verdict.ok
            chip = blocks.chip(t("verified_ok" if ok else "verified_bad"), "good" if ok else "bad")
            run = f"{cite.tag('code', view.run_id or '')} {chip}"
            blocks.draw(f'<p class="yj-count">{run}</p>')
        if st.button(t("reverify"), icon=":material/verified:", key="w_reverify") and view.run_id:
            again = resources.desk().reverify(view.run_id)
            st.toast(t("verified_ok" if again.ok else "verified_bad"))
            blocks.draw(
                *(
                    f'<p class="yj-mute">{cite.tag("provenance", one.reason)}</p>'
                    for one in again.failures
                )
            )


def claims(view: TraceView) -> None:
    """The claims of the run, some at a time, each with its upstream value beside what is shown."""
    shown = view.claims_table
    count = max(1, -(-len(shown.rows) // _PER_PAGE))
    blocks.draw(blocks.heading(t("claims")))
    text = state.stated("part")
    page = min(int(text), count) if text.isdigit() and text != "0" else 1
    part = shown.rows[(page - 1) * _PER_PAGE : page * _PER_PAGE]
    blocks.draw(blocks.table(_part(shown, part), view.claims, kind="provenance"))
    if count > 1:
        key = f"w_claims_{page}_{count}"
        st.pagination(count, default=page, key=key, on_change=_turn, args=(key,))


def _turn(key: str) -> None:
    st.query_params["part"] = str(st.session_state[key])


def _part(shown: Table, rows: tuple[Row, ...]) -> Table:
    return Table(shown.key, shown.zh, shown.en, shown.columns, rows, shown.note_zh, shown.note_en)


def chains(view: SourcesView) -> str:
    """What may be asked, and who is asked in which order."""
    items = "".join(
        f"<dt>{escape(blocks.words(one.name))}</dt>"
        f"<dd>{' → '.join(cite.tag('provenance', name) for name in one.chain)}</dd>"
        for one in view.capabilities
    )
    return blocks.panel(escape(t("answers")), escape(t("chain")), f"<dl>{items}</dl>")


def keys(view: SourcesView) -> str:
    """Which keys are set; never what they are."""
    rows = [(name, True) for name in view.keys_present]
    rows += [(name, False) for name in view.keys_absent]
    items = "".join(
        f'<dt class="yj-mono">{cite.tag("code", name)}</dt>'
        f"<dd>{blocks.chip(t('key_set' if there else 'key_unset'), 'good' if there else '')}</dd>"
        for name, there in rows
    )
    return blocks.panel(escape(t("keys")), escape(t("keys_note")), f"<dl>{items}</dl>")


def built(view: SourcesView) -> str:
    """When the bundle was made."""
    return f"{escape(t('built'))} {cite.day(view.snapshot.built_at)}"
