"""Files made to fill the memory of whoever checks them: refused in one sentence, and small.

Each is checked in a process that may not take more than a few hundred megabytes beyond what its
imports did, so that what is unpacked or built is measured and not believed.
"""

import io
import json
import random
import subprocess
import sys
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile

import pytest

from services.evidence_pack.build import seal_pack
from services.evidence_pack.parts import LINES, line_digests
from services.evidence_pack.read_pack import read_manifest
from services.evidence_pack.verify import verify_pack
from services.evidence_pack.zip_file import MANIFEST, container, open_pack, pack_part
from services.settings import ROOT
from tests.unit.reports.pack_samples import pack

MB, GB = 1024**2, 1024**3
ROOM = 700 * MB
CHILD = """
import json, resource, sys
from pathlib import Path
from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.verify import verify_pack

folder, room = Path(sys.argv[1]), int(sys.argv[2])
taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + room, taken + room))
honest = Path(sys.argv[3]).read_bytes()
for file in sorted(folder.iterdir()):
    content = file.read_bytes()
    try:
        if file.suffix == ".zip":
            found = verify_pack(content)
        else:
            found = verify_pack(honest, [Beside(file.name, content)])
        told = [[one.place, one.check, one.reason] for one in found.failures]
    except MemoryError:
        told = [["", "MemoryError", ""]]
    print(json.dumps([file.name, told], default=str), flush=True)
"""


def _zeros(size: int) -> bytes:
    """So many zero bytes, deflated: one block is squeezed and repeated."""
    block = 16 * MB
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    once = squeezer.compress(bytes(block)) + squeezer.flush(zlib.Z_FULL_FLUSH)
    return once * (size // block) + zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS).flush()


def _with_part(name: str, size: int, body: bytes) -> bytes:
    """The honest pack and one part more that says it holds `size` bytes."""
    told = [(one.name, one.content or b"", one.packed) for one in open_pack(pack()).members]
    data = container([*told, (name, b"", body)])
    for mark, length in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):  # where each header has it
        header = 30 if length == 22 else 46
        at = data.index(name.encode(), data.index(mark)) - header
        at = data.rindex(mark, 0, at + header)
        data = data[: at + length] + size.to_bytes(4, "little") + data[at + length + 4 :]
    return data


def _sealed(changed: Mapping[str, bytes]) -> bytes:
    """A pack whose every hash holds, written by somebody who means harm."""
    found = open_pack(pack())
    parts = {one.name: one.content or b"" for one in found.members[1:]}
    parts |= changed
    if sum(map(len, changed.values())) < MB:  # of more than that nobody gets as far as the lines
        parts[LINES] = line_digests({name: body for name, body in parts.items() if name != LINES})
    return seal_pack(read_manifest(found.members[0].packed), parts)


def _noise(count: int, gap: str) -> bytes:
    """So many short values that pack badly."""
    chance = random.Random(13)
    return gap.join(chance.choices("0123456789abcdef", k=count)).encode()


def _many_parts() -> bytes:
    told = [(one.name, one.content or b"", one.packed) for one in open_pack(pack()).members]
    nothing = pack_part(b"", first=False)
    return container([*told, *((f"p{at}.txt", b"", nothing) for at in range(60_000))])


def _workbook(
    body: bytes, *, method: int = ZIP_DEFLATED, name: str = "xl/worksheets/s.xml"
) -> bytes:
    """A workbook of one sheet that holds this."""
    types = (
        b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override '
        b'PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.'
        b'spreadsheetml.sheet.main+xml"/></Types>'
    )
    relations = (
        b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        b'<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
        b'relationships/%s" Target="%s"/></Relationships>'
    )
    book = (
        b'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        b'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        b'<sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>'
    )
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", method) as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("_rels/.rels", relations % (b"officeDocument", b"xl/workbook.xml"))
        archive.writestr("xl/workbook.xml", book)
        archive.writestr(
            "xl/_rels/workbook.xml.rels", relations % (b"worksheet", b"worksheets/s.xml")
        )
        archive.writestr(name, body)
    return buffer.getvalue()


SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
END = b"</sheetData></worksheet>"


def _zeros_in_a_workbook(told: int) -> bytes:
    """A sheet of four gigabytes that tells its size as `told`."""
    data = _workbook(b"\0" * 64)
    body = _zeros(4 * GB)
    at = data.index(b"PK\x03\x04", data.index(b"xl/_rels/workbook.xml.rels") + 30)
    before, name = data[:at], b"xl/worksheets/s.xml"
    sizes = (len(body)).to_bytes(4, "little") + told.to_bytes(4, "little")
    local = data[at : at + 18] + sizes + data[at + 26 : at + 30] + name
    listed = data[data.index(b"PK\x01\x02") :]
    last = listed.rindex(b"PK\x01\x02")
    listed = listed[: last + 20] + sizes + listed[last + 28 :]
    start = len(before) + len(local) + len(body)
    end = listed.rindex(b"PK\x05\x06")
    listed = listed[: end + 16] + start.to_bytes(4, "little") + listed[end + 20 :]
    return before + local + body + listed


def _laughs() -> bytes:
    lines = b"".join(b'<!ENTITY a%d "%s">' % (at, b"&a%d;" % (at - 1) * 10) for at in range(1, 12))
    return b'<!DOCTYPE w [<!ENTITY a0 "ha">' + lines + b"]>" + SHEET + b"&a11;" + END


def _members() -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w") as archive:
        for at in range(100_000):
            archive.writestr(f"{at}.xml", b"")
    return buffer.getvalue()


