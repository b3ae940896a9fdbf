"""Both runtimes against a model and an endpoint that misbehave: told, bounded, never a guess."""

import json
import time

import pytest

from services.agents.results import AgentRunRequest, AgentRunResult
from services.agents.service import AgentService
from services.core.text import Text
from services.jobs.runner import CancelledError
from services.jobs.steps import Step as Told
from tests.contract.analyst import (
    KEY,
    RUNTIMES,
    Document,
    Rehearsed,
    Runtime,
    Script,
    Seen,
    analyst,
    document,
    final,
    options,
    picked,
    play,
    rehearse,
    use,
)
from tests.fakes import models
from tests.fakes.models import ModelServer, Step, Tool, cut, hang, refuse, reset, say
from tests.unit.agents.kit import Noted, services
from tests.waiting import job_ended

pytestmark = pytest.mark.thorough

both = pytest.mark.parametrize("runtime", RUNTIMES)
honest = picked
MARKET = AgentRunRequest(mode="market")


def note(why: str) -> str:
    return f"模型没有写成（{why}），由规则撰写"


def by_rule(runtime: Runtime, why: str, *answers: Step, deadline_s: float = 20.0) -> list[str]:
    """What the rules wrote when the model did not, labelled with why; the errors of its calls."""
    talk = rehearse(runtime, *answers, deadline_s=deadline_s)
    draft = talk.draft
    assert draft is not None
    assert (draft.runtime, draft.model) == ("builtin", None)
    assert draft.note is not None
    assert str(draft.note).startswith(note(why)), draft.note
    assert "fell_back" in talk.watch.kinds
    assert "截至7月25日，最近收盘 {{c:" in draft.summary
    return [call.error or "" for call in talk.model_calls]


def released(talk: Rehearsed) -> bool:
    """Whether the honest answer became the draft."""
    return talk.draft is not None and talk.draft.model == "scripted"


# ---- what the model writes -------------------------------------------------------------------


@both
@pytest.mark.parametrize(
    "broken",
    ['{"summary": "市盈率9.67倍', "好的，市盈率是9.67倍。", "", "[]", '{"summary": 9.67}', "null"],
)
def test_what_is_no_answer_is_told_so_and_the_next_one_taken(runtime: Runtime, broken: str) -> None:
    played = rehearse(runtime, say(broken), honest)
    assert released(played)
    assert played.asked[1].said.startswith(
        ("这个回答无法使用：", "Your previous answer was rejected")
    )
    assert "9.67倍" not in played.everything()


@both
def test_twice_no_answer_is_left_to_the_rules(runtime: Runtime) -> None:
    why = "模型的回答两次都不能用"
    assert by_rule(runtime, why, say("不会"), say("还是不会")) == ["", ""]


def test_a_report_of_the_rules_says_first_why_no_model_wrote_it() -> None:
    played = play("action_json", refuse(401))
    assert str(played.report.warnings[0]).startswith(note("模型拒绝访问，请检查密钥与余额"))
    assert "截至7月25日，最近收盘 25.53元" in played.report.final_report.summary
    assert [call.error for call in played.report.trace.model_calls] == ["DeniedError"]


@both
def test_a_fence_around_the_answer_does_no_harm(runtime: Runtime) -> None:
    class Fenced(Script):
        def __call__(self, asked: models.Asked) -> Step:
            return say(f"```json\n{super().__call__(asked).text}\n```")

    script = Fenced(runtime, honest)
    with ModelServer(script) as server:
        found = analyst(server, runtime).run(AgentRunRequest(symbol="600036.SH"), "s")
    assert found.model_dump()["runtime_draft"]["model"] == "scripted"


@both
def test_a_lie_after_a_broken_answer_is_not_asked_for_a_third_time(runtime: Runtime) -> None:
    def false(seen: Seen) -> Document:
        return document("市盈率(TTM)为9.67倍。")

    played = rehearse(runtime, say("{"), false)
    assert played.draft is not None
    assert played.draft.runtime == "builtin"
    assert "9.67倍" not in played.everything()


