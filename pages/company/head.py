"""The head of the company page: who, the price, the figures at it, and the basis line."""

from html import escape

import streamlit as st

from pages.company import actions
from pages.ui import blocks, cite, exporting, state, verifying
from pages.ui.i18n import say, t
from services.core.claim_names import is_of_day
from services.core.claims import Claim, Figure, Missing
from services.core.periods import Period
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.units import UNITS
from services.views.company.head import CompanyHead, HeadBasis
from services.views.company.view import CompanyView
from services.views.table import View


def draw_head(view: CompanyView, shown: View) -> None:
    """Head and actions; `shown` is what is exported and verified: the view with its section."""
    head = view.head
    # Of a company without any figure the section says so once.
    figures = f"{price(head)}{stats(head)}" if head.has_figures else ""
    with st.container(key="yjc_top", gap="xxsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            blocks.draw(
                f'<section class="yjc-head" data-group="head">{who(head)}{figures}</section>'
            )
            with st.container(horizontal=True, width="content", gap="xsmall", key="yjc_act"):
                actions.watch(head.symbol)
                actions.compare(head.symbol)
                verifying.button(shown)
                exporting.exports(shown, width="content")
        if head.has_figures:
            blocks.draw(basis(head))
    verifying.verdict(shown)


def who(head: CompanyHead) -> str:
    """Its name and code, and below them what and where it is."""
    parts = [cite.tag("label", say(one)) for one in head.about]
    for other in head.siblings:
        market = t(f"listing_{Symbol(other.symbol).market}")
        link = blocks.stock_link(other.symbol, cite.tag("code", other.symbol), "company")
        parts.append(f"{escape(market)} {link}")
    name = cite.tag("label", blocks.name_beside(head.name, head.symbol))
    is_second = state.language() == "en" and head.name.zh != head.name.en
    second = f"<small>{cite.tag('label', head.name.zh)}</small>" if is_second else ""
    return (
        f'<div class="yjc-id"><h1>{name}'
        f"<small>{cite.tag('code', head.symbol)}</small>{second}</h1>"
        f"<p>{' · '.join(parts)}</p></div>"
    )


def price(head: CompanyHead) -> str:
    """The price, how it moved, and of which close it is."""
    found = head.quote
    if isinstance(found.price, Missing):
        why = cite.figure(found.price, "cell")
        return f'<div class="yjc-px"><span class="yjc-price">{why}</span></div>'
    word = cite.metric_label(found.price.metric)
    unit = UNITS[found.price.unit]
    named = unit.zh if state.language() == "zh" else unit.en
    moved = ""
    if isinstance(found.pct_change, Claim):
        moved = f"{cite.figure(found.change, 'cell')} {cite.figure(found.pct_change)}"
    return (
        f'<div class="yjc-px"><span class="yjc-price">{cite.figure(found.price, "cell")}</span>'
        f'<span class="yjc-move">{moved}</span>'
        f"<p>{escape(named)} · {escape(word)} {cite.day(found.price.as_of)}</p></div>"
    )


def stats(head: CompanyHead) -> str:
    """The figures at that price, each under its name."""
    cells = [
        f'<div{" class=yjc-old" if stat.old else ""}><dt data-nocite="label">'
        f"{escape(blocks.words(stat.label))}{_of_report(stat.figure)}</dt>"
        f"<dd>{cite.figure(stat.figure, 'cell')}</dd></div>"
        for stat in head.stats
    ]
    low, high = head.year
    if isinstance(low, Claim):
        cells.append(
            f'<div><dt data-nocite="label">{escape(t("head_year"))}</dt><dd>'
            f"{cite.figure(low, 'cell')} – {cite.figure(high, 'cell')}</dd></div>"
        )
    return f'<dl class="yjc-g" tabindex="0">{"".join(cells)}</dl>'


def _of_report(figure: Figure) -> str:
    """The year of a figure that is an annual report's own, whatever the price."""
    if not isinstance(figure, Claim) or figure.period is None or is_of_day(figure):
        return ""
    period = Period.parse(figure.period)
    is_annual = period.basis == "report" and period.quarter == 4
    return f' <small class="yj-u">{period.year}</small>' if is_annual else ""


def basis(head: CompanyHead) -> str:
    """The line that says what every figure stands on; empty where there is none."""
    parts = _basis_parts(head, head.basis)
    if not parts:
        return ""
    label = f'<span class="yjc-lab">{escape(t("basis"))}</span>'
    # On a telephone it is one line that scrolls: a key must reach it.
    return f'<p class="yjc-basis" tabindex="0">{label}{"<i>·</i>".join(parts)}</p>'


def _given(basis: HeadBasis) -> str:
    """The source's own multiples, their day, and of which close they are where that is another."""
    if not basis.given:
        return ""
    given = say(Text("、", ", ")).join(
        f"{cite.tag('label', t(f'given_{one.metric}'))} {cite.figure(one, 'cell')}"
        for one in basis.given
    )
    taken, close = basis.given[0].as_of, ""
    if basis.valued_on and basis.valued_on < taken:
        close = t("basis_close", day=cite.day(basis.valued_on))
    told = t("basis_given", given=given, day=cite.day(taken), close=close)
    return f' <span class="yjc-warn">{told}</span>'


def _basis_parts(head: CompanyHead, basis: HeadBasis) -> list[str]:
    parts: list[str] = []
    price = head.quote.price
    if isinstance(price, Claim):
        told = [cite.day(price.as_of), escape(cite.metric_label(price.metric))]
        of = " ".join(told if state.language() == "zh" else reversed(told))
        parts.append(f"{escape(t('basis_price'))} <b>{of}</b>")
    if basis.restated:
        parts.append(
            f"{escape(t('basis_multiples'))} <b>{escape(t('basis_restated'))}</b>{_given(basis)}"
        )
    elif basis.valued_on:
        parts.append(
            f"{escape(t('basis_multiples'))} <b>{escape(t('basis_source_of'))} "
            f"{cite.day(basis.valued_on)}</b>"
        )
    for key, words in (
        ("basis_per_share", basis.per_share),
        ("basis_reports", basis.reports),
        ("basis_adjusted", basis.adjusted),
    ):
        if words is not None:
            parts.append(f"{escape(t(key))} <b>{cite.tag('period', say(words))}</b>")
    if basis.lacking:
        told = cite.tag("provenance", t("basis_lacking", count=str(basis.lacking)))
        parts.append(f'<span class="yjc-warn">{told}</span>')
    if basis.accounts:
        parts.append(f'<span class="yjc-warn">{escape(t("basis_accounts"))}</span>')
    return parts
