"""估值: each multiple over time with its bands, and all of them beside their past and the peers."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import cast

import plotly.graph_objects as go
import streamlit as st

from pages.company import channel_chart
from pages.company.palette import Palette, palette
from pages.ui import blocks, chart, cite, outside, resources, state
from pages.ui.choosing import choose_one
from pages.ui.i18n import COMMA, say, t
from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure
from services.core.day_words import tell_days
from services.core.rendering import show
from services.core.source_marks import priced_on
from services.views.company.head import CompanyHead
from services.views.company.valuation import (
    DRAWN,
    SPANS,
    Drawn,
    Span,
    ValuationPart,
    no_history,
)
from services.views.company.valuation_past import Band

# What is drawn, and whether the past is the source's own.
_HOW: Mapping[tuple[Drawn, bool], str] = {
    ("multiple", False): "past_how",
    ("multiple", True): "past_how_given",
    ("price", False): "channel_how",
    ("price", True): "channel_how_given",
}


def asked() -> Span:
    """How much of the past the address asks for; a source gives three years at the most."""
    longest = "3y" if resources.services().settings.mode == "live" else "all"
    return cast("Span", state.bind("past", longest, valid=SPANS.__contains__))


def asked_drawn() -> Drawn:
    """Whether the address asks for the multiples or for the price among lines of them."""
    return cast("Drawn", state.bind("drawn", "multiple", valid=DRAWN.__contains__))


def is_empty(part: ValuationPart) -> bool:
    """Whether there is no multiple at all, of today or of before."""
    return not part.bands and not any(isinstance(one, Claim) for one in part.today.values())


def draw(part: ValuationPart, head: CompanyHead) -> None:
    """The charts, then the table."""
    if part.bands or part.span != "all":
        with st.container(horizontal=True, vertical_alignment="center"):
            spans = [one for one in SPANS if one != "all" or not part.given]
            choose_one(t("past_drawn"), DRAWN, lambda one: t(f"drawn_{one}"), "w_drawn")
            choose_one(t("past_span"), spans, lambda one: t(f"past_{one}"), "w_past")
            how = t(_HOW[part.drawn, part.given])
            blocks.draw(f'<p class="yjc-note" data-nocite="rule">{escape(how)}</p>')
    if part.channels:
        channel_chart.draw(part.channels)
    elif part.bands:
        for column, band in zip(st.columns(2, gap="medium"), part.bands, strict=False):
            with column:
                blocks.draw(_title(band))
                st.plotly_chart(
                    _figure(band, palette(), part.bands.index(band)),
                    config=channel_chart.CONFIG,
                    key=f"yj_band_{band.metric}",
                    theme=None,
                    alt=blocks.words(band.name),
                )
    elif part.why is not None:
        why = cite.tag("provenance", say(part.why))
        blocks.draw(f'<p class="yjc-told yjc-warn">{escape(t("past_none"))} {why}</p>')
    blocks.draw(_table(part, head))


def percentile(found: Figure | None) -> str:
    """Its place among its own past in whole percent, since the days that reports came out are
    assumed; to a decimal where whole percent would say all of it or none.
    """
    if not isinstance(found, Claim):
        return cite.figure(found, "cell")
    says_all = 0 < found.value < 100 and round(found.value) in {0, 100}
    return cite.figure(found, "1" if says_all else "0")


def _title(band: Band) -> str:
    name = cite.tag("label", blocks.words(band.name))
    first, last = band.dots[0].day, band.dots[-1].day
    count = cite.tag("provenance", t("past_sessions", count=f"{len(band.dots):,}"))
    place = band.told.get("percentile")
    high = ""
    if isinstance(place, Claim):
        shown = f"<b class='yjc-warn'>{percentile(place)}</b>"
        high = escape(t("past_higher", share="\0")).replace("\0", shown)
    return (
        f'<div class="yjc-h" data-group="band"><h2>{name}</h2>'
        f"<small>{cite.day(first)} – {cite.day(last)}{say(COMMA)}{count}</small>"
        f'<span class="yjc-end"><span class="yjc-now">{escape(t("past_now"))} '
        f"<b>{cite.figure(band.now, 'cell')}</b></span>{high}</span></div>"
    )


def _figure(band: Band, look: Palette, place: int) -> go.Figure:
    days = [dot.day.isoformat() for dot in band.dots]
    values = [dot.value for dot in band.dots]
    colour = look.series[0] if place == 0 else look.series[5]
    now = band.now
    assert isinstance(now, Claim)  # noqa: S101 — a band has a newest figure
    name = outside.escape_chart(blocks.words(band.name))
    meta = chart.claim_meta(now, blocks.words(band.name))
    line = go.Scatter(
        x=days, y=values, mode="lines", name=name, meta=meta,
        line={"color": colour, "width": 1.6},
        hovertemplate=f"%{{x}}<br>{name} %{{y:.2f}}<br>{t('hover_source')} "
        f"{t('derived')}<extra></extra>",
    )  # fmt: skip
    given = _draw_given(band, days, look)
    layout = {
        **channel_chart.lay_out(days, values, look), "shapes": _bands(band, colour, look),
        "annotations": [*_notes(band, colour, look), *_given_note(band, days, look)],
    }  # fmt: skip
    return go.Figure([line, given] if given is not None else [line], layout)


def _draw_given(band: Band, days: list[str], look: Palette) -> go.Scatter | None:
    """The source's own multiple on the close it was taken at."""
    at = _on(band, days) if band.given is not None else None
    if band.given is None or at is None:
        return None
    return go.Scatter(
        x=[days[at]], y=[band.given.value], mode="markers", name=t("past_source"),
        marker={"symbol": "diamond-open", "size": 9, "color": look.warn},
        meta=chart.claim_meta(band.given, blocks.words(metric_words("pe_lyr"))),
        hovertemplate=f"{t('past_source')} %{{y:.2f}}<br>{t('hover_source')} "
        f"{priced_on(band.given)}<extra></extra>",
    )  # fmt: skip


