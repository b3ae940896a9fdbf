"""`plan` and `ask` on the command line: shapes, sessions, batches, refusals."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.commands import main

pytestmark = pytest.mark.usefixtures("bundled_store")


def _printed(capsys: pytest.CaptureFixture[str], *argv: str) -> list[dict[str, Any]]:
    assert main(argv) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_both_turns_of_the_protocol_through_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (first,) = _printed(capsys, "plan", "查一下茅台的营收", "--session", "sess_001")
    (second,) = _printed(capsys, "plan", "那五粮液呢？", "--session", "sess_001")
    assert set(first) == {"session_id", "turn"}
    assert set(first["turn"]) == {"turn_id", "user_query", "nlir", "plir"}
    nodes = [one["turn"]["nlir"]["nodes"][0] for one in (first, second)]
    assert [node["id"] for node in nodes] == ["node_1", "node_2a"]
    assert [node["outputs"][0]["key"] for node in nodes] == ["var_rev", "var_rev_wu"]
    physical = second["turn"]["plir"]["nodes"][0]
    assert physical["ref_id"] == "turn_01.node_1"
    assert [slot["value"] for slot in physical["args"]] == ["000858.SZ", "latest", "total_revenue"]


def test_an_answer_is_the_plan_with_its_proof(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = _printed(capsys, "ask", "茅台的净利润")
    assert {"session_id", "turn", "text", "claims", "trace", "verification"} <= set(found)
    assert found["text"] == "贵州茅台 2016年报的净利润为 167.17亿元（推算）。"
    assert found["verification"]["ok"] is True
    assert found["trace"]["tool_calls"]


def test_a_question_back_is_an_answer_too(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("plan", "ask"):
        (found,) = _printed(capsys, command, "平安的净利润")
        assert set(found) == {"ask_back"}
        assert found["ask_back"]["reason"]
        assert found["ask_back"]["choices"]


def test_a_batch_goes_on_after_a_line_that_fails(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = [
        {"text": "茅台的营收", "session": "a"},
        {"text": "那五粮液呢", "session": "a"},
        {"words": "茅台"},
        {"text": 5},
        {"text": "茅台的营收"},
    ]
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines))
    found = _printed(capsys, "plan", "--batch", str(file))
    assert [set(one) for one in found] == [
        {"session_id", "turn"},
        {"session_id", "turn"},
        {"error"},
        {"error"},
        {"session_id", "turn"},
    ]
    assert [one["turn"]["turn_id"] for one in found if "turn" in one] == [
        "turn_01",
        "turn_02",
        "turn_01",
    ]


def test_no_text_and_both_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan"]) == 2
    assert main(["ask", "茅台的营收", "--batch", "-"]) == 2
    assert capsys.readouterr().out == ""


def test_a_batch_may_mix_sessions_and_leave_them_open(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = [
        {"text": "茅台的营收", "session": "a"},
        {"text": "腾讯控股的净利润", "session": "b"},
        {"text": "那五粮液呢", "session": "a"},
        {"text": "毛利率呢", "session": "b"},
        {"text": "茅台的营收", "session": "s\n"},
        {"text": "那五粮液呢", "session": None},
    ]
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines) + "\n\n")
    found = _printed(capsys, "ask", "--batch", str(file))
    tickers = [
        one["turn"]["plir"]["nodes"][0]["args"][0]["value"] if "turn" in one else None
        for one in found
    ]
    assert tickers == ["600519.SH", "00700.HK", "000858.SZ", "00700.HK", None, None]
    assert set(found[4]["error"]) == {"type", "message"}
    assert found[4]["error"]["type"] == "InputError"
    assert set(found[5]) == {"ask_back"}
    (last,) = _printed(capsys, "plan", "那平安银行呢", "--session", "b")
    assert last["turn"]["turn_id"] == "turn_03"


def test_a_session_that_is_not_there_yet_is_begun_and_said_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["plan", "茅台的营收", "--session", "new"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["session_id"] == "new"
    assert "new session: new" in told.err
    assert main(["plan", "那五粮液呢", "--session", "new"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("name", ["", " ", "s\x1b[31m", "x" * 65])
def test_an_id_that_is_none_is_bad_input(capsys: pytest.CaptureFixture[str], name: str) -> None:
    for command in ("plan", "ask"):
        assert main([command, "茅台的营收", "--session", name]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert "InputError" in told.err
        assert "\x1b" not in told.err


def test_what_the_snapshot_has_not_is_printed_and_ends_with_three(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["ask", "茅台的公告"]) == 3
    told = capsys.readouterr()
    found = json.loads(told.out)
    assert found["answered"] is False
    assert "快照" in found["text"]
    assert found["verification"]["ok"] is True
    assert "没有数据 NoDataError" in told.err
    assert len(told.err.splitlines()) == 1
    assert main(["plan", "茅台的公告"]) == 0


def test_one_part_that_came_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = _printed(capsys, "ask", "茅台的净利润和公告")
    assert found["answered"] is True


def test_a_figure_that_is_missing_is_an_answer_with_its_reason(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (found,) = _printed(capsys, "ask", "茅台2015年报的毛利率")
    assert "暂缺" in found["text"]
    assert found["answered"] is True


@pytest.mark.parametrize("text", ["长" * 501, "茅台\udc80的营收"])
def test_a_question_nobody_could_read_is_bad_input(
    capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert main(["ask", text]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "text" in told.err
