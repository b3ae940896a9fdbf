"""RFC 9535 by example: the tables of the RFC and the edges of its grammar, written out by hand."""

from typing import Any

import pytest

from services.core.errors import InputError
from services.query.answering.extractors import extract
from tests.unit.query.extracted import values

BOOK = [
    {"category": "reference", "author": "Rees", "title": "Sayings", "price": 8.95},
    {"category": "fiction", "author": "Waugh", "title": "Sword", "price": 12.99},
    {"category": "fiction", "author": "Melville", "isbn": "0-553", "price": 8.99},
    {"category": "fiction", "author": "Tolkien", "isbn": "0-395", "price": 22.99},
]
STORE = {"store": {"book": BOOK, "bicycle": {"color": "red", "price": 399}}}
FILTERED = {
    "a": [3, 5, 1, 2, 4, 6, {"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}],
    "o": {"p": 1, "q": 2, "r": 3, "s": 5, "t": {"u": 6}},
    "e": "f",
}
LETTERS = list("abcdefg")
DEEP = {"o": {"j": 1, "k": 2}, "a": [5, 3, [{"j": 4}, {"k": 6}]]}
NULLS = {"a": None, "b": [None], "c": [{}], "null": 1}
VALID: list[tuple[str, Any, list[Any]]] = [
    ("$", {"k": "v"}, [{"k": "v"}]),
    ("$", 1, [1]),
    ("$.store.book[*].author", STORE, ["Rees", "Waugh", "Melville", "Tolkien"]),
    ("$..author", STORE, ["Rees", "Waugh", "Melville", "Tolkien"]),
    ("$.store.*", STORE, [BOOK, {"color": "red", "price": 399}]),
    ("$..book[2].author", STORE, ["Melville"]),
    ("$..book[2].publisher", STORE, []),
    ("$..book[-1].author", STORE, ["Tolkien"]),
    ("$..book[0,1].author", STORE, ["Rees", "Waugh"]),
    ("$..book[:2].author", STORE, ["Rees", "Waugh"]),
    ("$..book[?@.isbn].author", STORE, ["Melville", "Tolkien"]),
    ("$..book[?@.price<10].price", STORE, [8.95, 8.99]),
    ("$.o['j']", DEEP, [1]),
    ('$["o"]["k"]', DEEP, [2]),
    ("$['o']['nothing']", DEEP, []),
    ("$['☺']", {"☺": "A"}, ["A"]),
    ("$['\\u263a']", {"☺": "A"}, ["A"]),
    ("$['\\uD834\\uDD1E']", {"𝄞": "A"}, ["A"]),
    ("$['\\'']", {"'": 1}, [1]),
    ('$["\\n"]', {"\n": 1}, [1]),
    ("$.营业收入", {"营业收入": 1}, [1]),
    ("$._a1", {"_a1": 1}, [1]),
    ("$[*]", DEEP, [{"j": 1, "k": 2}, [5, 3, [{"j": 4}, {"k": 6}]]]),
    ("$.o[*]", DEEP, [1, 2]),
    ("$.o[*, *]", DEEP, [1, 2, 1, 2]),
    ("$[1]", LETTERS, ["b"]),
    ("$[-2]", LETTERS, ["f"]),
    ("$[9]", LETTERS, []),
    ("$[1:3]", LETTERS, ["b", "c"]),
    ("$[5:]", LETTERS, ["f", "g"]),
    ("$[1:5:2]", LETTERS, ["b", "d"]),
    ("$[5:1:-2]", LETTERS, ["f", "d"]),
    ("$[::-1]", LETTERS, list("gfedcba")),
    ("$[::0]", LETTERS, []),
    ("$[-3:]", LETTERS, ["e", "f", "g"]),
    ("$[ 0 , 1 ]", LETTERS, ["a", "b"]),
    ("$[0, 3]", LETTERS, ["a", "d"]),
    ("$[0:2, 5]", LETTERS, ["a", "b", "f"]),
    ("$[0, 0]", LETTERS, ["a", "a"]),
    ("$.a[?@.b == 'kilo']", FILTERED, [{"b": "kilo"}]),
    ("$.a[?(@.b == 'kilo')]", FILTERED, [{"b": "kilo"}]),
    ("$.a[?@>3.5]", FILTERED, [5, 4, 6]),
    ("$.a[?@.b]", FILTERED, [{"b": "j"}, {"b": "k"}, {"b": {}}, {"b": "kilo"}]),
    ('$.a[?@<2 || @.b == "k"]', FILTERED, [1, {"b": "k"}]),
    ('$.a[?match(@.b, "[jk]")]', FILTERED, [{"b": "j"}, {"b": "k"}]),
    ('$.a[?search(@.b, "[jk]")]', FILTERED, [{"b": "j"}, {"b": "k"}, {"b": "kilo"}]),
    ("$.o[?@>1 && @<4]", FILTERED, [2, 3]),
    ("$.o[?@.u || @.x]", FILTERED, [{"u": 6}]),
    ("$.a[?@.b == $.x]", FILTERED, [3, 5, 1, 2, 4, 6]),
    ("$.a[?!@.b]", FILTERED, [3, 5, 1, 2, 4, 6]),
    ("$[?length(@) < 3]", ["ab", "abc", [1]], ["ab", [1]]),
    ("$[?count(@.*) == 1]", [{"a": 1}, {"a": 1, "b": 2}], [{"a": 1}]),
    ("$[?value(@..c) == 'r']", [{"c": "r"}, {"c": "g"}], [{"c": "r"}]),
    ("$[?@.a == 1e2]", [{"a": 100}], [{"a": 100}]),
    ("$[?@.a == 1.5e-2]", [{"a": 0.015}], [{"a": 0.015}]),
    ("$[?@.a == -1e-1]", [{"a": -0.1}], [{"a": -0.1}]),
    ("$[?@.a == -0]", [{"a": 0}], [{"a": 0}]),
    ("$[?@.a == null]", [{"a": None}, {"b": 1}], [{"a": None}]),
    ("$[?@ == true]", [True, 1, "true"], [True]),
    ("$[?@ == 1]", [True, 1], [1]),
    ("$..j", DEEP, [1, 4]),
    ("$..[0]", DEEP, [5, {"j": 4}]),
    ("$.a..[0, 1]", DEEP, [5, 3, {"j": 4}, {"k": 6}]),
    ("$.a", NULLS, [None]),
    ("$.a[0]", NULLS, []),
    ("$.b[0]", NULLS, [None]),
    ("$.b[?@==null]", NULLS, [None]),
    ("$.null", NULLS, [1]),
    ("$ .a", NULLS, [None]),
    ("$\n['null']", NULLS, [1]),
]
INVALID = [
    "$[?@.a == -01.5]",
    "$[?@.a == 01.5]",
    "$[?@.a == 00e-1]",
    *("", " $", "$ ", "$.", "$..", "$[", "$]", "$[]", "a.b", "@.a", "$a", "$.a.", "$.1a", "$.a-b"),
    *(
        "$[01]",
        "$[-0]",
        "$[1.0]",
        "$[9007199254740992]",
        "$['a",
        "$['a\"]",
        "$['\\x']",
        "$['\\uD800']",
    ),
    *(
        "$['\n']",
        "$[1:2:3:4]",
        "$[:01]",
        "$[a]",
        "$[*,]",
        "$[,1]",
        "$[?]",
        "$[?@.a=1]",
        "$[?@.a===1]",
    ),
    *(
        "$[?1]",
        "$[?true]",
        "$[?'a']",
        "$[?@.a == 01]",
        "$[?@.a == .5]",
        "$[?@.a == 1.]",
        "$[?(@.a]",
    ),
    *(
        "$[?@.a &&]",
        "$[?&& @.a]",
        "$[?@.a & @.b]",
        "$[?!(1 == 1)!]",
        "$[?@.* == 1]",
        "$[?@..a == 1]",
    ),
    *("$[?count(1) == 1]", "$[?length(@.*) < 3]", "$[?match(@.a)]", "$[?match(@.a, 'a') == true]"),
    *(
        "$[?length(@.a)]",
        "$[?nothing(@.a)]",
        "$[?Length(@.a) == 1]",
        "$[?count (@.*) == 1]",
        "$.&",
        "$..",
    ),
    *(
        "$. a",
        "$.. a",
        "$[?@.a == TRUE]",
        "$[?@.a == [1]]",
        "$[?@.a == {}]",
        "$(a)",
        "$.a[b]",
        "-",
        "1a",
    ),
]


@pytest.mark.parametrize(("selector", "document", "expected"), VALID)
def test_a_selector_takes_what_the_standard_says(
    selector: str, document: Any, expected: list[Any]
) -> None:
    found = values(document, selector)
    assert found == expected
    assert [type(value) for value in found] == [type(value) for value in expected]


@pytest.mark.parametrize("selector", INVALID)
def test_what_is_no_selector_is_refused(selector: str) -> None:
    with pytest.raises(InputError, match="extractor"):
        extract({"a": [1]}, selector)


def test_nesting_without_end_is_refused_and_not_a_fault() -> None:
    for selector in ("$[" + "(" * 5000, "$[?" + "(" * 3000 + "@.a" + ")" * 3000 + "]"):
        with pytest.raises(InputError):
            extract({}, selector)


def test_a_column_name_takes_that_key_of_every_row() -> None:
    rows = [{"net_profit": 1, "x": 2}, {"x": 3}, {"net_profit": None}]
    assert values(rows, "net_profit") == [1, None]
    assert values({"净利润": 5}, "净利润") == [5]
    assert [one.place for one in extract(rows, "x")] == ["[0].x", "[1].x"]
    with pytest.raises(InputError) as caught:
        extract(rows, "profit")
    assert caught.value.choices == ("net_profit", "x")


def test_a_value_is_told_with_its_place() -> None:
    found = extract({"data": [{"v": 1}, {"v": 2}]}, "$.data[*].v")
    assert [(one.place, one.value) for one in found] == [("data[0].v", 1), ("data[1].v", 2)]
