"""What the bundle marks figures with, in a reader's words: how prices are adjusted, and how many
sources agree on a figure.

A mark is for code and stays in the bundle's files; what is kept in the store, and so what a reader
sees of a figure's note, are the words.
"""

from collections.abc import Mapping

from services.core.text import Text, join_texts

ADJUSTED: Mapping[str, Text] = {
    "additive_qfq_201707": Text(
        "加法前复权，冻结于 2017-07：越早的涨跌幅失真越大",
        "Prices are adjusted additively, frozen at 2017-07: the further back, the more a "
        "percentage is distorted",
    ),
    "split_only": Text("仅按拆股调整", "Prices are adjusted for splits only"),
    "none": Text("不复权", "Prices are not adjusted"),
}
AGREEMENT: Mapping[str, Text] = {
    "two_sources": Text("两个来源一致", "two sources agree"),
    "one_source": Text("仅一个来源", "one source only"),
}
_IN_ENGLISH = {one.zh: one.en for one in (*ADJUSTED.values(), *AGREEMENT.values())}
# What stands between the remarks of one note.
_BREAK = "；"


def note_text(note: str) -> Text:
    """The note of a figure in both languages; a remark that is no mark's stays as it is."""
    parts = (Text(part, _IN_ENGLISH.get(part, part)) for part in note.split(_BREAK))
    return join_texts(list(parts), _BREAK, "; ")
