"""An abnormal move in a few words: which figure it is, and what triggered it."""

from html import escape

from pages.ui import cite
from pages.ui.i18n import LIST_COMMA, say, t
from services.core.claims import Claim
from services.market.events.events import Event
from services.views.events import tell_cause

# Stands for the day until it is marked up.
_PLACE = "\x00"
_MOVES = ("pct_change", "run_change")
# What a rule is called in a word; the whole statement is on the company's page.
_TRIGGERS = (
    ("abnormal.run", "trigger_run"),
    ("abnormal.resumption", "trigger_resumption"),
    ("abnormal.deviation", "trigger_deviation"),
    ("abnormal.z", "trigger_rare"),
    ("abnormal.volume", "trigger_volume"),
    ("abnormal.gap", "trigger_gap"),
    ("abnormal.index", "trigger_index"),
    ("limit.", "trigger_limit"),
)


def move_of(event: Event) -> Claim | None:
    """The figure of the move itself; None where the event has none."""
    mine = (one for one in event.claims if one.symbol == event.symbol)
    return next((one for one in mine if one.metric in _MOVES), None)


def trigger_words(event: Event) -> str:
    """Every rule that was triggered, each in a word, once; of a run and a limit which way."""
    keys = dict.fromkeys(
        key for rule in event.rules for prefix, key in _TRIGGERS if rule.startswith(prefix)
    )
    way = t("trigger_up" if event.is_rise else "trigger_down")
    return say(LIST_COMMA).join(t(key, way=way) for key in keys)


def trigger_line(event: Event) -> str:
    """The same as markup; of a stretch of days with its first, since its move is of them all."""
    words = trigger_words(event)
    if event.start == event.end:
        return escape(words)
    told = escape(t("market_moves_since", words=words, day=_PLACE))
    return told.replace(_PLACE, cite.day(event.start))


def cause_words(event: Event) -> str:
    """What accounts for it in a word; or that nothing known does."""
    return say(tell_cause(event)) or t("unexplained")
