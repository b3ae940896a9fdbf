"""The adapter of language models against a scripted server: every fault, every dialect.

`stops`: what is raised, and how often the endpoint is asked. Nothing that was broken is an answer.
"""

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from services.agents import openai_compatible
from services.agents.chat_wire import LONGEST_ARGUMENTS, LONGEST_TEXT
from services.agents.model import AnswerForm, JsonSchema, Message, Reply, ToolRequest, ToolSpec
from services.agents.model_failures import RequestRefusedError
from services.agents.models import configured_model
from services.agents.openai_compatible import Endpoint, OpenAICompatible
from services.agents.prices import Prices, read_prices
from services.container import SystemClock
from services.core.errors import (
    ChangedError,
    DeniedError,
    ProviderError,
    RateLimitError,
    UnavailableError,
    UnfinishedError,
)
from services.jobs.runner import CancelledError
from services.settings import load_settings
from tests.fakes.clocks import Hand
from tests.fakes.models import (
    ModelServer,
    Step,
    Tool,
    as_json,
    call,
    calls,
    cut,
    garble,
    hang,
    hang_after,
    refuse,
    reset,
    say,
    stream,
)

KEY = "sk-hush-hush-0123456789"
PRIVATE = "茅台的秘密仓位是多少"
# More than any machine takes for an answer that comes: only what never comes lasts so long.
ENOUGH_S = 60.0
QUESTION = (Message(role="user", content=PRIVATE),)
PRICE = ToolSpec(
    name="get_price",
    description="a price",
    parameters={"type": "object", "properties": {"symbol": {"type": "string"}}},
)
SHAPE = JsonSchema("answer", {"type": "object", "properties": {"pe": {"type": "number"}}})


def model(server: ModelServer, prices: Prices | None = None) -> OpenAICompatible:
    return OpenAICompatible(
        Endpoint(server.url, "scripted", KEY), SystemClock(), prices or Prices()
    )


PLAIN = AnswerForm()


def ask(server: ModelServer, wanted: AnswerForm = PLAIN, deadline_s: float = ENOUGH_S) -> Reply:
    return model(server).complete(QUESTION, wanted=wanted, purpose="test", deadline_s=deadline_s)


def test_a_text_comes_whole_with_its_tokens_and_as_it_is_written() -> None:
    heard: list[str] = []
    with ModelServer(say("贵州茅台的营业收入见下")) as server:
        reply = model(server).complete(
            QUESTION, purpose="draft", deadline_s=ENOUGH_S, on_delta=heard.append
        )
    assert (reply.text, reply.finish_reason) == ("贵州茅台的营业收入见下", "stop")
    assert "".join(heard) == reply.text
    assert len(heard) == 3  # 11 characters, 4 a chunk
    call_made = reply.call
    assert (call_made.model, call_made.endpoint, call_made.purpose) == (
        "scripted",
        "127.0.0.1",
        "draft",
    )
    assert (call_made.prompt_tokens, call_made.completion_tokens) == (100, 20)
    assert (call_made.attempts, call_made.error, call_made.finish_reason) == (1, None, "stop")
    assert call_made.first_token_s is not None
    assert 0 <= call_made.first_token_s <= call_made.seconds


