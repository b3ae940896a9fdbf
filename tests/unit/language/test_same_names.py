"""The gate and the question reader know a figure by the same names: all the catalogue has of it."""

import pytest

from services.core.catalogue import CATALOGUE
from services.grounding.figure_senses import SENSES
from services.language.lattice import spelled_for_questions
from services.language.plain_text import spelled
from services.query.reading.figures_said import HAD
from services.query.reading.question_words import question_words

# In a question 最高 and high are superlatives, 开盘 is a moment of a day, 涨跌幅 of the span asked,
# a price now is the last close where a source has no other; A股总市值 is a set and a figure.
OTHERWISE = {"open", "high", "low", "pct_change", "close"}
TWO_WORDS = {"a股总市值"}


@pytest.mark.parametrize("figure", [one for one in HAD if one not in OTHERWISE])
def test_each_name_of_a_figure_means_it_in_a_text_and_in_a_question(figure: str) -> None:
    words = question_words()
    for name in CATALOGUE[figure].names:
        assert figure in SENSES[spelled(name)].metrics
        if name.casefold() not in TWO_WORDS:
            meant = {one.sem for one in words.meanings(spelled_for_questions(name))}
            assert figure in meant, name


def test_what_is_asked_otherwise_is_a_figure_of_both() -> None:
    assert set(HAD) >= OTHERWISE
