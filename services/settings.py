"""Settings from the environment or `.env`, read once, frozen; nothing else reads either."""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from dotenv import dotenv_values

from services.core.buckets import Bucket, read_bucket
from services.core.errors import ConfigError
from services.core.requests import CAPABILITIES

ROOT = Path(__file__).resolve().parent.parent
# Where snapshots are frozen to, and unpacked.
FROZEN = ROOT / "data" / "frozen"
_COUNT = re.compile("[1-9][0-9]{0,3}")
_SECONDS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,3})?")
# It becomes a header: printable, without a line break.
_CONTACT = re.compile(r"[\x20-\x7e]{5,120}")
# Labels of a host name with dots between: no port, no path.
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?")
# A name or an IPv4 address, and a port.
_ADDRESS = re.compile(r"[a-z0-9][a-z0-9.-]{0,251}:[0-9]{1,5}")
_URL = re.compile(r"https?://[^\s@]+")
Mode = Literal["snapshot", "live"]
Runtime = Literal["openai_tools", "action_json"]

_SNAPSHOT_CHAIN: tuple[str, ...] = ("snapshot",)
_QUOTED = ("eastmoney", "tushare", "xueqiu", "akshare")
# Who answers what in live mode, in order; a source that is not configured is left out.
LIVE_CHAINS: Mapping[str, tuple[str, ...]] = {
    "screen": ("xueqiu", "market_copy"),
    "points": ("market_copy",),
    "summary": ("market_copy",),
    "peers": ("market_copy",),
    "spot": ("eastmoney", "xueqiu", "longbridge"),
    "valuation": ("eastmoney", "tushare", "xueqiu", "longbridge"),
    "dated_valuations": ("eastmoney", "tushare", "xueqiu"),
    "daily_bars": ("market_copy", *_QUOTED, "longbridge", "ohlcvault"),
    "intraday_bars": ("eastmoney",),
    "financials": (*_QUOTED, "sec", "longbridge"),
    "forecast": ("xueqiu", "tushare", "longbridge"),
    "posts": ("xueqiu",),
    "notices": ("cninfo", "eastmoney", "xueqiu"),
    "news": ("eastmoney", "xueqiu", "rss", "longbridge"),
    "influencers": ("xueqiu",),
    "site_search": ("xueqiu", "iqs"),
    "web_search": ("iqs", "searxng", "rss", "eastmoney"),
    "user_search": ("xueqiu",),
    "user_posts": ("xueqiu",),
    "page": ("xueqiu",),
    "signals": ("eastmoney", "akshare"),
    "fund_flow": ("eastmoney", "akshare"),
    "macro": ("akshare", "tushare"),
    "universe": ("eastmoney", "xueqiu", "tushare"),
    "market_reports": ("eastmoney", "sec"),
}
# Sends a whole market for one company: last for a page, first for long histories of many.
LONG_HISTORY = "ohlcvault"
# Capabilities whose answer is held against a second source, when there is one, which also fills
# what the first leaves out.
CROSS_CHECKED = ("valuation", "financials", "daily_bars", "forecast")
# What a source needs before it can be asked: any one of the variables is enough, each line needed.
NEEDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "tushare": (("TUSHARE_TOKEN",),),
    "iqs": (("IQS_API_KEY",),),
    "searxng": (("SEARXNG_URL",),),
    "rss": (("RSS_FEEDS",),),
    "sec": (("SEC_CONTACT",),),
    "longbridge": (
        ("LONGBRIDGE_APP_KEY",),
        ("LONGBRIDGE_APP_SECRET",),
        ("LONGBRIDGE_ACCESS_TOKEN",),
    ),
}
SECRETS = (
    "TUSHARE_TOKEN",
    "XUEQIU_TOKEN",
    "IQS_API_KEY",
    "LLM_API_KEY",
    "DASHSCOPE_API_KEY",
    "DEEPSEEK_API_KEY",
    "LONGBRIDGE_APP_KEY",
    "LONGBRIDGE_APP_SECRET",
    "LONGBRIDGE_ACCESS_TOKEN",
)
# Where each upstream is; every one may be pointed elsewhere. Empty: there is no public address.
URLS: Mapping[str, str] = {
    "XUEQIU_WEB_URL": "https://xueqiu.com",
    "XUEQIU_API_URL": "https://api.xueqiu.com",
    "XUEQIU_STOCK_URL": "https://stock.xueqiu.com",
    "EASTMONEY_PUSH2_URL": "https://push2.eastmoney.com",
    "EASTMONEY_PUSH2HIS_URL": "https://push2his.eastmoney.com",
    "EASTMONEY_PUSH2EX_URL": "https://push2ex.eastmoney.com",
    "EASTMONEY_DATACENTER_URL": "https://datacenter-web.eastmoney.com",
    "EASTMONEY_NOTICE_URL": "https://np-anotice-stock.eastmoney.com",
    "EASTMONEY_SEARCH_URL": "https://search-api-web.eastmoney.com",
    "CNINFO_URL": "http://www.cninfo.com.cn",
    "TUSHARE_URL": "http://api.waditu.com/dataapi",
    "AKSHARE_URL": "",
    "IQS_URL": "https://cloud-iqs.aliyuncs.com",
    "SEARXNG_URL": "",
    "SEC_DATA_URL": "https://data.sec.gov",
    "SEC_WEB_URL": "https://www.sec.gov",
    "OHLCVAULT_URL": "https://data.ohlcvault.com",
    "LONGBRIDGE_HTTP_URL": "https://openapi.longbridge.com",
}