def test_what_goes_out_is_the_request_and_nothing_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-another-company")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-another")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer x\nX-More: y")
    with ModelServer(say("好")) as server:
        ask(server, AnswerForm(temperature=0.0, max_tokens=50, seed=3))
    (asked,) = server.asked
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert set(asked.headers) - {"connection"} == {
        *("host", "accept", "content-type", "content-length", "authorization"),
        *("user-agent", "accept-encoding"),
    }
    assert asked.body == {
        "model": "scripted",
        "messages": [{"role": "user", "content": PRIVATE}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0.0,
        "max_tokens": 50,
        "seed": 3,
    }


def test_a_local_model_without_a_key_is_sent_none() -> None:
    with ModelServer(say("好")) as server:
        settings = load_settings({"LLM_BASE_URL": server.url, "LLM_MODEL": "qwen3:8b"})
        found = configured_model(settings, SystemClock())
        assert found is not None
        assert found.name == "qwen3:8b"
        found.complete(QUESTION, deadline_s=ENOUGH_S)
        assert "authorization" not in server.asked[0].headers


def test_without_address_or_model_there_is_none() -> None:
    for given in ({}, {"LLM_MODEL": "m"}, {"LLM_BASE_URL": "http://127.0.0.1:1/v1"}):
        assert configured_model(load_settings(given), SystemClock()) is None


def test_tools_are_put_together_from_their_pieces() -> None:
    wanted = calls(Tool("get_price", '{"symbol": "600519"}'), Tool("search_news", '{"q": "茅台"}'))
    with ModelServer(wanted) as server:
        reply = model(server).complete(QUESTION, tools=(PRICE,), deadline_s=ENOUGH_S)
    assert server.asked[0].tools == ["get_price"]
    assert reply.finish_reason == "tool_calls"
    assert reply.tool_calls == (
        ToolRequest(id="call_1", name="get_price", arguments='{"symbol": "600519"}'),
        ToolRequest(id="call_2", name="search_news", arguments='{"q": "茅台"}'),
    )


def test_arguments_that_are_no_json_are_handed_on_as_written() -> None:
    with ModelServer(call("get_price", '{"symbol": ')) as server:
        assert ask(server).tool_calls[0].arguments == '{"symbol": '


def test_calls_without_numbers_are_told_apart_by_their_ids() -> None:
    def piece(call_id: str | None, name: str | None, arguments: str) -> str:
        function = f'{{"name": {_quoted(name)}, "arguments": {_quoted(arguments)}}}'
        tool = f'{{"id": {_quoted(call_id)}, "function": {function}}}'
        return f'{{"choices": [{{"delta": {{"tool_calls": [{tool}]}}}}]}}'

    lines = (
        piece("a", "one", "{}"),
        piece("b", "two", '{"x"'),
        piece(None, None, ": 1}"),
        '{"choices": [{"delta": {}, "finish_reason": "stop"}]}',
    )
    with ModelServer(stream(*lines)) as server:
        reply = ask(server)
    assert [(one.id, one.name, one.arguments) for one in reply.tool_calls] == [
        ("a", "one", "{}"),
        ("b", "two", '{"x": 1}'),
    ]
    assert reply.finish_reason == "tool_calls"


def _quoted(text: str | None) -> str:
    return "null" if text is None else '"' + text.replace('"', '\\"') + '"'


def test_thoughts_are_kept_and_go_back_with_the_tools_only() -> None:
    with ModelServer(call("get_price").thinking("先看价格"), say("好").thinking("够了")) as server:
        one = model(server)
        first = one.complete(QUESTION, tools=(PRICE,), deadline_s=ENOUGH_S)
        answered = Message(role="tool", content="{}", tool_call_id="call_1")
        last = one.complete(
            (*QUESTION, first.message, answered), tools=(PRICE,), deadline_s=ENOUGH_S
        )
        assert (first.reasoning, last.reasoning) == ("先看价格", "够了")
        server.then(say("再见"))
        one.complete((*QUESTION, last.message, *QUESTION), deadline_s=ENOUGH_S)
    second, third = server.asked[1].messages, server.asked[2].messages
    assert second[1]["reasoning_content"] == "先看价格"
    assert second[1]["tool_calls"][0]["function"] == {"name": "get_price", "arguments": "{}"}
    assert second[2] == {"role": "tool", "content": "{}", "tool_call_id": "call_1"}
    assert "reasoning_content" not in third[1]


def test_a_search_of_the_endpoint_is_asked_for_only_on_wish() -> None:
    with ModelServer(say("一"), say("二")) as server:
        ask(server)
        ask(server, AnswerForm(extra={"enable_search": True}))
    assert "enable_search" not in server.asked[0].body
    assert server.asked[1].body["enable_search"] is True


# What an endpoint does, what comes of it, and how often it was asked.
FAULTS: dict[str, tuple[tuple[Step, ...], type[ProviderError], int]] = {
    "cut": ((cut("很长的回答在这里"),), UnfinishedError, 1),
    "reset in mid-answer": ((reset("很长的回答在这里"),), UnfinishedError, 1),
    "reset before the answer": ((reset("x", 0),) * 3, UnavailableError, 3),
    "ends before it begins": ((cut("x", 0),) * 3, UnavailableError, 3),
    "length": ((say("半句", "length"),), UnfinishedError, 1),
    "filtered": ((say("半句", "content_filter"),), UnfinishedError, 1),
    "out of resources": ((say("半句", "insufficient_system_resource"),), UnfinishedError, 1),
    "no reason": ((say("半句", None),), UnfinishedError, 1),
    "tools promised, none named": ((say("半句", "tool_calls"),), UnfinishedError, 1),
    "a tool without a name": ((calls(Tool("", "{}")),), ChangedError, 1),
    "broken JSON": ((garble("很长的回答在这里"),), UnfinishedError, 1),
    "no chunk": ((stream('["a"]'),), ChangedError, 1),
    "a number for a text": ((stream('{"choices": [{"delta": {"content": 5}}]}'),), ChangedError, 1),
    "a web page": ((Step(content_type="text/html"),), ChangedError, 1),
    "an error in the stream": (
        (stream('{"error": {"message": "sk-x overloaded", "code": "x"}}'),) * 3,
        UnavailableError,
        3,
    ),
    "too long": ((say("长" * (LONGEST_TEXT + 1)).slowly(0),), UnfinishedError, 1),
    "arguments too long": (
        (call("t", "1" * (LONGEST_ARGUMENTS + 1)),),
        UnfinishedError,
        1,
    ),
    "500": ((refuse(500),) * 3, UnavailableError, 3),
    "503": ((refuse(503),) * 3, UnavailableError, 3),
    "429": ((refuse(429),) * 3, RateLimitError, 3),
    "429 for long": ((refuse(429, retry_after="120"),), RateLimitError, 1),
    "no quota": ((refuse(429, code="insufficient_quota"),), DeniedError, 1),
    "no balance": ((refuse(402),), DeniedError, 1),
    "wrong key": ((refuse(401),), DeniedError, 1),
    "forbidden": ((refuse(403),), DeniedError, 1),
    "no such model": ((refuse(404, code="model_not_found"),), DeniedError, 1),
    "too long a prompt": ((refuse(400, code="context_length_exceeded"),), ChangedError, 1),
    "filtered prompt": ((refuse(400, code="data_inspection_failed"),), UnfinishedError, 1),
    "another 400": ((refuse(400, parameter="messages"),), RequestRefusedError, 1),
    "a redirect": ((refuse(302, location="http://127.0.0.1:1/"),), ChangedError, 1),
}


def _long(step: Step) -> bool:
    return any(len(text) > 5000 for text in (step.text, *(one.arguments for one in step.tools)))


@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_not_whole_is_an_error_of_ours_and_tells_nothing(fault: str) -> None:
    steps, kind, times = FAULTS[fault]
    steps = tuple(replace(step, chunk=5000) if _long(step) else step for step in steps)
    with ModelServer(*steps) as server, pytest.raises(ProviderError) as caught:
        ask(server)
    error = caught.value
    assert type(error) is kind
    assert len(server.asked) == times
    assert str(error).startswith("127.0.0.1 scripted test: ")
    for hidden in (KEY, PRIVATE, "很长的", "overloaded", "/v1"):
        assert hidden not in str(error) + repr(error)
    assert error.model_call is not None
    assert (error.model_call.error, error.model_call.attempts) == (kind.__name__, times)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (say("半句", "length"), "length"),
        (say("半句", "content_filter"), "content_filter"),
        (cut("很长的回答"), "cut"),
    ],
)
def test_an_unfinished_answer_says_why(step: Step, why: str) -> None:
    with ModelServer(step) as server, pytest.raises(UnfinishedError) as caught:
        ask(server)
    assert caught.value.why == why


