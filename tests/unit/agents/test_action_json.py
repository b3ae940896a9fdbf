"""Protocol action_json_v1: what is an action, and what is told to a model that writes another."""

import json
from typing import Any

import pytest

from services.agents.action_json import read_action
from services.agents.drafting import UnreadableDraftError

CALL = {
    "protocol": "action_json_v1",
    "action": "call_tool",
    "tool": "search_news",
    "arguments": {"symbol": "600036", "market": "CN"},
}
FINAL = {"protocol": "action_json_v1", "action": "final", "final": {"summary": "结论。"}}


def test_a_call_has_a_tool_and_its_arguments() -> None:
    action = read_action(json.dumps(CALL))
    assert (action.action, action.tool, action.arguments) == (
        "call_tool",
        "search_news",
        {"symbol": "600036", "market": "CN"},
    )


@pytest.mark.parametrize("wrapped", ["```json\n{}\n```", "  {}\n"])
def test_a_fence_is_taken_off(wrapped: str) -> None:
    assert read_action(wrapped.replace("{}", json.dumps(FINAL))).final == {"summary": "结论。"}


@pytest.mark.parametrize(
    "change",
    [
        {"protocol": "action_json_v2"},
        {"protocol": None},
        {"action": "think"},
        {"arguments": "symbol=600036"},
        {"arguments": None},
        {"tool": 5},
        {"thought": "先看新闻"},
    ],
)
def test_another_shape_is_told_by_its_place(change: dict[str, Any]) -> None:
    with pytest.raises(UnreadableDraftError) as caught:
        read_action(json.dumps({**CALL, **change}))
    assert caught.value.reason.startswith(next(iter(change)))


@pytest.mark.parametrize(
    "text",
    ["", "先看新闻", json.dumps(CALL) + json.dumps(FINAL), json.dumps([CALL]), "[" * 100_000, "1"],
)
def test_anything_but_one_object_is_told_so(text: str) -> None:
    with pytest.raises(UnreadableDraftError):
        read_action(text)


def test_an_object_of_sections_is_a_final_answer() -> None:
    action = read_action('{"results": ["s1"]}')
    assert (action.action, action.final) == ("final", {"results": ["s1"]})


def test_without_protocol_it_is_no_action_whatever_it_asks_for() -> None:
    with pytest.raises(UnreadableDraftError, match="protocol"):
        read_action(json.dumps({"action": "call_tool", "tool": "xqVisit", "arguments": {}}))
