"""What changed in an upstream's answer is named: fields gone, new, and of another type."""

import json
from datetime import UTC, datetime
from typing import Any

from services.providers.http import Body
from services.providers.shapes import Difference, difference, shape_of


def body(document: Any) -> Body:
    text = document if isinstance(document, str) else json.dumps(document)
    at = datetime(2026, 11, 20, tzinfo=UTC)
    return Body("eastmoney", "push2.stock", 200, "application/json", text.encode(), {}, {}, at)


KNOWN = {"data": {"f43": 1502.3, "f57": "600519", "f86": 1795158000}, "rc": 0}


def test_a_field_gone_one_new_and_one_of_another_type_are_named() -> None:
    seen = {"data": {"f43": "1502.30", "f57": "600519", "f999": []}, "rc": 0}
    found = difference(shape_of(body(seen)), shape_of(body(KNOWN)))
    assert found == Difference((".data.f86",), (".data.f999",), (".data.f43 number→text",))
    assert str(found) == ("missing: .data.f86; new: .data.f999; other type: .data.f43 number→text")


def test_what_is_null_or_empty_could_not_be_seen_and_is_no_change() -> None:
    known = shape_of(body({"list": [{"eps": 1.2, "pe": None}], "count": 1}))
    assert str(difference(shape_of(body({"list": [], "count": 0})), known)) == ""
    assert str(difference(shape_of(body({"list": None, "count": 0})), known)) == ""
    whole = shape_of(body({"list": [{"eps": 1, "pe": 20.1}], "count": 1}))
    assert str(difference(whole, known)) == ""


def test_cells_that_come_apart_from_their_names_are_named_by_column() -> None:
    shape = shape_of(body({"data": {"fields": ["ts_code", "pe"], "items": [["600519.SH", 20.1]]}}))
    assert shape[".data.rows[].pe"] == "number"
    seen = {"data": {"fields": ["ts_code", "pe_ratio"], "items": [["600519.SH", 20.1]]}}
    found = difference(shape_of(body(seen)), shape)
    assert (found.missing, found.new) == ((".data.rows[].pe",), (".data.rows[].pe_ratio",))


def test_a_line_with_another_number_of_cells_is_another_type() -> None:
    known = shape_of(body({"klines": ["2026-11-20,1,2,3,4,5,6"]}))
    seen = shape_of(body({"klines": ["2026-11-20,1,2,3,4,5,6,7"]}))
    assert difference(seen, known).other == (".klines[] text of 7 cells→text of 8 cells",)


def test_a_web_page_and_a_wrapped_answer_are_told_apart() -> None:
    assert shape_of(body("<!doctype html><title>x</title>")) == {"": "markup"}
    assert shape_of(body('jQuery_1({"data": 1})'))[".data"] == "number"
