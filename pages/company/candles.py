"""The chart of one symbol: candles, averages, volume, indicator panes, events, gaps, overlays.

Every trace carries the envelope of its figures in `meta`; every hover ends with the source. What
the reader does with the chart is chart.js; it finds the traces by `meta.role`.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from pages.company import chart_axes as axes
from pages.company.candle_marks import event_marks, gap_marks, interval_bands
from pages.company.drawing import Drawing, DrawnLines, source_words
from pages.company.label_places import spread, width_of
from pages.company.palette import Palette
from pages.ui import chart, outside
from pages.ui.i18n import say, t
from services.market.candles import ChartCandle, Line
from services.views.company.chart import ChartPart

CONFIG = {
    "displayModeBar": False,
    "scrollZoom": True,
    "doubleClick": "reset",
    "displaylogo": False,
    "responsive": True,
}
HEIGHT = 430
# The width of the prices beside the chart, of a change in percent; a bold letter to a plain one.
_PRICES, _CHANGE, _BOLD = 52, 52, 1.05
# Letters and Chinese characters of a name beside its line.
_LETTERS, _SIGNS = 16, 8
_PANES: Mapping[int, tuple[tuple[float, float], ...]] = {
    0: ((0.22, 1), (0, 0.17)),
    1: ((0.36, 1), (0.19, 0.32), (0, 0.15)),
    2: ((0.46, 1), (0.31, 0.42), (0.16, 0.27), (0, 0.12)),
}


def draw_candles(part: ChartPart, look: Palette, shown: DrawnLines) -> go.Figure:
    """The finished figure."""
    one = Drawing(part, look, shown)
    traces: list[Any] = [_candles(one), *(_average(one, length) for length in shown.averages)]
    if "boll" in shown.panes:
        traces += [
            _line(one, line, f"BOLL {name}", look.soft, "y", dash="dot")
            for name, line in one.lines["boll"].items()
        ]
    for overlay, colour in zip(part.overlays, look.series[1:], strict=False):
        if trace := _overlay(one, overlay, colour):
            traces.append(trace)
    traces += [*event_marks(one), *gap_marks(one), *_volumes(one)]
    for place, name in enumerate(one.panes):
        traces += _pane(one, name, f"y{place + 3}")
    # Given at once: a layout that is put on a figure later takes four times as long to be made.
    return go.Figure(traces, _layout(one))


def _layout(one: Drawing) -> dict[str, Any]:
    part, look = one.part, one.look
    domains = _PANES[len(one.panes)]
    low, high = axes.reach(one.visible)
    values, names = axes.dates(one.candles, one.visible, part.asked.interval)
    last = f"y{len(domains)}".removesuffix("1")
    more = {
        f"yaxis{place + 3}": axes.pane_axis(name, look, domains[place + 2], one.in_view(name))
        for place, name in enumerate(one.panes)
    }
    return more | {
        "height": _height(one),
        "margin": {"l": 2, "r": _room(one), "t": 4, "b": 20}, "showlegend": False,
        "dragmode": "pan",
        "hovermode": "x", "hoverdistance": 40, "spikedistance": -1, "bargap": 0.25,
        "barmode": "overlay",
        "uirevision": f"{part.symbol}-{part.asked.interval}-{part.asked.range}",
        "paper_bgcolor": "rgba(0,0,0,0)", "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"size": 11, "color": look.mute},
        "hoverlabel": {"align": "left", "bgcolor": look.paper, "bordercolor": look.line_2,
                    "font": {"color": look.ink, "size": 12}},
        "shapes": [*interval_bands(one), _last_line(one)],
        "annotations": [_tag(one), *_pane_names(one, domains),
                        *_overlay_names(one, domains[0])],
        "xaxis": {
            "type": "category", "categoryorder": "category ascending",
            "range": [part.first - one.start - 1, len(one.days)], "tickvals": values,
            "ticktext": names, "rangeslider": {"visible": False}, "showgrid": True,
            "griddash": "dot", "gridcolor": look.grid, "anchor": last, "showspikes": True,
            "spikemode": "across", "spikesnap": "cursor", "spikethickness": 1,
            "spikedash": "dot", "spikecolor": look.mute, "tickfont": {"color": look.mute},
        },
        "yaxis": axes.price_axis(one.visible, look, domains[0], low, high, log=one.shown.log),
        "yaxis2": axes.volume_axis(one.visible, look, domains[1]),
    }  # fmt: skip


def _height(one: Drawing) -> int:
    return HEIGHT + 60 * max(0, len(one.panes) - 1)


def _candles(one: Drawing) -> go.Candlestick:
    look, marked = one.look, {row.event.end.isoformat() for row in one.part.events}
    hover = (
        f"%{{x}}%{{text}}<br>{t('hover_open')} %{{open:,.2f}}  {t('hover_high')} %{{high:,.2f}}  "
        f"{t('hover_low')} %{{low:,.2f}}  {t('hover_close')} %{{close:,.2f}}<br>"
        f"{source_words(one.meta)}<extra></extra>"
    )
    return go.Candlestick(
        x=one.days,
        open=[bar.open for bar in one.candles],
        high=[bar.high for bar in one.candles],
        low=[bar.low for bar in one.candles],
        close=[bar.close for bar in one.candles],
        name=t("candles"),
        text=[f" · {t('marker')}" if day in marked else "" for day in one.days],
        meta=one.meta | {"role": "candles"},
        hovertemplate=hover,
        whiskerwidth=0,
        increasing={"line": {"color": look.up, "width": 1}, "fillcolor": look.up},
        decreasing={"line": {"color": look.down, "width": 1}, "fillcolor": look.down},
    )


def _line(
    one: Drawing,
    line: Line,
    name: str,
    colour: str,
    axis: str,
    *,
    dash: str = "solid",
    role: str = "line",
) -> go.Scatter:
    return go.Scatter(
        x=one.days,
        y=one.cut(line),
        mode="lines",
        name=name,
        yaxis=axis,
        line={"width": 1.2, "color": colour, "dash": dash},
        connectgaps=False,
        hoverinfo="skip",
        meta=one.meta | {"formula": name, "value": "close", "role": role},
    )


def _average(one: Drawing, length: int) -> go.Scatter:
    line, colour = one.averages[length], one.look.averages[length]
    return _line(one, line, f"MA{length}", colour, "y", role=f"ma_{length}")


def _overlay(one: Drawing, overlay: Any, colour: str) -> go.Scatter | None:
    """Another symbol, its first close of the range on this one's."""
    closes = {bar.date: bar.close for bar in overlay.history.bars}
    known = sorted(closes)
    if not known:
        return None
    values: list[float | None] = []
    base: float | None = None
    start = one.part.first - one.start
    for place, candle in enumerate(one.candles):
        at = bisect_left(known, candle.last)
        held = known[at] if at < len(known) and known[at] == candle.last else None
        if held is None and one.part.asked.interval != "d":  # its last session of that week
            held = known[at - 1] if at and known[at - 1] >= candle.first else None
        values.append(closes[held] if held else None)
        if place >= start and base is None and held:
            base = candle.close / closes[held]
    if base is None:
        return None
    meta = chart.history_meta(overlay.history, say(overlay.name))
    name = outside.escape_chart(say(overlay.name))
    return go.Scatter(
        x=one.days,
        y=[None if value is None else value * base for value in values],
        mode="lines",
        name=name,
        line={"width": 1.8, "color": colour},
        connectgaps=False,
        hoverinfo="skip",
        meta=meta | {"role": "overlay", "formula": "close * base", "base": repr(base)},
    )


