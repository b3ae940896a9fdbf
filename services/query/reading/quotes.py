"""Where the words a model quotes stand in a question: in its plain form, which words of ours took
the place of some of (close up is a rise there), or in the form it was written in.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cached_property

from services.language.plain_text import lower, plain_question
from services.query.algebra.nodes import Span

# What is kept whole when two forms of a question are laid beside each other: Latin words, numbers,
# and single characters of Chinese.
_PIECE = re.compile(r"[a-z0-9'.%]+|.", re.DOTALL)


class NotQuotedError(Exception):
    """Words that are nowhere in the question; `quote` are they."""

    def __init__(self, quote: str) -> None:
        super().__init__(quote)
        self.quote = quote


class Quotes:
    """The places of quotes. `text` is the plain form, `asked` the question as it was written."""

    def __init__(self, text: str, asked: str) -> None:
        self._text, self._asked = text, lower(plain_question(asked))

    def find(self, quote: str) -> Iterator[Span]:
        """Every place of a quote in the plain form; none for words that have nothing there.
        Raises: NotQuotedError.
        """
        said = lower(plain_question(quote)).strip()
        if not said:
            raise NotQuotedError(quote)
        if found := _places(said, self._text):
            yield from found
            return
        there = _places(said, self._asked)
        if not there:
            raise NotQuotedError(quote)
        for start, end in there:
            yield from self._in_text(start, end)

    def _in_text(self, start: int, end: int) -> Iterator[Span]:
        """What stands in the plain form for a stretch of the question as written."""
        found = [
            (b0 + max(start - a0, 0), b1 - max(a1 - end, 0)) if kind == "equal" else (b0, b1)
            for kind, a0, a1, b0, b1 in self._beside
            if a0 < end and start < a1 and b0 < b1
        ]
        if found:
            yield found[0][0], found[-1][1]

    @cached_property
    def _beside(self) -> list[tuple[str, int, int, int, int]]:
        """The stretches of both forms that are the same, or stand for each other, in order."""
        forms = [[*_PIECE.findall(one)] for one in (self._asked, self._text)]
        starts = [[sum(map(len, form[:at])) for at in range(len(form) + 1)] for form in forms]
        (of_a, of_b), matched = starts, SequenceMatcher(None, *forms, autojunk=False)
        return [
            (kind, of_a[a0], of_a[a1], of_b[b0], of_b[b1])
            for kind, a0, a1, b0, b1 in matched.get_opcodes()
        ]


def _places(said: str, text: str) -> list[Span]:
    return [(one.start(), one.end()) for one in re.finditer(re.escape(said), text)]
