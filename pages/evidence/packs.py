"""Checking an evidence pack somebody gave: what came of it, and where a file says otherwise.

Nothing of an uploaded file is trusted: all of it is shown as text, none of its figures as a figure.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape

import streamlit as st

from pages.evidence import pasted_text
from pages.ui import blocks, cite, i18n, resources, state
from pages.ui.i18n import t
from pages.ui.nothing import nothing
from services.core.text import Text
from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.demo import change_report
from services.evidence_pack.lines_around import ShownLine, lines_around
from services.evidence_pack.parts import PackManifest
from services.evidence_pack.size_limits import LARGEST_PACK
from services.evidence_pack.steps import StepState, steps_of
from services.evidence_pack.verify import Checked, PackFinding, PackVerdict
from services.evidence_pack.verify_in_child import verify_apart
from services.evidence_pack.zip_file import is_pack

_TYPES = (".zip", ".csv", ".md", ".markdown", ".txt", ".xlsx")
_MOST_SHOWN = 50
_DEMO = "600036.SH"


def given() -> tuple[Beside | None, tuple[Beside, ...]]:
    """The pack and the files beside it that were dropped, or those of the demonstration."""
    st.html(f"<style>.st-key-w_pack {{ --yj-choose: '{t('pack_choose')}'; }}</style>")
    with st.container(key="yj_drop", horizontal=True, vertical_alignment="center"):
        cards = st.container(width="content")
        # Any type: what Streamlit says of a wrong one is English alone, so this page says it.
        dropped = st.file_uploader(
            t("pack_drop"),
            accept_multiple_files=True,
            max_upload_size=LARGEST_PACK // 1024 // 1024,
            key="w_pack",
            label_visibility="collapsed",
        )
        if not dropped:
            with st.container(horizontal=True, width="content", gap="small"):
                for kind in ("changed", "whole"):
                    st.button(
                        t(f"pack_try_{kind}"),
                        key=f"w_try_{kind}",
                        on_click=_keep,
                        args=("try", kind),
                    )
    files = _readable(tuple(Beside(one.name, one.getvalue()) for one in dropped))
    if not dropped:
        files = _demo(state.bind("try", widget=False, valid={"", "changed", "whole"}.__contains__))
        if files:
            with cards:
                blocks.draw(_cards(files))
    pack = next((one for one in files if is_pack(one.content)), None)
    return pack, tuple(one for one in files if one is not pack)


def _readable(files: Sequence[Beside]) -> tuple[Beside, ...]:
    """Those of a type that may be read here; of the others it is said that they were not."""
    read = tuple(one for one in files if one.name.lower().endswith(_TYPES) or is_pack(one.content))
    unread = [one.name for one in files if one not in read]
    if unread:
        names = cite.tag("user", i18n.say(i18n.LIST_COMMA).join(unread))
        told = escape(t("pack_unread", names="\0")).replace("\0", names)
        blocks.draw(f'<p class="yj-pack-unread" role="alert">{told}</p>')
    return read


def _keep(name: str, value: str) -> None:
    state.keep(name, value)


def _demo(kind: str) -> tuple[Beside, ...]:
    """A pack made here and now, with its report as it is or with one figure changed."""
    if not kind:
        return ()
    desk, language = resources.desk(), state.language()
    view = desk.financials(_DEMO, state.session().session_id, count=3)
    pack = Beside(f"{t('pack_try_name')}.youju.zip", desk.pack(view, language))
    name = f"{t('pack_try_name')}.md"
    return (pack, change_report(pack.content, name)) if kind == "changed" else (pack,)


def _cards(files: Sequence[Beside]) -> str:
    """The files of the demonstration where dropped ones would lie, and how to put them away."""
    away = escape(state.link("verify", **{"try": ""}))
    items = "".join(
        f"<li><span><b>{cite.tag('provenance', one.name)}</b>"
        f"<small>{escape(t('pack_card' if is_pack(one.content) else 'pack_card_beside'))}</small>"
        "</span></li>"
        for one in files
    )
    label = escape(t("pack_put_away"))
    return (
        f'<ul class="yj-files">{items}<li><a href="{away}" data-go="verify" target="_self" '
        f'aria-label="{label}" title="{label}">✕</a></li></ul>'
    )


def judge(pack: Beside | None, beside: Sequence[Beside]) -> None:
    """What came of the files: the count, the steps, the lines that differ, what the pack is."""
    if pack is None:
        if beside:
            blocks.draw(nothing(escape(t("pack_none")), (), escape(t("pack_none_why"))))
        return
    show(verdict(pack, beside), pack, beside)


def verdict(pack: Beside, beside: Sequence[Beside]) -> PackVerdict:
    """Looked at once, however often the page is drawn; only the newest is kept."""
    names = "\0".join(one.name for one in beside).encode()
    parts = (pack.content, names, *(one.content for one in beside))
    key = sha256(b"".join(sha256(part).digest() for part in parts)).hexdigest()
    mine = state.session()
    if key not in mine.packs or not mine.packs[key].finished:
        mine.packs = {key: verify_apart(pack.content, beside)}
    return mine.packs[key]


def show(found: PackVerdict, pack: Beside, beside: Sequence[Beside]) -> None:
    """The verdict: whether it holds, what was checked, each thing that fails, and what it is."""
    steps = steps_of(found, [one.name for one in beside])
    blocks.draw(
        f'<section class="yj-pack yj-source" role="status">{_count(found, pack, beside)}'
        f"{_steps(steps, found.checked)}{_print(found)}</section>"
    )
    if not found.finished:
        told = "".join(f"<p>{cite.tag('provenance', i18n.say(one.reason))}</p>"
                       for one in found.failures)  # fmt: skip
        blocks.draw(f'<div role="alert">{told}</div>')
        st.button(t("pack_again"), key="w_verify_again", type="primary")
        return
    if not found.failures and not found.notes:
        pasted_text.beside_pack(beside, found.figures)
        _evidence(found)
        return
    left, right = st.columns([2.4, 1], gap="medium")
    with left:
        _differences(found.failures, beside)
        pasted_text.beside_pack(beside, found.figures)
        blocks.draw(_notes(found.notes))
    with right:
        _evidence(found)


def _evidence(found: PackVerdict) -> None:
    """What the pack is, what its check proves, and the result as a file."""
    if found.manifest is None:
        return
    facts = _facts(found.manifest, found.checked)
    blocks.draw(
        f'<div class="yj-sect"><h2>{escape(t("pack_this"))}</h2></div>'
        f'<div class="yj-source yj-of">{facts}<p class="yj-mute">'
        f"{escape(t('pack_proves'))}</p></div>"
    )
    st.download_button(
        t("pack_save"),
        found.model_dump_json(indent=1),
        file_name="youju-verification.json",
        mime="application/json",
        icon=":material/download:",
        type="primary",
    )


def _count(found: PackVerdict, pack: Beside, beside: Sequence[Beside]) -> str:
    """How many things do not hold, large; none where it was stopped before that is known."""
    told = " ".join(cite.tag("provenance", one.name) for one in (pack, *beside))
    files = [one.name for one in beside]
    if found.failures and all(_file(one, files) for one in found.failures):
        told = escape(t("pack_fails_beside"))
    count, kind = str(len(found.failures)), "good" if found.ok else "bad"
    said = t("pack_fails_one" if len(found.failures) == 1 else "pack_fails")
    if found.ok:
        open_ = sum(one.standing == "undecided" for one in found.figures)
        said = t("pack_holds_but", count=str(open_)) if open_ else t("pack_holds")
    elif not found.finished:
        count, kind, said = "—", "open", t("pack_unfinished")
    return (
        f'<div class="yj-verdict yj-{kind}"><b data-nocite="provenance">{count}</b>'
        f"<p><strong>{escape(said)}</strong><small>{told}</small></p></div>"
    )


def _steps(steps: Sequence[StepState], checked: Checked) -> str:
    """What was asked, in order, with a sign and a word each."""
    counts = _counts(checked)
    items = ""
    for one in steps:
        state_ = "none" if not one.asked else "bad" if one.failures else "good"
        sign = {"none": "–", "bad": "✕", "good": "✓"}[state_]
        told = t(f"step_{one.step}_told", **counts)
        if not one.asked:
            told = t("step_not_asked")
        elif one.failures:
            told = t("step_fails", count=str(one.failures))
        items += (
            f'<li class="yj-step-{state_}"><i aria-hidden="true">{sign}</i>'
            f"<b>{escape(t(f'step_{one.step}'))}</b>"
            f"<small>{cite.tag('provenance', told)}</small></li>"
        )
    return f'<ol class="yj-asked">{items}</ol>'


def _counts(checked: Checked) -> dict[str, str]:
    return {name: f"{count:,}" for name, count in checked.model_dump().items()}


def _print(found: PackVerdict) -> str:
    """The fingerprint, and what it is compared with."""
    text = found.fingerprint or ""
    return (
        f'<div class="yj-print-of"><small>{escape(t("pack_print"))}</small>'
        f'<strong class="yj-mono" data-print="{escape(text)}">{blocks.fingerprint(text)}</strong>'
        f"<small>{escape(t('pack_print_help'))}</small></div>"
    )


def _differences(failures: Sequence[PackFinding], beside: Sequence[Beside]) -> None:
    """Where a file says something else than the evidence, line by line; then all the rest."""
    if not failures:
        return
    files = {one.name: one for one in beside}
    lines = [one for one in failures if one.line and _file(one, files)]
    at = 0
    if lines:
        asked = state.bind("diff", "1", valid=state.is_page, widget=False)
        at = min(int(asked), len(lines)) - 1 if state.is_page(asked) else 0
        name = _file(lines[at], files)
        where = f"{name} · {t('pack_line', count=str(lines[at].line))} · {at + 1}/{len(lines)}"
        blocks.draw(
            f'<div class="yj-sect"><h2>{escape(t("pack_apart"))}</h2>'
            f"<small>{cite.tag('provenance', where)}</small></div>",
            _diff(lines[at], lines_around(files[name], lines[at])),
        )
        if len(lines) > 1:
            with st.container(horizontal=True, gap="small"):
                for key, to in (("w_prev", at), ("w_next", at + 2)):
                    st.button(
                        t(f"pack_{key[2:]}"),
                        key=key,
                        on_click=_keep,
                        args=("diff", str(max(1, min(to, len(lines))))),
                    )
    rest = [one for one in failures if one not in lines[at : at + 1]]
    blocks.draw(_failures(rest))


def _file(one: PackFinding, files: Iterable[str]) -> str:
    """The file the finding is about; empty for one about the pack."""
    return next((name for name in files if one.place.startswith(name)), "")


def _diff(one: PackFinding, lines: Sequence[ShownLine]) -> str:
    """The file's own lines around the wrong one, and below it what the evidence says."""
    rows = ""
    for line in lines:
        if line.number != one.line:
            rows += f"<li><i>{line.number}</i><span>{escape(line.before)}</span></li>"
            continue
        wrong = f"<mark>{escape(line.wrong)}</mark>" if line.wrong else ""
        whole = f"{escape(line.before)}{wrong}{escape(line.after)}"
        rows += f'<li class="yj-wrong-line"><i>{line.number}</i><span>{whole}</span></li>'
        rows += (
            f'<li class="yj-right-line"><i></i><span>{escape(t("pack_evidence_says"))} '
            f"<mark>{escape(one.wanted) or '—'}</mark> <small>{escape(i18n.say(one.about))}</small>"
            "</span></li>"
        )
    large = (
        f"<div><small>{escape(t('pack_file_says'))}</small><b>{escape(one.got) or '—'}</b>"
        f"<small>{escape(t('pack_unsupported'))}</small></div><i>→</i>"
        f"<div><small>{escape(t('pack_evidence_says'))}</small>"
        f'<b class="yj-is">{escape(one.wanted) or "—"}</b></div>{_follows(one)}'
    )
    return (
        f'<div class="yj-diff" data-nocite="provenance"><ol>{rows}</ol>'
        f'<div class="yj-large">{large}</div></div>'
    )


