"""Real time, as the machine has it."""

from datetime import datetime

from services.core.clock import BEIJING


class SystemClock:
    """Real time: live mode, and building a snapshot."""

    def now(self) -> datetime:
        """The present instant in Beijing."""
        return datetime.now(BEIJING)  # noqa: TID251 — the one place that reads the time
