"""Small words of the reports written by rule: figures as places, names and periods as labels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from services.agents.titles import title_of
from services.agents.toolkit import CallResult
from services.core.claims import Claim, Figure
from services.core.clock import BEIJING
from services.core.errors import InputError
from services.core.periods import Period
from services.core.rendering import place
from services.core.text import Language
from services.core.trace import Item, Trace
from services.market.events.lead_words import quote_title
from services.statements.proved_texts import Made
from services.statements.tongue import label_within

T = TypeVar("T")
_NO_CLOSING = str.maketrans({"「": "『", "」": "』", "《": "〈", "》": "〉"})
_LEAST_TITLE = 6
_LONGEST_QUOTE = 2_000


def quotations(trace: Trace) -> list[str]:
    """Every text from outside that a statement may quote word for word."""
    return [
        text[:_LONGEST_QUOTE]
        for call in trace.tool_calls
        for item in call.items
        for text in (item.title, item.text, quote_title(item.title)[1:-1], headline(item))
        if text
    ]


@dataclass(slots=True)
class Sections:
    """The texts of a report while it is being written; `made`: those made of statements."""

    summary: str = ""
    key_points: list[str] = field(default_factory=list[str])
    recommendations: list[str] = field(default_factory=list[str])
    risk_factors: list[str] = field(default_factory=list[str])
    made: list[Made] = field(default_factory=list[Made])


@dataclass(frozen=True, slots=True)
class Words:
    """One language's way to put a name and a figure side by side."""

    language: Language

    @property
    def zh(self) -> bool:
        """Whether it is Chinese."""
        return self.language == "zh"

    def pick(self, zh: str, en: str) -> str:
        """The one of the two."""
        return zh if self.zh else en

    def label(self, metric: str) -> str:
        """What the metric is called within a sentence."""
        return label_within(metric, self.language)

    def stated(self, claim: Claim) -> str:
        """`市净率 {{c:…}}`."""
        return f"{self.label(claim.metric)} {place(claim)}"

    def listed(self, claims: Iterable[Figure | None]) -> str:
        """Those that are there, side by side; empty when none is."""
        told = [self.stated(one) for one in claims if isinstance(one, Claim)]
        return self.join(told)

    def dated(self, claims: Iterable[Figure | None]) -> str:
        """Those that are there, those of one day behind that day."""
        runs: dict[date, list[str]] = {}
        for one in claims:
            if isinstance(one, Claim):
                runs.setdefault(one.as_of, []).append(self.stated(one))
        return self.by_day(runs)

    def by_day(self, runs: Mapping[date, Sequence[str]]) -> str:
        """What is said of each day behind that day."""
        return self.pick("；", "; ").join(
            self.join([f"{self.pick('截至', 'as of ')}{day.isoformat()}", *told])
            for day, told in runs.items()
        )

    def join(self, parts: Iterable[str]) -> str:
        """Parts of one sentence."""
        return self.pick("，", ", ").join(part for part in parts if part)

    def period(self, text: str | None) -> str:
        """`2016年报`, `FY2016`; empty for none."""
        if text is None:
            return ""
        try:
            return Period.parse(text).report.label(self.language)
        except InputError:
            return text

    def end(self, text: str) -> str:
        """The text as a sentence."""
        if not text or self.zh:
            return f"{text}。" if text else ""
        return f"{text[0].upper()}{text[1:]}."


def found(gathered: Sequence[CallResult], name: str, kind: type[T]) -> T | None:
    """What the tool of that name brought; None when it brought nothing."""
    views = (one.view for one in gathered if one.name == name)
    return next((view for view in views if isinstance(view, kind)), None)


def headline(item: Item) -> str:
    """The title on one line as it may stand between 「」."""
    return quote_title(item.title)[1:-1].translate(_NO_CLOSING)


def quotation(item: Item, words: Words, since: date | None = None) -> str:
    """A headline as a quotation with its day, in signs of ours that it cannot close. Empty for one
    without letters, and for one before `since`.
    """
    title = headline(item)
    at = item.published_at.astimezone(BEIJING).date() if item.published_at else None
    if len(title) < _LEAST_TITLE or (since is not None and at is not None and at < since):
        return ""
    origin = words.pick("（{}）", " ({})").format(at.isoformat()) if at else ""
    return f"「{title}」{origin}"


def lacking(gathered: Sequence[CallResult], words: Words) -> str:
    """Which parts did not come; why is among the warnings. Empty when all came."""
    absent = dict.fromkeys(one.name for one in gathered if one.error is not None)
    if not absent:
        return ""
    told = words.pick("、", ", ").join(title_of(n).in_language(words.language) for n in absent)
    return words.pick(
        f"没有取得：{told}（原因见说明）。", f"Not available: {told} (see the notes for why)."
    )
