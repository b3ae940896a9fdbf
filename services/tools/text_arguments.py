"""Arguments that the tools which bring texts share: keywords, days, and how many of them."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated

from pydantic import AfterValidator, Field

from services.core.errors import InputError
from services.market.texts import FEW, Scope, Sought
from services.tools.arguments import DAY_FORM, DayText, DayWindow, TimeRange
from services.tools.schema import argument

LONGEST_KEYWORD = 30
KEYWORDS = f"a list of keywords of 1 to {LONGEST_KEYWORD} characters each"


def _require_filled(text: str) -> str:
    if not (kept := text.strip()):
        raise ValueError("blank")
    return kept


Filled = Annotated[str, AfterValidator(_require_filled)]
Keyword = Annotated[
    str, Field(min_length=1, max_length=LONGEST_KEYWORD), AfterValidator(_require_filled)
]
StartDate = Annotated[
    DayText,
    argument(
        "开始日期，格式 YYYY-MM-DD；不需要时间限制时传空字符串。", wire="startDate", valid=DAY_FORM
    ),
]
EndDate = Annotated[
    DayText,
    argument(
        "结束日期，格式 YYYY-MM-DD；不需要时间限制时传空字符串。", wire="endDate", valid=DAY_FORM
    ),
]
Range = Annotated[
    TimeRange,
    argument(
        "结果的时间范围：OneDay、OneWeek、OneMonth、OneYear、NoLimit（默认）。给出日期时以日期为准。",
        wire="timeRange",
        required=True,
    ),
]


def at_most(requests: Sequence[str], most: int, variable: str) -> tuple[str, ...]:
    """The requests, each once. Raises: InputError when there are more than the setting allows."""
    kept = tuple(dict.fromkeys(requests))
    if len(kept) > most:
        raise InputError(
            "searchRequests", list(kept), f"1 to {most} requests, the limit set by {variable}"
        )
    return kept


def sought(
    days: DayWindow,
    today: date,
    *,
    scope: Scope = "all",
    words: Sequence[str] = (),
    size: int = FEW,
) -> Sought:
    """Which texts are wanted, from checked arguments."""
    return Sought(days.start, days.end, today, scope, tuple(words), size)
