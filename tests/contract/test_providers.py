"""Every provider keeps the contract; one class a line of PROVIDERS."""

from datetime import date, datetime

from services.core.clock import BEIJING, FixedClock
from services.core.requests import (
    BarsRequest,
    FinancialsRequest,
    ForecastRequest,
    PeersRequest,
    ScreenRequest,
    SpotRequest,
    SummaryRequest,
    ValuationRequest,
)
from services.providers.base import Provider
from services.providers.registry import PROVIDERS
from tests.contract.provider_contract import ProviderContract
from tests.unit.market.bundled import bundle


class TestSnapshot(ProviderContract):
    """The bundled snapshot, as it is shipped."""

    name = "snapshot"
    clock = bundle().clock
    provider = PROVIDERS["snapshot"](bundle().tables, bundle().clock)
    answered = (
        ScreenRequest(market="CN", order_by="market_cap", size=50),
        ScreenRequest(market="HK", order_by="pettm", size=50),
        ValuationRequest(symbol="600519.SH"),
        ValuationRequest(symbol="00700.HK"),
        BarsRequest(symbol="000002.SZ"),
        BarsRequest(symbol="HSI", start=date(2016, 1, 1), end=date(2016, 12, 31)),
        FinancialsRequest(symbol="002594.SZ"),
        SummaryRequest(market="CN"),
        PeersRequest(symbol="600036.SH"),
    )
    refused = (
        SpotRequest(symbol="600519.SH"),
        ForecastRequest(symbol="600519.SH"),
        ValuationRequest(symbol="999999.SZ"),
        ValuationRequest(symbol="000001.SH"),
        ValuationRequest(symbol="AAPL"),
        BarsRequest(symbol="601398.SH"),
        BarsRequest(symbol="600519.SH", start=date(1999, 1, 1), end=date(1999, 12, 31)),
        FinancialsRequest(symbol="600519.SH", periods=("1999_Q4",)),
        PeersRequest(symbol="999999.SZ"),
        ScreenRequest(market="CN", industry="没有这个行业"),
    )

    def earlier(self) -> tuple[Provider, date]:
        clock = FixedClock(datetime(2017, 3, 31, 16, 30, tzinfo=BEIJING))
        return PROVIDERS["snapshot"](bundle().tables, clock), date(2017, 3, 31)


def test_every_line_of_providers_is_held_to_the_contract() -> None:
    assert {held.name for held in (TestSnapshot,)} == set(PROVIDERS)
