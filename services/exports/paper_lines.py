"""Lines that papers of several kinds have: a sentence of ours about the data, a labelled value."""

import re

from services.core.rendering import PLACE
from services.exports.paper import Line

_DIGIT = re.compile(r"[0-9]")


def make_note(text: str) -> Line:
    """A sentence about the data: told, unless its only digits are days and counts of bookkeeping,
    which no claim stands behind.
    """
    counted = _DIGIT.search(text) and not PLACE.search(text)
    return Line(template=text, kind="label" if counted else "told")


def make_labelled(name: str, text: str) -> Line:
    """A name with its value, neither of which is a figure of ours."""
    return Line(template=f"{name}: {text}", kind="label")
