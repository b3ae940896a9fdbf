"""The reason of a stored score in the other language: written again of the same facts.

What is stored stays as it is; this is for a reader of the other language alone.
"""

from services.core.catalogue import metric_words
from services.core.errors import YoujuError
from services.core.rendering import render
from services.core.text import Language
from services.scoring.models import (
    SUMMARY_REASON_MAX_CHARS,
    Saying,
    Scorecard,
    ScoreResult,
    Step1Output,
)
from services.scoring.rule_reason import Reasoning
from services.scoring.sayings import kept_book
from services.statements.statement import Held


def retell(result: ScoreResult, language: Language, name_en: str) -> str | None:
    """The reason as the rules write it in that language, a template over the result's own claims.

    None where the stored one is not what the rules write of what is stored, in its own language: a
    model's reason, or one of whose facts a part was not kept.
    """
    news, sector, kline = result.news, result.sector, result.kline
    if result.engine != "rule" or result.score_claim is None or not (news and sector and kline):
        return None
    at = result.recommendation.timestamp
    step1 = Step1Output(
        news=news,
        sector=sector,
        kline=kline,
        checks=result.checks,
        claims=result.claims,
        trace=result.trace,
        run_id=result.run_id,
        as_of=at.date(),
        instant=at,
        of_day=result.of_day,
        since=result.since,
        stock_name_en=name_en,
    )
    card = Scorecard(
        stock_code=step1.stock_code,
        stock_name=step1.stock_name,
        factors=result.factors,
        total=result.score_claim,
        coverage=result.coverage,
        claims=result.claims,
        sayings=_sayings(result, step1),
    )
    try:
        stored = _texts(step1, card, result.draft.language)
        if result.template not in stored:
            return None
        # What a reviewer refused was longer than what was released: it stays as short.
        first = stored.index(result.template) if len(result.rounds) > 1 else 0
        told = _texts(step1, card, language)[first:]
    except (KeyError, YoujuError):  # what a later version asks of facts that were kept before it
        return None
    fits = (
        one for one in told if len(render(one, card.by_id, language)) <= SUMMARY_REASON_MAX_CHARS
    )
    return next(fits, None)


def _sayings(result: ScoreResult, step1: Step1Output) -> tuple[Saying, ...]:
    """The statements that its reason tells, each on the side it speaks for."""
    book, found = kept_book(step1, result.claims), list[Saying]()
    for statement in (one for made in result.made for one in made.statements):
        held = statement.check(book)
        if isinstance(held, Held):
            name = metric_words(held.topic)
            found.append(
                Saying(
                    id=f"s{len(found) + 1}",
                    side=held.stance,
                    name=name,
                    text=name,
                    statement=statement,
                )
            )
    return tuple(found)


def _texts(step1: Step1Output, card: Scorecard, language: Language) -> list[str]:
    """The reason in that language, the longest first."""
    total = card.by_id[card.total or ""]
    return [one.text for one in Reasoning(step1, card, language).reasons(total)]
