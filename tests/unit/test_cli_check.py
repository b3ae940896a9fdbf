"""`check` of what `ask`, `tool` and `report` print, as it is; names and times are the answer's."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.commands import main

Answer = dict[str, Any]


def _printed(capsys: pytest.CaptureFixture[str], *argv: str) -> Answer:
    capsys.readouterr()
    assert main([*argv]) == 0
    return json.loads(capsys.readouterr().out)


def _checked(capsys: pytest.CaptureFixture[str], tmp_path: Path, answer: Answer) -> list[Answer]:
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(answer), encoding="utf-8")
    capsys.readouterr()
    code = main(["check", str(file)])
    verdict = json.loads(capsys.readouterr().out)
    assert (code == 0) == verdict["ok"]
    return verdict["failures"]


@pytest.mark.parametrize(
    "argv",
    [
        ("ask", "贵州茅台市盈率"),
        ("ask", "市盈率小于10的A股"),
        ("tool", "get_fundamentals_info", '{"symbol": "600519", "market": "CN"}'),
        ("report", "600036", "--by-rule"),
        ("report", "AAPL", "--by-rule", "--lang", "en"),
    ],
)
def test_what_is_printed_passes_as_it_is(
    argv: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _checked(capsys, tmp_path, _printed(capsys, *argv)) == []


def test_a_figure_changed_in_an_answer_or_a_report_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = _printed(capsys, "ask", "贵州茅台市盈率")
    answer["text"] = answer["text"].replace("31.51", "30.51")
    assert [one["check"] for one in _checked(capsys, tmp_path, answer)] == ["value"]
    report = _printed(capsys, "report", "600036", "--by-rule")
    shown = report["final_report"]
    shown["summary"] = shown["summary"].replace("市盈率(TTM) 8.67", "市盈率(TTM) 9.67")
    assert [one["text"] for one in _checked(capsys, tmp_path, report)] == ["9.67倍"]


def test_names_of_companies_need_not_be_given(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = _printed(capsys, "ask", "五粮液市盈率")
    given = {"claims": answer["claims"], "trace": answer["trace"]}
    value = next(one["value"] for one in answer["claims"] if one["metric"] == "pe_ttm")
    for said, right in (("五粮液", True), ("三一重工", False)):
        text = f"{said}市盈率(TTM)为{value:.2f}倍。"
        assert (_checked(capsys, tmp_path, given | {"text": text}) == []) == right


def test_a_live_answer_is_judged_by_its_own_times_beside_the_snapshot(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = _printed(capsys, "ask", "贵州茅台市盈率")
    written = json.dumps(answer)
    fetched = answer["claims"][0]["cite"]["fetched_at"]
    later = json.loads(written.replace(fetched, "2026-09-11T15:30:00+08:00"))
    assert _checked(capsys, tmp_path, later) == []
    never = json.loads(written.replace(fetched, "2999-01-01T15:30:00+08:00"))
    assert "not_stale" in {one["check"] for one in _checked(capsys, tmp_path, never)}
