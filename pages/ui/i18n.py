"""Texts of the screen in Chinese and English: the lookup. The table is in texts.py."""

from pages.ui import state
from pages.ui.texts import TEXTS


def t(key: str, **values: str) -> str:
    """The text of that key in the language chosen, with its named places filled."""
    zh, en = TEXTS[key]
    text = zh if state.language() == "zh" else en
    return text.format(**values) if values else text


def pick(zh: str, en: str) -> str:
    """The one of two given texts that fits the language chosen."""
    return zh if state.language() == "zh" else en


def reason(text: str) -> str:
    """A reason as services give it: `中文 | English`, or one text for both."""
    zh, bar, en = text.partition(" | ")
    return pick(zh, en) if bar else text
