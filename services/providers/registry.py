"""Which providers there are, and how they are asked: services/providers/chain.py."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from services.core.lazy import Later
from services.providers.base import Provider
from services.providers.provider_context import Kit


def _of(module: str, name: str) -> Callable[[Kit], Provider]:
    """What makes that provider. It is imported when one is made: each brings readers of its own."""

    def make(kit: Kit) -> Provider:
        return getattr(import_module(f"services.providers.{module}"), name)(kit)

    make.__name__, make.__module__ = name, f"services.providers.{module}"
    return make


# Name → what makes it. One line adds one; tests/unit/test_layout.py holds it against the files.
PROVIDERS: Mapping[str, Callable[[Kit], Provider]] = {
    "snapshot": _of("snapshot", "SnapshotProvider"),
    "akshare": _of("akshare.provider", "AkshareProvider"),
    "cninfo": _of("cninfo", "CninfoProvider"),
    "eastmoney": _of("eastmoney.provider", "EastmoneyProvider"),
    "iqs": _of("iqs", "IqsProvider"),
    "longbridge": _of("longbridge.provider", "LongbridgeProvider"),
    "market_copy": _of("market_copy", "MarketCopyProvider"),
    "ohlcvault": _of("ohlcvault.provider", "OhlcvaultProvider"),
    "rss": _of("rss", "RssProvider"),
    "searxng": _of("searxng", "SearxngProvider"),
    "sec": _of("sec.provider", "SecProvider"),
    "tushare": _of("tushare.provider", "TushareProvider"),
    "xueqiu": _of("xueqiu.provider", "XueqiuProvider"),
}


class Providers(Mapping[str, Provider]):
    """Every provider by name, made when it is first asked: most answer nothing of most runs."""

    def __init__(self, kit: Kit) -> None:
        def later(make: Callable[[Kit], Provider]) -> Later[Provider]:
            return Later(lambda: make(kit))

        self._later = {name: later(make) for name, make in PROVIDERS.items()}

    def __getitem__(self, name: str) -> Provider:
        return self._later[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._later)

    def __len__(self) -> int:
        return len(self._later)
