"""选股: filters, the matching companies with their figures, saved screens."""

from pages.market import filters, results
from pages.ui import blocks, cite, errors, frame, resources, state
from pages.ui.i18n import t

slot = frame.heading(t("page_screen"))
with errors.frame():
    given = filters.arguments()
    page = filters.page(given)
    view = resources.desk().screen(given, state.session().session_id, page)
    cite.stand_on(view)
    frame.standing()
    blocks.draw(results.counts(view))
    with slot:
        results.actions(view)
    blocks.draw(
        blocks.table(
            view.table,
            view.claims,
            sorted_by=(view.request.order_by, view.request.order),
            sorter=filters.sort_address,
            empty="screen_empty",
        )
    )
    results.pages(view)
    blocks.draw(blocks.notes(view.notes, view.claims))
    frame.foot(view)
