"""Typed words of questions: everything that matches, each with its span; and their data."""

import tomllib
from collections import Counter
from pathlib import Path

import pytest

from services.core.catalogue import CATALOGUE
from services.core.errors import ConfigError
from services.language.lattice import (
    FUNCTION,
    Token,
    read_typed_words,
    spelled_for_questions,
    uncovered,
)
from services.query.reading.figures_said import HAD, base, names_of_figures
from services.query.reading.phrases import Amount, Time
from services.query.reading.question_words import scope_book
from tests.unit.market.bundled import names
from tests.unit.query.asking import reading

LEXICON = Path(__file__).resolve().parents[3] / "data" / "lexicon"


def tokens(text: str, cat: str) -> list[Token]:
    return [one for one in reading(text).lattice.tokens if one.cat == cat and one.cost < 2]


def test_words_that_overlap_are_all_there() -> None:
    found = {(one.cat, one.sem) for one in reading("市净率最低的银行").lattice.tokens}
    assert {("METRIC", "pb"), ("sup", "asc")} <= found
    assert any(cat == "SCOPE" for cat, _ in found)


def test_a_word_inside_a_longer_one_costs_more() -> None:
    inside = [one for one in reading("净资产收益率").lattice.tokens if one.sem == "equity"]
    whole = [one for one in reading("净资产收益率").lattice.tokens if one.sem == "roe"]
    assert min(one.cost for one in inside) > min(one.cost for one in whole)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("市盈率十二点五", 12.5, "number"),
        ("市净率一倍半", 1.5, "multiple"),
        ("市值五百亿", 5e10, "number"),
        ("市值千亿以上", 1e11, "number"),
        ("股息率百分之三", 3.0, "percent"),
        ("ＰＥ２０倍", 20.0, "multiple"),
        ("market cap over $2.5 billion", 2.5e9, "USD"),
        ("股价10港元", 10.0, "HKD"),
        ("股价10块钱", 10.0, "LOCAL"),
        ("涨幅-3%", -3.0, "percent"),
    ],
)
def test_amounts(text: str, value: float, unit: str) -> None:
    found = [one.sem for one in tokens(text, "AMT")]
    assert any(
        isinstance(one, Amount) and one.value == pytest.approx(value) and one.unit == unit
        for one in found
    ), found


def test_what_is_approximate_bounds_nothing() -> None:
    assert all(
        isinstance(one.sem, Amount) and one.sem.vague for one in tokens("市值几百亿的", "AMT")
    )


def test_a_number_of_companies_is_no_bound() -> None:
    assert tokens("跌得最多的5只股票", "AMT") == []
    assert [one.sem for one in tokens("跌得最多的5只股票", "COUNT")] == [5]


def test_a_time_is_of_reports_and_of_sessions() -> None:
    [said] = [one.sem for one in tokens("茅台2015年", "WHEN")]
    assert isinstance(said, Time)
    assert said.periods is not None
    assert said.days is not None
    assert said.periods.first == said.periods.last == 2015


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("招商银行市盈率", "600036.SH"),  # listed twice: its A share
        ("招商银行H股市盈率", "03968.HK"),
        ("港股中国平安市盈率", "02318.HK"),
        ("貴州茅台市盈率", "600519.SH"),
        ("gzmt市盈率", "600519.SH"),
        ("guizhoumaotai市盈率", "600519.SH"),
        ("SH600519市盈率", "600519.SH"),
        ("AAPL市盈率", "AAPL"),
    ],
)
def test_a_name_is_one_listing(text: str, symbol: str) -> None:
    assert (symbol,) in [one.sem for one in tokens(text, "ENT")]


@pytest.mark.parametrize("text", ["what is it now", "all banks below", "low PE stocks", "on a day"])
def test_no_company_is_guessed_from_an_ordinary_word(text: str) -> None:
    assert tokens(text, "ENT") == []


def test_what_no_word_covers_is_named() -> None:
    found = reading("茅台的蓬蓬率是多少")
    assert [found.lattice.text[start:end] for start, end in found.lattice.unread] == ["蓬蓬率"]
    assert uncovered("ab", [Token("X", 0, 1, None)]) == [(1, 2)]


def test_every_figure_and_symbol_of_the_data_is_known() -> None:
    words = tomllib.loads((LEXICON / "question_words.toml").read_text("utf-8"))
    assert set(map(base, words["figures"])) <= set(HAD) <= set(CATALOGUE.figures)
    known = names().known
    labels = {row.industry for row in known.values()}
    for name, table in scope_book()["industry"].items():
        assert set(table.get("members", [name])) <= labels


def test_no_name_means_two_figures() -> None:
    meant: dict[str, set[str]] = {}
    for name, figure in names_of_figures():
        meant.setdefault(name.casefold(), set()).add(figure)
    double = {name for name, figures in meant.items() if len(figures) > 1}
    assert double <= {"turnover", "成交", "earned", "earns"}, double


def test_function_words_are_a_closed_list() -> None:
    """A word that falls and means something too must be on the short list of harmless ones."""
    words = tomllib.loads((LEXICON / "question_words.toml").read_text("utf-8"))
    fall = set(words["function_words"]["skip"])
    for cat in ("cmp", "except", "neg", "agg", "sup", "dir", "postcmp", "loss", "peer", "RUN"):
        meaning = {word for listed in words.get(cat, {}).values() for word in listed}
        assert fall & meaning <= {"行业", "for"}, (cat, fall & meaning)


@pytest.mark.parametrize("name", ["question_words.toml", "edits.toml", "actions.toml"])
def test_no_list_has_two_spellings_of_one_word(name: str) -> None:
    """Traditional characters, 啥 for 什么, a possessive: words are spelled alike when read."""
    lists = [tomllib.loads((LEXICON / name).read_text("utf-8"))]
    while lists:
        for kind, listed in lists.pop().items():
            if isinstance(listed, dict):
                lists.append(listed)
            elif isinstance(listed, list) and kind not in HAD:
                spelled = Counter(map(spelled_for_questions, listed))
                assert spelled.most_common(1)[0][1] == 1, (kind, spelled.most_common(1))


def test_a_word_given_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text('[cmp]\nlt = ["below", "below"]\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="each once"):
        read_typed_words(path)
    path.write_text('[function_words]\nskip = ["the"]\n', encoding="utf-8")
    assert read_typed_words(path).meanings("the")[0].cat == FUNCTION
