"""Looking for a figure in what was told or kept.

A time, an id, a hash, a duration or a port can hold any digits by chance: a clock that reads
09:37:40.31 is no leak of 40.31.
"""

import re

# Only digits with their points, commas and the like: what chance may write.
_FIGURE = re.compile(r"[\d.,:/-]+%?")
_BY_CHANCE = re.compile(
    # An instant or a time of day, to any fraction of a second.
    r"(?:\d{4}-\d\d-\d\d[T ])?\b\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?"
    # An id of ours (run_0a1b…), a uuid, a hash.
    r"|\b[a-z]+_[0-9a-f]{8,}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{12,}\b"
    # How long something took: of JSON, of a repr, and with the unit a page writes.
    r"""|["']?\b(?:\w+_)?(?:ms|s|seconds)\b["']?\s*[:=]\s*[\d.]+(?:e[+-]?\d+)?"""
    r"|\b[\d.]+ ?(?:ms|毫秒|s|秒|seconds)(?![A-Za-z])"
    # A server of the test.
    r"|\b(?:127\.0\.0\.1|localhost):\d+"
)


def stands(text: str, told: str) -> bool:
    """Whether the text stands there; a figure only where chance did not write it."""
    if not _FIGURE.fullmatch(text):
        return text in told
    return text in _BY_CHANCE.sub("·", told)