@pytest.mark.parametrize(
    "first", [refuse(500), refuse(429, retry_after="0"), reset("x", 0), refuse(503)]
)
def test_what_may_pass_is_tried_again(first: Step) -> None:
    with ModelServer(first, say("好")) as server:
        reply = ask(server)
    assert (reply.text, reply.call.attempts) == ("好", 2)


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    """The clock of pauses, which nobody waits for."""
    made = Hand()
    monkeypatch.setattr(openai_compatible, "time", made)
    monkeypatch.setattr(openai_compatible, "threading", made)
    return made


def test_a_pause_that_is_asked_for_is_kept(hand: Hand) -> None:
    with ModelServer(refuse(429, retry_after="1"), say("好")) as server:
        ask(server)
    assert len(server.asked) == 2
    assert 1.0 <= sum(hand.waits) < 3.0


def test_a_pause_may_be_a_date_by_the_clock_of_the_endpoint() -> None:
    later = refuse(
        429, date="Fri, 20 Nov 2026 10:00:00 GMT", retry_after="Fri, 20 Nov 2026 10:02:00 GMT"
    )
    with ModelServer(later) as server, pytest.raises(RateLimitError) as caught:
        ask(server)
    assert caught.value.retry_after_s is not None
    assert 0 <= caught.value.retry_after_s <= 120


