"""公司: one company or index on one basis, a section at a time."""

from pages.company import actions, company_frame, head, one_page, section
from pages.ui import blocks, cite, errors, frame, state

company_frame.begin()
with errors.frame("company"):
    symbol = section.chosen()
    section.carry_out(symbol)
    wanted = section.wanted(symbol)
    view = section.view_of(symbol, wanted)
    state.keep("symbol", view.head.symbol)
    actions.see(view.head.symbol)
    if one_page.is_wanted():
        one_page.draw(view.head.symbol)
    else:
        shown = section.whole(view)
        cite.stand_on(shown)
        head.draw_head(view, shown)
        frame.standing()
        section.draw_tabs(view)
        section.draw(view, shown)
        blocks.draw(blocks.notes(shown.notes, shown.claims))
        frame.foot(shown)
