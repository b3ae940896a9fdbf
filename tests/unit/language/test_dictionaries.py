"""What the dictionaries of the general language know."""

import pytest

from services.language.dictionaries import cut, is_general, lemma


@pytest.mark.parametrize(
    ("form", "word"),
    [("doubled", "double"), ("fell", "fall"), ("grown", "grow"), ("airports", "airport")],
)
def test_a_form_is_of_its_word(form: str, word: str) -> None:
    assert lemma(form) == word


@pytest.mark.parametrize("degree", ["smallest", "highest", "worst", "best", "less", "most"])
def test_a_degree_is_no_form_of_its_word(degree: str) -> None:
    assert lemma(degree) is None


@pytest.mark.parametrize("word", ["doubled", "leave", "median", "规模", "名字", "重新", "基数"])
def test_an_ordinary_word_is_known(word: str) -> None:
    assert is_general(word)


@pytest.mark.parametrize("name", ["moutai", "vanke", "华润", "中信", "长实", "光大", "瑞声"])
def test_a_name_is_no_ordinary_word(name: str) -> None:
    assert not is_general(name)


def test_words_cut_have_their_places() -> None:
    text = "哎我想看看水泥股"
    assert "".join(one.word for one in cut(text)) == text
    assert all(text[one.start : one.end] == one.word for one in cut(text))
    assert cut(text)[0].is_particle
