"""Reading an upstream's answer strictly: columns by name, one unit conversion, raw text kept.

What is not there as documented is a ChangedError; what is there but empty (`"-"`, null, NaN) is
missing. Nothing here guesses.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, cast
from unicodedata import category
from zoneinfo import ZoneInfo

from bs4 import BeautifulSoup

from services.core.catalogue import CATALOGUE
from services.core.errors import ChangedError, UnavailableError
from services.core.trace import Fact
from services.core.units import convert
from services.providers.http import Body

MISSING_TEXTS = frozenset({"", "-", "--", "—", "null", "None", "nan", "NaN"})
LONGEST_TEXT = 4000
_MARKS = ("em", "b", "strong", "i", "u", "span", "font", "mark", "a")
Node = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One upstream column: its `field`, the metric it is, the unit upstream speaks and ours.

    `into` empty keeps the unit. `zero_is_missing`: the source writes 0 where it has nothing.
    `texts`: the source sends its numbers as text.
    """

    field: str
    metric: str
    unit: str
    into: str = ""
    zero_is_missing: bool = False
    texts: bool = False


def json_of(body: Body) -> Any:
    """The JSON of a body, numbers with a point as Decimal so that their own digits are kept.

    Raises: UnavailableError for a web page instead (a block or a maintenance notice), ChangedError
    for anything else that is not JSON.
    """
    text = body.content.lstrip()
    if text[:1] == b"<":
        raise UnavailableError(body.provider, body.table, "answered a web page instead of data")
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=lambda _: None)
    except (ValueError, RecursionError) as error:
        raise ChangedError(body.provider, body.table, "the answer is not whole JSON") from error


def member(node: object, path: str, body: Body, kind: type = dict) -> Any:
    """What lies at `path` (dotted names), which must be of `kind`. Raises: ChangedError."""
    here = node
    for name in path.split("."):
        if not isinstance(here, dict) or name not in here:
            raise ChangedError(body.provider, body.table, f"the answer has no {path}")
        here = cast("Node", here)[name]
    if not isinstance(here, kind):
        raise ChangedError(
            body.provider, body.table, f"{path} is a {_name_type(here)}, not a {kind.__name__}"
        )
    return here


def rows_of(node: object, path: str, body: Body, columns: Iterable[str] = ()) -> list[Node]:
    """The list of objects at `path`, each with every one of `columns`. Raises: ChangedError."""
    found: list[Any] = member(node, path, body, list) if path else _read_list(node, body)
    wanted = tuple(columns)
    for row in found:
        if not isinstance(row, dict):
            raise ChangedError(body.provider, body.table, f"{path} holds a {_name_type(row)}")
        require(cast("Node", row), wanted, body)
    return cast("list[Node]", found)


def require(row: Mapping[str, object], columns: Iterable[str], body: Body) -> None:
    """Every column must be there, whatever it holds. Raises: ChangedError naming those gone."""
    gone = [name for name in columns if name not in row]
    if gone:
        raise ChangedError(body.provider, body.table, f"no column {', '.join(gone)}")


def number(row: Mapping[str, Any], column: Column, body: Body) -> Decimal | None:
    """The upstream's number in its own unit; None when the cell is empty.

    Raises: ChangedError when the column is absent or holds something that is no number.
    """
    require(row, (column.field,), body)
    cell = row[column.field]
    if cell is None or (isinstance(cell, str) and cell.strip() in MISSING_TEXTS):
        return None
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal | str):
        raise _no_number(column, body)
    if isinstance(cell, str) and not column.texts:
        raise _no_number(column, body)
    try:
        found = Decimal(str(cell).strip())
    except InvalidOperation as error:
        raise _no_number(column, body) from error
    if not found.is_finite():
        return None
    return None if column.zero_is_missing and found == 0 else found


