"""One chart being made: which candles are sent, where each day stands, what was chosen to see."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from pages.company.palette import Palette
from pages.ui import chart
from pages.ui.i18n import say
from services.market.candles import Line, average_lines, indicator_lines
from services.views.company.chart import ChartPart

# So many candles are sent at least, so that there is something to pan to.
_SENT = 500


class Drawing:
    """One figure being made: which candles are sent, and where each day stands among them."""

    def __init__(self, part: ChartPart, look: Palette, shown: "DrawnLines") -> None:
        """`part` has bars; the page draws the reason instead where it has none."""
        assert part.bars is not None  # noqa: S101 — said above
        self.part, self.look, self.shown = part, look, shown
        every = part.candles
        self.start = max(0, min(part.first, len(every) - _SENT))
        self.candles = every[self.start :]
        self.days = [one.last.isoformat() for one in self.candles]
        self.visible = self.candles[part.first - self.start :]
        self.meta = chart.history_meta(part.bars, say(part.name))
        sessions = part.bars.sessions
        self.averages = average_lines(every, sessions)
        self.panes = [name for name in shown.panes if name != "boll"]
        self.lines = {name: indicator_lines(name, every, sessions) for name in shown.panes}

    def cut(self, line: Line) -> list[float | None]:
        """A line over all candles, as far as it is sent."""
        return list(line[self.start :])

    def in_view(self, name: str) -> list[float]:
        """What the lines of an indicator are at the candles shown first."""
        ends = [line[self.part.first :] for line in self.lines[name].values()]
        return [value for line in ends for value in line if value is not None]

    def place(self, day: str) -> int:
        """The candle that a day belongs to, by its index among those sent."""
        return bisect_left(self.days, day)


class DrawnLines:
    """What a reader chose to see: averages by length, indicators by name, a logarithmic axis."""

    def __init__(self, averages: Sequence[int], panes: Sequence[str], *, log: bool) -> None:
        """Keep the choice."""
        self.averages, self.panes, self.log = tuple(averages), tuple(panes), log


def source_words(meta: Mapping[str, str]) -> str:
    """The end of every hover: where it is from, and how it is adjusted."""
    adjusted = f" · {meta['adjust']}" if meta.get("adjust") else ""
    return f"{chart.tell_source(meta)}{adjusted}"
