"""公司一页: what an analyst lays on the table, on one sheet of A4; of figures that are cited.

Head, a year of prices, five years of reports, the place in its own past, the factors of the newest
score, the latest moves, what is missing. The screen shows it as it is printed.
"""

from collections.abc import Mapping
from functools import cache, reduce
from html import escape
from pathlib import Path

import streamlit as st

from pages.company import head, print_chart
from pages.ui import blocks, cite, printing, resources, state
from pages.ui.i18n import say, t
from services.core.claims import Claim, Figure, Missing
from services.settings import program_version
from services.views.company.build import SectionRequest
from services.views.company.chart import ChartPart, EventRow
from services.views.company.joined import join_views
from services.views.company.statements import StatementsAsked, StatementsPart
from services.views.company.valuation import ValuationPart
from services.views.company.view import CompanyView
from services.views.score_view import ScoreView
from services.views.table import TableRow, View

_ROWS = ("revenue", "net_profit", "equity", "roe", "net_margin", "eps", "dps")
_MOVES, _YEARS = 6, 5


def is_wanted() -> bool:
    """Whether the address asks for the sheet."""
    return state.stated(printing.PARAMETER) == "1"


def draw(symbol: str) -> None:
    """The sheet, with a way back and a button that prints."""
    desk, mine = resources.desk(), state.session().session_id
    chart = desk.company(symbol, SectionRequest(tab="chart"), mine)
    fin = desk.company(symbol, SectionRequest(tab="fin", fin=StatementsAsked(count=_YEARS)), mine)
    value = desk.company(symbol, SectionRequest(tab="valuation"), mine)
    page = desk.score_page(symbol, "", mine)
    score = page.score.view if page.score is not None else None
    whole: View = reduce(join_views, [chart, fin, value, *([score] if score else [])])
    cite.stand_on(whole)
    printing.bar()
    left, right = [_financials(fin), _past(value)], [_moves(chart)]
    if isinstance(score, ScoreView):
        right.insert(0, _factors(score))
    # What is missing stands where there is room for it.
    (left if len(right) > 1 else right).append(_tell_lacking(whole))
    st.html(f"<style>{_styles()}</style>")
    blocks.draw(
        f'<article class="yj1">{_top(chart)}{_chart(chart)}'
        f'<div class="yj1-two"><div>{"".join(left)}</div><div>{"".join(right)}</div></div>'
        f"{_foot()}</article>",
        cite.workings(whole.claims),
    )


def _top(view: CompanyView) -> str:
    one = view.head
    if not one.has_figures:
        return f'<header class="yj1-top">{head.who(one)}</header>'
    return (
        f'<header class="yj1-top"><div><small>{escape(t("one_title"))}</small>{head.who(one)}</div>'
        f"{head.price(one)}</header>{head.basis(one)}{head.stats(one)}"
    )


def _section(title: str, sub: str, inner: str) -> str:
    if not inner:
        return ""
    small = f"<small>{sub}</small>" if sub else ""
    return f"<section><h2>{escape(title)}{small}</h2>{inner}</section>"


def _chart(view: CompanyView) -> str:
    if not isinstance(view.part, ChartPart):
        return ""
    return _section(
        t("one_chart"), cite.tag("label", t("one_chart_how")), print_chart.picture(view.part)
    )


def _financials(view: CompanyView) -> str:
    if not isinstance(view.part, StatementsPart):
        return ""
    shown = view.part.matrix
    periods = [one for one in shown.columns if one.kind == "figure"][:_YEARS]
    heads = "".join(f'<th class="yj-num">{cite.tag("period", say(one.label))}</th>'
                    for one in periods)  # fmt: skip
    rows = "".join(
        f'<tr><th scope="row">{cite.tag("label", blocks.words(_text(row)))}</th>'
        + "".join(f'<td class="yj-num">{_cell(row, one.key)}</td>' for one in periods)
        + "</tr>"
        for row in shown.rows
        if _metric(row) in _ROWS
    )
    body = f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return _section(t("tab_fin"), "", body if rows else "")


