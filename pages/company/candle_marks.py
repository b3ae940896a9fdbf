"""What stands on the candles: events with their direction, intervals, sessions without a bar."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from pages.company import chart_axes as axes
from pages.company.drawing import Drawing, source_words
from pages.ui.i18n import t
from services.views.company.chart import EventRow

# How far an event stands from its candle, as a share of the prices in view.
_AWAY = 0.03


def event_marks(one: Drawing) -> list[go.Scatter]:
    """△ below the low of a rise, ▽ above the high of a fall; solid where a cause can be cited."""
    low, high = axes.reach(one.visible)
    away = _AWAY * (high - low)
    groups: dict[tuple[str, bool], list[tuple[str, float, int]]] = {}
    for number, row in enumerate(one.part.events):
        place = one.place(row.event.end.isoformat())
        if place >= len(one.days) or row.event.end < one.candles[0].first:
            continue
        candle = one.candles[place]
        kind = _direction(row)
        y = candle.high + away if kind == "fall" else candle.low - away
        groups.setdefault((kind, row.event.explained), []).append((one.days[place], y, number))
    return [_mark(one, kind, points, solid=solid) for (kind, solid), points in groups.items()]


def _direction(row: EventRow) -> str:
    """rise, fall, or flat for a move that rounds to nil."""
    if row.move is not None and round(row.move.value, 2) == 0:
        return "flat"
    return "rise" if row.event.result == "涨" else "fall"


def _mark(
    one: Drawing, kind: str, points: Sequence[tuple[str, float, int]], *, solid: bool
) -> go.Scatter:
    look = one.look
    colour = {"rise": look.up, "fall": look.down}.get(kind, look.ink)
    shape = "triangle-down" if kind == "fall" else "triangle-up"
    return go.Scatter(
        x=[day for day, _, _ in points],
        y=[y for _, y, _ in points],
        mode="markers",
        name=t("marker"),
        customdata=[f"ev-{number}" for _, _, number in points],
        marker={
            "symbol": shape if solid else f"{shape}-open",
            "size": 9,
            "color": colour,
            "line": {"width": 1.4, "color": colour},
        },
        hoverinfo="skip",
        meta=one.meta | {"value": "high", "role": "event"},
    )


def interval_bands(one: Drawing) -> list[dict[str, Any]]:
    """A shaded band over each interval, in places of candles."""
    bands: list[dict[str, Any]] = []
    for row in one.part.events:
        event = row.event
        if event.start == event.end or event.end < one.candles[0].first:
            continue
        first, last = (one.place(day.isoformat()) for day in (event.start, event.end))
        bands.append(
            {
                "type": "rect", "xref": "x", "yref": "y domain", "x0": first - 0.5,
                "x1": last + 0.5, "y0": 0, "y1": 1, "layer": "below", "line": {"width": 0},
                "fillcolor": one.look.up if event.result == "涨" else one.look.down,
                "opacity": 0.08,
            }
        )  # fmt: skip
    return bands


def gap_marks(one: Drawing) -> list[go.Scatter]:
    """A short mark at the foot of the price pane where sessions have no bar."""
    assert one.part.bars is not None  # noqa: S101 — said at Drawing
    low, high = axes.reach(one.visible)
    shown: list[tuple[str, str]] = []
    for gap in one.part.bars.gaps:
        place = one.place(gap.start.isoformat())
        if gap.start < one.candles[0].first or place >= len(one.days):
            continue
        span = f"{gap.start}" if gap.start == gap.end else f"{gap.start} – {gap.end}"
        told = f"{span}<br>{t(f'gap_{gap.kind}')} · {t('gap_sessions', count=str(gap.sessions))}"
        shown.append((one.days[place], told))
    if not shown:
        return []
    floor = low * 1.001 if one.shown.log else low - 0.05 * (high - low)
    return [
        go.Scatter(
            x=[day for day, _ in shown],
            y=[floor] * len(shown),
            mode="markers",
            name=t("gaps"),
            text=[told for _, told in shown],
            hovertemplate=f"%{{text}}<br>{source_words(one.meta)}<extra></extra>",
            marker={"symbol": "line-ns-open", "size": 8, "color": one.look.mute,
                    "line": {"width": 1.5, "color": one.look.mute}},
            meta=one.meta | {"role": "gap"},
        )
    ]  # fmt: skip


def pick(event: EventRow) -> str:
    """The sign of an event in its row, as the chart's mark."""
    return {"rise": "△", "fall": "▽"}.get(_direction(event), "◇")


def way(event: EventRow) -> str:
    """The direction of an event as a class of its row."""
    return _direction(event)
