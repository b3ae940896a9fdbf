"""A score that ended, as a view: a release with all behind it, or a veto with its rounds."""

import re
from collections.abc import Mapping, Sequence, Set

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim, DerivedCite, Missing, ToolCite
from services.core.rendering import PLACE
from services.core.source_marks import priced_on
from services.core.text import Language, Text
from services.market.names.names import Names
from services.scoring.models import AnalysisPart, FactorScore, Round, ScoreResult
from services.scoring.retelling import retell
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
# One multiple over another: the price falls out.
_WITHOUT_PRICE = frozenset({"profit_pace", "roe"})
_PRICED = CATALOGUE.ids_where(kind="valuation") | {"market_cap"}
# What rules make of a figure is of the day of the score, whatever it is made of.
_GRADES = frozenset({"score", "ratio"})


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
        old=_old_valuations(result, claims),
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
    old = _old_valuations(result, claims)
    factors = _factors(result.factors, claims, made.stock_code, old)
    parts = _parts(result)
    rounds = tuple(map(_round, result.rounds))
    coverage, reason = claims[result.coverage], result.template
    other: Language = "en" if draft.language == "zh" else "zh"
    retold = retell(result, other, names.text(made.stock_code).en) or ""
    stance = stance_of(made.hold_score, coverage.value, past=result.of_day is not None)
    texts = [reason, retold, *(text for part in parts for text in _texts(part))]
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
        retold=retold,
        made=result.made,
        labels=labels_in(texts, (names.name(symbol) for symbol in symbols)),
        quotes=_quotes(result, texts),
        factors=factors,
        parts=parts,
        checks=(*_tell_of_model(result), *result.checks),
        missing=tuple(PART_WORDS[name] for name in result.missing),
        of_day=result.of_day,
        old=old,
        rounds=rounds,
        factor_table=factor_table(total, coverage, factors),
        finding_table=finding_table(parts),
        round_table=round_table(rounds),
    )


def _tell_of_model(result: ScoreResult) -> tuple[Text, ...]:
    """Why the factors' score stands where a model was asked: what is noted first."""
    return (result.model_problem,) if result.model_problem else ()


def _old_valuations(
    result: ScoreResult | ScoreRefused, claims: Mapping[str, Claim]
) -> frozenset[str]:
    """The figures of a price before that of the newest bar: the source's market value and
    multiples, and what is worked out from them. Nothing of a company without bars.
    """
    last = result.kline.last_session if result.kline is not None else None
    if last is None:
        return frozenset()
    old: set[str] = set()
    for name, one in claims.items():  # a figure stands behind those it is made of
        given = isinstance(one.cite, ToolCite) and one.metric in _PRICED
        made = isinstance(one.cite, DerivedCite) and not old.isdisjoint(one.cite.inputs)
        aside = one.unit in _GRADES or one.metric in _WITHOUT_PRICE
        if one.as_of < last and not aside and (given or made):
            old.add(name)
    return frozenset(old)


def _dated(one: FactorScore, claims: Mapping[str, Claim], old: Set[str]) -> Text | None:
    """That the factor rests on a valuation of an older price, and of which."""
    found = [claims[name] for name in (*one.inputs, *PLACE.findall(one.reason)) if name in old]
    if not found:
        return None
    sizes = all(claim.metric == "market_cap" for claim in found)
    what = Text("市值", "market value") if sizes else Text("倍数", "multiples")
    day, priced = found[0].as_of, min(map(priced_on, found))
    close = Text(f"（按 {priced} 收盘价）", f" (at the close of {priced})")
    tail = close if priced < day else Text("", "")
    return Text(f"用 {day} 的{what.zh}{tail.zh}", f"on {what.en} of {day}{tail.en}")


def _factors(
    factors: Sequence[FactorScore], claims: Mapping[str, Claim], symbol: str, old: Set[str]
) -> tuple[FactorLine, ...]:
    heaviest = max(claims[one.weight].value for one in factors)
    return tuple(_factor(one, claims, symbol, heaviest, old) for one in factors)


def _factor(
    one: FactorScore, claims: Mapping[str, Claim], symbol: str, heaviest: float, old: Set[str]
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
        dated=_dated(one, claims, old),
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
