"""财务: small multiples, the table of periods, DuPont, what two places say differently, and what
is expected.
"""

from collections.abc import Mapping
from html import escape

import streamlit as st

from pages.company import forecasts_section
from pages.company.small_multiples import draw_small
from pages.ui import blocks, cite, state
from pages.ui.choosing import choose_one
from pages.ui.i18n import say, t
from services.core.claims import Claim, Figure, Missing
from services.core.periods import period_words
from services.views.company.statements import (
    GROWTH,
    Apart,
    Dupont,
    StatementsPart,
    Term,
)
from services.views.table import TableColumn, TableRow, metric_words

_COUNTS = ("3", "5", "8")
# How much of a bar's track is on either side of its middle, in percent.
_HALF = 50.0


def draw(part: StatementsPart, claims: Mapping[str, Claim]) -> None:
    """The whole section."""
    _toolbar(part)
    draw_small(part.small)
    left, right = st.columns([846, 518], gap="medium")
    with left:
        blocks.draw(_matrix(part))
    with right:
        blocks.draw(
            _dupont(part.dupont) if part.dupont else "",
            _apart(part.apart, claims),
        )
    forecasts_section.draw(part.forecasts, claims)


def _toolbar(part: StatementsPart) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="yjc_tool"):
        if part.quarters:
            choose_one(
                t("fin_kind"), ("annual", "quarterly"), lambda one: t(f"fin_{one}"), "w_kind"
            )
        if not part.implied:
            choose_one(
                t("periods"), _COUNTS, lambda count: t("last_periods", count=count), "w_count"
            )
        key = "fin_implied" if part.implied else "" if part.quarters else "fin_no_quarters"
        if key:
            style = "yjc-warn" if part.implied else "yjc-mute"
            st.html(f'<p class="yj {style} yjc-told">{escape(t(key))}</p>')


