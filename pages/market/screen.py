"""选股: filters, the matching companies with their figures, saved screens."""

import streamlit as st

from pages.market import columns, filters, picks, results, sentence, sets
from pages.ui import basis, blocks, cite, errors, frame
from pages.ui.i18n import t

slot = frame.heading(t("page_screen"))
under = st.container()
with errors.frame():
    given, places, either = filters.controls(sentence.box, sets.pick)
    sentence.told(given)
    page = filters.page(given)
    view = results.view_of(given, page)
    cite.stand_on(view)
    frame.standing()
    with under:
        blocks.draw(basis.line(basis.of_claims(columns.figures_of(view))))
    results.coverage(view, places)
    sets.join(view, either)
    blocks.draw(results.counts(view))
    with slot:
        columns.menu(view)
        results.actions(view)
    results.draw_rows(view)
    results.pages(view)
    picks.bar(view)
    blocks.draw(blocks.notes(view.notes, view.claims))
    frame.foot(view)
