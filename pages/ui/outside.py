"""Texts from outside, quoted and set apart from what Youju says: no digit of theirs is a claim."""

from collections.abc import Sequence
from html import escape

from pages.ui import cite
from pages.ui.i18n import t
from services.reports.ask_view import Outside

_SHORT = 180


def quotes(items: Sequence[Outside]) -> str:
    """The texts in the order they came, each with who wrote it, when and where."""
    inner = "".join(_quote(item) for item in items)
    return (
        f'<section class="yj-outside" data-nocite="text" aria-label="{escape(t("outside"))}">'
        f'<p class="yj-mark">{escape(t("outside"))}</p>{inner}</section>'
    )


def _quote(item: Outside) -> str:
    title = escape(item.title)
    if item.url:
        href = escape(item.url)
        title = f'<a href="{href}" target="_blank" rel="noopener noreferrer">{title or href}</a>'
    about = [escape(one) for one in (item.author, item.source) if one]
    if item.published:
        about.insert(1 if item.author else 0, cite.day(item.published))
    head = f"<h3>{title}</h3>" if title else ""
    beside = f'<p class="yj-by">{" · ".join(about)}</p>' if about else ""
    return f'<blockquote class="yj-quoted">{head}{beside}{_text(item.text)}</blockquote>'


def _text(text: str) -> str:
    """A long text shows its beginning and unfolds."""
    if not text:
        return ""
    if len(text) <= _SHORT:
        return f"<p>{escape(text)}</p>"
    return (
        f"<details><summary>{escape(text[:_SHORT])}…<b>{escape(t('unfold'))}</b></summary>"
        f"<p>{escape(text)}</p></details>"
    )
