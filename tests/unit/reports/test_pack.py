"""Writing a pack, its container read strictly, hostile files refused, cells compared by value."""

import io
import struct
import tomllib
import zlib
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest
from openpyxl import load_workbook

from services.core.errors import InputError
from services.evidence_pack.build import seal_pack
from services.evidence_pack.compare_cells import (
    compare_lines,
    compare_tables,
    number_of,
    read_csv,
    same_cell,
    same_saved,
)
from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.parts import LINES, REQUIRED, TOOL, document, line_digests
from services.evidence_pack.read_pack import read_content, read_manifest
from services.evidence_pack.verify import PackVerdict, verify_pack
from services.evidence_pack.zip_file import (
    LARGEST_CONTENT,
    MANIFEST,
    container,
    is_pack,
    open_pack,
    pack_part,
)
from services.exports.paper import (
    PaperLine,
    PaperQuote,
    Prose,
)
from services.exports.xlsx import paper_xlsx
from services.settings import ROOT
from tests.unit.reports.pack_samples import POST, content_of, pack, paper_of
from tests.unit.reports.samples import MADE_AT


def _checks(found: PackVerdict) -> list[tuple[str, str]]:
    return [(one.place, one.check) for one in found.failures]


def test_a_pack_says_what_was_put_in_and_verifies() -> None:
    data = pack()
    members = {one.name: one.content for one in open_pack(data).members}
    assert next(iter(members)) == MANIFEST
    assert set(REQUIRED) | {MANIFEST, "tables/figures.csv"} == set(members)
    again = read_content({name: body for name, body in members.items() if body is not None})
    assert again == content_of()
    manifest = read_manifest(members[MANIFEST] or b"")
    assert manifest.symbols == ("600519.SH",)
    assert manifest.seal == manifest.wanted_seal
    found = verify_pack(data)
    assert found.failures == ()
    assert (found.checked.claims, found.checked.figures, found.checked.files) == (1, 1, 0)
    assert found.fingerprint == manifest.seal[:16]


def test_any_zip_program_can_open_it_and_the_same_content_gives_the_same_bytes() -> None:
    with ZipFile(io.BytesIO(pack())) as archive:
        assert archive.testzip() is None
        assert archive.namelist()[0] == MANIFEST
        assert archive.read("report.md").decode().startswith("# 贵州茅台\n")
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert pack() == pack()


def test_the_version_told_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert f"{project['name']} {project['version']}" == TOOL


def test_a_quotation_must_be_of_a_text_that_was_fetched() -> None:
    assert verify_pack(pack(paper_of(PaperQuote(title="看好", text=POST.text)))).ok
    data = pack(paper_of(PaperQuote(title="看好", text="茅台 2018 年还会涨 500%")))
    assert _checks(_strict(data)) == [("paper.json block 2", "quote_equal")]
    # The notes of the program itself came with no call: they are counted, not refused.
    assert (verify_pack(data).ok, verify_pack(data).checked.unjudged) == (True, 1)


def _strict(data: bytes) -> PackVerdict:
    """The same pack if it had not said what it cannot judge."""
    first, *rest = _members(data)
    bare = read_manifest(first[1]).model_copy(update={"unjudged": ()})
    return verify_pack(seal_pack(bare, {name: content for name, content, _ in rest}))


def test_a_figure_in_the_row_of_another_company_is_told() -> None:
    paper = paper_of()
    table = paper.tables[0]
    row = table.rows[0].model_copy(update={"symbol": "000858.SZ"})
    moved = table.model_copy(update={"rows": (row,)})
    data = pack(paper.model_copy(update={"blocks": (moved,)}))
    assert ("paper.json table figures row 1 pe_lyr", "entity_equal") in _checks(verify_pack(data))


def test_a_figure_typed_in_a_text_is_told() -> None:
    found = verify_pack(
        pack(paper_of(Prose(line=PaperLine(template="贵州茅台净利润同比增长 88.8%。"))))
    )
    assert _checks(found) == [("paper.json block 2", "unsupported_number")]
    assert found.manifest is not None
    assert found.manifest.unjudged == ()


