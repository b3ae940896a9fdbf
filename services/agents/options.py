"""The settings of the analysis, from YAML (seed 004 §9.1): which tools, how far back, how strict.

The bundled file is data/agent.yaml. A key nobody knows and a value of the wrong type are errors
that name the key, so that a typing mistake never silently switches something off.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field, ValidationError

from services.core.errors import ConfigError
from services.core.lazy import import_later
from services.core.record import Record

if TYPE_CHECKING:
    import yaml
else:
    yaml = import_later("yaml")

VARIABLE = "YOUJU_AGENT_SETTINGS"
Interval = Literal["1d", "1h", "5m", "1m"]
Backend = Literal["auto", "ta-lib", "pandas-ta", "builtin"]


class GuardrailOptions(Record):
    """Which of the checks of seed §11 that may be switched off are on."""

    pe_consistency_check: bool = True
    evidence_required: bool = True


class PricePeriod(Record):
    """Bars of one length, and how many calendar days back."""

    interval: Interval = "1d"
    lookback: int = Field(default=365, ge=1, le=10_000)


class Switch(Record):
    """A tool without options of its own."""

    enabled: bool = True


class PriceOptions(Switch):
    """Which bars are gathered."""

    periods: tuple[PricePeriod, ...] = Field(default=(PricePeriod(),), min_length=1, max_length=4)


class NewsOptions(Switch):
    """How many headlines."""

    max_items: int = Field(default=20, ge=1, le=50)


class WebOptions(Switch):
    """How many hits."""

    max_results: int = Field(default=5, ge=1, le=20)


class IndicatorOptions(Switch):
    """Which library computes them; `auto` takes the first that is installed."""

    backend: Backend = "auto"


class ToolOptions(Record):
    """Each tool's own options, by the names of the specification."""

    price_history: PriceOptions = PriceOptions()
    fundamentals: Switch = Switch()
    financial_reports: Switch = Switch()
    news: NewsOptions = NewsOptions()
    web_search: WebOptions = WebOptions()
    indicators: IndicatorOptions = IndicatorOptions()
    peer_compare: Switch = Switch(enabled=False)
    macro_data: Switch = Switch()

    def disabled(self) -> frozenset[str]:
        """The wire names of the tools that are switched off."""
        switches: Mapping[str, Switch] = {
            "get_price_history": self.price_history,
            "get_fundamentals_info": self.fundamentals,
            "get_financial_reports": self.financial_reports,
            "search_news": self.news,
            "search_web": self.web_search,
            "compute_indicators": self.indicators,
            "peer_compare": self.peer_compare,
            "get_macro_data": self.macro_data,
        }
        return frozenset(name for name, switch in switches.items() if not switch.enabled)


class AgentOptions(Record):
    """The block `agent:` of the file.

    `max_tool_iterations` 0 asks a model for its choice at once, without tools. `views`: a model may
    say a few free words beside, shown as not verified.
    """

    default_skill: str = "stock_analysis"
    runtime: Literal["openai_tools", "action_json"] = "openai_tools"
    max_tool_iterations: int = Field(default=10, ge=0, le=50)
    views: bool = True
    guardrails: GuardrailOptions = GuardrailOptions()
    tools: ToolOptions = ToolOptions()


class _File(Record):
    agent: AgentOptions = AgentOptions()


def read_options(path: Path) -> AgentOptions:
    """The settings in that file.

    Raises: ConfigError when it is not there, is no YAML, or a key or value is not valid.
    """
    try:
        written = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise ConfigError(VARIABLE, f"{path.name} cannot be read") from None
    except yaml.YAMLError as error:
        raise ConfigError(VARIABLE, f"{path.name} is no YAML{_line(error)}") from None
    except RecursionError:
        raise ConfigError(VARIABLE, f"{path.name} is nested too deep to be read") from None
    except ValueError:  # a day that is none, a number of thousands of digits
        raise ConfigError(VARIABLE, f"{path.name} holds a value that cannot be read") from None
    try:
        return _File.model_validate(written or {}, strict=False).agent
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"]) or "the file"
        raise ConfigError(VARIABLE, f"{path.name}, {place}: {first['msg']}") from None


def _line(error: "yaml.YAMLError") -> str:
    mark = getattr(error, "problem_mark", None)
    return f" (line {mark.line + 1})" if mark is not None else ""
