"""Figures and periods as they are called, in both languages."""

from datetime import date

from services.core.errors import InputError
from services.core.periods import Period
from services.core.text import Text


def period_label(period: str) -> Text:
    """A period as an analyst writes it (2016年报, FY2016); what is none, as it is."""
    try:
        parsed = Period.parse(period)
    except InputError:
        return Text(period, period)
    if parsed.basis == "TTM":
        return Text(
            f"近十二个月（至{parsed.report.label('zh')}）",
            f"twelve months to {parsed.report.label('en')}",
        )
    return Text(parsed.label("zh"), parsed.label("en"))


def time_label(at: str, *, of_bars: bool = False) -> Text:
    """A row's own time as an analyst writes it; a year or quarter `of_bars` is no report of it."""
    if at.startswith("y") and of_bars:
        return Text(f"{at[1:]}年", at[1:])
    if at.startswith("q") and of_bars:
        year, quarter = at[1:5], (int(at[5:7]) + 2) // 3
        return Text(f"{year}年{'一二三四'[quarter - 1]}季度", f"{year} Q{quarter}")
    if at.startswith("y"):
        return period_label(f"{at[1:]}_Q4")
    if at.startswith("q"):
        return period_label(at[1:])
    if at.startswith("m"):
        return Text(f"{at[1:5]}年{int(at[5:])}月", f"{at[1:5]}-{at[5:]}")
    day = date.fromisoformat(at[1:]).isoformat()
    return Text(day, day)
