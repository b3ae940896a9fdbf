"""同行: the table with best and last, the place of the company, its medians, and the scatter."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, cast

import plotly.graph_objects as go
import streamlit as st

from pages.company.label_places import place_labels, width_of
from pages.company.palette import Palette, palette
from pages.compare import links
from pages.ui import blocks, chart, cite, outside, state
from pages.ui.choosing import choose_one
from pages.ui.i18n import LIST_COMMA, say, t
from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure
from services.core.industries import industry_label
from services.market.peers import FIGURES
from services.views.company.head import CompanyHead
from services.views.company.peers import (
    AMONG,
    COLUMNS,
    Among,
    PeerLine,
    PeersAsked,
    PeersPart,
)

_HEIGHT = 470
# What is inside the axes of a phone, in pixels: what does not touch there does not where there is
# more room.
_PLOT = (300.0, 422.0)
CONFIG = {"displayModeBar": False, "displaylogo": False, "responsive": True}
_NAMED, _LEFT, _RIGHT = 14, 12, 60
# Letters of a name beside a point.
_LONGEST = 20
# A table of few columns is no wider than they need, so that a row is still read across.
_NAME, _EACH = 320, 190
# Fewer points are no cloud; so many companies stand side by side.
_LEAST_POINTS, _TOGETHER = 3, 5


def asked() -> PeersAsked:
    """The columns and the companies the address asks for."""
    given = state.bind("figures", ".".join(COLUMNS), widget=False).split(".")
    among = state.bind("among", "all", valid=AMONG.__contains__)
    chosen = tuple(one for one in state.bind("peers", "", widget=False).split(",") if one)
    columns = tuple(one for one in FIGURES if one in given) or COLUMNS
    return PeersAsked(columns, cast("Among", among), chosen)


def draw(part: PeersPart, head: CompanyHead) -> None:
    """The toolbar, then the table beside the scatter."""
    _toolbar(part)
    if len(part.lines) == 1:
        blocks.draw(f'<p class="yj-mute">{escape(t("peers_none_chosen"))}</p>')
    points = [line for line in part.lines if all(isinstance(line.figures.get(one), Claim)
                                                 for one in ("roe", "pb"))]  # fmt: skip
    if len(points) < _LEAST_POINTS:
        blocks.draw(_table(part, head), _tell_lacking(part))
        return
    left, right = st.columns([862, 500], gap="medium")
    with left:
        blocks.draw(_table(part, head), _tell_lacking(part))
    with right:
        _scatter(part, points)


def _toolbar(part: PeersPart) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="yjc_tool"):
        choose_one(t("peers_among"), AMONG, lambda one: t(f"among_{one}"), "w_among")
        if part.asked.among == "own":
            _choose(part)
        _columns(part)


def _choose(part: PeersPart) -> None:
    with st.popover(t("peers_choose"), icon=":material/group_add:"):
        kept = st.multiselect(
            t("peers_choose"),
            list(part.every),
            default=[one for one in part.asked.chosen if one in part.every],
            format_func=lambda one: f"{say(part.every[one])} {one}",
            key="w_peers",
            label_visibility="collapsed",
        )
    state.keep("peers", ",".join(kept), "")


def _columns(part: PeersPart) -> None:
    """A chip for each column, which takes it away while others stay; then all there are."""
    with st.container(horizontal=True, gap="small", width="content", key="yjc_chips"):
        for metric in part.columns if len(part.columns) > 1 else ():
            name = blocks.words(metric_words(metric))
            st.button(
                outside.escape_label(f"{name} ✕"),
                key=f"w_drop_{metric}",
                help=outside.escape_label(t("peers_drop", name=name)),
                on_click=_drop,
                args=(part.columns, metric),
            )
    with st.popover(t("peers_columns"), icon=":material/add:"):
        kept = [
            metric
            for metric in FIGURES
            if st.checkbox(
                outside.escape_label(blocks.words(metric_words(metric))),
                value=metric in part.columns,
                key=f"w_col_{metric}",
            )
        ]
        state.keep("figures", ".".join(kept), ".".join(COLUMNS))


def _drop(columns: Sequence[str], metric: str) -> None:
    """Its box in the list of columns is drawn anew from what is kept."""
    state.keep("figures", ".".join(one for one in columns if one != metric), ".".join(COLUMNS))
    st.session_state.pop(f"w_col_{metric}", None)


def _shown(part: PeersPart) -> tuple[str, ...]:
    """The chosen columns that hold a figure: one of dashes alone tells nothing."""
    held = {key for line in part.lines for key, one in line.figures.items()
            if isinstance(one, Claim)}  # fmt: skip
    return tuple(key for key in part.columns if key in held) or part.columns


def _table(part: PeersPart, head: CompanyHead) -> str:
    shown = _shown(part)
    heads = {
        key: blocks.shared_head([line.figures.get(key) for line in part.lines]) for key in shown
    }
    rows = "".join(_row(line, part, heads) for line in part.lines)
    name = escape(t("peers_title"))
    medians = [_median(part, key, head) for key, head in heads.items()]
    counts = [_count(part, key) for key in shown]
    last = (
        _foot(escape(t(f"peers_median_{part.asked.among}")), medians, heads, "yjc-median"),
        _foot(
            cite.tag("label", t("peers_rank", name=say(head.name))),
            [_rank(part, key) for key in shown], heads, "yjc-rank",
        ),
        _foot(escape(t("peers_have")), counts, heads, "yjc-rank"),
    )  # fmt: skip
    industry = say(industry_label(part.industry or ""))
    like = f" · {escape(t('peers_like'))}" if part.asked.among == "size" else ""
    together = links.together([line.symbol for line in part.lines[:_TOGETHER]])
    return (
        f'<section data-group="peers"><div class="yjc-h"><h2>{name}</h2><small>'
        f"{cite.tag('label', industry)}{_total(part)}{like}</small>"
        f'<span class="yjc-end yjc-note">{escape(t("peers_signs"))} {together}</span></div>'
        f'<div class="yj-scroll yjc-flat" role="region" tabindex="0" aria-label="{name}">'
        f'<table class="yj-table" id="t-peers" style="max-width:{_NAME + _EACH * len(shown)}px">'
        f'<caption data-nocite="label">{name}</caption>'
        f'<thead><tr><th scope="col">{escape(t("peers_company"))}</th>'
        f"{''.join(_head(part, key, one) for key, one in heads.items())}</tr></thead>"
        f"<tbody>{rows}{''.join(last)}</tbody></table></div>{_days(part)}</section>"
    )


def _days(part: PeersPart) -> str:
    days = {one.as_of for line in part.lines for one in line.figures.values()
            if isinstance(one, Claim)}  # fmt: skip
    told = "、".join(cite.day(day) for day in sorted(days)) if state.language() == "zh" else (
        ", ".join(cite.day(day) for day in sorted(days))
    )  # fmt: skip
    whom = t("peers_all" if part.asked.among == "all" else "peers_some")
    return f'<p class="yjc-note">{escape(whom)}{escape(t("peers_days"))} {told}</p>'


def _head(part: PeersPart, key: str, head: blocks.SharedHead) -> str:
    name = next(escape(say(one.label)) for one in part.table.columns if one.key == key)
    return (
        f'<th scope="col" class="yj-num" data-nocite="label">{name}{head.derived}{head.unit}</th>'
    )


def _row(line: PeerLine, part: PeersPart, heads: Mapping[str, blocks.SharedHead]) -> str:
    name = cite.tag("label", blocks.name_beside(line.name, line.symbol))
    linked = blocks.stock_link(line.symbol, name, "company")
    cells: list[str] = []
    for metric, head in heads.items():
        place = line.places.get(metric)
        sign = ""
        if place is not None:
            sign = f'<i class="yjc-{place}">{escape(t(f"peers_{place}"))}</i>'
        figure = line.figures.get(metric)
        told = head.draw(figure) if figure is not None else cite.figure(None)
        cells.append(f'<td class="yj-num{head.quiet}">{sign}{told}</td>')
    me = ' class="yj-me"' if line.symbol == part.symbol else ""
    return (
        f'<tr{me}><th scope="row">{linked}<small>{cite.tag("code", line.symbol)}</small></th>'
        f"{''.join(cells)}</tr>"
    )


def _foot(
    name: str, cells: Sequence[str], heads: Mapping[str, blocks.SharedHead], style: str
) -> str:
    inner = "".join(
        f'<td class="yj-num{head.quiet}">{cell}</td>'
        for cell, head in zip(cells, heads.values(), strict=True)
    )
    return f'<tr class="{style}"><th scope="row">{name}</th>{inner}</tr>'


def _total(part: PeersPart) -> str:
    """How many companies the industry has, and how many of them the table shows."""
    total = f" · {cite.figure(part.total)}" if part.total is not None else ""
    if len(part.lines) - 1 >= part.compared:
        return total
    shown = cite.tag("provenance", t("peers_shown", count=str(len(part.lines) - 1)))
    return f"{total} · {shown}"


def _count(part: PeersPart, key: str) -> str:
    """How many of those compared have the figure."""
    found = part.standings.get(key)
    if found is None or not isinstance(found.count, Claim):
        return ""
    return cite.figure(found.count, "cell")


def _median(part: PeersPart, key: str, head: blocks.SharedHead) -> str:
    found = part.standings.get(key)
    return head.draw(found.median) if found is not None else ""


def _rank(part: PeersPart, key: str) -> str:
    """Its rank; that it is counted from the highest is told below the table."""
    found = part.standings.get(key)
    if found is None or not isinstance(found.rank, Claim):
        return ""
    return cite.figure(found.rank, "cell")


def _tell_lacking(part: PeersPart) -> str:
    """Who of the industry has no figure at all, by name."""
    if not part.lacking:
        return ""
    named = say(LIST_COMMA).join(say(one) for one in part.lacking[:_NAMED])
    more = "…" if len(part.lacking) > _NAMED else ""
    count = cite.tag("provenance", t("peers_lacking", count=str(len(part.lacking))))
    return (
        f'<p class="yjc-note"><b class="yjc-warn">{count}</b>{cite.tag("label", named + more)}</p>'
    )


def _scatter(part: PeersPart, points: Sequence[PeerLine]) -> None:
    blocks.draw(
        f'<div class="yjc-h"><h2>{escape(t("peers_scatter"))}</h2>'
        f"<small>{escape(t('peers_scatter_how'))}</small></div>"
    )
    st.plotly_chart(
        _figure(part, points, palette()), config=CONFIG, key="yj_scatter", theme=None,
        alt=t("peers_scatter"),
    )  # fmt: skip


def _figure(part: PeersPart, points: Sequence[PeerLine], look: Palette) -> go.Figure:
    """Each company a circle as large as its market value, its name where there is room for it."""
    words = {key: blocks.words(metric_words(key)) for key in ("roe", "pb")}
    xs, ys = ([_value(line.figures[key]) for line in points] for key in ("roe", "pb"))
    wide, high = _ends(xs), _ends(ys)
    sides = place_labels(
        [
            (_across(x, wide) * _PLOT[0], _across(y, high) * _PLOT[1])
            for x, y in zip(xs, ys, strict=True)
        ],
        [width_of(_called(line)) for line in points],
        room=(-_LEFT, _PLOT[0] + _RIGHT),
    )
    circles: list[Any] = []
    for mine in (False, True):
        group = [
            (line, side)
            for line, side in zip(points, sides, strict=True)
            if (line.symbol == part.symbol) is mine
        ]
        if group:
            circles.append(_circles(part, group, look, words))
    lines = [
        {"type": "line", "xref": xref, "yref": yref, "line": {"dash": "dash", "width": 1,
         "color": look.line_2}, **place}
        for xref, yref, place in _middles(part)
    ]  # fmt: skip
    axis = {"gridcolor": look.grid, "zeroline": False, "fixedrange": True,
            "tickfont": {"color": look.mute}}  # fmt: skip
    layout = {
        "height": _HEIGHT, "margin": {"l": 44, "r": _RIGHT, "t": 8, "b": 40}, "showlegend": False,
        "dragmode": False, "hovermode": "closest", "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)", "font": {"size": 11, "color": look.mute}, "shapes": lines,
        "hoverlabel": {"bgcolor": look.paper, "font": {"color": look.ink}},
        "xaxis": {**axis, "range": wide, "title": {"text": f"{words['roe']} %"}},
        "yaxis": {**axis, "range": high, "title": {"text": words["pb"]}},
    }  # fmt: skip
    return go.Figure(circles, layout)


def _circles(
    part: PeersPart, group: Sequence[tuple[PeerLine, str]], look: Palette, words: Mapping[str, str]
) -> go.Scatter:
    """The company's own circle, or those of the others."""
    lines = [line for line, _ in group]
    most = max(_value(line.figures.get("market_cap")) for line in part.lines) or 1.0
    mine = lines[0].symbol == part.symbol
    first = lines[0].figures["pb"]
    assert isinstance(first, Claim)  # noqa: S101 — a point has both figures
    return go.Scatter(
        x=[_value(line.figures["roe"]) for line in lines],
        y=[_value(line.figures["pb"]) for line in lines],
        mode="markers+text", text=[outside.escape_chart(_called(line)) for line in lines],
        textposition=[side for _, side in group],
        textfont={"size": 11, "color": look.accent if mine else look.soft},
        marker={
            "size": [8 + 26 * (_value(line.figures.get("market_cap")) / most) ** 0.5
                     for line in lines],
            "color": look.accent if mine else look.before, "opacity": 0.8, "line": {"width": 0},
        },
        cliponaxis=False, meta=chart.claim_meta(first, words["pb"]),
        hovertemplate=f"%{{text}}<br>{words['roe']} %{{x:.2f}}%　{words['pb']} %{{y:.2f}}"
        f"<br>{t('hover_source')} {first.as_of}<extra></extra>",
    )  # fmt: skip


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis, with room for the labels beyond the outermost points."""
    low, high = min(values), max(values)
    room = ((high - low) or abs(high) or 1.0) * 0.08
    return low - room, high + room


def _across(value: float, ends: tuple[float, float]) -> float:
    return (value - ends[0]) / (ends[1] - ends[0])


def _called(line: PeerLine) -> str:
    """The name beside a point: a longer one than there is room for is cut."""
    name = blocks.name_beside(line.name, line.symbol)
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _middles(part: PeersPart) -> list[tuple[str, str, dict[str, float]]]:
    found: list[tuple[str, str, dict[str, float]]] = []
    roe, pb = (part.standings[key].median for key in ("roe", "pb"))
    if isinstance(roe, Claim):
        found.append(("x", "paper", {"x0": roe.value, "x1": roe.value, "y0": 0, "y1": 1}))
    if isinstance(pb, Claim):
        found.append(("paper", "y", {"y0": pb.value, "y1": pb.value, "x0": 0, "x1": 1}))
    return found


def _value(figure: Figure | None) -> float:
    return figure.value if isinstance(figure, Claim) else 0.0
