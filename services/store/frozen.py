"""Writing a frozen snapshot: the bundled market's own format, whole or of chosen symbols.

It appears under its name only when it is complete: a freeze that is stopped leaves nothing there.
"""

import os
import shutil
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from services.core.errors import StoreError
from services.core.lazy import import_later
from services.core.names import NameRow
from services.store.snapshot import (
    FrozenScope,
    MadeFrom,
    Manifest,
    PartContent,
    SnapshotPart,
    SnapshotSource,
    check,
    write_manifest,
    write_part,
)

COMPANIES = "companies.parquet"
_OF_SYMBOLS = ("facts.parquet", "bars.parquet", "gaps.parquet")
_ARROW, _COMPUTE = import_later("pyarrow"), import_later("pyarrow.compute")
_PARQUET = import_later("pyarrow.parquet")
_TEXT, _DAY, _NUMBER = "string", "date32", "float64"
_COMPANY_COLUMNS = (
    *("symbol", "market", "exchange", "board", "kind", "name", "industry", "pinyin"),
    *("initials", "old_names", "full_name", "english_name"),
)
# What lives elsewhere in live data: there, every figure is in an answer.
_NOTHING = {
    "facts.parquet": {
        **dict.fromkeys(("symbol", "metric", "unit", "period", "field", "raw", "note"), _TEXT),
        **dict.fromkeys(("source", "table"), _TEXT),
        "value": _NUMBER,
        "as_of": _DAY,
        "announced_on": _DAY,
    },
    "bars.parquet": {
        **dict.fromkeys(("symbol", "adjust", "unit"), _TEXT),
        **dict.fromkeys(("open", "high", "low", "close", "volume"), _NUMBER),
        **dict.fromkeys(("raw_open", "raw_high", "raw_low", "raw_close", "raw_volume"), _TEXT),
        "date": _DAY,
    },
    "gaps.parquet": {
        **dict.fromkeys(("symbol", "kind"), _TEXT),
        "start": _DAY,
        "end": _DAY,
        "sessions": "int64",
    },
}
_NAMES_NOTE = (
    "名称与代码取自所问过的来源，是事实。",
    "Names and codes are facts as the sources that were asked gave them.",
)


@dataclass(frozen=True, slots=True)
class ManifestHead:
    """What the manifest of a frozen snapshot says beside its parts; see Manifest."""

    name: str
    clock: datetime
    built_at: datetime
    scope: FrozenScope
    made_from: MadeFrom
    tool_version: str


def market_parts(
    folder: Path, manifest: Manifest, symbols: Collection[str], named: Collection[str]
) -> list[PartContent]:
    """The market parts of the snapshot in `folder` about these symbols.

    Of those that are only `named` the names are kept, no figures. Raises: StoreError naming a part
    that was changed.
    """
    check(folder)
    wanted = {COMPANIES: {*symbols, *named}} | {file: {*symbols} for file in _OF_SYMBOLS}
    return [
        _choose_rows(manifest.part(file), _PARQUET.read_table(folder / file), chosen)
        for file, chosen in wanted.items()
    ]


def make_name_parts(rows: Iterable[NameRow], as_of: date) -> list[PartContent]:
    """The market parts of live data: what companies are called, and no figures.

    Those are in the answers that brought them.
    """
    ordered = sorted(rows, key=lambda row: row.symbol)
    columns = {
        name: _ARROW.array([_cell(row, name) for row in ordered], _TEXT)
        for name in _COMPANY_COLUMNS
    }
    source = SnapshotSource(
        source="youju",
        table="names",
        as_of=as_of,
        origin="names of the sources that were asked",
        licence_note=_NAMES_NOTE[0],
        licence_note_en=_NAMES_NOTE[1],
    )
    empty = [
        PartContent(file=file, table=_ARROW.schema(list(columns.items())).empty_table(), sources=())
        for file, columns in _NOTHING.items()
    ]
    return [PartContent(file=COMPANIES, table=_ARROW.table(columns), sources=(source,)), *empty]


def write_frozen(
    target: Path, head: ManifestHead, contents: Sequence[PartContent], *, whole: Path | None = None
) -> Manifest:
    """Write the parts and the manifest into `target`, which must not exist yet.

    With `whole` the parts of the snapshot in that folder come first, byte for byte.
    Raises: StoreError when `target` exists, cannot be written, or a part of `whole` was changed.
    """
    if target.exists():
        raise StoreError(f"{target} exists: choose another name or --target, or remove it")
    making = target.with_name(f".{target.name}.{uuid4().hex[:8]}")
    try:
        making.mkdir(parents=True)
        copied = _copy_parts(whole, making) if whole is not None else ()
        manifest = Manifest(
            name=head.name,
            clock=head.clock,
            built_at=head.built_at,
            parts=(*copied, *(write_part(making, part) for part in contents)),
            scope=head.scope,
            made_from=head.made_from,
            tool_version=head.tool_version,
        )
        write_manifest(making, manifest)
        os.replace(making, target)
    except OSError as error:
        raise StoreError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        shutil.rmtree(making, ignore_errors=True)
    return manifest


def _copy_parts(folder: Path, making: Path) -> tuple[SnapshotPart, ...]:
    manifest = check(folder)
    for part in manifest.parts:
        shutil.copyfile(folder / part.file, making / part.file)
    return manifest.parts


def _choose_rows(part: SnapshotPart, table: Any, symbols: Collection[str]) -> PartContent:
    """The rows about these symbols, in their order; what the build left out is not told again."""
    wanted = _ARROW.array(sorted(symbols), _TEXT)
    kept = table.filter(_COMPUTE.is_in(table["symbol"], value_set=wanted))
    return PartContent(
        file=part.file,
        table=kept.combine_chunks(),
        sources=part.sources,
        defects=part.defects,
        defects_en=part.defects_en,
    )


def _cell(row: NameRow, name: str) -> str | None:
    if name in {"old_names", "pinyin", "initials"}:
        return "|".join(getattr(row, name))
    return getattr(row, name, None)
