"""How much of a file from somebody else is ever read: bytes, parts, lines, values, depth.

Each limit is several times what the largest pack or export of ours holds, and is looked at before
anything is built of the content. A refusal is a `Fault` whose check is one of REFUSALS.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from services.core.text import Text

if TYPE_CHECKING:
    from services.evidence_pack.consequences import Consequence

MB = 1024 * 1024
LARGEST_PACK = 32 * MB
LARGEST_PART = 96 * MB
LARGEST_CONTENT = 160 * MB
LARGEST_MANIFEST = MB
LARGEST_FILE = 32 * MB
LARGEST_WORKBOOK = 128 * MB
MOST_PARTS = 200
MOST_WORKBOOK_PARTS = 500
MOST_LINES = 1_000_000
MOST_VALUES = 6_000_000
LONGEST_LINE = 4 * MB
DEEPEST = 100
MOST_CELLS = 1_500_000
MOST_TAGS = 6_000_000
# Packs and workbooks of ours unpack to about twenty times their size, a bomb to a thousand times.
MOST_UNPACKED = 100
# What repeats itself may be packed better than that, and so much costs little.
_ALWAYS_UNPACKED = 16 * MB
REFUSALS = frozenset({"too_large", "too_many_parts", "too_many_lines", "too_many_values"})
_VALUE_MARKS = (b",", b"[", b"{")
# A whole text, so that no bracket within it counts, or one bracket. A text that never ends runs to
# the end of the content, which keeps the search linear.
_STEP = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?$)|[\[{]|[\]}]', re.DOTALL)


class Fault(NamedTuple):
    """Where a pack or a file beside it is not as it must be, and how.

    Where a file says something else than the pack: both, the line (of a table the row as a
    spreadsheet counts it, and the head of its `column`), the id of the claim where it is one
    figure, and what else in the file cannot hold with it.
    """

    place: str
    check: str
    reason: Text
    wanted: str = ""
    got: str = ""
    line: int = 0
    claim: str = ""
    column: str = ""
    follows: "tuple[Consequence, ...]" = ()


def limit_unpacked(packed: int) -> int:
    """How many bytes so many packed ones may unpack to."""
    return max(_ALWAYS_UNPACKED, packed * MOST_UNPACKED)


def too_large(place: str, size: int, most: int) -> Fault:
    """More bytes than are read."""
    return Fault(
        place,
        "too_large",
        Text(f"{size} 字节，超过上限 {most}，未读取", f"{size} bytes, more than {most}: not read"),
    )


def unpacks_to_too_much(place: str, most: int) -> Fault:
    """Packed bytes that unpack to more than such bytes may."""
    return Fault(
        place,
        "too_large",
        Text(f"解压后超过 {most} 字节，未读取", f"it unpacks to more than {most} bytes: not read"),
    )


def too_many_parts(place: str, most: int) -> Fault:
    """More parts than are looked at."""
    return Fault(
        place,
        "too_many_parts",
        Text(f"超过 {most} 个部件，未读取", f"more than {most} parts: not read"),
    )


def content_fault(place: str, content: bytes) -> Fault | None:
    """Why a part made of lines or JSON is not read; None when it is."""
    if content.count(b"\n") > MOST_LINES:
        said = Text(f"超过 {MOST_LINES} 行，未读取", f"more than {MOST_LINES} lines: not read")
        return Fault(place, "too_many_lines", said)
    if sum(map(content.count, _VALUE_MARKS)) > MOST_VALUES:
        said = Text(f"超过 {MOST_VALUES} 个值，未读取", f"more than {MOST_VALUES} values: not read")
        return Fault(place, "too_many_values", said)
    return None


def is_too_deep(content: bytes) -> bool:
    """Whether JSON nests deeper than any document of ours, read without building it."""
    depth = 0
    for step in _STEP.finditer(content):
        mark = step[0]
        if mark in (b"[", b"{"):
            depth += 1
            if depth > DEEPEST:
                return True
        elif mark in (b"]", b"}"):
            depth -= 1
    return False