# Where the two agents of a score are asked, unless the settings say otherwise.
DASHSCOPE_URL = "https://dashscope.aliyuncs.com/compatible-mode/v1"
DEEPSEEK_URL = "https://api.deepseek.com/v1"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. `secrets` are absent from `repr`: ask `secret` for one.

    `frozen` is no setting: it says that the snapshot is a frozen one. `mode` is then what it was
    frozen in, since that decides what pages ask and how they look; no source is asked.
    """

    mode: Mode = "snapshot"
    mode_given: bool = False
    frozen: bool = False
    store: str = str(ROOT / "data" / "youju.duckdb")
    # Where records are kept instead of in the file; it may hold a password.
    records_url: str | None = field(default=None, repr=False)
    # The folder or bucket in which a worker publishes market data to the replicas.
    published: Path | Bucket | None = None
    snapshot: Path = ROOT / "data" / "snapshot"
    knowledge: Path = ROOT / "data" / "knowledge"
    language: Literal["zh", "en"] = "zh"
    max_web_search_queries: int = 1
    max_xq_search_queries: int = 3
    clock: datetime | None = None
    api_timeout_s: float = 8.0
    api_deadline_s: float = 25.0
    api_attempts: int = 3
    pace_s: float = 0.3
    urls: Mapping[str, str] = field(default_factory=lambda: dict(URLS))
    rss_feeds: tuple[str, ...] = ()
    # Who asks the SEC, as it requires: a name and an address for mail.
    sec_contact: str = ""
    # Names this workbench is reached by, beside localhost and addresses.
    hosts: frozenset[str] = frozenset()
    llm_base_url: str = ""
    llm_model: str = ""
    llm_runtime: Runtime | None = None
    llm_deadline_s: float = 60.0
    llm_grammar: str = ""
    llm_embedding_model: str = ""
    dashscope_base_url: str = DASHSCOPE_URL
    deepseek_base_url: str = DEEPSEEK_URL
    model_score_agent: str = ""
    model_news: str = ""
    model_checker: str = ""
    model_review_agent: str = ""
    score_search: bool = False
    model_prices: Path = ROOT / "data" / "model-prices.csv"
    agent_settings: Path = ROOT / "data" / "agent.yaml"
    log: Path | None = ROOT / "logs" / "analysis_llm.log"
    # Runs that nothing points at go after so many days; 0: none ever.
    retention_days: int = 0
    # How often what is due by schedule is looked for; 0: never.
    schedule_minutes: int = 10
    log_json: bool = False
    # Where metrics are shown (host:port) and traces sent (an address); empty: nowhere.
    metrics: str = ""
    traces: str = ""
    chosen_chains: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    @property
    def secrets_present(self) -> frozenset[str]:
        """Which keys are set; never what they are."""
        return frozenset(self.secrets)

    @property
    def model_configured(self) -> bool:
        """Whether there is a language model to ask; a local one needs no key."""
        return bool(self.llm_base_url and self.llm_model)

    @property
    def chains(self) -> Mapping[str, tuple[str, ...]]:
        """Capability → provider names, in the order they are asked. Only configured ones."""
        return {
            name: tuple(one for one in sources if not self.lacking(one))
            for name, sources in self.wanted_chains.items()
        }

    @property
    def wanted_chains(self) -> Mapping[str, tuple[str, ...]]:
        """The same with the sources that still lack a setting."""
        if self.mode == "snapshot" or self.frozen:
            return dict.fromkeys(CAPABILITIES, _SNAPSHOT_CHAIN)
        wanted = {**LIVE_CHAINS, **self.chosen_chains}
        return {name: wanted[name] for name in CAPABILITIES}

    @property
    def wanting(self) -> Mapping[str, str]:
        """Capability without any configured source → the variables that would give it one."""
        lacking = {
            name: [self.lacking(one) for one in sources]
            for name, sources in self.wanted_chains.items()
        }
        return {
            name: " | ".join(variables[0] for variables in sources)
            for name, sources in lacking.items()
            if sources and all(sources)
        }

    def secret(self, name: str) -> str:
        """The value of a key; empty when it is not set."""
        return self.secrets.get(name, "")

    def lacking(self, provider: str) -> tuple[str, ...]:
        """The variables that must be set before this provider can be asked; empty when none."""
        given = {*self.secrets, *(name for name, url in self.urls.items() if url)}
        given |= {"RSS_FEEDS"} if self.rss_feeds else set()
        given |= {"SEC_CONTACT"} if self.sec_contact else set()
        needs = NEEDS.get(provider, ())
        return tuple(names[0] for names in needs if not given.intersection(names))


def program_version() -> str:
    """The version of this program, as its project file says; `unknown` where that is not there."""
    try:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    except OSError:
        return "unknown"
    return str(project["project"]["version"])


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read `.env` and the environment (which wins).

    Raises: ConfigError naming the variable and its valid values.
    """
    given = environ if environ is not None else _environment()
    mode = _choice(given, "YOUJU_MODE", "snapshot", ("snapshot", "live"))
    language = _choice(given, "YOUJU_LANG", "zh", ("zh", "en"))
    defaults = Settings()
    store, records_url, published = _stores(given, defaults.store)
    return Settings(
        mode="live" if mode == "live" else "snapshot",
        mode_given=bool(given.get("YOUJU_MODE") or given.get("YOUJU_SNAPSHOT")),
        store=store,
        records_url=records_url,
        published=published,
        snapshot=Path(given.get("YOUJU_SNAPSHOT") or defaults.snapshot),
        knowledge=Path(given.get("YOUJU_KNOWLEDGE") or defaults.knowledge),
        language="en" if language == "en" else "zh",
        max_web_search_queries=_count(given, "YOUJU_MAX_WEB_SEARCH_QUERIES", 1),
        max_xq_search_queries=_count(given, "YOUJU_MAX_XQ_SEARCH_QUERIES", 3),
        clock=_instant(given, "YOUJU_CLOCK"),
        api_timeout_s=_seconds(given, "API_TIMEOUT", defaults.api_timeout_s),
        api_deadline_s=_seconds(given, "API_DEADLINE", defaults.api_deadline_s),
        api_attempts=_count(given, "API_ATTEMPTS", defaults.api_attempts),
        pace_s=_seconds(given, "API_PACE", defaults.pace_s),
        urls={name: _url(given, name, default) for name, default in URLS.items()},
        rss_feeds=_feeds(given, "RSS_FEEDS"),
        sec_contact=_contact(given, "SEC_CONTACT"),
        hosts=_hosts(given),
        llm_base_url=_url(given, "LLM_BASE_URL", ""),
        llm_model=(given.get("LLM_MODEL") or "").strip(),
        llm_runtime=_runtime(given),
        llm_deadline_s=_seconds(given, "LLM_DEADLINE", defaults.llm_deadline_s),
        llm_grammar=_choice(given, "LLM_GRAMMAR", "", ("", "grammar", "guided_grammar")),
        llm_embedding_model=(given.get("LLM_EMBEDDING_MODEL") or "").strip(),
        dashscope_base_url=_url(given, "DASHSCOPE_BASE_URL", DASHSCOPE_URL),
        deepseek_base_url=_url(given, "DEEPSEEK_BASE_URL", DEEPSEEK_URL),
        model_news=(given.get("MODEL_NEWS") or "").strip(),
        model_checker=(given.get("MODEL_CHECKER") or "").strip(),
        model_score_agent=(given.get("MODEL_SCORE_AGENT") or "").strip(),
        model_review_agent=(given.get("MODEL_REVIEW_AGENT") or "").strip(),
        score_search=_choice(given, "YOUJU_SCORE_SEARCH", "off", ("on", "off")) == "on",
        model_prices=Path(given.get("YOUJU_MODEL_PRICES") or defaults.model_prices),
        agent_settings=Path(given.get("YOUJU_AGENT_SETTINGS") or defaults.agent_settings),
        **_periods(given, defaults),
        **_sight(given, defaults),
        chosen_chains=_chains(given),
        secrets={name: value for name in SECRETS if (value := (given.get(name) or "").strip())},
    )


