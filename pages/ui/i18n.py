"""Texts of the screen in Chinese and English: the lookup. The table is in texts.py."""

from pages.ui import state
from pages.ui.texts import TEXTS
from services.core.text import Text

LIST_COMMA = Text("、", ", ")
COMMA = Text("，", ", ")
COLON = Text("：", ": ")


def t(key: str, **values: str) -> str:
    """The text of that key in the language chosen, with its named places filled."""
    text = TEXTS[key].in_language(state.language())
    return text.format(**values) if values else text


def say(text: Text) -> str:
    """The text in the language chosen."""
    return text.in_language(state.language())
