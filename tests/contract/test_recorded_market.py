"""The whole mainland list of 2025-10-17, played as Eastmoney's pages: which rows are companies."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas
import pytest

from services.core.clock import BEIJING
from services.core.requests import UniverseRequest
from services.providers.eastmoney.provider import EastmoneyProvider
from tests.contract.recorded import play
from tests.fakes.server import Asked

LISTS = Path(__file__).parents[3] / "shared" / "data" / "market2025" / "lists.parquet"
pytestmark = pytest.mark.skipif(not LISTS.is_file(), reason="no recorded market on this machine")
CODES = {
    "最新价": "f2",
    "涨跌幅": "f3",
    "成交量": "f5",
    "成交额": "f6",
    "总市值": "f20",
    "流通市值": "f21",
    "市净率": "f23",
}


def the_list() -> pandas.DataFrame:
    """A row a name and a column a figure, both as text; a missing figure is null."""
    told = pandas.read_parquet(LISTS, filters=[("table", "==", "stock_zh_a_spot_em")])
    return told.pivot_table(
        index=["symbol", "name"], columns="field", values="raw", aggfunc="first"
    ).reset_index()


def as_clist(row: Any) -> dict[str, Any]:
    code, _, venue = row["symbol"].partition(".")
    figures = {
        field: json.loads(row[name]) if isinstance(row[name], str) else "-"
        for name, field in CODES.items()
    }
    told = {"f12": code, "f13": int(venue == "SH"), "f14": row["name"], "f100": "-", "f115": "-"}
    return told | figures


def test_delisted_names_of_a_real_market_are_no_companies_and_suspended_ones_are() -> None:
    listed = the_list()
    records: list[Any] = listed.to_dict("records")
    rows = sorted(map(as_clist, records), key=lambda row: row["f12"])

    def page(asked: Asked) -> str:
        first = (int(asked.query["pn"]) - 1) * 100
        shown = rows[first : first + 100]
        return json.dumps({"rc": 0, "data": {"total": len(rows), "diff": shown}})

    at = int(datetime(2025, 10, 17, 15, 30, tzinfo=BEIJING).timestamp())
    index = json.dumps({"rc": 0, "data": {"f57": "000001", "f86": at}})
    bodies = {"clist": page, "stock/get": index}
    (part,) = play(EastmoneyProvider, bodies, UniverseRequest(market="CN"), "2025-10-17T18:00")
    priceless = [row for row in records if not isinstance(row["最新价"], str)]
    valued = {row["symbol"] for row in priceless if isinstance(row["总市值"], str)}
    assert (len(records), len(priceless), len(valued)) == (5763, 330, 12)
    gone = {row["symbol"] for row in priceless} - valued
    # A bond of Beijing that may be changed into shares stands in the list of shares.
    assert set(part.labels) == {row["symbol"] for row in records} - gone - {"810011.SZ"}
    # What is suspended has its size and no price of the day.
    metrics = {fact.metric for fact in part.rows if fact.symbol == "001206.SZ"}
    assert "market_cap" in metrics
    assert "close" not in metrics
