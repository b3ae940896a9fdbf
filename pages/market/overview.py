"""总览: the markets at a glance, what happened lately, what data this is, and where to go next."""

import streamlit as st

from pages.company import timeline
from pages.ui import blocks, chart, cite, errors, frame, resources, state
from pages.ui.i18n import t

with errors.frame():
    view = resources.desk().overview(state.session().session_id)
    cite.stand_on(view)
    frame.head(view, timeline.age(view.snapshot))
    blocks.draw(
        blocks.notes(view.absent),
        blocks.unseen(t("overview_indexes")),
        *chart.index_panels(view.indexes),
    )
    main, side = st.columns([1.9, 1], gap="medium")
    with main:
        blocks.draw(
            blocks.heading(t("overview_markets")),
            '<div class="yj-panels">',
            *(
                blocks.panel(
                    cite.marked(blocks.words(card.name)),
                    cite.day(card.day) if card.day else "",
                    blocks.pairs(card.stats),
                )
                for card in view.markets
            ),
            "</div>",
        )
        blocks.draw(
            blocks.heading(t("overview_industries")),
            blocks.table(view.industries, view.claims, tall=True),
        )
        blocks.draw(blocks.heading(t("overview_largest")), blocks.table(view.largest, view.claims))
    with side:
        blocks.draw(blocks.heading(t("overview_go")), timeline.starts())
        blocks.draw(blocks.heading(t("overview_data")), timeline.bundle(view.snapshot, view.copies))
        blocks.draw(
            blocks.heading(t("overview_events")),
            timeline.boxed(t("overview_events"), timeline.lines(view.events, view.claims)),
        )
    blocks.draw(blocks.notes(view.notes, view.claims))
    frame.foot(view)