def _matrix(part: StatementsPart) -> str:
    shown = part.matrix
    periods = [column for column in shown.columns if column.kind == "figure"]
    head = "".join(
        f'<th scope="col" class="yj-num" data-nocite="period">{escape(say(column.label))}</th>'
        for column in periods
    )
    body: list[str] = []
    group = None
    for row in shown.rows:
        if row.group is not None and row.group != group:
            group = row.group
            body.append(
                f'<tr class="yj-group"><th scope="colgroup" colspan="{len(periods) + 1}">'
                f"{escape(say(group))}</th></tr>"
            )
        body.append(_row(part, row, periods))
    name = escape(say(shown.title))
    return (
        f'<div class="yj-scroll yjc-flat" role="region" tabindex="0" aria-label="{name}">'
        f'<table class="yj-table" id="t-matrix"><caption data-nocite="label">{name}</caption>'
        f'<thead><tr><th scope="col">{escape(t("fin_period"))}</th>{head}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def _row(part: StatementsPart, row: TableRow, periods: list[TableColumn]) -> str:
    name = row.cells["metric"]
    label = blocks.words(name) if not isinstance(name, Claim) else ""  # type: ignore[arg-type]
    found = [row.cells.get(column.key) for column in periods]
    metric = next((one.metric for one in found if isinstance(one, Claim | Missing)), "")
    style = ' class="yjc-in"' if metric in GROWTH else ""
    apart = {one.one.claim_id for one in part.apart}
    cells: list[str] = []
    for column in periods:
        found = row.cells.get(column.key)
        figure = cite.figure(found, "cell") if not isinstance(found, str | tuple) else ""  # type: ignore[arg-type]
        sign = ""
        if isinstance(found, Claim) and found.claim_id in apart:
            sign = f'<i class="yjc-ne" title="{escape(t("fin_apart"))}">≠</i>'
        cells.append(f'<td class="yj-num">{figure}{sign}</td>')
    return (
        f'<tr><th scope="row"{style} data-nocite="label">{escape(label)}</th>{"".join(cells)}</tr>'
    )


def _dupont(found: Dupont) -> str:
    period = cite.tag("period", say(found.period))
    terms = "".join(f'<b class="yjc-op">×</b>{_term(one)}' for one in found.terms)
    terms = terms.replace("×", "=", 1)
    lead = (
        f'<div class="yjc-term yjc-roe"><dl><dt data-nocite="label">'
        f"{escape(blocks.words(metric_words('roe')))}</dt><dd>{cite.figure(found.roe, 'cell')}</dd>"
        f"</dl>{_before(found.before)}</div>"
    )
    split = ""
    if isinstance(found.step, Claim):
        most = max((abs(one.share.value) for one in found.terms
                    if isinstance(one.share, Claim)), default=1.0)  # fmt: skip
        lines = "".join(_bar(one, most) for one in found.terms)
        split = (
            f'<p class="yjc-split">{escape(t("fin_step"))} {cite.figure(found.step)}'
            f"{escape(t('fin_step_of'))}</p>"
            f'<table class="yj-table yjc-bars"><tbody>{lines}</tbody></table>'
        )
    return (
        f'<section data-group="dupont"><div class="yjc-h"><h2>{escape(t("fin_dupont"))}</h2>'
        f'<small>{period}</small></div><div class="yjc-terms">{lead}{terms}</div>{split}</section>'
    )


def _term(one: Term) -> str:
    name = escape(blocks.words(metric_words(one.metric)))
    return (
        f'<div class="yjc-term"><dl><dt data-nocite="label">{name}</dt>'
        f"<dd>{cite.figure(one.now)}</dd></dl>{_before(one.before)}</div>"
    )


def _before(found: Figure) -> str:
    """The figure of the year before, under the name of its period."""
    if not isinstance(found, Claim):
        return ""
    period = cite.tag("period", period_words(found.period, state.language()))
    return f"<small>{period} {cite.figure(found)}</small>"


def _bar(one: Term, most: float) -> str:
    """The part a factor has in the change, from a line in the middle; the largest fills a half."""
    if not isinstance(one.share, Claim):
        return ""
    name = _part_name(one)
    reach = abs(one.share.value) / (most or 1.0) * _HALF
    start = _HALF if one.share.value > 0 else _HALF - reach
    way = "up" if one.share.value > 0 else "down"
    return (
        f'<tr><th scope="row" data-nocite="label">{name}</th>'
        f'<td class="yj-num">{cite.figure(one.share)}</td>'
        f'<td class="yjc-track" aria-hidden="true"><i class="yjc-{way}" '
        f'style="left:{start:.1f}%;width:{reach:.1f}%"></i></td></tr>'
    )


def _part_name(one: Term) -> str:
    """The factor; that it is its part in the change the line above says, and a screen reader."""
    whole, short = (blocks.words(metric_words(of)) for of in (one.share.metric, one.metric))
    before, found, after = whole.lower().partition(short.lower())
    if not found:
        return escape(whole)
    shown = whole[len(before) : len(before) + len(short)]
    hidden = f'<span class="yj-unseen">{escape(whole[: len(before)])}</span>'
    return f"{hidden}{escape(shown[:1].upper() + shown[1:] + whole[len(whole) - len(after) :])}"


def _apart(shown: tuple[Apart, ...], claims: Mapping[str, Claim]) -> str:
    """Figures that two places give differently, each with how it is worked out."""
    del claims
    if not shown:
        return ""
    count = cite.tag("provenance", t("fin_apart_count", count=str(len(shown))))
    items = "".join(
        f'<h3 class="yjc-apart">{cite.tag("label", blocks.words(metric_words(one.metric)))} '
        f"{cite.tag('period', say(one.period))}</h3>"
        f'<dl class="yjc-two"><dt>{cite.figure(one.one)}</dt><dd>{escape(t("fin_roe_report"))}'
        f" {cite.day(one.one.as_of)}</dd>"
        f"<dt>{cite.figure(one.other)}</dt><dd>{escape(t('fin_roe_multiples'))} "
        f"{cite.day(one.other.as_of)}</dd></dl>"
        for one in shown
    )
    return (
        f'<section data-group="apart"><div class="yjc-h"><h2>{escape(t("fin_apart"))}</h2>'
        f'<small>{count}</small></div>{items}<p class="yjc-note">{escape(t("fin_apart_note"))}</p>'
        "</section>"
    )
