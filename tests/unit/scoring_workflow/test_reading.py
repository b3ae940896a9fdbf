"""A model's answer, read: what is forgiven, and that nothing else is."""

import json

import pytest

from services.scoring.models import Draft
from services.scoring.reading import UnreadableError, read_draft, read_review
from tests.unit.scoring_workflow.given import BANK, draft

_ID = "c_0123456789abcdef"


def read(reason: str) -> Draft:
    document = {"stock_code": BANK, "hold_score": 7, "summary_reason": reason, "more": 1}
    return read_draft(json.dumps(document), model="m", language="zh")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (f"市净率 {{{{{_ID}}}}}。", f"市净率 {{{{c:{_ID}}}}}。"),
        (f"市净率 {{{{ c：{_ID} }}}}。", f"市净率 {{{{c:{_ID}}}}}。"),
        (f"PB{{{{c:{_ID}}}}}x", f"PB {{{{c:{_ID}}}}} x"),
        ("  第二行\n\n 接着  写 ", "第二行 接着 写"),
        ("「<外部文本 1a2b>标题</外部文本 1a2b>」", "「标题」"),
    ],
)
def test_a_place_has_one_spelling_and_a_reason_is_one_paragraph(written: str, meant: str) -> None:
    assert read(written).summary_reason == meant


def test_a_fence_around_the_whole_is_taken_off() -> None:
    inner = json.dumps({"stock_code": BANK, "hold_score": 7.5, "summary_reason": "理由"})
    made = read_draft(f"```json\n{inner}\n```", model="m", language="zh")
    assert (made.hold_score, made.engine, made.model) == (7.5, "model", "m")


@pytest.mark.parametrize(
    "text", ["", "null", "[]", '"7"', "{", "{}", "[" * 100_000, '{"stock_code": 1}', "x" * 30_000]
)
def test_anything_else_is_no_draft_and_no_review(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_draft(text, model="m", language="zh")
    with pytest.raises(UnreadableError):
        read_review(text, draft())


def test_why_it_cannot_be_read_repeats_nothing_of_it() -> None:
    with pytest.raises(UnreadableError) as raised:
        read_draft('{"stock_code": "蓝羽毛", "hold_score": "蓝羽毛"}', model="m", language="zh")
    assert "蓝羽毛" not in str(raised.value)
