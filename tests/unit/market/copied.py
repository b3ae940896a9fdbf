"""A copy of the market of the Eastmoney fake, at an instant, on a store that may live on."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from services.core.clock import BEIJING
from services.market.calendar import Calendar
from services.market.sync import Sync
from services.providers.base import Provider
from services.providers.chain import Chain
from services.providers.eastmoney.provider import EastmoneyProvider
from services.store.database import Database
from services.store.market_copy import MarketCopy
from tests.fakes.eastmoney import Eastmoney
from tests.fakes.server import World
from tests.fakes.wired import kit_at

THURSDAY = datetime(2026, 11, 19, 16, 30, tzinfo=BEIJING)
FRIDAY = datetime(2026, 11, 20, 16, 30, tzinfo=BEIJING)
CALENDAR = Calendar()
TABLES = ("tasks", "parts", "companies", "facts", "bars")


@dataclass(frozen=True)
class Copying:
    """A sync at one instant, and what it is made of."""

    sync: Sync
    copy: MarketCopy
    chain: Chain


def copying(
    world: World, database: Database, now: datetime, *providers: Provider, **environ: str
) -> Copying:
    """Everything but `database` is made anew, as after a restart; `providers` instead of one."""
    kit = kit_at(world, now, **environ)
    for service in world.services.values():
        if isinstance(service, Eastmoney):
            service.now = now
    sources = {one.name: one for one in providers or (EastmoneyProvider(kit),)}
    names = tuple(sources)
    chains = dict.fromkeys(("universe", "market_reports", "daily_bars", "spot"), names)
    chain = Chain(sources, chains, kit.clock)
    copy = MarketCopy(database)
    return Copying(Sync(chain, copy, CALENDAR, kit.clock), copy, chain)


def dump(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table of the copy, in one order."""
    tables = [*TABLES, "wide_cn", "known_cn"]
    with database.cursor() as cursor:
        return {
            table: cursor.execute(f"SELECT * FROM copy.{table} ORDER BY ALL").fetchall()
            for table in tables
        }


def closes(database: Database, symbol: str) -> dict[date, float]:
    """The closes the copy has of a symbol."""
    with database.cursor() as cursor:
        rows = cursor.execute(
            "SELECT as_of, value FROM copy.bars WHERE symbol = ? AND metric = 'close' "
            "ORDER BY as_of",
            [symbol],
        ).fetchall()
    return dict(rows)
