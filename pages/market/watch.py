"""自选: one list of the reader's, with what it did since; others are chosen above it."""

from html import escape

from pages.compare import links
from pages.market import alerting, watch_controls, watching
from pages.ui import basis, blocks, cite, errors, exporting, frame, sharing
from pages.ui.choosing import choose_one
from pages.ui.i18n import t
from pages.ui.nothing import nothing, way

slot = frame.heading(t("page_watch"))
with errors.frame("watch"):
    name = watching.chosen()
    watch_controls.carry_out(name)
    name = name or watching.chosen()
    alerting.draw()
    view = watching.view_of(name) if name else None
    if len(watching.lists()) > 1:
        choose_one(t("watch_lists"), watching.lists(), watching.name_list, "w_list")
    with slot:
        watch_controls.add(view)
        watch_controls.begin()
        if view is not None:
            if sharing.is_own("watchlist", view.list):
                watch_controls.edit(view)
            sharing.control("watchlist", view.list)
            exporting.exports(view, width="content")
    if view is None or not view.entries:
        ways = (way("screen", t("compare_to_screen"), first=True), way("company", t("watch_see")))
        blocks.draw(nothing(escape(t("watch_none")), ways))
    elif view is not None:
        cite.stand_on(view)
        frame.standing()
        together = links.together([one.watched.symbol for one in view.entries])
        note = f'<p class="yj-mute">{t("watch_since_note")}{together}</p>'
        told = basis.line(basis.of_view(view))
        blocks.draw(told, watching.table(view), note)
        blocks.draw(blocks.notes(view.notes, view.claims))
        frame.foot(view)
