"""`snapshot freeze` and `snapshot load` at the command line."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from services.cli.commands import main
from services.container import build_services
from services.settings import load_settings
from services.store.database import Database
from services.store.screens import Screens


def _run(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    code = main(argv)
    said = capsys.readouterr()
    assert code == 0, said.err
    return json.loads(said.out)


def test_everything_is_frozen_sent_and_opened(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made = _run(capsys, "snapshot", "freeze", "晨会", "--all", "--target", str(tmp_path / "a"))
    bundle = load_settings({}).snapshot
    size = sum(path.stat().st_size for path in bundle.iterdir())
    assert abs(made["bytes"] - size) < size / 50
    assert made["clock"] == "2017-07-26T16:30:00+08:00"
    assert made["scope"]["en"] == "everything there was"
    assert made["skipped"] == []
    loaded = _run(capsys, "snapshot", "load", made["file"], "--target", str(tmp_path / "b"))
    assert loaded["sha256"] == made["sha256"]
    given = dict(word.split("=", 1) for word in shlex.split(loaded["command"])[:-2])
    assert given["YOUJU_SNAPSHOT"] == str(tmp_path / "b")
    services = build_services(load_settings(given))
    try:
        assert services.settings.frozen
        assert len(services.names.rows) == 14170
    finally:
        services.close()


def test_an_index_is_frozen_with_the_saved_screens(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "mine.duckdb"
    monkeypatch.setenv("YOUJU_STORE", str(store))
    database = Database(str(store))
    Screens(database).save("便宜的银行", {"category": "HK", "pb": "0_0.01"})
    database.close()
    target = str(tmp_path / "a")
    made = _run(capsys, "snapshot", "freeze", "small", "--symbols", "恒生指数", "--target", target)
    assert made["scope"]["symbols"] == ["HSI"]
    assert made["answers"] > 30
    # A filter says how many have its figure before it is used: one answer more than there was.
    assert made["bytes"] < 800_000
    loaded = _run(capsys, "snapshot", "load", target)
    opened = Database(str(tmp_path / "a.duckdb"))
    try:
        assert [one.name for one in Screens(opened).list()] == ["便宜的银行"]
    finally:
        opened.close()
    monkeypatch.setenv("YOUJU_SNAPSHOT", loaded["folder"])
    told = _run(capsys, "snapshot", "info")
    assert told["scope"]["zh"] == "1 个代码（恒生指数）"
    assert "answers.parquet" in {part["file"] for part in told["parts"]}


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["x"], "one of --symbols, --screen and --all"),
        (["x", "--all", "--symbols", "HSI"], "one of --symbols, --screen and --all"),
        (["../x", "--all"], "1 to 60 letters"),
        (["x", "--screen", "没有"], "the name of a saved screen"),
        (["x", "--symbols", ","], "1 to 200 companies or indexes"),
    ],
)
def test_what_cannot_be_frozen_says_what_can(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, argv: list[str], said: str
) -> None:
    code = main(["snapshot", "freeze", *argv, "--target", str(tmp_path / "t")])
    assert code == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "t").exists()


def test_a_changed_part_is_refused_by_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    made = _run(capsys, "snapshot", "freeze", "x", "--all", "--target", str(tmp_path / "x"))
    part = tmp_path / "x" / "facts.parquet"
    part.write_bytes(part.read_bytes()[:-1] + b"?")
    assert main(["snapshot", "load", made["folder"]]) == 5
    assert "facts.parquet was changed" in capsys.readouterr().err


def test_nothing_there_to_load_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["snapshot", "load", "nowhere"]) == 2
    assert "a file or folder that exists" in capsys.readouterr().err
