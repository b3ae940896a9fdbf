"""报告 through app.py: empty, running, finished, refused, cancelled, interrupted; the ways in."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.ui import resources
from services.agents.results import AgentRunRequest
from services.container import Services
from services.store.jobs import Jobs
from tests.chance import stands
from tests.contract.analyst import seen
from tests.fakes.models import Asked, ModelServer, Step, as_json, hang_after
from tests.pages.conftest import FILES, Shown
from tests.pages.test_pages import _uncited
from tests.prepared import prepared
from tests.waiting import a_moment

Show = Callable[[str], Shown]
MAOTAI = "600519.SH"
LIE = {"summary": "市盈率(TTM)为 5 倍。", "key_points": ["净利润同比增长 88.8%。"]}


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The store of these tests."""
    return prepared(tmp_path_factory.mktemp("reports") / "reports.duckdb")


@pytest.fixture
def fresh(show: Show, monkeypatch: pytest.MonkeyPatch, kept: str) -> Iterator[Show]:
    """The app with services of their own, as after a start of the server."""
    st.cache_resource.clear()
    monkeypatch.setenv("YOUJU_STORE", kept)
    yield show
    _services().close()
    st.cache_resource.clear()


def _services() -> Services:
    """The container the app works with, made by its first run."""
    return resources._services("snapshot")


def _use(monkeypatch: pytest.MonkeyPatch, server: ModelServer) -> None:
    for name, value in server.environment().items():
        monkeypatch.setenv(name, value)


def _job(shown: Shown) -> str:
    found = shown.app.query_params["job"]
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
    raise AssertionError(f"{says!r} never came: {shown.text[:500]}")


def _button(app: AppTest, key: str) -> None:
    app.button(key=key).click().run()
    assert not app.exception


def _followed(shown: Shown) -> Shown:
    """The page a click leads to: AppTest does not follow by itself, a browser does."""
    shown.app.switch_page(FILES["reports"])
    return _again(shown)


def _start(shown: Shown, company: str, question: str = "") -> Shown:
    box = next(one for one in shown.app.text_input if str(one.key).startswith("w_report_company"))
    box.set_value(company)
    shown.app.text_input(key="w_report_question").set_value(question)
    _button(shown.app, "w_report_start")
    return shown