@pytest.mark.parametrize("step", [hang(), hang_after("刚开始就")])
def test_the_deadline_holds_for_the_whole_call_and_the_endpoint_is_hung_up_on(step: Step) -> None:
    with ModelServer(step) as server:
        with pytest.raises(UnavailableError, match="no answer in time"):
            ask(server, deadline_s=0.4)
        assert server.asked[0].dropped.wait(ENOUGH_S)  # the server would wait for ever


def test_pauses_do_not_outlast_the_deadline(hand: Hand) -> None:
    with ModelServer(refuse(429, retry_after="4")) as server:
        with pytest.raises(RateLimitError):
            ask(server, deadline_s=1)
        assert len(server.asked) == 1
    assert hand.waits == []


@pytest.mark.parametrize("step", [hang(), hang_after("刚开始就"), say("慢" * 40_000).slowly(0.1)])
def test_a_wish_to_stop_ends_it_in_a_moment_and_the_endpoint_knows(step: Step) -> None:
    """Each of them would last a quarter of an hour and more."""
    with ModelServer(step) as server:
        with pytest.raises(CancelledError):
            model(server).complete(
                QUESTION, deadline_s=20 * ENOUGH_S, cancelled=server.arrived.is_set
            )
        assert server.asked[0].dropped.wait(ENOUGH_S)


def test_a_listener_that_fails_ends_the_call_and_the_endpoint_is_hung_up_on() -> None:
    def listen(text: str) -> None:
        raise KeyError(text)

    with ModelServer(hang_after("刚开始就")) as server:
        with pytest.raises(KeyError):
            model(server).complete(QUESTION, deadline_s=20 * ENOUGH_S, on_delta=listen)
        assert server.asked[0].dropped.wait(ENOUGH_S)


def test_a_wish_to_stop_ends_a_pause_too(hand: Hand) -> None:
    with ModelServer(refuse(429, retry_after="4")) as server, pytest.raises(CancelledError):
        model(server).complete(QUESTION, deadline_s=20, cancelled=lambda: hand.by > 0.3)
    assert 0.3 < hand.by < 1.5


def test_an_address_nobody_listens_at_is_named_by_its_setting() -> None:
    # Bound and not listening: nobody else can be given this port meanwhile.
    with socket.socket() as held, pytest.raises(UnavailableError, match="LLM_BASE_URL"):
        held.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{held.getsockname()[1]}/v1"
        one = OpenAICompatible(Endpoint(nobody, "m", KEY), SystemClock(), Prices())
        one.complete(QUESTION, deadline_s=ENOUGH_S)


def test_json_is_asked_for_as_the_endpoint_can_and_remembered() -> None:
    steps = (
        refuse(400, parameter="response_format", code="unsupported_value"),
        refuse(400, parameter="response_format.type"),
        as_json({"pe": 5}),
        as_json({"pe": 6}),
    )
    with ModelServer(*steps) as server:
        one = model(server)
        first = one.complete(QUESTION, wanted=AnswerForm(json=SHAPE), deadline_s=ENOUGH_S)
        one.complete(QUESTION, wanted=AnswerForm(json=SHAPE), deadline_s=ENOUGH_S)
    modes = [asked.json_mode for asked in server.asked]
    assert modes == ["json_schema", "json_object", None, None]
    assert (first.text, first.call.attempts) == ('{"pe": 5}', 1)
    # Where the option does not say the shape, words do; where it does, they would be twice.
    assert '"pe"' not in server.asked[0].prompt
    for asked in server.asked[1:]:
        assert '"pe"' in asked.messages[0]["content"]
        assert asked.messages[0]["role"] == "system"
    shape = server.asked[0].body["response_format"]["json_schema"]
    assert (shape["name"], shape["strict"]) == ("answer", True)


def test_a_fence_around_json_is_taken_off_and_around_a_text_is_not() -> None:
    with ModelServer(say('```json\n{"pe": 5}\n```'), say("```\nx\n```")) as server:
        assert ask(server, AnswerForm(json="object")).text == '{"pe": 5}'
        assert ask(server).text == "```\nx\n```"


