"""The small pictures of 财务: bars stand on zero, every mark says its value, a gap stays one."""

from decimal import Decimal

import pytest

from pages.company.palette import palette
from pages.company.small_multiples import draw_figure, write_value
from services.views.company.build import SectionRequest
from services.views.company.statements import StatementsPart
from tests.unit.reports.bundled import desk, session


def drawn(symbol: str) -> dict[str, dict]:
    part = desk().company(symbol, SectionRequest(tab="fin"), session()).part
    assert isinstance(part, StatementsPart)
    return {one.metric: draw_figure(one, palette()).to_plotly_json() for one in part.small}


@pytest.mark.parametrize("symbol", ["600036.SH", "002594.SZ", "00700.HK", "000002.SZ"])
def test_bars_stand_on_zero_and_say_their_values(symbol: str) -> None:
    bars = {name: one for name, one in drawn(symbol).items() if one["data"][0]["type"] == "bar"}
    assert len(bars) >= 3
    for one in bars.values():
        low, high = one["layout"]["yaxis"]["range"]
        (trace,) = one["data"]
        known = [value for value in trace["y"] if value is not None]
        assert low <= min(0.0, *known)
        assert low == 0.0 or min(known) < 0
        assert high > max(known)
        told = [float(text.replace(",", "").replace("−", "-")) for text in trace["text"] if text]
        assert told == pytest.approx(known, rel=0.006, abs=0.005)


def test_a_mark_is_rounded_as_the_table_rounds() -> None:
    # Tencent earned 41,095 m in 2016: 410.95 of 亿, and 41.095 bn is told 41.10 everywhere.
    written = [Decimal("41.095"), Decimal("-8.905"), Decimal("410.95"), Decimal("2090.25")]
    assert [write_value(one) for one in written] == ["41.10", "−8.91", "411.0", "2,090"]


def test_a_year_without_a_dividend_keeps_its_place() -> None:
    (trace,) = drawn("002594.SZ")["dps"]["data"]
    assert trace["x"] == ["'13", "'14", "'15", "'16"]
    assert [value is None for value in trace["y"]] == [False, True, True, False]