def _follows(one: PackFinding) -> str:
    """What else the file says that cannot hold together with what was changed."""
    lines = (
        t("pack_follows_line", line=str(each.line), label=each.label, said=each.said, got=one.got,
          would=each.would_be)
        for each in one.follows
    )  # fmt: skip
    told = "".join(f"<p>{cite.tag('provenance', line)}</p>" for line in lines)
    head = escape(t("pack_follows"))
    return f'<div class="yj-follows"><small>{head}</small>{told}</div>' if told else ""


def how_to() -> str:
    """How one comes by a pack, and what else there is."""
    items = "".join(
        f'<li><i data-nocite="label">{step}</i><span><b>{escape(t(f"pack_how_{step}"))}</b>'
        f"<small>{escape(t(f'pack_how_{step}_sub'))}</small></span></li>"
        for step in range(1, 5)
    )
    return f'<ol class="yj-how">{items}</ol>'


def _facts(manifest: PackManifest, checked: Checked) -> str:
    data = t("mode_live")
    if manifest.snapshot:
        data = f"{escape(t('mode_snapshot'))} · {cite.day(manifest.snapshot.clock)}"
    counts = _counts(checked)
    looked = cite.tag("provenance", t("pack_counts", **counts))
    if checked.unjudged:
        said = t("pack_unjudged", count=f"{checked.unjudged:,}")
        looked += f"<br>{cite.tag('provenance', said)}"
    rows = [
        (t("pack_title"), cite.tag("provenance", manifest.title)),
        (
            t("pack_about"),
            cite.tag("code", i18n.say(i18n.LIST_COMMA).join(manifest.symbols)) or "—",
        ),
        (t("pack_data"), data),
        (t("pack_made"), cite.day(manifest.made_at)),
        (t("pack_tool"), cite.tag("provenance", manifest.tool)),
        (t("pack_checked"), looked),
    ]
    shown = [(name, inner) for name, inner in rows if name != t("pack_about") or manifest.symbols]
    return (
        f"<dl>{''.join(f'<dt>{escape(name)}</dt><dd>{inner}</dd>' for name, inner in shown)}</dl>"
    )


def _failures(failures: Sequence[PackFinding]) -> str:
    if not failures:
        return ""
    items = "".join(
        f"<li><b>{cite.tag('provenance', i18n.say(one.where))}</b>"
        f"<span>{cite.tag('provenance', i18n.say(one.reason))}</span>{_follows(one)}</li>"
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
