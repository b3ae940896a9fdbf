"""What a comparison derives over the sessions all its companies have, and a watchlist since the day
of adding, for core/formulas.py.
"""

from services.core.company_formulas import CompanyFormula

_SPAN = ("values=close",)
COMPARED_SPAN: tuple[CompanyFormula, ...] = tuple(
    CompanyFormula(metric, expression, series=_SPAN, unit=unit, period="none", holed=True)
    for metric, expression, unit in (
        ("rebased_close", "last(values) / first(values) * 100", "index"),
        ("span_change", "(last(values) / first(values) - 1) * 100", "percent"),
        ("watched_change", "(last(values) / first(values) - 1) * 100", "percent"),
        ("span_drawdown", "drawdown(values)", "percent"),
        ("span_volatility", "yearly_deviation(values)", "percent"),
    )
)
