"""A formula in words says the same sum as its expression, and no identifier."""

import ast
import re

import pytest

from services.core.claims import DerivedCite
from services.core.formulas import FORMULAS, Formula
from services.core.text import Language, Text
from services.views.company.build import SectionRequest
from services.views.formula_words import tell_formula, write_formula
from tests.unit.reports.bundled import desk, session

APART = tuple(Text(f"（第{place}）", f"(no {place})") for place in range(40))
# Identifiers are written in Latin letters with _ or digits between them.
IDENTIFIER = re.compile(r"[a-z]+(?:_[a-z0-9]+)+|\b[a-z]+\d\b")


def tree_of(formula: Formula) -> set[type[ast.AST]]:
    return {type(node) for node in ast.walk(ast.parse(formula.expression, mode="eval"))}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_registered_formula_shows_an_identifier(language: Language) -> None:
    assert len(FORMULAS) > 1000
    told = {one.expression: write_formula(one, APART, language) for one in FORMULAS}
    assert {one: words for one, words in told.items() if IDENTIFIER.search(words)} == {}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_sum_in_words_comes_to_what_its_expression_comes_to(language: Language) -> None:
    sums = [one for one in FORMULAS if ast.Call not in tree_of(one) and one.each is None]
    assert len(sums) > 80
    for one in sums:
        values = {slot.name: 2.0 + 1.5 * place for place, slot in enumerate(one.slots)}
        wanted = eval(one.expression, {"__builtins__": {}}, values)  # noqa: S307 — our own formulas
        words = write_formula(one, APART, language).replace("（", "(").replace("）", ")")
        known = dict(zip(_names(one, language), values.values(), strict=True))
        for name in sorted(known, key=len, reverse=True):
            words = words.replace(name.replace("（", "(").replace("）", ")"), repr(known[name]))
        for sign, written in (("×", "*"), ("÷", "/"), ("−", "-")):
            words = words.replace(sign, written)
        assert eval(words, {"__builtins__": {}}) == pytest.approx(wanted), one  # noqa: S307


def _names(formula: Formula, language: Language) -> list[str]:
    """Each input as a formula of it alone is told, in the order of the slots."""
    return [
        write_formula(Formula(formula.metric, slot.name, formula.slots), APART, language)
        for slot in formula.slots
    ]


def test_two_figures_of_one_name_are_told_with_their_periods() -> None:
    shown = desk().company("600036.SH", SectionRequest(tab="fin"), session())
    (growth,) = [
        one for one in shown.claims.values()
        if one.metric == "eps_yoy" and one.period == "2016_Q4"
    ]  # fmt: skip
    inputs = [shown.claims[one] for one in growth.cite.inputs]  # pyright: ignore
    told = tell_formula(growth, inputs)
    assert told == Text(
        "（每股收益 2016年报 ÷ 每股收益 2015年报 − 1） × 100", "(EPS FY2016 ÷ EPS FY2015 − 1) × 100"
    )


def test_the_members_of_a_market_are_its_values() -> None:
    shown = desk().overview(session())
    found = next(one for one in shown.claims.values() if one.metric == "pe_ttm_median")
    assert tell_formula(found, ()) == Text("中位数（市盈率(TTM)＞0）", "median(P/E (TTM) > 0)")


def test_the_counts_of_a_market_are_told_by_what_they_count() -> None:
    shown = desk().overview(session())
    told = {
        one.metric: tell_formula(one, ())
        for one in shown.claims.values()
        if one.metric in {"company_count", "loss_count"}
    }
    assert told == {
        "company_count": Text("个数（公司）", "count(companies)"),
        "loss_count": Text(
            "个数（总市值） − 个数（市盈率(LYR)＞0）", "count(Market cap) − count(P/E (LYR) > 0)"
        ),
    }


def test_no_formula_of_the_market_is_left_in_identifiers() -> None:
    shown = desk().overview(session())
    derived = [one for one in shown.claims.values() if isinstance(one.cite, DerivedCite)]
    assert derived
    for one in derived:
        inputs = [shown.claims.get(cite) for cite in one.cite.inputs]  # pyright: ignore
        assert tell_formula(one, inputs) is not None, one.metric
