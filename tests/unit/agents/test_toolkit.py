"""The tools of one analysis: what goes wrong with a call is told, never raised, never repeated."""

import json
import threading
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import JsonValue

from services.agents.toolkit import CallResult, Toolkit, WantedCall
from services.core.claims import Claim
from services.core.errors import ConfigError, InputError, NoDataError, UnavailableError
from services.core.text import Text
from services.core.trace import Fact, ToolCall
from services.jobs.runner import CancelledError
from services.providers.retry import time_left
from services.tools.base import Tool, ToolContext, ToolOutput, tool
from services.tools.registry import TOOLS
from services.tools.running import call_id
from services.tools.wire import Absent
from tests.unit.agents.kit import DAY, Noted, bench, with_toolkit

PRICES: dict[str, JsonValue] = {"symbol": "600036", "market": "CN", "lookback": 30}
NEWS_ONLY = {name: TOOLS[name] for name in ("search_news", "get_macro_data")}
LIE = "招商银行市盈率5.00倍"


def price_rows(context: ToolContext, value: float) -> Claim:
    """One figure of a source, recorded and claimed as tools do."""
    fact = Fact(
        symbol="600036.SH", metric="close", value=value, unit="CNY", as_of=DAY, field="c", raw="1"
    )
    call = ToolCall(
        tool_call_id=call_id(),
        name=context.name,
        arguments={},
        attempts=(),
        source="s",
        table="t",
        served_by="s",
        fetched_at=context.bench.clock.now(),
        duration_ms=0.0,
        rows=(fact,),
    )
    context.ledger.record(call)
    return context.ledger.claim(call, fact)


def made(name: str, work: Any) -> Mapping[str, Tool]:
    """A tool of one argument `n` that does `work(context, n)`."""

    @tool(name)
    def function(context: ToolContext, *, n: int = 0) -> ToolOutput:
        """For a test."""
        return ToolOutput(work(context, n), n)

    return {name: function}


def error_of(told: CallResult) -> dict[str, Any]:
    return json.loads(told.text)["error"]


def test_an_answer_has_its_figures_as_places_and_its_claims_beside() -> None:
    told = with_toolkit(lambda kit: kit.call(WantedCall("get_price_history", PRICES), "plan"))
    assert told.error is None
    assert len(told.claims) > 50
    assert all("{{c:" + one.claim_id + "}}" in told.text for one in told.claims)
    assert told.seconds > 0


@pytest.mark.parametrize("name", ["get_weather", LIE, "", "get_price_history"])
def test_a_tool_that_is_not_offered_is_told_with_those_that_are(name: str) -> None:
    watch = Noted()

    def work(kit: Toolkit) -> tuple[CallResult, Toolkit]:
        return kit.call(WantedCall(name, "{}"), "model"), kit

    told, kit = with_toolkit(work, tools=NEWS_ONLY, watch=watch)
    assert error_of(told)["choices"] == ["search_news", "get_macro_data"]
    assert (told.name, told.error) == ("unknown_tool", "InputError")
    assert told.why == Text("没有这个工具", "there is no such tool")
    assert watch.kinds == ["tool_ended"]
    assert kit.ledger.trace.tool_calls == ()


def test_no_name_a_model_made_up_reaches_a_reader() -> None:
    watch = Noted()

    def work(kit: Toolkit) -> Toolkit:
        kit.call(WantedCall(LIE, "{}"), "model")
        kit.call(WantedCall("get_macro_data", json.dumps({LIE: 1})), "model")
        kit.call(WantedCall("get_macro_data", LIE), "model")
        return kit

    kit = with_toolkit(work, watch=watch)
    read = [one.model_dump_json() for one in (*kit.called, *watch.steps)]
    assert len(kit.called) == 3
    assert [one for one in read if "5.00" in one] == []
    assert kit.called[1].message == Text("参数有误", "not valid")


@pytest.mark.parametrize(
    "arguments",
    ["{", "[]", '"600036"', "null", "nonsense", "[" * 7_000, '{"a": "' + "x" * 8_000 + '"}'],
)
def test_arguments_that_are_no_object_are_told(arguments: str) -> None:
    told = with_toolkit(lambda kit: kit.call(WantedCall("get_price_history", arguments), "model"))
    assert error_of(told)["argument"] == "arguments"
    assert error_of(told)["valid"].startswith("a JSON object")
    assert len(told.text) < 400


