"""对比: two to six companies from one start, and their figures side by side."""

import streamlit as st

from pages.compare import basis_line, chosen, lines, table, toolbar
from pages.market import watch_controls
from pages.ui import blocks, cite, errors, exporting, frame, resources, state, verifying
from pages.ui.i18n import LIST_COMMA, say, t
from services.views.compare.view import LEAST, MOST

chosen.begin()
with errors.frame("company"):
    every = chosen.chosen()
    symbols = every[:MOST]
    left, right = st.columns([1, 0.32], vertical_alignment="center", gap="small")
    if len(symbols) < LEAST:
        with left:
            chosen.head(symbols, None)
        chosen.draw_nothing(symbols)
    else:
        asked = toolbar.asked(symbols)
        view = resources.desk().compare_companies(asked, state.session().session_id)
        cite.stand_on(view)
        with left:
            chosen.head(symbols, view)
        with right.container(horizontal=True, horizontal_alignment="right", gap="small"):
            watch_controls.put_button([one.symbol for one in view.entries], "w_compare_watch")
            verifying.button(view)
            exporting.exports(view, width="content")
        verifying.verdict(view)
        blocks.draw(basis_line.line(view))
        if len(every) > MOST:
            blocks.draw(blocks.notes([t("compare_full")]))
        frame.standing()
        log, tabled = toolbar.draw(view)
        if view.first is None:
            blocks.draw(f'<p class="yjc-none">{t("compare_no_chart")}</p>')
        else:
            names = say(LIST_COMMA).join(say(one.name) for one in view.lines)
            st.plotly_chart(
                lines.draw_lines(view, log=log),
                config=lines.CONFIG,
                key="yj_compare",
                theme=None,
                alt=t("compare_alt", names=names),
            )
        if tabled:
            blocks.draw(blocks.table(view.monthly, view.claims, tall=True))
        blocks.draw(table.side_by_side(view))
        blocks.draw(blocks.notes(view.notes, view.claims))
        frame.foot(view)