def _given_note(band: Band, days: list[str], look: Palette) -> list[dict[str, object]]:
    """The source's own multiple in words beside its diamond, and what was worked out there."""
    at = _on(band, days) if band.given is not None else None
    if band.given is None or at is None:
        return []
    day = tell_days(days[at], state.language())
    given, made = _write(band.given), f"{band.dots[at].value:.2f}"
    text = t("past_source_note", day=day, given=given, made=made)
    return [
        {
            "x": at, "y": band.given.value, "text": text, "xanchor": "right", "ax": -30, "ay": -36,
            "showarrow": True, "arrowhead": 0, "arrowwidth": 1, "arrowcolor": look.warn,
            "standoff": 5, "font": {"size": 11, "color": look.warn}, "bgcolor": look.paper,
            "borderpad": 2,
        }
    ]  # fmt: skip


def _on(band: Band, days: list[str]) -> int | None:
    """The session whose close the source's own multiple stands on; None where it has no bar."""
    assert band.given is not None  # noqa: S101 — the caller has looked
    day = priced_on(band.given).isoformat()
    return days.index(day) if day in days else None


def _bands(band: Band, colour: str, look: Palette) -> list[dict[str, object]]:
    """The middle half and the middle eight tenths as grounds, the median as a line."""
    shapes: list[dict[str, object]] = []
    for low, high, opacity in (("p10", "p90", 0.07), ("p25", "p75", 0.12)):
        one, other = band.told.get(low), band.told.get(high)
        if isinstance(one, Claim) and isinstance(other, Claim):
            shapes.append(
                {
                    "type": "rect", "xref": "paper", "x0": 0, "x1": 1, "yref": "y",
                    "y0": one.value, "y1": other.value, "fillcolor": colour,
                    "opacity": opacity, "line": {"width": 0}, "layer": "below",
                }
            )  # fmt: skip
    middle = band.told.get("median")
    if isinstance(middle, Claim):
        shapes.append(
            {
                "type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y",
                "y0": middle.value, "y1": middle.value,
                "line": {"width": 1, "dash": "dash", "color": look.mute},
            }
        )  # fmt: skip
    return shapes


def _notes(band: Band, colour: str, look: Palette) -> list[dict[str, object]]:
    """The bounds and the median by value at the right, and today's on its ground."""
    names = {"p10": "10%", "median": t("past_median"), "p90": "90%"}
    told: list[dict[str, object]] = []
    for word, name in names.items():
        found = band.told.get(word)
        if isinstance(found, Claim):
            told.append(
                {
                    "xref": "paper", "x": 1.01, "yref": "y", "y": found.value, "text":
                    f"{name} {_write(found)}", "xanchor": "left", "showarrow": False,
                    "font": {"size": 10.5, "color": look.mute},
                }
            )  # fmt: skip
    now = band.now
    if isinstance(now, Claim):
        told.append(
            {
                "xref": "paper", "x": 1.01, "yref": "y", "y": now.value,
                "text": f"<b>{_write(now)}</b>", "xanchor": "left", "showarrow": False,
                "bgcolor": colour, "borderpad": 3, "font": {"size": 11, "color": look.on},
            }
        )  # fmt: skip
    return told


