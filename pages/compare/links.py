"""Addresses of the page 对比, for every page that offers it."""

from collections.abc import Sequence
from html import escape

from pages.ui import state
from pages.ui.i18n import t
from services.views.compare.view import MOST


def address(symbols: Sequence[str]) -> str:
    """The comparison of these; of the first six where there are more."""
    return state.link("compare", s=",".join(dict.fromkeys(symbols)).strip(","))


def held() -> tuple[str, ...]:
    """The companies this session compares now."""
    kept = state.session().remembered.get("s", "")
    return tuple(dict.fromkeys(one for one in kept.split(",") if one))


def adding(symbol: str) -> str:
    """The address of what is compared now with one company more; in place of the last where there
    are six.
    """
    others = [one for one in held() if one != symbol]
    return address([*others[: MOST - 1], symbol])


def add_link(symbol: str) -> str:
    """＋对比 of a company, with how many there are then."""
    count = len({*held(), symbol})
    label = f'{escape(t("compare_with"))} <span data-nocite="label">{min(count, MOST)}</span>'
    return (
        f'<a class="yj-add" href="{escape(adding(symbol))}" data-go="compare" target="_self">'
        f"＋{label}</a>"
    )
