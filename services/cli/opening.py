"""The services for one command: on the store, or in memory while the workbench holds it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from services.core.errors import StoreHeldError
from services.settings import load_settings

if TYPE_CHECKING:
    from services.container import Services


def check_store(store: str, retention_days: int = 0) -> int:
    """Open a store once and let go of it; how many acknowledged writes it came back without. Runs
    older than `retention_days` that nothing points at go then; with 0 none.

    Raises: StoreHeldError when another process owns it, StoreError when it is damaged, ConfigError.
    """
    from services.store.database import Database

    database = Database(store)
    lost = database.lost
    if retention_days:
        from services.store.retention import sweep

        sweep(database, retention_days)
    database.close()
    return lost


def say_lost_writes(count: int) -> str:
    """What is said once when a store comes back without writes that had been acknowledged."""
    return (
        f"上次停机时有 {count} 次已确认的写入没有留在库里，日志被截断。"
        f"{count} acknowledged writes are not in the store: its log was cut short. "
        "If you have a backup: `python -m services restore FILE`."
    )


@contextmanager
def open_services(*, kept: bool = False) -> Iterator["Services"]:
    """Everything wired, closed afterwards; `kept`: nothing is done without the store itself.

    Raises: ConfigError, StoreError.
    """
    # Everything there is comes with this: no command pays it to print its help or to refuse.
    from services.container import build_services

    settings = load_settings()
    try:
        youju = build_services(settings)
    except StoreHeldError as error:
        if kept:
            raise
        # The workbench is open: answer all the same; claims and trace are in the answer itself.
        sys.stderr.write(f"未入库 not recorded: {error}\n")
        youju = build_services(replace(settings, store=":memory:"))
    if lost := youju.database.lost:
        sys.stderr.write(say_lost_writes(lost) + "\n")
    try:
        yield youju
    finally:
        youju.close()
