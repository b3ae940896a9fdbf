"""What time it is, as a value passed in: core never reads the time itself."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from zoneinfo import ZoneInfo

BEIJING = ZoneInfo("Asia/Shanghai")


class Clock(Protocol):
    """Real time in live mode, the snapshot's instant in snapshot mode."""

    def now(self) -> datetime:
        """The present instant, aware."""
        ...


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that stands still: the snapshot's, and the tests'."""

    instant: datetime

    def now(self) -> datetime:
        """The instant it was made with."""
        return self.instant
