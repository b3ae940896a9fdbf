"""The SME board: a part of the main board by its codes, told as such."""

import pytest

from services.core.claims import Claim
from services.core.symbols import Symbol
from services.query.algebra.nodes import Query
from tests.unit.query.algebra.asked import ask
from tests.unit.query.algebra.bundle_frames import frames
from tests.unit.query.asking import query


def _count(text: str) -> float:
    found = query(text)
    assert isinstance(found, Query), text
    made = ask(found)
    assert made.failures == ()
    (figure,) = made.outcome.rows[-1].figures.values()
    assert isinstance(figure, Claim)
    return figure.value


def test_the_sme_board_is_its_codes() -> None:
    listed = [str(one) for one in frames().companies.index]
    wanted = sum(one.startswith(("002", "003")) and one.endswith(".SZ") for one in listed)
    assert wanted > 100
    assert _count("中小板有多少家") == wanted
    assert _count("how many companies are on the sme board") == wanted


def test_its_companies_stay_on_the_main_board() -> None:
    assert Symbol("002415.SZ").board == "main"
    both = _count("创业板或中小板有多少家")
    assert both == _count("创业板有多少家") + _count("中小板有多少家")
    assert _count("主板有多少家") > _count("中小板有多少家")


@pytest.mark.parametrize("text", ["主板或中小板有多少家"])
def test_it_stands_beside_no_board_it_is_part_of(text: str) -> None:
    found = query(text)
    assert isinstance(found, Query)
    absent = ask(found).outcome.absent
    assert absent is not None
    assert "并入主板" in absent.zh
