"""Whole markets pulled by one process for all replicas: it goes on from what was published last,
whichever worker published it, and publishes what it has when it is done.
"""

from collections.abc import Sequence

from services.core.clock import Clock
from services.market.calendar import Calendar
from services.market.sync import Sync
from services.market.sync_plan import MARKETS, Kind, Synced
from services.providers.chain import Chain
from services.store.database import Database
from services.store.market_copy import MarketCopy
from services.store.published import adopt, publish
from services.store.shelf import Shelf

# Bars of a whole market are thousands of requests: they are pulled when somebody asks for them.
PULLED: tuple[Kind, ...] = ("universe", "reports")


class Publisher:
    """Pulls and publishes. One at a time in all processes: whoever calls sees to that, and what is
    published on top of a version nobody has any more is refused.
    """

    def __init__(
        self, chain: Chain, calendar: Calendar, clock: Clock, database: Database, shelf: Shelf
    ) -> None:
        """`database` is where the copy grows, `shelf` where it is published."""
        self._database = database
        self._shelf = shelf
        self._copy = MarketCopy(database)
        self._sync = Sync(chain, self._copy, calendar, clock)
        # The version the copy grew from, and whether it has grown since.
        self._base: str | None = None
        self._grown = False

    def run(self, kinds: Sequence[Kind] = PULLED) -> tuple[Synced, ...]:
        """Every market, of what is out of date; published when anything is new, or was not taken
        the last time.

        Raises: StoreError when the place cannot be read or written, or another was faster.
        """
        self._shelf.look()
        newest = self._shelf.version()
        if newest is not None and newest != self._base:
            adopt(self._copy, self._database, self._shelf, newest)
            self._base, self._grown = newest, False
        done = tuple(self._sync.run(market, kinds) for market in MARKETS)
        self._grown = self._grown or any(one.pulled or one.nothing for one in done)
        if self._grown or newest != self._base:
            self._base = publish(self._copy, self._shelf, newest)
            self._grown = False
        return done
