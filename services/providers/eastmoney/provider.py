"""Eastmoney's public endpoints: prices, bars, reports, lists, texts, signals; no key is needed."""

from services.core.errors import NoDataError
from services.core.requests import (
    BarsRequest,
    DatedValuationsRequest,
    FetchRequest,
    FinancialsRequest,
    FlowRequest,
    IntradayRequest,
    NewsRequest,
    NoticesRequest,
    ReportsRequest,
    SignalsRequest,
    SpotRequest,
    UniverseRequest,
    ValuationRequest,
    WebSearchRequest,
)
from services.core.symbols import Symbol
from services.core.text import Text
from services.providers.base import Fetched
from services.providers.eastmoney.bars import daily_bars, intraday_bars
from services.providers.eastmoney.client import NAME, EastmoneyClient, kind_of
from services.providers.eastmoney.market import fund_flow, universe
from services.providers.eastmoney.quotes import read_dated_valuations, spot, valuation
from services.providers.eastmoney.reports import financials, market_reports
from services.providers.eastmoney.signals import signals
from services.providers.eastmoney.texts import news, notices, web_search
from services.providers.provider_context import Kit


class EastmoneyProvider:
    """What the site's own pages ask for; every part of it may break on its own."""

    name = NAME
    capabilities = frozenset(
        {"spot", "valuation", "daily_bars", "intraday_bars", "financials", "notices", "news"}
        | {"dated_valuations", "web_search", "signals", "fund_flow", "universe", "market_reports"}
    )

    def __init__(self, kit: Kit) -> None:
        """Nothing is asked yet."""
        self._client = EastmoneyClient(kit)

    def covers(self, request: FetchRequest) -> bool:
        """Companies of the three markets; texts, flows and signals of mainland shares only.

        Bars within the day not of New York: the zone of their times is not documented.
        """
        match request:
            case SpotRequest() | BarsRequest():
                return kind_of(Symbol.parse(request.symbol)) != "world"
            case ValuationRequest() | FinancialsRequest():
                return kind_of(Symbol.parse(request.symbol)) == "stock"
            case IntradayRequest():
                symbol = Symbol.parse(request.symbol)
                return symbol.market != "US" and kind_of(symbol) != "world"
            case DatedValuationsRequest() | NoticesRequest() | SignalsRequest():
                return Symbol.parse(request.symbol).is_a_share
            case ReportsRequest():
                return request.market == "CN"
            case FlowRequest():
                return request.symbol is None or Symbol.parse(request.symbol).is_a_share
            case _:
                return request.capability in self.capabilities

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch."""
        match request:
            case SpotRequest() | ValuationRequest():
                return self._ask_quote(request)
            case DatedValuationsRequest():
                return read_dated_valuations(self._client, request)
            case BarsRequest():
                return daily_bars(self._client, request)
            case IntradayRequest():
                return intraday_bars(self._client, request)
            case FinancialsRequest():
                return financials(self._client, request)
            case NoticesRequest():
                return notices(self._client, request)
            case NewsRequest():
                return news(self._client, request)
            case WebSearchRequest():
                return web_search(self._client, request)
            case SignalsRequest():
                return signals(self._client, request)
            case _:
                return self._of_a_market(request)

    def _ask_quote(self, request: SpotRequest | ValuationRequest) -> tuple[Fetched, ...]:
        if isinstance(request, SpotRequest):
            return spot(self._client, request)
        return valuation(self._client, request)

    def _of_a_market(self, request: FetchRequest) -> tuple[Fetched, ...]:
        match request:
            case FlowRequest():
                return fund_flow(self._client, request)
            case UniverseRequest():
                return universe(self._client, request)
            case ReportsRequest():
                return market_reports(self._client, request)
            case _:
                raise NoDataError(
                    request.capability, Text("没有这一类数据", "nothing of this kind")
                )
