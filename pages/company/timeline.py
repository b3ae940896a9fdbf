"""What data a page stands on, in a line."""

from pages.ui import blocks, cite
from pages.ui.i18n import t
from services.views.view import SnapshotFacts


def age(facts: SnapshotFacts | None) -> str:
    """One line: which bundle, its clock, and what was frozen; nothing for live data."""
    if facts is None:
        return ""
    line = f"{cite.tag('label', facts.name)} · {t('clock_stands')} {cite.day(facts.clock)}"
    if facts.scope is None:
        return line
    return f"{line} · {t('frozen_holds')} {cite.tag('label', blocks.words(facts.scope))}"
