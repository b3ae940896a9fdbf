"""个股: the quote, its figures, candles with abnormal events, and the timeline beside them."""

import streamlit as st

from pages.ui import blocks, chart, company, errors, filters, frame, state
from pages.ui.i18n import t

symbol = state.bind("symbol", widget=False)
name = state.bind("range", "1y", valid=filters.WINDOWS.__contains__)
with errors.frame():
    if not symbol:
        company.pick("stock")
        st.stop()
    view = company.ask(symbol, name)
    state.keep("symbol", view.symbol)
    frame.head(view, inner=company.quote(view))
    blocks.draw(blocks.cards(view.stats))
    left, right = st.columns([2.15, 1], gap="medium")
    with left:
        company.ranges()
        if view.bars is None:
            blocks.draw(blocks.notes([view.bars_missing or ""]))
        else:
            st.plotly_chart(
                chart.stock(view),
                config=chart.CONFIG,
                key="yj_chart",
                alt=t("chart_alt", name=view.name),
            )
    with right:
        company.timeline(view)
    company.bars(view)
    blocks.draw(company.beside(view), blocks.notes(view.notes, view.claims))
    frame.foot(view)
