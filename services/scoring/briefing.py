"""What the agents of a score are told of Step 1: the grounds they may choose from by id, each as a
reader sees it, and titles from outside as quotations. Put into each request: an agent sees nothing
else.
"""

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from services.agents.tool_answers import Showing
from services.core.clock import BEIJING
from services.core.rendering import PLACE, render, show
from services.core.text import Language, Text
from services.scoring import prompts
from services.scoring.models import Headline, Saying, Scorecard, ScoreDraft, Step1Output
from services.scoring.sayings import sayings_of

_NOTHING = Text("（没有）", "(none)")
_SIGNS = {1: "+", -1: "-", 0: " "}
_MOST_HEADLINES = 20
# A title from outside within a sentence of ours: it cannot close its own signs.
_TITLE = re.compile("「([^「」]*)」")


@dataclass(frozen=True, slots=True)
class Briefing:
    """One run's facts in words, for one language of the reason."""

    step1: Step1Output
    card: Scorecard
    language: Language
    facts: str
    marks: tuple[str, str]

    def for_score(self) -> str:
        """The first request for a draft."""
        return prompts.SCORE_TASK.format(**self._subject())

    def for_redraft(self, draft: ScoreDraft, round_: int, reasons: Sequence[str]) -> str:
        """The request for another draft after `draft` was refused."""
        listed = "\n".join(f"- {reason}" for reason in reasons)
        score, chosen = f"{draft.hold_score:g}", ", ".join(draft.chosen)
        again = prompts.REDRAFT.format(round=round_, score=score, chosen=chosen, reasons=listed)
        return self.for_score() + again

    def for_review(self, draft: ScoreDraft) -> str:
        """The request for a review: the score, what it rests on, and the reason as a reader sees
        it, between the marks of a text that is not ours.
        """
        before, after = self.marks
        claims = self.card.by_id
        known = PLACE.sub(lambda at: at[0] if at[1] in claims else "{?}", draft.summary_reason)
        told = render(known, claims, draft.language)
        return prompts.REVIEW_TASK.format(
            **self._subject(),
            score=f"{draft.hold_score:g}",
            chosen=", ".join(draft.chosen),
            reason=f"{before}{told}{after}",
        )

    def _subject(self) -> dict[str, str]:
        return {
            "stock_code": self.step1.stock_code,
            "stock_name": self.step1.stock_name,
            "today": self.step1.as_of.isoformat(),
            "facts": self.facts,
        }


def brief(step1: Step1Output, card: Scorecard, language: Language) -> Briefing:
    """Everything there is to know, written once for all requests of a run."""
    showing, nothing = Showing(secrets.token_hex(4), language), _NOTHING.in_language(language)
    claims = card.by_id

    def line(one: Saying) -> str:
        before, after = showing.marks
        said = _TITLE.sub(
            lambda found: f"「{before}{found[1]}{after}」",
            render(one.text.in_language(language), claims, language),
        )
        return f"{one.id} {_SIGNS[one.side]} {said}"

    missing = [one for factor in card.factors for one in factor.missing]
    facts = prompts.FACTS.format(
        sayings="\n".join(line(one) for one in sayings_of(card)) or nothing,
        total=show(claims[card.total], language).text if card.total else nothing,
        checks="\n".join(f"- {one.in_language(language)}" for one in step1.checks) or nothing,
        missing="、".join(one.in_language(language) for one in dict.fromkeys(missing)) or nothing,
        headlines=_headlines(step1.news.headlines, showing) or nothing,
    )
    return Briefing(step1, card, language, facts, showing.marks)


def _headlines(headlines: Sequence[Headline], showing: Showing) -> str:
    """Titles from outside between marks they cannot close."""
    if not headlines:
        return ""
    rows = [
        {"published": _day(one), "origin": one.origin, "title": one.title}
        for one in headlines[:_MOST_HEADLINES]
    ]
    return showing.of({"headlines": rows}).text


def _day(headline: Headline) -> str | None:
    at = headline.published_at
    return at.astimezone(BEIJING).date().isoformat() if at else None
