"""`check` of what `ask`, `tool` and `report` print, as it is; names and times are the answer's."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.commands import main
from tests.blocks import block_of, blocks

pytestmark = pytest.mark.usefixtures("bundled_store")

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
        ("tool", "peer_compare", '{"symbol": "600519", "market": "CN"}'),
        ("report", "600036", "--by-rule"),
        ("report", "00700", "--by-rule"),
        ("report", "000002", "--by-rule", "--lang", "en"),
        ("report", "AAPL", "--by-rule", "--lang", "en"),
    ],
)
def test_what_is_printed_passes_as_it_is(
    argv: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _checked(capsys, tmp_path, _printed(capsys, *argv)) == []


_QUESTIONS = Path(__file__).parents[1] / "questions"
_BLOCKS = 3
# Every way to tell that was refused once: runs of prices, companies told without a figure, days
# without an event, periods without a figure, a suspension, limits of rules, two listings, places.
_TOLD = (
    "上证指数最近半年的走势",
    "腾讯今年以来的股价走势图",
    "市值最大的房地产公司",
    "医药股前20按市值",
    "营业收入排名前5的汽车公司",
    "市盈率小于20，按ROE降序",
    "腾讯三天内的异动",
    "招行最近怎么跌了",
    "600519.SH ROE for FY2015",
    "乐视网近一年异常波动",
    "中车2015年上半年暴涨原因",
    "万科A 2015-12-01到2015-12-18 为什么暴涨",
    "大盘2015年6月为什么暴跌",
    "茅台同行对比",
    "show me 600519 revenue and net profit",
    "涨幅榜前20",
    "A股和港股里市盈率低于5倍的银行股",
    "top 10 A-shares by net profit",
    "A股的招行和港股的招行 市盈率差多少",
)


def _lines(capsys: pytest.CaptureFixture[str], tmp_path: Path, *argv: str) -> list[Answer]:
    """What a command answers to each of these lines."""
    *words, lines = argv
    file = tmp_path / "lines.jsonl"
    file.write_text(lines, encoding="utf-8")
    capsys.readouterr()
    assert main([*words, "--batch", str(file)]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("block", blocks(_BLOCKS))
def test_many_answers_pass_as_they_are(
    block: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = block_of(_TOLD, block, _BLOCKS)
    asked = [{"text": one, "session": f"t{number}"} for number, one in enumerate(kinds)]
    files = [one.read_text("utf-8").splitlines() for one in sorted(_QUESTIONS.glob("*.jsonl"))]
    for line in block_of([line for lines in files for line in lines[::30]], block, _BLOCKS):
        row = json.loads(line)
        asked += [{"text": one["text"], "session": row["id"]} for one in row["turns"]]
    told = "\n".join(json.dumps(one) for one in asked)
    answers = [one for one in _lines(capsys, tmp_path, "ask", told) if "claims" in one]
    assert len(answers) > 50 / _BLOCKS
    assert {one["turn"]["user_query"] for one in answers} >= set(kinds)
    verdicts = _lines(capsys, tmp_path, "check", "\n".join(json.dumps(one) for one in answers))
    refused = {
        answer["text"]: verdict
        for answer, verdict in zip(answers, verdicts, strict=True)
        if not verdict["ok"]
    }
    assert refused == {}


@pytest.mark.parametrize(
    ("given", "wrong", "check"),
    [
        ("腾讯三天内的异动", ("2017-07-23", "1999-07-23"), "period"),
        ("600519.SH ROE for FY2015", ("FY2015", "FY2013"), "period"),
        ("上证指数最近半年的走势", ("2.99%", "3.99%"), "value"),
        ("上证指数最近半年的走势", ("2017-01-25 的", "2016-01-25 的"), "another_text"),
        ("招商银行(600036.SH)近60个交易日涨跌幅", ("上涨", "下跌"), "another_text"),
    ],
)
def test_what_was_changed_in_such_an_answer_is_found(
    given: str,
    wrong: tuple[str, str],
    check: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = _printed(capsys, "ask", given)
    answer["text"] = answer["text"].replace(*wrong)
    assert check in {one["check"] for one in _checked(capsys, tmp_path, answer)}


def test_a_figure_changed_in_an_answer_or_a_report_is_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = _printed(capsys, "ask", "贵州茅台市盈率")
    answer["text"] = answer["text"].replace("31.51", "30.51")
    # The statement no longer says what is written, and the figure is none of the claims.
    checks = [one["check"] for one in _checked(capsys, tmp_path, answer)]
    assert checks == ["another_text", "value"]
    claim = next(one for one in answer["claims"] if one["metric"] == "pe_ttm")
    told = _checked(capsys, tmp_path, answer)[1]["claim"]
    assert told["claim_id"] == claim["claim_id"]
    assert told.items() <= claim.items()
    assert {"metric", "value", "as_of", "period"} <= told.keys()
    answer["claims"][0]["value"] = 1.5
    named = {
        one["claim"]["claim_id"]
        for one in _checked(capsys, tmp_path, answer)
        if "claim_index" in one
    }
    assert answer["claims"][0]["claim_id"] in named
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
