"""Reports that are kept, through app.py: compared, checked again, deleted and put back; replays."""

from collections.abc import Callable

import pytest

from pages.ui import resources
from services.container import Services
from services.workbench.desk import Desk
from tests.pages.conftest import FILES, Shown
from tests.pages.test_pages import _uncited
from tests.waiting import job_ended

Show = Callable[[str], Shown]


def _services() -> Services:
    return resources._services("snapshot")


@pytest.fixture
def two(show: Show) -> tuple[str, str]:
    """An analysis of 招商银行 and one of 贵州茅台; begun once, found again by every test."""
    show("reports")
    desk = Desk(_services())
    kept = {one.symbol: one.job_id for one in desk.reports() if one.kind == "analysis"}
    for company in ("600036.SH", "600519.SH"):
        if company not in kept:
            kept[company] = desk.analyse(company, "s_shelf")
        job_ended(kept[company])
    return kept["600036.SH"], kept["600519.SH"]


def _click(shown: Shown, key: str) -> Shown:
    shown.app.button(key=key).click().run()
    assert not shown.app.exception
    return shown


def _items(shown: Shown) -> str:
    (found,) = shown.tree.xpath("//ol[@class='yj-reports']")
    return str(found.text_content())


@pytest.mark.parametrize("language", ["zh", "en"])
def test_two_reports_stand_side_by_side_with_every_figure_cited(
    show: Show, two: tuple[str, str], language: str
) -> None:
    shown = show(f"reports?compare={two[0]},{two[1]}&lang={language}")
    assert ("不同的数字" if language == "zh" else "Figures that differ") in shown.text
    assert _uncited(shown) == []
    # stock_code_CN: pe_s_d 8.9/8.67 and 33.84/31.51
    values = [one.text_content() for one in shown.figures("pe_ttm")]
    assert values[:2] == ["8.67", "31.51"]


def test_a_comparison_with_what_is_not_there_says_so(show: Show, two: tuple[str, str]) -> None:
    shown = show(f"reports?compare={two[0]},job_nope")
    assert "job_nope" in shown.text
    assert shown.tree.xpath("//section[contains(@class, 'yj-errorcard')]")


def test_a_report_is_deleted_and_comes_back_with_undo(show: Show, two: tuple[str, str]) -> None:
    shown = show("reports")
    assert "招商银行" in _items(shown)
    shown.app.multiselect(key="w_shelf").set_value([two[0]]).run()
    _click(shown, "w_shelf_away")
    shown.app.switch_page(FILES["reports"])
    shown.app.run()
    assert "已删除 1 份" in shown.text
    assert "招商银行" not in _items(shown)
    assert "招商银行" not in _items(show("reports"))  # for everybody
    _click(shown, "w_shelf_undo")
    assert "招商银行" in _items(shown)
    assert "已删除 1 份" not in shown.text


def test_one_that_is_picked_is_previewed_with_its_figures_cited(
    show: Show, two: tuple[str, str]
) -> None:
    shown = show("reports")
    assert shown.figures() == []
    shown.app.multiselect(key="w_shelf").set_value([two[1]]).run()
    # stock_code_CN: pe_s_d 33.84/31.51, told to three digits as prose is
    assert "31.5倍" in [one.text_content() for one in shown.figures("pe_ttm")]
    assert _uncited(shown) == []


def test_what_was_deleted_long_ago_can_be_restored(show: Show, two: tuple[str, str]) -> None:
    Desk(_services()).put_away([two[1]])
    shown = show("reports")
    assert "贵州茅台" not in _items(shown)
    shown.app.multiselect(key="w_shelf_hidden").set_value([two[1]]).run()
    _click(shown, "w_shelf_back")
    assert "贵州茅台" in _items(shown)


def test_an_open_report_is_checked_again_as_a_whole(show: Show, two: tuple[str, str]) -> None:
    shown = show(f"reports?job={two[0]}")
    assert "全部成立" not in shown.text
    _click(shown, "w_shelf_recheck")
    assert "全部成立" in shown.text
    assert "指纹" in shown.text
    assert _uncited(shown) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_run_is_replayed_and_compared_with_now(show: Show, language: str) -> None:
    shown = show(f"trace?lang={language}")
    _click(shown, "w_replay")
    assert ("重放一致" if language == "zh" else "replays the same") in shown.text
    _click(shown, "w_replay_now")
    assert ("没有变化" if language == "zh" else "nothing changed") in shown.text
    assert _uncited(shown) == []