def _periods(given: Mapping[str, str], defaults: Settings) -> dict[str, Any]:
    """After how long what goes, how often what is due is done; 0 for never."""
    days, minutes = "YOUJU_RETENTION_DAYS", "YOUJU_SCHEDULE_MINUTES"
    return {
        "retention_days": _count_or_none(given, days, defaults.retention_days),
        "schedule_minutes": _count_or_none(given, minutes, defaults.schedule_minutes),
    }


def _sight(given: Mapping[str, str], defaults: Settings) -> dict[str, Any]:
    """Where it is told what is done here: the log, metrics, traces."""
    return {
        "log": _log(given.get("YOUJU_LOG"), defaults.log),
        "log_json": _choice(given, "YOUJU_LOG_FORMAT", "text", ("text", "json")) == "json",
        "metrics": _address(given, "YOUJU_METRICS"),
        "traces": _url(given, "YOUJU_TRACES", ""),
    }


def _stores(given: Mapping[str, str], default: str) -> tuple[str, str | None, Path | Bucket | None]:
    """The DuckDB file; where records are kept elsewhere, their URL and the place in which market
    data are published.
    """
    store, market = given.get("YOUJU_STORE") or default, given.get("YOUJU_MARKET") or ""
    if "://" not in store.removeprefix("duckdb:///"):
        return store, None, None
    shared = given.get("YOUJU_PUBLISHED") or ""
    # The URL may hold a password: it is not repeated.
    if not market or "://" in market:
        raise ConfigError(
            "YOUJU_MARKET",
            "records are kept under a URL, so the market tables need a file of their own here; "
            "valid: a path such as data/youju-market.duckdb",
        )
    if shared.startswith("s3://"):
        return market, store, read_bucket("YOUJU_PUBLISHED", shared, given)
    if not shared or "://" in shared:
        raise ConfigError(
            "YOUJU_PUBLISHED",
            "records are kept under a URL, so market data are published to every replica in a "
            "folder all of them see, or in a bucket; valid: a path such as /shared/youju-market, "
            "or s3://bucket/path",
        )
    return market, store, Path(shared)


