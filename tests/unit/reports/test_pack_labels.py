"""Lies that stand beside the prose: labels, heads, cells, titles, the manifest; every one named.

The liar writes every hash, digest, rendering and the seal anew, so only what contradicts counts.
"""

import io
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from services.core.limits import COMPETENCES
from services.core.record import Record
from services.evidence_pack.build import seal_pack, write_pack
from services.evidence_pack.parts import LINES, PAPER, REPORT, PackSnapshot, document, line_digests
from services.evidence_pack.read_pack import read_manifest
from services.evidence_pack.verify import PackVerdict, verify_pack
from services.evidence_pack.zip_file import is_pack, open_pack
from services.exports.paper import Bullets, Heading, Paper, PaperColumn, PaperLine, Prose
from tests.contract.packs import forged, parts_of
from tests.unit.reports.pack_samples import ABOUT, NOW, PE, content_of, pack, paper_of

LIE = "净利润同比增长 88.8%"
Told = Callable[[], Paper]


def _checks(found: PackVerdict) -> list[tuple[str, str]]:
    assert all(" | " in str(one.reason) for one in found.failures)
    return [(one.place, one.check) for one in found.failures]


def _with(record: Record, **changed: object) -> Any:
    return record.model_copy(update=changed)


def _table(**changed: object) -> Paper:
    """The small paper with its table changed."""
    paper = paper_of()
    return _with(paper, blocks=(*paper.blocks[:-1], _with(paper.blocks[-1], **changed)))


def _row(**cells: object) -> Paper:
    row = paper_of().tables[0].rows[0]
    return _table(rows=(_with(row, cells={**row.cells, **cells}),))


def _columns(*labels: str) -> Paper:
    columns = paper_of().tables[0].columns
    return _table(
        columns=tuple(_with(one, label=label) for one, label in zip(columns, labels, strict=True))
    )


TABLE = "paper.json table figures"
LIES: list[tuple[Told, str, str]] = [
    (
        lambda: paper_of(Prose(line=PaperLine(template=LIE, kind="label"))),
        "block 2",
        "label_figure",
    ),
    (
        lambda: paper_of(Prose(line=PaperLine(template=LIE, kind="outside"))),
        "block 2",
        "label_figure",
    ),
    (lambda: paper_of(Heading(text=LIE)), "block 2", "label_figure"),
    (lambda: paper_of(Bullets(title=LIE, lines=())), "block 2", "label_figure"),
    (
        lambda: paper_of(Prose(line=PaperLine(template="没有数字。", marks=(LIE,)))),
        "block 2",
        "label_figure",
    ),
    (lambda: _with(paper_of(), title=f"贵州茅台 {LIE}"), "title", "label_figure"),
    (lambda: _with(paper_of(), title="贵州茅台 " + "8" * 30_000), "title", "too_long"),
    (lambda: _table(title=LIE), "table figures title", "label_figure"),
    (lambda: _table(note=LIE), "table figures, note", "label_figure"),
    (lambda: _columns("代码", "增长 88.8%"), "table figures column pe_lyr", "label_figure"),
    (lambda: _columns("代码", "市盈率(TTM)"), "table figures row 1 pe_lyr", "metric_equal"),
    (lambda: _columns("代码", "市净率(MRQ)"), "table figures row 1 pe_lyr", "metric_equal"),
    (lambda: _row(pe_lyr="88.8倍"), "table figures row 1 pe_lyr", "figure_cell"),
    (lambda: _row(symbol="88.8倍"), "table figures row 1 symbol", "label_figure"),
    (lambda: _row(symbol="600\u200b519.SH"), "table figures row 1 symbol", "hidden_character"),
    (lambda: _row(symbol="６00519.SH"), "table figures row 1 symbol", "hidden_character"),
    (lambda: _with(paper_of(), title="贵州茅台 \u202e891"), "title", "hidden_character"),
    (lambda: _with(paper_of(), title="贵州茅台 ٣٣"), "title", "hidden_character"),
]


