"""Answers of models as JSON: what stands around one is passed over, its shape is not."""

import pytest

from services.agents.drafting import UnreadableDraftError, read_object

ANSWER = '{"results": ["s1"]}'
READ = {"results": ["s1"]}


@pytest.mark.parametrize(
    "wrapped",
    [
        "{}",
        "\n {} \n",
        "```json\n{}\n```",
        "```\n{}```",
        "<think>想 {x} 想</think>{}",
        "好的，选择如下：{}",
        "{} 。",
        "<think>x</think>\n```json\n{}\n```",
    ],
)
def test_what_stands_around_an_object_is_passed_over(wrapped: str) -> None:
    assert read_object(wrapped.replace("{}", ANSWER)) == READ


def test_a_comma_too_many_is_forgiven() -> None:
    assert read_object('{"results": ["s1", ], }') == READ


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "null", "7", '"s1"', "s1", "}{", "{", "{{", "[" * 100_000, "{" * 100_000),
        *(ANSWER + ANSWER, ANSWER + " 或 " + ANSWER, "{'results': ['s1']}", "x" * 500 + ANSWER),
        *('{"results": ["s1"', '{"results": [s1]}', "\x00", "```json\n```", "{}" * 10_000),
    ],
)
def test_anything_but_one_object_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableDraftError, match="JSON"):
        read_object(text)
