"""`backup` and `restore`: the whole store in one file, and the way back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from services.cli.documents import print_json
from services.core.errors import InputError
from services.settings import load_settings

if TYPE_CHECKING:
    from services.store.backup import Backup


def backup_command(
    target: Annotated[str, typer.Argument(metavar="FILE", help="A file that is not there yet.")],
) -> None:
    """备份 Copy the whole store to a file: runs, traces, conversations, screens, the synced market.

    While the workbench holds the store this is refused: stop it first. Records kept in PostgreSQL
    are not in it: use pg_dump. Prints {"file", "bytes", "runs", "migrations"}.
    """
    from services.store.backup import back_up
    from services.store.database import Database

    settings = load_settings()
    if settings.store == ":memory:":
        raise InputError("YOUJU_STORE", settings.store, "a store that is a file")
    if not Path(settings.store).expanduser().exists():
        raise InputError("YOUJU_STORE", settings.store, "a store that was opened at least once")
    if Path(target).exists():
        raise InputError("FILE", target, "a file that is not there yet")
    database = Database(settings.store)
    try:
        print_json(_write_backup(back_up(database, Path(target))))
    finally:
        database.close()


def restore_command(
    source: Annotated[str, typer.Argument(metavar="FILE", help="What `backup` wrote.")],
) -> None:
    """恢复 Put a backup where the store is; the present store is kept beside it under another name.

    Prints {"file", "bytes", "runs", "migrations", "store", "replaced"}.
    """
    from services.store.backup import restore
    from services.system_clock import SystemClock

    if not Path(source).is_file():
        raise InputError("FILE", source, "a file that `backup` wrote")
    store = load_settings().store
    found, aside = restore(Path(source), store, now=SystemClock().now())
    print_json({**_write_backup(found), "store": store, "replaced": str(aside) if aside else None})


def _write_backup(found: "Backup") -> dict[str, Any]:
    return {
        "file": str(found.file),
        "bytes": found.size,
        "runs": found.runs,
        "migrations": list(found.steps),
    }
