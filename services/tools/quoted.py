"""Texts from outside on the wire: plain, bounded, labelled with who, where, when. Data, no orders.

Nothing in a text is interpreted here or later: it is quoted. Counts about it are claims.
"""

import unicodedata
from collections.abc import Mapping, Sequence

from services.core.clock import BEIJING
from services.core.text import Text
from services.market.outages import Absence
from services.market.texts import Article, Selection, read_written_time, scope_of
from services.tools.wire import Absent

# In a list a text is shown up to here; a page that was opened, whole (as its provider bounds it).
IN_LIST = 600
WHOLE = 4000
_TITLE = 300
_NO_SCOPE = Absent("无法判定是专业内容还是用户内容")
# They carry no text and can hide or turn it: controls, zero-width, bidi, private and unassigned.
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def bound_text(text: str, longest: int) -> str:
    """The visible characters on one line, cut at `longest` with an ellipsis."""
    seen = "".join(" " if c in "\n\r\t" else c for c in text if c in "\n\r\t" or _is_visible(c))
    line = " ".join(seen.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def quote_text(text: Article, longest: int = IN_LIST) -> dict[str, object]:
    """One text as a wire object; what its source did not say is null with the reason."""
    item = text.item
    at = item.published_at
    return {
        "id": bound_text(item.item_id, _TITLE),
        "kind": item.kind,
        "title": bound_text(item.title, _TITLE),
        "text": bound_text(item.text, longest),
        "url": item.url or Absent("来源未给出链接"),
        "author": bound_text(item.author, _TITLE) if item.author else Absent("来源未注明作者"),
        "origin": bound_text(item.origin, _TITLE) if item.origin else Absent("来源未注明出处"),
        "published": at.astimezone(BEIJING) if at else _explain_undated(text),
        "scope": scope_of(item) or _NO_SCOPE,
        "source": text.call.source,
        "tool_call_id": text.call.tool_call_id,
        **({"counts": dict(text.counts)} if text.counts else {}),
    }


def list_texts(found: Selection | Absence, longest: int = IN_LIST) -> object:
    """The texts of a selection as a list; null with the reason when it did not come."""
    if isinstance(found, Absence):
        return Absent(found.why)
    return [quote_text(text, longest) for text in found.texts]


def say_notes(notes: Sequence[Text]) -> list[Text]:
    """What limits a list, each sentence once."""
    return list(dict.fromkeys(notes))


def notes_of(parts: Mapping[str, object]) -> list[Text]:
    """The notes of every selection among the parts, each with the name of its part."""
    return [
        Text(f"{name}：{note.zh}", f"{name}: {note.en}")
        for name, found in parts.items()
        if isinstance(found, Selection)
        for note in say_notes(found.notes)
    ]


def _explain_undated(text: Article) -> Absent:
    if text.item.kind in {"user", "page"}:
        return Absent("不是一篇文章，没有发布时间")
    written = bound_text(read_written_time(text.call, text.item), 40)
    return Absent(f"来源写 {written}，未注明时区" if written else "未注明：来源没有给出发布时间")


def _is_visible(letter: str) -> bool:
    if letter in "\ufe0e\ufe0f":  # how an emoji is drawn; harmless
        return True
    hidden_selector = "\ufe00" <= letter <= "\ufe0d" or "\U000e0100" <= letter <= "\U000e01ef"
    return not hidden_selector and unicodedata.category(letter) not in _INVISIBLE
