"""走势: the toolbar, the readout, the chart, and the events beside it."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import cast

import plotly.graph_objects as go
import streamlit as st

from pages.company import candles, events_table
from pages.company.drawing import DrawnLines
from pages.company.palette import palette
from pages.ui import blocks, cite, outside, resources, state
from pages.ui.choosing import choose_one
from pages.ui.i18n import LIST_COMMA, say, t
from services.core.claims import Claim, Figure
from services.core.company_formulas import AVERAGES
from services.market.candles import INDICATORS, Interval
from services.views.company.chart import MAX_OVERLAYS, RANGES, ChartPart, ChartRequest
from services.views.company.head import adjustment_of

_INTERVALS = ("d", "w", "m")
_MOST_PANES = 2
_LONG = frozenset({"3y", "all"})
_LABELS = {"macd": "MACD 12,26,9", "rsi": "RSI 14", "kdj": "KDJ 9,3,3"}
_OLD_RANGES = {"2y": "3y"}
_PRICES = ("open", "high", "low", "close")


def asked() -> ChartRequest:
    """What the address asks for of the chart."""
    stated = state.stated("range")
    if stated in _OLD_RANGES:
        st.query_params["range"] = _OLD_RANGES[stated]
    span = state.bind("range", "1y", valid=RANGES.__contains__)
    interval = state.bind("interval", "d", valid=_INTERVALS.__contains__)
    over = state.bind("with", "", widget=False)
    return ChartRequest(
        span, cast("Interval", interval), tuple(one for one in over.split(",") if one)
    )


def draw(part: ChartPart, claims: Mapping[str, Claim], *, nothing_said: str) -> None:
    """Everything of the section; `nothing_said` where there are no bars."""
    if part.bars is None:
        blocks.draw(nothing_said)
        return
    shown, table = _toolbar(part)
    blocks.draw(_readout(part, shown))
    st.plotly_chart(
        _figure(part, shown),
        config=candles.CONFIG,
        key=f"yj_chart_{part.symbol}",
        theme=None,
        alt=t("chart_alt", name=say(part.name)),
    )
    if table:
        blocks.draw(blocks.table(part.tabled[1], claims, tall=True))
    events_table.draw(part, claims)


def _figure(part: ChartPart, shown: DrawnLines) -> go.Figure:
    return candles.draw_candles(part, palette(), shown)


def _toolbar(part: ChartPart) -> tuple[DrawnLines, bool]:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="yjc_tool"):
        choose_one(t("interval"), _INTERVALS, lambda one: t(f"interval_{one}"), "w_interval")
        choose_one(t("range"), tuple(RANGES), lambda one: t(f"range_{one}"), "w_range")
        averages = _averages()
        panes = _panes()
        _overlays(part)
        log = _toggle("log", "chart_log")
        table = _toggle("bars", "chart_table")
        name = escape(t("chart_whole"))
        st.html(
            f'<button type="button" class="yjc-whole" aria-label="{name}" title="{name}"></button>',
            width="content",
        )
    return DrawnLines(averages, panes, log=log), table


def _toggle(name: str, key: str) -> bool:
    wanted = state.bind(name, "0", valid={"0", "1"}.__contains__, widget=False) == "1"
    on = st.toggle(t(key), value=wanted, key=f"w_on_{name}")
    state.keep(name, "1" if on else "0", "0")
    return on


def _averages() -> tuple[int, ...]:
    given = state.bind("ma", "5.20.60", widget=False)
    chosen = [length for length in AVERAGES if str(length) in given.split(".")]
    told = "·".join(map(str, chosen)) or t("chart_no_averages")
    with st.popover(outside.escape_label(f"{t('chart_averages')} {told}")):
        kept = [
            length
            for length in AVERAGES
            if st.checkbox(
                outside.escape_label(f"MA{length}"), value=length in chosen, key=f"w_ma_{length}"
            )
        ]
    state.keep("ma", ".".join(map(str, kept)) or "0", "5.20.60")
    return tuple(kept)


def _panes() -> tuple[str, ...]:
    given = state.bind("ind", "macd", widget=False).split(".")
    chosen = [name for name in INDICATORS if name in given]
    told = say(LIST_COMMA).join(_pane_name(one).split(" ")[0] for one in chosen)
    with st.popover(outside.escape_label(f"{t('chart_indicators')} {told}")):
        kept: list[str] = []
        for name in INDICATORS:
            panes = sum(one != "boll" for one in kept)
            full = name != "boll" and panes >= _MOST_PANES
            on = st.checkbox(
                outside.escape_label(_pane_name(name)),
                value=name in chosen,
                key=f"w_ind_{name}",
                disabled=full,
            )
            if on and not full:
                kept.append(name)
        st.html(f'<p class="yj-mute">{escape(t("chart_most_panes"))}</p>')
    state.keep("ind", ".".join(kept) or "none", "macd")
    return tuple(kept)


def _pane_name(name: str) -> str:
    return _LABELS.get(name) or f"{t('chart_boll')} 20,2"


def _overlays(part: ChartPart) -> None:
    for one in part.overlays:
        st.button(
            outside.escape_label(f"{say(one.name)} ✕"),
            key=f"w_without_{one.symbol}",
            on_click=_without,
            args=(one.symbol,),
        )
    if len(part.overlays) >= MAX_OVERLAYS:
        return
    with st.popover(t("chart_overlay"), icon=":material/add:"):
        text = st.text_input(
            t("chart_overlay"),
            key="w_with",
            placeholder=t("chart_overlay_hint"),
            label_visibility="collapsed",
        )
        for one in resources.desk().find(text.strip(), 6) if text and text.strip() else ():
            st.button(
                outside.escape_label(f"{one.name} {one.symbol}"),
                key=f"w_add_{one.symbol}",
                type="tertiary",
                on_click=_with,
                args=(one.symbol,),
            )


def _with(symbol: str) -> None:
    held = [one for one in state.session().remembered.get("with", "").split(",") if one]
    _keep_overlays([*held, symbol])
    st.session_state["w_with"] = ""


def _without(symbol: str) -> None:
    held = state.session().remembered.get("with", "").split(",")
    _keep_overlays([one for one in held if one and one != symbol])


def _keep_overlays(symbols: Sequence[str]) -> None:
    state.keep("with", ",".join(dict.fromkeys(symbols)))


def _readout(part: ChartPart, shown: DrawnLines) -> str:
    """The last candle in words and figures; chart.js lays the one under the cursor over it."""
    assert part.bars is not None  # noqa: S101 — draw() has said so
    last = part.candles[-1]
    cells = [f"<span>{cite.day(last.last)}</span>"]
    for metric in _PRICES:
        word = cite.short(t(f"hover_{metric}"), metric)
        cells.append(f"<span>{word} {_cell(part.readout[metric])}</span>")
    if "pct_change" in part.readout:
        cells.append(f"<span>{cite.figure(part.readout['pct_change'])}</span>")
    if "volume" in part.readout:
        word = cite.short(t("read_volume"), "volume")
        cells.append(f"<span>{word} {_cell(part.readout['volume'])}</span>")
    look = palette()
    for length in shown.averages:
        name = cite.tag("label", f"MA{length}")
        cells.append(
            f'<span class="yjc-ma" data-line="ma_{length}" '
            f'style="--yjc-line:{look.averages[length]}">{name} '
            f"{_cell(part.readout[f'ma_{length}'])}</span>"
        )
    note = cite.tag("provenance", _tell_averages(part, shown))
    if part.open_sessions is not None:
        word = t(f"unfinished_{part.asked.interval}", count=str(part.open_sessions))
        cells.append(f'<span class="yjc-mute">{cite.tag("provenance", word)}</span>')
    if part.asked.range in _LONG and adjustment_of(part.bars.note) == "additive":
        note = f'<span class="yjc-warn">{escape(t("chart_long"))}</span>'
    return (
        f'<div class="yjc-read" data-group="read">{"".join(cells)}'
        f'<span class="yjc-mute">{note}</span>'
        f'<span class="yjc-end yjc-mute">{escape(t("chart_hollow"))}</span></div>'
    )


def _tell_averages(part: ChartPart, shown: DrawnLines) -> str:
    """Of which candles the averages are, and how many sessions the longest shown lacks."""
    assert part.bars is not None  # noqa: S101 — draw() has said so
    year = str(part.bars.bars[0].date.year)
    told = t(f"averages_{part.asked.interval}", year=year)
    longest = max((one for one in shown.averages if part.lost.get(one)), default=None)
    if longest is None:
        return told
    return f"{told} · {t('chart_lost', length=str(longest), count=str(part.lost[longest]))}"


def _cell(found: Figure) -> str:
    return f"<b>{cite.figure(found, 'cell')}</b>"
