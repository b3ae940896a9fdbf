"""Addresses of the page 对比, for every page that offers it."""

from collections.abc import Sequence

from pages.ui import state


def address(symbols: Sequence[str]) -> str:
    """The comparison of these; of the first six where there are more."""
    return state.link("compare", s=",".join(dict.fromkeys(symbols)).strip(","))


def held() -> tuple[str, ...]:
    """The companies this session compares now."""
    kept = state.session().remembered.get("s", "")
    return tuple(dict.fromkeys(one for one in kept.split(",") if one))
