"""What clients must refuse of the recorded bodies, each with its class of error."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from services.core.errors import ChangedError, NoDataError, UnavailableError, YoujuError
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FinancialsRequest,
    NoticesRequest,
    ReportsRequest,
    SpotRequest,
    UniverseRequest,
    ValuationRequest,
)
from services.providers.base import Provider
from services.providers.cninfo import CninfoProvider
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.provider_context import Kit
from services.providers.xueqiu.provider import XueqiuProvider
from tests.contract.recorded import Source, is_recorded, no_rows
from tests.contract.recorded_cases import (
    EM,
    NOTHING,
    QUOTEC,
    flags,
    near_limit,
    session,
    signals_on,
)


@dataclass(frozen=True)
class Refusal:
    """What is asked of whom on which day, and the class of the error."""

    make: Callable[[Kit], Provider]
    bodies: Mapping[str, Source]
    request: FetchRequest
    now: str
    error: type[YoujuError]

    @property
    def paths(self) -> set[str]:
        named = {text for text in self.bodies.values() if isinstance(text, str)}
        return {text for text in named if is_recorded(text)}


def old_shape(name: str, symbol: str) -> Refusal:
    statement = name.split("-")[1]
    bodies = {f"{statement}.json": f"xueqiu/finance_cn/{name}.json", "finance/cn/": no_rows()}
    return Refusal(
        XueqiuProvider, bodies, FinancialsRequest(symbol=symbol), "2018-11-15", ChangedError
    )


def quote_refused(name: str, symbol: str, now: str) -> Refusal:
    bodies = {"stock/get": f"{EM}stock_get/{name}.json"}
    return Refusal(EastmoneyProvider, bodies, SpotRequest(symbol=symbol), now, ChangedError)


def bars_refused(name: str, symbol: str, now: str, error: type[YoujuError]) -> Refusal:
    bodies = {"kline": f"{EM}kline/{name}.json"}
    return Refusal(EastmoneyProvider, bodies, BarsRequest(symbol=symbol), now, error)


def list_refused(name: str, now: str) -> Refusal:
    bodies = {"clist": f"{EM}clist/{name}.json", "stock/get": session("000001", now)}
    return Refusal(EastmoneyProvider, bodies, UniverseRequest(market="CN"), now, ChangedError)


MOUTAI = SpotRequest(symbol="600519.SH")
MOUTAI_VALUE = ValuationRequest(symbol="600519.SH")
REFUSALS: Mapping[str, Refusal] = {
    "two-quotes-for-one": Refusal(
        XueqiuProvider,
        {"quotec": f"{QUOTEC}sz300750-sh600519-2024-08-01.json"},
        MOUTAI,
        "2024-08-01T15:40",
        ChangedError,
    ),
    "unknown-symbol": Refusal(
        XueqiuProvider,
        {"quotec": f"{QUOTEC}unknown-symbol-2026-05-03.json"},
        MOUTAI,
        "2026-05-03",
        NoDataError,
    ),
    "empty-body": Refusal(
        XueqiuProvider,
        {"quotec": f"{QUOTEC}empty-body-2026-05-03.txt"},
        MOUTAI,
        "2026-05-03",
        UnavailableError,
    ),
    "old-indicator": old_shape("sz002027-indicator-2018-old-shape", "002027.SZ"),
    "old-income": old_shape("sz300251-income-2018-old-shape", "300251.SZ"),
    "old-balance": old_shape("sz300251-balance-2018-old-shape", "300251.SZ"),
    "no-klines": bars_refused(
        "688622-no-klines-2024-11-05", "688622.SH", "2024-11-05T18:00", UnavailableError
    ),
    "no-bars": bars_refused("000300-no-bars-2021-08-22", "000300.SH", "2021-08-22", NoDataError),
    "rc100": bars_refused("rc100-data-null", "600519.SH", "2025-01-05", NoDataError),
    "rc102": bars_refused("rc102-data-null", "600519.SH", "2026-01-05", NoDataError),
    "quote-without-time": quote_refused("601238-2022", "601238.SH", "2022-05-24T16:00"),
    "quote-without-time-2": quote_refused("000001-2022-02-14", "000001.SZ", "2022-02-14T16:00"),
    "quote-without-price": quote_refused("002195-2023-01-17", "002195.SZ", "2023-01-17T10:40"),
    "quote-of-tesla": quote_refused("TSLA-unscaled-2025-09", "TSLA", "2025-09-23T12:00"),
    "list-without-industry": list_refused("sh-main-by-change-2024-08-08", "2024-08-08T18:00"),
    "list-without-market": list_refused("with-delisted-2026-07-08", "2026-07-08T08:00"),
    "balance-unannounced": Refusal(
        EastmoneyProvider,
        {"BALANCE": f"{EM}datacenter/RPT_DMSK_FN_BALANCE-2026.json", "LICO": NOTHING},
        ReportsRequest(period="1991_Q4"),
        "2026-06-22",
        NoDataError,
    ),
    "nothing-there": Refusal(
        EastmoneyProvider,
        {"datacenter": NOTHING},
        FinancialsRequest(symbol="600519.SH"),
        "2026-10-02",
        NoDataError,
    ),
    "no-such-report": Refusal(
        EastmoneyProvider,
        {"datacenter": f"{EM}datacenter/error-9501.json"},
        MOUTAI_VALUE,
        "2026-10-02",
        ChangedError,
    ),
    "busy": Refusal(
        EastmoneyProvider,
        {"datacenter": f"{EM}datacenter/error-9701-busy.json"},
        MOUTAI_VALUE,
        "2026-09-02",
        UnavailableError,
    ),
    "pool-of-another-day": Refusal(
        EastmoneyProvider,
        flags(
            "getTopicZTPool",
            f"{EM}limit_pool/another-day-2026-07-08.json",
            "002841",
            "2026-07-07",
        ),
        signals_on("002841.SZ", "2026-07-07"),
        "2026-07-08T18:00",
        UnavailableError,
    ),
    "pool-is-empty": Refusal(
        EastmoneyProvider,
        flags("getTopicZTPool", f"{EM}limit_pool/rc102-empty.json", "002841", "2026-07-07"),
        signals_on("002841.SZ", "2026-07-07"),
        "2026-07-08T18:00",
        NoDataError,
    ),
    "moves-of-one-page": Refusal(
        EastmoneyProvider,
        {
            "kline": near_limit("688047", "2024-03-01", 0),
            "getAllStockChanges": f"{EM}changes/two-rows-2024.json",
        },
        signals_on("688047.SH", "2024-03-01"),
        "2024-03-01T18:00",
        UnavailableError,
    ),
    "no-notices": Refusal(
        CninfoProvider,
        {
            "szse_stock": "cninfo/szse_stock/three.json",
            "hisAnnouncement": "cninfo/hisAnnouncement/none.json",
        },
        NoticesRequest(symbol="000001.SZ"),
        "2020-09-05",
        NoDataError,
    ),
}
