"""What a style of writing is. The tables are in styles_*.py, the slots in writing.py.

A row of a table: name · conditions · text.
"""

from collections.abc import Iterable
from typing import NamedTuple


class Style(NamedTuple):
    """One way to write; `source` is the kind of bag it needs, `needs` further conditions."""

    name: str
    source: str
    needs: str
    text: str


def table(language: str, source: str, rows: Iterable[tuple[str, str, str]]) -> tuple[Style, ...]:
    """The rows as styles of that language, over bags of that source."""
    return tuple(Style(f"{language} {name}", source, needs, text) for name, needs, text in rows)
