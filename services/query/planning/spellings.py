"""Words of slots as said → what the tools take: periods, markets, time ranges, order, feed parts.

Pure text. Everything raises InputError.
"""

import re
from datetime import date

from pydantic import JsonValue

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.errors import InputError
from services.core.periods import Period
from services.core.text import Text
from services.query.planning.entries import ENTRIES
from services.query.sayings import saying

_WORDS = read_data_file(DATA_FOLDER / "lexicon" / "plan_words.toml").tables
# A topic as it is asked for, with the other words of announcements that are about it.
SAME_TOPIC = tuple(map(frozenset, _WORDS["same_topic"].values()))
# 2027年预期: the estimates of that year alone.
_YEAR_EXPECTED = re.compile(r"(\d{4})年?预期")
# A report of no year is the newest one that must be out: quarter → month from which it must.
_REPORTS = {"年报": 4, "三季报": 3, "中报": 2, "半年报": 2, "一季报": 1, "annual": 4}
_OUT_FROM = {4: 5, 1: 5, 2: 9, 3: 11}
# What is said by one of a few words.
_CODED = {
    "category": Text("A股、港股、美股", "A shares, Hong Kong, US"),
    "time_range": saying("time_range"),
    "order": Text("降序、升序", "descending, ascending"),
}
# Parts of a feed as they are called.
FEED_PARTS = {one.name: one for one in ENTRIES if one.action == "api_get_feed"}


def period_code(said: str, today: date) -> str:
    """`latest`, `realtime`, `forecast`, `forecast_2027` or `2016_Q4`; 年报 alone is the newest that
    must be out.
    """
    word = said.strip().casefold()
    if code := _find_code("period", word):
        return code
    if expected := _YEAR_EXPECTED.fullmatch(word):
        return f"forecast_{expected[1]}"
    if quarter := _REPORTS.get(word):
        year = today.year - (1 if quarter == 4 else 0)
        return str(Period(year if today.month >= _OUT_FROM[quarter] else year - 1, quarter))
    try:
        return str(Period.parse(said))
    except InputError:
        valid = Text("最新、实时、预期，或如 2016年报、2016Q3", "latest, or such as FY2016, 2016Q3")
        raise InputError("period", said, valid) from None


def code_of(key: str, said: str) -> str:
    """The code of a market (CN, HK, US), a time range (OneDay … NoLimit), an order (asc, desc)."""
    if (found := _find_code(key, said.strip().casefold())) is None:
        raise InputError(key, said, _CODED[key])
    return found


def day(key: str, said: str) -> str:
    """A calendar day as YYYY-MM-DD."""
    try:
        return date.fromisoformat(said).isoformat()
    except ValueError:
        raise InputError(key, said, Text("YYYY-MM-DD 的日期", "a day as YYYY-MM-DD")) from None


def whole(key: str, value: JsonValue, most: int) -> int:
    """A whole number from 1 to `most`."""
    text = "" if isinstance(value, bool) else str(value)
    if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= most:
        raise InputError(
            key, value, Text(f"1 到 {most} 的整数", f"a whole number from 1 to {most}")
        )
    return int(text)


def feed_parts(value: JsonValue) -> tuple[str, ...]:
    """The parts of a feed that are wanted: `公告、最热讨论` or a list of them."""
    said = value if isinstance(value, list) else re.split(r"[、,，/ ]+", str(value or ""))
    parts = tuple(dict.fromkeys(str(part) for part in said if part))
    for part in parts or ("",):
        if part not in FEED_PARTS:
            valid = "、".join(FEED_PARTS) + " | one of these"
            raise InputError("wants", part, valid)
    return parts


def _find_code(table: str, word: str) -> str | None:
    return next((code for code, words in _WORDS[table].items() if word in words), None)
