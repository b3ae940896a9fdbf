"""What a reader does with reports that are kept: look, compare two, check again, put away, undo."""

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from pages.evidence import comparison, packs
from pages.ui import blocks, cite, errors, frame, resources, sharing, state
from pages.ui.i18n import say, t
from services.core.clock import BEIJING
from services.evidence_pack.compare_exports import Beside
from services.views.analysis_view import ListedReport
from services.views.table import View

_PAIR = 2


def manage(listed: Sequence[ListedReport]) -> Sequence[ListedReport]:
    """Pick some of the list: two of a kind are compared, any are put away; and the way back. What
    is picked.
    """
    picked: list[ListedReport] = []
    known = {one.job_id: one for one in listed if one.status != "running"}
    _undo()
    if known:
        with st.container(
            horizontal=True, vertical_alignment="bottom", gap="small", key="yj_shelf"
        ):
            chosen = st.multiselect(
                t("shelf_pick"),
                list(known),
                format_func=lambda name: _name_report(known[name]),
                placeholder=t("shelf_pick_hint"),
                key="w_shelf",
            )
            picked = [known[name] for name in chosen if name in known]
            st.button(
                t("shelf_compare"),
                key="w_shelf_compare",
                icon=":material/compare:",
                disabled=not _comparable(picked),
                help=t("shelf_compare_help"),
                on_click=_compare,
                args=(tuple(one.job_id for one in picked),),
            )
            st.button(
                t("shelf_put_away"),
                key="w_shelf_away",
                icon=":material/delete:",
                disabled=not picked,
                help=t("shelf_put_away_help"),
                on_click=errors.clicked(_put_away),
                args=(tuple(one.job_id for one in picked),),
            )
    _away()
    return picked


def compared() -> bool:
    """Draw the two that the address names side by side; False when it names none."""
    names = [name for name in state.stated("compare").split(",") if name]
    if len(names) != _PAIR:
        return False
    with errors.frame("reports"):
        found = resources.desk().compare(names[0], names[1], state.language())
        cite.stand_on(found)
        back = escape(state.link("reports"))
        blocks.draw(
            f'<p class="yj-back-to"><a href="{back}" data-go="reports" target="_self">'
            f"← {escape(t('report_all'))}</a></p>"
        )
        frame.head(found)
        sides = (cite.tag("label", say(one)) for one in (found.before, found.after))
        blocks.draw(f'<p class="yj-lead">{" ↔ ".join(sides)}</p>')
        comparison.draw(found)
        frame.foot(found)
    return True


def actions(job_id: str, view: View | None) -> None:
    """What may be done with the report that is open."""
    with st.popover(t("shelf_more"), icon=":material/more_horiz:", width="content"):
        if view is not None:
            st.button(
                t("shelf_recheck"),
                key="w_shelf_recheck",
                icon=":material/verified:",
                help=t("shelf_recheck_help"),
                on_click=_recheck,
                args=(job_id,),
                width="stretch",
            )
        if sharing.is_own("job", job_id):
            st.button(
                t("shelf_put_away"),
                key="w_shelf_away_open",
                icon=":material/delete:",
                help=t("shelf_put_away_help"),
                on_click=errors.clicked(_put_away),
                args=((job_id,),),
                width="stretch",
            )
        sharing.control("job", job_id)


def rechecked(job_id: str, view: View) -> None:
    """The verdict, where the reader asked for the open report to be checked again."""
    if state.session().recheck != job_id:
        return
    pack = Beside("youju.zip", resources.desk().pack(view, state.language()))
    packs.show(packs.verdict(pack, ()), pack, ())


def _name_report(one: ListedReport) -> str:
    kind = t(f"filed_{one.kind}")
    return f"{say(one.title)} · {one.started_at.astimezone(BEIJING):%m-%d %H:%M} · {kind}"


def _comparable(picked: Sequence[ListedReport]) -> bool:
    ended_well = all(one.status == "ok" for one in picked)
    return len(picked) == _PAIR and ended_well and len({one.kind for one in picked}) == 1


def _compare(job_ids: Sequence[str]) -> None:
    state.session().goto = ("reports", {"compare": ",".join(job_ids)})


def _put_away(job_ids: Sequence[str]) -> None:
    resources.desk().put_away(job_ids)
    st.session_state["w_shelf"] = []
    state.session().put_away = tuple(job_ids)
    state.session().goto = ("reports", {})


def _put_back(job_ids: Sequence[str]) -> None:
    resources.desk().put_back(job_ids)
    state.session().put_away = ()


def _recheck(job_id: str) -> None:
    state.session().recheck = job_id


def _undo() -> None:
    """What was put away last, and a button to take that back."""
    gone = state.session().put_away
    if not gone:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="yj_undo"):
        said = t("shelf_gone", count=str(len(gone)))
        blocks.draw(f'<p class="yj-count" role="status">{cite.tag("provenance", said)}</p>')
        st.button(
            t("shelf_undo"),
            key="w_shelf_undo",
            icon=":material/undo:",
            on_click=errors.clicked(_put_back),
            args=(gone,),
        )


def _away() -> None:
    """Everything that was put away, to be put back whenever a reader wants it."""
    hidden: Mapping[str, ListedReport] = {
        one.job_id: one for one in resources.desk().reports(hidden=True)
    }
    if not hidden:
        return
    with st.expander(t("shelf_away", count=str(len(hidden))), icon=":material/inventory_2:"):
        chosen = st.multiselect(
            t("shelf_pick_away"),
            list(hidden),
            format_func=lambda name: _name_report(hidden[name]),
            key="w_shelf_hidden",
            placeholder=t("shelf_pick_hint"),
        )
        st.button(
            t("shelf_put_back"),
            key="w_shelf_back",
            icon=":material/restore:",
            disabled=not chosen,
            on_click=errors.clicked(_put_back),
            args=(tuple(chosen),),
        )
