"""Taking values out of a node's answer: an RFC 9535 JSONPath, or the name of a column."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from pydantic import JsonValue

from services.core.errors import InputError
from services.query.answering.jsonpath import select

_COLUMN = re.compile(r"[^\W\d]\w*")
_FORMS = "an RFC 9535 JSONPath such as $.data.value, or a column name such as net_profit"


class Extracted(NamedTuple):
    """One value and where it stood, as `data[0].value`; `` is the document itself."""

    place: str
    value: JsonValue


def extract(document: JsonValue, extractor: str) -> list[Extracted]:
    """What the extractor selects, in document order; none when nothing is there.

    A JSONPath begins with `$`. A column name takes that key of every row of a list of objects, or
    of one object; a table without rows has none. Raises: InputError for a malformed path, for one
    that costs too much, and for a column that no row has.
    """
    if not isinstance(extractor, str):  # pyright: ignore[reportUnnecessaryIsInstance] — a model may write it
        raise InputError("extractor", extractor, _FORMS)
    if _COLUMN.fullmatch(extractor):
        return _column(document, extractor)
    if not extractor.startswith("$"):
        raise InputError("extractor", extractor, _FORMS)
    try:
        nodes = select(extractor, document)
    except ValueError as error:
        raise InputError("extractor", extractor, f"{_FORMS} ({error})") from None
    return [Extracted(_place(node.location), cast("JsonValue", node.value)) for node in nodes]


def _column(document: JsonValue, name: str) -> list[Extracted]:
    if isinstance(document, list):
        rows = [(f"[{at}].", row) for at, row in enumerate(document) if isinstance(row, Mapping)]
    else:
        rows = [("", document)] if isinstance(document, Mapping) else []
    found = [Extracted(f"{place}{name}", row[name]) for place, row in rows if name in row]
    if not found and document != []:
        columns = list(dict.fromkeys(key for _, row in rows for key in row))
        raise InputError("extractor", name, "one of " + ", ".join(columns), choices=columns)
    return found


def _place(location: Iterable[int | str]) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "".join(steps).lstrip(".")
