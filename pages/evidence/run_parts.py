"""Parts of the two pages about evidence: runs, verdicts, claims, chains and keys."""

from html import escape

import streamlit as st

from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import LIST_COMMA, say, t
from services.core.periods import period_words
from services.core.text import Language
from services.views.member_words import scope_words
from services.views.source_words import source_words
from services.views.table import Table, TableRow
from services.views.view import (
    Capability,
    SourceState,
    SourcesView,
    Told,
    TraceView,
    Trial,
)

_PER_PAGE = 50
_TECHNICAL = frozenset({"value", "origin", "claim_id"})


def language() -> Language:
    """The language chosen."""
    return state.language()


def runs(view: TraceView) -> None:
    """The session's runs, and a choice among them."""
    if not view.runs.rows:
        if view.run_id is None:  # a run of another session, or of an answer, may be looked at
            blocks.draw(f'<p class="yj-mute">{escape(t("no_runs"))}</p>')
        return
    blocks.draw(
        blocks.heading(t("runs")),
        blocks.table(view.told, view.claims, kind="user", tall=True),
    )


def verdict(view: TraceView) -> None:
    """What the verifier says of the chosen run now, and a button to ask again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if view.verdict is not None:
            ok = view.verdict.ok
            chip = blocks.chip(t("verified_ok" if ok else "verified_bad"), "good" if ok else "bad")
            asked = cite.tag("user", say(view.run_asked)) if view.run_asked else ""
            blocks.draw(f'<p class="yj-count"><strong>{asked}</strong> {chip}</p>')
        if st.button(t("reverify"), icon=":material/verified:", key="w_reverify") and view.run_id:
            again = resources.desk().reverify(view.run_id)
            st.toast(t("verified_ok" if again.ok else "verified_bad"))
            blocks.draw(
                *(
                    f'<p class="yj-mute">{cite.tag("provenance", one.reason)}</p>'
                    for one in again.failures
                )
            )


def members(view: TraceView) -> None:
    """The members of the figure asked about, some at a time; all of them are in the export."""
    if view.members is None:
        return
    shown = view.members
    title = f"{shown.title.in_language(language())} · {t('members_export')}"
    blocks.draw(blocks.heading(title))
    _some(shown, view, "members_part")


def claims(view: TraceView) -> None:
    """The claims of the run, some at a time, each with its upstream value beside what is shown."""
    blocks.draw(blocks.heading(t("claims")))
    _some(view.claims_table, view, "part", plain=True)


def _some(shown: Table, view: TraceView, name: str, *, plain: bool = False) -> None:
    """So many rows of a table, and a way to the others; the address says which under that name.
    `plain`: without ids and full precision, which stand in a fold below.
    """
    count = max(1, -(-len(shown.rows) // _PER_PAGE))
    text = state.stated(name)
    page = min(int(text), count) if state.is_page(text) else 1
    part = shown.rows[(page - 1) * _PER_PAGE : page * _PER_PAGE]
    told = _plainly(_part(shown, part)) if plain else _part(shown, part)
    whole = blocks.table(told, view.claims, kind="provenance")
    if plain:
        full = Table(f"{shown.key}_full", shown.title, shown.columns, part)
        inner = blocks.table(full, view.claims, kind="provenance")
        whole += blocks.folded(t("claims_full"), inner)
    blocks.draw(whole)
    if count > 1:
        key = f"w_{shown.key}_{page}_{count}"
        st.pagination(count, default=page, key=key, on_change=_turn, args=(key, name))


def _plainly(shown: Table) -> Table:
    """The same without what only machines read, and its periods in words."""
    columns = tuple(one for one in shown.columns if one.key not in _TECHNICAL)
    rows = tuple(
        TableRow(
            {
                **row.cells,
                "symbol": scope_words(str(row.cells["symbol"])),
                "period": period_words(str(row.cells["period"] or ""), language()),
            },
            row.symbol,
        )
        for row in shown.rows
    )
    return Table(shown.key, shown.title, columns, rows)


def _turn(key: str, name: str) -> None:
    st.query_params[name] = str(st.session_state[key])


def _part(shown: Table, rows: tuple[TableRow, ...]) -> Table:
    return Table(shown.key, shown.title, shown.columns, rows, shown.note)


def source_cards(view: SourcesView) -> None:
    """A card a source, two in a row; those that are not configured come last, without a button."""
    blocks.draw(blocks.heading(t("source_states")))
    shown = sorted(view.sources, key=lambda one: bool(one.lacking))
    for place in range(0, len(shown), 2):
        for one, column in zip(shown[place : place + 2], st.columns(2), strict=False):
            with column.container(border=True, height="stretch"):
                _source_card(one)


def _source_card(one: SourceState) -> None:
    blocks.draw(_source(one))
    if one.lacking:
        return
    trials = state.session().trials
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = st.button(t("source_try"), key=f"w_try_{one.key}", icon=":material/network_check:")
        if asked:
            with st.spinner(t("source_trying")):
                trials[one.key] = resources.desk().try_source(one.key)
            st.rerun()  # the card above counts this call too
        if one.key in trials:
            blocks.draw(_trial(trials[one.key]))


def _trial(found: Trial) -> str:
    chip = blocks.chip(t("trial_ok" if found.ok else "trial_failed"), _tone(well=found.ok))
    told = cite.tag("provenance", say(found.told))
    return f'<p class="yj-trial" role="status">{chip} {told}{blocks.detail(found.detail)}</p>'


def _tone(*, well: bool) -> str:
    return "good" if well else "warn"


def _source(one: SourceState) -> str:
    title = f"<h3>{cite.tag('label', say(one.name))}{_state_chip(one)}</h3>"
    rows = [(t("source_answers"), escape(say(LIST_COMMA).join(say(w) for w in one.answers)))]
    count = ""
    if one.lacking:
        needs = "<br>".join(cite.tag("code", name) for name in one.lacking)
        rows.append((t("source_needs"), blocks.folded(t("keys_named"), needs)))
    else:
        rows += _history(one)
        calls = t(
            "source_calls",
            calls=str(one.calls),
            failures=str(one.failures),
            hits=str(one.cache_hits),
        )
        count = f'<p class="yj-mute">{cite.tag("provenance", calls)}</p>'
    items = "".join(f"<dt>{escape(name)}</dt><dd>{inner}</dd>" for name, inner in rows)
    return f'<div class="yj-source">{title}{count}<dl>{items}</dl>{_details(one)}</div>'


def _details(one: SourceState) -> str:
    """What was said of its failures for those who run the workbench: behind a line that opens."""
    told = [each for each in (one.last_error, *one.paused) if each is not None and each.detail]
    if not told:
        return ""
    lines = "".join(
        f"<div>{cite.tag('provenance', say(each.words))}{blocks.detail(each.detail)}</div>"
        for each in told
    )
    return blocks.folded(t("error_detail"), lines)


def _history(one: SourceState) -> list[tuple[str, str]]:
    """When it answered last, what went wrong last, and which questions it is spared for now."""
    never = escape(t("source_never"))
    success = cite.day(one.last_success_at.isoformat()) if one.last_success_at else never
    error = escape(t("source_no_error"))
    if one.last_error and one.last_error_at:
        error = f"{_tell_run(one.last_error, cite.day(one.last_error_at.isoformat()))}"
    paused = "".join(_tell_run(each) for each in one.paused) or escape(t("source_closed"))
    return [
        (t("source_success"), success),
        (t("source_error"), error),
        (t("source_circuit"), paused),
    ]


def _tell_run(told: Told, before: str = "") -> str:
    return f"<div>{before} {cite.tag('provenance', say(told.words))}</div>"


def _state_chip(one: SourceState) -> str:
    if one.lacking:
        return blocks.chip(t("source_lacking"))
    if one.paused:
        return blocks.chip(t("source_paused"), "warn")
    if not one.calls:
        return blocks.chip(t("source_idle"))
    return blocks.chip(
        t("source_ailing" if one.ailing else "source_ok"), _tone(well=not one.ailing)
    )


def bundle_wanted(*, live: bool) -> bool:
    """The bundled files are what a snapshot stands on; live they are shown when asked for."""
    return not live or st.toggle(t("bundle_toggle"), key="w_bundle")


def chains(view: SourcesView) -> str:
    """What may be asked, who is asked in which order, and what nobody can be asked for."""
    items = "".join(
        f"<dt>{escape(blocks.words(one.name))}</dt><dd>{_chain(one)}</dd>"
        for one in view.capabilities
        if one.chain
    )
    absent = say(LIST_COMMA).join(
        blocks.words(one.name) for one in view.capabilities if not one.chain
    )
    key = "nobody_snapshot" if view.mode == "snapshot" else "nobody_live"
    note = f'<p class="yj-mute">{escape(t(key))}{escape(absent)}</p>' if absent else ""
    return blocks.panel(escape(t("answers")), escape(t("chain")), f"<dl>{items}</dl>{note}")


def _chain(one: Capability) -> str:
    return " → ".join(cite.tag("provenance", say(source_words(name))) for name in one.chain)


def keys(view: SourcesView) -> str:
    """How many keys are set, and which for who asks; never what they are."""
    rows = [(name, True) for name in view.keys_present]
    rows += [(name, False) for name in view.keys_absent]
    items = "".join(
        f'<dt class="yj-mono">{cite.tag("code", name)}</dt>'
        f"<dd>{blocks.chip(t('key_set' if there else 'key_unset'), 'good' if there else '')}</dd>"
        for name, there in rows
    )
    there = t("keys_there", count=str(len(view.keys_present)), all=str(len(rows)))
    told = f"<p>{cite.tag('provenance', there)}</p>"
    named = blocks.folded(t("keys_named"), f"<dl>{items}</dl>")
    return blocks.panel(escape(t("keys")), escape(t("keys_note")), told + named)


def built(view: SourcesView) -> str:
    """When the bundle was made."""
    return f"{escape(t('built'))} {cite.day(view.snapshot.built_at)}"
