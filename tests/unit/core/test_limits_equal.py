"""The limits and factors as data say what the tables in code say, entry by entry."""

import tomllib

from services.core.competence import COMPETENCES, VALUE_UNITS
from services.core.data_files import DATA_FOLDER
from services.core.limits import read_limits
from services.core.score_rules import FACTORS, TOTAL_ID, factor_id


def test_every_limit_of_the_file_is_the_one_in_code_and_none_is_left_out() -> None:
    found, units = read_limits()
    derived = {TOTAL_ID, *map(factor_id, FACTORS)}
    assert [one.model_dump() for one in found.values()] == [
        one.model_dump() for one in COMPETENCES.values() if one.competence_id not in derived
    ]
    assert units == {metric: VALUE_UNITS[metric] for metric in units}


def test_every_factor_of_the_file_is_the_one_in_code() -> None:
    file = DATA_FOLDER / "catalogue" / "factors.toml"
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    read = []
    for name, table in tables.items():
        read.append((name, table["zh"], table["en"], table["weight"]))
        for part, one in table["components"].items():
            for unit, (low, high) in one.get(
                "amounts", {one.get("unit"): one.get("between")}
            ).items():
                metrics = tuple(one.get("metrics", (part,)))
                said = (part, metrics, one["zh"], one["en"], low, high, unit, one["part"])
                read.append((*said, one.get("if_any", False)))
    written = []
    for name, rule in FACTORS.items():
        written.append((name, rule.zh, rule.en, rule.weight))
        for one in rule.components:
            said = (one.name, one.metrics, one.zh, one.en, one.from_, one.to, one.unit, one.part)
            written.append((*said, one.if_any))
    assert read == written
