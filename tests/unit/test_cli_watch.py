"""`watch alerts` and `report --every` on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.commands import main

pytestmark = pytest.mark.usefixtures("bundled_store")


def _run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, Any]:
    code = main(argv)
    out = capsys.readouterr().out
    return code, json.loads(out) if out else None


def test_what_is_found_is_printed_with_its_claims_until_it_is_seen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YOUJU_STORE", f"{tmp_path}/own.duckdb")
    _run(capsys, "watch", "add", "000002.SZ", "--list", "甲", "--on", "2017-06-01")
    assert _run(capsys, "watch", "alerts")[1]["alerts"] == []
    code, found = _run(capsys, "watch", "alerts", "--look", "--seen")
    assert code == 0
    first = found["alerts"][0]
    assert (first["symbol"], first["lists"], first["end"]) == ("000002.SZ", ["甲"], "2017-07-18")
    cited = first["reason"].split("{{c:")[1].split("|")[0].rstrip("}")
    assert cited in {one["claim_id"] for one in found["claims"]}
    assert first["run_id"]
    assert _run(capsys, "watch", "alerts")[1]["alerts"] == []


def test_a_report_is_scheduled_listed_and_ended(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YOUJU_STORE", f"{tmp_path}/own.duckdb")
    code, found = _run(capsys, "report", "600519.SH", "--every", "weekly", "--lang", "en")
    assert code == 0
    (one,) = found
    assert (one["wanted"]["symbol"], one["wanted"]["every"]) == ("600519.SH", "weekly")
    assert one["wanted"]["language"] == "en"
    assert _run(capsys, "report", "--every", "never")[1] == found
    assert _run(capsys, "report", "600519.SH", "--every", "never") == (0, [])
    assert _run(capsys, "report", "600519.SH", "--every", "hourly")[0] == 2
