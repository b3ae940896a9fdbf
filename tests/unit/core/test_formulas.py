import ast

import pytest

from services.core.evaluation import evaluate
from services.core.formulas import FORMULAS


def test_no_two_formulas_share_metric_and_expression() -> None:
    names = [(formula.metric, formula.expression) for formula in FORMULAS]
    assert len(names) == len(set(names))


def test_every_function_a_formula_names_is_known() -> None:
    """By its own name: renamed in code alone it would be missed only where the formula is used."""
    called = {
        node.func.id
        for formula in FORMULAS
        for node in ast.walk(ast.parse(formula.expression, mode="eval"))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "rising" in called
    for name in called:
        with pytest.raises(TypeError):  # a function is no number; an unknown name is a NameError
            evaluate(name, {})


def test_arithmetic_and_series_functions_are_right() -> None:
    assert evaluate("(close / previous - 1) * 100", {"close": 11.0, "previous": 10.0}) == (
        pytest.approx(10.0)
    )
    # returns 10 %, 0 %, 10 %, -50 %; the first three: mean 0.0666…, sample deviation 0.057735…
    closes = [100.0, 110.0, 110.0, 121.0, 60.5]
    assert evaluate("zscore(returns(window))", {"window": closes}) == pytest.approx(
        -9.81495, abs=1e-4
    )


@pytest.mark.parametrize(
    "expression",
    ["__import__('os')", "(1).__class__", "[1]", "lambda: 1", "a if b else c", "x.y", "'a'*9**9"],
)
def test_only_arithmetic_is_evaluated(expression: str) -> None:
    with pytest.raises((TypeError, SyntaxError, NameError)):
        evaluate(expression, {"x": 1.0, "a": 1.0, "b": 1.0, "c": 1.0})
