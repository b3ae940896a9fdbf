"""Which figures of macro series are asked for: M2 and its growth are two."""

from collections.abc import Mapping
from functools import cache
from typing import cast

from services.core.catalogue import CATALOGUE
from services.core.data_files import DATA_FOLDER, read_data_file
from services.query.reading.actions import ActionWords

_FILE = DATA_FOLDER / "lexicon" / "actions.toml"
# Kinds of words that say which figure of a series is meant.
MEASURES = ("growth", "mom", "level", "one", "five")


def measured(told: ActionWords) -> Mapping[str, str] | None:
    """Each series said, with the names of the figures meant of it (empty: all it has).

    A word of measure is of the series right before it, and of those beside that have none: M1、M2
    增速. Before any series it is of the first. None where a series has no such figure.
    """
    run: list[list[str]] = []  # series without a measure yet
    said: list[list[str]] = []
    early: list[str] = []
    measures = False
    for one in told.said("series", *MEASURES):
        if one.kind == "series":
            run = [] if measures else run
            measures = False
            said.append([str(one.sem), *early])
            run, early = [*run, said[-1]], []
        elif not said:
            early.append(one.kind)
        else:
            measures = True
            for each in run:
                each.append(one.kind)
    found: dict[str, list[str]] = {}
    for name, *kinds in said:
        series, _, own = name.partition("/")
        wanted = " ".join(dict.fromkeys((*own.split(), *kinds)))
        figure = _figures().get(f"{series}/{wanted}")
        if figure is None and wanted:
            return None
        found.setdefault(series, [])
        if figure is not None:
            found[series].append(CATALOGUE[figure].zh)
    return {series: "、".join(dict.fromkeys(names)) for series, names in found.items()}


@cache
def _figures() -> Mapping[str, str]:
    table = read_data_file(_FILE).tables["macro"]["figures"]
    return cast("Mapping[str, str]", table)