def _hosts(given: Mapping[str, str]) -> frozenset[str]:
    """`YOUJU_HOSTS=youju.example.org,research`: names without a scheme, port or path."""
    found: set[str] = set()
    for name in (given.get("YOUJU_HOSTS") or "").split(","):
        if not (bare := name.strip().lower()):
            continue
        if not _HOST.fullmatch(bare):
            raise ConfigError("YOUJU_HOSTS", f"{bare!r} is no host name; valid: a.example,b")
        found.add(bare)
    return frozenset(found)


def _environment() -> dict[str, str]:
    written = dotenv_values(ROOT / ".env") if (ROOT / ".env").exists() else {}
    return {name: value for name, value in written.items() if value} | dict(os.environ)


def _choice(given: Mapping[str, str], name: str, default: str, valid: tuple[str, ...]) -> str:
    value = (given.get(name) or default).strip()
    if value not in valid:
        raise ConfigError(name, f"got {value!r}; valid: {' | '.join(valid)}")
    return value


def _log(said: str | None, default: Path | None) -> Path | None:
    """Where the log goes; `off` for nowhere."""
    if not said:
        return default
    return None if said.strip().lower() == "off" else Path(said)


def _runtime(given: Mapping[str, str]) -> Runtime | None:
    """None when nothing is said: the settings of the analysis decide then."""
    if not (given.get("LLM_RUNTIME") or "").strip():
        return None
    valid = ("openai_tools", "action_json")
    said = _choice(given, "LLM_RUNTIME", "openai_tools", valid)
    return "action_json" if said == "action_json" else "openai_tools"