FAR = b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>'
BOMBS: Mapping[str, tuple[Callable[[], bytes], str]] = {
    "undeclared.zip": (lambda: _with_part("bomb.json", 1000, _zeros(4 * GB)), "container"),
    "declared.zip": (lambda: _with_part("bomb.json", 4 * GB - 1, _zeros(4 * GB)), "too_large"),
    "told.zip": (lambda: _with_part("bomb.json", 64 * MB, _zeros(64 * MB)), "too_large"),
    "newlines.zip": (lambda: _sealed({"rows.jsonl": b"\n" * 30_000_000}), "too_large"),
    "lines.zip": (lambda: _sealed({"rows.jsonl": _noise(1_200_000, "\n")}), "too_many_lines"),
    "lists.zip": (lambda: _sealed({"paper.json": b"[" + b"[]," * 10_000_000}), "too_large"),
    "values.zip": (
        lambda: _sealed({"paper.json": b"[" + _noise(7_000_000, ",") + b"]"}),
        "too_many_values",
    ),
    "deep.zip": (lambda: _sealed({"result.json": b'[{"a":' * 90_000}), "too_deep"),
    "parts.zip": (_many_parts, "too_many_parts"),
    "zeros.xlsx": (lambda: _zeros_in_a_workbook(4 * GB - 1), "too_large"),
    "modest.xlsx": (lambda: _zeros_in_a_workbook(1000), "unreadable"),
    "members.xlsx": (_members, "too_many_parts"),
    "laughs.xlsx": (lambda: _workbook(b"<!-- " + b"x" * 2000 + b" -->" + _laughs()), "unreadable"),
    "wide.xlsx": (
        lambda: _workbook('<?xml version="1.0" encoding="UTF-16"?>'.encode("utf-16")
        + _laughs().decode().encode("utf-16-le")),
        "unreadable",
    ),
    "bzip2.xlsx": (lambda: _workbook(bytes(60_000_000), method=ZIP_BZIP2), "unreadable"),
    "sparse.xlsx": (
        lambda: _workbook(SHEET + b"".join(FAR % (at, at) for at in range(1, 5000)) + END),
        "too_many_values",
    ),
    "far.xlsx": (lambda: _workbook(SHEET + FAR % (10**15, 1) + END), "too_many_values"),
    "tags.xlsx": (
        lambda: _workbook(SHEET + b"<x>" + _noise(3_100_000, "</x><x>") + b"</x>" + END),
        "too_many_values",
    ),
    "commas.csv": (lambda: b"," * 16_000_000, "too_many_values"),
    "rows.csv": (lambda: b"a\n" * 8_000_000, "too_many_lines"),
    "lines.md": (lambda: b"\n" * 16_000_000, "too_many_lines"),
    "long.csv": (lambda: b"a" * 33 * MB, "too_large"),
}  # fmt: skip


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[str]]]:
    """What each bomb came to, and that no check of one took the memory it asked for."""
    folder, honest = tmp_path_factory.mktemp("bombs"), tmp_path_factory.mktemp("honest") / "a.zip"
    honest.write_bytes(pack())
    for name, (made, _) in BOMBS.items():
        (folder / name).write_bytes(made())
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(folder), str(ROOM), str(honest)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(json.loads(line) for line in done.stdout.splitlines())


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_within_a_few_hundred_megabytes(
    told: dict[str, list[list[str]]], name: str
) -> None:
    checks = [check for _, check, _ in told[name]]
    assert checks[0] == BOMBS[name][1], told[name]
    for _, _, reason in told[name]:
        zh, bar, en = reason.partition(" | ")
        assert zh
        assert bar
        assert en
        assert "\n" not in reason
    if checks[0] != "container":  # an untrue size is told with what else does not hold
        assert len(checks) == 1, told[name]


def test_nothing_is_parsed_of_a_part_whose_hash_does_not_hold() -> None:
    found = open_pack(pack())
    parts = [(one.name, one.content or b"", one.packed) for one in found.members]
    for at, (name, content, _) in enumerate(parts[1:], start=1):
        if not name.endswith((".json", ".jsonl")) or not content:
            continue
        broken = b'{"' + content
        edited = [*parts[:at], (name, broken, pack_part(broken, first=False)), *parts[at + 1 :]]
        checks = {one.check for one in verify_pack(container(edited)).failures}
        assert checks <= {"sha256", "size", "line_digest"}, name
        assert checks


def test_every_part_of_the_manifest_is_hashed_before_the_first_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[str] = []
    from services.evidence_pack import verify as pack_verify

    hashed, read = pack_verify.digest, pack_verify.read_content
    monkeypatch.setattr(pack_verify, "digest", lambda body: order.append("hash") or hashed(body))
    monkeypatch.setattr(
        pack_verify, "read_content", lambda parts: order.append("read") or read(parts)
    )
    assert verify_pack(pack()).ok
    parts = len(open_pack(pack()).members) - 1
    assert order == ["hash"] * 2 * parts + ["read"]  # unpacked and packed


def test_a_manifest_larger_than_any_is_not_read() -> None:
    first, *rest = open_pack(pack()).members
    head = first.packed + b" " * 2_000_000
    members = [(one.name, one.content or b"", one.packed) for one in rest]
    (failure,) = verify_pack(container([(MANIFEST, head, head), *members])).failures
    assert (failure.place, failure.check) == (MANIFEST, "too_large")


def test_files_larger_than_the_folder_allows_are_not_even_opened(tmp_path: Path) -> None:
    from services.cli.verifying import read_bytes
    from services.core.errors import InputError

    file = tmp_path / "large.zip"
    with file.open("wb") as out:
        out.truncate(3 * GB)  # a hole: nothing is written
    with pytest.raises(InputError, match="at most 32 MB"):
        read_bytes("PACK", str(file), 32 * MB)
