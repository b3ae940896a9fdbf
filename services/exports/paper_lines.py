"""Lines that papers of several kinds have: a sentence of ours about the data, a labelled value."""

import re

from services.core.rendering import PLACE
from services.exports.paper import PaperLine

_DIGIT = re.compile(r"[0-9]")


def make_note(text: str) -> PaperLine:
    """A sentence about the data: told, unless its only digits are days and counts of bookkeeping,
    which no claim stands behind.
    """
    counted = _DIGIT.search(text) and not PLACE.search(text)
    return PaperLine(template=text, kind="label" if counted else "told")


def make_labelled(name: str, text: str) -> PaperLine:
    """A name with its value, neither of which is a figure of ours."""
    return PaperLine(template=f"{name}: {text}", kind="label")
