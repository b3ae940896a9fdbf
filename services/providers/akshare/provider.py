"""AkShare: Eastmoney's tables read by its parsers, behind the sources that are asked directly."""

from services.core.errors import NoDataError
from services.core.requests import (
    BarsRequest,
    FetchRequest,
    FinancialsRequest,
    FlowRequest,
    MacroRequest,
    SignalsRequest,
)
from services.core.symbols import Symbol
from services.core.text import Text
from services.providers.base import Fetched
from services.providers.provider_context import Kit


class AkshareProvider:
    """No key needed. `source` names who the figures are from, which is not AkShare."""

    name = "akshare"
    capabilities = frozenset({"daily_bars", "financials", "signals", "fund_flow", "macro"})

    def __init__(self, kit: Kit) -> None:
        """Cheap: the package is imported when something is asked."""
        self._kit = kit

    def covers(self, request: FetchRequest) -> bool:
        """What its functions ask for rightly; northbound flow has no figures since August 2024."""
        match request:
            case BarsRequest():
                return _has_bars(Symbol.parse(request.symbol))
            case FinancialsRequest():
                symbol = Symbol.parse(request.symbol)
                abroad = symbol.market != "CN" and not symbol.is_index
                # An American share class (BRK.B) has other columns there.
                return symbol.is_a_share or (abroad and "." not in symbol.code)
            case SignalsRequest():
                return Symbol.parse(request.symbol).is_a_share
            case FlowRequest():
                return request.symbol is None or Symbol.parse(request.symbol).is_a_share
            case MacroRequest():
                return True
            case _:
                return False

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch."""
        # The package takes a second to import: paid by who asks, not by every start.
        from services.providers.akshare import macro as akshare_macro
        from services.providers.akshare import quotes as akshare_quotes
        from services.providers.akshare import reports as akshare_reports

        match request:
            case BarsRequest():
                return akshare_quotes.daily_bars(self._kit, request)
            case FinancialsRequest():
                return akshare_reports.financials(self._kit, request)
            case SignalsRequest():
                return akshare_quotes.signals(self._kit, request)
            case FlowRequest():
                return akshare_quotes.fund_flow(self._kit, request)
            case MacroRequest():
                return akshare_macro.macro(self._kit, request)
            case _:
                raise NoDataError(
                    request.capability, Text("没有这一类数据", "nothing of this kind")
                )


def _has_bars(symbol: Symbol) -> bool:
    """Whether AkShare finds it: its `secid` takes every code without a leading 6 for Shenzhen's.

    So Shanghai's funds, and B shares, would come back as another security or not at all. An
    American code needs a market number that nobody here knows.
    """
    if symbol.market == "US" or symbol.value == "HSI" or symbol.board == "b_share":
        return False
    return not (symbol.exchange == "SH" and symbol.code.startswith("5"))
