"""The settings of the analysis: every key of the specification, and what is said of a wrong one."""

from pathlib import Path

import pytest

from services.agents.options import AgentOptions, read_options
from services.core.errors import ConfigError

ROOT = Path(__file__).resolve().parents[3]

# Seed 004 §9.1, whole.
SPECIFIED = """
agent:
  default_skill: stock_analysis
  runtime: openai_tools
  max_tool_iterations: 10
  guardrails:
    pe_consistency_check: true
    evidence_required: true
  tools:
    price_history:
      enabled: true
      periods:
        - interval: 1d
          lookback: 365
        - interval: 1h
          lookback: 30
    fundamentals:
      enabled: true
    financial_reports:
      enabled: true
    news:
      enabled: true
      max_items: 20
    web_search:
      enabled: true
      max_results: 5
    indicators:
      enabled: true
      backend: auto  # auto, ta-lib, pandas-ta, builtin
    peer_compare:
      enabled: false
    macro_data:
      enabled: true
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agent.yaml"


def written(path: Path, text: str) -> AgentOptions:
    path.write_text(text, encoding="utf-8")
    return read_options(path)


def test_the_example_of_the_specification_is_read_key_by_key(path: Path) -> None:
    found = written(path, SPECIFIED)
    assert found.default_skill == "stock_analysis"
    assert found.runtime == "openai_tools"
    assert found.max_tool_iterations == 10
    assert found.guardrails.pe_consistency_check
    assert found.guardrails.evidence_required
    tools = found.tools
    assert [(one.interval, one.lookback) for one in tools.price_history.periods] == [
        ("1d", 365),
        ("1h", 30),
    ]
    assert tools.news.max_items == 20
    assert tools.web_search.max_results == 5
    assert tools.indicators.backend == "auto"
    assert tools.disabled() == {"peer_compare"}


def test_the_bundled_file_is_valid_and_has_every_key() -> None:
    assert read_options(ROOT / "data" / "agent.yaml").tools.disabled() == frozenset()


@pytest.mark.parametrize(
    ("key", "value", "reads"),
    [
        ("default_skill", "market", lambda o: o.default_skill == "market"),
        ("runtime", "action_json", lambda o: o.runtime == "action_json"),
        ("max_tool_iterations", "3", lambda o: o.max_tool_iterations == 3),
        (
            "guardrails",
            "{pe_consistency_check: false}",
            lambda o: (
                (o.guardrails.pe_consistency_check, o.guardrails.evidence_required) == (False, True)
            ),
        ),
        (
            "guardrails",
            "{evidence_required: no}",
            lambda o: not o.guardrails.evidence_required,
        ),
        (
            "tools",
            "{indicators: {backend: builtin}}",
            lambda o: o.tools.indicators.backend == "builtin",
        ),
        (
            "tools",
            "{indicators: {backend: ta-lib}}",
            lambda o: o.tools.indicators.backend == "ta-lib",
        ),
        ("tools", "{news: {max_items: 50}}", lambda o: o.tools.news.max_items == 50),
    ],
)
def test_a_key_alone_changes_itself_and_leaves_the_rest(
    path: Path, key: str, value: str, reads: object
) -> None:
    assert callable(reads)
    assert reads(written(path, f"agent:\n  {key}: {value}\n"))


@pytest.mark.parametrize(
    ("switch", "tool"),
    [
        ("price_history", "get_price_history"),
        ("fundamentals", "get_fundamentals_info"),
        ("financial_reports", "get_financial_reports"),
        ("news", "search_news"),
        ("web_search", "search_web"),
        ("indicators", "compute_indicators"),
        ("macro_data", "get_macro_data"),
    ],
)
def test_every_tool_can_be_switched_off(path: Path, switch: str, tool: str) -> None:
    found = written(path, f"agent:\n  tools:\n    {switch}: {{enabled: false}}\n")
    assert tool in found.tools.disabled()


@pytest.mark.parametrize("text", ["", "agent:\n", "# nothing\n", "{}"])
def test_an_empty_file_or_block_is_the_defaults_or_refused_by_name(path: Path, text: str) -> None:
    if text == "agent:\n":
        with pytest.raises(ConfigError, match="agent"):
            written(path, text)
    else:
        assert written(path, text) == AgentOptions()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("agent: {max_tool_iteration: 3}", "agent.max_tool_iteration"),
        ("agents: {}", "agents"),
        ("agent: {guardrails: {pe_check: true}}", "agent.guardrails.pe_check"),
        ("agent: {tools: {weather: {enabled: true}}}", "agent.tools.weather"),
        ("agent: {tools: {news: {max_item: 3}}}", "agent.tools.news.max_item"),
        ("agent: {tools: {peer_compare: {size: 3}}}", "agent.tools.peer_compare.size"),
        ("agent: {max_tool_iterations: many}", "agent.max_tool_iterations"),
        ("agent: {max_tool_iterations: -1}", "agent.max_tool_iterations"),
        ("agent: {max_tool_iterations: 51}", "agent.max_tool_iterations"),
        ("agent: {runtime: langchain}", "agent.runtime"),
        ("agent: {default_skill: [a]}", "agent.default_skill"),
        ("agent: {guardrails: {evidence_required: perhaps}}", "agent.guardrails.evidence_required"),
        ("agent: {tools: {news: {max_items: 0}}}", "agent.tools.news.max_items"),
        ("agent: {tools: {news: {max_items: .nan}}}", "agent.tools.news.max_items"),
        ("agent: {tools: {news: true}}", "agent.tools.news"),
        ("agent: {tools: {indicators: {backend: talib}}}", "agent.tools.indicators.backend"),
        ("agent: {tools: {price_history: {periods: []}}}", "agent.tools.price_history.periods"),
        (
            "agent: {tools: {price_history: {periods: [{interval: 1w}]}}}",
            "agent.tools.price_history.periods.0.interval",
        ),
        ("[1, 2]", "the file"),
        ("agent", "the file"),
    ],
)
def test_a_wrong_key_or_value_is_named(path: Path, text: str, named: str) -> None:
    with pytest.raises(ConfigError) as caught:
        written(path, text)
    assert str(caught.value).startswith(f"YOUJU_AGENT_SETTINGS: agent.yaml, {named}: ")


def test_a_file_that_is_no_yaml_is_told_with_its_line(path: Path) -> None:
    with pytest.raises(ConfigError, match=r"agent\.yaml is no YAML \(line 3\)"):
        written(path, "agent:\n  tools:\n  }oops\n")


def test_a_file_that_is_not_there_or_no_text_is_told(path: Path) -> None:
    with pytest.raises(ConfigError, match=r"agent\.yaml cannot be read"):
        read_options(path)
    path.write_bytes(b"\xff\xfe\x00agent")
    with pytest.raises(ConfigError, match=r"agent\.yaml cannot be read"):
        read_options(path)


def test_yaml_cannot_make_objects(path: Path) -> None:
    with pytest.raises(ConfigError, match="is no YAML"):
        written(path, "agent: !!python/object/apply:os.system [echo]\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("agent: " + "[" * 3_000 + "]" * 3_000, "nested too deep"),
        ("agent: " + "{a: " * 3_000 + "1" + "}" * 3_000, "nested too deep"),
        ("agent: {max_tool_iterations: " + "9" * 5_000 + "}", "a value that cannot be read"),
        ("agent: {default_skill: 2001-99-99}", "a value that cannot be read"),
    ],
)
def test_what_no_reader_can_follow_is_a_settings_error(path: Path, text: str, why: str) -> None:
    with pytest.raises(ConfigError, match=f"agent.yaml .*{why}"):
        written(path, text)