def _count(given: Mapping[str, str], name: str, default: int) -> int:
    text = (given.get(name) or str(default)).strip()
    if not _COUNT.fullmatch(text):
        raise ConfigError(name, f"got {text!r}; valid: a whole number from 1 to 9999")
    return int(text)


def _count_or_none(given: Mapping[str, str], name: str, default: int) -> int:
    """A count, or 0 for not at all."""
    said = (given.get(name) or str(default)).strip()
    return 0 if said == "0" else _count(given, name, default)


def _seconds(given: Mapping[str, str], name: str, default: float) -> float:
    text = (given.get(name) or "").strip()
    if not text:
        return default
    if not _SECONDS.fullmatch(text):
        raise ConfigError(name, f"got {text!r}; valid: seconds from 0 to 999, such as 8 or 0.3")
    return float(text)


def _instant(given: Mapping[str, str], name: str) -> datetime | None:
    text = (given.get(name) or "").strip()
    if not text:
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise ConfigError(name, f"got {text!r}; valid: an instant such as 2026-11-20T16:30+08:00")
    return instant


def _url(given: Mapping[str, str], name: str, default: str) -> str:
    text = (given.get(name) or default).strip().rstrip("/")
    # An address with a user or password in it would end up in messages: it is not repeated.
    if text and not _URL.fullmatch(text):
        raise ConfigError(name, "valid: an address such as https://example.com, without user or @")
    return text


def _address(given: Mapping[str, str], name: str) -> str:
    text = (given.get(name) or "").strip()
    if text and not _ADDRESS.fullmatch(text):
        raise ConfigError(name, f"got {text!r}; valid: a host and a port such as 127.0.0.1:9464")
    return text


def _feeds(given: Mapping[str, str], name: str) -> tuple[str, ...]:
    texts = (given.get(name) or "").replace(",", " ").split()
    if any(not _URL.fullmatch(text) for text in texts):
        raise ConfigError(name, "valid: addresses of RSS feeds, separated by blanks or commas")
    return tuple(texts)


def _contact(given: Mapping[str, str], name: str) -> str:
    text = (given.get(name) or "").strip()
    if text and not (_CONTACT.fullmatch(text) and "@" in text):
        raise ConfigError(name, "valid: a name and an address, such as Jane Doe jane@example.com")
    return text


def _chains(given: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """`YOUJU_CHAINS=spot:xueqiu>eastmoney;macro:tushare`: another order for some capabilities."""
    chains: dict[str, tuple[str, ...]] = {}
    for part in (given.get("YOUJU_CHAINS") or "").replace(" ", "").split(";"):
        if not part:
            continue
        capability, _, names = part.partition(":")
        known = LIVE_CHAINS.get(capability)
        if known is None or not names:
            raise ConfigError(
                "YOUJU_CHAINS",
                f"got {part!r}; valid: capability:source>source;… with a capability of "
                + " | ".join(CAPABILITIES),
            )
        chains[capability] = tuple(names.split(">"))
    return chains
