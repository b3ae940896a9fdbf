"""A process that syncs until it is killed: `python -m tests.unit.store.syncer PATH HOLD`.

It asks the Eastmoney whose addresses are in its environment. Every transaction that returned is
printed; the one numbered HOLD stops just before its commit, says so, and waits there to be killed.
With 0 nothing stops.
"""

import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

import duckdb

from services.core.clock import FixedClock
from services.market.calendar import Calendar
from services.market.sync import Sync
from services.providers.chain import Chain
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.http import Http
from services.providers.provider_context import Kit
from services.settings import load_settings
from services.store.database import Database
from services.store.market_copy import MarketCopy
from services.store.market_tables import MarketTables


class _Held(Database):
    """A store one of whose transactions never ends."""

    counts = False
    hold = 0
    done = 0

    @contextmanager
    def transaction(self) -> Generator[duckdb.DuckDBPyConnection]:
        with super().transaction() as cursor:
            yield cursor
            if self.counts and self.done + 1 == self.hold:
                _say("holding")
                threading.Event().wait()
        if self.counts:
            self.done += 1
            _say(f"committed {self.done}")


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main() -> None:
    settings = load_settings(os.environ)
    assert settings.clock is not None
    clock = FixedClock(settings.clock)
    database = _Held(sys.argv[1])
    market = MarketTables(database, settings.snapshot)
    database.hold, database.counts = int(sys.argv[2]), True
    provider = EastmoneyProvider(Kit(settings, clock, Http(settings, clock), market))
    chains = dict.fromkeys(("universe", "market_reports", "daily_bars"), ("eastmoney",))
    chain = Chain({"eastmoney": provider}, chains, clock)
    done = Sync(chain, MarketCopy(database), Calendar(), clock).run("CN")
    assert not done.failures, done.failures
    database.close()


if __name__ == "__main__":
    main()