def test_words_of_a_rule_that_code_cannot_judge_are_counted_and_not_refused() -> None:
    data = pack(paper_of(Prose(line=PaperLine(template="涨跌幅来自最近两个收盘。"))))
    found = verify_pack(data)
    assert found.ok
    assert found.checked.unjudged == 1
    assert found.manifest is not None
    assert found.manifest.unjudged == ("paper.json block 2",)
    assert _checks(_strict(data)) == [("paper.json block 2", "unsupported_number")]


# Containers that are not as they are written.


def _members(data: bytes) -> list[tuple[str, bytes, bytes]]:
    return [(one.name, one.content or b"", one.packed) for one in open_pack(data).members]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda data: data + b"\0", "directory"),
        (lambda data: b"\0" + data, "manifest.json"),
        (lambda data: data[:-1], "directory"),
        (lambda data: data[: len(data) // 2], ""),
        (lambda data: data[:-2] + b"\x05\x00" + b"hello", "directory"),
        (lambda data: data[:40], ""),
    ],
)
def test_bytes_before_between_and_behind_the_parts_are_told(change, place: str) -> None:
    data = change(pack())
    if not is_pack(data):
        with pytest.raises(InputError, match=r"evidence pack"):
            verify_pack(data)
        return
    found = verify_pack(data)
    assert not found.ok
    assert any(one.place.startswith(place) for one in found.failures)


def test_parts_in_another_order_twice_spare_or_lost_are_told() -> None:
    first, *rest = _members(pack())
    swapped = container([first, rest[1], rest[0], *rest[2:]])
    assert ("pack", "part_order") in _checks(verify_pack(swapped))
    twice = container([first, *rest, rest[0]])
    assert any(check == "container" for _, check in _checks(verify_pack(twice)))
    spare = container([first, *rest, ("extra.txt", b"x", pack_part(b"x", first=False))])
    assert ("extra.txt", "part_extra") in _checks(verify_pack(spare))
    lost = container([first, *rest[1:]])
    assert (rest[0][0], "part_missing") in _checks(verify_pack(lost))


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/x.json", "tables/../x.csv", "a\\b.csv", "C:x.json", ""]
)
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    first, *rest = _members(pack())
    found = verify_pack(container([first, *rest, (name, b"x", pack_part(b"x", first=False))]))
    assert not found.ok


def test_a_part_packed_otherwise_is_told_though_its_content_is_the_same() -> None:
    first, second, *rest = _members(pack())
    weaker = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = weaker.compress(second[1]) + weaker.flush()
    assert body != second[2]
    data = container([first, (second[0], second[1], body), *rest])
    assert _checks(verify_pack(data)) == [(second[0], "packed_sha256")]


def test_a_bomb_is_never_unpacked_beyond_the_limits() -> None:
    first, *rest = _members(pack())
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = squeezer.compress(bytes(40_000_000)) + squeezer.flush()
    # It says of itself that it holds a thousand bytes; and another says 4 GB.
    modest = container([first, *rest, ("bomb.json", bytes(1000), body)])
    assert ("bomb.json", "container") in _checks(verify_pack(modest))
    at = modest.index(b"bomb.json") - 30
    huge = modest[: at + 22] + struct.pack("<I", 0xFFFFFFFF) + modest[at + 26 :]
    found = verify_pack(huge)
    assert any(check == "too_large" for _, check in _checks(found))
    assert LARGEST_CONTENT <= 256 * 1024 * 1024


def test_more_parts_than_any_pack_has_are_not_read() -> None:
    first, *rest = _members(pack())
    many = [(f"p{number}.txt", b"", pack_part(b"", first=False)) for number in range(300)]
    found = verify_pack(container([first, *rest, *many]))
    assert any(check == "too_many_parts" for _, check in _checks(found))


@pytest.mark.parametrize("method", [ZIP_STORED, ZIP_DEFLATED, ZIP_BZIP2])
def test_a_pack_that_was_zipped_again_is_told(method: int) -> None:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", method) as archive:
        for name, content, _ in _members(pack()):
            entry = ZipInfo(name)
            entry.compress_type = method
            archive.writestr(entry, content)
    data = buffer.getvalue()
    assert is_pack(data)
    assert not verify_pack(data).ok


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x03\x04", b"%PDF-1.7", b"\0" * 100])
def test_what_is_no_pack_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(InputError, match=r"evidence pack"):
        verify_pack(data)


