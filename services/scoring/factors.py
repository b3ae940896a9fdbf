"""The factor model of the hold score: Step 1's figures graded, weighed and added, all as claims.

What is graded and how stands in core/score_rules.py, the arithmetic in core/score_formulas.py.
What is not there is named, never imputed; weights are of what is there, and how much of it there
is is a claim too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NoReturn, cast

from services.core.claims import Claim, ToolCite
from services.core.errors import NoDataError
from services.core.formulas import Formula, formula_for
from services.core.ledger import Ledger
from services.core.limits import COMPETENCES, VALUE_UNITS
from services.core.requests import FetchRequest
from services.core.score_formulas import mean_expression, names_of, share_expression
from services.core.score_rules import FACTORS, TOTAL_ID, Component, factor_id
from services.core.text import Text
from services.scoring.fact_words import named
from services.scoring.factor_words import lends, told
from services.scoring.models import Factor, FactorScore, Scorecard, Step1Output
from services.scoring.sayings import prove_sayings

LEAST_COVERAGE = COMPETENCES[TOTAL_ID].values["least_coverage"]


@dataclass(frozen=True, slots=True)
class _Graded:
    """A component of this company: its figure and grade, both null where it has none."""

    rule: Component
    figure: Claim | None
    grade: Claim | None


class _Model:
    """One company's figures, and the claims made of them."""

    def __init__(self, step1: Step1Output, ledger: Ledger) -> None:
        claims = {claim.claim_id: claim for claim in step1.claims}
        self._ledger = ledger
        self._symbol = step1.stock_code
        self.known: dict[str, Claim] = {}
        for part in (step1.sector, step1.kline, step1.news):
            for name in part.figures:
                self.known.setdefault(claims[name].metric, claims[name])
        self._days = frozenset(
            fact.as_of
            for call in step1.trace.tool_calls
            for fact in call.rows
            if fact.symbol == self._symbol
        )
        self._today = _newest(step1, self._symbol) or max(self._days)
        self.industry = step1.sector.industry or ""

    def figure_of(self, rule: Component) -> Claim | None:
        """What the component grades: the first there is of its metrics, in its currency."""
        for metric in rule.metrics:
            found = self.known.get(metric)
            if found is not None and (not rule.currency or found.unit == rule.currency):
                return found
        return None

    def components(self, factor: str) -> dict[str, _Graded]:
        """Every component that applies, by name, graded where there is a figure."""
        found: dict[str, _Graded] = {}
        for rule in FACTORS[factor].components:
            figure = self.figure_of(rule)
            if not self._applies(rule, figure) or (rule.name in found and figure is None):
                continue
            grade = self._grade(factor, rule, figure) if figure is not None else None
            found[rule.name] = _Graded(rule, figure, grade)
        return found

    def _applies(self, rule: Component, figure: Claim | None) -> bool:
        if rule.name == "debt" and lends(self.industry):
            return False
        return figure is not None or not rule.if_any

    def _grade(self, factor: str, rule: Component, figure: Claim) -> Claim | None:
        day = figure.as_of if figure.as_of in self._days else self._today
        limits = [self.rule(factor_id(factor), f"{rule.key}_{end}", day) for end in ("from", "to")]
        function = "log_grade" if rule.log else "grade"
        expression = f"{function}({figure.metric}, {rule.key}_from, {rule.key}_to)"
        return self.derive(f"{rule.name}_grade", expression, [figure, *limits])

    def rule(self, competence_id: str, metric: str, day: date | None = None) -> Claim:
        """A figure of the model's own, applied to this company."""
        return self._ledger.competence(
            competence_id, metric, self._symbol, day or self._today, VALUE_UNITS[metric]
        )

    def derive(self, metric: str, expression: str, inputs: Sequence[Claim]) -> Claim | None:
        """The registered formula of these inputs."""
        return self._ledger.derive(_formula(metric, expression), inputs)


def _newest(step1: Step1Output, symbol: str) -> date | None:
    """The newest day of a figure of the company that Step 1 tells."""
    days = [
        claim.as_of
        for claim in step1.claims
        if claim.symbol == symbol
        and isinstance(claim.cite, ToolCite)
        and (step1.of_day is None or claim.as_of <= step1.of_day)
    ]
    return max(days, default=None)


def _formula(metric: str, expression: str) -> Formula:
    found = formula_for(metric, expression)
    if found is None:
        raise KeyError(f"{metric}: {expression}")
    return found


