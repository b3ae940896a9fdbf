"""Tushare Pro: mainland bars, valuations, statements, forecasts and macro series, by token."""

from services.core.errors import NoDataError
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FinancialsRequest,
    ForecastRequest,
    MacroRequest,
    ValuationRequest,
)
from services.core.symbols import Symbol
from services.core.text import Text
from services.providers.base import Fetched
from services.providers.provider_context import Kit


class TushareProvider:
    """One token, one POST per page; a refusal says whether it is the rate or the points."""

    name = "tushare"
    capabilities = frozenset({"daily_bars", "valuation", "financials", "forecast", "macro"})

    def __init__(self, kit: Kit) -> None:
        """Cheap: the token is read when something is asked."""
        self._kit = kit

    def covers(self, request: FetchRequest) -> bool:
        """A shares; bars of indexes, Hong Kong and America too; every macro series."""
        match request:
            case BarsRequest():
                return _has_bars(Symbol.parse(request.symbol))
            case ValuationRequest() | FinancialsRequest() | ForecastRequest():
                return Symbol.parse(request.symbol).is_a_share
            case MacroRequest():
                return True
            case _:
                return False

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch."""
        # The package takes half a second to import: paid by who asks, not by every start.
        from services.providers.tushare import macro as tushare_macro
        from services.providers.tushare import quotes as tushare_quotes
        from services.providers.tushare import reports as tushare_reports
        from services.providers.tushare.client import client_of

        client, now = client_of(self._kit), self._kit.clock.now()
        match request:
            case BarsRequest():
                return tushare_quotes.daily_bars(client, request, now)
            case ValuationRequest():
                return tushare_quotes.valuation(client, request, now)
            case FinancialsRequest():
                return tushare_reports.financials(client, request, now)
            case ForecastRequest():
                return tushare_reports.forecast(client, request, now)
            case MacroRequest():
                return tushare_macro.macro(client, request, now)
            case _:
                raise NoDataError(
                    request.capability, Text("没有这一类数据", "nothing of this kind")
                )


def _has_bars(symbol: Symbol) -> bool:
    """Whether one of the bar tables has this kind of symbol, as far as its spelling is known."""
    if symbol.market == "CN":
        return symbol.is_a_share or symbol.is_index
    return not symbol.is_index and (symbol.market == "HK" or "." not in symbol.value)
