"""The limits of the conditions that computed figures are of: 市净率(MRQ)小于1倍的公司有837家.

A formula writes its conditions out, and the verifier reads that formula again: a text may repeat
them. They are no figures of a company.
"""

import re
from collections.abc import Iterable

from services.core.claims import Claim, DerivedCite
from services.core.expressions import METRIC as EXPRESSION
from services.grounding.figure_senses import Sense
from services.language.numbers import Number

# One condition as core/expressions.py writes it: `pb < 1.0`, `roe @ y2016 >= (-5.0)`.
_CONDITION = re.compile(r"(\w+)(?: @ \w+)? (?:<|<=|>|>=|==) \(?(-?[\d.]+(?:e[+-]?\d+)?)\)?")


def conditions_of(claims: Iterable[Claim]) -> frozenset[tuple[str, float]]:
    """Each figure with a limit that some formula holds it against, in the catalogue's units."""
    formulas = {
        one.cite.formula
        for one in claims
        if one.metric == EXPRESSION and isinstance(one.cite, DerivedCite)
    }
    return frozenset(
        (found[1], float(found[2])) for text in formulas for found in _CONDITION.finditer(text)
    )


def is_limit(number: Number, sense: Sense | None, limits: frozenset[tuple[str, float]]) -> bool:
    """Whether that number is such a limit of the figure that is named before it."""
    if sense is None:
        return False
    value = float(number.value) * (number.sign or 1)
    return any((metric, value) in limits for metric in sense.metrics)