def _overlay_names(one: Drawing, domain: tuple[float, float]) -> list[dict[str, Any]]:
    """Each overlay by name and change at its right end, beyond the prices; none over another."""
    ends = [
        (overlay, [value for value in drawn if value is not None], colour)
        for overlay, colour in zip(one.part.overlays, one.look.series[1:], strict=False)
        if (drawn := _inside(one, overlay, colour))
    ]
    log, (low, high) = one.shown.log, axes.reach(one.visible)
    bottom, top = axes.on_axis(low, log=log), axes.on_axis(high, log=log)
    height = (_height(one) - 24) * (domain[1] - domain[0])
    at = [(axes.on_axis(inside[-1], log=log) - bottom) / (top - bottom) * height
          for _, inside, _ in ends]  # fmt: skip
    return [
        {
            "name": "overlay", "xref": "paper", "x": 1, "xshift": _PRICES, "xanchor": "left",
            "yref": "y", "y": axes.on_axis(inside[-1], log=log), "yshift": moved - place,
            "yanchor": "middle", "showarrow": False, "font": {"size": 11, "color": colour},
            "text": f"<b>{_short(overlay)}</b> {(inside[-1] / inside[0] - 1) * 100:+.1f}%"
            .replace("-", "−"),
        }
        for (overlay, inside, colour), place, moved in zip(
            ends, at, spread(at, height), strict=True
        )
    ]  # fmt: skip


def _inside(one: Drawing, overlay: Any, colour: str) -> list[float | None]:
    """What is drawn of it in the range shown; empty with fewer than two values."""
    trace = _overlay(one, overlay, colour)
    drawn: Any = [] if trace is None or trace.y is None else trace.y
    inside = list(drawn[one.part.first - one.start :])
    return inside if sum(value is not None for value in inside) > 1 else []


def _short(overlay: Any) -> str:
    name = say(overlay.name)
    most = _LETTERS if name.isascii() else _SIGNS
    return outside.escape_chart(name if len(name) <= most else f"{name[: most - 1]}…")