def test_no_arguments_at_all_are_an_empty_object() -> None:
    told = with_toolkit(lambda kit: kit.call(WantedCall("get_price_history", ""), "model"))
    assert error_of(told)["argument"] == "symbol"  # required and missing


@pytest.mark.parametrize(
    ("given", "argument", "valid"),
    [
        ({"lookback": "365"}, "lookback", "a whole number from 1 to 10000"),
        ({"lookback": True}, "lookback", "a whole number from 1 to 10000"),
        ({"lookback": 0}, "lookback", "a whole number from 1 to 10000"),
        ({"interval": "1w"}, "interval", "one of 1d | 1h | 5m | 1m"),
        ({"market": "HK"}, "market", "CN for 600036.SH"),
        ({"symbol": "平安"}, "symbol", ""),
        ({"look_back": 5}, "look_back", "no such argument; did you mean lookback?"),
        ({"symbol": None}, "symbol", "a stock code"),
    ],
)
def test_a_wrong_argument_is_told_with_what_is_valid(
    given: dict[str, JsonValue], argument: str, valid: str
) -> None:
    wanted = WantedCall("get_price_history", {**PRICES, **given})
    told = with_toolkit(lambda kit: kit.call(wanted, "model"))
    error = error_of(told)
    assert (told.error, error["type"], error["argument"]) == ("InputError", "InputError", argument)
    assert error["valid"].startswith(valid)
    assert told.claims == ()


def test_a_name_of_several_companies_is_told_with_the_choices() -> None:
    wanted = WantedCall("get_price_history", {**PRICES, "symbol": "平安"})
    assert len(error_of(with_toolkit(lambda kit: kit.call(wanted, "model")))["choices"]) > 1


def test_nothing_there_is_told_as_a_fact() -> None:
    wanted = WantedCall("search_news", {"symbol": "600036", "market": "CN"})
    told = with_toolkit(lambda kit: kit.call(wanted, "plan"))
    assert told.error == "NoDataError"
    assert error_of(told) == {
        "type": "NoDataError",
        "message": "快照不含这类内容，需要实时来源",
    }
    assert told.why == Text(
        "快照不含这类内容，需要实时来源", "not in the snapshot: it needs a live source"
    )


@pytest.mark.parametrize(
    ("raised", "words"),
    [
        (UnavailableError("eastmoney", "t", "HTTP 500 with a key sk-1"), "东方财富暂不可用"),
        (ConfigError("IQS_API_KEY", "is not set"), "没有配置来源"),
        (NoDataError("x", Text("没有", "none")), "没有"),
    ],
)
def test_a_source_that_fails_is_told_in_words_of_ours(raised: Exception, words: str) -> None:
    def fail(context: ToolContext, n: int) -> Any:
        raise raised

    told = with_toolkit(lambda kit: kit.call(WantedCall("t", "{}"), "model"), tools=made("t", fail))
    assert error_of(told) == {"type": type(raised).__name__, "message": words}
    assert "sk-1" not in f"{told}"


def test_a_fault_of_ours_is_no_answer() -> None:
    def fail(context: ToolContext, n: int) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        with_toolkit(lambda kit: kit.call(WantedCall("t", "{}"), "model"), tools=made("t", fail))


def test_one_that_fails_leaves_the_others() -> None:
    def work(kit: Toolkit) -> tuple[CallResult, ...]:
        news = WantedCall("search_news", {"symbol": "600036", "market": "CN"})
        return kit.call_all((news, WantedCall("get_price_history", PRICES)), "plan")

    missing, prices = with_toolkit(work)
    assert missing.error == "NoDataError"
    assert prices.claims


@pytest.mark.parametrize(
    ("given", "used"),
    [({}, 5), ({"max_items": None}, 5), ({"max_items": 50}, 5), ({"max_items": 3}, 3)],
)
def test_the_settings_bound_what_may_be_asked_for(given: dict[str, JsonValue], used: int) -> None:
    limits: dict[str, dict[str, JsonValue]] = {"search_news": {"max_items": 5}}
    wanted = WantedCall("search_news", {"symbol": "600036", "market": "CN", **given})

    def work(kit: Toolkit) -> str:
        kit.call(wanted, "model")
        return kit.called[0].arguments

    assert json.loads(with_toolkit(work, limits=limits))["max_items"] == used


