"""A score that ended, as a view: a release with all behind it, or a veto with its rounds."""

import re
from collections.abc import Mapping, Sequence

from services.core.claims import Claim, Missing
from services.core.text import Text
from services.market.names.names import Names
from services.scoring.models import AnalysisPart, FactorScore, Round, ScoreResult
from services.scoring.rule_reason import stance_of
from services.scoring.scorer import ScoreRefused
from services.views.labels import labels_in
from services.views.score_tables import factor_table, finding_table, round_table
from services.views.score_view import (
    FactorLine,
    FindingLine,
    PartLine,
    RoundLine,
    ScoreView,
    VetoView,
)
from services.views.score_words import (
    BY_RULE,
    NO_SCORE,
    PART_WORDS,
    REVIEWED_BY_RULE,
    named_engine,
    reviewer_words,
    writer_words,
)

_QUOTED = re.compile(r"「([^「」]+)」")
_DIGIT = re.compile(r"[0-9]")
_FULL = 10.0


def view_of(names: Names, title: Text, result: ScoreResult | ScoreRefused) -> ScoreView | VetoView:
    """The view of a release, or of a veto."""
    claims = {claim.claim_id: claim for claim in result.claims}
    if isinstance(result, ScoreRefused):
        return _show_refused(names, title, result, claims)
    return _show_released(names, title, result, claims)


def _show_refused(
    names: Names, title: Text, result: ScoreRefused, claims: Mapping[str, Claim]
) -> VetoView:
    rounds, parts = tuple(map(_round, result.rounds)), _parts(result)
    texts = [text for part in parts for text in _texts(part)]
    symbols = dict.fromkeys(claim.symbol for claim in result.claims)
    return VetoView(
        title=title,
        claims=claims,
        trace=result.trace,
        run_ids=(result.run_id,),
        rounds=rounds,
        round_table=round_table(rounds),
        parts=parts,
        labels=labels_in(texts, (names.name(symbol) for symbol in symbols)),
        quotes=_quotes(result, texts),
        finding_table=finding_table(parts) if parts else None,
    )


def _show_released(
    names: Names, title: Text, result: ScoreResult, claims: Mapping[str, Claim]
) -> ScoreView:
    made, draft = result.recommendation, result.draft
    total = claims[result.score_claim] if result.score_claim else None
    factors = _factors(result.factors, claims, made.stock_code)
    parts = _parts(result)
    rounds = tuple(map(_round, result.rounds))
    coverage, reason = claims[result.coverage], result.template
    stance = stance_of(made.hold_score, coverage.value, past=result.of_day is not None)
    texts = [reason, *(text for part in parts for text in _texts(part))]
    texts += [text for one in factors for text in (one.reason.zh, one.reason.en)]
    symbols = dict.fromkeys(claim.symbol for claim in result.claims)
    return ScoreView(
        title=title,
        claims=claims,
        trace=result.trace,
        run_ids=(result.run_id,),
        language=draft.language,
        at=made.timestamp,
        writer=writer_words(draft.engine, draft.model),
        reviewer=reviewer_words(result.review.engine, result.review.model),
        score=total,
        judged=f"{draft.hold_score:g}" if draft.engine == "model" else None,
        stance=stance,
        coverage=coverage,
        reason=reason,
        made=result.made,
        labels=labels_in(texts, (names.name(symbol) for symbol in symbols)),
        quotes=_quotes(result, texts),
        factors=factors,
        parts=parts,
        checks=(*_tell_of_model(result), *result.checks),
        missing=tuple(PART_WORDS[name] for name in result.missing),
        of_day=result.of_day,
        rounds=rounds,
        factor_table=factor_table(total, coverage, factors),
        finding_table=finding_table(parts),
        round_table=round_table(rounds),
    )


def _tell_of_model(result: ScoreResult) -> tuple[Text, ...]:
    """Why the factors' score stands where a model was asked: what is noted first."""
    return (result.model_problem,) if result.model_problem else ()


def _factors(
    factors: Sequence[FactorScore], claims: Mapping[str, Claim], symbol: str
) -> tuple[FactorLine, ...]:
    heaviest = max(claims[one.weight].value for one in factors)
    return tuple(_factor(one, claims, symbol, heaviest) for one in factors)


def _factor(
    one: FactorScore, claims: Mapping[str, Claim], symbol: str, heaviest: float
) -> FactorLine:
    score = claims[one.score] if one.score else None
    absent = Missing(metric=f"{one.factor}_score", symbol=symbol, reason=NO_SCORE)
    return FactorLine(
        name=Text(one.zh, one.en),
        score=score or absent,
        weight=claims[one.weight],
        coverage=claims[one.coverage],
        reason=Text(one.reason, one.reason_en),
        missing=one.missing,
        share=_percent(claims[one.weight].value / heaviest),
        filled=_percent(score.value / _FULL) if score is not None else None,
    )


def _percent(share: float) -> str:
    """A length for a bar, in percent."""
    return f"{max(0.0, min(1.0, share)) * 100:.1f}"


def _parts(result: ScoreResult | ScoreRefused) -> tuple[PartLine, ...]:
    parts: dict[str, AnalysisPart | None] = {
        "sector": result.sector,
        "kline": result.kline,
        "news": result.news,
    }
    return tuple(_part(name, part) for name, part in parts.items() if part is not None)


def _part(name: str, part: AnalysisPart) -> PartLine:
    return PartLine(
        name=PART_WORDS[name],
        status=part.status,
        why=part.why,
        summary=Text(part.summary, part.summary_en),
        findings=tuple(
            FindingLine(Text(one.text, one.text_en), one.direction, one.as_of)
            for one in part.findings
        ),
    )


def _texts(part: PartLine) -> list[str]:
    return [
        text
        for words in (part.summary, *(one.text for one in part.findings))
        for text in (words.zh, words.en)
    ]


def _round(one: Round) -> RoundLine:
    return RoundLine(
        number=one.number,
        passed=one.passed,
        writer=named_engine(one.score_engine, BY_RULE),
        reviewer=named_engine(one.review_engine, REVIEWED_BY_RULE),
        said=one.review_reason,
        failures=one.code_failures,
        seconds=one.seconds,
    )


def _titles(result: ScoreResult | ScoreRefused) -> list[str]:
    return [one.title for one in result.news.headlines] if result.news is not None else []


def _quotes(result: ScoreResult | ScoreRefused, texts: Sequence[str]) -> tuple[str, ...]:
    """Titles from outside that stand in the texts word for word, longest first."""
    found = {hit for text in texts for hit in _QUOTED.findall(text)}
    found |= {title for title in _titles(result) if any(title in text for text in texts)}
    return tuple(sorted((one for one in found if _DIGIT.search(one)), key=len, reverse=True))
