"""Asking in live mode for what lies in some days or speaks of something: series, announcements."""

from collections.abc import Iterator

import pytest

from services.container import Services
from services.query.answering.answers import Answered
from tests.fakes import everything
from tests.live.answered import opened

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def healthy() -> Iterator[Services]:
    with everything.world() as running:
        services = opened(running)
        yield services
        services.close()


def answered(youju: Services, text: str) -> Answered:
    found = youju.query.ask(text, None)
    assert isinstance(found, Answered), found
    assert found.verification.ok
    return found


def test_a_series_has_as_many_periods_as_were_asked_for(healthy: Services) -> None:
    found = answered(healthy, "近两期GDP")
    assert found.table is not None
    assert [row.label for row in found.table.rows] == ["2026三季报", "2026中报"]


def test_a_series_of_days_it_has_not_says_so(healthy: Services) -> None:
    found = answered(healthy, "2015年CPI")
    assert found.text == "CPI：来源没有这段时间的数据。"
    assert found.table is None


def test_announcements_about_a_topic_are_those_that_name_it(healthy: Services) -> None:
    found = answered(healthy, "茅台的回购公告")
    assert found.draft.items
    assert all("回购" in item.title for item in found.draft.items)


def test_a_topic_no_announcement_names_is_said(healthy: Services) -> None:
    found = answered(healthy, "茅台的停牌公告")
    assert found.draft.items == ()
    assert found.text == "贵州茅台的公告：取到的里面没有提到「停牌」的。"


def test_a_company_listed_later_is_found_by_its_nickname(healthy: Services) -> None:
    assert answered(healthy, "宁王三季报净利润").text.startswith("宁德时代 2026三季报的净利润")
