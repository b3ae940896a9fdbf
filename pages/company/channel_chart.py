"""估值, the other view: the price among lines of one multiple each, and what each comes to now."""

from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go
import streamlit as st

from pages.company import chart_axes as axes
from pages.company.palette import Palette, palette
from pages.ui import blocks, chart, cite, outside, state
from pages.ui.i18n import t
from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.core.rendering import show
from services.views.company.valuation import Channel

CONFIG = {"displayModeBar": False, "displaylogo": False, "responsive": True}
_HEIGHT = 352
# Of the outer lines, the inner ones and the middle.
_STRONG: Mapping[str, float] = {"p90": 0.45, "p75": 0.7, "median": 1.0, "p25": 0.7, "p10": 0.45}
_HALVES = frozenset({"01", "07"})


def draw(channels: Sequence[Channel]) -> None:
    """One chart a multiple, and below each its lines as figures."""
    for column, channel in zip(st.columns(2, gap="medium"), channels, strict=False):
        with column:
            name = blocks.words(channel.band.name)
            blocks.draw(_title(channel))
            if any(dot.price is not None for dot in channel.band.dots):
                st.plotly_chart(
                    draw_channel(channel, palette(), channels.index(channel)),
                    config=CONFIG,
                    key=f"yj_channel_{channel.band.metric}",
                    theme=None,
                    alt=t("channel_alt", name=name),
                )
            else:
                why = cite.tag("provenance", t("channel_none"))
                blocks.draw(f'<p class="yjc-told yjc-warn">{why}</p>')
            blocks.draw(_table(channel))


def lay_out(days: Sequence[str], values: Sequence[float], look: Palette) -> dict[str, object]:
    """The layout of a chart of 估值: sessions across, a tick each half year, the values in view."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    ticks = [
        place for place, day in enumerate(days)
        if place and day[:7] != days[place - 1][:7] and day[5:7] in _HALVES
    ]  # fmt: skip
    return {
        "height": _HEIGHT, "margin": {"l": 34, "r": 92, "t": 8, "b": 22}, "showlegend": False,
        "dragmode": False, "hovermode": "x", "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)", "font": {"size": 11, "color": look.mute},
        "hoverlabel": {"bgcolor": look.paper, "font": {"color": look.ink}, "align": "left"},
        "xaxis": {
            "type": "category", "tickvals": [days[at] for at in ticks],
            "ticktext": [axes.month_name(days[at]) for at in ticks], "showgrid": True,
            "griddash": "dot", "gridcolor": look.grid, "fixedrange": True,
        },
        "yaxis": {
            "range": [low - 0.05 * span, high + 0.06 * span], "gridcolor": look.grid,
            "zeroline": False, "fixedrange": True, "nticks": 6,
        },
    }  # fmt: skip


def draw_channel(channel: Channel, look: Palette, place: int) -> go.Figure:
    """The price of each session, and where it would have stood at each multiple."""
    dots = [(dot, dot.price) for dot in channel.band.dots if dot.price is not None]
    days = [dot.day.isoformat() for dot, _ in dots]
    colour = look.series[0] if place == 0 else look.series[5]
    figure = go.Figure()
    told: list[dict[str, object]] = []
    drawn = [price for _, price in dots]
    for word, line in channel.lines.items():
        multiple = channel.band.told[word]
        if not isinstance(line, Claim) or not isinstance(multiple, Claim):
            continue
        # Per session: the price as it was, by how much dearer this multiple is than that day's.
        values = [price * multiple.value / dot.value for dot, price in dots]
        drawn += values
        name = outside.escape_chart(_name(word, multiple))
        figure.add_trace(
            go.Scatter(
                x=days, y=values, mode="lines", name=name, opacity=_STRONG[word],
                meta=chart.claim_meta(line, blocks.words(metric_words(line.metric))),
                line={"color": colour, "width": 1.1,
                      "dash": "dash" if word == "median" else "solid"},
                hovertemplate=f"{name} %{{y:.2f}}<extra></extra>",
            )
        )  # fmt: skip
        told.append(_note(values[-1], name, look.mute, 10.5))
    price = outside.escape_chart(t("channel_price"))
    figure.add_trace(
        go.Scatter(
            x=days, y=[price for _, price in dots], mode="lines", name=price,
            meta=chart.claim_meta(channel.close, price), line={"color": look.ink, "width": 1.5},
            hovertemplate=f"%{{x}}<br>{price} %{{y:.2f}}<br>{t('hover_source')} "
            f"{t('derived')}<extra></extra>",
        )
    )  # fmt: skip
    figure.update_layout(lay_out(days, drawn, look), annotations=told)
    return figure


def _note(value: float, text: str, colour: str, size: float) -> dict[str, object]:
    return {
        "xref": "paper", "x": 1.01, "yref": "y", "y": value, "text": text, "xanchor": "left",
        "showarrow": False, "font": {"size": size, "color": colour},
    }  # fmt: skip


def _name(word: str, multiple: Claim) -> str:
    """Which of its past, and how many times: 90% 10.05×."""
    named = t("past_median") if word == "median" else f"{word[1:]}%"
    return f"{named} {show(multiple, state.language(), 'cell').number}×"


def _title(channel: Channel) -> str:
    name = cite.tag("label", t("channel_alt", name=blocks.words(channel.band.name)))
    first, last = channel.band.dots[0].day, channel.band.dots[-1].day
    return (
        f'<div class="yjc-h" data-group="channel"><h2>{name}</h2>'
        f"<small>{cite.day(first)} – {cite.day(last)}</small>"
        f'<span class="yjc-end">{escape(t("channel_close"))} '
        f"<b>{cite.figure(channel.close, 'cell')}</b></span></div>"
    )


def _table(channel: Channel) -> str:
    """Each line: the multiple of its past, and the price it comes to now."""
    name = t("channel_alt", name=blocks.words(channel.band.name))
    heads = f'<th scope="col" data-nocite="label">{escape(t("channel_line"))}</th>' + "".join(
        f'<th scope="col" class="yj-num"><span data-nocite="label">{escape(named)}</span> '
        f"<small>{cite.day(as_of)}</small></th>"
        for named, as_of in (
            (blocks.words(channel.band.name), channel.band.dots[-1].day),
            (t("channel_at"), channel.close.as_of),
        )
    )
    rows = "".join(
        f'<tr><th scope="row" data-nocite="label">{escape(_line_name(word))}</th>'
        f'<td class="yj-num">{cite.figure(channel.band.told[word], "cell")}</td>'
        f'<td class="yj-num">{cite.figure(line, "cell")}</td></tr>'
        for word, line in channel.lines.items()
    )
    return blocks.framed(name, f"<tr>{heads}</tr>", rows, style="yjc-flat")


def _line_name(word: str) -> str:
    return t("past_median") if word == "median" else t("channel_share", share=word[1:])
