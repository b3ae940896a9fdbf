"""The year of candles as a picture for paper: light, still, drawn by us and not by the browser."""

from base64 import b64encode
from collections.abc import Iterator
from html import escape
from itertools import groupby

from pages.company import chart_axes as axes
from pages.company.palette import paper_palette
from pages.ui.i18n import t
from services.core.company_formulas import AVERAGES
from services.market.candles import ChartCandle, average_lines
from services.views.company.chart import ChartPart, EventRow

_WIDTH, _RIGHT, _FOOT = 714, 46, 262
# Top and foot of the two panes.
_PRICE, _VOLUME = (8, 190), (206, 244)
# Nearer than that to the last price its tag covers a tick.
_TAG = 14


def picture(part: ChartPart) -> str:
    """The candles in range with averages, moves and volume; nothing without bars."""
    if part.bars is None or len(part.candles) - part.first < 2:
        return ""
    sheet = _Sheet(part)
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_FOOT}" '
        f'font-family="sans-serif" font-size="9.5">{"".join(sheet.draw())}</svg>'
    )
    call, shown = part.bars.call, sheet.shown
    alt = f"{t('one_chart')} {shown[0].last} … {shown[-1].last}"
    return (
        f'<img class="yj1-chart" alt="{escape(alt)}" data-src="{escape(call.source)}" '
        f'data-table="{escape(call.table)}" data-tc="{call.tool_call_id}" '
        f'src="data:image/svg+xml;base64,{b64encode(drawing.encode()).decode()}">'
    )


class _Sheet:
    """The candles of a range with their places on the picture."""

    def __init__(self, part: ChartPart) -> None:
        assert part.bars is not None  # noqa: S101 — `picture` has looked
        self._part, self._look = part, paper_palette()
        self._averages = average_lines(part.candles, part.bars.sessions)
        self.shown = part.candles[part.first :]
        self._low = min(one.low for one in self.shown)
        self._high = max(one.high for one in self.shown)
        self._most = max(one.volume or 0.0 for one in self.shown) or 1.0
        self._step = (_WIDTH - _RIGHT) / len(self.shown)

    def draw(self) -> Iterator[str]:
        """Grid and days below, candles and volume, averages, moves, the last price on top."""
        yield from self._grid()
        ends = {row.event.end: row for row in self._part.events}
        for place, one in enumerate(self.shown):
            yield self._candle(place, one)
            if (row := ends.get(one.last)) is not None:
                yield self._move(place, one, row)
        yield from map(self._average, AVERAGES)
        yield self._last()

    def _x(self, place: int) -> float:
        return (place + 0.5) * self._step

    def _y(self, price: float) -> float:
        top, foot = _PRICE
        return foot - (price - self._low) / ((self._high - self._low) or 1.0) * (foot - top)

    def _grid(self) -> Iterator[str]:
        mute, last = self._look.mute, self._y(self.shown[-1].close)
        for price in axes.price_ticks(self._low, self._high):
            at = self._y(price)
            yield f'<path d="M0 {at:.1f}H{_WIDTH - _RIGHT}" stroke="{self._look.grid}"/>'
            if abs(at - last) > _TAG:
                where = f'x="{_WIDTH - _RIGHT + 4}" y="{at + 3:.1f}"'
                yield f'<text {where} fill="{mute}">{price:g}</text>'
        for place, (before, one) in enumerate(zip(self.shown, self.shown[1:], strict=False), 1):
            if before.last.month != one.last.month:
                name = escape(axes.month_name(one.last.isoformat()))
                where = f'x="{self._x(place):.1f}" y="{_FOOT - 4}"'
                yield f'<text {where} text-anchor="middle" fill="{mute}">{name}</text>'

    def _candle(self, place: int, one: ChartCandle) -> str:
        colour = self._look.up if one.close >= one.open else self._look.down
        top, foot = sorted((self._y(one.open), self._y(one.close)))
        tall = (one.volume or 0.0) / self._most * (_VOLUME[1] - _VOLUME[0])
        box = f'x="{self._x(place) - self._step * 0.35:.1f}" width="{self._step * 0.7:.1f}"'
        return (
            f'<path d="M{self._x(place):.1f} {self._y(one.high):.1f}V{self._y(one.low):.1f}" '
            f'stroke="{colour}"/>'
            f'<rect {box} y="{top:.1f}" height="{max(0.6, foot - top):.1f}" fill="{colour}"/>'
            f'<rect {box} y="{_VOLUME[1] - tall:.1f}" height="{tall:.1f}" fill="{colour}" '
            'opacity="0.6"/>'
        )

    def _move(self, place: int, one: ChartCandle, row: EventRow) -> str:
        """A triangle below a rise or above a fall; hollow where nobody knows why."""
        rises = row.event.result == "涨"
        colour = self._look.up if rises else self._look.down
        fill = colour if row.event.explained else self._look.paper
        at, point = (self._y(one.low) + 11, -6) if rises else (self._y(one.high) - 11, 6)
        return (
            f'<path d="M{self._x(place) - 4:.1f} {at:.1f}h8l-4 {point}z" fill="{fill}" '
            f'stroke="{colour}"/>'
        )

    def _average(self, length: int) -> str:
        shown = self._averages[length][self._part.first :]
        drawn = groupby(enumerate(shown), lambda pair: pair[1] is None)
        lines = (
            " ".join(f"{self._x(place):.1f},{self._y(value or 0.0):.1f}" for place, value in part)
            for lacking, part in drawn
            if not lacking
        )
        style = f'fill="none" stroke="{self._look.averages[length]}" stroke-width="1.2"'
        return "".join(f'<polyline points="{line}" {style}/>' for line in lines)

    def _last(self) -> str:
        """The last price as a line and on a ground of its direction."""
        before, one = self.shown[-2:]
        colour = self._look.up if one.close >= before.close else self._look.down
        at, left = self._y(one.close), _WIDTH - _RIGHT
        return (
            f'<path d="M0 {at:.1f}H{left}" stroke="{colour}" stroke-dasharray="2 3"/>'
            f'<rect x="{left + 1}" y="{at - 8:.1f}" width="{_RIGHT - 1}" height="16" '
            f'fill="{colour}"/><text x="{left + _RIGHT / 2}" y="{at + 4:.1f}" font-weight="700" '
            f'fill="{self._look.on}" text-anchor="middle">{one.close:,.2f}</text>'
        )
