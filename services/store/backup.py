"""A copy of the whole store in one file, and the way back. Records in PostgreSQL are not in it."""

import os
import shutil
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import duckdb

from services.core.errors import StoreError
from services.core.text import Text
from services.store import migrations
from services.store.database import Database
from services.store.store_file import CONFIG, MEMORY, PRIVATE

# What lies beside a store and belongs to it alone: it must not meet another store of its name.
_BESIDE = (".wal", ".commits")
# What every store of ours has had from the first one on.
_OURS = ("migrations", "runs", "sessions", "screens")


class Backup(NamedTuple):
    """A copy that was checked: its file, size in bytes, stored runs and applied migrations."""

    file: Path
    size: int
    runs: int
    steps: tuple[str, ...]


def back_up(database: Database, target: Path) -> Backup:
    """Write a consistent copy of an open store while others work, and open it once to check it.

    Raises: StoreError when `target` exists or cannot be written.
    """
    database.freeze(target)
    target.chmod(PRIVATE)
    return read_backup(target)


def restore(source: Path, store: str, *, now: datetime) -> tuple[Backup, Path | None]:
    """Put a copy where the store is, which is moved aside; what was put there, and what is aside.

    The store may not be held by anybody. Raises: StoreError, with nothing changed.
    """
    if store == MEMORY:
        raise StoreError(
            Text("内存中的数据库没有文件可恢复", "a store in memory has no file to be restored")
        )
    found, path = read_backup(source), Path(store).expanduser().resolve()
    if path == source.resolve():
        raise StoreError(Text(f"{path} 就是正在使用的数据库", f"{path} is the store itself"))
    part = path.with_name(path.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copyfile(source, part)
        part.chmod(PRIVATE)
        aside = _put_aside(path, now) if path.exists() else None
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(
            Text(
                f"无法写入 {path}：{error.strerror}", f"{path} cannot be written: {error.strerror}"
            )
        ) from error
    return found, aside


def read_backup(file: Path) -> Backup:
    """What a copy is, read without changing it. Raises: StoreError when it is none of ours."""
    try:
        with duckdb.connect(str(file), read_only=True, config=CONFIG) as there:  # noqa: TID251 (a file that is not the store)
            tables = {str(row[0]) for row in there.execute("show tables").fetchall()}
            if not tables.issuperset(_OURS):
                raise _not_ours(file, Text("缺少记录用的表", "the tables of records are not in it"))
            steps = there.execute("select name from migrations order by name").fetchall()
            count = there.execute("select count(*) from runs").fetchone()
    except duckdb.Error as error:
        first = str(error).splitlines()[0]
        raise _not_ours(file, Text(first, first)) from error
    names = tuple(str(row[0]) for row in steps)
    if newer := sorted(set(names) - {step.__name__ for step in migrations.ALL}):
        said = ", ".join(newer)
        raise _not_ours(
            file, Text(f"由更新的版本写成（{said}）", f"a newer version wrote it ({said})")
        )
    return Backup(file, file.stat().st_size, int(count[0]) if count else 0, names)


def _put_aside(path: Path, now: datetime) -> Path:
    # Opened once, so that nobody holds it and its log is in it: one file is then all of it.
    Database(str(path)).close()
    aside = path.with_name(f"{path.name}.replaced-{now:%Y%m%d-%H%M%S}")
    os.replace(path, aside)
    for end in _BESIDE:
        if (beside := Path(f"{path}{end}")).exists():
            os.replace(beside, Path(f"{aside}{end}"))
    return aside


def _not_ours(file: Path, why: Text) -> StoreError:
    return StoreError(
        Text(
            f"{file} 不是可以恢复的备份：{why.zh}",
            f"{file} is no backup that can be restored: {why.en}",
        )
    )