def _text(row: TableRow) -> str:
    name = row.cells["metric"]
    return "" if isinstance(name, Claim | Missing) or name is None else blocks.words(name)  # type: ignore[arg-type]


def _metric(row: TableRow) -> str:
    found = (one for one in row.cells.values() if isinstance(one, Claim | Missing))
    return next((one.metric for one in found), "")


def _cell(row: TableRow, key: str) -> str:
    found = row.cells.get(key)
    return cite.figure(found, "cell") if isinstance(found, Claim | Missing) else ""


def _past(view: CompanyView) -> str:
    part = view.part
    if not isinstance(part, ValuationPart) or not part.bands:
        return ""
    words = (("now", "past_now"), ("percentile", "past_percentile"), ("median", "past_median"),
             ("p10", "one_p10"), ("p90", "one_p90"))  # fmt: skip
    heads = "".join(f'<th class="yj-num" data-nocite="label">{escape(t(key))}</th>'
                    for _, key in words)  # fmt: skip
    rows = "".join(
        f'<tr><th scope="row" data-nocite="label">{escape(blocks.words(band.name))}</th>'
        + "".join(
            f'<td class="yj-num">{cite.figure(band.told.get(word), "cell")}</td>'
            for word, _ in words
        )
        + "</tr>"
        for band in part.bands
    )
    first, last = part.bands[0].dots[0].day, part.bands[0].dots[-1].day
    days = f"{cite.day(first)} – {cite.day(last)}"
    body = f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return _section(t("one_past"), days, body)


def _factors(view: ScoreView) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{cite.tag('label', say(one.name))}</th>"
        f'<td><i class="yj1-bar" style="width:{one.share}%"><b style="width:{one.filled or 0}%">'
        f'</b></i></td><td class="yj-num">{_points(one.score)}</td></tr>'
        for one in view.factors
    )
    total = cite.figure(view.score, "short") if view.score is not None else ""
    return _section(t("tab_score"), total, f"<table><tbody>{rows}</tbody></table>")


def _points(score: Figure | None) -> str:
    """A score that is missing is its mark, as on the page: the reason would push the bars away."""
    return cite.figure(score, "short" if isinstance(score, Claim) else "cell")


def _moves(view: CompanyView) -> str:
    if not isinstance(view.part, ChartPart):
        return ""
    known = view.claims
    rows = "".join(_move(row, known) for row in view.part.events[:_MOVES])
    body = f"<table><tbody>{rows}</tbody></table>"
    return _section(t("one_moves"), escape(t("one_index")), body if rows else "")


def _move(row: EventRow, claims: Mapping[str, Claim]) -> str:
    told = {**claims, **{one.claim_id: one for one in row.event.claims}}
    cells = "".join(
        f'<td class="yj-num">{cite.figure(one) if one else ""}</td>'
        for one in (row.move, row.index)
    )
    trigger = cite.prose(say(row.trigger), told)
    return f"<tr><td>{cite.day(row.event.end, cell=True)}</td>{cells}<td>{trigger}</td></tr>"


def _tell_lacking(whole: View) -> str:
    lines = "".join(f"<li>{cite.prose(say(one), whole.claims)}</li>" for one in whole.notes)
    inner = f'<ul class="yj1-notes" data-nocite="provenance">{lines}</ul>' if lines else ""
    return _section(t("one_notes"), "", inner)


def _foot() -> str:
    now = resources.services().clock.now()
    made = t("one_made", version=program_version())
    return (
        f'<footer><p data-nocite="label">{escape(t("legend_letters"))}</p>'
        f"<p>{cite.tag('provenance', made)} {cite.day(now.isoformat())} · "
        f"{escape(t('foot_note'))}</p></footer>"
    )


@cache
def _styles() -> str:
    return Path(__file__).with_name("one_page.css").read_text(encoding="utf-8")
