"""Who is asked out of turn for a long history: one that sends a whole market for one company.

For a page it comes last, and never to check another's figures. For those who pull or freeze the
bars of many companies it is cheapest, and what it gives can be had again from its snapshot's id.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from services.core.requests import BarsRequest, FetchRequest
from services.core.symbols import Market, Symbol
from services.providers.base import Fetched

# A page of one year asks for less, with the sessions before it that its windows need.
LONG = timedelta(days=540)


@dataclass(frozen=True, slots=True)
class LongHistory:
    """`name` is its provider; `last_session` says which session of a market is over by an instant.

    `asks`: also asked so when a page's question is put, not only when one is pulled.
    """

    name: str
    last_session: Callable[[Market, datetime], date]
    asks: bool = False

    def wants(self, request: FetchRequest, now: datetime) -> bool:
        """Long bars of mainland companies: abroad it has no factors, and others adjust."""
        if not isinstance(request, BarsRequest) or request.start is None:
            return False
        symbol = Symbol.parse(request.symbol)
        end = request.end or self.last_session(symbol.market, now)
        return symbol.is_a_share and end - request.start >= LONG

    def lacks(self, request: FetchRequest, parts: Sequence[Fetched], now: datetime) -> str:
        """What the answer lacks for it to stand before others'; empty where nothing does."""
        if not isinstance(request, BarsRequest):
            return "no bars"
        last = self.last_session(Symbol.parse(request.symbol).market, now)
        wanted = min(request.end or last, last)
        newest = max(row.as_of for part in parts for row in part.rows)
        return "" if newest >= wanted else f"its newest session is {newest}, not {wanted}"
