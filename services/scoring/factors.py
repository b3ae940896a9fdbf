"""The factor model of the hold score: Step 1's figures graded, weighed and added, all as claims.

What is graded and how stands in core/score_rules.py, the arithmetic in core/score_formulas.py.
What is not there is named, never imputed; weights are of what is there, and how much of it there
is is a claim too.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple, NoReturn, Self, cast

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

    def __init__(
        self, symbol: str, known: Mapping[str, Claim], ledger: Ledger, today: date, industry: str
    ) -> None:
        """`known` are its figures by metric; `today` is the day its rules are applied on."""
        self._ledger = ledger
        self._symbol = symbol
        self.known = known
        self.days: Set[date] = frozenset()
        self._today = today
        self.industry = industry

    @classmethod
    def of_step1(cls, step1: Step1Output, ledger: Ledger) -> Self:
        """That of a company of which Step 1 is known."""
        claims = {claim.claim_id: claim for claim in step1.claims}
        known: dict[str, Claim] = {}
        for part in (step1.sector, step1.kline, step1.news):
            for name in part.figures:
                known.setdefault(claims[name].metric, claims[name])
        days = frozenset(
            fact.as_of
            for call in step1.trace.tool_calls
            for fact in call.rows
            if fact.symbol == step1.stock_code
        )
        today = _newest(step1, step1.stock_code) or max(days)
        made = cls(step1.stock_code, known, ledger, today, step1.sector.industry or "")
        made.days = days
        return made

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
        day = figure.as_of if figure.as_of in self.days else self._today
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
    model = _Model.of_step1(step1, own)
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


class _FactorClaims(NamedTuple):
    """A factor before it is told: its components by name, in order, and what was made of them."""

    components: Mapping[str, _Graded]
    order: Sequence[str]
    there: Sequence[str]
    score: Claim | None
    coverage: Claim
    weight: Claim


def _grade_factor(factor: str, model: _Model, made: dict[str, Claim]) -> _FactorClaims:
    components = model.components(factor)
    order = [name for name in names_of(factor) if name in components]
    grades = {name: one for name in order if (one := components[name].grade) is not None}
    there = list(grades)
    parts = {name: model.rule(factor_id(factor), f"{name}_part") for name in order}
    score = None
    if there:
        words = [f"{name}_grade" for name in there], [f"{name}_part" for name in there]
        inputs = [*grades.values(), *(parts[name] for name in there)]
        score = model.derive(f"{factor}_score", mean_expression(*words), inputs)
    share = share_expression([f"{n}_part" for n in there], [f"{n}_part" for n in order])
    coverage = model.derive(f"{factor}_coverage", share, list(parts.values()))
    weight = model.rule(TOTAL_ID, f"{factor}_weight")
    if coverage is None:
        raise KeyError(f"{factor}_coverage")
    made |= {f"{factor}_coverage": coverage, f"{factor}_weight": weight}
    if score is not None:
        made[f"{factor}_score"] = score
    return _FactorClaims(components, order, there, score, coverage, weight)


def _factor(factor: Factor, model: _Model, made: dict[str, Claim]) -> FactorScore:
    rule = FACTORS[factor]
    found = _grade_factor(factor, model, made)
    parts, reason = found.components, told(factor, model.known, model.industry)
    figures = [one for name in found.there if (one := parts[name].figure) is not None]
    return FactorScore(
        factor=factor,
        zh=rule.label.zh,
        en=rule.label.en,
        score=found.score.claim_id if found.score is not None else None,
        weight=found.weight.claim_id,
        coverage=found.coverage.claim_id,
        inputs=tuple(one.claim_id for one in figures),
        missing=tuple(name_of(parts[name].rule) for name in found.order if name not in found.there),
        reason=reason.zh,
        reason_en=reason.en,
    )


OWN_HISTORY = Text(
    "逐日市盈率(TTM)在自身历史中的位置", "P/E (TTM) of every day beside its own history"
)


def name_of(rule: Component) -> Text:
    """What a component is called where it is missing. A rate of growth goes by its figure's name:
    "revenue growth" in a list would read as a statement that there was some. What is worked out
    from annual reports has a past where the source's own multiple of every day has none.
    """
    if rule.metrics == ("pe_ttm_own_cheaper",):
        return OWN_HISTORY
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
    absent = [one.factor for one in card.factors if one.score is None]
    why = tell_thin(absent, card.by_id[card.coverage].value)
    raise NoDataError(f"score {card.stock_code}", why)


def tell_thin(absent: Sequence[str], coverage: float) -> Text:
    """That there is too little for a score, and which factors are not there."""
    labels = [FACTORS[name].label for name in absent]
    zh, en = "、".join(one.zh for one in labels), ", ".join(one.en.lower() for one in labels)
    return Text(
        f"数据覆盖度 {coverage:.0%}，低于评分所需的 {LEAST_COVERAGE:.0%}：缺 {zh}；不评分",
        f"coverage is {coverage:.0%} and a score needs {LEAST_COVERAGE:.0%}: there is no {en}",
    )


class SketchedFactor(NamedTuple):
    """A factor's score before its proof; null where it has none."""

    factor: Factor
    score: float | None


class SketchedScore(NamedTuple):
    """A company's score before its proof: the very figures its card will have."""

    factors: tuple[SketchedFactor, ...]
    coverage: float
    total: float | None

    @property
    def problem(self) -> Text | None:
        """Why there is no score; None where there is."""
        if self.total is not None:
            return None
        return tell_thin([one.factor for one in self.factors if one.score is None], self.coverage)


def sketch_score(
    symbol: str, known: Mapping[str, Claim], ledger: Ledger, today: date, industry: str
) -> SketchedScore:
    """What `scorecard` would find of these figures, by the same rules and formulas; nothing is
    told and nothing proved.
    """
    model, made = _Model(symbol, known, ledger, today, industry), dict[str, Claim]()
    factors: list[SketchedFactor] = []
    for name in FACTORS:
        score = _grade_factor(name, model, made).score
        factors.append(SketchedFactor(cast("Factor", name), score.value if score else None))
    coverage = _coverage(model, made).value
    total = _total(model, made) if coverage >= LEAST_COVERAGE else None
    return SketchedScore(tuple(factors), coverage, total.value if total is not None else None)
