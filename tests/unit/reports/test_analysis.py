"""报告: what a finished, running, refused or lost analysis looks like to a reader."""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from services.agents.results import AgentRunRequest, AgentRunResult
from services.container import Services, build_services
from services.core.clock import BEIJING
from services.core.errors import ConfigError, InputError
from services.core.rendering import PLACE, place, render
from services.core.text import Language, Text
from services.core.trace import Item
from services.exports.paper import Bullets, Prose
from services.exports.papers import paper_of
from services.exports.view_files import view_markdown
from services.jobs.runner import Ended, JobRunner
from services.jobs.steps import Step, StepWatcher
from services.settings import load_settings
from services.store.jobs import Jobs
from services.views.analysis_result import view_of
from services.views.analysis_steps import step_lines
from services.views.analysis_view import Analysis, AnalysisView
from services.views.job_progress import tokens_of
from services.workbench.desk import Desk
from tests.contract.analyst import seen
from tests.fakes.models import Asked, ModelServer, as_json
from tests.prepared import prepared
from tests.unit.reports.bundled import services, session
from tests.waiting import job_ended

MAOTAI = "600519.SH"
LIE = {"summary": "市盈率(TTM)为 5 倍。", "key_points": ["净利润同比增长 88.8%。"]}


def ended(desk: Desk, job: str) -> Analysis:
    """The analysis once it has ended; the test fails where it does not."""
    return desk.analysis(job_ended(job))


def report(
    desk: Desk, company: str | None, *, question: str = "", language: Language = "zh"
) -> AnalysisView:
    job = desk.analyse(company, session(), question=question, language=language)
    view = ended(desk, job).view
    assert view is not None
    return view


@contextmanager
def modelled(server: ModelServer, **more: str) -> Iterator[Services]:
    """Services of their own with that model."""
    given = {"YOUJU_STORE": ":memory:", **server.environment(), **more}
    youju = build_services(load_settings(given))
    try:
        yield youju
    finally:
        youju.close()


def honest(asked: Asked) -> dict[str, object]:
    """The last statement of each section."""
    return {section: list(told)[-1:] for section, told in seen(asked).sections.items()}


def test_every_figure_of_a_report_is_a_claim_and_its_marks_lead_to_a_call() -> None:
    view = report(Desk(services()), MAOTAI)
    assert view.summary is not None
    # stock_code_CN: mv 5656.91亿, pe_s_d 33.84/31.51
    told = render(view.summary.template, view.claims)
    assert "5,657亿元" in told
    assert "31.5倍" in told
    statements = [view.summary, *(one for part in view.sections for one in part.statements)]
    places = [name for one in statements for name in PLACE.findall(one.template)]
    assert len(places) >= 7
    assert set(places) <= set(view.claims)
    marks = [row.cells["marker"] for row in view.evidence.rows]
    assert marks == [f"E{at}" for at in range(1, len(marks) + 1)]
    assert {mark for one in statements for mark in one.marks} == set(marks)
    calls = {call.tool_call_id for call in view.trace.tool_calls}
    assert all(row.cells["tool_call_id"] in calls for row in view.evidence.rows)
    cited = {row.cells["figure"].claim_id for row in view.figures.rows}  # pyright: ignore
    assert cited == set(places)


def test_the_markdown_has_a_footnote_at_each_figure_and_all_that_a_reader_must_know() -> None:
    view = report(Desk(services()), MAOTAI)
    text, _, notes = view.markdown.partition("## 出处")
    assert text.startswith("# 贵州茅台 个股深度分析\n")
    for expected in (
        "- 对象: 贵州茅台 600519.SH",
        "- 截至: 2017-07-26",
        "由规则撰写",
        "没有配置模型",
        f"## 可信度 {view.confidence} / 100",
        "−5 数据时效",
        "[E1]",
        "## 核对",
        "快照没有它的日线",
    ):
        assert expected in text
    body = text.partition("## 证据")[0]
    figures = re.findall(r"[0-9][0-9,.]*(?:亿元|倍|元|%)", body)
    assert len(figures) >= 7
    assert all(re.search(re.escape(one) + r"\[\^\d+\]", body) for one in figures)
    used = set(re.findall(r"\[\^(\d+)\]", body))
    assert used <= set(re.findall(r"^\[\^(\d+)\]:", notes, re.MULTILINE))


def test_what_is_downloaded_is_what_was_stored_with_its_tables_and_outside_texts() -> None:
    view = report(Desk(services()), MAOTAI)
    assert view_markdown(view, "zh") == view_markdown(view, "en") == view.markdown
    paper = paper_of(view, "en")
    assert (paper.kind, paper.language, paper.run_ids) == ("report", "zh", view.run_ids)
    assert [one.key for one in paper.tables] == ["evidence", "figures", "tools"]
    told = [one for one in paper.blocks if isinstance(one, Prose | Bullets)]
    marks = [mark for one in told if isinstance(one, Prose) for mark in one.line.marks]
    assert marks == ["E1"]


