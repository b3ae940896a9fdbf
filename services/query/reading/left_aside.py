"""What of a question is left aside for words nobody knows: those words, or their whole clauses."""

import re
from collections.abc import Sequence

from services.query.reading.tagging import Lattice

# So many characters may be left aside, beside words that say what is asked.
_MOST_GONE = 12
_HOW = frozenset({"how", "why", "whose", "where"})
_TELLING = ("METRIC", "loss", "idiom", "several", "ask", "best")
# Marks between parts of a question.
_MARK = re.compile(r"[,，;；。?？]")


def clauses_of(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The parts between marks that those characters stand in; none where they are all of it."""
    ends = [one.start() for one in _MARK.finditer(text)]
    parts = list(zip([0, *(end + 1 for end in ends)], [*ends, len(text)], strict=True))
    held = [(a, b) for a, b in parts if any(start < b and a < end for start, end in spans)]
    return held if len(held) < len(parts) else []


def is_worth_asking(lattice: Lattice, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether enough is left without those words to be offered: more read than unread."""
    if any(lattice.text[start:end].strip() in _HOW for start, end in spans):
        return False
    turning = [one.end for one in lattice.has("except", "neg", "cmp", "between")]
    if any(
        lattice.text[end:start].strip() == ""
        for end in turning
        for start, _ in spans
        if end <= start
    ):
        return False  # 非中小板: without the word the turn of it would be of another
    left_out = [one.start for one in lattice.has("except") if one.sem == "post"]
    if any(
        lattice.text[end:at].strip(" 的") == "" for at in left_out for _, end in spans if end <= at
    ):
        return False  # 带茅字的不算: what is to go would be what stands behind
    gone = sum(end - start for start, end in spans)
    is_whole = _is_whole(lattice.text, spans)
    most = len(lattice.text) if is_whole else _MOST_GONE
    much = gone * (1.5 if is_whole else 2) < len(lattice.text)
    return gone <= most and much and bool(lattice.has(*_TELLING))


def _is_whole(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether whole parts of the question are left aside."""
    return set(spans) <= set(clauses_of(text, spans))
