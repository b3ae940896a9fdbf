"""Parts of the two pages about one company: heading, range, timeline, bars, series."""

from datetime import timedelta
from html import escape

import streamlit as st

from pages.company import timeline as lines
from pages.market import filters
from pages.ui import blocks, cite, resources, state
from pages.ui.i18n import say, t
from services.core.claims import Claim, Missing
from services.views.view import ChartSeries, FinancialsView, StockView

# Opened without a company: one with bars, annual reports and an industry, named as an example.
_EXAMPLE = "600036.SH"
_OLD = timedelta(days=30)
_PREFERRED = ("revenue", "net_profit")


def chosen(note: str = "") -> str:
    """The company in the address or remembered; without one an example, said to be one (`note` in
    place of the usual words).
    """
    symbol = state.bind("symbol", widget=False)
    if not symbol:
        blocks.draw(f'<p class="yj-mute">{note or t("stock_example")}</p>')
    return symbol or _EXAMPLE


def ask(symbol: str, name: str) -> StockView:
    """The view over the window chosen, counted back from the newest price when that is old."""
    desk, session_id = resources.desk(), state.session().session_id
    today = resources.services().clock.now().date()
    view = desk.stock(symbol, *filters.window(name, today), session_id)
    price = view.quote.price
    if view.bars is None or isinstance(price, Missing) or name == "all":
        return view
    first, last = filters.window(name, price.as_of)
    return desk.stock(view.symbol, first, last, session_id) if today - price.as_of > _OLD else view


def quote(view: StockView) -> str:
    """Name, price under its proper word, and the move since the previous close."""
    found = view.quote
    word = when = ""
    if isinstance(found.price, Claim):
        word = cite.metric_label(found.price.metric)
        when = f" · {cite.day(found.price.as_of)}"
    moved = ""
    if not isinstance(found.pct_change, Missing):
        moved = f"{cite.figure(found.change, 'cell')} {cite.figure(found.pct_change)}"
    status = "" if view.bars is None else blocks.chip(_session(found.is_open))
    return (
        f'<div class="yj-quote"><h1>{cite.tag("label", say(view.name))}'
        f"<small>{cite.tag('code', view.symbol)}</small></h1>"
        f'<span class="yj-price">{cite.figure(found.price)}</span>'
        f'<span class="yj-move">{moved}</span>'
        f'<span class="yj-word">{word}{when} {status} {_other(view, "financials")}</span></div>'
    )


def heading(view: FinancialsView) -> str:
    """Name and industry, with the way to the prices."""
    about = f"<small>{cite.tag('code', view.symbol)}</small>"
    industry = blocks.chip(say(view.industry)) if view.industry else ""
    return (
        f'<div class="yj-quote"><h1>{cite.tag("label", say(view.name))}{about}</h1>'
        f'<span class="yj-word">{industry} {_other(view, "stock")}</span></div>'
    )


def _session(is_open: bool) -> str:  # noqa: FBT001
    return t("market_open") if is_open else t("market_closed")


def _other(view: StockView | FinancialsView, page: str) -> str:
    row = resources.services().names.row(view.symbol)
    if page == "financials" and row is not None and row.kind == "index":
        return ""
    industry = blocks.chip(say(view.industry)) if view.industry and page == "financials" else ""
    key = "to_financials" if page == "financials" else "to_stock"
    return f"{industry} {blocks.stock_link(view.symbol, escape(t(key)) + ' →', page)}"


def ranges() -> None:
    """The window of the chart."""
    st.segmented_control(
        t("range"),
        filters.WINDOWS,
        format_func=lambda name: t(f"range_{name}"),
        required=True,
        key="w_range",
        label_visibility="collapsed",
    )


def timeline(view: StockView) -> None:
    """The events of the window, newest first, in a box that scrolls by itself."""
    inner = (
        lines.events(view.events, view.claims)
        if view.events
        else f'<p class="yj-mute">{t("events_none" if view.bars else "events_no_bars")}</p>'
    )
    blocks.draw(
        blocks.heading(t("events")),
        lines.boxed(t("events"), inner),
        lines.caveats(view.events),
    )


def bars(view: StockView) -> None:
    """The last sessions as a table with a source at every figure, drawn when asked for."""
    if view.bars is None:
        return
    wanted = state.bind("bars", "0", valid={"0", "1"}.__contains__, widget=False)
    if st.toggle(t("bars_toggle"), value=wanted == "1", key="w_bars_shown"):
        state.keep("bars", "1", "0")
        blocks.draw(blocks.table(view.bars_table, view.claims, tall=True))
    else:
        state.keep("bars", "0", "0")


def beside(view: StockView) -> str:
    """Peers of the industry, and the sessions without a bar."""
    parts: list[str] = []
    if view.peers:
        links = "".join(
            f"<li>{blocks.stock_link(peer.symbol, cite.tag('label', peer.name))}"
            f"<small>{cite.tag('code', peer.symbol)}</small></li>"
            for peer in view.peers
        )
        parts += [blocks.heading(t("peers")), f'<ul class="yj-found yj-row">{links}</ul>']
    if view.gaps:
        parts += [blocks.heading(t("gaps")), lines.gaps(view.gaps)]
    return "".join(parts)


def period_count() -> None:
    """How many report periods to go back."""
    st.segmented_control(
        t("periods"),
        ("3", "5", "8"),
        format_func=lambda count: t("last_periods", count=count),
        required=True,
        key="w_count",
        label_visibility="collapsed",
    )


def chosen_series(view: FinancialsView) -> tuple[ChartSeries, ...]:
    """The series to draw: revenue and net profit until the reader chooses another."""
    usable = [one for one in view.series if one.points]
    if not usable:
        return ()
    blocks.draw(blocks.heading(t("financials_chart")))
    names = {one.metric: blocks.words(one.name) for one in usable}
    both = [metric for metric in _PREFERRED if metric in names]
    options = (["both"] if len(both) == 2 else []) + list(names)
    metric = state.bind("metric", options[0], valid=options.__contains__)
    if metric not in options:
        metric = st.session_state["w_metric"] = options[0]
    picked = st.selectbox(
        t("financials_metric"),
        options,
        format_func=lambda key: " + ".join(names[m] for m in both) if key == "both" else names[key],
        key="w_metric",
        label_visibility="collapsed",
        width=260,
    )
    wanted = both if picked == "both" else [picked]
    return tuple(one for one in usable if one.metric in wanted)


def peers(view: FinancialsView) -> str:
    """The industry's largest beside the company, or that the source gives no industry."""
    if not view.peers.rows:
        return f'<p class="yj-mute">{escape(t("peers_none"))}</p>'
    return blocks.table(view.peers, view.claims, mark=view.symbol)
