"""The chart of a comparison: each price as 100 at the first session all have, named at its end.

Every trace carries the envelope of its prices in `meta`; every hover ends with the source.
"""

from collections.abc import Sequence
from math import floor, log10
from typing import Any

import plotly.graph_objects as go

from pages.company import chart_axes as axes
from pages.company.label_places import spread
from pages.company.palette import Palette, palette
from pages.ui import chart, outside
from pages.ui.i18n import say
from services.core.claims import Claim
from services.market.candles import group_bars
from services.views.compare.view import ChartLine, CompareView

CONFIG = {"displayModeBar": False, "scrollZoom": False, "displaylogo": False, "responsive": True}
HEIGHT = 270
_TOP, _FOOT = 6, 20
# At the end of a line stand so many letters of its name, each so many pixels wide.
_LETTERS, _SIGNS, _WIDE, _NARROW, _VALUE = 22, 12, 12.5, 7.0, 54
# Names at the ends stand so many pixels apart.
_MARGIN, _MOST = 0.06, 6
# The palette's colours in an order whose neighbours differ most; its second, a grey, comes last.
_ORDER = (0, 2, 5, 3, 4, 1)


def colours() -> tuple[str, ...]:
    """A colour for each company, in the order of the columns; none is red or green."""
    series = palette().series
    return tuple(series[place] for place in _ORDER)


def draw_lines(view: CompareView, *, log: bool) -> go.Figure:
    """The finished figure. `view` has a span; the page says so where it has none."""
    look = palette()
    places = {one.symbol: place for place, one in enumerate(view.entries)}
    tones = [look.mute if one.is_index else colours()[places[one.symbol]] for one in view.lines]
    traces = [_trace(one, view, tone) for one, tone in zip(view.lines, tones, strict=True)]
    low, high = _reach(traces)
    names = {"annotations": _names(view, tones, low, high, log=log)}
    return go.Figure(traces, _layout(view, look, low, high, log=log) | names)


def _trace(one: ChartLine, view: CompareView, tone: str) -> go.Scatter:
    """Its own sessions and its gaps: a lost or suspended session is a hole, a day its exchange was
    closed is none.
    """
    assert view.first is not None and view.last is not None  # noqa: S101, PT018 — said above
    closes: dict[str, float | None] = {
        gap.start.isoformat(): None
        for gap in one.history.gaps
        if view.first < gap.start <= view.last
    }
    base = next(bar.close for bar in one.history.bars if bar.date == view.first)
    for bar in one.history.bars:
        if view.first <= bar.date <= view.last:
            closes[bar.date.isoformat()] = bar.close / base * 100
    days = sorted(closes)
    meta = chart.history_meta(one.history, say(one.name))
    source = chart.tell_source(meta)
    return go.Scatter(
        x=days,
        y=[closes[day] for day in days],
        mode="lines",
        name=outside.escape_chart(say(one.name)),
        line={
            "width": 1.4 if one.is_index else 1.8,
            "color": tone,
            "dash": "dot" if one.is_index else "solid",
        },
        connectgaps=False,
        hovertemplate=f"%{{y:,.2f}} · {source}",
        meta=meta | {"role": "rebased", "formula": "close / first * 100", "base": repr(base)},
    )


def _reach(traces: Sequence[Any]) -> tuple[float, float]:
    """The lowest and highest value drawn, with a margin."""
    values = [value for trace in traces for value in trace.y if value is not None]
    low, high = min(values), max(values)
    apart = _MARGIN * ((high - low) or 1.0)
    return low - apart, high + apart


def _layout(
    view: CompareView, look: Palette, low: float, high: float, *, log: bool
) -> dict[str, Any]:
    days = sorted(
        {bar.date: bar for one in view.lines for bar in one.history.bars
         if view.first and view.last and view.first <= bar.date <= view.last}.values(),
        key=lambda bar: bar.date,
    )  # fmt: skip
    every = group_bars(days, "d")
    values, names = axes.dates(every, every, "d")
    ticks = _ticks(low, high)
    scale: dict[str, Any] = {"range": [low, high]}
    if log:
        scale = {"type": "log", "range": [log10(low), log10(high)]}
    return {
        "height": HEIGHT,
        "margin": {"l": 34, "r": _room(view), "t": _TOP, "b": _FOOT},
        "showlegend": False, "dragmode": False, "hovermode": "x unified", "hoverdistance": 40,
        "uirevision": f"{view.asked.symbols}-{view.asked.range}",
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"size": 11, "color": look.mute},
        "hoverlabel": {"align": "left", "bgcolor": look.paper, "bordercolor": look.line_2,
                       "font": {"color": look.ink, "size": 12}},
        "shapes": [{
            "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": 100, "y1": 100,
            "line": {"width": 1, "dash": "dash", "color": look.mute},
        }],
        "xaxis": {
            "type": "category", "categoryorder": "category ascending", "tickvals": values,
            "ticktext": names, "tickangle": 0, "showgrid": True, "griddash": "dot",
            "gridcolor": look.grid, "tickfont": {"color": look.mute}, "fixedrange": True,
            "range": [0, len(every) - 1],
        },
        "yaxis": scale | {
            "zeroline": False, "gridcolor": look.grid, "tickvals": ticks,
            "ticktext": [f"{tick:g}" for tick in ticks], "tickfont": {"color": look.mute},
            "fixedrange": True,
        },
    }  # fmt: skip


def _ticks(low: float, high: float) -> list[int]:
    span = high - low
    scale = 10 ** max(0, floor(log10(span)) - 1)
    step = next(one * scale for one in (1, 2, 5, 10, 20, 50) if span / (one * scale) <= _MOST)
    return list(range(-(-int(low) // step) * step, int(high) + 1, step))


def _names(
    view: CompareView, tones: Sequence[str], low: float, high: float, *, log: bool
) -> list[dict[str, Any]]:
    """Each line's name and last value at its end, none over another."""
    ends = [(one, one.end, tone) for one, tone in zip(view.lines, tones, strict=True)
            if isinstance(one.end, Claim)]  # fmt: skip
    height = HEIGHT - _TOP - _FOOT
    bottom, top = axes.on_axis(low, log=log), axes.on_axis(high, log=log)
    at = [
        (axes.on_axis(end.value, log=log) - bottom) / (top - bottom) * height for _, end, _ in ends
    ]
    return [
        {
            "xref": "paper", "x": 1, "yref": "y", "y": axes.on_axis(end.value, log=log),
            "yshift": moved - place, "xshift": 8, "xanchor": "left", "yanchor": "middle",
            "showarrow": False, "font": {"size": 12, "color": tone},
            "text": f"<b>{outside.escape_chart(_short(say(one.name)))}</b> {end.value:,.1f}",
        }
        for (one, end, tone), place, moved in zip(ends, at, spread(at, height), strict=True)
    ]  # fmt: skip


def _short(name: str) -> str:
    most = _LETTERS if name.isascii() else _SIGNS
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _room(view: CompareView) -> float:
    """Room at the right for the longest name and its value."""
    names = [_short(say(one.name)) for one in view.lines]
    wide = [sum(_NARROW if one.isascii() else _WIDE for one in name) for name in names]
    return max(wide) + _VALUE
