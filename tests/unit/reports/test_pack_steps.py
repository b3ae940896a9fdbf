"""The five steps of a verdict, and the file to try it with."""

import pytest

from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.demo import change_report
from services.evidence_pack.parts import REPORT
from services.evidence_pack.steps import STEPS, steps_of
from services.evidence_pack.verify import verify_pack
from tests.contract.packs import forged, parts_of
from tests.unit.reports.pack_samples import pack


def test_of_a_pack_that_holds_every_step_is_asked_but_that_of_files() -> None:
    found = steps_of(verify_pack(pack()), ())
    assert [one.step for one in found] == list(STEPS)
    assert [one.asked for one in found] == [True, True, True, True, False]
    assert sum(one.failures for one in found) == 0


def test_a_changed_file_fails_the_step_of_files_alone() -> None:
    table = Beside("figures.csv", parts_of(pack())["tables/figures.csv"].replace(b"33.84", b"3.84"))
    found = steps_of(verify_pack(pack(), [table]), ["figures.csv"])
    assert [one.failures > 0 for one in found] == [False, False, False, False, True]


def test_a_broken_pack_leaves_the_other_steps_unasked() -> None:
    data = bytearray(pack())
    data[len(data) // 2] ^= 1
    found = steps_of(verify_pack(bytes(data)), ())
    assert found[0].failures > 0
    assert [one.asked for one in found] == [True, False, False, False, False]


def test_a_difference_tells_both_values_and_the_line_of_a_text() -> None:
    before = parts_of(pack())[REPORT].decode()
    lines = before.split("\n")
    at = next(number for number, line in enumerate(lines, 1) if "600519" in line)
    lines[at - 1] = lines[at - 1].replace("600519", "600518", 1)
    report = Beside("copy.md", "\n".join(lines).encode())
    found = verify_pack(pack(), [report]).failures[0]
    assert found.line == at
    assert "600519" in found.wanted
    assert "600518" in found.got


def test_a_report_without_a_figure_cannot_be_changed() -> None:
    with pytest.raises(LookupError):
        change_report(forged(pack(), {REPORT: b"# nothing\n"}), "copy.md")
