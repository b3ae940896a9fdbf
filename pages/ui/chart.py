"""Charts: candles with volume and event marks, series of figures, sparklines.

Every trace carries the envelope of its figures in `meta`; every hover ends with the source.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from pages.ui import blocks, cite, outside, state
from pages.ui.i18n import say, t
from services.core.claims import Claim, ToolCite
from services.core.rendering import show
from services.market.history import PriceHistory
from services.views.source_words import CAPABILITY_WORDS, source_words
from services.views.view import ChartSeries

RED, GREEN = "#d64045", "#1f9d6b"
_LEAST_SCALED = 10_000
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
        "told": _told(call.served_by, call.table),
        "tc": call.tool_call_id,
        "as_of": history.bars[-1].date.isoformat() if history.bars else "",
        "unit": first.unit if first else "",
        "note": (first.note or "") if first else "",
    } | cite.course(call.tool_call_id)


def tell_source(meta: Mapping[str, str]) -> str:
    """The end of every hover: where what is drawn comes from, in the reader's words."""
    return f"{t('hover_source')} {meta['told']}"


def _told(served_by: str, table: str) -> str:
    """Who answered, and with what."""
    words = [source_words(served_by), CAPABILITY_WORDS.get(table)]
    return outside.escape_chart(" · ".join(say(one) for one in words if one is not None))


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
                hovertemplate=f"{name} %{{text}}<br>{tell_source(meta)}<extra></extra>",
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
    told = t("derived")
    if isinstance(claim.cite, ToolCite):
        told = _told(claim.cite.served_by, claim.cite.table)
    else:
        fields |= {"src": t("derived"), "table": fields.get("formula", ""), "tc": ""}
    return {
        "told": told,
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
