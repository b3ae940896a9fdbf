"""两家 after two turns about one company each are those two; after one alone nobody is left out."""

import pytest

from services.query.answering.answers import Answered
from tests.unit.query.bundled_query import talk


@pytest.mark.parametrize(
    ("texts", "read"),
    [
        (
            ("五粮液毛利率", "泸州老窖呢", "两家净资产收益率也列下"),
            "五粮液、泸州老窖的净资产收益率",
        ),
        (("五粮液市盈率", "泸州老窖呢", "他俩的市净率"), "五粮液、泸州老窖的市净率(MRQ)"),
        (("茅台和五粮液市盈率", "两家市净率呢"), "贵州茅台、五粮液的市净率(MRQ)"),
        (
            ("Moutai PE", "what about Wuliangye", "PB of both of them"),
            "P/B (MRQ) of Kweichow Moutai, Wuliangye",
        ),
    ],
)
def test_the_companies_of_two_turns_are_both_meant(texts: tuple[str, ...], read: str) -> None:
    found = talk(*texts)
    assert isinstance(found, Answered)
    assert found.draft.plan_words == read


def test_of_one_company_alone_there_are_no_two() -> None:
    assert talk("五粮液市盈率", "两家市净率呢").turn.ask_back is not None


# The newest day of the bundle is in July 2017.
@pytest.mark.parametrize(
    ("question", "since"),
    [
        ("上证指数6月以来涨了多少", "2017-06-01"),
        ("上证指数六月份以来涨了多少", "2017-06-01"),
        ("上证指数6个月以来涨了多少", "2017-01-26"),
        ("上证指数三个月以来涨了多少", "2017-04-26"),
    ],
)
def test_a_month_by_its_number_is_no_count_of_months(question: str, since: str) -> None:
    found = talk(question)
    assert isinstance(found, Answered)
    assert f"{since}至" in found.draft.plan_words