@both
@pytest.mark.parametrize(
    ("finish", "why"),
    [
        ("length", "模型回答超过长度上限，未写完"),
        ("content_filter", "模型被服务方的内容过滤中止"),
        (None, "模型回答中途断开"),
    ],
)
def test_an_answer_without_its_end_is_none(runtime: Runtime, finish: str | None, why: str) -> None:
    whole = final(runtime, document("市盈率(TTM)为8.67倍。")).text
    assert by_rule(runtime, why, say(whole, finish)) == ["UnfinishedError"]


@both
def test_a_stream_that_is_cut_is_no_answer(runtime: Runtime) -> None:
    whole = final(runtime, document("市盈率(TTM)为8.67倍。")).text
    for broken in (cut(whole, after=8), reset(whole, after=8)):
        assert by_rule(runtime, "模型回答中途断开", broken) == ["UnfinishedError"]


# ---- tools -----------------------------------------------------------------------------------


@both
def test_what_a_tool_brings_may_be_chosen(runtime: Runtime) -> None:
    new: list[str] = []

    def deeper(asked: models.Asked) -> Step:
        told = asked.said[asked.said.index("又查到的陈述") :].splitlines()[1:]
        new.extend(told)
        return final(runtime, {"results": [line.partition(" ")[0] for line in told[:3]]})

    # The report reads every annual report, but prices of a month alone.
    tool = use(runtime, "get_price_history", symbol="600036", market="CN", lookback=400)
    few = options(price_history={"periods": [{"interval": "1d", "lookback": 30}]})
    with ModelServer(tool, deeper) as server:
        work = analyst(server, runtime, given=few)
        found = work.run(AgentRunRequest(symbol="600036.SH"), "s")
    read = found.model_dump()
    assert new
    assert read["runtime_draft"]["model"] == "scripted"
    asked_for = [one for one in read["tool_calls"] if one["asked_by"] == "model"]
    assert [one["name"] for one in asked_for] == ["get_price_history"]


@pytest.mark.parametrize("name", ["get_weather", "招商银行市盈率9.67倍"])
@both
def test_an_unknown_tool_is_told_with_those_there_are(runtime: Runtime, name: str) -> None:
    played = play(runtime, use(runtime, name), honest)
    assert '"choices"' in played.asked[1].said
    assert "get_price_history" in played.asked[1].said
    assert played.report.runtime_draft.model == "scripted"
    assert name not in played.everything()
    assert (
        Text("未知的工具：没有这个工具", "unknown tool: there is no such tool")
        in played.report.warnings
    )


@both
def test_the_market_is_written_by_rule_and_says_so(runtime: Runtime) -> None:
    played = play(runtime, request=MARKET)
    assert played.asked == []
    assert str(played.report.warnings[0]).startswith("市场概览由规则撰写")
    # Nothing of a company was fetched: all there is is of the market, its industries and its index.
    held = {claim.symbol for claim in played.report.claims}
    assert {"CN", "000001.SH", "CN:银行"} <= held
    assert {symbol for symbol in held if not symbol.startswith("CN:")} == {"CN", "000001.SH"}


@both
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"symbol": "600036.SH"}, "market"),
        ({"symbol": "平安", "market": "CN"}, "symbol"),
        ({"symbol": "600036", "market": "CN", "lookback": "一年"}, "lookback"),
        ({"symbol": "600036", "market": "CN", "市盈率9.67倍": 1}, "市盈率9.67倍"),
    ],
)
def test_wrong_arguments_are_told_to_the_model_alone(
    runtime: Runtime, arguments: dict[str, object], named: str
) -> None:
    played = play(runtime, use(runtime, "get_price_history", **arguments), honest)
    told = json.loads(played.asked[1].said[played.asked[1].said.index("{") :])
    assert told["error"]["argument"] == named
    assert played.report.runtime_draft.model == "scripted"
    assert "9.67倍" not in played.everything()


