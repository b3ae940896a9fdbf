"""The container, once per process: the only st.cache_resource there is."""

import streamlit as st

from services.container import Services, build_services
from services.core.errors import ConfigError
from services.core.rendering import Language
from services.reports.desk import Desk
from services.settings import load_settings


@st.cache_resource(show_spinner=False)
def services() -> Services:
    """Everything wired together, shared by all sessions; loads the bundled market on first use."""
    return build_services(load_settings())


def desk() -> Desk:
    """The views."""
    return Desk(services())


def industries(market: str) -> tuple[str, ...]:
    """The industries of a market by name."""
    return services().market.industries(market)


def default_language() -> Language:
    """YOUJU_LANG; Chinese when the settings cannot be read, which the page itself then says."""
    try:
        return load_settings().language
    except ConfigError:
        return "zh"
