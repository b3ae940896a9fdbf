"""Small words of Step 1: dates and figures in both languages, reasons, and what is fresh enough."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, Figure
from services.core.clock import Clock
from services.core.limits import COMPETENCES
from services.core.rendering import place
from services.core.score_rules import FRESH_ID, side_of_figure
from services.core.symbols import Symbol
from services.core.text import Text, join_texts
from services.market.calendar import Calendar
from services.market.indicators.backends import Choice
from services.market.names.names import Names
from services.scoring.models import Direction, Finding

_WAYS: Mapping[int, Direction] = {1: "positive", 0: "neutral", -1: "negative"}
_PUBLIC_AFTER = timedelta(days=COMPETENCES[FRESH_ID].values["public_days"])


@dataclass(frozen=True, slots=True)
class AnalysisDesk:
    """What the three analyses work with; the same for every company."""

    names: Names
    calendar: Calendar
    clock: Clock
    indicator_backend: Choice = "auto"


@dataclass(frozen=True, slots=True)
class RunSubject:
    """The company of one run, and the day it is looked at; `past`: not the day it is today."""

    symbol: Symbol
    name: str
    today: date
    past: bool = False


def reasons(parts: Mapping[Text, Text]) -> Text | None:
    """`what: why` of each, as one text in both languages; None where there is nothing to say."""
    if not parts:
        return None
    return join_texts(
        Text(f"{what.zh}：{why.zh}", f"{what.en}: {why.en}") for what, why in parts.items()
    )


def days_allowed(kind: str) -> int:
    """How old `price`, `valuation` or `report` figures may be to be scored."""
    return int(COMPETENCES[FRESH_ID].values[f"{kind}_days"])


def is_fresh(day: date, today: date, kind: str) -> bool:
    """Whether a figure of that day may be scored on `today`: neither too old nor of a later day."""
    return timedelta() <= today - day <= timedelta(days=days_allowed(kind))


def was_public(ended: date, announced: date | None, subject: RunSubject) -> bool:
    """Whether a report on a period that ended then could be read on the subject's day. Where
    nobody says when it came out, a past day waits for it as long as the slowest may take.
    """
    return not subject.past or (announced or ended + _PUBLIC_AFTER) <= subject.today


def named(metric: str) -> Text:
    """What a figure is called."""
    return CATALOGUE[metric].words


def stated(claims: Iterable[Figure | None]) -> Text:
    """`市净率 {{c:…}}`, those that are there side by side; empty where none is."""
    there = [one for one in claims if isinstance(one, Claim)]
    zh = [f"{CATALOGUE[one.metric].zh} {place(one)}" for one in there]
    en = [f"{CATALOGUE[one.metric].en} {place(one)}" for one in there]
    return Text("，".join(zh), ", ".join(en))


def way_of(claim: Claim) -> Direction:
    """What a graded figure speaks for (core/score_rules.py)."""
    return _WAYS[side_of_figure(claim.metric, claim.value)]


def finding(
    text: Text, direction: Direction, claims: Iterable[Figure | None], as_of: date | None = None
) -> Finding:
    """A finding on these figures; of the newest of their days unless said otherwise."""
    there = [one for one in claims if isinstance(one, Claim)]
    return Finding(
        text=text.zh,
        text_en=text.en,
        direction=direction,
        as_of=as_of or max((one.as_of for one in there), default=None),
        claims=tuple(one.claim_id for one in there),
    )


def ids(claims: Iterable[Figure | None]) -> tuple[str, ...]:
    """The ids of those that are there, each once."""
    return tuple(dict.fromkeys(one.claim_id for one in claims if isinstance(one, Claim)))
