"""A faulty catalogue is refused with file, line and reason; the true one can be printed."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from services.cli.commands import main
from services.core.catalogue import CATALOGUE, CATALOGUE_FOLDER, read_catalogue
from services.core.errors import ConfigError
from services.settings import ROOT

GOOD = """[price_a]
zh = "甲价"
en = "Price A"
kind = "price"
grain = "day"
unit = "price"
"""
_FAMILY = """[family.m]
of = ["{of}"]
id = "m_{name}"
zh = "甲"
en = "A"
kind = "price"
grain = "day"
unit = "same"
"""


def _table(name: str, *lines: str) -> str:
    return "\n".join([GOOD.replace("price_a", name).replace("甲", name).rstrip(), *lines, ""])


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (GOOD + 'colour = "red"\n', 7, "colour: Extra inputs are not permitted"),
        (GOOD.replace('"day"', '"week"'), 5, "grain: Input should be"),
        (GOOD.replace('en = "Price A"\n', ""), 1, "en: Field required"),
        (GOOD + 'needs = ["nothing"]\n', 7, "needs: no figure nothing"),
        (GOOD + '\n\nmade_of = [["nothing", "yoy"]]\n', 9, "made_of: no figure nothing"),
        (
            _table("a", 'says = ["同名"]') + _table("b", 'says = ["同名"]'),
            14,
            "says: 同名 means exactly a already",
        ),
        (
            _table("a", 'screen = { place = 20, field = "f", sample_zh = "1", sample_en = "1" }')
            + _table("b", 'screen = { place = 20, field = "f", sample_zh = "1", sample_en = "1" }'),
            14,
            "screen: f is a field of a",
        ),
        (GOOD + '[family.m]\nof = ["price_a"]\n', 7, "id: Field required"),
        (GOOD + _FAMILY.format(of="nothing", name="{id}"), 8, "of: no figure nothing"),
        (GOOD + _FAMILY.format(of="price_a", name="{what}"), 7, "no such place in braces"),
        (GOOD + GOOD, 7, "Cannot declare"),
        (GOOD + "unit price\n", 7, "Expected '='"),
        ('loose = "word"\n' + GOOD, 1, "loose: not a table, [loose]"),
        (GOOD + "[names]\nnothing = []\n", 8, "no figure nothing"),
        (GOOD + "[names]\nprice_a = 3\n", 8, "price_a: a list of names"),
    ],
)
def test_a_faulty_file_is_refused_with_its_line_and_the_reason(
    text: str, line: int, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "figures.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        read_catalogue(file)
    said = str(refused.value)
    assert said.startswith("figures.toml: ")
    assert reason in said
    assert f"line {line}" in said


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "figures.toml").write_bytes(b"\xff\xfe\x00")
    for file in (tmp_path / "figures.toml", tmp_path / "absent.toml"):
        with pytest.raises(ConfigError, match="cannot be read as UTF-8 text"):
            read_catalogue(file)


def test_the_command_line_says_it_in_one_line_and_ends_as_for_a_setting(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "services", tmp_path / "services", ignore=shutil.ignore_patterns("*.pyc")
    )
    shutil.copytree(CATALOGUE_FOLDER, tmp_path / "data" / "catalogue")
    file = tmp_path / "data" / "catalogue" / "figures.toml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text + '\n[figure_x]\nzh = "甲"\nunits = "price"\n', encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "services", "doctor"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith("设置有误 ConfigError: figures.toml: line ")
    assert ended.stderr.count("\n") == 1


def test_the_catalogue_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalogue"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["id"] for row in told["figures"]] == list(CATALOGUE.figures)
    assert told["screen_fields"]["roediluted"] == "roe"
    assert told["screen_fields"].keys() == CATALOGUE.screen_fields.keys()
