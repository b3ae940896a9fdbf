"""数据源: how each source is doing, what answers what, which keys are set, what the bundle is."""

from pages.company import timeline
from pages.evidence import market_sync as copies
from pages.evidence import run_parts as evidence
from pages.ui import blocks, errors, frame, resources
from pages.ui.i18n import say, t

with errors.frame("sources"):
    view = resources.desk().sources()
    live = view.mode == "live"
    frame.head(view, "" if live else timeline.age(view.snapshot))
    if live:
        copies.sync(view.copies, view.copies_behind)
        evidence.source_cards(view)
    blocks.draw(
        blocks.heading(t("wiring")) if live else blocks.unseen(t("answers")),
        '<div class="yj-panels">',
        evidence.chains(view),
        evidence.keys(view),
        "</div>",
    )
    if evidence.bundle_wanted(live=live):
        blocks.draw(
            blocks.heading(t("defects"), evidence.built(view)),
            '<div class="yj-two">',
            blocks.notes(view.snapshot.defects),
            "</div>",
            blocks.heading(t("licences")),
            blocks.notes(view.licences),
            blocks.notes(view.notes),
            blocks.folded(
                t("bundle_full"), blocks.table(view.parts, view.claims, kind="provenance")
            ),
            blocks.folded(
                say(view.dropped.title), blocks.table(view.dropped, view.claims, kind="provenance")
            ),
        )
