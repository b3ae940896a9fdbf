"""The words of this page alone, Chinese and English."""

from collections.abc import Mapping

from pages.ui import blocks
from services.core.text import Text

TEXTS: Mapping[str, Text] = {
    "understood": Text("我理解为", "I read this as"),
    "words": Text("读到的字", "Words read"),
    "unread": Text("没有读到「{words}」", "not read: “{words}”"),
    "remove": Text("去掉", "Remove"),
    "change": Text("改成", "Change to"),
    "apply": Text("按这个问", "Ask this"),
    "earlier": Text("问过的", "Asked before"),
    "verify": Text("核验这个回答", "Verify this answer"),
    "export": Text("导出", "Export"),
    "care": Text("看的时候留意", "Mind"),
}


def said(key: str, **values: str) -> str:
    """The text in the language of the page."""
    return blocks.words(TEXTS[key]).format(**values)