@pytest.mark.parametrize("at", range(len(LIES)))
def test_a_lie_beside_the_prose_is_named(at: int) -> None:
    told, place, check = LIES[at]
    assert (f"paper.json {place}", check) in _checks(verify_pack(pack(told())))


@pytest.mark.parametrize(
    "sign", ["８８.８%", "٣٣%", "8\u200b8.8%", "\u202e8.88\u202c%", "②倍", "Ⅷ倍", "百分之八十八"]
)
def test_a_figure_in_other_signs_is_a_figure(sign: str) -> None:
    data = pack(paper_of(Prose(line=PaperLine(template=f"贵州茅台净利润增长{sign}。"))))
    assert any(place == "paper.json block 2" for place, _ in _checks(verify_pack(data)))


def test_figures_of_a_rule_of_a_row_or_of_a_post_may_stand_in_a_label() -> None:
    rule = COMPETENCES["limit.main.10"].statement_zh
    lines = tuple(
        PaperLine(template=text, kind="label") for text in (rule, "涨 50%", "33.84 multiple")
    )
    assert verify_pack(pack(paper_of(Bullets(lines=lines)))).failures == ()


def test_what_a_reader_asked_is_theirs_and_said_to_be() -> None:
    paper = _with(paper_of(), kind="ask", title="市盈率低于20倍的公司")
    found = verify_pack(pack(paper))
    assert found.failures == ()
    assert any("20倍" in str(note) for note in found.notes)


def test_a_figure_beside_the_name_of_another_company_or_period_is_named() -> None:
    content = content_of(_row(symbol="五粮液"))
    others = replace(content, names={**content.names, "000858.SZ": ("五粮液",)})
    found = _checks(verify_pack(write_pack(others, ABOUT)))
    assert (f"{TABLE} row 1 pe_lyr", "entity_equal") in found
    # Two figures in the pack, of two periods: one under the head of the other.
    column = PaperColumn(key="y", label="LYR·2015年报", kind="figure")
    older = _with(PE, claim_id="c_0000000000000001", period="LYR_2015")
    paper = _table(columns=(paper_of().tables[0].columns[0], _with(column, key="pe_lyr")))
    two = replace(content_of(paper), claims=(PE, older))
    found = _checks(verify_pack(write_pack(two, ABOUT)))
    assert (f"{TABLE} row 1 pe_lyr", "period_equal") in found


def test_the_title_of_a_page_of_one_company_names_it() -> None:
    found = verify_pack(pack(_with(paper_of(), title="五粮液 个股深度分析")))
    assert _checks(found) == [("paper.json title", "name_equal")]
    assert verify_pack(pack(_with(paper_of(), title="600519.SH"))).ok


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"made_at": NOW - timedelta(days=300)}, "made_at"),
        ({"now": NOW + timedelta(days=300)}, "now"),
        ({"day": date(2017, 7, 27)}, "day"),
        ({"mode": "live"}, "snapshot"),
        ({"snapshot": None}, "snapshot"),
        ({"snapshot": PackSnapshot(name="x", clock=NOW + timedelta(days=1))}, "now"),
    ],
)
def test_a_manifest_that_cannot_be_so_is_told(changed: dict[str, Any], field: str) -> None:
    found = verify_pack(write_pack(content_of(), replace(ABOUT, **changed)))
    assert (f"manifest.json {field}", "manifest_equal") in _checks(found)


def test_a_pack_may_be_written_long_after_the_day_of_its_data() -> None:
    later = replace(ABOUT, made_at=NOW + timedelta(days=3000))
    found = verify_pack(write_pack(content_of(), later))
    assert found.ok
    assert found.manifest is not None
    assert found.manifest.made_at == NOW + timedelta(days=3000)


