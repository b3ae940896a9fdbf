"""Taking values out of a node's answer: an RFC 9535 JSONPath, or the name of a column."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from jsonpath_rfc9535 import JSONPathError, find, lex
from pydantic import JsonValue

from services.core.errors import InputError

# jsonpath-rfc9535 1.0.1 writes `\\u10FFFF` for U+10FFFF and so refuses `$.营业收入`, which the RFC
# allows (2.5.1.1 name-char). Seen 2026-11-21; tests/unit/query/test_extractors.py tells when to go.
lex.RE_PROPERTY = re.compile(
    r"[\u0080-\uD7FF\uE000-\U0010FFFFa-zA-Z_][\u0080-\uD7FF\uE000-\U0010FFFFa-zA-Z0-9_]*"
)
# It also takes `-01.5` for a number, which the grammar does not.
lex.RE_FLOAT = re.compile(
    r"(-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][+-]?[0-9]+)?)|(-?(?:0|[1-9][0-9]*)[eE]-[0-9]+)"
)
_COLUMN = re.compile(r"[^\W\d]\w*")
_FORMS = "an RFC 9535 JSONPath such as $.data.value, or a column name such as net_profit"


class Extracted(NamedTuple):
    """One value and where it stood, as `data[0].value`; `` is the document itself."""

    place: str
    value: JsonValue


def extract(document: JsonValue, extractor: str) -> list[JsonValue]:
    """The values the extractor selects, in document order; none when nothing is there.

    A JSONPath begins with `$`. A column name takes that key of every row of a list of objects, or
    of one object. Raises: InputError for a malformed path, and for a column that no row has.
    """
    return [found.value for found in located(document, extractor)]


def located(document: JsonValue, extractor: str) -> list[Extracted]:
    """As `extract`, each value with its place."""
    if not isinstance(extractor, str):  # pyright: ignore[reportUnnecessaryIsInstance] — a model may write it
        raise InputError("extractor", extractor, _FORMS)
    if _COLUMN.fullmatch(extractor):
        return _column(document, extractor)
    if not extractor.startswith("$"):
        raise InputError("extractor", extractor, _FORMS)
    try:
        nodes = find(extractor, cast("dict[str, JsonValue]", document))
    except (JSONPathError, RecursionError) as error:
        why = str(error).splitlines()[0] if str(error) else "nested too deep"
        raise InputError("extractor", extractor, f"{_FORMS} ({why})") from None
    return [Extracted(_place(node.location), cast("JsonValue", node.value)) for node in nodes]


def _column(document: JsonValue, name: str) -> list[Extracted]:
    if isinstance(document, list):
        rows = [(f"[{at}].", row) for at, row in enumerate(document) if isinstance(row, Mapping)]
    else:
        rows = [("", document)] if isinstance(document, Mapping) else []
    found = [Extracted(f"{place}{name}", row[name]) for place, row in rows if name in row]
    if rows and not found:
        columns = list(dict.fromkeys(key for _, row in rows for key in row))
        raise InputError("extractor", name, "one of " + ", ".join(columns), choices=columns)
    return found


def _place(location: Iterable[int | str]) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "".join(steps).lstrip(".")
