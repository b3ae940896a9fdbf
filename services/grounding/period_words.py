"""Words for times in a text, and what each of them means."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from services.language.plain_text import words

SaidKind = Literal[
    "day", "month", "year", "report", "years", "rolling", "last_report", "recent_quarter",
    "base", "same", "today", "yesterday", "window", "span", "clock", "never",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class TextTime:
    """One time in a text. `year` None: of no year said. `count` is the number of a window.

    `end_of` marks the end of a year (年末). `unit` is what a window counts: 日, 年.
    """

    start: int
    end: int
    kind: SaidKind
    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    years: tuple[int, ...] = ()
    count: int | None = None
    unit: str = ""

    @property
    def is_dated(self) -> bool:
        """Whether it is a day or a month, and not a report."""
        return self.kind in {"day", "month", "today", "yesterday"}


QUARTERS: Mapping[str, int] = {
    **dict.fromkeys(("一季报", "一季度报告", "第一季度", "一季度", "首季", "1季度"), 1),
    **dict.fromkeys(
        ("第1季度", "第一季", "前三个月", "q1", "1q", "first quarter", "first-quarter"), 1
    ),
    **dict.fromkeys(("半年报", "中报", "上半年", "半年度", "半年度报告", "中期", "h1", "1h"), 2),
    **dict.fromkeys(("二季报", "q2", "2q", "first half", "前两季度", "half year"), 2),
    "first-half": 2,
    **dict.fromkeys(("三季报", "三季度报告", "前三季度", "前三季", "前九个月", "q3", "3q"), 3),
    **dict.fromkeys(("9m", "first three quarters", "first nine months", "前3季度"), 3),
    **dict.fromkeys(("年报", "年度报告", "全年", "年度", "财年", "q4", "4q", "annual report"), 4),
    **dict.fromkeys(("full year", "full-year", "annual results", "fiscal year", "年年报"), 4),
}
# Of one quarter alone, which no report of a mainland company says but the first.
ALONE = (
    *words("二季度 三季度 四季度 第二季度 第三季度 第四季度 2季度 3季度 4季度 第2季度 第3季度"),
    *words("第4季度 下半年 h2 2h 单季 单季度"),
    *("second quarter", "third quarter", "fourth quarter", "second half", "second-quarter"),
    *("third-quarter", "fourth-quarter", "second-half", "quarterly"),
)
PLAIN_WORDS: Mapping[str, TextTime] = {
    **dict.fromkeys(
        ("ttm", "滚动", "ltm", "trailing", "trailing twelve-month"), TextTime(0, 0, "rolling")
    ),
    **dict.fromkeys(("trailing-twelve-month", "trailing 12-month"), TextTime(0, 0, "rolling")),
    **dict.fromkeys(("lyr",), TextTime(0, 0, "last_report")),
    **dict.fromkeys(("mrq", "最近一季", "最近一个季度"), TextTime(0, 0, "recent_quarter")),
    **dict.fromkeys(("去年同期", "上年同期", "上一年同期", "年初"), TextTime(0, 0, "base")),
    **dict.fromkeys(
        ("前一交易日", "前一个交易日", "上一交易日", "上一个交易日"), TextTime(0, 0, "base")
    ),
    **dict.fromkeys(("前一日", "前一天", "上日", "the previous session"), TextTime(0, 0, "base")),
    **dict.fromkeys(
        ("the day before", "the previous day", "a day earlier"), TextTime(0, 0, "base")
    ),
    **dict.fromkeys(
        ("the prior day", "the prior session", "a session earlier"), TextTime(0, 0, "base")
    ),
    **dict.fromkeys(("a year earlier", "a year ago", "the year before"), TextTime(0, 0, "base")),
    **dict.fromkeys(
        ("同期", "同日", "同年", "the same day", "the same days"), TextTime(0, 0, "same")
    ),
    **dict.fromkeys(("the same period", "the same year", "that year"), TextTime(0, 0, "same")),
    **dict.fromkeys(("今日", "今天", "today", "今早", "今收"), TextTime(0, 0, "today")),
    **dict.fromkeys(("昨日", "昨天", "yesterday", "昨晚"), TextTime(0, 0, "yesterday")),
}
RELATIVE_YEARS: Mapping[str, int] = {
    "今年": 0,
    "本年": 0,
    "本年度": 0,
    "this year": 0,
    "今年以来": 0,
    "year to date": 0,
    "ytd": 0,
    "去年": 1,
    "上年": 1,
    "上年度": 1,
    "上一年": 1,
    "上一年度": 1,
    "last year": 1,
    "去年度": 1,
    "the previous year": 1,
    "the prior year": 1,
    "previous year": 1,
    "prior year": 1,
    "前年": 2,
    "大前年": 3,
}
# Said of the year before the one just told of, or before this one.
THE_YEAR_BEFORE = frozenset(word for word, back in RELATIVE_YEARS.items() if back == 1)
