"""The gate and the question reader know a figure by the same names: all the catalogue has of it."""

import pytest

from services.core.catalogue import CATALOGUE
from services.grounding.figure_senses import SENSES, TEXT_WORDS
from services.language.lattice import TypedWords, spelled_for_questions
from services.language.plain_text import spelled
from services.query.reading.figures_said import HAD
from services.query.reading.question_words import question_words

# Words of a question that are another kind of word there: superlatives, a set and its figure, a
# growth of whatever is named with it. A lie is only caught where a text takes them for names.
OTHERWISE = {"最高", "high", "最低", "low", "open", "a股总市值", "change"}
# The change of a price is asked of any span: a figure of the span, and of a session in a text.
OF_A_SPAN = "pct_change"


@pytest.mark.parametrize("figure", HAD)
def test_each_name_of_a_figure_means_it_in_a_text_and_in_a_question(figure: str) -> None:
    words = question_words()
    meant = {("METRIC", figure), *([("ask", "ret")] if figure == OF_A_SPAN else [])}
    for name in CATALOGUE[figure].names:
        assert figure in SENSES[spelled(name)].metrics
        found = {(one.cat, one.sem) for one in words.meanings(spelled_for_questions(name))}
        assert bool(found & meant) is (name.casefold() not in OTHERWISE), name


def test_a_text_and_a_question_are_cut_by_one_function() -> None:
    assert type(TEXT_WORDS) is type(question_words()) is TypedWords
    text = "贵州茅台净资产收益率31.51%, the net margin of pe20"
    for words, cat in ((TEXT_WORDS, "metric"), (question_words(), "METRIC")):
        whole = [one for place in range(len(text)) for one in words.tokens_at(text, place)]
        assert list(words.tokens(text)) == whole
        named = {text[one.start : one.end] for one in whole if one.cat == cat}
        assert {"净资产收益率", "净资产", "net margin", "pe"} <= named


def test_a_latin_word_is_found_whole_or_behind_what_is_known() -> None:
    assert not TEXT_WORDS.tokens_at("5meaning", 1, begins=True)
    assert TEXT_WORDS.longest_at("moutaipe", 6, "metric") is None
    assert TEXT_WORDS.longest_at("moutaipe", 6, "metric", begins=True) is not None
