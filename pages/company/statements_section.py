"""财务: metric × period, the same over time, and the industry's largest beside it."""

import streamlit as st

from pages.company import company_parts as company
from pages.ui import blocks, chart
from pages.ui.i18n import say, t
from services.views.view import FinancialsView


def draw(view: FinancialsView) -> None:
    """The whole section."""
    company.period_count()
    blocks.draw(blocks.table(view.matrix, view.claims))
    if view.past is not None:
        blocks.draw(blocks.heading(say(view.past.title)), blocks.table(view.past, view.claims))
    shown = company.chosen_series(view)
    if shown:
        st.plotly_chart(
            chart.series(shown), config=chart.CONFIG, key="yj_series", alt=t("financials_chart")
        )
    else:
        blocks.draw(f'<p class="yj-mute">{t("no_series")}</p>')
    blocks.draw(blocks.heading(t("financials_peers")), company.peers(view))
