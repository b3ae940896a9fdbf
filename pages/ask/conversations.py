"""The conversations: where to begin, those of before, a new one, and a name for this one."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from pages.ask import questions as asks
from pages.ask.ask_texts import said
from pages.ui import blocks, cite, errors, frame, outside, resources, sharing, state
from pages.ui.i18n import t
from services.views.ask_view import ConversationView, ListedConversation

_EXAMPLES = (
    ("example_kind_figure", "example_figure"),
    ("example_kind_compare", "example_compare"),
    ("example_kind_periods", "example_periods"),
    ("example_kind_screen", "example_screen"),
    ("example_kind_peers", "example_peers"),
    ("example_kind_abnormal", "example_abnormal"),
    ("example_kind_prices", "example_prices"),
    ("example_kind_term", "example_term"),
)
_LONGEST_TITLE = 60
# So many conversations stand beside the one looked at.
_SIDE = 14


def side(conversation: str) -> None:
    """A new conversation, and those of before with the one looked at among them."""
    st.button(t("ask_new"), icon=":material/add:", on_click=asks.anew, key="w_new", width="stretch")
    found = resources.desk().conversations(_SIDE)
    items = "".join(
        f'<li><a href="{escape(state.link("ask", c=one.conversation))}" data-go="ask" '
        f'target="_self"{" aria-current=page" * (one.conversation == conversation)} '
        f'title="{escape(one.title)}">{cite.tag("user", one.title)}</a></li>'
        for one in found
    )
    if items:
        blocks.draw(
            f'<p class="yj-small">{escape(said("earlier"))}</p><ul class="yj-earlier">{items}</ul>'
        )


def heading(view: ConversationView) -> None:
    """The title: the name a conversation was given; without one the question is the title."""
    named = cite.tag("user", blocks.words(view.title)) if view.named else t("page_ask")
    plain = view.named or not view.turns
    shown = f"<h1>{named}</h1>" if plain else f'<h1 class="yj-unseen">{named}</h1>'
    blocks.draw(f'<div class="yj-title">{shown}</div>')


def whole(view: ConversationView) -> None:
    """What may be done with the conversation as a whole, below its turns."""
    with st.container(horizontal=True, key="yj_ask_top", gap="small"):
        _before()
        if view.turns:
            if sharing.is_own("conversation", view.conversation):
                _rename(view)
            sharing.control("conversation", view.conversation)
            frame.exports(view, width="content", of="export_conversation")


def _before() -> None:
    """The conversations of before, looked up when they are opened."""
    shown = st.popover(
        t("ask_before"), icon=":material/history:", on_change="rerun", key="w_before"
    )
    with shown:
        if shown.open:
            blocks.draw(_list_links(resources.desk().conversations()))


def _rename(view: ConversationView) -> None:
    with (
        st.popover(t("ask_rename"), icon=":material/edit:"),
        st.form("w_rename_form", border=False),
    ):
        st.text_input(
            t("ask_title"),
            blocks.words(view.title)[:_LONGEST_TITLE],
            max_chars=_LONGEST_TITLE,
            key=f"w_title_{view.conversation}",
        )
        st.form_submit_button(
            t("save"), on_click=errors.clicked(_take_new_title), args=(view.conversation,)
        )


def _take_new_title(conversation: str) -> None:
    title = str(st.session_state[f"w_title_{conversation}"]).strip()
    if title:
        resources.desk().rename(conversation, title)


def welcome() -> None:
    """What can be asked, by example."""
    blocks.draw(f'<p class="yj-lead">{escape(t("ask_lead"))}</p>')
    columns = st.columns(2, gap="small", width=900)
    for at, (kind, example) in enumerate(_EXAMPLES):
        with columns[at % 2].container(key=f"yj_example_{at}", gap=None):
            blocks.draw(f'<p class="yj-kind">{escape(t(kind))}</p>')
            st.button(
                outside.escape_label(t(example)),
                key=f"w_example_{at}",
                on_click=asks.want,
                args=(asks.mark(example), t(example)),
                width="stretch",
            )


def _list_links(found: Sequence[ListedConversation]) -> str:
    """Links to conversations, newest first, each with its turns and when it was last seen."""
    if not found:
        return f'<p class="yj-mute">{escape(t("ask_none_before"))}</p>'
    items = "".join(
        f'<li><a href="{escape(state.link("ask", c=one.conversation))}" data-go="ask" '
        f'target="_self">{cite.tag("user", one.title)}</a>'
        f"<small>{cite.tag('label', t('ask_turns', count=str(one.turns)))} · "
        f"{cite.day(one.seen_at.isoformat())}</small></li>"
        for one in found
    )
    return f'<ul class="yj-plain yj-conversations">{items}</ul>'
