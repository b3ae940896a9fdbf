"""溯源: every run of the session, what sources answered, each claim beside its raw value."""

from pages.evidence import replays
from pages.evidence import run_parts as evidence
from pages.ui import blocks, cite, errors, frame, resources, state
from pages.ui.i18n import t

replays.carry_out()
run, call = state.stated("run"), state.stated("tc")
with errors.frame("trace"):
    view = resources.desk().traces(
        state.session().session_id,
        run_id=run or None,
        tool_call_id=call or None,
        members_of=state.stated("members") or None,
    )
    whole = replays.standing(view)
    cite.stand_on(whole)
    frame.head(view)
    evidence.runs(view)
    if view.run_id is not None:
        evidence.members(view)
        evidence.verdict(view)
        replays.draw(view)
        blocks.draw(
            blocks.heading(t("calls")),
            blocks.table(view.asked, view.claims, kind="provenance", tall=True),
            blocks.folded(
                t("calls_full"),
                blocks.table(view.runs, view.claims, kind="provenance", tall=True)
                + blocks.table(view.calls, view.claims, kind="provenance", tall=True),
                is_open=bool(call),
            ),
        )
        evidence.claims(view)
    blocks.draw(blocks.notes(view.notes, view.claims))
    frame.foot(whole)
