"""Texts from outside: quoted and set apart from what Youju says, and as labels of controls.

No digit of theirs is a claim, and nothing in them is markup.
"""

import re
from collections.abc import Sequence
from html import escape

from pages.ui import cite
from pages.ui.i18n import say, t
from services.core.industries import industry_label
from services.views.ask_view import Outside

_SHORT = 180
_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\`*_[]{}()#+-.!~:$|<>&^="})
# What Streamlit replaces in the text after Markdown was read, where a backslash no longer helps:
# :material/home:, :streamlit:, :smile: and -> <- -- >= <= ~= between spaces.
_REPLACED = re.compile(r":(?=[\w+/-]+:)|[<>~-](?=[->=])")
# Parts such a text without being seen.
_JOINER = "\u2060"


def escape_label(text: str) -> str:
    """The text as a label that Streamlit shows as it is: Markdown, directives, icons, emoji and
    arrows find nothing in it.

    Every button, label, option, toast, popover or tab whose text is stored, imported or fetched
    goes through here; tests/unit/test_labels.py refuses one that does not.
    """
    flat = " ".join(text.split())
    return _REPLACED.sub(lambda found: found[0] + _JOINER, flat).translate(_MARKDOWN)


def say_industry(name: str) -> str:
    """An industry as an option of a select box, in the reader's language. Such options are shown
    as they are: an escape would be read.
    """
    return say(industry_label(name))


def escape_chart(text: str) -> str:
    """The text as a name or hover text of a chart: Plotly reads a little HTML and its own
    `%{places}` in these.
    """
    return escape(" ".join(text.split()), quote=False).replace("%{", "%&#123;")


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
