"""Words composed by grammar are of the kind their parts say."""

import pytest

from services.query.reading.composed_words import composed_words


@pytest.mark.parametrize(
    ("text", "word", "cat", "sem"),
    [
        ("招商银行上半年涨了几个点", "涨了几个点", "ask", "ret"),
        ("净利率变化了几个百分点", "变化了几个百分点", "ask", "gain"),
        ("市盈率贵几成", "贵几成", "ask", "excess"),
        ("市值排在第几位", "排在第几位", "ask", "rank"),
        ("边间公司市值大", "边间公司", "ask", "which"),
        ("一共有几家公司亏损", "一共有几家公司", "count", "count"),
        ("市值由大到小排列", "由大到小排列", "dir", "desc"),
        ("roe weakest first", "weakest first", "dir", "asc"),
        ("每股派几多息", "每股派几多息", "METRIC", "dps"),
    ],
)
def test_parts_make_a_word(text: str, word: str, cat: str, sem: str) -> None:
    found = {(text[one.start : one.end], one.cat, one.sem) for one in composed_words(text)}
    assert (word, cat, sem) in found


@pytest.mark.parametrize("text", ["涨几天", "哪个月", "差几倍", "几个百分点"])
def test_what_goes_on_as_another_word_is_none(text: str) -> None:
    assert [one for one in composed_words(text) if one.end < len(text) or one.cat == "count"] == []
