"""财务: small multiples, the table of periods, DuPont, what two places say differently, and what
is expected.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import cast

import streamlit as st

from pages.company import forecasts_section
from pages.company.small_multiples import draw_small
from pages.company.statements_table import draw_matrix
from pages.ui import blocks, cite, outside, state
from pages.ui.choosing import choose_one
from pages.ui.finding import find_one
from pages.ui.i18n import say, t
from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure
from services.core.periods import period_words
from services.views.company.statement_rows import METRICS, Kind
from services.views.company.statements import (
    Apart,
    Dupont,
    StatementsAsked,
    StatementsPart,
    Term,
)

_COUNTS = ("3", "5", "8")
# How much of a bar's track is on either side of its middle, in percent.
_HALF = 50.0


def draw(part: StatementsPart, claims: Mapping[str, Claim]) -> None:
    """The whole section."""
    _toolbar(part)
    draw_small(part.small)
    dupont, apart = _dupont(part.dupont) if part.dupont else "", _apart(part.apart)
    if part.beside is not None and part.beside.columns:
        # Two companies take the whole width.
        blocks.draw(draw_matrix(part))
        for column, block in zip(st.columns(2, gap="medium"), (dupont, apart), strict=True):
            with column:
                blocks.draw(block)
    else:
        left, right = st.columns([846, 518], gap="medium")
        with left:
            blocks.draw(draw_matrix(part))
        with right:
            blocks.draw(dupont, apart)
    forecasts_section.draw(part.forecasts, claims)


def asked() -> StatementsAsked:
    """What the address asks for: which reports, whose beside them, and which figures."""
    kind = state.bind("kind", "annual", valid={"annual", "quarterly"}.__contains__)
    count = state.bind("count", "5", valid=set(_COUNTS).__contains__)
    beside = state.bind("beside", widget=False)
    rows = tuple(one for one in METRICS if one in state.bind("rows", widget=False).split("."))
    return StatementsAsked(cast("Kind", kind), int(count), beside, rows)


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
        if part.beside is not None:
            st.button(
                outside.escape_label(f"{say(part.beside.name)} ✕"),
                key="w_alone",
                on_click=_stand_beside,
                args=("",),
            )
        else:
            find_one(
                t("fin_beside"), t("compare_find"), "w_beside_find", {part.symbol}, _stand_beside
            )
        _choose_rows(part)
        key = "fin_implied" if part.implied else "" if part.quarters else "fin_no_quarters"
        if key:
            style = "yjc-warn" if part.implied else "yjc-mute"
            st.html(f'<p class="yj {style} yjc-told">{escape(t(key))}</p>')


def _stand_beside(symbol: str) -> None:
    state.keep("beside", symbol)


def _choose_rows(part: StatementsPart) -> None:
    """The figures there are, to be shown or not; without a choice all are."""
    with st.popover(t("fin_rows"), icon=":material/checklist:"):
        for metric in part.held:
            st.checkbox(
                outside.escape_label(blocks.words(metric_words(metric))),
                value=not part.asked.rows or metric in part.asked.rows,
                key=f"w_row_{metric}",
                on_change=_keep_rows,
                args=(part.held,),
            )


def _keep_rows(held: Sequence[str]) -> None:
    kept = [one for one in held if st.session_state.get(f"w_row_{one}")]
    state.keep("rows", "" if len(kept) == len(held) else ".".join(kept))


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


def _apart(shown: tuple[Apart, ...]) -> str:
    """Figures that two places give differently, each with how it is worked out."""
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