def test_arguments_that_are_no_json_are_told() -> None:
    broken = models.call("get_price_history", '{"symbol": "600036')
    played = play("openai_tools", broken, honest)
    assert json.loads(played.asked[1].said)["error"]["argument"] == "arguments"


def test_several_tools_at_once_are_answered_each_under_its_name() -> None:
    wanted = models.calls(
        Tool("get_financial_reports", '{"symbol": "600519", "market": "CN"}'),
        Tool("get_weather", "{}"),
        Tool("get_price_history", '{"symbol": "00700", "market": "HK", "lookback": 10}'),
    )
    played = play("openai_tools", wanted, honest)
    request, *answers = played.asked[1].messages[-4:]
    assert [one["id"] for one in request["tool_calls"]] == ["call_1", "call_2", "call_3"]
    assert [one["tool_call_id"] for one in answers] == ["call_1", "call_2", "call_3"]
    read = [json.loads(one["content"]) for one in answers]
    assert read[0]["error"]["type"] == "NoDataError"
    assert read[1]["error"]["type"] == "InputError"
    assert read[2]["symbol"] == "00700"
    called = [one.name for one in played.report.tool_calls if one.asked_by == "model"]
    assert called == ["get_financial_reports", "unknown_tool", "get_price_history"]


@both
def test_tools_without_end_stop_at_the_limit_of_the_settings(runtime: Runtime) -> None:
    few = options().model_copy(update={"max_tool_iterations": 3})
    asked = [
        use(runtime, "get_price_history", symbol="600036", market="CN", lookback=30 + n)
        for n in range(4)
    ]
    played = play(runtime, *asked, given=few)
    assert len(played.asked) == 4
    last = played.asked[3]
    assert "工具轮次已用完" in last.said
    assert last.tools == []
    assert last.json_mode == "json_schema"
    why = "工具轮次用完后模型仍不给出结论"
    assert str(played.report.warnings[0]).startswith(note(why))


@both
def test_an_answer_in_the_last_round_is_taken(runtime: Runtime) -> None:
    few = options().model_copy(update={"max_tool_iterations": 1})
    tool = use(runtime, "get_price_history", symbol="600036", market="CN", lookback=31)
    played = play(runtime, tool, honest, given=few)
    assert played.report.runtime_draft.model == "scripted"


@both
def test_the_same_call_again_and_again_is_told_and_then_given_up(runtime: Runtime) -> None:
    again = use(runtime, "get_fundamentals_info", symbol="600036.SH", market="CN")
    played = play(runtime, again, again, again)  # the plan had asked for it already
    assert "已经查过" in played.asked[1].said
    assert str(played.report.warnings[0]).startswith(note("模型反复要求同样的查询"))
    assert [one.asked_by for one in played.report.tool_calls] == ["plan"] * 8


@both
@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "xqVisit", "arguments": {"urlTargets": []}}</tool_call>',
        '{"action": "call_tool", "tool": "xqVisit"}',
    ],
)
def test_a_tool_named_in_the_final_text_is_never_called(runtime: Runtime, text: str) -> None:
    played = play(runtime, lambda seen: {"results": [text]}, honest)
    assert played.asked[1].said.startswith("Your previous answer was rejected")
    assert played.report.runtime_draft.model == "scripted"
    assert [one.asked_by for one in played.report.tool_calls] == ["plan"] * 8


# ---- the endpoint ----------------------------------------------------------------------------


@both
def test_a_limit_on_requests_is_waited_for_as_long_as_asked(runtime: Runtime) -> None:
    began = time.monotonic()
    played = rehearse(runtime, refuse(429, retry_after="1"), honest)
    assert time.monotonic() - began >= 1.0
    assert released(played)
    assert [call.attempts for call in played.model_calls] == [2]


