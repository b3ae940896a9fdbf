"""The sign-in that stands in place of every page where people sign in, and the way out."""

from html import escape

import streamlit as st
from streamlit.auth_util import is_authlib_installed

from pages.ui import blocks, cite, errors, identity, outside, resources, settings, state
from pages.ui.i18n import t
from services.core.errors import ConfigError
from services.core.identity import acting


def is_passed() -> bool:
    """Whether the page may be shown; draws the sign-in in its place when not."""
    with errors.frame():
        if identity.signed_in() is not None:
            return True
        with st.container(key="yj_sign_in", width=520):
            _draw_gate()
    return False


def account() -> None:
    """Who is signed in, below the settings, and the way out; nothing where nobody signs in."""
    if not identity.is_on():
        return
    _note_mode()
    me = acting()
    team = t("team_of", team=me.team) if me.team else t("team_none")
    blocks.draw(
        f"<hr><p>{cite.tag('user', me.name)}</p>"
        f'<p class="yj-small">{escape(t(f"role_{me.role}"))}<br>{cite.tag("user", team)}</p>'
    )
    if me.role == "admin":
        href = escape(state.link("status"))
        told = escape(t("page_status"))
        blocks.draw(f'<p><a href="{href}" data-go="status" target="_self">{told} →</a></p>')
    st.button(t("sign_out"), icon=":material/logout:", on_click=st.logout, key="w_sign_out")


def _note_mode() -> None:
    """That this session looks at other data than before."""
    mine, mode = state.session(), state.mode()
    before, mine.noted_mode = mine.noted_mode, mode
    if before is not None and before != mode:
        resources.services().audit.note("switched", "mode", str(mode))


def _draw_gate() -> None:
    lead = f'<p class="yj-lead">{escape(t("sign_in_lead"))}</p>'
    blocks.draw(blocks.title(t("sign_in_title")), lead)
    if st.user.get("is_logged_in"):
        hours = str(identity.rules().hours)
        told = cite.tag("label", t("sign_in_again", hours=hours))
        blocks.draw(f'<p role="status">{told}</p>')
    if not is_authlib_installed():
        raise ConfigError("[auth]", "pip install -r deploy/requirements.txt (Authlib, httpx)")
    for provider in identity.providers():
        told = t("sign_in_by", provider=provider.capitalize()) if provider else t("sign_in")
        st.button(
            outside.escape_label(told),
            type="primary",
            icon=":material/login:",
            on_click=st.login,
            args=(provider or None,),
            key=f"w_sign_in_{provider}",
        )
    settings.language_choice()
