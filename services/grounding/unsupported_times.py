"""Times in a text that no claim is of were made up, whatever they are said of."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from services.core.claims import Claim
from services.core.periods import is_report
from services.grounding.period_words import TextTime
from services.grounding.times import is_of, period_of, windows_of
from services.grounding.tokens import CutText, TextToken
from services.grounding.verdict import Verdict, refuse_time


class KnownTimes:
    """The times of the claims of one text."""

    def __init__(
        self, claims: Sequence[Claim], today: date | None, asked: Sequence[TextTime] = ()
    ) -> None:
        """`today` is what 今年 and 昨日 count from; None: they hold for nothing. `asked` are known
        without a claim.
        """
        self._claims, self._today = claims, today
        self._asked = frozenset(_name_time(one) for one in asked)
        self._windows = windows_of(claims)

    def judge(self, cut: CutText, token: TextToken, said: TextTime) -> list[Verdict]:
        """A time that no claim is of was made up, whatever it is said of."""
        if _name_time(said) in self._asked or self._is_known(said):
            return []
        text = cut.plain.text[token.start : token.end]
        if said.kind in {"report", "never", "year"} and not any(char.isdigit() for char in text):
            return [] if not re.search("[一二三四五六七八九十]", text) or not self._claims else (
                [] if self._has_quarter(said) else [refuse_time(token)]
            )  # fmt: skip
        return [refuse_time(token)]

    def _has_quarter(self, said: TextTime) -> bool:
        periods = [period_of(claim) for claim in self._claims]
        return any(one is not None and one.quarter == said.quarter for one in periods)

    def _is_known(self, said: TextTime) -> bool:
        claims, today = self._claims, self._today
        if said.kind in {"today", "yesterday"}:
            return today is None or self._any(said)
        if said.kind in {"clock", "base", "same", "rolling", "last_report"}:
            return said.kind != "rolling" or said.year is None or self._any(said)
        if said.kind == "window":
            return said.count == 1 or said.count in self._windows
        if said.kind == "span":
            return said.count is not None and said.count <= self._years()
        if said.kind == "years":
            return all(self._any(replace(said, kind="year", year=y, quarter=4)) for y in said.years)
        if self._any(said):
            return True
        if today is not None and said.year in {None, today.year} and said.kind in {"day", "month"}:
            return said.month == today.month and said.day in {None, today.day}
        if said.kind == "year":
            bases = {
                p.year - 1 for c in claims if c.metric.endswith("_yoy") and (p := period_of(c))
            }
            return said.year in bases or (today is not None and said.year == today.year)
        return said.kind == "recent_quarter" and said.year is None

    def _any(self, said: TextTime) -> bool:
        return any(is_of(said, claim, self._today) for claim in self._claims)

    def _years(self) -> int:
        """How many report years in a row one figure of one company has."""
        years: dict[tuple[str, str], set[str]] = {}
        for claim in self._claims:
            if is_report(claim.period) and claim.period:
                years.setdefault((claim.symbol, claim.metric), set()).add(claim.period[:4])
        return max((len(found) for found in years.values()), default=1)


def _name_time(said: TextTime) -> tuple[int | None, ...]:
    """The time itself, without where and how it is written: 2015年报 is FY2015."""
    length = said.count if said.kind in {"span", "window"} else None
    return (said.year, said.quarter, said.month, said.day, length)
