"""The picture of an answer: candles of days, bars of report periods, or companies side by side.

Each trace carries the envelope of its figures, as every chart does.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from pages.ui import blocks, chart, outside, state
from pages.ui.i18n import t
from services.core.rendering import show
from services.views.ask_view import AnswerChart
from services.views.view import ChartPoint, ChartSeries

CONFIG = {**chart.CONFIG, "displayModeBar": False}
_CANDLE = ("open", "high", "low", "close")
_OTHER = "#9db4c8"
_MARGIN: Mapping[str, int] = {"l": 4, "r": 4, "t": 6, "b": 4}
_NAMED: Mapping[str, int] = {**_MARGIN, "t": 24}
# Beyond the longest bar, for the figure written at its end.
_ROOM = 1.22


def figure(shown: AnswerChart, at: int, asked: Collection[str]) -> go.Figure:
    """The picture; `at` is the series looked at where companies are compared, `asked` the companies
    that stand out in it.
    """
    if shown.kind == "days":
        return _days(shown.series)
    if shown.kind == "companies":
        return _companies(shown.series[at], asked)
    several = len(shown.series) > 1
    # A legend names several.
    names = [] if several else [_corner(blocks.words(shown.series[0].name))]
    return chart.series(
        shown.series,
        {"rangemode": "tozero"},
        height=260,
        margin={**_MARGIN, "t": 30} if several else _NAMED,
        annotations=names,
    )


def _title(name: str) -> dict[str, Any]:
    """What an axis draws. Its ticks carry 亿 and 万, the hover the unit."""
    return {"text": name, "font": {"color": chart.INK, "size": 12}}


def _corner(name: str) -> dict[str, Any]:
    """What is drawn, in the corner above: along the axis the words would lie on their side."""
    place = {"xref": "paper", "x": 0, "yref": "paper", "y": 1}
    return {**place, "xanchor": "left", "yanchor": "bottom", "showarrow": False, **_title(name)}


def _days(series: Sequence[ChartSeries]) -> go.Figure:
    """Candles where open, high, low and close are all there; otherwise a line of the first."""
    by_metric = {one.metric: one for one in series}
    whole = all(name in by_metric for name in _CANDLE)
    if whole and len({len(by_metric[name].points) for name in _CANDLE}) == 1:
        drawn: Any = _candles(by_metric)
    else:
        drawn = _line(series[0])
    layout = chart.layout(280) | {
        "annotations": [_corner(t("candles") if whole else blocks.words(series[0].name))],
        "margin": _NAMED, "showlegend": False, "dragmode": False,
        "xaxis": {
            "type": "category", "nticks": 6, "showgrid": False, "rangeslider": {"visible": False},
            "tickfont": {"color": chart.INK},
        },
        "yaxis": {
            "side": "right", "gridcolor": chart.GRID, "zeroline": False, "nticks": 9,
            "tickfont": {"color": chart.INK}, "separatethousands": True, "exponentformat": "none",
        },
    }  # fmt: skip
    return go.Figure([drawn], layout)


def _candles(by_metric: Mapping[str, ChartSeries]) -> go.Candlestick:
    values = {name: [p.claim.value for p in by_metric[name].points] for name in _CANDLE}
    points = by_metric["close"].points
    meta = chart.claim_meta(points[-1].claim, blocks.words(by_metric["close"].name))
    up, down = chart.rising_falling()
    hover = (
        f"{t('hover_open')} %{{open:,.2f}}  {t('hover_high')} %{{high:,.2f}}<br>"
        f"{t('hover_low')} %{{low:,.2f}}  {t('hover_close')} %{{close:,.2f}}<br>"
        f"{chart.tell_source(meta)}<extra></extra>"
    )
    return go.Candlestick(
        x=[outside.escape_chart(blocks.words(point.label)) for point in points],
        **values,
        name=t("candles"),
        meta=meta,
        hovertemplate=hover,
        increasing={"line": {"color": up, "width": 1}, "fillcolor": up},
        decreasing={"line": {"color": down, "width": 1}, "fillcolor": down},
    )


def _line(one: ChartSeries) -> go.Scatter:
    meta = chart.claim_meta(one.points[-1].claim, blocks.words(one.name))
    return go.Scatter(
        x=[outside.escape_chart(blocks.words(point.label)) for point in one.points],
        y=[point.claim.value for point in one.points],
        text=[show(point.claim, state.language()).text for point in one.points],
        mode="lines+markers",
        name=outside.escape_chart(blocks.words(one.name)),
        line={"color": chart.SERIES[0], "width": 2},
        meta=meta,
        hovertemplate=f"%{{x}} %{{text}}<br>{chart.tell_source(meta)}<extra></extra>",
    )


def _companies(one: ChartSeries, asked: Collection[str]) -> go.Figure:
    """A bar a company, each a trace of its own: their figures have different sources."""
    values = [point.claim.value for point in one.points]
    low, high = min(0.0, *values), max(0.0, *values)
    room = (high - low) * (_ROOM - 1)  # for the figure at the end of a bar, on either side
    layout = chart.layout(66 + 26 * len(values)) | {
        "margin": _MARGIN, "showlegend": False, "dragmode": False, "hovermode": "closest",
        "barmode": "overlay", "bargap": 0.35,
        "yaxis": {
            "type": "category", "autorange": "reversed", "showgrid": False, "automargin": True,
            "tickfont": {"color": chart.INK},
        },
        "xaxis": {
            "gridcolor": chart.GRID, "zeroline": True, "zerolinecolor": chart.GRID,
            "tickfont": {"color": chart.INK},
            "range": [low - room * (low < 0), high + room * (high > 0)],
            "title": _title(blocks.undated(one.name)), **chart.ticks(values, 4),
        },
    }  # fmt: skip
    return go.Figure([_bar(point, asked) for point in one.points], layout)


def _bar(point: ChartPoint, asked: Collection[str]) -> go.Bar:
    name, claim = outside.escape_chart(blocks.words(point.label)), point.claim
    meta = chart.claim_meta(claim, blocks.words(point.label))
    said = show(claim, state.language()).text
    return go.Bar(
        x=[claim.value],
        y=[name],
        orientation="h",
        text=[said],
        textposition="outside",
        cliponaxis=False,
        name=name,
        marker={"color": chart.SERIES[0] if claim.symbol in asked or not asked else _OTHER},
        meta=meta,
        hovertemplate=f"{name} {said}<br>{chart.tell_source(meta)}<extra></extra>",
    )
