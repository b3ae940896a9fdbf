"""总览: indexes, the market as tiles, what moved lately; a click leads to what is behind it."""

from html import escape

import streamlit as st

from pages.market import first_choice, heat_map, home, watching
from pages.ui import blocks, cite, errors, frame, tour
from pages.ui.i18n import t

with errors.frame():
    first_choice.band()
    view = home.view()
    cite.stand_on(view)
    frame.head(view, escape(t("home_lead")), told=home.basis_parts(view))
    blocks.draw(blocks.notes(view.absent), home.strip(view))
    main, side = st.columns([856, 508], gap="medium")
    with side:
        watched = watching.block()
        cite.stand_on(view)
        with frame.section(t("moves"), t("market_moves_sub")):
            home.which_moves()
        blocks.draw(home.events(view, alone=not watched))
    with main:
        with frame.section(t("heat_title"), t("heat_sub")):
            metric = heat_map.chosen()
        # Without a watchlist the largest stand below the map, and say who is not ranked.
        blocks.draw(heat_map.whole(view, metric, unranked=watched))
        home.as_table(view)
        if not watched:
            blocks.draw(home.largest(view))
    tour.band()
    if view.notes:
        scope = blocks.folded(t("home_scope"), blocks.notes(view.notes, view.claims))
        blocks.draw(f'<div class="yj-scope">{scope}</div>')
    frame.foot(view)
