"""A text pasted to be checked: where it is pasted, and each of its figures beside what is held."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.ui import basis, blocks, cite, errors, frame, resources, state
from pages.ui.i18n import t
from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.weigh_text import TextFigure
from services.grounding.ground import WeighedFigure
from services.views.text_check import COLUMNS
from services.views.weighed_words import STANDINGS

_KEY = "w_text"


def box(*, beside: bool) -> Beside | None:
    """The place to paste; beside a pack what was pasted, as a file beside it."""
    about = state.bind("about", widget=False)
    lead = escape(t("text_beside" if beside else "text_lead"))
    blocks.draw(
        f'<div class="yj-sect"><h2>{escape(t("text_title"))}</h2><small>{lead}</small></div>'
    )
    with st.form("w_text_form", border=False):
        st.text_area(
            t("text_box"),
            key=_KEY,
            height=120,
            placeholder=t("text_example"),
            label_visibility="collapsed",
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.form_submit_button(
                t("text_check"), type="primary", on_click=errors.clicked(_check), args=(beside,)
            )
            if about and not beside:
                name = blocks.words(resources.services().names.text(about))
                said = cite.tag("provenance", t("text_about", name=name))
                blocks.draw(f'<p class="yj-mute">{said}</p>')
    pasted = st.session_state[_KEY].strip()
    return Beside(f"{t('text_pasted')}.txt", pasted.encode()) if beside and pasted else None


def _check(beside: bool) -> None:  # noqa: FBT001 — Streamlit passes the arguments by place
    mine, text = state.session(), st.session_state[_KEY]
    mine.text = None
    if not beside:
        about = mine.remembered.get("about", "")
        mine.text = resources.desk().check_text(text, mine.session_id, about=about)


def judged() -> None:
    """Each figure of the text that was pasted last."""
    view = state.session().text
    if view is None:
        return
    cite.stand_on(view)
    frame.standing()
    drawn = {one.claim_id: one for row in view.figures for one in row.claims[:1]}
    blocks.draw(
        f'<section class="yj-source" role="status"><p class="yj-count">{counts(view.figures)}</p>'
        f"{marked(view.text, view.figures)}</section>"
    )
    if view.figures:
        blocks.draw(basis.line(basis.of_claims(drawn)))
        blocks.draw(blocks.table(view.tables()[0], view.claims))
    blocks.draw(blocks.notes(view.notes, view.claims))
    frame.foot(view)


def beside_pack(files: Sequence[Beside], figures: Sequence[TextFigure]) -> None:
    """Each figure of the texts beside a pack; all of it text of somebody's own, none a figure of
    ours.
    """
    for file in files:
        own = [one for one in figures if one.file == file.name]
        if not own:
            continue
        text = file.content.decode("utf-8-sig", "replace")
        name = cite.tag("provenance", file.name)
        blocks.draw(
            f'<div class="yj-sect"><h2>{escape(t("text_weighed"))}</h2><small>{name}</small></div>'
            f'<p class="yj-count">{counts(own)}</p>{marked(text, own)}{_list(own)}'
        )


def _list(figures: Sequence[TextFigure]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(one.span)}</th>{_cells(one)}</tr>' for one in figures
    )
    labels = {one.key: blocks.words(one.label) for one in COLUMNS}
    labels["held"] = t("pack_evidence_says")
    heads = "".join(f"<th>{escape(label)}</th>" for label in labels.values())
    return (
        '<div class="yj-scroll"><table class="yj-table" data-nocite="provenance"><thead>'
        f"<tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cells(one: TextFigure) -> str:
    told = (STANDINGS[one.standing], one.held, one.about, one.why)
    return "".join(f"<td>{escape(blocks.words(each))}</td>" for each in told)


def counts(figures: Sequence[WeighedFigure | TextFigure]) -> str:
    """How many figures agree, differ, and cannot be decided."""
    if not figures:
        return escape(t("text_none"))
    held = [one.standing for one in figures]
    told = {name: str(held.count(name)) for name in ("agrees", "differs", "undecided")}
    return cite.tag("provenance", t("text_counts", all=str(len(held)), **told))


def marked(text: str, figures: Sequence[WeighedFigure | TextFigure]) -> str:
    """The text with each figure marked by whether it agrees. Nothing in it is a figure of ours."""
    parts, done = "", 0
    for one in figures:
        parts += escape(text[done : one.start])
        parts += f'<mark class="yj-{one.standing}">{escape(text[one.start : one.end])}</mark>'
        done = one.end
    whole = (parts + escape(text[done:])).replace("\n", "<br>")
    return f'<p class="yj-pasted" data-nocite="user">{whole}</p>'
