"""The price among lines: each is one multiple of the report that was known on the day."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pandas as pd
import pytest

from pages.company.channel_chart import draw_channel
from pages.company.palette import palette
from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.views.company.build import SectionRequest
from services.views.company.valuation import Channel, ValuationPart
from tests.unit.market.bundled import FOLDER
from tests.unit.reports.bundled import desk, session

BANK = "600036.SH"
# Earnings a share of the report known on that day, four months after its year (annual_figures.csv);
# what was paid a share after that day: the dividends of 2015 and 2016, of 2016, nothing.
KNOWN = {"2015-09-08": (2.22, 0.69 + 0.74), "2016-09-08": (2.29, 0.74), "2017-07-25": (2.46, 0.0)}


def channel() -> Channel:
    wanted = SectionRequest(tab="valuation", drawn="price")
    part = desk().company(BANK, wanted, session()).part
    assert isinstance(part, ValuationPart)
    return next(one for one in part.channels if one.band.metric == "pe_report")


def traces(found: Channel) -> Mapping[str, Any]:
    drawn = draw_channel(found, palette(), 0).to_plotly_json()["data"]
    return {one["meta"]["label"]: one for one in drawn}


@pytest.mark.parametrize("day", KNOWN)
def test_a_line_is_its_multiple_of_the_report_known_that_day(day: str) -> None:
    found = channel()
    lines = traces(found)
    for word in ("p90", "p75", "median", "p25", "p10"):
        multiple, trace = found.band.told[word], lines[metric_words(f"pe_report_{word}_price").zh]
        assert isinstance(multiple, Claim)
        drawn = trace["y"][trace["x"].index(day)]
        assert drawn == pytest.approx(multiple.value * KNOWN[day][0], rel=1e-6)


@pytest.mark.parametrize("day", KNOWN)
def test_the_price_is_the_close_with_what_was_paid_after_it(day: str) -> None:
    bars = pd.read_parquet(FOLDER / "bars.parquet")
    bars = bars[(bars["symbol"] == BANK) & (pd.to_datetime(bars["date"]) == pd.Timestamp(day))]
    (close,) = bars["close"]
    trace = traces(channel())["股价"]
    drawn = trace["y"][trace["x"].index(day)]
    assert drawn == pytest.approx(close + KNOWN[day][1], abs=1e-6)
    assert date.fromisoformat(trace["x"][-1]) == date(2017, 7, 25)
