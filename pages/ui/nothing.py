"""The card in the place of what is not there: one sentence, and a row of ways on."""

from collections.abc import Sequence
from html import escape

from pages.ui import state


def nothing(told: str, ways: Sequence[str], why: str = "", *, codes: bool = False) -> str:
    """`told`, `why` and the ways are HTML; `codes` says that digits in the ways name listings."""
    items = "".join(f"<li>{way}</li>" for way in ways)
    marked = " data-nocite='code'" if codes else ""
    reason = f"<p>{why}</p>" if why else ""
    return (
        f'<section class="yjc-none" role="status"><h2>{told}</h2>{reason}'
        f"<ul{marked}>{items}</ul></section>"
    )


def way(page: str, text: str, *, first: bool = False, **params: str) -> str:
    """A link to a page under its parameters; the first of several stands out."""
    href = escape(state.link(page, **params))
    name = f"<b>{escape(text)}</b>" if first else escape(text)
    return f'<a href="{href}" data-go="{page}" target="_self">{name} →</a>'
