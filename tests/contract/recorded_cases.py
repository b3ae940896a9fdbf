"""What clients must read in the recorded bodies, to the digit the index gives."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from services.core.clock import BEIJING
from services.core.requests import (
    BarsRequest,
    DatedValuationsRequest,
    FetchRequest,
    FinancialsRequest,
    FlowRequest,
    ForecastRequest,
    ReportsRequest,
    SignalsRequest,
    SpotRequest,
    UniverseRequest,
    ValuationRequest,
)
from services.providers.base import Provider
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.provider_context import Kit
from services.providers.tushare.provider import TushareProvider
from services.providers.xueqiu.provider import XueqiuProvider
from tests.contract.recorded import Source, is_recorded, recorded
from tests.fakes.server import Asked


@dataclass(frozen=True)
class Case:
    """What is asked of whom on which day, and the figures of one symbol, day and period."""

    make: Callable[[Kit], Provider]
    bodies: Mapping[str, Source]
    request: FetchRequest
    now: str
    symbol: str
    as_of: date
    # As `close 20.86 CNY; pb 0.9 multiple`.
    figures: str
    period: str | None = None
    absent: frozenset[str] = frozenset()
    # Bodies that are served through a function.
    through: tuple[str, ...] = ()

    @property
    def paths(self) -> set[str]:
        named = {text for text in self.bodies.values() if isinstance(text, str)}
        return {text for text in named if is_recorded(text)} | set(self.through)


QUOTEC, QUOTE = "xueqiu/quotec/", "xueqiu/quote/"
EM = "eastmoney/"
NOTHING = f"{EM}datacenter/error-9201-2026-10-02.json"
NO_DATA = json.dumps({"rc": 0, "data": None})


def near_limit(code: str, day: str, change: int) -> str:
    """A daily line ten percent up or down, so that the pools are asked, or flat."""
    close, high, low = 10 + change, 10 + max(change, 0), 10 + min(change, 0)
    line = f"{day},10,{close},{high},{low},1000,1100000,10,{change * 10},{change},1"
    return json.dumps({"rc": 0, "data": {"code": code, "klines": [line]}})


def flags(pool: str, path: str, code: str, day: str, change: int = 1) -> Mapping[str, Source]:
    return {
        "kline": near_limit(code, day, change),
        pool: path,
        "Pool": f"{EM}limit_pool/rc102-empty.json",
        "getAllStockChanges": NO_DATA,
        "BILLBOARD": NOTHING,
    }


def on_list(code: str, path: str, day: str) -> Mapping[str, Source]:
    return {"kline": near_limit(code, day, 0), "getAllStockChanges": NO_DATA, "BILLBOARD": path}


def signals_on(symbol: str, day: str) -> SignalsRequest:
    return SignalsRequest(symbol=symbol, start=date.fromisoformat(day), end=date.fromisoformat(day))


def session(code: str, at: str) -> str:
    """The quote of the index or share that tells of which session a list without times is."""
    seconds = int(datetime.fromisoformat(at).replace(tzinfo=BEIJING).timestamp())
    return json.dumps({"rc": 0, "data": {"f57": code, "f86": seconds}})


def one_code(path: str) -> Callable[[Asked], str]:
    """A recorded table of Tushare cut to the code asked, as the service does."""

    def answer(asked: Asked) -> str:
        document: Any = json.loads(recorded(path))
        wanted = asked.json()["params"]["ts_code"]
        data = document["data"]
        data["items"] = [row for row in data["items"] if row[0] == wanted]
        return json.dumps(document)

    return answer


TS = "tushare/{}/five-2025-12-18.json"
ZT24, ZT26 = f"{EM}limit_pool/zt-2024-09-23.json", f"{EM}limit_pool/zt-2026-09-24.json"
DT26 = f"{EM}limit_pool/dt-2026-09-24.json"
MOVES = f"{EM}changes/two-rows-2024-playable.json"
CASES: Mapping[str, Case] = {
    "spot-002027": Case(
        XueqiuProvider,
        {"quotec": f"{QUOTEC}sz002027-2018-11-06.json"},
        SpotRequest(symbol="002027.SZ"),
        "2018-11-06T14:50",
        "002027.SZ",
        date(2018, 11, 6),
        "current_price 1.341 CNY; previous_close 1.353 CNY; pct_change -0.89 percent; "
        "volume 2695183 shares; amount 3605340 CNY",
    ),
    "spot-600519": Case(
        XueqiuProvider,
        {"quotec": f"{QUOTEC}sh600519-2024-08-01.json"},
        SpotRequest(symbol="600519.SH"),
        "2024-08-01T15:30",
        "600519.SH",
        date(2024, 8, 1),
        "current_price 1386.16 CNY; open 1418 CNY; high 1420 CNY; low 1384.7 CNY; "
        "previous_close 1421.28 CNY; pct_change -2.47 percent; volume 3203810 shares; "
        "amount 4470988088.03 CNY",
    ),
    "quote-600104": Case(
        XueqiuProvider,
        {"quote.json": f"{QUOTE}sh600104-2021-12-07.json"},
        ValuationRequest(symbol="600104.SH"),
        "2021-12-07T18:00",
        "600104.SH",
        date(2021, 12, 7),
        "close 20.86 CNY; market_cap 243717004074 CNY; pe_ttm 10.099 multiple; "
        "pe_lyr 11.929 multiple; pb 0.9 multiple; dy_l 2.972 percent; bps 23.18 CNY/share",
    ),
    "quote-003031": Case(
        XueqiuProvider,
        {"quote.json": f"{QUOTE}sz003031-2026-05-03.json"},
        ValuationRequest(symbol="003031.SZ"),
        "2026-05-03T12:00",
        "003031.SZ",
        date(2026, 4, 30),
        "close 123.52 CNY; market_cap 55714049144 CNY; pe_ttm 88.001 multiple; "
        "pe_lyr 99.016 multiple",
        absent=frozenset({"dy_l"}),
    ),
    "quote-02519": Case(
        XueqiuProvider,
        {"quote.json": f"{QUOTE}02519-2026-05-03.json"},
        ValuationRequest(symbol="02519.HK"),
        "2026-05-03T12:00",
        "02519.HK",
        date(2026, 4, 30),
        "close 4.8 HKD; market_cap 1992988396.8 HKD; pe_ttm 11.1114 multiple; "
        "total_shares 415205916 shares",
    ),
    "quote-09927": Case(
        XueqiuProvider,
        {"quote.json": f"{QUOTE}09927-2026-05-03.json"},
        ValuationRequest(symbol="09927.HK"),
        "2026-05-03T12:00",
        "09927.HK",
        date(2026, 4, 30),
        "close 76.4 HKD; market_cap 133087660570.4 HKD; total_shares 1741985086 shares; "
        "float_shares 108619000 shares",
    ),
    "bars-601288": Case(
        XueqiuProvider,
        {"kline": "xueqiu/kline/sh601288-2022-12-30.json"},
        BarsRequest(symbol="601288.SH"),
        "2023-01-10T12:00",
        "601288.SH",
        date(2022, 12, 30),
        "open 2.89 CNY; high 2.92 CNY; low 2.88 CNY; close 2.91 CNY; "
        "volume 385463989 shares; amount 1120357221 CNY",
    ),
    # What 2022_Q4 asks for: the multiple of the last session of that period.
    "dated-601288": Case(
        XueqiuProvider,
        {"kline": "xueqiu/kline/sh601288-2022-12-30.json"},
        DatedValuationsRequest(
            symbol="601288.SH", start=date(2022, 12, 17), end=date(2022, 12, 31)
        ),
        "2023-01-10T12:00",
        "601288.SH",
        date(2022, 12, 30),
        "close 2.91 CNY; pe_ttm 4.0418 multiple; pb 0.466 multiple; ps_ttm 1.377 multiple",
    ),
    "dated-600519": Case(
        EastmoneyProvider,
        {"VALUEANALYSIS": f"{EM}datacenter/RPT_VALUEANALYSIS_DET-600519-2026-08-14.json"},
        DatedValuationsRequest(symbol="600519.SH", start=date(2026, 8, 14), end=date(2026, 8, 14)),
        "2026-08-15",
        "600519.SH",
        date(2026, 8, 14),
        "close 1341.99 CNY; pe_ttm 20.28 multiple; pe_lyr 20.38 multiple; pb 6.19 multiple",
    ),
    "dated-tushare": Case(
        TushareProvider,
        {"daily_basic": one_code(TS.format("daily_basic"))},
        DatedValuationsRequest(
            symbol="600519.SH", start=date(2025, 12, 10), end=date(2025, 12, 18)
        ),
        "2025-12-19T12:00",
        "600519.SH",
        date(2025, 12, 18),
        "pe_lyr 20.7821 multiple; pe_ttm 19.905 multiple; pb 6.9709 multiple; dy_l 3.6089 percent",
    ),
    "forecast-002027": Case(
        XueqiuProvider,
        {"earningforecast": "xueqiu/earningforecast/sz002027-2018.json"},
        ForecastRequest(symbol="002027.SZ"),
        "2018-11-15",
        "002027.SZ",
        date(2018, 11, 15),
        "forecast_eps 4.78 CNY/share; forecast_pe 8.4 multiple",
        period="2018_Q4",
        absent=frozenset({"forecast_roe", "eps", "pe_ttm"}),
    ),
    "bars-601872": Case(
        EastmoneyProvider,
        {"kline": f"{EM}kline/601872-2024-12.json"},
        BarsRequest(symbol="601872.SH"),
        "2025-01-02T12:00",
        "601872.SH",
        date(2024, 12, 18),
        "open 6.11 CNY; close 6.18 CNY; high 6.28 CNY; low 6.10 CNY; "
        "volume 84274300 shares; amount 542829495 CNY; pct_change 1.64 percent",
    ),
    "bars-000300": Case(
        EastmoneyProvider,
        {"kline": f"{EM}kline/000300-index-2025-03-12.json"},
        BarsRequest(symbol="000300.SH"),
        "2025-09-02T12:00",
        "000300.SH",
        date(2025, 3, 12),
        "open 3946.86 points; close 3927.23 points; high 3953.61 points; "
        "low 3921.47 points; volume 15673219000 shares; amount 309627267364.8 CNY",
    ),
    # Its lines are weeks: they prove order and units.
    "bars-APP": Case(
        EastmoneyProvider,
        {"kline": f"{EM}kline/APP-week-2021.json"},
        BarsRequest(symbol="APP"),
        "2025-09-23T12:00",
        "APP",
        date(2021, 4, 16),
        "open 70 USD; close 61 USD; high 71.51 USD; low 58.65 USD; volume 15643711 shares; "
        "amount 1034038718 USD",
    ),
    "spot-600000": Case(
        EastmoneyProvider,
        {"stock/get": f"{EM}stock_get/600000-2022-02-11.json"},
        SpotRequest(symbol="600000.SH"),
        "2022-02-11T16:10",
        "600000.SH",
        date(2022, 2, 11),
        "current_price 8.74 CNY; volume 37682900 shares",
    ),
    "spot-601238": Case(
        EastmoneyProvider,
        {"stock/get": f"{EM}stock_get/601238-2022-playable.json"},
        SpotRequest(symbol="601238.SH"),
        "2022-05-24T16:00",
        "601238.SH",
        date(2022, 5, 24),
        "current_price 12.43 CNY; limit_up 13.64 CNY; limit_down 11.16 CNY; volume 30876300 shares",
    ),
    "list-2024": Case(
        EastmoneyProvider,
        {
            "clist": f"{EM}clist/sh-main-by-change-2024-08-08-playable.json",
            "stock/get": session("000001", "2024-08-08T15:30"),
        },
        UniverseRequest(market="CN"),
        "2024-08-08T18:00",
        "600107.SH",
        date(2024, 8, 8),
        "close 3.69 CNY; market_cap 1328400000 CNY; pe_ttm -19.47 multiple; "
        "pb 2.43 multiple; volume 8958500 shares; pct_change 10.15 percent",
    ),
    "list-2026": Case(
        EastmoneyProvider,
        {
            "clist": f"{EM}clist/with-delisted-2026-07-08-playable.json",
            "stock/get": session("000001", "2026-07-07T15:30"),
        },
        UniverseRequest(market="CN"),
        "2026-07-08T08:00",
        "000001.SZ",
        date(2026, 7, 7),
        "close 10.47 CNY; volume 80522100 shares",
    ),
    "market-reports": Case(
        EastmoneyProvider,
        {"LICO_FN_CPD": f"{EM}datacenter/RPT_LICO_FN_CPD-2026.json", "BALANCE": NOTHING},
        ReportsRequest(period="2026_Q1"),
        "2026-05-27",
        "000001.SZ",
        date(2026, 3, 31),
        "eps 0.67 CNY/share; revenue 35277000000 CNY; net_profit 14523000000 CNY; roe 2.83 percent",
        period="2026_Q1",
    ),
    "reports-600519": Case(
        EastmoneyProvider,
        {
            "MAINFINADATA": f"{EM}datacenter/RPT_F10_FINANCE_MAINFINADATA-600519-2026Q1.json",
            "BALANCE": NOTHING,
        },
        FinancialsRequest(symbol="600519.SH"),
        "2026-05-01",
        "600519.SH",
        date(2026, 3, 31),
        "revenue 54702912385.23 CNY; net_profit 27242512886.45 CNY; "
        "net_profit_deducted 27239985194.41 CNY; roe 10.57 percent; eps 21.76 CNY/share; "
        "gross_margin 89.759 percent",
        period="2026_Q1",
    ),
    "values-600519": Case(
        EastmoneyProvider,
        {"VALUEANALYSIS": f"{EM}datacenter/RPT_VALUEANALYSIS_DET-600519-2026-08-14.json"},
        ValuationRequest(symbol="600519.SH"),
        "2026-08-15",
        "600519.SH",
        date(2026, 8, 14),
        "close 1341.99 CNY; market_cap 1677597007725.99 CNY; pe_ttm 20.28 multiple; "
        "pe_lyr 20.38 multiple; pb 6.19 multiple; ps_ttm 9.57 multiple",
    ),
    # The list of reports, right about the currency, was not recorded: no amount is told.
    "reports-00700": Case(
        EastmoneyProvider,
        {
            "HKF10": f"{EM}datacenter/RPT_HKF10_FN_MAININDICATOR-00700-2025-12-18.json",
            "CASHFLOW_SUMMARY": NOTHING,
        },
        FinancialsRequest(symbol="00700.HK"),
        "2025-12-18",
        "00700.HK",
        date(2024, 12, 31),
        "roe 21.7798 percent",
        period="2024_Q4",
        absent=frozenset({"revenue", "net_profit", "eps"}),
    ),
    "reports-AAPL": Case(
        EastmoneyProvider,
        {"USF10": f"{EM}datacenter/RPT_USF10_FN_GMAININDICATOR-AAPL-2025-12.json"},
        FinancialsRequest(symbol="AAPL"),
        "2025-12-18",
        "AAPL",
        date(2024, 12, 28),
        "revenue 124300000000 USD",
        period="2025_Q1",
    ),
    "limit-up-2024": Case(
        EastmoneyProvider,
        flags("getTopicZTPool", ZT24, "000004", "2024-09-23"),
        signals_on("000004.SZ", "2024-09-23"),
        "2024-09-23T18:00",
        "000004.SZ:limit_up",
        date(2024, 9, 23),
        "signal_price 16.06 CNY; pct_change 10 percent; seal_fund 192332954 CNY; "
        "limit_streak 4 sessions",
    ),
    "limit-up-2026": Case(
        EastmoneyProvider,
        flags("getTopicZTPool", ZT26, "000498", "2026-09-24"),
        signals_on("000498.SZ", "2026-09-24"),
        "2026-09-24T18:00",
        "000498.SZ:limit_up",
        date(2026, 9, 24),
        "signal_price 5.65 CNY; seal_fund 59982095 CNY",
    ),
    "limit-down-2026": Case(
        EastmoneyProvider,
        flags("getTopicDTPool", DT26, "000607", "2026-09-24", -1),
        signals_on("000607.SZ", "2026-09-24"),
        "2026-09-24T18:00",
        "000607.SZ:limit_down",
        date(2026, 9, 24),
        "signal_price 4.03 CNY; pct_change -10.04 percent",
        absent=frozenset({"limit_streak"}),
    ),
    "moves-688047": Case(
        EastmoneyProvider,
        {
            "kline": near_limit("688047", "2024-03-01", 0),
            "type=8193": NO_DATA,
            "getAllStockChanges": MOVES,
            "BILLBOARD": NOTHING,
        },
        signals_on("688047.SH", "2024-03-01"),
        "2024-03-01T18:00",
        "688047.SH:8209-092504",
        date(2024, 3, 1),
        "signal_change 2.5624 percent",
    ),
    "moves-605081": Case(
        EastmoneyProvider,
        {
            "kline": near_limit("605081", "2024-03-01", 0),
            "type=8193": NO_DATA,
            "getAllStockChanges": MOVES,
            "BILLBOARD": NOTHING,
        },
        signals_on("605081.SH", "2024-03-01"),
        "2024-03-01T18:00",
        "605081.SH:8210-092504",
        date(2024, 3, 1),
        "signal_change -2.6015 percent",
    ),
    "board-000504": Case(
        EastmoneyProvider,
        on_list("000504", f"{EM}billboard/000504-2026-09-24.json", "2026-09-24"),
        signals_on("000504.SZ", "2026-09-24"),
        "2026-09-25",
        "000504.SZ:billboard",
        date(2026, 9, 24),
        "billboard_net 117078833 CNY; billboard_buy 234403387 CNY; "
        "billboard_sell 117324554 CNY; pct_change 7.6019 percent",
    ),
    "board-002185": Case(
        EastmoneyProvider,
        on_list("002185", f"{EM}billboard/002185-2026-07-07.json", "2026-07-07"),
        signals_on("002185.SZ", "2026-07-07"),
        "2026-07-08",
        "002185.SZ:billboard",
        date(2026, 7, 7),
        "billboard_net 1576984146.49 CNY; billboard_buy 2255004980.49 CNY; "
        "billboard_sell 678020834 CNY; pct_change 9.9799 percent",
    ),
    "flow-600519": Case(
        EastmoneyProvider,
        {"fflow": f"{EM}fflow/two-days-2026-07.json"},
        FlowRequest(symbol="600519.SH"),
        "2026-07-09",
        "600519.SH",
        date(2026, 7, 8),
        "main_net_inflow 99341680 CNY; large_net_inflow 49638880 CNY; "
        "xlarge_net_inflow 49702800 CNY; main_net_inflow_pct 3.23 percent",
    ),
    "tushare-600519": Case(
        TushareProvider,
        {"daily_basic": one_code(TS.format("daily_basic"))},
        ValuationRequest(symbol="600519.SH"),
        "2025-12-18T18:00",
        "600519.SH",
        date(2025, 12, 18),
        "close 1431 CNY; pe_lyr 20.7821 multiple; pe_ttm 19.905 multiple; "
        "pb 6.9709 multiple; dy_l 3.6089 percent; total_shares 1252270215 shares; "
        "market_cap 1791998677665 CNY",
        through=(TS.format("daily_basic"),),
    ),
    "tushare-000004": Case(
        TushareProvider,
        {"daily_basic": one_code(TS.format("daily_basic"))},
        ValuationRequest(symbol="000004.SZ"),
        "2025-12-18T18:00",
        "000004.SZ",
        date(2025, 12, 18),
        "close 10.43 CNY; pb 37.3697 multiple",
        absent=frozenset({"pe_lyr", "pe_ttm"}),
    ),
    "tushare-bars": Case(
        TushareProvider,
        {
            "adj_factor": one_code(TS.format("adj_factor")),
            "daily": one_code(TS.format("daily")),
        },
        BarsRequest(symbol="000001.SZ"),
        "2025-12-18T18:00",
        "000001.SZ",
        date(2025, 12, 18),
        "open 11.51 CNY; high 11.65 CNY; low 11.48 CNY; close 11.64 CNY; "
        "volume 79046654 shares; amount 916247611 CNY",
        through=(TS.format("adj_factor"), TS.format("daily")),
    ),
}
