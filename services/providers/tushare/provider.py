"""Tushare Pro: mainland bars, valuations, statements, forecasts and macro series, by token."""

from services.core.errors import NoDataError
from services.core.requests import (
    BarsRequest,
    DatedValuationsRequest,
    FetchRequest,
    FinancialsRequest,
    ForecastRequest,
    MacroRequest,
    UniverseRequest,
    ValuationRequest,
)
from services.core.symbols import Symbol
from services.core.text import Text
from services.providers.base import Fetched
from services.providers.provider_context import Kit

# The headline indexes `index_dailybasic` has, and no others.
VALUED_INDEXES = frozenset(
    {"000001.SH", "399001.SZ", "000016.SH", "000905.SH", "399005.SZ", "399006.SZ"}
)


class TushareProvider:
    """One token, one POST per page; a refusal says whether it is the rate or the points."""

    name = "tushare"
    capabilities = frozenset(
        {"daily_bars", "valuation", "dated_valuations", "financials", "forecast", "macro"}
        | {"universe"}
    )

    def __init__(self, kit: Kit) -> None:
        """Cheap: the token is read when something is asked."""
        self._kit = kit

    def covers(self, request: FetchRequest) -> bool:
        """A shares; bars of indexes, funds, Hong Kong and America too; every macro series."""
        match request:
            case BarsRequest():
                return _has_bars(Symbol.parse(request.symbol))
            case ValuationRequest() | DatedValuationsRequest():
                symbol = Symbol.parse(request.symbol)
                return symbol.is_a_share or symbol.value in VALUED_INDEXES
            case FinancialsRequest() | ForecastRequest():
                return Symbol.parse(request.symbol).is_a_share
            case UniverseRequest():
                return request.market == "CN"
            case MacroRequest():
                return True
            case _:
                return False

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch."""
        # The package takes half a second to import: paid by who asks, not by every start.
        from services.providers.tushare import macro as tushare_macro
        from services.providers.tushare import market as tushare_market
        from services.providers.tushare import quotes as tushare_quotes
        from services.providers.tushare import reports as tushare_reports
        from services.providers.tushare.client import client_of

        client, now = client_of(self._kit), self._kit.clock.now()
        match request:
            case BarsRequest():
                return tushare_quotes.daily_bars(client, request, now)
            case ValuationRequest():
                return tushare_quotes.valuation(client, request, now)
            case DatedValuationsRequest():
                return tushare_quotes.read_dated_valuations(client, request, now)
            case FinancialsRequest():
                return tushare_reports.financials(client, request, now)
            case ForecastRequest():
                return tushare_reports.forecast(client, request, now)
            case UniverseRequest():
                return tushare_market.universe(client, request, now)
            case MacroRequest():
                return tushare_macro.macro(client, request, now)
            case _:
                raise NoDataError(
                    request.capability, Text("没有这一类数据", "nothing of this kind")
                )


def _has_bars(symbol: Symbol) -> bool:
    """Whether one of the bar tables has this kind of symbol, as far as its spelling is known."""
    if symbol.market == "CN":
        return symbol.is_a_share or symbol.is_index or symbol.is_fund
    return not symbol.is_index and (symbol.market == "HK" or "." not in symbol.value)
