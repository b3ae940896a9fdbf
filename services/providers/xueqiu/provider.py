"""Xueqiu (雪球): prices, reports, a screener, and what its members write. Anonymous or by token."""

from collections.abc import Callable, Mapping
from typing import Any

from services.core.errors import InputError, NoDataError
from services.core.requests import (
    BarsRequest,
    DatedValuationsRequest,
    FetchRequest,
    FinancialsRequest,
    ForecastRequest,
    InfluencersRequest,
    NewsRequest,
    NoticesRequest,
    PageRequest,
    PostsRequest,
    ScreenRequest,
    SiteSearchRequest,
    SpotRequest,
    UniverseRequest,
    UserPostsRequest,
    UserRequest,
    ValuationRequest,
)
from services.core.symbols import Symbol
from services.core.text import Text
from services.providers.base import Fetched
from services.providers.provider_context import Kit
from services.providers.xueqiu.bars import daily_bars, read_dated_valuations
from services.providers.xueqiu.client import NAME, XueqiuClient
from services.providers.xueqiu.estimates import forecast
from services.providers.xueqiu.feed import (
    influencers,
    news,
    notices,
    page,
    posts,
    site_search,
    user_posts,
    users,
)
from services.providers.xueqiu.quotes import spot, valuation
from services.providers.xueqiu.reports import financials
from services.providers.xueqiu.screen import can_screen, screen
from services.providers.xueqiu.universe import universe

_ANSWERS: Mapping[type, Callable[[XueqiuClient, Any], tuple[Fetched, ...]]] = {
    SpotRequest: spot,
    ValuationRequest: valuation,
    DatedValuationsRequest: read_dated_valuations,
    BarsRequest: daily_bars,
    FinancialsRequest: financials,
    ForecastRequest: forecast,
    ScreenRequest: screen,
    UniverseRequest: universe,
    PostsRequest: posts,
    NoticesRequest: notices,
    NewsRequest: news,
    InfluencersRequest: influencers,
    SiteSearchRequest: site_search,
    UserRequest: users,
    UserPostsRequest: user_posts,
    PageRequest: page,
}


class XueqiuProvider:
    """One token for all its hosts, fetched when first needed and shared."""

    name = NAME
    capabilities = frozenset(kind.capability for kind in _ANSWERS)

    def __init__(self, kit: Kit) -> None:
        """Cheap: nothing is asked."""
        self._client = XueqiuClient(kit)

    def covers(self, request: FetchRequest) -> bool:
        """Stocks of the three markets; figures of companies, not of indexes or funds."""
        match request:
            case ValuationRequest() | DatedValuationsRequest() | FinancialsRequest():
                return _is_company(request.symbol)
            case ForecastRequest():
                # In which currency a forecast is, is not said: yuan on the mainland.
                return _is_company(request.symbol) and Symbol(request.symbol).currency == "CNY"
            case NewsRequest():
                return request.symbol is not None
            case ScreenRequest():
                return can_screen(request)
            case _:
                return request.capability in self.capabilities

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """See Provider.fetch. Raises: InputError for an address that is not Xueqiu's."""
        answer = _ANSWERS.get(type(request))
        if answer is None:
            raise NoDataError(
                request.capability, Text("雪球没有这一类数据", "nothing of this kind")
            )
        return answer(self._client, request)


def _is_company(text: str) -> bool:
    try:
        symbol = Symbol.parse(text)
    except InputError:
        return False
    return not symbol.is_index and not symbol.is_fund