def test_a_rule_worded_otherwise_is_told_of_this_version_and_noted_of_another() -> None:
    ours = COMPETENCES["limit.main.10"]
    theirs = _with(ours, statement_zh="日涨跌幅没有限制")
    data = write_pack(replace(content_of(), competences=(theirs,)), ABOUT)
    assert _checks(verify_pack(data)) == [("competences.json limit.main.10", "rule_equal")]


def test_another_version_has_no_other_figures() -> None:
    """Whoever calls himself another version may word a report otherwise, and change no figure."""
    data = pack()
    head = read_manifest(open_pack(data).members[0].packed)
    other = _with(head, tool="youju 9.9")
    parts = parts_of(data)
    for old, new, ok in (("## 出处", "## 来源", True), ("33.84倍", "38.34倍", False)):
        told = parts | {REPORT: parts[REPORT].decode().replace(old, new, 1).encode()}
        told[LINES] = line_digests({name: body for name, body in told.items() if name != LINES})
        found = verify_pack(seal_pack(other, told))
        assert found.ok is ok
        assert ok or {check for _, check in _checks(found)} == {"other_figure"}


def test_what_code_did_not_judge_is_listed_by_its_place() -> None:
    data = pack(paper_of(Prose(line=PaperLine(template="涨跌幅来自最近两个收盘。"))))
    found = verify_pack(data)
    assert found.ok
    assert any("证据包里的页面 · 第 2 段" in note.zh for note in found.notes)
    assert any("the page in the pack · passage 2" in note.en for note in found.notes)


@pytest.mark.parametrize("change", ["value", "raw"])
def test_everything_changed_alike_is_another_pack_by_its_fingerprint(change: str) -> None:
    """A row, its claim, the text, the tables and every hash: it agrees with itself. Half of it
    does not.
    """
    content = content_of()
    call = content.trace.tool_calls[0]
    update: dict[str, object] = {"value": 38.34, "raw": "38.34"}
    row = _with(call.rows[0], **update)
    trace = _with(content.trace, tool_calls=(_with(call, rows=(row,)),))
    cite = _with(PE.cite, raw="38.34")
    whole = replace(content, claims=(_with(PE, value=38.34, cite=cite),), trace=trace)
    sent, lied = verify_pack(pack()), verify_pack(write_pack(whole, ABOUT))
    assert lied.ok
    assert lied.fingerprint != sent.fingerprint
    half = replace(content, claims=(_with(PE, value=38.34) if change == "value" else
                                    _with(PE, cite=cite),))  # fmt: skip
    assert not verify_pack(write_pack(half, ABOUT)).ok
    assert not verify_pack(forged(pack(), {REPORT: parts_of(write_pack(whole, ABOUT))[REPORT]})).ok


@pytest.mark.parametrize("how", ["zip64", "encrypted", "symlink", "comment"])
def test_entries_a_pack_never_has_are_refused(how: str) -> None:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for member in open_pack(pack()).members:
            entry = ZipInfo(member.name)
            entry.create_system = 3
            entry.external_attr = (0o120777 if how == "symlink" else 0) << 16
            entry.flag_bits |= how == "encrypted"
            with archive.open(entry, "w", force_zip64=how == "zip64") as file:
                file.write(member.content or b"")
        archive.comment = b"x" if how == "comment" else b""
    data = bytearray(buffer.getvalue())
    if how == "encrypted":
        data[6] |= 1  # ZipFile clears the bit it does not mean itself
    assert is_pack(bytes(data))
    assert "container" in {check for _, check in _checks(verify_pack(bytes(data)))}


def test_a_text_of_ten_megabytes_on_one_line_is_named() -> None:
    paper = paper_of(Prose(line=PaperLine(template="88.8%，" * 1_000_000, kind="label")))
    body = document(paper.model_dump(mode="json"))
    found = verify_pack(forged(pack(), {PAPER: body}))
    assert ("paper.json block 2", "too_long") in _checks(found)
