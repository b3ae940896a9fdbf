"""Work done side by side: the one thread pool of a run, for plan nodes and for tool calls alike.

Each piece works on a branch of the run's ledger and within the run's deadline; the branches are
joined in the order of the pieces, so the outcome is that of doing them one after another.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import copy_context
from typing import TypeVar

from services.core.ledger import Ledger

# A few questions at a time: sources are paced by host anyway, and have limits of their own.
WORKERS = 4

T = TypeVar("T")


def side_by_side(ledger: Ledger, pieces: Sequence[Callable[[Ledger], T]]) -> list[T]:
    """What each piece gives, in order; all of them are done before this returns or raises.

    Raises: what the first piece that failed raised; the ledger has what all of them did.
    """
    branches = [ledger.fork() for _ in pieces]
    with ThreadPoolExecutor(min(WORKERS, len(pieces)), thread_name_prefix="tools") as pool:
        # The deadline is kept in the context, which a thread does not inherit.
        under_way = [
            pool.submit(copy_context().run, piece, branch)
            for piece, branch in zip(pieces, branches, strict=True)
        ]
        wait(under_way)
    for branch in branches:
        ledger.join(branch)
    return [one.result() for one in under_way]
