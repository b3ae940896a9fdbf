"""A frozen snapshot as one file: the same bytes each time, and nothing taken on trust."""

import json
import zipfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pytest

from services.core.clock import BEIJING
from services.core.errors import InputError, StoreError
from services.store.frozen import ManifestHead, write_frozen
from services.store.frozen_file import check_name, open_frozen, pack, unpack
from services.store.snapshot import FrozenScope, MadeFrom, PartContent

NOON = datetime(2026, 11, 20, 16, 30, tzinfo=BEIJING)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small frozen snapshot of two parts."""
    head = ManifestHead(
        name="demo",
        clock=NOON,
        built_at=NOON,
        scope=FrozenScope(kind="symbols", zh="一家", en="one", symbols=("600519.SH",)),
        made_from=MadeFrom(mode="live"),
        tool_version="1",
    )
    parts = [
        PartContent(file=f"{name}.parquet", table=pa.table({"value": [1.0, 2.0]}), sources=())
        for name in ("one", "two")
    ]
    write_frozen(tmp_path / "made", head, parts)
    return tmp_path / "made"


def test_a_file_unpacks_to_what_was_packed_and_has_the_same_bytes_each_time(
    folder: Path, tmp_path: Path
) -> None:
    first, second = tmp_path / "a.zip", tmp_path / "b.zip"
    pack(folder, first)
    pack(folder, second)
    assert first.read_bytes() == second.read_bytes()
    found = unpack(first, None, tmp_path / "data")
    assert found.folder == tmp_path / "data" / "demo"
    assert found.key == open_frozen(folder).key
    for path in folder.iterdir():
        assert (found.folder / path.name).read_bytes() == path.read_bytes()
    assert {path.name for path in (tmp_path / "data").iterdir()} == {"demo"}


def test_the_same_one_again_is_left_and_another_of_its_name_is_refused(
    folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "a.zip"
    pack(folder, file)
    assert unpack(file, None, tmp_path / "data") == unpack(file, None, tmp_path / "data")
    manifest = folder / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"一家"', '"两家"'), encoding="utf-8")
    pack(folder, file)
    with pytest.raises(StoreError, match="holds another snapshot"):
        unpack(file, None, tmp_path / "data")


def _flipped(body: bytes) -> bytes:
    return body[:50] + bytes([body[50] ^ 1]) + body[51:]


def test_a_changed_part_is_refused_by_name_and_nothing_is_left(
    folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w") as bundle:
        for path in folder.iterdir():
            body = path.read_bytes()
            bundle.writestr(path.name, _flipped(body) if path.name == "two.parquet" else body)
    with pytest.raises(StoreError, match=r"two\.parquet was changed"):
        unpack(file, None, tmp_path / "data")
    assert list((tmp_path / "data").iterdir()) == []


def _renamed(manifest: str, name: str) -> str:
    document = json.loads(manifest)
    document["parts"][0]["file"] = name
    return json.dumps(document)


@pytest.mark.parametrize(
    ("strange", "why"),
    [
        (lambda _m: {"../evil.parquet": b"x"}, "a name no part can have"),
        (lambda _m: {"/etc/evil.parquet": b"x"}, "a name no part can have"),
        (lambda _m: {"deep/evil.parquet": b"x"}, "a name no part can have"),
        (lambda _m: {"extra.parquet": b"x"}, "extra.parquet is not as the manifest says"),
        (lambda _m: {f"p{n}.parquet": b"" for n in range(40)}, "too many files"),
        (lambda m: {"manifest.json": m.replace('"sha256"', '"sha"')}, "twice"),
    ],
)
def test_a_file_with_anything_else_in_it_is_refused(
    folder: Path, tmp_path: Path, strange: Callable[[str], dict[str, bytes]], why: str
) -> None:
    file = tmp_path / "a.zip"
    pack(folder, file)
    manifest = (folder / "manifest.json").read_text("utf-8")
    with zipfile.ZipFile(file, "a") as bundle, pytest.warns() if "twice" in why else _quiet():
        for name, body in strange(manifest).items():
            bundle.writestr(name, body)
    with pytest.raises(StoreError, match=why):
        unpack(file, None, tmp_path / "data")
    assert not (tmp_path / "evil.parquet").exists()


class _quiet:  # noqa: N801 — reads like pytest.warns beside it
    def __enter__(self) -> None:
        """Nothing is expected."""

    def __exit__(self, *_error: object) -> None:
        """Nothing to check."""


@pytest.mark.parametrize("name", ["../evil.parquet", "/evil.parquet", "a/b.parquet", "evil.py"])
def test_a_manifest_cannot_name_a_part_outside_its_folder(folder: Path, name: str) -> None:
    manifest = folder / "manifest.json"
    manifest.write_text(_renamed(manifest.read_text("utf-8"), name), encoding="utf-8")
    with pytest.raises(StoreError, match="is not a manifest"):
        open_frozen(folder)


def test_what_is_no_such_file_says_so(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(b"no zip at all")
    with pytest.raises(StoreError, match="is not a frozen snapshot"):
        unpack(file, None, tmp_path / "data")


def test_a_part_cut_short_in_the_file_is_refused(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    pack(folder, file)
    file.write_bytes(file.read_bytes()[:-300])
    with pytest.raises(StoreError):
        unpack(file, None, tmp_path / "data")


def test_an_existing_folder_is_never_written_over(folder: Path) -> None:
    head = ManifestHead(
        "x", NOON, NOON, FrozenScope(kind="all", zh="", en=""), MadeFrom(mode="live"), "1"
    )
    with pytest.raises(StoreError, match="choose another name"):
        write_frozen(folder, head, [])


@pytest.mark.parametrize("name", ["", "../up", "a/b", "a.b", "-x", "a" * 61, "a b"])
def test_a_name_must_be_fit_for_a_file(name: str) -> None:
    with pytest.raises(InputError):
        check_name(name)


def test_a_chinese_name_is_a_name() -> None:
    assert check_name("周五晨会-1") == "周五晨会-1"