def test_a_refusal_that_names_nothing_is_asked_again_with_less_and_learnt() -> None:
    """DeepSeek and DashScope leave `param` empty: what is left out until it is taken is known."""
    nothing = refuse(400, code="invalid_request_error")
    with ModelServer(nothing, as_json({}), as_json({}), nothing) as server:
        one = model(server)
        for _ in range(2):
            one.complete(QUESTION, wanted=AnswerForm(json=SHAPE), deadline_s=ENOUGH_S)
        # Every option in it was taken before, so it is refused for something else.
        with pytest.raises(ChangedError):
            one.complete(QUESTION, wanted=AnswerForm(json=SHAPE), deadline_s=ENOUGH_S)
    modes = [asked.json_mode for asked in server.asked]
    assert modes == ["json_schema", "json_object", "json_object", "json_object"]


@pytest.mark.parametrize("step", [refuse(400), refuse(422), refuse(400, code="400")])
def test_an_endpoint_that_refuses_everything_is_asked_a_few_times_only(step: Step) -> None:
    with ModelServer(lambda _: step) as server:
        with pytest.raises(ChangedError):
            ask(server, AnswerForm(json=SHAPE, temperature=0.1, max_tokens=5, seed=1))
        assert len(server.asked) <= 8


@pytest.mark.parametrize(
    ("parameter", "wanted", "left_out", "instead"),
    [
        ("stream_options", AnswerForm(), "stream_options", None),
        ("max_tokens", AnswerForm(max_tokens=9), "max_tokens", "max_completion_tokens"),
        ("temperature", AnswerForm(temperature=0.2), "temperature", None),
        ("seed", AnswerForm(seed=1), "seed", None),
    ],
)
def test_a_parameter_that_is_refused_by_name_is_left_out_from_then_on(
    parameter: str, wanted: AnswerForm, left_out: str, instead: str | None
) -> None:
    with ModelServer(refuse(400, parameter=parameter), say("一"), say("二")) as server:
        one = model(server)
        for _ in range(2):
            one.complete(QUESTION, wanted=wanted, deadline_s=ENOUGH_S)
    assert left_out in server.asked[0].body
    for asked in server.asked[1:]:
        assert left_out not in asked.body
        assert instead is None or asked.body[instead] == 9


def test_tokens_nobody_counted_are_unknown_and_so_is_the_cost() -> None:
    with ModelServer(say("好").uncounted()) as server:
        made = ask(server).call
    assert (made.prompt_tokens, made.completion_tokens, made.cost, made.currency) == (None,) * 4


def test_the_cost_is_that_of_the_users_own_table(tmp_path: Path) -> None:
    table = tmp_path / "prices.csv"
    head = "model_prefix,currency,prompt_per_million,completion_per_million,as_of,source"
    table.write_text(f"{head}\nscript,CNY,2,10,2026-11-21,made up\n", encoding="utf-8")
    with ModelServer(say("好")) as server:
        made = model(server, read_prices(table)).complete(QUESTION, deadline_s=ENOUGH_S).call
    # 100 tokens at 2 a million and 20 at 10 a million
    assert (made.cost, made.currency) == (0.0004, "CNY")


@pytest.mark.parametrize(
    "step", [say("好的。"), call("get_price", symbol="600519"), say("好").thinking("想")]
)
def test_an_endpoint_that_does_not_stream_is_read_all_the_same(step: Step) -> None:
    with ModelServer(step, step.in_one_piece()) as server:
        streamed, whole = ask(server), ask(server)
    assert whole.model_copy(update={"call": streamed.call}) == streamed


def test_the_prompt_is_known_by_its_hash_alone() -> None:
    with ModelServer(say("一"), say("二"), say("三")) as server:
        one, same = ask(server).call, ask(server).call
        other = ask(server, AnswerForm(temperature=0.3)).call
    assert one.prompt_sha256 == same.prompt_sha256 != other.prompt_sha256
    assert PRIVATE not in one.model_dump_json()
    assert KEY not in repr(model(server))


def test_many_threads_share_one_model() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ModelServer(lambda asked: say(asked.said * 3)) as server:
        one = model(server)

        def echoed(at: int) -> str:
            said = (Message(role="user", content=f"<{at}>"),)
            return one.complete(said, deadline_s=20).text

        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(echoed, range(40)))
    assert found == [f"<{at}>" * 3 for at in range(40)]
