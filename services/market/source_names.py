"""What each source is called, in Chinese and in English."""

from collections.abc import Mapping

SOURCE_NAMES: Mapping[str, tuple[str, str]] = {
    "snapshot": ("内置快照", "Bundled snapshot"),
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
    "cninfo": ("巨潮资讯", "CNINFO"),
    "youju": ("有据", "Youju"),
    "chain": ("已配置的来源", "The configured sources"),
}


def source_name(name: str) -> tuple[str, str]:
    """The names of a source; its own spelling where it has none here."""
    return SOURCE_NAMES.get(name, (name, name))
