"""个股: the quote, its figures, candles with abnormal events, and the timeline beside them."""

from functools import partial

import streamlit as st

from pages.company import company_parts as company
from pages.evidence import report_list as reports
from pages.market import filters
from pages.ui import blocks, chart, cite, errors, frame, state
from pages.ui.i18n import say, t

name = state.bind("range", "1y", valid=filters.WINDOWS.__contains__)
with errors.frame():
    symbol = company.chosen()
    view = company.ask(symbol, name)
    state.keep("symbol", view.symbol)
    cite.stand_on(view)
    frame.head(view, inner=company.quote(view), more=partial(reports.of_company, view.symbol))
    blocks.draw(blocks.cards(view.stats))
    left, right = st.columns([2.15, 1], gap="medium")
    with left:
        if view.bars is None:
            blocks.draw(blocks.notes([view.bars_missing or ""]))
        else:
            company.ranges()
            st.plotly_chart(
                chart.stock(view),
                config=chart.CONFIG,
                key="yj_chart",
                alt=t("chart_alt", name=say(view.name)),
            )
    with right:
        company.timeline(view)
    company.bars(view)
    blocks.draw(company.beside(view), blocks.notes(view.notes, view.claims))
    frame.foot(view)
