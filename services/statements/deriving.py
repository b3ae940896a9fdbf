"""The figure of a direction: how far one lies above or below the other, never negative."""

from services.core.claims import Claim
from services.core.statement_formulas import STEPPED_INDEXES
from services.statements.book import Book
from services.statements.statement import BrokenError

RISE, FALL = "(later / earlier - 1) * 100", "(1 - later / earlier) * 100"


def derived(book: Book, metric: str, inputs: tuple[Claim, ...], expression: str) -> Claim:
    """The figure of that formula. Raises: BrokenError where it is not registered or has none."""
    made = book.derive(metric, inputs, expression)
    if made is None:
        raise BrokenError("no_formula", metric)
    return made


def moved(book: Book, later: Claim, earlier: Claim) -> Claim:
    """How far it rose or fell, in percent; of percentages and diffusion indexes, in points.

    Raises: BrokenError.
    """
    up = later.value >= earlier.value
    if later.unit == "percent" or later.metric in STEPPED_INDEXES:
        word, expression = ("up", "later - earlier") if up else ("down", "earlier - later")
        return derived(book, f"{later.metric}_points_{word}", (later, earlier), expression)
    word, expression = ("rise", RISE) if up else ("fall", FALL)
    return derived(book, f"{later.metric}_{word}", (later, earlier), expression)


def apart(book: Book, one: Claim, other: Claim, *, times: bool) -> Claim:
    """How far one lies above or below another company's, or the median of its peers; `times`: how
    many times as much it is. Raises: BrokenError.
    """
    tail = "_median" if other.metric.endswith("_peer_median") else ""
    if times:
        name = f"{one.metric}_times_median" if tail else f"{one.metric}_ratio"
        return derived(book, name, (one, other), "one / other")
    above = one.value >= other.value
    name = f"{one.metric}_{'above' if above else 'below'}{tail}"
    if one.unit == "percent":
        return derived(book, name, (one, other), "one - other" if above else "other - one")
    expression = "(one / other - 1) * 100" if above else "(1 - one / other) * 100"
    return derived(book, name, (one, other), expression)
