"""Limits: judgements and rules that may be cited, each with an id, a statement, a reference and a
version (`data/catalogue/limits.toml`; those of the hold score are made of its factors).

A figure cited as a competence (a limit of 10 %) must be one of that entry's `values`.
"""

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.record import Record
from services.core.score_rules import derive_score_rules
from services.core.text import Text

_FILE = DATA_FOLDER / "catalogue" / "limits.toml"
_HOUSE = "Youju house rule"
_SINCE = date(2026, 11, 21)


class Competence(Record):
    """One registered judgement; `values` maps metric → figure the statement contains, in the unit
    VALUE_UNITS gives that metric. The fields are as a pack carries them.
    """

    competence_id: str
    statement_zh: str
    statement_en: str
    reference: str
    version: str
    effective: date
    values: dict[str, float]

    @property
    def statement(self) -> Text:
        """What it says, in both languages."""
        return Text(self.statement_zh, self.statement_en)


class _Entry(Record):
    """A table of the file: each value beside its unit."""

    zh: str
    en: str
    reference: str = _HOUSE
    version: str = "1"
    effective: date = _SINCE
    values: Mapping[str, tuple[float, str]] = {}


def read_limits(path: Path = _FILE) -> tuple[Mapping[str, Competence], Mapping[str, str]]:
    """The entries of that file by id, and the unit of each metric they have a value of.

    Raises: ConfigError with file, line and reason.
    """
    file = read_data_file(path)
    units: dict[str, str] = {}
    found: dict[str, Competence] = {}
    for name, table in file.tables.items():
        entry = file.record(_Entry, table, f'["{name}"]')
        for metric, (_, unit) in entry.values.items():
            if units.setdefault(metric, unit) != unit:
                reason = f"{metric} is in {units[metric]} elsewhere"
                raise file.fault(f'["{name}".values]', reason, metric)
        found[name] = _make_competence(name, entry)
    return found, units


def _make_competence(name: str, entry: _Entry) -> Competence:
    return Competence(
        competence_id=name,
        statement_zh=entry.zh,
        statement_en=entry.en,
        reference=entry.reference,
        version=entry.version,
        effective=entry.effective,
        values={metric: value for metric, (value, _) in entry.values.items()},
    )


def _list_all() -> tuple[Mapping[str, Competence], Mapping[str, str]]:
    found, units = read_limits()
    derived = {
        name: _Entry(zh=rule.text.zh, en=rule.text.en, values=rule.values)
        for name, rule in derive_score_rules().items()
    }
    more = {metric: unit for one in derived.values() for metric, (_, unit) in one.values.items()}
    made = {name: _make_competence(name, entry) for name, entry in derived.items()}
    return {**found, **made}, {**units, **more}


COMPETENCES, VALUE_UNITS = _list_all()
