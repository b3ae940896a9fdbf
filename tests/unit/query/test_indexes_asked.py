"""What is asked of an index, of its members and of its funds: three things under one name."""

import pytest

from services.query.answering.answers import Answered
from services.query.sessions import Planned
from tests.unit.query.bundled_query import youju


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("沪深300成分股里市盈率最低的5只", "沪深300成份股"),
        ("上证指数里涨幅最大的5只", "上证指数成份股"),
        ("恒生指数的公司里ROE大于20%的", "恒生指数成份股"),
        ("which S&P 500 stocks have PE below 15", "s&p 500 members"),
    ],
)
def test_the_members_of_an_index_are_no_days_of_the_index(question: str, named: str) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Planned)
    assert found.turn.ask_back is not None
    assert named in found.turn.ask_back.reason


@pytest.mark.parametrize(
    "question", ["沪深300ROE", "纳斯达克100 ROE最高的5家", "上证指数2016年净利润", "Hang Seng ROE"]
)
def test_figures_of_companies_are_not_asked_of_an_index(question: str) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Planned)
    assert found.turn.ask_back is not None
    assert "指数" in found.turn.ask_back.reason or "index" in found.turn.ask_back.reason


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("恒指市盈率", "恒生指数的市盈率"),
        ("沪深300PE", "沪深300的市盈率(TTM)"),
        ("恒指最近收盘", "恒生指数最近收盘"),
        ("Hang Seng PE", "Hang Seng Index, P/E"),
    ],
)
def test_an_index_is_asked_for_its_own_price_and_multiples(question: str, said: str) -> None:
    found = youju().query.ask(question, None)
    assert isinstance(found, Answered)
    assert said in found.text
