"""The table of a comparison: a row a figure, a column a company, best and last in words."""

from html import escape

from pages.compare.lines import colours
from pages.ui import blocks, cite
from pages.ui.i18n import say, t
from services.core.catalogue import CATALOGUE
from services.core.rendering import Style
from services.views.compare.view import ComparedCompany, ComparedRow, CompareView


def side_by_side(view: CompareView) -> str:
    """The whole table."""
    columns = "".join(_head(place, one) for place, one in enumerate(view.entries))
    body = blocks.grouped(view.rows, len(view.entries) + 2, _row)
    label = escape(say(view.table().title))
    return (
        f'<div class="yj-scroll yjp-scroll" role="region" tabindex="0" aria-label="{label}">'
        f'<table class="yj-table yjp-table" id="t-compare"><caption>{label}</caption><thead><tr>'
        f'<th scope="col">{escape(t("compare_metric"))}</th>{columns}'
        f'<th scope="col">{escape(t("compare_remark"))}</th></tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _head(place: int, one: ComparedCompany) -> str:
    told = cite.tag("label", blocks.name_beside(one.name, one.symbol))
    name = told if one.failed else blocks.stock_link(one.symbol, told, "company")
    why = f'<em class="yjc-warn">{escape(say(one.failed))}</em>' if one.failed else ""
    return (
        f'<th scope="col" class="yj-num"><i style="background:{colours()[place]}"></i>{name}'
        f"<small>{cite.tag('code', one.symbol)}</small>{why}</th>"
    )


def _row(row: ComparedRow) -> str:
    head = blocks.shared_head(row.figures)
    # Amounts in several currencies each say their own.
    told: Style = "cell" if head.unit or not _is_money(row) else "prose"
    cells = "".join(
        f'<td class="yj-num{head.quiet}">{_tag(row, place)}'
        f"{cite.figure(one, told, old=place in row.old, within=head.scale)}</td>"
        for place, one in enumerate(row.figures)
    )
    return (
        f'<tr><th scope="row">{cite.tag("label", say(row.label))}{head.derived}{head.unit}</th>'
        f'{cells}<td class="yj-wrap">{cite.tag("label", say(row.remark))}</td></tr>'
    )


def _tag(row: ComparedRow, place: int) -> str:
    """Best tinted, last outlined: words and blue, since red and green mean a price's direction."""
    if place == row.best:
        return f'<b class="yjp-best">{escape(t("compare_best"))}</b>'
    if place == row.last:
        return f'<b class="yjp-last">{escape(t("compare_worst"))}</b>'
    return ""


def _is_money(row: ComparedRow) -> bool:
    return CATALOGUE.figures[row.metric].unit == "money"
