"""Every file of data/catalogue and data/lexicon, damaged: refused with file, line and reason."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from services.cli.data_files import check_data_files, list_data_files
from services.core.data_files import DATA_FOLDER
from services.core.errors import ConfigError
from services.settings import ROOT

FILES = [f"{path.parent.name}/{path.name}" for path in list_data_files()]
# Of these files a reader asks for tables by name, the first among them; of the others for fields of
# every table, or for none: any list of words may be a table of edits and of questions.
NAMED = [
    *("asides", "cantonese", "company_words", "composed"),
    *("english_of_names", "frames", "grammar_words", "plan_words", "replies", "searches", "times"),
]
FREE = {
    "edits",
    "english",
    "nicknames",
    "question_words",
    "scopes",
    "colloquial",
    "not_held",
    *NAMED,
}


def refuse(folder: Path, name: str, text: str) -> str:
    """What is said of that file alone, damaged, beside the others as they are."""
    for kind in ("catalogue", "lexicon"):
        shutil.copytree(DATA_FOLDER / kind, folder / kind)
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        check_data_files(folder)
    said = str(refused.value)
    assert said.startswith(f"{Path(name).name}: ")
    return said


def true_text(name: str) -> str:
    return (DATA_FOLDER / name).read_text(encoding="utf-8")


def test_every_file_of_the_tree_is_read_and_whole() -> None:
    held = [
        path for kind in ("catalogue", "lexicon") for path in DATA_FOLDER.glob(f"{kind}/*.toml")
    ]
    assert check_data_files() == len(held) == len(FILES)


@pytest.mark.parametrize("name", FILES)
def test_what_is_no_toml_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text = true_text(name)
    said = refuse(tmp_path, name, text + "\nbroken here\n")
    assert f"line {text.count(chr(10)) + 2}" in said


@pytest.mark.parametrize("name", FILES)
def test_a_number_where_words_belong_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text = true_text(name)
    said = refuse(tmp_path, name, f"{text}\n[added]\nwords = [3]\n")
    # The line of the table, or of what stands in it: who compares tables first names the former.
    at = text.count("\n")
    assert f"line {at + 2}, " in said or f"line {at + 3}, " in said


@pytest.mark.parametrize("name", [one for one in FILES if Path(one).stem not in FREE])
def test_a_table_without_its_fields_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    text = true_text(name)
    said = refuse(tmp_path, name, f"{text}\n[added]\n")
    assert f"line {text.count(chr(10)) + 2}, " in said


@pytest.mark.parametrize("stem", NAMED)
def test_a_table_that_is_asked_for_and_missing_is_named(stem: str, tmp_path: Path) -> None:
    name = f"lexicon/{stem}.toml"
    text = true_text(name)
    first = f"[{next(iter(tomllib.loads(text)))}]"
    said = refuse(tmp_path, name, text.replace(f"\n{first}\n", "\n[other]\n", 1))
    assert said.endswith(f"{first} is missing")


@pytest.mark.parametrize(
    ("stem", "list_", "line"),
    [("frames", "after", "after is missing"), ("searches", "until", "until is missing"),
     ("refusals", "en", "en is missing"), ("vague", "means_en", "means_en is missing"),
     ("actions", "needs", "needs is missing"), ("replies", "tail", "tail is missing")],
)  # fmt: skip
def test_a_list_that_is_asked_for_and_missing_is_named(
    stem: str, list_: str, line: str, tmp_path: Path
) -> None:
    name = f"lexicon/{stem}.toml"
    damaged = re.sub(rf"^{list_} = ", "renamed = ", true_text(name), count=1, flags=re.MULTILINE)
    assert refuse(tmp_path, name, damaged).endswith(line)


@pytest.mark.parametrize("name", ["catalogue/limits.toml", "lexicon/replies.toml"])
def test_nothing_starts_on_a_faulty_file(name: str, tmp_path: Path) -> None:
    leave = shutil.ignore_patterns("__pycache__", "*.duckdb*", "frozen", "snapshot")
    for part in ("services", "pages", "data"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=leave)
    file = tmp_path / "data" / name
    file.write_text(true_text(name) + "\n[added]\nwords = [3]\n", encoding="utf-8")
    for command in (["-m", "services", "doctor"], ["-m", "pages.ui.serve"]):
        ended = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert ended.returncode == 2, ended.stderr
        assert re.search(rf"{file.name}: line \d+, \[\"?added\"?\]", ended.stderr)
        assert "Traceback" not in ended.stderr
