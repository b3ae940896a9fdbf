"""Settings from the environment or `.env`, read once, frozen; nothing else reads either."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dotenv import dotenv_values

from services.core.errors import ConfigError

ROOT = Path(__file__).resolve().parent.parent
_COUNT = re.compile("[1-9][0-9]{0,3}")
Mode = Literal["snapshot", "live"]

# Which providers answer a capability, in order. Live sources join here (issue: live data).
_SNAPSHOT_CHAIN: tuple[str, ...] = ("snapshot",)
CAPABILITIES = (
    "screen",
    "valuation",
    "spot",
    "daily_bars",
    "financials",
    "forecast",
    "summary",
    "peers",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; secrets are absent from `repr` because none is kept here yet."""

    mode: Mode = "snapshot"
    store: str = str(ROOT / "data" / "youju.duckdb")
    snapshot: Path = ROOT / "data" / "snapshot"
    knowledge: Path = ROOT / "data" / "knowledge"
    language: Literal["zh", "en"] = "zh"
    max_web_search_queries: int = 1
    max_xq_search_queries: int = 3
    secrets_present: frozenset[str] = frozenset()

    @property
    def chains(self) -> Mapping[str, tuple[str, ...]]:
        """Capability → provider names, in the order they are asked."""
        return dict.fromkeys(CAPABILITIES, _SNAPSHOT_CHAIN)


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


def load_settings(environ: Mapping[str, str] | None = None) -> Settings:
    """Read `.env` and the environment (which wins).

    Raises: ConfigError naming the variable and its valid values.
    """
    given = environ if environ is not None else _environment()
    mode = _choice(given, "YOUJU_MODE", "snapshot", ("snapshot", "live"))
    language = _choice(given, "YOUJU_LANG", "zh", ("zh", "en"))
    defaults = Settings()
    return Settings(
        mode="live" if mode == "live" else "snapshot",
        store=given.get("YOUJU_STORE") or defaults.store,
        snapshot=Path(given.get("YOUJU_SNAPSHOT") or defaults.snapshot),
        knowledge=Path(given.get("YOUJU_KNOWLEDGE") or defaults.knowledge),
        language="en" if language == "en" else "zh",
        max_web_search_queries=_count(given, "YOUJU_MAX_WEB_SEARCH_QUERIES", 1),
        max_xq_search_queries=_count(given, "YOUJU_MAX_XQ_SEARCH_QUERIES", 3),
        secrets_present=frozenset(name for name in SECRETS if given.get(name)),
    )


def _environment() -> dict[str, str]:
    written = dotenv_values(ROOT / ".env") if (ROOT / ".env").exists() else {}
    return {name: value for name, value in written.items() if value} | dict(os.environ)


def _choice(given: Mapping[str, str], name: str, default: str, valid: tuple[str, ...]) -> str:
    value = (given.get(name) or default).strip()
    if value not in valid:
        raise ConfigError(name, f"got {value!r}; valid: {' | '.join(valid)}")
    return value


def _count(given: Mapping[str, str], name: str, default: int) -> int:
    text = (given.get(name) or str(default)).strip()
    if not _COUNT.fullmatch(text):
        raise ConfigError(name, f"got {text!r}; valid: a whole number from 1 to 9999")
    return int(text)
