"""公司一页: what an analyst lays on the table, on one sheet of A4; of figures that are cited.

Head, a year of prices, five years of reports, the place in its own past, the factors of the newest
score, the latest moves, what is missing. The screen shows it as it is printed.
"""

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from html import escape
from pathlib import Path

import streamlit as st

from pages.company import head, print_chart, valuation_section
from pages.company.events_table import tell_unjudged
from pages.company.palette import paper_palette
from pages.ui import blocks, cite, printing, resources, state
from pages.ui.i18n import say, t
from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure, Missing
from services.core.periods import period_words
from services.core.text import Text
from services.evidence_pack.read_pack import fingerprint_of
from services.settings import program_version
from services.views.company.build import SectionRequest
from services.views.company.chart import ChartPart, EventRow
from services.views.company.joined import join_views
from services.views.company.statements import StatementsAsked, StatementsPart
from services.views.company.valuation import ValuationPart
from services.views.company.view import CompanyView
from services.views.score_view import ScoreView
from services.views.table import TableColumn, TableRow, View

_ROWS = ("revenue", "net_profit", "equity", "roe", "net_margin", "eps", "dps")
_MOVES, _YEARS = 4, 5
# Told of the newest year in a sentence.
_TOLD = frozenset({"net_profit", "roe"})


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
    pack = _pack(whole)
    printing.bar(pack, f"{symbol}.youju.zip")
    left, right = [_financials(fin), _past(value)], [_moves(chart)]
    if isinstance(score, ScoreView):
        right.insert(0, _factors(score))
    # What is missing stands where there is room for it.
    (left if len(right) > 1 else right).append(_tell_lacking(whole))
    st.html(f"<style>{_styles()}</style>")
    blocks.draw(
        f'<article class="yj1">{_top(chart)}{_lead(fin, value)}{_stats(chart)}{_chart(chart)}'
        f'<div class="yj1-two"><div>{"".join(left)}</div><div>{"".join(right)}</div></div>'
        f"{_foot(fingerprint_of(pack))}</article>",
        cite.workings(whole.claims),
    )


def _top(view: CompanyView) -> str:
    one = view.head
    if not one.has_figures:
        return f'<header class="yj1-top">{head.who(one)}</header>'
    return (
        f'<header class="yj1-top"><div><small><b>{escape(t("one_brand"))}</b> '
        f"{escape(t('one_title'))}</small>{head.who(one)}</div>"
        f"{head.price(one)}</header>{head.basis(one)}"
    )


def _stats(view: CompanyView) -> str:
    return head.stats(view.head) if view.head.has_figures else ""


def _lead(fin: CompanyView, value: CompanyView) -> str:
    """How dear it is by its own past, and how its newest year was, in two sentences."""
    told = [_tell_past(value), _tell_year(fin)]
    inner = say(Text("", " ")).join(one for one in told if one)
    return f'<p class="yj1-lead">{inner}</p>' if inner else ""


def _tell_past(view: CompanyView) -> str:
    if not isinstance(view.part, ValuationPart) or not view.part.bands:
        return ""
    band = view.part.bands[0]
    place = band.told.get("percentile")
    if not isinstance(place, Claim):
        return ""
    return t(
        "one_dear",
        name=cite.tag("label", blocks.words(band.name)),
        now=cite.figure(band.now),
        share=valuation_section.percentile(place),
        day=cite.day(band.dots[0].day),
    )


def _tell_year(view: CompanyView) -> str:
    small = view.part.small if isinstance(view.part, StatementsPart) else ()
    told = [
        t(
            "one_moved",
            name=escape(blocks.words(metric_words(one.metric))),
            now=cite.figure(one.points[-1]),
            change=cite.figure(one.change),
        )
        for one in small
        if one.metric in _TOLD and isinstance(one.change, Claim)
    ]
    if not told or not isinstance(view.part, StatementsPart):
        return ""
    period = cite.tag("period", period_words(view.part.periods[0], state.language()))
    return t("one_year", period=period, told=say(Text("；", "; ")).join(told))


def _section(title: str, sub: str, inner: str) -> str:
    if not inner:
        return ""
    small = f"<small>{sub}</small>" if sub else ""
    return f"<section><h2>{escape(title)}{small}</h2>{inner}</section>"