def test_a_question_forms_no_markup_in_the_markdown() -> None:
    asked = "[看](javascript:alert) <img src=x> | **重** `x`"
    view = report(Desk(services()), MAOTAI, question=asked)
    assert "<img" not in view.markdown
    assert "[看](" not in view.markdown
    assert (
        "\\[看\\](javascript:alert) &lt;img src=x&gt; \\| \\*\\*重\\*\\* \\`x\\`" in view.markdown
    )


def test_an_english_report_is_english_throughout() -> None:
    view = report(Desk(services()), MAOTAI, language="en")
    assert "## Key points" in view.markdown
    assert "- As of: 2017-07-26" in view.markdown
    assert "565.69 bn CNY[^" in view.markdown
    assert view.language == "en"


def test_reports_are_listed_newest_first_and_by_company_or_market() -> None:
    youju = build_services(load_settings({"YOUJU_STORE": ":memory:"}))
    desk = Desk(youju)
    try:
        jobs = [desk.analyse(one, "s_list") for one in (MAOTAI, "000858.SZ", None)]
        for job in jobs:
            ended(desk, job)
        assert [one.job_id for one in desk.reports()] == jobs[::-1]
        assert [one.subject for one in desk.reports()] == ["CN", "000858.SZ", MAOTAI]
        assert [one.name.zh for one in desk.reports("CN")] == ["A 股"]
        (mine,) = desk.reports("茅台")
        # The bundle has no bars, no reports and no texts of it, and one source of 2017-05-25.
        assert (mine.job_id, mine.status, mine.confidence) == (jobs[0], "ok", "55")
        assert mine.writer == Text("由规则撰写", "written by rule")
        with pytest.raises(InputError, match="平安"):
            desk.reports("平安")
    finally:
        youju.close()


def test_a_model_is_named_with_what_it_chose() -> None:
    with ModelServer(lambda asked: as_json(honest(asked))) as server, modelled(server) as youju:
        view = report(Desk(youju), MAOTAI)
        (listed,) = Desk(youju).reports()
    assert view.writer == Text("模型 scripted (openai_tools)", "model scripted (openai_tools)")
    assert listed.writer == Text("scripted", "scripted")
    assert view.why is not None
    assert "挑选" in view.why.zh
    statements = view.sections[0].statements
    assert all(PLACE.findall(one.template) and one.marks for one in statements)
    assert view.models is not None
    (row,) = view.models.rows
    assert (row.cells["prompt_tokens"], row.cells["completion_tokens"]) == ("100", "20")
    assert row.cells["cost"] == Text("价格未知", "price unknown")


def test_a_model_of_no_use_leaves_the_rules_and_nothing_of_itself() -> None:
    with ModelServer(as_json(LIE), as_json(LIE)) as server, modelled(server) as youju:
        desk = Desk(youju)
        job = desk.analyse(MAOTAI, "s_lie")
        found = ended(desk, job)
        view = found.view
        assert found.status == "ok"
        assert view is not None
        assert view.why is not None
        assert "模型的回答两次都不能用" in view.why.zh
        assert "88.8" not in view.markdown


def test_headlines_are_quoted_with_their_origin_and_lead_to_the_web_only() -> None:
    result = services().analyses.run(AgentRunRequest(symbol=MAOTAI), session())
    assert isinstance(result, AgentRunResult)
    call = result.trace.tool_calls[0]
    told = {"kind": "news", "published_at": datetime(2017, 7, 1, tzinfo=BEIJING)}
    items = (
        Item(item_id="news:1", title="净利 <b>888</b> 亿", url="https://a.test/1", **told),
        Item(item_id="news:2", title="点我", url="javascript:alert(1)", **told),
        Item(item_id="news:3", title="没有引用的", url="https://a.test/3", **told),
    )
    trace = result.trace.model_copy(
        update={"tool_calls": (call.model_copy(update={"items": items}),)}
    )
    points = ("新闻：「净利 <b>888</b> 亿」", "新闻：「点我」")
    draft = result.runtime_draft.model_copy(update={"summary": "无", "key_points": points})
    made = result.model_copy(update={"trace": trace, "runtime_draft": draft, "evidence": ()})
    view = view_of(services().names, Text("报告", "Report"), made)
    assert view.quotes == ("净利 <b>888</b> 亿", "点我")
    assert [(one.title, one.url) for one in view.outside] == [
        ("净利 <b>888</b> 亿", "https://a.test/1"),
        ("点我", None),
    ]


def test_names_with_digits_are_known_as_names() -> None:
    result = services().analyses.run(AgentRunRequest(symbol="00700.HK"), session())
    assert isinstance(result, AgentRunResult)
    score = next(one for one in result.claims if one.metric == "rsi")
    text = f"RSI(14) {place(score)}，20 日均线与沪深300，2017年5月25日，另有 1500 元。"
    draft = result.runtime_draft.model_copy(update={"key_points": (text,)})
    made = result.model_copy(update={"runtime_draft": draft, "evidence": ()})
    labels = view_of(services().names, Text("", ""), made).labels
    assert {"RSI(14)", "20 日均线", "沪深300", "2017年5月25日"} <= set(labels)
    assert not any("1500" in one for one in labels)


