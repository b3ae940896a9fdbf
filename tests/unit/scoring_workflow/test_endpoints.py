"""Which model plays which agent, and that the workbench starts without any of it."""

import subprocess
import sys

import pytest

from services.cli.state import model_state
from services.core.errors import ConfigError
from services.scoring.endpoints import role_models
from services.scoring.workflow import Manner, ScoringWorkflow
from services.settings import ROOT, Settings, load_settings

BOTH = {"DASHSCOPE_API_KEY": "sk-one", "DEEPSEEK_API_KEY": "sk-two"}
LOCAL = {"LLM_BASE_URL": "http://127.0.0.1:1/v1", "LLM_MODEL": "local"}


def roles(given: dict[str, str]) -> dict[str, tuple[str, str]]:
    return {role: (one.host, one.model) for role, one in role_models(load_settings(given)).items()}


@pytest.mark.parametrize(
    ("given", "played"),
    [
        ({}, {}),
        (
            BOTH,
            {
                "ScoreAgent": ("dashscope.aliyuncs.com", "qwen-max"),
                "ReviewAgent": ("api.deepseek.com", "deepseek-chat"),
            },
        ),
        (
            {**BOTH, "MODEL_SCORE_AGENT": "qwen-plus", "MODEL_REVIEW_AGENT": "deepseek-reasoner"},
            {
                "ScoreAgent": ("dashscope.aliyuncs.com", "qwen-plus"),
                "ReviewAgent": ("api.deepseek.com", "deepseek-reasoner"),
            },
        ),
        (
            {"DASHSCOPE_API_KEY": "sk-one"},
            {"ScoreAgent": ("dashscope.aliyuncs.com", "qwen-max")},
        ),
        (LOCAL, {"ScoreAgent": ("127.0.0.1", "local"), "ReviewAgent": ("127.0.0.1", "local")}),
        (
            {**LOCAL, "DEEPSEEK_API_KEY": "sk-two"},
            {
                "ScoreAgent": ("127.0.0.1", "local"),
                "ReviewAgent": ("api.deepseek.com", "deepseek-chat"),
            },
        ),
        (
            {
                **BOTH,
                "DASHSCOPE_BASE_URL": "http://127.0.0.1:2",
                "DEEPSEEK_BASE_URL": "http://[::1]:3",
            },
            {"ScoreAgent": ("127.0.0.1", "qwen-max"), "ReviewAgent": ("::1", "deepseek-chat")},
        ),
    ],
)
def test_each_agent_has_its_own_model_else_the_common_one_else_its_rule(
    given: dict[str, str], played: dict[str, tuple[str, str]]
) -> None:
    assert roles(given) == played


def test_a_key_is_never_shown() -> None:
    for one in role_models(load_settings(BOTH)).values():
        assert "sk-" not in repr(one)


def test_a_search_is_of_dashscope_alone_and_only_when_it_is_switched_on() -> None:
    on = load_settings({**BOTH, **LOCAL, "YOUJU_SCORE_SEARCH": "on"})
    assert [one.search for one in role_models(on).values()] == [True, False]
    assert not any(one.search for one in role_models(load_settings(BOTH)).values())
    with pytest.raises(ConfigError, match="YOUJU_SCORE_SEARCH"):
        load_settings({"YOUJU_SCORE_SEARCH": "yes"})


@pytest.mark.parametrize(
    ("given", "variable"),
    [
        ({}, "DASHSCOPE_API_KEY"),
        ({"DASHSCOPE_API_KEY": "sk-one"}, "DEEPSEEK_API_KEY"),
    ],
)
def test_models_that_are_wanted_and_not_there_are_an_error_that_names_the_key(
    given: dict[str, str], variable: str
) -> None:
    with pytest.raises(ConfigError, match=f"^{variable}: "):
        ScoringWorkflow(settings=load_settings(given), manner=Manner(by="model"))


def test_by_rule_no_model_is_asked_though_one_is_configured() -> None:
    assert ScoringWorkflow(settings=load_settings(BOTH), manner=Manner(by="rule")).models == {}
    assert ScoringWorkflow(settings=Settings()).models == {}


def test_the_workbench_and_the_command_line_start_without_the_agents_framework() -> None:
    """It takes over a second to import, and nobody but a score needs it."""
    said = (
        "import sys, services.container, services.cli.commands\n"
        "heavy = {'agent_framework', 'agent_framework_openai', 'openai'}\n"
        "print(sorted(heavy & {name.split('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", said], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_doctor_tells_who_scores_and_who_reviews_and_never_a_key() -> None:
    settings = Settings(
        secrets={"DASHSCOPE_API_KEY": "sk-hidden"}, dashscope_base_url="http://127.0.0.1:9/v1"
    )
    told = model_state(settings)["scoring"]
    assert told == {
        "score": {
            "by": "model",
            "host": "127.0.0.1",
            "name": "qwen-max",
            "key": "DASHSCOPE_API_KEY",
            "key_set": True,
        },
        "review": {
            "by": "rule",
            "host": None,
            "name": None,
            "key": "DEEPSEEK_API_KEY",
            "key_set": False,
        },
        "search": False,
    }
