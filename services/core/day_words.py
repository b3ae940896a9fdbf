"""A day as English writes it on a page; inputs, files and the wire keep ISO 8601."""

import re
from datetime import date

from services.core.text import Language

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# An ISO day that stands by itself: not part of an instant, an address or a longer number.
_ISO_DAY = re.compile(r"(?<![\w./-])\d{4}-\d{2}-\d{2}(?![\w/-])")


def tell_day(day: date, language: Language, *, year: bool = True) -> str:
    """`26 Jul 2017` in English, `2017-07-26` in Chinese; without its year `26 Jul`, `07-26`."""
    if language == "zh":
        return day.isoformat() if year else f"{day:%m-%d}"
    said = f"{day.day} {MONTHS[day.month - 1]}"
    return f"{said} {day.year}" if year else said


def tell_days(text: str, language: Language) -> str:
    """The text with each ISO day in it as `tell_day` says it; what no calendar has stays."""
    return text if language == "zh" else _ISO_DAY.sub(lambda found: _tell(found[0]), text)


def _tell(iso: str) -> str:
    try:
        return tell_day(date.fromisoformat(iso), "en")
    except ValueError:
        return iso
