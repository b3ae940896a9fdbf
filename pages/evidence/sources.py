"""数据源: what answers what, which keys are set, and what the bundled data are and lack."""

from pages.ui import blocks, errors, evidence, frame, resources, timeline
from pages.ui.i18n import t

with errors.frame("sources"):
    view = resources.desk().sources()
    live = view.mode == "live"
    frame.head(view, "" if live else timeline.age(view.snapshot))
    evidence.mode_switch()
    if live:
        evidence.source_cards(view)
    blocks.draw(
        blocks.unseen(t("answers")),
        '<div class="yj-panels">',
        evidence.chains(view),
        evidence.keys(view),
        "</div>",
    )
    blocks.draw(
        blocks.heading(t("bundle"), evidence.built(view)),
        blocks.table(view.parts, view.claims, kind="provenance"),
        blocks.heading(view.dropped.title(evidence.language())),
        blocks.table(view.dropped, view.claims, kind="provenance"),
    )
    blocks.draw(
        blocks.heading(t("defects")),
        '<div class="yj-two">',
        blocks.notes(view.snapshot.defects),
        "</div>",
        blocks.heading(t("licences")),
        blocks.notes(view.licences),
        blocks.notes(view.notes),
    )
