"""Figures without their proofs: the arithmetic of a ledger for a whole market at once, of which
few companies will ever be looked at. Whoever is shown is proved first, on a ledger of its own.
"""

from collections.abc import Sequence
from datetime import date
from typing import NoReturn

from services.core.claims import Claim, CompetenceCite, SeriesRef
from services.core.errors import NoDataError
from services.core.evaluation import evaluate
from services.core.formulas import Formula, subject
from services.core.ledger import Ledger
from services.core.limits import COMPETENCES
from services.core.requests import FetchRequest
from services.core.text import Text
from services.core.trace import Fact, ToolCall

# No such rule is registered, and every sketched figure has the one id: the verifier refuses all.
_SKETCHED = Claim(
    claim_id="c_sketched",
    value=0.0,
    metric="",
    symbol="",
    as_of=date.min,
    unit="",
    cite=CompetenceCite(competence_id="sketch"),
)


def _asks_nothing(request: FetchRequest) -> NoReturn:
    raise NoDataError(
        request.capability, Text("概算不另取数", "a sketch fetches nothing of its own")
    )


class Sketch(Ledger):
    """A ledger that keeps no claims, cites nothing and asks nobody: what it knows is recorded."""

    def __init__(self) -> None:
        super().__init__(_asks_nothing)
        self._rules: dict[tuple[str, str], Claim] = {}

    def claim(self, call: ToolCall, fact: Fact) -> Claim:
        """The fact's figure."""
        del call
        return _SKETCHED.model_copy(
            update={
                "value": fact.value,
                "metric": fact.metric,
                "symbol": fact.symbol,
                "as_of": fact.as_of,
                "unit": fact.unit,
                "period": fact.period,
            }
        )

    def derive(
        self,
        formula: Formula,
        inputs: Sequence[Claim],
        *,
        series: Sequence[SeriesRef] = (),
        about_symbol: str | None = None,
    ) -> Claim | None:
        """As the ledger's: the same formula of the same values."""
        values = formula.scope([item.value for item in inputs])
        values |= {ref.name: self.series_values(ref) for ref in series}
        try:
            answer = evaluate(formula.expression, values)
        except ZeroDivisionError:
            return None
        end = series[-1].end if series else date.min
        about = subject(formula, inputs, self._series_unit(series), end)
        return _SKETCHED.model_copy(
            update={
                "value": answer,
                "metric": formula.metric,
                "symbol": about_symbol or (inputs[0].symbol if inputs else series[0].symbol),
                "as_of": about.as_of,
                "unit": about.unit,
                "period": about.period,
            }
        )

    def competence(
        self, competence_id: str, metric: str, symbol: str, as_of: date, unit: str
    ) -> Claim:
        """The figure of the rule, whoever it is applied to: of no company and no day."""
        del symbol, as_of
        key = (competence_id, metric)
        if key not in self._rules:
            value = COMPETENCES[competence_id].values[metric]
            told = {"value": value, "metric": metric, "unit": unit}
            self._rules[key] = _SKETCHED.model_copy(update=told)
        return self._rules[key]