def test_a_bound_does_not_mend_a_wrong_type() -> None:
    limits: dict[str, dict[str, JsonValue]] = {"search_news": {"max_items": 5}}
    wrongs: tuple[JsonValue, ...] = ("50", True, [1])
    for wrong in wrongs:
        wanted = WantedCall("search_news", {"symbol": "600036", "market": "CN", "max_items": wrong})
        told = with_toolkit(lambda kit, one=wanted: kit.call(one, "model"), limits=limits)
        assert error_of(told)["argument"] == "max_items"


def test_the_same_again_is_answered_from_memory_and_counted() -> None:
    asked: list[int] = []

    def note(context: ToolContext, n: int) -> dict[str, object]:
        asked.append(n)
        return {"close": price_rows(context, 25.5)}

    def work(kit: Toolkit) -> tuple[list[CallResult], int]:
        told = [kit.call(WantedCall("t", '{"n": 1}'), "model") for _ in range(3)]
        kit.call(WantedCall("t", '{"n": 2}'), "model")
        return told, kit.idle_rounds

    told, idle = with_toolkit(work, tools=made("t", note))
    assert asked == [1, 2]
    assert idle == 2
    assert json.loads(told[1].text) == {"note": "已经查过，结果同前，见上文。"}
    assert told[1].claims == told[0].claims


def test_what_the_plan_asked_counts_as_asked_whatever_the_order_of_the_arguments() -> None:
    def work(kit: Toolkit) -> tuple[CallResult, int]:
        kit.call(WantedCall("get_price_history", PRICES), "plan")
        turned = json.dumps(dict(reversed(PRICES.items())))
        return kit.call(WantedCall("get_price_history", turned), "model"), len(kit.called)

    told, called = with_toolkit(work)
    assert "已经查过" in told.text
    assert called == 1


def test_a_round_with_something_new_is_not_idle() -> None:
    def work(kit: Toolkit) -> list[int]:
        found: list[int] = []
        for numbers in ((1, 1), (1, 2), (2, 1)):
            kit.call_all([WantedCall("t", json.dumps({"n": n})) for n in numbers], "model")
            found.append(kit.idle_rounds)
        return found

    def nothing(context: ToolContext, n: int) -> dict[str, object]:
        return {}

    assert with_toolkit(work, tools=made("t", nothing)) == [0, 0, 1]


def test_the_same_mistake_again_is_idle_too() -> None:
    def work(kit: Toolkit) -> tuple[str, str, int]:
        first, second = (kit.call(WantedCall("get_price_history", "{"), "model") for _ in "ab")
        return first.text, second.text, kit.idle_rounds

    first, second, idle = with_toolkit(work)
    assert first == second  # told again what is wrong with it
    assert idle == 1


def test_calls_of_one_round_are_made_side_by_side_and_answered_in_order() -> None:
    together = threading.Barrier(3, timeout=20)  # passed only when all three are at work
    first_is_last = threading.Event()

    def meet(context: ToolContext, n: int) -> dict[str, object]:
        together.wait()
        if n == 1:
            first_is_last.wait(60)
        elif n == 3:
            first_is_last.set()
        return {"close": price_rows(context, 25.0 + n)}

    def work(kit: Toolkit) -> tuple[list[float], list[str], list[float]]:
        told = kit.call_all([WantedCall("t", json.dumps({"n": n})) for n in (1, 2, 3)], "model")
        values = [one.claims[0].value for one in told]
        return values, [c.arguments for c in kit.called], [c.value for c in kit.ledger.claims]

    values, called, kept = with_toolkit(work, tools=made("t", meet))
    assert values == [26.0, 27.0, 28.0]
    assert called == ['{"n": 1}', '{"n": 2}', '{"n": 3}']
    assert kept == values  # one ledger, in the order asked for


def test_more_calls_at_once_than_allowed_may_be_asked_again() -> None:
    done: list[int] = []

    def note(context: ToolContext, n: int) -> dict[str, object]:
        done.append(n)
        return {}

    def work(kit: Toolkit) -> tuple[tuple[CallResult, ...], CallResult]:
        told = kit.call_all([WantedCall("t", json.dumps({"n": n})) for n in range(14)], "model")
        return told, kit.call(WantedCall("t", '{"n": 13}'), "model")

    told, again = with_toolkit(work, tools=made("t", note))
    assert [one.error for one in told] == [None] * 12 + ["InputError"] * 2
    assert again.error is None
    assert sorted(done) == [*range(12), 13]


