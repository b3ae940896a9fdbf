"""Charts: candles with volume and event marks, series of figures, sparklines.

Every trace carries the envelope of its figures in `meta`; every hover ends with the source.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.ui import blocks, cite, outside, state
from pages.ui.i18n import say, t
from services.core.claims import Claim, ToolCite
from services.core.rendering import show
from services.market.events.events import Event
from services.market.history import Bar, PriceHistory
from services.views.view import Average, ChartSeries, StockView

RED, GREEN = "#d64045", "#1f9d6b"
_LEAST_SCALED = 10_000
_AVERAGES = {5: "#c98a1b", 20: "#7a6cd8", 60: "#2f86c9"}
GRID = "rgba(128,140,155,0.20)"
INK = "rgba(128,140,155,1)"
SERIES = ("#2f7fbd", "#c98a1b", "#7a6cd8", "#2a9d8f", "#b85c9e", "#7d8b99")
CONFIG = {
    "displaylogo": False,
    "doubleClick": "reset",
    "scrollZoom": False,
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "toImage"],
}


def rising_falling() -> tuple[str, str]:
    """The two colours, a rise first, by the convention chosen."""
    return (RED, GREEN) if state.colours() == "red_up" else (GREEN, RED)


def stock(view: StockView) -> go.Figure:
    """Candles, moving averages, volume, event marks and interval bands over the sessions shown."""
    assert view.bars is not None  # noqa: S101 — the page draws the reason instead
    bars, days = view.bars.bars, [bar.date.isoformat() for bar in view.bars.bars]
    meta = history_meta(view.bars, say(view.name))
    volumes = _volumes(bars, days, meta)
    heights = [0.77, 0.23] if volumes else [1.0]
    figure = make_subplots(
        rows=len(heights), cols=1, shared_xaxes=True, row_heights=heights, vertical_spacing=0.035
    )
    figure.add_trace(_candles(view, days, meta), row=1, col=1)
    for average in view.averages:
        figure.add_trace(_average(average, days, meta), row=1, col=1)
    if marks := _marks(view, meta):
        figure.add_trace(marks, row=1, col=1)
    for trace in volumes:
        figure.add_trace(trace, row=2, col=1)
    figure.update_layout(shapes=_bands(view.events, days), **layout(470))
    figure.update_xaxes(
        type="category", categoryorder="category ascending", rangeslider_visible=False, nticks=9,
        showgrid=False, tickfont={"color": INK}, showspikes=True, spikethickness=1,
        spikedash="dot", spikecolor=INK, spikemode="across",
    )  # fmt: skip
    figure.update_yaxes(
        side="right", gridcolor=GRID, zeroline=False, tickfont={"color": INK},
        separatethousands=True, exponentformat="none",
    )  # fmt: skip
    if volumes:
        figure.update_yaxes(**ticks([bar.volume or 0.0 for bar in bars], 1), row=2, col=1)
    return figure


def layout(height: int) -> dict[str, Any]:
    """What all charts have in common."""
    return {
        "height": height,
        "margin": {"l": 4, "r": 4, "t": 30, "b": 4},
        "legend": {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0},
        "hovermode": "x",
        "dragmode": "pan",
        "bargap": 0.25,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": INK, "activecolor": "#2f7fbd"},
        "uirevision": "keep",
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
    }


def history_meta(history: PriceHistory, name: str) -> dict[str, str]:
    """The envelope of a price series: one per trace, for the drawer and for tests."""
    call = history.call
    first = call.rows[0] if call.rows else None
    return {
        "label": name,
        "symbol": history.symbol,
        "src": call.source,
        "table": call.table,
        "by": call.served_by,
        "fetched": call.fetched_at.isoformat(),
        "captured": cite.captured(call.source, call.table),
        "tc": call.tool_call_id,
        "as_of": history.bars[-1].date.isoformat() if history.bars else "",
        "unit": first.unit if first else "",
        "note": (first.note or "") if first else "",
    } | cite.course(call.tool_call_id)


def _source(meta: Mapping[str, str]) -> str:
    return f"{t('hover_source')} {meta['src']}.{meta['table']}"


def _candles(view: StockView, days: list[str], meta: dict[str, str]) -> go.Candlestick:
    assert view.bars is not None  # noqa: S101 — see stock()
    bars, marked = view.bars.bars, {e.end.isoformat() for e in view.events if e.kind == "异动点"}
    up, down = rising_falling()
    hover = (
        f"{t('hover_open')} %{{open:,.2f}}  {t('hover_high')} %{{high:,.2f}}<br>"
        f"{t('hover_low')} %{{low:,.2f}}  {t('hover_close')} %{{close:,.2f}}<br>"
        f"{_source(meta)}%{{text}}<extra></extra>"
    )
    return go.Candlestick(
        x=days,
        open=[bar.open for bar in bars],
        high=[bar.high for bar in bars],
        low=[bar.low for bar in bars],
        close=[bar.close for bar in bars],
        name=t("candles"),
        text=[f" · {t('marker')}" if day in marked else "" for day in days],
        meta=meta,
        hovertemplate=hover,
        increasing={"line": {"color": up, "width": 1}, "fillcolor": up},
        decreasing={"line": {"color": down, "width": 1}, "fillcolor": down},
    )


def _average(average: Average, days: list[str], meta: dict[str, str]) -> go.Scatter:
    return go.Scatter(
        x=days,
        y=list(average.values),
        mode="lines",
        name=f"MA{average.length}",
        line={"width": 1.2, "color": _AVERAGES[average.length]},
        hoverinfo="skip",
        meta=meta | {"formula": f"mean(close, {average.length})", "value": "close"},
    )


def _volumes(bars: Sequence[Bar], days: list[str], meta: dict[str, str]) -> list[go.Bar]:
    """Two traces rather than a colour per bar, which costs more than the rest of the chart."""
    up, down = rising_falling()
    rows = [(day, bar) for day, bar in zip(days, bars, strict=True) if bar.volume is not None]
    if len(rows) < len(bars) / 2:  # a few stray bars would read as sessions without trade
        return []
    rising = [(day, bar.volume) for day, bar in rows if bar.close >= bar.open]
    falling = [(day, bar.volume) for day, bar in rows if bar.close < bar.open]
    hover = f"{t('hover_volume')} %{{y:,.0f}}<br>{_source(meta)}<extra></extra>"
    return [
        go.Bar(
            x=[day for day, _ in points],
            y=[volume for _, volume in points],
            name=t(key),
            marker={"color": colour, "line": {"width": 0}},
            opacity=0.65,
            hovertemplate=hover,
            showlegend=False,
            meta=meta | {"unit": "shares", "value": "volume"},
        )
        for points, key, colour in (
            (rising, "volume_up", up),
            (falling, "volume_down", down),
        )
    ]


def ticks(values: Sequence[float], wanted: int) -> dict[str, Any]:
    """About `wanted` round ticks up from zero, written with 亿 or 万 (bn, m in English)."""
    most, least = max(values, default=0.0), min((0.0, *values))
    span = max(most, -least)
    if span < _LEAST_SCALED:
        return {"nticks": wanted + 1}
    rough = span / wanted
    size = 10.0 ** (len(str(int(rough))) - 1)
    step = next(size * part for part in (10, 5, 2, 1) if size * part <= rough)
    ticks = [step * place for place in range(int(least // step), int(most // step) + 1)]
    return {"tickvals": ticks, "ticktext": [_tick(tick) for tick in ticks]}


def _tick(value: float) -> str:
    scales = ((10**8, "亿"), (10**4, "万"))
    if state.language() == "en":
        scales = ((10**9, "bn"), (10**6, "m"), (10**3, "k"))
    found = next(((scale, name) for scale, name in scales if abs(value) >= scale), (1, ""))
    return f"{value / found[0]:,.10g}{found[1]}"


def _marks(view: StockView, meta: dict[str, str]) -> go.Scatter | None:
    """One triangle over the candle of each event's last day; the newest event of a day wins."""
    assert view.bars is not None  # noqa: S101 — see stock()
    bars = view.bars.bars
    above = 0.03 * (max(bar.high for bar in bars) - min(bar.low for bar in bars))
    highs = {bar.date: bar.high + above for bar in bars}
    places = {
        event.end: position
        for position, event in reversed(list(enumerate(view.events)))
        if event.kind == "异动点" and event.end in highs
    }
    if not places:
        return None
    days = sorted(places)
    return go.Scatter(
        x=[day.isoformat() for day in days],
        y=[highs[day] for day in days],
        mode="markers",
        name=t("marker"),
        marker={
            "symbol": "triangle-down",
            "size": 10,
            "color": "#d98a1f",
            "line": {"width": 1, "color": "rgba(80,50,0,0.6)"},
        },
        customdata=[f"ev-{places[day]}" for day in days],
        hoverinfo="skip",
        meta=meta | {"value": "high"},
    )


