"""The pictures of a report: what they draw are claims, and a pack proves that they are."""

import json
from pathlib import Path
from typing import Any

import pytest
from lxml.html import XHTMLParser, fromstring

from services.agents.results import AgentRunRequest, AgentRunResult
from services.cli.commands import main
from services.core.claims import DerivedCite
from services.core.text import Language
from services.evidence_pack.verify import verify_pack
from services.views.report_charts import ReportChart, chart_svg, charts_of
from tests.contract.packs import edit_document, forged, pack, parts_of
from tests.unit.reports.bundled import services

BANK, PAPER = "600036.SH", "paper.json"


def ran(symbol: str, language: Language = "zh") -> AgentRunResult:
    found = services().analyses.run(AgentRunRequest(symbol=symbol, language=language), "s_test")
    assert isinstance(found, AgentRunResult)
    return found


def charts(found: AgentRunResult, symbol: str = BANK) -> dict[str, ReportChart]:
    language = found.analysis_input.language
    return {one.key: one for one in charts_of(found.claims, found.trace, symbol, language)}


def test_a_bank_with_everything_has_a_picture_of_results_price_and_peers() -> None:
    found = ran(BANK)
    made, claims = charts(found), {one.claim_id: one for one in found.claims}
    assert list(made) == ["results", "price", "peers"]
    revenue = [claims[name].value for name in made["results"].series[0]]
    # Annual reports 2012 to 2016, in millions.
    assert revenue == [113_367e6, 132_604e6, 165_863e6, 201_471e6, 209_025e6]
    assert made["results"].labels == ("2012", "2013", "2014", "2015", "2016")
    assert {claims[name].metric for name in made["price"].series[0]} == {"close"}
    assert "2017-05-12" in {claims[name].as_of.isoformat() for name in made["price"].marks}
    assert made["peers"].own in made["peers"].labels


def test_all_peers_of_the_median_are_drawn_with_day_and_unit_and_the_last_close_at_the_end() -> (
    None
):
    found = ran(BANK)
    claims = {one.claim_id: one for one in found.claims}
    peers, price = charts(found)["peers"], charts(found)["price"]
    median = next(one for one in found.claims if one.metric == "pe_ttm_peer_median")
    assert isinstance(median.cite, DerivedCite)
    others = {one for one in median.cite.inputs if claims[one].symbol != BANK}
    assert others < set(peers.claims)
    assert len(peers.claims) == len(median.cite.inputs) == len(others) + 1 == 10
    assert "2017-05-25 · 倍" in chart_svg(peers, claims, "zh")
    drawn = chart_svg(price, claims, "zh")
    # The newest close is 25.53, the highest 25.71 of the day before.
    assert 'font-weight="700">25.53</text>' in drawn
    assert "元 · 最高 25.71 · 最低" in drawn


def test_the_picture_of_eight_peers_of_a_pack_of_before_is_proved() -> None:
    whole = pack("report", "zh", "600036")
    found = ran(BANK)
    before = {
        one.key: one for one in charts_of(found.claims, found.trace, BANK, "zh", former=True)
    }["peers"]
    assert len(before.claims) == 9

    def fewer(paper: Any) -> None:
        chart = next(one for one in paper["blocks"] if one.get("key") == "peers")
        drawn = list(chart["series"][0])
        kept = [at for at, label in enumerate(chart["labels"]) if label in before.labels]
        chart["labels"] = [chart["labels"][at] for at in kept]
        chart["series"] = [[drawn[at] for at in kept]]

    made = forged(whole, {PAPER: edit_document(parts_of(whole)[PAPER], fewer)})
    assert "chart_equal" not in {one.check for one in verify_pack(made).failures}


def test_what_there_is_no_data_for_is_not_drawn() -> None:
    assert list(charts(ran("600519.SH"), "600519.SH")) == ["peers"]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_picture_is_well_formed_and_loads_nothing(language: Language) -> None:
    found = ran(BANK, language)
    claims = {one.claim_id: one for one in found.claims}
    for one in charts(found).values():
        drawn = chart_svg(one, claims, language)
        tree = fromstring(drawn, parser=XHTMLParser())
        assert tree.findtext("{http://www.w3.org/2000/svg}title") == one.title
        assert "href" not in drawn
        assert "script" not in drawn
    bars = chart_svg(charts(found)["results"], claims, language)
    assert ("2,090亿元" if language == "zh" else "209 bn CNY") in bars


def test_a_changed_picture_of_a_pack_is_named() -> None:
    whole = pack("report")

    def turned(paper: Any) -> None:
        chart = next(one for one in paper["blocks"] if one["block"] == "chart")
        chart["series"][0].reverse()

    def unknown(paper: Any) -> None:
        chart = next(one for one in paper["blocks"] if one["block"] == "chart")
        chart["series"][0][0] = "c_0123456789abcdef"

    def titled(paper: Any) -> None:
        chart = next(one for one in paper["blocks"] if one["block"] == "chart")
        chart["title"] = "史上最低估值"

    for change, check in ((turned, "chart_equal"), (titled, "chart_equal")):
        lie = forged(whole, {PAPER: edit_document(parts_of(whole)[PAPER], change)})
        assert check in {one.check for one in verify_pack(lie).failures}
    lie = forged(whole, {PAPER: edit_document(parts_of(whole)[PAPER], unknown)})
    assert not verify_pack(lie).ok


def test_the_command_line_writes_the_pictures_beside_the_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = tmp_path / "bank.md"
    assert main(["report", BANK, "--markdown", str(told)]) == 0
    assert json.loads(capsys.readouterr().out)["kind"] == "report"
    text = told.read_text("utf-8")
    for key in ("results", "price", "peers"):
        assert f"](bank-{key}.svg)" in text
        assert (tmp_path / f"bank-{key}.svg").read_text("utf-8").startswith("<svg")
    assert text.index("## 关键点") < text.index("bank-results.svg") < text.index("## 值得核对")