def _chart(view: CompanyView) -> str:
    if not isinstance(view.part, ChartPart):
        return ""
    lines = "".join(
        f' <span class="yjc-ma" style="--yjc-line:{colour}" data-nocite="label">MA{length}</span>'
        for length, colour in paper_palette().averages.items()
    )
    how = cite.tag("label", t("one_chart_how")) + lines
    return _section(t("one_chart"), how, print_chart.picture(view.part))


def _financials(view: CompanyView) -> str:
    if not isinstance(view.part, StatementsPart):
        return ""
    shown = view.part.matrix
    periods = [one for one in shown.columns if one.kind == "figure"][:_YEARS]
    heads = "".join(f'<th class="yj-num">{cite.tag("period", say(one.label))}</th>'
                    for one in periods)  # fmt: skip
    rows = "".join(_years(row, periods) for row in shown.rows if _metric(row) in _ROWS)
    body = f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return _section(t("tab_fin"), "", body if rows else "")


def _years(row: TableRow, periods: Sequence[TableColumn]) -> str:
    """A figure over the years; the unit they share stands after its name."""
    head = blocks.shared_head([row.cells.get(one.key) for one in periods])
    cells = "".join(
        f'<td class="yj-num">{head.draw(row.cells.get(one.key))}</td>' for one in periods
    )
    name = cite.tag("label", blocks.words(_text(row)))
    return f'<tr><th scope="row">{name}{head.unit}</th>{cells}</tr>'


def _text(row: TableRow) -> str:
    name = row.cells["metric"]
    return "" if isinstance(name, Claim | Missing) or name is None else blocks.words(name)  # type: ignore[arg-type]


def _metric(row: TableRow) -> str:
    found = (one for one in row.cells.values() if isinstance(one, Claim | Missing))
    return next((one.metric for one in found), "")


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
            f'<td class="yj-num">{valuation_section.percentile(one)}</td>'
            if word == "percentile"
            else f'<td class="yj-num">{cite.figure(one, "cell")}</td>'
            for word, _ in words
            for one in (band.told.get(word),)
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
    body = f"{body if rows else ''}{tell_unjudged(view.part)}"
    return _section(t("one_moves"), escape(t("one_index")), body)


def _move(row: EventRow, claims: Mapping[str, Claim]) -> str:
    told = {**claims, **{one.claim_id: one for one in row.event.claims}}
    cells = "".join(
        f'<td class="yj-num">{cite.figure(one) if one else ""}</td>'
        for one in (row.move, row.index)
    )
    trigger = cite.prose(say(row.trigger), told)
    return (
        f'<tr class="yj1-day"><th scope="row">{cite.day(row.event.end)}</th>{cells}</tr>'
        f'<tr><td colspan="3">{trigger}</td></tr>'
    )


def _tell_lacking(whole: View) -> str:
    lines = "".join(f"<li>{cite.prose(say(one), whole.claims)}</li>" for one in whole.notes)
    inner = f'<ul class="yj1-notes" data-nocite="provenance">{lines}</ul>' if lines else ""
    return _section(t("one_notes"), "", inner)


def _pack(whole: View) -> bytes:
    """The evidence of the sheet, made once for what is on it; its fingerprint is at the foot."""
    mine, key = state.session(), (state.language(), *whole.run_ids)
    if mine.sheet is None or mine.sheet[0] != key:
        mine.sheet = (key, resources.desk().pack(whole, state.language()))
    return mine.sheet[1]


def _foot(fingerprint: str) -> str:
    now = resources.services().real.now()
    made = t("one_made", version=program_version())
    return (
        f'<footer><p data-nocite="label">{escape(t("legend_letters"))}</p>'
        f'<p>{escape(t("one_print"))} <b class="yj-mono">{blocks.fingerprint(fingerprint)}</b> '
        f"{escape(t('one_print_help'))}</p>"
        f"<p>{cite.tag('provenance', made)} {cite.day(now.isoformat())} · "
        f"{escape(t('foot_note'))}</p></footer>"
    )


@cache
def _styles() -> str:
    return Path(__file__).with_name("one_page.css").read_text(encoding="utf-8")
