"""Signatures become schemas and checks."""

from typing import Annotated, Literal

import pytest

from services.core.errors import InputError
from services.tools.schema import Signature, Whole, argument


def sample(
    context: object,
    *,
    stock_name: Annotated[str, argument("名称", wire="stockName", max_length=5)],
    hot: Annotated[bool, argument("是否最热")],
    words: Annotated[list[Literal["a", "b"]], argument("词", min_length=1, max_length=2)],
    order: Annotated[Literal["asc", "desc"], argument("排序", required=True)] = "desc",
    size: Annotated[int, Whole(1, 9), argument("数量")] = 3,
    bound: Annotated[str | None, argument("范围", also=["boun"], valid="a_b")] = None,
) -> None:
    """Only its signature matters."""


SIGNATURE = Signature(sample)
GOOD: dict[str, object] = {"stockName": "茅台", "hot": True, "words": ["a"]}


def refused(**changes: object) -> InputError:
    given = {name: value for name, value in (GOOD | changes).items() if value != "absent"}
    with pytest.raises(InputError) as caught:
        SIGNATURE.read(given)  # pyright: ignore[reportArgumentType]
    return caught.value


def test_the_schema_has_wire_names_enums_defaults_limits_and_required_flags() -> None:
    assert SIGNATURE.schema == {
        "type": "object",
        "properties": {
            "stockName": {"description": "名称", "maxLength": 5, "type": "string"},
            "hot": {"description": "是否最热", "type": "boolean"},
            "words": {
                "description": "词",
                "items": {"enum": ["a", "b"], "type": "string"},
                "maxItems": 2,
                "minItems": 1,
                "type": "array",
            },
            "order": {
                "default": "desc",
                "description": "排序",
                "enum": ["asc", "desc"],
                "type": "string",
            },
            "size": {
                "default": 3,
                "description": "数量",
                "maximum": 9,
                "minimum": 1,
                "multipleOf": 1,
                "type": "number",
            },
            "bound": {"description": "范围", "type": "string"},
        },
        "required": ["stockName", "hot", "words", "order"],
        "additionalProperties": False,
    }


def test_defaults_are_filled_in_on_the_wire_and_for_the_function() -> None:
    arguments = SIGNATURE.read({"stockName": "茅台", "hot": False, "words": ["a", "b"]})
    assert arguments.wire == {
        "stockName": "茅台",
        "hot": False,
        "words": ["a", "b"],
        "order": "desc",
        "size": 3,
    }
    assert arguments.values["stock_name"] == "茅台"
    assert arguments.values["bound"] is None


def test_another_spelling_is_the_same_argument_and_may_not_be_given_twice() -> None:
    assert SIGNATURE.read({**GOOD, "boun": "2_max"}).wire["bound"] == "2_max"  # pyright: ignore
    assert refused(boun="2_max", bound="2_max").name in {"bound", "boun"}


def test_an_unknown_argument_is_named_with_the_nearest_valid_one() -> None:
    error = refused(stockname="茅台")
    assert error.name == "stockname"
    assert "did you mean stockName?" in str(error)


def test_a_missing_argument_is_named() -> None:
    error = refused(stockName="absent")
    assert str(error) == "stockName: got nothing; valid: text of 0 to 5 characters"


@pytest.mark.parametrize(
    ("changes", "name", "valid"),
    [
        ({"hot": "true"}, "hot", "true or false"),
        ({"hot": 1}, "hot", "true or false"),
        ({"hot": None}, "hot", "true or false"),
        ({"size": "3"}, "size", "from 1 to 9 (a JSON number, not text)"),
        ({"size": 2.5}, "size", "a whole number"),
        ({"size": True}, "size", "a whole number"),
        ({"size": 0}, "size", "from 1 to 9"),
        ({"size": 10}, "size", "from 1 to 9"),
        ({"order": "up"}, "order", "one of asc | desc"),
        ({"order": None}, "order", "one of asc | desc"),
        ({"words": []}, "words", "a list of 1 to 2 items, each one of a | b"),
        ({"words": ["a", "c"]}, "words[1]", "each one of a | b"),
        ({"words": "a"}, "words", "a list"),
        ({"stockName": 600519}, "stockName", "text of 0 to 5 characters"),
        ({"stockName": "far too long"}, "stockName", "text of 0 to 5 characters"),
        ({"bound": 2}, "bound", "a_b"),
    ],
)
def test_a_wrong_value_is_refused_with_its_valid_form(
    changes: dict[str, object], name: str, valid: str
) -> None:
    error = refused(**changes)
    assert error.name == name
    assert valid in str(error)


def test_a_whole_number_written_with_a_point_is_that_number() -> None:
    assert SIGNATURE.read({**GOOD, "size": 4.0}).wire["size"] == 4  # pyright: ignore


def test_null_for_an_optional_argument_is_its_absence() -> None:
    assert "bound" not in SIGNATURE.read({**GOOD, "bound": None}).wire  # pyright: ignore
