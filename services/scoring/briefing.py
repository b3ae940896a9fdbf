"""What the agents of a score are told of Step 1: every figure as a place to copy, outside texts as
quotations, what is missing by its reason. Put into each request: an agent sees nothing else.
"""

import json
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.agents.tool_answers import Showing
from services.core.claims import Claim
from services.core.clock import BEIJING
from services.core.rendering import PLACE, render, show
from services.core.text import Language
from services.scoring import prompts
from services.scoring.models import (
    Draft,
    FactorScore,
    Finding,
    Headline,
    Part,
    Scorecard,
    Step1Output,
)

_DIRECTIONS: Mapping[str, str] = {"positive": "正面", "negative": "负面", "neutral": "中性"}
_STATUS: Mapping[str, str] = {"ok": "完整", "partial": "部分", "missing": "没有"}
_NOTHING = "（没有）"
_MOST_HEADLINES = 20
_TITLE = re.compile("([「《])([^「」《》]*)([」》])")


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

    def for_redraft(self, draft: Draft, round_: int, reasons: Sequence[str]) -> str:
        """The request for another draft after `draft` was refused."""
        listed = "\n".join(f"- {reason}" for reason in reasons)
        body = json.dumps(
            {"hold_score": draft.hold_score, "summary_reason": draft.summary_reason},
            ensure_ascii=False,
        )
        again = prompts.REDRAFT.format(round=round_, draft=body, reasons=listed)
        return self.for_score() + again

    def for_review(self, draft: Draft) -> str:
        """The request for a review: the reason as a reader would see it, between the marks of a
        text that is not ours.
        """
        before, after = self.marks
        told = f"{before}{self.rendered(draft)}{after}"
        score = f"{draft.hold_score:g}"
        return prompts.REVIEW_TASK.format(**self._subject(), score=score, reason=told)

    def rendered(self, draft: Draft) -> str:
        """The reason with its figures; a place without its claim stays as it is."""
        claims = self.card.by_id
        known = PLACE.sub(
            lambda found: found.group() if found.group(1) in claims else "{?}",
            draft.summary_reason,
        )
        return render(known, claims, draft.language)

    def _subject(self) -> dict[str, str]:
        return {
            "stock_code": self.step1.stock_code,
            "stock_name": self.step1.stock_name,
            "today": self.step1.as_of.isoformat(),
            "facts": self.facts,
        }


def brief(step1: Step1Output, card: Scorecard, language: Language) -> Briefing:
    """Everything there is to know, written once for all requests of a run."""
    telling = _Telling(card.by_id, language, Showing(secrets.token_hex(4), language))
    facts = prompts.FACTS.format(
        news_status=_status(step1.news),
        news=telling.part(step1.news) + telling.headlines(step1.news.headlines),
        sector_status=_status(step1.sector),
        sector=telling.part(step1.sector),
        kline_status=_status(step1.kline),
        kline=telling.part(step1.kline),
        checks="\n".join(f"- {check}" for check in step1.checks) or _NOTHING,
        factors="\n".join(telling.factor(one) for one in card.factors) or _NOTHING,
    )
    return Briefing(step1, card, language, facts, telling.showing.marks)


@dataclass(frozen=True, slots=True)
class _Telling:
    claims: Mapping[str, Claim]
    language: Language
    showing: Showing

    def part(self, part: Part) -> str:
        """Its summary, findings and figures, a line each."""
        lines = [self._valued(self._pick(part.summary, part.summary_en))] if part.summary else []
        lines += [self._finding(one) for one in part.findings]
        named = set(PLACE.findall("".join(lines)))
        lines += [self._figure(one) for one in part.figures if one not in named]
        return "\n".join(lines) or _NOTHING

    def headlines(self, headlines: Sequence[Headline]) -> str:
        """Titles from outside between marks they cannot close."""
        if not headlines:
            return ""
        rows = [
            {
                "published": _day(one),
                "origin": one.origin,
                "title": one.title,
                "direction": _DIRECTIONS.get(one.direction or ""),
            }
            for one in headlines[:_MOST_HEADLINES]
        ]
        return "\n" + self.showing.of({"headlines": rows}).text

    def factor(self, factor: FactorScore) -> str:
        """One factor: its score, its weight, why, and what it lacks."""
        score = self._figure(factor.score) if factor.score else _NOTHING
        lacking = f"；缺：{'、'.join(one.zh for one in factor.missing)}"
        return (
            f"- {factor.zh}（{factor.en}）：{score}，{self._figure(factor.weight)}；"
            f"{self._valued(self._pick(factor.reason, factor.reason_en))}"
            f"{lacking if factor.missing else ''}"
        )

    def _finding(self, finding: Finding) -> str:
        day = f"，{finding.as_of.isoformat()}" if finding.as_of else ""
        text = self._valued(self._pick(finding.text, finding.text_en))
        return f"- [{_DIRECTIONS[finding.direction]}{day}] {text}"

    def _figure(self, claim_id: str) -> str:
        claim = self.claims[claim_id]
        period = f" {claim.period}" if claim.period else ""
        about = f"{claim.symbol} {claim.metric}{period} {claim.as_of.isoformat()}"
        return f"{about} {{{{c:{claim_id}}}}}（{show(claim, self.language).text}）"

    def _valued(self, template: str) -> str:
        """The template with the value behind each place; titles in it are texts from outside."""

        def valued(found: re.Match[str]) -> str:
            claim = self.claims.get(found.group(1))
            return "" if claim is None else f"{found.group()}（{show(claim, self.language).text}）"

        before, after = self.showing.marks
        quoted = _TITLE.sub(
            lambda found: f"{found[1]}{before}{found[2]}{after}{found[3]}", template
        )
        return PLACE.sub(valued, quoted)

    def _pick(self, zh: str, en: str) -> str:
        return zh if self.language == "zh" else en


def _status(part: Part) -> str:
    why = f"（{part.why}）" if part.why else ""
    return _STATUS[part.status] + why


def _day(headline: Headline) -> str | None:
    at = headline.published_at
    return at.astimezone(BEIJING).date().isoformat() if at else None