def _write(multiple: Claim) -> str:
    """As the table below writes it."""
    return show(multiple, state.language(), "cell").number


def _table(part: ValuationPart, head: CompanyHead) -> str:
    peers = escape(t("past_peers" if part.standings else "past_no_peers"))
    count = f" {cite.figure(part.peers)}" if part.peers is not None else ""
    nows = [*(band.now for band in part.bands), *part.today.values()]
    heads = (
        (t("past_multiple"), ""),
        (t("past_now"), _days(nows)),
        (t("past_place"), ""),
        (t("past_percentile"), ""),
        (t("past_median"), ""),
        (t("past_range"), ""),
        (t("past_peer_median"), _days(one.median for one in part.standings.values())),
        (t("past_have"), ""),
        (t("past_way"), ""),
    )
    top = "".join(
        f'<th scope="col"{" class=yj-num" if at in {1, 3, 4, 5, 6, 7} else ""}>'
        f'<span data-nocite="label">{escape(one)}</span>{days}</th>'
        for at, (one, days) in enumerate(heads)
    )
    rows = [_band_row(band, part) for band in part.bands]
    rows += [_row(metric, one, part, head) for metric, one in part.without_past.items()]
    name = t("past_title")
    table = blocks.framed(name, f"<tr>{top}</tr>", "".join(rows), key="valuation", style="yjc-flat")
    return (
        f'<section data-group="valuation"><div class="yjc-h"><h2>{escape(name)}</h2>'
        f"<small>{escape(t('past_lead'))}</small>"
        f'<span class="yjc-end yjc-note">{peers}{count}</span></div>'
        f"{table}</section>"
    )


def _days(found: Iterable[Figure | None]) -> str:
    """The days those figures are of: a multiple at today's price and its peers' need not agree."""
    days = sorted({one.as_of for one in found if isinstance(one, Claim)})
    return "".join(f"<small>{cite.day(day)}</small>" for day in days)


def _band_row(band: Band, part: ValuationPart) -> str:
    told = band.told
    low, high = (cite.figure(told.get(word), "cell") for word in ("p10", "p90"))
    cells = (
        f'<td class="yj-num">{cite.figure(band.now, "cell")}</td>',
        f'<td class="yjc-place">{_place(band)}</td>',
        f'<td class="yj-num">{percentile(told.get("percentile"))}</td>',
        f'<td class="yj-num">{cite.figure(told.get("median"), "cell")}</td>',
        f'<td class="yj-num yjc-span">{low} – {high}</td>',
        _beside(part, band.metric),
        f'<td class="yjc-mute">{escape(t(f"way_{band.metric}"))}</td>',
    )
    name = escape(blocks.words(band.name))
    return f'<tr><th scope="row" data-nocite="label">{name}</th>{"".join(cells)}</tr>'


def _beside(part: ValuationPart, metric: str) -> str:
    """The median of its peers, and how many of them have the multiple."""
    found = part.standings.get(metric)
    told = (found.median, found.count) if found is not None else ()
    cells = [cite.figure(one, "cell") for one in told] or ["", ""]
    return "".join(f'<td class="yj-num">{one}</td>' for one in cells)


def _place(band: Band) -> str:
    """Where today's stands between the lowest and the highest of its past, as a bar."""
    values = [dot.value for dot in band.dots]
    low, high = min(values), max(values)
    span = (high - low) or 1.0

    def at(figure: Figure | None) -> float:
        return (figure.value - low) / span * 100 if isinstance(figure, Claim) else 0.0

    left, right = at(band.told.get("p10")), at(band.told.get("p90"))
    return (
        f'<i aria-hidden="true"><i style="left:{left:.1f}%;width:{right - left:.1f}%"></i>'
        f'<b style="left:{min(99.0, at(band.now)):.1f}%"></b></i>'
    )


def _row(metric: str, figure: Figure, part: ValuationPart, head: CompanyHead) -> str:
    restated = metric in head.at_price
    way = t("way_restated" if restated else "way_given") if isinstance(figure, Claim) else ""
    none = cite.tag("provenance", say(no_history() if isinstance(figure, Claim) else figure.reason))
    cells = (
        f'<td class="yj-num">{cite.figure(figure, "cell")}</td>',
        f'<td class="yjc-mute" colspan="4">{none}</td>',
        _beside(part, metric),
        f'<td class="yjc-mute">{escape(way)}</td>',
    )
    name = escape(blocks.words(metric_words(metric)))
    return f'<tr><th scope="row" data-nocite="label">{name}</th>{"".join(cells)}</tr>'
