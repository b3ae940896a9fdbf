"""`report` on the command line: what it prints, writes and ends with."""

import json
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from services.agents.results import AgentRunResult
from services.cli.commands import main
from services.core.clock import BEIJING
from services.core.text import Text
from tests.chance import stands
from tests.fakes.models import ModelServer, as_json

LIE = {"summary": "市盈率(TTM)为 5 倍。", "key_points": ["净利润同比增长 88.8%。"]}


pytestmark = pytest.mark.usefixtures("bundled_store")


def _run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = main(["report", *argv])
    told = capsys.readouterr()
    return code, told.out, told.err


def _document(out: str) -> dict[str, Any]:
    (line,) = out.splitlines()
    return json.loads(line)


def _without_pictures(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("![")]


def test_a_report_is_printed_whole_and_written_as_markdown(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "report.md"
    code, out, err = _run(capsys, "贵州茅台", "--question", "贵不贵", "--markdown", str(file))
    assert code == 0
    found = AgentRunResult.model_validate(_document(out))
    assert (found.kind, found.analysis_input.symbol) == ("report", "600519.SH")
    assert found.analysis_input.question == "贵不贵"
    assert found.runtime_draft.runtime == "builtin"
    assert 0 <= found.confidence <= 100
    assert found.claims
    assert found.trace.tool_calls
    pictures = re.findall(
        r"\n!\[[^]]+\]\((report-\w+\.svg)\)\n", written := file.read_text("utf-8")
    )
    assert pictures
    assert all((tmp_path / one).read_text("utf-8").startswith("<svg") for one in pictures)
    assert _without_pictures(written) == _without_pictures(found.final_report.markdown)
    # pe_s_d 33.84/31.51, told to three digits as prose is
    assert "市盈率(TTM) 31.5倍[^" in found.final_report.markdown
    assert "get_fundamentals_info 基本面 | fundamentals · " in err
    assert "每个数字都已核对" in err
    made = datetime.fromisoformat(_document(out)["made_at"])
    assert made.year >= 2026  # by real time: the clock of the data stands in 2017
    assert f"撰写时间: {made.astimezone(BEIJING):%Y-%m-%dT%H:%M}" in found.final_report.markdown


def test_a_report_in_english(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = _run(capsys, "600519", "--lang", "en", "--by-rule")
    found = AgentRunResult.model_validate(_document(out))
    assert code == 0
    assert "P/E (TTM) 31.5 x" in found.final_report.summary
    assert found.runtime_draft.note == Text("按要求由规则撰写", "written by rule, as asked for")


def test_a_model_of_no_use_leaves_the_report_of_the_rules_and_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(as_json(LIE), as_json(LIE)) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        code, out, _ = _run(capsys, "600519")
    assert code == 0
    found = AgentRunResult.model_validate(_document(out))
    assert found.runtime_draft.runtime == "builtin"
    assert "模型的回答两次都不能用" in str(found.runtime_draft.note)
    assert not stands("88.8", out)


def test_without_any_data_it_ends_with_three_after_the_report(
    capsys: pytest.CaptureFixture[str],
) -> None:
    # Of Oracle the bundled market has the name and the industry, and no figure.
    code, out, err = _run(capsys, "ORCL")
    found = AgentRunResult.model_validate(_document(out))
    assert code == 3
    assert found.analysis_input.symbol == "ORCL"
    assert found.claims == ()
    assert "NoDataError" in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((), "symbol"),
        (("平安",), "several match"),
        (("NOSUCH",), "NOSUCH"),
        (("000001.SH",), "an index has no reports"),
        (("600519", "--skill", "poetry"), "stock_analysis (stock)"),
        (("600519", "--lang", "fr"), "zh | en"),
        (("600519", "--question", "长" * 501), "up to 500 characters"),
    ],
)
def test_bad_input_ends_with_two_and_prints_nothing(
    capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], said: str
) -> None:
    code, out, err = _run(capsys, *argv)
    assert (code, out) == (2, "")
    assert said in err


def test_a_file_that_cannot_be_written_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, err = _run(capsys, "600519", "--markdown", str(tmp_path / "no" / "such.md"))
    assert code == 2
    assert _document(out)["kind"] == "report"
    assert "--markdown" in err


def test_a_wrong_setting_of_the_analysis_is_named_there_and_by_doctor(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("agent: {max_tool_iterations: -1}", encoding="utf-8")
    monkeypatch.setenv("YOUJU_AGENT_SETTINGS", str(file))
    code, out, err = _run(capsys, "600519")
    assert (code, out) == (2, "")
    assert "YOUJU_AGENT_SETTINGS: mine.yaml, agent.max_tool_iterations" in err
    assert main(["doctor"]) != 0
    state = json.loads(capsys.readouterr().out)
    assert state["ok"] is False
    assert state["analysis"]["state"] == "unusable"
    assert "max_tool_iterations" in state["analysis"]["message"]


def test_doctor_tells_the_runtime_in_force(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("agent: {runtime: action_json}", encoding="utf-8")
    monkeypatch.setenv("YOUJU_AGENT_SETTINGS", str(file))
    assert main(["doctor"]) == 0
    assert json.loads(capsys.readouterr().out)["analysis"]["runtime"] == "action_json"
    monkeypatch.setenv("LLM_RUNTIME", "openai_tools")
    assert main(["doctor"]) == 0
    assert json.loads(capsys.readouterr().out)["analysis"]["runtime"] == "openai_tools"
