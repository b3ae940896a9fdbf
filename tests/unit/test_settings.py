import re

import pytest

from services.core.errors import ConfigError
from services.settings import ROOT, load_settings


def test_without_any_variable_the_snapshot_is_served() -> None:
    settings = load_settings({})
    assert settings.mode == "snapshot"
    assert (settings.max_web_search_queries, settings.max_xq_search_queries) == (1, 3)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("YOUJU_MODE", "demo"),
        ("YOUJU_LANG", "fr"),
        ("LLM_RUNTIME", "tools"),
        ("LLM_DEADLINE", "soon"),
        ("LLM_BASE_URL", "http://user:key@127.0.0.1/v1"),
        ("YOUJU_MAX_XQ_SEARCH_QUERIES", "0"),
        ("YOUJU_MAX_WEB_SEARCH_QUERIES", "many"),
        ("YOUJU_MAX_WEB_SEARCH_QUERIES", "²"),
        ("YOUJU_MAX_WEB_SEARCH_QUERIES", "三"),
        ("YOUJU_MAX_WEB_SEARCH_QUERIES", "-1"),
        ("YOUJU_MAX_WEB_SEARCH_QUERIES", "1.5"),
        ("YOUJU_MAX_WEB_SEARCH_QUERIES", "9" * 5000),
    ],
)
def test_a_wrong_setting_is_named_with_its_valid_values(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"{name}.*valid"):
        load_settings({name: value})


def test_a_secret_is_known_by_name_and_never_kept() -> None:
    settings = load_settings({"TUSHARE_TOKEN": "hush-hush"})
    assert settings.secrets_present == {"TUSHARE_TOKEN"}
    assert "hush-hush" not in repr(settings)


def test_blanks_around_a_value_do_not_matter() -> None:
    assert load_settings({"YOUJU_MAX_XQ_SEARCH_QUERIES": " 5 "}).max_xq_search_queries == 5


def test_every_variable_that_is_read_stands_in_the_example_and_no_other() -> None:
    named = re.findall(
        r'"([A-Z]+\d?[A-Z]*(?:_[A-Z0-9]+)+)"', (ROOT / "services/settings.py").read_text()
    )
    shown = re.findall(r"^([A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert sorted(shown) == sorted(set(named))