def test_the_course_tells_each_thing_once_with_how_it_stands() -> None:
    steps = [
        Step(kind="begun", title=Text("开始", "begun")),
        Step(kind="tool_started", title=Text("行情", "prices"), tool="a"),
        Step(kind="tool_started", title=Text("新闻", "news"), tool="b"),
        Step(
            kind="tool_ended",
            title=Text("没有", "none"),
            tool="b",
            seconds=0.5,
            error="NoDataError",
        ),
        Step(kind="tool_ended", title=Text("行情", "prices"), tool="a", seconds=1.5),
        Step(kind="model_started", title="m", round=1),
        Step(kind="model_progress", title=Text("正在写", "writing"), round=1, tokens=7),
    ]
    lines = step_lines(steps, running=True)
    assert [(one.words.zh, one.state, one.seconds) for one in lines] == [
        ("行情", "done", 1.5),
        ("新闻", "failed", 0.5),
        ("模型第 1 轮", "running", None),
    ]
    assert lines[1].detail == (Text("没有", "none"),)
    assert lines[2].tokens == 7
    assert tokens_of(steps) == 7
    assert step_lines(steps, running=False)[2].state == "stopped"


def test_an_analysis_whose_process_is_gone_was_interrupted(tmp_path: Path) -> None:
    youju = build_services(load_settings({"YOUJU_STORE": prepared(tmp_path / "store.duckdb")}))
    desk = Desk(youju)
    try:
        asked = AgentRunRequest(symbol=MAOTAI, mode="stock").model_dump(mode="json")
        jobs = Jobs(youju.database)
        lost = jobs.start("analysis", "s_1", subject=MAOTAI, title="茅台", arguments=asked)
        jobs.append(
            lost, 1, Step(kind="tool_started", title=Text("行情", "prices")).model_dump_json()
        )
        found = desk.analysis(lost)
        assert (found.status, found.view, found.steps[0].state) == ("interrupted", None, "stopped")
        assert [one.status for one in desk.reports()] == ["interrupted"]
        assert ended(desk, desk.analyse_again(lost, "s_1")).status == "ok"
    finally:
        youju.close()


def test_a_broken_settings_file_stops_analyses_and_nothing_else(tmp_path: Path) -> None:
    broken = tmp_path / "agent.yaml"
    broken.write_text("agent: {runtme: openai_tools}", encoding="utf-8")
    given = {
        "YOUJU_STORE": prepared(tmp_path / "store.duckdb"),
        "YOUJU_AGENT_SETTINGS": str(broken),
    }
    youju = build_services(load_settings(given))
    try:
        desk = Desk(youju)
        assert desk.reports() == ()
        assert desk.stock("000002.SZ", None, None, "s_1").symbol == "000002.SZ"
        for _ in range(2):
            with pytest.raises(
                ConfigError, match=r"YOUJU_AGENT_SETTINGS: agent\.yaml, agent\.runtme"
            ):
                desk.analyse(MAOTAI, "s_1")
    finally:
        youju.close()


def test_an_unknown_default_skill_is_a_wrong_setting(tmp_path: Path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text("agent: {default_skill: poetry}", encoding="utf-8")
    given = {
        "YOUJU_STORE": prepared(tmp_path / "store.duckdb"),
        "YOUJU_AGENT_SETTINGS": str(file),
    }
    youju = build_services(load_settings(given))
    try:
        with pytest.raises(ConfigError, match=r"default_skill.*poetry"):
            Desk(youju).analyse(MAOTAI, "s_1")
    finally:
        youju.close()


def test_an_unknown_report_and_an_ambiguous_company_are_asked_back() -> None:
    desk = Desk(services())
    with pytest.raises(InputError, match="没有这份报告"):
        desk.analysis("job_nope")
    with pytest.raises(InputError) as refused:
        desk.analyse("平安", session())
    assert len(refused.value.choices) >= 2
    with pytest.raises(InputError):
        desk.analyse("", session())


def test_what_runs_in_one_mode_runs_for_the_other_and_is_joined_by_a_second_click() -> None:
    jobs = Jobs(services().database)
    here, there = JobRunner(jobs), JobRunner(jobs)
    begun, go = threading.Event(), threading.Event()

    def work(watch: StepWatcher) -> Ended:
        begun.set()
        assert go.wait(60)
        return Ended(status="ok", document="{}")

    def start(runner: JobRunner, session_id: str) -> str:
        return runner.start("test", session_id, work, subject="x", title="t", arguments={"a": 1})

    job = start(here, "s_1")
    assert begun.wait(60)
    assert there.state(job).running
    assert start(here, "s_2") == job
    here.cancel(job)
    assert there.state(job).stopping
    go.set()
    here.close()
    assert there.state(job).status == "ok"
