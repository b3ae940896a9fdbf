"""Addresses of the page 对比, for every page that offers it."""

from collections.abc import Sequence
from html import escape

from pages.ui import state
from pages.ui.i18n import t
from services.views.compare.view import LEAST, MOST


def address(symbols: Sequence[str]) -> str:
    """The comparison of these; of the first six where there are more."""
    return state.link("compare", s=",".join(dict.fromkeys(symbols)).strip(","))


def together(symbols: Sequence[str]) -> str:
    """The way to the first of these side by side; nothing where they are not several."""
    first = symbols[:MOST]
    if len(first) < LEAST:
        return ""
    words = escape(t("compare_together", count=str(len(first))))
    href = escape(address(first))
    return f' <a href="{href}" data-go="compare" target="_self" data-nocite="label">{words} →</a>'


def held() -> tuple[str, ...]:
    """The companies this session compares now."""
    kept = state.session().remembered.get("s", "")
    return tuple(dict.fromkeys(one for one in kept.split(",") if one))
