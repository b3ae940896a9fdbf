"""The sections of the company page: which is open, what it asks for, and who draws it."""

from html import escape
from typing import cast

from pages.company import (
    chart_section,
    company_parts,
    news_section,
    peers_section,
    reports_section,
    score_section,
    statements_section,
    valuation_section,
)
from pages.ui import blocks, cite, keeping, resources, state
from pages.ui.choosing import choose_one
from pages.ui.i18n import say, t
from pages.ui.nothing import nothing, way
from services.core.rendering import show
from services.core.symbols import Symbol
from services.views.company.build import SectionRequest
from services.views.company.chart import ChartPart
from services.views.company.joined import JoinedView, join_views
from services.views.company.news import NewsPart
from services.views.company.peers import PeersPart
from services.views.company.statements import StatementsPart
from services.views.company.valuation import ValuationPart
from services.views.company.view import CompanyView, Tab
from services.views.score_view import ScorePage
from services.views.table import View

_PRICED: tuple[Tab, ...] = ("chart",)
_SHOWN: tuple[Tab, ...] = (
    "chart",
    "valuation",
    "fin",
    "peers",
    "score",
    "news",
    "reports",
)


def chosen() -> str:
    """The company in the address or remembered; without one an example, said to be one."""
    return company_parts.chosen(t("company_example"))


def carry_out(symbol: str) -> None:
    """Begin what a click on this page asked for."""
    if state.stated("tab") == "score":
        score_section.carry_out(symbol)


def wanted(symbol: str) -> SectionRequest:
    """The section and its choices, out of the address; an index and a fund have one section."""
    is_company = resources.services().names.resolve(symbol).is_company
    tab = state.bind("tab", "chart", valid=(_SHOWN if is_company else _PRICED).__contains__)
    return SectionRequest(
        tab=cast("Tab", tab),
        chart=chart_section.asked(),
        fin=statements_section.asked(),
        peers=peers_section.asked(),
        feed=news_section.asked(),
        past=valuation_section.asked(),
        drawn=valuation_section.asked_drawn(),
    )


def view_of(symbol: str, wanted: SectionRequest) -> CompanyView:
    """The head and the open section. Raises: as Desk.company."""
    mine = state.session().session_id
    return keeping.last_seen(
        CompanyView, (symbol, wanted), lambda: resources.desk().company(symbol, wanted, mine)
    )


def tabs(view: CompanyView) -> tuple[Tab, ...]:
    """The sections there are for it: an index and a fund have prices only."""
    return _SHOWN if view.head.is_company else _PRICED


def draw_tabs(view: CompanyView) -> None:
    """The sections beside each other; small beside a name what waits there."""
    small: dict[str, str] = {}
    if view.head.is_company:
        kept = resources.desk().kept_of(view.head.symbol)
        if kept.score is not None:
            small["score"] = show(kept.score, state.language(), "short").number
        if kept.kept:
            small["reports"] = str(kept.kept)
        if resources.services().settings.mode == "snapshot":
            small["news"] = t("tab_live_only")
    choose_one(t("company_sections"), tabs(view), lambda one: t(f"tab_{one}"), "w_tab", small=small)


def whole(view: CompanyView) -> View:
    """What the page shows altogether: the view with what its section brings of its own."""
    return join_views(view, score_section.page_of(view)) if view.tab == "score" else view


def draw(view: CompanyView, shown: View) -> None:
    """The open section; of a company without any figure, where else to look."""
    if view.tab == "score" and isinstance(shown, JoinedView):
        score_section.draw(cast("ScorePage", shown.parts[1]))
    elif view.tab == "reports":
        reports_section.draw(view.head.symbol)
    elif isinstance(view.part, NewsPart):
        news_section.draw(view.part, view.head)
    elif not view.head.has_figures and view.tab in {"chart", "valuation", "fin"}:
        draw_nothing(view)
    elif isinstance(view.part, ChartPart):
        told = _card(t("company_none_bars"), view, "")
        chart_section.draw(view.part, view.claims, nothing_said=told)
    elif isinstance(view.part, PeersPart):
        if view.part.why is not None:
            blocks.draw(_card(f"{t('peers_no')}{say(view.part.why)}", view, ""))
        else:
            peers_section.draw(view.part, view.head)
    elif isinstance(view.part, ValuationPart):
        _draw_valuation(view, view.part)
    elif isinstance(view.part, StatementsPart):
        statements_section.draw(view.part, view.claims)


def _draw_valuation(view: CompanyView, part: ValuationPart) -> None:
    """The multiples; in the place of a chart after the sentence that there are no bars."""
    is_empty = valuation_section.is_empty(part)
    if is_empty or view.tab == "chart":
        lacking = "company_none_bars" if view.tab == "chart" else "company_none_multiples"
        see = _way(view, "fin", "company_see_fin") if is_empty else ""
        blocks.draw(_card(t(lacking), view, see))
    if not is_empty:
        valuation_section.draw(part, view.head)


def draw_nothing(view: CompanyView) -> None:
    """One sentence, and the ways on: the other listing that has figures, live data."""
    live = state.mode() == "live"
    blocks.draw(_card(t("company_none_live" if live else "company_none"), view, ""))


def _card(sentence: str, view: CompanyView, first: str) -> str:
    ways = [first] if first else []
    for other in view.head.siblings:
        words = t(
            "company_see_other",
            listing=t(f"listing_{Symbol(other.symbol).market}"),
            symbol=other.symbol,
        )
        ways.append(blocks.stock_link(other.symbol, f"<b>{escape(words)}</b> →", "company"))
    if resources.services().settings.mode == "snapshot":
        live = t("company_see_live")
        ways.append(way("company", live, symbol=view.head.symbol, mode="live"))
    ways.append(way("screen", t("company_see_screen")))
    return nothing(cite.tag("provenance", sentence), ways, codes=True)


def _way(view: CompanyView, tab: Tab, key: str) -> str:
    return way("company", t(key), first=True, symbol=view.head.symbol, tab=tab)
