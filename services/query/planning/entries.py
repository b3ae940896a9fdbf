"""What can be asked for by name: the figures of the catalogue, and the inputs, texts and lists of
`data/catalogue/asked.toml`.

`company.finance.revenue` is `total_revenue` on the wire of the protocol (seed 002 §3).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from services.core.catalogue import CATALOGUE, AskedAs, FigureEntry
from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.record import Record
from services.query.planning.plir import PhysicalAction

Kind = Literal["metric", "argument", "content"]


class MetadataEntry(Record):
    """One row of `biz_metadata`.

    `kind`: a figure (`metric`), an input (`argument`), or texts and lists (`content`).
    `short` stands in output keys (`var_rev`). `physical_metric` is the implied argument `metric`.
    `field`: what a market is screened by; `screener_field` is that of the contract. `slot`: what a
    plan in words calls an input, where that is not `short`; of a part of a feed its flag.
    `financial_data_metric` is empty or `-` for what the tool of company figures does not give.
    """

    code: str
    name: str
    name_en: str = ""
    aliases: tuple[str, ...] = ()
    unit: str = "-"
    financial_data_metric: str = ""
    screener_field: str = ""
    field: str = ""
    meaning: str = ""
    short: str
    kind: Kind = "metric"
    action: PhysicalAction | None = None
    physical_metric: str = ""
    extractor: str = "$.data.value"
    slot: str = Field(default="", exclude_if=lambda slot: not slot)


def _figure(row: FigureEntry, asked: AskedAs) -> MetadataEntry:
    return MetadataEntry(
        code=row.question_code or "",
        name=asked.name or row.zh,
        name_en=asked.name_en or row.en,
        aliases=_NAMES[row.question_code or ""],
        unit=_UNITS.get(row.unit, "-") if row.code is not None else "-",
        financial_data_metric="" if asked.tool == "-" else asked.tool or asked.metric or row.id,
        screener_field=row.screen.field if row.screen is not None and row.screen.tool else "",
        field=row.screen.field if row.screen is not None else "",
        meaning=row.meaning_en,
        short=asked.short,
        action=asked.action,
        physical_metric=asked.metric or row.id,
    )


def _names_by_code() -> Mapping[str, tuple[str, ...]]:
    """What a question may call the figure of each code: a name of two codes is left out, unless a
    figure claims it as its question."""
    rows = [row for row in CATALOGUE.figures.values() if row.asked is not None]
    owners: dict[str, tuple[str, str]] = {}
    for rank in ("questions", "says", "asks"):
        found: dict[str, dict[str, str]] = {}
        for row in rows:
            for name in (*(_labels(row) if rank == "says" else ()), *getattr(row, rank)):
                found.setdefault(name.casefold(), {})[row.question_code or ""] = name
        for key, codes in found.items():
            if len(codes) == 1:
                owners.setdefault(key, next(iter(codes.items())))
    named: dict[str, list[str]] = {row.question_code or "": [] for row in rows}
    for code, name in owners.values():
        named[code].append(name)
    return {code: tuple(names) for code, names in named.items()}


def _labels(row: FigureEntry) -> tuple[str, ...]:
    """The labels, where they may stand in a question: 最高 alone is a superlative there."""
    asked = row.asked
    return (row.zh, row.en) if asked is None or not asked.name else (asked.name,)


_NAMES = _names_by_code()
# The units of a code in its contract, by what the figure measures.
_UNITS: Mapping[str, str] = {
    **dict.fromkeys(("money", "price"), "CNY|HKD|USD"),
    **{unit: unit for unit in ("percent", "multiple", "shares")},
    "per_share": "CNY/share",
}


def read_entries(path: Path = DATA_FOLDER / "catalogue" / "asked.toml") -> Sequence[MetadataEntry]:
    """The inputs, texts and lists of that file. Raises: ConfigError with file, line and reason."""
    file = read_data_file(path)
    return [
        file.record(MetadataEntry, {"code": code, **table}, f"[{code}]")
        for code, table in file.tables.items()
    ]


ENTRIES: tuple[MetadataEntry, ...] = (
    *(_figure(row, row.asked) for row in CATALOGUE.figures.values() if row.asked is not None),
    *read_entries(),
)
