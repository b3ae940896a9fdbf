"""An abnormal move in a few words: which figure it is, and what triggered it."""

from collections.abc import Sequence

from pages.ui.i18n import LIST_COMMA, say, t
from services.core.claims import Claim
from services.market.events.events import Event

_MOVES = ("pct_change", "run_change")
# What a rule is called in a word; the whole statement is on the company's page.
_TRIGGERS = (
    ("abnormal.run", "trigger_run"),
    ("abnormal.resumption", "trigger_resumption"),
    ("abnormal.deviation", "trigger_deviation"),
    ("abnormal.z", "trigger_deviation"),
    ("abnormal.volume", "trigger_volume"),
    ("abnormal.gap", "trigger_gap"),
    ("abnormal.index", "trigger_index"),
    ("abnormal.published", "trigger_published"),
    ("limit.", "trigger_limit"),
)


def move_of(event: Event) -> Claim | None:
    """The figure of the move itself; None where the event has none."""
    mine = (one for one in event.claims if one.symbol == event.symbol)
    return next((one for one in mine if one.metric in _MOVES), None)


def trigger_words(rules: Sequence[str]) -> str:
    """Every rule that was triggered, each in a word, once."""
    keys = dict.fromkeys(
        key for rule in rules for prefix, key in _TRIGGERS if rule.startswith(prefix)
    )
    return say(LIST_COMMA).join(t(key) for key in keys)
