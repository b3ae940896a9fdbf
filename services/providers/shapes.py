"""The shape of an upstream's answers: which fields there are and of which type, and what changed.

What a client needs and does not find it refuses by name; this tells the rest, so that the first
report of a user with a network names the change. Unknown fields never break a client.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from services.providers.http import Body
from services.settings import ROOT

KNOWN = ROOT / "data" / "catalogue" / "shapes.json"
# Of a list as many rows are looked at, of an object as many fields; a document is no deeper.
_ROWS, _FIELDS, _DEPTH = 50, 300, 6
_EMPTY = "null"
Shape = Mapping[str, str]


class Difference(NamedTuple):
    """What a shape has other than the known one: fields gone, new, and of another type."""

    missing: tuple[str, ...]
    new: tuple[str, ...]
    other: tuple[str, ...]

    def __str__(self) -> str:
        """In one line; empty where there is no difference."""
        told = (("missing", self.missing), ("new", self.new), ("other type", self.other))
        return "; ".join(f"{word}: {', '.join(names)}" for word, names in told if names)


def shape_of(body: Body) -> Shape:
    """Path → type of every field of a body; a body that is no JSON is one field of its kind."""
    text = body.content.decode("utf-8", "replace").strip()
    if text.endswith(")") and "(" in text[:80]:
        text = text[text.index("(") + 1 : -1]
    try:
        document = json.loads(text)
    except ValueError:
        return {"": "markup" if text[:1] == "<" else "text"}
    found: dict[str, str] = {}
    _walk(document, "", found, 0)
    return found


def difference(seen: Shape, known: Shape) -> Difference:
    """How a shape differs from the known one; what is null in either has no type to compare."""
    missing = tuple(sorted(path for path in known if path not in seen and not _below(path, seen)))
    new = tuple(sorted(path for path in seen if path not in known and not _below(path, known)))
    other = tuple(
        f"{path} {known[path]}→{kind}"
        for path, kind in sorted(seen.items())
        if path in known and kind != known[path] and _EMPTY not in {kind, known[path]}
    )
    return Difference(missing, new, other)


def join_shapes(shapes: Iterable[Shape]) -> dict[str, str]:
    """All their fields; of two types the first that is no null."""
    found: dict[str, str] = {}
    for shape in shapes:
        for path, kind in shape.items():
            if found.get(path, _EMPTY) == _EMPTY:
                found[path] = kind
    return found


@cache
def load_shapes(path: Path = KNOWN) -> Mapping[str, Shape]:
    """`source table | capability about` → the shape known of those answers; empty for none."""
    if not path.exists():
        return {}
    return cast("Mapping[str, Shape]", json.loads(path.read_text(encoding="utf-8")))


def _below(path: str, shape: Shape) -> bool:
    """Whether what lies above that field is null or an empty list there: it could not be seen."""
    while path:
        path = path[:-2] if path.endswith("[]") else path.rpartition(".")[0]
        empty = shape.get(path) == "list" and f"{path}[]" not in shape
        if empty or shape.get(path) == _EMPTY:
            return True
    return False


def _walk(node: Any, path: str, found: dict[str, str], depth: int) -> None:
    kind = _kind(node)
    if found.get(path, _EMPTY) == _EMPTY:
        found[path] = kind
    if depth >= _DEPTH or len(found) > _FIELDS:
        return
    if isinstance(node, dict):
        fields = cast("dict[str, Any]", node)
        if (table := _columns(fields)) is not None:
            _walk(table, f"{path}.rows", found, depth + 1)
            return
        for name, inner in list(fields.items())[:_FIELDS]:
            # The number of a row and the path of a file are data, no names of fields.
            shown = "*" if name.isdigit() or "/" in name else name
            _walk(inner, f"{path}.{shown}", found, depth + 1)
    elif isinstance(node, list):
        for inner in cast("list[Any]", node)[:_ROWS]:
            _walk(inner, f"{path}[]", found, depth + 1)


def _columns(node: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Rows by column name where names and cells come apart (Tushare, bars of Xueqiu)."""
    for names, rows in (("fields", "items"), ("column", "item")):
        columns, items = node.get(names), node.get(rows)
        if isinstance(columns, list) and isinstance(items, list):
            known = [str(name) for name in cast("list[Any]", columns)]
            cells = [cast("list[Any]", one) for one in cast("list[Any]", items) if one]
            return [dict(zip(known, one, strict=False)) for one in cells[:_ROWS]]
    return None


def _kind(node: Any) -> str:
    if node is None:
        return _EMPTY
    if isinstance(node, bool):
        return "boolean"
    if isinstance(node, int | float):
        return "number"
    if isinstance(node, str):
        cells = node.count(",") + 1
        return f"text of {cells} cells" if cells > 4 and " " not in node[12:] else "text"
    return "object" if isinstance(node, dict) else "list"
