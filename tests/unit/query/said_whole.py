"""Turns that say one thing anew, made: each question of said_whole.toml × each of its places. What
such a turn means is the question itself with the new words in that place, read as a first turn.
"""

import tomllib
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from string import Formatter
from typing import Any

SAID: Any = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def turns_said_whole() -> Iterator[tuple[str, str, str]]:
    """(question, turn, the question that turn stands for), each in Chinese and in English."""
    for said in SAID.values():
        ways = {place: cycle(turns) for place, turns in said["turns"].items()}
        for question in said["questions"]:
            asked: str = question["asked"]
            places = {name for _, name, _, _ in Formatter().parse(asked) if name}
            first = {name: said["places"][name][0] for name in places}
            for place in sorted(places - {*question.get("apart", ())}):
                for new in said["places"][place][1:]:
                    turn = next(ways[place]).format(new)
                    yield asked.format(**first), turn, asked.format(**{**first, place: new})
