"""A model's final answer: lenient about how it is wrapped, strict about what it is."""

import json
from typing import Any

import pytest

from services.agents.drafting import FINAL_SCHEMA, UnreadableDraftError, draft_of, read_draft
from services.agents.results import RuntimeDraft

ID = "c_0123456789abcdef"
PLACE = "{{c:" + ID + "}}"
GOOD = {
    "summary": "结论。",
    "key_points": ["一。"],
    "recommendations": [],
    "risk_factors": ["二。"],
}


def read(text: str) -> RuntimeDraft:
    return read_draft(text, "openai_tools", "scripted")


def written(text: str) -> str:
    answer: dict[str, Any] = {**GOOD, "summary": text}
    return draft_of(answer, "openai_tools", "scripted").summary


@pytest.mark.parametrize(
    "wrapped",
    [
        "{}",
        "```json\n{}\n```",
        "```\n{}\n```",
        "\n  {}  \n",
        "```JSON\n{}```",
        " ```json\n{}\n``` ",
    ],
)
def test_a_fence_around_the_whole_is_taken_off(wrapped: str) -> None:
    draft = read(wrapped.replace("{}", json.dumps(GOOD, ensure_ascii=False)))
    assert draft.texts == ("结论。", "一。", "二。")
    assert (draft.runtime, draft.model) == ("openai_tools", "scripted")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "好的，报告如下：" + json.dumps(GOOD),
        json.dumps(GOOD)[:-5],
        "[" * 100_000,
        json.dumps([GOOD]),
        json.dumps("x"),
        "null",
        "NaN",
    ],
)
def test_anything_but_one_object_is_unreadable(text: str) -> None:
    with pytest.raises(UnreadableDraftError):
        read(text)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"summary": 5.0}, "summary"),
        ({"summary": ""}, "summary"),
        ({"summary": None}, "summary"),
        ({"key_points": []}, "key_points"),
        ({"key_points": "一。"}, "key_points"),
        ({"key_points": [5.0]}, "key_points.0"),
        ({"key_points": ["一。"] * 13}, "key_points"),
        ({"recommendations": ["x"] * 13}, "recommendations"),
        ({"pe": 5.0}, "pe"),
        ({"summary": "长" * 1_501}, "summary"),
    ],
)
def test_another_shape_is_refused_by_the_name_of_its_place(
    change: dict[str, Any], place: str
) -> None:
    with pytest.raises(UnreadableDraftError) as caught:
        draft_of({**GOOD, **change}, "action_json", "m")
    assert f"的 {place} 不合要求" in caught.value.reason
    assert "5.0" not in caught.value.reason


@pytest.mark.parametrize("empty", ["   ", "[E1]", "\n", "[E1] [E2]", "<外部文本 ab12cd34>"])
def test_a_text_of_nothing_but_marks_is_no_text(empty: str) -> None:
    changes: list[dict[str, Any]] = [{"summary": empty}, {"key_points": ["一。", empty]}]
    for change in changes:
        with pytest.raises(UnreadableDraftError, match="每条文字须为"):
            draft_of({**GOOD, **change}, "action_json", "m")


@pytest.mark.parametrize(
    "call",
    [
        '<tool_call>{"name": "xqVisit"}</tool_call>',
        '{"action": "call_tool", "tool": "xqVisit"}',
        "<|tool_call|>xqVisit",
        "先想想。</think>结论。",
        "<｜tool▁calls▁begin｜>",
    ],
)
def test_a_call_written_into_a_text_is_no_text(call: str) -> None:
    with pytest.raises(UnreadableDraftError, match="不能有工具调用"):
        draft_of({**GOOD, "risk_factors": [call]}, "openai_tools", "m")


def test_a_long_point_is_refused() -> None:
    with pytest.raises(UnreadableDraftError, match="每条文字须为"):
        draft_of({**GOOD, "risk_factors": ["长" * 1_501]}, "action_json", "m")


@pytest.mark.parametrize(
    "mark",
    [
        *("[E1]", " [E12]", "［E1］", "【E1】", "（E1）", "(E1)", "[e1]", "[ E 1 ]", "[E1, E2]"),
        *("[E1][E2]", "[E1、E3]", "[E1-E3]", "[^E1]", "[E１]", "［Ｅ1］"),
    ],
)
def test_marks_of_evidence_a_model_typed_are_taken_out(mark: str) -> None:
    assert written(f"估值偏低{mark}。") == "估值偏低。"


@pytest.mark.parametrize("kept", ["[1]", "E1 区", "(ROE)", "[EPS]", "欧元区[EU]"])
def test_what_is_no_mark_stays(kept: str) -> None:
    assert written(f"见{kept}。") == f"见{kept}。"


def test_marks_around_outside_texts_are_taken_out() -> None:
    assert written("据「<外部文本 ab12>利好</外部文本 ab12>」") == "据「利好」"


@pytest.mark.parametrize(
    "spelt",
    ["{{c:%s}}", "{{ c:%s }}", "{{c: %s}}", "{{%s}}", "{{ %s }}", "{{c：%s}}"],
)
def test_a_place_has_one_spelling(spelt: str) -> None:
    assert written(f"市盈率{spelt % ID}。") == f"市盈率{PLACE}。"


@pytest.mark.parametrize(
    "other", ["{{c:c_123}}", "{{pe}}", "{c:" + ID + "}", "{{c:c_0123456789ABCDEF}}"]
)
def test_what_is_no_place_is_left_for_the_checks(other: str) -> None:
    assert written(f"市盈率{other}。") == f"市盈率{other}。"


def test_a_place_never_touches_latin_letters_or_digits() -> None:
    # MA20 and 33.89 would be read as one number: MA2033.89.
    assert written(f"MA20{PLACE}，PE{PLACE}x") == f"MA20 {PLACE}，PE {PLACE} x"
    assert written(f"市盈率{PLACE}。") == f"市盈率{PLACE}。"


def test_the_schema_told_to_a_model_is_that_of_the_specification() -> None:
    fields = FINAL_SCHEMA.schema["properties"]
    assert isinstance(fields, dict)
    assert list(fields) == ["summary", "key_points", "recommendations", "risk_factors"]
    assert FINAL_SCHEMA.schema["additionalProperties"] is False
