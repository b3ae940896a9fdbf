"""A frozen snapshot as one file, and back: a zip of its manifest and parts, nothing else.

The same snapshot gives the same bytes. A file from someone else is not trusted: its names, number
and sizes are bounded before anything is written, and every part must have its sha256.
"""

import os
import re
import shutil
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from services.core.errors import InputError, StoreError
from services.store.snapshot import MANIFEST, Manifest, check, read_manifest

SUFFIX = ".youju-snapshot.zip"
NAME = re.compile(r"[\w][\w-]{0,59}")
_NAME_VALID = "1 to 60 letters, digits, - or _, not beginning with -"
# The earliest instant a zip can hold: when a file was packed is not part of what is in it.
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MOST_FILES = 32
_MOST_MANIFEST = 8 << 20
_MOST_BYTES = 4 << 30
_CHUNK = 1 << 20


class OpenedSnapshot(NamedTuple):
    """A frozen snapshot in a folder; `key` is the sha256 of its manifest, which names its parts."""

    folder: Path
    manifest: Manifest
    key: str


def check_name(name: str) -> str:
    """A name that is a file name too. Raises: InputError."""
    if not NAME.fullmatch(name):
        raise InputError("NAME", name, _NAME_VALID)
    return name


def open_frozen(folder: Path) -> OpenedSnapshot:
    """The snapshot in that folder, every part checked. Raises: StoreError naming what is wrong."""
    manifest = check(folder)
    return OpenedSnapshot(folder, manifest, sha256((folder / MANIFEST).read_bytes()).hexdigest())


def pack(folder: Path, path: Path) -> None:
    """Write the snapshot of `folder` as the file `path`, in place of an older one.

    Raises: StoreError when a part was changed or the file cannot be written.
    """
    manifest = check(folder)
    making = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    try:
        # Parts are compressed already.
        with zipfile.ZipFile(making, "w", zipfile.ZIP_STORED) as bundle:
            for name in (MANIFEST, *(part.file for part in manifest.parts)):
                entry = zipfile.ZipInfo(name, _EPOCH)
                entry.external_attr = 0o644 << 16
                bundle.writestr(entry, (folder / name).read_bytes())
        os.replace(making, path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        making.unlink(missing_ok=True)


def unpack(path: Path, target: Path | None, within: Path) -> OpenedSnapshot:
    """Unpack the file into `target`, by default the folder of its name `within`; checked.

    The same snapshot that is there already is left as it is.
    Raises: StoreError (not such a file, a part changed, another snapshot is there), InputError for
    a name that is no file name.
    """
    beside = target.parent if target is not None else within
    beside.mkdir(parents=True, exist_ok=True)
    making = beside / f".unpacking.{uuid4().hex[:8]}"
    making.mkdir()
    try:
        _extract(path, making)
        found = open_frozen(making)
        folder = target or within / check_name(found.manifest.name)
        if folder.exists():
            there = open_frozen(folder)
            if there.key != found.key:
                raise StoreError(
                    f"{folder} holds another snapshot ({there.manifest.name}): "
                    "choose another --target, or remove it"
                )
            return there
        shutil.move(making, folder)
        return OpenedSnapshot(folder, found.manifest, found.key)
    except OSError as error:
        raise StoreError(f"{path} cannot be unpacked: {error.strerror}") from error
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _extract(path: Path, folder: Path) -> None:
    """The manifest first, then exactly the parts it names, none longer than it was said to be."""
    try:
        with zipfile.ZipFile(path) as bundle:
            entries = bundle.infolist()
            _refuse_strange(path, entries)
            _write(bundle, MANIFEST, folder, _MOST_MANIFEST)
            named = {MANIFEST, *(part.file for part in read_manifest(folder).parts)}
            if strange := {entry.filename for entry in entries} ^ named:
                shown = ", ".join(sorted(strange))[:200]
                raise StoreError(f"{path.name}: {shown} is not as the manifest says")
            for entry in entries:
                if entry.filename != MANIFEST:
                    _write(bundle, entry.filename, folder, _MOST_BYTES)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise StoreError(
            f"{path.name} is not a frozen snapshot ({type(error).__name__}); get it again"
        ) from error


def _refuse_strange(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    names = [entry.filename for entry in entries]
    whole = sum(entry.file_size for entry in entries)
    why = None
    if MANIFEST not in names:
        why = f"there is no {MANIFEST} in it"
    elif len(names) > _MOST_FILES or len(set(names)) != len(names):
        why = "too many files, or one twice"
    elif whole > _MOST_BYTES:
        why = f"{whole} bytes is more than {_MOST_BYTES}"
    elif any(not re.fullmatch(r"[a-z0-9_]+\.(?:json|parquet)", name) for name in names):
        why = "a file in it has a name no part can have"
    if why:
        raise StoreError(f"{path.name} is not a frozen snapshot: {why}")


def _write(bundle: zipfile.ZipFile, name: str, folder: Path, most: int) -> None:
    written = 0
    with bundle.open(name) as source, (folder / name).open("xb") as target:
        while chunk := source.read(_CHUNK):
            written += len(chunk)
            if written > most:
                raise StoreError(f"{name}: longer than {most} bytes")
            target.write(chunk)