def test_without_any_report_the_page_says_how_to_get_one(
    fresh: Show, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("YOUJU_STORE", prepared(tmp_path / "empty.duckdb"))
    shown = fresh("reports")
    assert "还没有报告" in shown.text
    assert shown.figures() == []
    assert _uncited(shown) == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_finished_report_is_cited_explained_and_kept(fresh: Show, language: str) -> None:
    shown = _start(fresh(f"reports?lang={language}"), MAOTAI, "估值贵不贵 <b>1</b>")
    zh = language == "zh"
    _until(shown, "可信度" if zh else "Confidence")
    assert len(shown.figures()) >= 7
    assert _uncited(shown) == []
    # stock_code_CN: pe_s_d 33.84/31.51
    assert shown.figures("pe_ttm")[0].text_content() == ("31.5倍" if zh else "31.5 x")
    for expected in (
        ("由规则撰写", "没有配置模型", "数据时效", "证据", "用过的工具", "须知")
        if zh
        else ("written by rule", "no model is configured", "Freshness", "Evidence", "Tools used")
    ):
        assert expected in shown.text
    assert shown.tree.xpath("//main//b[text()='1']") == []
    chips = shown.tree.xpath("//a[@class='yj-e']/@href")
    assert chips
    assert {one.removeprefix("#") for one in chips} == set(shown.tree.xpath("//tr/@id"))
    known = set(shown.tree.xpath("//data/@data-claim-id | //data/@data-input-id"))
    for figure in shown.figures():
        assert set((figure.get("data-inputs") or "").split()) <= known
    listed = fresh("reports")
    assert shown.app.query_params["job"]
    assert listed.tree.xpath(f"//ol[@class='yj-reports']//a[contains(@href, '{_job(shown)}')]")
    assert _uncited(listed) == []
    other = fresh(f"reports?job={_job(shown)}")
    assert len(other.figures()) >= 7


def test_reports_of_one_company_only(fresh: Show) -> None:
    for company in (MAOTAI, "000858"):
        _until(_start(fresh("reports"), company), "可信度")
    everything, mine = fresh("reports"), fresh("reports?symbol=000858")
    assert len(everything.tree.xpath("//ol[@class='yj-reports']/li")) >= 2
    assert "贵州茅台" in everything.text
    items = mine.tree.xpath("//ol[@class='yj-reports']/li")
    assert items
    assert all("五粮液" in one.text_content() for one in items)


def test_the_market_has_a_report_too_that_says_what_is_missing(fresh: Show) -> None:
    shown = fresh("reports")
    _button(shown.app, "w_report_market")
    _until(shown, "可信度")
    assert "A 股 市场总览" in shown.text
    assert "快照不含这类内容" in shown.text
    assert _uncited(shown) == []


def test_an_ambiguous_company_is_asked_back_and_the_form_stays(fresh: Show) -> None:
    shown = _start(fresh("reports"), "平安")
    assert "请确认是哪一个" in shown.text
    links = shown.tree.xpath("//section[@role='alert']//a/@href")
    assert any("reports?symbol=601318.SH" in one for one in links)
    assert shown.app.button(key="w_report_start")
    assert "job" not in shown.app.query_params


def test_an_unknown_report_says_so_and_the_form_is_there(fresh: Show) -> None:
    shown = fresh("reports?job=job_nope")
    assert "没有这份报告" in shown.text
    assert shown.app.button(key="w_report_start")


def test_a_running_analysis_shows_its_course_and_is_cancelled(
    fresh: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(hang_after("{")) as server:
        _use(monkeypatch, server)
        shown = _start(fresh("reports"), MAOTAI)
        _until(shown, "模型第 1 轮")
        assert "正在分析" in shown.text
        assert "基本面" in shown.text
        assert re.search(r"已用 \d+ 秒", shown.text)
        assert _uncited(shown) == []
        job = _job(shown)
        elsewhere = fresh("reports")
        assert "进行中" in elsewhere.text
        joined = _start(elsewhere, MAOTAI)
        assert _job(joined) == job
        _button(shown.app, "w_report_cancel")
        _until(shown, "分析已取消")
        assert "模型第 1 轮" in shown.text
        assert _uncited(shown) == []
        assert shown.app.button(key="w_report_again")


def test_a_model_of_no_use_is_told_and_the_rules_have_written(
    fresh: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer(as_json(LIE), as_json(LIE)) as server:
        _use(monkeypatch, server)
        shown = _until(_start(fresh("reports"), MAOTAI), "可信度")
        assert not stands("88.8", shown.text)
        assert "模型的回答两次都不能用" in shown.text
        assert len(shown.figures()) >= 7
        assert _uncited(shown) == []


def test_a_model_that_chooses_is_named_and_its_views_stand_apart(
    fresh: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(asked: Asked) -> Step:
        found: dict[str, object] = {
            section: list(told)[-1:] for section, told in seen(asked).sections.items()
        }
        said = ("公司经营看来稳健。", "势头<script>alert()</script>在减弱。")
        views = [
            {"section": section, "text": text, "because": found[section]}
            for section, text in zip(found, said, strict=False)
        ]
        return as_json({**found, "views": views})

    with ModelServer(choose, choose) as server:
        _use(monkeypatch, server)
        shown = _until(_start(fresh("reports"), MAOTAI), "可信度")
    assert "scripted (openai_tools)" in shown.text
    assert "模型调用" in shown.text
    assert "模型看法（未核对）" in shown.text
    assert "公司经营看来稳健。" in shown.text
    assert "alert()" not in shown.text
    assert shown.tree.xpath("//script") == []
    assert _uncited(shown) == []


def test_an_interrupted_analysis_says_so_and_can_be_run_again(fresh: Show) -> None:
    fresh("reports")
    asked = AgentRunRequest(symbol=MAOTAI, mode="stock").model_dump(mode="json")
    jobs = Jobs(_services().database)
    lost = jobs.start("analysis", "s_gone", subject=MAOTAI, title="茅台", arguments=asked)
    shown = fresh(f"reports?job={lost}")
    assert "分析中断了" in shown.text
    assert "中断" in fresh("reports").text
    _button(shown.app, "w_report_again")
    _until(shown, "可信度")
    assert _job(shown) != lost


def test_a_broken_settings_file_is_named_and_the_list_stays(
    fresh: Show, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "mine.yaml").write_text("agent: {runtme: x}", encoding="utf-8")
    monkeypatch.setenv("YOUJU_AGENT_SETTINGS", str(tmp_path / "mine.yaml"))
    shown = _start(fresh("reports"), MAOTAI)
    assert "设置有误" in shown.text
    assert "mine.yaml, agent.runtme" in shown.text
    assert shown.app.button(key="w_report_start")


def test_a_company_page_leads_to_its_report_and_an_index_has_none(fresh: Show) -> None:
    shown = fresh(f"company?symbol={MAOTAI}&tab=reports")
    _button(shown.app, "w_analyse")
    _until(_followed(shown), "可信度")
    assert "贵州茅台 个股深度分析" in shown.text
    keys = [one.key for one in fresh("company?symbol=000001.SH").app.button]
    assert "w_analyse" not in keys


def test_an_answer_about_one_company_leads_to_its_report(fresh: Show) -> None:
    shown = fresh("ask?q=茅台的净利润")
    _until(shown, "167.17")
    _button(shown.app, "w_analyse_1")
    _until(_followed(shown), "可信度")
    assert "茅台的净利润" in shown.text


def test_a_report_is_set_to_be_written_by_schedule_and_no_more(show: Show) -> None:
    from pages.ui import resources

    shown = show("reports?symbol=600036.SH")
    shown.app.selectbox(key="w_schedule_every").set_value("weekly")
    shown.app.button(key="w_schedule_add").click().run()
    (made,) = resources.desk().schedules()
    assert (made.symbol, made.every, made.done_for) == ("600036.SH", "weekly", None)
    assert "每周最后一个交易日收盘后" in shown.text
    shown.app.text_input(key="w_schedule_company_600036.SH").set_value("没有这家公司")
    shown.app.button(key="w_schedule_add").click().run()
    assert "没有这家公司" in shown.text
    assert resources.desk().schedules() == (made,)
    shown.app.button(key=f"w_schedule_{made.schedule_id}").click().run()
    assert resources.desk().schedules() == ()
