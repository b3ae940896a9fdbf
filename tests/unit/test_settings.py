import re

import pytest

from services.core.buckets import Bucket
from services.core.errors import ConfigError
from services.settings import ROOT, Settings, load_settings

READING = ("services/settings.py", "services/core/buckets.py")


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
    read = "".join((ROOT / name).read_text() for name in READING)
    named = re.findall(r'"([A-Z]+\d?[A-Z]*(?:_[A-Z0-9]+)+)"', read)
    shown = re.findall(r"^([A-Z0-9_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert sorted(shown) == sorted(set(named))


KEYED = {"AWS_ACCESS_KEY_ID": "a-key", "AWS_SECRET_ACCESS_KEY": "hush-hush"}


def published(place: str, **given: str) -> Settings:
    """The settings of a replica whose market data are published there."""
    kept = {"YOUJU_STORE": "postgresql://h/n", "YOUJU_MARKET": "market.duckdb"}
    return load_settings({**kept, "YOUJU_PUBLISHED": place, **KEYED, **given})


def test_a_bucket_is_known_by_its_server_path_and_keys_which_nothing_repeats() -> None:
    found = published("s3://team-data/youju/market/", AWS_ENDPOINT_URL="http://127.0.0.1:9000")
    assert isinstance(found.published, Bucket)
    assert (found.published.root, found.published.scheme) == ("team-data/youju/market", "http")
    assert (found.published.endpoint, found.published.secret) == ("127.0.0.1:9000", "hush-hush")
    assert "hush-hush" not in repr(found)
    assert "a-key" not in repr(found)


@pytest.mark.parametrize(
    ("place", "given", "named"),
    [
        ("s3://key:word@team-data/x", {}, "YOUJU_PUBLISHED"),
        ("s3://team-data/../other", {}, "YOUJU_PUBLISHED"),
        ("s3://T/x", {}, "YOUJU_PUBLISHED"),
        ("s3://team-data/x?versionId=1", {}, "YOUJU_PUBLISHED"),
        ("gs://team-data/x", {}, "YOUJU_PUBLISHED"),
        ("s3://team-data", {"AWS_ENDPOINT_URL": "ftp://127.0.0.1"}, "AWS_ENDPOINT_URL"),
        ("s3://team-data", {"AWS_ENDPOINT_URL": "https://key:word@h"}, "AWS_ENDPOINT_URL"),
        ("s3://team-data", {"AWS_REGION": "Frankfurt am Main"}, "AWS_REGION"),
        ("s3://team-data", {"AWS_SECRET_ACCESS_KEY": ""}, "AWS_SECRET_ACCESS_KEY"),
    ],
)
def test_a_bucket_that_cannot_be_is_refused_by_the_name_of_its_setting(
    place: str, given: dict[str, str], named: str
) -> None:
    with pytest.raises(ConfigError, match=named) as caught:
        published(place, **given)
    assert "word" not in str(caught.value)
