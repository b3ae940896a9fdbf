"""Sayings by name: each that is said is there, with the places it fills; each there is said."""

import ast
import re
from string import Formatter
from typing import get_args

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.text import Text
from services.query.reading.reasons import read_reasons
from services.query.reading.unheld import Place
from services.query.sayings import read_sayings
from services.settings import ROOT

_SAID_BY = {"saying": 0, "saying_in": 1, "SenseError": 0}


def _list_said() -> list[tuple[str, set[str], bool]]:
    """The name of each, the places filled, and whether others may be filled besides."""
    found: list[tuple[str, set[str], bool]] = []
    for path in ROOT.glob("services/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                at = _SAID_BY.get(node.func.id)
                name = node.args[at] if at is not None and at < len(node.args) else None
                if isinstance(name, ast.Constant) and isinstance(name.value, str):
                    filled = {one.arg for one in node.keywords if one.arg is not None}
                    more = any(one.arg is None for one in node.keywords)
                    found.append((name.value, filled, more))
    return found


def _list_places(text: Text) -> set[str]:
    return {
        name for side in (text.zh, text.en) for _, name, _, _ in Formatter().parse(side) if name
    }


def test_what_is_said_is_there_with_its_places_and_all_of_it_is_said() -> None:
    sayings, said = read_sayings(), _list_said()
    assert {name for name, _, _ in said} == set(sayings)
    for name, filled, more in said:
        places = _list_places(sayings[name])
        assert filled == places or (more and filled < places), name


def test_every_reason_to_put_back_is_named_where_questions_are_read() -> None:
    reading = ROOT / "services" / "query" / "reading"
    said = "".join(path.read_text(encoding="utf-8") for path in reading.glob("*.py"))
    places = (place for place in get_args(Place) if place != "shown")
    others = read_data_file(DATA_FOLDER / "lexicon" / "off_topic.toml").tables
    named = {*re.findall(r'"(\w+)"', said), *(f"hangs_{place}" for place in places), *others}
    assert read_reasons()["put_back"].keys() <= named
