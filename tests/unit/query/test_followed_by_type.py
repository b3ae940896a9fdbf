"""A turn that says one thing anew: it takes the place of what is of its kind, the rest stays."""

import pytest

from services.query.answering.answers import Answered
from services.query.sessions import Planned
from tests.unit.query.bundled_query import youju


def _read_as(*texts: str) -> str:
    """What the last of these turns was read as; nothing where it was put back."""
    session: str | None = None
    found: Answered | Planned | None = None
    for text in texts:
        found = youju().query.ask(text, session)
        session = found.session_id
    return found.draft.plan_words if isinstance(found, Answered) else ""


@pytest.mark.parametrize(
    ("before", "turn", "figure"),
    [
        (("比亚迪2016年营业收入", "同比增长多少"), "换成净利润", "2016年净利润同比变化率"),
        (("恒大2016营收比2015涨多少",), "净利润呢", "净利润从2015年到2016年的变化率"),
        (("同仁堂2016年营收是2012年的几倍",), "净利润呢", "2016年净利润与2012年净利润之比"),
        (("茅台市值是五粮液的几倍",), "市盈率呢", "市盈率(TTM)与五粮液的市盈率(TTM)之比"),
        (("海康威视市值排第几",), "市净率呢", "市净率(MRQ)在A股中从高到低的名次"),
        (("万达电影2014到2016年净利润平均",), "营收呢", "2014年至2016年营业收入的平均值"),
        (("苹果 谷歌 脸书 2016营收排个序",), "换成净利润", "按2016年净利润从高到低"),
        (("BYD revenue growth in 2016",), "net profit?", "net profit year-on-year change"),
    ],
)
def test_another_figure_is_asked_the_same(before: tuple[str, ...], turn: str, figure: str) -> None:
    assert figure in _read_as(*before, turn)


def test_an_average_of_the_industry_is_none_of_the_companies() -> None:
    assert _read_as("中国中车近五年的负债率", "和万科比", "平均呢")
    assert not _read_as("中国中车近五年的负债率", "和万科比", "行业平均呢")


def test_what_is_among_them_keeps_what_was_said_of_them() -> None:
    told = _read_as("创业板pe大于100的公司", "其中医药的列十个,pe最高的")
    assert "创业板医药生物中市盈率(TTM)大于100倍" in told
    assert "创业板" not in _read_as("创业板pe大于100的公司", "A股医药生物pe最高的十家")


def test_the_average_of_an_empty_list_is_told_as_such() -> None:
    told = _read_as("市净率低于1的A股银行", "按市值排序", "只看前三家", "平均市盈率多少")
    assert "市盈率(TTM)平均值" in told