def test_nothing_is_asked_for_a_reader_who_is_gone() -> None:
    watch = Noted()
    watch.stop.set()
    with pytest.raises(CancelledError):
        with_toolkit(
            lambda kit: kit.call(WantedCall("get_price_history", PRICES), "plan"), watch=watch
        )
    assert watch.steps == []


def test_the_wish_to_stop_is_heard_between_two_tools() -> None:
    watch, done = Noted(), list[int]()

    def stop(context: ToolContext, n: int) -> dict[str, object]:
        done.append(n)
        watch.stop.set()
        return {}

    def work(kit: Toolkit) -> None:
        kit.call_all([WantedCall("t", json.dumps({"n": n})) for n in range(12)], "model")

    with pytest.raises(CancelledError):
        with_toolkit(work, tools=made("t", stop), watch=watch)
    assert len(done) <= 4  # no more than were under way


def test_a_tool_whose_figures_do_not_hold_loses_its_own_answer_only() -> None:
    def forge(context: ToolContext, n: int) -> dict[str, object]:
        honest = price_rows(context, 25.5)
        call = context.ledger.trace.tool_calls[0]
        forged = call.rows[0].model_copy(update={"metric": "pe_ttm", "value": 5.0})
        return {"close": honest, "pe": context.ledger.claim(call, forged)}

    def work(kit: Toolkit) -> tuple[CallResult, int, int]:
        told = kit.call(WantedCall("t", "{}"), "plan")
        return told, len(kit.ledger.claims), len(kit.ledger.trace.tool_calls)

    told, claims, calls = with_toolkit(work, tools=made("t", forge))
    assert (told.error, told.claims, claims, calls) == ("NotVerifiedError", (), 0, 1)
    assert "5.0" not in told.text
    assert told.why is not None
    assert str(told.why).startswith("取得的数字没有通过核对")


def test_a_call_that_hangs_ends_with_its_patience() -> None:
    seen: list[float | None] = []

    def look(context: ToolContext, n: int) -> dict[str, object]:
        seen.append(time_left())
        return {"why": Absent("没有")}

    calls = [WantedCall("t", json.dumps({"n": n})) for n in (1, 2)]
    with_toolkit(lambda kit: kit.call_all(calls, "plan"), tools=made("t", look), patience_s=0.5)
    assert len(seen) == 2  # each call has an errand of its own, in its own thread
    assert all(left is not None and 0.3 < left <= 0.5 for left in seen)


def test_the_model_is_offered_the_schema_of_each_tool_as_it_is() -> None:
    specs = with_toolkit(lambda kit: kit.specs, tools=NEWS_ONLY)
    assert [one.name for one in specs] == list(NEWS_ONLY)
    assert specs[0].parameters == TOOLS["search_news"].schema["parameters"]


def test_the_argument_error_of_a_tool_itself_is_told() -> None:
    def refuse(context: ToolContext, n: int) -> Any:
        raise InputError("n", n, "another number")

    told = with_toolkit(
        lambda kit: kit.call(WantedCall("t", "{}"), "model"), tools=made("t", refuse)
    )
    assert error_of(told) == {
        "type": "InputError",
        "argument": "n",
        "got": "0",
        "valid": "another number",
    }
    assert told.why == Text("参数有误：n", "not a valid argument: n")


def test_the_workbench_of_the_tests_is_the_bundled_one() -> None:
    assert bench().clock.now().date() == DAY


def test_what_to_ask_instead_is_told_to_the_model_and_not_to_the_reader() -> None:
    asked = WantedCall("get_price_history", {"symbol": "TSLA", "market": "US", "lookback": 30})
    told = with_toolkit(lambda kit: kit.call(asked, "model"))
    error = json.loads(told.text)["error"]
    assert error["type"] == "NoDataError"
    assert error["advice"].startswith("可增大 lookback（现为 ")
    assert told.why is not None
    assert " | " in str(told.why)
    assert "lookback" not in str(told.why)
