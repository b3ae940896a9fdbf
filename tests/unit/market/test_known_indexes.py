"""An index is known by name in every door, and a name of one market is never one of another."""

from functools import cache
from pathlib import Path

import pytest

from services.core.errors import ConfigError, InputError, NoDataError
from services.core.indexes import INDEXES, read_indexes
from services.core.symbols import Symbol
from services.market.history import price_history
from services.query.answering.answers import Answered
from tests.unit.market.bundled import bundle
from tests.unit.query.bundled_query import youju
from tests.unit.query.stored_questions import asked

SAID = sorted((name, one.symbol) for one in INDEXES.values() for name in one.called)
# What the issue names, by hand.
NAMED = {
    "沪深300": "000300.SH",
    "深证成指": "399001.SZ",
    "创业板指": "399006.SZ",
    "中证500": "000905.SH",
    "000300.SH": "000300.SH",
    "399001.SZ": "399001.SZ",
    "399006.SZ": "399006.SZ",
    "000905.SH": "000905.SH",
    "恒生科技": "HSTECH",
    "标普500": "SPX",
}
# Words that turn the name of a company into one of something else.
TAILS = ("指数", "ETF", "基金", "概念")


def said_of(question: str) -> list[str]:
    """The symbols a question was read to be about; none when it is asked back."""
    (found,) = asked(question)
    names = [str(one.arg("entity")) for one in found.nlir.nodes] if found.nlir else []
    return [youju().names.resolve(name).value for name in names]


@cache
def mainland() -> list[str]:
    return [r.name for r in youju().names.rows.values() if (r.market, r.kind) == ("CN", "stock")]


@pytest.mark.parametrize(("text", "symbol"), [*NAMED.items(), *SAID])
def test_every_name_of_a_known_index_means_it_in_every_door(text: str, symbol: str) -> None:
    names = youju().names
    found = names.resolve(text)
    assert (found.value, found.is_index) == (symbol, True)
    assert names.search(text, 1)[0].symbol == symbol or text in {"恒生科技"}
    assert said_of(f"{text}近一个月走势") == [symbol]


@pytest.mark.parametrize("symbol", ["000905.SH", "HSTECH", "SPX"])
def test_an_index_without_bars_is_said_to_be_known_and_what_there_is(symbol: str) -> None:
    asked = youju().query.ask(f"{INDEXES[symbol].zh}近一个月走势")
    assert isinstance(asked, Answered)
    assert not asked.draft.answered
    for said in ("已知指数", "上证指数、恒生指数、纳斯达克综合指数", "实时模式可能有"):
        assert said in asked.text
    assert {one.symbol for one in asked.claims} <= {symbol}


def test_the_tools_say_so_too() -> None:
    market = bundle()
    with pytest.raises(NoDataError, match="已知指数"):
        price_history(market.ledger(), Symbol("000905.SH"), None, None)


def test_no_name_of_a_mainland_company_means_another_market_whatever_is_behind_it() -> None:
    """Alone and with a word behind: what is found without asking is mainland."""
    names, wrong = youju().names, list[tuple[str, str]]()
    for name in mainland()[::25]:
        for text in (name, *(name + tail for tail in TAILS)):
            try:
                found = names.resolve(text)
            except InputError:
                continue
            if found.market != "CN":
                wrong.append((text, found.value))
    assert wrong == []


def test_a_question_about_one_never_reaches_another_market() -> None:
    texts = [f"{name}{tail}的最新价" for name in mainland()[::60] for tail in TAILS[:2]]
    reached = {text: said_of(text) for text in texts}
    wrong = {t: found for t, found in reached.items() if any(_market(s) != "CN" for s in found)}
    assert wrong == {}


def _market(symbol: str) -> str:
    return Symbol(symbol).market


@pytest.mark.parametrize(
    ("part", "whole", "symbol"),
    [
        ("中证500ETF", "中证500ETF-德银嘉实", "ASHS"),
        ("新兴市场50指数", "ADR新兴市场50指数-BLDRS", "ADRE"),
    ],
)
def test_a_part_of_a_name_of_another_market_is_asked_back(
    part: str, whole: str, symbol: str
) -> None:
    names = youju().names
    with pytest.raises(InputError) as caught:
        names.resolve(part)
    assert caught.value.name == "symbol"
    assert symbol in caught.value.choices
    assert names.resolve(whole).value == symbol
    assert said_of(f"{part}的最新价") == []


def test_a_faulty_file_of_indexes_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "indexes.toml"
    path.write_text('["000001.SH"]\nzh = 3\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"indexes\.toml: line 2, .*zh: "):
        read_indexes(path)
