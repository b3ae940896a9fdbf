"""Who did what, as CSV: a line a deed, in Beijing time, text quoted and never a formula."""

from collections.abc import Iterable

from services.core.clock import BEIJING
from services.exports.csv import safe_text
from services.store.audit import AuditLine

_COLUMNS = ("seq", "happened_at", "owner", "owner_name", "team", "action", "kind", "id")


def audit_csv(lines: Iterable[AuditLine]) -> bytes:
    """The file; the byte order mark is for spreadsheets."""
    rows = [
        (
            *(str(one.seq), one.happened_at.astimezone(BEIJING).isoformat(timespec="seconds")),
            *(one.owner, one.owner_name, one.team, one.action, one.kind, one.id),
        )
        for one in lines
    ]
    told = (",".join(_quote(value) for value in row) for row in [_COLUMNS, *rows])
    return ("\ufeff" + "".join(f"{line}\r\n" for line in told)).encode()


def _quote(text: str) -> str:
    return '"' + safe_text(text).replace('"', '""') + '"'