@both
@pytest.mark.parametrize(
    ("answers", "why", "error"),
    [
        ((refuse(429),) * 3, "模型限流", "RateLimitError"),
        ((refuse(500),) * 3, "模型没有按时答复", "UnavailableError"),
        ((refuse(401),), "模型拒绝访问，请检查密钥与余额", "DeniedError"),
        ((refuse(402),), "模型拒绝访问，请检查密钥与余额", "DeniedError"),
        ((refuse(404),), "模型拒绝访问，请检查密钥与余额", "DeniedError"),
        ((reset("", after=0),) * 3, "模型没有按时答复", "UnavailableError"),
        (
            (Step("<html>登录</html>", content_type="text/html"),),
            "模型返回的不是对话格式",
            "ChangedError",
        ),
    ],
)
def test_an_endpoint_that_fails_is_left_to_the_rules(
    runtime: Runtime, answers: tuple[Step, ...], why: str, error: str
) -> None:
    assert by_rule(runtime, why, *answers) == [error]


@both
def test_one_failure_of_the_endpoint_is_tried_again(runtime: Runtime) -> None:
    for failing in (refuse(500), refuse(503), reset("", after=0)):
        played = rehearse(runtime, failing, honest)
        assert released(played)
        assert [call.attempts for call in played.model_calls] == [2]


@both
def test_an_endpoint_that_hangs_is_left_when_time_is_up(runtime: Runtime) -> None:
    began = time.monotonic()
    assert by_rule(runtime, "模型没有按时答复", hang(), deadline_s=1.0) == ["UnavailableError"]
    assert time.monotonic() - began < 20


@both
def test_time_is_for_the_whole_talk_not_for_each_answer(runtime: Runtime) -> None:
    slow = use(runtime, "get_macro_data", market="CN").slowly(0.06)
    why = "模型没有按时答复"
    assert by_rule(runtime, why, slow, hang(), deadline_s=2.5)[-1] == "UnavailableError"


@both
@pytest.mark.parametrize("parameter", ["temperature", "stream_options"])
def test_an_option_the_endpoint_refuses_is_left_out(runtime: Runtime, parameter: str) -> None:
    played = rehearse(runtime, refuse(400, parameter=parameter), honest)
    assert parameter in played.asked[0].body
    assert parameter not in played.asked[1].body
    assert released(played)


def test_json_mode_that_is_refused_is_asked_for_in_words() -> None:
    played = rehearse("action_json", refuse(400, parameter="response_format"), honest)
    assert (played.asked[0].json_mode, played.asked[1].json_mode) == ("json_object", None)
    assert released(played)


@both
def test_an_endpoint_that_does_not_stream_is_understood(runtime: Runtime) -> None:
    class Whole(Script):
        def __call__(self, asked: models.Asked) -> Step:
            return super().__call__(asked).in_one_piece()

    with ModelServer(Whole(runtime, honest)) as server:
        found = analyst(server, runtime).run(AgentRunRequest(symbol="600036.SH"), "s")
    assert found.model_dump()["runtime_draft"]["model"] == "scripted"


# ---- the reader ------------------------------------------------------------------------------


