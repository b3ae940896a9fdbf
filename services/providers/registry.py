"""Which providers there are, and how they are asked: services/providers/chain.py."""

from collections.abc import Callable, Mapping

from services.providers.akshare.provider import AkshareProvider
from services.providers.base import Provider
from services.providers.cninfo import CninfoProvider
from services.providers.eastmoney.provider import EastmoneyProvider
from services.providers.iqs import IqsProvider
from services.providers.longbridge.provider import LongbridgeProvider
from services.providers.market_copy import MarketCopyProvider
from services.providers.provider_context import Kit
from services.providers.rss import RssProvider
from services.providers.searxng import SearxngProvider
from services.providers.sec import SecProvider
from services.providers.snapshot import SnapshotProvider
from services.providers.tushare.provider import TushareProvider
from services.providers.xueqiu.provider import XueqiuProvider

# Name → what makes it. One line adds one.
PROVIDERS: Mapping[str, Callable[[Kit], Provider]] = {
    "snapshot": SnapshotProvider,
    "akshare": AkshareProvider,
    "cninfo": CninfoProvider,
    "eastmoney": EastmoneyProvider,
    "iqs": IqsProvider,
    "longbridge": LongbridgeProvider,
    "market_copy": MarketCopyProvider,
    "rss": RssProvider,
    "searxng": SearxngProvider,
    "sec": SecProvider,
    "tushare": TushareProvider,
    "xueqiu": XueqiuProvider,
}
