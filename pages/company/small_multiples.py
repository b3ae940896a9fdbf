"""Six figures over the periods, side by side: bars for sizes, lines for ratios, values above."""

from decimal import Decimal

import plotly.graph_objects as go
import streamlit as st

from pages.company.palette import Palette, palette
from pages.ui import blocks, chart, cite, outside, state
from pages.ui.i18n import t
from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.core.periods import Period, period_words
from services.core.rendering import round_half_up, show
from services.core.units import UNITS
from services.views.company.statements import Small

_LINES = frozenset({"roe", "net_margin"})
_HEIGHT = 146
# Room above the highest mark for its label, and below the lowest of a line for one at a dip.
_SHARE, _BELOW = 0.18, 0.34
CONFIG = {"displayModeBar": False, "displaylogo": False, "responsive": True}


def draw_small(shown: tuple[Small, ...]) -> None:
    """All of them in one row; on a phone below each other."""
    if not shown:
        return
    with st.container(key="yjc_small"):
        for column, one in zip(st.columns(len(shown), gap="medium"), shown, strict=True):
            with column:
                blocks.draw(_head(one))
                st.plotly_chart(
                    draw_figure(one, palette()),
                    config=CONFIG,
                    key=f"yj_small_{one.metric}",
                    theme=None,
                    alt=blocks.words(metric_words(one.metric)),
                )


def _head(one: Small) -> str:
    """The name with its unit; below it the newest period, and how that moved."""
    name = cite.tag("label", blocks.words(metric_words(one.metric)))
    newest = one.points[-1]
    _, unit = _find_scale(newest)
    moved = ""
    if isinstance(one.change, Claim):
        moved = f"{cite.short(t('fin_moved'), one.change.metric)} {cite.figure(one.change)}"
    period = cite.tag("period", period_words(newest.period, state.language()))
    return (
        f'<div class="yjc-h yjc-small" data-group="small"><h2>{name}</h2>'
        f"<small>{cite.tag('label', unit)}</small><p>{period} {moved}</p></div>"
    )


def _find_scale(newest: Claim) -> tuple[Decimal, str]:
    """What one of the digits above the marks is worth, and its unit in words."""
    written = show(newest, state.language(), "cell")
    unit = UNITS[newest.unit]
    named = unit.zh if state.language() == "zh" else unit.en
    word = "" if newest.unit == "percent" else written.suffix.strip()
    told = f"{word}{named}" if state.language() == "zh" else f"{word} {named}".strip()
    return written.scale, told


def draw_figure(one: Small, look: Palette) -> go.Figure:
    """One of them: bars from zero, a line between its ends; values in the unit of the head."""
    scale, _ = _find_scale(one.points[-1])
    periods = [Period.parse(period) for period in one.periods]
    names = [f"'{period.year % 100:02d}" for period in periods]
    if any(period.quarter != 4 for period in periods):
        names = [f"{period.year % 100:02d}Q{period.quarter}" for period in periods]
    known = {point.period: point.value / float(scale) for point in one.points}
    written = {
        point.period: write_value(Decimal(repr(point.value)) / scale) for point in one.points
    }
    # A period without the figure keeps its place: bars of 2013 and 2016 are no neighbours.
    values = [known.get(period) for period in one.periods]
    texts = [written.get(period, "") for period in one.periods]
    meta = chart.claim_meta(one.points[-1], blocks.words(metric_words(one.metric)))
    name = outside.escape_chart(blocks.words(metric_words(one.metric)))
    hover = f"{name} %{{text}}<br>{chart.tell_source(meta)}<extra></extra>"
    draw = _line if one.metric in _LINES else _bars
    trace = draw(names, values, texts, look).update(meta=meta, hovertemplate=hover)
    low, high = min(known.values()), max(known.values())
    span = (high - low) or abs(high) or 1.0
    floor = low - _BELOW * span if one.metric in _LINES else min(0.0, low * 1.15)
    layout = {
        "height": _HEIGHT, "margin": {"l": 2, "r": 2, "t": 6, "b": 20}, "showlegend": False,
        "dragmode": False, "bargap": 0.38, "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)", "font": {"size": 11, "color": look.soft},
        "hoverlabel": {"bgcolor": look.paper, "font": {"color": look.ink}},
        # A line has the places of bars: the label of its last mark is not cut at the edge.
        "xaxis": {"type": "category", "range": [-0.5, len(names) - 0.5], "showgrid": False,
               "fixedrange": True, "showline": True,
               "linecolor": look.line_2, "tickfont": {"color": look.mute}},
        "yaxis": {"visible": False, "fixedrange": True,
               "range": [floor, high + (_SHARE + 0.1) * (span if low > 0 and
                         one.metric in _LINES else max(high, span))]},
    }  # fmt: skip
    return go.Figure([trace], layout)


def write_value(value: Decimal) -> str:
    """Four digits at most, rounded as in the table below, with a true minus."""
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    return f"{round_half_up(value, digits):,}".replace("-", "−")


def _bars(names: list[str], values: list[float | None], texts: list[str], look: Palette) -> go.Bar:
    colours = [look.before] * (len(values) - 1) + [look.accent]
    return go.Bar(
        x=names, y=values, text=texts, textposition="outside", cliponaxis=False,
        marker={"color": colours}, textfont={"color": look.soft, "size": 10.5},
    )  # fmt: skip


def _line(
    names: list[str], values: list[float | None], texts: list[str], look: Palette
) -> go.Scatter:
    """Labels right of and above a mark, below it at a dip, so that none crosses the line."""
    last = len(values) - 1
    places = [_place(values, place) for place in range(len(values))]
    fills = [look.paper] * last + [look.accent]
    return go.Scatter(
        x=names, y=values, text=texts, mode="lines+markers+text", textposition=places,
        cliponaxis=False, line={"color": look.accent, "width": 1.8},
        marker={"size": 7, "color": fills, "line": {"color": look.accent, "width": 1.5}},
        textfont={"color": look.soft, "size": 10.5},
    )  # fmt: skip


def _place(values: list[float | None], place: int) -> str:
    """Where a mark's label stands; beside a gap as at an end. After a fall the last one's label
    stands below: beside it is that of the mark before.
    """
    here = values[place]
    before = values[place - 1] if place else None
    after = values[place + 1] if place + 1 < len(values) else None
    if here is None or (after is None and before is None):
        return "top center"
    if before is not None and here < before and (after is None or here < after):
        return "bottom center"
    return "top center" if after is None or (before is not None and here >= before) else "top right"