def _bands(events: Sequence[Event], days: list[str]) -> list[dict[str, Any]]:
    """A shaded band per interval, clipped to the sessions shown."""
    if not days:
        return []
    up, down = rising_falling()
    bands: list[dict[str, Any]] = []
    for event in events:
        inside = [day for day in days if event.start.isoformat() <= day <= event.end.isoformat()]
        if event.kind != "异动区间" or not inside:
            continue
        bands.append(
            {
                "type": "rect",
                "xref": "x",
                "yref": "paper",
                "x0": inside[0],
                "x1": inside[-1],
                "y0": 0,
                "y1": 1,
                "layer": "below",
                "line": {"width": 0},
                "fillcolor": up if event.result == "涨" else down,
                "opacity": 0.13,
            }
        )
    return bands


def series(shown: Sequence[ChartSeries], axis: Mapping[str, Any], **more: Any) -> go.Figure:
    """Bars of one or more metrics over their report periods, each trace with its envelope.

    `axis` is told of the vertical one besides, `more` of the whole.
    """
    bars: list[go.Bar] = []
    for one, colour in zip(shown, SERIES, strict=False):
        claims = [point.claim for point in one.points]
        name = outside.escape_chart(blocks.words(one.name))
        meta = claim_meta(claims[-1], blocks.words(one.name))
        bars.append(
            go.Bar(
                x=[outside.escape_chart(blocks.words(point.label)) for point in one.points],
                y=[claim.value for claim in claims],
                text=[show(claim, state.language(), "cell").text for claim in claims],
                textposition="none",
                name=name,
                marker={"color": colour},
                meta=meta,
                hovertemplate=(
                    f"{name} %{{text}}<br>{t('hover_source')} "
                    f"{meta['src']}.{meta['table']}<extra></extra>"
                ),
            )
        )
    values = [point.claim.value for one in shown for point in one.points]
    whole = {
        "hovermode": "closest", "dragmode": False, "bargap": 0.45, "showlegend": len(shown) > 1,
        "xaxis": {"type": "category", "showgrid": False, "tickfont": {"color": INK}},
        "yaxis": {"side": "right", "gridcolor": GRID, "tickfont": {"color": INK},
                  **ticks(values, 4), **axis},
    }  # fmt: skip
    return go.Figure(bars, layout(300) | whole | more)


def claim_meta(claim: Claim, name: str) -> dict[str, str]:
    """The envelope of a trace of claims: that of one of them, under the trace's name."""
    fields = cite.envelope(claim)
    if not isinstance(claim.cite, ToolCite):
        fields |= {"src": t("derived"), "table": fields.get("formula", ""), "tc": ""}
    return {
        "label": name,
        "symbol": claim.symbol,
        "src": fields["src"],
        "table": fields["table"],
        "by": fields.get("by", ""),
        "fetched": fields.get("fetched", ""),
        "captured": fields.get("captured", ""),
        "tc": fields["tc"],
        "as_of": fields["as-of"],
        "unit": claim.unit,
        "note": fields.get("note", ""),
        "formula": fields.get("formula", ""),
        "claim_id": claim.claim_id,
    }