class Stopping(Noted):
    """A reader who stops at the first step of that kind."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    def step(self, step: Told) -> None:
        super().step(step)
        if step.kind == self._kind:
            self.stop.set()


@both
@pytest.mark.parametrize("kind", ["begun", "tool_started", "tool_ended"])
def test_a_reader_may_stop_while_tools_are_at_work(runtime: Runtime, kind: str) -> None:
    session = f"s_{runtime}_{kind}"
    with ModelServer() as server, pytest.raises(CancelledError):
        analyst(server, runtime).run(AgentRunRequest(symbol="600036.SH"), session, Stopping(kind))
    assert server.asked == []  # no model was asked
    (stopped,) = services().runs.runs(session)
    assert (stopped.kind, stopped.status) == ("analysis", "CancelledError")


@both
def test_a_reader_may_stop_while_the_model_writes(runtime: Runtime) -> None:
    began = time.monotonic()
    with ModelServer(hang()) as server:
        watch = Noted()
        watch.stop = server.arrived  # the wish comes once the model is at work
        with pytest.raises(CancelledError):
            work = analyst(server, runtime, deadline_s=120.0)
            work.run(AgentRunRequest(symbol="600036.SH"), "s_stop", watch)
        assert server.asked[0].dropped.wait(60)  # the connection is let go
    assert time.monotonic() - began < 60
    assert "fell_back" not in watch.kinds


# ---- the record ------------------------------------------------------------------------------


@both
def test_every_call_of_the_model_is_kept_with_what_it_took(runtime: Runtime) -> None:
    tool = use(runtime, "get_macro_data", market="CN")
    played = play(runtime, tool, lambda seen: {"results": ["s999"]}, honest)
    calls = played.report.trace.model_calls
    assert len(calls) == 3
    for call in calls:
        assert (call.model, call.endpoint, call.purpose) == ("scripted", "127.0.0.1", "draft")
        assert (call.prompt_tokens, call.completion_tokens) == (100, 20)
        # 100 read at 2 $ and 20 written at 8 $ a million: 0.0002 + 0.00016.
        assert call.cost == pytest.approx(0.00036)
        assert call.currency == "USD"
        assert len(call.prompt_sha256) == 64
    assert len({call.prompt_sha256 for call in calls}) == 3  # each asked something else
    stored = services().runs.load(played.report.run_id)
    assert stored.trace.model_calls == calls
    assert stored.run.status == "ok"
    ended = [one.tokens for one in played.watch.steps if one.kind == "model_ended"]
    assert ended == [20, 40, 60]  # tokens so far


def test_without_a_model_the_rules_write_and_no_call_is_kept() -> None:
    found = services().analyses.run(AgentRunRequest(symbol="600036.SH"), "s")
    assert isinstance(found, AgentRunResult)
    assert str(found.runtime_draft.note).startswith("没有配置模型，由规则撰写")
    assert found.trace.model_calls == ()
    assert services().runs.load(found.run_id).model_calls == ()


@both
def test_a_run_whose_model_was_of_no_use_is_kept_whole(runtime: Runtime) -> None:
    def false(seen: Seen) -> Document:
        return document("市盈率(TTM)为9.67倍。")

    played = play(runtime, false, false)
    stored = services().runs.load(played.report.run_id)
    assert stored.claims == played.report.claims
    assert len(stored.trace.model_calls) == 2


@both
def test_a_job_brings_the_same_result_after_it_was_stored(runtime: Runtime) -> None:
    def false(seen: Seen) -> Document:
        return document("市盈率(TTM)为9.67倍。")

    for number, answers in enumerate(((false, honest), (false, false))):
        script = Script(runtime, *answers)
        with ModelServer(script) as server:
            work = analyst(server, runtime)
            job_id = work.start(AgentRunRequest(symbol="600036.SH"), f"s_{runtime}_{number}")
            state = _ended(work, job_id)
        assert state == "ok"
        found = work.result(job_id)
        assert found is not None
        assert found.claims == services().runs.load(found.run_id).claims
        kept = services().jobs.result(job_id) or ""
        steps = "".join(one.model_dump_json() for one in work.state(job_id).steps)
        assert "9.67倍" not in kept + steps + found.model_dump_json()
        assert KEY not in kept + steps


def _ended(work: AgentService, job_id: str) -> str:
    return work.state(job_ended(job_id)).status


@both
def test_no_secret_is_in_a_prompt_or_in_a_record(runtime: Runtime) -> None:
    played = play(runtime, use(runtime, "get_macro_data", market="CN"), honest)
    prompts = "".join(asked.prompt for asked in played.asked)
    assert all(asked.headers["authorization"] == f"Bearer {KEY}" for asked in played.asked)
    assert KEY not in prompts + played.everything() + played.report.final_report.markdown
    assert "127.0.0.1" not in prompts
