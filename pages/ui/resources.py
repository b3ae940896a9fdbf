"""The container, once per process and mode: the only st.cache_resource there is."""

from dataclasses import replace

import streamlit as st

from pages.ui import identity, state
from services.container import Services, build_services
from services.core.errors import ConfigError, YoujuError
from services.core.text import Language
from services.settings import Mode, load_settings
from services.workbench.desk import Desk


@st.cache_resource(show_spinner=False)
def _services(mode: Mode) -> Services:
    identity.settle()
    return build_services(replace(load_settings(), mode=mode))


def services() -> Services:
    """Everything wired together for this session's mode, shared by all sessions in that mode."""
    return _services(state.mode() or default_mode())


def shared() -> Services:
    """Those of the mode the settings say, without any session: for the server itself."""
    return _services(default_mode())


def desk() -> Desk:
    """The views."""
    return Desk(services())


def industries(market: str) -> tuple[str, ...]:
    """The industries of a market by name."""
    return desk().industries(market)


def default_language() -> Language:
    """YOUJU_LANG; Chinese when the settings cannot be read, which the page itself then says."""
    try:
        return load_settings().language
    except ConfigError:
        return "zh"


def default_mode() -> Mode:
    """YOUJU_MODE, else what was chosen for this store; snapshot when nobody chose, or the settings
    cannot be read, which the page itself then says.
    """
    try:
        settings = load_settings()
        if settings.mode_given:
            return settings.mode
        return Desk(_services("snapshot")).chosen_mode() or "snapshot"
    except YoujuError:
        return "snapshot"


def snapshot_desk() -> Desk:
    """The views of the bundled market, whatever this session looks at."""
    return Desk(_services("snapshot"))


def live_desk() -> Desk:
    """The views of today's market, whatever this session looks at."""
    return Desk(_services("live"))
