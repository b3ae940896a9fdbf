"""Whole markets pulled by one process for all replicas: it goes on from what was published last,
whichever worker published it, and publishes what it has when it is done.
"""

from collections.abc import Sequence
from pathlib import Path

from services.core.clock import Clock
from services.market.calendar import Calendar
from services.market.sync import Sync
from services.market.sync_plan import MARKETS, Kind, Synced
from services.providers.chain import Chain
from services.store.database import Database
from services.store.market_copy import MarketCopy
from services.store.published import adopt, publish, published_version

# Bars of a whole market are thousands of requests: they are pulled when somebody asks for them.
PULLED: tuple[Kind, ...] = ("universe", "reports")


class Publisher:
    """Pulls and publishes. One at a time in all processes: whoever calls sees to that, and what is
    published on top of a version nobody has any more is refused.
    """

    def __init__(
        self, chain: Chain, calendar: Calendar, clock: Clock, database: Database, folder: Path
    ) -> None:
        """`database` is where the copy grows, `folder` where it is published."""
        self._database = database
        self._folder = folder
        self._copy = MarketCopy(database)
        self._sync = Sync(chain, self._copy, calendar, clock)
        self._published: str | None = None

    def run(self, kinds: Sequence[Kind] = PULLED) -> tuple[Synced, ...]:
        """Every market, of what is out of date; published when anything is new.

        Raises: StoreError when the folder cannot be written or another process was faster.
        """
        base = published_version(self._folder)
        if base is not None and base != self._published:
            adopt(self._copy, self._database, self._folder, base)
            self._published = base
        done = tuple(self._sync.run(market, kinds) for market in MARKETS)
        if any(one.pulled or one.nothing for one in done):
            self._published = publish(self._copy, self._folder, base)
        return done