@pytest.mark.parametrize(
    "head",
    [
        b'{"format": "youju-pack/1"',
        b'{"format": "youju-pack/1"}',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"format": "youju-pack/1", "format": "youju-pack/1"}',
        b'{"format": NaN}',
    ],
)
def test_a_manifest_that_cannot_be_read_is_told(head: bytes) -> None:
    _, *rest = _members(pack())
    found = verify_pack(container([(MANIFEST, head, head), *rest]))
    assert (found.ok, found.fingerprint) == (False, None)
    assert _checks(found)[0][0] == MANIFEST


def test_an_answer_nested_without_end_is_refused_and_not_followed() -> None:
    data = pack()
    parts = {name: body for name, body, _ in _members(data)[1:]}
    manifest = read_manifest(open_pack(data).members[0].packed)
    for depth in (400, 3_000, 100_000):
        deep = b"[" * depth + b"]" * depth
        assert not verify_pack(seal_pack(manifest, parts | {"result.json": deep})).ok


def test_a_pack_of_another_format_and_version_is_told() -> None:
    data = pack()
    head = open_pack(data).members[0].packed
    manifest = read_manifest(head).model_copy(update={"format": "youju-pack/2"})
    told = document(manifest.with_seal().model_dump(mode="json"))
    found = verify_pack(container([(MANIFEST, told, told), *_members(data)[1:]]))
    assert _checks(found) == [(MANIFEST, "format")]


def test_a_pack_without_its_report_is_told_and_nothing_is_held_against_it() -> None:
    data = pack()
    parts = {name: body for name, body, _ in _members(data)[1:]}
    report = parts.pop("report.md")
    manifest = read_manifest(open_pack(data).members[0].packed)
    found = verify_pack(seal_pack(manifest, parts), [Beside("mine.md", report)])
    assert ("report.md", "part_missing") in _checks(found)
    # Nothing is held against a pack that does not hold itself.
    assert not found.ok
    assert not [one for one in found.failures if one.place == "mine.md"]


def test_another_version_may_write_otherwise_and_that_is_a_note() -> None:
    data = pack()
    parts = {name: body for name, body, _ in _members(data)[1:]}
    parts["report.md"] = parts["report.md"].replace("## 出处".encode(), "## 来源".encode())
    parts[LINES] = line_digests({name: body for name, body in parts.items() if name != LINES})
    manifest = read_manifest(open_pack(data).members[0].packed)
    assert not verify_pack(seal_pack(manifest, parts)).ok
    older = verify_pack(seal_pack(manifest.model_copy(update={"tool": "youju 0.0.9"}), parts))
    assert older.ok
    assert any("证据包里的报告 · 第" in note.zh for note in older.notes)


# Cells and lines, by value.


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("1.5", "1.50"),
        ("1e10", "10000000000"),
        ("1E+10", "10000000000.0"),
        ("-0.0", "0"),
        ("1,234.5", "1234.5"),
        ("2017-05-25", "2017/5/25"),
        ("a\r\nb", "a\nb"),
    ],
)
def test_the_same_in_another_spelling_is_no_difference(one: str, two: str) -> None:
    assert same_cell(one, two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("1.5", "1.51"),
        ("000001", "1"),
        ("1.5", "-1.5"),
        ("2017-05-25", "2017-05-26"),
        ("1.5%", "1.5"),
        ("", "0"),
        ("abc", "abd"),
        ("1e999999999", "1e99"),
    ],
)
def test_another_value_is_a_difference(one: str, two: str) -> None:
    assert not same_cell(one, two)
    assert number_of("9" * 100) is None


def test_a_spreadsheet_keeps_fifteen_digits() -> None:
    assert same_saved("16716637115.839243", "16716637115.8392")
    assert same_saved("42.38902781358685", "42.3890278135869")
    assert not same_saved("16716637115.839243", "16716637115.84")
    assert not same_saved("31.51", "31.52")