def facts(
    row: Mapping[str, Any],
    columns: Iterable[Column],
    body: Body,
    *,
    symbol: str,
    as_of: date,
    period: str | None = None,
    note: str | None = None,
) -> list[Fact]:
    """The facts of one row, missing cells left out; units converted here and nowhere else."""
    made: list[Fact] = []
    for column in columns:
        found = number(row, column, body)
        if found is None:
            continue
        unit = column.into or column.unit
        made.append(
            Fact(
                symbol=symbol,
                metric=column.metric,
                metric_code=CATALOGUE.codes.get(column.metric),
                value=float(convert(found, column.unit, unit)),
                unit=unit,
                as_of=as_of,
                period=period,
                field=column.field,
                raw=str(row[column.field]),
                note=note,
            )
        )
    return made


def once(found: Sequence[Fact], body: Body) -> tuple[Fact, ...]:
    """The facts, exact duplicates once. Raises: ChangedError when one key has two values."""
    by_key: dict[object, Fact] = {}
    for fact in found:
        kept = by_key.setdefault(fact.key, fact)
        if kept.value != fact.value:
            raise ChangedError(
                body.provider,
                body.table,
                f"gives {fact.metric} of {fact.symbol} {fact.period or fact.as_of} twice, unequal",
            )
    return tuple(by_key.values())


def instant(milliseconds: object, body: Body, field: str) -> datetime:
    """An epoch in milliseconds as an aware instant (UTC). Raises: ChangedError."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | Decimal):
        raise ChangedError(body.provider, body.table, f"{field} is no time in milliseconds")
    try:
        return datetime.fromtimestamp(float(milliseconds) / 1000, UTC)
    except (OverflowError, OSError, ValueError) as error:
        raise ChangedError(body.provider, body.table, f"{field} is no time") from error


def day(text: object, body: Body, field: str) -> date:
    """`2026-11-20`, `2026-11-20 00:00:00` or `20261120` as a day. Raises: ChangedError."""
    if isinstance(text, int) and not isinstance(text, bool):
        text = str(text)
    if isinstance(text, str):
        head = text.strip()[:10] if "-" in text else text.strip()[:8]
        try:
            return date.fromisoformat(head)
        except ValueError:
            pass
    raise ChangedError(body.provider, body.table, f"{field} is no date")


def not_later(found: date, now: datetime, zone: ZoneInfo, body: Body, field: str) -> date:
    """`found`, unless it lies after today there: a skewed clock makes no figure. ChangedError."""
    if found > (now.astimezone(zone) + timedelta(minutes=10)).date():
        raise ChangedError(body.provider, body.table, f"{field} {found} lies in the future")
    return found


def plain(html: object, longest: int = LONGEST_TEXT) -> str:
    """The text of an HTML fragment, blanks joined, cut at `longest` characters with an ellipsis."""
    if not isinstance(html, str):
        return ""
    text = html
    if "<" in html or "&" in html:
        soup = BeautifulSoup(html, "html.parser")
        # A highlighted word stays part of its sentence; a paragraph does not.
        for mark in soup.find_all(_MARKS):
            mark.unwrap()
        soup.smooth()
        text = soup.get_text(" ")
    # Zero-width and bidi controls (Cf) go without a gap: they stand inside words.
    seen = (c if c.isprintable() else "" if category(c) == "Cf" else " " for c in text)
    text = " ".join("".join(seen).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def link(address: object) -> str | None:
    """An http(s) address, or None: no other scheme may become a link."""
    if isinstance(address, str) and address.startswith(("http://", "https://")):
        return address if len(address) <= 2000 and address.isprintable() else None
    return None


def _read_list(node: object, body: Body) -> list[Any]:
    if not isinstance(node, list):
        raise ChangedError(
            body.provider, body.table, f"the answer is a {_name_type(node)}, no list"
        )
    return cast("list[Any]", node)


def _no_number(column: Column, body: Body) -> ChangedError:
    return ChangedError(body.provider, body.table, f"{column.field} is no number")


def _name_type(node: object) -> str:
    return "null" if node is None else type(node).__name__
