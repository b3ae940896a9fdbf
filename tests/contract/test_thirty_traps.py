"""The thirty traps that put wrong numbers on screen, and where each is sprung.

A trap that concerns a client is a test named `test_trap_NN_…` in that client's own file, so that it
stands beside the code it guards; this file holds the list, and the traps that are no one client's.
"""

import ast
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from services.core.clock import BEIJING
from services.market.calendar import Calendar

# Number → what goes wrong. The numbers are those of the reference on upstreams.
TRAPS: Mapping[int, str] = {
    1: "volume in lots or in shares",
    2: "amounts in thousands or in yuan",
    3: "market values and shares in ten thousands; a stock and its flows in two units",
    4: "money flows in four units",
    5: "forecasts in ten thousands; dividends per ten shares; a yield that is none",
    6: "percent numbers and fractions",
    7: "columns that look alike: gross margin in yuan, book value called np_per_share",
    8: "raw, forward- and backward-adjusted prices in one series",
    9: "a suspended day shown as a live price",
    10: "prices as scaled integers, dashes for numbers, another security's data",
    11: "after-hours volume inside or outside",
    12: "delayed quotes without a time",
    13: "year-to-date figures taken for quarters; five kinds of ROE",
    14: "net profit with minorities; operating revenue that is not total revenue",
    15: "three kinds of P/E; a loss as null or negative",
    16: "fiscal years and reporting currencies of Hong Kong and US companies",
    17: "restatements, and figures known before they were announced",
    18: "estimates without their year, count and date",
    19: "columns that are absent unless asked for",
    20: "times in milliseconds, seconds, or without a zone",
    21: "a calendar that ends, and the instants 11:30 and 15:00",
    22: "today's row not published yet",
    23: "northbound flows that are no longer disclosed",
    24: "capped counts, web pages instead of answers, empty lists that prove nothing",
    25: "refusals that look like rate limits, outages that look like no data",
    26: "inclusive ranges, report-period suffixes, companies that have not filed",
    27: "ST status that changes with time",
    28: "Beijing codes renumbered",
    29: "codes that lose their zeros",
    30: "JSON mode, retired models, uncited facts of a language model",
}
# Concern no client of this repository, and why.
ELSEWHERE: Mapping[int, str] = {
    27: "no client gives ST status or limit lists by name; limits come from the quote itself",
    30: "language models: their adapter is a later issue",
}
_NAME = re.compile(r"test_trap_(\d\d)_")


def test_every_trap_is_sprung_by_a_test() -> None:
    found: set[int] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and (named := _NAME.match(node.name)):
                found.add(int(named.group(1)))
    assert found == set(TRAPS) - set(ELSEWHERE)


def test_trap_21_a_day_past_the_calendar_is_answered_by_its_weekday() -> None:
    calendar = Calendar()
    tuesday = datetime(2027, 1, 5, 10, 0, tzinfo=BEIJING)
    assert calendar.is_open("CN", tuesday)
    assert not calendar.is_open("CN", tuesday.replace(day=9))
    assert calendar.last_complete_session("CN", tuesday).isoformat() == "2027-01-04"
    assert calendar.next_open("CN", tuesday.replace(hour=16)).isoformat() == (
        "2027-01-06T09:30:00+08:00"
    )


def test_trap_21_half_past_eleven_and_three_o_clock_are_closed() -> None:
    calendar, day = Calendar(), datetime(2026, 11, 20, tzinfo=BEIJING)
    open_at = {
        f"{hour}:{minute:02}": calendar.is_open("CN", day.replace(hour=hour, minute=minute))
        for hour, minute in ((9, 29), (9, 30), (11, 29), (11, 30), (13, 0), (14, 59), (15, 0))
    }
    assert open_at == {
        "9:29": False,
        "9:30": True,
        "11:29": True,
        "11:30": False,
        "13:00": True,
        "14:59": True,
        "15:00": False,
    }
