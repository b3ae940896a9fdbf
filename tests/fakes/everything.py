"""Every upstream in one world, as live mode sees them: for tests of the whole workbench."""

from collections.abc import Mapping
from importlib import import_module

from tests.fakes import iqs, sec, tushare
from tests.fakes.server import Service, World

# Module of tests/fakes → its service. Longbridge's SDK needs a fake in a process of its own.
SERVICES: Mapping[str, str] = {
    "eastmoney": "Eastmoney",
    "xueqiu": "Xueqiu",
    "tushare": "Tushare",
    "akshare": "Akshare",
    "cninfo": "Cninfo",
    "iqs": "Iqs",
    "searxng": "Searxng",
    "rss": "Rss",
    "sec": "Sec",
    "ohlcvault": "Ohlcvault",
}
NOW = "2026-11-20T16:30:00+08:00"


def world() -> World:
    """A world of all of them; enter it as a context manager."""
    return World(*(_service(module, name) for module, name in SERVICES.items()))


def environment(world: World, **more: str) -> dict[str, str]:
    """Live mode with every address at the fakes, keys that mean nothing, and nothing waiting."""
    return {
        "YOUJU_MODE": "live",
        "YOUJU_CLOCK": NOW,
        "API_PACE": "0",
        "API_TIMEOUT": "2",
        "API_ATTEMPTS": "2",
        "TUSHARE_TOKEN": tushare.TOKEN,
        "IQS_API_KEY": iqs.KEY,
        "SEC_CONTACT": sec.CONTACT,
        **world.environment(),
        **more,
    }


def _service(module: str, name: str) -> Service:
    made = getattr(import_module(f"tests.fakes.{module}"), name)()
    assert isinstance(made, Service)
    return made
