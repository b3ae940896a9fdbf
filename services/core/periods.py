"""Report periods and valuation bases, in one canonical spelling each.

`2016_Q4` a report period (for A shares year to date, so Q4 is the annual report) ·
`LYR_2016` last annual report · `TTM_2017Q1` trailing twelve months to that quarter · `MRQ_2017Q1`.
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Literal, Self

from services.core.errors import InputError

VALID = "latest | realtime | YYYY_Q1..Q4 (2016_Q4, 2016Q3, 20161231, FY2016, 2016年报) | forecast"
# Estimates of every year there are any of, or of one.
FORECAST = re.compile(r"forecast(?:_(?P<year>\d{4}))?")
_QUARTER_ENDS = {1: (3, 31), 2: (6, 30), 3: (9, 30), 4: (12, 31)}
# The last day the mainland's rules allow for each report: years behind its own, month, day.
_DUE = {1: (0, 4, 30), 2: (0, 8, 31), 3: (0, 10, 31), 4: (1, 4, 30)}
_REPORT_WORDS = {"一季报": 1, "中报": 2, "半年报": 2, "三季报": 3, "年报": 4}
Basis = Literal["report", "LYR", "TTM", "MRQ"]


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """A calendar quarter end and what the figure says about it."""

    year: int
    quarter: int
    basis: Basis = "report"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read `2016_Q4`, `2016q4`, `20161231`, `FY2016`, `2016年报`, `TTM_2017Q1`, `LYR_2016`.

        Raises: InputError naming the valid forms.
        """
        return cls(*_read_period(text))

    @property
    def end(self) -> date:
        """The calendar day the period ends on."""
        month, day = _QUARTER_ENDS[self.quarter]
        return date(self.year, month, day)

    @property
    def due(self) -> date:
        """The last day by which a mainland company has to publish the report."""
        years, month, day = _DUE[self.quarter]
        return date(self.year + years, month, day)

    @property
    def report(self) -> "Period":
        """The report period behind a valuation basis: LYR_2016 → 2016_Q4."""
        return Period(self.year, self.quarter)

    def __str__(self) -> str:
        """The canonical spelling, as on the wire."""
        if self.basis == "report":
            return f"{self.year}_Q{self.quarter}"
        if self.basis == "LYR":
            return f"LYR_{self.year}"
        return f"{self.basis}_{self.year}Q{self.quarter}"

    def label(self, language: str) -> str:
        """The way an analyst writes it: 2016年报, TTM 至2017一季报."""
        zh = {1: "一季报", 2: "中报", 3: "三季报", 4: "年报"}[self.quarter]
        report = (
            f"{self.year}{zh}"
            if language == "zh"
            else (f"FY{self.year}" if self.quarter == 4 else f"{self.year} Q{self.quarter}")
        )
        if self.basis == "report":
            return report
        return f"{self.basis}·{report}"


def period_words(text: str | None, language: Literal["zh", "en"]) -> str:
    """A period as an analyst writes it; what is none as it is, empty for a price."""
    if not text:
        return ""
    try:
        return Period.parse(text).label(language)
    except InputError:
        return text


def is_report(text: str | None) -> bool:
    """Whether that is a report period in its canonical spelling, not a basis, month or time."""
    return text is not None and re.fullmatch(r"\d{4}_Q[1-4]", text) is not None


def is_month(text: str | None) -> bool:
    """Whether that is a month of a macro series (`2026-10`)."""
    return text is not None and re.fullmatch(r"\d{4}-\d{2}", text) is not None


def _report(year: str, quarter: str) -> tuple[int, int, Basis]:
    return int(year), int(quarter), "report"


def _day(year: str, month: str, day: str) -> tuple[int, int, Basis]:
    ends = {value: key for key, value in _QUARTER_ENDS.items()}
    return int(year), ends.get((int(month), int(day)), 0), "report"


def _year(year: str) -> tuple[int, int, Basis]:
    return int(year), 4, "report"


def _words(year: str, word: str) -> tuple[int, int, Basis]:
    return int(year), _REPORT_WORDS[word], "report"


def _lyr(year: str) -> tuple[int, int, Basis]:
    return int(year), 4, "LYR"


def _read_rolling(basis: str, year: str, quarter: str) -> tuple[int, int, Basis]:
    return int(year), int(quarter), "TTM" if basis == "TTM" else "MRQ"


# The same few periods are read for every figure of a market.
@lru_cache(maxsize=1024)
def _read_period(text: str) -> tuple[int, int, Basis]:
    """Year, quarter and basis. Raises: InputError naming the valid forms."""
    stripped = text.strip()
    for pattern, read in _FORMS:
        if match := pattern.fullmatch(stripped):
            year, quarter, basis = read(*match.groups())
            if 1980 <= year <= 2100 and quarter in _QUARTER_ENDS:
                return year, quarter, basis
    raise InputError("period", text, VALID)


_FORMS = (
    (re.compile(r"(\d{4})[_\- ]?[Qq]([1-4])"), _report),
    (re.compile(r"(\d{4})-?(\d{2})-?(\d{2})"), _day),
    (re.compile(r"(?:FY|fy)[_ ]?(\d{4})"), _year),
    (re.compile(r"(\d{4})_FY"), _year),
    (re.compile(r"(\d{4})年?(一季报|半年报|中报|三季报|年报)"), _words),
    (re.compile(r"LYR_(\d{4})"), _lyr),
    (re.compile(r"(TTM|MRQ)_(\d{4})Q([1-4])"), _read_rolling),
)
