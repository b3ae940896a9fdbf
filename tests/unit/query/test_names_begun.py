"""Companies named by a part of their names, and ordinary words that name none."""

import pytest

from services.query.algebra.nodes import Ask, In, Query
from tests.unit.query.asking import query, reading
from tests.unit.query.test_put_back import put_back


def symbols(text: str) -> tuple[str, ...]:
    found = query(text)
    assert isinstance(found, Query), reading(text).answer
    assert isinstance(found.scope, In)
    return found.scope.values


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Exxon P/E", ("XOM",)),
        ("P/E of Merck", ("MRK",)),
        ("P/E of Bristol Myers and of Eli Lilly", ("BMY", "LLY")),
        ("ROE of T-Mobile", ("TMUS",)),
        ("P/E of texas instruments", ("TXN",)),
        ("johnson and johnson P/E", ("JNJ",)),
        ("pe of jd", ("JD",)),
        ("P/E of Apple and Ford", ("AAPL", "F")),
        ("蒙牛的市盈率", ("02319.HK",)),
    ],
)
def test_the_first_words_of_a_name_name_the_company(text: str, meant: tuple[str, ...]) -> None:
    assert symbols(text) == meant


@pytest.mark.parametrize("text", ["P/E of Swire Pacific", "P/E of the Wharf and of Swire Pacific"])
def test_words_that_begin_several_names_are_asked_about(text: str) -> None:
    answer = reading(text).answer
    assert isinstance(answer, Ask)
    assert "several" in answer.why[1]


@pytest.mark.parametrize("word", ["市场", "数字", "高铁", "资料"])
def test_an_ordinary_word_is_asked_back_as_no_company(word: str) -> None:
    back = put_back(f"{word}的市盈率")
    assert "可能指几家" not in back.reason


def test_an_ordinary_word_that_is_the_name_proper_is_asked_about() -> None:
    choices = put_back("平安的市盈率").choices
    assert any("中国平安" in one for one in choices)
    assert any("平安银行" in one for one in choices)


@pytest.mark.parametrize("word", ["华为", "Microsoft", "宁德时代", "Samsung"])
def test_a_company_that_no_list_has_is_said_to_be_none_of_them(word: str) -> None:
    reason = put_back(f"{word} PE").reason
    assert word in reason
    assert "没有" in reason or "There is no" in reason


@pytest.mark.parametrize(
    ("word", "parent"),
    [
        ("半导体", "电子"),
        ("芯片", "电子"),
        ("煤炭", "采掘"),
        ("软件", "计算机"),
        ("水泥", "建筑材料"),
        ("semiconductor", "电子"),
    ],
)
def test_for_what_is_finer_than_the_source_the_parent_is_offered_and_said(
    word: str, parent: str
) -> None:
    text = f"{word}行业里破净的股票" if not word.isascii() else f"{word} stocks below book"
    put = reading(text).answer
    assert isinstance(put, Ask)
    (found,) = put.options
    assert isinstance(found, Query)
    told = str(found.scope)
    assert f"'{parent}'" in told
    assert "数据源未细分" in told
