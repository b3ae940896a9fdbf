"""The number gate against texts whose truth is known: no lie gets out, no honest text is refused.

What is true comes from how a text was made (tests/prose), never from the gate. `make bench` asks
the whole corpora; here a sample of every style and every kind of lie, and all that is by hand.
"""

from decimal import Decimal

import pytest

from tests.prose import handwritten, honest, lies
from tests.prose.judging import let_out, refused, told
from tests.prose.truth import LIES, exact
from tests.prose.writing import Prose

SEED = 7
# The one sentence that is a fact where the ratio was derived and an invention where it was not.
DERIVED_NOWHERE = "Kweichow Moutai's market cap is 3.11 times that of Wuliangye."


@pytest.fixture(scope="module")
def sample() -> list[Prose]:
    """Two honest texts of every style, of companies of their own."""
    return honest.texts(SEED, each=2)


@pytest.fixture(scope="module")
def spoilt() -> list[Prose]:
    return lies.texts(SEED, each=2, base_each=2)


def test_the_sample_has_every_style_and_every_kind(
    sample: list[Prose], spoilt: list[Prose]
) -> None:
    assert {prose.style for prose in sample} == {style.name for style in honest.STYLES}
    assert len(honest.STYLES) >= 40
    assert len({prose.kind for prose in spoilt}) >= 95
    assert len(LIES) >= 40
    assert len(sample) >= 200
    assert len(spoilt) >= 180


def test_every_figure_of_an_honest_text_is_its_claim_within_half_a_printed_digit(
    sample: list[Prose],
) -> None:
    figures = [part.figure for prose in sample for part in prose.parts if part.figure is not None]
    assert len(figures) > 300
    for figure in figures:
        off = abs(abs(figure.value * figure.scale) - abs(exact(figure.claim)))
        room = abs(exact(figure.claim)) / 10 if figure.approx else figure.ulp * figure.scale / 2
        assert off <= room + Decimal("1e-9"), figure.text


def test_no_lie_repeats_an_honest_text(sample: list[Prose], spoilt: list[Prose]) -> None:
    true = {prose.template for prose in (*sample, *handwritten.honest())}
    assert [p.template for p in (*spoilt, *handwritten.lies()) if p.template in true] == [
        DERIVED_NOWHERE
    ]


def test_no_honest_text_of_the_sample_is_refused(sample: list[Prose]) -> None:
    assert told(refused(sample)) == []


def test_no_lie_of_the_sample_gets_out(spoilt: list[Prose]) -> None:
    assert told(let_out(spoilt)) == []


def test_no_honest_text_by_hand_is_refused() -> None:
    texts = handwritten.honest()
    assert len({prose.template for prose in texts}) >= 120
    assert told(refused(texts)) == []


def test_no_lie_by_hand_gets_out() -> None:
    texts = handwritten.lies()
    assert len({prose.template for prose in texts}) >= 150
    assert told(let_out(texts)) == []


def test_texts_written_blind_are_judged_rightly() -> None:
    true, false = handwritten.unseen()
    assert len(true) == len(false) == 90
    assert told(refused(true)) == []
    assert told(let_out(false)) == []


def test_the_second_blind_batch_is_judged_rightly_but_for_the_gaps_it_names() -> None:
    true, false, gaps = handwritten.unseen_second()
    assert (len(true) + len(gaps), len(false)) == (71, 70)
    assert told(refused(true)) == []
    assert told(let_out(false)) == []
    assert len(gaps) <= 9  # no more may come; one that is mended loses its `open`
