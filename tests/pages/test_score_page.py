"""持有评分 through app.py: none yet, running, released, vetoed, failed, lost; and batches."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.ui import resources
from services.container import Services
from services.scoring.scorer import KIND, ScoreRequest
from services.store.jobs import Jobs
from tests.fakes.models import ModelServer, as_json, hang_after
from tests.pages.conftest import Shown
from tests.pages.test_pages import _uncited
from tests.prepared import prepared
from tests.waiting import a_moment

Show = Callable[[str], Shown]
BANK = "600036.SH"


@pytest.fixture
def fresh(show: Show, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Show]:
    """The app with services and a store of its own, let go of at the end."""
    st.cache_resource.clear()
    monkeypatch.setenv("YOUJU_STORE", prepared(tmp_path / "scores.duckdb"))
    yield show
    _services().close()
    st.cache_resource.clear()


def _services() -> Services:
    """The container the app works with, made by its first run."""
    return resources._services("snapshot")


def _use(monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    for name, value in server.environment().items():
        monkeypatch.setenv(name, value)


def _param(shown: Shown, name: str) -> str:
    found = shown.app.query_params[name]
    return found[0] if isinstance(found, list) else found


def _again(shown: Shown) -> Shown:
    """The same page as it is after a moment: a poll, or a reload."""
    shown.app.run()
    assert not shown.app.exception
    return shown


def _until(shown: Shown, says: str) -> Shown:
    for _ in range(400):
        if says in shown.text:
            return shown
        a_moment()
        _again(shown)
    raise AssertionError(f"{says!r} never came: {shown.text[:600]}")


def _click(app: AppTest, key: str) -> None:
    app.button(key=key).click().run()
    assert not app.exception


def _scored(show: Show, address: str, says: str) -> Shown:
    shown = show(address)
    _click(shown.app, "w_score")
    return _until(shown, says)


def test_the_tour_has_a_score_made_by_the_rules_without_a_click_and_only_once(
    fresh: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as server:  # the model that is set up refuses every request of it
        _use(monkeypatch, server)
        shown = _until(fresh(f"company?symbol={BANK}&tab=score&demo=6"), "权重与得分")
        assert "规则评分" in shown.text
    jobs = _services().scores.list(symbol=BANK)
    assert len(jobs) == 1
    assert "权重与得分" in fresh(f"company?symbol={BANK}&tab=score&demo=6").text
    assert _services().scores.list(symbol=BANK) == jobs
    # Beside the names of the sections stands what waits there.
    scored = fresh(f"company?symbol={BANK}")
    (past,) = _services().scores.history(BANK)
    (sections,) = [one for one in scored.app.get("button_group") if one.key == "w_tab"]
    assert [one.replace("\\", "") for one in sections.options if ":small[" in one] == [
        f"评分 :small[{past.hold_score:.1f}]",
        "消息 :small[需实时]",
        "报告 :small[1]",
    ]


def test_a_company_without_a_score_has_none_made_outside_the_tour(fresh: Show) -> None:
    fresh(f"company?symbol={BANK}&tab=score")
    assert _services().scores.list(symbol=BANK) == ()


def test_before_any_score_the_page_says_what_it_does_and_who_would_score(fresh: Show) -> None:
    shown = fresh("score")
    for expected in ("招商银行", "还没有评过", "按规则", "未配置模型"):
        assert expected in shown.text
    assert "API_KEY" not in shown.text
    assert shown.figures() == []
    assert _uncited(shown) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_released_score_is_cited_explained_and_kept(fresh: Show, language: str) -> None:
    zh = language == "zh"
    shown = _scored(fresh, f"score?symbol={BANK}&lang={language}", "理由" if zh else "Reason")
    assert _uncited(shown) == []
    for expected in (
        ("规则评分", "因子", "查到了什么", "审核经过", "第 1 轮", "快照不含这类内容", "评分记录")
        if zh
        else ("scored by rule", "Factors", "What was found", "Round 1", "Scores so far")
    ):
        assert expected in shown.text
    # stock_code_CN: 600036 pe_s_d …/8.67, pb 1.31
    assert shown.figures("pe_ttm")[0].text_content() == ("8.67倍" if zh else "8.67 x")
    assert len(shown.tree.xpath("//ol[@class='yj-factors']/li")) == 7
    dial = shown.tree.xpath("//div[@class='yj-points']//data")[0]
    assert dial.get("data-metric") == "hold_score"
    # What rules grade is told to a tenth; how much of the data there is, in whole percents.
    assert dial.text_content().removesuffix("分") == f"{float(dial.get('value')):.1f}"
    (covered,) = shown.figures("score_coverage")[:1]
    assert covered.text_content() == f"{float(covered.get('value')) * 100:.0f}%"
    known = set(shown.tree.xpath("//data/@data-claim-id | //data/@data-input-id"))
    for figure in shown.figures():
        assert set((figure.get("data-inputs") or "").split()) <= known
    later = fresh(f"score?job={_param(shown, 'job')}")
    assert later.tree.xpath("//div[@class='yj-points']//data/@value") == [dial.get("value")]
    assert "招商银行" in fresh("score?symbol=000858").text  # listed as scored lately


def test_a_score_that_is_open_is_checked_again_and_put_away(fresh: Show) -> None:
    shown = _scored(fresh, f"score?symbol={BANK}", "理由")
    job = _param(shown, "job")
    _click(shown.app, "w_shelf_recheck")
    (verdict,) = shown.tree.xpath("//section[contains(@class, 'yj-pack')]")
    assert len(verdict.xpath(".//*[contains(@class, 'yj-good')]")) == 1
    assert verdict.xpath(".//*[contains(@class, 'yj-bad')]") == []
    assert _uncited(shown) == []
    _click(shown.app, "w_shelf_away_open")
    stored = Jobs(_services().database)
    assert stored.list(kinds=(KIND,)) == ()
    assert [one.job_id for one in stored.list(kinds=(KIND,), hidden=True)] == [job]
    # Gone from what the company was scored, and from those scored lately.
    assert "还没有评过" in fresh(f"score?symbol={BANK}").text


def test_the_price_since_is_not_known_yet_and_says_why(fresh: Show) -> None:
    shown = _scored(fresh, f"score?symbol={BANK}", "理由")
    cells = shown.tree.xpath("//table[@id='t-history']//button[contains(@class, 'yj-m')]")
    # The clock is 2017-07-26 after the close; sh600036.csv ends a session before.
    next_one, *later = [one.get("data-reason") for one in cells]
    assert "2017-07-26 没有收盘价" in next_one
    assert len(later) == 3  # 5, 20 and 60 sessions
    assert all("1 个交易日" in one for one in later)


def test_a_company_with_too_little_data_gets_no_score_and_says_what_lacks(fresh: Show) -> None:
    shown = _scored(fresh, "score?symbol=00005.HK", "没有评出来")
    assert "数据覆盖度" in shown.text
    assert "盈利质量" in shown.text
    assert shown.tree.xpath("//div[@class='yj-points']") == []
    assert _uncited(shown) == []


def test_a_veto_shows_what_was_said_in_each_round_and_no_text_of_a_draft(
    fresh: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = {
        "stock_code": BANK,
        "hold_score": 8.0,
        "chosen": ["f1", "f2", "f4", "s1"],
        "summary_reason": "秘密草稿" * 40,
    }
    refusal = {"stock_code": BANK, "passed": False, "why": "too_little", "reason": "秘密"}
    with ModelServer(*[as_json(one) for _ in range(5) for one in (draft, refusal)]) as server:
        _use(monkeypatch, server)
        shown = _scored(fresh, f"score?symbol={BANK}", "不予显示")
        assert "秘密草稿" not in shown.text
        assert len(shown.tree.xpath("//ol[@class='yj-rounds']/li")) == 5
        assert "数据不足以支持这个分数" in shown.text
        assert shown.figures("hold_score") == []
        assert _uncited(shown) == []
        _click(shown.app, "w_score_rule")
        _until(shown, "规则评分")


def test_a_scorer_that_fails_leaves_the_factor_score_and_both_are_said(
    fresh: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DASHSCOPE", "DEEPSEEK"):
        monkeypatch.setenv(f"{name}_API_KEY", "sk-not-to-be-shown")
        monkeypatch.setenv(f"{name}_BASE_URL", "http://127.0.0.1:9/v1")
    shown = _scored(fresh, f"score?symbol={BANK}", "规则评分")
    assert "评分模型 qwen-max 没有给出 600036.SH 的评分（模型没有按时答复，等了" in shown.text
    assert "采用因子评分" in shown.text
    assert len(shown.figures("hold_score")) > 0
    assert "sk-not-to-be-shown" not in shown.text
    assert _uncited(shown) == []


def test_a_running_score_shows_its_course_and_is_cancelled(
    fresh: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(hang_after("{")) as server:
        _use(monkeypatch, server)
        shown = _scored(fresh, f"score?symbol={BANK}", "第 1 轮")
        for expected in ("正在评分", "行业与基本面", "日线与走势"):
            assert expected in shown.text
        assert _uncited(shown) == []
        elsewhere = fresh(f"score?symbol={BANK}")
        assert "正在评分" in elsewhere.text
        _click(shown.app, "w_score_cancel")
        _until(shown, "评分已取消")
        assert shown.figures() == []


def test_a_score_that_was_cut_off_says_so(fresh: Show) -> None:
    fresh("score")
    asked = ScoreRequest(symbol=BANK).model_dump(mode="json")
    lost = Jobs(_services().database).start(KIND, "s_gone", subject=BANK, title="", arguments=asked)
    shown = fresh(f"score?job={lost}")
    assert "评分中断了" in shown.text
    assert shown.app.button(key="w_score")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("score?job=job_nope", "没有这次评分"),
        ("score?symbol=平安", "请确认是哪一个"),
        ("score?symbol=000001.SH", "指数"),
        ("score?batch=job_nope", "job_nope"),
    ],
)
def test_what_cannot_be_shown_is_said(fresh: Show, address: str, says: str) -> None:
    shown = fresh(address)
    assert says in shown.text
    assert shown.figures() == []


def test_a_typed_list_is_scored_with_each_outcome_in_its_row(fresh: Show) -> None:
    shown = fresh("score")
    shown.app.text_area(key="w_batch_list").set_value("600036，比亚迪 00005.HK")
    _click(shown.app, "w_batch_start")
    _until(shown, "3 家中已完成 3 家，评出 2 家")
    # All three may have ended a moment before the batch itself has.
    for _ in range(400):
        if any(one.key == "w_batch_resume" for one in shown.app.button):
            break
        a_moment()
        _again(shown)
    rows = shown.tree.xpath("//table[@id='t-batch']/tbody/tr")
    assert len(rows) == 3
    assert "00005.HK" in rows[2].text_content()  # those with a score come first
    scores = [float(one.get("value")) for one in shown.figures("hold_score")]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 2
    assert _uncited(shown) == []
    assert shown.app.button(key="w_batch_resume").label == "没有评出的再试一次"
    # Why one has no score begins with what lacks, not with what was asked of the program.
    assert rows[2].text_content().count("00005.HK") == 1
    known = set(shown.tree.xpath("//data/@data-claim-id | //data/@data-input-id"))
    for figure in shown.figures():
        assert set((figure.get("data-inputs") or "").split()) <= known
    assert "批量评分 3 家：招商银行、比亚迪、汇丰控股" in shown.text
    assert "3 家：招商银行、比亚迪、汇丰控股" in fresh("score").text
    english = fresh("score?lang=en").text
    assert "3 companies: China Merchants Bank, BYD, HSBC Holdings" in english


def test_a_batch_of_nobody_is_refused_and_the_form_stays(fresh: Show) -> None:
    shown = fresh("score")
    _click(shown.app, "w_batch_start")
    assert "代码或名称" in shown.text
    assert shown.app.button(key="w_batch_start")
