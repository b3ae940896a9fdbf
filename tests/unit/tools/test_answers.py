"""What an answer says beside its figures: the formula of an estimate, the day of a move."""

from collections.abc import Iterator
from typing import Any

import pytest

from services.container import Services, build_services
from services.settings import load_settings
from tests.prepared import prepared


@pytest.fixture(scope="module")
def youju(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    store = prepared(tmp_path_factory.mktemp("answers") / "youju.duckdb")
    services = build_services(load_settings({"YOUJU_STORE": store}))
    yield services
    services.close()


def _screen(youju: Services, **given: Any) -> dict[str, Any]:
    arguments = {"usage": "stock-screener", "pettm": "0_max", "netprofit": "0_max", **given}
    return youju.toolbox.call("knowledge", arguments, session_id="s_test").to_json()["result"]


def test_an_estimate_names_its_formula_beside_the_figure(youju: Services) -> None:
    result = _screen(youju, pelyr="33.84_33.85", pb="7.1_7.2", size=1)
    assert result["list"][0]["symbol"] == "600519.SH"
    assert result["derived"]["list[0].roediluted"].startswith("pb / pe_lyr * 100（推算 PB/PE")
    assert (
        result["derived"]["list[0].netprofit"]
        == "market_cap / pe_lyr（推算 总市值/市盈率(LYR)，±0.1%）"
    )
    assert "list[0].pelyr" not in result["derived"]


def test_a_move_says_its_own_day_beside_the_valuation_day(youju: Services) -> None:
    # The source's last bar of 000002 is of 2017-07-20, its valuation of 2017-05-25.
    result = _screen(youju, pelyr="10.08_10.09", pb="1.86_1.87", order_by="pct", size=1)
    row = result["list"][0]
    assert (row["symbol"], row["as_of"], row["pct_as_of"]) == (
        "000002.SZ",
        "2017-05-25",
        "2017-07-20",
    )
