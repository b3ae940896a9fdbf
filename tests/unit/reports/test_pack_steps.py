"""The five steps of a verdict, and the file to try it with."""

import csv
from functools import cache, reduce

import pytest

from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.demo import change_report
from services.evidence_pack.parts import REPORT
from services.evidence_pack.steps import STEPS, steps_of
from services.evidence_pack.verify import PackFinding, verify_pack
from services.settings import ROOT
from services.views.company.build import SectionRequest
from services.views.company.joined import join_views
from tests.contract.packs import forged, parts_of
from tests.unit.reports.bundled import desk, session
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


@cache
def _financials() -> bytes:
    return desk().pack(desk().financials("600036.SH", session(), count=3), "zh")


def _reported(year: int, metric: str) -> float:
    with (ROOT / "data" / "annual_figures.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["symbol"] == "600036.SH"]
    found = (row for row in rows if (row["fiscal_year"], row["metric"]) == (str(year), metric))
    return float(next(found)["value"])


def _one_failure(beside: Beside) -> PackFinding:
    (found,) = verify_pack(_financials(), [beside]).failures
    return found


def test_what_a_changed_figure_contradicts_in_the_same_report_is_computed() -> None:
    found = _one_failure(change_report(_financials(), "copy.md"))
    lines = parts_of(_financials())[REPORT].decode().split("\n")
    revenue, before = 309_025_000_000, _reported(2015, "revenue")
    profit = _reported(2016, "net_profit_attr")
    assert found.got == "3,090.25亿元"
    assert [one.would_be for one in found.follows] == [
        f"{100 * (revenue / before - 1):+.2f}%",
        f"{100 * profit / revenue:.2f}%",
    ]
    assert all(one.said in lines[one.line - 1] for one in found.follows)


def test_what_contradicts_it_no_more_is_not_told() -> None:
    changed = change_report(_financials(), "copy.md").content.decode()
    whole = changed.replace("+3.75%", "+53.38%", 1)
    found = verify_pack(_financials(), [Beside("copy.md", whole.encode())]).failures
    revenue = next(one for one in found if "3,090.25" in one.got)
    assert [one.label for one in revenue.follows] == ["净利率"]


def test_what_a_changed_cell_of_a_table_contradicts_is_computed_too() -> None:
    name = "tables/matrix.csv"
    table = parts_of(_financials())[name].decode("utf-8-sig")
    exact = f"{_reported(2016, 'revenue'):.1f}"
    assert exact in table
    found = _one_failure(Beside("matrix.csv", table.replace(exact, "309025000000.0", 1).encode()))
    assert "+53.38%" in [one.would_be for one in found.follows]


def test_a_changed_word_has_no_consequences() -> None:
    text = parts_of(_financials())[REPORT].decode().replace("招商银行", "招行", 1)
    assert _one_failure(Beside("copy.md", text.encode())).follows == ()


def test_several_sections_of_a_company_make_one_pack_that_holds() -> None:
    mine = session()
    sections = [
        desk().company("00700.HK", SectionRequest(tab=tab), mine)
        for tab in ("chart", "fin", "valuation")
    ]
    found = verify_pack(desk().pack(reduce(join_views, sections), "en"))
    assert found.failures == ()
    assert found.manifest is not None
    assert found.manifest.symbols == ("00700.HK",)
