"""What the bundle marks figures with, in a reader's words: how prices are adjusted, how many
sources agree on a figure, and what else may be remarked of one (`data/catalogue/remarks.toml`).

A mark is for code and stays in the bundle's files; what is kept in the store, and so what a reader
sees of a figure's note, are the words.
"""

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path

from services.core.claims import Claim
from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.record import Record
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
# What stands between the remarks of one note.
_BREAK = "；"
_PLACE = re.compile(r"\\{(\w+)\\}")
# The remark of a valuation whose price is that of a close before the day it was captured on.
_PRICED = re.compile(r"价格属 (\d{4}-\d{2}-\d{2}) 收盘")


class _Remark(Record):
    zh: str
    en: str


def read_remarks(
    path: Path = DATA_FOLDER / "catalogue" / "remarks.toml",
) -> Mapping[str, str]:
    """The English of each remark by its Chinese. Raises: ConfigError with file, line and reason."""
    file = read_data_file(path)
    found: dict[str, str] = {}
    for zh, table in file.tables.items():
        header = f'["{zh}"]'
        remark = file.record(_Remark, {"zh": zh, **table}, header)
        if _places(remark.zh) != _places(remark.en):
            raise file.fault(header, "en: the places in braces are not those of the Chinese", "en")
        found[zh] = remark.en
    return found


def _places(text: str) -> set[str]:
    return set(_PLACE.findall(re.escape(text)))


def _place_pattern(place: re.Match[str]) -> str:
    """What a source wrote itself is anything; other places end where a part of a remark does."""
    return rf"(?P<{place[1]}>{'.+' if place[1] == 'words' else '[^，；]+?'})"


_OURS = (*ADJUSTED.values(), *AGREEMENT.values())
_REMARKS = {**{one.zh: one.en for one in _OURS}, **read_remarks()}
_FORMS = tuple(
    (re.compile(_PLACE.sub(_place_pattern, re.escape(zh))), en)
    for zh, en in _REMARKS.items()
    if _places(zh)
)


def _in_english(remark: str) -> str:
    if remark in _REMARKS:
        return _REMARKS[remark]
    for form, en in _FORMS:
        if found := form.fullmatch(remark):
            places = found.groupdict()
            return en.format(**{name: _in_english(held) for name, held in places.items()})
    return remark


def priced_on(claim: Claim) -> date:
    """The day of the price that a source's figure of a valuation stands on: of the close that its
    note names, else its own day. Everything that tells of which price a multiple is asks here.
    """
    named = _PRICED.search(claim.cite.note or "")
    return date.fromisoformat(named[1]) if named else claim.as_of


def join_notes(*notes: str | None) -> str | None:
    """The notes there are, as one."""
    return _BREAK.join(note for note in notes if note) or None


@lru_cache(maxsize=1024)
def note_text(note: str) -> Text:
    """The note of a figure in both languages; a remark that is none of ours stays as it is."""
    parts = (Text(part, _in_english(part)) for part in note.split(_BREAK))
    return join_texts(list(parts), _BREAK, "; ")
