"""Several bodies that make one answer, stamped as one: the hash of their hashes, the last time."""

from collections.abc import Sequence
from dataclasses import replace

from services.core.trace import Fact
from services.providers.base import Fetched
from services.providers.http import Body
from services.providers.reading import once


def join_bodies(bodies: Sequence[Body], table: str = "") -> Body:
    """One body to name in errors and to stamp a part with; its content is no document.

    A single body is itself; `table` renames. `bodies` is never empty.
    """
    named = table or bodies[0].table
    if len(bodies) == 1:
        return replace(bodies[0], table=named)
    return replace(
        bodies[0],
        table=named,
        content="".join(body.sha256 for body in bodies).encode(),
        fetched_at=max(body.fetched_at for body in bodies),
    )


def stamp_row(source: str, table: str, made: Sequence[Fact], bodies: Sequence[Body]) -> Fetched:
    """These facts as the part of an answer that came in those bodies.

    Raises: ChangedError when one key has two values.
    """
    body = join_bodies(bodies, table)
    return Fetched(
        source=source,
        table=table,
        rows=once(made, body),
        fetched_at=body.fetched_at,
        body_sha256=body.sha256,
    )