def test_a_table_saved_by_another_program_is_the_same() -> None:
    wanted = read_csv('\ufeff"symbol","pe","pe_claim_id"\r\n"600519.SH",31.50,"c_1"\r\n'.encode())
    got = read_csv(b"symbol,pe,pe_claim_id\n600519.SH,31.5,c_1\n")
    assert wanted is not None
    assert got is not None
    found = compare_tables("x.csv", wanted, got)
    assert (found.faults, found.count) == ([], 1)


def test_rows_and_columns_that_are_lost_or_spare_are_named() -> None:
    wanted = read_csv(b"symbol,pe,pe_claim_id\nA,1,c_1\nB,2,c_2\nC,3,c_3\n")
    lost = read_csv(b"symbol,pe,pe_claim_id\nA,1,c_1\nC,3,c_3\n")
    spare = read_csv(b"symbol,pe,pe_claim_id,x\nA,1,c_1,\nB,2,c_2,\nC,3,c_3,\nD,4,c_4,\n")
    moved = read_csv(b"pe,symbol,pe_claim_id\n3,C,c_3\n2,B,c_2\n1,A,c_1\n")
    assert wanted is not None
    told = [(one.place, one.check) for one in compare_tables("x.csv", wanted, lost).faults]
    assert told == [("x.csv row 2: B", "row_missing")]
    told = [(one.place, one.check) for one in compare_tables("x.csv", wanted, spare).faults]
    assert told == [("x.csv column x", "column_extra"), ("x.csv row 4: D", "row_extra")]
    sorted_otherwise = compare_tables("x.csv", wanted, moved)
    assert (sorted_otherwise.faults, sorted_otherwise.reordered) == ([], True)


def test_a_line_of_a_report_names_the_figure_that_differs() -> None:
    wanted = (
        "# A\n\nPE 31.51倍[^1]，PB 1.20倍[^2]\n\n[^1]: 600519.SH pe · x\n[^2]: 600519.SH pb · y\n"
    )
    assert compare_lines("r.md", wanted, wanted.replace("\n", "\r\n") + "\n").faults == []
    (fault,) = compare_lines("r.md", wanted, wanted.replace("1.20", "1.30")).faults
    assert fault.place == "r.md line 3: 600519.SH pb"
    assert "“1.20倍”" in str(fault.reason)
    assert "“1.30倍”" in str(fault.reason)
    (fault,) = compare_lines("r.md", wanted, wanted.replace("PE", "PX\n\nPE")).faults
    assert (fault.place, fault.check) == ("r.md line 3", "line_extra")


@pytest.mark.parametrize(
    ("name", "content", "check"),
    [
        ("x.csv", b"a,b\n1,2\n", "no_such_table"),
        ("x.csv", b'"a\n', "unreadable"),
        ("x.csv", b"\xff\xfea", "unreadable"),
        ("x.md", b"\xff", "unreadable"),
        ("x.xlsx", b"PK", "unreadable"),
        ("x.docx", b"PK", "kind"),
    ],
)
def test_a_file_that_belongs_to_no_part_is_said_to_be_so(
    name: str, content: bytes, check: str
) -> None:
    (failure,) = verify_pack(pack(), [Beside(name, content)]).failures
    assert (failure.place, failure.check) == (name, check)


def test_a_workbook_beside_a_pack_is_held_against_it_cell_by_cell() -> None:
    content = content_of()
    book = paper_xlsx(content.paper, content.by_id, content.trace, MADE_AT)
    same = verify_pack(pack(), [Beside("x.xlsx", book)])
    assert same.failures == ()
    edited = load_workbook(io.BytesIO(book))
    sheet = edited.worksheets[1]
    cell = next(one for row in sheet.iter_rows() for one in row if one.value == 33.84)
    cell.value = 38.34
    buffer = io.BytesIO()
    edited.save(buffer)
    (failure,) = verify_pack(pack(), [Beside("x.xlsx", buffer.getvalue())]).failures
    assert failure.place == f"x.xlsx sheet {sheet.title} {cell.coordinate} (600519.SH)"
    assert "38.34" in str(failure.reason)