def _room(one: Drawing) -> float:
    """Room at the right for the prices, and for the longest name of an overlay and its change."""
    names = [width_of(_short(overlay)) for overlay in one.part.overlays]
    return _PRICES + (max(names) * _BOLD + _CHANGE if names else 0)


def _volumes(one: Drawing) -> list[go.Bar]:
    """Two traces rather than a colour per bar, which costs more than the rest of the chart."""
    rows = [(day, bar) for day, bar in zip(one.days, one.candles, strict=True) if bar.volume]
    hover = f"{t('hover_volume')} %{{y:,.0f}}<br>{source_words(one.meta)}<extra></extra>"
    split = (
        ([row for row in rows if row[1].close >= row[1].open], "volume_up", one.look.up),
        ([row for row in rows if row[1].close < row[1].open], "volume_down", one.look.down),
    )
    return [
        go.Bar(
            x=[day for day, _ in points],
            y=[bar.volume for _, bar in points],
            name=t(key),
            yaxis="y2",
            marker={"color": colour, "line": {"width": 0}},
            opacity=0.62,
            hoverinfo="skip",
            meta=one.meta | {"unit": "shares", "value": "volume", "role": "volume", "hover": hover},
        )
        for points, key, colour in split
    ]


def _pane(one: Drawing, name: str, axis: str) -> list[go.Scatter | go.Bar]:
    lines, shades = one.lines[name], _shades(one, name)
    if name != "macd":
        return [_line(one, line, word, shades[word], axis) for word, line in lines.items()]
    bars = one.cut(lines["MACD"])
    signs = (
        ([(d, v) for d, v in zip(one.days, bars, strict=True) if v is not None and v >= 0], "up"),
        ([(d, v) for d, v in zip(one.days, bars, strict=True) if v is not None and v < 0], "down"),
    )
    return [
        *(
            go.Bar(
                x=[day for day, _ in points],
                y=[value for _, value in points],
                yaxis=axis,
                name="MACD",
                opacity=0.62,
                hoverinfo="skip",
                marker={"color": getattr(one.look, way), "line": {"width": 0}},
                meta=one.meta | {"formula": "2 * (DIF - DEA)", "value": "close", "role": "line"},
            )
            for points, way in signs
        ),
        *(_line(one, lines[word], word, shade, axis) for word, shade in shades.items()),
    ]


def _shades(one: Drawing, name: str) -> dict[str, str]:
    """The colour of each line of a pane; the bars of MACD have those of their signs."""
    words = [word for word in one.lines[name] if word != "MACD"]
    return dict(zip(words, (one.look.averages[length] for length in (60, 5, 20)), strict=False))


_PARAMETERS = {"macd": "MACD 12,26,9", "rsi": "RSI 14", "kdj": "KDJ 9,3,3"}


def _pane_names(one: Drawing, domains: Sequence[tuple[float, float]]) -> list[dict[str, Any]]:
    """What each pane shows, and the value of each line at the last candle."""
    texts = [t("pane_volume")]
    for name in one.panes:
        values = [
            f'<span style="color:{shade}">{word} {last:.2f}</span>'.replace("-", "−")
            for word, shade in _shades(one, name).items()
            if (last := one.lines[name][word][-1]) is not None
        ]
        texts.append("  ".join([_PARAMETERS[name], *values]))
    return [
        {
            "xref": "paper", "yref": "paper", "x": 0.002, "y": domain[1] - 0.006,
            "xanchor": "left", "yanchor": "bottom", "showarrow": False, "text": text,
            "font": {"size": 10.5, "color": one.look.mute},
        }
        for text, domain in zip(texts, domains[1:], strict=True)
    ]  # fmt: skip


def _last_line(one: Drawing) -> dict[str, Any]:
    last = one.candles[-1]
    return {
        "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": last.close,
        "y1": last.close, "line": {"width": 1, "dash": "dot", "color": _way(one, last)},
    }  # fmt: skip


def _way(one: Drawing, last: ChartCandle) -> str:
    before = one.candles[-2].close if len(one.candles) > 1 else last.open
    return one.look.up if last.close >= before else one.look.down


def _tag(one: Drawing) -> dict[str, Any]:
    """The last close on its ground at the right; an annotation on a logarithmic axis stands at the
    logarithm, a shape at the value.
    """
    last = one.candles[-1]
    return {
        "xref": "paper", "x": 1, "yref": "y", "y": axes.on_axis(last.close, log=one.shown.log),
        "xanchor": "left", "yanchor": "middle", "showarrow": False, "borderpad": 3,
        "text": f"<b>{last.close:,.2f}</b>", "bgcolor": _way(one, last),
        "font": {"size": 11, "color": one.look.on},
    }  # fmt: skip