def scorecard(step1: Step1Output, ledger: Ledger | None = None) -> Scorecard:
    """All factors and the total of one company; below the least coverage there is no total.

    The claims are made on `ledger`, the one Step 1 worked on, where its run is to keep them too.
    The order of Step 1's findings and claims does not matter.
    """
    own = ledger or _ledger_of(step1)
    model = _Model(step1, own)
    factors: list[FactorScore] = []
    made: dict[str, Claim] = {}
    for name in FACTORS:
        factors.append(_factor(cast("Factor", name), model, made))
    coverage = _coverage(model, made)
    total = _total(model, made) if coverage.value >= LEAST_COVERAGE else None
    # Without a score nobody chooses a reason, and most companies of a whole market have none.
    sayings = prove_sayings(step1, own) if total is not None else ()
    known = {claim.claim_id: claim for claim in (*step1.claims, *own.claims)}
    return Scorecard(
        stock_code=step1.stock_code,
        stock_name=step1.stock_name,
        factors=tuple(factors),
        total=total.claim_id if total is not None else None,
        coverage=coverage.claim_id,
        claims=tuple(known.values()),
        sayings=sayings,
    )


def _ledger_of(step1: Step1Output) -> Ledger:
    ledger = Ledger(_asks_nothing)
    for call in step1.trace.tool_calls:
        ledger.record(call)
    return ledger


def _asks_nothing(request: FetchRequest) -> NoReturn:
    raise NoDataError(
        request.capability, Text("评分不另取数", "a score fetches nothing of its own")
    )


def _factor(factor: Factor, model: _Model, made: dict[str, Claim]) -> FactorScore:
    rule = FACTORS[factor]
    components = model.components(factor)
    graded = {
        name: (one.figure, one.grade)
        for name, one in components.items()
        if one.figure is not None and one.grade is not None
    }
    order = [name for name in names_of(factor) if name in components]
    there = [name for name in order if name in graded]
    parts = {name: model.rule(factor_id(factor), f"{name}_part") for name in order}
    score = None
    if there:
        grades = [graded[name][1] for name in there]
        words = [f"{name}_grade" for name in there], [f"{name}_part" for name in there]
        inputs = [*grades, *(parts[name] for name in there)]
        score = model.derive(f"{factor}_score", mean_expression(*words), inputs)
    share = share_expression([f"{n}_part" for n in there], [f"{n}_part" for n in order])
    coverage = model.derive(f"{factor}_coverage", share, list(parts.values()))
    weight = model.rule(TOTAL_ID, f"{factor}_weight")
    if coverage is None:
        raise KeyError(f"{factor}_coverage")
    made |= {f"{factor}_coverage": coverage, f"{factor}_weight": weight}
    if score is not None:
        made[f"{factor}_score"] = score
    reason = told(factor, model.known, model.industry)
    return FactorScore(
        factor=factor,
        zh=rule.label.zh,
        en=rule.label.en,
        score=score.claim_id if score is not None else None,
        weight=weight.claim_id,
        coverage=coverage.claim_id,
        inputs=tuple(graded[name][0].claim_id for name in there),
        missing=tuple(name_of(components[name].rule) for name in order if name not in graded),
        reason=reason.zh,
        reason_en=reason.en,
    )


def name_of(rule: Component) -> Text:
    """What a component is called where it is missing. A rate of growth goes by its figure's name:
    "revenue growth" in a list would read as a statement that there was some.
    """
    if rule.metrics[0].endswith("_yoy"):
        return named(rule.metrics[0])
    return rule.label


def _coverage(model: _Model, made: Mapping[str, Claim]) -> Claim:
    names = ([f"{name}_coverage" for name in FACTORS], [f"{name}_weight" for name in FACTORS])
    inputs = [made[name] for group in names for name in group]
    found = model.derive("score_coverage", mean_expression(*names), inputs)
    if found is None:
        raise KeyError("score_coverage")
    return found


def _total(model: _Model, made: Mapping[str, Claim]) -> Claim | None:
    there = [name for name in FACTORS if f"{name}_score" in made]
    names = ([f"{name}_score" for name in there], [f"{name}_weight" for name in there])
    inputs = [made[name] for group in names for name in group]
    return model.derive("hold_score", mean_expression(*names), inputs) if there else None


def require_total(card: Scorecard) -> Claim:
    """The claim of the score. Raises: NoDataError naming what lacks, where there is none."""
    if card.total is not None:
        return card.by_id[card.total]
    absent = [one for one in card.factors if one.score is None]
    zh = "、".join(one.zh for one in absent)
    en = ", ".join(one.en.lower() for one in absent)
    share = card.by_id[card.coverage].value
    raise NoDataError(
        f"score {card.stock_code}",
        Text(
            f"数据覆盖度 {share:.0%}，低于评分所需的 {LEAST_COVERAGE:.0%}：缺 {zh}；不评分",
            f"coverage is {share:.0%} and a score needs {LEAST_COVERAGE:.0%}: there is no {en}",
        ),
    )
