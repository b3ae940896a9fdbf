"""What live mode has beyond the requirement's tools, each through tool and question, all played."""

from collections.abc import Iterator
from typing import Any

import pytest

from services.container import Services
from services.query.answering.answers import Answered
from tests.fakes import everything
from tests.fakes.server import World
from tests.live.answered import cited, opened

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with everything.world() as running:
        yield running


@pytest.fixture(scope="module")
def youju(world: World) -> Iterator[Services]:
    services = opened(world)
    yield services
    services.close()


def result(youju: Services, name: str, **arguments: Any) -> dict[str, Any]:
    answer = youju.toolbox.call(name, arguments, session_id="s")
    cited(answer)
    found = answer.result
    assert isinstance(found, dict)
    return found


def told(youju: Services, question: str) -> Answered:
    found = youju.query.ask(question, None)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def test_a_periods_multiple_is_told_by_tool_and_question(youju: Services) -> None:
    # 1502.3 × 1256197800 shares over the fake's profit of a year and a fiftieth, at every session.
    found = result(
        youju,
        "xqStockFinancialData",
        symbol="SH600519",
        metrics=["net_profit", "pe_ttm"],
        period="2026_Q3",
    )
    (row,) = found["data"]
    assert row["period"] == "2026_Q3"
    assert row["pe_ttm"] > 0
    assert any("最后一个交易日" in note for note in found["notes"])
    said = told(youju, "贵州茅台2026年三季度的市盈率")
    assert f"{row['pe_ttm']:.2f}倍" in said.text
    (claim,) = (one for one in said.claims if one.metric == "pe_ttm")
    assert claim.as_of.isoformat() == "2026-09-30"
