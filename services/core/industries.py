"""The industries this house knows by name, read once from `data/catalogue/industries.toml`.

A class of a source and a word people use are both here; which companies belong to one is what the
source says, never this file.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from services.core.data_files import DATA_FOLDER, DataFile, read_data_file
from services.core.record import Record
from services.core.text import Text

ClassSource = Literal["bundle_cn", "bundle_hk", "bundle_us", "tushare", "eastmoney"]


class Industry(Record):
    """One industry. `zh` is the label as a source writes it, `sources` those whose class it is."""

    zh: str
    en: str
    says_zh: tuple[str, ...] = ()
    says_en: tuple[str, ...] = ()
    within: str | None = None
    sources: tuple[ClassSource, ...]

    @property
    def label(self) -> Text:
        """Its name in both languages."""
        return Text(self.zh, self.en)

    @property
    def called(self) -> tuple[str, ...]:
        """Everything it is called, its label first; English in small letters."""
        return (self.zh, *self.says_zh, self.en.lower(), *self.says_en)


def read_industries(
    path: Path = DATA_FOLDER / "catalogue" / "industries.toml",
) -> Mapping[str, Industry]:
    """The industries of that file by label. Raises: ConfigError with file, line and reason."""
    file = read_data_file(path)
    found = {
        zh: file.record(Industry, {"zh": zh, **table}, f'["{zh}"]')
        for zh, table in file.tables.items()
    }
    for one in found.values():
        _check(file, found, one)
    return found


def _check(file: DataFile, known: Mapping[str, Industry], one: Industry) -> None:
    header = f'["{one.zh}"]'
    seen, above = {one.zh}, one.within
    while above is not None:
        if above not in known:
            raise file.fault(header, f"within: no industry is called {above}", "within")
        if above in seen:
            raise file.fault(header, f"within: {above} lies within itself", "within")
        seen.add(above)
        above = known[above].within
    for word in one.says_zh:
        if word in known:
            raise file.fault(header, f"says_zh: {word} is an industry of its own", "says_zh", word)


INDUSTRIES = read_industries()


def industry_label(label: str) -> Text:
    """A source's label in both languages; one nobody translated serves for both."""
    known = INDUSTRIES.get(label)
    return known.label if known else Text.of(label)
