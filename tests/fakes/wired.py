"""A provider of ours in front of a fake upstream: its kit, and a chain that keeps answers."""

from datetime import datetime
from functools import cache

from sqlalchemy import delete

from services.core.clock import BEIJING, FixedClock
from services.market.calendar import Calendar
from services.market.freshness import expiry
from services.providers.base import Provider
from services.providers.chain import Chain
from services.providers.http import Http
from services.providers.provider_context import Kit
from services.providers.response_cache import Keeper
from services.settings import load_settings
from services.store.database import Database
from services.store.fetches import Fetches
from services.store.tables import FETCHES
from tests.fakes.server import World
from tests.unit.market.bundled import tables

NOW = datetime(2026, 11, 20, 16, 30, tzinfo=BEIJING)


def kit_at(world: World, now: datetime = NOW, **environ: str) -> Kit:
    """What a provider is made with when every address points at the fakes and nothing waits."""
    settings = load_settings(
        {
            "YOUJU_MODE": "live",
            "API_PACE": "0",
            "API_TIMEOUT": "0.5",
            "API_ATTEMPTS": "2",
            **world.environment(),
            **environ,
        }
    )
    clock = FixedClock(now)
    return Kit(settings, clock, Http(settings, clock), tables())


@cache
def _memory() -> Database:
    return Database(":memory:")


def keeping(provider: Provider, kit: Kit) -> Chain:
    """A chain of this one source that keeps its answers in memory, where nothing is kept so far."""
    chains = dict.fromkeys(provider.capabilities, (provider.name,))
    memory = _memory()
    with memory.open_writing() as connection:
        connection.execute(delete(FETCHES))
    keeper = Keeper(Fetches(memory), expiry(Calendar()), kit.clock)
    return Chain({provider.name: provider}, chains, kit.clock, keeper=keeper)
