"""`sync` at the command line: what it prints, how it ends, and where it goes on."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from services.cli.commands import main
from services.settings import CAPABILITIES
from tests.fakes.eastmoney_growing import Growing
from tests.fakes.server import World
from tests.unit.market.copied import THURSDAY

pytestmark = pytest.mark.thorough


@pytest.fixture
def upstream() -> Growing:
    return Growing(THURSDAY)


@pytest.fixture
def live(upstream: Growing, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with World(upstream) as world:
        chains = ";".join(f"{name}:eastmoney" for name in CAPABILITIES)
        given = {
            "YOUJU_MODE": "live",
            "YOUJU_CLOCK": THURSDAY.isoformat(),
            "YOUJU_CHAINS": chains,
            "API_PACE": "0",
            **world.environment(),
        }
        for name, value in given.items():
            monkeypatch.setenv(name, value)
        yield


def said(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    out, err = capsys.readouterr()
    return json.loads(out), err


@pytest.mark.usefixtures("live")
def test_it_pulls_a_market_and_a_second_time_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync", "--limit", "2"]) == 0
    summary, progress = said(capsys)
    assert summary["ok"]
    assert summary["pulled"] == {"universe": 1, "reports": 5, "bars": 2}
    assert "日线 [########################] 2/2" in progress
    assert main(["sync", "--limit", "2"]) == 0
    summary, progress = said(capsys)
    assert (summary["pulled"], progress) == ({}, "")


@pytest.mark.usefixtures("live")
def test_only_the_kinds_asked_for_are_pulled(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync", "--market", "hk", "--kinds", "universe"]) == 0
    summary, _ = said(capsys)
    assert (summary["market"], summary["pulled"]) == ("HK", {"universe": 1})


@pytest.mark.usefixtures("live")
def test_a_source_that_fails_is_said_and_ends_with_three(
    upstream: Growing, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.fault, upstream.fault_path = "forbidden", "kline"
    assert main(["sync"]) == 3
    summary, err = said(capsys)
    assert not summary["ok"]
    assert (summary["pulled"]["universe"], summary["stopped"]) == (1, ["bars"])
    assert summary["failed"][0]["task"] == "CN:bars:600519.SH"
    assert err.splitlines()[-1].startswith("数据源不可用")
    upstream.reset()
    assert main(["sync"]) == 0
    summary, _ = said(capsys)
    assert summary["pulled"] == {"bars": 8}


def test_in_snapshot_mode_it_says_how_to_switch(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sync"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "YOUJU_MODE=live" in err


@pytest.mark.usefixtures("live")
@pytest.mark.parametrize(
    ("arguments", "valid"),
    [
        (["--market", "JP"], "CN | HK | US"),
        (["--kinds", "universe,prices"], "universe,reports,bars"),
        (["--limit", "0"], "1 to 99999"),
        (["--limit", "viele"], "1 to 99999"),
    ],
)
def test_a_wrong_argument_names_what_is_valid(
    arguments: list[str], valid: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sync", *arguments]) == 2
    assert valid in capsys.readouterr().err
