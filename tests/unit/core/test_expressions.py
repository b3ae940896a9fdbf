"""The generic formula: its grammar is closed, its units are kept, and a changed claim is found."""

from statistics import stdev

import pytest

from services.core.claims import Claim, DerivedCite
from services.core.expression_text import leaves_of, without
from services.core.expressions import ExpressionError, evaluate_expression
from services.core.ledger import Ledger
from services.core.quantities import Quantity, combine_units
from services.core.verifier import verify
from services.query.algebra import nodes as a
from tests.unit.query.algebra.asked import ask
from tests.unit.query.bundled_query import youju


class _Line:
    def __init__(self, **figures: Quantity) -> None:
        self._figures = figures

    def attribute(self, name: str) -> str | None:
        return {"symbol": "X", "market": "CN"}.get(name)

    def figure(self, key: str) -> Quantity | None:
        return self._figures.get(key)


class _Alone:
    """No other company, and the same five bars of every window, one lost before the fourth."""

    def lines(self) -> list[_Line]:
        return []

    def line(self, symbol: str) -> None:
        return None

    def series(
        self, symbol: str, metric: str, start: str, end: str
    ) -> tuple[list[Quantity], list[int]]:
        return [Quantity(one, "CNY/share") for one in (8.0, 9.0, 10.0, 11.0, 9.9)], [3]

    def remember(self, key: object, make: object) -> object:
        return make() if callable(make) else None


def value(text: str, **figures: Quantity) -> Quantity | None:
    return evaluate_expression(text, _Line(**figures), _Alone())


def test_figures_meet_in_their_units() -> None:
    cap, profit = Quantity(200.0, "CNY"), Quantity(10.0, "CNY")
    assert value("cap / profit", cap=cap, profit=profit) == Quantity(20.0, "multiple")
    assert value("percent(profit, cap)", cap=cap, profit=profit) == Quantity(5.0, "percent")
    assert value("cap - none", cap=cap) is None
    assert value("cagr(profit, cap, 2)", cap=cap, profit=Quantity(50.0, "CNY")) == (
        Quantity(100.0, "percent")
    )
    assert combine_units("/", "CNY", "shares") == "CNY/share"
    assert combine_units("-", "percent", "percent") == "pp"


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "cap.value",
        "[cap]",
        "(lambda: cap)()",
        "cap if cap else cap",
        "cap ** 2",
        "open('x')",
        "cap[0]",
        "f'{cap}'",
        "cap @ 'x'",
        "(",
    ],
)
def test_nothing_else_can_be_written(text: str) -> None:
    with pytest.raises(ExpressionError):
        value(text, cap=Quantity(1.0, "CNY"))


def test_two_currencies_never_meet() -> None:
    with pytest.raises(ExpressionError):
        value("one + other", one=Quantity(1.0, "CNY"), other=Quantity(1.0, "HKD"))


def test_missing_figures_are_written_down_as_none() -> None:
    text = "streak((revenue @ y2016) > 5, (revenue @ y2015) > 5)"
    assert leaves_of(text) == ((None, "revenue @ y2016"), (None, "revenue @ y2015"))
    blank = without(text, {(None, "revenue @ y2015")})
    assert leaves_of(blank) == ((None, "revenue @ y2016"),)
    kept = "median(each(revenue @ y2015, market in ('CN',)))"
    assert without(kept, {(None, "revenue @ y2015")}) == kept


def _median() -> tuple[Claim, Ledger]:
    scope = a.both(a.In(dim="market", values=("CN",)), a.In(dim="industry", values=("银行",)))
    asked = ask(a.Query(scope=scope, fold=(a.Folded(how="median", of=a.Metric(id="pb")),)))
    assert asked.failures == ()
    return asked.outcome.claims[0], asked.ledger


def _checks(claim: Claim, ledger: Ledger) -> list[str]:
    others = [one for one in ledger.claims if one.claim_id != claim.claim_id]
    found = verify([*others, claim], ledger.trace, youju().clock.now())
    return [one.check for one in found.failures]


def test_a_changed_fold_is_found() -> None:
    claim, ledger = _median()
    cite = claim.cite
    assert isinstance(cite, DerivedCite)
    assert _checks(claim, ledger) == []
    assert _checks(claim.model_copy(update={"value": claim.value + 0.01}), ledger) == [
        "value_recomputed"
    ]
    assert _checks(claim.model_copy(update={"unit": "percent"}), ledger) == ["unit_equal"]
    for update, check in (
        ({"formula": cite.formula.replace("银行", "钢铁")}, "value_recomputed"),
        ({"formula": "__import__('os')"}, "formula_registered"),
        ({"members": (cite.members[0].model_copy(update={"sha256": "0" * 64}),)}, "members_equal"),
        ({"members": (cite.members[0].model_copy(update={"count": 3}),)}, "series_complete"),
    ):
        changed = cite.model_copy(update=update)
        assert _checks(claim.model_copy(update={"cite": changed}), ledger) == [check]


def test_an_input_must_be_the_figure_it_is_taken_for() -> None:
    year = [a.When(kind="years", first=one, last=one) for one in (2012, 2016)]
    grown = a.Change(how="rate", of="revenue", since=year[0], until=year[1])
    asked = ask(a.Query(scope=a.In(dim="symbol", values=("600036.SH",)), show=(grown,)))
    (claim,) = asked.outcome.claims
    cite = claim.cite
    assert isinstance(cite, DerivedCite)
    assert _checks(claim, asked.ledger) == []
    turned = cite.model_copy(update={"inputs": cite.inputs[::-1]})
    assert _checks(claim.model_copy(update={"cite": turned}), asked.ledger) == [
        "formula_registered"
    ]


def test_a_lost_session_ends_a_run_and_stands_in_no_change() -> None:
    window = "series(close, d20160101, d20161231)"
    assert value(f"max({window})") == Quantity(11.0, "CNY/share")
    assert value(f"longest_rise({window})") == Quantity(2.0, "sessions")
    assert value(f"falling({window})") == Quantity(1.0, "sessions")
    moved = value(f"volatility({window})")
    assert moved is not None
    assert moved.value == pytest.approx(stdev([1 / 8, 1 / 9, -0.1]) * 100)
